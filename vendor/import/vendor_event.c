/* SPDX-License-Identifier: MIT */
/*
 * Names and descriptions of an event, and what it inherits from a standard event of its
 * architecture. vendor_terms.c makes the terms.
 */
#include "vendor/import/vendor_event.h"
#include "core/catalog/lookup.h"
#include "core/limits.h"
#include "core/num.h"
#include "core/vendor/vendor_match.h"
#include <pmuq/error.h>

/* Intel's repository writes these for "no value". */
static const struct pmuq_str no_values[] = {
	STR("0"), STR("0x0"), STR("0x00"), STR("na"), STR("null"), STR("tbd"),
};

struct pmuq_str pq_vendor_text(const struct pq_vendor_converter *converter, const char *key)
{
	struct pmuq_str text = pq_vendor_element_text(converter->at, key);

	if (!text.p)
		return text;
	text = str_trim(text);
	if (!text.n)
		return (struct pmuq_str){ 0 };
	for (size_t i = 0; converter->layout == PQ_VENDOR_PERFMON && i < COUNT(no_values); i++)
		if (str_eq(text, no_values[i]))
			return (struct pmuq_str){ 0 };
	return text;
}

bool pq_vendor_draft_problem(const struct pq_vendor_converter *converter, const char *format, ...)
{
	struct pq_buf text = PQ_BUF_IN(converter->arena);
	va_list args;

	if (converter->draft->problem.p)
		return true;
	va_start(args, format);
	pq_buf_print_args(&text, format, args);
	va_end(args);
	converter->draft->problem = pq_buf_take_str(&text);
	return converter->draft->problem.p;
}

static struct pmuq_str keep(const struct pq_vendor_converter *converter, struct pmuq_str text)
{
	return text.p ? pq_arena_str(converter->arena, text) : STR("");
}

static struct pmuq_str without_end(struct pmuq_str text, struct pmuq_str end)
{
	return str_ends(text, end) ? str_part(text, 0, text.n - end.n) : text;
}

/* A sentence without its full stop, as perf prints it. */
static struct pmuq_str read_sentence(const struct pq_vendor_converter *converter, const char *key)
{
	struct pmuq_str text = pq_vendor_element_text(converter->at, key);

	if (!text.p)
		return text;
	return without_end(without_end(without_end(text, STR(".  ")), STR(". ")), STR("."));
}

static bool contains(struct pmuq_str text, struct pmuq_str part)
{
	return memmem(text.p, text.n, part.p, part.n);
}

/* Notes on how to use the event follow its description. */
static void add_notes(const struct pq_vendor_converter *converter, struct pmuq_str description,
		      struct pq_buf *notes)
{
	bool is_perfmon = converter->layout == PQ_VENDOR_PERFMON;
	struct pmuq_str precise = pq_vendor_text(converter, "PEBS");
	struct pmuq_str errata = pq_vendor_text(converter, "Errata");

	/* Its name in Intel's newer files. */
	if (!precise.p && is_perfmon)
		precise = pq_vendor_text(converter, "Precise");
	if (pq_vendor_text(converter, "Data_LA").p) {
		pq_buf_add(notes, STR("  Supports address when precise"));
		pq_buf_add(notes, errata.p ? STR(".") : STR(""));
	}
	if (errata.p)
		pq_buf_print(notes, "  Spec update: %.*s", STR_ARG(errata));
	if (!precise.p || !description.n || contains(description, STR("(Precise Event)")))
		return;
	pq_buf_add(notes,
		   str_eq(precise, STR("2")) ? STR(" (Must be precise)") : STR(" (Precise event)"));
}

/* A text and the notes; "" if there is no text. */
static struct pmuq_str join(const struct pq_vendor_converter *converter, struct pmuq_str text,
			    struct pmuq_str notes, bool *failed)
{
	struct pq_buf joined = PQ_BUF_IN(converter->arena);

	if (!text.n)
		return text.p ? text : STR("");
	pq_buf_add(&joined, text);
	pq_buf_add(&joined, notes);
	*failed |= joined.failed;
	return str_of(pq_buf_take(&joined));
}

static bool describe(const struct pq_vendor_converter *converter)
{
	struct pmuq_str brief = read_sentence(converter, "BriefDescription");
	struct pmuq_str whole = read_sentence(converter, "PublicDescription");
	cleanup(pq_buf_free) struct pq_buf notes = PQ_BUF_NULL;
	bool failed = false;

	add_notes(converter, brief, &notes);
	if (str_eq(brief, whole))
		whole = STR("");
	converter->draft->description = join(converter, brief, pq_buf_str(&notes), &failed);
	converter->draft->long_description = join(converter, whole, pq_buf_str(&notes), &failed);
	return !failed && !notes.failed;
}

static struct pmuq_str lower(const struct pq_vendor_converter *converter, struct pmuq_str text)
{
	return text.p ? pq_arena_lower(converter->arena, text) : text;
}

/* Intel's "OFFCORE_RESPONSE:request=A:response=B" and "OFFCORE_RESPONSE_0.A.B" are perf's
 * "offcore_response.a.b". */
