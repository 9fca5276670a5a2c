/* SPDX-License-Identifier: MIT */
/* The files of a PMU are read only if a table may have events for it. */
#include "vendor/search/vendor_machine.h"
#include "core/buf.h"
#include "core/instance.h"
#include "core/vendor/vendor_table.h"
#include "db/engine.h"
#include "vendor/load/vendor_cpu.h"
#include <inttypes.h>

/* ---- sets */

static void fail_texts(struct pmuq_store *store, int r)
{
	if (r == -PMUQ_E_MEMORY)
		pq_store_fail_memory(store);
	else
		pq_store_fail_content(store, "a list of texts in it is damaged");
}

/* PostgreSQL finds the texts of a set quickly enough. */
static void add_texts(struct pmuq_store *store, struct pq_vendor_machine *machine, int64_t set)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	struct pmuq_str texts;
	int r = 0;

	if (store->engine->has_index)
		return;
	pq_stmt_begin(&stmt, store,
		      PQ_QUERY(pq_one_text, "SELECT texts FROM vendor_set WHERE id = ?"),
		      PQ_PARAMS(set));
	if (pq_stmt_next(&stmt, &texts, NULL))
		r = pq_ids_read(machine->arena, &machine->texts, texts);
	if (r < 0)
		fail_texts(store, r);
}

static void add_set(struct pmuq_store *store, struct pq_vendor_machine *machine, int64_t id,
		    struct pq_buf *sets)
{
	pq_buf_print(sets, "%s%" PRId64 ",", sets->n ? "" : ",", id);
	add_texts(store, machine, id);
}

static void add_tables(struct pmuq_store *store, struct pq_vendor_machine *machine,
		       struct pmuq_str cpuid, struct pq_buf *sets)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	struct pq_vendor_cpu cpu;
	int64_t id;

	if (!pq_vendor_find_cpu(store, cpuid, machine->arena, &cpu))
		return;
	pq_stmt_begin(&stmt, store,
		      PQ_QUERY(pq_one_number, "SELECT vendor_set FROM " PQ_VENDOR_FOLDERS_OF_CPU),
		      PQ_PARAMS(cpu.vendor, cpu.arch, cpu.position));
	while (pq_stmt_next(&stmt, &id, NULL))
		add_set(store, machine, id, sets);
}

struct pfm_folder {
	int64_t vendor_set;
	struct pmuq_str path, sysfs;
};

static const struct pq_column pfm_columns[] = {
	{ PQ_COLUMN(struct pfm_folder, vendor_set) },
	{ PQ_COLUMN(struct pfm_folder, path) },
	{ PQ_COLUMN(struct pfm_folder, sysfs) },
};

static void add_pmu(struct pmuq_store *store, struct pq_vendor_machine *machine,
		    struct pmuq_str name, bool is_here)
{
	const struct pq_vendor_machine_pmu pmu = { .name = name, .is_here = is_here };

	if (!pq_vec_push_in(machine->arena, machine, pmu))
		pq_store_fail_memory(store);
}

static bool has_sysfs(const struct pq_pmu_list *pmus, struct pmuq_str sysfs)
{
	for (size_t i = 0; i < pmus->n; i++)
		if (pq_instance_is_pfm(sysfs, pmus->v[i]->name, pmus->v[i]->is_core))
			return true;
	return false;
}

/* A CPU that pmuq's table of CPUs does not have would get the names of all CPUs. */
static void add_pfm(struct pmuq_store *store, struct pq_vendor_machine *machine,
		    struct pmuq_str cpuid, const struct pq_pmu_list *pmus, struct pq_buf *sets)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	struct pfm_folder folder;

	if (pmuq_pfm_is_of_cpu("", cpuid.p))
		return;
	pq_stmt_begin(&stmt, store,
		      PQ_QUERY(pfm_columns, "FROM vendor_folder WHERE sysfs IS NOT NULL AND vendor"
					    " = (SELECT max(id) FROM vendor"
					    " WHERE layout = 'libpfm4')"),
		      PQ_NO_PARAMS);
	while (pq_stmt_next(&stmt, &folder, machine->arena)) {
		if (!pmuq_pfm_is_of_cpu(folder.path.p, cpuid.p))
			continue;
		add_set(store, machine, folder.vendor_set, sets);
		add_pmu(store, machine, folder.path, has_sysfs(pmus, folder.sysfs));
	}
}

static bool list_pmus(struct pmuq_store *store, const struct pq_vendor_machine *machine,
		      struct pq_pmu_list *ret)
{
	*ret = (struct pq_pmu_list){ 0 };
	if (store->r == 0)
		store->r = pq_query(machine, list_pmus, ret);
	return store->r == 0;
}

void pq_vendor_machine_read(struct pmuq_store *store, struct pq_vendor_machine *machine,
			    bool with_pfm)
{
	struct pq_buf sets = PQ_BUF_IN(machine->arena);
	struct pmuq_str cpuid = STR("");
	struct pq_pmu_list pmus;
	int r;

	machine->sets = STR("");
	machine->reterr = store->reterr;
	r = store->r < 0 ? store->r : pq_query(machine, fact, PQ_CLASS_CPUID, &cpuid);
	store->r = r < 0 ? r : 0;
	if (r != 0)
		return;
	add_tables(store, machine, cpuid, &sets);
	if (with_pfm && list_pmus(store, machine, &pmus))
		add_pfm(store, machine, cpuid, &pmus, &sets);
	if (sets.failed)
		pq_store_fail_memory(store);
	else
		machine->sets = pq_buf_str(&sets);
}

/* ---- PMUs */

/* As pq_vendor_next_covered(); NULL after the last. */
static const struct pmuq_pmu *next_covered(struct pmuq_store *store,
					   const struct pq_vendor_machine *machine,
					   struct pmuq_str pattern, size_t *at)
{
	const struct pmuq_pmu *pmu = NULL;
	int r = store->r < 0 ? store->r
			     : pq_vendor_next_covered(machine->lookup, pattern, at, &pmu,
						      machine->reterr);

	store->r = r < 0 ? r : 0;
	return pmu;
}

bool pq_vendor_machine_has(struct pmuq_store *store, struct pq_vendor_machine *machine,
			   struct pmuq_str pmu)
{
	bool is_here;

	for (size_t i = 0; i < machine->n; i++)
		if (str_eq(machine->v[i].name, pmu))
			return machine->v[i].is_here;
	is_here = next_covered(store, machine, pmu, &(size_t){ 0 });
	if (!pq_arena_keep(machine->arena, &pmu))
		pq_store_fail_memory(store);
	else
		add_pmu(store, machine, pmu, is_here);
	return is_here;
}

bool pq_vendor_machine_matches(struct pmuq_store *store, const struct pq_vendor_machine *machine,
			       struct pmuq_str pmu, struct pmuq_str compat)
{
	const struct pq_regex *regex = NULL;
	const struct pmuq_pmu *covered;
	size_t at = 0;

	if (store->r == 0)
		store->r = pq_regex_compile(machine->arena, compat, &regex, store->reterr);
	while (store->r == 0 && (covered = next_covered(store, machine, pmu, &at))) {
		store->r = pq_query(machine, load, covered);
		if (store->r == 0 && pq_vendor_identifier_matches(regex, covered))
			return true;
	}
	return false;
}
