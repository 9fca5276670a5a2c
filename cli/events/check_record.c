/* SPDX-License-Identifier: MIT */
/*
 * The document of `pmuq check`: for each string its encodings with their open results, counts and
 * groups; after all strings the budget of file descriptors. A key is missing if its value is not
 * known: counts without --count, the page without --rdpmc.
 */
#include "cli/events/check_output.h"
#include "cli/events/event_records.h"
#include "cli/or_die.h"

#define SHOWN ((const struct shown_encoding *)of)
#define GROUP ((const struct shown_group *)of)
#define RESULT ((const struct result *)of)

/* ----------------------------------------------------------------------------------- diagnosis */

// clang-format off
static const struct field diagnosis_fields[] = {
	{ .name = STR("name"),  .type = FIELD_TEXT, MEMBER(struct pmuq_open_result, name), .help = "name of the reason, stable forever" },
	{ .name = STR("steps"), .type = FIELD_TEXT, .flags = FIELD_LIST, ITEMS(struct pmuq_open_result, steps, n_steps), .help = "what the change consists of" },
	{ .name = STR("changed_attr_hex"), .type = FIELD_HEX, .flags = FIELD_OPTIONAL, MEMBER(struct pmuq_open_result, changed_attr),
	  .help = "the attr that opened after the change" },
};
static const struct record_type diagnosis_record = { .name = "diagnosis", FIELDS(diagnosis_fields) };
// clang-format on

static bool get_diagnosis(const void *of, struct cell *cell)
{
	cell->record = SHOWN->open;
	return SHOWN->open->name.p;
}

static bool get_note(const void *of, struct cell *cell)
{
	return SHOWN->open->status == PMUQ_OPENED && cell_set_text(cell, SHOWN->open->hint.p);
}

/* ---------------------------------------------------------------------------------- companions */

typedef bool is_with_fn(const struct result *result, size_t index, size_t other);

/* The next encoding from the cursor on that was opened, or counted, with this one. */
static bool next_with(const struct shown_encoding *shown, is_with_fn *is_with, struct cell *cell)
{
	size_t n = pmuq_encodings_count(shown->result->encodings);

	while (cell->cursor < n && !is_with(shown->result, shown->index, cell->cursor))
		cell->cursor++;
	cell->count = cell->cursor;
	return cell->cursor++ < n;
}

static bool get_opened_with(const void *of, struct cell *cell)
{
	return next_with(SHOWN, check_is_opened_with, cell);
}

static bool get_counted_with(const void *of, struct cell *cell)
{
	return next_with(SHOWN, check_is_counted_with, cell);
}

/* -------------------------------------------------------------------------------------- counts */

#define OF_PAGE(name) MEMBER(struct pmuq_page, name)
#define READ_PAGE(name) OF_PAGE(name), ONLY_IF(struct pmuq_page, is_read)
#define READ_COUNT(name) MEMBER(struct pmuq_count, name), ONLY_IF(struct pmuq_count, is_read)
#define OF(name) MEMBER_OF(struct shown_encoding, encoding, struct pmuq_encoding, name)

// clang-format off
static const struct field count_fields[] = {
	{ .name = STR("status"),          .type = FIELD_TEXT,   .word = pmuq_counting_name, MEMBER(struct pmuq_count, status) },
	{ .name = STR("value"),           .type = FIELD_COUNT,  .flags = FIELD_OPTIONAL, READ_COUNT(value), .help = "sum over the CPUs" },
	{ .name = STR("scaled"),          .type = FIELD_COUNT,  .flags = FIELD_OPTIONAL, READ_COUNT(scaled), .help = "estimate for all of the time" },
	{ .name = STR("time_enabled_ns"), .type = FIELD_COUNT,  .flags = FIELD_OPTIONAL, READ_COUNT(time_enabled_ns) },
	{ .name = STR("time_running_ns"), .type = FIELD_COUNT,  .flags = FIELD_OPTIONAL, READ_COUNT(time_running_ns) },
	{ .name = STR("errno"),           .type = FIELD_NUMBER, .flags = FIELD_OPTIONAL | FIELD_UNLESS_0, MEMBER(struct pmuq_count, errnum) },
	{ .name = STR("errno_name"),      .type = FIELD_TEXT,   .flags = FIELD_OPTIONAL, .word = errno_word, MEMBER(struct pmuq_count, errnum) },
};
static const struct record_type count_record = { .name = "count", .help = "With --count and --rdpmc", FIELDS(count_fields) };

