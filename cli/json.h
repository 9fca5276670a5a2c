/* SPDX-License-Identifier: MIT */
/*
 * JSON as a stream: what is written is not kept. The writer puts the commas; that keys and values
 * alternate and brackets match is the caller's affair. Text of any bytes comes out as valid UTF-8:
 * what is none becomes U+FFFD.
 */
#ifndef PQ_CLI_JSON_H
#define PQ_CLI_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct json {
	FILE *to;
	bool wants_comma;
};

void json_open(struct json *json, char bracket);
void json_close(struct json *json, char bracket);
void json_key(struct json *json, const char *name);
void json_string(struct json *json, const char *text);
/* NULL becomes null. */
void json_string_or_null(struct json *json, const char *text);
void json_number(struct json *json, int64_t value);
/* "0x…" in quotes: numbers of JSON lose bits past 2^53. */
void json_word(struct json *json, uint64_t value);
void json_bool(struct json *json, bool value);
void json_null(struct json *json);
/* Text that is JSON already. */
void json_literal(struct json *json, const char *text);
/* Two hex digits a byte, in quotes. */
void json_bytes(struct json *json, const void *bytes, size_t n);

/* The bytes of the character of UTF-8 that `text` begins with; 0 when it is none. NUL ends the
 * text. */
size_t utf8_length(const char *text);

#endif
