/* SPDX-License-Identifier: MIT */
/**
 * @file
 * libpfm4: its event names, for any CPU that it has tables for. libpfm4 runs in a helper process,
 * which the first request starts. One thread at a time.
 */
#ifndef PMUQ_LIBPFM4_H
#define PMUQ_LIBPFM4_H

#include <pmuq/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How to run the helper. Zeroed except for its size: the defaults. */
struct pmuq_pfm_options {
	size_t size;	     /**< sizeof(struct pmuq_pfm_options) */
	const char *helper;  /**< the path of pmuq-pfm; NULL: the installed one */
	unsigned timeout_ms; /**< the longest time of a request; 0: 10,000 */
};

/**
 * Prepare the use of libpfm4. A helper process loads it: the first request starts the process,
 * later requests use it again, and a request after a failure starts a new one. This call starts
 * nothing.
 *
 * The library reaps the process: in pmuq_pfm_free(), or in the request that finds it failed. The
 * caller receives no signal except SIGCHLD. The process inherits no file descriptor
 * except a socket, and its environment is empty.
 *
 * @param options  NULL for the defaults
 * @param ret      free with pmuq_pfm_free()
 * @return 0, -PMUQ_E_BAD_CALL, -PMUQ_E_MEMORY
 */
int pmuq_pfm_open(const struct pmuq_pfm_options *options, struct pmuq_pfm **ret,
		  struct pmuq_error **reterr);
void pmuq_pfm_free(struct pmuq_pfm *pfm);

/**
 * Start the helper now, unless it runs. libpfm4 takes milliseconds to start: this call does not
 * wait for it, the next request does. It is optional: for programs that have other work until then.
 *
 * @return 0, -PMUQ_E_PFM_UNAVAILABLE, -PMUQ_E_MEMORY
 */
int pmuq_pfm_start(struct pmuq_pfm *pfm, struct pmuq_error **reterr);

/**
 * Which libpfm4 the helper loads: the name of its file ("libpfm.so.4.13.0"; the version number in
 * the library is the same in several releases), and its build id in hex, or "". Both live as long
 * as pfm.
 *
 * @return 0, -PMUQ_E_PFM_UNAVAILABLE, -PMUQ_E_PFM_FAILED, -PMUQ_E_MEMORY
 */
int pmuq_pfm_library(struct pmuq_pfm *pfm, const char **ret_file, const char **ret_build_id,
		     struct pmuq_error **reterr);
/**
 * The path of that file, without symbolic links, or "". It lives as long as pfm.
 *
 * @return 0, -PMUQ_E_PFM_UNAVAILABLE, -PMUQ_E_PFM_FAILED, -PMUQ_E_MEMORY
 */
int pmuq_pfm_library_path(struct pmuq_pfm *pfm, const char **ret, struct pmuq_error **reterr);

/**
 * Encode names of libpfm4: "skx::MEM_LOAD_RETIRED:L3_MISS:u", "skx_unc_imc0::UNC_M_CAS_COUNT:RD",
 * "skx_unc_imc::…" for all instances, also those that libpfm4 does not have;
 * "MEM_LOAD_RETIRED:L3_MISS" for the PMUs of a CPU. If a name is wrong, its own encoding has the
 * error and the call succeeds. A name has at most 1,024 bytes and 24 umasks and modifiers. What
 * goes with a umask takes a millisecond to find: of each 256 names, four hints at most list it.
 *
 * @param cpuid  the fact cpuid ("GenuineIntel-6-55-4"), for names without a PMU; or NULL
 * @param ret    one encoding per name, in their order; free with pmuq_pfm_encodings_free(); it does
 *               not need pfm afterwards
 * @return 0, -PMUQ_E_PFM_UNAVAILABLE, -PMUQ_E_PFM_FAILED, -PMUQ_E_MEMORY
 */
int pmuq_pfm_encode(struct pmuq_pfm *pfm, const char *cpuid, const char *const *names, size_t n,
		    struct pmuq_pfm_encodings **ret, struct pmuq_error **reterr);
void pmuq_pfm_encodings_free(struct pmuq_pfm_encodings *encodings);
size_t pmuq_pfm_encodings_count(const struct pmuq_pfm_encodings *encodings);

