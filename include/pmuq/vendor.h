/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Vendors: the events of CPUs as their vendors publish them, in tables that are imported into a
 * store, found by CPU, searched by words. Any number of threads may use a table; everything else is
 * for one at a time.
 */
#ifndef PMUQ_VENDOR_H
#define PMUQ_VENDOR_H

#include <pmuq/catalog.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Import the events of a vendor's tables into the store, in one transaction: the tree that the
 * kernel has in tools/perf/pmu-events/arch (or one architecture of it), or Intel's perfmon
 * repository. An import of the same name is replaced.
 *
 * An event that cannot be encoded is left out, and is a problem of the import; everything else that
 * is wrong in the tree fails the call, and nothing is changed. No link leads out of the tree, and
 * only regular files of at most 16 MiB are read.
 *
 * @param dir     not kept
 * @param name    of the import; NULL: "perf" or "perfmon", as the tree is
 * @param time_s  now, in seconds since 1970; stored with it
 * @param ret     NULL, or the import as pmuq_store_list_vendors() returns it, alone
 * @return 0, -PMUQ_E_NO_VENDOR_TREE, -PMUQ_E_BAD_VENDOR_FILE, -PMUQ_E_REFUSED_VENDOR_FILE,
 *         -PMUQ_E_DUPLICATE_EVENT, -PMUQ_E_BAD_REGEX, -PMUQ_E_NO_LIBRARY (jansson),
 *         -PMUQ_E_STORE_WRITE, -PMUQ_E_STORE_BUSY, -PMUQ_E_STORE_CORRUPT, -PMUQ_E_BAD_CALL,
 *         -PMUQ_E_MEMORY
 */
int pmuq_store_import_vendor(struct pmuq_store *store, const char *dir, const char *name,
			     int64_t time_s, struct pmuq_vendors **ret, struct pmuq_error **reterr);
/**
 * Import all names that libpfm4 has into the store, in one transaction, so that they can be
 * searched; libpfm4 itself encodes them. A folder is a PMU of it, or a family of instances; an
 * event with umasks is an event for each of them. An import of the same name is replaced.
 *
 * @param name    of the import; NULL: "libpfm4"
 * @param time_s  now, in seconds since 1970; stored with it
 * @param ret     NULL, or the import as pmuq_store_list_vendors() returns it, alone
 * @return 0, -PMUQ_E_PFM_UNAVAILABLE, -PMUQ_E_PFM_FAILED, -PMUQ_E_STORE_WRITE,
 *         -PMUQ_E_STORE_BUSY, -PMUQ_E_STORE_CORRUPT, -PMUQ_E_BAD_CALL, -PMUQ_E_MEMORY
 */
int pmuq_store_import_pfm(struct pmuq_store *store, struct pmuq_pfm *pfm, const char *name,
			  int64_t time_s, struct pmuq_vendors **ret, struct pmuq_error **reterr);
/**
 * Remove an import, and what no other one has.
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

/** What was imported. */
struct pmuq_vendor_import {
	size_t size;
	struct pmuq_str name; /**< the name that it was imported with */
	/** The directory, as it was named when it was imported; the library's file and build id. */
	struct pmuq_str directory;
	struct pmuq_str layout; /**< "kernel", "perfmon" or "libpfm4" */
	int64_t time_s;		/**< when it was imported, seconds since 1970 */
	size_t n_folders;	/**< folders of models */
	size_t n_cpus;		/**< patterns of CPU IDs */
	size_t n_events;	/**< of all folders */
	size_t n_metrics;
	size_t n_problems; /**< events that were left out, ten thousand at most */
};
size_t pmuq_vendors_count(const struct pmuq_vendors *vendors);
const struct pmuq_vendor_import *pmuq_vendors_get(const struct pmuq_vendors *vendors, size_t index);
/** Why an event of an import was left out; the path begins at its directory. */
const struct pmuq_problem *pmuq_vendors_problem(const struct pmuq_vendors *vendors, size_t import,
						size_t index);

