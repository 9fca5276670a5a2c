/* SPDX-License-Identifier: MIT */
/* A PMU in full, as plain text: facts, files, caps, formats and their bits, events, problems. */
#include "cli/report.h"
#include "cli/show/show.h"
#include <inttypes.h>
#include <string.h>

#define TEXT_COLUMNS_MAX 34

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

static void print_types(const struct boxes *boxes, const struct pmuq_pmu *pmu, bool is_group)
{
	auto_free char *types = boxes_types(boxes), *names = boxes_names(boxes);
	uint32_t type;

	if (is_group && boxes->n > 1 && types)
		show_print("types", "%s", types);
	else if (pmuq_pmu_type(pmu, &type))
		show_print("type", "%" PRIu32, type);
	else
		show_field("type", "unknown");
	if (!is_group && boxes->n > 1)
		show_print("alike", "%s%s%s", names ? names : "", types ? ", types " : "",
			   types ? types : "");
}

static void print_facts(const struct boxes *boxes, const struct pmuq_pmu *pmu, bool is_group)
{
	print_types(boxes, pmu, is_group);
	if (!is_group)
		show_field("alias", pmuq_pmu_alias(pmu));
	show_field("cpus", pmuq_pmu_cpus(pmu));
	show_field("cpumask", pmuq_pmu_cpumask(pmu));
	show_field("counts", pmuq_pmu_is_core(pmu)     ? "what CPU cores do"
			     : pmuq_pmu_is_uncore(pmu) ? "per CPU only, what many share"
						       : NULL);
}

/* Boxes that are alike may have files that are not. */
static bool is_same_of_all(const struct boxes *boxes, size_t index)
{
	const char *name = pmuq_pmu_attribute_name(boxes->pmus[0], index);
	const char *text = pmuq_pmu_attribute_text(boxes->pmus[0], index);

	for (size_t i = 1; i < boxes->n; i++) {
		const char *other_name = pmuq_pmu_attribute_name(boxes->pmus[i], index);
		const char *other_text = pmuq_pmu_attribute_text(boxes->pmus[i], index);

		if (!other_name || strcmp(name, other_name) != 0 || strcmp(text, other_text) != 0)
			return false;
	}
	return true;
}

static void print_attributes(const struct boxes *boxes, const struct pmuq_pmu *pmu, bool is_group)
{
	size_t n = pmuq_pmu_attribute_count(pmu);
	int columns = columns_of(pmuq_pmu_attribute_name, pmu, n);

	if (n == 0)
		return;
	show_heading("files", n);
	for (size_t i = 0; i < n; i++) {
		print_padded(pmuq_pmu_attribute_name(pmu, i), columns);
		if (is_group && !is_same_of_all(boxes, i))
			print_last("not the same in all");
		else
			print_last(pmuq_pmu_attribute_text(pmu, i));
	}
}

static void print_caps(const struct pmuq_pmu *pmu)
{
	size_t n = pmuq_pmu_cap_count(pmu);
	int columns = columns_of(pmuq_pmu_cap_name, pmu, n);

	if (n == 0)
		return;
	show_heading("caps", n);
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
	show_heading("formats", n);
	for (size_t i = 0; i < n; i++) {
		const struct pmuq_format *format = pmuq_pmu_format(pmu, i);
		uint64_t mask = pmuq_format_mask(format);

		print_padded(format_name(pmu, i), columns);
		print_padded(format_text(pmu, i), text_columns);
		if (mask && pmuq_format_word(format) >= 0)
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
	show_heading("events", n);
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
	show_heading("problems", n);
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

void show_pmu(const struct pmuq_catalog *catalog, const struct boxes *boxes,
	      const struct pmuq_pmu *pmu, bool is_group)
{
	auto_free char *names = is_group ? boxes_names(boxes) : NULL;

	show_title(names ? names : pmuq_pmu_name(pmu));
	print_facts(boxes, pmu, is_group);
	print_attributes(boxes, pmu, is_group);
	print_caps(pmu);
	print_formats(pmu);
	show_layouts(pmu);
	print_events(pmu);
	for (size_t i = 0; i < (is_group ? boxes->n : 1); i++)
		print_problems(catalog, is_group ? boxes->pmus[i] : pmu);
}
