/* SPDX-License-Identifier: MIT */
/*
 * From events to encodings: each function appends the encodings of e->node on this machine to the
 * result.
 */
#pragma once

#include "encode/encoder.h"

struct pq_bindings;

/* Whether a text is a name for one way of resolving; if not, the next way is tried. */
enum pq_resolved {
	PQ_RESOLVED = 0,
	PQ_UNKNOWN_NAME = 1,
};

/* resolve_name.c: NAME and NAME/terms/. */
int pq_encode_name(const struct pq_encoder *e);
/* The event's terms on the PMUs that the text names. An enum pq_resolved, or a failure. */
int pq_encode_pmus(const struct pq_encoder *e, struct pmuq_str text);
/* Whether TEXT/…/ matches the PMU of that name: as a pattern, or as a name before an instance
 * number (uncore_imc and imc match uncore_imc_0). TEXT is not empty. */
struct pq_wildcard {
	struct pmuq_str text;
	bool has_glob, keeps_uncore;
};
struct pq_wildcard pq_wildcard_of(struct pmuq_str text, bool is_perf);
bool pq_wildcard_matches(const struct pq_wildcard *wildcard, struct pmuq_str pmu_name);

/* raw_event.c: events that do not depend on a PMU. */
int pq_encode_raw(const struct pq_encoder *e);
int pq_encode_numeric(const struct pq_encoder *e);
PQ_COLD int pq_encode_breakpoint(const struct pq_encoder *e);
/* resolve_tracepoint.c */
int pq_encode_tracepoint(const struct pq_encoder *e);
/* resolve_pfm.c: e->node is a name of libpfm4. */
int pq_encode_pfm(const struct pq_encoder *e);
/* Last resort: try libpfm4. An enum pq_resolved, or a failure; PQ_UNKNOWN_NAME also if libpfm4 is
 * disabled. */
int pq_encode_pfm_else(const struct pq_encoder *e);
/* resolve_pfm_tracepoint.c: the tracepoint in a name that libpfm4 refuses with `error`. An enum
 * pq_resolved, or a failure. */
int pq_encode_pfm_tracepoint(const struct pq_encoder *e, const struct pmuq_error *error);

/* resolve_vendor.c: the event of that name that a CPU's tables have for the PMU, or PQ_NONE. */
int pq_vendor_event(const struct pq_encoder *e, const struct pmuq_pmu *pmu, struct pmuq_str name,
		    const struct pmuq_vendor_event **ret);
/* The PMUs that have the event, in their own files or in the tables, in the machine's order. */
int pq_find_event(const struct pq_encoder *e, struct pmuq_str name, struct pq_pmu_list *ret);
int pq_warn_vendor(const struct pq_encoder *e, const struct pq_bindings *bindings,
		   struct pq_encoding *encoding);
