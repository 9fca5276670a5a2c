/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Vendors: tables of CPU events that vendors publish. A program imports them into a store, opens
 * the table of a CPU, and searches them by words. Any number of threads may use a table that is not
 * lazy; only one thread at a time may use any other object.
 */
#ifndef PMUQ_VENDOR_H
#define PMUQ_VENDOR_H

#include <pmuq/catalog.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Import a vendor's tables into the store, in one transaction: the directory
 * tools/perf/pmu-events/arch of the kernel's source (or one architecture of it), Intel's perfmon
 * repository, or Arm's telemetry-solution. The import replaces an import with the same name.
 *
 * An event that cannot be encoded, or a metric that cannot be expressed, is skipped and becomes a
 * problem of the import. Any other mistake
 * in the directory fails the call, and the store is unchanged. pmuq follows no link out of the
 * directory, and reads only regular files of at most 16 MiB.
 *
 * @param dir     not kept
 * @param name    of the import; NULL: "perf", "perfmon" or "telemetry", depending on the tree
 * @param time_s  now, in seconds since 1970; stored with it
 * @param ret     NULL, or the import as pmuq_store_list_vendors() returns it, alone; does not need
 *                the store
 * @return 0, -PMUQ_E_NO_VENDOR_TREE, -PMUQ_E_BAD_VENDOR_FILE, -PMUQ_E_REFUSED_VENDOR_FILE,
 *         -PMUQ_E_DUPLICATE_EVENT, -PMUQ_E_BAD_REGEX,
 *         -PMUQ_E_STORE_WRITE, -PMUQ_E_STORE_BUSY, -PMUQ_E_STORE_CORRUPT, -PMUQ_E_BAD_CALL,
 *         -PMUQ_E_MEMORY
 */
int pmuq_store_import_vendor(struct pmuq_store *store, const char *dir, const char *name,
			     int64_t time_s, struct pmuq_vendors **ret, struct pmuq_error **reterr);
/**
 * Import all names of libpfm4 into the store, in one transaction, so that a search finds them;
 * libpfm4 itself encodes them. A folder is a PMU of libpfm4 or a family of instances. An event with
 * umasks becomes one event for each umask. The import replaces an import with the same name.
 *
 * @param name    of the import; NULL: "libpfm4"
 * @param time_s  now, in seconds since 1970; stored with it
 * @param ret     NULL, or the import as pmuq_store_list_vendors() returns it, alone; does not need
 *                the store
 * @return 0, -PMUQ_E_PFM_UNAVAILABLE, -PMUQ_E_PFM_FAILED, -PMUQ_E_STORE_WRITE,
 *         -PMUQ_E_STORE_BUSY, -PMUQ_E_STORE_CORRUPT, -PMUQ_E_BAD_CALL, -PMUQ_E_MEMORY
 */
int pmuq_store_import_pfm(struct pmuq_store *store, struct pmuq_pfm *pfm, const char *name,
			  int64_t time_s, struct pmuq_vendors **ret, struct pmuq_error **reterr);
/**
 * Find out whether the store has the names of the libpfm4 that is installed: the file that the last
 * import of libpfm4's names read is unchanged. A search of the store then needs no libpfm4.
 *
 * @return 0, -PMUQ_E_STORE_CORRUPT, -PMUQ_E_STORE_BUSY, -PMUQ_E_MEMORY
 */
int pmuq_store_has_pfm(struct pmuq_store *store, bool *ret, struct pmuq_error **reterr);
/**
 * Begin an import of a vendor's tables that is done in steps, by a program that shows its progress
 * or can be stopped:
 *
 *     while (r == 0 && pmuq_importer_upcoming(importer) && !stopped)
 *             r = pmuq_importer_next(importer, &error);
 *     if (r == 0 && !stopped)
 *             r = pmuq_importer_commit(importer, NULL, &error);
 *     pmuq_importer_free(importer);
 *
 * It imports what pmuq_store_import_vendor() imports. A step is a directory, a CPU or a file,
 * depending on the tree. This call begins a transaction unless one is open already. Until the
 * importer is freed, the store can be used for nothing that has a transaction of its own.
 *
 * @param store   must outlive the importer
 * @param dir     not kept
 * @param name    of the import; NULL: "perf", "perfmon" or "telemetry", depending on the tree
 * @param time_s  now, in seconds since 1970; stored with it
 * @param ret     free with pmuq_importer_free()
 * @return 0, and the errors of pmuq_store_import_vendor()
 */
int pmuq_importer_begin(struct pmuq_store *store, const char *dir, const char *name, int64_t time_s,
			struct pmuq_importer **ret, struct pmuq_error **reterr);
