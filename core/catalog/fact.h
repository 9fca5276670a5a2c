/* SPDX-License-Identifier: MIT */
/*
 * THE table of the facts about a host that have a meaning, in the order in which a catalog lists
 * them: the owner of a fact, whether encodings depend on it, and how to judge a new text. Facts
 * with other names follow them, in the order in which they were added.
 */
#pragma once

#include "core/catalog/change_rule.h"
#include "core/str.h"

/* The owner of a fact. */
enum pq_fact_owner {
	PQ_FACT_SHARED,	  /* shared: many hosts can have the same text */
	PQ_FACT_HOST,	  /* one host */
	PQ_FACT_VOLATILE, /* one host; a new value does not create a new snapshot */
};

/*
 * X(id, name, owner, use, rule). CLASS: encodings depend on the fact, so hosts of one class have
 * the same text. The encoder can query no other facts: enum pq_class_fact does not contain them.
 * `rule` is how diff judges a new text (core/catalog/change_rule.h).
 */
// clang-format off
#define PQ_FACTS(X) \
	X(HOSTNAME, "hostname", HOST, PRINT, VOLATILE) \
	X(KERNEL, "kernel", SHARED, PRINT, COSMETIC) \
	X(ARCH, "arch", SHARED, CLASS, OTHER) \
	X(CPUID, "cpuid", SHARED, CLASS, OTHER) \
	X(CPUS_PRESENT, "cpus_present", SHARED, CLASS, CPUS) \
	X(CPUS_ONLINE, "cpus_online", SHARED, CLASS, CPUS) \
	/* Numbers of online cores, dies and packages, and whether a core can have several CPUs:
	 * formulas of metrics name them. */ \
	X(CORES, "cores", SHARED, PRINT, OTHER) \
	X(DIES, "dies", SHARED, PRINT, OTHER) \
	X(PACKAGES, "packages", SHARED, PRINT, OTHER) \
	X(SMT, "smt", SHARED, PRINT, OTHER) \
	X(TSC_HZ, "tsc_hz", SHARED, PRINT, OTHER) \
	X(PMEM, "pmem", SHARED, PRINT, OTHER) \
	X(PERF_EVENT_PARANOID, "perf_event_paranoid", SHARED, PRINT, LESS) \
	/* VOLATILE: the kernel lowers it when its interrupts take too long. */ \
	X(PERF_EVENT_MAX_SAMPLE_RATE, "perf_event_max_sample_rate", VOLATILE, PRINT, VOLATILE) \
	X(PERF_EVENT_MLOCK_KB, "perf_event_mlock_kb", SHARED, PRINT, MORE) \
	X(PERF_EVENT_MAX_STACK, "perf_event_max_stack", SHARED, PRINT, MORE) \
	/* LESS: the watchdog takes a counter of each CPU. */ \
	X(NMI_WATCHDOG, "nmi_watchdog", SHARED, PRINT, LESS) \
	X(BOOT_ID, "boot_id", VOLATILE, PRINT, VOLATILE) \
	X(MACHINE_ID, "machine_id", HOST, PRINT, VOLATILE) \
	/* COSMETIC: the text is "assumed" if the kernel could not be probed. */ \
	X(EXTENDED_TYPE, "extended_type", SHARED, CLASS, COSMETIC) \
	X(HYPERVISOR, "hypervisor", SHARED, PRINT, COSMETIC) \
	/* The source of an incomplete machine ("perf.data"); hints mention it. */ \
	X(INCOMPLETE, "incomplete", SHARED, CLASS, VOLATILE)
// clang-format on

enum pq_fact {
#define X(id, name, owner, use, rule) PQ_FACT_##id,
	PQ_FACTS(X)
#undef X
	/* The number of rows; also used for a fact that is not in the table. */
	PQ_FACT_COUNT,
};

/* The facts that encodings depend on, with the same values as in enum pq_fact. */
enum pq_class_fact {
#define PQ_FACT_FOR_CLASS(id) PQ_CLASS_##id = PQ_FACT_##id,
#define PQ_FACT_FOR_PRINT(id)
#define X(id, name, owner, use, rule) PQ_FACT_FOR_##use(id)
	PQ_FACTS(X)
#undef X
#undef PQ_FACT_FOR_CLASS
#undef PQ_FACT_FOR_PRINT
};

/* PQ_FACT_COUNT for a name that is not in the table. */
enum pq_fact pq_fact_find(struct pmuq_str name);
struct pmuq_str pq_fact_name(enum pq_fact fact);
/* Facts that are not in the table are shared. */
enum pq_fact_owner pq_fact_owner(struct pmuq_str name);
/* A fact that is not in the table is volatile to diff: it may belong to a boot or a host. */
enum pq_change_rule pq_fact_rule(struct pmuq_str name);
/* Whether encodings depend on the fact. */
bool pq_fact_is_of_class(struct pmuq_str name);
/* Inserts the fact among n that are in the order of the table; facts that are not in the table come
 * last, in the order in which they were inserted. */
void pq_fact_insert(struct pmuq_pair *v, size_t n, struct pmuq_pair fact);
