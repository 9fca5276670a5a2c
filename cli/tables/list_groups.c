/* SPDX-License-Identifier: MIT */
/* The list of metric groups: those of the CPU's tables, whether or not the machine has what their
 * metrics need. */
#include "cli/machine_word.h"
#include "cli/tables/list.h"

#define OF_GROUP(name) MEMBER(struct pmuq_metric_group, name)

// clang-format off
static const struct field fields[] = {
	{ .name = STR("name"),        .type = FIELD_TEXT,  .flags = FIELD_SHOWN, .width = 24, OF_GROUP(name), .help = "its name, for --metric" },
	{ .name = STR("metrics"),     .type = FIELD_COUNT, .flags = FIELD_SHOWN, .width = 4, OF_GROUP(n_metrics), .help = "how many metrics of the tables are in it" },
	{ .name = STR("description"), .type = FIELD_TEXT,  .flags = FIELD_SHOWN | FIELD_WRAP, .percent = 60, OF_GROUP(description), .help = "the vendor's description" },
};
// clang-format on
const struct record_type list_metric_group_record = { .name = "metricgroup", FIELDS(fields) };

const struct document_type list_metric_groups_document = {
	.name = "list-metricgroups",
	.title = "pmuq list metricgroups",
	.rows = "metricgroups",
	.row = &list_metric_group_record,
	.is_table = true,
};

static bool group_row(const struct list_input *input, size_t index, struct list_row *ret)
{
	const struct pmuq_metric_group *group =
		pmuq_metric_groups_get(input->planned->groups, index);

	if (!group)
		return false;
	*ret = (struct list_row){ .name = group->name.p, .record = group, .is_any_case = true };
	return true;
}

static enum status open_groups(struct planned *planned, const struct cli *cli,
			       struct pmuq_source *source, const char *vendor,
			       struct pmuq_catalog **catalog)
{
	(void)catalog;
	return source_find_metric_groups(cli, source, vendor, &planned->groups);
}

const struct list_type list_of_metric_groups = {
	.one = "metric group",
	.document = &list_metric_groups_document,
	.row = group_row,
	.open = open_groups,
	.is_of_catalog = true,
};
