/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Encodings: what an event string means on a machine, as perf_event_attrs with names, CPUs and
 * units; and which term put which value where. One thread at a time.
 */
#ifndef PMUQ_ENCODE_H
#define PMUQ_ENCODE_H

#include <pmuq/attr.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Whose rules apply to a string. */
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
 * aux-*=, the modifiers P and S ask for. Terms that were applied are not tool terms any more.
 */
enum pmuq_preset {
	PMUQ_PRESET_NONE = 0,
	PMUQ_PRESET_STAT = 1,
	PMUQ_PRESET_RECORD = 2,
};

/** How to encode a string. Zeroed but for its size: all defaults. */
struct pmuq_encode_options {
	size_t size;		   /**< sizeof(struct pmuq_encode_options) */
	enum pmuq_dialect dialect; /**< whose rules apply */
	unsigned from;	       /**< enum pmuq_origin values that names may come from; 0 means all */
	bool is_strict;	       /**< a warning is an error */
	bool with_assignments; /**< keep on each encoding which term put which value where */
	enum pmuq_preset preset; /**< what a tool would add */
	/**
	 * libpfm4, for its names (skx::EVENT, pfm:EVENT, and a bare name that nothing else has), in
	 * the pmuq dialect; NULL: not used. Not shared by threads.
	 */
	struct pmuq_pfm *pfm;
	/**
	 * The CPU's imported events, which go before the machine's own of the same name; NULL:
	 * none. Encodings point to its texts: it must outlive them. Any number of threads may share
	 * it.
	 */
	const struct pmuq_vendor *vendor;
	/**
	 * Memory for the result; NULL: the heap. pmuq_catalog_encode() then takes nothing from
	 * malloc(), and the encodings, their warnings and an error live as long as this memory
	 * (freeing them does nothing). Errors and warnings have the text of their code alone
	 * (pmuq_code_meaning()): encode again without memory for the whole diagnosis. What does not
	 * fit is -PMUQ_E_MEMORY; 4 KiB are enough for a usual event, and 2.5 KiB for each further
	 * encoding: of a list, a group, or an event of several PMUs; with assignments 8 KiB for
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
 * @param ret  PMUQ_GENERIC_NAME_MAX bytes
 * @return false past the last
 */
bool pmuq_generic_name(size_t index, char *ret);

/** "format", "sysfs", "generic", … Static; NULL for a number that is none. */
const char *pmuq_origin_name(enum pmuq_origin origin);

/** One event to open. */
struct pmuq_encoding {
	size_t size;
	/** attr->size bytes of it count: the smallest published size that holds what is set. */
	const struct pmuq_attr *attr;
	struct pmuq_str name; /**< as written, or the value of name= */
	struct pmuq_str pmu;  /**< the PMU that counts it; none if no PMU has that type */
	struct pmuq_str cpus; /**< the CPUs to open it on, as a list */
	struct pmuq_str unit; /**< the unit of its counts, "" if it has none */
	/** The exact decimal text to multiply a count by; "1" if it has none. */
	struct pmuq_str scale;
	/**
	 * The text that the kernel wants a pointer to in config1 (perf_event_open(2): kprobe_func,
	 * uprobe_path): the function of a kprobe, the file of an uprobe; none for every other
	 * event. The attr holds 0 there: whoever opens it puts the address of a copy in.
	 */
	struct pmuq_str probe_text;
	struct pmuq_str probe_field; /**< the field: "kprobe_func", "uprobe_path", or none */
	struct pmuq_str group_name;  /**< the name of its group, "" if it has none */
	size_t leader;		     /**< the index of the group's leader */
	size_t n_members;	     /**< of the group, with the leader; 0: it is in no group */
	size_t n_tool_terms;	     /**< see pmuq_encoding_tool_term() */
	size_t n_warnings;	     /**< see pmuq_encoding_warning() */
	size_t n_assignments;	 /**< see pmuq_encoding_assignment(); 0 unless they were wanted */
	enum pmuq_origin origin; /**< where the meaning of its name came from */
	bool needs_cpu;		 /**< the PMU counts only per CPU (pid -1) */
	bool is_per_pkg;	 /**< the event has a file .per-pkg */
	bool is_snapshot;	 /**< the event has a file .snapshot */
};

/** A term or modifier that a sampling or counting tool applies (period, call-graph, …): it is not
 *  part of the attr. */
struct pmuq_tool_term {
	size_t size;
	struct pmuq_str name; /**< as it is written */
	struct pmuq_str text; /**< the value; a number in decimal */
	bool is_number;	      /**< that text is a number */
};
/** In the order of the event string. */
const struct pmuq_tool_term *pmuq_encoding_tool_term(const struct pmuq_encoding *encoding,
						     size_t index);
/** What is legal but surprising. */
const struct pmuq_error *pmuq_encoding_warning(const struct pmuq_encoding *encoding, size_t index);

/** Where a value in the attr came from. */
enum pmuq_cause {
	PMUQ_CAUSE_TEXT = 0,	/**< the event string, at the offset */
	PMUQ_CAUSE_EVENT = 1,	/**< the terms of a sysfs event, at the offset */
	PMUQ_CAUSE_PMU = 2,	/**< a file of the PMU */
	PMUQ_CAUSE_DEFAULT = 3, /**< nothing wrote it: such an event has it from the start */
	PMUQ_CAUSE_PRESET = 4,	/**< the tool that the preset stands for; the term is its name */
};
/** "text", "event", "pmu", "default", "preset". Static; NULL for a number that is none. */
const char *pmuq_cause_name(enum pmuq_cause cause);

/** Which term put which value where. */
struct pmuq_assignment {
	size_t size;
	/** "umask", "r1a", "u", "cycles", or the name of the PMU that gave the type. */
	struct pmuq_str term;
	/** The attr's field by the kernel's name; that of a breakpoint's address is "config1". */
	struct pmuq_str field;
	uint64_t mask;		/**< the bits of the field that it assigns */
	uint64_t value;		/**< what it put there, in place: within the mask */
	uint64_t number;	/**< the same before it was spread over the mask */
	struct pmuq_str format; /**< the text of the format ("config:0-7,32-35"), or none */
	/** The sysfs event whose term it is, also if the event string gave that term its value (a
	 *  parameter); or none. */
	struct pmuq_str event;
	struct pmuq_str
		origin; /**< that event's file, or the PMU's, relative to the root; or none */
	struct pmuq_str input; /**< what the offset points into: the event's terms; none: the
				*   event string */
	size_t offset;	       /**< where the term begins there, in bytes */
	size_t length;	       /**< of the term there, in bytes */
	enum pmuq_cause cause; /**< what the value came from */
	bool is_overridden;    /**< another one replaced its value: nothing of it is in the field */
};
/**
 * The assignments, with pmuq_encode_options.with_assignments; none without. The values of a field's
 * assignments that are not overridden, ORed, are the field; `size` alone has none. They are in the
 * order in which they were made: a later one may have replaced an earlier one.
 */
const struct pmuq_assignment *pmuq_encoding_assignment(const struct pmuq_encoding *encoding,
						       size_t index);

#ifdef __cplusplus
}
#endif
#endif
