/* SPDX-License-Identifier: MIT */
/*
 * The table of the terms for the location of a probe. attr/apply_probe.c checks and applies them.
 */
#include "encode/words/probe_terms.h"

/* The kernel's KSYM_NAME_LEN and PATH_MAX, without their NUL. */
#define SYMBOL_MAX 511u
#define PATH_MAX_BYTES 4095u

// clang-format off
static const struct pq_probe_term probe_terms[] = {
	{ .pmu = STR("kprobe"), .key = STR("func"),   .max_bytes = SYMBOL_MAX, .field = "kprobe_func", .also = "" },
	{ .pmu = STR("kprobe"), .key = STR("offset"), .max_bytes = 0 },
	{ .pmu = STR("kprobe"), .key = STR("addr"),   .max_bytes = 0 },
	{ .pmu = STR("uprobe"), .key = STR("path"),   .max_bytes = PATH_MAX_BYTES, .field = "uprobe_path", .also = ",offset=…" },
	{ .pmu = STR("uprobe"), .key = STR("offset"), .max_bytes = 0 },
};
// clang-format on

const struct pq_probe_term *pq_probe_term_find(const struct pmuq_pmu *pmu, struct pmuq_str key)
{
	for (size_t i = 0; i < COUNT(probe_terms); i++)
		if (str_eq(probe_terms[i].key, key) && str_eq(probe_terms[i].pmu, pmu->name))
			return &probe_terms[i];
	return NULL;
}

const struct pq_probe_term *pq_probe_term_at(const struct pmuq_pmu *pmu, size_t index)
{
	for (size_t i = 0; i < COUNT(probe_terms); i++)
		if (str_eq(probe_terms[i].pmu, pmu->name) && !index--)
			return &probe_terms[i];
	return NULL;
}
