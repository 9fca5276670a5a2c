/* SPDX-License-Identifier: MIT */
/* `pmuq show`: one PMU or one event in full, as plain text. */
#include "cli/cmd.h"
#include "cli/encode.h"
#include "cli/options.h"
#include "cli/source.h"
#include <inttypes.h>
#include <string.h>

#define LABEL_COLUMNS 9
#define TEXT_COLUMNS_MAX 34

static void print_field(const char *label, const char *text)
{
	if (!text)
		return;
	printf("  %-*s", LABEL_COLUMNS, label);
	print_safe(stdout, text);
	putchar('\n');
}

static void print_heading(const char *heading, size_t n)
{
	printf("%s%s%s (%zu)\n", style_code(stdout, STYLE_NAME), heading,
	       style_code(stdout, STYLE_NONE), n);
}

/* A section is a table of texts without lines: as wide as its widest text, within reason. */
static int columns_of(const char *(*text)(const struct pmuq_pmu *pmu, size_t index),
		      const struct pmuq_pmu *pmu, size_t n)
{
	size_t widest = 0;

	for (size_t i = 0; i < n; i++) {
		size_t length = strlen(text(pmu, i));

		widest = length > widest && length <= TEXT_COLUMNS_MAX ? length : widest;
	}
	return (int)widest;
}

static void print_padded(const char *text, int columns)
{
	int n = (int)strlen(text);

	printf("  ");
	print_safe(stdout, text);
	printf("%*s", columns > n ? columns - n : 0, "");
}

static void print_last(const char *text)
{
	printf("  ");
	print_safe(stdout, text);
	putchar('\n');
}

static void print_facts(const struct pmuq_pmu *pmu)
{
	char type_text[16];
	uint32_t type;

	if (pmuq_pmu_type(pmu, &type))
		snprintf(type_text, sizeof(type_text), "%" PRIu32, type);
	else
		snprintf(type_text, sizeof(type_text), "unknown");
	print_field("type", type_text);
	print_field("alias", pmuq_pmu_alias(pmu));
	print_field("cpus", pmuq_pmu_cpus(pmu));
	print_field("cpumask", pmuq_pmu_cpumask(pmu));
	print_field("counts", pmuq_pmu_is_core(pmu)	? "what CPU cores do"
			      : pmuq_pmu_is_uncore(pmu) ? "per CPU only, what many share"
							: NULL);
}

static void print_attributes(const struct pmuq_pmu *pmu)
{
	size_t n = pmuq_pmu_attribute_count(pmu);
	int columns = columns_of(pmuq_pmu_attribute_name, pmu, n);

	if (n == 0)
		return;
	print_heading("files", n);
	for (size_t i = 0; i < n; i++) {
		print_padded(pmuq_pmu_attribute_name(pmu, i), columns);
		print_last(pmuq_pmu_attribute_text(pmu, i));
	}
}

static void print_caps(const struct pmuq_pmu *pmu)
{
	size_t n = pmuq_pmu_cap_count(pmu);
	int columns = columns_of(pmuq_pmu_cap_name, pmu, n);

	if (n == 0)
		return;
	print_heading("caps", n);
	for (size_t i = 0; i < n; i++) {
		print_padded(pmuq_pmu_cap_name(pmu, i), columns);
		print_last(pmuq_pmu_cap_text(pmu, i));
	}
}

static const char *format_name(const struct pmuq_pmu *pmu, size_t index)
{
	return pmuq_format_name(pmuq_pmu_format(pmu, index));
}

static const char *format_text(const struct pmuq_pmu *pmu, size_t index)
{
	return pmuq_format_text(pmuq_pmu_format(pmu, index));
}

static void print_formats(const struct pmuq_pmu *pmu)
{
	size_t n = pmuq_pmu_format_count(pmu);
	int columns = columns_of(format_name, pmu, n),
	    text_columns = columns_of(format_text, pmu, n);

	if (n == 0)
		return;
	print_heading("formats", n);
	for (size_t i = 0; i < n; i++) {
		uint64_t mask = pmuq_format_mask(pmuq_pmu_format(pmu, i));

		print_padded(format_name(pmu, i), columns);
		print_padded(format_text(pmu, i), text_columns);
		if (mask)
			printf("  0x%" PRIx64 "\n", mask);
		else
			print_last("not usable");
	}
}

