/* SPDX-License-Identifier: MIT */
/* A diff as a document; its shape is schemas/diff.schema.json. */
#include "cli/diff/diff_output.h"
#include "core/ranges.h"

#define CONFIG_WORDS 5

char *diff_pmus(const struct pmuq_change *change, bool are_new)
{
	size_t n = are_new ? change->n_new_pmus : change->n_pmus;
	auto_free const char **names = calloc(n + 1, sizeof(*names));

	for (size_t i = 0; names && i < n; i++)
		names[i] = are_new ? change->new_pmus[i].p : change->pmus[i].p;
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
	size_t n = are_new ? change->n_new_pmus : change->n_pmus;

	doc_key(doc, key);
	doc_open(doc, '[');
	for (size_t i = 0; i < n; i++)
		doc_string(doc, are_new ? change->new_pmus[i].p : change->pmus[i].p);
	doc_close(doc, ']');
}

static bool has_words(const struct pmuq_change *change)
{
	for (unsigned word = 0; word < CONFIG_WORDS; word++)
		if (change->words_before[word] != change->words_after[word])
			return true;
	return false;
}

static void write_words(const struct pmuq_change *change, struct pq_sink *doc)
{
	static const char *const names[CONFIG_WORDS] = { "config", "config1", "config2", "config3",
							 "config4" };

	doc_key(doc, "bits");
	doc_open(doc, '{');
	for (unsigned word = 0; word < CONFIG_WORDS; word++) {
		uint64_t before = change->words_before[word], after = change->words_after[word];

		if (before == after)
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
	doc_text(doc, "weight", pmuq_weight_name(change->weight));
	doc_text(doc, "kind", pmuq_change_type_name(change->type));
	write_names(doc, "pmus", change, false);
	if (change->n_new_pmus)
		write_names(doc, "new_pmus", change, true);
	doc_text_if(doc, "name", change->name.p);
	doc_key(doc, "before");
	doc_string_or_null(doc, change->before.p);
	doc_key(doc, "after");
	doc_string_or_null(doc, change->after.p);
	if (has_words(change))
		write_words(change, doc);
	doc_text(doc, "text", change->text.p);
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
