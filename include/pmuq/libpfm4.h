/* SPDX-License-Identifier: MIT */
/**
 * @file
 * libpfm4: the names that it has for events of any CPU that it knows; asked in a helper process
 * that is started when it is needed. One thread at a time.
 */
#ifndef PMUQ_LIBPFM4_H
#define PMUQ_LIBPFM4_H

#include <pmuq/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Who is asked. Zeroed but for its size: all defaults. */
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

/** What a PMU of libpfm4 is. */
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
/** What libpfm4 calls it, and what it says about it. */
const char *pmuq_pfm_pmu_name(const struct pmuq_pfm_pmu *pmu);
const char *pmuq_pfm_pmu_description(const struct pmuq_pfm_pmu *pmu);
/** The PMU's name in sysfs; "" for generic ones. */
const char *pmuq_pfm_pmu_sysfs(const struct pmuq_pfm_pmu *pmu);
/** "skx_unc_imc" of the box skx_unc_imc3; "" of a PMU that is no box. */
const char *pmuq_pfm_pmu_family(const struct pmuq_pfm_pmu *pmu);
/** The number of the box; 0 of a PMU that is none. */
uint32_t pmuq_pfm_pmu_instance(const struct pmuq_pfm_pmu *pmu);
/** What it is. */
enum pmuq_pfm_pmu_kind pmuq_pfm_pmu_kind(const struct pmuq_pfm_pmu *pmu);
/** Whether libpfm4 takes it for one of the CPU that the helper runs on; boxes are all that it
 * knows. */
bool pmuq_pfm_pmu_is_present(const struct pmuq_pfm_pmu *pmu);
/** How many events it has. */
size_t pmuq_pfm_pmu_event_count(const struct pmuq_pfm_pmu *pmu);

/** How an attribute of an event is given. */
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
/** What libpfm4 calls it, and what it says about it. */
const char *pmuq_pfm_event_name(const struct pmuq_pfm_event *event);
const char *pmuq_pfm_event_description(const struct pmuq_pfm_event *event);
/** What it is another name of, "" for most. */
const char *pmuq_pfm_event_same_as(const struct pmuq_pfm_event *event);
/** 0 unless they were asked for. */
size_t pmuq_pfm_event_attribute_count(const struct pmuq_pfm_event *event);
/** Attributes: the name, what libpfm4 says about it, and how it is given. */
const char *pmuq_pfm_attribute_name(const struct pmuq_pfm_event *event, size_t index);
const char *pmuq_pfm_attribute_description(const struct pmuq_pfm_event *event, size_t index);
const char *pmuq_pfm_attribute_same_as(const struct pmuq_pfm_event *event, size_t index);
enum pmuq_pfm_attribute_kind pmuq_pfm_attribute_kind(const struct pmuq_pfm_event *event,
						     size_t index);
/** Whether a umask is taken when none is named. */
bool pmuq_pfm_attribute_is_default(const struct pmuq_pfm_event *event, size_t index);

#ifdef __cplusplus
}
#endif
#endif
