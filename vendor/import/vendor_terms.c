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
#include "vendor/import/vendor_intel.h"

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

bool pq_vendor_number(const struct pq_vendor_converter *converter, const char *key, uint64_t *ret)
{
	struct pmuq_str text = pq_vendor_text(converter, key);

	if (pq_vendor_element_is_other(converter->at, key))
		pq_vendor_draft_problem(converter, "%s is not a whole number", key);
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
} code_members[] = {
	{ .key = "ConfigCode", .term = "config" },
	{ .key = "EventidCode", .term = "eventid" },
	{ .key = "LegacyConfigCode", .term = "legacy-hardware-config" },
	{ .key = "LegacyCacheCode", .term = "legacy-cache-config" },
};

static struct pq_vendor_selector read_selector(const struct pq_vendor_converter *converter)
{
	struct pq_vendor_selector selector = { 0 };
	uint64_t extension = 0;

	if (converter->layout == PQ_VENDOR_PERFMON) {
		pq_vendor_intel_selector(converter, &selector);
		return selector;
	}
	pq_vendor_number(converter, "EventCode", &selector.event);
	pq_vendor_number(converter, "ExtSel", &extension);
	pq_vendor_number(converter, "UMask", &selector.umask);
	selector.event |= extension << 8;
	return selector;
}

static void add_code(const struct pq_vendor_converter *converter, uint64_t event,
		     struct pq_buf *terms)
{
	for (size_t i = 0; i < COUNT(code_members); i++)
		if (pq_vendor_text(converter, code_members[i].key).p) {
			uint64_t code = 0;

			pq_vendor_number(converter, code_members[i].key, &code);
			add_term(terms, code_members[i].term, code);
			return;
		}
	add_term(terms, "event", event);
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

static bool is_hexadecimal(struct pmuq_str text)
{
	return text.n > 1 && char_lower(text.p[1]) == 'x';
}

/* Members with the value 0 are left out, as by perf. */
static void add_field(const struct pq_vendor_converter *converter, const struct member_term *field,
		      struct pq_buf *terms)
{
	uint64_t value;

	if (!pq_vendor_number(converter, field->key, &value) || !value)
		return;
	if (is_hexadecimal(pq_vendor_text(converter, field->key)))
		add_term(terms, field->term, value);
	else
		pq_buf_print(terms, ",%s=%llu", field->term, (unsigned long long)value);
}

static void add_fields(const struct pq_vendor_converter *converter, uint64_t umask,
		       struct pq_buf *terms)
{
	bool is_perfmon = converter->layout == PQ_VENDOR_PERFMON;

	for (size_t i = 0; i < COUNT(fields); i++)
		if (!is_perfmon || !str_eq(str_of(fields[i].key), STR("UMask")))
			add_field(converter, &fields[i], terms);
		else if (umask)
			add_term(terms, fields[i].term, umask);
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
	struct pmuq_str value = str_trim(pq_vendor_element_text(converter->at, "MSRValue"));
	uint64_t number = 0, read;

	if (!pq_vendor_number(converter, "MSRIndex", &number))
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

bool pq_vendor_make_terms(const struct pq_vendor_converter *converter)
{
	cleanup(pq_buf_free) struct pq_buf terms = PQ_BUF_NULL;
	struct pq_vendor_selector selector = read_selector(converter);

	add_code(converter, selector.event, &terms);
	add_fields(converter, selector.umask, &terms);
	if (selector.occ_sel)
		add_term(&terms, "occ_sel", selector.occ_sel);
	add_filter(converter, &terms);
	add_register(converter, &terms);
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
