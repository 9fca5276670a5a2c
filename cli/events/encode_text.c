/* SPDX-License-Identifier: MIT */
/* The summary of a result for people: a block for each encoding; sibling instances that differ only
 * in name and type share a block. Only this form folds instances. */
#include "cli/events/encode_output.h"
#include "cli/or_die.h"
#include "cli/output/label.h"
#include "cli/output/shown_attr.h"
#include <string.h>

static void print_pmu(const struct fold *fold)
{
	auto_free char *names = fold_pmus(fold), *types = fold_types(fold);
	const char *cpus = fold_get(fold, 0)->cpus.p;
	label_print("pmu", "%s%s%s %s%s%s", names, *names ? ", " : "",
		    fold->n > 1 ? "types" : "type", types, *cpus ? ", cpus " : "", cpus);
}

static void print_attr(const struct pmuq_attr *attr)
{
	cleanup(pq_buf_free) struct pq_buf text = PQ_BUF_NULL;

	attr_print(&text, attr, PQ_FIELD_size);
	label_text("attr", text_or_die(&text));
}

/* Prints nothing for plain counts, the most frequent case. */
static void print_scale(const struct pmuq_encoding *encoding)
{
	const char *unit = encoding->unit.p, *scale = encoding->scale.p;

	if (!*unit && strcmp(scale, "1") == 0 && !encoding->is_per_pkg && !encoding->is_snapshot)
		return;
	label_print("scale", "1 count = %s%s%s%s%s", scale, *unit ? " " : "", unit,
		    encoding->is_per_pkg ? " (per package)" : "",
		    encoding->is_snapshot ? " (a snapshot)" : "");
}

static void print_group(const struct fold *fold)
{
	const struct pmuq_encoding *encoding = fold_get(fold, 0);
	const char *name = encoding->group_name.n ? encoding->group_name.p : "";
	const char *colon = *name ? ": " : "";

	if (!encoding->n_members)
		return;
	if (encoding->leader == fold->first)
		label_print("group", "%s%sleader of %zu", name, colon, encoding->n_members);
	else
		label_print("group", "%s%sled by %s, one of %zu", name, colon,
			    pmuq_encodings_get(fold->encodings, encoding->leader)->name.p,
			    encoding->n_members);
}

static void print_added(const struct pmuq_encoding *encoding, const char *input)
{
	if (encoding->is_added)
		label_print("added", "for %.*s, which only counts in a group that %s leads",
			    (int)encoding->length, input + encoding->offset, encoding->name.p);
}

/* Terms such as call-graph=, which the kernel does not see. */
static void print_tool_terms(const struct pmuq_encoding *encoding)
{
	cleanup(pq_buf_free) struct pq_buf text = PQ_BUF_NULL;
	const struct pmuq_tool_term *term;

	for (size_t i = 0; (term = pmuq_encoding_tool_term(encoding, i)); i++)
		pq_buf_print(&text, "%s%s=%s", i ? " " : "", term->name.p, term->text.p);
	label_text("for tool", text_or_die(&text));
}

void encode_print_facts(const struct fold *fold)
{
	const struct pmuq_encoding *encoding = fold_get(fold, 0);

	print_pmu(fold);
	print_attr(encoding->attr);
	if (encoding->probe_text.p)
		label_print("probe", "%s %s", encoding->probe_field.p, encoding->probe_text.p);
	print_scale(encoding);
	print_group(fold);
	print_tool_terms(encoding);
}

void encode_print_warnings(const struct pmuq_encoding *encoding, const char *input)
{
	for (size_t i = 0; i < encoding->n_warnings; i++)
		report_draw(stdout, REPORT_WARNING, pmuq_encoding_warning(encoding, i), input,
			    "  ");
}

const struct pmuq_error *result_fit_warning(const struct result *result, size_t encoding,
					    size_t index)
{
	const struct pmuq_fit_set *set;

	for (size_t i = 0; result->fit && (set = pmuq_fit_get(result->fit, i)); i++)
		if (set->warning && set->leader == encoding && index-- == 0)
			return set->warning;
	return NULL;
}

void encode_print_fit(const struct result *result, size_t encoding)
{
	const struct pmuq_error *warning;

	for (size_t i = 0; (warning = result_fit_warning(result, encoding, i)); i++)
		report_draw(stdout, REPORT_WARNING, warning, result->input, "  ");
}

void encode_report_error(const struct result *result)
{
	fflush(stdout);
	if (result->file)
		print_location(stderr, result->file, result->line);
	report_draw(stderr, REPORT_ERROR, result->error, result->input, "");
}

void encode_write_text(const struct result *result, const struct result_type *type, bool is_first)
{
	struct fold fold = { .encodings = result->encodings, .opens = result->opens };

	if (!result->encodings)
		encode_report_error(result);
	while (fold_next(&fold)) {
		const struct pmuq_encoding *encoding = fold_get(&fold, 0);

		if (!is_first || fold.first > 0)
			putchar('\n');
		label_title(encoding->name.p);
		print_added(encoding, result->input);
		encode_print_facts(&fold);
		label_text("source", pmuq_origin_name(encoding->origin));
		type->print_more(result, &fold);
		encode_print_warnings(encoding, result->input);
		encode_print_fit(result, fold.first);
	}
}