/**
 * Begin an import of all names of libpfm4 that is done in steps, a PMU of libpfm4 each. It imports
 * what pmuq_store_import_pfm() imports.
 *
 * @param store   must outlive the importer
 * @param pfm     must outlive the importer
 * @param name    of the import; NULL: "libpfm4"
 * @param time_s  now, in seconds since 1970; stored with it
 * @param ret     free with pmuq_importer_free()
 * @return 0, and the errors of pmuq_store_import_pfm()
 */
int pmuq_importer_begin_pfm(struct pmuq_store *store, struct pmuq_pfm *pfm, const char *name,
			    int64_t time_s, struct pmuq_importer **ret, struct pmuq_error **reterr);
/** What the next step imports: a path in the directory, or a PMU of libpfm4; NULL at the end. */
const char *pmuq_importer_upcoming(const struct pmuq_importer *importer);
/** The number of all steps. */
size_t pmuq_importer_n_steps(const struct pmuq_importer *importer);
/** The number of steps that have been done. */
size_t pmuq_importer_n_done(const struct pmuq_importer *importer);
/**
 * Do the next step. At the end the call does nothing. After an error the importer can only be
 * freed.
 *
 * @return 0, and the errors of pmuq_store_import_vendor() or pmuq_store_import_pfm()
 */
int pmuq_importer_next(struct pmuq_importer *importer, struct pmuq_error **reterr);
/**
 * End the import after the last step. A transaction that pmuq_importer_begin() began is committed;
 * another one stays open.
 *
 * @param ret  NULL, or the import as pmuq_store_list_vendors() returns it, alone; does not need the
 *             store
 * @return 0, -PMUQ_E_STORE_WRITE, -PMUQ_E_STORE_BUSY, -PMUQ_E_STORE_CORRUPT,
 *         -PMUQ_E_BAD_CALL (a step has not been done), -PMUQ_E_MEMORY
 */
int pmuq_importer_commit(struct pmuq_importer *importer, struct pmuq_vendors **ret,
			 struct pmuq_error **reterr);
/** Without pmuq_importer_commit() nothing has been imported. NULL is allowed. */
void pmuq_importer_free(struct pmuq_importer *importer);

/**
 * Remove an import, and everything that no other import shares.
 *
 * @return 0, -PMUQ_E_UNKNOWN_VENDOR, -PMUQ_E_STORE_WRITE, -PMUQ_E_STORE_BUSY,
 *         -PMUQ_E_STORE_CORRUPT, -PMUQ_E_BAD_CALL, -PMUQ_E_MEMORY
 */
int pmuq_store_remove_vendor(struct pmuq_store *store, const char *name,
			     struct pmuq_error **reterr);

/**
 * List the imports, by name.
 *
 * @param ret  free with pmuq_vendors_free(); it does not need the store afterwards
 * @return 0, -PMUQ_E_STORE_CORRUPT, -PMUQ_E_STORE_BUSY, -PMUQ_E_MEMORY
 */
int pmuq_store_list_vendors(struct pmuq_store *store, struct pmuq_vendors **ret,
			    struct pmuq_error **reterr);
void pmuq_vendors_free(struct pmuq_vendors *vendors);

/** An import. */
struct pmuq_vendor_import {
	size_t size;
	struct pmuq_str name; /**< its name */
	/** The directory that was imported; of libpfm4 the library's file and build id. */
	struct pmuq_str directory;
	struct pmuq_str layout; /**< "kernel", "perfmon", "telemetry" or "libpfm4" */
	int64_t time_s;		/**< when it was imported, seconds since 1970 */
	size_t n_folders;	/**< folders of CPU models */
	size_t n_cpus;		/**< patterns of CPU IDs */
	size_t n_events;	/**< of all folders */
	size_t n_metrics;
	size_t n_problems; /**< skipped events and metrics, at most 10,000 */
};
size_t pmuq_vendors_count(const struct pmuq_vendors *vendors);
const struct pmuq_vendor_import *pmuq_vendors_get(const struct pmuq_vendors *vendors, size_t index);
/** Why an event or a metric of an import was skipped; the path is relative to its directory. */
const struct pmuq_problem *pmuq_vendors_problem(const struct pmuq_vendors *vendors, size_t import,
						size_t index);

/**
 * Open the table of one CPU, from the latest import that has it. Any number of threads may use the
 * table. It does not need the store afterwards.
 *
 * @param cpuid  the fact "cpuid": "GenuineIntel-6-55-4", an arm64 MIDR …
 * @param ret    free with pmuq_vendor_free()
 * @return 0, -PMUQ_E_NO_VENDOR_TABLE, -PMUQ_E_STORE_CORRUPT, -PMUQ_E_STORE_BUSY, -PMUQ_E_MEMORY
 */