static struct pmuq_str read_offcore_name(const struct pq_vendor_converter *converter,
					 struct pmuq_str name)
{
	static const struct pmuq_str request = STR("OFFCORE_RESPONSE:request=");
	static const struct pmuq_str response = STR(":response=");
	cleanup(pq_buf_free) struct pq_buf buf = PQ_BUF_NULL;
	struct pmuq_str rest = str_starts(name, request) ? str_part(name, request.n, name.n) : name;
	const char *middle = memmem(rest.p, rest.n, response.p, response.n);

	if (converter->layout != PQ_VENDOR_PERFMON)
		return name;
	if (str_starts(name, STR("OFFCORE_RESPONSE_0")))
		pq_buf_print(&buf, "OFFCORE_RESPONSE%.*s", STR_ARG(str_part(name, 18, name.n)));
	else if (rest.n < name.n && middle)
		pq_buf_print(
			&buf, "OFFCORE_RESPONSE.%.*s.%.*s", (int)(middle - rest.p), rest.p,
			STR_ARG(str_part(rest, (size_t)(middle - rest.p) + response.n, rest.n)));
	else
		return name;
	return buf.failed ? (struct pmuq_str){ 0 } : keep(converter, pq_buf_str(&buf));
}

static bool is_true(const struct pq_vendor_converter *converter, const char *key)
{
	struct pmuq_str text = pq_vendor_text(converter, key);

	return text.p && !str_eq(text, STR("0"));
}

/* "0" is a counter, also where it means no value in other members. */
static struct pmuq_str counters_of(const struct pq_vendor_converter *converter, const char *key)
{
	struct pmuq_str text = pq_vendor_element_text(converter->at, key);

	return keep(converter, text.p ? str_trim(text) : text);
}

/* All members except the name of the standard event that it is based on. */
static bool read_own(const struct pq_vendor_converter *converter)
{
	struct pmuq_str name = pq_vendor_text(converter, "EventName");
	struct pmuq_str unit = pq_vendor_text(converter, "Unit");
	struct pq_vendor_draft *draft = converter->draft;

	*draft = (struct pq_vendor_draft){
		.name = name.p ? lower(converter, read_offcore_name(converter, name)) : name,
		.pmu = pq_vendor_unit_pmu(converter, unit),
		.scale_unit = keep(converter, pq_vendor_text(converter, "ScaleUnit")),
		.compat = keep(converter, pq_vendor_text(converter, "Compat")),
		.topic = converter->topic,
		.is_per_pkg = is_true(converter, "PerPkg") ||
			      (converter->layout == PQ_VENDOR_PERFMON && unit.p),
		.is_deprecated = is_true(converter, "Deprecated"),
		.metric = keep(converter, pq_vendor_text(converter, "MetricName")),
		.expression = keep(converter, pq_vendor_text(converter, "MetricExpr")),
		.groups = keep(converter, pq_vendor_text(converter, "MetricGroup")),
		.threshold = keep(converter, pq_vendor_text(converter, "MetricThreshold")),
		.constraint = keep(converter, pq_vendor_text(converter, "MetricConstraint")),
		.no_group = keep(converter, pq_vendor_text(converter, "MetricgroupNoGroup")),
		.default_group =
			keep(converter, pq_vendor_text(converter, "DefaultMetricgroupName")),
		.aggregation = keep(converter, pq_vendor_text(converter, "AggregationMode")),
		.shows_events = is_true(converter, "DefaultShowEvents"),
		.counters = counters_of(converter, "Counter"),
		.counters_smt_off = counters_of(converter, "CounterHTOff"),
		.is_taken_alone = is_true(converter, "TakenAlone"),
		.latency = keep(converter,
				pq_vendor_element_number(converter->at, "RetirementLatencyMean")),
		.path = converter->at->file->path,
		.line = converter->at->line,
		.column = converter->at->column,
	};
	if (!draft->pmu.p || (name.p && !draft->name.p) || !describe(converter))
		return false;
	if (draft->name.n > PQ_NAME_MAX_BYTES)
		return pq_vendor_draft_problem(converter, "its name is longer than 255 bytes");
	return pq_vendor_make_terms(converter);
}

struct pq_vendor_draft pq_vendor_empty_draft(const struct pq_vendor_converter *converter)
{
	static const struct pmuq_str none = STR("");

	return (struct pq_vendor_draft){
		.pmu = converter->core_pmu,
		.terms = none,
		.scale_unit = none,
		.compat = none,
		.topic = converter->topic,
		.description = none,
		.long_description = none,
		.counters = none,
		.counters_smt_off = none,
		.latency = none,
		.expression = none,
		.groups = none,
		.threshold = none,
		.constraint = none,
		.no_group = none,
		.default_group = none,
		.aggregation = none,
		.path = converter->at->file->path,
		.line = converter->at->line,
		.column = converter->at->column,
	};
}

static struct pmuq_str *text_at(struct pq_vendor_draft *draft, size_t offset)
{
	return (struct pmuq_str *)((char *)draft + offset);
}

