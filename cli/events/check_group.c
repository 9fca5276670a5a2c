/* SPDX-License-Identifier: MIT */
/* The groups of a checked string: whether the kernel opens them, and whether all members count.
 * The kernel may refuse a member next to the others and open it alone, so an open result and a
 * count are incomplete without the members that were open at the time. */
#include "cli/events/check_output.h"

bool check_is_member(const struct result *result, size_t index, size_t leader)
{
	const struct pmuq_encoding *encoding = pmuq_encodings_get(result->encodings, index);

	return encoding->n_members && encoding->leader == leader;
}

static bool are_siblings(const struct result *result, size_t index, size_t other)
{
	size_t leader = pmuq_encodings_get(result->encodings, index)->leader;

	return index != other && check_is_member(result, index, leader) &&
	       check_is_member(result, other, leader);
}

static bool is_open(const struct result *result, size_t index)
{
	return pmuq_open_results_get(result->opens, index)->status == PMUQ_OPENED;
}

/* Without its leader, each member is opened alone. */
bool check_is_opened_with(const struct result *result, size_t index, size_t other)
{
	return are_siblings(result, index, other) && is_open(result, other) &&
	       is_open(result, pmuq_encodings_get(result->encodings, index)->leader) &&
	       pmuq_open_results_get(result->opens, index)->status != PMUQ_SKIPPED;
}

bool check_is_counted_with(const struct result *result, size_t index, size_t other)
{
	size_t subgroup =
		result->counts ? pmuq_counts_get(result->counts, index)->subgroup : SIZE_MAX;

	return subgroup != SIZE_MAX && are_siblings(result, index, other) &&
	       pmuq_counts_get(result->counts, other)->subgroup == subgroup;
}

/* The counters of a group: if the kernel can count only some members together, `breaker` is the
 * first event that did not fit. */
bool check_group_of(const struct result *result, size_t index, struct check_group *ret)
{
	const struct pmuq_encodings *encodings = result->encodings;
	const struct pmuq_encoding *encoding = pmuq_encodings_get(encodings, index);

	*ret = (struct check_group){ .opens = true, .fits = true, .parts = 1, .breaker = SIZE_MAX };
	if (!encoding->n_members || encoding->leader != index)
		return false;
	ret->leader = index;
	ret->members = encoding->n_members;
	ret->name = encoding->group_name.p;
	for (size_t i = 0; i < pmuq_encodings_count(encodings); i++)
		if (check_is_member(result, i, index) && !is_open(result, i))
			ret->opens = false;
	if (result->counts && pmuq_counts_get(result->counts, index)->is_grouped) {
		ret->is_counted = true;
		ret->parts = pmuq_counts_get(result->counts, index)->n_subgroups;
		ret->breaker = pmuq_counts_get(result->counts, index)->breaker;
		ret->fits = ret->breaker == SIZE_MAX;
	}
	return true;
}
