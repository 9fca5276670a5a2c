/* SPDX-License-Identifier: MIT */
/* The kinds of lists and their columns, as tables, but for events. Prints nothing. */
#include "cli/tables/list.h"
#include <fnmatch.h>
#include <inttypes.h>
#include <string.h>

char *list_text_of(const char *text)
{
	return text && *text ? strdup(text) : NULL;
}

static char *number_of(uint64_t value)
{
	char *text = NULL;

	return asprintf(&text, "%" PRIu64, value) < 0 ? NULL : text;
}

static char *hex_of(uint64_t value)
{
	char *text = NULL;

	return asprintf(&text, "0x%" PRIx64, value) < 0 ? NULL : text;
}

char *list_claim_of(bool value)
{
	return strdup(value ? "yes" : "no");
}

/* Only what is a number of JSON, too. */
static char *attribute_number(const struct pmuq_pmu *pmu, const char *name)
{
	const char *text = pmuq_pmu_file_text(pmu, name);

	if (!text || !*text || text[strspn(text, "0123456789")] || (text[0] == '0' && text[1]))
		return NULL;
	return strdup(text);
}

#define ROW ((const struct list_row *)of)

char *list_cell_pmu(const void *of)
{
	return ROW->boxes ? boxes_names(ROW->boxes) : list_text_of(ROW->pmu->name.p);
}

CELL(type)
{
	if (ROW->boxes)
		return boxes_types(ROW->boxes);
	return ROW->pmu->has_type ? number_of(ROW->pmu->type) : NULL;
}

CELL(cpus)
{
	return list_text_of(ROW->pmu->cpus.p);
}

CELL(cpumask)
{
	return list_text_of(ROW->pmu->cpumask.p);
}

CELL(formats)
{
	return number_of(ROW->pmu->definition->n_formats);
}

CELL(events)
{
	return number_of(ROW->pmu->definition->n_events);
}

CELL(caps)
{
	return number_of(ROW->pmu->definition->n_caps);
}

CELL(alias)
{
	return list_text_of(ROW->pmu->alias.n ? ROW->pmu->alias.p : NULL);
}

CELL(kind)
{
	char *text = NULL;

	return asprintf(&text, "%016" PRIx64, ROW->pmu->definition->hash) < 0 ? NULL : text;
}

CELL(core)
{
	return list_claim_of(ROW->pmu->is_core);
}

CELL(uncore)
{
	return list_claim_of(ROW->pmu->is_uncore);
}

CELL(mux)
{
	return attribute_number(ROW->pmu, "perf_event_mux_interval_ms");
}

CELL(identifier)
{
	return list_text_of(pmuq_pmu_file_text(ROW->pmu, "identifier"));
}

CELL(rdpmc)
{
	return attribute_number(ROW->pmu, "rdpmc");
}

CELL(format)
{
	return list_text_of(ROW->format->name.p);
}

CELL(bits)
{
	return list_text_of(ROW->format->text.p);
}

CELL(width)
{
	return number_of((unsigned)__builtin_popcountll(ROW->format->bits.mask));
}

CELL(word)
{
	int word = ROW->format->bits.word;
	char *text = NULL;

	if (word < 0)
		return NULL;
	if (word == 0)
		return strdup("config");
	return asprintf(&text, "config%d", word) < 0 ? NULL : text;
}

CELL(mask)
{
	return hex_of(ROW->format->bits.mask);
}

CELL(fact)
{
	return list_text_of(pmuq_catalog_machine(ROW->catalog)->facts[ROW->index].name.p);
}

CELL(fact_text)
{
	return list_text_of(pmuq_catalog_machine(ROW->catalog)->facts[ROW->index].text.p);
}

CELL(path)
{
	return list_text_of(pmuq_catalog_problem(ROW->catalog, ROW->index)->path.p);
}

CELL(code)
{
	char *text = NULL;

	return asprintf(&text, "PMUQ-%03d", pmuq_catalog_problem(ROW->catalog, ROW->index)->code) <
			       0
		       ? NULL
		       : text;
}

CELL(code_name)
{
	return list_text_of(pmuq_code_name(pmuq_catalog_problem(ROW->catalog, ROW->index)->code));
}

CELL(message)
{
	return list_text_of(pmuq_catalog_problem(ROW->catalog, ROW->index)->message.p);
}

#define SHOWN COLUMN_DEFAULT
#define RIGHT COLUMN_RIGHT
#define NUMBER (COLUMN_RIGHT | COLUMN_NUMBER)
#define CLAIM COLUMN_BOOLEAN
#define MAYBE COLUMN_NULLABLE
#define WRAP COLUMN_WRAP
#define FOLDS COLUMN_FOLDS
#define SPARE COLUMN_SPARE

// clang-format off
static const struct column pmu_columns[] = {
	{ "NAME",       8,   SHOWN | FOLDS,  "the directory in sysfs",            list_cell_pmu },
	{ "TYPE",       4,   SHOWN | NUMBER | FOLDS,
						"type of the attr",                  cell_type },
	{ "CPUS",       0.2, SHOWN | WRAP,   "where to open its events",          cell_cpus },
	{ "FORMATS",    4,   SHOWN | NUMBER, "how many terms it has",             cell_formats },
	{ "EVENTS",     4,   SHOWN | NUMBER, "how many events it names",          cell_events },
	{ "CAPS",       4,   SHOWN | NUMBER | SPARE,
						"how many capabilities it tells",    cell_caps },
	{ "ALIAS",      8,   MAYBE,          "its second name",                   cell_alias },
	{ "KIND",       16,  0,              "the same where the content is",     cell_kind },
	{ "CORE",       3,   CLAIM,          "counts what CPU cores do",          cell_core },
	{ "UNCORE",     3,   CLAIM,          "opens per CPU only",                cell_uncore },
	{ "CPUMASK",    0.2, MAYBE | WRAP,   "the file cpumask",                  cell_cpumask },
	{ "MUX_MS",     4,   NUMBER,         "milliseconds between rotations",    cell_mux },
	{ "IDENTIFIER", 8,   MAYBE,          "what the hardware calls itself",    cell_identifier },
	{ "RDPMC",      4,   NUMBER,         "may user space read counters",      cell_rdpmc },
};

