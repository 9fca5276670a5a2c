/* SPDX-License-Identifier: MIT */
/* The list of changes: adding to it, sorting it, and the functions of the API that read it. */
#include "diff/diff.h"

static const char *const weight_names[] = {
	[PMUQ_WEIGHT_BREAKING] = "breaking", [PMUQ_WEIGHT_MEANING] = "meaning",
	[PMUQ_WEIGHT_ADDITION] = "addition", [PMUQ_WEIGHT_COSMETIC] = "cosmetic",
	[PMUQ_WEIGHT_PASSING] = "passing",
};

static const char *const type_names[] = {
	[PMUQ_CHANGE_PMU_GONE] = "pmu-gone",
	[PMUQ_CHANGE_PMU_NEW] = "pmu-new",
	[PMUQ_CHANGE_PMU_RENAMED] = "pmu-renamed",
	[PMUQ_CHANGE_INSTANCES_GONE] = "instances-gone",
	[PMUQ_CHANGE_INSTANCES_NEW] = "instances-new",
	[PMUQ_CHANGE_PMU_TYPE] = "pmu-type",
	[PMUQ_CHANGE_PMU_CPUS] = "pmu-cpus",
	[PMUQ_CHANGE_PMU_ALIAS] = "pmu-alias",
	[PMUQ_CHANGE_FORMAT_GONE] = "format-gone",
	[PMUQ_CHANGE_FORMAT_NEW] = "format-new",
	[PMUQ_CHANGE_FORMAT_MOVED] = "format-moved",
	[PMUQ_CHANGE_FORMAT_NARROWED] = "format-narrowed",
	[PMUQ_CHANGE_FORMAT_WIDENED] = "format-widened",
	[PMUQ_CHANGE_FORMAT_TEXT] = "format-text",
	[PMUQ_CHANGE_EVENT_GONE] = "event-gone",
	[PMUQ_CHANGE_EVENT_NEW] = "event-new",
	[PMUQ_CHANGE_EVENT_RENAMED] = "event-renamed",
	[PMUQ_CHANGE_EVENT_BROKEN] = "event-broken",
	[PMUQ_CHANGE_EVENT_FIXED] = "event-fixed",
	[PMUQ_CHANGE_EVENT_BITS] = "event-bits",
	[PMUQ_CHANGE_EVENT_SETTINGS] = "event-settings",
	[PMUQ_CHANGE_EVENT_TEXT] = "event-text",
	[PMUQ_CHANGE_EVENT_UNIT] = "event-unit",
	[PMUQ_CHANGE_EVENT_SCALE] = "event-scale",
	[PMUQ_CHANGE_EVENT_FLAGS] = "event-flags",
	[PMUQ_CHANGE_CAP_GONE] = "cap-gone",
	[PMUQ_CHANGE_CAP_NEW] = "cap-new",
	[PMUQ_CHANGE_CAP] = "cap",
	[PMUQ_CHANGE_ATTRIBUTE_GONE] = "attribute-gone",
	[PMUQ_CHANGE_ATTRIBUTE_NEW] = "attribute-new",
	[PMUQ_CHANGE_ATTRIBUTE] = "attribute",
	[PMUQ_CHANGE_FACT_GONE] = "fact-gone",
	[PMUQ_CHANGE_FACT_NEW] = "fact-new",
	[PMUQ_CHANGE_FACT] = "fact",
	[PMUQ_CHANGE_TRACEPOINT_GONE] = "tracepoint-gone",
	[PMUQ_CHANGE_TRACEPOINT_NEW] = "tracepoint-new",
	[PMUQ_CHANGE_TRACEPOINTS_UNKNOWN] = "tracepoints-unknown",
	[PMUQ_CHANGE_OPENS_NO_MORE] = "opens-no-more",
	[PMUQ_CHANGE_OPENS_NOW] = "opens-now",
	[PMUQ_CHANGE_REFUSED_OTHERWISE] = "refused-otherwise",
};

/* A copy in the diff that ends with a NUL; NULL stays NULL. */
static struct pmuq_str copy_text(struct pq_differ *d, struct pmuq_str text)
{
	struct pmuq_str copy = text.p ? pq_arena_str(&d->diff->arena, text) : text;

	d->is_out_of_memory |= text.p && !copy.p;
	return copy;
}

