/* SPDX-License-Identifier: MIT */
/*
 * A result as C: for each encoding a perf_event_attr that compiles with the system's header, after
 * a comment with everything else that is needed to open it. Instances are not folded.
 */
#include "cli/events/attr_c.h"
#include "cli/events/encode_output.h"
#include "cli/or_die.h"
#include <string.h>

/* A line of the comment: a label and a text of any origin, made harmless. */
static void put_line(const char *label, const char *text)
{
	printf(" * %-9s ", label);
	attr_c_comment(stdout, text);
	putchar('\n');
}

static void put_pmu(const struct pmuq_encoding *encoding)
{
	const char *pmu = encoding->pmu.p, *cpus = encoding->cpus.p;

	if (pmu)
		put_line("pmu", pmu);
	if (!*cpus)
		return;
	put_line("cpus", cpus);
	if (encoding->needs_cpu)
		put_line("", "to be opened on each of these, for no task (pid -1)");
}

static void put_count(const struct pmuq_encoding *encoding)
{
	const char *unit = encoding->unit.p, *scale = encoding->scale.p;

	if (*unit)
		put_line("unit", unit);
	if (strcmp(scale, "1") != 0)
		put_line("scale", scale);
	if (encoding->is_per_pkg)
		put_line("per-pkg", "counts for a whole package");
	if (encoding->is_snapshot)
		put_line("snapshot", "a value of now: differences mean nothing");
}

static void put_probe(const struct pmuq_encoding *encoding)
{
	if (!encoding->probe_text.p)
		return;
	put_line("probe", encoding->probe_text.p);
	printf(" * %-9s attr.%s is to hold the address of that text when it is opened\n", "",
	       encoding->probe_field.p);
}

static void put_group(const struct pmuq_encoding *encoding, size_t index, const char *const *names)
{
	if (!encoding->n_members)
		return;
	if (encoding->group_name.n)
		put_line("group", encoding->group_name.p);
	if (encoding->leader == index)
		printf(" * %-9s leads a group of %zu\n", "group", encoding->n_members);
	else
		printf(" * %-9s led by %s, one of %zu\n", "group", names[encoding->leader],
		       encoding->n_members);
}

static void put_tool_terms(const struct pmuq_encoding *encoding)
{
	for (size_t i = 0; i < encoding->n_tool_terms; i++) {
		printf(" * %-9s ", "for tool");
		attr_c_comment(stdout, pmuq_encoding_tool_term(encoding, i)->name.p);
		printf(" = ");
		attr_c_comment(stdout, pmuq_encoding_tool_term(encoding, i)->text.p);
		printf(" (not in the attr)\n");
	}
}

static void write_comment(const struct result *result, size_t index, const char *const *names)
{
	const struct pmuq_encoding *encoding = pmuq_encodings_get(result->encodings, index);

	printf("\n/*\n");
	put_line("event", result->input);
	if (strcmp(encoding->name.p, result->input) != 0)
		put_line("name", encoding->name.p);
	if (encoding->is_added)
		put_line("added", "the event above counts only in a group that this one leads");
	put_pmu(encoding);
	put_count(encoding);
	put_probe(encoding);
	put_line("source", pmuq_origin_name(encoding->origin));
	put_group(encoding, index, names);
	put_tool_terms(encoding);
	printf(" */\n");
}

/* Prevents a warning if the struct is not used. */
#define UNUSED "__attribute__((unused))\n"
#define BYTES_A_LINE 16

/* The bytes, for headers without a field; aligned as the struct. */
static void write_bytes(const struct pmuq_attr *attr, const char *name)
{
	const unsigned char *bytes = (const unsigned char *)attr;

	printf("__attribute__((unused, aligned(8)))\nstatic const unsigned char %s[%u] = {", name,
	       attr->size);
	for (unsigned i = 0; i < attr->size; i++)
		printf("%s0x%02x,", i % BYTES_A_LINE ? " " : "\n\t", bytes[i]);
	printf("\n};\n\n");
}

/* The struct, and its bytes if an older header may not have one of its fields. */
static void write_definition(struct encode_output *output, const struct pmuq_encoding *encoding,
			     const char *name)
{
	const struct pmuq_attr *attr = encoding->attr;
	const char *bytes = NULL;

	if (attr_c_needs(attr).guard) {
		bytes = identifiers_take(&output->names, name, "bytes");
		write_bytes(attr, bytes);
	}
	printf(UNUSED "static const struct perf_event_attr %s = {\n", name);
	attr_c_write(stdout, attr, encoding->pmu.p, bytes);
	printf("};\n");
}

/* Printed before the first definition that needs it, so that the output compiles as it grows. */
static void write_header(struct encode_output *output, const struct result *result)
{
	size_t n = pmuq_encodings_count(result->encodings);

	if (n > 0 && !output->has_header)
		printf("#include <linux/perf_event.h>\n");
	output->has_header |= n > 0;
	for (size_t i = 0; i < n && !output->has_version; i++) {
		if (!attr_c_needs(pmuq_encodings_get(result->encodings, i)->attr).version)
			continue;
		printf("#include <linux/version.h>\n");
		output->has_version = true;
	}
}

/* The event's name without its PMU: the part after "PMU/", or all of it. */
static const char *own_name(const char *name)
{
	size_t n = strcspn(name, "/:");

	return name[n] == '/' ? name + n + 1 : name;
}

/* An identifier like "cpu_cycles", unique in the output. */
static const char *take_name(struct encode_output *output, const struct pmuq_encoding *encoding)
{
	const char *pmu = encoding->pmu.p;
	char type[16];

	snprintf(type, sizeof(type), "type%u", encoding->attr->type);
	return identifiers_take(&output->names, pmu ? pmu : type, own_name(encoding->name.p));
}

/* Chooses all names first: a comment may refer to the leader of its group. */
void encode_write_c(struct encode_output *output, const struct result *result)
{
	size_t n = pmuq_encodings_count(result->encodings);
	auto_free const char **names = or_die(calloc(n + 1, sizeof(*names)));

	for (size_t i = 0; i < n; i++)
		names[i] = take_name(output, pmuq_encodings_get(result->encodings, i));
	write_header(output, result);
	for (size_t i = 0; i < n; i++) {
		write_comment(result, i, names);
		write_definition(output, pmuq_encodings_get(result->encodings, i), names[i]);
	}
}
