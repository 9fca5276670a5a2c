/* SPDX-License-Identifier: MIT */
#include "vendor/import/vendor_arm_group.h"

#define LEVEL STR("Topdown_L") /* the beginning of Arm's names of the levels */

struct pmuq_str pq_vendor_one_line(struct pq_vendor_tree *tree, struct pq_arena *arena,
				   struct pmuq_str text)
{
	struct pq_buf buf = PQ_BUF_IN(arena);
	struct pmuq_str line, rest = text.p ? text : STR("");

	while (rest.n && str_next(&rest, '\n', &line)) {
		line = str_trim(line);
		if (line.n)
			pq_buf_print(&buf, "%s%.*s", buf.n ? " " : "", STR_ARG(line));
	}
	line = pq_buf_take_str(&buf);
	if (!line.p)
		pq_vendor_fail_memory(tree);
	return line;
}

/* The kernel's name for a level of the top-down method; "" of other groups. */
static struct pmuq_str kernel_group(struct pq_vendor_tree *tree, struct pq_arena *arena,
				    struct pmuq_str group)
{
	struct pq_buf name = PQ_BUF_IN(arena);
	struct pmuq_str ret;

	if (!str_starts(group, LEVEL))
		return STR("");
	pq_buf_print(&name, "TopdownL%.*s", STR_ARG(str_part(group, LEVEL.n, group.n)));
	ret = pq_buf_take_str(&name);
	if (!ret.p)
		pq_vendor_fail_memory(tree);
	return ret;
}

/* ---- the groups of names */

static size_t count_items(const struct pq_json_value *groups, const char *key)
{
	size_t n = 0;

	for (groups = groups ? groups->first : NULL; groups; groups = groups->next) {
		const struct pq_json_value *list = pq_json_get(groups, key);

		for (list = list ? list->first : NULL; list; list = list->next)
			n++;
	}
	return n;
}

/* Adds a group to a name's list. */
static void add_to_list(struct pq_vendor_tree *tree, struct pq_arena *arena,
			struct pq_vendor_group_lists *lists, struct pmuq_str name,
			struct pmuq_str group)
{
	const struct pq_vendor_group_list *found =
		pq_map_find(&lists->by_name, PQ_NAMED(lists->v, name), name);
	struct pq_vendor_group_list *list =
		found ? &lists->v[found - lists->v] : &lists->v[lists->n];

	if (!found) {
		*list = (struct pq_vendor_group_list){ .name = name, .groups = PQ_BUF_IN(arena) };
		pq_map_add(&lists->by_name, PQ_NAMED(lists->v, name), lists->n++);
	}
	pq_buf_print(&list->groups, "%s%.*s", list->groups.n ? ";" : "", STR_ARG(group));
	group = kernel_group(tree, arena, group);
	if (group.n)
		pq_buf_print(&list->groups, ";%.*s", STR_ARG(group));
	if (list->groups.failed)
		pq_vendor_fail_memory(tree);
}

void pq_vendor_read_groups(struct pq_vendor_tree *tree, struct pq_arena *arena,
			   const struct pq_json_value *groups, const char *key,
			   struct pq_vendor_group_lists *ret)
{
	size_t n = count_items(groups, key);

	ret->v = pq_arena_array(arena, n, sizeof(*ret->v));
	if (!ret->v || !pq_map_init(arena, n, &ret->by_name)) {
		pq_vendor_fail_memory(tree);
		return;
	}
	for (groups = groups ? groups->first : NULL; groups; groups = groups->next) {
		const struct pq_json_value *list = pq_json_get(groups, key);

		for (list = list ? list->first : NULL; list && tree->r == 0; list = list->next)
			if (list->text.p)
				add_to_list(tree, arena, ret, list->text, groups->key);
	}
}

struct pmuq_str pq_vendor_groups_of(const struct pq_vendor_group_lists *lists, struct pmuq_str name)
{
	const struct pq_vendor_group_list *found =
		pq_map_find(&lists->by_name, PQ_NAMED(lists->v, name), name);

	return found ? pq_buf_str(&found->groups) : STR("");
}

/* ---- descriptions */

/* Also under the kernel's name of the group. */
void pq_vendor_describe_groups(struct pq_vendor_import *import, const struct pq_json_value *groups,
			       struct pq_vendor_drafts *drafts)
{
	struct pq_vendor_tree *tree = &import->tree;

	for (groups = groups ? groups->first : NULL; groups && tree->r == 0;
	     groups = groups->next) {
		struct pmuq_str text = pq_vendor_value_text(groups, "description");
		struct pq_vendor_group group = { .name = groups->key };

		group.description =
			pq_vendor_one_line(tree, &drafts->arena,
					   text.n ? text : pq_vendor_value_text(groups, "title"));
		pq_vendor_add_group(import, &group, drafts);
		group.name = kernel_group(tree, &drafts->arena, groups->key);
		pq_vendor_add_group(import, &group, drafts);
	}
}
