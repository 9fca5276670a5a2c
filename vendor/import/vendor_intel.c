/* SPDX-License-Identifier: MIT */
/*
 * What members of an event in Intel's repository mean in Linux. scripts/create_perf_json.py of that
 * repository makes the kernel's tables; its rules are facts about the counters. docs/metrics.md
 * lists where pmuq differs from it.
 */
#include "vendor/import/vendor_intel.h"
#include "core/num.h"

static bool has(const struct pq_vendor_converter *converter, const char *key, struct pmuq_str text)
{
	return str_eq_nocase(pq_vendor_text(converter, key), text);
}

/* 0 without the member. */
static uint64_t number(const struct pq_vendor_converter *converter, const char *key)
{
	uint64_t value = 0;

	pq_vendor_number(converter, key, &value);
	return value;
}

/* The folder of the CPU: "SKX/events/skylakex_core.json". */
static bool is_of(const struct pq_vendor_converter *converter, const struct pmuq_str *cpus,
		  size_t n)
{
	struct pmuq_str cpu, rest;

	str_cut(converter->at->file->path, '/', &cpu, &rest);
	for (size_t i = 0; i < n; i++)
		if (str_eq(cpu, cpus[i]))
			return true;
	return false;
}

/* The text that follows a word of the event's name; .p NULL: the name does not have it. */
static struct pmuq_str after_word(const struct pq_vendor_converter *converter, struct pmuq_str word)
{
	struct pmuq_str name = pq_vendor_text(converter, "EventName");
	const char *at = name.p ? memmem(name.p, name.n, word.p, word.n) : NULL;

	return at ? str_part(name, (size_t)(at - name.p) + word.n, name.n) : (struct pmuq_str){ 0 };
}

/* ---- free-running counters */

static bool is_free_running(const struct pq_vendor_converter *converter)
{
	return has(converter, "CounterType", STR("FREERUN"));
}

/* They have a PMU of their own, of which "_MC1_" in the name is the instance. */
static struct pmuq_str free_running_unit(const struct pq_vendor_converter *converter,
					 struct pmuq_str unit)
{
	struct pmuq_str instance = after_word(converter, STR("_MC"));
	struct pq_buf buf = PQ_BUF_IN(converter->arena);
	size_t n = instance.p ? pq_num_digits_end(instance, 0) : 0;

	pq_buf_print(&buf, "%.*s_free_running", STR_ARG(unit));
	if (n && n < instance.n && instance.p[n] == '_')
		pq_buf_print(&buf, "_%.*s", (int)n, instance.p);
	return pq_buf_take_str(&buf);
}

/* The event is 0xff, and the umask is the type of the counter and its number: so do the kernel's
 * own aliases in sysfs: event=0xff,umask=0x21. */
static const struct free_running {
	struct pmuq_str unit, word; /* in the event's name */
	unsigned type;
} free_running[] = {
	{ .unit = STR("imc"), .word = STR("CLOCKTICKS"), .type = 1 },
	{ .unit = STR("imc"), .word = STR("TOTAL"), .type = 1 },
	{ .unit = STR("imc"), .word = STR("RDCAS"), .type = 2 },
	{ .unit = STR("imc"), .word = STR("WRCAS"), .type = 3 },
	{ .unit = STR("iio"), .word = STR("CLOCKTICKS"), .type = 1 },
	{ .unit = STR("iio"), .word = STR("BANDWIDTH_IN"), .type = 2 },
	{ .unit = STR("iio"), .word = STR("BANDWIDTH_OUT"), .type = 3 },
};

static void read_free_running(const struct pq_vendor_converter *converter,
			      struct pq_vendor_selector *ret)
{
	struct pmuq_str part = after_word(converter, STR("PART"));
	uint64_t index = 0;
	size_t n;

