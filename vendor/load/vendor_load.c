/* SPDX-License-Identifier: MIT */
/*
 * Loads the events of one CPU. They come from the folder whose pattern is the first to match, of
 * the latest import, and from the systems of the architecture.
 */
#include "core/buf.h"
#include "core/limits.h"
#include "core/vendor/vendor_match.h"
#include "vendor/vendor_sets.h"

#define NEAR_MAX 6

/* A row of the imported mapfiles. */
struct cpu_row {
	int64_t vendor, vendor_set;
	struct pmuq_str arch, pattern, version, import, folder;
};

static const struct pq_column cpu_columns[] = {
	{ PQ_COLUMN_AS(struct cpu_row, vendor, "vendor_cpu.vendor") },
	{ PQ_COLUMN_AS(struct cpu_row, arch, "vendor_cpu.arch") },
	{ PQ_COLUMN(struct cpu_row, pattern) },
	{ PQ_COLUMN(struct cpu_row, version) },
	{ PQ_COLUMN_AS(struct cpu_row, import, "vendor.name") },
	{ PQ_COLUMN_AS(struct cpu_row, folder, "vendor_folder.path") },
	{ PQ_COLUMN(struct cpu_row, vendor_set) },
};

struct vendor_loading {
	struct pmuq_str cpuid;
	struct pmuq_vendor *vendor;
	struct pq_arena arena;
	struct cpu_row found;
	struct cpu_row near[NEAR_MAX + 1]; /* patterns that begin most like the ID */
	size_t n_near;
};

static size_t common_length(struct pmuq_str a, struct pmuq_str b)
{
	size_t n = 0;

	while (n < a.n && n < b.n && a.p[n] == b.p[n])
		n++;
	return n;
}

static bool is_nearer(const struct vendor_loading *loading, const struct cpu_row *a,
		      const struct cpu_row *b)
{
	return common_length(a->pattern, loading->cpuid) >
	       common_length(b->pattern, loading->cpuid);
}

/* The nearest first; equally near ones in their order. */
static void consider(struct vendor_loading *loading, const struct cpu_row *cpu)
{
	size_t at = loading->n_near;

	for (size_t i = 0; i < loading->n_near; i++)
		if (str_eq(loading->near[i].pattern, cpu->pattern))
			return;
	while (at > 0 && is_nearer(loading, cpu, &loading->near[at - 1]))
		at--;
	if (at == NEAR_MAX)
		return;
	if (loading->n_near < NEAR_MAX)
		loading->n_near++;
	memmove(&loading->near[at + 1], &loading->near[at],
		(loading->n_near - at - 1) * sizeof(*cpu));
	loading->near[at] = *cpu;
}

/* False if no pattern matches, and after an error. */
static bool find_cpu(struct pmuq_store *store, struct vendor_loading *loading)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	struct cpu_row *cpu = &loading->found;
	bool is_found = false;

	pq_stmt_begin(&stmt, store,
		      PQ_QUERY(cpu_columns,
			       "FROM vendor_cpu JOIN vendor ON vendor.id = vendor_cpu.vendor"
			       " JOIN vendor_folder ON vendor_folder.vendor = vendor_cpu.vendor"
			       " AND vendor_folder.position = folder"
			       " ORDER BY vendor_cpu.vendor DESC, vendor_cpu.position"),
		      PQ_NO_PARAMS);
	while (!is_found && pq_stmt_next(&stmt, cpu, &loading->arena)) {
		store->r = pq_vendor_matches(cpu->arch, cpu->pattern, loading->cpuid, &is_found,
					     store->reterr);
		if (!is_found)
			consider(loading, cpu);
	}
	return is_found;
}

/* Patterns that share less than half of what the best one shares are not similar. */
static void add_near(const struct vendor_loading *loading, struct pq_buf *hint)
{
	size_t best = loading->n_near ? common_length(loading->near[0].pattern, loading->cpuid) : 0;

	for (size_t i = 0; best && i < loading->n_near; i++) {
		const struct cpu_row *cpu = &loading->near[i];

		if (2 * common_length(cpu->pattern, loading->cpuid) >= best)
			pq_buf_print(hint, "%s%.*s (%.*s)",
				     i ? ", " : "the nearest are: ", STR_ARG(cpu->pattern),
				     STR_ARG(cpu->folder));
	}
}

static void fail_unknown(struct pmuq_store *store, const struct vendor_loading *loading)
{
	struct pq_buf hint = PQ_BUF_NULL;

	add_near(loading, &hint);
	if (!hint.n)
		pq_buf_add(&hint,
			   loading->n_near
				   ? STR("`pmuq vendor list` shows the imports")
				   : STR("`pmuq vendor import DIR` imports a tree of tables"));
	pq_store_fail_with(store, &hint, PMUQ_E_NO_VENDOR_TABLE,
			   "no imported table is for the CPU '%.*s'", STR_ARG(loading->cpuid));
}

