/* SPDX-License-Identifier: MIT */
/* What is valid UTF-8 and what is not, byte by byte. Knows no locale. */
#ifndef PQ_CLI_UTF8_H
#define PQ_CLI_UTF8_H

#include <stddef.h>

/* Stands in for each byte that is no part of a character. */
#define UTF8_REPLACEMENT "\xef\xbf\xbd"

/* The bytes of the character of UTF-8 that `text` begins with; 0 when it is none. NUL ends the
 * text. */
size_t utf8_length(const char *text);

/* A copy that is valid throughout; to be freed, NULL when out of memory. */
char *utf8_copy(const char *text);

#endif
