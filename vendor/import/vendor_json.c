/* SPDX-License-Identifier: MIT */
/*
 * The objects of a list, read by core/text: the members of one object at a time; nested values are
 * skipped. An error has the location of the token. vendor_event.c interprets the members.
 */
#include "vendor/import/vendor_json.h"
#include "core/limits.h"

/* Events are flat and short. */
#define MEMBERS_MAX 1000u

/* At the token that was read last. */
static void fail(struct pq_vendor_elements *at, const char *problem)
{
	size_t start = at->json.start, n = at->file->text.n;

	if (start >= n)
		pq_vendor_fail_at(at->tree, at->file, n, 0, "the file ends: %s", problem);
	else
		pq_vendor_fail_at(at->tree, at->file, start, 1, "%s", problem);
}

/* The next token; PQ_JSON_END after an error. */
static enum pq_json_token next(struct pq_vendor_elements *at)
{
	enum pq_json_token token = at->tree->r == 0 ? pq_json_next(&at->json) : PQ_JSON_END;

	if (token != PQ_JSON_BAD)
		return token;
	if (at->json.problem)
		fail(at, at->json.problem);
	else
		pq_vendor_fail_memory(at->tree);
	return PQ_JSON_END;
}

/* Up to the end of the list or object that is open. */
static void skip_level(struct pq_vendor_elements *at)
{
	unsigned depth = at->json.depth;

	while (at->tree->r == 0 && at->json.depth >= depth)
		next(at);
}

static bool is_open(enum pq_json_token token)
{
	return token == PQ_JSON_OPEN_OBJECT || token == PQ_JSON_OPEN_LIST;
}

/* In the root object, up to the list under "Events". */
static void enter_wrapped(struct pq_vendor_elements *at)
{
	at->is_empty = true;
	while (at->is_empty && next(at) == PQ_JSON_KEY) {
		bool is_found = str_eq(at->json.value, STR("Events"));
		enum pq_json_token token = next(at);

		at->is_empty = !is_found;
		if (is_found && token != PQ_JSON_OPEN_LIST)
			fail(at, "expected a list of events");
		if (!is_found && is_open(token))
			skip_level(at);
	}
}

void pq_vendor_elements_begin(struct pq_vendor_elements *at, struct pq_vendor_tree *tree,
			      const struct pq_vendor_file *file, struct pq_arena *arena)
{
	enum pq_json_token token;

	*at = (struct pq_vendor_elements){
		.tree = tree, .file = file, .arena = arena, .json = { .text = file->text }
	};
	/* A byte order mark. */
	if (str_starts(file->text, STR("\xef\xbb\xbf")))
		at->json.at = 3;
	token = next(at);
	if (token == PQ_JSON_OPEN_OBJECT)
		enter_wrapped(at);
	else if (token != PQ_JSON_OPEN_LIST)
		fail(at, "expected a list of events");
}

void pq_vendor_elements_end(struct pq_vendor_elements *at)
{
	pq_json_clear(&at->json);
	pq_vec_free(&at->members);
}

/* The value of a token, until the end of the file: a part of the file's text, or a copy. */
static struct pmuq_str keep_value(struct pq_vendor_elements *at)
{
	struct pmuq_str value = at->json.value, text = at->json.text;

	if (value.p >= text.p && value.p <= text.p + text.n)
		return value;
	if (memchr(value.p, '\0', value.n))
		fail(at, "a string contains a NUL");
	value = pq_arena_str(at->arena, value);
	if (!value.p)
		pq_vendor_fail_memory(at->tree);
	return value;
}

/* A number that is not whole has no text, because pmuq uses no such member. */
static struct pmuq_str bare_text(struct pmuq_str value)
{
	if (str_eq(value, STR("true")))
		return STR("1");
	if (str_eq(value, STR("false")))
		return STR("0");
	for (size_t i = 0; i < value.n; i++)
		if (!char_is_digit(value.p[i]) && value.p[i] != '-')
			return (struct pmuq_str){ 0 };
	return value;
}

static struct pmuq_str read_value(struct pq_vendor_elements *at)
{
	enum pq_json_token token = next(at);

	if (token == PQ_JSON_TEXT)
		return keep_value(at);
	if (token == PQ_JSON_BARE)
		return bare_text(at->json.value);
	/* After a bad token there is no value: the previous one may have been freed. */
	if (is_open(token))
		skip_level(at);
	return (struct pmuq_str){ 0 };
}

static const struct pq_vendor_member *find_member(const struct pq_vendor_elements *at,
						  struct pmuq_str key)
{
	for (size_t i = 0; i < at->members.n; i++)
		if (str_eq(at->members.v[i].key, key))
			return &at->members.v[i];
	return NULL;
}

static void read_member(struct pq_vendor_elements *at)
{
	struct pq_vendor_member member = { .key = keep_value(at) };

	if (find_member(at, member.key))
		fail(at, "a key appears twice in an object");
	if (at->members.n == MEMBERS_MAX)
		fail(at, "an object with more than 1000 members");
	member.text = read_value(at);
	if (!pq_vec_push(&at->members, member))
		pq_vendor_fail_memory(at->tree);
}

static void read_object(struct pq_vendor_elements *at)
{
	at->offset = at->json.start;
	at->line = at->json.line + 1;
	at->column = at->json.start - at->json.line_start + 1;
	at->members.n = 0;
	while (next(at) == PQ_JSON_KEY)
		read_member(at);
	if (at->json.at - at->offset > PQ_VENDOR_EVENT_MAX_BYTES)
		pq_vendor_fail_at(at->tree, at->file, at->offset, 1, "it is larger than 1 MiB");
}

/* After the list: the remaining text must be JSON, too, without another list of events. */
static void read_rest(struct pq_vendor_elements *at)
{
	while (next(at) != PQ_JSON_END)
		;
	if (at->tree->r == 0 && !pq_json_is_all(&at->json))
		fail(at, at->json.problem);
}

bool pq_vendor_elements_next(struct pq_vendor_elements *at)
{
	enum pq_json_token token = at->is_empty ? PQ_JSON_CLOSE : next(at);

	if (token == PQ_JSON_CLOSE)
		read_rest(at);
	else if (token == PQ_JSON_OPEN_OBJECT)
		read_object(at);
	else
		fail(at, "expected an object");
	return token == PQ_JSON_OPEN_OBJECT && at->tree->r == 0;
}

struct pmuq_str pq_vendor_element_text(const struct pq_vendor_elements *at, const char *key)
{
	const struct pq_vendor_member *found = find_member(at, str_of(key));

	return found ? found->text : (struct pmuq_str){ 0 };
}
