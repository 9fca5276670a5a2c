/* SPDX-License-Identifier: MIT */
/*
 * Loads the events of one CPU, with those of the systems of its architecture: all of them, or (a
 * lazy table) those of a name when it is looked up. Also the numbers of its counters.
 */
#include "core/buf.h"
#include "core/limits.h"
#include "core/vec.h"
#include "vendor/load/vendor_cpu.h"
#include "vendor/load/vendor_origin.h"
#include "vendor/vendor_sets.h"
#include <stdlib.h>

struct set_row {
	int64_t id, n_events;
	struct pq_hash event_hash;
	struct pmuq_str folder; /* "ARCH/FOLDER" */
};

static const struct pq_column set_columns[] = {
	{ PQ_COLUMN(struct set_row, id) },
	{ PQ_COLUMN(struct set_row, event_hash) },
	{ PQ_COLUMN(struct set_row, folder) },
	{ PQ_COLUMN_AS(struct set_row, n_events,
		       "(SELECT count(*) FROM vendor_event WHERE vendor_set = vendor_set.id)") },
};

/* The table of a CPU in a store; an import never changes, and its number is never used again. */
struct stored_table {
	struct pmuq_store *store;
	struct pq_arena arena;
	struct pq_vendor_cpu cpu;
	struct pmuq_vendor_table origin;
	const struct set_row *sets;	  /* of the CPU, and of the systems */
	struct pq_vendor_origin *origins; /* of each set; of a lazy table only */
	size_t n_sets, n_events;
};

static void find_table(struct pmuq_store *store, struct pmuq_str cpuid, struct stored_table *table)
{
	cleanup(pq_buf_free) struct pq_buf folder = PQ_BUF_NULL;
	struct pq_vendor_cpu *cpu = &table->cpu;
	struct pq_rows rows;

	pq_vendor_need_cpu(store, cpuid, &table->arena, cpu);
	rows = pq_sql_rows(
		store,
		PQ_QUERY(set_columns,
			 "FROM (SELECT vendor_set AS own, min(arch || '/' || path) AS folder"
			 " FROM " PQ_VENDOR_FOLDERS_OF_CPU " GROUP BY vendor_set) AS folders"
			 " JOIN vendor_set ON id = own ORDER BY id"),
		PQ_PARAMS(cpu->vendor, cpu->arch, cpu->position), sizeof(*table->sets),
		&table->arena);
	table->sets = rows.v;
	table->n_sets = rows.n;
	for (size_t i = 0; i < rows.n; i++)
		table->n_events += (size_t)table->sets[i].n_events;
	pq_buf_print(&folder, "%.*s/%.*s", STR_ARG(cpu->arch), STR_ARG(cpu->folder));
	table->origin = (struct pmuq_vendor_table){
		.cpuid = cpuid,
		.import = cpu->import,
		.version = cpu->version,
		.folder = pq_arena_str(&table->arena, pq_buf_str(&folder)),
	};
	if (folder.failed || !table->origin.folder.p)
		pq_store_fail_memory(store);
}

/* ---- events */

/* The version of the table is that of the CPU. */
static void load_origin(struct pmuq_store *store, const struct stored_table *table, size_t set,
			struct pq_arena *arena, struct pq_vendor_origin *ret)
{
	const struct set_row *row = &table->sets[set];
	struct pmuq_str version = row->id == table->cpu.vendor_set ? table->cpu.version : STR("");

	pq_vendor_load_origin(store, row->id, row->folder, version, arena, ret);
}

static void set_file(struct pmuq_store *store, const struct pq_vendor_origin *origin,
		     struct pq_vendor_stored_event *row)
{
	struct pq_vendor_table_file file = pq_vendor_origin_file(store, origin, row->file);

	row->event.record.file = file.path;
	row->event.record.version = file.version;
}

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

static void add_event(struct pmuq_store *store, struct pmuq_vendor *vendor,
		      const struct pq_vendor_stored_event *row)
{
	struct pq_vendor_event *event = store->r == 0 ? pq_vendor_add(vendor) : NULL;

	if (!event) {
		pq_store_fail_content(store, "its events cannot be counted");
		return;
	}
	*event = row->event;
	complete_event(&event->event);
}

static void new_vendor(struct pmuq_store *store, size_t n, struct pmuq_vendor **ret)
{
	if (store->r == 0)
		store->r = pq_vendor_new(n, ret, store->reterr);
}

static void finish(struct pmuq_store *store, const struct stored_table *table,
		   struct pmuq_vendor *vendor)
{
	if (store->r == 0)
		store->r = pq_vendor_finish(vendor, &table->origin, store->reterr);
}

