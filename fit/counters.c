/* SPDX-License-Identifier: MIT */
/*
 * How many counters a PMU has, by the best source that there is: the running CPU, the vendor's
 * table, and documents about a CPU or a PMU of the kernel, which are the table below. Anything else
 * is not known.
 */
#include "core/attr/attr.h"
#include "core/catalog/source.h"
#include "core/num.h"
#include "core/sized.h"
#include "fit/machine.h"

int pq_fit_fact(struct pq_fit_machine *machine, const char *name, struct pmuq_str *ret)
{
	const char *text = NULL;
	int r = 0;

	if (machine->source)
		r = pmuq_source_find_fact(machine->source, name, &text, machine->reterr);
	else
		text = pmuq_catalog_find_fact(machine->catalog, name);
	*ret = text ? str_of(text) : STR("");
	return r;
}

/* How events of a PMU are counted. */
enum counting {
	COUNTS_FREELY, /* its events need no counter */
	COUNTS_OWN,    /* each event has a counter of its own */
	COUNTS_ANY,    /* any counter can count any event */
	COUNTS_SOME,   /* events have constraints, which are not known */
};

/* The kernel's PMUs and the CPUs whose counters are documented. `pmu` is a pattern, `cpu` how the
 * CPU's ID begins; a family is the number after it, of x86. */
static const struct known_pmu {
	struct pmuq_str pmu, cpu;
	unsigned first_family, last_family;
	unsigned generic, fixed;
	enum counting counting;
	uint64_t pair_code;
} known_pmus[] = {
	// clang-format off
	{ STR("software"),        STR(""), .counting = COUNTS_FREELY },
	{ STR("tracepoint"),      STR(""), .counting = COUNTS_FREELY },
	{ STR("kprobe"),          STR(""), .counting = COUNTS_FREELY },
	{ STR("uprobe"),          STR(""), .counting = COUNTS_FREELY },
	{ STR("msr"),             STR(""), .counting = COUNTS_OWN },
	{ STR("cstate_*"),        STR(""), .counting = COUNTS_OWN },
	{ STR("power*"),          STR(""), .counting = COUNTS_OWN },
	{ STR("*free_running*"),  STR(""), .counting = COUNTS_OWN },
	{ STR("cpum_cf"),         STR("IBM,"), .counting = COUNTS_OWN },
	/* The debug registers of x86. */
	{ STR("breakpoint"),      STR("GenuineIntel"), .last_family = ~0u, .generic = 4, .counting = COUNTS_ANY },
	{ STR("breakpoint"),      STR("AuthenticAMD"), .last_family = ~0u, .generic = 4, .counting = COUNTS_ANY },
	/* From Zen on, an event that can count more than 15 in a cycle takes an even counter and the next one. */
	{ STR("cpu"),             STR("AuthenticAMD"), 16, 20, .generic = 4, .counting = COUNTS_SOME },
	{ STR("cpu"),             STR("AuthenticAMD"), 21, 21, .generic = 6, .counting = COUNTS_SOME },
	{ STR("cpu"),             STR("AuthenticAMD"), 22, 22, .generic = 4, .counting = COUNTS_SOME },
	{ STR("cpu"),             STR("AuthenticAMD"), 23, 25, .generic = 6, .counting = COUNTS_ANY, .pair_code = 0x03 },
	{ STR("cpu"),             STR("AuthenticAMD"), 26, 26, .generic = 6, .counting = COUNTS_ANY, .pair_code = 0x03 },
	{ STR("cpu"),             STR("HygonGenuine"), 24, 24, .generic = 6, .counting = COUNTS_ANY, .pair_code = 0x03 },
	{ STR("amd_nb"),          STR("AuthenticAMD"), 21, 21, .generic = 4, .counting = COUNTS_ANY },
	{ STR("amd_df"),          STR("AuthenticAMD"), 23, 23, .generic = 4, .counting = COUNTS_ANY },
	{ STR("amd_l3"),          STR("AuthenticAMD"), 23, 26, .generic = 6, .counting = COUNTS_ANY },
	/* Cores of Arm with six event counters, and one for cycles: by the name of the PMU or by the MIDR. */
	{ STR("armv8_cortex_a53"),  STR("0x00000000410fd030"), .generic = 6, .fixed = 1, .counting = COUNTS_ANY },
	{ STR("armv8_cortex_a55"),  STR("0x00000000410fd050"), .generic = 6, .fixed = 1, .counting = COUNTS_ANY },
	{ STR("armv8_cortex_a57"),  STR("0x00000000410fd070"), .generic = 6, .fixed = 1, .counting = COUNTS_ANY },
	{ STR("armv8_cortex_a72"),  STR("0x00000000410fd080"), .generic = 6, .fixed = 1, .counting = COUNTS_ANY },
	{ STR("armv8_cortex_a73"),  STR("0x00000000410fd090"), .generic = 6, .fixed = 1, .counting = COUNTS_ANY },
	{ STR("armv8_cortex_a75"),  STR("0x00000000410fd0a0"), .generic = 6, .fixed = 1, .counting = COUNTS_ANY },
	{ STR("armv8_cortex_a76"),  STR("0x00000000410fd0b0"), .generic = 6, .fixed = 1, .counting = COUNTS_ANY },
	{ STR("armv8_neoverse_n1"), STR("0x00000000410fd0c0"), .generic = 6, .fixed = 1, .counting = COUNTS_ANY },
	/* POWER8 to POWER10: four counters for any event, and those for instructions and cycles. */
	{ STR("cpu"),             STR("0x004b"), .generic = 6, .counting = COUNTS_SOME },
	{ STR("cpu"),             STR("0x004d"), .generic = 6, .counting = COUNTS_SOME },
	{ STR("cpu"),             STR("0x004e"), .generic = 6, .counting = COUNTS_SOME },
	{ STR("cpu"),             STR("0x0080"), .generic = 6, .counting = COUNTS_SOME },
	// clang-format on
};

