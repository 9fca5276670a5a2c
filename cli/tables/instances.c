/* SPDX-License-Identifier: MIT */
/* Groups sibling instances, and prints their names and types as ranges. */
#include "cli/tables/instances.h"
#include "cli/or_die.h"
#include "core/instance.h"
#include "core/ranges.h"
#include <string.h>

/* A catalog has one object for each definition, so comparing the pointers is enough. */
bool instances_are_equal(const struct pmuq_pmu *a, const struct pmuq_pmu *b)
{
	return pq_instance_same_stem(a->name, b->name) && a->definition == b->definition &&
	       str_eq(a->cpus, b->cpus) && a->has_type == b->has_type;
}

char *instances_names(const struct instances *instances)
{
	auto_free struct pmuq_str *names = or_die(calloc(instances->n, sizeof(*names)));

	for (size_t i = 0; i < instances->n; i++)
		names[i] = instances->v[i]->name;
	return or_die(pq_ranges_of_names(names, instances->n));
}

char *instances_types(const struct instances *instances)
{
	auto_free uint32_t *types = or_die(calloc(instances->n, sizeof(*types)));

	for (size_t i = 0; i < instances->n; i++) {
		if (!instances->v[i]->has_type)
			return NULL;
		types[i] = instances->v[i]->type;
	}
	return or_die(pq_ranges_of_numbers(types, instances->n));
}

bool instances_have_same(const struct instances *instances, size_t index)
{
	const struct pmuq_pair *first = &instances->v[0]->attributes[index];

	for (size_t i = 1; i < instances->n; i++) {
		const struct pmuq_pair *other = &instances->v[i]->attributes[index];

		if (index >= instances->v[i]->n_attributes ||
		    strcmp(first->name.p, other->name.p) != 0 ||
		    strcmp(first->text.p, other->text.p) != 0)
			return false;
	}
	return true;
}
