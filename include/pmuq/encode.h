/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Encodings: what an event string means on a machine, as perf_event_attrs with names, CPUs and
 * units; and which term put which value where. One thread at a time.
 */
#ifndef PMUQ_ENCODE_H
#define PMUQ_ENCODE_H

#include <pmuq/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Whose rules hold for a string. */
enum pmuq_dialect {
	PMUQ_DIALECT_PMUQ = 0, /**< as perf, except where perf does what nobody means */
	PMUQ_DIALECT_PERF = 1, /**< the very attr of perf's own parser, apart from size */
};

/** Where the meaning of a name came from; also bits of pmuq_encode_options.from. */
enum pmuq_origin {
	PMUQ_FROM_FORMAT = 1 << 0,  /**< terms of the PMU's own formats, no event name */
	PMUQ_FROM_SYSFS = 1 << 1,   /**< a file in events/ */
	PMUQ_FROM_GENERIC = 1 << 2, /**< the kernel's generic hardware, software and cache events */
	PMUQ_FROM_RAW = 1 << 3,	    /**< rNNN or TYPE:CONFIG */
	PMUQ_FROM_BREAKPOINT = 1 << 4, /**< mem:ADDR */
	PMUQ_FROM_TRACEPOINT = 1 << 5, /**< subsystem:event */
	PMUQ_FROM_PROBE = 1 << 6,      /**< kprobe, uprobe */
	PMUQ_FROM_JSON = 1 << 8,       /**< an imported table of the CPU's events */
	PMUQ_FROM_PFM = 1 << 7,	       /**< a name of libpfm4 */
};

/**
 * What a tool adds to the attrs of an event string, as perf 7.2 opens them around a command.
 *
 * STAT: disabled and enable_on_exec (on leaders), inherit (unless no-inherit), read_format
 * TOTAL_TIME_ENABLED and RUNNING (in a group also ID and GROUP), sample_type IDENTIFIER, no
 * sample_period.
 * RECORD: disabled, enable_on_exec, inherit likewise; read_format ID and LOST; sample_type IP, TID,
 * TIME (unless time=0), PERIOD (where a frequency leads to it), ID or IDENTIFIER (several events);
 * freq=4000, or what period= or freq= say, or each event of a tracepoint (with CPU and RAW) or
 * breakpoint; sample_id_all; on the first event mmap, mmap2, comm, comm_exec, task, ksymbol,
 * bpf_event, build_id; and what call-graph=, stack-size=, max-stack=, branch_type=, overwrite=,
 * aux-*=, the modifiers P and S ask for. Terms that were applied are not deferred any more.
 */
enum pmuq_preset {
	PMUQ_PRESET_NONE = 0,
	PMUQ_PRESET_STAT = 1,
	PMUQ_PRESET_RECORD = 2,
};

/** How a string is understood. Zeroed but for its size: all defaults. */
struct pmuq_encode_options {
	size_t size;		   /**< sizeof(struct pmuq_encode_options) */
	enum pmuq_dialect dialect; /**< whose rules hold */
	unsigned from;	       /**< enum pmuq_origin values that names may come from; 0 means all */
	bool is_strict;	       /**< a warning is an error */
	bool with_assignments; /**< keep on each encoding which term put which value where */
	enum pmuq_preset preset; /**< what a tool would add */
	/**
	 * Who is asked for names of libpfm4 (skx::EVENT, pfm:EVENT, and a bare name that nothing
	 * else knows), in the pmuq dialect; NULL: nobody. Not shared by threads.
	 */
	struct pmuq_pfm *pfm;
	/**
	 * The CPU's imported events, which stand before the machine's own of the same name; NULL:
	 * none. Encodings point to its texts: it must outlive them. Shared by any number of
	 * threads.
	 */
	const struct pmuq_vendor *vendor;
	/**
	 * Where the result is to be; NULL: on the heap. pmuq_catalog_encode() then takes nothing
	 * from malloc(), and the encodings, their warnings and an error live as long as this memory
	 * (freeing them does nothing). Errors and warnings are only as wordy as their code
	 * (pmuq_code_meaning()): ask again without memory for the whole diagnosis. What does not
	 * fit is -PMUQ_E_MEMORY; 4 KiB are enough for a usual event, and 2.5 KiB for each encoding
	 * besides: of a list, a group, or an event of several PMUs; with assignments 8 KiB for
	 * each. Not together with pfm.
	 */
	void *memory;
	size_t memory_bytes; /**< of memory */
};

