/* SPDX-License-Identifier: MIT */
#include "vendor/import/vendor_json.h"
#include "core/catalog/model.h"
#include "core/library.h"
#include <jansson.h>

/* An event is flat, and short. */
#define ELEMENT_MAX_BYTES ((size_t)1 << 20)
#define DEPTH_MAX 32u

#define FUNCTIONS(X)                                                                               \
	X(json_delete)                                                                             \
	X(json_integer_value)                                                                      \
	X(json_loadb)                                                                              \
	X(json_object_get)                                                                         \
	X(json_string_length)                                                                      \
	X(json_string_value)

struct pq_json {
	FUNCTIONS(PQ_LIBRARY_POINTER)
};

static const char *const names[] = { FUNCTIONS(PQ_LIBRARY_NAME) };

static const struct pq_library library = {
	.file = "libjansson.so.4",
	.need = "tables of vendors need jansson",
	.hint = "install the package libjansson4 (Debian's name)",
	.names = names,
	.n = COUNT(names),
};

int pq_json_load(struct pq_json **ret, struct pmuq_error **reterr)
{
	auto_free struct pq_json *json = calloc(1, sizeof(*json));
	int r;

	if (!json)
		return pq_fail_memory(reterr);
	r = pq_library_load(&library, json, sizeof(*json), reterr);
	if (r == 0)
		*ret = move(json);
	return r;
}

void pq_json_free(struct pq_json *json)
{
	free(json);
}

static void skip_blanks(struct pq_elements *at)
{
	struct pmuq_str text = at->file->text;

	while (at->next < text.n && strchr(" \t\r\n", text.p[at->next]) && text.p[at->next])
		at->next++;
}

/* The byte that is next, and 0 at the end. */
static char peek(const struct pq_elements *at)
{
	return at->next < at->file->text.n ? at->file->text.p[at->next] : '\0';
}

static int fail_here(const struct pq_elements *at, size_t offset, struct pmuq_error **reterr,
		     const char *what)
{
	if (offset >= at->file->text.n)
		return pq_vendor_fail_at(at->tree, at->file, at->file->text.n, 0, reterr,
					 "the file ends, and %s", what);
	return pq_vendor_fail_at(at->tree, at->file, offset, 1, reterr, "%s", what);
}

static size_t skip_string(struct pmuq_str text, size_t i)
{
	for (i++; i < text.n && text.p[i] != '"'; i++)
		if (text.p[i] == '\\')
			i++;
	return i;
}

/*
 * The end of the value that begins at `from`, found by its brackets and quotes: whether it is
 * JSON is found out by who reads it. An end beyond the text is no end.
 */
static int find_end(const struct pq_elements *at, size_t from, size_t max_bytes, size_t *ret,
		    struct pmuq_error **reterr)
{
	struct pmuq_str text = at->file->text;
	size_t depth = 0, i;

	for (i = from; i < text.n; i++) {
		char c = text.p[i];

		if (c == '"')
			i = skip_string(text, i);
		else if (c == '{' || c == '[')
			depth++;
		else if (c == '}' || c == ']')
			depth--;
		if (i - from > max_bytes)
			return fail_here(at, from, reterr, "it is larger than events are (1 MiB)");
		if (depth > DEPTH_MAX)
			return fail_here(at, i, reterr, "it is nested deeper than events are");
		/* A scalar in an object ends before what follows it. */
		if (depth == 0 && (c == '"' || c == '}' || c == ']'))
			break;
		if (depth == 0 && i + 1 < text.n && strchr(",}]", text.p[i + 1]))
			break;
	}
	*ret = i < text.n ? i + 1 : text.n;
	return 0;
}

/* Up to the list under "Events"; what stands before it is of no use here. */
static int enter_wrapped(struct pq_elements *at, struct pmuq_error **reterr)
{
	int r = 0;

	at->is_wrapped = true;
	for (at->next++;; at->next++) {
		size_t key, end = 0;

		skip_blanks(at);
		key = at->next;
		if (peek(at) == '}') {
			at->is_over = true;
			return 0;
		}
		if (peek(at) != '"')
			return fail_here(at, key, reterr, "the name of a member is missing");
		r = find_end(at, key, at->file->text.n, &end, reterr);
		if (r < 0)
			return r;
		at->next = end;
		skip_blanks(at);
		if (peek(at) != ':')
			return fail_here(at, at->next, reterr, "a ':' is missing");
		at->next++;
		skip_blanks(at);
		if (str_eq(str_part(at->file->text, key, end), STR("\"Events\"")))
			return 0;
		r = find_end(at, at->next, at->file->text.n, &end, reterr);
		if (r < 0)
			return r;
		at->next = end;
		skip_blanks(at);
		if (peek(at) == '}')
			at->next--;
		else if (peek(at) != ',')
			return fail_here(at, at->next, reterr, "a ',' or '}' is missing");
	}
}

