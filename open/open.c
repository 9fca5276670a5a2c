/* SPDX-License-Identifier: MIT */
/* The way of one request: per task, or on each CPU that its PMU demands. */
#include "open/open.h"
#include "core/cpulist.h"
#include "open/case.h"
#include "open/opening.h"
#include <errno.h>

#define SCRATCH_BYTES_MAX ((size_t)64 << 20)

struct pq_trial pq_opening_trial(const struct pq_opening *opening, size_t index, int pid, int cpu)
{
	const struct pq_request *request = &opening->requests[index];
	struct pq_trial trial = { .pid = pid, .cpu = cpu, .group_fd = -1 };
	size_t bytes = request->attr->size ? request->attr->size : PMUQ_ATTR_SIZE_MAX;

	memcpy(&trial.attr, request->attr, bytes);
	trial.attr.size = request->attr->size;
	if (request->text)
		trial.attr.config1 = (uintptr_t)request->text;
	return trial;
}

int pq_opening_opened(struct pq_opening *opening, size_t index, const char *cpus, const char *note)
{
	struct pq_verdict *verdict = &opening->verdicts->v[index];
	const char *kept = cpus ? pq_verdict_keep_str(opening->verdicts, str_of(cpus)) : "-1";

	if (!kept)
		return -PMUQ_E_MEMORY;
	pq_verdict_opened(verdict, cpus ? -1 : 0, kept);
	verdict->hint = note;
	return 0;
}

int pq_request_first_cpu(const struct pq_request *request, struct str otherwise)
{
	struct str list = str_trim(str_of(request->cpus));
	char room[512];
	struct pq_arena arena;
	struct pq_cpus cpus;
	unsigned cpu = PQ_CPUS_MAX;

	pq_arena_init(&arena, room, sizeof(room), SIZE_MAX);
	if (pq_cpus_parse(&arena, list.n ? list : otherwise, &cpus))
		cpu = pq_cpus_next(&cpus, 0);
	pq_arena_clear(&arena);
	return cpu < PQ_CPUS_MAX ? (int)cpu : 0;
}

/* Some PMUs count per CPU only and have no cpumask file that says so. */
static int try_first_cpu(struct pq_opening *opening, size_t index, bool *ret_opens)
{
	int cpu = pq_request_first_cpu(&opening->requests[index], STR(""));
	struct pq_trial trial = pq_opening_trial(opening, index, -1, cpu);
	struct pq_buf text = PQ_BUF_NULL;
	const char *kept;

	*ret_opens = pq_kernel_try(&opening->opener->kernel, &trial, NULL) == 0;
	if (!*ret_opens)
		return 0;
	pq_buf_print(&text, "%d", cpu);
	kept = pq_verdict_keep(opening->verdicts, &text);
	if (!kept)
		return -PMUQ_E_MEMORY;
	pq_verdict_opened(&opening->verdicts->v[index], -1, kept);
	opening->verdicts->v[index].hint = PQ_NOTE_PER_CPU;
	return 0;
}

static int open_for_task(struct pq_opening *opening, size_t index, const char *note)
{
	struct pq_trial trial = pq_opening_trial(opening, index, 0, -1);
	uint32_t kernel_size = 0;
	bool opens = false;
	int answer, r;

	answer = pq_kernel_try(&opening->opener->kernel, &trial, &kernel_size);
	if (!answer)
		return pq_opening_opened(opening, index, NULL, note);
	if (answer == -EINVAL) {
		r = try_first_cpu(opening, index, &opens);
		if (r < 0 || opens)
			return r;
	}
	return pq_diagnose(opening, index, &trial, -answer, kernel_size);
}

static int open_on_cpus(struct pq_opening *opening, size_t index, const struct pq_cpus *cpus,
			const char *note)
{
	struct pq_trial trial;
	uint32_t kernel_size = 0;
	int answer;

	for (unsigned cpu = pq_cpus_next(cpus, 0); cpu < PQ_CPUS_MAX;
	     cpu = pq_cpus_next(cpus, cpu + 1)) {
		trial = pq_opening_trial(opening, index, -1, (int)cpu);
		answer = pq_kernel_try(&opening->opener->kernel, &trial, &kernel_size);
		if (answer < 0)
			return pq_diagnose(opening, index, &trial, -answer, kernel_size);
	}
	return pq_opening_opened(opening, index, opening->requests[index].cpus, note);
}

int pq_opening_alone(struct pq_opening *opening, size_t index, const char *note)
{
	const struct pq_request *request = &opening->requests[index];
	char room[512];
	struct pq_arena arena;
	struct pq_cpus cpus = { 0 };
	int r;

	if (!request->needs_cpu)
		return open_for_task(opening, index, note);
	pq_arena_init(&arena, room, sizeof(room), SIZE_MAX);
	if (pq_cpus_parse(&arena, str_of(request->cpus), &cpus) && pq_cpus_count(&cpus))
		r = open_on_cpus(opening, index, &cpus, note);
	else
		r = open_for_task(opening, index, note);
	pq_arena_clear(&arena);
	return r;
}

/* Why there is nothing to ask the kernel, or NULL. */
static const char *reason_to_skip(const struct pq_request *request)
{
	if (!request->attr)
		return "it has no attr: there is nothing to open";
	if (request->attr->type >= PQ_TYPE_PSEUDO)
		return "it is an event that a tool makes up itself: no kernel has a PMU of that "
		       "type";
	if (request->attr->size > PMUQ_ATTR_SIZE_MAX)
		return "its attr is larger than the layout that pmuq knows";
	return NULL;
}

static int open_next(struct pq_opening *opening, size_t index)
{
	if (opening->verdicts->v[index].is_settled)
		return 0;
	if (opening->requests[index].members > 1)
		return pq_opening_group(opening, index);
	return pq_opening_alone(opening, index, NULL);
}

static int open_all(struct pq_opening *opening)
{
	const char *reason;
	int r = 0;

	for (size_t i = 0; i < opening->n; i++) {
		reason = reason_to_skip(&opening->requests[i]);
		if (reason)
			pq_verdict_skipped(&opening->verdicts->v[i], reason);
	}
	for (size_t i = 0; i < opening->n && r >= 0; i++)
		r = open_next(opening, i);
	return r;
}

int pq_open_requests(const struct pq_opener *opener, const struct pq_request *requests, size_t n,
		     struct pmuq_verdicts **ret, struct pmuq_error **reterr)
{
	cleanup(pq_verdicts_freep) struct pmuq_verdicts *verdicts = pq_verdicts_new(n);
	struct pq_opening opening = { .opener = opener, .requests = requests, .n = n };
	int r;

	if (!verdicts)
		return pq_fail_memory(reterr);
	opening.verdicts = verdicts;
	pq_arena_init(&opening.scratch, NULL, 0, SCRATCH_BYTES_MAX);
	r = open_all(&opening);
	pq_arena_clear(&opening.scratch);
	if (r < 0)
		return pq_fail_memory(reterr);

	*ret = move(verdicts);
	return 0;
}