/**
 * The events of one CPU, from the last import that has them. Any number of threads may use it, and
 * it does not need the store afterwards.
 *
 * @param cpuid  the fact "cpuid": "GenuineIntel-6-55-4", an arm64 MIDR …
 * @param ret    free with pmuq_vendor_free()
 * @return 0, -PMUQ_E_NO_VENDOR_TABLE, -PMUQ_E_STORE_CORRUPT, -PMUQ_E_STORE_BUSY, -PMUQ_E_MEMORY
 */
int pmuq_store_open_vendor(struct pmuq_store *store, const char *cpuid, struct pmuq_vendor **ret,
			   struct pmuq_error **reterr);
void pmuq_vendor_free(struct pmuq_vendor *vendor);
/** The events of one CPU. */
struct pmuq_vendor_table {
	size_t size;
	struct pmuq_str cpuid;	 /**< the CPU that it was opened for */
	struct pmuq_str import;	 /**< the name of the import */
	struct pmuq_str folder;	 /**< "ARCH/FOLDER" */
	struct pmuq_str version; /**< the vendor's, "" if there is none */
	size_t n_events;
};
const struct pmuq_vendor_table *pmuq_vendor_content(const struct pmuq_vendor *vendor);

/** An event of a vendor's table. */
struct pmuq_vendor_event {
	size_t size;
	/** As an event of the machine: its name, in lower case, the terms, unit, scale … */
	const struct pmuq_event *event;
	/** What the tables call the PMU: "default_core" (every core PMU), "cpu_atom", "uncore_imc"
	 *  (every instance of it), "hisi_sccl,ddrc" … */
	struct pmuq_str pmu;
	struct pmuq_str topic;		  /**< "" if the table has none, as the next two */
	struct pmuq_str description;	  /**< one sentence */
	struct pmuq_str long_description; /**< all of it */
	/** What the PMU's file `identifier` must match as a whole (POSIX extended); "" for any. */
	struct pmuq_str compat;
	bool is_deprecated; /**< the vendor recommends another one */
};
/** By name, then by PMU. */
const struct pmuq_vendor_event *pmuq_vendor_get(const struct pmuq_vendor *vendor, size_t index);
/** The event that a name, in any case, means on a PMU of a machine; NULL if it is none. */
const struct pmuq_vendor_event *pmuq_vendor_find_event(const struct pmuq_vendor *vendor,
						       const struct pmuq_pmu *pmu,
						       const char *name);

/**
 * Search the events of all imported tables for words in their names and descriptions, best first:
 * those that have all words in their names (or their PMUs'), then those that have them anywhere,
 * also as the beginning of a longer one; if that finds nothing, those that have any. Events that
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

/** Where the words were found. */
enum pmuq_match {
	PMUQ_MATCH_NAME = 0, /**< all of them in the name, or the PMU's */
	PMUQ_MATCH_ALL = 1,  /**< all of them, in the name or the descriptions */
	PMUQ_MATCH_ANY = 2,  /**< some of them */
};

/** An event that was found. */
struct pmuq_found_event {
	size_t size;
	struct pmuq_str folders; /**< the folders that have it: "x86/cascadelakex, x86/skylakex" */
	struct pmuq_str pmu;	 /**< as the table has it */
	struct pmuq_str name;	 /**< likewise */
	struct pmuq_str terms;	 /**< none if the CPUs that have it differ; "" of libpfm4's names */
	struct pmuq_str topic;	 /**< "" if there is none, as the next two */
	struct pmuq_str description;	  /**< one sentence */
	struct pmuq_str long_description; /**< all of it */
	enum pmuq_match match;		  /**< where the words were found */
	bool is_libpfm4;    /**< a name of libpfm4: `pmu` and `name` with "::" between */
	bool is_deprecated; /**< the vendor recommends another one */
};
const struct pmuq_found_event *pmuq_found_get(const struct pmuq_found *found, size_t index);

#ifdef __cplusplus
}
#endif
#endif
