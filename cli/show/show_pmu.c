/* SPDX-License-Identifier: MIT */
/* A PMU in full, as plain text: facts, files, caps, formats and their bits, events, problems. */
#include "cli/or_die.h"
#include "cli/report.h"
#include "cli/show/show.h"
#include "core/attr/attr.h"
#include <inttypes.h>
#include <string.h>

#define TEXT_COLUMNS_MAX 34

/* A section is a table of texts without lines: as wide as its widest text, up to a limit. */
static void widen(int *columns, const char *text)
{
	size_t n = strlen(text);

	if (n <= TEXT_COLUMNS_MAX && (int)n > *columns)
		*columns = (int)n;
}

/* "caps (3)" */
static void show_heading(const char *heading, size_t n)
{
	printf("%s%s%s (%zu)\n", style_code(stdout, STYLE_NAME), heading,
	       style_code(stdout, STYLE_NONE), n);
}

static void print_padded(const char *text, int columns)
{
	int n = (int)strlen(text);

	printf("  ");
	print_safe(stdout, text);
	printf("%*s", columns > n ? columns - n : 0, "");
}

static void print_types(const struct instances *instances, const struct pmuq_pmu *pmu,
			bool is_group)
{
	auto_free char *types = instances_types(instances), *names = instances_names(instances);

	if (is_group && instances->n > 1 && types)
		label_print("types", "%s", types);
	else if (pmu->has_type)
		label_print("type", "%" PRIu32, pmu->type);
	else
		label_text("type", "unknown");
	if (!is_group && instances->n > 1)
		label_print("siblings", "%s%s%s", names, types ? ", types " : "",
			    types ? types : "");
}

static void print_facts(const struct instances *instances, const struct pmuq_pmu *pmu,
			bool is_group)
{
	print_types(instances, pmu, is_group);
	if (!is_group)
		label_text("alias", pmu->alias.n ? pmu->alias.p : NULL);
	label_text("cpus", pmu->cpus.p);
	label_text("cpumask", pmu->cpumask.p);
	label_text("counts", pmu->is_core     ? "events of CPU cores"
			     : pmu->is_uncore ? "events of shared hardware, per CPU only"
					      : NULL);
}

/* "table", or what the name of a source means for people. */
static const char *source_text(enum pmuq_counters_source source)
{
	static const char *const texts[] = {
		[PMUQ_COUNTERS_TABLE] = "the vendor's table",
		[PMUQ_COUNTERS_EVENTS] = "events of the vendor's table",
		[PMUQ_COUNTERS_CPU] = "this CPU",
		[PMUQ_COUNTERS_MANUAL] = "documented",
	};

	return texts[source];
}

/* "4, and 3 for one event each (the vendor's table); the NMI watchdog takes one" */
static void print_counters(const struct pmuq_counters *counters, bool knows_cpu)
{
	cleanup(pq_buf_free) struct pq_buf text = PQ_BUF_NULL;

	if (counters->is_unlimited) {
		label_text("counters", "each event has its own, or needs none");
		return;
	}
	if (!counters->generic_source) {
		label_text("counters", knows_cpu ? NULL : "not known: the CPU is not known");
		return;
	}
	if (!counters->generic && counters->generic_most)
		pq_buf_print(&text, "at most %u", counters->generic_most);
	else if (counters->generic < counters->generic_most)
		pq_buf_print(&text, "%u, or %u if SMT is off in the firmware", counters->generic,
			     counters->generic_most);
	else
		pq_buf_print(&text, "%u", counters->generic);
	if (counters->fixed_source && counters->fixed)
		pq_buf_print(&text, ", and %u for one event each", counters->fixed);
	pq_buf_print(&text, " (%s)%s", source_text(counters->generic_source),
		     counters->has_watchdog ? "; the NMI watchdog takes one" : "");
	label_text("counters", text_or_die(&text));
}

static const struct pmuq_pmu_file *known_file(const char *directory, const char *name)
{
	const struct pmuq_pmu_file *file;
	size_t n = strlen(directory);

	for (size_t i = 0; (file = pmuq_pmu_file_at(i)); i++)
		if (strncmp(file->path.p, directory, n) == 0 && strcmp(file->path.p + n, name) == 0)
			return file;
	return NULL;
}

/* The content of a file: its text, and for a known file the unit and the meaning. */
static void print_content(const char *directory, const char *name, const char *text)
{
	const struct pmuq_pmu_file *file = known_file(directory, name);

	printf("  ");
	print_safe(stdout, text);
	if (file)
		printf("%s%s  (%s)", file->unit.n ? " " : "", file->unit.p, file->help.p);
	putchar('\n');
}

static void print_attributes(const struct instances *instances, const struct pmuq_pmu *pmu,
			     bool is_group)
{
	size_t n = pmu->n_attributes;
	int columns = 0;

	if (n == 0)
		return;
	show_heading("files", n);
	for (size_t i = 0; i < n; i++)
		widen(&columns, pmu->attributes[i].name.p);
	for (size_t i = 0; i < n; i++) {
		const struct pmuq_pair *file = &pmu->attributes[i];

		print_padded(file->name.p, columns);
		if (is_group && !instances_have_same(instances, i))
			printf("  differs between instances\n");
		else
			print_content("", file->name.p, file->text.p);
	}
}

