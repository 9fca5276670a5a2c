/* SPDX-License-Identifier: MIT */
/* The types of lists and the fields of their rows; those of events are in list_events.c. Prints
 * nothing. */
#include "cli/or_die.h"
#include "cli/output/error_record.h"
#include "cli/tables/list.h"
#include "cli/tables/list_sources.h"
#include "core/attr/attr.h"
#include <assert.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <string.h>

#define ROW ((const struct list_row *)of)

/* Sets a text that was made for the cell; frees it with the cell. */
static bool take_text(struct cell *cell, char *text)
{
	bool has_text = text && cell_print(cell, "%s", text);

	free(text);
	return has_text;
}

bool list_get_pmu(const void *of, struct cell *cell)
{
	if (ROW->instances)
		return take_text(cell, instances_names(ROW->instances));
	cell->text = ROW->pmu->name;
	return true;
}

static bool get_type(const void *of, struct cell *cell)
{
	if (ROW->instances) {
		cell->type = FIELD_TEXT;
		return take_text(cell, instances_types(ROW->instances));
	}
	cell->count = ROW->pmu->type;
	return ROW->pmu->has_type;
}

static bool get_events(const void *of, struct cell *cell)
{
	cell->count = list_count_events(ROW->catalog, ROW->pmu);
	return true;
}

static bool get_definition(const void *of, struct cell *cell)
{
	return cell_print(cell, "%016" PRIx64, ROW->pmu->definition->hash);
}

/* The content of a known file. A content that JSON cannot contain as a number ("0x10", or garbage)
 * is a text. */
static bool get_file(const void *of, struct cell *cell)
{
	const struct pmuq_pmu_file *file = cell->field->of;
	const char *text = pmuq_pmu_file_text(ROW->pmu, file->path.p);

	if (text && (text[strspn(text, "0123456789")] || (text[0] == '0' && text[1])))
		cell->type = FIELD_TEXT;
	return cell_set_text(cell, text);
}

static char *tracepoint_name(const struct pmuq_tracepoint *tracepoint)
{
	return print_or_die("%s:%s", tracepoint->subsystem.p, tracepoint->name.p);
}

static bool get_tracepoint(const void *of, struct cell *cell)
{
	return take_text(cell, tracepoint_name(ROW->tracepoint));
}

static bool get_word(const void *of, struct cell *cell)
{
	int word = ROW->format->bits.word;

	if (word >= 0)
		cell->text = pq_attr_config_name((unsigned)word);
	return word >= 0;
}

#define OF_PMU(name) MEMBER_OF(struct list_row, pmu, struct pmuq_pmu, name)
#define OF_DEFINITION(name)                                                                        \
	MEMBER_OF_OF(struct list_row, pmu, struct pmuq_pmu, definition, struct pmuq_definition,    \
		     name)
#define OF_FORMAT(name) MEMBER_OF(struct list_row, format, struct pmuq_format, name)

// clang-format off
static const struct field pmu_fields[] = {
	{ .name = STR("name"),       .type = FIELD_TEXT,    .flags = FIELD_SHOWN | FIELD_FOLDS, .width = 8,
	  .get = list_get_pmu,       .help = "the directory in sysfs" },
	{ .name = STR("type"),       .type = FIELD_COUNT,   .flags = FIELD_SHOWN | FIELD_FOLDS | FIELD_NULLABLE | FIELD_MIXED, .width = 4,
	  .get = get_type,           .help = "type of the attr" },
	{ .name = STR("cpus"),       .type = FIELD_TEXT,    .flags = FIELD_SHOWN | FIELD_WRAP, .percent = 20,
	  OF_PMU(cpus),              .help = "CPUs to open its events on" },
	{ .name = STR("formats"),    .type = FIELD_COUNT,   .flags = FIELD_SHOWN, .width = 4,
	  OF_DEFINITION(n_formats),  .help = "number of its formats" },
	{ .name = STR("events"),     .type = FIELD_COUNT,   .flags = FIELD_SHOWN, .width = 4,
	  .get = get_events,         .help = "number of its files in events/, of software events or of tracepoints" },
	{ .name = STR("caps"),       .type = FIELD_COUNT,   .flags = FIELD_SHOWN | FIELD_SPARE, .width = 4,
	  OF_DEFINITION(n_caps),     .help = "number of its capabilities" },
	{ .name = STR("definition"), .type = FIELD_TEXT,    .width = 16, .pattern = PATTERN_DEFINITION,
	  .get = get_definition,     .help = "hash of formats, events and capabilities" },
	{ .name = STR("core"),       .type = FIELD_BOOL,    .width = 3,
	  OF_PMU(is_core),           .help = "counts on CPU cores" },
	{ .name = STR("uncore"),     .type = FIELD_BOOL,    .width = 3,
	  OF_PMU(is_uncore),         .help = "opens per CPU only" },
};