struct set_row {
	int64_t id, n_events;
	struct pq_hash event_hash;
};

static const struct pq_column set_columns[] = {
	{ PQ_COLUMN(struct set_row, id) },
	{ PQ_COLUMN(struct set_row, event_hash) },
	{ PQ_COLUMN_AS(struct set_row, n_events,
		       "(SELECT count(*) FROM vendor_event WHERE vendor_set = vendor_set.id)") },
};

/* A unit or scale of the table counts as a file's. */
static void complete_event(struct pmuq_event *event)
{
	event->has_unit_file = event->unit.p;
	event->has_scale_file = event->scale.p;
	if (!event->unit.p)
		event->unit = STR("");
	if (!event->scale.p)
		event->scale = STR("1");
}

/* The rows are hashed as they were saved, before defaults are filled in. */
static void load_set(struct pmuq_store *store, const struct set_row *set,
		     struct pmuq_vendor *vendor)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	struct pq_vendor_event row = { 0 }, *event;
	struct pq_hasher hasher;
	struct pq_hash computed;

	pq_stmt_begin(&stmt, store,
		      PQ_QUERY(pq_vendor_event_columns,
			       "FROM vendor_event JOIN vendor_text ON vendor_text.id = vendor_text"
			       " WHERE vendor_set = ? ORDER BY position"),
		      PQ_PARAMS(set->id));
	pq_vendor_event_hash_begin(&hasher);
	while (pq_stmt_next(&stmt, &row, pq_vendor_arena(vendor))) {
		event = pq_vendor_add(vendor);
		if (!event) {
			pq_store_fail_content(store, "its events cannot be counted");
			return;
		}
		pq_row_hash(pq_vendor_event_columns, PQ_VENDOR_HASHED_COLUMNS, &row, &hasher);
		complete_event(&row.event);
		*event = row;
	}
	computed = pq_hash_end(&hasher);
	pq_hash_check(store, &set->event_hash, &computed);
}

static void finish(struct pmuq_store *store, struct vendor_loading *loading)
{
	const struct cpu_row *cpu = &loading->found;
	cleanup(pq_buf_free) struct pq_buf folder = PQ_BUF_NULL;
	struct pmuq_vendor_table origin = { .cpuid = loading->cpuid,
					    .import = cpu->import,
					    .version = cpu->version };

	pq_buf_print(&folder, "%.*s/%.*s", STR_ARG(cpu->arch), STR_ARG(cpu->folder));
	if (folder.failed)
		pq_store_fail_memory(store);
	origin.folder = pq_buf_str(&folder);
	if (store->r == 0)
		store->r = pq_vendor_finish(loading->vendor, &origin, store->reterr);
}

static void load_vendor(struct pmuq_store *store, struct vendor_loading *loading)
{
	const struct cpu_row *cpu = &loading->found;
	const struct set_row *set;
	struct pq_rows sets;
	size_t n_events = 0;

	if (!find_cpu(store, loading))
		fail_unknown(store, loading);
	/* The CPU's own set, and those of the systems. */
	sets = pq_sql_rows(
		store,
		PQ_QUERY(set_columns,
			 "FROM vendor_set WHERE id = ?1"
			 " OR id IN (SELECT vendor_set FROM vendor_folder"
			 " WHERE vendor = ?2 AND arch = ?3 AND is_system = 1) ORDER BY id"),
		PQ_PARAMS(cpu->vendor_set, cpu->vendor, cpu->arch), sizeof(*set), &loading->arena);
	set = sets.v;
	for (size_t i = 0; i < sets.n; i++)
		n_events += (size_t)set[i].n_events;
	if (store->r == 0)
		store->r = pq_vendor_new(n_events, &loading->vendor, store->reterr);
	for (size_t i = 0; store->r == 0 && i < sets.n; i++)
		load_set(store, &set[i], loading->vendor);
	finish(store, loading);
}

static void load_within(struct pmuq_store *store, void *arg)
{
	struct vendor_loading *loading = arg;

	pmuq_vendor_free(move(loading->vendor));
	loading->n_near = 0;
	loading->arena = PQ_ARENA(PQ_VENDOR_CPUS_MAX_BYTES);
	load_vendor(store, loading);
	pq_arena_clear(&loading->arena);
}

PQ_API int pmuq_store_open_vendor(struct pmuq_store *store, const char *cpuid,
				  struct pmuq_vendor **ret, struct pmuq_error **reterr)
{
	struct vendor_loading loading = { .cpuid = str_of(cpuid ? cpuid : "") };
	int r = pq_store_read(store, "cannot read the tables", load_within, &loading, reterr);

	if (r == 0)
		*ret = loading.vendor;
	else
		pmuq_vendor_free(loading.vendor);
	return r;
}