/* The rows are hashed as they were saved, before defaults are filled in. */
static void load_set(struct pmuq_store *store, const struct stored_table *table, size_t index,
		     struct pmuq_vendor *vendor)
{
	const struct set_row *set = &table->sets[index];
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	struct pq_vendor_stored_event row = { 0 };
	struct pq_vendor_origin origin;
	struct pq_hasher hasher;
	struct pq_hash computed;

	load_origin(store, table, index, pq_vendor_arena(vendor), &origin);
	pq_stmt_begin(&stmt, store,
		      PQ_QUERY(pq_vendor_event_columns,
			       "FROM vendor_event JOIN vendor_text ON vendor_text.id = vendor_text"
			       " WHERE vendor_set = ? ORDER BY position"),
		      PQ_PARAMS(set->id));
	pq_vendor_event_hash_begin(&hasher);
	while (pq_stmt_next(&stmt, &row, pq_vendor_arena(vendor))) {
		pq_row_hash(pq_vendor_event_columns, PQ_VENDOR_HASHED_COLUMNS, &row, &hasher);
		set_file(store, &origin, &row);
		add_event(store, vendor, &row);
	}
	computed = pq_hash_end(&hasher);
	pq_hash_check(store, &set->event_hash, &computed);
}

/* Only those of the CPU: the events of systems name no counters. */
static void load_counters(struct pmuq_store *store, const struct stored_table *table,
			  struct pmuq_vendor *vendor)
{
	struct pq_rows rows;

	if (store->r < 0)
		return;
	rows = pq_table_load(store, &pq_vendor_event_set.tables[PQ_VENDOR_SET_COUNTERS],
			     table->cpu.vendor_set, pq_vendor_arena(vendor));
	pq_vendor_set_counters(vendor, rows.v, rows.n);
}

static void load_all(struct pmuq_store *store, const struct stored_table *table,
		     struct pmuq_vendor **ret)
{
	new_vendor(store, table->n_events, ret);
	for (size_t i = 0; store->r == 0 && i < table->n_sets; i++)
		load_set(store, table, i, *ret);
	if (*ret)
		load_counters(store, table, *ret);
	finish(store, table, *ret);
}

/* ---- the events of one name */

static void check_import(struct pmuq_store *store, const struct stored_table *table)
{
	int64_t n = 0;

	pq_sql_number(store, "SELECT count(*) FROM vendor WHERE id = ?",
		      PQ_PARAMS(table->cpu.vendor), &n);
	if (store->r == 0 && !n)
		pq_store_fail_busy(store, "its tables were replaced since they were opened");
}

/* The rows of all sets. Many CPUs have texts of that name, whose rows are not read: CROSS JOIN
 * makes SQLite begin with the texts, and then it searches the index for both columns. */
static struct pq_rows find_rows(struct pmuq_store *store, const struct stored_table *table,
				struct pmuq_str name, struct pq_arena *arena)
{
	struct {
		PQ_VEC(struct pq_vendor_stored_event);
	} rows = { 0 };

	for (size_t i = 0; i < table->n_sets; i++) {
		cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
		struct pq_vendor_stored_event row = { 0 };

		pq_stmt_begin(&stmt, store,
			      PQ_QUERY(pq_vendor_event_columns,
				       "FROM vendor_text CROSS JOIN vendor_event"
				       " ON vendor_text = vendor_text.id"
				       " WHERE name = ?1 AND vendor_set = ?2"),
			      PQ_PARAMS(name, table->sets[i].id));
		while (pq_stmt_next(&stmt, &row, arena)) {
			set_file(store, &table->origins[i], &row);
			if (!pq_vec_push_in(arena, &rows, row))
				pq_store_fail_memory(store);
		}
	}
	return (struct pq_rows){ .v = rows.v, .n = rows.n };
}

static void load_name(struct pmuq_store *store, const struct stored_table *table,
		      struct pmuq_str name, struct pmuq_vendor **ret)
{
	const struct pq_vendor_stored_event *row;
	struct pq_rows rows;

	check_import(store, table);
	new_vendor(store, 0, ret);
	if (store->r < 0)
		return;
	pq_vendor_arena(*ret)->left_bytes = PQ_VENDOR_NAME_MAX_BYTES;
	rows = find_rows(store, table, name, pq_vendor_arena(*ret));
	row = rows.v;
	if (store->r == 0 && !pq_vendor_reserve(*ret, rows.n))
		pq_store_fail_memory(store);
	for (size_t i = 0; store->r == 0 && i < rows.n; i++) {
		if (pq_vendor_row_hash(pq_vendor_event_columns, &row[i]) != row[i].row_hash)
			pq_store_fail_content(store, "an event does not match its hash");
		add_event(store, *ret, &row[i]);
	}
	finish(store, table, *ret);
}

