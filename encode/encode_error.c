/* SPDX-License-Identifier: MIT */
/* Failures and warnings at a span of the event string. */
#include "encode/hint/hint.h"
#include "encode/resolve/bindings.h"

int pq_fail_too_many(const struct pq_encoder *e, size_t n)
{
	struct pq_span whole = { .length = (uint32_t)e->input.n };

	if (e->result->n + n <= PQ_ENCODINGS_MAX)
		return pq_fail_memory(e->reterr);
	return pq_fail_at(e, e->node ? e->node->at : whole, PMUQ_E_TOO_LONG,
			  "the string stands for more than %u events", PQ_ENCODINGS_MAX);
}

int pq_fail_absent(const struct pq_encoder *e, struct pq_span at, struct pmuq_str pmu,
		   struct pmuq_str event)
{
	bool is_core = str_eq(pmu, STR(PQ_DEFAULT_CORE)) || str_eq(pmu, STR("cpu"));
	struct pq_pmu_list core = { 0 };
	int r = is_core ? pq_core_pmus(e, &core) : 0;

	if (r < 0)
		return r;
	if (is_core && !core.n)
		r = pq_fail_at(e, at, PMUQ_E_UNKNOWN_PMU,
			       "'%.*s' counts on a core PMU, and this machine has none",
			       STR_ARG(event));
	else
		r = pq_fail_at(e, at, PMUQ_E_UNKNOWN_PMU,
			       "'%.*s' counts on the PMU '%.*s', which this machine does not have",
			       STR_ARG(event), STR_ARG(pmu));
	if (is_core)
		pq_hint_core(e);
	else
		pq_error_hint(e->reterr, "a PMU is absent if its driver is not loaded or the "
					 "hardware does not have it; `pmuq list` shows all PMUs");
	return r;
}

static int fail_excluded(const struct pq_encoder *e, struct pq_span at, enum pmuq_origin origin)
{
	return pq_fail_at(e, at, PMUQ_E_EXCLUDED_SOURCE,
			  "'%.*s' is known to the source '%s', which is left out",
			  STR_ARG(pq_input_at(e, at)), pmuq_origin_name(origin));
}

int pq_check_sources(const struct pq_encoder *e, const struct pmuq_pmu *pmu, struct pmuq_str word,
		     struct pq_span at)
{
	struct pq_pmu_list list = { .n = 1 };
	const struct pmuq_event *event;
	struct pq_generic generic;
	enum pmuq_origin known = 0;
	int r = PQ_NONE;

	if (!pq_allows(e, PMUQ_FROM_GENERIC) && pq_generic_find(word, &generic) &&
	    (!pmu || pq_counts_generic(pmu, &generic)))
		known = PMUQ_FROM_GENERIC;
	if (!pq_allows(e, PMUQ_FROM_SYSFS))
		r = pmu ? pq_lookup_event(e, pmu, word, &event)
			: pq_query(e, find_event, word, &list);
	if (r < 0)
		return r;
	if (r == 0 && list.n)
		known = PMUQ_FROM_SYSFS;
	return known ? fail_excluded(e, at, known) : 0;
}

int pq_check_origins(const struct pq_encoder *e)
{
	for (size_t i = 0; i < e->result->n; i++) {
		const struct pmuq_encoding *encoding = &e->result->v[i].record;

		if (!pq_allows(e, encoding->origin))
			return fail_excluded(
				e,
				(struct pq_span){ .offset = (uint32_t)encoding->offset,
						  .length = (uint32_t)encoding->length },
				encoding->origin);
	}
	return 0;
}

/* The same warning about another PMU that counts the event, or NULL. */
static struct pmuq_error *find_reported(const struct pq_encoder *e, struct pq_span at,
					enum pmuq_code code)
{
	for (const struct pq_warning *w = e->result->owned; w != e->warned; w = w->next_owned)
		if (w->error->code == code && w->error->offset == at.offset &&
		    w->error->length == at.length)
			return w->error;
	return NULL;
}

/* Adds a warning, which another encoding may have, too. */
static int link_warning(const struct pq_encoder *e, struct pq_encoding *encoding,
			struct pq_warning *warning)
{
	struct pq_warning **tail = &encoding->warnings;

	if (!warning)
		return pq_fail_memory(e->reterr);
	while (*tail && (*tail)->error != warning->error)
		tail = &(*tail)->next;
	if (!*tail)
		*tail = warning;
	return 0;
}

static int share_warning(const struct pq_encoder *e, struct pq_encoding *encoding,
			 struct pmuq_error *error)
{
	struct pq_warning *shared = pq_arena_zero(e->arena, sizeof(*shared));

	if (shared)
		shared->error = error;
	return link_warning(e, encoding, shared);
}

int pq_share_warnings(const struct pq_encoder *e, const struct pq_encoding *from,
		      struct pq_encoding *to)
{
	int r = 0;

	for (const struct pq_warning *w = from->warnings; w && r == 0; w = w->next)
		r = share_warning(e, to, w->error);
	return r;
}

/* Takes ownership of the warning. */
static int add_warning(const struct pq_encoder *e, struct pq_encoding *encoding,
		       struct pmuq_error *warning)
{
	struct pmuq_str input = e->result->input;
	struct pq_warning *kept;

	pq_error_share_input(&warning, input);
	(void)pq_error_make_warning(&warning); /* it has no hint yet */
	kept = pq_result_keep(e->result, warning);
	return link_warning(e, encoding, input.p ? kept : NULL);
}

/* In the caller's memory: of static texts. */
static int warn_plainly(const struct pq_encoder *e, struct pq_encoding *encoding, struct pq_span at,
			enum pmuq_code code)
{
	struct pmuq_error *warning = pq_error_plain(e->arena, code, at);

	return warning ? add_warning(e, encoding, warning) : pq_fail_memory(e->reterr);
}

static int warn_args(const struct pq_encoder *e, struct pq_encoding *encoding, struct pq_span at,
		     enum pmuq_code code, const char *format, va_list args)
{
	struct pmuq_error *warning = NULL;

	if (pq_fail_args(&warning, code, format, args) == -PMUQ_E_MEMORY)
		return pq_fail_memory(e->reterr);
	pq_error_at(&warning, at);
	return add_warning(e, encoding, warning);
}

int pq_warn_at(const struct pq_encoder *e, struct pq_encoding *encoding, struct pq_span at,
	       enum pmuq_code code, const char *format, ...)
{
	struct pmuq_error *reported = find_reported(e, at, code);
	va_list args;
	int r;

	if (reported)
		return share_warning(e, encoding, reported);
	if (e->options->memory && !e->options->is_strict)
		return warn_plainly(e, encoding, at, code);
	va_start(args, format);
	if (e->options->is_strict) {
		r = pq_fail_args(e->reterr, code, format, args);
		pq_error_at(e->reterr, at);
	} else {
		r = warn_args(e, encoding, at, code, format, args);
	}
	va_end(args);
	return r;
}
