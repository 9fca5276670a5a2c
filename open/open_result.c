/* SPDX-License-Identifier: MIT */
#include "open/open_result.h"

/* The texts are sentences: 65536 results of a few hundred bytes each fit well. */
#define TEXT_BYTES_MAX ((size_t)256 << 20)

struct pmuq_verdicts *pq_verdicts_new(size_t n)
{
	struct pmuq_verdicts *verdicts;
	size_t bytes;

	if (__builtin_mul_overflow(n, sizeof(verdicts->v[0]), &bytes) ||
	    __builtin_add_overflow(bytes, sizeof(*verdicts), &bytes))
		return NULL;
	verdicts = calloc(1, bytes);
	if (!verdicts)
		return NULL;
	verdicts->n = n;
	pq_arena_init(&verdicts->arena, NULL, 0, TEXT_BYTES_MAX);
	return verdicts;
}

PQ_API void pmuq_verdicts_free(struct pmuq_verdicts *verdicts)
{
	if (!verdicts)
		return;
	pq_arena_clear(&verdicts->arena);
	free(verdicts);
}

void pq_verdicts_freep(struct pmuq_verdicts **verdicts)
{
	pmuq_verdicts_free(*verdicts);
}

void pq_verdict_opened(struct pq_verdict *verdict, int pid, const char *cpus)
{
	*verdict = (struct pq_verdict){
		.status = PMUQ_OPENED, .is_final = true, .pid = pid, .cpus = cpus
	};
}

void pq_verdict_skipped(struct pq_verdict *verdict, const char *reason)
{
	*verdict = (struct pq_verdict){
		.status = PMUQ_SKIPPED, .is_final = true, .cpus = "-1", .reason = reason
	};
}

const char *pq_verdict_keep_str(struct pmuq_verdicts *verdicts, struct pmuq_str text)
{
	return pq_arena_str(&verdicts->arena, text).p;
}

const char *pq_verdict_keep(struct pmuq_verdicts *verdicts, struct pq_buf *text)
{
	const char *kept = text->failed ? NULL : pq_verdict_keep_str(verdicts, pq_buf_str(text));

	pq_buf_free(text);
	return kept;
}

static const struct pq_verdict *at(const struct pmuq_verdicts *verdicts, size_t index)
{
	return verdicts && index < verdicts->n ? &verdicts->v[index] : NULL;
}

PQ_API size_t pmuq_verdicts_count(const struct pmuq_verdicts *verdicts)
{
	return verdicts ? verdicts->n : 0;
}

PQ_API enum pmuq_open_status pmuq_verdict_status(const struct pmuq_verdicts *verdicts, size_t index)
{
	const struct pq_verdict *verdict = at(verdicts, index);

	return verdict ? verdict->status : PMUQ_SKIPPED;
}

PQ_API int pmuq_verdict_pid(const struct pmuq_verdicts *verdicts, size_t index)
{
	const struct pq_verdict *verdict = at(verdicts, index);

	return verdict ? verdict->pid : 0;
}

PQ_API const char *pmuq_verdict_cpus(const struct pmuq_verdicts *verdicts, size_t index)
{
	const struct pq_verdict *verdict = at(verdicts, index);

	return verdict ? verdict->cpus : NULL;
}

PQ_API int pmuq_verdict_errno(const struct pmuq_verdicts *verdicts, size_t index)
{
	const struct pq_verdict *verdict = at(verdicts, index);

	return verdict ? verdict->errnum : 0;
}

PQ_API const char *pmuq_verdict_reason(const struct pmuq_verdicts *verdicts, size_t index)
{
	const struct pq_verdict *verdict = at(verdicts, index);

	return verdict ? verdict->reason : NULL;
}

PQ_API const char *pmuq_verdict_hint(const struct pmuq_verdicts *verdicts, size_t index)
{
	const struct pq_verdict *verdict = at(verdicts, index);

	return verdict ? verdict->hint : NULL;
}

PQ_API const char *pmuq_verdict_change(const struct pmuq_verdicts *verdicts, size_t index)
{
	const struct pq_verdict *verdict = at(verdicts, index);

	return verdict ? verdict->change : NULL;
}

PQ_API const char *pmuq_verdict_name(const struct pmuq_verdicts *verdicts, size_t index)
{
	const struct pq_verdict *verdict = at(verdicts, index);

	return verdict ? verdict->row : NULL;
}

PQ_API size_t pmuq_verdict_step_count(const struct pmuq_verdicts *verdicts, size_t index)
{
	const struct pq_verdict *verdict = at(verdicts, index);

	return verdict ? verdict->n_steps : 0;
}

PQ_API const char *pmuq_verdict_step(const struct pmuq_verdicts *verdicts, size_t index,
				     size_t step)
{
	const struct pq_verdict *verdict = at(verdicts, index);

	return verdict && step < verdict->n_steps ? verdict->steps[step] : NULL;
}

PQ_API const struct pmuq_attr *pmuq_verdict_changed_attr(const struct pmuq_verdicts *verdicts,
							 size_t index)
{
	const struct pq_verdict *verdict = at(verdicts, index);

	return verdict ? verdict->changed : NULL;
}
