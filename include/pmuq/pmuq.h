/* SPDX-License-Identifier: MIT */
/**
 * @file
 * libpmuq: what a Linux machine can count, and how to ask the kernel for it.
 *
 * Four steps, each of its own:
 *   a *source* is a machine to ask: this one, a captured sysfs tree, a snapshot from a store;
 *   a *catalog* is all that a source offers, read into memory, immutable;
 *   *encodings* are what an event string means there: perf_event_attrs with names, CPUs, units;
 *   *verdicts* are what the running kernel says when they are opened, *counts* what comes of it;
 *   a *check* is the same of every event of the machine, to be kept with it.
 *
 * Rules that hold throughout:
 *   - A function that can fail returns 0 or a negative number, `-enum pmuq_code`. Outputs (ret_…)
 *     are untouched on failure; reterr (may be NULL) is untouched on success, and on failure
 *     receives an error to be freed with pmuq_error_free().
 *   - Every `…_free(NULL)` is fine.
 *   - A pointer got by an accessor lives as long as the object it was asked of; strings are
 * NUL-terminated UTF-8 or whatever bytes the kernel wrote. Indexes beyond the end give NULL or 0.
 *   - No globals: the library prints nothing, exits never, reads no environment variable.
 *   - Threads: a catalog and a vendor's table may be used by any number at once; every other object
 *     by one at a time.
 *
 * Until 1.0 the symbols carry the node PMUQ_0, which may change.
 */
#ifndef PMUQ_H
#define PMUQ_H

#include <pmuq/attr.h>
#include <pmuq/codes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct pmuq_error;
struct pmuq_source;
struct pmuq_catalog;
struct pmuq_pmu;
struct pmuq_format;
struct pmuq_event;
struct pmuq_encodings;
struct pmuq_encoding;
struct pmuq_assignment;
struct pmuq_verdicts;
struct pmuq_counts;
struct pmuq_decoding;
struct pmuq_check;
struct pmuq_answer;
struct pmuq_store;
struct pmuq_hosts;
struct pmuq_vendor;
struct pmuq_vendor_event;
struct pmuq_vendors;
struct pmuq_found;
struct pmuq_pfm;
struct pmuq_pfm_answers;
struct pmuq_pfm_answer;
struct pmuq_pfm_code;
struct pmuq_pfm_pmus;
struct pmuq_pfm_pmu;
struct pmuq_pfm_events;
struct pmuq_pfm_event;

/** The version of the library that runs, "MAJOR.MINOR.PATCH". Static. */
const char *pmuq_version(void);

/**
 * How this library was built and what it found, a line each: "name: value". Optional libraries are
 * looked for now (and stay loaded).
 *
 * @return text to be freed with free(), NULL when out of memory
 */
char *pmuq_build_info(void);

/* ------------------------------------------------------------------------------------ errors */

/** The code, stable for ever. */
enum pmuq_code pmuq_error_code(const struct pmuq_error *error);
/** "unknown-term". Static. */
const char *pmuq_error_name(const struct pmuq_error *error);
/** One sentence without a full stop. */
const char *pmuq_error_message(const struct pmuq_error *error);
/** What to do about it, or NULL. */
const char *pmuq_error_hint(const struct pmuq_error *error);
/** The text that the offset points into (the event string, or an alias's), or NULL. */
const char *pmuq_error_input(const struct pmuq_error *error);
/** Where in the input: bytes from its start, and how many (may be 0: just before that byte). */
size_t pmuq_error_offset(const struct pmuq_error *error);
size_t pmuq_error_length(const struct pmuq_error *error);
/** The file, directory or database that it is about, or NULL. */
const char *pmuq_error_origin(const struct pmuq_error *error);
/** The errno behind it, or 0. */
int pmuq_error_errno(const struct pmuq_error *error);
/**
 * The whole diagnosis with the caret under the spot, lines separated by newlines, none at the end.
 *
 * @return text to be freed with free(), NULL when out of memory
 */
char *pmuq_error_format(const struct pmuq_error *error);
void pmuq_error_free(struct pmuq_error *error);

/** Facts about a code, for help texts. Static; NULL for a number that is no code. */
const char *pmuq_code_name(unsigned code);
const char *pmuq_code_meaning(unsigned code);
const char *pmuq_code_example(unsigned code);
const char *pmuq_code_remedy(unsigned code);
/** The n-th code in ascending order; 0 beyond the last. */
unsigned pmuq_code_at(size_t index);

/* ----------------------------------------------------------------------------------- sources */

/**
 * This machine, read as questions come.
 *
 * @return 0, -PMUQ_E_NO_ROOT, -PMUQ_E_MEMORY
 */
int pmuq_source_open_live(struct pmuq_source **ret, struct pmuq_error **reterr);

/**
 * A captured tree: a directory that holds sys/ and perhaps proc/. Nothing outside it is read, no
 * symbolic link leads out of it, and only regular files are opened.
 *
 * @param dir  not kept
 * @return 0, -PMUQ_E_NO_ROOT, -PMUQ_E_MEMORY
 */
int pmuq_source_open_tree(const char *dir, struct pmuq_source **ret, struct pmuq_error **reterr);

/** Whether the source is this machine, so that its encodings can be opened here. */
bool pmuq_source_is_live(const struct pmuq_source *source);

/**
 * One PMU in full, by its name or alias: all that a catalog would hold of it.
 *
 * @param ret  lives as long as the source
 * @return 0, -PMUQ_E_UNKNOWN_PMU, -PMUQ_E_NO_ROOT, -PMUQ_E_MEMORY
 */
int pmuq_source_find_pmu(struct pmuq_source *source, const char *name, const struct pmuq_pmu **ret,
			 struct pmuq_error **reterr);

/**
 * A fact about the host, as a catalog has it ("cpuid").
 *
 * @return text that lives as long as the source; NULL when it does not tell it
 */
const char *pmuq_source_find_fact(struct pmuq_source *source, const char *name);

/** How many files and directories the source has opened so far. */
uint64_t pmuq_source_opens(const struct pmuq_source *source);

void pmuq_source_free(struct pmuq_source *source);

/* ---------------------------------------------------------------------------------- catalogs */

/**
 * Read all that the source offers. The catalog does not need the source afterwards.
 * What could not be read or understood does not fail the call: it is a problem of the catalog.
 *
 * @return 0, -PMUQ_E_NO_ROOT, -PMUQ_E_MEMORY
 */
int pmuq_source_read_catalog(struct pmuq_source *source, struct pmuq_catalog **ret,
			     struct pmuq_error **reterr);
void pmuq_catalog_free(struct pmuq_catalog *catalog);

/**
 * Facts about the host, in a fixed order: hostname, kernel, arch, cpuid, cpus_present, cpus_online,
 * perf_event_paranoid, perf_event_max_sample_rate, perf_event_mlock_kb, perf_event_max_stack,
 * nmi_watchdog, boot_id, machine_id (a hash, never the raw one), extended_type ("yes", "no",
 * "assumed"), hypervisor. Those that the source does not tell are absent.
 */
