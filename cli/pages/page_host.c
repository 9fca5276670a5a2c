/* SPDX-License-Identifier: MIT */
/* A machine: its facts, its PMUs with their config words and events, tracepoints, and problems.
 * Sibling instances are one PMU. */
#include "cli/clock.h"
#include "cli/or_die.h"
#include "cli/pages/pages.h"
#include "cli/tables/list_sources.h"
#include <inttypes.h>
#include <string.h>

static void put_facts(FILE *to, const struct page_machine *machine)
{
	const struct pmuq_machine *of = pmuq_catalog_machine(machine->catalog);

	fputs("<section>\n<h2>Facts</h2>\n", to);
	page_begin_table(to, "", COLUMNS());
	for (size_t i = 0; i < of->n_facts; i++)
		page_put(to, "<tr><th scope=\"row\">%s<td class=\"code\">%s\n",
			 of->facts[i].name.p, of->facts[i].text.p);
	page_end_table(to);
	fputs("</section>\n", to);
}

/* ----------------------------------------------------------------------------------- events */

/* What the kernel did with an event on all of the instances. */
struct event_opens {
	size_t n_opened, n_refused, n_skipped;
	const struct pmuq_open_result *refusal; /* the first */
};

static struct event_opens find_opens(const struct pmuq_check *check,
				     const struct instances *instances, const char *event)
{
	struct event_opens ret = { 0 };

	for (size_t i = 0; i < instances->n; i++) {
		const struct pmuq_check_result *found =
			pmuq_check_find(check, instances->v[i]->name.p, event);

		if (!found)
			continue;
		ret.n_opened += found->open->status == PMUQ_OPENED;
		ret.n_skipped += found->open->status == PMUQ_SKIPPED;
		ret.n_refused += found->open->status == PMUQ_REFUSED;
		if (found->open->status == PMUQ_REFUSED && !ret.refusal)
			ret.refusal = found->open;
	}
	return ret;
}

static void put_opens(FILE *to, const struct event_opens *opens)
{
	const char *reason = opens->refusal ? opens->refusal->reason.p : NULL;

	if (opens->n_refused)
		page_put(to, "<span class=\"bad\">no: %s</span>",
			 pmuq_errno_name(opens->refusal->errnum));
	if (opens->n_refused && opens->n_opened)
		page_put(to, " on %zu, yes on %zu", opens->n_refused, opens->n_opened);
	else if (opens->n_opened)
		fputs("<span class=\"good\">yes</span>", to);
	else if (!opens->n_refused)
		fputs(opens->n_skipped ? "skipped" : "not known", to);
	if (reason)
		page_put(to, " <span class=\"quiet\">%s</span>", reason);
}

static void put_event(FILE *to, const struct page_machine *machine,
		      const struct instances *instances, const struct list_event *event)
{
	bool has_unit = *event->unit || strcmp(event->scale, "1") != 0;
	struct event_opens opens;

	page_put(to, "<tr><th scope=\"row\" class=\"code\">%s<td class=\"code\">%s<td>%s %s%s",
		 event->name, event->terms, has_unit ? event->scale : "", event->unit,
		 event->is_per_pkg ? " per package" : "");
	if (machine->check) {
		fputs("<td>", to);
		opens = find_opens(machine->check, instances, event->name);
		put_opens(to, &opens);
	}
	putc('\n', to);
}

static void put_events(FILE *to, const struct page_machine *machine,
		       const struct instances *instances, const struct list_events *events)
{
	if (!events->n)
		return;
	fputs("<h3>Events</h3>\n", to);
	page_begin_table(to, "",
			 COLUMNS("event", "terms", "1 count is", machine->check ? "opens" : NULL));
	for (size_t i = 0; i < events->n; i++)
		put_event(to, machine, instances, &events->v[i]);
	page_end_table(to);
}

/* ------------------------------------------------------------------------------------- PMUs */

static void put_formats(FILE *to, const struct pmuq_pmu *pmu)
{
	const struct pmuq_format *format;

	if (!pmu->definition->n_formats)
		return;
	fputs("<h3>Formats</h3>\n", to);
	page_begin_table(to, "", COLUMNS());
	for (size_t i = 0; (format = pmuq_pmu_format(pmu, i)); i++)
		page_put(to, "<tr><th scope=\"row\" class=\"code\">%s<td class=\"code\">%s%s\n",
			 format->name.p, format->text.p,
			 format->bits.word < 0 || !format->bits.mask ? " (not usable)" : "");
	page_end_table(to);
	page_put_words(to, pmu);
}

static void put_pairs(FILE *to, const char *heading, const struct pmuq_pair *pairs, size_t n)
{
	if (!n)
		return;
	page_put(to, "<h3>%s</h3>\n", heading);
	page_begin_table(to, "", COLUMNS());
	for (size_t i = 0; i < n; i++)
		page_put(to, "<tr><th scope=\"row\" class=\"code\">%s<td class=\"code\">%s\n",
			 pairs[i].name.p, pairs[i].text.p);
	page_end_table(to);
}

