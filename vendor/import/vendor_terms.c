/* SPDX-License-Identifier: MIT */
/*
 * The terms of an event, as text, in the order and spelling of perf 7.2, so that a string of the
 * table is encoded to the same bits, and `pmuq search` prints what a user of perf expects.
 * vendor_unit.c finds the PMU of the event. perf makes the same terms when it is built, in the
 * class JsonEvent of tools/perf/pmu-events/jevents.py; tests/vendor/compare_jevents.py compares the
 * results.
 */
#include "core/buf.h"
#include "core/event/terms.h"
#include "core/num.h"
#include "vendor/import/vendor_event.h"

/* Decimal, or hexadecimal after "0x". */
static bool read_number(struct pmuq_str text, uint64_t *ret)
{
	if (text.n > 2 && text.p[0] == '0' && char_lower(text.p[1]) == 'x')
		return pq_num_hex(str_part(text, 2, text.n), ret) == PQ_NUM_OK;
	return pq_num_decimal(text, ret) == PQ_NUM_OK;
}

/* "0xB7, 0xBB": alternatives; pmuq takes the first. */
static struct pmuq_str first_of(struct pmuq_str list)
{
	struct pmuq_str rest;

	str_cut(list, ',', &list, &rest);
	return str_trim(list);
}

/* The number under a key; false if there is none. An invalid number is a problem. */
static bool get_number(const struct pq_vendor_converter *converter, const char *key, uint64_t *ret)
{
	struct pmuq_str text = pq_vendor_text(converter, key);

	if (!text.p)
		return false;
	if (read_number(first_of(text), ret))
		return true;
	pq_vendor_draft_problem(converter, "%s '%.*s' is not a number", key,
				(int)(text.n < 40 ? text.n : 40), text.p);
	return false;
}

/* perf prints numbers below ten in decimal. */
static void add_term(struct pq_buf *terms, const char *name, uint64_t value)
{
	pq_buf_print(terms, value < 10 ? "%s%s=%llu" : "%s%s=0x%llx", terms->n ? "," : "", name,
		     (unsigned long long)value);
}

/* The member with the event's code: the first of these that exists, otherwise EventCode. */
static const struct member_term {
	const char *key, *term;
} codes[] = {
	{ .key = "ConfigCode", .term = "config" },
	{ .key = "EventidCode", .term = "eventid" },
	{ .key = "LegacyConfigCode", .term = "legacy-hardware-config" },
	{ .key = "LegacyCacheCode", .term = "legacy-cache-config" },
};

/* An event of a fixed counter of Intel's uncore has only the counter, no code. */
static bool is_on_fixed_counter(const struct pq_vendor_converter *converter)
{
	return converter->layout == PQ_VENDOR_PERFMON &&
	       str_eq_nocase(pq_vendor_text(converter, "Counter"), STR("fixed"));
}

static void add_code(const struct pq_vendor_converter *converter, struct pq_buf *terms)
{
	uint64_t code = 0, extension = 0;

	for (size_t i = 0; i < COUNT(codes); i++)
		if (pq_vendor_text(converter, codes[i].key).p) {
			get_number(converter, codes[i].key, &code);
			add_term(terms, codes[i].term, code);
			return;
		}
	get_number(converter, "EventCode", &code);
	get_number(converter, "ExtSel", &extension);
	add_term(terms, "event", is_on_fixed_counter(converter) ? 0xff : code | extension << 8);
}

/* In the order of the terms. A decimal number stays decimal. */
static const struct member_term fields[] = {
	{ .key = "AnyThread", .term = "any" },
	{ .key = "PortMask", .term = "ch_mask" },
	{ .key = "CounterMask", .term = "cmask" },
	{ .key = "EdgeDetect", .term = "edge" },
	{ .key = "FCMask", .term = "fc_mask" },
	{ .key = "Invert", .term = "inv" },
	{ .key = "SampleAfterValue", .term = "period" },
	{ .key = "UMask", .term = "umask" },
	{ .key = "NodeType", .term = "type" },
	{ .key = "RdWrMask", .term = "rdwrmask" },
	{ .key = "EnAllCores", .term = "enallcores" },
	{ .key = "EnAllSlices", .term = "enallslices" },
	{ .key = "SliceId", .term = "sliceid" },
	{ .key = "ThreadMask", .term = "threadmask" },
};