/* Members that the event does not have come from the standard event; its terms always do. A small
 * file can refer many times to a long text, which is stored each time. */
static void inherit(const struct pq_vendor_converter *converter, struct pq_vendor_draft standard)
{
	static const size_t texts[] = {
		offsetof(struct pq_vendor_draft, name),
		offsetof(struct pq_vendor_draft, scale_unit),
		offsetof(struct pq_vendor_draft, compat),
		offsetof(struct pq_vendor_draft, description),
		offsetof(struct pq_vendor_draft, long_description),
		offsetof(struct pq_vendor_draft, metric),
		offsetof(struct pq_vendor_draft, expression),
		offsetof(struct pq_vendor_draft, groups),
		offsetof(struct pq_vendor_draft, threshold),
		offsetof(struct pq_vendor_draft, constraint),
		offsetof(struct pq_vendor_draft, no_group),
		offsetof(struct pq_vendor_draft, default_group),
		offsetof(struct pq_vendor_draft, aggregation),
		offsetof(struct pq_vendor_draft, counters),
		offsetof(struct pq_vendor_draft, counters_smt_off),
		offsetof(struct pq_vendor_draft, latency),
		offsetof(struct pq_vendor_draft, terms),
		offsetof(struct pq_vendor_draft, problem),
	};
	struct pq_vendor_tree *tree = converter->at->tree;
	struct pq_vendor_draft *draft = converter->draft;

	draft->terms = draft->problem = (struct pmuq_str){ 0 };
	for (size_t i = 0; i < COUNT(texts); i++) {
		struct pmuq_str *text = text_at(draft, texts[i]);

		tree->inherited_bytes += text_at(&standard, texts[i])->n;
		if (!text->n)
			*text = *text_at(&standard, texts[i]);
	}
	draft->is_per_pkg |= standard.is_per_pkg;
	draft->shows_events |= standard.shows_events;
	draft->is_deprecated |= standard.is_deprecated;
	if (tree->inherited_bytes > PQ_VENDOR_INHERITED_MAX_BYTES)
		pq_vendor_fail_at(tree, converter->at->file, converter->at->offset, 1,
				  "events take more than 16 MiB of text from standard events");
}

/* Only the kernel's tables have standard events. */
static bool use_standard(const struct pq_vendor_converter *converter)
{
	struct pmuq_str name = pq_vendor_text(converter, "ArchStdEvent");
	const struct pq_vendor_standards *standards = converter->standards;
	const struct pq_vendor_standard *found = NULL;
	struct pmuq_str key = lower(converter, name);

	if (!key.p)
		return !name.p;
	if (standards)
		found = pq_map_find(&standards->by_name, PQ_NAMED(standards->v, name), key);
	if (found) {
		inherit(converter, found->draft);
		return true;
	}
	converter->draft->problem = (struct pmuq_str){ 0 };
	if (!converter->draft->name.n)
		converter->draft->name = key;
	return pq_vendor_draft_problem(converter, "its architecture has no standard event '%.*s'",
				       STR_ARG(name));
}

/* An expression that no machine can match is a problem here, and not each time an event is
 * encoded. */
static bool check_compat(const struct pq_vendor_converter *converter)
{
	struct pmuq_error *error = NULL;
	int r = pq_vendor_check_pattern(STR(""), converter->draft->compat, &error);
	bool has_memory = r != -PMUQ_E_MEMORY;

	if (r == -PMUQ_E_BAD_REGEX)
		has_memory =
			pq_vendor_draft_problem(converter, "its Compat is an %s", error->message.p);
	pmuq_error_free(error);
	return has_memory;
}

/* A small number; 0 without the member. */
static int64_t small_number(const struct pq_vendor_converter *converter, const char *key)
{
	struct pmuq_str text = pq_vendor_text(converter, key);
	uint64_t number = 0;

	return text.p && pq_num_any(text, &number) == PQ_NUM_OK && number <= PQ_COUNTERS_MAX
		       ? (int64_t)number
		       : 0;
}

bool pq_vendor_read_counters(const struct pq_vendor_converter *converter,
			     struct pq_vendor_counters *ret)
{
	struct pmuq_str unit = pq_vendor_text(converter, "Unit");

	if (!pq_vendor_text(converter, "CountersNumGeneric").p || !unit.p)
		return false;
	*ret = (struct pq_vendor_counters){
		.pmu = str_eq(unit, STR("core")) ? converter->core_pmu
						 : pq_vendor_unit_pmu(converter, unit),
		.generic = small_number(converter, "CountersNumGeneric"),
		.fixed = small_number(converter, "CountersNumFixed"),
	};
	return true;
}

bool pq_vendor_convert(const struct pq_vendor_converter *converter)
{
	struct pq_vendor_draft *draft = converter->draft;
	struct pmuq_str known;

	if (!read_own(converter) || !use_standard(converter))
		return false;
	known = pq_vendor_fixed_terms(draft->name);
	if (known.p) {
		draft->terms = known;
		draft->problem = (struct pmuq_str){ 0 };
	}
	return check_compat(converter) && !converter->arena->is_refused;
}
