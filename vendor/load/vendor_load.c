/* SPDX-License-Identifier: MIT */
/* Loads the events of one CPU, with those of the systems of its architecture. */
#include "core/buf.h"
#include "core/limits.h"
#include "vendor/load/vendor_cpu.h"
#include "vendor/vendor_sets.h"

struct vendor_loading {
	struct pmuq_str cpuid;
	struct pmuq_vendor *vendor;
	struct pq_arena arena;
	struct pq_vendor_cpu found;
};

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
	const struct pq_vendor_cpu *cpu = &loading->found;
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
	const struct pq_vendor_cpu *cpu = &loading->found;
	const struct set_row *set;
	struct pq_rows sets;
	size_t n_events = 0;

	pq_vendor_need_cpu(store, loading->cpuid, &loading->arena, &loading->found);
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
