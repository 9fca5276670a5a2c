/* SPDX-License-Identifier: MIT */
/*
 * The events of the vendor's table as the kernel sees them: by the bits of their config words, not
 * by their names. Several events of a table can have the same bits (INST_RETIRED.ANY and .ANY_P),
 * and a kernel that counts these bits can use the counters of all of them.
 */
#include "core/num.h"
#include "encode/encode_lookup.h"
#include "fit/machine.h"

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

/* False when out of memory. */
static bool add_row(struct pq_fit_machine *machine, struct pq_fit_pmu *pmu,
		    struct pq_fit_code *code, const struct pq_vendor_event *event)
{
	struct pq_fit_row row = { .event = &event->record };

	if (!pq_vendor_covers(row.event->pmu, pmu->pmu))
		return true;
	read_terms(pmu->pmu, event->event.terms, &row);
	return pq_vec_push_in(machine->arena, &code->rows, row);
}

/* The bits of formats, and where the code is. If the PMU has no files, or they cannot be read, no
 * event has known bits. */
static int read_formats(struct pq_fit_machine *machine, struct pq_fit_pmu *pmu)
{
	const struct pmuq_format *format;
	int r;

	if (pmu->has_formats || pq_is_placeholder(pmu->pmu))
		return 0;
	r = machine->lookup.ops->load(machine->lookup.self, pmu->pmu, NULL);
	if (r < 0)
		return pq_is_resource_error(r) ? pq_fail_resource(machine->reterr, r) : 0;
	pmu->has_formats = true;
	for (size_t i = 0; (format = pmuq_pmu_format(pmu->pmu, i)); i++) {
		if (format->bits.word != 0 || !is_identity(format->name))
			continue;
		pmu->identity |= format->bits.mask;
		if (!pmu->code_mask && str_starts(format->name, STR("event")))
			pmu->code_mask = format->bits.mask;
	}
	return 0;
}

/* The table's events with that code; of a lazy table only those that are here: the caller decides
 * whether all are. */
static bool read_code(struct pq_fit_machine *machine, struct pq_fit_pmu *pmu,
		      struct pq_fit_code *code)
{
	struct pq_vendor_cursor cursor = { 0 };
	const struct pq_vendor_coded *coded;
	struct pq_vendor_list list;
	size_t n = 0;

	if (pq_vendor_is_read(machine->vendor)) {
		if (!pq_vendor_find_code(machine->vendor, code->number, &coded, &n))
			return false;
		for (size_t i = 0; i < n; i++)
			if (!add_row(machine, pmu, code, coded[i].event))
				return false;
		return true;
	}
	while (pq_vendor_next_read(machine->vendor, &cursor, &list))
		for (size_t i = 0; i < list.n; i++)
			if (pq_vendor_code(list.v[i].event.terms) == code->number &&
			    !add_row(machine, pmu, code, &list.v[i]))
				return false;
	return true;
}

int pq_fit_find_rows(struct pq_fit_machine *machine, struct pq_fit_pmu *pmu, uint64_t config,
		     const struct pq_fit_code **ret)
{
	struct pq_fit_code *code;
	uint64_t number;
	int r = read_formats(machine, pmu);

	*ret = NULL;
	if (r < 0 || !machine->vendor || !pmu->has_formats)
		return r;
	number = pq_bits_gather(pmu->code_mask, config);
	for (code = pmu->codes; code; code = code->next)
		if (code->number == number) {
			*ret = code;
			return 0;
		}
	code = pq_arena_zero(machine->arena, sizeof(*code));
	if (!code)
		return pq_fail_memory(machine->reterr);
	code->number = number;
	if (!read_code(machine, pmu, code))
		return pq_fail_memory(machine->reterr);
	code->next = pmu->codes;
	*ret = pmu->codes = code;
	return 0;
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
