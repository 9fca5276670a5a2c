/* SPDX-License-Identifier: MIT */
/*
 * The summary of an answer for people: a block for each encoding, one for the many boxes of one PMU
 * that differ in name and type only. The other forms never fold.
 */
#include "cli/encode.h"
#include "cli/fold.h"
#include <inttypes.h>
#include <string.h>

#define LABEL_COLUMNS 11
#define LINE_COLUMNS 100

/* A line that goes on below its label when it is full. */
struct line {
	FILE *to;
	int column;
};

static struct line begin_line(FILE *to, const char *label)
{
	fprintf(to, "  %s%-*s%s", style_code(to, STYLE_QUIET), LABEL_COLUMNS - 2, label,
		style_code(to, STYLE_NONE));
	return (struct line){ .to = to, .column = LABEL_COLUMNS };
}

static void add_word(struct line *line, const char *word)
{
	int n = (int)strlen(word);

	if (line->column > LABEL_COLUMNS && line->column + 1 + n > LINE_COLUMNS) {
		fprintf(line->to, "\n%*s", LABEL_COLUMNS, "");
		line->column = LABEL_COLUMNS;
	} else if (line->column > LABEL_COLUMNS) {
		putc(' ', line->to);
		line->column++;
	}
	print_safe(line->to, word);
	line->column += n;
}

static void add_print(struct line *line, const char *format, ...) PRINTF_LIKE(2, 3);
static void add_print(struct line *line, const char *format, ...)
{
	auto_free char *word = NULL;
	va_list args;

	va_start(args, format);
	if (vasprintf(&word, format, args) < 0)
		word = NULL;
	va_end(args);
	if (word)
		add_word(line, word);
}

static void end_line(struct line *line)
{
	putc('\n', line->to);
}

static void print_pmu(FILE *to, const struct fold *fold)
{
	auto_free char *names = fold_pmus(fold), *types = fold_types(fold);
	const char *cpus = pmuq_encoding_cpus(fold_get(fold, 0));
	struct line line = begin_line(to, "pmu");

	if (names && *names)
		add_print(&line, "%s,", names);
	add_print(&line, "%s %s%s", fold->n > 1 ? "types" : "type", types ? types : "?",
		  *cpus ? "," : "");
	if (*cpus)
		add_print(&line, "cpus %s", cpus);
	end_line(&line);
}

static void print_attr(FILE *to, const struct pmuq_attr *attr)
{
	struct line line = begin_line(to, "attr");
	const char *name;

	for (unsigned i = 0; (name = pmuq_attr_field_name(i)); i++) {
		uint64_t value = pmuq_attr_field_get(attr, i);

		if (strcmp(name, "type") == 0 || (!value && strcmp(name, "config") != 0))
			continue;
		if (pmuq_attr_field_kind(i) == PMUQ_FIELD_WORD)
			add_print(&line, "%s=0x%" PRIx64, name, value);
		else
			add_print(&line, "%s=%" PRId64, name, (int64_t)value);
	}
	end_line(&line);
}

static void print_scale(FILE *to, const struct pmuq_encoding *encoding)
{
	const char *unit = pmuq_encoding_unit(encoding), *scale = pmuq_encoding_scale(encoding);
	bool per_pkg = pmuq_encoding_is_per_pkg(encoding);
	bool snapshot = pmuq_encoding_is_snapshot(encoding);
	struct line line;

	if (!*unit && strcmp(scale, "1") == 0 && !per_pkg && !snapshot)
		return;
	line = begin_line(to, "count");
	add_print(&line, "times %s%s%s", scale, *unit ? " " : "", unit);
	if (per_pkg)
		add_word(&line, "(per package)");
	if (snapshot)
		add_word(&line, "(a snapshot)");
	end_line(&line);
}

static void print_group(FILE *to, const struct answer *answer, size_t index)
{
	const struct pmuq_encoding *encoding = pmuq_encodings_get(answer->encodings, index);
	size_t leader, members;
	const char *name = NULL;
	struct line line;

	if (!pmuq_encoding_group(encoding, &leader, &members, &name))
		return;
	line = begin_line(to, "group");
	if (name && *name)
		add_print(&line, "%s:", name);
	if (leader == index)
		add_print(&line, "leader of %zu", members);
	else
		add_print(&line, "led by %s, one of %zu",
			  pmuq_encoding_name(pmuq_encodings_get(answer->encodings, leader)),
			  members);
	end_line(&line);
}

