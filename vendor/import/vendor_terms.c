/* SPDX-License-Identifier: MIT */
/* The terms of an event, as text: codes and masks in the order and spelling of perf 7.2. */
#include "core/catalog/model.h"
#include "core/event/terms.h"
#include "core/num.h"
#include "vendor/import/vendor_event.h"

/* Decimal, or hex behind "0x". */
static bool read_number(struct pmuq_str text, uint64_t *ret)
{
	if (text.n > 2 && text.p[0] == '0' && char_lower(text.p[1]) == 'x')
		return pq_num_hex(str_part(text, 2, text.n), ret) == PQ_NUM_OK;
	return pq_num_decimal(text, ret) == PQ_NUM_OK;
}

/* "0xB7, 0xBB": one of several, any of which will do. */
static struct pmuq_str first_of(struct pmuq_str list)
{
	struct pmuq_str rest;

	str_cut(list, ',', &list, &rest);
	return str_trim(list);
}

/* A number that the element has under the key; false where it has none, or none that is one. */
static bool get_number(const struct pq_vendor_converter *converter, const struct pq_elements *at,
		       struct pq_vendor_draft *draft, const char *key, uint64_t *ret)
{
	struct pmuq_str text = pq_vendor_text(converter, at, key);

	if (!text.p)
		return false;
	if (read_number(first_of(text), ret))
		return true;
	pq_vendor_doubt(converter, draft, "%s '%.*s' is no number", key,
			(int)(text.n < 40 ? text.n : 40), text.p);
	return false;
}

static void add_term(struct pq_buf *terms, const char *name, uint64_t value)
{
	pq_buf_print(terms, value < 10 ? "%s%s=%llu" : "%s%s=0x%llx", terms->n ? "," : "", name,
		     (unsigned long long)value);
}

/* What says which event it is: the first of these that there is, else EventCode. */
static const struct code {
	const char *key, *term;
} codes[] = {
	{ "ConfigCode", "config" },
	{ "EventidCode", "eventid" },
	{ "LegacyConfigCode", "legacy-hardware-config" },
	{ "LegacyCacheCode", "legacy-cache-config" },
};

/* A fixed counter of Intel's uncore is told by its counter alone. */
static bool is_on_fixed_counter(const struct pq_vendor_converter *converter,
				const struct pq_elements *at)
{
	return converter->layout == PQ_VENDOR_PERFMON &&
	       str_eq_nocase(pq_vendor_text(converter, at, "Counter"), STR("fixed"));
}

static void add_code(const struct pq_vendor_converter *converter, const struct pq_elements *at,
		     struct pq_vendor_draft *draft, struct pq_buf *terms)
{
	uint64_t code = 0, extension = 0;

	for (size_t i = 0; i < COUNT(codes); i++)
		if (pq_vendor_text(converter, at, codes[i].key).p) {
			get_number(converter, at, draft, codes[i].key, &code);
			add_term(terms, codes[i].term, code);
			return;
		}
	get_number(converter, at, draft, "EventCode", &code);
	get_number(converter, at, draft, "ExtSel", &extension);
	add_term(terms, "event", is_on_fixed_counter(converter, at) ? 0xff : code | extension << 8);
}

/* In the order in which they are written. A decimal stays decimal. */
static const struct code fields[] = {
	{ "AnyThread", "any" },		  { "PortMask", "ch_mask" },
	{ "CounterMask", "cmask" },	  { "EdgeDetect", "edge" },
	{ "FCMask", "fc_mask" },	  { "Invert", "inv" },
	{ "SampleAfterValue", "period" }, { "UMask", "umask" },
	{ "NodeType", "type" },		  { "RdWrMask", "rdwrmask" },
	{ "EnAllCores", "enallcores" },	  { "EnAllSlices", "enallslices" },
	{ "SliceId", "sliceid" },	  { "ThreadMask", "threadmask" },
};

/* Intel's repository keeps the upper bytes of a umask apart: their digits go before its own. */
static uint64_t extend_umask(const struct pq_vendor_converter *converter,
			     const struct pq_elements *at, struct pq_vendor_draft *draft,
			     uint64_t umask)
{
	struct pmuq_str text = first_of(pq_vendor_text(converter, at, "UMask"));
	uint64_t extension = 0;

	if (!get_number(converter, at, draft, "UMaskExt", &extension))
		return umask;
	return text.n > 2 && text.n < 18 ? extension << 4 * (text.n - 2) | umask : umask;
}

static void add_fields(const struct pq_vendor_converter *converter, const struct pq_elements *at,
		       struct pq_vendor_draft *draft, struct pq_buf *terms)
{
	for (size_t i = 0; i < COUNT(fields); i++) {
		struct pmuq_str text = pq_vendor_text(converter, at, fields[i].key);
		bool is_umask = str_eq(str_of(fields[i].term), STR("umask"));
		uint64_t value;

		if (!get_number(converter, at, draft, fields[i].key, &value))
			continue;
		if (is_umask && is_on_fixed_counter(converter, at))
			continue;
		if (is_umask && converter->layout == PQ_VENDOR_PERFMON)
			value = extend_umask(converter, at, draft, value);
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
	{ 0x3f6, "ldlat" },
	{ 0x1a6, "offcore_rsp" },
	{ 0x1a7, "offcore_rsp" },
	{ 0x3f7, "frontend" },
};

/* An auxiliary register that must be set as well. The value is written as the table has it. */
static void add_register(const struct pq_vendor_converter *converter, const struct pq_elements *at,
			 struct pq_vendor_draft *draft, struct pq_buf *terms)
{
	struct pmuq_str value = pq_vendor_text(converter, at, "MSRValue");
	uint64_t number = 0, read;

