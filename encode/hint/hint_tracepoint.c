/* SPDX-License-Identifier: MIT */
/* Hints about tracepoints, and about what looks like one. */
#include "core/event/modifier.h"
#include "core/text/no_tracepoints.h"
#include "encode/hint/hint.h"
#include "encode/words/generic.h"
#include "encode/words/probe_terms.h"

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
	    (pq_query_hint(e, find_event, subsystem, &owners) < 0 || !owners.n))
		return;
	for (size_t i = 0; i < name.n; i++)
		if (!pq_modifier_is_letter(name.p[i])) {
			print_bad_modifier(subsystem, name.p[i], hint);
			return;
		}
}

/* A hint names this many tracepoints, and the number of the others. */
#define NAMED_TRACEPOINTS_MAX 3u

void pq_print_tracepoints(const struct pq_encoder *e, struct pmuq_str name, struct pq_buf *hint)
{
	struct pq_tracepoint_list list = { 0 };

	if (pq_query_hint(e, list_tracepoints, e->scratch, STR("*"), name, &list) < 0 || !list.n)
		return;
	pq_hint_begin(hint, "a tracepoint needs its subsystem: ");
	for (size_t i = 0; i < list.n && i < NAMED_TRACEPOINTS_MAX; i++)
		pq_buf_print(hint, "%s%.*s:%.*s", i ? ", " : "", STR_ARG(list.v[i]->subsystem),
			     STR_ARG(list.v[i]->name));
	if (list.n > NAMED_TRACEPOINTS_MAX)
		pq_buf_print(hint, " and %zu more", list.n - NAMED_TRACEPOINTS_MAX);
}

/* kprobe:do_exit, as other tools spell it. */
static void print_probe(const struct pq_encoder *e, struct pmuq_str subsystem, struct pmuq_str name,
			struct pq_buf *hint)
{
	const struct pq_probe_term *probe;
	const struct pmuq_pmu *pmu;

	if (pq_is_perf(e) || pq_query_hint(e, find_pmu, subsystem, &pmu) != 0)
		return;
	probe = pq_probe_term_at(pmu, 0);
	if (probe)
		pq_hint_begin(hint, "the location of a probe is a term: %.*s/%s='%.*s'%s/",
			      STR_ARG(subsystem), probe->key.p, STR_ARG(name), probe->also);
}

/* The error then marks the half of the name that the hint is about. */
static void print_similar(const struct pq_encoder *e, struct pmuq_str subsystem,
			  struct pmuq_str name, const struct pq_tracepoint_list *list,
			  struct pq_buf *hint)
{
	struct pq_near nearest = { .word = name }, subsystems = { .word = subsystem };
	bool has_subsystem = false;

	for (size_t i = 0; i < list->n; i++) {
		pq_near_consider(&subsystems, list->v[i]->subsystem);
		if (!str_eq(list->v[i]->subsystem, subsystem))
			continue;
		has_subsystem = true;
		pq_near_consider(&nearest, list->v[i]->name);
	}
	pq_near_print(has_subsystem ? &nearest : &subsystems, hint);
	if (list->n)
		pq_error_at(e->reterr, has_subsystem ? e->node->tracepoint_at : e->node->name_at);
	else
		pq_hint_begin(hint, PQ_NO_TRACEPOINTS);
}

void pq_hint_tracepoint(const struct pq_encoder *e, struct pmuq_str subsystem, struct pmuq_str name)
{
	struct pq_tracepoint_list list = { 0 };
	struct pq_buf hint = PQ_BUF_NULL;

	if (!pq_can_hint(e))
		return;
	print_modifiers_hint(e, subsystem, name, &hint);
	print_probe(e, subsystem, name, &hint);
	if (!hint.n &&
	    pq_query_hint(e, list_tracepoints, e->scratch, STR("*"), STR("*"), &list) == 0)
		print_similar(e, subsystem, name, &list, &hint);
	pq_error_hint_buf(e->reterr, &hint);
}
