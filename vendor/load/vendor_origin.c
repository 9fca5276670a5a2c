/* SPDX-License-Identifier: MIT */
#include "vendor/load/vendor_origin.h"
#include "core/buf.h"
#include "vendor/vendor_sets.h"

static struct pmuq_str join(struct pmuq_store *store, struct pmuq_str folder, struct pmuq_str path,
			    struct pq_arena *arena)
{
	struct pq_buf buf = PQ_BUF_IN(arena);
	struct pmuq_str joined;

	pq_buf_print(&buf, "%.*s/%.*s", STR_ARG(folder), STR_ARG(path));
	joined = pq_buf_take_str(&buf);
	if (!joined.p)
		pq_store_fail_memory(store);
	return joined;
}

void pq_vendor_load_origin(struct pmuq_store *store, int64_t vendor_set, struct pmuq_str folder,
			   struct pmuq_str version, struct pq_arena *arena,
			   struct pq_vendor_origin *ret)
{
	struct pq_rows rows = pq_table_load(store, &pq_vendor_event_set.tables[PQ_VENDOR_SET_FILES],
					    vendor_set, arena);
	struct pq_vendor_table_file *files = rows.own;

	version = pq_arena_str(arena, version);
	if (!version.p)
		pq_store_fail_memory(store);
	for (size_t i = 0; i < rows.n; i++) {
		files[i].path = join(store, folder, files[i].path, arena);
		if (!files[i].version.n)
			files[i].version = version;
	}
	*ret = (struct pq_vendor_origin){ .files = files, .n = rows.n };
}

struct pq_vendor_table_file pq_vendor_origin_file(struct pmuq_store *store,
						  const struct pq_vendor_origin *origin,
						  int64_t index)
{
	if (index >= 0 && (uint64_t)index < origin->n)
		return origin->files[index];
	pq_store_fail_content(store, "a row of a vendor's table has no file");
	return (struct pq_vendor_table_file){ .path = STR(""), .version = STR("") };
}
