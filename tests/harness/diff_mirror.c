/* SPDX-License-Identifier: MIT */
#include "tests/harness/diff_mirror.h"
#include "core/attr/attr.h"
#include "core/buf.h"
#include <stdio.h>

static const struct {
	enum pmuq_change_type type, mirrored;
} mirrored_types[] = {
	{ PMUQ_CHANGE_PMU_GONE, PMUQ_CHANGE_PMU_NEW },
	{ PMUQ_CHANGE_INSTANCES_GONE, PMUQ_CHANGE_INSTANCES_NEW },
	{ PMUQ_CHANGE_FORMAT_GONE, PMUQ_CHANGE_FORMAT_NEW },
	{ PMUQ_CHANGE_FORMAT_NARROWED, PMUQ_CHANGE_FORMAT_WIDENED },
	{ PMUQ_CHANGE_EVENT_GONE, PMUQ_CHANGE_EVENT_NEW },
	{ PMUQ_CHANGE_EVENT_BROKEN, PMUQ_CHANGE_EVENT_FIXED },
	{ PMUQ_CHANGE_CAP_GONE, PMUQ_CHANGE_CAP_NEW },
	{ PMUQ_CHANGE_ATTRIBUTE_GONE, PMUQ_CHANGE_ATTRIBUTE_NEW },
	{ PMUQ_CHANGE_FACT_GONE, PMUQ_CHANGE_FACT_NEW },
	{ PMUQ_CHANGE_TRACEPOINT_GONE, PMUQ_CHANGE_TRACEPOINT_NEW },
	{ PMUQ_CHANGE_OPENS_NO_MORE, PMUQ_CHANGE_OPENS_NOW },
};

static enum pmuq_change_type mirror_type(enum pmuq_change_type type)
{
	for (size_t i = 0; i < COUNT(mirrored_types); i++) {
		if (mirrored_types[i].type == type)
			return mirrored_types[i].mirrored;
		if (mirrored_types[i].mirrored == type)
			return mirrored_types[i].type;
	}
	return type;
}

static enum pmuq_weight mirror_weight(const struct pmuq_change *change)
{
	enum pmuq_weight weight = change->weight;
	enum pmuq_change_type type = change->type;
	bool is_other_name = type == PMUQ_CHANGE_PMU_RENAMED || type == PMUQ_CHANGE_EVENT_RENAMED ||
			     (type == PMUQ_CHANGE_PMU_ALIAS && change->before.p && change->after.p);

	if (is_other_name)
		return weight;
	return weight == PMUQ_WEIGHT_BREAKING	? PMUQ_WEIGHT_ADDITION
	       : weight == PMUQ_WEIGHT_ADDITION ? PMUQ_WEIGHT_BREAKING
						: weight;
}

static void add_text(struct pq_buf *key, const char *text)
{
	pq_buf_print(key, "|%s", text ? text : "(none)");
}

static void add_pmus(struct pq_buf *key, const struct pmuq_change *change, bool are_new)
{
	size_t n = are_new ? change->n_new_pmus : change->n_pmus;

	for (size_t i = 0; i < n; i++)
		pq_buf_print(key, " %s", are_new ? change->new_pmus[i].p : change->pmus[i].p);
}

/* The text of a change, or of its mirrored change. */
static char *key_of(const struct pmuq_change *change, bool is_mirrored)
{
	enum pmuq_change_type type = change->type;
	bool has_new = change->n_new_pmus;
	struct pq_buf key = PQ_BUF_NULL;
	const uint64_t *was = is_mirrored ? change->words_after : change->words_before;
	const uint64_t *is = is_mirrored ? change->words_before : change->words_after;

	pq_buf_print(&key, "%d %s", is_mirrored ? (int)mirror_weight(change) : (int)change->weight,
		     pmuq_change_type_name(is_mirrored ? mirror_type(type) : type));
	add_pmus(&key, change, is_mirrored && has_new);
	if (has_new)
		add_pmus(&key, change, !is_mirrored);
	if (type != PMUQ_CHANGE_EVENT_RENAMED)
		add_text(&key, change->name.p);
	add_text(&key, is_mirrored ? change->after.p : change->before.p);
	add_text(&key, is_mirrored ? change->before.p : change->after.p);
	for (unsigned word = 0; word < PQ_CONFIG_WORDS; word++)
		if (was[word] != is[word])
			pq_buf_print(&key, "|%u:%llx>%llx", word, (unsigned long long)was[word],
				     (unsigned long long)is[word]);
	return pq_buf_take(&key);
}

static int compare_keys(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

struct keys {
	char **v;
	size_t n;
};

static struct keys keys_of(const struct pmuq_diff *diff, bool is_mirrored)
{
	struct keys keys = { .n = pmuq_diff_count(diff) };

	keys.v = calloc(keys.n + 1, sizeof(*keys.v));
	if (!keys.v)
		abort();
	for (size_t i = 0; i < keys.n; i++) {
		keys.v[i] = key_of(pmuq_diff_get(diff, i), is_mirrored);
		if (!keys.v[i])
			abort();
	}
	qsort(keys.v, keys.n, sizeof(*keys.v), compare_keys);
	return keys;
}

static void free_keys(struct keys *keys)
{
	for (size_t i = 0; i < keys->n; i++)
		free(keys->v[i]);
	free(keys->v);
}

/* The heaviest first, and as many of each weight as counted. */
static char *order_difference(const struct pmuq_diff *diff)
{
	size_t counts[PMUQ_WEIGHT_PASSING + 1] = { 0 };

	for (size_t i = 0; i < pmuq_diff_count(diff); i++) {
		enum pmuq_weight weight = pmuq_diff_get(diff, i)->weight;

		counts[weight]++;
		if (i && pmuq_diff_get(diff, i - 1)->weight > weight)
			return strdup("a heavier change comes later");
	}
	for (size_t i = 0; i < COUNT(counts); i++)
		if (counts[i] != pmuq_diff_weight_count(diff, (enum pmuq_weight)i))
			return strdup("the counts of the weights are wrong");
	return NULL;
}

static char *compare_mirrored(const struct pmuq_diff *there, const struct pmuq_diff *back)
{
	struct keys x = keys_of(there, false), y = keys_of(back, true);
	char *difference = NULL;

	for (size_t i = 0; i < x.n && i < y.n && !difference; i++)
		if (strcmp(x.v[i], y.v[i]) && asprintf(&difference, "%s\n%s", x.v[i], y.v[i]) < 0)
			abort();
	if (!difference && x.n != y.n &&
	    asprintf(&difference, "%zu changes, and %zu back", x.n, y.n) < 0)
		abort();
	free_keys(&x);
	free_keys(&y);
	return difference;
}

char *diff_mirror_difference(const struct pmuq_catalog *a, const struct pmuq_catalog *b)
{
	struct pmuq_diff *there = NULL, *back = NULL;
	char *difference = NULL;

	if (pmuq_catalog_diff(a, b, NULL, &there, NULL) < 0 ||
	    pmuq_catalog_diff(b, a, NULL, &back, NULL) < 0)
		difference = strdup("the machines cannot be compared");
	if (!difference)
		difference = order_difference(there);
	if (!difference)
		difference = compare_mirrored(there, back);
	pmuq_diff_free(there);
	pmuq_diff_free(back);
	return difference;
}
