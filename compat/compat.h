/* SPDX-License-Identifier: MIT */
/*
 * libpfm4's calls on libpmuq: the machine, its PMUs under libpfm4's numbers, and what the
 * calls share, from the lowest file to the highest: a file calls only those above it in this
 * header. A program has one such state, since libpfm4's calls have no object. Each call locks it:
 * programs encode in several threads, which libpfm4 survives.
 */
#pragma once

#include <linux/perf_event.h> /* before libpfm4's headers, which have a copy of their own */
#include <perfmon/pfmlib.h>
#include <perfmon/pfmlib_perf_event.h>
#include <pmuq/pmuq.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* A PMU of libpfm4, or one of sysfs that libpfm4 does not have, under an unused number. */
struct compat_pmu {
	const struct pmuq_pfm_pmu *library; /* of libpfm4, or NULL */
	const struct pmuq_pmu *own;	    /* of sysfs, or NULL; both NULL: an unused number */
	char *description;		    /* of an own PMU */
	size_t n_subsystems;		    /* events after libpfm4's: subsystems of tracepoints */
	struct pmuq_pfm_events *events[PFM_OS_MAX]; /* of libpfm4, by layer; read when needed */
	bool is_present;
};

/* An event that a string made and no list has: "msr/config=1/", "sched:sched_switch". */
struct compat_made {
	pfm_pmu_t pmu;
	char *name;
};

/* The tracepoints of a subsystem, which follow each other in the list of all. */
struct compat_subsystem {
	char *name;
	size_t first, n;
};

struct compat {
	struct pmuq_source *source;
	struct pmuq_pfm *pfm;  /* NULL before pfm_initialize() and after pfm_terminate() */
	const char *cpuid;     /* of a captured tree; NULL: the CPU is that of the helper */
	bool encodes_inactive; /* LIBPFM_ENCODE_INACTIVE: also names of other CPUs */
	struct pmuq_names *tracepoints;	     /* NULL before they are read, and without tracefs */
	struct compat_subsystem *subsystems; /* NULL before they are read */
	size_t n_subsystems;
	bool has_pmus;
	struct pmuq_pfm_pmus *listed;
	struct compat_pmu pmus[PFM_PMU_MAX]; /* by number */
	struct compat_made *made;
	size_t n_made;
};

/* ---- compat_init.c */

/* Locks the state until the end of the scope; NULL, and nothing is locked, before pfm_initialize()
 * and after pfm_terminate(). */
#define COMPAT_LOCK(c) __attribute__((cleanup(compat_unlock))) struct compat *c = compat_lock()
struct compat *compat_lock(void);
void compat_unlock(struct compat **c);

/* An error of libpmuq (a negative code) as one of libpfm4's. */
int compat_error(int r);
/* Whether an error is about this process, and not about the machine: nothing may be remembered. */
bool compat_is_resource_error(int r);
/* How many bytes of a result the caller's struct takes, by libpfm4's rules for its size: 0 if the
 * size is wrong. `first` is the size of the struct's first version. */
size_t compat_size(const void *ret, size_t size, size_t first, size_t known);

/* ---- compat_words.c: the attributes of own events */

struct compat_word {
	const char *name, *description;
	bool is_number;
	bool is_for_sampling;  /* only in PFM_OS_PERF_EVENT_EXT */
	bool is_for_privilege; /* only of events that distinguish user and kernel */
	bool is_for_cpu;       /* not of tracepoints */
};
enum compat_word_number {
	COMPAT_U,
	COMPAT_K,
	COMPAT_H,
	COMPAT_PERIOD,
	COMPAT_FREQ,
	COMPAT_PRECISE,
	COMPAT_EXCL,
	COMPAT_MG,
	COMPAT_MH,
	COMPAT_CPU,
	COMPAT_PINNED,
	COMPAT_WORDS,
};
extern const struct compat_word compat_words[COMPAT_WORDS];
enum compat_type {
	COMPAT_UNCORE, /* or another PMU without privilege */
	COMPAT_CORE,
	COMPAT_TRACEPOINT,
};
bool compat_has_word(const struct compat_word *word, enum compat_type type, pfm_os_t os);

#define COMPAT_TERMS_MAX 24
/* "msr::tsc:cpu=2" in parts. */
struct compat_written {
	char *pmu, *event; /* in one allocation; to be freed: pmu */
	struct pmuq_term terms[COMPAT_TERMS_MAX];
	size_t n_terms;
	uint64_t values[COMPAT_WORDS];
	unsigned set; /* a bit for each word */
};
/* 0, PFM_ERR_NOTFOUND if it has another form, or another error of libpfm4. */
int compat_split(const char *text, pfm_os_t os, struct compat_written *ret);
/* The same of a tracepoint, whose `event` is "sched:sched_switch". */
int compat_split_tracepoint(const char *text, pfm_os_t os, struct compat_written *ret);

/* ---- compat_tracepoints.c: subsystems by their position in the list */

/* Reads the list once: 0 or an error of libpfm4. */
int compat_load_tracepoints(struct compat *c);
/* "sched:sched_switch"; NULL past the last. */
const char *compat_tracepoint(const struct compat *c, const struct compat_subsystem *subsystem,
			      size_t index);
int compat_tracepoint_id(struct compat *c, const char *name, uint64_t *ret);
/* The position of the subsystem of "sched:sched_switch:k"; negative if that tracepoint is not
 * listed. */
int compat_subsystem_of(const struct compat *c, const char *text);
/* The position of the subsystem "perf::sched"; negative if it is not listed. */
int compat_find_subsystem(const struct compat *c, const char *text);
/* The text after "perf::". */
const char *compat_tracepoint_text(const char *text);

/* ---- compat_pmus.c: all but the first expect that compat_load() succeeded */

/* Reads PMUs and tracepoints once: 0 or an error of libpfm4, also if `c` is NULL. */
int compat_load(struct compat *c);
/* A PMU by its number; NULL if the number is unused. */
struct compat_pmu *compat_pmu(struct compat *c, unsigned id);
/* The number of the PMU that libpfm4's programs know by that name of sysfs. */
pfm_pmu_t compat_number(const struct compat *c, const char *sysfs);
/* Whether the name has a PMU of libpfm4 that the machine does not have, and such names are errors.
 */
bool compat_is_inactive(const struct compat *c, const char *text);
/* An event's index: the PMU's number and the position of the event. */
#define COMPAT_INDEX_SHIFT 21
int compat_index(pfm_pmu_t pmu, size_t event);

/* ---- compat_events.c */

/* The index of libpfm4's event; negative: an error of libpfm4. */
int compat_index_of(struct compat *c, unsigned pmu, unsigned event);
/* The index of a subsystem of tracepoints; PFM_ERR_NOTFOUND if `position` is negative. */
int compat_index_of_subsystem(struct compat *c, int position);
/* The index of an event that a string made. */
int compat_make(struct compat *c, pfm_pmu_t pmu, const char *name);

/* ---- compat_own.c: events that libpfm4 does not have */

struct compat_own {
	struct pmuq_attr attr;
	char *name; /* to be freed: it can be encoded again */
	int index, cpu;
};
/* Encodes in pmuq's language, or as "PMU::EVENT:attribute=value" with a PMU of sysfs. */
int compat_encode_own(struct compat *c, const char *text, int levels, pfm_os_t os,
		      struct compat_own *ret);
