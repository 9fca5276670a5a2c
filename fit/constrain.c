/* SPDX-License-Identifier: MIT */
/*
 * What an event needs of the counters and registers of its PMU. The kernel decides by the bits of
 * the attr, not by the name; so does this file. The vendor's table has the counters of its events;
 * of other events only what is documented is known.
 */
#include "core/attr/attr.h"
#include "fit/machine.h"

/* The bits of an event in the config words of its PMU. */
struct bits {
	uint64_t config, config1;
	bool are_known;
	const struct pq_fit_row *rows; /* the table's events with the same code */
	size_t n_rows;
};

/* The kernel's generic events on Intel's CPUs, by their numbers: architectural events of Intel's
 * manual; 0: none. */
static const uint16_t intel_events[] = {
	0x003c, 0x00c0, 0x4f2e, 0x412e, 0x00c4, 0x00c5, 0x013c, 0, 0, 0x0300,
};

#define INTEL_INSTRUCTIONS 0x00c0
#define INTEL_CYCLES 0x003c
#define INTEL_REF_CYCLES 0x0300
#define INTEL_SLOTS 0x0400
/* From this umask on, events with the code 0 are parts of the counter of slots. */
#define INTEL_TOPDOWN 0x8000
#define ARM_CYCLES 0x11

static uint64_t mask_of(unsigned n)
{
	return n < 64 ? (UINT64_C(1) << n) - 1 : UINT64_MAX;
}

/* Of a hybrid, bits 32 to 63 of a generic event are the type of the PMU. */
static struct bits bits_of(const struct pq_fit_pmu *pmu, const struct pmuq_attr *attr)
{
	struct bits bits = { .config = attr->config, .config1 = attr->config1 };
	uint64_t number = attr->config & UINT32_MAX;

	if (attr->type == PQ_TYPE_HARDWARE) {
		if (pmu->cpu == PQ_FIT_CPU_INTEL && number < COUNT(intel_events))
			bits.config = intel_events[number];
		else
			bits.config = pmu->cpu == PQ_FIT_CPU_ARM && !number ? ARM_CYCLES : 0;
		bits.are_known = bits.config;
		return bits;
	}
	bits.are_known = attr->type != PQ_TYPE_HW_CACHE;
	return bits;
}

/* ---- counters */

static struct pq_counter_set both(struct pq_counter_set a, struct pq_counter_set b)
{
	return (struct pq_counter_set){ a.generic & b.generic, a.fixed & b.fixed };
}

/* All that exist for sure, or may exist. */
static struct pq_counter_set all_counters(const struct pmuq_counters *counters, bool may_exist)
{
	struct pq_counter_set set = { UINT64_MAX, UINT64_MAX };

	if (!may_exist)
		set = (struct pq_counter_set){ 0 };
	if (counters->generic_source)
		set.generic = mask_of(may_exist ? counters->generic_most : counters->generic);
	/* If it is not sure that there is a generic one, neither is it of fixed ones. */
	if (counters->fixed_source)
		set.fixed = may_exist || counters->generic ? mask_of(counters->fixed) : 0;
	return set;
}

/* Events that Intel's and Arm's manuals give counters of their own. The others of the kernel's
 * generic events can use each generic counter. */
static bool find_architectural(const struct pq_fit_pmu *pmu, const struct pmuq_attr *attr,
			       const struct bits *bits, struct pq_counter_set *ret)
{
	struct pq_counter_set set = { .generic = UINT64_MAX };

	if (pmu->cpu == PQ_FIT_CPU_ARM && bits->are_known && bits->config == ARM_CYCLES)
		set.fixed = 1;
	if (pmu->takes_any) {
		*ret = set;
		return true;
	}
	if (pmu->cpu != PQ_FIT_CPU_INTEL || !bits->are_known || !pmu->counters.fixed)
		return false;
	if (bits->config == INTEL_REF_CYCLES)
		set = (struct pq_counter_set){ .fixed = 4 };
	else if (bits->config == INTEL_INSTRUCTIONS)
		set.fixed = 1;
	else if (bits->config == INTEL_CYCLES)
		set.fixed = 2;
	else if (attr->type != PQ_TYPE_HARDWARE)
		return false;
	*ret = set;
	return true;
}

