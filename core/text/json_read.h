/* SPDX-License-Identifier: MIT */
/*
 * A reader of JSON (RFC 8259), token by token, without recursion. It keeps the location of each
 * token, stores at most one text, and accepts only valid JSON. It does not detect repeated keys.
 */
#pragma once

#include "core/buf.h"
#include "core/limits.h"

enum pq_json_token {
	PQ_JSON_END, /* the value is complete, or there was none */
	PQ_JSON_OPEN_OBJECT,
	PQ_JSON_OPEN_LIST,
	PQ_JSON_CLOSE,
	PQ_JSON_KEY,
	PQ_JSON_TEXT,
	PQ_JSON_BARE, /* a number, true, false or null */
	PQ_JSON_BAD,  /* the reason is in `problem` */
};

struct pq_json_reader {
	struct pmuq_str text;
	size_t at;		/* the next byte */
	size_t start;		/* of the token, or of the error */
	size_t line_start;	/* of the line with `start` */
	uint32_t line;		/* counted from 0 */
	struct pmuq_str value;	/* of a key, a text or a bare value; until the next call */
	const char *problem;	/* static; PQ_JSON_BAD without one: out of memory */
	size_t text_max_bytes;	/* longer texts with escapes are cut off there; 0: all texts */
	uint64_t object_levels; /* a bit for each level that is an object */
	unsigned depth;
	unsigned char expected; /* of json_read.c */
	struct pq_buf unescaped;
};

/* All members except `text` and `text_max_bytes` are zero at first. */
enum pq_json_token pq_json_next(struct pq_json_reader *json);
/* After PQ_JSON_END: whether only blanks follow; otherwise `start` is the location of other
 * text. */
bool pq_json_is_all(struct pq_json_reader *json);
void pq_json_clear(struct pq_json_reader *json);

/* ---------------------------------------------------------------------------- a value as a tree */

enum pq_json_type {
	PQ_JSON_IS_OBJECT,
	PQ_JSON_IS_LIST,
	PQ_JSON_IS_TEXT,
	PQ_JSON_IS_BARE,
};

/* Everything lives in the arena of the tree; texts end with a NUL. */
struct pq_json_value {
	enum pq_json_type type;
	struct pmuq_str key;  /* in an object */
	struct pmuq_str text; /* of a text or a bare value */
	size_t at;	      /* where it begins in the reader's text */
	struct pq_json_value *next, *first;
};

enum pq_json_result {
	PQ_JSON_OK,
	PQ_JSON_WRONG, /* the position and the reason are in `reader` */
	PQ_JSON_MEMORY,
};

/* Parses a text that consists of one value; a repeated key in an object is an error. */
enum pq_json_result pq_json_parse(struct pq_json_reader *reader, struct pq_arena *arena,
				  struct pq_json_value **ret);
/* The member with that name, or NULL; also NULL if the value is not an object. */
const struct pq_json_value *pq_json_get(const struct pq_json_value *object, const char *key);
/* Whether the value is a whole number from 0 up to 2^64 - 1. */
bool pq_json_count(const struct pq_json_value *value, uint64_t *ret);