static const struct field page_fields[] = {
	{ .name = STR("is_mapped"),          .type = FIELD_BOOL,  .flags = FIELD_NOT, OF_PAGE(errnum) },
	{ .name = STR("cap_user_rdpmc"),     .type = FIELD_BOOL,  OF_PAGE(has_rdpmc) },
	{ .name = STR("cap_user_time"),      .type = FIELD_BOOL,  OF_PAGE(has_time) },
	{ .name = STR("cap_user_time_zero"), .type = FIELD_BOOL,  OF_PAGE(has_time_zero) },
	{ .name = STR("index"),              .type = FIELD_COUNT, OF_PAGE(index), .help = "of the counter, from 1; 0: on none" },
	{ .name = STR("pmc_width"),          .type = FIELD_COUNT, OF_PAGE(width_bits), .unit = "bits" },
	{ .name = STR("is_read"),            .type = FIELD_BOOL,  OF_PAGE(is_read), .help = "in user space" },
	{ .name = STR("reason"),             .type = FIELD_TEXT,  .flags = FIELD_OPTIONAL, OF_PAGE(reason), .help = "why not" },
	{ .name = STR("value"),              .type = FIELD_COUNT, .flags = FIELD_OPTIONAL, READ_PAGE(value) },
	{ .name = STR("time_enabled_ns"),    .type = FIELD_COUNT, .flags = FIELD_OPTIONAL, READ_PAGE(time_enabled_ns) },
	{ .name = STR("time_running_ns"),    .type = FIELD_COUNT, .flags = FIELD_OPTIONAL, READ_PAGE(time_running_ns) },
};
static const struct record_type page_record = {
	.name = "page", .help = "With --rdpmc: the page that the kernel maps for the event, while it counted", FIELDS(page_fields),
};

static const struct field encoding_fields[] = {
	{ .name = STR("name"),      .type = FIELD_TEXT,   OF(name), .help = "as written, or the value of name=" },
	{ .name = STR("pmu"),       .type = FIELD_TEXT,   .flags = FIELD_NULLABLE, OF(pmu) },
	{ .name = STR("cpus"),      .type = FIELD_TEXT,   OF(cpus), .help = "CPUs of its PMU, as a list" },
	{ .name = STR("open"),      .type = FIELD_RECORD, .get = get_open, .record = &open_record },
	{ .name = STR("opened_with"), .type = FIELD_COUNT, .flags = FIELD_LIST | FIELD_OPTIONAL, .get = get_opened_with,
	  .help = "indexes of the members of its group that were open when the kernel opened or refused it; missing: it was alone" },
	{ .name = STR("diagnosis"), .type = FIELD_RECORD, .flags = FIELD_OPTIONAL, .get = get_diagnosis, .record = &diagnosis_record,
	  .help = "the refusal in stable names" },
	{ .name = STR("note"),      .type = FIELD_TEXT,   .flags = FIELD_OPTIONAL, .get = get_note, .help = "it opened in another way than requested" },
	{ .name = STR("count"),     .type = FIELD_RECORD, .flags = FIELD_OPTIONAL, MEMBER(struct shown_encoding, count), .record = &count_record },
	{ .name = STR("counted_with"), .type = FIELD_COUNT, .flags = FIELD_LIST | FIELD_OPTIONAL, .get = get_counted_with,
	  .help = "indexes of the members of its group that counted at the same time; missing: it was alone" },
	{ .name = STR("page"),      .type = FIELD_RECORD, .flags = FIELD_OPTIONAL, MEMBER_OF(struct shown_encoding, count, struct pmuq_count, page), .record = &page_record },
};
static const struct record_type encoding_record = { .name = "encoding", FIELDS(encoding_fields) };
// clang-format on

