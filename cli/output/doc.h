/* SPDX-License-Identifier: MIT */
/*
 * A document of keys and values as a stream, whatever it is written in: what is written is not
 * kept. A back end (json.h, yaml_doc.h) does the six things of doc_ops and puts a struct doc first
 * in its own. That keys and values alternate and brackets match is the caller's affair.
 */
#ifndef PQ_CLI_DOC_H
#define PQ_CLI_DOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct doc;
struct pmuq_attr;

struct doc_ops {
	/* The bracket is '{' for keys with values, '[' for a list; '}' and ']' close them. */
	void (*open)(struct doc *doc, char bracket);
	void (*close)(struct doc *doc, char bracket);
	void (*key)(struct doc *doc, const char *name);
	/* Text of any bytes: what is no UTF-8 becomes U+FFFD. */
	void (*string)(struct doc *doc, const char *text);
	/* A number, true, false or null as both JSON and YAML spell it. */
	void (*literal)(struct doc *doc, const char *text, size_t n);
	/* A string of hex digits and "x". */
	void (*digits)(struct doc *doc, const char *text, size_t n);
};

struct doc {
	const struct doc_ops *ops;
};

static inline void doc_open(struct doc *doc, char bracket)
{
	doc->ops->open(doc, bracket);
}

static inline void doc_close(struct doc *doc, char bracket)
{
	doc->ops->close(doc, bracket);
}

static inline void doc_key(struct doc *doc, const char *name)
{
	doc->ops->key(doc, name);
}

static inline void doc_string(struct doc *doc, const char *text)
{
	doc->ops->string(doc, text);
}

/* A key and its text; NULL becomes "". */
void doc_text(struct doc *doc, const char *key, const char *text);
/* Nothing where there is no text. */
void doc_text_if(struct doc *doc, const char *key, const char *text);
/* NULL becomes null. */
void doc_string_or_null(struct doc *doc, const char *text);
void doc_number(struct doc *doc, int64_t value);
/* "0x…" as a string: numbers of JSON lose bits past 2^53. */
void doc_word(struct doc *doc, uint64_t value);
void doc_bool(struct doc *doc, bool value);
void doc_null(struct doc *doc);
void doc_literal(struct doc *doc, const char *text);
/* Two hex digits a byte, as a string; of an attr at most. */
void doc_bytes(struct doc *doc, const void *bytes, size_t n);

/* The key "attr" and the fields that are set; `type` and `size` always. */
void doc_attr(struct doc *doc, const struct pmuq_attr *attr);

/* Two digits a byte to `to`, without a NUL; returns how many. */
size_t hex_write(char *to, const void *bytes, size_t n);

#endif
