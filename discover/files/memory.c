/* SPDX-License-Identifier: MIT */
/*
 * The tree of files in memory, and how a path is resolved in it, as in the kernel. Tars, captures
 * and manifests fill the tree.
 */
#include "discover/files/memory.h"
#include "core/error.h"
#include "core/limits.h"
#include <errno.h>

bool pq_memory_init(struct pq_memory *memory, size_t max_bytes, size_t max_nodes)
{
	*memory = (struct pq_memory){ .nodes_max = max_nodes };
	memory->arena = PQ_ARENA(max_bytes);
	memory->nodes.arena = &memory->arena;
	memory->top = pq_arena_zero(&memory->arena, sizeof(*memory->top));
	if (!memory->top)
		return false;
	memory->top->type = PQ_FILE_DIR;
	memory->top->name = STR("");
	return true;
}

void pq_memory_free(struct pq_memory *memory)
{
	pq_cache_free(&memory->nodes);
	pq_arena_clear(&memory->arena);
	*memory = (struct pq_memory){ 0 };
}

struct pq_inode *pq_memory_child(const struct pq_memory *memory, const struct pq_inode *dir,
				 struct pmuq_str name)
{
	void *known = NULL;

	return pq_cache_find(&memory->nodes, dir, PQ_CACHED_NODE, name, &known) ? known : NULL;
}

static void *fail(struct pq_memory *memory)
{
	memory->failed = true;
	return NULL;
}

static struct pq_inode *add_child(struct pq_memory *memory, struct pq_inode *dir,
				  struct pmuq_str name)
{
	struct pq_inode *node;

	if (memory->n_nodes == memory->nodes_max)
		return fail(memory);
	node = pq_arena_zero(&memory->arena, sizeof(*node));
	if (!node)
		return fail(memory);
	node->name = pq_arena_str(&memory->arena, name);
	node->parent = dir;
	node->type = PQ_FILE_DIR;
	if (!node->name.p || !pq_cache_keep(&memory->nodes, dir, PQ_CACHED_NODE, node->name, node))
		return fail(memory);
	memory->n_nodes++;
	*(dir->first ? &dir->last->next : &dir->first) = node;
	dir->last = node;
	return node;
}

/* False for "" and ".", which do not change the node. */
static bool is_step(struct pmuq_str part)
{
	return part.n && !str_eq(part, STR("."));
}

struct pq_inode *pq_memory_make(struct pq_memory *memory, struct pq_inode *dir,
				struct pmuq_str path)
{
	struct pmuq_str part;

	while (dir && str_next(&path, '/', &part)) {
		struct pq_inode *child;

		if (!is_step(part))
			continue;
		child = pq_memory_child(memory, dir, part);
		if (child && child->type == PQ_FILE_NONE)
			child->type = PQ_FILE_DIR;
		dir = child ? child : add_child(memory, dir, part);
	}
	return dir;
}

struct pq_inode *pq_memory_put(struct pq_memory *memory, struct pq_inode *dir, struct pmuq_str path,
			       struct pmuq_str text)
{
	struct pq_inode *node = pq_memory_make(memory, dir, path);

	if (!node)
		return NULL;
	node->type = PQ_FILE_REGULAR;
	node->is_known = true;
	node->text = pq_arena_str(&memory->arena, text);
	return node->text.p ? node : fail(memory);
}

struct pq_inode *pq_memory_next(const struct pq_inode *top, struct pq_inode *node)
{
	if (node->first)
		return node->first;
	for (; node != top; node = node->parent)
		if (node->next)
			return node->next;
	return NULL;
}

void pq_memory_path(const struct pq_inode *node, struct pq_buf *ret)
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
	struct pq_inode *at;
	int errnum;
};

static int stop(struct steps *steps, int errnum)
{
	steps->errnum = errnum;
	return errnum == ENOENT || errnum == ENOTDIR ? PQ_NONE : -PMUQ_E_REFUSED_FILE;
}

static int take_path(struct steps *steps, struct pmuq_str path, bool is_end);

/* Goes to the target of a link, starting at the directory that contains the link. */
static int follow(struct steps *steps, struct pq_inode *link, bool is_end)
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
	struct pq_inode *child;

	if (steps->at->ret) {
		steps->errnum = steps->at->errnum;
		return steps->at->ret;
	}
	if (steps->at->type != PQ_FILE_DIR)
		return stop(steps, ENOTDIR);
	if (!is_step(part))
		return 0;
	if (str_eq(part, STR("..")))
		return climb(steps);
	child = pq_memory_child(steps->memory, steps->at, part);
	if (!child || child->type == PQ_FILE_NONE)
		return stop(steps, ENOENT);
	if (child->type == PQ_FILE_LINK && !child->ret &&
	    (!is_last || steps->within == PQ_WITHIN_ROOT))
		return follow(steps, child, is_last);
	steps->at = child;
	return 0;
}

static int take_path(struct steps *steps, struct pmuq_str path, bool is_end)
{
	struct pmuq_str part;
	int r = 0;

	while (r == 0 && str_next(&path, '/', &part))
		r = take_step(steps, part, is_end && !path.p);
	return r;
}

int pq_memory_resolve(const struct pq_memory *memory, struct pq_inode *dir, struct pmuq_str path,
		      enum pq_within within, struct pq_inode **ret, int *ret_errnum)
{
	struct steps steps = {
		.memory = memory,
		.within = within,
		.links_left = PQ_LINKS_MAX,
		.at = dir,
	};
	int r = take_path(&steps, path, true);

	if (r == 0)
		*ret = steps.at;
	else
		*ret_errnum = steps.errnum;
	return r;
}
