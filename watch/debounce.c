/* SPDX-License-Identifier: MIT */
#include "watch/debounce.h"

static uint64_t after(uint64_t now_ms, uint64_t ms)
{
	return ms < PQ_DEBOUNCE_NEVER - now_ms ? now_ms + ms : PQ_DEBOUNCE_NEVER;
}

void pq_debounce_init(struct pq_debounce *debounce, uint32_t quiet_ms, uint64_t timer_ms,
		      uint64_t now_ms)
{
	*debounce = (struct pq_debounce){
		.quiet_ms = quiet_ms,
		.timer_ms = timer_ms,
		.first_ms = PQ_DEBOUNCE_NEVER,
		.ready_ms = PQ_DEBOUNCE_NEVER,
		.check_ms = after(now_ms, timer_ms),
	};
}

void pq_debounce_note(struct pq_debounce *debounce, uint64_t now_ms, bool is_last)
{
	uint64_t limit;

	if (debounce->first_ms == PQ_DEBOUNCE_NEVER)
		debounce->first_ms = now_ms;
	limit = after(debounce->first_ms, (uint64_t)debounce->quiet_ms * PQ_DEBOUNCE_PATIENCE);
	debounce->ready_ms = is_last ? now_ms : after(now_ms, debounce->quiet_ms);
	if (debounce->ready_ms > limit)
		debounce->ready_ms = limit;
}

enum pq_debounced pq_debounce_take(struct pq_debounce *debounce, uint64_t now_ms)
{
	bool is_ready = now_ms >= debounce->ready_ms;

	if (!is_ready && now_ms < debounce->check_ms)
		return PQ_DEBOUNCED_NOTHING;
	/* The files of an announced PMU may not exist yet. */
	if (!is_ready && debounce->ready_ms != PQ_DEBOUNCE_NEVER)
		return PQ_DEBOUNCED_NOTHING;
	debounce->first_ms = debounce->ready_ms = PQ_DEBOUNCE_NEVER;
	debounce->check_ms = after(now_ms, debounce->timer_ms);
	return is_ready ? PQ_DEBOUNCED_CHANGE : PQ_DEBOUNCED_TIMER;
}

uint64_t pq_debounce_next(const struct pq_debounce *debounce)
{
	return debounce->ready_ms != PQ_DEBOUNCE_NEVER ? debounce->ready_ms : debounce->check_ms;
}
