/* SPDX-License-Identifier: MIT */
/*
 * What an event string comes to, a block for each encoding (one for instances that are alike): how
 * it is encoded, what its count means, where it comes from, and which other PMUs have an event of
 * that name. What others call it, and say about it: show_names.c, show_about.c. Opens nothing.
 */
#include "cli/events/attr_text.h"
#include "cli/events/fold_encodings.h"
#include "cli/report.h"
#include "cli/show/show.h"

#include <string.h>

bool show_names_event(const char *string, const char *name)
{
	static const char ends[] = "/,:{} \t\n";
	size_t n = strlen(name);

	for (const char *at = string; n > 0 && (at = strcasestr(at, name)); at++)
		if ((at == string || strchr(ends, at[-1])) && (!at[n] || strchr(ends, at[n])))
			return true;
	return false;
}

static const struct pmuq_event *find_event(const struct pmuq_pmu *pmu, const char *string)
{
	for (size_t i = 0; pmu && i < pmu->definition->n_events; i++)
		if (show_names_event(string, pmuq_pmu_event(pmu, i)->name.p))
			return pmuq_pmu_event(pmu, i);
	return NULL;
}

static void print_pmu(const struct fold *fold)
{
	auto_free char *names = fold_pmus(fold), *types = fold_types(fold);

	show_print("pmu", "%s%s%s %s", names ? names : "", names && *names ? ", " : "",
		   fold->n > 1 ? "types" : "type", types ? types : "?");
}

static void print_attr(const struct pmuq_attr *attr)
{
	struct attr_text field = { .next = ATTR_SIZE };
	auto_free char *text = NULL;
	size_t n_text;
	FILE *to = open_memstream(&text, &n_text);

	if (!to)
		return;
	while (attr_text_next(&field, attr))
		fprintf(to, "%s%s", ftell(to) ? " " : "", field.text);
	fclose(to);
	show_field("attr", text);
}

static void print_scale(const struct pmuq_encoding *encoding)
{
	const char *unit = encoding->unit.p, *scale = encoding->scale.p;

	if (*unit || strcmp(scale, "1") != 0 || encoding->is_per_pkg || encoding->is_snapshot)
		show_print("scale", "1 count = %s%s%s%s%s", scale, *unit ? " " : "", unit,
			   encoding->is_per_pkg ? " (per package)" : "",
			   encoding->is_snapshot ? " (a snapshot)" : "");
}

static bool is_encoded(const struct pmuq_encodings *encodings, const struct pmuq_pmu *pmu)
{
	for (size_t i = 0; i < pmuq_encodings_count(encodings); i++) {
		const char *name = pmuq_encodings_get(encodings, i)->pmu.p;

		if (name && strcmp(name, pmu->name.p) == 0)
			return true;
	}
	return false;
}

/* The PMUs that have an event of that name, too, and are not asked for. */
static void print_others(const struct shown_machine *machine,
			 const struct pmuq_encodings *encodings, const char *string)
{
	const struct pmuq_catalog *catalog = machine->catalog;
	struct instances others = { 0 };
	auto_free char *names = NULL;

	for (size_t i = 0; i < pmuq_catalog_machine(catalog)->n_pmus; i++) {
		const struct pmuq_pmu *pmu = pmuq_catalog_pmu(catalog, i);

		if ((find_event(pmu, string) || show_find_vendor_event(machine, pmu, string)) &&
		    !is_encoded(encodings, pmu) && !instances_add(&others, pmu))
			break;
	}
	if (others.n > 0)
		names = instances_names(&others);
	show_field("also on", names);
	instances_clear(&others);
}

static void print_tool_terms(const struct pmuq_encoding *encoding)
{
	for (size_t i = 0; i < encoding->n_tool_terms; i++)
		show_print(i ? "" : "for tool", "%s=%s",
			   pmuq_encoding_tool_term(encoding, i)->name.p,
			   pmuq_encoding_tool_term(encoding, i)->text.p);
}

static void print_warnings(const struct pmuq_encoding *encoding, const char *string)
{
	for (size_t i = 0; i < encoding->n_warnings; i++) {
		report_draw(stdout, REPORT_WARNING, pmuq_encoding_warning(encoding, i), string,
			    "  ");
	}
}

/* name= hides what was written: then the string says it, if there is but one event in it. */
static const char *written(const struct pmuq_encodings *encodings,
			   const struct pmuq_encoding *encoding, const char *string)
{
	const char *name = encoding->name.p;

	for (size_t i = 0; i < pmuq_encodings_count(encodings); i++)
		if (strcmp(pmuq_encodings_get(encodings, i)->name.p, name) != 0)
			return name;
	return string;
}

/* Where its name comes from, and what that says it is. */
static void print_source(const struct shown_machine *machine, const struct pmuq_encoding *encoding,
			 const char *string)
{
	enum pmuq_origin origin = encoding->origin;
	const char *pmu = encoding->pmu.p;
	const struct pmuq_pmu *on = pmu ? pmuq_catalog_find_pmu(machine->catalog, pmu) : NULL;
	const struct pmuq_event *file = find_event(on, string);
	const struct pmuq_vendor_event *event = show_find_vendor_event(machine, on, string);

	if (origin != PMUQ_FROM_JSON) {
		show_field("source", pmuq_origin_name(origin));
		if (file && origin == PMUQ_FROM_SYSFS)
			show_field("terms", file->terms.p);
		return;
	}
	show_print("source", "%s, %s %s", pmuq_origin_name(origin),
		   pmuq_vendor_content(machine->vendor)->folder.p,
		   pmuq_vendor_content(machine->vendor)->version.p);
	if (event)
		show_field("terms", event->event->terms.p);
}

static void show_block(const struct shown_machine *machine, const char *string,
		       const struct fold *fold)
{
	const struct pmuq_encoding *encoding = fold_get(fold, 0);
	const char *own = written(fold->encodings, encoding, string);

	show_title(encoding->name.p);
	show_about(machine, own, encoding);
	print_pmu(fold);
	show_field("cpus", encoding->cpus.p);
	print_attr(encoding->attr);
	print_scale(encoding);
	print_tool_terms(encoding);
	print_source(machine, encoding, own);
	show_opens(machine, fold);
	show_names(machine, own, fold);
	print_others(machine, fold->encodings, own);
	print_warnings(encoding, string);
}

void show_encodings(const struct shown_machine *machine, const char *string,
		    const struct pmuq_encodings *encodings)
{
	cleanup(opens_freep) struct pmuq_open_results *opens = NULL;
	struct fold fold = { .encodings = encodings };

	/* Where it is this machine, the kernel knows better than anyone; that it could not be asked
	 * hides nothing else. */
	if (pmuq_catalog_machine(machine->catalog)->is_live &&
	    pmuq_encodings_test_open(encodings, NULL, &opens, NULL) == 0)
		fold.opens = opens;
	for (; fold.first < pmuq_encodings_count(encodings); fold.first += fold.n) {
		if (fold.first > 0)
			putchar('\n');
		fold_grow(&fold);
		show_block(machine, string, &fold);
	}
}

void show_refused(const struct pmuq_pmu *pmu, const struct pmuq_event *event, const char *string,
		  const struct pmuq_error *error)
{
	show_title(string);
	show_field("pmu", pmu->name.p);
	show_field("terms", event->terms.p);
	report_draw(stdout, REPORT_NOTE, error, string, "  ");
}
