/* SPDX-License-Identifier: MIT */
/* The way of one request: per task, or on each CPU that its PMU demands. */
#include "open/open.h"
#include "core/cpulist.h"
#include "open/diagnose/refusal.h"
#include "open/opening.h"
#include <errno.h>

#define NOTE_PER_CPU "it opens per CPU only (pid -1), not for a task"

struct pq_trial pq_opening_trial(const struct pq_opening *opening, size_t index,
				 struct pq_place place)
{
	const struct pq_request *request = &opening->requests[index];
	struct pq_trial trial = {
		.pid = place.pid,
		.cpu = place.cpu,
		.group_fd = -1,
		.is_cgroup = place.is_cgroup,
	};
	size_t bytes = request->attr->size ? request->attr->size : PMUQ_ATTR_SIZE_MAX;

	memcpy(&trial.attr, request->attr, bytes);
	trial.attr.size = request->attr->size;
	if (request->text)
		trial.attr.config1 = (uintptr_t)request->text;
	return trial;
}

static int settle_opened(struct pq_opening *opening, size_t index, int pid, const char *cpus,
			 const char *note)
{
	struct pq_verdict *verdict = &opening->verdicts->v[index];
	const char *kept = pq_verdict_keep_str(opening->verdicts, str_of(cpus));

	if (!kept)
		return -PMUQ_E_MEMORY;
	pq_verdict_opened(verdict, pid, kept);
	verdict->hint = note;
	return 0;
}

int pq_opening_opened(struct pq_opening *opening, size_t index, const struct pq_places *places,
		      const char *note)
{
	struct pq_verdict *verdict = &opening->verdicts->v[index];
	int pid = places->target.pid > 0 ? places->target.pid : -1;

	note = note ? note : places->note;
	if (!places->is_task)
		return settle_opened(opening, index, pid, places->list, note);
	pq_verdict_opened(verdict, places->target.pid, "-1");
	verdict->hint = note;
	return 0;
}

int pq_opening_opened_per_cpu(struct pq_opening *opening, size_t index, int cpu)
{
	struct pq_buf text = PQ_BUF_NULL;
	auto_free char *list = NULL;

	pq_buf_print(&text, "%d", cpu);
	list = pq_buf_take(&text);
	return list ? settle_opened(opening, index, -1, list, NOTE_PER_CPU) : -PMUQ_E_MEMORY;
}

bool pq_opening_may_be_per_cpu(const struct pq_opening *opening, struct pq_place place, int answer)
{
	return answer == -EINVAL && place.cpu < 0 && !pq_target_is_named(&opening->opener->target);
}

int pq_request_first_cpu(const struct pq_request *request, struct pmuq_str otherwise)
{
	struct pmuq_str list = str_trim(str_of(request->cpus));
	char room[PQ_CPUS_BYTES];
	struct pq_arena arena;
	struct pq_cpus cpus;
	unsigned cpu = PQ_CPUS_MAX;

	pq_arena_init(&arena, room, sizeof(room), 0);
	if (pq_cpus_parse(&arena, list.n ? list : otherwise, &cpus))
		cpu = pq_cpus_next(&cpus, 0);
	return cpu < PQ_CPUS_MAX ? (int)cpu : 0;
}

/* Some PMUs count per CPU only and have no cpumask file that says so. */
static int try_first_cpu(struct pq_opening *opening, size_t index, bool *ret_opens)
{
	const struct pq_place place = {
		.pid = -1,
		.cpu = pq_request_first_cpu(&opening->requests[index], STR("")),
	};
	struct pq_trial trial = pq_opening_trial(opening, index, place);

	*ret_opens = pq_kernel_try(&opening->opener->kernel, &trial, NULL) == 0;
	return *ret_opens ? pq_opening_opened_per_cpu(opening, index, place.cpu) : 0;
}

static int refused(struct pq_opening *opening, size_t index, struct pq_place place, int answer,
		   uint32_t kernel_size)
{
	struct pq_trial trial;
	bool opens = false;
	int r = 0;

	if (pq_opening_may_be_per_cpu(opening, place, answer))
		r = try_first_cpu(opening, index, &opens);
	if (r < 0 || opens)
		return r;
	trial = pq_opening_trial(opening, index, place);
	return pq_diagnose(opening, index, &trial, -answer, kernel_size);
}

int pq_opening_alone(struct pq_opening *opening, size_t index, const char *note)
{
	const struct pq_request *request = &opening->requests[index];
	struct pq_place place = { 0 };
	struct pq_places places;
	struct pq_trial trial;
	uint32_t kernel_size = 0;
	int answer;

	if (!pq_places_find(opening, request->needs_cpu, request->cpus, &places))
		return -PMUQ_E_MEMORY;
	while (pq_places_next(&places, &place)) {
		trial = pq_opening_trial(opening, index, place);
		answer = pq_kernel_try(&opening->opener->kernel, &trial, &kernel_size);
		if (answer < 0)
			return refused(opening, index, place, answer, kernel_size);
	}
	return pq_opening_opened(opening, index, &places, note);
}

const char *pq_request_reason_to_skip(const struct pq_request *request)
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
		reason = pq_request_reason_to_skip(&opening->requests[i]);
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
	pq_arena_init(&opening.scratch, NULL, 0, PQ_SCRATCH_BYTES_MAX);
	r = open_all(&opening);
	pq_arena_clear(&opening.scratch);
	if (r < 0)
		return pq_fail_memory(reterr);

	*ret = move(verdicts);
	return 0;
}