/* What the table has of the counters of an event. */
struct listed {
	struct pq_counter_set sure, possible;
};

/* A list of all counters of a thread can mean all of the core, if there is no list for that. */
static void add_possible(const struct pq_fit_pmu *pmu, struct pq_counter_set own, bool has_smt_off,
			 struct listed *ret)
{
	bool is_of_thread = pmu->is_halved && !has_smt_off &&
			    own.generic == mask_of(pmu->counters.generic_most / 2);

	ret->possible.generic |= is_of_thread ? mask_of(pmu->counters.generic_most) : own.generic;
	ret->possible.fixed |= own.fixed;
}

/* False if the table does not list the counters of the event. If SMT may be off, those of a core
 * that is one CPU are possible, too; if there are so many, they are those. */
static bool add_row(const struct pq_fit_pmu *pmu, const struct pmuq_vendor_event *row,
		    struct pq_fit_event *event, struct listed *ret)
{
	struct pq_counter_set own = { 0 }, smt_off = { 0 };
	bool is_own, is_other, has_smt_off;

	if (!pq_fit_read_counters(row->counters, &own, &is_own))
		return false;
	has_smt_off =
		pmu->is_halved && pq_fit_read_counters(row->counters_smt_off, &smt_off, &is_other);
	add_possible(pmu, own, has_smt_off, ret);
	ret->possible.generic |= smt_off.generic;
	ret->sure.generic |= has_smt_off ? smt_off.generic : own.generic;
	ret->sure.fixed |= own.fixed;
	event->is_own |= is_own;
	return true;
}

/* The counters of the table's events with these bits; without such an event, the generic ones of
 * those that differ in how they are counted only: fixed counters have no filters. */
static bool find_in_table(const struct pq_fit_pmu *pmu, const struct bits *bits,
			  struct pq_fit_event *event, struct listed *ret)
{
	bool is_known = false;

	for (int pass = 0; bits->are_known && !is_known && pass < 2; pass++) {
		uint64_t mask = pass ? pmu->identity : UINT64_MAX;

		*ret = (struct listed){ 0 };
		for (size_t i = 0; i < bits->n_rows; i++)
			if (!((bits->rows[i].config ^ bits->config) & mask))
				is_known |= add_row(pmu, bits->rows[i].event, event, ret);
		if (pass)
			ret->sure.fixed = ret->possible.fixed = 0;
	}
	return is_known && (event->is_own || !pq_counter_set_is_empty(ret->possible));
}

/* All that can count the event, by documents. */
static bool find_documented(const struct pq_fit_pmu *pmu, const struct pmuq_attr *attr,
			    const struct bits *bits, struct listed *ret)
{
	bool is_known = find_architectural(pmu, attr, bits, &ret->sure);

	ret->possible = ret->sure;
	return is_known;
}

/* Fixed counters have no filters (cmask, inv, edge). Sampling with precision has constraints of its
 * own, and fixed counters may not be able to. */
static void find_counters(const struct pq_fit_pmu *pmu, const struct pmuq_attr *attr,
			  const struct bits *bits, struct pq_fit_event *event)
{
	const struct pmuq_counters *counters = &pmu->counters;
	struct pq_counter_set sure = all_counters(counters, false),
			      possible = all_counters(counters, true);
	struct listed listed = { 0 };

	if (pmu->cpu == PQ_FIT_CPU_INTEL && bits->are_known && pmu->identity &&
	    bits->config & ~pmu->identity)
		possible.fixed = 0;
	if (!find_in_table(pmu, bits, event, &listed) &&
	    !find_documented(pmu, attr, bits, &listed)) {
		event->possible.counters = possible;
		return;
	}
	event->sure.counters = both(listed.sure, sure);
	event->possible.counters = both(listed.possible, possible);
	if (pq_attr_get(attr, PQ_FIELD_precise_ip)) {
		event->sure.counters.fixed = 0;
		event->possible.counters.generic |= possible.generic;
	}
}

