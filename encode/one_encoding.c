/* SPDX-License-Identifier: MIT */
/*
 * The one encoding of an event string, or the error that explains why the string has several, and
 * what to write instead. The reasons are in the order in which a user can remove them: several
 * events, an event that pmuq added, several PMUs, several tracepoints.
 */
#include "core/ranges.h"
#include "encode/parse/parse.h"
#include "encode/result.h"

/* A message names this many tracepoints, and the number of the others. */
#define NAMED_MAX 3u

static struct pq_span span_of(const struct pmuq_encoding *encoding)
{
	return (struct pq_span){ .offset = (uint32_t)encoding->offset,
				 .length = (uint32_t)encoding->length };
}

/* The first encoding of the event with that index, or NULL. */
static const struct pmuq_encoding *find_event(const struct pmuq_encodings *encodings, size_t event)
{
	for (size_t i = 0; i < encodings->n; i++)
		if (encodings->v[i].record.event == event)
			return &encodings->v[i].record;
	return NULL;
}

static const struct pmuq_encoding *find_added(const struct pmuq_encodings *encodings)
{
	for (size_t i = 0; i < encodings->n; i++)
		if (encodings->v[i].record.is_added)
			return &encodings->v[i].record;
	return NULL;
}

static int fail_events(const struct pmuq_encodings *encodings, const struct pmuq_encoding *second,
		       struct pmuq_error **reterr)
{
	size_t n = 2;
	int r;

	while (find_event(encodings, n))
		n++;
	r = pq_fail_span(reterr, span_of(second), PMUQ_E_SEVERAL_ENCODINGS,
			 "the string has %zu events", n);
	pq_error_hint(reterr, "encode each event by itself, or use all %zu encodings",
		      encodings->n);
	return r;
}

static int fail_added(const struct pmuq_encoding *added, struct pmuq_error **reterr)
{
	int r = pq_fail_span(reterr, span_of(added), PMUQ_E_SEVERAL_ENCODINGS,
			     "the event counts only in a group with '%s', which pmuq added",
			     added->name.p);

	pq_error_hint(reterr, "use both encodings as a group, or encode the event as written, "
			      "which adds nothing");
	return r;
}

/* The event on one PMU: another name before its terms, or a bare event between slashes. False if
 * the event has no such form. */
static bool write_on(const struct pq_node *node, struct pmuq_str pmu, struct pq_buf *to)
{
	bool has_modifiers = node->modifiers.n > 0;
	size_t end = has_modifiers ? node->modifiers_at.offset - 1 : node->text.n;
	size_t slash = node->name_at.offset + node->name_at.length;

	if (node->type != PQ_NODE_NAME || !pq_write_name(to, pmu))
		return false;
	if (!node->has_terms) {
		pq_buf_print(to, "/%.*s/%.*s", STR_ARG(str_trim(str_part(node->text, 0, end))),
			     STR_ARG(node->modifiers));
		return true;
	}
	while (slash < node->text.n && node->text.p[slash] != '/')
		slash++;
	pq_buf_add(to, str_part(node->text, slash, node->text.n));
	return true;
}

/* Adds to a hint what to write for the first of several PMUs, if that is known. False if there was
 * no memory. */
static bool write_one(const struct pmuq_encodings *encodings, struct pq_buf *hint)
{
	const struct pmuq_encoding *first = &encodings->v[0].record;
	auto_arena struct pq_arena arena = PQ_ARENA(PQ_ENCODE_MAX_BYTES);
	struct pmuq_str event =
		str_part(encodings->input, first->offset, first->offset + first->length);
	struct pq_buf one = PQ_BUF_IN(&arena);
	struct pq_item *items = NULL;

	/* A name of libpfm4 is not an event of the PMU. */
	if (first->origin == PMUQ_FROM_PFM || !first->pmu.p ||
	    pq_parse_events(&arena, event, &items, NULL) < 0)
		return !arena.is_refused;
	if (write_on(items->nodes, first->pmu, &one))
		pq_buf_print(hint, "for one PMU, write %.*s; or ", (int)one.n, one.p);
	return !one.failed;
}

/* "uncore_imc_[0-5]"; the caller frees it. NULL if there is no memory. */
static char *list_pmus(const struct pmuq_encodings *encodings)
{
	struct pmuq_str *names = calloc(encodings->n, sizeof(*names));
	char *list = NULL;

	for (size_t i = 0; names && i < encodings->n; i++)
		names[i] = encodings->v[i].record.pmu;
	if (names)
		list = pq_ranges_of_names(names, encodings->n);
	free(names);
	return list;
}

static int fail_pmus(const struct pmuq_encodings *encodings, struct pmuq_error **reterr)
{
	auto_free char *list = list_pmus(encodings);
	struct pq_buf hint = PQ_BUF_NULL;
	int r;

	if (!list || !write_one(encodings, &hint)) {
		pq_buf_free(&hint);
		return pq_fail_memory(reterr);
	}
	pq_buf_print(&hint, "use all %zu encodings", encodings->n);
	r = pq_fail_span(reterr, span_of(&encodings->v[0].record), PMUQ_E_SEVERAL_ENCODINGS,
			 "the event stands for %zu PMUs: %s", encodings->n, list);
	pq_error_hint_buf(reterr, &hint);
	return r;
}

static int fail_names(const struct pmuq_encodings *encodings, struct pmuq_error **reterr)
{
	struct pq_buf list = PQ_BUF_NULL;
	int r;

	for (size_t i = 0; i < encodings->n && i < NAMED_MAX; i++)
		pq_buf_list(&list, 0, encodings->v[i].record.name);
	if (encodings->n > NAMED_MAX)
		pq_buf_print(&list, " and %zu more", encodings->n - NAMED_MAX);
	r = list.failed ? pq_fail_memory(reterr)
			: pq_fail_span(reterr, span_of(&encodings->v[0].record),
				       PMUQ_E_SEVERAL_ENCODINGS,
				       "the pattern stands for %zu events: %.*s", encodings->n,
				       (int)list.n, list.p);
	pq_buf_free(&list);
	pq_error_hint(reterr, "write one of these names, or use all %zu encodings", encodings->n);
	return r;
}

static bool have_one_pmu(const struct pmuq_encodings *encodings)
{
	for (size_t i = 1; i < encodings->n; i++)
		if (encodings->v[i].on != encodings->v[0].on)
			return false;
	return true;
}

static int fail_several(const struct pmuq_encodings *encodings, struct pmuq_error **reterr)
{
	const struct pmuq_encoding *second = find_event(encodings, 1);
	const struct pmuq_encoding *added = find_added(encodings);

	if (second)
		return fail_events(encodings, second, reterr);
	if (added)
		return fail_added(added, reterr);
	return have_one_pmu(encodings) ? fail_names(encodings, reterr)
				       : fail_pmus(encodings, reterr);
}

PQ_API int pmuq_encodings_one(const struct pmuq_encodings *encodings,
			      const struct pmuq_encoding **ret, struct pmuq_error **reterr)
{
	int r;

	if (encodings->n == 1) {
		*ret = &encodings->v[0].record;
		return 0;
	}
	if (!reterr)
		return -PMUQ_E_SEVERAL_ENCODINGS;
	r = fail_several(encodings, reterr);
	pq_error_input(reterr, encodings->input);
	return r;
}
