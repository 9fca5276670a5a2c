/* SPDX-License-Identifier: MIT */
/* Documents as JSON (RFC 8259), two blanks a level and a line an entry, so that it can be compared
 * line by line as YAML can. Needs no library. */
#include "document/sink.h"

struct json {
	struct pq_sink sink;
	struct pq_buf *buf;
	size_t depth, n_documents;
	bool is_array, is_empty, is_behind_key;
};

static void break_line(struct json *json)
{
	pq_buf_char(json->buf, '\n', 1);
	pq_buf_char(json->buf, ' ', 2 * json->depth);
}

/* Before a value in a list, or a key: a comma and a line of its own. */
static void begin_item(struct json *json)
{
	if (json->is_behind_key || !json->depth) {
		json->is_behind_key = false;
		return;
	}
	if (!json->is_empty)
		pq_buf_char(json->buf, ',', 1);
	json->is_empty = false;
	break_line(json);
}

static void put_quoted(struct json *json, struct pmuq_str text)
{
	size_t from = 0;

	pq_buf_char(json->buf, '"', 1);
	for (size_t i = 0; i < text.n; i++) {
		char c = text.p[i];
		char escape = c == '\n' ? 'n' : c == '\t' ? 't' : c;

		if (c != '"' && c != '\\' && c != '\n' && c != '\t')
			continue;
		pq_buf_add(json->buf, str_part(text, from, i));
		pq_buf_char(json->buf, '\\', 1);
		pq_buf_char(json->buf, escape, 1);
		from = i + 1;
	}
	pq_buf_add(json->buf, str_part(text, from, text.n));
	pq_buf_char(json->buf, '"', 1);
}

static void json_open(struct pq_sink *sink, char bracket)
{
	struct json *json = (struct json *)sink;

	begin_item(json);
	pq_buf_char(json->buf, bracket, 1);
	json->depth++;
	json->is_empty = true;
}

static void json_close(struct pq_sink *sink, char bracket)
{
	struct json *json = (struct json *)sink;

	json->depth--;
	if (!json->is_empty)
		break_line(json);
	json->is_empty = false;
	pq_buf_char(json->buf, bracket, 1);
}

static void json_key(struct pq_sink *sink, struct pmuq_str text)
{
	struct json *json = (struct json *)sink;

	begin_item(json);
	put_quoted(json, text);
	pq_buf_add(json->buf, STR(": "));
	json->is_behind_key = true;
}

static void json_text(struct pq_sink *sink, struct pmuq_str text)
{
	begin_item((struct json *)sink);
	put_quoted((struct json *)sink, text);
}

static void json_bare(struct pq_sink *sink, struct pmuq_str text)
{
	begin_item((struct json *)sink);
	pq_buf_add(((struct json *)sink)->buf, text);
}

static void begin(struct pq_sink *sink)
{
	struct json *json = (struct json *)sink;

	if (json->is_array && !json->n_documents)
		json_open(sink, '[');
	json->n_documents++;
}

static void end(struct pq_sink *sink)
{
	struct json *json = (struct json *)sink;

	if (!json->is_array)
		pq_buf_char(json->buf, '\n', 1);
}

static int finish(struct pq_sink *sink, struct pmuq_error **reterr)
{
	struct json *json = (struct json *)sink;

	if (json->is_array) {
		if (!json->n_documents)
			json_open(sink, '[');
		json_close(sink, ']');
		pq_buf_char(json->buf, '\n', 1);
	}
	return sink->failed || json->buf->failed ? pq_fail_memory(reterr) : 0;
}

static void free_json(struct pq_sink *sink)
{
	free(sink);
}

int pq_form_json(struct pq_buf *buf, bool is_array, struct pq_form *ret, struct pmuq_error **reterr)
{
	struct json *json = calloc(1, sizeof(*json));

	if (!json)
		return pq_fail_memory(reterr);
	*json = (struct json){
		.sink = { .open = json_open,
			  .close = json_close,
			  .key = json_key,
			  .text = json_text,
			  .bare = json_bare },
		.buf = buf,
		.is_array = is_array,
	};
	*ret = (struct pq_form){
		.sink = &json->sink, .begin = begin, .end = end, .finish = finish, .free = free_json
	};
	return 0;
}
