/* SPDX-License-Identifier: MIT */
/*
 * Every field of the attr, written as C: for test_forms.py, which compiles it. Each field is
 * alone, and once more with the other members of the unions. Definitions go to the file, their
 * expected bytes to stdout, one line each.
 *
 *     fields_c FILE
 */
#include "cli/events/attr_c.h"
#include "core/attr/attr.h"
#include <string.h>

/* The smallest published size that holds the field. */
static uint32_t size_for(unsigned end)
{
	static const uint32_t sizes[] = { 64, 72, 80, 96, 104, 112, 120, 128, 136, 144 };

	for (size_t i = 0; i < COUNT(sizes); i++)
		if (sizes[i] >= end)
			return sizes[i];
	return PMUQ_ATTR_SIZE_MAX;
}

/* The largest power of two, and then one, that the field can hold: its top bit and its bottom bit.
 */
static void fill(struct pmuq_attr *attr, unsigned index)
{
	uint64_t value = UINT64_C(1) << 63;

	while (value > 1 && !pq_attr_set_if_fits(attr, index, value))
		value >>= 1;
	if (!pq_attr_set_if_fits(attr, index, value | 1))
		exit(3);
}

static void write_attr(FILE *to, const struct pmuq_attr *attr, const char *name)
{
	const unsigned char *bytes = (const unsigned char *)attr;

	fprintf(to, "__attribute__((unused))\nstatic const struct perf_event_attr %s = {\n", name);
	attr_c_write(to, attr, "a*/\\\n?\?/", "its_bytes");
	fprintf(to, "};\n");
	for (unsigned i = 0; i < attr->size; i++)
		printf("%02x", bytes[i]);
	putchar('\n');
}

int main(int argc, char **argv)
{
	FILE *to = argc == 2 ? fopen(argv[1], "w") : NULL;

	if (!to)
		return 2;
	fprintf(to, "#include <linux/perf_event.h>\n#include <linux/version.h>\n");
	for (unsigned i = 0; pmuq_attr_field(i); i++) {
		struct pmuq_attr alone = { .type = 4 },
				 other = { .type = 5, .freq = 1, .watermark = 1 };
		char name[80];

		fill(&alone, i);
		alone.size = size_for(pmuq_attr_field(i)->end_bytes);
		snprintf(name, sizeof(name), "alone_%s", pmuq_attr_field(i)->name.p);
		write_attr(to, &alone, name);
		fill(&other, i);
		if (strcmp(pmuq_attr_field(i)->name.p, "type") == 0)
			other.type = 5;
		other.size = size_for(pmuq_attr_field(i)->end_bytes);
		snprintf(name, sizeof(name), "other_%s", pmuq_attr_field(i)->name.p);
		write_attr(to, &other, name);
	}
	return fclose(to) == 0 ? 0 : 4;
}
