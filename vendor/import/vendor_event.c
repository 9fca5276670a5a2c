/* SPDX-License-Identifier: MIT */
/* Names, descriptions, and what an event takes over from one that its architecture has for all. */
#include "vendor/import/vendor_event.h"
#include "core/catalog/lookup.h"
#include <stdio.h>

/* What Intel's repository writes where it has nothing to say. */
static const struct pmuq_str nothings[] = {
	STR("0"), STR("0x0"), STR("0x00"), STR("na"), STR("null"), STR("tbd"),
};

struct pmuq_str pq_vendor_text(const struct pq_vendor_converter *converter,
			       const struct pq_elements *at, const char *key)
{
	struct pmuq_str text = pq_element_text(at, key);

	if (!text.p)
		return text;
	text = str_trim(text);
	if (!text.n)
		return (struct pmuq_str){ 0 };
	for (size_t i = 0; converter->layout == PQ_VENDOR_PERFMON && i < COUNT(nothings); i++)
		if (str_eq(text, nothings[i]))
			return (struct pmuq_str){ 0 };
	return text;
}

bool pq_vendor_doubt(const struct pq_vendor_converter *converter, struct pq_vendor_draft *draft,
		     const char *format, ...)
{
	auto_free char *text = NULL;
	va_list args;
	int n;

	if (draft->problem.p)
		return true;
	va_start(args, format);
	n = vasprintf(&text, format, args);
	va_end(args);
	if (n < 0) {
		text = NULL;
		return false;
	}
	draft->problem = pq_arena_str(converter->arena, str_of(text));
	return draft->problem.p;
}

static struct pmuq_str keep(const struct pq_vendor_converter *converter, struct pmuq_str text)
{
	return text.p ? pq_arena_str(converter->arena, text) : text;
}

static struct pmuq_str without_end(struct pmuq_str text, struct pmuq_str end)
{
	return str_ends(text, end) ? str_part(text, 0, text.n - end.n) : text;
}

/* A sentence goes without its full stop, as in perf's lists. */
static struct pmuq_str read_sentence(const struct pq_elements *at, const char *key)
{
	struct pmuq_str text = pq_element_text(at, key);

	if (!text.p)
		return text;
	return without_end(without_end(without_end(text, STR(".  ")), STR(". ")), STR("."));
}

static bool contains(struct pmuq_str text, struct pmuq_str part)
{
	return memmem(text.p, text.n, part.p, part.n);
}

/* What an event needs to be used well stands behind its description. */
static void add_notes(const struct pq_vendor_converter *converter, const struct pq_elements *at,
		      struct pmuq_str description, struct pq_buf *notes)
{
	bool is_perfmon = converter->layout == PQ_VENDOR_PERFMON;
	struct pmuq_str precise = pq_vendor_text(converter, at, "PEBS");
	struct pmuq_str errata = pq_vendor_text(converter, at, "Errata");

