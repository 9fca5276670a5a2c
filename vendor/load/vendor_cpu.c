/* SPDX-License-Identifier: MIT */
/* Which CPU of the imported mapfiles an ID is of: the first pattern that matches it, in the newest
 * import that has one. */
#include "vendor/load/vendor_cpu.h"
#include "core/buf.h"
#include "core/vendor/vendor_match.h"
#include "db/statement.h"

#define NEAR_MAX 6

/* A pattern, without its folder: most rows are of other CPUs. */
struct pattern_row {
	int64_t vendor, position;
	struct pmuq_str arch, pattern;
};

static const struct pq_column pattern_columns[] = {
	{ PQ_COLUMN(struct pattern_row, vendor) },
	{ PQ_COLUMN(struct pattern_row, position) },
	{ PQ_COLUMN(struct pattern_row, arch) },
	{ PQ_COLUMN(struct pattern_row, pattern) },
};

static const struct pq_column cpu_columns[] = {
	{ PQ_COLUMN_AS(struct pq_vendor_cpu, vendor, "vendor_cpu.vendor") },
	{ PQ_COLUMN_AS(struct pq_vendor_cpu, arch, "vendor_cpu.arch") },
	{ PQ_COLUMN(struct pq_vendor_cpu, pattern) },
	{ PQ_COLUMN(struct pq_vendor_cpu, version) },
	{ PQ_COLUMN_AS(struct pq_vendor_cpu, import, "vendor.name") },
	{ PQ_COLUMN_AS(struct pq_vendor_cpu, folder, "vendor_folder.path") },
	{ PQ_COLUMN_AS(struct pq_vendor_cpu, position, "vendor_folder.position") },
	{ PQ_COLUMN(struct pq_vendor_cpu, vendor_set) },
};

struct cpu_search {
	struct pmuq_str cpuid;
	struct pattern_row near[NEAR_MAX + 1]; /* patterns that begin most like the ID */
	size_t n_near;
};

static size_t common_length(struct pmuq_str a, struct pmuq_str b)
{
	size_t n = 0;

	while (n < a.n && n < b.n && a.p[n] == b.p[n])
		n++;
	return n;
}

static bool is_nearer(const struct cpu_search *search, const struct pattern_row *a,
		      const struct pattern_row *b)
{
	return common_length(a->pattern, search->cpuid) > common_length(b->pattern, search->cpuid);
}

/* The nearest first; equally near ones in their order. */
static void consider(struct cpu_search *search, const struct pattern_row *cpu)
{
	size_t at = search->n_near;

	for (size_t i = 0; i < search->n_near; i++)
		if (str_eq(search->near[i].pattern, cpu->pattern))
			return;
	while (at > 0 && is_nearer(search, cpu, &search->near[at - 1]))
		at--;
	if (at == NEAR_MAX)
		return;
	if (search->n_near < NEAR_MAX)
		search->n_near++;
	memmove(&search->near[at + 1], &search->near[at], (search->n_near - at - 1) * sizeof(*cpu));
	search->near[at] = *cpu;
}

static bool find_pattern(struct pmuq_store *store, struct cpu_search *search,
			 struct pq_arena *arena, struct pattern_row *ret)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	bool is_found = false;

	pq_stmt_begin(&stmt, store,
		      PQ_QUERY(pattern_columns, "FROM vendor_cpu ORDER BY vendor DESC, position"),
		      PQ_NO_PARAMS);
	while (!is_found && pq_stmt_next(&stmt, ret, arena)) {
		store->r = pq_vendor_matches(ret->arch, ret->pattern, search->cpuid, &is_found,
					     store->reterr);
		if (!is_found)
			consider(search, ret);
	}
	return is_found;
}

static bool read_cpu(struct pmuq_store *store, const struct pattern_row *of, struct pq_arena *arena,
		     struct pq_vendor_cpu *ret)
{
	return pq_sql_row(store,
			  PQ_QUERY(cpu_columns,
				   "FROM vendor_cpu JOIN vendor ON vendor.id = vendor_cpu.vendor"
				   " JOIN vendor_folder ON vendor_folder.vendor = vendor_cpu.vendor"
				   " AND vendor_folder.position = folder"
				   " WHERE vendor_cpu.vendor = ? AND vendor_cpu.position = ?"),
			  PQ_PARAMS(of->vendor, of->position), ret, arena);
}

static bool find_cpu(struct pmuq_store *store, struct cpu_search *search, struct pq_arena *arena,
		     struct pq_vendor_cpu *ret)
{
	static const struct pmuq_str none = STR("");
	struct pattern_row found;

	*ret = (struct pq_vendor_cpu){
		.arch = none,
		.pattern = none,
		.version = none,
		.import = none,
		.folder = none,
	};
	return find_pattern(store, search, arena, &found) && read_cpu(store, &found, arena, ret);
}

/* Patterns that share less than half of what the best one shares are not similar. */
static void add_near(struct pmuq_store *store, const struct cpu_search *search,
		     struct pq_arena *arena, struct pq_buf *hint)
{
	size_t best = search->n_near ? common_length(search->near[0].pattern, search->cpuid) : 0;

	for (size_t i = 0; best && i < search->n_near; i++) {
		struct pq_vendor_cpu cpu;

		if (2 * common_length(search->near[i].pattern, search->cpuid) >= best &&
		    read_cpu(store, &search->near[i], arena, &cpu))
			pq_buf_print(hint, "%s%.*s (%.*s)",
				     i ? ", " : "the nearest are: ", STR_ARG(cpu.pattern),
				     STR_ARG(cpu.folder));
	}
}

static void fail_unknown(struct pmuq_store *store, const struct cpu_search *search,
			 struct pq_arena *arena)
{
	struct pq_buf hint = PQ_BUF_NULL;

	add_near(store, search, arena, &hint);
	if (!hint.n)
		pq_buf_add(&hint,
			   search->n_near
				   ? STR("`pmuq vendor list` shows the imports")
				   : STR("`pmuq vendor import DIR` imports a tree of tables"));
	pq_store_fail_with(store, &hint, PMUQ_E_NO_VENDOR_TABLE,
			   "no imported table is for the CPU '%.*s'", STR_ARG(search->cpuid));
}

bool pq_vendor_find_cpu(struct pmuq_store *store, struct pmuq_str cpuid, struct pq_arena *arena,
			struct pq_vendor_cpu *ret)
{
	struct cpu_search search = { .cpuid = cpuid };

	return find_cpu(store, &search, arena, ret);
}

void pq_vendor_need_cpu(struct pmuq_store *store, struct pmuq_str cpuid, struct pq_arena *arena,
			struct pq_vendor_cpu *ret)
{
	struct cpu_search search = { .cpuid = cpuid };

	if (!find_cpu(store, &search, arena, ret))
		fail_unknown(store, &search, arena);
}
