/* SPDX-License-Identifier: MIT */
/* Failures and warnings at a span of the event string. */
#include "encode/encoder.h"

int pq_fail_too_many(const struct pq_encoder *e, size_t n)
{
	struct pq_span whole = { .length = (uint32_t)e->input.n };

	if (e->result->n + n <= PQ_ENCODINGS_MAX)
		return pq_fail_memory(e->reterr);
	return pq_fail_at(e, e->node ? e->node->at : whole, PMUQ_E_TOO_LONG,
			  "the string stands for more than %u events", PQ_ENCODINGS_MAX);
}

/* A warning is for the event, not for each PMU instance that counts it. */
static bool is_reported(const struct pq_encoder *e, struct pq_span at, enum pmuq_code code)
{
	for (const struct pq_warning *w = e->result->owned; w != e->warned; w = w->next_owned)
		if (w->error->code == code && w->error->offset == at.offset &&
		    w->error->length == at.length)
			return true;
	return false;
}

/* The result's copy of the input, made once for all warnings. */
static struct pmuq_str kept_input(const struct pq_encoder *e)
{
	if (!e->result->input.p)
		e->result->input = pq_arena_str(e->arena, e->input);
	return e->result->input;
}

/* Takes ownership of the warning. */
static int add_warning(const struct pq_encoder *e, struct pq_encoding *encoding,
		       struct pmuq_error *warning)
{
	struct pmuq_str input = kept_input(e);
	struct pq_warning *kept, **tail = &encoding->warnings;

	pq_error_share_input(&warning, input);
	pq_error_is_warning(&warning);
	kept = pq_result_keep(e->result, warning);
	if (!kept || !input.p)
		return pq_fail_memory(e->reterr);
	while (*tail)
		tail = &(*tail)->next;
	*tail = kept;
	return 0;
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

	pq_fail_args(&warning, code, format, args);
	if (warning->code == PMUQ_E_MEMORY)
		return pq_fail_memory(e->reterr);
	pq_error_at(&warning, at);
	return add_warning(e, encoding, warning);
}

int pq_warn_at(const struct pq_encoder *e, struct pq_encoding *encoding, struct pq_span at,
	       enum pmuq_code code, const char *format, ...)
{
	va_list args;
	int r;

	if (is_reported(e, at, code))
		return 0;
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
