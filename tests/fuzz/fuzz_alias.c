/* SPDX-License-Identifier: MIT */
/*
 * An event's files, and a string that may name it. With a byte 0xff between them: the string, the
 * terms of the event, its unit, its scale; a missing part means no file. A source that reads the
 * files and a catalog agree, and terms mean the same in the file and in the string.
 */
#include "tests/fuzz/fuzz.h"
#include "tests/unit/law.h"
#include "tests/unit/tree.h"

#define PMU DEVICES "box/"
#define BETWEEN ((char)0xff)

static struct tree tree;

static const struct tree_text {
	const char *path, *text;
} files[] = {
	{ PMU "type", "40\n" },
	{ PMU "cpumask", "0,4\n" },
	{ PMU "format/event", "config:0-7\n" },
	{ PMU "format/umask", "config:8-15\n" },
	{ PMU "format/holes", "config:16,18,20-23,63\n" },
	{ PMU "format/ldlat", "config1:0-15\n" },
	{ PMU "format/wide", "config2:0-63\n" },
	{ PMU "format/odd", "config9:0-7\n" },
	{ PMU "events/other", "event=0x3,umask=0x2\n" },
	{ PMU "events/asks", "event=0x4,ldlat=?\n" },
	{ DEVICES "cpu/type", "4\n" },
	{ DEVICES "cpu/caps/max_precise", "3\n" },
	{ DEVICES "cpu/format/event", "config:0-7,32-35\n" },
	{ DEVICES "cpu/format/inv", "config:23\n" },
	{ DEVICES "cpu/events/evt", "event=0x7,inv\n" },
	{ "sys/devices/system/cpu/online", "0-7\n" },
	{ "sys/devices/system/cpu/present", "0-7\n" },
};

static void make_tree(void)
{
	if (tree.dir)
		return;
	tree_make(&tree);
	for (size_t i = 0; i < COUNT(files); i++)
		tree_file(&tree, files[i].path, files[i].text);
}

/* The part of the input before the next mark, into the file; without a part, no file. */
static void put_file(const char *path, struct pmuq_str *rest)
{
	auto_free char *full = tree_path(&tree, path);
	struct pmuq_str part;

	unlink(full);
	if (!rest->p)
		return;
	if (!str_cut(*rest, BETWEEN, &part, rest))
		*rest = (struct pmuq_str){ 0 };
	tree_bytes(&tree, path, part.p, part.n);
}

static bool is_same_config(const struct pmuq_attr *a, const struct pmuq_attr *b)
{
	return a->config == b->config && a->config1 == b->config1 && a->config2 == b->config2 &&
	       a->config3 == b->config3 && a->config4 == b->config4;
}

/* The text of the file, written out as terms: if both are valid, they give the same attr. */
static void law_of_terms(const struct fuzz_machine *machine)
{
	const struct pmuq_event *event;
	struct pmuq_encode_options options = { .size = sizeof(options),
					       .dialect = PMUQ_DIALECT_PERF };
	struct pmuq_encodings *named, *written;
	struct pmuq_error *errors[2];
	auto_free char *terms = NULL;

	event = pmuq_pmu_event(pmuq_catalog_find_pmu(machine->catalog, "box"), 1);
	FUZZ_LAW(event && !strcmp(event->name.p, "evt"));
	FUZZ_LAW(asprintf(&terms, "box/%s/", event->terms.p) > 0);
	fuzz_encode(machine, "box/evt/", &options, &named, &errors[0]);
	fuzz_encode(machine, terms, &options, &written, &errors[1]);
	if (named && written && pmuq_encodings_count(written) == 1)
		FUZZ_LAW(is_same_config(pmuq_encodings_get(named, 0)->attr,
					pmuq_encodings_get(written, 0)->attr));
	pmuq_encodings_free(named);
	pmuq_encodings_free(written);
	pmuq_error_free(errors[0]);
	pmuq_error_free(errors[1]);
}

static void law_of_string(const struct fuzz_machine *machine, struct pmuq_str string)
{
	struct pmuq_encode_options options = { .size = sizeof(options) };
	auto_free char *event = fuzz_cstr((const uint8_t *)string.p, string.n);
	struct pmuq_encodings *encodings;
	struct pmuq_error *error;

	fuzz_encode(machine, event, &options, &encodings, &error);
	pmuq_encodings_free(encodings);
	pmuq_error_free(error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pmuq_str string, rest = { .p = (const char *)data, .n = size };
	struct fuzz_machine machine;

	make_tree();
	if (!str_cut(rest, BETWEEN, &string, &rest))
		return -1;
	put_file(PMU "events/evt", &rest);
	put_file(PMU "events/evt.unit", &rest);
	put_file(PMU "events/evt.scale", &rest);
	fuzz_machine_open(&machine, tree.dir);
	law_check_singly(tree.dir, true, machine.catalog);
	law_of_string(&machine, string);
	law_of_terms(&machine);
	fuzz_machine_close(&machine);
	return 0;
}