static void print_deferred(FILE *to, const struct pmuq_encoding *encoding)
{
	size_t n = pmuq_encoding_deferred_count(encoding);
	struct line line;

	if (n == 0)
		return;
	line = begin_line(to, "deferred");
	for (size_t i = 0; i < n; i++)
		add_print(&line, "%s=%s", pmuq_encoding_deferred_name(encoding, i),
			  pmuq_encoding_deferred_text(encoding, i));
	end_line(&line);
}

static void print_source(FILE *to, const struct pmuq_encoding *encoding)
{
	struct line line = begin_line(to, "source");

	add_word(&line, pmuq_origin_name(pmuq_encoding_origin(encoding)));
	end_line(&line);
}

static void print_refusal(FILE *to, const struct pmuq_verdicts *verdicts, size_t index)
{
	int errnum = pmuq_verdict_errno(verdicts, index);
	const char *hint = pmuq_verdict_hint(verdicts, index);
	const char *change = pmuq_verdict_change(verdicts, index);

	fprintf(to, "%srefuses%s: %s (%d), ", style_code(to, STYLE_ERROR),
		style_code(to, STYLE_NONE), pmuq_errno_name(errnum), errnum);
	print_safe(to, pmuq_verdict_reason(verdicts, index));
	putc('\n', to);
	if (change)
		fprintf(to, "%*sopens %s%s\n", LABEL_COLUMNS, "",
			/* Modifiers to add stand as they are written. */
			*change == ':' ? "with " : "", change);
	if (!hint)
		return;
	fprintf(to, "%*shint: ", LABEL_COLUMNS, "");
	print_safe(to, hint);
	putc('\n', to);
}

static void print_verdict(FILE *to, const struct pmuq_verdicts *verdicts, size_t index)
{
	if (!verdicts)
		return;
	begin_line(to, "kernel");
	switch (pmuq_verdict_status(verdicts, index)) {
	case PMUQ_OPENED:
		fprintf(to, "%sopens%s it ", style_code(to, STYLE_GOOD),
			style_code(to, STYLE_NONE));
		if (pmuq_verdict_pid(verdicts, index) >= 0)
			fprintf(to, "for a task\n");
		else
			fprintf(to, "on cpus %s\n", pmuq_verdict_cpus(verdicts, index));
		break;
	case PMUQ_REFUSED:
		print_refusal(to, verdicts, index);
		break;
	case PMUQ_SKIPPED:
		fprintf(to, "not asked: ");
		print_safe(to, pmuq_verdict_reason(verdicts, index));
		putc('\n', to);
		break;
	}
}

static void print_block(FILE *to, const struct answer *answer, const struct fold *fold)
{
	const struct pmuq_encoding *encoding = fold_get(fold, 0);

	fprintf(to, "%s", style_code(to, STYLE_NAME));
	print_safe(to, pmuq_encoding_name(encoding));
	fprintf(to, "%s\n", style_code(to, STYLE_NONE));
	print_pmu(to, fold);
	print_attr(to, pmuq_encoding_attr(encoding));
	print_scale(to, encoding);
	print_group(to, answer, fold->first);
	print_deferred(to, encoding);
	print_source(to, encoding);
	print_verdict(to, answer->verdicts, fold->first);
	for (size_t i = 0; i < pmuq_encoding_warning_count(encoding); i++) {
		struct diagnosis warning = diagnosis_of(pmuq_encoding_warning(encoding, i));

		report_draw(to, REPORT_WARNING, &warning, answer->input, "  ");
	}
}

void encode_report_error(const struct answer *answer)
{
	fflush(stdout);
	if (answer->file)
		fprintf(stderr, "%s:%zu: ", answer->file, answer->line);
	report_draw(stderr, REPORT_ERROR, &answer->error, answer->input, "");
}

void encode_write_text(const struct answer *answer, bool is_first)
{
	struct fold fold = { .encodings = answer->encodings, .verdicts = answer->verdicts };
	size_t n;

	if (!answer->encodings) {
		encode_report_error(answer);
		return;
	}
	n = pmuq_encodings_count(answer->encodings);
	for (; fold.first < n; fold.first += fold.n) {
		if (!is_first || fold.first > 0)
			putchar('\n');
		fold_grow(&fold);
		print_block(stdout, answer, &fold);
	}
}
