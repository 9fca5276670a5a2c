/* SPDX-License-Identifier: MIT */
#include "discover/files/memory.h"
#include "core/catalog/model.h"
#include "core/error.h"
#include <errno.h>

/* As many as the kernel follows. */
#define LINKS_MAX 40u

bool pq_memory_init(struct pq_memory *memory, size_t max_bytes, size_t max_nodes)
{
	*memory = (struct pq_memory){ .nodes_max = max_nodes };
	pq_arena_init(&memory->arena, NULL, 0, max_bytes);
	memory->nodes.arena = &memory->arena;
	memory->top = pq_arena_zero(&memory->arena, sizeof(*memory->top));
	if (!memory->top)
		return false;
	memory->top->kind = PQ_KIND_DIR;
	memory->top->name = STR("");
	return true;
}

void pq_memory_free(struct pq_memory *memory)
{
	pq_cache_free(&memory->nodes);
	pq_arena_clear(&memory->arena);
	*memory = (struct pq_memory){ 0 };
}

struct pq_node *pq_memory_child(const struct pq_memory *memory, const struct pq_node *dir,
				struct pmuq_str name)
{
	void *known = NULL;

	return pq_cache_find(&memory->nodes, dir, PQ_ASKED_NODE, name, &known) ? known : NULL;
}

static void *fail(struct pq_memory *memory)
{
	memory->failed = true;
	return NULL;
}

static struct pq_node *add_child(struct pq_memory *memory, struct pq_node *dir,
				 struct pmuq_str name)
{
	struct pq_node *node;

	if (memory->n_nodes == memory->nodes_max)
		return fail(memory);
	node = pq_arena_zero(&memory->arena, sizeof(*node));
	if (!node)
		return fail(memory);
	node->name = pq_arena_str(&memory->arena, name);
	node->parent = dir;
	node->kind = PQ_KIND_DIR;
	if (!node->name.p || !pq_cache_keep(&memory->nodes, dir, PQ_ASKED_NODE, node->name, node))
		return fail(memory);
	memory->n_nodes++;
	*(dir->first ? &dir->last->next : &dir->first) = node;
	dir->last = node;
	return node;
}

static bool is_step(struct pmuq_str part)
{
	return part.n && !str_eq(part, STR("."));
}

struct pq_node *pq_memory_make(struct pq_memory *memory, struct pq_node *dir, struct pmuq_str path)
{
	struct pmuq_str part;
	bool more = true;

	while (more && dir) {
		struct pq_node *child;

		more = str_cut(path, '/', &part, &path);
		if (!is_step(part))
			continue;
		child = pq_memory_child(memory, dir, part);
		if (child && child->kind == PQ_KIND_NONE)
			child->kind = PQ_KIND_DIR;
		dir = child ? child : add_child(memory, dir, part);
	}
	return dir;
}

struct pq_node *pq_memory_put(struct pq_memory *memory, struct pq_node *dir, struct pmuq_str path,
			      struct pmuq_str text)
{
	struct pq_node *node = pq_memory_make(memory, dir, path);

	if (!node)
		return NULL;
	node->kind = PQ_KIND_FILE;
	node->is_known = true;
	node->text = pq_arena_str(&memory->arena, text);
	return node->text.p ? node : fail(memory);
}

struct pq_node *pq_memory_next(const struct pq_node *top, struct pq_node *node)
{
	if (node->first)
		return node->first;
	for (; node != top; node = node->parent)
		if (node->next)
			return node->next;
	return NULL;
}

void pq_memory_path(const struct pq_node *node, struct pq_buf *ret)
{
	if (!node->parent)
		return;
	if (node->parent->parent) {
		pq_memory_path(node->parent, ret);
		pq_buf_char(ret, '/', 1);
	}
	pq_buf_add(ret, node->name);
}

struct steps {
	const struct pq_memory *memory;
	enum pq_within within;
	unsigned links_left;
	struct pq_node *at;
	int errnum;
};

static int stop(struct steps *steps, int errnum)
{
	steps->errnum = errnum;
	return errnum == ENOENT || errnum == ENOTDIR ? PQ_NONE : -PMUQ_E_REFUSED_FILE;
}

static int take_path(struct steps *steps, struct pmuq_str path, bool is_end);

/* To where the link leads, from the directory that it stands in. */
static int follow(struct steps *steps, struct pq_node *link, bool is_end)
{
	if (steps->within == PQ_WITHIN_NO_LINKS || !steps->links_left)
		return stop(steps, ELOOP);
	steps->links_left--;
	if (!link->text.n)
		return stop(steps, ENOENT);
	if (link->text.p[0] == '/')
		steps->at = steps->memory->top;
	return take_path(steps, link->text, is_end);
}

static int climb(struct steps *steps)
{
	if (steps->within == PQ_WITHIN_NO_LINKS)
		return stop(steps, EXDEV);
	if (steps->at->parent)
		steps->at = steps->at->parent;
	return 0;
}

static int take_step(struct steps *steps, struct pmuq_str part, bool is_last)
{
	struct pq_node *child;

	if (steps->at->ret) {
		steps->errnum = steps->at->errnum;
		return steps->at->ret;
	}
	if (steps->at->kind != PQ_KIND_DIR)
		return stop(steps, ENOTDIR);
	if (!is_step(part))
		return 0;
	if (str_eq(part, STR("..")))
		return climb(steps);
	child = pq_memory_child(steps->memory, steps->at, part);
	if (!child || child->kind == PQ_KIND_NONE)
		return stop(steps, ENOENT);
	if (child->kind == PQ_KIND_LINK && !child->ret &&
	    (!is_last || steps->within == PQ_WITHIN_ROOT))
		return follow(steps, child, is_last);
	steps->at = child;
	return 0;
}

static int take_path(struct steps *steps, struct pmuq_str path, bool is_end)
{
	struct pmuq_str part;
	bool more = true;
	int r = 0;

	while (r == 0 && more) {
		more = str_cut(path, '/', &part, &path);
		r = take_step(steps, part, is_end && !more);
	}
	return r;
}

int pq_memory_look(const struct pq_memory *memory, struct pq_node *dir, struct pmuq_str path,
		   enum pq_within within, struct pq_node **ret, int *ret_errnum)
{
	struct steps steps = {
		.memory = memory,
		.within = within,
		.links_left = LINKS_MAX,
		.at = dir,
	};
	int r = take_path(&steps, path, true);

	if (r == 0)
		*ret = steps.at;
	else
		*ret_errnum = steps.errnum;
	return r;
}
