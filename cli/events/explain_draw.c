/* SPDX-License-Identifier: MIT */
/*
 * Draws the config words of an encoding: the formats that terms set with their values, the other
 * formats of the PMU around them, and the bits that belong to no format.
 */
#include "cli/events/explain_output.h"
#include "cli/events/layout.h"
#include "cli/or_die.h"
#include "cli/output/label.h"
#include "cli/terminal.h"
#include "core/attr/attr.h"
#include "core/bits.h"
#include <inttypes.h>
#include <string.h>

/* "0x", 16 digits and the NUL, rounded up. */
#define VALUE_BYTES 20

/* One word at a time: each word overwrites the fields of the previous one. */
struct explain_drawing {
	const struct pmuq_encoding *encoding;
	const struct pmuq_pmu *pmu; /* PMU with formats that name the bits; NULL: none */
	struct layout layout;
	struct layout_field *fields;
	char (*values)[VALUE_BYTES]; /* one for each field */
	unsigned word;
	uint64_t value;
};

static uint64_t used(const struct explain_drawing *drawing)
{
	return layout_used(&drawing->layout, drawing->word);
}

/* Does nothing if a field with the same bits exists: a term may be assigned twice. */
static void add_field(struct explain_drawing *drawing, const char *name, uint64_t mask,
		      bool shows_zero)
{
	struct layout_field *field = &drawing->fields[drawing->layout.n_fields];
	char *text = drawing->values[drawing->layout.n_fields];
	uint64_t value = pq_bits_gather(mask, drawing->value);

	if (!mask)
		return;
	for (const struct layout_field *f = drawing->fields; f < field; f++)
		if (f->mask == mask)
			return;
	snprintf(text, VALUE_BYTES, "0x%" PRIx64, value);
	*field = (struct layout_field){ .name = name,
					.value = value || shows_zero ? text : NULL,
					.mask = mask,
					.word = drawing->word };
	drawing->layout.n_fields++;
}

/* The n-th assignment, if it is one of this word and not overridden. */
static const struct pmuq_assignment *nth_live(const struct explain_drawing *drawing, size_t index)
{
	const struct pmuq_assignment *a = pmuq_encoding_assignment(drawing->encoding, index);

	return str_eq(a->field, pq_attr_config_name(drawing->word)) && !a->is_overridden ? a : NULL;
}

/* The formats that terms of the event set, with their values, even if these are 0. */
static void add_terms(struct explain_drawing *drawing)
{
	for (size_t i = 0; i < drawing->encoding->n_assignments; i++) {
		const struct pmuq_assignment *a = nth_live(drawing, i);

		if (a && a->format.p)
			add_field(drawing, a->term.p, a->mask, true);
	}
}

/* The halves of a word that contain any of these bits. */
static uint64_t halves(uint64_t bits)
{
	uint64_t low = UINT32_MAX;

	return (bits & low ? low : 0) | (bits & ~low ? ~low : 0);
}

/* Draws the formats that no term set. Leaves out a format that shares bits with a term, because it
 * would show the term's value, and a half of the word without a set bit. */
static void add_formats(struct explain_drawing *drawing)
{
	uint64_t spoken_for = used(drawing), shown = halves(spoken_for | drawing->value);

	for (size_t i = 0; drawing->pmu && i < drawing->pmu->definition->n_formats; i++) {
		const struct pmuq_format *format = pmuq_pmu_format(drawing->pmu, i);

		if (format->bits.word == (int)drawing->word && !(format->bits.mask & spoken_for) &&
		    format->bits.mask & shown)
			add_field(drawing, format->name.p, format->bits.mask, false);
	}
}

/* Terms that set whole words: the bits that belong to no format. Without formats, half a word is
 * drawn if the value fits into it. */
static void add_rest(struct explain_drawing *drawing)
{
	uint64_t named = used(drawing);

	for (size_t i = 0; i < drawing->encoding->n_assignments; i++) {
		const struct pmuq_assignment *a = nth_live(drawing, i);
		uint64_t mask = a ? a->mask : 0;

		if (!a || a->format.p)
			continue;
		if (named)
			add_field(drawing, "no format", drawing->value & mask & ~named, false);
		else if (mask == UINT64_MAX && drawing->value <= UINT32_MAX)
			add_field(drawing, a->term.p, UINT32_MAX, true);
		else
			add_field(drawing, a->term.p, mask, true);
	}
}

/* Draws the word if a term or a modifier set it. */
static void draw_word(struct explain_drawing *drawing)
{
	enum pq_attr_field field = pq_attr_config_field(drawing->word);

	drawing->value = pmuq_attr_get(drawing->encoding->attr, field);
	drawing->layout.n_fields = 0;
	add_terms(drawing);
	for (size_t i = 0; i < drawing->encoding->n_assignments; i++)
		if (nth_live(drawing, i)) {
			add_formats(drawing);
			add_rest(drawing);
			break;
		}
	if (!drawing->layout.n_fields)
		return;
	printf("  %s%s%s = 0x%" PRIx64 "\n", style_code(stdout, STYLE_NAME),
	       pq_attr_config_name(drawing->word).p, style_code(stdout, STYLE_NONE),
	       drawing->value);
	done_or_die(layout_draw(stdout, &drawing->layout, drawing->word));
}

/* The formats of a PMU apply to events of its own type, not to generic events. */
static const struct pmuq_pmu *formats_of(struct pmuq_source *source,
					 const struct pmuq_encoding *encoding)
{
	const struct pmuq_pmu *pmu = NULL;

	if (!encoding->pmu.p ||
	    optional_or_die(pmuq_source_find_pmu(source, encoding->pmu.p, &pmu, NULL)) < 0)
		return NULL;
	return pmu->has_type && pmu->type == encoding->attr->type ? pmu : NULL;
}

void explain_draw(struct pmuq_source *source, const struct pmuq_encoding *encoding)
{
	struct explain_drawing drawing = { .encoding = encoding,
					   .pmu = formats_of(source, encoding) };
	unsigned columns = terminal_columns(PROSE_COLUMNS);
	size_t n = encoding->n_assignments + (drawing.pmu ? drawing.pmu->definition->n_formats : 0);
	auto_free struct layout_field *fields = or_die(calloc(n + 1, sizeof(*fields)));
	auto_free char *values = or_die(calloc(n + 1, VALUE_BYTES));

	drawing.fields = fields;
	drawing.values = (char(*)[VALUE_BYTES])values;
	drawing.layout = (struct layout){
		.fields = fields,
		.columns = columns < LAYOUT_COLUMNS_MIN ? LAYOUT_COLUMNS_MIN : columns,
		.is_utf8 = terminal_is_utf8(stdout),
	};
	for (; drawing.word < PQ_CONFIG_WORDS; drawing.word++)
		draw_word(&drawing);
}
