/* SPDX-License-Identifier: MIT */
/*
 * Finds the PMUs of libpfm4 that the machine has, and makes rows of their events. libpfm4's names
 * have only a stem in common with the PMUs in sysfs: one PMU there may be several here, and the
 * reverse.
 */
#include "cli/tables/list_pfm.h"
#include "cli/or_die.h"
#include "cli/report.h"
#include "cli/served.h"
#include "core/attr/attr.h"
#include "core/error.h"
#include "core/instance.h"
#include "core/limits.h"
#include <inttypes.h>
#include <string.h>

/* A PMU of libpfm4, or a family of instances ("skx_unc_imc" for skx_unc_imc0 to 5). Its events are
 * read when a PMU of the machine first needs them, because that is slow. */
struct pfm_table {
	const char *name, *sysfs; /* live in the list of PMUs */
	enum pmuq_pfm_pmu_type type;
	bool is_listed, has_names;
	struct pmuq_pfm_events *events;
	struct pmuq_pfm_encodings *encodings;
	struct list_events rows;
};

struct list_pfm {
	struct pmuq_pfm *pfm;
	struct pmuq_pfm_pmus *pmus;
	struct pfm_table *tables;
	size_t n_tables;
	bool is_named;	/* by the user */
	bool knows_cpu; /* one of the tables is for the cores of the machine's CPU */
	struct pq_arena texts;
};

const char *list_texts_keep(struct list_texts *texts, char *text)
{
	push_or_die(texts, text);
	return text;
}

void list_texts_clear(struct list_texts *texts)
{
	for (size_t i = 0; i < texts->n; i++)
		free(texts->v[i]);
	pq_vec_free(texts);
}

/* ----------------------------------------------------------------------------------- tables */

/* Whether the family has its table already. */
static bool is_known(const struct list_pfm *pfm, const char *name)
{
	for (size_t i = 0; i < pfm->n_tables; i++)
		if (strcmp(pfm->tables[i].name, name) == 0)
			return true;
	return false;
}

/* Names for the kernel's own events are of every machine: "perf"; "perf_raw" has only numbers. For
 * a CPU that is not in pmuq's table of CPUs, libpfm4 inspects the machine that it runs on. */
static bool is_of_machine(const struct pmuq_pfm_pmu *pmu, const char *cpuid, bool is_live)
{
	if (pmu->type == PMUQ_PFM_PMU_GENERIC)
		return strcmp(pmu->name.p, "perf") == 0;
	return cpuid ? pmuq_pfm_is_of_cpu(pmu->name.p, cpuid) : is_live && pmu->is_present;
}

static void choose_tables(struct list_pfm *pfm, const char *cpuid, bool is_live)
{
	pfm->tables = or_die(calloc(pmuq_pfm_pmus_count(pfm->pmus) + 1, sizeof(*pfm->tables)));
	for (size_t i = 0; i < pmuq_pfm_pmus_count(pfm->pmus); i++) {
		const struct pmuq_pfm_pmu *pmu = pmuq_pfm_pmus_get(pfm->pmus, i);
		const char *family = pmu->family.p;
		const char *name = *family ? family : pmu->name.p;

		if (!is_of_machine(pmu, cpuid, is_live) || is_known(pfm, name))
			continue;
		pfm->knows_cpu |= pmu->type == PMUQ_PFM_PMU_CORE;
		pfm->tables[pfm->n_tables++] = (struct pfm_table){
			.name = name,
			.sysfs = pmu->sysfs.p,
			.type = pmu->type,
		};
	}
}

/* Closes it. */
static enum status fail(struct list_pfm **pfm, int r, const struct pmuq_error *error)
{
	bool is_reported = (*pfm)->is_named || pq_is_resource_error(r);

	list_pfm_close(move(*pfm));
	return is_reported ? report_error(error, NULL) : STATUS_OK;
}

enum status list_pfm_open(bool is_named, struct list_pfm **ret)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	struct list_pfm *pfm = *ret = or_die(calloc(1, sizeof(*pfm)));
	int r = pfm_open(&pfm->pfm, &error);

	pfm->is_named = is_named;
	pfm->texts = PQ_ARENA(PQ_PFM_LIST_MAX_BYTES);
	if (r == 0)
		r = pmuq_pfm_start(pfm->pfm, &error);
	return r < 0 ? fail(ret, r, error) : STATUS_OK;
}

enum status list_pfm_find_tables(struct list_pfm **pfm, const char *cpuid, bool is_live)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	int r = pmuq_pfm_list_pmus((*pfm)->pfm, &(*pfm)->pmus, &error);

	if (r < 0)
		return fail(pfm, r, error);
	/* A CPU that is not in pmuq's table of CPUs. */
	if (cpuid && pmuq_pfm_is_of_cpu("", cpuid))
		cpuid = NULL;
	choose_tables(*pfm, cpuid, is_live);
	return STATUS_OK;
}

