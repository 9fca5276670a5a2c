/* SPDX-License-Identifier: MIT */
/* Compares rows by their printed fields: with -o, instances that differ in other fields fold. */
#include "cli/tables/list_fold.h"
#include "cli/or_die.h"
#include "core/instance.h"
#include <string.h>

/* Whether both are printed in the same way. */
static bool same_value(struct list_fold *fold, const struct field *field, const struct list_row *a,
		       const struct list_row *b)
{
	fold->texts[0].n = fold->texts[1].n = 0;
	field_print(field, a, true, &fold->scratch, &fold->texts[0]);
	field_print(field, b, true, &fold->scratch, &fold->texts[1]);
	done_or_die(!fold->scratch.failed && !fold->texts[0].failed && !fold->texts[1].failed);
	return str_eq(pq_buf_str(&fold->texts[0]), pq_buf_str(&fold->texts[1]));
}

/* For events and formats: even if the name is not printed, rows with different names differ. */
static bool same_name(const struct list_row *a, const struct list_row *b)
{
	return !a->name || strcmp(a->name, b->name) == 0;
}

static bool same_rows(struct list_fold *fold, const struct list_group *group,
		      const struct list_row *rows, size_t n_rows)
{
	if (group->n_rows != n_rows)
		return false;
	for (size_t i = 0; i < n_rows; i++) {
		if (!same_name(&group->rows[i], &rows[i]))
			return false;
		for (const struct field *const *field = fold->fields; *field; field++)
			if (!((*field)->flags & FIELD_FOLDS) &&
			    !same_value(fold, *field, &group->rows[i], &rows[i]))
				return false;
	}
	return true;
}

/* Siblings are next to each other in a catalog: the search ends with the first other PMU. */
static struct list_group *find_group(struct list_fold *fold, const struct list_row *rows,
				     size_t n_rows)
{
	for (size_t i = fold->n; i-- > 0;) {
		struct list_group *group = &fold->v[i];

		if (!pq_instance_same_stem(group->instances.v[0]->name, rows->pmu->name))
			return NULL;
		if (instances_are_equal(group->instances.v[0], rows->pmu) &&
		    same_rows(fold, group, rows, n_rows))
			return group;
	}
	return NULL;
}

/* The rows are copied, because the caller reuses its memory for the next PMU. */
static struct list_group *new_group(struct list_fold *fold, const struct list_row *rows,
				    size_t n_rows)
{
	struct list_row *copy = or_die(calloc(n_rows, sizeof(*copy)));

	memcpy(copy, rows, n_rows * sizeof(*rows));
	push_or_die(fold, ((struct list_group){ .rows = copy, .n_rows = n_rows }));
	return &fold->v[fold->n - 1];
}

void list_fold_add(struct list_fold *fold, const struct list_row *rows, size_t n_rows)
{
	struct list_group *group;

	if (n_rows == 0)
		return;
	group = find_group(fold, rows, n_rows);
	if (!group)
		group = new_group(fold, rows, n_rows);
	push_or_die(&group->instances, rows->pmu);
}

void list_fold_clear(struct list_fold *fold)
{
	for (size_t i = 0; i < fold->n; i++) {
		pq_vec_free(&fold->v[i].instances);
		free(fold->v[i].rows);
	}
	pq_vec_free(fold);
	pq_buf_free(&fold->scratch);
	pq_buf_free(&fold->texts[0]);
	pq_buf_free(&fold->texts[1]);
}
