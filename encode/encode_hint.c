/* SPDX-License-Identifier: MIT */
/*
 * Hints, made from the machine's own data: similar names, the terms of a PMU, the range of a field,
 * the PMUs that have an event. encode_error.c makes the errors themselves.
 */
#include "core/instance.h"
#include "core/near.h"
#include "core/vendor/vendor_table.h"
#include "encode/encode_lookup.h"
#include "encode/resolve/resolve.h"
#include "encode/words/generic.h"
#include "encode/words/keyword.h"
#include "encode/words/probe_terms.h"

/* A query for a hint: if it fails, there is no hint; without memory the call fails at its end. */
#define query_hint(e, op, ...)                                                                     \
	note_memory(e, (e)->lookup.ops->op((e)->lookup.self, __VA_ARGS__, NULL))

static int note_memory(const struct pq_encoder *e, int r)
{
	e->facts->failed |= r == -PMUQ_E_MEMORY;
	return r;
}

/* The machine of a recording is incomplete: the real one may have what the recording does not
 * mention. */
static void print_incomplete(const struct pq_encoder *e, const char *what, struct pq_buf *hint)
{
	struct pmuq_str known_from;

	if (query_hint(e, fact, PQ_CLASS_INCOMPLETE, &known_from) != 0)
		return;
	pq_hint_begin(hint, "this machine is only known from %.*s, which contains no %s: scan it",
		      STR_ARG(known_from), what);
}

static void print_formats(const struct pq_encoder *e, const struct pmuq_pmu *pmu,
			  struct pq_buf *hint)
{
	size_t start;