/* ---- registers */

/* Terms of Intel's core events that set a register of the core, and how many there are of it. */
static const struct {
	struct pmuq_str term;
	size_t n;
} registers_of_cores[] = {
	{ STR("offcore_rsp"), 2 },
	{ STR("snoop_rsp"), 1 },
	{ STR("ldlat"), 1 },
	{ STR("frontend"), 1 },
};

static bool add_setting(struct pq_arena *arena, struct pq_fit_registers *registers,
			struct pmuq_str name, size_t n, uint64_t value, struct pq_fit_event *event)
{
	struct pq_fit_setting *settings;
	size_t of = 0;

	while (of < registers->n && !str_eq(registers->v[of].name, name))
		of++;
	if (of == registers->n &&
	    !pq_vec_push_in(arena, registers, ((struct pq_fit_register){ name, n })))
		return false;
	settings = pq_arena_array(arena, event->sure.n_settings + 1, sizeof(*settings));
	if (!settings)
		return false;
	for (size_t i = 0; i < event->sure.n_settings; i++)
		settings[i] = event->sure.settings[i];
	settings[event->sure.n_settings++] = (struct pq_fit_setting){ of, value };
	event->sure.settings = settings;
	event->record.needs = name;
	return pq_arena_keep(arena, &event->record.needs);
}

/* The term of the register that events of these bits set: which one it is depends on the event,
 * since their formats are the same bits. */
static bool find_core_register(const struct pq_fit_pmu *pmu, const struct bits *bits, size_t *ret)
{
	for (size_t i = 0; i < bits->n_rows; i++) {
		struct pmuq_str terms = bits->rows[i].event->event->terms, term, name, value;

		if ((bits->rows[i].config ^ bits->config) & pmu->identity)
			continue;
		while (str_next(&terms, ',', &term)) {
			str_cut(term, '=', &name, &value);
			for (*ret = 0; *ret < COUNT(registers_of_cores); ++*ret)
				if (str_eq(registers_of_cores[*ret].term, name))
					return true;
		}
	}
	return false;
}

static bool set_core(struct pq_arena *arena, const struct pq_fit_pmu *pmu, const struct bits *bits,
		     struct pq_fit_registers *registers, struct pq_fit_event *event)
{
	const struct pmuq_format *format;
	uint64_t mask = UINT64_MAX;
	size_t i;

	if (!bits->are_known || !bits->config1)
		return true;
	if (!find_core_register(pmu, bits, &i)) {
		/* It sets one, but which? */
		event->sure.counters = (struct pq_counter_set){ 0 };
		return true;
	}
	format = pq_def_format(pq_def_of(pmu->pmu), registers_of_cores[i].term);
	if (format && format->bits.word == 1)
		mask = format->bits.mask;
	return add_setting(arena, registers, registers_of_cores[i].term, registers_of_cores[i].n,
			   bits->config1 & mask, event);
}

/* The filters of an uncore unit are for all of its counters. */
static bool set_filters(struct pq_arena *arena, const struct pq_fit_pmu *pmu,
			const struct pmuq_attr *attr, struct pq_fit_registers *registers,
			struct pq_fit_event *event)
{
	const uint64_t words[] = { attr->config, attr->config1, attr->config2 };
	const struct pmuq_format *format;

	for (size_t i = 0; (format = pmuq_pmu_format(pmu->pmu, i)); i++) {
		uint64_t value;

		if (!str_starts(format->name, STR("filter_")) || format->bits.word < 1 ||
		    (size_t)format->bits.word >= COUNT(words))
			continue;
		value = words[format->bits.word] & format->bits.mask;
		if (value && !add_setting(arena, registers, format->name, 1, value, event))
			return false;
	}
	return true;
}

static bool set_registers(struct pq_arena *arena, const struct pq_fit_pmu *pmu,
			  const struct pmuq_attr *attr, const struct bits *bits,
			  struct pq_fit_registers *registers, struct pq_fit_event *event)
{
	bool has_memory = true;

