/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Catalogs: everything that a machine offers, in memory. A catalog never changes; any number of
 * threads may use one. Its records live as long as it does.
 */
#ifndef PMUQ_CATALOG_H
#define PMUQ_CATALOG_H

#include <pmuq/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Read everything that the source offers. The catalog does not need the source afterwards. If a
 * file cannot be read or understood, the call still succeeds and the catalog has a problem for it.
 *
 * Of a machine with 128 PMUs or more, a second thread reads a half, if the process may use several
 * CPUs. The thread receives no signals, and has ended when the call returns. It is the only thread
 * that the library starts.
 *
 * @return 0, -PMUQ_E_STALE_SOURCE (sysfs is gone), -PMUQ_E_TOO_MANY_FILES, -PMUQ_E_MEMORY
 */
int pmuq_source_read_catalog(struct pmuq_source *source, struct pmuq_catalog **ret,
			     struct pmuq_error **reterr);
/**
 * Read the same without tracepoints, of which a machine has thousands, each with its id in a file
 * of its own: their number is in pmuq_machine.n_counted. Such a catalog lists and encodes events of
 * PMUs, several times sooner. It cannot encode tracepoints, and is neither stored, written into a
 * document nor compared: these calls return -PMUQ_E_BAD_CALL. Of any other machine than the
 * running one (captured, stored, of a daemon) the catalog has all of them. The catalog does not
 * need the source afterwards.
 *
 * @return 0, -PMUQ_E_STALE_SOURCE, -PMUQ_E_TOO_MANY_FILES, -PMUQ_E_MEMORY
 */
int pmuq_source_read_pmus(struct pmuq_source *source, struct pmuq_catalog **ret,
			  struct pmuq_error **reterr);
void pmuq_catalog_free(struct pmuq_catalog *catalog);
/**
 * Another reference to the catalog, which lives until each of them is freed. Allocates nothing and
 * cannot fail. Threads may share a catalog: it never changes.
 */
struct pmuq_catalog *pmuq_catalog_share(const struct pmuq_catalog *catalog);

/** The machine of a catalog. */
struct pmuq_machine {
	size_t size;
	/**
	 * Facts about the host, in a fixed order: hostname, kernel, arch, cpuid, cpus_present,
	 * cpus_online, perf_event_paranoid, perf_event_max_sample_rate, perf_event_mlock_kb,
	 * perf_event_max_stack, nmi_watchdog, boot_id, machine_id (a hash, never the raw one),
	 * extended_type ("yes", "no", "assumed"), hypervisor, incomplete ("perf.data": only a
	 * recording of the machine is known). A fact that the source does not have is missing.
	 */
	const struct pmuq_pair *facts;
	size_t n_facts;
	size_t n_pmus;
	size_t n_problems;
	/** The last check of a stored machine, or NULL. */
	const struct pmuq_check *check;
	bool is_live; /**< it was read from this machine, so its events can be opened here */
	size_t n_tracepoints; /**< 0 also if there is no tracefs or it could not be read */
	size_t n_counted;     /**< tracepoints that are only counted: pmuq_source_read_pmus() */
};
const struct pmuq_machine *pmuq_catalog_machine(const struct pmuq_catalog *catalog);
/** The text of a fact by its name, or NULL. */
const char *pmuq_catalog_find_fact(const struct pmuq_catalog *catalog, const char *name);
/** What could not be read or understood. */
const struct pmuq_problem *pmuq_catalog_problem(const struct pmuq_catalog *catalog, size_t index);

/** A tracepoint, one of /sys/kernel/tracing/events. */
struct pmuq_tracepoint {
	size_t size;
	struct pmuq_str subsystem; /**< "sched" */
	struct pmuq_str name;	   /**< "sched_switch"; in an event string, after "sched:" */
	uint64_t id;		   /**< the config of its attr; another boot may have another id */
};
/** By subsystem, then by name; NULL past the last. */
const struct pmuq_tracepoint *pmuq_catalog_tracepoint(const struct pmuq_catalog *catalog,
						      size_t index);

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
	uint64_t hash; /**< of the content; equal content has the same hash on every machine */
};

