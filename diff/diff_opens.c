/* SPDX-License-Identifier: MIT */
/* Whether the kernel opened the events: compares two checks, where both tried an event. */
#include "core/catalog/check.h"
#include "diff/diff.h"

/* "opened", or "refused, EACCES: reason". */
static struct pmuq_str print_result(struct pq_differ *d, const struct pmuq_open_result *result)
{
	struct pq_buf text = PQ_BUF_IN(&d->scratch);

	if (result->status == PMUQ_OPENED)
		return STR("opened");
	pq_buf_print(&text, "refused, %s", pmuq_errno_name(result->errnum));
	if (result->reason.p)
		pq_buf_print(&text, ": %.*s", STR_ARG(result->reason));
	return pq_diff_text(d, &text);
}

/* The result of that event; NULL if the kernel neither opened nor refused it. */
static const struct pmuq_open_result *find_result(const struct pmuq_check *check,
						  const struct pmuq_pmu *pmu, struct pmuq_str event)
{
	const struct pmuq_check_result *found = pmuq_check_find(check, pmu->name.p, event.p);

	if (!found)
		return NULL;
	return found->open->status == PMUQ_OPENED || found->open->status == PMUQ_REFUSED
		       ? found->open
		       : NULL;
}

/* Reasons are compared by name if they have one: the words differ between versions of pmuq. */
static bool is_same_refusal(const struct pmuq_open_result *a, const struct pmuq_open_result *b)
{
	if (a->errnum != b->errnum || !a->name.p != !b->name.p)
		return false;
	return a->name.p ? str_eq(a->name, b->name) : str_eq(a->reason, b->reason);
}

/* Fills in what changed; the sentence is static. */
static void describe(const struct pmuq_open_result *a, const struct pmuq_open_result *b,
		     struct pq_single *ret)
{
	struct pq_change *change = &ret->change;

	if (a->status == PMUQ_OPENED) {
		change->type = PMUQ_CHANGE_OPENS_NO_MORE;
		change->weight = PMUQ_WEIGHT_BREAKING;
		ret->sentence = "the kernel opened it before, and refuses it now";
	} else if (b->status == PMUQ_OPENED) {
		change->type = PMUQ_CHANGE_OPENS_NOW;
		change->weight = PMUQ_WEIGHT_ADDITION;
		ret->sentence = "the kernel refused it before, and opens it now";
	} else {
		change->type = PMUQ_CHANGE_REFUSED_OTHERWISE;
		change->weight = PMUQ_WEIGHT_COSMETIC;
		ret->sentence = "the kernel refuses it as before, for another reason";
	}
}

/* Only results that both checks contain can have changed. */
static void compare(struct pq_differ *d, const struct pmuq_pmu *pmu, struct pmuq_str event)
{
	const struct pmuq_open_result *a = find_result(d->checks[PQ_BEFORE], pmu, event);
	const struct pmuq_open_result *b = find_result(d->checks[PQ_AFTER], pmu, event);
	struct pq_single single;

	if (!a || !b)
		return;
	if (a->status == b->status && (a->status == PMUQ_OPENED || is_same_refusal(a, b)))
		return;
	single = (struct pq_single){ .pmu = pmu, .change.name = event };
	describe(a, b, &single);
	single.change.text[PQ_BEFORE] = print_result(d, a);
	single.change.text[PQ_AFTER] = print_result(d, b);
	pq_diff_add_single(d, &single);
}

/* The kernel's own events, which no file of the PMU names. They are the last results. */
static void compare_generic(struct pq_differ *d, const struct pmuq_pmu *pmu)
{
	const struct pmuq_check *check = d->checks[PQ_BEFORE];

	for (size_t i = pmuq_check_progress(check)->n_results; i-- > 0;) {
		const struct pmuq_check_result *result = pmuq_check_get(check, i);

		if (!result->is_generic)
			break;
		if (str_eq(result->pmu, pmu->name))
			compare(d, pmu, result->event);
	}
}

/* Iterates over the events of side 0: a new event of side 1 is a change of its own. */
void pq_diff_opens(struct pq_differ *d, const struct pq_pairing *pairing)
{
	const struct pq_def *def = pq_pairing_def(pairing, PQ_BEFORE);

	if (!d->checks[PQ_BEFORE] || !d->checks[PQ_AFTER])
		return;
	for (size_t i = 0; i < pairing->n; i++) {
		const struct pmuq_pmu *pmu = pairing->pairs[i].pmu[PQ_BEFORE];

		for (size_t k = 0; k < def->record.n_events; k++)
			compare(d, pmu, def->events[k].name);
		compare_generic(d, pmu);
	}
}
