/* SPDX-License-Identifier: MIT */
/* Hints about the terms of one PMU. */
#include "core/event/modifier.h"
#include "core/vendor/vendor_table.h"
#include "encode/hint/hint.h"
#include "encode/words/keyword.h"
#include "encode/words/probe_terms.h"

static void print_formats(const struct pq_encoder *e, const struct pmuq_pmu *pmu,
			  struct pq_buf *hint)
{
	size_t start;

	if (!pmu->definition->n_formats) {
		pq_hint_begin(hint,
			      "%s has no formats of its own; config=, config1= … set bits directly",
			      pmu->name.p);
		if (pq_is_placeholder(pmu) && pmu->is_core)
			pq_print_no_core(e, hint);
		else
			pq_print_incomplete(e, "formats", hint);
		return;
	}
	start = pq_hint_begin(hint, "terms of %s: ", pmu->name.p);
	for (size_t i = 0; i < pmu->definition->n_formats; i++)
		pq_buf_list(hint, start, pq_def_of(pmu)->formats[i].name);
}

static void print_probe_terms(const struct pmuq_pmu *pmu, struct pq_buf *hint)
{
	size_t start = 0;

	for (size_t i = 0; pq_probe_term_at(pmu, i); i++) {
		if (!i)
			start = pq_hint_begin(hint, "its location: ");
		pq_buf_list(hint, start, pq_probe_term_at(pmu, i)->key);
	}
}

/* A hint names this many PMUs, and the number of the others. */
#define NAMED_PMUS_MAX 3u

/* "uncore_imc_0 has that event" */
static void print_owners(const struct pq_encoder *e, struct pmuq_str word, struct pq_buf *hint)
{
	struct pq_pmu_list owners = { 0 };
	size_t start;

	if (pq_query_hint(e, find_event, word, &owners) < 0 || !owners.n)
		return;
	start = pq_hint_begin(hint, "'%.*s' is an event of ", STR_ARG(word));
	for (size_t i = 0; i < owners.n && i < NAMED_PMUS_MAX; i++)
		pq_buf_list(hint, start, owners.v[i]->name);
	if (owners.n > NAMED_PMUS_MAX)
		pq_buf_print(hint, " and %zu more", owners.n - NAMED_PMUS_MAX);
}

static bool is_hex(struct pmuq_str word)
{
	size_t n = 0;

	while (n < word.n && char_is_hex(word.p[n]))
		n++;
	return n && n == word.n;
}

static void print_hex(struct pmuq_str word, struct pq_buf *hint)
{
	pq_hint_begin(hint, "a hexadecimal number begins with 0x: 0x%.*s", STR_ARG(word));
}

/* cpu/cycles:u/: modifiers between the slashes. Prints the event with the modifiers after them. */
static void print_moved_modifiers(const struct pq_encoder *e, struct pmuq_str word,
				  struct pq_buf *hint)
{
	struct pmuq_str text = e->node->text, letters, rest;
	size_t colon = 0, at = (uintptr_t)word.p - (uintptr_t)text.p;

	while (colon < word.n && word.p[colon] != ':')
		colon++;
	letters = str_part(word, colon < word.n ? colon + 1 : colon, word.n);
	/* The word may be of the event's own text. */
	if (!colon || !letters.n || !pq_modifier_are_letters(letters) || at >= text.n)
		return;
	rest = str_part(text, at + word.n, text.n);
	pq_buf_print(hint, "modifiers follow the last '/': %.*s%.*s%.*s", (int)(at + colon), text.p,
		     STR_ARG(rest), STR_ARG(letters));
}

static void consider_words(const struct pq_encoder *e, const struct pmuq_pmu *pmu,
			   struct pq_near *nearest)
{
	for (size_t i = 0; i < pmu->definition->n_formats; i++)
		pq_near_consider(nearest, pq_def_of(pmu)->formats[i].name);
	pq_consider_events(nearest, pmu);
	pq_consider_vendor(e, pmu, nearest);
	for (size_t i = 0; pq_keyword_at(i); i++)
		pq_near_consider(nearest, pq_keyword_at(i)->name);
	for (size_t i = 0; !pq_is_perf(e) && pq_probe_term_at(pmu, i); i++)
		pq_near_consider(nearest, pq_probe_term_at(pmu, i)->key);
}

/* A value that could be a number is not compared with names: 3c is not a misspelt 'pc'. */
static void hint_word(const struct pq_encoder *e, const struct pmuq_pmu *pmu, struct pmuq_str word,
		      bool is_value)
{
	struct pq_near nearest = { .word = word };
	struct pq_buf hint = PQ_BUF_NULL;

	if (!pq_can_hint(e) || pq_note_memory(e, pq_try_load(e, pmu)) != 0)
		return;
	print_moved_modifiers(e, word, &hint);
	if (is_value && is_hex(word))
		print_hex(word, &hint);
	if (!hint.n) {
		consider_words(e, pmu, &nearest);
		pq_near_print(&nearest, &hint);
		print_owners(e, word, &hint);
		pq_print_manuals(e, word, &hint);
	}
	print_formats(e, pmu, &hint);
	if (!pq_is_perf(e))
		print_probe_terms(pmu, &hint);
	pq_error_hint_buf(e->reterr, &hint);
}

void pq_hint_term(const struct pq_encoder *e, const struct pmuq_pmu *pmu, struct pmuq_str word)
{
	hint_word(e, pmu, word, false);
}

void pq_hint_event(const struct pq_encoder *e, const struct pmuq_pmu *pmu, struct pmuq_str word)
{
	hint_word(e, pmu, word, true);
}

void pq_hint_range(const struct pq_encoder *e, const struct pmuq_format *format,
		   struct pmuq_str value)
{
	struct pq_buf hint = PQ_BUF_NULL;

	if (!pq_can_hint(e) || !format->bits.width)
		return;
	if (is_hex(value))
		print_hex(value, &hint);
	pq_hint_begin(&hint, "%s takes 0 to 0x%llx (format %s)", format->name.p,
		      (unsigned long long)pq_bits_max(format->bits), format->text.p);
	pq_error_hint_buf(e->reterr, &hint);
}
