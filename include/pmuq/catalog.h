/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Catalogs: all that a machine offers, in memory, immutable; any number of threads may use one.
 * PMUs, their formats, events and caps are parts of it, and live as long.
 */
#ifndef PMUQ_CATALOG_H
#define PMUQ_CATALOG_H

#include <pmuq/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Read all that the source offers. The catalog does not need the source afterwards.
 * What could not be read or understood does not fail the call: it is a problem of the catalog.
 *
 * @return 0, -PMUQ_E_STALE_SOURCE (sysfs is gone), -PMUQ_E_TOO_MANY_FILES, -PMUQ_E_MEMORY
 */
int pmuq_source_read_catalog(struct pmuq_source *source, struct pmuq_catalog **ret,
			     struct pmuq_error **reterr);
void pmuq_catalog_free(struct pmuq_catalog *catalog);

/**
 * Facts about the host, in a fixed order: hostname, kernel, arch, cpuid, cpus_present, cpus_online,
 * perf_event_paranoid, perf_event_max_sample_rate, perf_event_mlock_kb, perf_event_max_stack,
 * nmi_watchdog, boot_id, machine_id (a hash, never the raw one), extended_type ("yes", "no",
 * "assumed"), hypervisor, incomplete (the source of a machine that is known from a recording alone:
 * "perf.data").
 * Those that the source does not tell are absent.
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
/** What is wrong with it, and the code of that. */
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
/** Its name, that of the file. */
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
/** Its name, that of the file. */
const char *pmuq_event_name(const struct pmuq_event *event);
/** The terms: "event=0xcd,umask=0x1,ldlat=3". */
const char *pmuq_event_terms(const struct pmuq_event *event);
/** "" when there is none. */
const char *pmuq_event_unit(const struct pmuq_event *event);
/** The exact decimal text to multiply a count by; "1" when there is none. */
const char *pmuq_event_scale(const struct pmuq_event *event);
/** Whether there is a file .per-pkg, or .snapshot, for it. */
bool pmuq_event_is_per_pkg(const struct pmuq_event *event);
bool pmuq_event_is_snapshot(const struct pmuq_event *event);

/** What the content of a file is. */
enum pmuq_file_content {
	PMUQ_FILE_TEXT = 0,
	PMUQ_FILE_NUMBER = 1, /**< decimal, or hexadecimal after "0x" */
	PMUQ_FILE_CPUS = 2,   /**< a list of CPUs: "0-3,8" */
};

/** A file of a PMU's directory whose meaning pmuq knows. */
struct pmuq_pmu_file {
	size_t size;	       /**< sizeof(struct pmuq_pmu_file) of the library */
	struct pmuq_str path;  /**< from the PMU's directory: "rdpmc", "caps/max_precise" */
	struct pmuq_str title; /**< a short heading: "RDPMC" */
	struct pmuq_str help;  /**< what the file contains, in a line */
	struct pmuq_str unit;  /**< of a number: "ms"; "" if it has none */
	enum pmuq_file_content content; /**< what a reader may expect in it */
};

/**
 * The files that pmuq knows, in a fixed order: from 0 on, until it returns NULL. Static. No PMU has
 * all of them, and most PMUs have files besides.
 */
const struct pmuq_pmu_file *pmuq_pmu_file_at(size_t index);
/**
 * The content of a plain file in the PMU's directory or in its caps/, known or not, by its path
 * ("cpumask", "caps/max_precise"); NULL if the PMU has no such file. Not of `type`, which is a
 * number: pmuq_pmu_type().
 */
const char *pmuq_pmu_file_text(const struct pmuq_pmu *pmu, const char *path);

#ifdef __cplusplus
}
#endif
#endif
