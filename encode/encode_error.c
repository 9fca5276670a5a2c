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

/* NULL if the caller's memory is full. */
static struct pmuq_error *plain_warning(const struct pq_encoder *e, struct pq_span at,
					enum pmuq_code code)
{
	struct pmuq_error *warning = pq_error_plain(e->arena, code, at);

	pq_error_share_input(&warning, kept_input(e));
	pq_error_is_warning(&warning);
	return warning;
}

static int keep_warning(const struct pq_encoder *e, struct pq_encoding *encoding,
			struct pmuq_error *warning)
{
	struct pq_warning *kept = pq_result_keep(e->result, warning), **tail = &encoding->warnings;

	if (!kept)
		return pq_fail_memory(e->reterr);
	while (*tail)
		tail = &(*tail)->next;
	*tail = kept;
	return 0;
}

int pq_warn_at(const struct pq_encoder *e, struct pq_encoding *encoding, struct pq_span at,
	       enum pmuq_code code, const char *format, ...)
{
	struct pmuq_error *warning = NULL;
	va_list args;

	if (is_reported(e, at, code))
		return 0;
	if (e->options->memory && !e->options->is_strict) {
		warning = plain_warning(e, at, code);
		return warning ? keep_warning(e, encoding, warning) : -PMUQ_E_MEMORY;
	}
	va_start(args, format);
	pq_fail_args(e->options->is_strict ? e->reterr : &warning, code, format, args);
	va_end(args);
	if (e->options->is_strict) {
		pq_error_at(e->reterr, at);
		return -(int)code;
	}
	pq_error_at(&warning, at);
	pq_error_share_input(&warning, kept_input(e));
	pq_error_is_warning(&warning);
	return keep_warning(e, encoding, warning);
}