/* In Intel's repository UMaskExt contains the upper bytes of the umask. */
static uint64_t extend_umask(const struct pq_vendor_converter *converter, uint64_t umask)
{
	struct pmuq_str text = first_of(pq_vendor_text(converter, "UMask"));
	uint64_t extension = 0;

	if (!get_number(converter, "UMaskExt", &extension))
		return umask;
	return text.n > 2 && text.n < 18 ? extension << 4 * (text.n - 2) | umask : umask;
}

/* Members with the value 0 are left out, as by perf. */
static void add_fields(const struct pq_vendor_converter *converter, struct pq_buf *terms)
{
	for (size_t i = 0; i < COUNT(fields); i++) {
		struct pmuq_str text = pq_vendor_text(converter, fields[i].key);
		bool is_umask = str_eq(str_of(fields[i].term), STR("umask"));
		uint64_t value;

		if (!get_number(converter, fields[i].key, &value))
			continue;
		if (is_umask && is_on_fixed_counter(converter))
			continue;
		if (is_umask && converter->layout == PQ_VENDOR_PERFMON)
			value = extend_umask(converter, value);
		if (!value)
			continue;
		if (text.n > 1 && char_lower(text.p[1]) == 'x')
			add_term(terms, fields[i].term, value);
		else
			pq_buf_print(terms, ",%s=%llu", fields[i].term, (unsigned long long)value);
	}
}

static const struct {
	uint64_t number;
	const char *term;
} registers[] = {
	{ .number = 0x3f6, .term = "ldlat" },
	{ .number = 0x1a6, .term = "offcore_rsp" },
	{ .number = 0x1a7, .term = "offcore_rsp" },
	{ .number = 0x3f7, .term = "frontend" },
};

/* An auxiliary register that the event needs. The value is copied unchanged. */
static void add_register(const struct pq_vendor_converter *converter, struct pq_buf *terms)
{
	struct pmuq_str value = pq_vendor_text(converter, "MSRValue");
	uint64_t number = 0, read;

	if (!get_number(converter, "MSRIndex", &number))
		return;
	for (size_t i = 0; i < COUNT(registers); i++) {
		if (registers[i].number != number)
			continue;
		if (!value.p)
			pq_vendor_draft_problem(converter, "it has an MSRIndex and no MSRValue");
		else if (!read_number(value, &read))
			pq_vendor_draft_problem(converter, "MSRValue '%.*s' is not a number",
						(int)(value.n < 40 ? value.n : 40), value.p);
		pq_buf_print(terms, ",%s=%.*s", registers[i].term, STR_ARG(value));
		return;
	}
	pq_vendor_draft_problem(converter, "no PMU has a term for the register 0x%llx",
				(unsigned long long)number);
}

/* A list of name=value, as an event string takes it. */
static bool are_terms(const struct pq_vendor_converter *converter, struct pmuq_str text)
{
	auto_arena struct pq_arena scratch = PQ_ARENA(SIZE_MAX);
	struct pq_term *terms;
	int r;

	r = pq_parse_terms(&scratch, text, &terms, NULL);
	converter->arena->is_refused |= scratch.is_refused;
	if (r < 0)
		return false;
	for (; terms; terms = terms->next)
		if (terms->type == PQ_VALUE_NONE || terms->is_driver)
			return false;
	return true;
}

/* Filters of Intel's repository for which no PMU in Linux has a term. Without the required filters
 * the event would count something else. */
