/* SPDX-License-Identifier: MIT */
/* The summary of a result for people: a block for each encoding, one for sibling instances that
 * differ only in name and type. The other forms never fold. */
#include "cli/events/attr_text.h"
#include "cli/events/encode_output.h"
#include "cli/output/label.h"
#include <string.h>

static void print_pmu(FILE *to, const struct fold *fold)
{
	auto_free char *names = fold_pmus(fold), *types = fold_types(fold);
	const char *cpus = fold_get(fold, 0)->cpus.p;
	struct label_line line = label_begin(to, "pmu");

	if (names && *names)
		label_print(&line, "%s,", names);
	label_print(&line, "%s %s%s", fold->n > 1 ? "types" : "type", types ? types : "?",
		    *cpus ? "," : "");
	if (*cpus)
		label_print(&line, "cpus %s", cpus);
	label_end(&line);
}

static void print_attr(FILE *to, const struct pmuq_attr *attr)
{
	struct label_line line = label_begin(to, "attr");
	struct attr_text field = { .next = ATTR_SIZE };

	while (attr_text_next(&field, attr))
		label_print(&line, "%s", field.text);
	label_end(&line);
}

static void print_scale(FILE *to, const struct pmuq_encoding *encoding)
{
	const char *unit = encoding->unit.p, *scale = encoding->scale.p;
	bool per_pkg = encoding->is_per_pkg;
	bool snapshot = encoding->is_snapshot;
	struct label_line line;

	if (!*unit && strcmp(scale, "1") == 0 && !per_pkg && !snapshot)
		return;
	line = label_begin(to, "scale");
	label_print(&line, "1 count = %s%s%s", scale, *unit ? " " : "", unit);
	if (per_pkg)
		label_word(&line, "(per package)");
	if (snapshot)
		label_word(&line, "(a snapshot)");
	label_end(&line);
}

static void print_group(FILE *to, const struct result *result, size_t index)
{
	const struct pmuq_encoding *encoding = pmuq_encodings_get(result->encodings, index);
	struct label_line line;

	if (!encoding->n_members)
		return;
	line = label_begin(to, "group");
	if (encoding->group_name.n)
		label_print(&line, "%s:", encoding->group_name.p);
	if (encoding->leader == index)
		label_print(&line, "leader of %zu", encoding->n_members);
	else
		label_print(&line, "led by %s, one of %zu",
			    pmuq_encodings_get(result->encodings, encoding->leader)->name.p,
			    encoding->n_members);
	label_end(&line);
}

static void print_tool_terms(FILE *to, const struct pmuq_encoding *encoding)
{
	size_t n = encoding->n_tool_terms;
	struct label_line line;

	if (n == 0)
		return;
	line = label_begin(to, "for tool");
	for (size_t i = 0; i < n; i++)
		label_print(&line, "%s=%s", pmuq_encoding_tool_term(encoding, i)->name.p,
			    pmuq_encoding_tool_term(encoding, i)->text.p);
	label_end(&line);
}

static void print_probe(FILE *to, const struct pmuq_encoding *encoding)
{
	const char *text = encoding->probe_text.p;
	struct label_line line;

	if (!text)
		return;
	line = label_begin(to, "probe");
	label_print(&line, "%s %s", encoding->probe_field.p, text);
	label_end(&line);
}

static void print_source(FILE *to, const struct pmuq_encoding *encoding)
{
	struct label_line line = label_begin(to, "source");

	label_word(&line, pmuq_origin_name(encoding->origin));
	label_end(&line);
}

static void print_block(FILE *to, const struct result *result, const struct fold *fold,
			const struct result_type *type)
{
	const struct pmuq_encoding *encoding = fold_get(fold, 0);

	fprintf(to, "%s", style_code(to, STYLE_NAME));
	print_safe(to, encoding->name.p);
	fprintf(to, "%s\n", style_code(to, STYLE_NONE));
	print_pmu(to, fold);
	print_attr(to, encoding->attr);
	print_probe(to, encoding);
	print_scale(to, encoding);
	print_group(to, result, fold->first);
	print_tool_terms(to, encoding);
	print_source(to, encoding);
	type->print_more(to, result, fold);
	for (size_t i = 0; i < encoding->n_warnings; i++) {
		report_draw(to, REPORT_WARNING, pmuq_encoding_warning(encoding, i), result->input,
			    "  ");
	}
}

void encode_report_error(const struct result *result)
{
	fflush(stdout);
	if (result->file)
		fprintf(stderr, "%s:%zu: ", result->file, result->line);
	report_draw(stderr, REPORT_ERROR, result->error, result->input, "");
}

void encode_write_text(const struct result *result, const struct result_type *type, bool is_first)
{
	struct fold fold = { .encodings = result->encodings, .opens = result->opens };
	size_t n;

	if (!result->encodings) {
		encode_report_error(result);
		return;
	}
	n = pmuq_encodings_count(result->encodings);
	for (; fold.first < n; fold.first += fold.n) {
		if (!is_first || fold.first > 0)
			putchar('\n');
		fold_grow(&fold);
		print_block(stdout, result, &fold, type);
	}
}
