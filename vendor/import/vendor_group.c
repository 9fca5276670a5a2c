/* SPDX-License-Identifier: MIT */
/* What the metric groups of a folder are for. */
#include "vendor/import/vendor_import.h"

void pq_vendor_add_group(struct pq_vendor_import *import, const struct pq_vendor_group *group,
			 struct pq_vendor_drafts *drafts)
{
	if (group->name.n && group->description.n && !pq_vec_push(&drafts->groups, *group))
		pq_vendor_fail_memory(&import->tree);
}

bool pq_vendor_gather_groups(struct pq_vendor_import *import, struct pmuq_str path,
			     struct pq_vendor_drafts *drafts)
{
	const struct pq_vendor_draft no_group = {
		.problem = STR("a description of a metric group is not a text"),
		.path = path,
		.line = 1,
	};
	const struct pq_json_value *item;
	struct pq_vendor_file read;
	bool has_other = false;

	if (!pq_vendor_read(&import->tree, path, &read))
		return false;
	item = pq_vendor_read_root(&import->tree, &read, &drafts->arena);
	if (item && item->type != PQ_JSON_IS_OBJECT)
		pq_vendor_fail_at(&import->tree, &read, 0, 1,
				  "expected an object of metric groups");
	for (item = item ? item->first : NULL; import->tree.r == 0 && item; item = item->next) {
		has_other |= item->type != PQ_JSON_IS_TEXT;
		if (item->type == PQ_JSON_IS_TEXT)
			pq_vendor_add_group(import,
					    &(struct pq_vendor_group){ .name = item->key,
								       .description = item->text },
					    drafts);
	}
	if (has_other)
		pq_vendor_save_problem(import, &no_group);
	return import->tree.r == 0;
}

static int compare(const void *a, const void *b)
{
	const struct pq_vendor_group *x = a, *y = b;
	int order = str_cmp(x->name, y->name);

	return order ? order : str_cmp(x->description, y->description);
}

void pq_vendor_groups_finish(struct pq_vendor_drafts *drafts)
{
	struct pq_vendor_group *v = drafts->groups.v;
	size_t n = 0;

	if (drafts->groups.n)
		qsort(v, drafts->groups.n, sizeof(*v), compare);
	for (size_t i = 0; i < drafts->groups.n; i++)
		if (!n || !str_eq(v[n - 1].name, v[i].name))
			v[n++] = v[i];
	drafts->groups.n = n;
}
