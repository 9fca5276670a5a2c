/* SPDX-License-Identifier: MIT */
/* Lists the names of a machine's PMUs, and groups instances. */
#include "cli/tables/machine_pmus.h"
#include "cli/or_die.h"
#include "cli/report.h"
#include "core/attr/attr.h"
#include "core/instance.h"
#include "core/ranges.h"
#include <string.h>

#define SOFTWARE "software"

struct machine_pmu machine_pmu_of(const struct pmuq_pmu *pmu)
{
	return (struct machine_pmu){
		.name = pmu->name.p,
		.is_core = pmu->is_core,
		.is_software = pmu->has_type && pmu->type == PQ_TYPE_SOFTWARE,
	};
}

struct machine_pmu *machine_pmus_find(const struct machine_pmus *pmus, const char *name)
{
	for (size_t i = 0; i < pmus->n; i++)
		if (strcmp(pmus->v[i].name, name) == 0)
			return &pmus->v[i];
	return NULL;
}

/* Every core PMU counts cycles, and no other one does. */
static void mark_cores(struct pmuq_source *source, struct machine_pmus *pmus)
{
	const struct pmuq_encode_options options = { .size = sizeof(options),
						     .from = PMUQ_FROM_GENERIC };
	cleanup(pmuq_encodings_freep) struct pmuq_encodings *encodings = NULL;

	optional_or_die(pmuq_source_encode(source, "cycles", &options, &encodings, NULL));
	for (size_t i = 0; encodings && i < pmuq_encodings_count(encodings); i++) {
		const char *name = pmuq_encodings_get(encodings, i)->pmu.p;
		struct machine_pmu *pmu = name ? machine_pmus_find(pmus, name) : NULL;

		if (pmu)
			pmu->is_core = true;
	}
}

enum status machine_pmus_read(struct pmuq_source *source, struct machine_pmus *ret)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;

	if (pmuq_source_list_pmus(source, "", &ret->names, &error) < 0)
		return report_error(error, NULL);
	for (size_t i = 0; i < pmuq_names_count(ret->names); i++) {
		const char *name = pmuq_names_get(ret->names, i);

		push_or_die(ret, ((struct machine_pmu){
					 .name = name,
					 .is_software = strcmp(name, SOFTWARE) == 0,
				 }));
	}
	mark_cores(source, ret);
	return STATUS_OK;
}

void machine_pmus_clear(struct machine_pmus *pmus)
{
	pq_vec_free(pmus);
	pmuq_names_free(pmus->names);
}

size_t machine_pmus_count_instances(const struct machine_pmus *pmus, size_t first)
{
	struct pmuq_str name = str_of(pmus->v[first].name);
	size_t n = 1;

	while (!pmus->v[first].is_core && first + n < pmus->n &&
	       pq_instance_same_stem(name, str_of(pmus->v[first + n].name)))
		n++;
	return n;
}

char *machine_pmus_label(const struct machine_pmus *pmus, size_t first, size_t n)
{
	auto_free struct pmuq_str *names = or_die(calloc(n, sizeof(*names)));

	for (size_t i = 0; i < n; i++)
		names[i] = str_of(pmus->v[first + i].name);
	return or_die(pq_ranges_of_names(names, n));
}

size_t machine_pmus_stem(const struct machine_pmus *pmus, size_t first, size_t n)
{
	struct pmuq_str name = str_of(pmus->v[first].name), stem = name;
	uint32_t number;

	if (n > 1)
		pq_instance_number(name, &stem, &number);
	return stem.n < name.n && stem.n > 1 && str_ends(stem, STR("_")) ? stem.n - 1 : stem.n;
}