	if (!get_number(converter, at, draft, "MSRIndex", &number))
		return;
	for (size_t i = 0; i < COUNT(registers); i++) {
		if (registers[i].number != number)
			continue;
		if (!value.p)
			pq_vendor_doubt(converter, draft, "it has an MSRIndex and no MSRValue");
		else if (!read_number(value, &read))
			pq_vendor_doubt(converter, draft, "MSRValue '%.*s' is no number",
					(int)(value.n < 40 ? value.n : 40), value.p);
		pq_buf_print(terms, ",%s=%.*s", registers[i].term, STR_ARG(value));
		return;
	}
	pq_vendor_doubt(converter, draft, "no PMU has a term for the register 0x%llx",
			(unsigned long long)number);
}

/* A list of name=value, as an event string takes it. */
static bool are_terms(struct pmuq_str text)
{
	cleanup(pq_arena_clear) struct pq_arena scratch = { 0 };
	struct pq_term *terms;

	pq_arena_init(&scratch, NULL, 0, SIZE_MAX);
	if (pq_parse_terms(&scratch, text, &terms, NULL) < 0)
		return false;
	for (; terms; terms = terms->next)
		if (terms->kind == PQ_VALUE_NONE || terms->is_driver)
			return false;
	return true;
}

/* Filters of Intel's repository that no PMU of Linux has a term for, which is no harm; and those
 * without which the event counts something else. */
static const struct filter {
	struct pmuq_str start;
	bool is_needed;
} filters[] = {
	{ STR("cbofilter"), false },   { STR("chafilter"), false },
	{ STR("pcufilter"), false },   { STR("qpimask"), false },
	{ STR("uboxfilter"), false },  { STR("fc, chnl"), false },
	{ STR("chnl"), false },	       { STR("ctrctrl"), false },
	{ STR("ha_addrmatch"), true }, { STR("ha_opcodematch"), true },
	{ STR("irpfilter"), true },
};

static bool starts_nocase(struct pmuq_str text, struct pmuq_str start)
{
	return text.n >= start.n && str_eq_nocase(str_part(text, 0, start.n), start);
}

static void add_filter(const struct pq_vendor_converter *converter, const struct pq_elements *at,
		       struct pq_vendor_draft *draft, struct pq_buf *terms)
{
	struct pmuq_str text = pq_vendor_text(converter, at, "Filter");
	struct pmuq_str value = pq_vendor_text(converter, at, "FILTER_VALUE");

	if (!text.p)
		return;
	for (size_t i = 0; converter->layout == PQ_VENDOR_PERFMON && i < COUNT(filters); i++)
		if (starts_nocase(text, filters[i].start)) {
			if (filters[i].is_needed)
				pq_vendor_doubt(converter, draft, "no PMU has a term for '%.*s'",
						STR_ARG(filters[i].start));
			return;
		}
	if (converter->layout == PQ_VENDOR_PERFMON && value.p && str_eq(text, STR("Filter1"))) {
		pq_buf_print(terms, ",config1=%.*s", STR_ARG(value));
		return;
	}
	if (!are_terms(text))
		pq_vendor_doubt(converter, draft, "Filter '%.*s' is no list of terms",
				(int)(text.n < 40 ? text.n : 40), text.p);
	pq_buf_print(terms, ",%.*s", STR_ARG(text));
}

/* Counters that run by themselves have numbers that the repository does not tell. */
static void doubt_free_running(const struct pq_vendor_converter *converter,
			       const struct pq_elements *at, struct pq_vendor_draft *draft)
{
	if (converter->layout == PQ_VENDOR_PERFMON &&
	    str_eq(pq_vendor_text(converter, at, "CounterType"), STR("FREERUN")))
		pq_vendor_doubt(converter, draft, "the code of a free-running counter is not told");
}

bool pq_vendor_make_terms(const struct pq_vendor_converter *converter, const struct pq_elements *at,
			  struct pq_vendor_draft *draft)
{
	cleanup(pq_buf_free) struct pq_buf terms = PQ_BUF_NULL;

	add_code(converter, at, draft, &terms);
	add_fields(converter, at, draft, &terms);
	add_filter(converter, at, draft, &terms);
	add_register(converter, at, draft, &terms);
	doubt_free_running(converter, at, draft);
	if (terms.failed)
		return false;
	draft->terms = pq_arena_str(converter->arena, pq_buf_str(&terms));
	return draft->terms.p;
}

/* Fixed counters, whose codes in the tables are not those that the kernel wants. */
static const struct pmuq_pair fixed[] = {
	{ STR("inst_retired.any"), STR("event=0xc0,period=2000003") },
	{ STR("inst_retired.any_p"), STR("event=0xc0,period=2000003") },
	{ STR("cpu_clk_unhalted.ref"), STR("event=0x0,umask=0x03,period=2000003") },
	{ STR("cpu_clk_unhalted.thread"), STR("event=0x3c,period=2000003") },
	{ STR("cpu_clk_unhalted.core"), STR("event=0x3c,period=2000003") },
	{ STR("cpu_clk_unhalted.thread_any"), STR("event=0x3c,any=1,period=2000003") },
};

struct pmuq_str pq_vendor_fixed_terms(struct pmuq_str name)
{
	for (size_t i = 0; i < COUNT(fixed); i++)
		if (str_eq(fixed[i].name, name))
			return fixed[i].text;
	return (struct pmuq_str){ 0 };
}