/**
 * Turn an event string (one event, a list, a group) into attrs.
 *
 * The result refers to strings of the source or catalog: free it first. Nothing is opened, and
 * pmuq_catalog_encode() reads no file at all.
 *
 * @param text     e.g. "cpu/event=0x3c,umask=0x1/u"; not kept
 * @param options  NULL for the defaults
 * @param ret      free with pmuq_encodings_free()
 * @return 0, or minus the code of the error: any that is of an event (pmuq_code_meaning()); of a
 *         source also -PMUQ_E_STALE_SOURCE, -PMUQ_E_TOO_MANY_FILES; -PMUQ_E_MEMORY
 */
int pmuq_source_encode(struct pmuq_source *source, const char *text,
		       const struct pmuq_encode_options *options, struct pmuq_encodings **ret,
		       struct pmuq_error **reterr);
/** The same from memory; safe to call from many threads on one catalog. */
int pmuq_catalog_encode(const struct pmuq_catalog *catalog, const char *text,
			const struct pmuq_encode_options *options, struct pmuq_encodings **ret,
			struct pmuq_error **reterr);
void pmuq_encodings_free(struct pmuq_encodings *encodings);

/** One string may give many: a list, a group, an event of several PMUs. In perf's order. */
size_t pmuq_encodings_count(const struct pmuq_encodings *encodings);
const struct pmuq_encoding *pmuq_encodings_get(const struct pmuq_encodings *encodings,
					       size_t index);

/** Enough for every name of the next one, with its NUL. */
#define PMUQ_GENERIC_NAME_MAX 64
/**
 * The kernel's generic events by their usual names: hardware, then software, then cache events.
 *
 * @param ret  room for PMUQ_GENERIC_NAME_MAX bytes
 * @return false beyond the last
 */
bool pmuq_generic_name(size_t index, char *ret);

/** As written, or the value of name=. */
const char *pmuq_encoding_name(const struct pmuq_encoding *encoding);
/** The PMU that counts it; NULL when the machine has none of that type. */
const char *pmuq_encoding_pmu(const struct pmuq_encoding *encoding);
/** Where the meaning of its name came from. */
enum pmuq_origin pmuq_encoding_origin(const struct pmuq_encoding *encoding);
/** "format", "sysfs", "generic", … Static. */
const char *pmuq_origin_name(enum pmuq_origin origin);
/** The attr, attr->size bytes of it (the smallest published size that holds what is set). */
const struct pmuq_attr *pmuq_encoding_attr(const struct pmuq_encoding *encoding);
/**
 * The text that the kernel wants a pointer to in config1 (perf_event_open(2): kprobe_func,
 * uprobe_path): the function of a kprobe, the file of an uprobe; NULL for every other event. The
 * attr holds 0 there: whoever opens it puts the address of a copy in.
 */
const char *pmuq_encoding_probe_text(const struct pmuq_encoding *encoding);
/** The field that wants it, "kprobe_func" or "uprobe_path", or NULL. Static. */
const char *pmuq_encoding_probe_field(const struct pmuq_encoding *encoding);
/** The CPUs to open it on, as a list. */
const char *pmuq_encoding_cpus(const struct pmuq_encoding *encoding);
/** Whether the PMU counts only per CPU (pid -1). */
bool pmuq_encoding_needs_cpu(const struct pmuq_encoding *encoding);
/** The unit of its counts, "" when none is told. */
const char *pmuq_encoding_unit(const struct pmuq_encoding *encoding);
/** The exact decimal text to multiply a count by; "1" when there is none. */
const char *pmuq_encoding_scale(const struct pmuq_encoding *encoding);
/** As the files .per-pkg and .snapshot of the event say. */
bool pmuq_encoding_is_per_pkg(const struct pmuq_encoding *encoding);
bool pmuq_encoding_is_snapshot(const struct pmuq_encoding *encoding);
/** The index of the group's leader, how many are in it, and the group's name ("" when unnamed);
 *  false outside a group. */
