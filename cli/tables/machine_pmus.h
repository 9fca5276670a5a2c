/* SPDX-License-Identifier: MIT */
/* The PMUs of a machine by their names: to list them, no file of a PMU is read. */
#pragma once

#include "cli/cmd.h"
#include "core/vec.h"
#include <pmuq/pmuq.h>

struct machine_pmu {
	const char *name;
	bool is_core, is_software; /* of events in software */
};

/* In the order of a catalog. */
struct machine_pmus {
	PQ_VEC(struct machine_pmu);
	struct pmuq_names *names; /* owns them */
};

struct machine_pmu machine_pmu_of(const struct pmuq_pmu *pmu);

/* Reports a failure and returns its status, like the next function. */
enum status machine_pmus_read(struct pmuq_source *source, struct machine_pmus *ret);
void machine_pmus_clear(struct machine_pmus *pmus);

/* NULL: the machine does not have it. */
struct machine_pmu *machine_pmus_find(const struct machine_pmus *pmus, const char *name);

/* The number of PMUs from this one on that are instances of one: their names differ in a number
 * only, and all have the events of the first (names.h). At least 1. */
size_t machine_pmus_count_instances(const struct machine_pmus *pmus, size_t first);
/* "uncore_imc_[0-5]", to be freed. */
char *machine_pmus_label(const struct machine_pmus *pmus, size_t first, size_t n);
/* The bytes of the name for all instances in an event string: "uncore_imc" of "uncore_imc_0". */
size_t machine_pmus_stem(const struct machine_pmus *pmus, size_t first, size_t n);
