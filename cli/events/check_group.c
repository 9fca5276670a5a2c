/* SPDX-License-Identifier: MIT */
/* The groups of a checked string: whether the kernel opens them, and whether all members count.
 * The kernel may refuse a member next to the others and open it alone, so an open result and a
 * count are incomplete without the members that were open at the time. */
#include "cli/events/check_output.h"
#include <errno.h>

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

/* Of several PMUs all must be able to. */
static enum pmuq_fit_status worse(enum pmuq_fit_status a, enum pmuq_fit_status b)
{
	if (a == PMUQ_FIT_NO || b == PMUQ_FIT_NO)
		return PMUQ_FIT_NO;
	return a == PMUQ_FIT_YES ? b : PMUQ_FIT_UNKNOWN;
}

/* Without a set nothing is known. */
static void predict(const struct result *result, struct check_group *group)
{
	const struct pmuq_fit_set *set;
	bool is_first = true;

	for (size_t i = 0; result->fit && (set = pmuq_fit_get(result->fit, i)); i++) {
		if (set->leader != group->leader)
			continue;
		group->predicts_open =
			is_first ? set->opens : worse(group->predicts_open, set->opens);
		group->predicts_count =
			is_first ? set->counts : worse(group->predicts_count, set->counts);
		if (set->counts == group->predicts_count && set->reason.n)
			group->reason = set->reason.p;
		is_first = false;
	}
}

/* Drivers refuse a member that does not fit with EINVAL, the one of breakpoints with ENOSPC.
 * Another refusal is not about counters. */
static bool is_about_counters(const struct result *result, const struct check_group *group)
{
	if (!is_open(result, group->leader))
		return false;
	for (size_t i = 0; i < pmuq_encodings_count(result->encodings); i++) {
		int errnum = pmuq_open_results_get(result->opens, i)->errnum;

		if (check_is_member(result, i, group->leader) && !is_open(result, i) &&
		    errnum != EINVAL && errnum != ENOSPC)
			return false;
	}
	return true;
}

static enum pmuq_fit_status compare(enum pmuq_fit_status predicted, bool is_so)
{
	if (predicted == PMUQ_FIT_UNKNOWN)
		return PMUQ_FIT_UNKNOWN;
	return (predicted == PMUQ_FIT_YES) == is_so ? PMUQ_FIT_YES : PMUQ_FIT_NO;
}

static void compare_group(const struct result *result, struct check_group *group)
{
	enum pmuq_fit_status opens, counts = PMUQ_FIT_UNKNOWN;

	predict(result, group);
	if (!is_about_counters(result, group))
		return;
	opens = compare(group->predicts_open, group->opens);
	if (group->is_counted)
		counts = compare(group->predicts_count, group->fits);
	if (opens == PMUQ_FIT_UNKNOWN || counts == PMUQ_FIT_UNKNOWN)
		group->agrees = opens == PMUQ_FIT_UNKNOWN ? counts : opens;
	else
		group->agrees = worse(opens, counts);
}

/* The counters of a group: if the kernel can count only some members together, `breaker` is the
 * first event that did not fit. */
bool check_group_of(const struct result *result, size_t index, struct check_group *ret)
{
	const struct pmuq_encodings *encodings = result->encodings;
	const struct pmuq_encoding *encoding = pmuq_encodings_get(encodings, index);

	*ret = (struct check_group){
		.opens = true, .fits = true, .parts = 1, .breaker = SIZE_MAX, .reason = ""
	};
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
	compare_group(result, ret);
	return true;
}
