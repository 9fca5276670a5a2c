/* SPDX-License-Identifier: MIT */
/*
 * The objects of a list or of an object, read by core/text: the members of one object at a time;
 * nested values become trees on request. An error has the location of the token. vendor_event.c and
 * others interpret the members.
 */
#include "vendor/import/vendor_json.h"
#include "core/limits.h"
#include "core/num.h"

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

/* In the root object, up to the list or the object under that key. */
static void enter_wrapped(struct pq_vendor_elements *at, const char *list)
{
	at->is_empty = true;
	while (at->is_empty && next(at) == PQ_JSON_KEY) {
		bool is_found = str_eq(at->json.value, str_of(list));
		enum pq_json_token token = next(at);

		at->is_empty = !is_found;
		at->is_keyed = token == PQ_JSON_OPEN_OBJECT;
		if (is_found && !is_open(token))
			fail(at, "expected a list of events");
		if (!is_found && is_open(token))
			skip_level(at);
	}
}

/* Without a byte order mark. */
static struct pmuq_str without_mark(struct pmuq_str text)
{
	return str_starts(text, STR("\xef\xbb\xbf")) ? str_part(text, 3, text.n) : text;
}

/* Reads the first token of the file. */
static enum pq_json_token begin(struct pq_vendor_elements *at, struct pq_vendor_tree *tree,
				const struct pq_vendor_file *file, struct pq_arena *arena)
{
	*at = (struct pq_vendor_elements){
		.tree = tree, .file = file, .arena = arena, .json = { .text = file->text }
	};
	at->json.at = file->text.n - without_mark(file->text).n;
	return next(at);
}

void pq_vendor_elements_begin(struct pq_vendor_elements *at, struct pq_vendor_tree *tree,
			      const struct pq_vendor_file *file, struct pq_arena *arena,
			      const char *list)
{
	enum pq_json_token token = begin(at, tree, file, arena);

	if (token == PQ_JSON_OPEN_OBJECT)
		enter_wrapped(at, list);
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

/* The text of a value, and the value as the file has it. */
static struct pmuq_str read_value(struct pq_vendor_elements *at, struct pmuq_str *ret_raw)
{
	enum pq_json_token token = next(at);
	struct pmuq_str text = { 0 };
	size_t start = at->json.start;

	/* After a bad token there is no value: the previous one may have been freed. */
	if (token == PQ_JSON_TEXT)
		text = keep_value(at);
	else if (token == PQ_JSON_BARE)
		text = bare_text(at->json.value);
	else if (is_open(token))
		skip_level(at);
	*ret_raw = at->tree->r == 0 ? str_part(at->json.text, start, at->json.at) : STR("");
	return text;
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
	member.text = read_value(at, &member.raw);
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

	if (at->is_keyed && token == PQ_JSON_KEY) {
		at->key = keep_value(at);
		token = next(at);
	}
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

bool pq_vendor_element_is_other(const struct pq_vendor_elements *at, const char *key)
{
	const struct pq_vendor_member *found = find_member(at, str_of(key));

	return found && !found->text.p && !str_eq(str_trim(found->raw), STR("null"));
}

struct pmuq_str pq_vendor_element_number(const struct pq_vendor_elements *at, const char *key)
{
	const struct pq_vendor_member *found = find_member(at, str_of(key));
	size_t n;

	if (!found || !pq_num_prefix(found->raw, &(uint64_t){ 0 }, &n))
		return (struct pmuq_str){ 0 };
	if (n < found->raw.n && found->raw.p[n] == '.')
		n = pq_num_digits_end(found->raw, n + 1);
	return n == found->raw.n ? found->raw : (struct pmuq_str){ 0 };
}

/* ---- trees */

static const struct pq_json_value *parse(struct pq_vendor_tree *tree,
					 const struct pq_vendor_file *file, struct pmuq_str raw,
					 struct pq_arena *arena)
{
	struct pq_json_reader reader = { .text = raw };
	size_t offset = (size_t)(raw.p - file->text.p);
	struct pq_json_value *value = NULL;
	enum pq_json_result result;

	if (raw.n > PQ_VENDOR_EVENT_MAX_BYTES)
		pq_vendor_fail_at(tree, file, offset, 1, "it is larger than 1 MiB");
	if (tree->r < 0)
		return NULL;
	result = pq_json_parse(&reader, arena, &value);
	if (result == PQ_JSON_WRONG)
		pq_vendor_fail_at(tree, file, offset + reader.start, 1, "%s", reader.problem);
	else if (result == PQ_JSON_MEMORY)
		pq_vendor_fail_memory(tree);
	return tree->r == 0 ? value : NULL;
}

const struct pq_json_value *pq_vendor_element_tree(const struct pq_vendor_elements *at,
						   const char *key, struct pq_arena *arena)
{
	const struct pq_vendor_member *found = find_member(at, str_of(key));

	return found ? parse(at->tree, at->file, found->raw, arena) : NULL;
}

const struct pq_json_value *pq_vendor_read_section(struct pq_vendor_tree *tree,
						   const struct pq_vendor_file *file,
						   const char *key, struct pq_arena *arena)
{
	cleanup(pq_vendor_elements_end) struct pq_vendor_elements at = { 0 };
	struct pmuq_str raw = STR("");
	bool is_found = false;

	if (begin(&at, tree, file, arena) != PQ_JSON_OPEN_OBJECT)
		return NULL;
	while (!is_found && next(&at) == PQ_JSON_KEY) {
		is_found = str_eq(at.json.value, str_of(key));
		read_value(&at, &raw);
	}
	return is_found && tree->r == 0 ? parse(tree, file, raw, arena) : NULL;
}

const struct pq_json_value *pq_vendor_read_root(struct pq_vendor_tree *tree,
						const struct pq_vendor_file *file,
						struct pq_arena *arena)
{
	return parse(tree, file, without_mark(file->text), arena);
}

struct pmuq_str pq_vendor_value_text(const struct pq_json_value *object, const char *key)
{
	const struct pq_json_value *value = pq_json_get(object, key);

	return value && value->text.p ? value->text : STR("");
}