/** The encoding of a name by libpfm4. */
struct pmuq_pfm_encoding {
	size_t size;
	/**
	 * The error of the name, with its span; NULL if there is none. PMUQ_E_PFM_BAD_NAME,
	 * …_NO_CPU, …_UNKNOWN_PMU, …_UNKNOWN_EVENT, …_UNKNOWN_ATTRIBUTE, …_MISSING_UMASK,
	 * …_BAD_VALUE, …_CONFLICT
	 */
	const struct pmuq_error *error;
	/** One for each PMU definition that counts it (two are possible on hybrid machines); 0 with
	 *  an error. */
	size_t n_codes;
};
const struct pmuq_pfm_encoding *pmuq_pfm_encodings_get(const struct pmuq_pfm_encodings *encodings,
						       size_t index);

/** libpfm4's modifiers that set no bits of a config word; the caller applies them. */
enum pmuq_pfm_modifier {
	PMUQ_PFM_U = 0,	      /**< u: count in user mode; 0 or 1, like all except the last four */
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

/** Whether the name has that modifier. If it is repeated, the last value wins. */
bool pmuq_pfm_encoding_modifier(const struct pmuq_pfm_encoding *encoding,
				enum pmuq_pfm_modifier modifier, uint64_t *ret);

/** The PMUs of a machine that an event is for; `sysfs` is their name. */
enum pmuq_pfm_scope {
	PMUQ_PFM_CORE = 0, /**< the core PMU: "cpu", or a hybrid machine's "cpu_core", "cpu_atom" */
	PMUQ_PFM_INSTANCE = 1,	/**< the PMU of that name: "uncore_imc_0" */
	PMUQ_PFM_INSTANCES = 2, /**< the PMU of that name, or all its instances: "uncore_imc" */
	PMUQ_PFM_GENERIC = 3,	/**< the kernel's own event: `type` is attr.type */
};

/** The bits of an event, for some PMUs. */
struct pmuq_pfm_code {
	size_t size;
	struct pmuq_str sysfs; /**< the name of those PMUs in sysfs */
	/** The bits as terms, "config=0x20d1,config1=0x3"; config1 … config4 only if not 0. */
	struct pmuq_str terms;
	struct pmuq_str
		pmu; /**< libpfm4's name of the PMU ("skx", "skx_unc_imc" for all instances) */
	struct pmuq_str event; /**< libpfm4's name of the event */
	/** The complete name in libpfm4, with all umasks and modifiers, also the defaults. */
	struct pmuq_str canonical;
	uint64_t config[5];	   /**< the bits: config … config4 */
	enum pmuq_pfm_scope scope; /**< the PMUs of the machine that the event is for */
	/** attr.type (0, 1 or 3) if the scope is PMUQ_PFM_GENERIC; otherwise 0: the machine has the
	 *  type. */
	uint32_t type;
};
const struct pmuq_pfm_code *pmuq_pfm_encoding_code(const struct pmuq_pfm_encoding *encoding,
						   size_t index);

/** The interfaces of libpfm4 to an event, its pfm_os_t. They differ in codes and in modifiers. */
enum pmuq_pfm_layer {
	PMUQ_PFM_LAYER_PMU = 0,	     /**< the codes of the PMU's registers */
	PMUQ_PFM_LAYER_PERF = 1,     /**< attrs, and modifiers for them: u, k, h, mg, mh */
	PMUQ_PFM_LAYER_PERF_EXT = 2, /**< the same, and modifiers for sampling: period … */
};

/** How to encode a name as libpfm4 does. Zeroed except for its size: the defaults. */
struct pmuq_pfm_raw_options {
	size_t size; /**< sizeof(struct pmuq_pfm_raw_options) */
	/** The fact cpuid of the machine, for names without a PMU; NULL: the CPU of the helper. */
	const char *cpuid;
	enum pmuq_pfm_layer layer; /**< which codes, and which modifiers a name may have */
	unsigned levels; /**< libpfm4's dfl_plm: whose events, if the name has no u, k, h */
	/** Only find the event, with libpfm4's pfm_find_event(): no codes, no attr, no name. */
	bool finds_only;
};

/**
 * Encode a name with libpfm4, and return what libpfm4 returns: no other PMU is tried, the codes
 * have all bits, and modifiers and defaults are libpfm4's. For programs that expect its results.
 * If the name is wrong, pmuq_pfm_raw.result has the error and the call succeeds. The result does
 * not need pfm afterwards.
 *
 * @param attr     fields that the name does not set keep its values; NULL: zero; not kept
 * @param options  NULL for the defaults
 * @param ret      free with pmuq_pfm_raw_free()
 * @return 0, -PMUQ_E_BAD_CALL, -PMUQ_E_PFM_UNAVAILABLE, -PMUQ_E_PFM_FAILED, -PMUQ_E_MEMORY
 */
int pmuq_pfm_encode_raw(struct pmuq_pfm *pfm, const char *name, const struct pmuq_attr *attr,
			const struct pmuq_pfm_raw_options *options, struct pmuq_pfm_raw **ret,
			struct pmuq_error **reterr);
void pmuq_pfm_raw_free(struct pmuq_pfm_raw *raw);

/** What libpfm4 returns for a name. If it is an error, all members after `result` are zero. */
struct pmuq_pfm_raw {
	size_t size;
	int result;	 /**< libpfm4's: 0 (PFM_SUCCESS), or PFM_ERR_…, which are negative */
	int cpu;	 /**< the value of cpu=, or -1 */
	uint32_t pmu_id; /**< pmuq_pfm_pmu.id */
	uint32_t event;	 /**< pmuq_pfm_event.index; of an alias: the event that it means */
	/** The PMU of the machine that has attr.type, or "": then the type is complete. */
	struct pmuq_str sysfs;
	struct pmuq_str canonical; /**< libpfm4's fstr */
	uint64_t codes[4];	   /**< with PMUQ_PFM_LAYER_PMU; otherwise 0 */
	size_t n_codes;
	/** With the other layers: 64 bytes and config2; NULL with PMUQ_PFM_LAYER_PMU. */
	const struct pmuq_attr *attr;
};

/**
 * Whether a CPU has a PMU of libpfm4 (or a family of instances). True if that is unknown.
 *
 * @param pmu    as pmuq_pfm_code.pmu
 * @param cpuid  "GenuineIntel-6-55-4"
 */
bool pmuq_pfm_is_of_cpu(const char *pmu, const char *cpuid);

/** The type of a PMU of libpfm4. */
enum pmuq_pfm_pmu_type {
	PMUQ_PFM_PMU_CORE = 0,
	PMUQ_PFM_PMU_UNCORE = 1,
	PMUQ_PFM_PMU_GENERIC = 2, /**< names for the kernel's own events, on any machine */
};

/**
 * List all PMUs for which libpfm4 has tables, in its order. The list does not need pfm afterwards.
 *
 * @return 0, -PMUQ_E_PFM_UNAVAILABLE, -PMUQ_E_PFM_FAILED, -PMUQ_E_MEMORY
 */
int pmuq_pfm_list_pmus(struct pmuq_pfm *pfm, struct pmuq_pfm_pmus **ret,
		       struct pmuq_error **reterr);
void pmuq_pfm_pmus_free(struct pmuq_pfm_pmus *pmus);
size_t pmuq_pfm_pmus_count(const struct pmuq_pfm_pmus *pmus);

/** A PMU of libpfm4. */
struct pmuq_pfm_pmu {
	size_t size;
	struct pmuq_str name;	     /**< libpfm4's text */
	struct pmuq_str description; /**< libpfm4's text */
	struct pmuq_str sysfs;	     /**< the PMU's name in sysfs; "" for generic PMUs */
	struct pmuq_str family; /**< "skx_unc_imc" of skx_unc_imc3; "" if it has no instances */
	size_t n_events;
	uint32_t instance;	     /**< the instance's number; 0 if it has none */
	enum pmuq_pfm_pmu_type type; /**< core, uncore or generic */
	/** libpfm4 finds it on the CPU of the helper; true for every instance that it has tables
	 *  for. */
	bool is_present;
	size_t n_codes_max;	 /**< the most codes of an event: pmuq_pfm_raw.n_codes */
	uint32_t id;		 /**< libpfm4's number of the PMU, a pfm_pmu_t */
	uint32_t n_counters;	 /**< generic counters */
	uint32_t n_fixed;	 /**< fixed counters */
	bool is_of_architecture; /**< libpfm4's is_dfl: for any CPU of the architecture */
};
const struct pmuq_pfm_pmu *pmuq_pfm_pmus_get(const struct pmuq_pfm_pmus *pmus, size_t index);

/** The form of an attribute in an event name. */
enum pmuq_pfm_attribute_type {
	PMUQ_PFM_UMASK = 0,  /**< a word alone */
	PMUQ_PFM_FLAG = 1,   /**< y, n, 1, 0, or a word alone */
	PMUQ_PFM_NUMBER = 2, /**< word=number */
};

/**
 * List the events of a PMU of libpfm4, or of a family of instances, in its order. The list does not
 * need pfm afterwards.
 *
 * @param with_attributes  also read umasks and modifiers, which takes longer
 * @return 0, -PMUQ_E_PFM_UNKNOWN_PMU, -PMUQ_E_PFM_UNAVAILABLE, -PMUQ_E_PFM_FAILED, -PMUQ_E_MEMORY
 */
int pmuq_pfm_list_events(struct pmuq_pfm *pfm, const char *pmu, bool with_attributes,
			 struct pmuq_pfm_events **ret, struct pmuq_error **reterr);
/**
 * The same with the attributes that the events have in one of libpfm4's layers.
 *
 * @return as pmuq_pfm_list_events(); -PMUQ_E_BAD_CALL if there is no such layer
 */
int pmuq_pfm_list_events_of(struct pmuq_pfm *pfm, const char *pmu, enum pmuq_pfm_layer layer,
			    struct pmuq_pfm_events **ret, struct pmuq_error **reterr);
void pmuq_pfm_events_free(struct pmuq_pfm_events *events);
size_t pmuq_pfm_events_count(const struct pmuq_pfm_events *events);

/** Whether an event also counts what the CPU executes and then discards. */
enum pmuq_pfm_speculation {
	PMUQ_PFM_SPECULATION_UNKNOWN = 0,
	PMUQ_PFM_SPECULATIVE = 1,
	PMUQ_PFM_NOT_SPECULATIVE = 2,
};

/** An event of libpfm4. */
struct pmuq_pfm_event {
	size_t size;
	struct pmuq_str name;		       /**< libpfm4's text */
	struct pmuq_str description;	       /**< libpfm4's text */
	struct pmuq_str same_as;	       /**< the name that it is an alias of, or "" */
	size_t n_attributes;		       /**< 0 without with_attributes */
	uint64_t code;			       /**< the code in libpfm4's table, without umasks */
	uint32_t index;			       /**< libpfm4's number of the event */
	uint32_t data_type;		       /**< libpfm4's type of the counts, a pfm_dtype_t */
	enum pmuq_pfm_speculation speculation; /**< of its counts */
	bool is_precise;		       /**< it can be sampled precisely */
	bool has_hw_sample;		       /**< hardware can write its samples */
};
const struct pmuq_pfm_event *pmuq_pfm_events_get(const struct pmuq_pfm_events *events,
						 size_t index);

/** A umask or modifier of an event. */
struct pmuq_pfm_attribute {
	size_t size;
	struct pmuq_str name;		       /**< libpfm4's text */
	struct pmuq_str description;	       /**< libpfm4's text */
	struct pmuq_str same_as;	       /**< the name that it is an alias of, or "" */
	enum pmuq_pfm_attribute_type type;     /**< its form in an event name */
	bool is_default;		       /**< the umask that is set if the name has none */
	uint64_t code;			       /**< the code in libpfm4's table */
	uint64_t default_value;		       /**< of a flag or number, if the name has none */
	enum pmuq_pfm_speculation speculation; /**< of its counts */
	bool is_precise;		       /**< it can be sampled precisely */
	bool has_hw_sample;		       /**< hardware can write its samples */
	bool is_of_perf;		       /**< a modifier of perf's layer, not of the PMU */
};
const struct pmuq_pfm_attribute *pmuq_pfm_event_attribute(const struct pmuq_pfm_event *event,
							  size_t index);

#ifdef __cplusplus
}
#endif
#endif
