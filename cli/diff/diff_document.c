/* SPDX-License-Identifier: MIT */
/* A diff as a document: its fields. The text for people: diff_text.c, diff_stat.c. */
#include "cli/diff/diff_output.h"
#include "core/attr/attr.h"

/* ------------------------------------------------------------------------------------- changes */

#define CHANGE ((const struct pmuq_change *)of)

/* One config word of an event or of a format. */
struct word_change {
	uint64_t before, after;
};

/* The config words that differ. */
static bool get_word(const void *of, struct cell *cell)
{
	size_t n = 0;

	for (unsigned i = 0; i < CHANGE->n_words && i < PQ_CONFIG_WORDS; i++) {
		if (CHANGE->words_before[i] == CHANGE->words_after[i] || n++ < cell->index)
			continue;
		cell->key = pq_attr_config_name(i);
		return cell_set_record(cell,
				       (struct word_change){ .before = CHANGE->words_before[i],
							     .after = CHANGE->words_after[i] });
	}
	return false;
}

static const struct field word_fields[] = {
	{ .name = STR("before"), .type = FIELD_WORD, MEMBER(struct word_change, before) },
	{ .name = STR("after"), .type = FIELD_WORD, MEMBER(struct word_change, after) },
};

static const struct record_type word_record = { .name = "bits", FIELDS(word_fields) };

// clang-format off
static const struct field change_fields[] = {
	{ .name = STR("weight"),   .type = FIELD_TEXT, .word = pmuq_weight_name, MEMBER(struct pmuq_change, weight) },
	{ .name = STR("type"),     .type = FIELD_TEXT, .word = pmuq_change_type_name, MEMBER(struct pmuq_change, type) },
	{ .name = STR("pmus"),     .type = FIELD_TEXT, .flags = FIELD_LIST, ITEMS(struct pmuq_change, pmus, n_pmus),
	  .help = "PMUs of the change, by their names before it; none: the host" },
	{ .name = STR("new_pmus"), .type = FIELD_TEXT, .flags = FIELD_LIST | FIELD_OPTIONAL, ITEMS(struct pmuq_change, new_pmus, n_new_pmus),
	  .help = "new names of PMUs that were renamed" },
	{ .name = STR("name"),     .type = FIELD_TEXT, .flags = FIELD_OPTIONAL, MEMBER(struct pmuq_change, name),
	  .help = "name of the event, format, cap, file, fact or tracepoint" },
	{ .name = STR("before"),   .type = FIELD_TEXT, .flags = FIELD_NULLABLE, MEMBER(struct pmuq_change, before),
	  .help = "as the first machine has it" },
	{ .name = STR("after"),    .type = FIELD_TEXT, .flags = FIELD_NULLABLE, MEMBER(struct pmuq_change, after),
	  .help = "as the second machine has it" },
	{ .name = STR("bits"),     .type = FIELD_RECORD, .flags = FIELD_MAP | FIELD_OPTIONAL, .get = get_word,
	  .record = &word_record,  .help = "config words that differ: set by the event, or by all values of the format" },
	{ .name = STR("text"),     .type = FIELD_TEXT, MEMBER(struct pmuq_change, text),
	  .help = "what happened, in a sentence" },
};
// clang-format on

const struct record_type change_record = { .name = "change", FIELDS(change_fields) };

/* ---------------------------------------------------------------------------------------- head */

#define MACHINE ((const struct diffed_machine *)of)
#define SHOWN ((const struct shown_diff *)of)

/* A field is named after its fact. */
static bool get_fact(const void *of, struct cell *cell)
{
	return cell_set_text(cell, pmuq_catalog_find_fact(MACHINE->catalog, cell->field->name.p));
}

// clang-format off
static const struct field machine_fields[] = {
	{ .name = STR("machine"),    .type = FIELD_TEXT, MEMBER(struct diffed_machine, word),
	  .help = "as it was named on the command line" },
	{ .name = STR("hostname"),   .type = FIELD_TEXT, .flags = FIELD_OPTIONAL, .get = get_fact },
	{ .name = STR("kernel"),     .type = FIELD_TEXT, .flags = FIELD_OPTIONAL, .get = get_fact },
	{ .name = STR("cpuid"),      .type = FIELD_TEXT, .flags = FIELD_OPTIONAL, .get = get_fact },
	{ .name = STR("incomplete"), .type = FIELD_TEXT, .flags = FIELD_OPTIONAL, .get = get_fact,
	  .help = "source of an incomplete machine" },
};
// clang-format on

static const struct record_type machine_record = { .name = "machine", FIELDS(machine_fields) };

/* Hidden changes do not count here, as in the exit status. */
static bool get_differ(const void *of, struct cell *cell)
{
	cell->is_true = diff_shows_some(of);
	return true;
}

static bool get_count(const void *of, struct cell *cell)
{
	enum pmuq_weight weight = (enum pmuq_weight)cell->index;

	cell->key = str_of(pmuq_weight_name(weight));
	cell->count = cell->key.p ? pmuq_diff_weight_count(SHOWN->diff, weight) : 0;
	return cell->key.p;
}

// clang-format off
static const struct field head_fields[] = {
	{ .name = STR("before"), .type = FIELD_RECORD, INSIDE(struct shown_diff, machines[0]), .record = &machine_record },
	{ .name = STR("after"),  .type = FIELD_RECORD, INSIDE(struct shown_diff, machines[1]), .record = &machine_record },
	{ .name = STR("differ"), .type = FIELD_BOOL,   .get = get_differ,
	  .help = "there is a change of the requested weight" },
	{ .name = STR("counts"), .type = FIELD_COUNT,  .flags = FIELD_MAP, .get = get_count,
	  .help = "number of changes of each weight" },
};
// clang-format on

static const struct record_type head_record = { .name = "head", FIELDS(head_fields) };

const struct document_type diff_document = {
	.name = "diff",
	.title = "pmuq diff",
	.head = &head_record,
	.rows = "changes",
	.row = &change_record,
};

enum status diff_print_document(const struct shown_diff *shown, enum document_form form)
{
	struct document document;
	enum status status = document_begin(&document, form, &diff_document, shown);

	for (size_t i = 0; status == STATUS_OK && i < pmuq_diff_count(shown->diff); i++)
		document_row(&document, pmuq_diff_get(shown->diff, i));
	return status_worse(status, document_end(&document, NULL));
}