static const char *event_name(const struct pmuq_pmu *pmu, size_t index)
{
	return pmuq_event_name(pmuq_pmu_event(pmu, index));
}

static const char *event_terms(const struct pmuq_pmu *pmu, size_t index)
{
	return pmuq_event_terms(pmuq_pmu_event(pmu, index));
}

/* What is behind the terms, as a text of its own: nothing is padded that nothing follows. */
static char *count_text(const struct pmuq_event *event)
{
	const char *scale = pmuq_event_scale(event), *unit = pmuq_event_unit(event);
	bool is_plain = !*unit && strcmp(scale, "1") == 0;
	char *text = NULL;

	if (asprintf(&text, "%s%s%s%s%s%s", is_plain ? "" : "  times ", is_plain ? "" : scale,
		     *unit ? " " : "", unit, pmuq_event_is_per_pkg(event) ? "  per package" : "",
		     pmuq_event_is_snapshot(event) ? "  snapshot" : "") < 0)
		return NULL;
	return text;
}

static void print_events(const struct pmuq_pmu *pmu)
{
	size_t n = pmuq_pmu_event_count(pmu);
	int columns = columns_of(event_name, pmu, n),
	    terms_columns = columns_of(event_terms, pmu, n);

	if (n == 0)
		return;
	print_heading("events", n);
	for (size_t i = 0; i < n; i++) {
		auto_free char *count = count_text(pmuq_pmu_event(pmu, i));

		print_padded(event_name(pmu, i), columns);
		print_padded(event_terms(pmu, i), count && *count ? terms_columns : 0);
		print_safe(stdout, count ? count : "");
		putchar('\n');
	}
}

/* Whether a path has the PMU's directory in it. */
static bool is_of_pmu(const char *path, const char *pmu)
{
	size_t n = strlen(pmu);

	for (const char *at = path; (at = strstr(at, pmu)); at++)
		if (at > path && at[-1] == '/' && (at[n] == '/' || at[n] == 0))
			return true;
	return false;
}

static void print_problems(const struct pmuq_catalog *catalog, const struct pmuq_pmu *pmu)
{
	size_t n = 0;

	for (size_t i = 0; i < pmuq_catalog_problem_count(catalog); i++)
		n += is_of_pmu(pmuq_catalog_problem_path(catalog, i), pmuq_pmu_name(pmu));
	if (n == 0)
		return;
	print_heading("problems", n);
	for (size_t i = 0; i < pmuq_catalog_problem_count(catalog); i++) {
		const char *path = pmuq_catalog_problem_path(catalog, i);

		if (!is_of_pmu(path, pmuq_pmu_name(pmu)))
			continue;
		printf("  PMUQ-%03d ", pmuq_catalog_problem_code(catalog, i));
		print_safe(stdout, path);
		printf(": ");
		print_safe(stdout, pmuq_catalog_problem_message(catalog, i));
		putchar('\n');
	}
}

static void print_title(const char *title)
{
	printf("%s", style_code(stdout, STYLE_NAME));
	print_safe(stdout, title);
	printf("%s\n", style_code(stdout, STYLE_NONE));
}

static void show_pmu(const struct pmuq_catalog *catalog, const struct pmuq_pmu *pmu)
{
	print_title(pmuq_pmu_name(pmu));
	print_facts(pmu);
	print_attributes(pmu);
	print_caps(pmu);
	print_formats(pmu);
	print_events(pmu);
	print_problems(catalog, pmu);
}

static void print_refusal(const struct pmuq_error *error, const char *string)
{
	struct diagnosis diagnosis = diagnosis_of(error);

	report_draw(stdout, REPORT_NOTE, &diagnosis, string, "  ");
}

