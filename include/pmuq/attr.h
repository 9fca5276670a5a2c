/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Attrs: the layout of struct perf_event_attr up to PERF_ATTR_SIZE_VER9 (144 bytes), as in
 * perf_event_open(2) and the kernel's uapi header. It is declared here because the system's header
 * is often older than the running kernel. A program may pass a pointer to it to the system call or
 * cast it to the system's struct. `size` is the number of bytes that count; the others are zero.
 */
#ifndef PMUQ_ATTR_H
#define PMUQ_ATTR_H

#include <pmuq/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The event to open; perf_event_open(2) describes the fields. */
struct pmuq_attr {
	uint32_t type;
	uint32_t size; /* bytes */
	uint64_t config;
	uint64_t sample_period; /* sample_freq, in Hz, if freq is set */
	uint64_t sample_type;
	uint64_t read_format;
	uint64_t disabled : 1;
	uint64_t inherit : 1;
	uint64_t pinned : 1;
	uint64_t exclusive : 1;
	uint64_t exclude_user : 1;
	uint64_t exclude_kernel : 1;
	uint64_t exclude_hv : 1;
	uint64_t exclude_idle : 1;
	uint64_t mmap : 1;
	uint64_t comm : 1;
	uint64_t freq : 1;
	uint64_t inherit_stat : 1;
	uint64_t enable_on_exec : 1;
	uint64_t task : 1;
	uint64_t watermark : 1;
	uint64_t precise_ip : 2;
	uint64_t mmap_data : 1;
	uint64_t sample_id_all : 1;
	uint64_t exclude_host : 1;
	uint64_t exclude_guest : 1;
	uint64_t exclude_callchain_kernel : 1;
	uint64_t exclude_callchain_user : 1;
	uint64_t mmap2 : 1;
	uint64_t comm_exec : 1;
	uint64_t use_clockid : 1;
	uint64_t context_switch : 1;
	uint64_t write_backward : 1;
	uint64_t namespaces : 1;
	uint64_t ksymbol : 1;
	uint64_t bpf_event : 1;
	uint64_t aux_output : 1;
	uint64_t cgroup : 1;
	uint64_t text_poke : 1;
	uint64_t build_id : 1;
	uint64_t inherit_thread : 1;
	uint64_t remove_on_exec : 1;
	uint64_t sigtrap : 1;
	uint64_t defer_callchain : 1;
	uint64_t defer_output : 1;
	uint64_t reserved_flags : 24;
	uint32_t wakeup_events; /* wakeup_watermark, in bytes, if watermark is set */
	uint32_t bp_type;
	uint64_t config1; /* bp_addr of a breakpoint; a pointer for kprobe and uprobe */
	uint64_t config2; /* bp_len of a breakpoint, in bytes */
	uint64_t branch_sample_type;
	uint64_t sample_regs_user;
	uint32_t sample_stack_user; /* bytes */
	int32_t clockid;
	uint64_t sample_regs_intr;
	uint32_t aux_watermark; /* bytes */
	uint16_t sample_max_stack;
	uint16_t reserved_2;
	uint32_t aux_sample_size; /* bytes */
	uint32_t aux_action;	  /* bitfields in this order: start paused, pause, resume */
	uint64_t sig_data;
	uint64_t config3;
	uint64_t config4;
};

/** The size of this layout, in bytes. */
#define PMUQ_ATTR_SIZE_MAX 144

/** How to print a field. */
enum pmuq_field_format {
	PMUQ_FIELD_NUMBER = 0, /**< a small number or a flag */
	PMUQ_FIELD_WORD = 1,   /**< 64 bits, shown in hex */
};

/** A field of the layout. Static. */
struct pmuq_field {
	size_t size;
	struct pmuq_str name;	       /**< the kernel's name */
	enum pmuq_field_format format; /**< how to print it */
	unsigned end_bytes;	       /**< the smallest attr.size that contains the field */
};

/** The fields of the layout in its order; `index` from 0. NULL, or 0 and false, past the last. */
const struct pmuq_field *pmuq_attr_field(unsigned index);
uint64_t pmuq_attr_get(const struct pmuq_attr *attr, unsigned index);
/** False if the value does not fit the field. */
bool pmuq_attr_set(struct pmuq_attr *attr, unsigned index, uint64_t value);

#ifdef __cplusplus
}
#endif
#endif