/** A PMU, one of /sys/bus/event_source/devices. */
struct pmuq_pmu {
	size_t size;
	struct pmuq_str name;	   /**< the name of its directory */
	struct pmuq_str alias;	   /**< a second name: the content of `alias`; or none */
	struct pmuq_str cpumask;   /**< the content of `cpumask`, or none */
	struct pmuq_str cpus_file; /**< the content of `cpus`, or none */
	/** The CPUs to open events on, as a list ("0,8"): the content of `cpumask`, else of
	 *  `cpus`, else all online CPUs. */
	struct pmuq_str cpus;
	const struct pmuq_definition *definition; /**< shared by instances */
	/** The other plain files of the directory: those without a member here, by name. */
	const struct pmuq_pair *attributes;
	size_t n_attributes;
	uint32_t type;	/**< perf_event_attr.type, if has_type */
	uint32_t index; /**< in its catalog; 0 if it came from a source */
	/** How many of the PMUs that follow in the catalog are sibling instances: their names and
	 *  aliases differ only in the number. */
	uint32_t n_siblings;
	bool has_type;	/**< false: the type is unknown */
	bool is_core;	/**< a CPU core PMU: its name is "cpu", or it has a `cpus` file */
	bool is_uncore; /**< events open per CPU only: has a `cpumask` file and is not a core PMU */
};

/** PMUs: core PMUs first, then by name without its number, then by number. */
const struct pmuq_pmu *pmuq_catalog_pmu(const struct pmuq_catalog *catalog, size_t index);
/** By name or by the content of its `alias` file; NULL if there is none. Case matters. */
const struct pmuq_pmu *pmuq_catalog_find_pmu(const struct pmuq_catalog *catalog, const char *name);

/** The bits of a config word that a format sets. The layout of this struct never changes. */
struct pmuq_bits {
	uint64_t mask; /**< 0: pmuq does not understand the text */
	int8_t word;   /**< 0: config … 4: config4; -1: the text names an unknown word */
	uint8_t width; /**< the number of bits in the mask */
	uint8_t shift; /**< the position of the lowest bit */
	bool is_solid; /**< the mask has no holes */
};

/** A file in format/. */
struct pmuq_format {
	size_t size;
	struct pmuq_str name;  /**< the name of the file */
	struct pmuq_str text;  /**< as the kernel wrote it: "config1:0-7,32-35" */
	struct pmuq_bits bits; /**< what the text means */
	uint64_t max;	       /**< the largest value of its term */
};
/** format/, by name. */
const struct pmuq_format *pmuq_pmu_format(const struct pmuq_pmu *pmu, size_t index);

/** A file in events/, with its companions .unit, .scale, .per-pkg and .snapshot. */
struct pmuq_event {
	size_t size;
	struct pmuq_str name;  /**< the name of the file */
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

/**
 * The parameters of an event in events/: the formats for which its terms have no value ("chip=?").
 * The event string must have a term for each: "hv_24x7/HPM_INST__CORE,domain=1,core=0/". In the
 * order of the event's terms; NULL past the last, or if there is no event of that name.
 *
 * @param event  its name; not kept
 */
const struct pmuq_format *pmuq_pmu_parameter(const struct pmuq_pmu *pmu, const char *event,
					     size_t index);

/** What a file contains. */
enum pmuq_file_content {
	PMUQ_FILE_TEXT = 0,
	PMUQ_FILE_NUMBER = 1, /**< decimal, or hexadecimal after "0x" */
	PMUQ_FILE_CPUS = 2,   /**< a list of CPUs: "0-3,8" */
};

/** A known file of a PMU's directory. */
struct pmuq_pmu_file {
	size_t size;	      /**< sizeof(struct pmuq_pmu_file) of the library */
	struct pmuq_str path; /**< from the PMU's directory: "rdpmc", "caps/max_precise" */
	struct pmuq_str name; /**< a short name of the content, as a key: "mux_ms" */
	struct pmuq_str help; /**< one line: what the file contains */
	struct pmuq_str unit; /**< the unit of a number ("ms"), or "" */
	enum pmuq_file_content content; /**< the type of the content */
};

/**
 * The known files, in a fixed order; `index` from 0. NULL past the last. Static. No PMU has all of
 * them, and most PMUs have others.
 */
const struct pmuq_pmu_file *pmuq_pmu_file_at(size_t index);
/**
 * The content of a plain file in the PMU's directory or in its caps/, known or not, by its path
 * ("cpumask", "caps/max_precise"); NULL if the PMU has no such file. `type` is not among them: see
 * pmuq_pmu.type.
 */
const char *pmuq_pmu_file_text(const struct pmuq_pmu *pmu, const char *path);

#ifdef __cplusplus
}
#endif
#endif