void list_pfm_note_cpu(const struct list_pfm *pfm, const char *cpuid)
{
	if (!pfm->knows_cpu)
		report(REPORT_NOTE,
		       "libpfm4 does not know this CPU%s%s%s: it has no names for the events of "
		       "its cores",
		       cpuid ? " (" : "", cpuid ? cpuid : "", cpuid ? ")" : "");
}

/* ------------------------------------------------------------------------------------- rows */

static struct pmuq_str join(struct list_pfm *pfm, struct pmuq_str first, struct pmuq_str between,
			    struct pmuq_str last)
{
	struct pmuq_str text = { .n = first.n + between.n + last.n };
	char *p = or_die(pq_arena_take(&pfm->texts, text.n + 1));

	text.p = p;
	memcpy(p, first.p, first.n);
	memcpy(p + first.n, between.p, between.n);
	memcpy(p + first.n + between.n, last.p, last.n);
	p[text.n] = '\0';
	return text;
}

/* "EVENT" or "EVENT:UMASK"; in the event string, the name of the table precedes it. */
static void add_row(struct list_pfm *pfm, struct pfm_table *table,
		    const struct pmuq_pfm_event *event, const struct pmuq_pfm_attribute *umask)
{
	struct pmuq_str name = event->name, about = event->description;
	struct list_event row = { .origin = PMUQ_FROM_PFM, .unit = "", .scale = "1" };

	if (umask) {
		name = join(pfm, name, STR(":"), umask->name);
		about = join(pfm, about, STR(": "), umask->description);
	}
	row.name = name.p;
	row.description = about.p;
	row.string = join(pfm, str_of(table->name), STR("::"), name).p;
	push_or_die(&table->rows, row);
}

static void add_rows(struct list_pfm *pfm, struct pfm_table *table,
		     const struct pmuq_pfm_event *event)
{
	bool has_umask = false;

	for (size_t i = 0; i < event->n_attributes; i++) {
		const struct pmuq_pfm_attribute *umask = pmuq_pfm_event_attribute(event, i);

		if (umask->type != PMUQ_PFM_UMASK)
			continue;
		has_umask = true;
		add_row(pfm, table, event, umask);
	}
	if (!has_umask)
		add_row(pfm, table, event, NULL);
}

static void set_terms(struct list_pfm *pfm, struct list_event *row,
		      const struct pmuq_pfm_code *code)
{
	char number[sizeof("=0x") + 16];

	row->terms = code->terms.p;
	if (code->scope != PMUQ_PFM_GENERIC)
		return;
	row->generic_type = code->type;
	snprintf(number, sizeof(number), "=0x%" PRIx64, code->config[0]);
	row->terms = join(pfm, str_of(list_generic_term(code->type)), str_of(number), STR("")).p;
}

/* Gets the bits of all rows with one request to the helper. An event that needs more than one umask
 * has no terms. */
static enum status find_terms(struct list_pfm *pfm, struct pfm_table *table)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	auto_free const char **names = or_die(calloc(table->rows.n + 1, sizeof(*names)));

	for (size_t i = 0; i < table->rows.n; i++)
		names[i] = table->rows.v[i].string;
	if (pmuq_pfm_encode(pfm->pfm, NULL, names, table->rows.n, &table->encodings, &error) < 0)
		return report_error(error, NULL);
	for (size_t i = 0; i < table->rows.n; i++) {
		const struct pmuq_pfm_encoding *encoding =
			pmuq_pfm_encodings_get(table->encodings, i);
		const struct pmuq_pfm_code *code = pmuq_pfm_encoding_code(encoding, 0);

		if (code)
			set_terms(pfm, &table->rows.v[i], code);
	}
	return STATUS_OK;
}

static enum status read_events(struct list_pfm *pfm, struct pfm_table *table)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;

	if (!table->events && pmuq_pfm_list_events_of(pfm->pfm, table->name, PMUQ_PFM_LAYER_PMU,
						      &table->events, &error) < 0)
		return report_error(error, NULL);
	return STATUS_OK;
}

static enum status list_names(struct list_pfm *pfm, struct pfm_table *table)
{
	enum status status = STATUS_OK;

	if (table->has_names)
		return STATUS_OK;
	table->has_names = true;
	status = read_events(pfm, table);
	for (size_t i = 0; status == STATUS_OK && i < pmuq_pfm_events_count(table->events); i++)
		add_rows(pfm, table, pmuq_pfm_events_get(table->events, i));
	return status;
}