/* Files of one instance are not those of the others. */
static void put_pmu(FILE *to, const struct page_machine *machine,
		    const struct instances *instances, const struct list_events *events)
{
	auto_free char *names = instances_names(instances), *types = instances_types(instances);
	const struct pmuq_pmu *pmu = instances->v[0];

	page_put(to,
		 "<details>\n<summary><b class=\"code\">%s</b> <span class=\"quiet\">type %s, "
		 "CPUs %s, ",
		 names, types ? types : "unknown", pmu->cpus.n ? pmu->cpus.p : "unknown");
	page_put_count(to, events->n, "event");
	fputs("</span></summary>\n", to);
	put_events(to, machine, instances, events);
	put_formats(to, pmu);
	put_pairs(to, "Capabilities", pmu->definition->caps, pmu->definition->n_caps);
	if (instances->n == 1)
		put_pairs(to, "Files", pmu->attributes, pmu->n_attributes);
	fputs("</details>\n", to);
}

/* The PMU's siblings follow it in the catalog, but some may differ in more than the number. */
static void gather_instances(const struct pmuq_catalog *catalog, const struct pmuq_pmu *pmu,
			     bool *is_shown, struct instances *ret)
{
	ret->n = 0;
	for (size_t i = pmu->index; i <= pmu->index + pmu->n_siblings; i++) {
		const struct pmuq_pmu *other = pmuq_catalog_pmu(catalog, i);

		if (is_shown[i] || (other != pmu && !instances_are_equal(other, pmu)))
			continue;
		is_shown[i] = true;
		push_or_die(ret, other);
	}
}

static void put_pmus(FILE *to, const struct page_machine *machine)
{
	size_t n = pmuq_catalog_machine(machine->catalog)->n_pmus;
	auto_free bool *is_shown = or_die(calloc(n + 1, sizeof(*is_shown)));
	struct list_sources sources = { .catalog = machine->catalog,
					.from = PMUQ_FROM_SYSFS | PMUQ_FROM_GENERIC };
	struct instances instances = { 0 };

	fputs("<section>\n<h2>", to);
	page_put_count(to, n, "PMU");
	fputs("</h2>\n<div data-find=\"Find a PMU, a format or an event:\" "
	      "data-items=\"details\">\n",
	      to);
	for (size_t i = 0; i < n; i++) {
		const struct list_events *events;

		if (is_shown[i])
			continue;
		gather_instances(machine->catalog, pmuq_catalog_pmu(machine->catalog, i), is_shown,
				 &instances);
		list_sources_gather(&sources, instances.v[0], &events);
		put_pmu(to, machine, &instances, events);
	}
	fputs("</div>\n</section>\n", to);
	list_sources_close(&sources);
	pq_vec_free(&instances);
}

/* ------------------------------------------------------------------------------- the rest */

/* The number of each subsystem: there are thousands of names. */
static void put_tracepoints(FILE *to, const struct pmuq_catalog *catalog)
{
	size_t n = pmuq_catalog_machine(catalog)->n_tracepoints, n_same = 0;

	if (!n)
		return;
	fputs("<section>\n<h2>", to);
	page_put_count(to, n, "tracepoint");
	fputs("</h2>\n<details>\n<summary>by subsystem</summary>\n", to);
	page_begin_table(to, "", COLUMNS());
	for (size_t i = 0; i < n; i++) {
		const struct pmuq_tracepoint *one = pmuq_catalog_tracepoint(catalog, i);
		const struct pmuq_tracepoint *next = pmuq_catalog_tracepoint(catalog, i + 1);

		n_same++;
		if (next && str_eq(next->subsystem, one->subsystem))
			continue;
		page_put(to, "<tr><th scope=\"row\" class=\"code\">%s<td class=\"n\">%zu\n",
			 one->subsystem.p, n_same);
		n_same = 0;
	}
	page_end_table(to);
	fputs("</details>\n</section>\n", to);
}

static void put_problems(FILE *to, const struct pmuq_catalog *catalog)
{
	const struct pmuq_problem *problem;

	if (!pmuq_catalog_machine(catalog)->n_problems)
		return;
	fputs("<section>\n<h2>", to);
	page_put_count(to, pmuq_catalog_machine(catalog)->n_problems, "problem");
	fputs("</h2>\n<p>pmuq could not read or understand these files.\n", to);
	page_begin_table(to, "", COLUMNS());
	for (size_t i = 0; (problem = pmuq_catalog_problem(catalog, i)); i++)
		page_put(to, "<tr><th scope=\"row\" class=\"code\">%s<td>%s\n", problem->path.p,
			 problem->message.p);
	page_end_table(to);
	fputs("</section>\n", to);
}

/* By which kernel, because the other facts may be of a later one. */
static void put_checked(FILE *to, const struct pmuq_check *check)
{
	auto_free char *time = NULL;

	if (!check) {
		fputs("<p class=\"quiet\">Its events were never opened: `pmuq scan --check` does "
		      "it.\n",
		      to);
		return;
	}
	time = clock_text(pmuq_check_progress(check)->time_s);
	page_put(to, "<p class=\"quiet\">Its events were opened at %s by Linux %s.\n", time,
		 pmuq_check_progress(check)->kernel.n ? pmuq_check_progress(check)->kernel.p
						      : "of an unknown release");
}

void page_put_machine(FILE *to, const struct page_machine *machine)
{
	put_checked(to, machine->check);
	put_facts(to, machine);
	put_problems(to, machine->catalog);
	put_pmus(to, machine);
	put_tracepoints(to, machine->catalog);
}
