/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Encodings: what an event string means on a machine: perf_event_attrs with names, CPUs and units,
 * and which term set which bits. One thread at a time.
 *
 * One string may have several encodings: of a list, a group, an event that several PMUs count
 * ("cycles" on a hybrid CPU, "uncore_imc/cas_count_read/"), or a pattern; and pmuq may add an event
 * that the kernel needs. Each encoding has the index and the location of the written event that it
 * comes from. pmuq_encodings_one() is for programs that want exactly one.
 *
 *     r = pmuq_source_encode(machine, text, NULL, &encodings, &error);
 *     if (r == 0)
 *             r = pmuq_encodings_one(encodings, &encoding, &error);
 */
#ifndef PMUQ_ENCODE_H
#define PMUQ_ENCODE_H

#include <pmuq/attr.h>

#ifdef __cplusplus
extern "C" {
#endif

struct pmuq_vendor_table;

/** The rules for a string. */
enum pmuq_dialect {
	PMUQ_DIALECT_PMUQ = 0, /**< like perf, but without its surprises (docs/grammar.md) */
	PMUQ_DIALECT_PERF = 1, /**< the attr of perf 7.2, except for size (docs/grammar.md) */
};

/** The source of an event's name; also bits of pmuq_encode_options.from. */
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
 * What a tool adds to the attrs of an event string. STAT and RECORD are for a command that the tool
 * starts: the events begin with its exec. In perf's dialect these are then, except for the size,
 * the attrs that perf 7.2 opens first for a command on a kernel that has every field, without the
 * events that perf opens for itself. SAMPLE is for tasks that run already, such as the calling one,
 * and for CPUs (samples.h). NONE is for counting with opened.h, which adds what it needs.
 *
 * STAT: disabled and enable_on_exec (on leaders), inherit, read_format TOTAL_TIME_ENABLED and
 * RUNNING (in a group also ID and GROUP), sample_type IDENTIFIER, no sample_period. Terms of
 * sampling are errors. A member that counts on other CPUs than its leader leaves the group.
 * RECORD: disabled, enable_on_exec likewise; inherit (unless no-inherit); read_format ID and LOST;
 * sample_type IP, TID, TIME (unless time=0), PERIOD (with a frequency), ID or IDENTIFIER (several
 * events); the period or frequency of period= or freq=, otherwise a period of 1 for tracepoints and
 * breakpoints and 4,000 Hz for all other events; for tracepoints also CPU and RAW; sample_id_all;
 * on the first event (with several core PMUs only if it is dummy, because perf adds a dummy
 * otherwise) mmap, mmap2, comm, comm_exec, task, ksymbol, bpf_event, build_id; and the fields for
 * call-graph=, stack-size=, max-stack=, branch_type=, overwrite=, aux-*= and the modifiers P and S.
 * SAMPLE: as RECORD, but nothing waits for an exec; not inherited unless the event has the term
 * inherit; always sample_type IDENTIFIER; no mmap, comm and task; read_format without LOST.
 * A term that the preset applies is not reported as a tool term.
 */
enum pmuq_preset {
	PMUQ_PRESET_NONE = 0,
	PMUQ_PRESET_STAT = 1,
	PMUQ_PRESET_RECORD = 2,
	PMUQ_PRESET_SAMPLE = 3,
};

/**
 * Whose events are counted, for events without a modifier u, k or h of their own or of their group:
 * USER as with :u, KERNEL as with :k, BOTH as with :uk (without the hypervisor). It applies to
 * events of the CPU, software events and breakpoints. Other PMUs do not know who causes an event,
 * and tracepoints and probes are in the kernel: their attrs do not change.
 */
enum pmuq_privilege {
	PMUQ_PRIVILEGE_ANY = 0, /**< everything, the hypervisor included */
	PMUQ_PRIVILEGE_USER = 1,
	PMUQ_PRIVILEGE_KERNEL = 2,
	PMUQ_PRIVILEGE_BOTH = 3,
};

/** How to encode a string. Zeroed except for its size: the defaults. */
struct pmuq_encode_options {
	size_t size;		   /**< sizeof(struct pmuq_encode_options) */
	enum pmuq_dialect dialect; /**< the rules for the string */
	unsigned from;	/**< bits of enum pmuq_origin: the allowed sources of names; 0: all */
	bool is_strict; /**< a warning is an error */
	/** Keep the order and the groups of the string, and add no event: without it, groups are
	 *  sorted and split as perf does, and a topdown metric gets its slots event. */
	bool is_as_written;
	bool with_assignments;	 /**< store which term set which bits */
	enum pmuq_preset preset; /**< what a tool adds */
	/**
	 * libpfm4, for its names (skx::EVENT, pfm:EVENT, and bare names without another meaning),
	 * in the pmuq dialect; NULL: not used. Not shared by threads.
	 */
	struct pmuq_pfm *pfm;
	/**
	 * The CPU's imported events; NULL: none. They take precedence over the machine's own events
	 * of the same name. Encodings point to its texts: it must outlive them. Any number of
	 * threads may share it.
	 */
	const struct pmuq_vendor *vendor;
	/**
	 * Memory for the result; NULL: the heap. With it, pmuq_catalog_encode() never calls
	 * malloc(), and the encodings, their warnings and an error live as long as this memory
	 * (freeing them does nothing). The message of an error or warning is then only the meaning
	 * of its code (pmuq_code_meaning()); encode again without memory for the whole diagnosis.
	 * If the result does not fit, the call returns -PMUQ_E_MEMORY. 4 KiB are enough for
	 * each encoding of usual events (a list, a group and an event of several PMUs have several
	 * encodings); with assignments, 8 KiB. Not together with pfm.
	 */
	void *memory;
	size_t memory_bytes;	       /**< of memory */
	enum pmuq_privilege privilege; /**< of events that name none */
	/** Encode also libpfm4's names of another CPU than the machine's, whose bits may mean
	 *  something else there; without it they are errors. */
	bool accepts_other_cpus;
	/** Of the preset STAT: the events are opened on CPUs and follow no task, as with
	 *  `perf stat -a`. Groups depend on it. */
	bool is_system_wide;
};

/**
 * Turn an event string (one event, a list, a group) into attrs.
 *
 * The result points to texts of the source or catalog: free it before them. The call opens no
 * event; pmuq_catalog_encode() also reads no file.
 *
 * @param text     e.g. "cpu/event=0x3c,umask=0x1/u"; not kept
 * @param options  NULL for the defaults
 * @param ret      free with pmuq_encodings_free()
 * @return 0, or a negative code: any code about event strings (docs/errors.md), -PMUQ_E_MEMORY;
 *         with a source also -PMUQ_E_STALE_SOURCE, -PMUQ_E_TOO_MANY_FILES
 */
int pmuq_source_encode(struct pmuq_source *source, const char *text,
		       const struct pmuq_encode_options *options, struct pmuq_encodings **ret,
		       struct pmuq_error **reterr);
/** The same from memory; safe to call from many threads on one catalog. */
int pmuq_catalog_encode(const struct pmuq_catalog *catalog, const char *text,
			const struct pmuq_encode_options *options, struct pmuq_encodings **ret,
			struct pmuq_error **reterr);
/**
 * Make an encoding of an attr that no event string made, to open it or to explain why the kernel
 * refuses it: its PMU and CPUs are those of the attr's type. The attr is not changed, and its
 * fields are not checked.
 *
 * @param attr  attr.size bytes (0: 64), which may be a struct perf_event_attr; not kept
 * @param ret   one encoding; free with pmuq_encodings_free()
 * @return 0, -PMUQ_E_BAD_CALL, -PMUQ_E_ATTR_SIZE (bytes after the known fields are not zero),
 *         -PMUQ_E_STALE_SOURCE, -PMUQ_E_TOO_MANY_FILES, -PMUQ_E_MEMORY
 */
int pmuq_source_encode_attr(struct pmuq_source *source, const struct pmuq_attr *attr,
			    struct pmuq_encodings **ret, struct pmuq_error **reterr);
void pmuq_encodings_free(struct pmuq_encodings *encodings);

/** A term with a number. The layout of this struct never changes. */
struct pmuq_term {
	const char *name; /**< a format of the PMU ("chip"), or a term of every PMU ("period") */
	uint64_t value;	  /**< of the term: 30 in "ldlat=30" */
};

/** An event in parts. Zeroed except for its size; `pmu`, `event` or both are set. */
struct pmuq_event_parts {
	size_t size;		       /**< sizeof(struct pmuq_event_parts) */
	const char *pmu;	       /**< as in an event string before the slash; NULL: none */
	const char *event;	       /**< the name of an event; NULL: the terms are the event */
	const struct pmuq_term *terms; /**< also the values of the event's parameters */
	size_t n_terms;
	const char *modifiers; /**< letters, "u"; NULL: none */
};

/**
 * Encode an event whose parts a program has, so that it need not write an event string: names are
 * quoted if they must be. The result, its names and its errors are those of the string
 * "PMU/EVENT,TERM=VALUE/MODIFIERS", which is on the heap even with options.memory.
 * pmuq_pmu_parameter() lists the parameters of an event.
 *
 * @param parts    not kept
 * @param options  NULL for the defaults
 * @param ret      free with pmuq_encodings_free()
 * @return as pmuq_source_encode(); -PMUQ_E_SYNTAX if no event string can contain a name
 */
int pmuq_source_encode_parts(struct pmuq_source *source, const struct pmuq_event_parts *parts,
			     const struct pmuq_encode_options *options, struct pmuq_encodings **ret,
			     struct pmuq_error **reterr);
/** The same from memory; safe to call from many threads on one catalog. */
int pmuq_catalog_encode_parts(const struct pmuq_catalog *catalog,
			      const struct pmuq_event_parts *parts,
			      const struct pmuq_encode_options *options,
			      struct pmuq_encodings **ret, struct pmuq_error **reterr);

/** The encodings, in perf's order; at least one. */
size_t pmuq_encodings_count(const struct pmuq_encodings *encodings);
const struct pmuq_encoding *pmuq_encodings_get(const struct pmuq_encodings *encodings,
					       size_t index);
/** Whether they are of the machine that this process runs on. Events of another machine are never
 *  opened here, because a type is only a number, and may be that of another PMU:
 *  -PMUQ_E_BAD_CALL. */
bool pmuq_encodings_are_live(const struct pmuq_encodings *encodings);

/**
 * The encoding of a string that has only one. Otherwise the error explains why there are several
 * ("the event stands for 6 PMUs: uncore_imc_[0-5]"), at the event concerned, and its hint is what
 * to write instead.
 *
 * @param ret  lives as long as the encodings
 * @return 0, -PMUQ_E_SEVERAL_ENCODINGS, -PMUQ_E_MEMORY
 */
int pmuq_encodings_one(const struct pmuq_encodings *encodings, const struct pmuq_encoding **ret,
		       struct pmuq_error **reterr);

/** The size of the longest name of pmuq_generic_name(), with its NUL. */
#define PMUQ_GENERIC_NAME_MAX 64
/**
 * The kernel's generic events by their usual names: hardware, then software, then cache events.
 *
 * @param ret  PMUQ_GENERIC_NAME_MAX bytes
 * @return false past the last
 */
bool pmuq_generic_name(size_t index, char *ret);

/** "format", "sysfs", "generic" … Static; NULL if the number is not an origin. */
const char *pmuq_origin_name(enum pmuq_origin origin);

/** One event to open. */
struct pmuq_encoding {
	size_t size;
	/** Its size is the smallest published size that contains every field that is set. */
	const struct pmuq_attr *attr;
	struct pmuq_str name; /**< as written, or the value of name= */
	struct pmuq_str pmu;  /**< the PMU that counts it, or none if no PMU has its type */
	struct pmuq_str cpus; /**< the CPUs to open it on, as a list (cpus.h) */
	struct pmuq_str unit; /**< the unit of its counts, or "" */
	/** The factor of a count, as exact decimal text; "1" by default. */
	struct pmuq_str scale;
	/**
	 * The function of a kprobe or the file of an uprobe, or none for other events. The kernel
	 * expects a pointer to this text in config1 (perf_event_open(2): kprobe_func, uprobe_path).
	 * config1 of the attr is 0: the program that opens it stores the pointer.
	 */
	struct pmuq_str probe_text;
	struct pmuq_str probe_field; /**< "kprobe_func", "uprobe_path", or none */
	struct pmuq_str group_name;  /**< the name of its group, or "" */
	/** The description of the event in the vendor's table, or "". */
	struct pmuq_str description;
	/** The vendor's table that has the event; NULL: none. */
	const struct pmuq_vendor_table *table;
	size_t event;	  /**< the index of its event in the string; members of groups count, too */
	size_t offset;	  /**< where that event begins in the string, in bytes */
	size_t length;	  /**< of that event, in bytes */
	size_t leader;	  /**< the index of the group's leader */
	size_t n_members; /**< of the group, with the leader; 0: not in a group */
	size_t n_tool_terms;	 /**< see pmuq_encoding_tool_term() */
	size_t n_warnings;	 /**< see pmuq_encoding_warning() */
	size_t n_assignments;	 /**< see pmuq_encoding_assignment(); 0 without that option */
	enum pmuq_origin origin; /**< the source of its name */
	bool needs_cpu;		 /**< the PMU counts only per CPU (pid -1) */
	bool is_per_pkg;	 /**< the event has a file .per-pkg */
	bool is_snapshot;	 /**< the event has a file .snapshot */
	/** pmuq added it: the slots event before a topdown metric. `event` is the metric then. */
	bool is_added;
	/** The complete name in libpfm4, with all umasks and modifiers (its fstr), if the name is
	 *  one of libpfm4; or none. */
	struct pmuq_str libpfm4_name;
};

/** A term that a sampling tool applies (call-graph, stack-size …); it is not part of the attr. */
struct pmuq_tool_term {
	size_t size;
	struct pmuq_str name; /**< as written */
	struct pmuq_str text; /**< the value; a number is decimal; driver-config: "a,b=c" */
	bool is_number;	      /**< the value is a number */
};
/** In the order of the event string. */
const struct pmuq_tool_term *pmuq_encoding_tool_term(const struct pmuq_encoding *encoding,
						     size_t index);
/** A warning: something legal but surprising. */
const struct pmuq_error *pmuq_encoding_warning(const struct pmuq_encoding *encoding, size_t index);

/** What caused an assignment. */
enum pmuq_cause {
	PMUQ_CAUSE_TEXT = 0,	/**< the event string, at the offset */
	PMUQ_CAUSE_EVENT = 1,	/**< the terms of a sysfs event, at the offset */
	PMUQ_CAUSE_PMU = 2,	/**< a file of the PMU */
	PMUQ_CAUSE_DEFAULT = 3, /**< a default of such events, or of the options */
	PMUQ_CAUSE_PRESET = 4,	/**< the preset; the term is the tool's name */
};
/** "text", "event", "pmu", "default", "preset". Static; NULL if the number is not a cause. */
const char *pmuq_cause_name(enum pmuq_cause cause);

/** Which term set which bits. */
struct pmuq_assignment {
	size_t size;
	/** "umask", "r1a", "u", "cycles", or the name of the PMU that determined the type. */
	struct pmuq_str term;
	/** The kernel's name of the attr's field; "config1" for the address of a breakpoint. */
	struct pmuq_str field;
	uint64_t mask;		/**< the bits of the field that it assigns */
	uint64_t value;		/**< their value, within the mask */
	uint64_t number;	/**< the value before it was spread over the mask */
	struct pmuq_str format; /**< the text of the format ("config:0-7,32-35"), or none */
	/** The sysfs event that contains the term, even if the event string set its value (a
	 *  parameter); or none. */
	struct pmuq_str event;
	struct pmuq_str
		origin; /**< the file of that event or of the PMU, relative to the root; or none */
	struct pmuq_str input; /**< what the offset points into: the event's terms, or none: the
				*   event string */
	size_t offset;	       /**< where the term begins there, in bytes */
	size_t length;	       /**< of the term, in bytes */
	enum pmuq_cause cause; /**< what caused it */
	bool is_overridden; /**< a later assignment replaced it: the field has none of its bits */
};
/**
 * The assignments in the order in which they were made, if pmuq_encode_options.with_assignments was
 * set. Every field except `size` is the OR of the values of its assignments that are not
 * overridden.
 */
const struct pmuq_assignment *pmuq_encoding_assignment(const struct pmuq_encoding *encoding,
						       size_t index);

#ifdef __cplusplus
}
#endif
#endif