/* ---- tables */

struct event_loading {
	const struct stored_table *table;
	struct pmuq_str name; /* .p NULL: all */
	struct pmuq_vendor *vendor;
};

static void load_within(struct pmuq_store *store, void *arg)
{
	struct event_loading *loading = arg;

	pmuq_vendor_free(move(loading->vendor));
	if (loading->name.p)
		load_name(store, loading->table, loading->name, &loading->vendor);
	else
		load_all(store, loading->table, &loading->vendor);
}

static int read_events(void *arg, struct pmuq_str name, struct pmuq_vendor **ret,
		       struct pmuq_error **reterr)
{
	struct stored_table *table = arg;
	struct event_loading loading = { .table = table, .name = name };
	int r = pq_store_read(table->store, "cannot read the tables", load_within, &loading,
			      reterr);

	if (r < 0)
		pmuq_vendor_free(loading.vendor);
	else
		*ret = loading.vendor;
	return r;
}

struct counter_loading {
	const struct stored_table *table;
	struct pmuq_vendor *vendor;
};

static void load_counters_within(struct pmuq_store *store, void *arg)
{
	const struct counter_loading *loading = arg;

	check_import(store, loading->table);
	load_counters(store, loading->table, loading->vendor);
}

static int read_counters(void *arg, struct pmuq_vendor *vendor, struct pmuq_error **reterr)
{
	struct stored_table *table = arg;
	struct counter_loading loading = { .table = table, .vendor = vendor };

	return pq_store_read(table->store, "cannot read the tables", load_counters_within, &loading,
			     reterr);
}

static void free_table(void *arg)
{
	struct stored_table *table = arg;

	pq_arena_clear(&table->arena);
	free(table);
}

struct opening {
	struct pmuq_str cpuid;
	bool is_lazy;
	struct stored_table *table;
	struct pmuq_vendor *vendor;
};

static void load_origins(struct pmuq_store *store, struct stored_table *table)
{
	table->origins = pq_arena_array(&table->arena, table->n_sets, sizeof(*table->origins));
	if (!table->origins)
		pq_store_fail_memory(store);
	for (size_t i = 0; store->r == 0 && i < table->n_sets; i++)
		load_origin(store, table, i, &table->arena, &table->origins[i]);
}

static void open_lazy(struct pmuq_store *store, struct opening *opening)
{
	struct pq_vendor_reader reader = { .read = read_events,
					   .read_counters = read_counters,
					   .free = free_table,
					   .arg = opening->table };

	load_origins(store, opening->table);
	new_vendor(store, 0, &opening->vendor);
	finish(store, opening->table, opening->vendor);
	if (store->r < 0)
		return;
	if (pq_vendor_make_lazy(opening->vendor, &reader, opening->table->n_events))
		opening->table = NULL;
	else
		pq_store_fail_memory(store);
}

static void open_within(struct pmuq_store *store, void *arg)
{
	struct opening *opening = arg;

	pmuq_vendor_free(move(opening->vendor));
	if (opening->table)
		free_table(move(opening->table));
	opening->table = calloc(1, sizeof(*opening->table));
	if (!opening->table) {
		pq_store_fail_memory(store);
		return;
	}
	opening->table->store = store;
	opening->table->arena = PQ_ARENA(PQ_VENDOR_CPUS_MAX_BYTES);
	find_table(store, opening->cpuid, opening->table);
	if (opening->is_lazy)
		open_lazy(store, opening);
	else
		load_all(store, opening->table, &opening->vendor);
}

static int open_vendor(struct pmuq_store *store, const char *cpuid, bool is_lazy,
		       struct pmuq_vendor **ret, struct pmuq_error **reterr)
{
	struct opening opening = { .cpuid = str_of(cpuid ? cpuid : ""), .is_lazy = is_lazy };
	int r = pq_store_read(store, "cannot read the tables", open_within, &opening, reterr);

	if (opening.table)
		free_table(opening.table);
	if (r == 0)
		*ret = opening.vendor;
	else
		pmuq_vendor_free(opening.vendor);
	return r;
}

PQ_API int pmuq_store_open_vendor(struct pmuq_store *store, const char *cpuid,
				  struct pmuq_vendor **ret, struct pmuq_error **reterr)
{
	return open_vendor(store, cpuid, false, ret, reterr);
}

PQ_API int pmuq_store_open_lazy_vendor(struct pmuq_store *store, const char *cpuid,
				       struct pmuq_vendor **ret, struct pmuq_error **reterr)
{
	return open_vendor(store, cpuid, true, ret, reterr);
}
