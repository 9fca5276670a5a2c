/* SPDX-License-Identifier: MIT */
#include "open/budget.h"
#include "open/opening.h"
#include <inttypes.h>

static bool add_alone(struct pq_opening *opening, const struct pq_request *request, size_t events,
		      uint64_t *needed)
{
	struct pq_places places;

	if (!pq_places_find(opening, request->needs_cpu, request->cpus, &places))
		return false;
	*needed += (uint64_t)pq_places_count(&places) * events;
	return true;
}

static bool add_group(struct pq_opening *opening, size_t leader, uint64_t *needed)
{
	cleanup(pq_group_free) struct pq_group group = { 0 };

	return pq_group_gather(opening, leader, &group) &&
	       add_alone(opening, pq_group_decider(opening, group.indexes, group.n), group.n,
			 needed);
}

static bool add(struct pq_opening *opening, size_t index, uint64_t *needed)
{
	const struct pq_request *request = &opening->requests[index];
	bool is_grouped = request->members > 1 && request->leader < opening->n &&
			  !pq_request_reason_to_skip(&opening->requests[request->leader]);

	if (pq_request_reason_to_skip(request))
		return true;
	if (!is_grouped)
		return add_alone(opening, request, 1, needed);
	return index != request->leader || add_group(opening, index, needed);
}

int pq_budget_find(const struct pq_opener *opener, const struct pq_request *requests, size_t n,
		   struct pmuq_budget *ret)
{
	struct pq_opening opening = { .opener = opener, .requests = requests, .n = n };
	struct pq_files_view files = { 0 };
	bool is_found = true;

	*ret = (struct pmuq_budget){ .size = sizeof(*ret) };
	pq_arena_init(&opening.scratch, NULL, 0, PQ_SCRATCH_BYTES_MAX);
	for (size_t i = 0; i < n && is_found; i++)
		is_found = add(&opening, i, &ret->needed);
	pq_arena_clear(&opening.scratch);
	opener->host.read_files(opener->host.self, &files);
	ret->in_use = files.n_open;
	ret->limit = files.limit;
	ret->hard_limit = files.hard_limit;
	return is_found ? 0 : -PMUQ_E_MEMORY;
}

static uint64_t total(const struct pmuq_budget *budget)
{
	uint64_t sum;

	return __builtin_add_overflow(budget->needed, budget->in_use, &sum) ? UINT64_MAX : sum;
}

PQ_API bool pmuq_budget_fits(const struct pmuq_budget *budget)
{
	return total(budget) <= budget->limit;
}

/* "1,024". */
static void put_grouped(struct pq_buf *text, uint64_t number)
{
	uint64_t unit = 1;

	while (number / unit >= 1000)
		unit *= 1000;
	pq_buf_print(text, "%" PRIu64, number / unit);
	for (; unit > 1; unit /= 1000)
		pq_buf_print(text, ",%03" PRIu64, number % unit / (unit / 1000));
}

static void put_limit(struct pq_buf *text, uint64_t limit)
{
	if (limit == UINT64_MAX)
		pq_buf_add(text, STR("unlimited"));
	else
		put_grouped(text, limit);
}

static void put_remedy(struct pq_buf *text, const struct pmuq_budget *budget)
{
	uint64_t wanted = total(budget);

	if (wanted <= budget->hard_limit)
		pq_buf_print(text, ": raise it with ulimit -n %" PRIu64, wanted);
	else
		pq_buf_add(text, STR(": open fewer events or CPUs at once, or have root raise the "
				     "hard limit"));
}

PQ_API char *pmuq_budget_text(const struct pmuq_budget *budget)
{
	struct pq_buf text = PQ_BUF_NULL;

	pq_buf_add(&text, STR("open at once they need "));
	put_grouped(&text, budget->needed);
	pq_buf_print(&text, " descriptor%s, ", budget->needed == 1 ? "" : "s");
	put_grouped(&text, budget->in_use);
	pq_buf_print(&text, " %s in use, and the limit is ", budget->in_use == 1 ? "is" : "are");
	put_limit(&text, budget->limit);
	if (!pmuq_budget_fits(budget)) {
		pq_buf_add(&text, STR(" (hard "));
		put_limit(&text, budget->hard_limit);
		pq_buf_char(&text, ')', 1);
		put_remedy(&text, budget);
	}
	return pq_buf_take(&text);
}