static const struct vendor_filter {
	struct pmuq_str start;
	bool is_needed;
} filters[] = {
	{ .start = STR("cbofilter"), .is_needed = false },
	{ .start = STR("chafilter"), .is_needed = false },
	{ .start = STR("pcufilter"), .is_needed = false },
	{ .start = STR("qpimask"), .is_needed = false },
	{ .start = STR("uboxfilter"), .is_needed = false },
	{ .start = STR("fc, chnl"), .is_needed = false },
	{ .start = STR("chnl"), .is_needed = false },
	{ .start = STR("ctrctrl"), .is_needed = false },
	{ .start = STR("ha_addrmatch"), .is_needed = true },
	{ .start = STR("ha_opcodematch"), .is_needed = true },
	{ .start = STR("irpfilter"), .is_needed = true },
};

static bool starts_nocase(struct pmuq_str text, struct pmuq_str start)
{
	return text.n >= start.n && str_eq_nocase(str_part(text, 0, start.n), start);
}

static void add_filter(const struct pq_vendor_converter *converter, struct pq_buf *terms)
{
	struct pmuq_str text = pq_vendor_text(converter, "Filter");
	struct pmuq_str value = pq_vendor_text(converter, "FILTER_VALUE");

	if (!text.p)
		return;
	for (size_t i = 0; converter->layout == PQ_VENDOR_PERFMON && i < COUNT(filters); i++)
		if (starts_nocase(text, filters[i].start)) {
			if (filters[i].is_needed)
				pq_vendor_draft_problem(converter, "no PMU has a term for '%.*s'",
							STR_ARG(filters[i].start));
			return;
		}
	if (converter->layout == PQ_VENDOR_PERFMON && value.p && str_eq(text, STR("Filter1"))) {
		pq_buf_print(terms, ",config1=%.*s", STR_ARG(value));
		return;
	}
	if (!are_terms(converter, text))
		pq_vendor_draft_problem(converter, "Filter '%.*s' is not a list of terms",
					(int)(text.n < 40 ? text.n : 40), text.p);
	pq_buf_print(terms, ",%.*s", STR_ARG(text));
}

/* The repository does not contain the codes of free-running counters. */
static void check_free_running(const struct pq_vendor_converter *converter)
{
	if (converter->layout == PQ_VENDOR_PERFMON &&
	    str_eq(pq_vendor_text(converter, "CounterType"), STR("FREERUN")))
		pq_vendor_draft_problem(converter,
					"the code of the free-running counter is not known");
}

bool pq_vendor_make_terms(const struct pq_vendor_converter *converter)
{
	cleanup(pq_buf_free) struct pq_buf terms = PQ_BUF_NULL;

	add_code(converter, &terms);
	add_fields(converter, &terms);
	add_filter(converter, &terms);
	add_register(converter, &terms);
	check_free_running(converter);
	if (terms.failed)
		return false;
	converter->draft->terms = pq_arena_str(converter->arena, pq_buf_str(&terms));
	return converter->draft->terms.p;
}

/* Fixed counters: the kernel needs other codes than those in the tables. */
static const struct pmuq_pair fixed[] = {
	{ .name = STR("inst_retired.any"), .text = STR("event=0xc0,period=2000003") },
	{ .name = STR("inst_retired.any_p"), .text = STR("event=0xc0,period=2000003") },
	{ .name = STR("cpu_clk_unhalted.ref"), .text = STR("event=0x0,umask=0x03,period=2000003") },
	{ .name = STR("cpu_clk_unhalted.thread"), .text = STR("event=0x3c,period=2000003") },
	{ .name = STR("cpu_clk_unhalted.core"), .text = STR("event=0x3c,period=2000003") },
	{ .name = STR("cpu_clk_unhalted.thread_any"),
	  .text = STR("event=0x3c,any=1,period=2000003") },
};

struct pmuq_str pq_vendor_fixed_terms(struct pmuq_str name)
{
	for (size_t i = 0; i < COUNT(fixed); i++)
		if (str_eq(fixed[i].name, name))
			return fixed[i].text;
	return (struct pmuq_str){ 0 };
}
