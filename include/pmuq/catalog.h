/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Catalogs: all that a machine offers, in memory, immutable; any number of threads may use one.
 * Its records live as long as it does.
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

/** The machine of a catalog. */
struct pmuq_machine {
	size_t size;
	/**
	 * Facts about the host, in a fixed order: hostname, kernel, arch, cpuid, cpus_present,
	 * cpus_online, perf_event_paranoid, perf_event_max_sample_rate, perf_event_mlock_kb,
	 * perf_event_max_stack, nmi_watchdog, boot_id, machine_id (a hash, never the raw one),
	 * extended_type ("yes", "no", "assumed"), hypervisor, incomplete (of a machine that is
	 * known from a recording alone: "perf.data"). A fact that the source does not have is
	 * absent.
	 */
	const struct pmuq_pair *facts;
	size_t n_facts;
	size_t n_pmus;
	size_t n_problems;
	/** Of a stored machine its last check, or NULL. It changes nothing else. */
	const struct pmuq_check *check;
	bool is_live; /**< it was read from this machine, so that its events can be opened here */
};
const struct pmuq_machine *pmuq_catalog_machine(const struct pmuq_catalog *catalog);
/** The text of a fact by its name, or NULL. */
const char *pmuq_catalog_find_fact(const struct pmuq_catalog *catalog, const char *name);
/** What could not be read or understood. */
const struct pmuq_problem *pmuq_catalog_problem(const struct pmuq_catalog *catalog, size_t index);

/**
 * What the instances of a PMU share: formats, events, caps. Two PMUs of a catalog have the same
 * definition if and only if the pointers are equal.
 */
struct pmuq_definition {
	size_t size;
	size_t n_formats; /**< format/, see pmuq_pmu_format() */
	size_t n_events;  /**< events/, see pmuq_pmu_event() */
	size_t n_caps;
	const struct pmuq_pair *caps; /**< caps/, by name */
	uint64_t hash; /**< of its content: where that is the same, it is, too, on any machine */
};

/** A PMU, one of /sys/bus/event_source/devices. */
struct pmuq_pmu {
	size_t size;
	struct pmuq_str name;	   /**< the name of its directory */
	struct pmuq_str alias;	   /**< a second name, the content of `alias`; or none */
	struct pmuq_str cpumask;   /**< the content of `cpumask`, or none */
	struct pmuq_str cpus_file; /**< the content of `cpus`, or none */
	/** The CPUs to open events on, as a list ("0,8"): cpumask, else cpus, else all that are
	 *  online. */
	struct pmuq_str cpus;
	const struct pmuq_definition *definition; /**< shared by instances */
	/** Plain files of the directory that have no member here, by name. */
	const struct pmuq_pair *attributes;
	size_t n_attributes;
	uint32_t type;	/**< perf_event_attr.type, if has_type */
	uint32_t index; /**< in its catalog; 0 of a PMU of a source */
	/** The next so many PMUs of the catalog are sibling instances: their names and aliases
	 *  differ from its own in the number alone. */
	uint32_t n_siblings;
	bool has_type;	/**< false: the machine does not have the type */
	bool is_core;	/**< it counts what the CPU cores do: named "cpu", or has a `cpus` file */
	bool is_uncore; /**< events open per CPU only: has a `cpumask` file, and is no core PMU */
};

/** PMUs: core PMUs first, then by name without its number, then by number. */
const struct pmuq_pmu *pmuq_catalog_pmu(const struct pmuq_catalog *catalog, size_t index);
/** By name or by the content of its `alias` file; NULL if there is none. Case matters. */
const struct pmuq_pmu *pmuq_catalog_find_pmu(const struct pmuq_catalog *catalog, const char *name);

/** The bits of a config word that a format takes. It never changes. */
struct pmuq_bits {
	uint64_t mask; /**< 0: the text could not be understood */
	int8_t word;   /**< 0: config … 4: config4; -1: the text names no word that pmuq knows */
	uint8_t width; /**< how many bits there are in the mask */
	uint8_t shift; /**< the lowest of them */
	bool is_solid; /**< the mask has no holes */
};

/** A file in format/. */
struct pmuq_format {
	size_t size;
	struct pmuq_str name;  /**< that of the file */
	struct pmuq_str text;  /**< as the kernel wrote it: "config1:0-7,32-35" */
	struct pmuq_bits bits; /**< what the text means */
};
/** format/, by name. */
const struct pmuq_format *pmuq_pmu_format(const struct pmuq_pmu *pmu, size_t index);

/** A file in events/, with its companions .unit, .scale, .per-pkg and .snapshot. */
struct pmuq_event {
	size_t size;
	struct pmuq_str name;  /**< that of the file */
	struct pmuq_str terms; /**< "event=0xcd,umask=0x1,ldlat=3" */
	struct pmuq_str unit;  /**< "" if there is no file .unit */
	/** The exact decimal text to multiply a count by; "1" if there is no file .scale. */
	struct pmuq_str scale;
	bool is_per_pkg;     /**< there is a file .per-pkg */
	bool is_snapshot;    /**< there is a file .snapshot */
	bool has_unit_file;  /**< there is a file .unit */
	bool has_scale_file; /**< there is a file .scale */
};
/** events/, by name. */
const struct pmuq_event *pmuq_pmu_event(const struct pmuq_pmu *pmu, size_t index);

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