int pmuq_store_open_vendor(struct pmuq_store *store, const char *cpuid, struct pmuq_vendor **ret,
			   struct pmuq_error **reterr);
/**
 * The same, for a program that encodes few event strings: the table reads an event when its name is
 * first needed, and all events for an error's hint. It needs the store, which must be freed after
 * it, and only one thread at a time may use both. An encoding can fail as this function does.
 */
int pmuq_store_open_lazy_vendor(struct pmuq_store *store, const char *cpuid,
				struct pmuq_vendor **ret, struct pmuq_error **reterr);
void pmuq_vendor_free(struct pmuq_vendor *vendor);
/** The table of one CPU. */
struct pmuq_vendor_table {
	size_t size;
	struct pmuq_str cpuid;	 /**< the CPU that it was opened for */
	struct pmuq_str import;	 /**< the name of the import */
	struct pmuq_str folder;	 /**< "ARCH/FOLDER" */
	struct pmuq_str version; /**< the vendor's version, or "" */
	size_t n_events;
};
const struct pmuq_vendor_table *pmuq_vendor_content(const struct pmuq_vendor *vendor);

/** An event of a vendor's table. */
struct pmuq_vendor_event {
	size_t size;
	/** The event as a machine has it: its name in lower case, the terms, unit, scale … */
	const struct pmuq_event *event;
	/** The PMU's name in the tables: "default_core" (every core PMU), "cpu_atom", "uncore_imc"
	 *  (every instance of it), "hisi_sccl,ddrc" … */
	struct pmuq_str pmu;
	struct pmuq_str topic;		  /**< or "" */
	struct pmuq_str description;	  /**< one sentence, or "" */
	struct pmuq_str long_description; /**< the whole description, or "" */
	/** A regular expression (POSIX extended) that matches the whole content of the PMU's file
	 *  `identifier`; "": any. */
	struct pmuq_str compat;
	bool is_deprecated; /**< the vendor recommends another one */
	/** The counters that can count it, as the vendor lists them: "0,1,2,3", "Fixed counter 1",
	 *  "FREERUN"; "": not known. */
	struct pmuq_str counters;
	/** The same of a core that is one CPU: SMT is off in its firmware; "": not known. */
	struct pmuq_str counters_smt_off;
	bool is_taken_alone; /**< no other event may be counted with it */
	/** By how many cycles it delays the retirement of an instruction, the mean on a machine of
	 *  the vendor's: exact decimal text, or "". */
	struct pmuq_str latency;
	struct pmuq_str file;	 /**< its file: "ARCH/FOLDER/FILE" */
	struct pmuq_str version; /**< of that file or, if it names none, of the table; or "" */
};
/** The events, by name, then by PMU. NULL after the last, or if a lazy table cannot be read. */
const struct pmuq_vendor_event *pmuq_vendor_get(const struct pmuq_vendor *vendor, size_t index);
/** The event with that name (case does not matter) on a PMU of a machine; NULL if there is none,
 *  or if a lazy table cannot be read. */
const struct pmuq_vendor_event *pmuq_vendor_find_event(const struct pmuq_vendor *vendor,
						       const struct pmuq_pmu *pmu,
						       const char *name);

/**
 * Open the metrics of one CPU: those of its table, of all CPUs, and of the systems of its
 * architecture. They come from the latest import that has the CPU; of a CPU that no import has,
 * those of all CPUs. The metrics do not need the store afterwards. metric.h has them.
 *
 * @param cpuid  the fact "cpuid"
 * @param ret    free with pmuq_metrics_free()
 * @return 0, -PMUQ_E_NO_VENDOR_TABLE, -PMUQ_E_STORE_CORRUPT, -PMUQ_E_STORE_BUSY, -PMUQ_E_MEMORY
 */
int pmuq_store_open_metrics(struct pmuq_store *store, const char *cpuid, struct pmuq_metrics **ret,
			    struct pmuq_error **reterr);
/**
 * The same, but a metric is read when a plan or pmuq_metrics_get() needs it: for a process that
 * plans a few. The store must live longer than the metrics. If its tables were replaced in the
 * meantime, that fails with -PMUQ_E_STORE_BUSY. Only one thread at a time may use them and the
 * store.
 */
int pmuq_store_open_lazy_metrics(struct pmuq_store *store, const char *cpuid,
				 struct pmuq_metrics **ret, struct pmuq_error **reterr);

/**
 * List the metric groups of one CPU, by name: those that its metrics are in (those that
 * pmuq_store_open_metrics() returns), and those that its tables describe.
 *
 * @param cpuid  the fact "cpuid"
 * @param ret    free with pmuq_metric_groups_free(); it does not need the store afterwards
 * @return as pmuq_store_open_metrics()
 */
