/* SPDX-License-Identifier: MIT */
/*
 * A document as a stream of keys and values, independent of its form. A maker (sink_json.c,
 * sink_yaml.c) puts a struct pq_sink first in its own object. The caller alternates keys and values
 * in a mapping and closes what it opened. A failure sticks; test `failed` after
 * pq_sink_finish().
 */
#pragma once

#include "core/buf.h"
#include "core/error.h"

struct pq_sink;

struct pq_sink_ops {
	/* '{' begins a mapping, '[' a list; '}' and ']' end them. */
	void (*open)(struct pq_sink *sink, char bracket);
	void (*close)(struct pq_sink *sink, char bracket);
	/* Any bytes: those that are not UTF-8 become U+FFFD. */
	void (*key)(struct pq_sink *sink, struct pmuq_str text);
	void (*text)(struct pq_sink *sink, struct pmuq_str text);
	/* The same for a text that needs no escape: pq_is_plain() of plain.h. */
	void (*plain)(struct pq_sink *sink, struct pmuq_str text);
	/* A number, true, false or null, which JSON and YAML write in the same way. */
	void (*bare)(struct pq_sink *sink, struct pmuq_str text);
	/* Before and after each document of a stream, and after the last; NULL: nothing to do. */
	void (*begin)(struct pq_sink *sink);
	void (*end)(struct pq_sink *sink);
	void (*finish)(struct pq_sink *sink);
	void (*free)(struct pq_sink *sink);
};

struct pq_sink {
	const struct pq_sink_ops *ops;
	size_t n_values; /* so far: texts, bare values, mappings and lists, without keys */
	/* A key that the next value has to write with itself; empty: none. */
	struct pmuq_str name;
	bool failed;
};

/* Each item begins a line at all levels of brackets. */
#define PQ_SINK_ALL_LEVELS ((unsigned)-1)

/*
 * JSON (RFC 8259) into `buf`; a document ends with a newline. In brackets nested up to
 * `line_levels` deep each item is on a line of its own; deeper brackets stay on one line. 0: one
 * line for each document. NULL if there is no memory.
 */
struct pq_sink *pq_sink_json(struct pq_buf *buf, unsigned line_levels);
/* YAML into `buf`, by libyaml. Documents are separated by "---". 0, -PMUQ_E_NO_LIBRARY,
 * -PMUQ_E_MEMORY. */
int pq_sink_yaml(struct pq_buf *buf, struct pq_sink **ret, struct pmuq_error **reterr);
void pq_sink_free(struct pq_sink *sink);

static inline void pq_sink_begin(struct pq_sink *sink)
{
	if (sink->ops->begin)
		sink->ops->begin(sink);
}

static inline void pq_sink_end(struct pq_sink *sink)
{
	if (sink->ops->end)
		sink->ops->end(sink);
}

static inline void pq_sink_finish(struct pq_sink *sink)
{
	if (sink->ops->finish)
		sink->ops->finish(sink);
}

static inline void pq_sink_open(struct pq_sink *sink, char bracket)
{
	sink->n_values++;
	sink->ops->open(sink, bracket);
}

static inline void pq_sink_close(struct pq_sink *sink, char bracket)
{
	sink->ops->close(sink, bracket);
}

static inline void pq_sink_key(struct pq_sink *sink, struct pmuq_str text)
{
	sink->ops->key(sink, text);
}

/* A key that needs no escape. It must exist until its value is written. */
static inline void pq_sink_name(struct pq_sink *sink, struct pmuq_str name)
{
	sink->name = name;
}

/* For a form of documents: the name, which it then writes. */
static inline struct pmuq_str pq_sink_take_name(struct pq_sink *sink)
{
	struct pmuq_str name = sink->name;

	sink->name.n = 0;
	return name;
}

static inline void pq_sink_text(struct pq_sink *sink, struct pmuq_str text)
{
	sink->n_values++;
	sink->ops->text(sink, text);
}

static inline void pq_sink_plain(struct pq_sink *sink, struct pmuq_str text)
{
	sink->n_values++;
	sink->ops->plain(sink, text);
}

static inline void pq_sink_bare(struct pq_sink *sink, struct pmuq_str text)
{
	sink->n_values++;
	sink->ops->bare(sink, text);
}

static inline void pq_sink_bool(struct pq_sink *sink, bool value)
{
	pq_sink_bare(sink, value ? STR("true") : STR("false"));
}

static inline void pq_sink_null(struct pq_sink *sink)
{
	pq_sink_bare(sink, STR("null"));
}

void pq_sink_count(struct pq_sink *sink, uint64_t value);
void pq_sink_number(struct pq_sink *sink, int64_t value);
/* "0x…" as a text: JSON numbers lose bits past 2^53. */
void pq_sink_word(struct pq_sink *sink, uint64_t value);
/* Two hex digits a byte, as a text. */
void pq_sink_hex(struct pq_sink *sink, const void *bytes, size_t n);

/* Writes two hex digits per byte to `to`, without a NUL; returns their number. */
size_t pq_hex_print(char *to, const void *bytes, size_t n);