	if (pmu->has_formats && pmu->pmu->is_uncore)
		has_memory = set_filters(arena, pmu, attr, registers, event);
	else if (pmu->has_formats && pmu->cpu == PQ_FIT_CPU_INTEL)
		has_memory = set_core(arena, pmu, bits, registers, event);
	event->possible.settings = event->sure.settings;
	event->possible.n_settings = event->sure.n_settings;
	return has_memory;
}

/* ---- what is special */

static bool is_taken_alone(const struct pq_fit_pmu *pmu, const struct bits *bits)
{
	for (size_t i = 0; bits->are_known && i < bits->n_rows; i++)
		if (bits->rows[i].event->is_taken_alone &&
		    !((bits->rows[i].config ^ bits->config) & pmu->identity) &&
		    bits->rows[i].config1 == bits->config1)
			return true;
	return false;
}

/* Two counters: AMD's for events that can count much in a cycle; Arm's for counts of 64 bits. */
static bool is_pair(const struct pq_fit_pmu *pmu, const struct bits *bits)
{
	if (pmu->cpu == PQ_FIT_CPU_AMD)
		return bits->are_known && (bits->config & 0xf000000ff) == pmu->pair_code;
	return pmu->cpu == PQ_FIT_CPU_ARM && bits->config1 & 1 &&
	       !(bits->are_known && bits->config == ARM_CYCLES);
}

static void set_free(struct pq_fit_event *event)
{
	event->sure.is_free = event->possible.is_free = true;
}

static void find_topdown(const struct pq_fit_pmu *pmu, const struct bits *bits,
			 struct pq_fit_event *event)
{
	if (pmu->cpu != PQ_FIT_CPU_INTEL || !bits->are_known)
		return;
	event->is_slots = bits->config == INTEL_SLOTS;
	event->is_topdown = bits->config >= INTEL_TOPDOWN && !(bits->config & ~UINT64_C(0xff00));
	if (event->is_topdown)
		set_free(event);
}

void pq_fit_add_cost(const struct pq_fit_pmu *pmu, const struct pmuq_attr *attr,
		     struct pq_fit_cost *ret)
{
	const struct bits bits = bits_of(pmu, attr);
	struct pq_fit_event event = { 0 };
	size_t n = is_pair(pmu, &bits) ? 2 : 1;

	find_topdown(pmu, &bits, &event);
	ret->is_slots |= event.is_slots;
	ret->is_topdown |= event.is_topdown;
	if (!pmu->counters.is_unlimited && !event.is_topdown && n > ret->n)
		ret->n = n;
}

int pq_fit_constrain(struct pq_fit_machine *machine, struct pq_arena *arena, struct pq_fit_pmu *pmu,
		     const struct pmuq_attr *attr, struct pq_fit_registers *registers,
		     struct pq_fit_event *ret)
{
	struct bits bits = bits_of(pmu, attr);
	const struct pq_fit_code *code = NULL;
	int r;

	ret->sure.with = ret->possible.with = SIZE_MAX;
	if (pmu->counters.is_unlimited) {
		set_free(ret);
		ret->is_own = !pmu->is_free;
		return 0;
	}
	r = pq_fit_find_counters(machine, pmu);
	if (r == 0)
		r = pq_fit_find_rows(machine, pmu, bits.config, &code);
	if (r < 0)
		return r;
	if (code) {
		bits.rows = code->rows.v;
		bits.n_rows = code->rows.n;
	}
	find_counters(pmu, attr, &bits, ret);
	find_topdown(pmu, &bits, ret);
	if (ret->is_own)
		set_free(ret);
	ret->record.is_taken_alone = is_taken_alone(pmu, &bits);
	ret->sure.is_alone = ret->possible.is_alone = ret->record.is_taken_alone;
	ret->sure.is_pair = ret->possible.is_pair = is_pair(pmu, &bits);
	if (!set_registers(arena, pmu, attr, &bits, registers, ret))
		return pq_fail_memory(machine->reterr);
	return 0;
}
