/* SPDX-License-Identifier: MIT */
/*
 * A page of HTML that needs no other file: the frame with the style and the script, and texts that
 * cannot end the element they are in. Pages are written to memory first (output/text_stream.h).
 */
#pragma once

#include "core/base.h"
#include <stdint.h>
#include <stdio.h>

/* For page_begin_table(). */
#define COLUMNS(...)                                                                               \
	(const char *const[])                                                                      \
	{                                                                                          \
		__VA_ARGS__ __VA_OPT__(, ) NULL                                                    \
	}

/* Up to the first <h1>, whose text is the title. */
void page_begin(FILE *to, const char *title);
void page_end(FILE *to, int64_t time_s);

/* HTML with arguments: %s is a text, which is escaped; %zu is a number. No other conversion is
 * known. */
void page_put(FILE *to, const char *html, ...) PQ_PRINTF(2, 3);
/* A text: characters of HTML are escaped, bytes that are not UTF-8 and control characters are
 * replaced. */
void page_put_text(FILE *to, const char *text);
/* A table, which scrolls on a narrow screen; `columns` up to NULL: the headings. Without them the
 * first cell of a row is its heading. */
void page_begin_table(FILE *to, const char *style_class, const char *const *columns);
void page_end_table(FILE *to);
/* "12 hosts" */
void page_put_count(FILE *to, size_t n, const char *noun);
/* A bar as long as n of `of`; the number must be near it as text. */
void page_put_bar(FILE *to, size_t n, size_t of);