int pmuq_store_list_metric_groups(struct pmuq_store *store, const char *cpuid,
				  struct pmuq_metric_groups **ret, struct pmuq_error **reterr);
void pmuq_metric_groups_free(struct pmuq_metric_groups *groups);

/** A metric group. */
struct pmuq_metric_group {
	size_t size;
	struct pmuq_str name;	     /**< its name */
	struct pmuq_str description; /**< or "" */
	size_t n_metrics;	     /**< metrics in it */
};
size_t pmuq_metric_groups_count(const struct pmuq_metric_groups *groups);
const struct pmuq_metric_group *pmuq_metric_groups_get(const struct pmuq_metric_groups *groups,
						       size_t index);

/**
 * Search the events and metrics of all imported tables for words. First come those with all words
 * in their names (or the names of their PMUs), the shortest names of event and PMU first; then
 * those with all words anywhere. A word also matches the beginning of a longer one. If nothing
 * has all words, the search returns what has any of them. Of these two the best come first; if more
 * than a thousand match, those with the shortest names are compared. What has the same description
 * on several CPUs is one result.
 *
 * @param limit  the largest number of results, 1 to 10000
 * @param ret    free with pmuq_found_free(); it does not need the store afterwards
 * @return 0 (also if nothing is found), -PMUQ_E_NO_SEARCH, -PMUQ_E_BAD_CALL,
 *         -PMUQ_E_STORE_CORRUPT, -PMUQ_E_STORE_BUSY, -PMUQ_E_MEMORY
 */
int pmuq_store_search(struct pmuq_store *store, const char *words, size_t limit,
		      struct pmuq_found **ret, struct pmuq_error **reterr);
/**
 * The same for the user of a machine: first comes what its PMUs count of the table of its CPU, then
 * the rest of that table, then everything else. It reads the machine's files as far as the results
 * depend on them.
 *
 * @param source    the machine; a CPU without a table is fine
 * @param with_pfm  the names that libpfm4 has for that CPU count as its table, too, as the last
 *                  import has them
 * @param enough    after this many results it does not search for weaker matches, or for those of
 *                  other CPUs; 1 to limit. For a program that sorts the results again.
 * @param limit     the largest number of results, 1 to 10000
 * @param ret       free with pmuq_found_free(); it does not need the store and the source
 *                  afterwards
 * @return as pmuq_store_search(), -PMUQ_E_STALE_SOURCE, -PMUQ_E_TOO_MANY_FILES
 */
int pmuq_store_search_machine(struct pmuq_store *store, const char *words,
			      struct pmuq_source *source, bool with_pfm, size_t enough,
			      size_t limit, struct pmuq_found **ret, struct pmuq_error **reterr);
void pmuq_found_free(struct pmuq_found *found);
size_t pmuq_found_count(const struct pmuq_found *found);

/** Where an event matched. */
enum pmuq_match {
	PMUQ_MATCH_NAME = 0, /**< all words, in the name of the event or the PMU */
	PMUQ_MATCH_ALL = 1,  /**< all words, in the name or the descriptions */
	PMUQ_MATCH_ANY = 2,  /**< some of the words */
};

/** An event or a metric that was found. */
struct pmuq_found_event {
	size_t size;
	struct pmuq_str folders; /**< the folders that have it: "x86/cascadelakex, x86/skylakex" */
	struct pmuq_str pmu;	 /**< the PMU's name in the table */
	struct pmuq_str name;	 /**< its name in the table */
	/** On the machine's CPU; of others, or none if its CPUs differ in them. "" of metrics
	 *  and libpfm4. */
	struct pmuq_str terms;
	struct pmuq_str topic;		  /**< or "" */
	struct pmuq_str description;	  /**< one sentence, or "" */
	struct pmuq_str long_description; /**< the whole description, or "" */
	enum pmuq_match match;		  /**< where it matched */
	bool is_libpfm4;		  /**< a name of libpfm4: its event string is PMU::NAME */
	bool is_deprecated;		  /**< the vendor recommends another one */
	struct pmuq_str formula;	  /**< of a metric, on one of its CPUs; "" for an event */
	bool is_of_cpu;			  /**< in the table of the machine's CPU */
	bool is_here;			  /**< and a PMU of the machine counts it */
	struct pmuq_str compat;		  /**< as in struct pmuq_vendor_event, if is_of_cpu */
};
const struct pmuq_found_event *pmuq_found_get(const struct pmuq_found *found, size_t index);

#ifdef __cplusplus
}
#endif
#endif
