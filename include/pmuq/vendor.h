/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Vendors: the events of CPUs as their makers publish them, in tables that are imported into a
 * store, looked up by CPU, searched by words. A table may be used by any number of threads,
 * everything else by one at a time.
 */
#ifndef PMUQ_VENDOR_H
#define PMUQ_VENDOR_H

#include <pmuq/types.h>

#ifdef __cplusplus
extern "C" {
#endif

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
 * Take all names that libpfm4 knows into the store, in one transaction, so that they can be
 * searched; they are encoded by libpfm4 itself. A folder is a PMU of it, or a family of boxes; an
 * event with umasks is an event for each of them. An import of the same name is replaced.
 *
 * @param name    of the import; NULL: "libpfm4"
 * @param time_s  now, in seconds since 1970; kept with it
 * @param ret     NULL, or the import as pmuq_store_list_vendors() tells it, alone
 * @return 0, -PMUQ_E_PFM_UNAVAILABLE, -PMUQ_E_PFM_FAILED, -PMUQ_E_STORE_WRITE,
 *         -PMUQ_E_STORE_BUSY, -PMUQ_E_STORE_CORRUPT, -PMUQ_E_BAD_CALL, -PMUQ_E_MEMORY
 */
int pmuq_store_import_pfm(struct pmuq_store *store, struct pmuq_pfm *pfm, const char *name,
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
/** The name that it was imported under. */
const char *pmuq_vendors_name(const struct pmuq_vendors *vendors, size_t index);
/** The directory, as it was named when it was imported; the library's file and build id. */
const char *pmuq_vendors_directory(const struct pmuq_vendors *vendors, size_t index);
/** "kernel", "perfmon" or "libpfm4". Static. */
const char *pmuq_vendors_layout(const struct pmuq_vendors *vendors, size_t index);
/** When it was imported, seconds since 1970. */
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
const struct pmuq_vendor_event *pmuq_vendor_get(const struct pmuq_vendor *vendor, size_t index);
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
 * those that have all words in their names (or their PMUs'), then those that have them anywhere,
 * also as the beginning of a longer one; where that finds nothing, those that have any. Events that
 * CPUs describe alike are one. Of words that more than a thousand events have, the events with the
 * shortest names are ranked.
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
/** Its PMU, as the table has it, and its name. */
const char *pmuq_found_pmu(const struct pmuq_found *found, size_t index);
const char *pmuq_found_name(const struct pmuq_found *found, size_t index);
/** How the words were found there. */
enum pmuq_match {
	PMUQ_MATCH_NAME = 0, /**< all of them in the name, or the PMU's */
	PMUQ_MATCH_ALL = 1,  /**< all of them, in the name or what is said of it */
	PMUQ_MATCH_ANY = 2,  /**< some of them */
};
enum pmuq_match pmuq_found_match(const struct pmuq_found *found, size_t index);
/** A name of libpfm4: pmuq_found_pmu() and pmuq_found_name() with "::" between. */
bool pmuq_found_is_libpfm4(const struct pmuq_found *found, size_t index);
/** NULL where the CPUs that have it differ; "" of libpfm4's names. */
const char *pmuq_found_terms(const struct pmuq_found *found, size_t index);
/** "" where there is none. */
const char *pmuq_found_topic(const struct pmuq_found *found, size_t index);
const char *pmuq_found_description(const struct pmuq_found *found, size_t index);
const char *pmuq_found_long_description(const struct pmuq_found *found, size_t index);
/** Whether the vendor would rather have another one used. */
bool pmuq_found_is_deprecated(const struct pmuq_found *found, size_t index);

#ifdef __cplusplus
}
#endif
#endif