/* Once for each table, even if it is for several PMUs. */
static enum status list_table(struct list_pfm *pfm, struct pfm_table *table)
{
	enum status status;

	if (table->is_listed)
		return STATUS_OK;
	table->is_listed = true;
	status = list_names(pfm, table);
	return status == STATUS_OK ? find_terms(pfm, table) : status;
}

static void append(struct list_events *events, const struct list_events *rows)
{
	for (size_t i = 0; i < rows->n; i++)
		push_or_die(events, rows->v[i]);
}

static bool covers(const struct pfm_table *table, const struct machine_pmu *pmu)
{
	return pq_instance_is_pfm(str_of(table->sysfs), str_of(pmu->name), pmu->is_core);
}

/* The kernel's own events are of the core PMUs and of the PMU of software events. */
static bool has_generic(const struct machine_pmu *pmu, const struct list_event *row)
{
	return row->generic_type == PQ_TYPE_SOFTWARE ? pmu->is_software : pmu->is_core;
}

static void append_generic(struct list_events *events, const struct list_events *rows,
			   const struct machine_pmu *pmu)
{
	for (size_t i = 0; i < rows->n; i++)
		if (has_generic(pmu, &rows->v[i]))
			push_or_die(events, rows->v[i]);
}

enum status list_pfm_add(struct list_pfm *pfm, const struct machine_pmu *pmu,
			 struct list_events *events)
{
	enum status status = STATUS_OK;

	for (size_t i = 0; status == STATUS_OK && i < pfm->n_tables; i++) {
		struct pfm_table *table = &pfm->tables[i];
		bool is_generic = table->type == PMUQ_PFM_PMU_GENERIC;

		if (!is_generic && !covers(table, pmu))
			continue;
		status = list_table(pfm, table);
		if (status != STATUS_OK)
			break;
		if (is_generic)
			append_generic(events, &table->rows, pmu);
		else
			append(events, &table->rows);
	}
	return status;
}

/* Whether a PMU of the machine has the event. */
static bool is_on_machine(const struct pfm_table *table, const struct list_event *row,
			  const struct machine_pmus *pmus)
{
	for (size_t i = 0; i < pmus->n; i++)
		if (table->type == PMUQ_PFM_PMU_GENERIC ? has_generic(&pmus->v[i], row)
							: covers(table, &pmus->v[i]))
			return true;
	return false;
}

/* All events of a table for the cores or for an uncore PMU are of the same PMUs. */
static void append_marked(struct list_events *events, const struct pfm_table *table,
			  const struct machine_pmus *pmus)
{
	bool is_here = false;

	for (size_t i = 0; i < table->rows.n; i++) {
		struct list_event row = table->rows.v[i];

		if (i == 0 || table->type == PMUQ_PFM_PMU_GENERIC)
			is_here = is_on_machine(table, &row, pmus);
		row.is_absent = !is_here;
		push_or_die(events, row);
	}
}

enum status list_pfm_read(struct list_pfm *pfm)
{
	enum status status = STATUS_OK;

	for (size_t i = 0; status == STATUS_OK && i < pfm->n_tables; i++)
		if (pfm->tables[i].type != PMUQ_PFM_PMU_GENERIC)
			status = list_names(pfm, &pfm->tables[i]);
	return status;
}

enum status list_pfm_add_all(struct list_pfm *pfm, const struct machine_pmus *pmus,
			     bool with_generic, struct list_events *events)
{
	enum status status = STATUS_OK;

	for (size_t i = 0; status == STATUS_OK && i < pfm->n_tables; i++) {
		struct pfm_table *table = &pfm->tables[i];

		if (table->type == PMUQ_PFM_PMU_GENERIC && !with_generic)
			continue;
		/* Which generic events are for cores is known with their terms. */
		status = table->type == PMUQ_PFM_PMU_GENERIC ? list_table(pfm, table)
							     : list_names(pfm, table);
		if (status == STATUS_OK)
			append_marked(events, table, pmus);
	}
	return status;
}

void list_pfm_close(struct list_pfm *pfm)
{
	if (!pfm)
		return;
	for (size_t i = 0; i < pfm->n_tables; i++) {
		pmuq_pfm_events_free(pfm->tables[i].events);
		pmuq_pfm_encodings_free(pfm->tables[i].encodings);
		free(pfm->tables[i].rows.v);
	}
	free(pfm->tables);
	pmuq_pfm_pmus_free(pfm->pmus);
	pfm_closep(&pfm->pfm);
	pq_arena_clear(&pfm->texts);
	free(pfm);
}