/* Intel's cores of these models have eight generic counters, and each of two threads has four of
 * them. If SMT is off in the firmware, one thread has all; if the kernel turned it off, it has not.
 * Sandy Bridge to Comet Lake. */
static const uint8_t shared_models[] = {
	0x2a, 0x2d, 0x3a, 0x3e, 0x3c, 0x3f, 0x45, 0x46, 0x3d, 0x47,
	0x4f, 0x56, 0x4e, 0x5e, 0x55, 0x8e, 0x9e, 0xa5, 0xa6, 0x66,
};

/* ---- the CPU's ID: "GenuineIntel-6-55-4" on x86, a MIDR, a PVR … */

/* The decimal family, or the model, which is hexadecimal; 0: the ID has none. */
static uint64_t part_of_cpuid(struct pmuq_str cpuid, unsigned index)
{
	struct pmuq_str part = STR("");
	uint64_t number = 0;

	for (unsigned i = 0; i <= index; i++)
		if (!str_next(&cpuid, '-', &part))
			return 0;
	if (index == 1)
		return pq_num_decimal(part, &number) == PQ_NUM_OK ? number : 0;
	return pq_num_hex(part, &number) == PQ_NUM_OK ? number : 0;
}

static bool is_shared_model(struct pmuq_str cpuid)
{
	uint64_t model = part_of_cpuid(cpuid, 2);

	if (!str_starts(cpuid, STR("GenuineIntel-6-")))
		return false;
	for (size_t i = 0; i < COUNT(shared_models); i++)
		if (shared_models[i] == model)
			return true;
	return false;
}

static enum pq_fit_cpu cpu_of(const struct pmuq_pmu *pmu, struct pmuq_str cpuid)
{
	if (!pmu->is_core)
		return PQ_FIT_CPU_OTHER;
	if (str_starts(cpuid, STR("GenuineIntel")))
		return PQ_FIT_CPU_INTEL;
	if (str_starts(cpuid, STR("AuthenticAMD")) || str_starts(cpuid, STR("HygonGenuine")))
		return PQ_FIT_CPU_AMD;
	return str_starts(pmu->name, STR("armv8_")) ? PQ_FIT_CPU_ARM : PQ_FIT_CPU_OTHER;
}

/* ---- documents */