size_t pmuq_catalog_fact_count(const struct pmuq_catalog *catalog);
const char *pmuq_catalog_fact_name(const struct pmuq_catalog *catalog, size_t index);
const char *pmuq_catalog_fact_text(const struct pmuq_catalog *catalog, size_t index);
/** The text of a fact by name, or NULL. */
const char *pmuq_catalog_find_fact(const struct pmuq_catalog *catalog, const char *name);

/** Whether it was read from this machine, so that its events can be opened here. */
bool pmuq_catalog_is_live(const struct pmuq_catalog *catalog);

/** PMUs: core PMUs first, then by name without its number, then by number. */
size_t pmuq_catalog_pmu_count(const struct pmuq_catalog *catalog);
const struct pmuq_pmu *pmuq_catalog_pmu(const struct pmuq_catalog *catalog, size_t index);
/** By name or by the content of its `alias` file; NULL when there is none. Case matters. */
const struct pmuq_pmu *pmuq_catalog_find_pmu(const struct pmuq_catalog *catalog, const char *name);

/** What could not be read or understood, and why. */
size_t pmuq_catalog_problem_count(const struct pmuq_catalog *catalog);
/** The file, relative to the root ("sys/bus/event_source/devices/cpu/format/event"). */
const char *pmuq_catalog_problem_path(const struct pmuq_catalog *catalog, size_t index);
const char *pmuq_catalog_problem_message(const struct pmuq_catalog *catalog, size_t index);
enum pmuq_code pmuq_catalog_problem_code(const struct pmuq_catalog *catalog, size_t index);

/** The directory's name under /sys/bus/event_source/devices. */
const char *pmuq_pmu_name(const struct pmuq_pmu *pmu);
/** The content of `alias`, a second name; NULL when there is none. */
const char *pmuq_pmu_alias(const struct pmuq_pmu *pmu);
/** perf_event_attr.type; false when the machine does not tell it. */
bool pmuq_pmu_type(const struct pmuq_pmu *pmu, uint32_t *ret);
/** The CPUs to open events on, as a list ("0,8"): cpumask, else cpus, else all that are online. */
const char *pmuq_pmu_cpus(const struct pmuq_pmu *pmu);
/** The content of `cpumask`, NULL when there is no such file. */
const char *pmuq_pmu_cpumask(const struct pmuq_pmu *pmu);
/** Whether it counts what the CPU cores do (named "cpu", or has a `cpus` file). */
bool pmuq_pmu_is_core(const struct pmuq_pmu *pmu);
/** Whether events open per CPU only (has a `cpumask` file and is no core PMU). */
bool pmuq_pmu_is_uncore(const struct pmuq_pmu *pmu);
/** An opaque number, the same for PMUs of one catalog with the same formats, events and caps. */
uint64_t pmuq_pmu_kind(const struct pmuq_pmu *pmu);

/** Plain files of the PMU's directory that have no place of their own above, by name. */
size_t pmuq_pmu_attribute_count(const struct pmuq_pmu *pmu);
const char *pmuq_pmu_attribute_name(const struct pmuq_pmu *pmu, size_t index);
const char *pmuq_pmu_attribute_text(const struct pmuq_pmu *pmu, size_t index);

/** caps/, by name. */
size_t pmuq_pmu_cap_count(const struct pmuq_pmu *pmu);
const char *pmuq_pmu_cap_name(const struct pmuq_pmu *pmu, size_t index);
const char *pmuq_pmu_cap_text(const struct pmuq_pmu *pmu, size_t index);

/** format/, by name. */
size_t pmuq_pmu_format_count(const struct pmuq_pmu *pmu);
const struct pmuq_format *pmuq_pmu_format(const struct pmuq_pmu *pmu, size_t index);
const char *pmuq_format_name(const struct pmuq_format *format);
/** As the kernel wrote it: "config1:0-7,32-35". */
const char *pmuq_format_text(const struct pmuq_format *format);
/** 0 for config, 1 for config1 … 4 for config4; -1 when the text names no word that pmuq knows. */
int pmuq_format_word(const struct pmuq_format *format);
/** The bits of that word that it takes; 0 when the text could not be understood. */
uint64_t pmuq_format_mask(const struct pmuq_format *format);

/** events/, by name; the companions (.unit, .scale, .per-pkg, .snapshot) belong to their event. */
size_t pmuq_pmu_event_count(const struct pmuq_pmu *pmu);
const struct pmuq_event *pmuq_pmu_event(const struct pmuq_pmu *pmu, size_t index);
const char *pmuq_event_name(const struct pmuq_event *event);
/** The terms: "event=0xcd,umask=0x1,ldlat=3". */
const char *pmuq_event_terms(const struct pmuq_event *event);
/** "" when there is none. */
const char *pmuq_event_unit(const struct pmuq_event *event);
/** The exact decimal text to multiply a count by; "1" when there is none. */
const char *pmuq_event_scale(const struct pmuq_event *event);
bool pmuq_event_is_per_pkg(const struct pmuq_event *event);
bool pmuq_event_is_snapshot(const struct pmuq_event *event);

/* -------------------------------------------------------------------------------- encodings */

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