/* -------------------------------------------------------------------------------------- groups */

struct shown_group {
	struct check_group group;
	const struct result *result;
};

/* The members that count together, selected by the index of their subgroup. */
struct shown_subgroup {
	const struct shown_group *group;
	size_t index;
};

#define SUBGROUP ((const struct shown_subgroup *)of)

/* The next member from the cursor on; `subgroup` SIZE_MAX: of any subgroup. */
static bool next_member(const struct shown_group *shown, size_t subgroup, struct cell *cell)
{
	const struct result *result = shown->result;
	size_t n = pmuq_encodings_count(result->encodings);

	for (; cell->cursor < n; cell->cursor++) {
		size_t i = cell->cursor;

		if (!check_is_member(result, i, shown->group.leader) ||
		    (subgroup != SIZE_MAX &&
		     pmuq_counts_get(result->counts, i)->subgroup != subgroup))
			continue;
		cell->count = cell->cursor++;
		return true;
	}
	return false;
}

static bool get_member(const void *of, struct cell *cell)
{
	return next_member(GROUP, SIZE_MAX, cell);
}

static bool get_subgroup_member(const void *of, struct cell *cell)
{
	return next_member(SUBGROUP->group, SUBGROUP->index, cell);
}

static bool get_subgroup(const void *of, struct cell *cell)
{
	cell_set_record(cell, (struct shown_subgroup){ .group = GROUP, .index = cell->index });
	return GROUP->group.is_counted && cell->index < GROUP->group.parts;
}

static const char *prediction_word(unsigned index)
{
	return pmuq_fit_status_name((enum pmuq_fit_status)index);
}

// clang-format off
static const struct field subgroup_fields[] = {
	{ .name = STR("members"), .type = FIELD_COUNT, .flags = FIELD_LIST, .get = get_subgroup_member, .help = "their indexes in encodings" },
};
static const struct record_type subgroup_record = { .name = "subgroup", FIELDS(subgroup_fields) };

static const struct field group_fields[] = {
	{ .name = STR("name"),      .type = FIELD_TEXT,   MEMBER(struct shown_group, group.name) },
	{ .name = STR("leader"),    .type = FIELD_COUNT,  MEMBER(struct shown_group, group.leader), .help = "its index in encodings" },
	{ .name = STR("members"),   .type = FIELD_COUNT,  .flags = FIELD_LIST, .get = get_member, .help = "their indexes, the leader's first" },
	{ .name = STR("opens"),     .type = FIELD_BOOL,   MEMBER(struct shown_group, group.opens), .help = "as a whole" },
	{ .name = STR("fits"),      .type = FIELD_BOOL,   .flags = FIELD_OPTIONAL, MEMBER(struct shown_group, group.fits), ONLY_IF(struct shown_group, group.is_counted), .help = "with --count: all count together" },
	{ .name = STR("breaker"),   .type = FIELD_COUNT,  .flags = FIELD_OPTIONAL | FIELD_UNLESS_MAX, MEMBER(struct shown_group, group.breaker), ONLY_IF(struct shown_group, group.is_counted), .help = "the first that did not fit" },
	{ .name = STR("predicts_open"), .type = FIELD_TEXT, .word = prediction_word, MEMBER(struct shown_group, group.predicts_open), .help = "the kernel should open it, by the counters of its PMUs" },
	{ .name = STR("predicts_count"), .type = FIELD_TEXT, .word = prediction_word, MEMBER(struct shown_group, group.predicts_count), .help = "all should count together" },
	{ .name = STR("prediction"), .type = FIELD_TEXT, .flags = FIELD_NULLABLE, MEMBER(struct shown_group, group.reason), .help = "why not, or what is not known" },
	{ .name = STR("agrees"),    .type = FIELD_TEXT,   .word = prediction_word, MEMBER(struct shown_group, group.agrees), .help = "the kernel did what is predicted; unknown: nothing is, or it was not tried" },
	{ .name = STR("subgroups"), .type = FIELD_RECORD, .flags = FIELD_LIST | FIELD_OPTIONAL, .get = get_subgroup, .record = &subgroup_record,
	  .help = "groups that do fit, as tried" },
};
static const struct record_type group_record = { .name = "group", FIELDS(group_fields) };
// clang-format on