/* Which core a MIDR is of: its revision does not matter. */
static bool is_core_of(struct pmuq_str cpuid, struct pmuq_str midr)
{
	uint64_t own, known;

	if (cpuid.n != 18 || pq_num_any(cpuid, &own) != PQ_NUM_OK ||
	    pq_num_any(midr, &known) != PQ_NUM_OK)
		return false;
	return !((own ^ known) & 0xff0ffff0);
}

/* The first PMU is of the CPU whose MIDR is the fact; of others the core is in their name or it is
 * not known. */
static bool is_arm_core(const struct known_pmu *known, const struct pmuq_pmu *pmu,
			struct pmuq_str cpuid)
{
	bool is_first =
		str_eq(pmu->name, STR("armv8_pmuv3")) || str_eq(pmu->name, STR("armv8_pmuv3_0"));

	return str_eq(pmu->name, known->pmu) || (is_first && is_core_of(cpuid, known->cpu));
}

static bool is_known(const struct known_pmu *known, const struct pmuq_pmu *pmu,
		     struct pmuq_str cpuid)
{
	if (known->cpu.n == 18)
		return is_arm_core(known, pmu, cpuid);
	if (!str_glob(known->pmu, pmu->name))
		return false;
	if (!str_starts(cpuid, known->cpu))
		return false;
	return !known->last_family || (part_of_cpuid(cpuid, 1) >= known->first_family &&
				       part_of_cpuid(cpuid, 1) <= known->last_family);
}

static void take_known(const struct known_pmu *known, struct pq_fit_pmu *ret)
{
	struct pmuq_counters *counters = &ret->counters;

	if (known->counting == COUNTS_FREELY || known->counting == COUNTS_OWN) {
		counters->is_unlimited = true;
		ret->is_free = known->counting == COUNTS_FREELY;
		return;
	}
	ret->takes_any = known->counting == COUNTS_ANY;
	if (known->pair_code)
		ret->pair_code = known->pair_code;
	counters->generic = counters->generic_most = known->generic;
	counters->fixed = known->fixed;
	counters->generic_source = counters->fixed_source = PMUQ_COUNTERS_MANUAL;
}

/* ---- the vendor's table */

/* At least as many as its events name; of a hybrid's core types there are no other numbers. */
static int count_named(const struct pq_fit_machine *machine, struct pq_fit_pmu *ret)
{
	struct pq_counter_set set = { 0 };
	const struct pmuq_vendor_event *event;
	bool is_own;
	int r = pq_vendor_read_all(machine->vendor, machine->reterr);

	if (r < 0)
		return r;
	for (size_t i = 0; (event = pmuq_vendor_get(machine->vendor, i)); i++)
		if (event->counters.n && pq_vendor_covers(event->pmu, ret->pmu))
			pq_fit_read_counters(event->counters, &set, &is_own);
	if (!set.generic)
		return 0;
	ret->counters.generic = 64 - (unsigned)__builtin_clzll(set.generic);
	ret->counters.generic_most = ret->counters.generic;
	ret->counters.generic_source = PMUQ_COUNTERS_EVENTS;
	ret->counters.fixed = set.fixed ? 64 - (unsigned)__builtin_clzll(set.fixed) : 0;
	ret->counters.fixed_source = PMUQ_COUNTERS_EVENTS;
	return 0;
}

static int take_table(const struct pq_fit_machine *machine, struct pq_fit_pmu *ret)
{
	const struct pq_vendor_counters *table;
	int r = pq_vendor_find_counters(machine->vendor, ret->pmu, &table, machine->reterr);

	if (r < 0)
		return r;
	if (table) {
		ret->counters.generic = ret->counters.generic_most = (unsigned)table->generic;
		ret->counters.fixed = (unsigned)table->fixed;
		ret->counters.generic_source = ret->counters.fixed_source = PMUQ_COUNTERS_TABLE;
	} else if (!ret->counters.generic_source) {
		r = count_named(machine, ret);
	}
	/* The table has those of a thread. */
	if (ret->is_halved && ret->counters.generic == 4)
		ret->counters.generic_most = 8;
	return r;
}

/* ---- all of them */