	if (!pmu->definition->n_formats) {
		pq_hint_begin(hint,
			      "%s has no formats of its own; config=, config1= … set bits directly",
			      pmu->name.p);
		print_incomplete(e, "formats", hint);
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

static void consider_events(struct pq_near *nearest, const struct pmuq_pmu *pmu)
{
	for (size_t i = 0; i < pmu->definition->n_events; i++)
		pq_near_consider(nearest, pq_def_of(pmu)->events[i].name);
}

static void consider_generic(struct pq_near *nearest)
{
	for (size_t i = 0; pq_generic_at(i).n; i++)
		pq_near_consider(nearest, pq_generic_at(i));
}

/* A caller that requests no error does not pay for hints. */
static bool can_hint(const struct pq_encoder *e)
{
	return e->reterr && *e->reterr;
}

/* The events of the CPU's tables for one PMU, or for all if it is NULL. */
static void consider_vendor(const struct pq_encoder *e, const struct pmuq_pmu *pmu,
			    struct pq_near *nearest)
{
	size_t n = e->options->vendor && pq_allows(e, PMUQ_FROM_JSON)
			   ? pmuq_vendor_content(e->options->vendor)->n_events
			   : 0;

	for (size_t i = 0; i < n; i++) {
		const struct pmuq_vendor_event *event = pmuq_vendor_get(e->options->vendor, i);

		if (!pmu || pq_vendor_covers(event->pmu, pmu))
			pq_near_consider(nearest, event->event->name);
	}
}

/* A hint names this many PMUs, and the number of the others. */
#define NAMED_PMUS_MAX 3u

/* "uncore_imc_0 has that event" */
static void print_owners(const struct pq_encoder *e, struct pmuq_str word, struct pq_buf *hint)
{
	struct pq_pmu_list owners = { 0 };
	size_t start;

	if (query_hint(e, find_event, word, &owners) < 0 || !owners.n)
		return;
	start = pq_hint_begin(hint, "'%.*s' is an event of ", STR_ARG(word));
	for (size_t i = 0; i < owners.n && i < NAMED_PMUS_MAX; i++)
		pq_buf_list(hint, start, owners.v[i]->name);
	if (owners.n > NAMED_PMUS_MAX)
		pq_buf_print(hint, " and %zu more", owners.n - NAMED_PMUS_MAX);
}

void pq_hint_term(const struct pq_encoder *e, const struct pmuq_pmu *pmu, struct pmuq_str word)
{
	struct pq_near nearest = { .word = word };
	struct pq_buf hint = PQ_BUF_NULL;

	if (!can_hint(e) || note_memory(e, pq_try_load(e, pmu)) != 0)
		return;
	for (size_t i = 0; i < pmu->definition->n_formats; i++)
		pq_near_consider(&nearest, pq_def_of(pmu)->formats[i].name);
	consider_events(&nearest, pmu);
	consider_vendor(e, pmu, &nearest);
	for (size_t i = 0; pq_keyword_at(i); i++)
		pq_near_consider(&nearest, pq_keyword_at(i)->name);
	for (size_t i = 0; !pq_is_perf(e) && pq_probe_term_at(pmu, i); i++)
		pq_near_consider(&nearest, pq_probe_term_at(pmu, i)->key);
	pq_near_print(&nearest, &hint);
	print_owners(e, word, &hint);
	print_formats(e, pmu, &hint);
	if (!pq_is_perf(e))
		print_probe_terms(pmu, &hint);
	pq_error_hint_buf(e->reterr, &hint);
}

/* Each definition once: dozens of PMU instances have the same events. */
static void consider_all_events(const struct pq_encoder *e, struct pq_near *nearest)
{
	struct pq_pmu_list all;
	const void *seen = NULL;

	if (query_hint(e, list_pmus, &all) < 0)
		return;
	for (size_t i = 0; i < all.n; i++) {
		struct pq_names names;

		if (query_hint(e, event_names, all.v[i], &names) != 0 || names.array.v == seen)
			continue;
		seen = names.array.v;
		for (size_t n = 0; n < names.n; n++)
			pq_near_consider(nearest, pq_names_at(&names, n));
	}
}

/* For several instances only the common name, unless the word ends with a digit: then the user
 * meant an instance. */
static void consider_pmus(const struct pq_encoder *e, struct pq_near *nearest)
{
	struct pq_pmu_list all;
	struct pmuq_str last = { 0 }, base;
	uint64_t suffix;

	if (query_hint(e, list_pmus, &all) < 0)
		return;
	for (size_t i = 0; i < all.n; i++) {
		bool is_instance = pq_instance_split(all.v[i]->name, &base, &suffix);

		if (is_instance && !str_eq(base, last))
			pq_near_consider(nearest, base);
		last = is_instance ? base : last;
		if (!is_instance || char_is_digit(nearest->word.p[nearest->word.n - 1]))
			pq_near_consider(nearest, all.v[i]->name);
	}
}

/* For a pattern that matches PMUs if "uncore_" is put before it, as perf does. */
static void hint_glob(const struct pq_encoder *e, struct pmuq_str word, struct pq_buf *hint)
{
	struct pq_wildcard as_perf = pq_wildcard_of(word, true);
	struct pq_pmu_list all;

	if (pq_is_perf(e) || query_hint(e, list_pmus, &all) < 0)
		return;
	for (size_t i = 0; i < all.n; i++)
		if (pq_wildcard_matches(&as_perf, all.v[i]->name)) {
			pq_buf_print(hint,
				     "write 'uncore_%.*s': a pattern must match the whole name",
				     STR_ARG(word));
			return;
		}
}

/* For "cpu" on a machine whose core PMUs have other names. */
static void print_core_pmus(const struct pq_encoder *e, struct pq_buf *hint)
{
	struct pq_pmu_list core;
	size_t start;

	if (note_memory(e, pq_core_pmus(e, &core)) < 0 || !core.n)
		return;
	start = pq_hint_begin(hint, "the core PMUs of this machine: ");
	for (size_t i = 0; i < core.n; i++)
		pq_buf_list(hint, start, core.v[i]->name);
}

void pq_hint_name(const struct pq_encoder *e, struct pmuq_str word)
{
	struct pq_near nearest = { .word = word };
	struct pq_buf hint = PQ_BUF_NULL;

	if (!can_hint(e))
		return;
	if (str_has_glob(word)) {
		hint_glob(e, word, &hint);
	} else if (str_eq(word, STR("cpu"))) {
		print_core_pmus(e, &hint);
	} else {
		if (e->node->has_terms)
			consider_pmus(e, &nearest);
		consider_all_events(e, &nearest);
		consider_vendor(e, NULL, &nearest);
		consider_generic(&nearest);
		pq_near_print(&nearest, &hint);
	}
	if (!str_has_glob(word))
		print_incomplete(e, e->node->has_terms ? "PMUs" : "events", &hint);
	if (!hint.n)
		pq_buf_add(&hint, e->node->has_terms ? STR("`pmuq list` shows all PMUs")
						     : STR("`pmuq list events` shows all events"));
	pq_error_hint_buf(e->reterr, &hint);
}

void pq_hint_range(const struct pq_encoder *e, const struct pmuq_format *format)
{
	if (can_hint(e) && format->bits.width)
		pq_error_hint(e->reterr, "%s takes 0 to 0x%llx (format %s)", format->name.p,
			      (unsigned long long)pq_bits_max(format->bits), format->text.p);
}

static void print_bad_modifier(struct pmuq_str event, char letter, struct pq_buf *hint)
{
	const struct pq_modifier *modifier;
	size_t start;

	pq_buf_print(hint, "'%.*s' is an event, and '%c' is not a modifier (", STR_ARG(event),
		     letter);
	start = hint->n;
	for (size_t i = 0; (modifier = pq_modifier_at(i)); i++)
		pq_buf_print(hint, hint->n > start ? " %c" : "%c", modifier->letter);
	pq_buf_char(hint, ')', 1);
}

/* EVENT:LETTERS may have been meant as an event with modifiers, not as a tracepoint. */
static void print_modifiers_hint(const struct pq_encoder *e, struct pmuq_str subsystem,
				 struct pmuq_str name, struct pq_buf *hint)
{
	struct pq_pmu_list owners = { 0 };
	struct pq_generic generic;

	if (!pq_generic_find(subsystem, &generic) &&
	    (query_hint(e, find_event, subsystem, &owners) < 0 || !owners.n))
		return;
	for (size_t i = 0; i < name.n; i++)
		if (!pq_modifier_is_letter(name.p[i])) {
			print_bad_modifier(subsystem, name.p[i], hint);
			return;
		}
}

void pq_hint_tracepoint(const struct pq_encoder *e, struct pmuq_str subsystem, struct pmuq_str name)
{
	struct pq_near nearest = { .word = name }, subsystems = { .word = subsystem };
	struct pq_tracepoint_list list = { 0 };
	struct pq_buf hint = PQ_BUF_NULL;

	if (!can_hint(e))
		return;
	print_modifiers_hint(e, subsystem, name, &hint);
	if (!hint.n &&
	    query_hint(e, list_tracepoints, e->scratch, STR("*"), STR("*"), &list) == 0) {
		bool has_subsystem = false;

		for (size_t i = 0; i < list.n; i++) {
			pq_near_consider(&subsystems, list.v[i]->subsystem);
			if (!str_eq(list.v[i]->subsystem, subsystem))
				continue;
			has_subsystem = true;
			pq_near_consider(&nearest, list.v[i]->name);
		}
		pq_near_print(has_subsystem ? &nearest : &subsystems, &hint);
	}
	if (!hint.n && !list.n)
		pq_buf_add(
			&hint,
			STR("this machine shows no tracepoints: tracefs is not mounted (mount -t "
			    "tracefs tracefs /sys/kernel/tracing), or you may not read it"));
	pq_error_hint_buf(e->reterr, &hint);
}