/* ------------------------------------------------------------------------------------- results */

/* cursor: the encoding to continue with. */
static bool get_group(const void *of, struct cell *cell)
{
	struct shown_group *shown = (struct shown_group *)cell->memory.bytes;

	shown->result = RESULT;
	cell->record = shown;
	while (cell->cursor < pmuq_encodings_count(RESULT->encodings))
		if (check_group_of(RESULT, cell->cursor++, &shown->group))
			return true;
	return false;
}

static const struct field check_fields[] = {
	RESULT_FIELDS(&encoding_record),
	{ .name = STR("groups"),
	  .type = FIELD_RECORD,
	  .flags = FIELD_LIST,
	  .in = IN_VARIANT(0),
	  .get = get_group,
	  .record = &group_record },
};

static const struct record_type check_record = { .name = "input",
						 RESULT_VARIANTS,
						 FIELDS(check_fields) };

/* -------------------------------------------------------------------------------------- budget */

static bool get_budget_fits(const void *of, struct cell *cell)
{
	cell->is_true = pmuq_budget_fits(of);
	return true;
}

static bool get_text(const void *of, struct cell *cell)
{
	auto_free char *text = or_die(pmuq_budget_text(of));

	return cell_print(cell, "%s", text);
}

static bool get_tail_metric(const void *of, struct cell *cell)
{
	return get_metric(((const struct check_tail *)of)->metrics, cell);
}

/* RLIM_INFINITY is not a useful number for people: print null. */
// clang-format off
static const struct field budget_fields[] = {
	{ .name = STR("needed"),     .type = FIELD_COUNT, MEMBER(struct pmuq_budget, needed), .help = "one for each event on each of its CPUs" },
	{ .name = STR("in_use"),     .type = FIELD_COUNT, .flags = FIELD_NULLABLE | FIELD_UNLESS_MAX, MEMBER(struct pmuq_budget, in_use), .help = "null: /proc cannot be read" },
	{ .name = STR("limit"),      .type = FIELD_COUNT, .flags = FIELD_NULLABLE | FIELD_UNLESS_MAX, MEMBER(struct pmuq_budget, limit), .help = "null: none" },
	{ .name = STR("hard_limit"), .type = FIELD_COUNT, .flags = FIELD_NULLABLE | FIELD_UNLESS_MAX, MEMBER(struct pmuq_budget, hard_limit), .help = "null: none" },
	{ .name = STR("fits"),       .type = FIELD_BOOL,  .get = get_budget_fits },
	{ .name = STR("text"),       .type = FIELD_TEXT,  .get = get_text, .help = "the budget in a sentence" },
};
static const struct record_type budget_record = { .name = "budget", FIELDS(budget_fields) };

static const struct field tail_fields[] = {
	{ .name = STR("budget"), .type = FIELD_RECORD, INSIDE(struct check_tail, budget), .record = &budget_record,
	  .help = "file descriptors, if all events were kept open together" },
	{ .name = STR("metrics"), .type = FIELD_RECORD, .flags = FIELD_LIST | FIELD_OPTIONAL, .get = get_tail_metric, .record = &metric_record,
	  .help = "the metrics of --metric" },
};
static const struct record_type tail_record = { .name = "tail", FIELDS(tail_fields) };
// clang-format on

const struct document_type check_document = {
	.name = "check",
	.title = "pmuq check",
	.rows = "inputs",
	.row = &check_record,
	.tail = &tail_record,
};
