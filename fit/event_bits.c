/* SPDX-License-Identifier: MIT */
/*
 * The events of the vendor's table as the kernel sees them: by the bits of their config words, not
 * by their names. Several events of a table can have the same bits (INST_RETIRED.ANY and .ANY_P),
 * and a kernel that counts these bits can use the counters of all of them.
 */
#include "core/num.h"
#include "fit/machine.h"
#include <stdlib.h>

/* Formats that identify an event; the others change how it is counted. */
static bool is_identity(struct pmuq_str format)
{
	return str_starts(format, STR("event")) || str_starts(format, STR("umask"));
}

static void set_term(const struct pmuq_pmu *pmu, struct pmuq_str name, uint64_t value,
		     struct pq_fit_row *row)
{
	const struct pmuq_format *format = pq_def_format(pq_def_of(pmu), name);

	if (str_eq(name, STR("config")))
		row->config |= value;
	else if (str_eq(name, STR("config1")))
		row->config1 |= value;
	else if (format && format->bits.mask && format->bits.word == 0)
		row->config |= pq_bits_scatter(format->bits, value);
	else if (format && format->bits.mask && format->bits.word == 1)
		row->config1 |= pq_bits_scatter(format->bits, value);
}

/* Terms of a table are names and numbers; other terms (period …) set no bits of a config word. */
static void read_terms(const struct pmuq_pmu *pmu, struct pmuq_str terms, struct pq_fit_row *row)
{
	struct pmuq_str term, name, text;
	uint64_t value;

	while (str_next(&terms, ',', &term)) {
		value = 1;
		if (!str_cut(term, '=', &name, &text) || pq_num_c(text, &value) == PQ_NUM_OK)
			set_term(pmu, name, value, row);
	}
}

static int compare_rows(const void *a, const void *b)
{
	const struct pq_fit_row *x = a, *y = b;

	return x->identity < y->identity ? -1 : x->identity > y->identity;
}

/* False when out of memory. */
static bool add_rows(struct pq_fit_machine *machine, struct pq_fit_pmu *pmu,
		     struct pq_vendor_list list)
{
	for (size_t i = 0; i < list.n; i++) {
		struct pq_fit_row row = { .event = &list.v[i].record };

		if (!pq_vendor_covers(row.event->pmu, pmu->pmu))
			continue;
		read_terms(pmu->pmu, row.event->event->terms, &row);
		row.identity = row.config & pmu->identity;
		if (!pq_vec_push_in(machine->arena, &pmu->rows, row))
			return false;
	}
	return true;
}

/* Read once for all events of the PMU. If its files cannot be read, no event has known bits.
 * Only events that are here: the caller decides whether all are. */
int pq_fit_read_rows(struct pq_fit_machine *machine, struct pq_fit_pmu *pmu)
{
	const struct pmuq_format *format;
	struct pq_vendor_cursor cursor = { 0 };
	struct pq_vendor_list list;
	int r;

	if (pmu->has_rows)
		return 0;
	r = machine->lookup.ops->load(machine->lookup.self, pmu->pmu, NULL);
	if (r < 0)
		return pq_is_resource_error(r) ? pq_fail_resource(machine->reterr, r) : 0;
	pmu->has_rows = true;
	for (size_t i = 0; (format = pmuq_pmu_format(pmu->pmu, i)); i++)
		if (format->bits.word == 0 && is_identity(format->name))
			pmu->identity |= format->bits.mask;
	while (machine->vendor && pq_vendor_next_read(machine->vendor, &cursor, &list))
		if (!add_rows(machine, pmu, list))
			return pq_fail_memory(machine->reterr);
	if (pmu->rows.n)
		qsort(pmu->rows.v, pmu->rows.n, sizeof(*pmu->rows.v), compare_rows);
	return 0;
}

const struct pq_fit_row *pq_fit_find_rows(const struct pq_fit_pmu *pmu, uint64_t config,
					  size_t *ret_n)
{
	const struct pq_fit_row *rows = pmu->rows.v;
	size_t from = 0, to = pmu->rows.n, end;

	config &= pmu->identity;
	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (rows[middle].identity < config)
			from = middle + 1;
		else
			to = middle;
	}
	for (end = from; end < pmu->rows.n && rows[end].identity == config;)
		end++;
	*ret_n = end - from;
	return end > from ? &rows[from] : NULL;
}

static void add_counter(struct pq_counter_set *set, bool is_fixed, uint64_t number)
{
	if (number < PQ_COUNTERS_MAX)
		*(is_fixed ? &set->fixed : &set->generic) |= UINT64_C(1) << number;
}

/* "0,1,2,3", "Fixed counter 1", "FIXED" (the only one), "FREERUN". */
bool pq_fit_read_counters(struct pmuq_str text, struct pq_counter_set *ret, bool *ret_is_own)
{
	bool is_fixed = text.n >= 5 && str_eq_nocase(str_part(text, 0, 5), STR("fixed"));
	struct pq_counter_set set = { 0 };
	uint64_t number;

	*ret_is_own = str_eq_nocase(text, STR("freerun"));
	for (size_t i = 0; i < text.n;) {
		size_t n;

		if (!pq_num_prefix(str_part(text, i, text.n), &number, &n)) {
			i++;
			continue;
		}
		add_counter(&set, is_fixed, number);
		i += n;
	}
	if (is_fixed && !set.fixed)
		add_counter(&set, true, 0);
	ret->generic |= set.generic;
	ret->fixed |= set.fixed;
	return *ret_is_own || set.generic || set.fixed;
}