	if (part.p && (!pq_num_prefix(part, &index, &n) || index > 0xf))
		index = 0;
	for (size_t i = 0; i < COUNT(free_running); i++)
		if (has(converter, "Unit", free_running[i].unit) &&
		    after_word(converter, free_running[i].word).p) {
			*ret = (struct pq_vendor_selector){
				.event = 0xff,
				.umask = free_running[i].type << 4 | index,
			};
			return;
		}
	pq_vendor_draft_problem(converter, "the code of the free-running counter is not known");
}

/* ---- other counters */

/* An event of a fixed counter of the uncore has only the counter, no code. */
static bool is_on_fixed_counter(const struct pq_vendor_converter *converter)
{
	return has(converter, "Counter", STR("fixed"));
}

/* Bit 21 of the register, which the kernel's format of QPI has as bit 8 of the event. The UBOX has
 * no such bit; the PCU has it, but its format does not. */
static uint64_t event_of(const struct pq_vendor_converter *converter)
{
	uint64_t extension = number(converter, "ExtSel");

	if (extension && has(converter, "Unit", STR("QPI LL")))
		return number(converter, "EventCode") | extension << 8;
	if (extension && !has(converter, "Unit", STR("UBOX")))
		pq_vendor_draft_problem(converter, "its PMU has no term for ExtSel");
	return number(converter, "EventCode");
}

/* The masks of the IIO have members and terms of their own, which its UMaskExt repeats. */
static bool has_masks(const struct pq_vendor_converter *converter)
{
	return has(converter, "Unit", STR("IIO")) &&
	       pq_vendor_element_text(converter->at, "PortMask").p;
}

/* The umask has 8 bits, and UMaskExt those above. */
static uint64_t umask_of(const struct pq_vendor_converter *converter)
{
	uint64_t umask = number(converter, "UMask"), extension = number(converter, "UMaskExt");

	if (!extension || has_masks(converter))
		return umask;
	if (extension > UINT64_MAX >> 8)
		pq_vendor_draft_problem(converter, "its UMaskExt has more than 56 bits");
	return umask | extension << 8;
}

/* Up to Broadwell, the PCU has no umask: its upper two bits are the term occ_sel. */
static void select_occupancy(const struct pq_vendor_converter *converter,
			     struct pq_vendor_selector *selector)
{
	static const struct pmuq_str cpus[] = {
		STR("JKT"), STR("IVT"), STR("HSX"), STR("BDX"), STR("BDW-DE"),
	};

	if (!after_word(converter, STR("UNC_P_POWER_STATE_OCCUPANCY")).p ||
	    !is_of(converter, cpus, COUNT(cpus)))
		return;
	selector->occ_sel = selector->umask >> 6;
	selector->umask = 0;
}

void pq_vendor_intel_selector(const struct pq_vendor_converter *converter,
			      struct pq_vendor_selector *ret)
{
	if (is_free_running(converter)) {
		read_free_running(converter, ret);
	} else if (is_on_fixed_counter(converter)) {
		*ret = (struct pq_vendor_selector){ .event = 0xff };
	} else {
		*ret = (struct pq_vendor_selector){
			.event = event_of(converter),
			.umask = umask_of(converter),
		};
		select_occupancy(converter, ret);
	}
}

/* The PMU of the socket's clock, which is "NCU" in the files of all client CPUs. */
static struct pmuq_str clock_unit(const struct pq_vendor_converter *converter)
{
	static const struct pmuq_str with_cbox[] = { STR("HSW"), STR("BDW"), STR("SKL") };
	static const struct pmuq_str with_cncu[] = { STR("MTL"), STR("ARL") };

	if (is_of(converter, with_cbox, COUNT(with_cbox)))
		return STR("cbox_0");
	return is_of(converter, with_cncu, COUNT(with_cncu)) ? STR("cncu") : STR("clock");
}

struct pmuq_str pq_vendor_intel_unit(const struct pq_vendor_converter *converter,
				     struct pmuq_str unit)
{
	if (unit.p && is_free_running(converter))
		return free_running_unit(converter, unit);
	if (str_eq(unit, STR("NCU")) && is_on_fixed_counter(converter))
		return clock_unit(converter);
	return unit.p ? unit : STR("");
}
