/* SPDX-License-Identifier: MIT */
/* To start libpfm4's helper takes longer than a search: its names in the store are used instead
 * while the file that they are from is unchanged. */
#include "vendor/vendor_library.h"
#include "core/limits.h"
#include "db/statement.h"
#include <inttypes.h>
#include <sys/stat.h>

void pq_vendor_library_describe(struct pmuq_str path, struct pq_buf *ret)
{
	struct stat st;

	if (path.n && path.p[0] == '/' && stat(path.p, &st) == 0 && S_ISREG(st.st_mode))
		pq_buf_print(ret, "%" PRIu64 " %" PRId64 ".%09ld %.*s", (uint64_t)st.st_size,
			     (int64_t)st.st_mtim.tv_sec, st.st_mtim.tv_nsec, STR_ARG(path));
}

static const struct pq_column library_columns[] = {
	{ .sql = "library", .type = PQ_COLUMN_TEXT, .is_nullable = true },
};

static void compare_within(struct pmuq_store *store, void *arg)
{
	cleanup(pq_buf_free) struct pq_buf now = PQ_BUF_NULL;
	auto_arena struct pq_arena arena = PQ_ARENA(PQ_VENDOR_LIST_MAX_BYTES);
	struct pmuq_str stored = { 0 }, bytes, time, path;
	bool *is_same = arg;

	*is_same = false;
	if (!pq_sql_row(store,
			PQ_QUERY(library_columns, "FROM vendor WHERE layout = 'libpfm4'"
						  " ORDER BY id DESC LIMIT 1"),
			PQ_NO_PARAMS, &stored, &arena) ||
	    !stored.p)
		return;
	str_cut(stored, ' ', &bytes, &path);
	str_cut(path, ' ', &time, &path);
	pq_vendor_library_describe(path, &now);
	if (now.failed)
		pq_store_fail_memory(store);
	*is_same = str_eq(stored, pq_buf_str(&now));
}

PQ_API int pmuq_store_has_pfm(struct pmuq_store *store, bool *ret, struct pmuq_error **reterr)
{
	bool is_same = false;
	int r = pq_store_read(store, "cannot find the names of libpfm4", compare_within, &is_same,
			      reterr);

	if (r == 0)
		*ret = is_same;
	return r;
}