static const struct field format_fields[] = {
	{ .name = STR("pmu"),        .type = FIELD_TEXT,    .flags = FIELD_SHOWN | FIELD_FOLDS, .width = 8,
	  .get = list_get_pmu,       .help = "its PMU" },
	{ .name = STR("format"),     .type = FIELD_TEXT,    .flags = FIELD_SHOWN, .width = 8,
	  OF_FORMAT(name),           .help = "name of the term" },
	{ .name = STR("bits"),       .type = FIELD_TEXT,    .flags = FIELD_SHOWN | FIELD_WRAP, .width = 8,
	  OF_FORMAT(text),           .help = "its bits as the kernel wrote them" },
	{ .name = STR("width"),      .type = FIELD_COUNT,   .flags = FIELD_SHOWN | FIELD_SPARE, .width = 4, .unit = "bits",
	  OF_FORMAT(bits.width),     .help = "width of its values" },
	{ .name = STR("word"),       .type = FIELD_TEXT,    .flags = FIELD_SHOWN | FIELD_SPARE | FIELD_NULLABLE, .width = 7,
	  .get = get_word,           .help = "field of the attr" },
	{ .name = STR("mask"),       .type = FIELD_WORD,    .flags = FIELD_SHOWN | FIELD_SPARE, .width = 18,
	  OF_FORMAT(bits.mask),      .help = "its bits of that field" },
};

static const struct field tracepoint_fields[] = {
	{ .name = STR("name"),       .type = FIELD_TEXT,    .flags = FIELD_SHOWN, .width = 8,
	  .get = get_tracepoint,     .help = "its event string: SUBSYSTEM:NAME" },
	{ .name = STR("id"),         .type = FIELD_COUNT,   .flags = FIELD_SHOWN, .width = 4,
	  MEMBER_OF(struct list_row, tracepoint, struct pmuq_tracepoint, id), .help = "config of its attr, until the next boot" },
};

static const struct field fact_fields[] = {
	{ .name = STR("fact"),       .type = FIELD_TEXT,    .flags = FIELD_SHOWN, .width = 8,
	  MEMBER(struct pmuq_pair, name), .help = "name of the fact" },
	{ .name = STR("text"),       .type = FIELD_TEXT,    .flags = FIELD_SHOWN | FIELD_WRAP, .percent = 60,
	  MEMBER(struct pmuq_pair, text), .help = "its value" },
};
// clang-format on

static struct field field_of_file(const struct pmuq_pmu_file *file)
{
	static const struct field of_content[] = {
		[PMUQ_FILE_TEXT] = { .type = FIELD_TEXT, .width = 8 },
		[PMUQ_FILE_NUMBER] = { .type = FIELD_LITERAL, .flags = FIELD_MIXED, .width = 4 },
		[PMUQ_FILE_CPUS] = { .type = FIELD_TEXT, .flags = FIELD_WRAP, .percent = 20 },
	};
	struct field field = of_content[file->content];

	field.name = file->name;
	field.help = file->help.p;
	field.unit = file->unit.n ? file->unit.p : NULL;
	field.flags |= FIELD_OPTIONAL;
	field.get = get_file;
	field.of = file;
	return field;
}

#define FILE_FIELDS_MAX 32

/* `type` is a field already. */
static size_t make_file_fields(struct field fields[FILE_FIELDS_MAX])
{
	const struct pmuq_pmu_file *file;
	size_t n = 0;

	for (size_t i = 0; (file = pmuq_pmu_file_at(i)); i++) {
		if (str_eq(file->name, STR("type")))
			continue;
		assert(n < FILE_FIELDS_MAX);
		fields[n++] = field_of_file(file);
	}
	return n;
}

/* A field for each file that the library knows. */
static const struct field *pmu_file_field(size_t index)
{
	static struct field fields[FILE_FIELDS_MAX];
	static size_t n;

	if (n == 0)
		n = make_file_fields(fields);
	return index < n ? &fields[index] : NULL;
}

const struct record_type list_pmu_record = {
	.name = "pmu",
	FIELDS(pmu_fields),
	.more_fields = pmu_file_field,
};
const struct record_type list_format_record = { .name = "format", FIELDS(format_fields) };
static const struct record_type tracepoint_record = {
	.name = "tracepoint",
	FIELDS(tracepoint_fields),
};
static const struct record_type fact_record = { .name = "fact", FIELDS(fact_fields) };

#define DOCUMENT(what, record)                                                                     \
	{                                                                                          \
		.name = "list-" what, .title = "pmuq list " what, .rows = what, .row = &(record),  \
		.is_table = true                                                                   \
	}
static const struct document_type pmus_document = DOCUMENT("pmus", list_pmu_record);
static const struct document_type tracepoints_document = DOCUMENT("tracepoints", tracepoint_record);
static const struct document_type formats_document = DOCUMENT("formats", list_format_record);
static const struct document_type facts_document = DOCUMENT("facts", fact_record);
static const struct document_type problems_document = DOCUMENT("problems", problem_record);

