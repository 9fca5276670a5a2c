/* SPDX-License-Identifier: MIT */
/*
 * The objects of a list, by the reader of core/text: one object's members at a time, values that
 * are nested skipped. An error has the location of the token. What the members mean is in
 * vendor_event.c.
 */
#include "vendor/import/vendor_json.h"
#include "core/catalog/model.h"

/* Events are flat and short. */
#define ELEMENT_MAX_BYTES ((size_t)1 << 20)
#define MEMBERS_MAX 1000u

static int fail(const struct pq_vendor_elements *at, const char *problem,
		struct pmuq_error **reterr)
{
	size_t start = at->json.start, n = at->file->text.n;

	if (start >= n)
		return pq_vendor_fail_at(at->tree, at->file, n, 0, reterr, "the file ends: %s",
					 problem);
	return pq_vendor_fail_at(at->tree, at->file, start, 1, reterr, "%s", problem);
}

/* The next token; never PQ_JSON_BAD. */
static int next(struct pq_vendor_elements *at, enum pq_json_token *ret, struct pmuq_error **reterr)
{
	*ret = pq_json_next(&at->json);
	if (*ret != PQ_JSON_BAD)
		return 0;
	return at->json.problem ? fail(at, at->json.problem, reterr) : pq_fail_memory(reterr);
}

/* Up to the end of the list or object that is open. */
static int skip_level(struct pq_vendor_elements *at, struct pmuq_error **reterr)
{
	unsigned depth = at->json.depth;
	enum pq_json_token token;
	int r = 0;

	while (r == 0 && at->json.depth >= depth)
		r = next(at, &token, reterr);
	return r;
}

static bool is_open(enum pq_json_token token)
{
	return token == PQ_JSON_OPEN_OBJECT || token == PQ_JSON_OPEN_LIST;
}

/* In the root object, up to the list under "Events". */
static int enter_wrapped(struct pq_vendor_elements *at, struct pmuq_error **reterr)
{
	enum pq_json_token token;
	bool is_found = false;
	int r;

	while ((r = next(at, &token, reterr)) == 0 && token == PQ_JSON_KEY) {
		is_found = str_eq(at->json.value, STR("Events"));
		r = next(at, &token, reterr);
		if (r < 0 || is_found)
			break;
		if (is_open(token))
			r = skip_level(at, reterr);
		if (r < 0)
			break;
	}
	at->is_empty = !is_found;
	if (r == 0 && is_found && token != PQ_JSON_OPEN_LIST)
		return fail(at, "expected a list of events", reterr);
	return r;
}

int pq_vendor_elements_begin(struct pq_vendor_elements *at, const struct pq_vendor_tree *tree,
			     const struct pq_vendor_file *file, struct pq_arena *arena,
			     struct pmuq_error **reterr)
{
	enum pq_json_token token;
	int r;

	*at = (struct pq_vendor_elements){
		.tree = tree, .file = file, .arena = arena, .json = { .text = file->text }
	};
	/* A byte order mark. */
	if (str_starts(file->text, STR("\xef\xbb\xbf")))
		at->json.at = 3;
	r = next(at, &token, reterr);
	if (r < 0 || token == PQ_JSON_OPEN_LIST)
		return r;
	if (token == PQ_JSON_OPEN_OBJECT)
		return enter_wrapped(at, reterr);
	return fail(at, "expected a list of events", reterr);
}

void pq_vendor_elements_end(struct pq_vendor_elements *at)
{
	pq_json_clear(&at->json);
	pq_vec_free(&at->members);
}

/* The value of a token, until the end of the file. */
static int keep_value(struct pq_vendor_elements *at, struct pmuq_str *ret,
		      struct pmuq_error **reterr)
{
	struct pmuq_str value = at->json.value, text = at->json.text;

	*ret = value;
	if (value.p >= text.p && value.p <= text.p + text.n)
		return 0;
	if (memchr(value.p, '\0', value.n))
		return fail(at, "a string contains a NUL", reterr);
	*ret = pq_arena_str(at->arena, value);
	return ret->p ? 0 : pq_fail_memory(reterr);
}

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

static int read_value(struct pq_vendor_elements *at, struct pmuq_str *ret,
		      struct pmuq_error **reterr)
{
	enum pq_json_token token;
	int r = next(at, &token, reterr);

	*ret = (struct pmuq_str){ 0 };
	if (r == 0 && is_open(token))
		return skip_level(at, reterr);
	if (r == 0 && token == PQ_JSON_TEXT)
		return keep_value(at, ret, reterr);
	if (r == 0)
		*ret = bare_text(at->json.value);
	return r;
}

static bool has_key(const struct pq_vendor_members *members, struct pmuq_str key)
{
	for (size_t i = 0; i < members->n; i++)
		if (str_eq(members->v[i].key, key))
			return true;
	return false;
}

static int read_member(struct pq_vendor_elements *at, struct pmuq_error **reterr)
{
	struct pq_vendor_member member;
	int r = keep_value(at, &member.key, reterr);

	if (r == 0 && has_key(&at->members, member.key))
		return fail(at, "a key appears twice in an object", reterr);
	if (r == 0 && at->members.n == MEMBERS_MAX)
		return fail(at, "an object with more than 1000 members", reterr);
	if (r == 0)
		r = read_value(at, &member.text, reterr);
	if (r < 0)
		return r;
	return pq_vec_push(&at->members, member) ? 0 : pq_fail_memory(reterr);
}

static int read_object(struct pq_vendor_elements *at, struct pmuq_error **reterr)
{
	enum pq_json_token token;
	int r;

	at->offset = at->json.start;
	at->line = at->json.line + 1;
	at->column = at->json.start - at->json.line_start + 1;
	at->members.n = 0;
	while ((r = next(at, &token, reterr)) == 0 && token == PQ_JSON_KEY) {
		r = read_member(at, reterr);
		if (r < 0)
			return r;
	}
	if (r == 0 && at->json.at - at->offset > ELEMENT_MAX_BYTES)
		return pq_vendor_fail_at(at->tree, at->file, at->offset, 1, reterr,
					 "it is larger than 1 MiB");
	return r;
}

/* After the list: what follows it must be JSON, too, and must not be more events. */
static int read_rest(struct pq_vendor_elements *at, struct pmuq_error **reterr)
{
	enum pq_json_token token = PQ_JSON_CLOSE;
	int r = 0;

	while (r == 0 && token != PQ_JSON_END)
		r = next(at, &token, reterr);
	if (r < 0)
		return r;
	return pq_json_is_all(&at->json) ? PQ_END : fail(at, at->json.problem, reterr);
}

int pq_vendor_elements_next(struct pq_vendor_elements *at, struct pmuq_error **reterr)
{
	enum pq_json_token token;
	int r;

	if (at->is_empty)
		return read_rest(at, reterr);
	r = next(at, &token, reterr);
	if (r < 0)
		return r;
	if (token == PQ_JSON_CLOSE)
		return read_rest(at, reterr);
	if (token != PQ_JSON_OPEN_OBJECT)
		return fail(at, "expected an object", reterr);
	return read_object(at, reterr);
}

struct pmuq_str pq_vendor_element_text(const struct pq_vendor_elements *at, const char *key)
{
	struct pmuq_str name = str_of(key);

	for (size_t i = 0; i < at->members.n; i++)
		if (str_eq(at->members.v[i].key, name))
			return at->members.v[i].text;
	return (struct pmuq_str){ 0 };
}