bool pmuq_encoding_group(const struct pmuq_encoding *encoding, size_t *ret_leader,
			 size_t *ret_members, const char **ret_name);
/** Terms and modifiers that only a sampling or counting tool applies (period, call-graph, …). */
size_t pmuq_encoding_deferred_count(const struct pmuq_encoding *encoding);
const char *pmuq_encoding_deferred_name(const struct pmuq_encoding *encoding, size_t index);
/** The value as text; numbers in decimal. */
const char *pmuq_encoding_deferred_text(const struct pmuq_encoding *encoding, size_t index);
/** Whether that text is a number. */
bool pmuq_encoding_deferred_is_number(const struct pmuq_encoding *encoding, size_t index);

/** What is legal but surprising. `input` as in errors: NULL, or the text that the span points into.
 */
size_t pmuq_encoding_warning_count(const struct pmuq_encoding *encoding);
const struct pmuq_error *pmuq_encoding_warning(const struct pmuq_encoding *encoding, size_t index);

/** Who had a value put into the attr. */
enum pmuq_cause {
	PMUQ_CAUSE_TEXT = 0,	/**< the event string, at the offset */
	PMUQ_CAUSE_EVENT = 1,	/**< the terms of a sysfs event, at the offset */
	PMUQ_CAUSE_PMU = 2,	/**< a file of the PMU */
	PMUQ_CAUSE_DEFAULT = 3, /**< nobody: an event of its kind has it from the start */
	PMUQ_CAUSE_PRESET = 4,	/**< the tool that the preset stands for; the term is its name */
};

/**
 * Who put which value where, with pmuq_encode_options.with_assignments; none without. The values
 * of a field's assignments that are not overridden, ORed, are the field; `size` alone has none.
 * They stand in the order in which they were made: a later one may have replaced an earlier one.
 */
size_t pmuq_encoding_assignment_count(const struct pmuq_encoding *encoding);
const struct pmuq_assignment *pmuq_encoding_assignment(const struct pmuq_encoding *encoding,
						       size_t index);
/** "umask", "r1a", "u", "cycles", or the name of the PMU that gave the type. */
const char *pmuq_assignment_term(const struct pmuq_assignment *assignment);
/** The attr's field by the kernel's name; that of a breakpoint's address is "config1". Static. */
const char *pmuq_assignment_field(const struct pmuq_assignment *assignment);
/** The bits of that field that it speaks for. */
uint64_t pmuq_assignment_mask(const struct pmuq_assignment *assignment);
/** What it put there, in place: within the mask. */
uint64_t pmuq_assignment_value(const struct pmuq_assignment *assignment);
/** The same before it was spread over the mask. */
uint64_t pmuq_assignment_number(const struct pmuq_assignment *assignment);
/** The text of the format that says where ("config:0-7,32-35"), or NULL. */
const char *pmuq_assignment_format(const struct pmuq_assignment *assignment);
/** What the value came from. */
enum pmuq_cause pmuq_assignment_cause(const struct pmuq_assignment *assignment);
/** "text", "event", "pmu", "default", "preset". Static. */
const char *pmuq_cause_name(enum pmuq_cause cause);
/** The sysfs event whose term it is, also where the event string gave that term its value
 *  (a parameter); or NULL. */
const char *pmuq_assignment_event(const struct pmuq_assignment *assignment);
/** That event's file, or the PMU's, relative to the root; or NULL. */
const char *pmuq_assignment_origin(const struct pmuq_assignment *assignment);
/** What the span points into: the event's terms; NULL: the event string. */
const char *pmuq_assignment_input(const struct pmuq_assignment *assignment);
/** Where the term stands there. */
size_t pmuq_assignment_offset(const struct pmuq_assignment *assignment);
size_t pmuq_assignment_length(const struct pmuq_assignment *assignment);
/** Whether another one replaced its value, so that nothing of it is in the field. */
bool pmuq_assignment_is_overridden(const struct pmuq_assignment *assignment);

#ifdef __cplusplus
}
#endif
#endif