/* Copies everything, because the catalogs may be freed before the diff. */
void pq_diff_add(struct pq_differ *d, const struct pq_change *change, const char *format, ...)
{
	struct pmuq_diff *diff = d->diff;
	struct pq_change kept = *change;
	struct pq_buf sentence = PQ_BUF_IN(&diff->arena);
	va_list args;

	va_start(args, format);
	pq_buf_print_args(&sentence, format, args);
	va_end(args);
	kept.sentence = pq_buf_take_str(&sentence);
	kept.name = copy_text(d, kept.name);
	for (int side = 0; side < PQ_SIDES; side++)
		kept.text[side] = copy_text(d, kept.text[side]);
	kept.rank = d->rank;
	kept.number = diff->n;
	if (!kept.sentence.p || !pq_vec_push(&diff->changes, kept)) {
		d->is_out_of_memory = true;
		return;
	}
	diff->counts[kept.weight]++;
	diff->n++;
}

struct pq_pmu_names pq_diff_names(struct pq_differ *d, size_t n)
{
	struct pmuq_str *v = pq_arena_array(&d->diff->arena, n, sizeof(*v));

	d->is_out_of_memory |= !v;
	return (struct pq_pmu_names){ .v = v };
}

void pq_diff_add_name(struct pq_differ *d, struct pq_pmu_names *names, struct pmuq_str name)
{
	if (names->v)
		names->v[names->n++] = copy_text(d, name);
}

/* The heaviest first; then host, PMUs, tracepoints; then by type; then in the order of
 * discovery. */
static int compare(const void *of_a, const void *of_b)
{
	const struct pq_change *a = of_a, *b = of_b;

	if (a->weight != b->weight)
		return pq_diff_order(a->weight, b->weight);
	if (a->rank != b->rank)
		return pq_diff_order(a->rank, b->rank);
	if (a->type != b->type)
		return pq_diff_order(a->type, b->type);
	return pq_diff_order(a->number, b->number);
}

/* Most changes have no bits: their records share these words. */
static const uint64_t no_words[PQ_SIDES][PQ_CONFIG_WORDS];

static bool make_record(struct pq_arena *arena, const struct pq_change *change,
			struct pmuq_change *ret)
{
	const uint64_t(*words)[PQ_CONFIG_WORDS] = no_words;

	if (memcmp(change->words, no_words, sizeof(no_words)) != 0) {
		void *copy = pq_arena_take(arena, sizeof(change->words));

		if (!copy)
			return false;
		words = memcpy(copy, change->words, sizeof(change->words));
	}
	*ret = (struct pmuq_change){
		.size = sizeof(*ret),
		.pmus = change->pmus.v,
		.n_pmus = change->pmus.n,
		.new_pmus = change->new_pmus.v,
		.n_new_pmus = change->new_pmus.n,
		.name = change->name,
		.before = change->text[PQ_BEFORE],
		.after = change->text[PQ_AFTER],
		.text = change->sentence,
		.words_before = words[PQ_BEFORE],
		.words_after = words[PQ_AFTER],
		.n_words = PQ_CONFIG_WORDS,
		.type = change->type,
		.weight = change->weight,
	};
	return true;
}

/* Records are made last: sorting moves changes, and callers keep pointers to records. */
void pq_diff_sort(struct pq_differ *d)
{
	struct pmuq_diff *diff = d->diff;

	if (diff->n)
		qsort(diff->changes.v, diff->n, sizeof(*diff->changes.v), compare);
	diff->records = pq_arena_array(&diff->arena, diff->n, sizeof(*diff->records));
	d->is_out_of_memory |= !diff->records;
	for (size_t i = 0; diff->records && i < diff->n; i++)
		if (!make_record(&diff->arena, &diff->changes.v[i], &diff->records[i]))
			d->is_out_of_memory = true;
	pq_vec_free(&diff->changes);
}

PQ_API void pmuq_diff_free(struct pmuq_diff *diff)
{
	if (!diff)
		return;
	pq_arena_clear(&diff->arena);
	pq_vec_free(&diff->changes);
	free(diff);
}

PQ_API size_t pmuq_diff_count(const struct pmuq_diff *diff)
{
	return diff->n;
}

PQ_API const struct pmuq_change *pmuq_diff_get(const struct pmuq_diff *diff, size_t index)
{
	return index < diff->n ? &diff->records[index] : NULL;
}

PQ_API size_t pmuq_diff_weight_count(const struct pmuq_diff *diff, enum pmuq_weight weight)
{
	return (size_t)weight < COUNT(diff->counts) ? diff->counts[weight] : 0;
}

PQ_API const char *pmuq_weight_name(enum pmuq_weight weight)
{
	return (size_t)weight < COUNT(weight_names) ? weight_names[weight] : NULL;
}

PQ_API const char *pmuq_change_type_name(enum pmuq_change_type type)
{
	return (size_t)type < COUNT(type_names) ? type_names[type] : NULL;
}