const struct document_type *const list_documents[] = {
	&pmus_document,
	&list_events_document,
	&tracepoints_document,
	&formats_document,
	&facts_document,
	&list_metrics_document,
	&list_metric_groups_document,
	&problems_document,
	NULL,
};

/* --------------------------------------------------------------------------------------- rows */

static bool pmu_row(const struct list_input *input, size_t index, struct list_row *ret)
{
	*ret = (struct list_row){ .catalog = input->catalog, .pmu = input->pmu };
	return index == 0;
}

static bool format_row(const struct list_input *input, size_t index, struct list_row *ret)
{
	const struct pmuq_format *format = pmuq_pmu_format(input->pmu, index);

	if (!format)
		return false;
	*ret = (struct list_row){ .pmu = input->pmu, .name = format->name.p, .format = format };
	return true;
}

static bool tracepoint_row(const struct list_input *input, size_t index, struct list_row *ret)
{
	const struct pmuq_tracepoint *tracepoint = pmuq_catalog_tracepoint(input->catalog, index);

	if (!tracepoint)
		return false;
	*ret = (struct list_row){ .name = tracepoint->name.p, .tracepoint = tracepoint };
	return true;
}

static bool fact_row(const struct list_input *input, size_t index, struct list_row *ret)
{
	const struct pmuq_machine *machine = pmuq_catalog_machine(input->catalog);

	if (index >= machine->n_facts)
		return false;
	*ret = (struct list_row){ .name = machine->facts[index].name.p,
				  .record = &machine->facts[index] };
	return true;
}

static bool problem_row(const struct list_input *input, size_t index, struct list_row *ret)
{
	const struct pmuq_problem *problem = pmuq_catalog_problem(input->catalog, index);

	if (!problem)
		return false;
	*ret = (struct list_row){ .name = problem->path.p, .record = problem };
	return true;
}

/* -------------------------------------------------------------------------------------- globs */

static bool pmu_matches(const struct pmuq_pmu *pmu, const char *glob)
{
	return fnmatch(glob, pmu->name.p, 0) == 0 ||
	       (pmu->alias.n && fnmatch(glob, pmu->alias.p, 0) == 0);
}

static bool tracepoint_matches(const struct pmuq_tracepoint *tracepoint, const char *glob)
{
	auto_free char *whole = tracepoint_name(tracepoint);

	return fnmatch(glob, whole, 0) == 0 || fnmatch(glob, tracepoint->subsystem.p, 0) == 0;
}

/* Vendors' names are not case-sensitive. */
bool list_row_matches(const struct list_row *row, const char *glob)
{
	bool is_vendors = row->event.origin & (PMUQ_FROM_JSON | PMUQ_FROM_PFM);
	int flags = is_vendors || row->is_any_case ? FNM_CASEFOLD : 0;
	auto_free char *whole = NULL;

	if (row->plan)
		return list_metric_matches(row, glob);
	if (row->pmu && pmu_matches(row->pmu, glob))
		return true;
	if (row->name && fnmatch(glob, row->name, flags) == 0)
		return true;
	if (row->tracepoint && tracepoint_matches(row->tracepoint, glob))
		return true;
	if (row->event.string && fnmatch(glob, row->event.string, flags) == 0)
		return true;
	if (!row->pmu || !row->name || !strchr(glob, '/'))
		return false;
	whole = print_or_die("%s/%s/", row->pmu->name.p, row->name);
	if (fnmatch(glob, whole, flags) == 0)
		return true;
	whole[strlen(whole) - 1] = 0;
	return fnmatch(glob, whole, flags) == 0;
}

static const struct list_type list_of_pmus = {
	.one = "PMU",
	.document = &pmus_document,
	.row = pmu_row,
};

const struct list_type list_of_tracepoints = {
	.one = "tracepoint",
	.document = &tracepoints_document,
	.row = tracepoint_row,
	.is_of_catalog = true,
};

static const struct list_type list_of_formats = {
	.one = "format",
	.document = &formats_document,
	.row = format_row,
};

static const struct list_type list_of_facts = {
	.one = "fact",
	.document = &facts_document,
	.row = fact_row,
	.is_of_catalog = true,
};

static const struct list_type list_of_problems = {
	.one = "problem",
	.document = &problems_document,
	.row = problem_row,
	.is_of_catalog = true,
};

/* The first one is the default of `list`. */
const struct list_type *const list_types[] = {
	&list_of_pmus,	&list_of_events,  &list_of_tracepoints,	  &list_of_formats,
	&list_of_facts, &list_of_metrics, &list_of_metric_groups, &list_of_problems,
};
const size_t list_types_count = COUNT(list_types);

const struct list_type *list_type_find(const char *name)
{
	for (size_t i = 0; i < list_types_count; i++)
		if (strcmp(list_types[i]->document->rows, name) == 0)
			return list_types[i];
	return NULL;
}
