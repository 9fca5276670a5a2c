/* SPDX-License-Identifier: MIT */
/* What the kernel said when the events were opened: before and after, where both were asked. */
#include "core/buf.h"
#include "core/catalog/check.h"
#include "diff/diff.h"

struct verdicts {
	struct pq_differ *d;
	struct pq_singles singles;
};

/* "opened", or "refused, EACCES: reason". */
static bool print_answer(struct pq_arena *arena, const struct pmuq_check_result *answer,
			 struct pmuq_str *ret)
{
	cleanup(pq_buf_free) struct pq_buf text = PQ_BUF_NULL;
	const struct pmuq_open_result *reply = answer->open;

	if (reply->status == PMUQ_OPENED) {
		*ret = STR("opened");
		return true;
	}
	pq_buf_print(&text, "refused, %s", pmuq_errno_name(reply->errnum));
	if (reply->reason.p)
		pq_buf_print(&text, ": %.*s", STR_ARG(reply->reason));
	*ret = text.failed ? (struct pmuq_str){ 0 } : pq_arena_str(arena, pq_buf_str(&text));
	return ret->p != NULL;
}

static bool is_answer(const struct pmuq_check_result *answer)
{
	return answer &&
	       (answer->open->status == PMUQ_OPENED || answer->open->status == PMUQ_REFUSED);
}

/* The reason behind the errno, by its name where it has one: words may be of another kernel. */
static bool is_same_refusal(const struct pmuq_open_result *a, const struct pmuq_open_result *b)
{
	if (a->errnum != b->errnum || !a->name.p != !b->name.p)
		return false;
	return a->name.p ? str_eq(a->name, b->name) : str_eq(a->reason, b->reason);
}

static void tell(const struct pmuq_open_result *a, const struct pmuq_open_result *b,
		 struct pq_single *ret)
{
	struct pq_change *change = &ret->change;

	if (a->status == PMUQ_OPENED) {
		change->type = PMUQ_CHANGE_OPENS_NO_MORE;
		change->weight = PMUQ_WEIGHT_BREAKING;
		ret->sentence = "the kernel opened it, and refuses it now";
	} else if (b->status == PMUQ_OPENED) {
		change->type = PMUQ_CHANGE_OPENS_NOW;
		change->weight = PMUQ_WEIGHT_ADDITION;
		ret->sentence = "the kernel refused it, and opens it now";
	} else {
		change->type = PMUQ_CHANGE_REFUSED_OTHERWISE;
		change->weight = PMUQ_WEIGHT_COSMETIC;
		ret->sentence = "the kernel refuses it as before, for another reason";
	}
}

static int compare(struct verdicts *v, const struct pmuq_pmu *pmu, struct pmuq_str event)
{
	struct pq_differ *d = v->d;
	const struct pmuq_check_result *a =
		pmuq_check_find(d->checks[PQ_BEFORE], pmu->name.p, event.p);
	const struct pmuq_check_result *b =
		pmuq_check_find(d->checks[PQ_AFTER], pmu->name.p, event.p);
	struct pq_single single = { .pmu = pmu, .change.name = event };

	if (!is_answer(a) || !is_answer(b))
		return 0;
	if (a->open->status == b->open->status &&
	    (a->open->status == PMUQ_OPENED || is_same_refusal(a->open, b->open)))
		return 0;
	tell(a->open, b->open, &single);
	if (!print_answer(&d->scratch, a, &single.change.text[PQ_BEFORE]) ||
	    !print_answer(&d->scratch, b, &single.change.text[PQ_AFTER]))
		return pq_fail_memory(d->reterr);
	return pq_singles_add(d, &v->singles, &single);
}

/* The kernel's own events, which no file of the PMU names. */
static int compare_generic(struct verdicts *v, const struct pmuq_pmu *pmu)
{
	const struct pmuq_check *check = v->d->checks[PQ_BEFORE];
	int r = 0;

	for (size_t i = pmuq_check_progress(check)->n_results; r == 0 && i-- > 0;) {
		const struct pmuq_check_result *answer = pmuq_check_get(check, i);

		if (!answer->is_generic) /* they stand behind all others */
			break;
		if (str_eq(answer->pmu, pmu->name))
			r = compare(v, pmu, answer->event);
	}
	return r;
}

static int compare_all(struct verdicts *v, const struct pq_pairing *pairing)
{
	const struct pq_def *def = pq_pairing_def(pairing, PQ_BEFORE);
	int r = 0;

	for (size_t i = 0; r == 0 && i < pairing->n; i++) {
		const struct pmuq_pmu *pmu = pairing->pmus[PQ_BEFORE][i];

		for (size_t k = 0; r == 0 && k < def->record.n_events; k++)
			r = compare(v, pmu, def->events[k].name);
		if (r == 0)
			r = compare_generic(v, pmu);
	}
	return r;
}

int pq_diff_verdicts(struct pq_differ *d, const struct pq_pairing *pairing)
{
	struct verdicts v = { .d = d };
	int r;

	if (!d->checks[PQ_BEFORE] || !d->checks[PQ_AFTER])
		return 0;
	r = compare_all(&v, pairing);
	if (r == 0)
		r = pq_singles_finish(d, &v.singles);
	pq_singles_free(&v.singles);
	return r;
}
