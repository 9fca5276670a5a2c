/* SPDX-License-Identifier: MIT */
#include "cli/watched.h"
#include "cli/clock.h"
#include "cli/diff/diff_output.h"

#define WATCHED ((const struct watched *)of)
#define CAUSE ((const struct follower_cause *)of)

static bool get_cause(const void *of, struct cell *cell)
{
	if (!WATCHED->change || cell->index >= WATCHED->change->causes.n)
		return false;
	cell->record = &WATCHED->change->causes.v[cell->index];
	return true;
}

static bool get_change(const void *of, struct cell *cell)
{
	cell->record = WATCHED->change ? pmuq_diff_get(WATCHED->change->diff, cell->index) : NULL;
	return cell->record;
}

static bool get_cause_name(const void *of, struct cell *cell)
{
	return cell_set_text(cell, pmuq_watch_cause_name(CAUSE->cause));
}

// clang-format off
static const struct field cause_fields[] = {
	{ .name = STR("cause"),  .type = FIELD_TEXT, .get = get_cause_name,
	  .help = "pmu, module, cpu; lost: announcements were lost; timer: nothing was announced" },
	{ .name = STR("action"), .type = FIELD_TEXT, .flags = FIELD_OPTIONAL, MEMBER(struct follower_cause, action),
	  .help = "add, remove, online, offline" },
	{ .name = STR("name"),   .type = FIELD_TEXT, .flags = FIELD_OPTIONAL, MEMBER(struct follower_cause, name),
	  .help = "of the PMU, the module or the CPU" },
};
static const struct record_type cause_record = { .name = "cause", FIELDS(cause_fields) };

static const struct field watched_fields[] = {
	{ .name = STR("generation"), .type = FIELD_COUNT, MEMBER_OF(struct watched, follower, struct follower, generation),
	  .help = "number of the state of the machine, from 1" },
	{ .name = STR("time"),       .type = FIELD_TIME,  MEMBER(struct watched, time_s), .help = "when it was read" },
	{ .name = STR("pmus"),       .type = FIELD_COUNT, MEMBER(struct watched, n_pmus), .help = "number of PMUs" },
	{ .name = STR("causes"),     .type = FIELD_RECORD, .flags = FIELD_LIST, .get = get_cause, .record = &cause_record,
	  .help = "what the kernel announced, at most 64" },
	{ .name = STR("changes"),    .type = FIELD_RECORD, .flags = FIELD_LIST, .get = get_change, .record = &change_record,
	  .help = "since the generation before" },
};
// clang-format on

static const struct record_type watched_record = { .name = "state", FIELDS(watched_fields) };

const struct document_type watch_document = {
	.name = "watch",
	.title = "pmuq watch",
	.head = &watched_record,
};

struct watched watched_of(const struct follower *follower, const struct follower_change *change)
{
	return (struct watched){
		.follower = follower,
		.change = change,
		.time_s = change ? change->time_s : clock_now_s(),
		.n_pmus = pmuq_catalog_machine(follower->catalog)->n_pmus,
	};
}