/* The terms as the kernel wrote them, then what they come to. */
static void show_event(const struct pmuq_catalog *catalog, const struct pmuq_pmu *pmu,
		       const struct pmuq_event *event)
{
	cleanup(encodings_freep) struct pmuq_encodings *encodings = NULL;
	cleanup(error_freep) struct pmuq_error *error = NULL;
	auto_free char *string = NULL;
	struct answer answer = { 0 };

	if (asprintf(&string, "%s/%s/", pmuq_pmu_name(pmu), pmuq_event_name(event)) < 0)
		return;
	if (pmuq_catalog_encode(catalog, string, NULL, &encodings, &error) < 0) {
		print_title(string);
		print_field("terms", pmuq_event_terms(event));
		print_refusal(error, string);
		return;
	}
	answer.input = string;
	answer.encodings = encodings;
	encode_write_text(&answer, true);
	print_field("terms", pmuq_event_terms(event));
}

/* NAME, PMU/NAME or PMU/NAME/. */
static bool is_event_called(const struct pmuq_pmu *pmu, const struct pmuq_event *event,
			    const char *name)
{
	const char *pmu_name = pmuq_pmu_name(pmu), *own = pmuq_event_name(event);
	size_t n_pmu = strlen(pmu_name), n_own = strlen(own);

	if (strcmp(name, own) == 0)
		return true;
	if (strncmp(name, pmu_name, n_pmu) != 0 || name[n_pmu] != '/')
		return false;
	name += n_pmu + 1;
	return strncmp(name, own, n_own) == 0 && (!name[n_own] || strcmp(name + n_own, "/") == 0);
}

static size_t show_events(const struct pmuq_catalog *catalog, const char *name)
{
	size_t n_shown = 0;

	for (size_t i = 0; i < pmuq_catalog_pmu_count(catalog); i++) {
		const struct pmuq_pmu *pmu = pmuq_catalog_pmu(catalog, i);

		for (size_t k = 0; k < pmuq_pmu_event_count(pmu); k++) {
			if (!is_event_called(pmu, pmuq_pmu_event(pmu, k), name))
				continue;
			if (n_shown++)
				putchar('\n');
			show_event(catalog, pmu, pmuq_pmu_event(pmu, k));
		}
	}
	return n_shown;
}

static const char *next_pmu(const void *of, size_t index)
{
	const struct pmuq_pmu *pmu = pmuq_catalog_pmu(of, index);

	return pmu ? pmuq_pmu_name(pmu) : NULL;
}

static int show(const struct pmuq_catalog *catalog, const char *name)
{
	const struct pmuq_pmu *pmu = pmuq_catalog_find_pmu(catalog, name);
	const char *near;

	if (pmu) {
		show_pmu(catalog, pmu);
		return STATUS_OK;
	}
	if (show_events(catalog, name) > 0)
		return STATUS_OK;
	near = nearest(name, next_pmu, catalog);
	if (near)
		report(REPORT_ERROR, "no PMU and no event is called '%s'; did you mean '%s'?", name,
		       near);
	else
		report(REPORT_ERROR, "no PMU and no event is called '%s'", name);
	return STATUS_INVALID;
}

static int run_show(struct cli *cli, const struct command *command, int argc, char **argv)
{
	cleanup(catalog_freep) struct pmuq_catalog *catalog = NULL;
	struct options options;
	int status;

	options_begin(&options, cli, command, argc, argv);
	if (options_next(&options) != OPTIONS_END)
		return options.status;
	if (optind == argc)
		return usage_error(command, "show wants the name of a PMU or an event");
	status = source_read(cli, &catalog);
	for (int i = optind; catalog && i < argc; i++) {
		if (i > optind)
			putchar('\n');
		status = status_worse(status, show(catalog, argv[i]));
	}
	return status;
}

const struct command cmd_show = {
	.name = "show",
	.arguments = "NAME...",
	.summary = "one PMU or one event in full",
	.text = "NAME is a PMU (or its alias), an event, or PMU/EVENT. What could not be read of a "
		"PMU\n"
		"stands at its end.\n",
	.run = run_show,
};
