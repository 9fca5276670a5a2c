/* SPDX-License-Identifier: MIT */
/* A diff as a document; its shape is schemas/diff.schema.json. */
#include "cli/diff/diff_output.h"
#include "core/ranges.h"

#define CONFIG_WORDS 5

char *diff_pmus(const struct pmuq_change *change, bool are_new)
{
	size_t n = are_new ? pmuq_change_new_pmu_count(change) : pmuq_change_pmu_count(change);
	auto_free const char **names = calloc(n + 1, sizeof(*names));

	for (size_t i = 0; names && i < n; i++)
		names[i] = are_new ? pmuq_change_new_pmu(change, i) : pmuq_change_pmu(change, i);
	return names ? pq_ranges_of_names(names, n) : NULL;
}

static void write_machine(const struct shown_diff *shown, int side, struct pq_sink *doc)
{
	static const char *const facts[] = { "hostname", "kernel", "cpuid", "incomplete" };

	doc_open(doc, '{');
	doc_text(doc, "machine", shown->words[side]);
	for (size_t i = 0; i < COUNT(facts); i++)
		doc_text_if(doc, facts[i], pmuq_catalog_find_fact(shown->machines[side], facts[i]));
	doc_close(doc, '}');
}

static void write_counts(const struct pmuq_diff *diff, struct pq_sink *doc)
{
	const char *name;

	doc_open(doc, '{');
	for (int weight = 0; (name = pmuq_weight_name((enum pmuq_weight)weight)); weight++) {
		doc_key(doc, name);
		pq_sink_number(doc,
			       (int64_t)pmuq_diff_weight_count(diff, (enum pmuq_weight)weight));
	}
	doc_close(doc, '}');
}

static void write_names(struct pq_sink *doc, const char *key, const struct pmuq_change *change,
			bool are_new)
{
	size_t n = are_new ? pmuq_change_new_pmu_count(change) : pmuq_change_pmu_count(change);

	doc_key(doc, key);
	doc_open(doc, '[');
	for (size_t i = 0; i < n; i++)
		doc_string(doc,
			   are_new ? pmuq_change_new_pmu(change, i) : pmuq_change_pmu(change, i));
	doc_close(doc, ']');
}

static bool has_words(const struct pmuq_change *change)
{
	uint64_t before, after;

	for (unsigned word = 0; word < CONFIG_WORDS; word++)
		if (pmuq_change_word(change, word, &before, &after))
			return true;
	return false;
}

static void write_words(const struct pmuq_change *change, struct pq_sink *doc)
{
	static const char *const names[CONFIG_WORDS] = { "config", "config1", "config2", "config3",
							 "config4" };
	uint64_t before, after;

	doc_key(doc, "bits");
	doc_open(doc, '{');
	for (unsigned word = 0; word < CONFIG_WORDS; word++) {
		if (!pmuq_change_word(change, word, &before, &after))
			continue;
		doc_key(doc, names[word]);
		doc_open(doc, '{');
		doc_key(doc, "before");
		pq_sink_word(doc, before);
		doc_key(doc, "after");
		pq_sink_word(doc, after);
		doc_close(doc, '}');
	}
	doc_close(doc, '}');
}

static void write_change(const struct pmuq_change *change, struct pq_sink *doc)
{
	doc_open(doc, '{');
	doc_text(doc, "weight", pmuq_weight_name(pmuq_change_get_weight(change)));
	doc_text(doc, "kind", pmuq_change_kind_name(pmuq_change_get_kind(change)));
	write_names(doc, "pmus", change, false);
	if (pmuq_change_new_pmu_count(change))
		write_names(doc, "new_pmus", change, true);
	doc_text_if(doc, "name", pmuq_change_name(change));
	doc_key(doc, "before");
	doc_string_or_null(doc, pmuq_change_before(change));
	doc_key(doc, "after");
	doc_string_or_null(doc, pmuq_change_after(change));
	if (has_words(change))
		write_words(change, doc);
	doc_text(doc, "text", pmuq_change_text(change));
	doc_close(doc, '}');
}

void diff_write(const struct shown_diff *shown, struct pq_sink *doc)
{
	doc_key(doc, "before");
	write_machine(shown, 0, doc);
	doc_key(doc, "after");
	write_machine(shown, 1, doc);
	doc_key(doc, "differ");
	pq_sink_bool(doc, diff_shows_some(shown));
	doc_key(doc, "counts");
	write_counts(shown->diff, doc);
	doc_key(doc, "changes");
	doc_open(doc, '[');
	for (size_t i = 0; i < pmuq_diff_count(shown->diff); i++)
		write_change(pmuq_diff_get(shown->diff, i), doc);
	doc_close(doc, ']');
}
