/* SPDX-License-Identifier: MIT */
#include "cli/pages/page.h"
#include "cli/clock.h"
#include "core/freep.h"
#include "core/text/utf8.h"
#include "cli/page_parts.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Nothing is loaded, nothing is sent, and of scripts and styles only the two of the page work. */
#define POLICY                                                                                     \
	"default-src 'none'; style-src '" PAGE_STYLE_HASH "'; script-src '" PAGE_SCRIPT_HASH       \
	"'; base-uri 'none'; form-action 'none'"

void page_begin(FILE *to, const char *title)
{
	page_put(to,
		 "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		 "<meta http-equiv=\"Content-Security-Policy\" content=\"" POLICY "\">\n"
		 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		 "<meta name=\"referrer\" content=\"no-referrer\">\n<title>%s</title>\n<style>",
		 title);
	fputs(page_style, to);
	page_put(to, "</style>\n</head>\n<body>\n<header>\n<h1>%s</h1>\n", title);
}

void page_end(FILE *to, int64_t time_s)
{
	auto_free char *time = clock_text(time_s);

	page_put(to, "<footer>\n<p>Made by pmuq at %s.\n</footer>\n<script>", time);
	fputs(page_script, to);
	fputs("</script>\n</body>\n</html>\n", to);
}

static const char *entity_of(char c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

static bool is_control(unsigned char c)
{
	return (c < ' ' && c != '\n' && c != '\t') || c == 0x7f;
}

void page_put_text(FILE *to, const char *text)
{
	for (struct pmuq_str rest = str_of(text); rest.n;) {
		size_t n = pq_utf8_length(rest);
		const char *entity = entity_of(*rest.p);

		if (n == 0 || (n == 1 && is_control((unsigned char)*rest.p)))
			fputs(PQ_UTF8_REPLACEMENT.p, to);
		else if (entity)
			fputs(entity, to);
		else
			fwrite(rest.p, 1, n, to);
		rest = str_part(rest, n ? n : 1, rest.n);
	}
}

void page_put(FILE *to, const char *html, ...)
{
	va_list args;

	va_start(args, html);
	for (const char *next; (next = strchr(html, '%')); html = next) {
		fwrite(html, 1, (size_t)(next - html), to);
		if (next[1] == 's') {
			page_put_text(to, va_arg(args, const char *));
			next += strlen("%s");
		} else {
			fprintf(to, "%zu", va_arg(args, size_t));
			next += strlen("%zu");
		}
	}
	fputs(html, to);
	va_end(args);
}

void page_begin_table(FILE *to, const char *style_class, const char *const *columns)
{
	page_put(to, "<div class=\"wide\" tabindex=\"0\">\n<table class=\"%s\">\n", style_class);
	if (*columns)
		fputs("<thead>\n<tr>", to);
	for (; *columns; columns++)
		page_put(to, "<th scope=\"col\">%s", *columns);
	fputs("\n<tbody>\n", to);
}

void page_end_table(FILE *to)
{
	fputs("</table>\n</div>\n", to);
}

void page_put_count(FILE *to, size_t n, const char *noun)
{
	page_put(to, "%zu %s%s", n, noun, n == 1 ? "" : "s");
}

void page_put_bar(FILE *to, size_t n, size_t of)
{
	/* Of a thousand; what exists is visible. */
	size_t width = of ? n * 1000 / of : 0;

	page_put(to,
		 "<svg viewBox=\"0 0 1000 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
		 "<rect class=\"all\" width=\"1000\" height=\"10\"/>"
		 "<rect width=\"%zu\" height=\"10\"/></svg>",
		 n && width < 4 ? (size_t)4 : width);
}