	/* What newer files of Intel's call it. */
	if (!precise.p && is_perfmon)
		precise = pq_vendor_text(converter, at, "Precise");
	if (pq_vendor_text(converter, at, "Data_LA").p) {
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

static struct pmuq_str join(const struct pq_vendor_converter *converter, struct pmuq_str text,
			    struct pmuq_str notes, bool *failed)
{
	char *p;

	if (!text.n)
		return (struct pmuq_str){ 0 };
	p = pq_arena_take(converter->arena, text.n + notes.n + 1);
	if (!p) {
		*failed = true;
		return (struct pmuq_str){ 0 };
	}
	memcpy(p, text.p, text.n);
	memcpy(p + text.n, notes.p, notes.n);
	p[text.n + notes.n] = '\0';
	return (struct pmuq_str){ .p = p, .n = text.n + notes.n };
}

static bool describe(const struct pq_vendor_converter *converter, const struct pq_elements *at,
		     struct pq_vendor_draft *draft)
{
	struct pmuq_str brief = read_sentence(at, "BriefDescription");
	struct pmuq_str whole = read_sentence(at, "PublicDescription");
	cleanup(pq_buf_free) struct pq_buf notes = PQ_BUF_NULL;
	bool failed = false;

	add_notes(converter, at, brief, &notes);
	if (brief.n && whole.n && str_eq(brief, whole))
		whole = (struct pmuq_str){ 0 };
	draft->description = join(converter, brief, pq_buf_str(&notes), &failed);
	draft->long_description = join(converter, whole, pq_buf_str(&notes), &failed);
	return !failed && !notes.failed;
}

static struct pmuq_str lower(const struct pq_vendor_converter *converter, struct pmuq_str text)
{
	return text.p ? pq_arena_lower(converter->arena, text) : text;
}

/* "OFFCORE_RESPONSE:request=A:response=B" and "OFFCORE_RESPONSE_0.A.B" are names of Intel's for
 * what perf calls "offcore_response.a.b". */
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

static bool is_true(const struct pq_vendor_converter *converter, const struct pq_elements *at,
		    const char *key)
{
	struct pmuq_str text = pq_vendor_text(converter, at, key);

	return text.p && !str_eq(text, STR("0"));
}

static bool read_own(const struct pq_vendor_converter *converter, const struct pq_elements *at,
		     struct pq_vendor_draft *draft)
{
	struct pmuq_str name = pq_vendor_text(converter, at, "EventName");
	struct pmuq_str unit = pq_vendor_text(converter, at, "Unit");

	*draft = (struct pq_vendor_draft){
		.name = name.p ? lower(converter, read_offcore_name(converter, name)) : name,
		.pmu = pq_vendor_unit_pmu(converter, unit),
		.scale_unit = keep(converter, pq_vendor_text(converter, at, "ScaleUnit")),
		.compat = keep(converter, pq_vendor_text(converter, at, "Compat")),
		.topic = converter->topic,
		.is_per_pkg = is_true(converter, at, "PerPkg") ||
			      (converter->layout == PQ_VENDOR_PERFMON && unit.p),
		.is_deprecated = is_true(converter, at, "Deprecated"),
		.metric = keep(converter, pq_vendor_text(converter, at, "MetricName")),
		.expression = keep(converter, pq_vendor_text(converter, at, "MetricExpr")),
		.groups = keep(converter, pq_vendor_text(converter, at, "MetricGroup")),
		.threshold = keep(converter, pq_vendor_text(converter, at, "MetricThreshold")),
		.path = at->file->path,
		.line = at->line,
		.column = at->column,
	};
	if (!draft->pmu.p || (name.p && !draft->name.p) || !describe(converter, at, draft))
		return false;
	if (draft->name.n > PQ_NAME_MAX_BYTES)
		return pq_vendor_doubt(converter, draft, "its name is longer than 255 bytes");
	return pq_vendor_make_terms(converter, at, draft);
}

static void take(struct pmuq_str *own, struct pmuq_str standard)
{
	if (!own->n)
		*own = standard;
}

static void build_on(struct pq_vendor_draft *draft, const struct pq_vendor_draft *standard)
{
	take(&draft->name, standard->name);
	take(&draft->scale_unit, standard->scale_unit);
	take(&draft->compat, standard->compat);
	take(&draft->description, standard->description);
	take(&draft->long_description, standard->long_description);
	take(&draft->metric, standard->metric);
	take(&draft->expression, standard->expression);
	take(&draft->groups, standard->groups);
	take(&draft->threshold, standard->threshold);
	draft->is_per_pkg |= standard->is_per_pkg;
	draft->is_deprecated |= standard->is_deprecated;
	draft->terms = standard->terms;
	draft->problem = standard->problem;
}

static bool use_standard(const struct pq_vendor_converter *converter, const struct pq_elements *at,
			 struct pq_vendor_draft *draft)
{
	struct pmuq_str name = pq_vendor_text(converter, at, "ArchStdEvent");
	const struct pq_vendor_standards *standards = converter->standards;
	const struct pq_vendor_standard *found = NULL;
	struct pmuq_str key = name.p ? lower(converter, name) : name;

	if (!name.p)
		return true;
	if (!key.p)
		return false;
	if (standards)
		found = pq_map_find(&standards->by_name, PQ_NAMED(standards->v, name), key);
	if (found)
		build_on(draft, &found->draft);
	else
		draft->problem = (struct pmuq_str){ 0 };
	if (found)
		return true;
	take(&draft->name, key);
	return pq_vendor_doubt(converter, draft, "its architecture has no standard event '%.*s'",
			       STR_ARG(name));
}

int pq_vendor_convert(const struct pq_vendor_converter *converter, const struct pq_elements *at,
		      struct pq_vendor_draft *ret, struct pmuq_error **reterr)
{
	struct pmuq_str known;

	if (!read_own(converter, at, ret) || !use_standard(converter, at, ret))
		return pq_fail_memory(reterr);
	known = pq_vendor_fixed_terms(ret->name);
	if (known.p) {
		ret->terms = known;
		ret->problem = (struct pmuq_str){ 0 };
	}
	return 0;
}