struct pmuq_encode_options {
	size_t size; /**< sizeof(struct pmuq_encode_options) */
	enum pmuq_dialect dialect;
	unsigned from;	/**< enum pmuq_origin values that names may come from; 0 means all */
	bool is_strict; /**< a warning is an error */
	enum pmuq_preset preset;
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
	bool with_assignments; /**< keep on each encoding which term put which value where */
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
 * @return 0, or minus the code of the error: any that schemas/messages.toml lists as of an event
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
const char *pmuq_encoding_unit(const struct pmuq_encoding *encoding);
const char *pmuq_encoding_scale(const struct pmuq_encoding *encoding);
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

/* ------------------------------------------------------------------------------- assignments */

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

/* --------------------------------------------------------------------------------- decoding */

/**
 * Read an attr from text: the bytes of the struct in hex ("04000000 40000000 …", of any published
 * size, of either byte order), or its fields by the kernel's names ("type=4 config=0x800002
 * exclude_kernel=1", behind blanks or commas). Needs no machine.
 *
 * @param ret  with the size that the text says, else the smallest published one that holds the rest
 * @return 0, -PMUQ_E_BAD_ATTR, -PMUQ_E_BAD_HEX, -PMUQ_E_ATTR_SIZE, -PMUQ_E_UNKNOWN_FIELD,
 *         -PMUQ_E_FIELD_RANGE, -PMUQ_E_REPEATED_FIELD, -PMUQ_E_MEMORY; with a span of the text
 */
int pmuq_attr_parse(const char *text, struct pmuq_attr *ret, struct pmuq_error **reterr);

struct pmuq_decode_options {
	size_t size; /**< sizeof(struct pmuq_decode_options) */
	enum pmuq_dialect dialect;
	unsigned from; /**< enum pmuq_origin values that names may be taken from; 0 means all */
	/** What config1 of a kprobe or uprobe would point to (pmuq_encoding_probe_text()); NULL:
	 *  unknown. Not kept. */
	const char *probe_text;
	/**
	 * The CPU's imported events, whose names stand behind the machine's own and before all that
	 * is spelt out; NULL: none. Encode the string with the same ones. Not kept.
	 */
	const struct pmuq_vendor *vendor;
	/**
	 * Who is asked for a name of libpfm4 where nothing else has a name for the attr, in the
	 * pmuq dialect; NULL: nobody. Of a CPU that libpfm4 is not known to have, none is offered.
	 * Not shared by threads.
	 */
	struct pmuq_pfm *pfm;
};

/**
 * Turn an attr into the event string that a person would have written for it on this machine.
 * Encoding that string (in the same dialect, from the same sources of names) has been tried: it
 * gives the attr again, but for the fields that are reported as left.
 *
 * @param attr     any; all of it is looked at, whatever its size says
 * @param options  NULL for the defaults
 * @param ret      free with pmuq_decoding_free(); needs neither source nor catalog afterwards
 * @return 0, -PMUQ_E_BAD_CALL, -PMUQ_E_STALE_SOURCE, -PMUQ_E_MEMORY; with options.pfm also
 *         -PMUQ_E_PFM_UNAVAILABLE, -PMUQ_E_PFM_FAILED
 */
int pmuq_source_decode(struct pmuq_source *source, const struct pmuq_attr *attr,
		       const struct pmuq_decode_options *options, struct pmuq_decoding **ret,
		       struct pmuq_error **reterr);
/** The same from memory; safe to call from many threads on one catalog. */
int pmuq_catalog_decode(const struct pmuq_catalog *catalog, const struct pmuq_attr *attr,
			const struct pmuq_decode_options *options, struct pmuq_decoding **ret,
			struct pmuq_error **reterr);
void pmuq_decoding_free(struct pmuq_decoding *decoding);

/** The event string. */
const char *pmuq_decoding_text(const struct pmuq_decoding *decoding);
/** The PMU that counts it; NULL when the machine has none of that type. */
const char *pmuq_decoding_pmu(const struct pmuq_decoding *decoding);
enum pmuq_origin pmuq_decoding_origin(const struct pmuq_decoding *decoding);
/** Whether the string says the event whole, so that what is left is a tool's business. */
bool pmuq_decoding_is_exact(const struct pmuq_decoding *decoding);
/** Fields of the attr that the string does not say, with the attr's values: what a tool sets
 *  (inherit, read_format, sample_period …), and where the string is not exact, the event's own. */
size_t pmuq_decoding_left_count(const struct pmuq_decoding *decoding);
/** As the kernel calls it. Static. */
const char *pmuq_decoding_left_name(const struct pmuq_decoding *decoding, size_t index);
uint64_t pmuq_decoding_left_value(const struct pmuq_decoding *decoding, size_t index);
/** Whether it is a word, to be shown in hex. */
enum pmuq_field_kind pmuq_decoding_left_kind(const struct pmuq_decoding *decoding, size_t index);
/** Whether it is a part of the event itself; no string can say it, then. */
bool pmuq_decoding_left_is_event(const struct pmuq_decoding *decoding, size_t index);
/** Other strings that give the same attr, the likeliest first, not all there may be. */
size_t pmuq_decoding_reading_count(const struct pmuq_decoding *decoding);
const char *pmuq_decoding_reading(const struct pmuq_decoding *decoding, size_t index);

/* ---------------------------------------------------------------------------------- opening */

enum pmuq_open_status {
	PMUQ_OPENED = 0,
	PMUQ_REFUSED = 1,
	PMUQ_SKIPPED = 2, /**< not tried; the reason says why */
};

/** What to open for. Zeroed but for its size, or NULL in its place: this task. */
struct pmuq_open_options {
	size_t size; /**< sizeof(struct pmuq_open_options) */
	int pid;     /**< a process or thread; 0: this one, or with `cpus` everything on them */
	/** A list, "0-3,8"; NULL: any, or those that the PMU counts on. CPUs of other PMUs are left
	 *  out where there is a choice. */
	const char *cpus;
	/** NULL, or a cgroup, on each of its CPUs: as /proc/PID/cgroup has it, or the path of its
	 *  directory. Not together with pid. */
	const char *cgroup;
	unsigned work_ms; /**< to measure: how long each event counts; 0: 100 */
	bool wants_page;  /**< to measure: map each event's page, see pmuq_count_page() */
};

/**
 * Ask the running kernel: open each encoding (disabled, never enabled) and close it at once, per
 * task first, and on the CPUs of the PMU where it demands that.
 *
 * @param encodings  of a live source
 * @param options    NULL for the defaults
 * @param ret        one verdict an encoding, free with pmuq_verdicts_free(); independent of
 * encodings
 * @return 0 (also when the kernel refuses), -PMUQ_E_BAD_CPUS, -PMUQ_E_NO_CGROUP, -PMUQ_E_BAD_CALL,
 * -PMUQ_E_MEMORY
 */
int pmuq_encodings_test_open(const struct pmuq_encodings *encodings,
			     const struct pmuq_open_options *options, struct pmuq_verdicts **ret,
			     struct pmuq_error **reterr);
void pmuq_verdicts_free(struct pmuq_verdicts *verdicts);
size_t pmuq_verdicts_count(const struct pmuq_verdicts *verdicts);
enum pmuq_open_status pmuq_verdict_status(const struct pmuq_verdicts *verdicts, size_t index);
/** What it was opened on: 0 for this task, the process that was named, or -1 for all on its CPUs,
 *  be it of a cgroup only. */
int pmuq_verdict_pid(const struct pmuq_verdicts *verdicts, size_t index);
/** "-1" for any CPU, or the list of CPUs it was opened on. */
const char *pmuq_verdict_cpus(const struct pmuq_verdicts *verdicts, size_t index);
/** The errno of a refusal, else 0. */
int pmuq_verdict_errno(const struct pmuq_verdicts *verdicts, size_t index);
/** Why it was refused or skipped, one sentence; NULL when opened. */
const char *pmuq_verdict_reason(const struct pmuq_verdicts *verdicts, size_t index);
/** What to do about it, or NULL. An opened event has one, too, where it opened in another way than
 *  asked: only per CPU, or outside its group. */
const char *pmuq_verdict_hint(const struct pmuq_verdicts *verdicts, size_t index);
/** The smallest change that opens, as tried ("without :u"), or NULL. */
const char *pmuq_verdict_change(const struct pmuq_verdicts *verdicts, size_t index);
/** The reason's name, stable for ever, for programs to switch on ("paranoid-kernel"); NULL when not
 *  refused. Static. */
const char *pmuq_verdict_name(const struct pmuq_verdicts *verdicts, size_t index);
/** The steps that the change is made of, by name ("user-only"): none, one or two. Static. */
size_t pmuq_verdict_step_count(const struct pmuq_verdicts *verdicts, size_t index);
const char *pmuq_verdict_step(const struct pmuq_verdicts *verdicts, size_t index, size_t step);
/** The attr that opened after the change, or NULL; 0 where a text goes, as encodings have it. */
const struct pmuq_attr *pmuq_verdict_changed_attr(const struct pmuq_verdicts *verdicts,
						  size_t index);

/** How many descriptors it takes to keep all events open at once, and how many there may be. */
struct pmuq_budget {
	size_t size;	     /**< sizeof(struct pmuq_budget), set by the caller */
	uint64_t needed;     /**< one for each event on each of its CPUs */
	uint64_t in_use;     /**< by this process, now */
	uint64_t limit;	     /**< RLIMIT_NOFILE; UINT64_MAX: none */
	uint64_t hard_limit; /**< what it may be raised to without privilege */
};

/**
 * Work out, before anything is opened, what opening will take. Nothing is opened.
 *
 * @param encodings  NULL: the options are checked, and nothing is needed
 * @return 0, -PMUQ_E_BAD_CPUS, -PMUQ_E_NO_CGROUP, -PMUQ_E_BAD_CALL, -PMUQ_E_MEMORY
 */
int pmuq_encodings_budget(const struct pmuq_encodings *encodings,
			  const struct pmuq_open_options *options, struct pmuq_budget *ret,
			  struct pmuq_error **reterr);
/** Whether what is needed and what is in use stay within the limit. */
bool pmuq_budget_fits(const struct pmuq_budget *budget);
/** One sentence about it, with what to do if it does not fit; to be freed with free(), or NULL. */
char *pmuq_budget_text(const struct pmuq_budget *budget);

/** "EINVAL" for 22. Static; "errno" for one without a name here. */
const char *pmuq_errno_name(int errnum);

/* --------------------------------------------------------------------------------- measuring */

enum pmuq_counting {
	PMUQ_COUNTED = 0,
	PMUQ_MULTIPLEXED = 1,	  /**< for a part of the time only; `scaled` makes up for it */
	PMUQ_ALWAYS_ZERO = 2,	  /**< it was on a counter, and nothing came of it */
	PMUQ_NEVER_SCHEDULED = 3, /**< it opens, but no counter was free for it all the while */
	PMUQ_TARGET_IDLE = 4,	  /**< what is counted did not run at all */
	PMUQ_NOT_COUNTED = 5,	  /**< not opened, or not readable: the errno says why */
};

/**
 * Ask whether events count: open each (a group as a whole), enable it, do some work (or, for
 * another process or a cgroup, wait), read, close. One after another, so that they are in nobody's
 * way; a group that does not fit is opened member by member, and split into parts that do fit.
 *
 * The work runs in this thread, on the CPUs of the event, and takes options.work_ms for each event
 * or group.
 *
 * @param encodings  of a live source
 * @param options    NULL for the defaults
 * @param ret        one count an encoding, free with pmuq_counts_free(); independent of encodings
 * @return 0 (also when nothing counts), -PMUQ_E_BAD_CPUS, -PMUQ_E_NO_CGROUP, -PMUQ_E_BAD_CALL,
 * -PMUQ_E_MEMORY
 */
int pmuq_encodings_measure(const struct pmuq_encodings *encodings,
			   const struct pmuq_open_options *options, struct pmuq_counts **ret,
			   struct pmuq_error **reterr);
void pmuq_counts_free(struct pmuq_counts *counts);
size_t pmuq_counts_count(const struct pmuq_counts *counts);
enum pmuq_counting pmuq_count_status(const struct pmuq_counts *counts, size_t index);
/** "counted", "multiplexed", "always-zero", … Static. */
const char *pmuq_counting_name(enum pmuq_counting status);
/** What stood in the way of counting, or 0. */
int pmuq_count_errno(const struct pmuq_counts *counts, size_t index);

/** Sums over the CPUs. */
struct pmuq_reading {
	size_t size; /**< sizeof(struct pmuq_reading), set by the caller */
	uint64_t value;
	uint64_t time_enabled_ns, time_running_ns;
	uint64_t scaled; /**< the value as it would be, had it run all the time */
};

/** False when it was not counted. */
bool pmuq_count_reading(const struct pmuq_counts *counts, size_t index, struct pmuq_reading *ret);

/**
 * About the group of an encoding.
 *
 * @param ret_parts    how many groups its members can be opened in; 1: as it is; 0: in none
 * @param ret_breaker  the first member that did not fit; SIZE_MAX when all do
 * @return false when it is in no group
 */
bool pmuq_counts_group(const struct pmuq_counts *counts, size_t index, size_t *ret_parts,
		       size_t *ret_breaker);
/** The part that it fits into, from 0, as tried; SIZE_MAX when in none. */
size_t pmuq_count_part(const struct pmuq_counts *counts, size_t index);

/** What the page that the kernel maps for an event says (perf_event_mmap_page) while it counts. */
struct pmuq_page {
	size_t size;				 /**< sizeof(struct pmuq_page), set by the caller */
	int errnum;				 /**< why it could not be mapped, else 0 */
	bool has_rdpmc, has_time, has_time_zero; /**< cap_user_… */
	uint32_t index;				 /**< of the counter, from 1; 0: on none */
	uint16_t width_bits;
	bool is_read; /**< the counter was read in user space, and gave the next three */
	uint64_t value, time_enabled_ns, time_running_ns;
};

/** False when it was not asked for (wants_page), or the event was not opened. */
bool pmuq_count_page(const struct pmuq_counts *counts, size_t index, struct pmuq_page *ret);
/** Why the page was not mapped, or the counter not read in user space; NULL when it was. Static. */
const char *pmuq_count_page_reason(const struct pmuq_counts *counts, size_t index);

/* ---------------------------------------------------------------------------------- checking */

/**
 * Begin to ask the running kernel for every event of every PMU of this machine, also those of boxes
 * that are alike, and for the generic events that its PMUs count. Nothing is opened yet:
 *
 *     while (pmuq_check_count(check) < pmuq_check_total(check) && !stopped)
 *             pmuq_check_next(check, &error);
 *
 * A check that was stopped knows of the events that it got to.
 *
 * @param catalog  of a live source; must outlive the last call of pmuq_check_next()
 * @param time_s   now, in seconds since 1970; kept with it
 * @param ret      free with pmuq_check_free()
 * @return 0, -PMUQ_E_BAD_CALL (not live), -PMUQ_E_MEMORY
 */
int pmuq_check_begin(const struct pmuq_catalog *catalog, int64_t time_s, struct pmuq_check **ret,
		     struct pmuq_error **reterr);
/** What will be opened next, as an event string; NULL when all is done. */
const char *pmuq_check_upcoming(const struct pmuq_check *check);
/**
 * Ask for the next event, as pmuq_encodings_test_open() does: it is opened disabled, and closed at
 * once. One that cannot be encoded, since it wants a parameter, is skipped. When all is done,
 * nothing happens.
 *
 * @return 0 (also when the kernel refuses), -PMUQ_E_MEMORY
 */
int pmuq_check_next(struct pmuq_check *check, struct pmuq_error **reterr);
void pmuq_check_free(struct pmuq_check *check);

/** How many events were asked for, and how many there are. */
size_t pmuq_check_count(const struct pmuq_check *check);
size_t pmuq_check_total(const struct pmuq_check *check);
/** When it was made, seconds since 1970; and the kernel that was asked, or NULL. */
int64_t pmuq_check_time_s(const struct pmuq_check *check);
const char *pmuq_check_kernel(const struct pmuq_check *check);
/** The answers: the events of the PMUs in the catalog's order, then generic ones. */
const struct pmuq_answer *pmuq_check_get(const struct pmuq_check *check, size_t index);
/** The answer about an event of a PMU, or a generic event that it counts, by its usual name; NULL
 *  when there is none. */
const struct pmuq_answer *pmuq_check_find(const struct pmuq_check *check, const char *pmu,
					  const char *event);

const char *pmuq_answer_pmu(const struct pmuq_answer *answer);
const char *pmuq_answer_event(const struct pmuq_answer *answer);
/** The event string that was opened: "PMU/EVENT/", or the name of a generic event. */
const char *pmuq_answer_string(const struct pmuq_answer *answer);
enum pmuq_open_status pmuq_answer_status(const struct pmuq_answer *answer);
/** As of a verdict: the CPUs it was opened on ("-1": any, for a task), the errno, the reason's
 *  name, the reason, what to do, the smallest change that opens. */
const char *pmuq_answer_cpus(const struct pmuq_answer *answer);
int pmuq_answer_errno(const struct pmuq_answer *answer);
const char *pmuq_answer_name(const struct pmuq_answer *answer);
const char *pmuq_answer_reason(const struct pmuq_answer *answer);
const char *pmuq_answer_hint(const struct pmuq_answer *answer);
const char *pmuq_answer_change(const struct pmuq_answer *answer);

/** What is known of a stored machine: its last check, or NULL. It changes no other answer. */
const struct pmuq_check *pmuq_catalog_check(const struct pmuq_catalog *catalog);

/* ------------------------------------------------------------------------------------- store */

enum pmuq_store_mode {
	PMUQ_STORE_READ = 0,   /**< must exist; nothing is written */
	PMUQ_STORE_WRITE = 1,  /**< must exist */
	PMUQ_STORE_CREATE = 2, /**< made, with its directory, where it does not exist */
};

/**
 * Open a database of snapshots (SQLite).
 *
 * @return 0, -PMUQ_E_NO_LIBRARY, -PMUQ_E_STORE_OPEN, -PMUQ_E_STORE_FOREIGN (not pmuq's),
 *         -PMUQ_E_STORE_NEWER, -PMUQ_E_STORE_CORRUPT, -PMUQ_E_STORE_BUSY, -PMUQ_E_MEMORY
 */
int pmuq_store_open(const char *path, enum pmuq_store_mode mode, struct pmuq_store **ret,
		    struct pmuq_error **reterr);
void pmuq_store_free(struct pmuq_store *store);

struct pmuq_saved {
	size_t size;	    /**< sizeof(struct pmuq_saved), set by the caller */
	int64_t snapshot;   /**< its number in the store */
	bool is_new;	    /**< false: nothing had changed, and only the time was moved */
	bool has_old_check; /**< the check was stopped early, and a whole one was there: it stays */
};

/**
 * Keep a catalog as a snapshot of a host, in one transaction.
 *
 * @param name    the host's name in the store; NULL takes the catalog's hostname
 * @param time_s  seconds since 1970
 * @return 0, -PMUQ_E_NO_NAME, -PMUQ_E_STORE_WRITE, -PMUQ_E_STORE_BUSY, -PMUQ_E_STORE_CORRUPT,
 * -PMUQ_E_MEMORY
 */
int pmuq_store_save(struct pmuq_store *store, const struct pmuq_catalog *catalog, const char *name,
		    int64_t time_s, struct pmuq_saved *ret, struct pmuq_error **reterr);

/**
 * The same, with what a check of that machine found. pmuq_store_save() keeps the check that the
 * catalog has, if any; a machine that has not changed keeps the one that it had.
 *
 * @param check  NULL: as pmuq_store_save()
 * @return as pmuq_store_save(), and -PMUQ_E_BAD_CALL for a check of another machine or kernel
 */
int pmuq_store_save_checked(struct pmuq_store *store, const struct pmuq_catalog *catalog,
			    const struct pmuq_check *check, const char *name, int64_t time_s,
			    struct pmuq_saved *ret, struct pmuq_error **reterr);

/**
 * The last check of this very machine, as it is in the catalog, under whatever name it was saved.
 *
 * @param ret  free with pmuq_check_free(); NULL when there is none
 * @return 0, -PMUQ_E_STORE_CORRUPT, -PMUQ_E_STORE_BUSY, -PMUQ_E_MEMORY
 */
int pmuq_store_find_check(struct pmuq_store *store, const struct pmuq_catalog *catalog,
			  struct pmuq_check **ret, struct pmuq_error **reterr);

/**
 * A stored machine as a source. It does not need the store afterwards.
 *
 * @param name      a host's name
 * @param snapshot  its number, or 0 for the newest
 * @return 0, -PMUQ_E_UNKNOWN_HOST, -PMUQ_E_UNKNOWN_SNAPSHOT, -PMUQ_E_STORE_CORRUPT, -PMUQ_E_MEMORY
 */
int pmuq_store_open_host(struct pmuq_store *store, const char *name, int64_t snapshot,
			 struct pmuq_source **ret, struct pmuq_error **reterr);

/**
 * What the store holds: hosts by name, and of each its snapshots, oldest first.
 *
 * @param ret  free with pmuq_hosts_free(); it does not need the store afterwards
 * @return 0, -PMUQ_E_STORE_CORRUPT, -PMUQ_E_STORE_BUSY, -PMUQ_E_MEMORY
 */
int pmuq_store_list_hosts(struct pmuq_store *store, struct pmuq_hosts **ret,
			  struct pmuq_error **reterr);
void pmuq_hosts_free(struct pmuq_hosts *hosts);
size_t pmuq_hosts_count(const struct pmuq_hosts *hosts);
const char *pmuq_hosts_name(const struct pmuq_hosts *hosts, size_t host);
/** How many snapshots the host has: one at least. */
size_t pmuq_hosts_snapshot_count(const struct pmuq_hosts *hosts, size_t host);
/** The snapshot's number in the store. */
int64_t pmuq_hosts_snapshot_number(const struct pmuq_hosts *hosts, size_t host, size_t snapshot);
/** When the machine was first and last found like this, seconds since 1970. */
int64_t pmuq_hosts_first_seen(const struct pmuq_hosts *hosts, size_t host, size_t snapshot);
int64_t pmuq_hosts_last_seen(const struct pmuq_hosts *hosts, size_t host, size_t snapshot);
/** The fact "kernel", or NULL. */
const char *pmuq_hosts_kernel(const struct pmuq_hosts *hosts, size_t host, size_t snapshot);

/* ------------------------------------------------------------------------------------ libpfm4 */

struct pmuq_pfm_options {
	size_t size;	     /**< sizeof(struct pmuq_pfm_options) */
	const char *helper;  /**< the path of pmuq-pfm; NULL: where it was installed, or beside */
	unsigned timeout_ms; /**< how long an answer may take; 0: 10,000 */
};

/**
 * libpfm4's names, asked of a helper process that knows the library: it is started when something
 * is first asked, kept for more, and started again should it be asked after it had failed. Nothing
 * is started here.
 *
 * A process that was started is waited for in pmuq_pfm_free() or when it fails: no signal reaches
 * the caller but a SIGCHLD. It inherits no descriptor and no environment.
 *
 * @param options  NULL for the defaults
 * @param ret      free with pmuq_pfm_free()
 * @return 0, -PMUQ_E_BAD_CALL, -PMUQ_E_MEMORY
 */
int pmuq_pfm_open(const struct pmuq_pfm_options *options, struct pmuq_pfm **ret,
		  struct pmuq_error **reterr);
void pmuq_pfm_free(struct pmuq_pfm *pfm);

/**
 * Which libpfm4 answers: the name of its file ("libpfm.so.4.13.0"; its own version number does not
 * tell releases apart), and its build id in hex, "" when it has none. Both live as long as pfm.
 *
 * @return 0, -PMUQ_E_PFM_UNAVAILABLE, -PMUQ_E_PFM_FAILED, -PMUQ_E_MEMORY
 */
int pmuq_pfm_library(struct pmuq_pfm *pfm, const char **ret_file, const char **ret_build_id,
		     struct pmuq_error **reterr);

/**
 * Encode names of libpfm4: "skx::MEM_LOAD_RETIRED:L3_MISS:u", "skx_unc_imc0::UNC_M_CAS_COUNT:RD",
 * "skx_unc_imc::…" for all boxes, also those that libpfm4 has not; "MEM_LOAD_RETIRED:L3_MISS" for
 * the PMUs of a CPU. What is wrong with one is its own answer's error. A name has at most 1,024
 * bytes and 24 umasks and modifiers.
 *
 * @param cpuid  the fact of that name, for names without a PMU ("GenuineIntel-6-55-4"), or NULL
 * @param ret    one answer a name, in their order; free with pmuq_pfm_answers_free()
 * @return 0, -PMUQ_E_PFM_UNAVAILABLE, -PMUQ_E_PFM_FAILED, -PMUQ_E_MEMORY
 */
int pmuq_pfm_encode(struct pmuq_pfm *pfm, const char *cpuid, const char *const *names, size_t n,
		    struct pmuq_pfm_answers **ret, struct pmuq_error **reterr);
void pmuq_pfm_answers_free(struct pmuq_pfm_answers *answers);
size_t pmuq_pfm_answers_count(const struct pmuq_pfm_answers *answers);
const struct pmuq_pfm_answer *pmuq_pfm_answers_get(const struct pmuq_pfm_answers *answers,
						   size_t index);

/**
 * What is wrong with the name, with its place there; NULL when nothing is. Lives with the answers.
 * PMUQ_E_PFM_BAD_NAME, …_NO_CPU, …_UNKNOWN_PMU, …_UNKNOWN_EVENT, …_UNKNOWN_ATTRIBUTE,
 * …_MISSING_UMASK, …_BAD_VALUE, …_CONFLICT
 */
const struct pmuq_error *pmuq_pfm_answer_error(const struct pmuq_pfm_answer *answer);

/** libpfm4's modifiers that are no bits of a config word; what each means is the asker's to do. */
enum pmuq_pfm_modifier {
	PMUQ_PFM_U = 0,	      /**< u: count in user mode; 0 or 1, as for all but the last four */
	PMUQ_PFM_K = 1,	      /**< k: in the kernel */
	PMUQ_PFM_H = 2,	      /**< h: in the hypervisor */
	PMUQ_PFM_MG = 3,      /**< mg: in guests */
	PMUQ_PFM_MH = 4,      /**< mh: in the host */
	PMUQ_PFM_EXCL = 5,    /**< excl: alone on the PMU */
	PMUQ_PFM_PINNED = 6,  /**< pinned */
	PMUQ_PFM_HW_SMPL = 7, /**< hw_smpl: sampled by hardware; no field of the attr */
	PMUQ_PFM_PRECISE = 8, /**< precise=0 … 3 */
	PMUQ_PFM_FREQ = 9,    /**< freq= */
	PMUQ_PFM_PERIOD = 10, /**< period= */
	PMUQ_PFM_CPU = 11,    /**< cpu=: where to open it */
	PMUQ_PFM_MODIFIERS = 12,
};

/** Whether the name has that modifier, the last should it be there more than once. */
bool pmuq_pfm_answer_modifier(const struct pmuq_pfm_answer *answer, enum pmuq_pfm_modifier modifier,
			      uint64_t *ret);

/** One a kind of PMU that counts it: on hybrid machines there may be two. None with an error. */
size_t pmuq_pfm_answer_code_count(const struct pmuq_pfm_answer *answer);
const struct pmuq_pfm_code *pmuq_pfm_answer_code(const struct pmuq_pfm_answer *answer,
						 size_t index);

/** Which of a machine's PMUs are meant; pmuq_pfm_code_sysfs() is their name. */
enum pmuq_pfm_place {
	PMUQ_PFM_CORE = 0, /**< the core PMU: "cpu", or a hybrid machine's "cpu_core", "cpu_atom" */
	PMUQ_PFM_BOX = 1,  /**< the PMU of that name: "uncore_imc_0" */
	PMUQ_PFM_BOXES = 2,   /**< of that name, or all boxes of it: "uncore_imc", "power" */
	PMUQ_PFM_GENERIC = 3, /**< the kernel's own event: pmuq_pfm_code_type() is attr.type */
};
enum pmuq_pfm_place pmuq_pfm_code_place(const struct pmuq_pfm_code *code);
const char *pmuq_pfm_code_sysfs(const struct pmuq_pfm_code *code);
/** 0, 1 or 3 where the place is PMUQ_PFM_GENERIC. The machine has the type of every other PMU. */
uint32_t pmuq_pfm_code_type(const struct pmuq_pfm_code *code);
/** The bits as terms, "config=0x20d1,config1=0x3"; words that are 0 are left out, but config. */
const char *pmuq_pfm_code_terms(const struct pmuq_pfm_code *code);
/** The same as numbers: word 0 is config, 1 and 2 config1 and config2; 0 beyond. */
uint64_t pmuq_pfm_code_config(const struct pmuq_pfm_code *code, size_t word);
/** libpfm4's name of the PMU ("skx", "skx_unc_imc" for all boxes), and of the event. */
const char *pmuq_pfm_code_pmu(const struct pmuq_pfm_code *code);
const char *pmuq_pfm_code_event(const struct pmuq_pfm_code *code);
/** The whole name as libpfm4 has it, with all umasks and modifiers, defaults too. */
const char *pmuq_pfm_code_canonical(const struct pmuq_pfm_code *code);

/**
 * Whether a CPU has a PMU (or a family of boxes) of libpfm4; also true for a CPU of which that is
 * not known.
 *
 * @param pmu    as pmuq_pfm_code_pmu() has it
 * @param cpuid  "GenuineIntel-6-55-4"
 */
bool pmuq_pfm_is_of_cpu(const char *pmu, const char *cpuid);

enum pmuq_pfm_pmu_kind {
	PMUQ_PFM_PMU_CORE = 0,
	PMUQ_PFM_PMU_UNCORE = 1,
	PMUQ_PFM_PMU_GENERIC = 2, /**< names for the kernel's own events, on any machine */
};

/**
 * All PMUs that libpfm4 has tables of, in its order. They do not need pfm afterwards.
 *
 * @return 0, -PMUQ_E_PFM_UNAVAILABLE, -PMUQ_E_PFM_FAILED, -PMUQ_E_MEMORY
 */
int pmuq_pfm_list_pmus(struct pmuq_pfm *pfm, struct pmuq_pfm_pmus **ret,
		       struct pmuq_error **reterr);
void pmuq_pfm_pmus_free(struct pmuq_pfm_pmus *pmus);
size_t pmuq_pfm_pmus_count(const struct pmuq_pfm_pmus *pmus);
const struct pmuq_pfm_pmu *pmuq_pfm_pmus_get(const struct pmuq_pfm_pmus *pmus, size_t index);
const char *pmuq_pfm_pmu_name(const struct pmuq_pfm_pmu *pmu);
const char *pmuq_pfm_pmu_description(const struct pmuq_pfm_pmu *pmu);
/** The PMU's name in sysfs; "" for generic ones. */
const char *pmuq_pfm_pmu_sysfs(const struct pmuq_pfm_pmu *pmu);
/** "skx_unc_imc" of the box skx_unc_imc3; "" of a PMU that is no box. */
const char *pmuq_pfm_pmu_family(const struct pmuq_pfm_pmu *pmu);
/** The number of the box; 0 of a PMU that is none. */
uint32_t pmuq_pfm_pmu_instance(const struct pmuq_pfm_pmu *pmu);
enum pmuq_pfm_pmu_kind pmuq_pfm_pmu_kind(const struct pmuq_pfm_pmu *pmu);
/** Whether libpfm4 takes it for one of the CPU that the helper runs on; boxes are all that it
 * knows. */
bool pmuq_pfm_pmu_is_present(const struct pmuq_pfm_pmu *pmu);
size_t pmuq_pfm_pmu_event_count(const struct pmuq_pfm_pmu *pmu);

enum pmuq_pfm_attribute_kind {
	PMUQ_PFM_UMASK = 0,  /**< a word alone */
	PMUQ_PFM_FLAG = 1,   /**< y, n, 1, 0, or a word alone */
	PMUQ_PFM_NUMBER = 2, /**< word=number */
};

/**
 * The events of a PMU of libpfm4, or of a family of boxes, in its order. They do not need pfm
 * afterwards.
 *
 * @param with_attributes  umasks and modifiers too, which takes longer
 * @return 0, -PMUQ_E_PFM_UNKNOWN_PMU, -PMUQ_E_PFM_UNAVAILABLE, -PMUQ_E_PFM_FAILED, -PMUQ_E_MEMORY
 */
int pmuq_pfm_list_events(struct pmuq_pfm *pfm, const char *pmu, bool with_attributes,
			 struct pmuq_pfm_events **ret, struct pmuq_error **reterr);
void pmuq_pfm_events_free(struct pmuq_pfm_events *events);
size_t pmuq_pfm_events_count(const struct pmuq_pfm_events *events);
const struct pmuq_pfm_event *pmuq_pfm_events_get(const struct pmuq_pfm_events *events,
						 size_t index);
const char *pmuq_pfm_event_name(const struct pmuq_pfm_event *event);
const char *pmuq_pfm_event_description(const struct pmuq_pfm_event *event);
/** What it is another name of, "" for most. */
const char *pmuq_pfm_event_same_as(const struct pmuq_pfm_event *event);
/** 0 unless they were asked for. */
size_t pmuq_pfm_event_attribute_count(const struct pmuq_pfm_event *event);
const char *pmuq_pfm_attribute_name(const struct pmuq_pfm_event *event, size_t index);
const char *pmuq_pfm_attribute_description(const struct pmuq_pfm_event *event, size_t index);
const char *pmuq_pfm_attribute_same_as(const struct pmuq_pfm_event *event, size_t index);
enum pmuq_pfm_attribute_kind pmuq_pfm_attribute_kind(const struct pmuq_pfm_event *event,
						     size_t index);
/** Whether a umask is taken when none is named. */
bool pmuq_pfm_attribute_is_default(const struct pmuq_pfm_event *event, size_t index);

/* ---------------------------------------------------------------------- vendors' event tables */

/**
 * Take the events of a vendor's tables into the store, in one transaction: the tree that the kernel
 * keeps in tools/perf/pmu-events/arch (or one architecture of it), or Intel's perfmon repository.
 * An import of the same name is replaced.
 *
 * An event that cannot be encoded is left out, and is a problem of the import; everything else that
 * is wrong in the tree fails the call, and nothing is changed. No link leads out of the tree, and
 * only regular files of at most 16 MiB are read.
 *
 * @param dir     not kept
 * @param name    of the import; NULL: "perf" or "perfmon", as the tree is
 * @param time_s  now, in seconds since 1970; kept with it
 * @param ret     NULL, or the import as pmuq_store_list_vendors() tells it, alone
 * @return 0, -PMUQ_E_NO_VENDOR_TREE, -PMUQ_E_BAD_VENDOR_FILE, -PMUQ_E_REFUSED_VENDOR_FILE,
 *         -PMUQ_E_DUPLICATE_EVENT, -PMUQ_E_BAD_REGEX, -PMUQ_E_NO_LIBRARY (jansson),
 *         -PMUQ_E_STORE_WRITE, -PMUQ_E_STORE_BUSY, -PMUQ_E_STORE_CORRUPT, -PMUQ_E_BAD_CALL,
 *         -PMUQ_E_MEMORY
 */
int pmuq_store_import_vendor(struct pmuq_store *store, const char *dir, const char *name,
			     int64_t time_s, struct pmuq_vendors **ret, struct pmuq_error **reterr);
/**
 * Drop an import, and what no other one has.
 *
 * @return 0, -PMUQ_E_UNKNOWN_VENDOR, -PMUQ_E_STORE_WRITE, -PMUQ_E_STORE_BUSY,
 *         -PMUQ_E_STORE_CORRUPT, -PMUQ_E_BAD_CALL, -PMUQ_E_MEMORY
 */
int pmuq_store_remove_vendor(struct pmuq_store *store, const char *name,
			     struct pmuq_error **reterr);

/**
 * What was imported, by name.
 *
 * @param ret  free with pmuq_vendors_free(); it does not need the store afterwards
 * @return 0, -PMUQ_E_STORE_CORRUPT, -PMUQ_E_STORE_BUSY, -PMUQ_E_MEMORY
 */
int pmuq_store_list_vendors(struct pmuq_store *store, struct pmuq_vendors **ret,
			    struct pmuq_error **reterr);
void pmuq_vendors_free(struct pmuq_vendors *vendors);
size_t pmuq_vendors_count(const struct pmuq_vendors *vendors);
const char *pmuq_vendors_name(const struct pmuq_vendors *vendors, size_t index);
/** The directory, as it was named when it was imported. */
const char *pmuq_vendors_directory(const struct pmuq_vendors *vendors, size_t index);
/** "kernel" or "perfmon". Static. */
const char *pmuq_vendors_layout(const struct pmuq_vendors *vendors, size_t index);
int64_t pmuq_vendors_time_s(const struct pmuq_vendors *vendors, size_t index);
/** Folders of models; patterns of CPU IDs; events and metrics of all folders. */
size_t pmuq_vendors_folder_count(const struct pmuq_vendors *vendors, size_t index);
size_t pmuq_vendors_cpu_count(const struct pmuq_vendors *vendors, size_t index);
size_t pmuq_vendors_event_count(const struct pmuq_vendors *vendors, size_t index);
size_t pmuq_vendors_metric_count(const struct pmuq_vendors *vendors, size_t index);
/** Events that were left out (ten thousand at most are told): the file, from the directory, the
 *  line, and why. */
size_t pmuq_vendors_problem_count(const struct pmuq_vendors *vendors, size_t index);
const char *pmuq_vendors_problem_path(const struct pmuq_vendors *vendors, size_t index,
				      size_t problem);
size_t pmuq_vendors_problem_line(const struct pmuq_vendors *vendors, size_t index, size_t problem);
const char *pmuq_vendors_problem_message(const struct pmuq_vendors *vendors, size_t index,
					 size_t problem);
enum pmuq_code pmuq_vendors_problem_code(const struct pmuq_vendors *vendors, size_t index,
					 size_t problem);

/**
 * The events of one CPU, from the import that came last of those that know it. It may be used by
 * any number of threads, and does not need the store afterwards.
 *
 * @param cpuid  as the fact "cpuid" tells it: "GenuineIntel-6-55-4", an arm64 MIDR …
 * @param ret    free with pmuq_vendor_free()
 * @return 0, -PMUQ_E_NO_VENDOR_TABLE, -PMUQ_E_STORE_CORRUPT, -PMUQ_E_STORE_BUSY, -PMUQ_E_MEMORY
 */
int pmuq_store_open_vendor(struct pmuq_store *store, const char *cpuid, struct pmuq_vendor **ret,
			   struct pmuq_error **reterr);
void pmuq_vendor_free(struct pmuq_vendor *vendor);
/** What it was opened for, and where it was found: the import, "ARCH/FOLDER", the version that the
 *  vendor gives ("" when none). */
const char *pmuq_vendor_cpuid(const struct pmuq_vendor *vendor);
const char *pmuq_vendor_import(const struct pmuq_vendor *vendor);
const char *pmuq_vendor_folder(const struct pmuq_vendor *vendor);
const char *pmuq_vendor_version(const struct pmuq_vendor *vendor);
/** By name, then by PMU. */
size_t pmuq_vendor_event_count(const struct pmuq_vendor *vendor);
const struct pmuq_vendor_event *pmuq_vendor_event(const struct pmuq_vendor *vendor, size_t index);
/** The event that a name, in any case, means on a PMU of a machine; NULL when it is none. */
const struct pmuq_vendor_event *pmuq_vendor_find_event(const struct pmuq_vendor *vendor,
						       const struct pmuq_pmu *pmu,
						       const char *name);
/** In lower case. */
const char *pmuq_vendor_event_name(const struct pmuq_vendor_event *event);
/** What the tables call the PMU: "default_core" (every core PMU), "cpu_atom", "uncore_imc" (every
 *  box of them), "hisi_sccl,ddrc" … */
const char *pmuq_vendor_event_pmu(const struct pmuq_vendor_event *event);
/** As a file in events/ has them: "event=0xd1,period=50021,umask=0x20". */
const char *pmuq_vendor_event_terms(const struct pmuq_vendor_event *event);
/** As of an event of the machine. */
const char *pmuq_vendor_event_unit(const struct pmuq_vendor_event *event);
const char *pmuq_vendor_event_scale(const struct pmuq_vendor_event *event);
bool pmuq_vendor_event_is_per_pkg(const struct pmuq_vendor_event *event);
/** The vendor would rather that another one is used. */
bool pmuq_vendor_event_is_deprecated(const struct pmuq_vendor_event *event);
/** "" where the table says nothing. */
const char *pmuq_vendor_event_topic(const struct pmuq_vendor_event *event);
const char *pmuq_vendor_event_description(const struct pmuq_vendor_event *event);
const char *pmuq_vendor_event_long_description(const struct pmuq_vendor_event *event);
/** What the PMU's file `identifier` must match as a whole (POSIX extended); "" for any. */
const char *pmuq_vendor_event_compat(const struct pmuq_vendor_event *event);

/**
 * Look for events of all imported tables by words in their names and descriptions, best first:
 * those that have all words in their names, then those that have them anywhere, also as the
 * beginning of a longer one; where that finds nothing, those that have any. Events that CPUs
 * describe alike are one.
 *
 * @param limit  how many to find at most, 1 to 10000
 * @param ret    free with pmuq_found_free(); it does not need the store afterwards
 * @return 0 (also when nothing is found), -PMUQ_E_NO_SEARCH, -PMUQ_E_BAD_CALL,
 *         -PMUQ_E_STORE_CORRUPT, -PMUQ_E_STORE_BUSY, -PMUQ_E_MEMORY
 */
int pmuq_store_search(struct pmuq_store *store, const char *words, size_t limit,
		      struct pmuq_found **ret, struct pmuq_error **reterr);
void pmuq_found_free(struct pmuq_found *found);
size_t pmuq_found_count(const struct pmuq_found *found);
/** Where it stands: "x86/cascadelakex, x86/skylakex". */
const char *pmuq_found_folders(const struct pmuq_found *found, size_t index);
const char *pmuq_found_pmu(const struct pmuq_found *found, size_t index);
const char *pmuq_found_name(const struct pmuq_found *found, size_t index);
/** NULL where the CPUs that have it differ. */
const char *pmuq_found_terms(const struct pmuq_found *found, size_t index);
/** "" where there is none. */
const char *pmuq_found_topic(const struct pmuq_found *found, size_t index);
const char *pmuq_found_description(const struct pmuq_found *found, size_t index);
const char *pmuq_found_long_description(const struct pmuq_found *found, size_t index);
bool pmuq_found_is_deprecated(const struct pmuq_found *found, size_t index);

#ifdef __cplusplus
}
#endif
#endif
