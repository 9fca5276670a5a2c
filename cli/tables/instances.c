/* SPDX-License-Identifier: MIT */
#include "cli/tables/instances.h"
#include "core/instance.h"
#include "core/ranges.h"
#include <string.h>

bool boxes_are_alike(const struct pmuq_pmu *a, const struct pmuq_pmu *b)
{
	return pq_instance_same_stem(a->name, b->name) && a->definition == b->definition &&
	       strcmp(a->cpus.p, b->cpus.p) == 0 && a->has_type == b->has_type;
}

/* The array has room for powers of two. */
bool boxes_add(struct boxes *boxes, const struct pmuq_pmu *pmu)
{
	size_t n = boxes->n;

	if ((n & (n - 1)) == 0) {
		const struct pmuq_pmu **grown =
			realloc(boxes->pmus, (n ? 2 * n : 1) * sizeof(*grown));

		if (!grown)
			return false;
		boxes->pmus = grown;
	}
	boxes->pmus[boxes->n++] = pmu;
	return true;
}

void boxes_clear(struct boxes *boxes)
{
	free(boxes->pmus);
	*boxes = (struct boxes){ 0 };
}

char *boxes_names(const struct boxes *boxes)
{
	auto_free const char **names = calloc(boxes->n, sizeof(*names));

	for (size_t i = 0; names && i < boxes->n; i++)
		names[i] = boxes->pmus[i]->name.p;
	return names ? pq_ranges_of_names(names, boxes->n) : NULL;
}

char *boxes_types(const struct boxes *boxes)
{
	auto_free uint32_t *types = calloc(boxes->n, sizeof(*types));

	for (size_t i = 0; types && i < boxes->n; i++) {
		if (!boxes->pmus[i]->has_type)
			return NULL;
		types[i] = boxes->pmus[i]->type;
	}
	return types ? pq_ranges_of_numbers(types, boxes->n) : NULL;
}