static const struct column format_columns[] = {
	{ "PMU",        8,   SHOWN | FOLDS,  "the PMU that has it",               list_cell_pmu },
	{ "FORMAT",     8,   SHOWN,          "the name of the term",              cell_format },
	{ "BITS",       8,   SHOWN | WRAP,   "as the kernel wrote it",            cell_bits },
	{ "WIDTH",      4,   SHOWN | NUMBER | SPARE,
						"how many bits a value may have",    cell_width },
	{ "WORD",       7,   SHOWN | MAYBE | SPARE,
						"the field of the attr",             cell_word },
	{ "MASK",       18,  SHOWN | RIGHT | SPARE,
						"its bits of that field",            cell_mask },
};

static const struct column fact_columns[] = {
	{ "FACT",       8,   SHOWN,          "what is told of the host",          cell_fact },
	{ "TEXT",       0.6, SHOWN | WRAP,   "as the machine tells it",           cell_fact_text },
};

static const struct column problem_columns[] = {
	{ "PATH",       16,  SHOWN,          "the file",                          cell_path },
	{ "CODE",       8,   SHOWN,          "`pmuq help CODE` explains it",      cell_code },
	{ "NAME",       8,   0,              "the name of the code",              cell_code_name },
	{ "MESSAGE",    16,  SHOWN,          "what is the matter",                cell_message },
};
// clang-format on

static bool pmu_row(const struct list_place *place, size_t index, struct list_row *ret)
{
	*ret = (struct list_row){ .catalog = place->catalog, .pmu = place->pmu };
	return index == 0;
}

static bool format_row(const struct list_place *place, size_t index, struct list_row *ret)
{
	*ret = (struct list_row){ .catalog = place->catalog,
				  .pmu = place->pmu,
				  .format = pmuq_pmu_format(place->pmu, index) };
	return ret->format != NULL;
}

static bool fact_row(const struct list_place *place, size_t index, struct list_row *ret)
{
	*ret = (struct list_row){ .catalog = place->catalog, .index = index };
	return index < pmuq_catalog_machine(place->catalog)->n_facts;
}

static bool problem_row(const struct list_place *place, size_t index, struct list_row *ret)
{
	*ret = (struct list_row){ .catalog = place->catalog, .index = index };
	return index < pmuq_catalog_machine(place->catalog)->n_problems;
}

static bool pmu_matches(const struct list_row *row, const char *glob)
{
	const char *alias = row->pmu->alias.p;

	return fnmatch(glob, row->pmu->name.p, 0) == 0 || (alias && fnmatch(glob, alias, 0) == 0);
}

bool list_part_matches(const struct list_row *row, const char *name, const char *glob, int flags)
{
	auto_free char *whole = NULL;

	if (pmu_matches(row, glob) || fnmatch(glob, name, flags) == 0)
		return true;
	if (!strchr(glob, '/') || asprintf(&whole, "%s/%s/", row->pmu->name.p, name) < 0)
		return false;
	if (fnmatch(glob, whole, flags) == 0)
		return true;
	whole[strlen(whole) - 1] = 0;
	return fnmatch(glob, whole, flags) == 0;
}

static bool format_matches(const struct list_row *row, const char *glob)
{
	return list_part_matches(row, row->format->name.p, glob, 0);
}

static bool fact_matches(const struct list_row *row, const char *glob)
{
	return fnmatch(glob, pmuq_catalog_machine(row->catalog)->facts[row->index].name.p, 0) == 0;
}

static bool problem_matches(const struct list_row *row, const char *glob)
{
	return fnmatch(glob, pmuq_catalog_problem(row->catalog, row->index)->path.p, 0) == 0;
}

static const struct list_kind kind_pmus = {
	.name = "pmus",
	.one = "PMU",
	.columns = pmu_columns,
	.n_columns = COUNT(pmu_columns),
	.row = pmu_row,
	.matches = pmu_matches,
};

static const struct list_kind kind_formats = {
	.name = "formats",
	.one = "format",
	.columns = format_columns,
	.n_columns = COUNT(format_columns),
	.row = format_row,
	.matches = format_matches,
};

static const struct list_kind kind_facts = {
	.name = "facts",
	.one = "fact",
	.columns = fact_columns,
	.n_columns = COUNT(fact_columns),
	.row = fact_row,
	.matches = fact_matches,
	.is_of_catalog = true,
};

static const struct list_kind kind_problems = {
	.name = "problems",
	.one = "problem",
	.columns = problem_columns,
	.n_columns = COUNT(problem_columns),
	.row = problem_row,
	.matches = problem_matches,
	.is_of_catalog = true,
};

/* The first is what `list` alone lists. */
const struct list_kind *const list_kinds[] = {
	&kind_pmus, &list_kind_events, &kind_formats, &kind_facts, &kind_problems,
};
const size_t list_kinds_count = COUNT(list_kinds);

const struct list_kind *list_kind_find(const char *name)
{
	for (size_t i = 0; i < list_kinds_count; i++)
		if (strcmp(list_kinds[i]->name, name) == 0)
			return list_kinds[i];
	return NULL;
}
