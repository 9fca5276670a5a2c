/* SPDX-License-Identifier: MIT */
/* A value of JSON as a tree in memory, for documents that are small and read in no fixed order. */
#include "core/num.h"
#include "core/text/json_read.h"

/* Each key is compared with all others of its object. */
#define MEMBERS_MAX 1000u

struct level {
	struct pq_json_value *value, *last;
	unsigned n;
};

struct tree {
	struct pq_json_reader *reader;
	struct pq_arena *arena;
	struct pq_json_value *root;
	struct level levels[PQ_JSON_DEPTH_MAX];
	struct pmuq_str key;
};

static enum pq_json_result refuse(struct tree *tree, const char *problem)
{
	tree->reader->problem = problem;
	return PQ_JSON_WRONG;
}

static bool has_key(const struct pq_json_value *object, struct pmuq_str key)
{
	for (const struct pq_json_value *member = object->first; member; member = member->next)
		if (str_eq(member->key, key))
			return true;
	return false;
}

/* Adds a value to the open level; the next level is for its own content. */
static enum pq_json_result add(struct tree *tree, enum pq_json_type type, unsigned depth)
{
	struct pq_json_value *value = pq_arena_zero(tree->arena, sizeof(*value));
	struct level *level = depth ? &tree->levels[depth - 1] : NULL;

	if (!value)
		return PQ_JSON_MEMORY;
	value->type = type;
	value->key = tree->key;
	value->at = tree->reader->start;
	if (type == PQ_JSON_IS_TEXT || type == PQ_JSON_IS_BARE)
		value->text = tree->reader->value;
	if (value->text.p && !pq_arena_keep(tree->arena, &value->text))
		return PQ_JSON_MEMORY;
	if (depth < PQ_JSON_DEPTH_MAX)
		tree->levels[depth] = (struct level){ .value = value };
	if (!level)
		tree->root = value;
	else if (level->last)
		level->last->next = value;
	else
		level->value->first = value;
	if (level)
		level->last = value;
	tree->key = (struct pmuq_str){ 0 };
	return PQ_JSON_OK;
}

static enum pq_json_result take_key(struct tree *tree)
{
	struct level *level = &tree->levels[tree->reader->depth - 1];

	tree->key = tree->reader->value;
	if (level->n++ == MEMBERS_MAX)
		return refuse(tree, "an object with more than 1000 members");
	if (has_key(level->value, tree->key))
		return refuse(tree, "a key appears twice in an object");
	return pq_arena_keep(tree->arena, &tree->key) ? PQ_JSON_OK : PQ_JSON_MEMORY;
}

static enum pq_json_result take(struct tree *tree, enum pq_json_token token)
{
	unsigned depth = tree->reader->depth;

	switch (token) {
	case PQ_JSON_OPEN_OBJECT:
		return add(tree, PQ_JSON_IS_OBJECT, depth - 1);
	case PQ_JSON_OPEN_LIST:
		return add(tree, PQ_JSON_IS_LIST, depth - 1);
	case PQ_JSON_KEY:
		return take_key(tree);
	case PQ_JSON_TEXT:
		return add(tree, PQ_JSON_IS_TEXT, depth);
	case PQ_JSON_BARE:
		return add(tree, PQ_JSON_IS_BARE, depth);
	case PQ_JSON_BAD:
		return tree->reader->problem ? PQ_JSON_WRONG : PQ_JSON_MEMORY;
	case PQ_JSON_CLOSE:
	case PQ_JSON_END:
		break;
	}
	return PQ_JSON_OK;
}

enum pq_json_result pq_json_parse(struct pq_json_reader *reader, struct pq_arena *arena,
				  struct pq_json_value **ret)
{
	struct tree tree = { .reader = reader, .arena = arena };
	enum pq_json_result result = PQ_JSON_OK;
	enum pq_json_token token;

	do {
		token = pq_json_next(reader);
		result = take(&tree, token);
	} while (result == PQ_JSON_OK && token != PQ_JSON_END);
	if (result == PQ_JSON_OK && !pq_json_is_all(reader))
		result = PQ_JSON_WRONG;
	pq_json_clear(reader);
	*ret = tree.root;
	return result;
}

const struct pq_json_value *pq_json_get(const struct pq_json_value *object, const char *key)
{
	struct pmuq_str name = str_of(key);
	const struct pq_json_value *member = NULL;

	if (object && object->type == PQ_JSON_IS_OBJECT)
		member = object->first;
	while (member && !str_eq(member->key, name))
		member = member->next;
	return member;
}

bool pq_json_count(const struct pq_json_value *value, uint64_t *ret)
{
	return value && value->type == PQ_JSON_IS_BARE &&
	       pq_num_decimal(value->text, ret) == PQ_NUM_OK;
}
