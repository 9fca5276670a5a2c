/* SPDX-License-Identifier: MIT */
/*
 * Messages on stderr. Their texts come from kernel files, from the command line and from other
 * machines: print_safe() filters everything that could reach a terminal. stdout is flushed first,
 * so that the order of lines is right if both go to one file.
 */
#include "cli/report.h"
#include "cli/or_die.h"
#include "cli/progress.h"
#include "cli/served.h"
#include "cli/terminal.h"
#include "core/caret.h"
#include "core/text/utf8.h"
#include <string.h>

const char *style_code(FILE *to, enum style style)
{
	static const char *const codes[] = {
		[STYLE_NONE] = "\033[0m",	[STYLE_NAME] = "\033[1m",
		[STYLE_QUIET] = "\033[2m",	[STYLE_ERROR] = "\033[1;31m",
		[STYLE_WARNING] = "\033[1;35m", [STYLE_GOOD] = "\033[32m",
	};

	return terminal_has_color(to) ? codes[style] : "";
}

/* False for control characters of one byte, and of two in UTF-8 (0xc2 0x80 to 0x9f), and for a byte
 * that is not of a character. */
static bool is_harmless(const char *text, size_t n)
{
	unsigned char first = (unsigned char)text[0];

	if (n == 1)
		return first >= ' ' && first < 0x7f;
	return first != 0xc2 || (unsigned char)text[1] >= 0xa0;
}

/* As in tables. */
static void print_escapes(FILE *to, struct pmuq_str bytes)
{
	for (size_t i = 0; i < bytes.n; i++)
		fprintf(to, "\\x%02x", (unsigned char)bytes.p[i]);
}

void print_safe(FILE *to, const char *text)
{
	/* A terminal with another character set gets ASCII; a file gets the kernel's bytes. */
	bool is_ascii_only = terminal_is(to) && !terminal_is_utf8(to);
	struct pmuq_str left = str_of(text);

	while (left.n) {
		size_t n = pq_utf8_length(left);

		n = n ? n : 1;
		if (!is_harmless(left.p, n))
			print_escapes(to, str_part(left, 0, n));
		else if (n == 1 || !is_ascii_only)
			fwrite(left.p, 1, n, to);
		else
			putc('.', to);
		left = str_part(left, n, left.n);
	}
}

void print_safe_line(FILE *to, const char *format, ...)
{
	auto_free char *text = NULL;
	va_list args;

	va_start(args, format);
	text = print_args_or_die(format, args);
	va_end(args);
	print_safe(to, text);
	putc('\n', to);
}

void print_location(FILE *to, const char *file, size_t line)
{
	print_safe(to, file);
	if (line)
		fprintf(to, ":%zu", line);
	fputs(": ", to);
}

bool is_safe(const char *text)
{
	struct pmuq_str left = str_of(text);

	while (left.n) {
		size_t n = pq_utf8_length(left);

		if (!n || !is_harmless(left.p, n))
			return false;
		left = str_part(left, n, left.n);
	}
	return true;
}

void print_plural(const char *before, size_t n, const char *noun)
{
	printf("%s%zu %s%s", before, n, noun, n == 1 ? "" : "s");
}

static const struct {
	const char *word;
	enum style style;
} levels[] = {
	[REPORT_ERROR] = { "error", STYLE_ERROR },
	[REPORT_WARNING] = { "warning", STYLE_WARNING },
	[REPORT_NOTE] = { "note", STYLE_QUIET },
};

static const char *program = "pmuq";

void report_set_program(const char *name)
{
	program = name;
}

void report_line(enum report_level level, const char *format, va_list args)
{
	auto_free char *text = NULL;

	if (served) {
		served_add_report(served, format, args);
		return;
	}
	progress_make_way();
	fflush(stdout);
	fprintf(stderr, "%s: %s%s%s: ", program, style_code(stderr, levels[level].style),
		levels[level].word, style_code(stderr, STYLE_NONE));
	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	print_safe(stderr, text ? text : "out of memory");
	putc('\n', stderr);
}

void report(enum report_level level, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	report_line(level, format, args);
	va_end(args);
}

enum status report_failed(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	report_line(REPORT_ERROR, format, args);
	va_end(args);
	return STATUS_FAILED;
}

/* By code, from schemas/messages.toml. */
static const unsigned char statuses[] = {
#include "cli/code_status.h"
};

enum status report_status(enum pmuq_code code)
{
	return (size_t)code < COUNT(statuses) ? (enum status)statuses[code] : STATUS_FAILED;
}

static void draw_caret(FILE *to, const char *input, const struct pmuq_error *error,
		       const char *indent)
{
	cleanup(pq_buf_free) struct pq_buf drawn = PQ_BUF_NULL;

	pq_caret_draw(&drawn, (struct pq_caret){ .input = str_of(input),
						 .offset = error->offset,
						 .length = error->length,
						 .indent = indent,
						 .begin = style_code(to, STYLE_GOOD),
						 .end = style_code(to, STYLE_NONE) });
	fprintf(to, "%s\n", text_or_die(&drawn));
}

static void draw_line(FILE *to, const char *indent, const char *label, const char *text)
{
	if (!text)
		return;
	print_safe_line(to, "%s%s: %s", indent, label, text);
}

void report_draw(FILE *to, enum report_level level, const struct pmuq_error *error,
		 const char *text, const char *indent)
{
	const char *input = error->input.p ? error->input.p : text;

	fprintf(to, "%s%s%s[PMUQ-%03d]%s %s: ", indent, style_code(to, levels[level].style),
		levels[level].word, error->code, style_code(to, STYLE_NONE),
		pmuq_code_name(error->code));
	print_safe(to, error->message.p);
	putc('\n', to);
	if (input)
		draw_caret(to, input, error, indent);
	draw_line(to, indent, "in", error->origin.p);
	draw_line(to, indent, "hint", error->hint.p);
}

static bool had_no_memory;

bool report_had_no_memory(void)
{
	return had_no_memory;
}

enum status report_error(const struct pmuq_error *error, const char *where)
{
	if (served) {
		served_add_error(served, error);
		return report_status(error->code);
	}
	progress_make_way();
	fflush(stdout);
	if (where)
		print_location(stderr, where, 0);
	report_draw(stderr, REPORT_ERROR, error, NULL, "");
	had_no_memory |= error->code == PMUQ_E_MEMORY;
	return report_status(error->code);
}

/* For errors of the command itself, in the form of documents and terminals. */
struct pmuq_error error_of(enum pmuq_code code, const char *message, const char *hint)
{
	return (struct pmuq_error){
		.size = sizeof(struct pmuq_error),
		.code = code,
		.message = str_of(message),
		.hint = str_of(hint),
	};
}
