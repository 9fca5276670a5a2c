/* SPDX-License-Identifier: MIT */
/*
 * What events need on a machine:
 *
 *   counters.c         how many counters a PMU has
 *   cpu_description.c  the running CPU's own description of them
 *   event_bits.c            the vendor's events that have the bits of an event
 *   constrain.c        the counters that can count an event, and the registers that it needs
 *   fit.c              the events of a string → sets of events that may compete
 *   fit_set.c          whether the events of a set fit
 *   fit_words.c            counters, reasons and parts as text
 *
 * What is not known is kept apart: an event has counters that can count it for sure, and counters
 * that it is possible to count it with. Events fit if they do with the first, and do not fit if
 * they do not with the second.
 */
#pragma once

#include "core/catalog/lookup.h"
#include "core/vec.h"
#include "core/vendor/vendor_table.h"
#include "fit/solve.h"
#include <pmuq/fit.h>

struct pq_fit_pmu;

/* A machine to query, and what is known of its PMUs so far; one of source and catalog is set. */
struct pq_fit_machine {
	struct pq_lookup lookup;
	struct pmuq_source *source;
	const struct pmuq_catalog *catalog;
	const struct pmuq_vendor *vendor; /* NULL: none */
	unsigned watchdog; /* whether it takes a counter: 0: as on the machine, 1: yes, 2: no */
	struct pmuq_error **reterr;
	struct pq_arena *arena; /* of the PMUs; NULL: they live as long as the first result */
	PQ_VEC(struct pq_fit_pmu *) pmus;
};

/* A fact of the machine; "" if it does not have it. */
int pq_fit_fact(struct pq_fit_machine *machine, const char *name, struct pmuq_str *ret);

/* Matches encodings with counters: all sets, or only groups that can never be counted. */
int pq_fit(struct pq_fit_machine *machine, const struct pmuq_encodings *encodings,
	   bool wants_unfit_only, struct pmuq_fit **ret);

/* What CPUs a PMU is of, as far as the counters of an event depend on it. */
enum pq_fit_cpu {
	PQ_FIT_CPU_OTHER,
	PQ_FIT_CPU_INTEL,
	PQ_FIT_CPU_AMD,
	PQ_FIT_CPU_ARM,
};

/* The counters of a PMU. */
struct pq_fit_pmu {
	const struct pmuq_pmu *pmu; /* filled */
	struct pmuq_counters counters;
	enum pq_fit_cpu cpu;
	bool takes_any; /* any counter can count any event */
	/* The kernel may have a watchdog that needs no counter: of other CPUs than x86 it often
	 * has, and no file has this fact. */
	bool may_have_watchdog;
	/* Each of two threads of a core has half of its generic counters, and SMT may be off: then
	 * one has all of them, and the table's lists are of a thread. */
	bool is_halved;
	bool is_free; /* with is_unlimited: events need no counter at all */
	/* Events that need two counters have this code; UINT64_MAX: none have. */
	uint64_t pair_code;
	struct pq_fit_code *codes;	/* of the events that were looked up */
	uint64_t identity;		/* the bits of config that identify an event */
	uint64_t code_mask;		/* those of them that are its code */
	bool has_formats, has_counters; /* they were read */
};

/* Fills in `ret`, whose `pmu` is set and filled, except for the numbers of counters; then those.
 * 0 or a negative code. */
int pq_fit_find_kind(struct pq_fit_machine *machine, struct pq_fit_pmu *ret);
int pq_fit_find_counters(struct pq_fit_machine *machine, struct pq_fit_pmu *ret);
/* The counters that an event needs, whichever they are. */
struct pq_fit_cost {
	size_t n; /* the largest number on its PMUs */
	bool is_slots, is_topdown;
};
int pq_fit_find_cost(struct pq_fit_machine *machine, const struct pmuq_encodings *encodings,
		     struct pq_fit_cost *ret);

/* The numbers of counters of each logical CPU that runs this process; false: not known. */
bool pq_cpu_counters(unsigned *ret_generic, unsigned *ret_fixed);

/* An event of the table that is for the PMU. */
struct pq_fit_row {
	uint64_t config, config1;
	const struct pmuq_vendor_event *event;
};

/* The events of the table with one code on a PMU. */
struct pq_fit_code {
	struct pq_fit_code *next;
	uint64_t number;
	PQ_VEC(struct pq_fit_row) rows;
};
/* Those with the code of an event; *ret is NULL without a table or formats. */
int pq_fit_find_rows(struct pq_fit_machine *machine, struct pq_fit_pmu *pmu, uint64_t config,
		     const struct pq_fit_code **ret);
/* What the table's list of counters means. False: nothing known. */
bool pq_fit_read_counters(struct pmuq_str text, struct pq_counter_set *ret, bool *ret_is_own);

/* An event of a set. */
struct pq_fit_event {
	struct pmuq_fit_event record; /* first: callers see this */
	struct pq_fit_need sure, possible;
	bool is_own; /* it has a counter of its own */
	bool is_slots, is_topdown;
};

/* The registers that events of a set need. */
struct pq_fit_registers {
	PQ_VEC(struct pq_fit_register);
};

/* Adds what an attr needs on the PMU, of which no numbers need be known. */
void pq_fit_add_cost(const struct pq_fit_pmu *pmu, const struct pmuq_attr *attr,
		     struct pq_fit_cost *ret);
/* The need of an attr on the PMU; registers that are new are added. */
int pq_fit_constrain(struct pq_fit_machine *machine, struct pq_arena *arena, struct pq_fit_pmu *pmu,
		     const struct pmuq_attr *attr, struct pq_fit_registers *registers,
		     struct pq_fit_event *ret);
