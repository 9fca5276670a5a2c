/* SPDX-License-Identifier: MIT */
/**
 * @file
 * libpmuq: what a Linux machine can count, and how to ask the kernel for it.
 *
 * Four steps, each of its own:
 *   a *source* is a machine to ask: this one, a captured sysfs tree, a snapshot from a store;
 *   a *catalog* is all that a source offers, read into memory, immutable;
 *   *encodings* are what an event string means there: perf_event_attrs with names, CPUs, units;
 *   *verdicts* are what the running kernel says when they are opened.
 *
 * Rules that hold throughout:
 *   - A function that can fail returns 0 or a negative number, `-enum pmuq_code`. Outputs (ret_…)
 *     are untouched on failure; reterr (may be NULL) is untouched on success, and on failure
 *     receives an error to be freed with pmuq_error_free().
 *   - Every `…_free(NULL)` is fine.
 *   - A pointer got by an accessor lives as long as the object it was asked of; strings are
 * NUL-terminated UTF-8 or whatever bytes the kernel wrote. Indexes beyond the end give NULL or 0.
 *   - No globals: the library prints nothing, exits never, reads no environment variable.
 *   - Threads: a catalog may be used by any number at once; every other object by one at a time.
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
struct pmuq_verdicts;
struct pmuq_store;
struct pmuq_hosts;

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
};

struct pmuq_encode_options {
	size_t size; /**< sizeof(struct pmuq_encode_options) */
	enum pmuq_dialect dialect;
	unsigned from;	/**< enum pmuq_origin values that names may come from; 0 means all */
	bool is_strict; /**< a warning is an error */
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

/** As written, or the value of name=. */
const char *pmuq_encoding_name(const struct pmuq_encoding *encoding);
/** The PMU that counts it; NULL when the machine has none of that type. */
const char *pmuq_encoding_pmu(const struct pmuq_encoding *encoding);
enum pmuq_origin pmuq_encoding_origin(const struct pmuq_encoding *encoding);
/** "format", "sysfs", "generic", … Static. */
const char *pmuq_origin_name(enum pmuq_origin origin);
/** The attr, attr->size bytes of it (the smallest published size that holds what is set). */
const struct pmuq_attr *pmuq_encoding_attr(const struct pmuq_encoding *encoding);
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

/* ---------------------------------------------------------------------------------- opening */

enum pmuq_open_status {
	PMUQ_OPENED = 0,
	PMUQ_REFUSED = 1,
	PMUQ_SKIPPED = 2, /**< not tried; the reason says why */
};

/**
 * Ask the running kernel: open each encoding (disabled, never enabled) and close it at once, per
 * task first, and on the CPUs of the PMU where it demands that.
 *
 * @param encodings  of a live source
 * @param ret        one verdict an encoding, free with pmuq_verdicts_free(); independent of
 * encodings
 * @return 0 (also when the kernel refuses), -PMUQ_E_MEMORY
 */
int pmuq_encodings_test_open(const struct pmuq_encodings *encodings, struct pmuq_verdicts **ret,
			     struct pmuq_error **reterr);
void pmuq_verdicts_free(struct pmuq_verdicts *verdicts);
size_t pmuq_verdicts_count(const struct pmuq_verdicts *verdicts);
enum pmuq_open_status pmuq_verdict_status(const struct pmuq_verdicts *verdicts, size_t index);
/** What it was opened on: pid 0 and cpu -1 for this task, pid -1 and a CPU list otherwise. */
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
/** "EINVAL" for 22. Static; "errno" for one without a name here. */
const char *pmuq_errno_name(int errnum);

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
	size_t size;	  /**< sizeof(struct pmuq_saved), set by the caller */
	int64_t snapshot; /**< its number in the store */
	bool is_new;	  /**< false: nothing had changed, and only the time was moved */
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

#ifdef __cplusplus
}
#endif
#endif
