/* SPDX-License-Identifier: MIT */
/*
 * The first word of an event: PMUs, generic events, events of any PMU, tracepoints, vendors'
 * events. They are listed without reading the files that they name; only an event whose whole name
 * is written is tried.
 */
#include "complete/completer.h"
#include "core/freep.h"
#include "core/instance.h"
#include "core/vendor/vendor_table.h"
#include "encode/encoder.h"
#include "encode/words/generic.h"
#include <pmuq/names.h>
#include <pmuq/vendor.h>

typedef int list_names(struct pmuq_source *source, const char *head, struct pmuq_names **ret,
		       struct pmuq_error **reterr);

/* The names that begin with `head`, which is NUL-terminated; NULL if the machine cannot list them.
 */
static struct pmuq_names *list(struct pq_completer *c, list_names *list_all, struct pmuq_str head)
{
	struct pmuq_names *names = NULL;

	pq_complete_note(c, list_all(c->source, head.p, &names, NULL));
	return names;
}

static size_t count(const struct pmuq_names *names)
{
	return names ? pmuq_names_count(names) : 0;
}

static struct pmuq_str name_at(const struct pmuq_names *names, size_t index)
{
	return str_of(pmuq_names_get(names, index));
}

static bool allows(const struct pq_completer *c, enum pmuq_origin origin)
{
	return !c->options.from || c->options.from & origin;
}

/* ------------------------------------------------------------------------------------------ PMUs
 */

/* The name of all PMUs that this is an instance of, or "". */
static struct pmuq_str base_of(struct pmuq_str name)
{
	struct pmuq_str stem;
	uint32_t number;

	if (!pq_instance_number(name, &stem, &number) || !str_ends(stem, STR("_")))
		return STR("");
	return str_part(stem, 0, stem.n - 1);
}

static bool is_instance_of(const struct pmuq_names *names, size_t index, struct pmuq_str base)
{
	return index < count(names) && str_eq(base_of(name_at(names, index)), base);
}

static void offer_pmu(struct pq_completer *c, enum pmuq_candidate_type type, struct pmuq_str name)
{
	const char *quote = pq_complete_quote(c);

	if (pq_complete_can_write(c, name, false))
		pq_complete_offer(c, type, STR(""), "", "%s%.*s%s/", quote, STR_ARG(name), quote);
}

/* Instances are next to each other, and one name means all of them. They are offered one by one
 * only if the number is begun. */
static void offer_pmus(struct pq_completer *c)
{
	cleanup(pmuq_names_freep) struct pmuq_names *names =
		list(c, pmuq_source_list_pmus, c->word);

	for (size_t i = 0; i < count(names); i++) {
		struct pmuq_str name = name_at(names, i), base = base_of(name);

		if (!base.n || base.n < c->word.n || !is_instance_of(names, i + 1, base)) {
			offer_pmu(c, PMUQ_CANDIDATE_PMU, name);
			continue;
		}
		offer_pmu(c, PMUQ_CANDIDATE_INSTANCES, base);
		while (is_instance_of(names, i + 1, base))
			i++;
	}
}

/* ---------------------------------------------------------------------------------------- events
 */

/* The existing event may need parameters, or be unusable. */
static int try_name(struct pq_completer *c, struct pmuq_str name)
{
	const char *quote = pq_complete_quote(c);

	pq_complete_print(c, "%s%.*s%s", quote, STR_ARG(name), quote);
	return pq_complete_try_code(c);
}

static void offer_event(struct pq_completer *c, enum pmuq_candidate_type type, struct pmuq_str name,
			struct pmuq_str about)
{
	const char *quote = pq_complete_quote(c);
	bool wants_terms;
	int r;

	if (!pq_complete_begins(c, name) || !pq_complete_can_write(c, name, false))
		return;
	r = name.n == c->word.n ? try_name(c, name) : 0;
	wants_terms = r == -PMUQ_E_MISSING_PARAMETER;
	if (r == 0 || wants_terms)
		pq_complete_offer(c, type, about, wants_terms ? "" : pq_complete_event_end(c),
				  "%s%.*s%s%s", quote, STR_ARG(name), quote,
				  wants_terms ? "/" : "");
}

