/* SPDX-License-Identifier: MIT */
#include "cli/tables/list_fold.h"
#include "core/instance.h"
#include <string.h>

static bool same_cell(const struct column *column, const struct list_row *a,
		      const struct list_row *b)
{
	auto_free char *one = NULL, *other = NULL;

	if (column->flags & COLUMN_FOLDS)
		return true;
	one = column->text(a);
	other = column->text(b);
	return one && other ? strcmp(one, other) == 0 : one == other;
}

static bool same_name(const struct list_row *a, const struct list_row *b)
{
	if (a->event.name)
		return strcmp(a->event.name, b->event.name) == 0;
	return !a->format || strcmp(a->format->name.p, b->format->name.p) == 0;
}

static bool same_rows(const struct list_fold *fold, const struct list_group *group,
		      const struct list_row *rows, size_t n_rows)
{
	if (group->n_rows != n_rows)
		return false;
	for (size_t i = 0; i < n_rows; i++) {
		if (!same_name(&group->rows[i], &rows[i]))
			return false;
		for (size_t k = 0; k < fold->n_columns; k++)
			if (!same_cell(fold->columns[k], &group->rows[i], &rows[i]))
				return false;
	}
	return true;
}

/* Boxes of one stem stand side by side in a catalog: the search ends where they do. */
static struct list_group *find_group(const struct list_fold *fold, const struct list_row *rows,
				     size_t n_rows)
{
	for (size_t i = fold->n_groups; i-- > 0;) {
		struct list_group *group = &fold->groups[i];

		if (!pq_instance_same_stem(group->boxes.pmus[0]->name, rows->pmu->name))
			return NULL;
		if (boxes_are_alike(group->boxes.pmus[0], rows->pmu) &&
		    same_rows(fold, group, rows, n_rows))
			return group;
	}
	return NULL;
}

static struct list_group *new_group(struct list_fold *fold, const struct list_row *rows,
				    size_t n_rows)
{
	size_t n = fold->n_groups;
	struct list_group *group;

	/* The array has room for powers of two. */
	if ((n & (n - 1)) == 0) {
		group = realloc(fold->groups, (n ? 2 * n : 1) * sizeof(*group));
		if (!group)
			return NULL;
		fold->groups = group;
	}
	group = &fold->groups[n];
	*group = (struct list_group){ .rows = calloc(n_rows, sizeof(*rows)), .n_rows = n_rows };
	if (!group->rows)
		return NULL;
	memcpy(group->rows, rows, n_rows * sizeof(*rows));
	fold->n_groups++;
	return group;
}

bool list_fold_add(struct list_fold *fold, const struct list_row *rows, size_t n_rows)
{
	struct list_group *group;

	if (n_rows == 0)
		return true;
	group = find_group(fold, rows, n_rows);
	if (!group)
		group = new_group(fold, rows, n_rows);
	return group && boxes_add(&group->boxes, rows->pmu);
}

void list_fold_clear(struct list_fold *fold)
{
	for (size_t i = 0; i < fold->n_groups; i++) {
		boxes_clear(&fold->groups[i].boxes);
		free(fold->groups[i].rows);
	}
	free(fold->groups);
}