static void print_caps(const struct pmuq_pmu *pmu)
{
	size_t n = pmu->definition->n_caps;
	int columns = 0;

	if (n == 0)
		return;
	show_heading("caps", n);
	for (size_t i = 0; i < n; i++)
		widen(&columns, pmu->definition->caps[i].name.p);
	for (size_t i = 0; i < n; i++) {
		const struct pmuq_pair *cap = &pmu->definition->caps[i];

		print_padded(cap->name.p, columns);
		print_content("caps/", cap->name.p, cap->text.p);
	}
}

static void print_formats(const struct pmuq_pmu *pmu)
{
	const struct pmuq_format *format;
	int columns = 0, text_columns = 0;

	if (pmu->definition->n_formats == 0)
		return;
	show_heading("formats", pmu->definition->n_formats);
	for (size_t i = 0; (format = pmuq_pmu_format(pmu, i)); i++) {
		widen(&columns, format->name.p);
		widen(&text_columns, format->text.p);
	}
	for (size_t i = 0; (format = pmuq_pmu_format(pmu, i)); i++) {
		uint64_t mask = format->bits.mask;

		print_padded(format->name.p, columns);
		print_padded(format->text.p, text_columns);
		if (mask && format->bits.word >= 0)
			printf("  0x%" PRIx64 "\n", mask);
		else
			printf("  not usable\n");
	}
}

/* Scale, unit and flags, after the terms; NULL if the event has none of them: then the terms are
 * not padded. */
static char *scale_text(const struct list_event *event)
{
	const char *scale = event->scale, *unit = event->unit;
	bool is_plain = !*unit && strcmp(scale, "1") == 0;

	if (is_plain && !event->is_per_pkg && !event->is_snapshot)
		return NULL;
	return print_or_die("  1 count = %s%s%s%s%s", scale, *unit ? " " : "", unit,
			    event->is_per_pkg ? " (per package)" : "",
			    event->is_snapshot ? " (a snapshot)" : "");
}

static void print_events(const struct list_events *events)
{
	int columns = 0, terms_columns = 0;

	if (events->n == 0)
		return;
	show_heading("events", events->n);
	for (size_t i = 0; i < events->n; i++) {
		widen(&columns, events->v[i].name);
		widen(&terms_columns, events->v[i].terms);
	}
	for (size_t i = 0; i < events->n; i++) {
		auto_free char *scale = scale_text(&events->v[i]);

		print_padded(events->v[i].name, columns);
		print_padded(events->v[i].terms, scale ? terms_columns : 0);
		print_safe(stdout, scale ? scale : "");
		putchar('\n');
	}
}

static void print_problems(const struct pmuq_catalog *catalog, const struct pmuq_pmu *pmu)
{
	const struct pmuq_problem *problem;
	size_t n = 0;

	for (size_t i = 0; (problem = pmuq_catalog_problem(catalog, i)); i++)
		n += show_is_of_pmu(problem->path.p, pmu->name.p);
	if (n == 0)
		return;
	show_heading("problems", n);
	for (size_t i = 0; (problem = pmuq_catalog_problem(catalog, i)); i++)
		if (show_is_of_pmu(problem->path.p, pmu->name.p))
			print_safe_line(stdout, "  PMUQ-%03d %s: %s", problem->code,
					problem->path.p, problem->message.p);
}

static void print_pmu(const struct shown_pmu *shown)
{
	const struct instances *instances = shown->instances;
	auto_free char *names = shown->is_group ? instances_names(instances) : NULL;
	const struct pmuq_pmu *pmu = shown->pmu;

	label_title(names ? names : pmu->name.p);
	print_facts(instances, pmu, shown->is_group);
	print_counters(&shown->counters, pmuq_catalog_find_fact(shown->machine->catalog, "cpuid"));
	print_attributes(instances, pmu, shown->is_group);
	print_caps(pmu);
	print_formats(pmu);
	show_layouts(pmu);
	print_events(shown->events);
	for (size_t i = 0; i < (shown->is_group ? instances->n : 1); i++)
		print_problems(shown->machine->catalog, shown->is_group ? instances->v[i] : pmu);
}

/* Of the machine as it was read: this opens no file. */
static void find_counters(struct shown_pmu *shown)
{
	cleanup(pmuq_source_freep) struct pmuq_source *source = NULL;
	const struct shown_machine *machine = shown->machine;

	shown->counters = (struct pmuq_counters){ .size = sizeof(shown->counters) };
	done_or_die(pmuq_source_open_catalog(pmuq_catalog_share(machine->catalog), &source, NULL) ==
		    0);
	optional_or_die(pmuq_source_find_counters(source, shown->pmu->name.p, machine->vendor,
						  &shown->counters, NULL));
}

/* The PMU of software events has no files for them. */
void show_pmu(struct shown_pmu *shown)
{
	struct list_sources *sources = shown->machine->sources;
	const struct pmuq_pmu *pmu = shown->pmu;

	sources->from = PMUQ_FROM_SYSFS;
	if (pmu->has_type && pmu->type == PQ_TYPE_SOFTWARE)
		sources->from |= PMUQ_FROM_GENERIC;
	list_sources_gather(sources, pmu, &shown->events);
	find_counters(shown);
	if (shown->machine->document)
		show_row(shown->machine, &(struct shown){ .pmu = shown });
	else
		print_pmu(shown);
}