/* Without a core PMU only software events can be opened. */
static bool is_counted(struct pmuq_str name, bool has_core)
{
	struct pq_generic generic;

	return has_core || (pq_generic_find(name, &generic) && generic.type == PQ_GENERIC_SOFTWARE);
}

static void offer_generic(struct pq_completer *c)
{
	char name[PMUQ_GENERIC_NAME_MAX];
	struct pq_pmu_list core = { 0 };

	pq_complete_note(c, c->lookup.ops->core_pmus(c->lookup.self, &core, NULL));
	for (size_t i = 0; pmuq_generic_name(i, name); i++)
		if (is_counted(str_of(name), core.n > 0))
			offer_event(c, PMUQ_CANDIDATE_GENERIC, str_of(name), STR(""));
}

static void offer_bare(struct pq_completer *c)
{
	cleanup(pmuq_names_freep) struct pmuq_names *names =
		list(c, pmuq_source_list_events, c->word);

	for (size_t i = 0; i < count(names); i++)
		offer_event(c, PMUQ_CANDIDATE_EVENT, name_at(names, i), STR(""));
}

/* Whether the machine has a PMU of a vendor's table. */
static bool is_covered(struct pq_completer *c, struct pmuq_str pattern)
{
	const struct pmuq_pmu *pmu;
	int r = pq_vendor_next_covered(c->lookup, pattern, &(size_t){ 0 }, &pmu, NULL);

	pq_complete_note(c, r);
	return r == 0;
}

/* A table is for a CPU: it also has events of PMUs that this machine does not have. */
static void offer_vendor(struct pq_completer *c)
{
	const struct pmuq_vendor *vendor = c->options.vendor;
	struct pmuq_str last = STR("");
	bool is_here = false;

	if (!vendor)
		return;
	for (size_t i = 0; i < pmuq_vendor_content(vendor)->n_events; i++) {
		const struct pmuq_vendor_event *event = pmuq_vendor_get(vendor, i);

		if (!pq_complete_begins(c, event->event->name))
			continue;
		if (!str_eq(event->pmu, last))
			is_here = is_covered(c, event->pmu);
		last = event->pmu;
		if (is_here)
			offer_event(c, PMUQ_CANDIDATE_VENDOR, event->event->name,
				    event->description);
	}
}

/* ----------------------------------------------------------------------------------- tracepoints
 */

static void offer_subsystems(struct pq_completer *c)
{
	cleanup(pmuq_names_freep) struct pmuq_names *names =
		list(c, pmuq_source_list_tracepoints, c->word);
	struct pmuq_str last = STR("");

	for (size_t i = 0; i < count(names); i++) {
		struct pmuq_str subsystem, name;

		str_cut(name_at(names, i), ':', &subsystem, &name);
		if (!str_eq(subsystem, last) && pq_complete_can_write(c, subsystem, false))
			pq_complete_offer(c, PMUQ_CANDIDATE_SUBSYSTEM, STR(""), "",
					  "%.*s:", STR_ARG(subsystem));
		last = subsystem;
	}
}

bool pq_complete_tracepoints(struct pq_completer *c)
{
	cleanup(pmuq_names_freep) struct pmuq_names *names =
		list(c, pmuq_source_list_tracepoints, c->event);

	for (size_t i = 0; i < count(names); i++) {
		struct pmuq_str subsystem, name;

		str_cut(name_at(names, i), ':', &subsystem, &name);
		if (pq_complete_can_write(c, name, false))
			pq_complete_offer(c, PMUQ_CANDIDATE_TRACEPOINT, STR(""),
					  pq_complete_event_end(c), "%.*s", STR_ARG(name));
	}
	return count(names) > 0;
}

void pq_complete_events(struct pq_completer *c)
{
	offer_pmus(c);
	if (allows(c, PMUQ_FROM_GENERIC))
		offer_generic(c);
	if (allows(c, PMUQ_FROM_SYSFS))
		offer_bare(c);
	/* There are thousands of each: offered only if the word has begun. */
	if (c->word.n && !c->cursor.is_quoted)
		offer_subsystems(c);
	if (c->word.n && allows(c, PMUQ_FROM_JSON))
		offer_vendor(c);
}