static void take_cpu(struct pmuq_counters *counters)
{
	unsigned generic, fixed;

	if (!pq_cpu_counters(&generic, &fixed))
		return;
	counters->generic = counters->generic_most = generic;
	counters->fixed = fixed;
	counters->generic_source = counters->fixed_source = PMUQ_COUNTERS_CPU;
}

/* The watchdog is a pinned event that counts cycles on each CPU. */
static int find_watchdog(struct pq_fit_machine *machine, struct pq_fit_pmu *ret)
{
	bool is_x86 = ret->cpu == PQ_FIT_CPU_INTEL || ret->cpu == PQ_FIT_CPU_AMD;
	struct pmuq_str text;
	int r;

	if (!ret->pmu->is_core || machine->watchdog) {
		ret->counters.has_watchdog = ret->pmu->is_core && machine->watchdog == 1;
		return 0;
	}
	r = pq_fit_fact(machine, "nmi_watchdog", &text);
	if (str_eq(text, STR("1"))) {
		ret->counters.has_watchdog = is_x86;
		ret->may_have_watchdog = !is_x86;
	}
	return r;
}

int pq_fit_find_kind(struct pq_fit_machine *machine, struct pq_fit_pmu *ret)
{
	struct pmuq_str cpuid = STR("");
	int r = pq_fit_fact(machine, "cpuid", &cpuid);

	ret->cpu = cpu_of(ret->pmu, cpuid);
	ret->pair_code = UINT64_MAX;
	for (size_t i = 0; r == 0 && i < COUNT(known_pmus); i++)
		if (is_known(&known_pmus[i], ret->pmu, cpuid))
			take_known(&known_pmus[i], ret);
	return r;
}

int pq_fit_find_counters(struct pq_fit_machine *machine, struct pq_fit_pmu *ret)
{
	struct pmuq_str cpuid = STR(""), smt = STR(""), hypervisor = STR("");
	int r = 0;

	if (ret->has_counters || ret->counters.is_unlimited)
		return 0;
	r = pq_fit_fact(machine, "cpuid", &cpuid);
	if (r == 0)
		r = pq_fit_fact(machine, "smt", &smt);
	if (r == 0)
		r = pq_fit_fact(machine, "hypervisor", &hypervisor);
	if (r == 0)
		r = find_watchdog(machine, ret);
	ret->is_halved = ret->pmu->is_core && is_shared_model(cpuid) && !str_eq(smt, STR("on"));
	if (r == 0 && machine->vendor)
		r = take_table(machine, ret);
	/* A guest may have fewer counters than its CPU, or none. */
	if (hypervisor.n && ret->pmu->is_core)
		ret->counters.generic = 0;
	if (machine->source && pmuq_source_is_live(machine->source) &&
	    str_eq(ret->pmu->name, STR("cpu")))
		take_cpu(&ret->counters);
	ret->has_counters = r == 0;
	return r;
}

PQ_API const char *pmuq_counters_source_name(enum pmuq_counters_source source)
{
	static const char *const names[] = { "", "table", "events", "cpu", "manual" };

	return (unsigned)source < COUNT(names) ? names[source] : NULL;
}

PQ_API int pmuq_source_find_counters(struct pmuq_source *source, const char *pmu,
				     const struct pmuq_vendor *vendor, struct pmuq_counters *ret,
				     struct pmuq_error **reterr)
{
	struct pq_fit_machine machine = {
		.lookup = source->lookup, .source = source, .vendor = vendor, .reterr = reterr
	};
	struct pq_fit_pmu found = { 0 };
	int r = pq_sized_check(ret, reterr);

	if (r == 0)
		r = pq_query(&machine, find_pmu, str_of(pmu), &found.pmu);
	if (r == PQ_NONE)
		return pq_fail(reterr, PMUQ_E_UNKNOWN_PMU, "the machine has no PMU '%s'", pmu);
	if (r == 0)
		r = pq_query(&machine, fill, found.pmu);
	if (r == 0)
		r = pq_fit_find_kind(&machine, &found);
	if (r == 0)
		r = pq_fit_find_counters(&machine, &found);
	if (r == 0)
		pq_sized_give(&found.counters, sizeof(found.counters), ret);
	return r;
}
