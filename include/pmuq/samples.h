/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Samples: the records that the kernel writes while opened events count. The kernel writes them
 * into ring buffers, one for each CPU or task; pmuq_samples_next() returns the records of all
 * buffers in the order of time. One thread at a time.
 *
 *     options.preset = PMUQ_PRESET_SAMPLE;
 *     pmuq_source_encode(machine, "cpu-clock/freq=1000/u", &options, &encodings, &error);
 *     targets.wants_samples = true;
 *     pmuq_encodings_open(encodings, &targets, &opened, &error);
 *     pmuq_opened_sample(opened, 0, &samples, &error);
 *     pmuq_opened_enable(opened, &error);
 *     while (!has_ended && pmuq_samples_wait(samples, 1000, &has_ended, &error) == 0)
 *             while ((record = pmuq_samples_next(samples)))
 *                     if (pmuq_samples_parse(samples, record, &sample))
 *                             …
 *
 * The records are the kernel's own (perf_event_open(2), "MMAP layout").
 */
#ifndef PMUQ_SAMPLES_H
#define PMUQ_SAMPLES_H

#include <pmuq/opened.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Map ring buffers for all opened events that sample (a period or a frequency), and for those that
 * report mappings, names or tasks. Events on the same CPU or task write to one buffer if the kernel
 * permits it.
 *
 * Open the events with pmuq_open_options.wants_samples: without it the kernel does not map an event
 * that children inherit.
 *
 * @param bytes  of each buffer; rounded up to a power of two and whole pages; 0: 128 KiB. The
 *               memory is locked: a user may lock perf_event_mlock_kb (proc_sys_kernel(5)) for each
 *               CPU, and RLIMIT_MEMLOCK
 * @param ret    free with pmuq_samples_free(), before the opened events
 * @return 0, -PMUQ_E_NO_SAMPLES (no event samples, an event writes backward, events of one buffer
 * have no identifiers, or the kernel refuses), -PMUQ_E_TOO_MANY_FILES, -PMUQ_E_MEMORY
 */
int pmuq_opened_sample(const struct pmuq_opened *opened, size_t bytes, struct pmuq_samples **ret,
		       struct pmuq_error **reterr);
/** Unmap the buffers. */
void pmuq_samples_free(struct pmuq_samples *samples);

/** A record of the kernel. */
struct pmuq_sample_record {
	size_t size;
	uint32_t type; /**< PERF_RECORD_SAMPLE (9), PERF_RECORD_LOST (2) … of linux/perf_event.h */
	uint16_t misc;	   /**< PERF_RECORD_MISC_… */
	const void *data;  /**< all of it, with its header; aligned to 8 bytes */
	size_t data_bytes; /**< of data */
	size_t index;	   /**< of the encoding that it belongs to; SIZE_MAX: of no one event */
	uint64_t time_ns;  /**< of the clock of the events; 0: the record has no time */
	int cpu;	   /**< the CPU whose buffer it was in; -1: the buffer of a task */
};

/**
 * Take the next record: the oldest of all buffers. It lives until the next call. Records without a
 * time come as soon as they are first in their buffer. Never waits.
 *
 * @return NULL: no record is ready
 */
const struct pmuq_sample_record *pmuq_samples_next(struct pmuq_samples *samples);

/** How many records the kernel lost because a buffer was full, as far as records that
 *  pmuq_samples_next() has returned report it. */
uint64_t pmuq_samples_lost(const struct pmuq_samples *samples);

/**
 * Wait for records. The kernel wakes a waiting program when a buffer is half full, or after
 * pmuq_open_options.wakeup_samples; a program that wants records earlier waits for a shorter time.
 * A signal ends a wait, too.
 *
 * @param timeout_ms     0: do not wait; -1: without a limit
 * @param ret_has_ended  whether all tasks have ended: after the next records there will be none
 * @return 0, -PMUQ_E_EVENT_FAILED
 */
int pmuq_samples_wait(struct pmuq_samples *samples, int timeout_ms, bool *ret_has_ended,
		      struct pmuq_error **reterr);
/** For a loop of one's own: poll this file descriptor (poll(2), POLLIN), then take the records;
 *  pmuq_samples_wait() with 0 returns whether the tasks have ended. It belongs to `samples`. */
int pmuq_samples_fd(const struct pmuq_samples *samples);

/** The fields of a sample. Only those in `types` are set; the others are 0. */
struct pmuq_sample {
	size_t size;		  /**< sizeof(struct pmuq_sample), set by the caller */
	uint64_t types;		  /**< attr.sample_type of its event: which fields it has */
	uint64_t ip;		  /**< instruction pointer */
	uint32_t pid;		  /**< process */
	uint32_t tid;		  /**< thread */
	uint64_t time_ns;	  /**< of the clock of the event */
	uint64_t addr;		  /**< the address of a memory access */
	uint64_t id;		  /**< of the event: pmuq_target.id */
	uint64_t stream_id;	  /**< of the event, or of that which a child inherited */
	uint32_t cpu;		  /**< the CPU */
	uint64_t period;	  /**< how many events the sample stands for */
	const uint64_t *values;	  /**< PERF_SAMPLE_READ, in the form of pmuq_target.read_format */
	size_t n_values;	  /**< of values */
	const uint64_t *callers;  /**< the call chain, innermost first, with PERF_CONTEXT_… */
	size_t n_callers;	  /**< of callers */
	const void *raw;	  /**< the data of a tracepoint, … */
	size_t raw_bytes;	  /**< … with padding */
	const uint64_t *branches; /**< struct perf_branch_entry: from, to and flags of each */
	size_t n_branches;	  /**< of these words: three for each branch */
	uint64_t branch_index;	  /**< of the hardware; UINT64_MAX: not sampled */
	const uint64_t *branch_counters; /**< PERF_SAMPLE_BRANCH_COUNTERS */
	size_t n_branch_counters;	 /**< one for each branch, or 0 */
	uint64_t user_abi; /**< enum perf_sample_regs_abi of user_registers; 0: no registers */
	uint64_t intr_abi; /**< the same for intr_registers */
	const uint64_t *user_registers; /**< those of attr.sample_regs_user, lowest bit first */
	size_t n_user_registers;	/**< of user_registers */
	const uint64_t *intr_registers; /**< those of attr.sample_regs_intr */
	size_t n_intr_registers;	/**< of intr_registers */
	const void *stack;		/**< a copy of the user's stack */
	size_t stack_bytes;		/**< the part of it that the kernel could read */
	uint64_t weight;		/**< or struct perf_sample_weight */
	uint64_t data_src;		/**< union perf_mem_data_src */
	uint64_t transaction;		/**< PERF_TXN_… */
	uint64_t phys_addr;		/**< the physical address of the access */
	uint64_t cgroup;		/**< the id of the cgroup */
	uint64_t data_page_bytes;	/**< the size of the page of the access */
	uint64_t code_page_bytes;	/**< the size of the page of the code */
	const void *aux;		/**< a part of the AUX trace */
	size_t aux_bytes;		/**< of aux */
};

/**
 * Read the fields of a sample. Its pointers point into the record; a pointer of a field without
 * words or bytes is NULL.
 *
 * @param record  the last one of pmuq_samples_next()
 * @param ret     the caller sets its size
 * @return false: the record is not a sample, or its event is not known; *ret
 * has no meaning then
 */
bool pmuq_samples_parse(const struct pmuq_samples *samples, const struct pmuq_sample_record *record,
			struct pmuq_sample *ret);

#ifdef __cplusplus
}
#endif
#endif