int pq_elements_begin(struct pq_elements *at, const struct pq_json *json,
		      const struct pq_vendor_tree *tree, const struct pq_vendor_file *file,
		      struct pq_arena *arena, struct pmuq_error **reterr)
{
	int r = 0;

	*at = (struct pq_elements){
		.json = json, .tree = tree, .file = file, .arena = arena, .line = 1
	};
	/* Editors of some systems put a mark before UTF-8. */
	if (str_starts(file->text, STR("\xef\xbb\xbf")))
		at->next = 3;
	skip_blanks(at);
	if (peek(at) == '{')
		r = enter_wrapped(at, reterr);
	if (r < 0 || at->is_over)
		return r;
	if (peek(at) != '[')
		return fail_here(at, at->next, reterr, "a list of events should begin here");
	at->next++;
	skip_blanks(at);
	at->is_over = peek(at) == ']';
	return 0;
}

static void drop_object(struct pq_elements *at)
{
	json_t *object = at->object;

	at->object = NULL;
	if (object && object->refcount != (size_t)-1 && --object->refcount == 0)
		at->json->json_delete(object);
}

void pq_elements_end(struct pq_elements *at)
{
	if (at->json)
		drop_object(at);
}

static int parse(struct pq_elements *at, struct pmuq_error **reterr)
{
	json_error_t error;
	size_t where;

	at->object = at->json->json_loadb(at->file->text.p + at->offset, at->length,
					  JSON_REJECT_DUPLICATES, &error);
	if (at->object)
		return 0;
	/* It counts what it has read; the fault is the last byte of that. */
	where = error.position > 0 ? (size_t)error.position - 1 : 0;
	return pq_vendor_fail_at(at->tree, at->file,
				 at->offset + (where < at->length ? where : at->length), 1, reterr,
				 "%s", error.text);
}

/* Behind an element: another one, or the end of the list. */
static int pass_comma(struct pq_elements *at, struct pmuq_error **reterr)
{
	skip_blanks(at);
	if (peek(at) == ']') {
		at->is_over = true;
		return 0;
	}
	if (peek(at) != ',')
		return fail_here(at, at->next, reterr, "a ',' or ']' should stand here");
	at->next++;
	skip_blanks(at);
	return 0;
}

/* What is behind the list must not be more events that nobody would see. */
static int check_rest(struct pq_elements *at, struct pmuq_error **reterr)
{
	if (at->is_wrapped)
		return PQ_END;
	at->next++;
	skip_blanks(at);
	if (at->next < at->file->text.n)
		return fail_here(at, at->next, reterr, "something stands behind the list");
	return PQ_END;
}

static void count_lines(struct pq_elements *at)
{
	for (; at->counted < at->next; at->counted++) {
		if (at->file->text.p[at->counted] != '\n')
			continue;
		at->line++;
		at->line_start = at->counted + 1;
	}
	at->column = at->next - at->line_start + 1;
}

int pq_elements_next(struct pq_elements *at, struct pmuq_error **reterr)
{
	size_t end = 0;
	int r;

	drop_object(at);
	if (at->is_over)
		return check_rest(at, reterr);
	if (peek(at) != '{')
		return fail_here(at, at->next, reterr, "an event should be an object");
	count_lines(at);
	r = find_end(at, at->next, ELEMENT_MAX_BYTES, &end, reterr);
	if (r < 0)
		return r;
	at->offset = at->next;
	at->length = end - at->next;
	at->next = end;
	r = parse(at, reterr);
	return r < 0 ? r : pass_comma(at, reterr);
}

struct pmuq_str pq_element_text(const struct pq_elements *at, const char *key)
{
	const json_t *value = at->json->json_object_get(at->object, key);
	cleanup(pq_buf_free) struct pq_buf number = PQ_BUF_NULL;

	if (value && json_is_string(value))
		return (struct pmuq_str){ .p = at->json->json_string_value(value),
					  .n = at->json->json_string_length(value) };
	if (value && json_is_boolean(value))
		return json_is_true(value) ? STR("1") : STR("0");
	if (!value || !json_is_integer(value))
		return (struct pmuq_str){ 0 };
	pq_buf_print(&number, "%lld", (long long)at->json->json_integer_value(value));
	return pq_arena_str(at->arena, pq_buf_str(&number));
}
