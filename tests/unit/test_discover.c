/* SPDX-License-Identifier: MIT */
/* PMUs with odd files, directories, names, types and CPUs. */
#include "tests/unit/odd.h"

static void make_fifos(const struct tree *tree)
{
	make_cpu(tree);
	tree_fifo(tree, DEVICES "cpu/rdpmc");
	tree_fifo(tree, DEVICES "cpu/cpumask");
	tree_fifo(tree, DEVICES "cpu/events/fifo");
	tree_fifo(tree, DEVICES "cpu/events/cycles.scale");
	tree_fifo(tree, DEVICES "cpu/format/fifo");
	tree_fifo(tree, DEVICES "odd/type");
	tree_fifo(tree, DEVICES "pipe");
}

static void check_fifos(const struct pmuq_catalog *catalog)
{

	check_cpu(catalog);
	assert_int_equal(pmuq_catalog_machine(catalog)->n_pmus, 2);
	assert_false(find(catalog, "odd")->has_type);
}

static void make_links(const struct tree *tree)
{
	tree_file(tree, "sys/devices/system/cpu/online", "0-3\n");
	tree_file(tree, "sys/devices/cpu/type", "4\n");
	tree_file(tree, "sys/devices/cpu/format/event", "config:0-7\n");
	tree_file(tree, "sys/devices/cpu/events/cycles", "event=0x3c\n");
	tree_file(tree, "sys/devices/cpu/power/secret", "1\n");
	tree_link(tree, "sys/devices/cpu/subsystem", "../../bus/event_source");
	tree_link(tree, "sys/devices/cpu/cpu0", "../system/cpu");
	tree_link(tree, DEVICES "cpu", "../../../devices/cpu");
	tree_link(tree, DEVICES "out", "/etc");
	tree_link(tree, DEVICES "up", "../../../../../../../../etc");
	tree_link(tree, DEVICES "loop", "loop");
	tree_link(tree, DEVICES "nowhere", "../nothing");
	tree_link(tree, DEVICES "file", "cpu/type");
}

static void check_links(const struct pmuq_catalog *catalog)
{
	check_cpu(catalog);
	assert_int_equal(pmuq_catalog_machine(catalog)->n_pmus, 1);
	assert_int_equal(find(catalog, "cpu")->n_attributes, 0);
}

static void make_links_within_a_pmu(const struct tree *tree)
{
	make_cpu(tree);
	put(tree, "odd/type", "9");
	tree_link(tree, DEVICES "odd/format", "../cpu/format");
	tree_link(tree, DEVICES "odd/events", "../cpu/events");
	tree_link(tree, DEVICES "odd/cpumask", "../cpu/type");
	tree_link(tree, DEVICES "odd/note", "../cpu/type");
	tree_link(tree, DEVICES "cpu/events/linked", "cycles");
}

static void check_links_within_a_pmu(const struct pmuq_catalog *catalog)
{
	const struct pmuq_pmu *odd = find(catalog, "odd");

	check_cpu(catalog);
	assert_int_equal(odd->definition->n_formats, 0);
	assert_int_equal(odd->definition->n_events, 0);
	assert_int_equal(odd->n_attributes, 0);
	assert_null(odd->cpumask.p);
}

static void make_types(const struct tree *tree)
{
	put(tree, "a/type", "garbage\n");
	put(tree, "b/type", "4294967296\n");
	put(tree, "c/type", "");
	put(tree, "d/type", "0x10\n");
	put(tree, "e/type", "-1\n");
	tree_dir(tree, DEVICES "f");
	put(tree, "g/type", " 4294967295 \n");
	tree_dir(tree, DEVICES "software");
}

static void check_types(const struct pmuq_catalog *catalog)
{

	for (const char *name = "abcdef"; *name; name++) {
		const char one[] = { *name, '\0' };

		assert_false(find(catalog, one)->has_type);
	}
	assert_true(find(catalog, "g")->has_type);
	assert_true(find(catalog, "g")->type == 4294967295u);
	assert_true(find(catalog, "software")->has_type);
	assert_int_equal(find(catalog, "software")->type, 1);
}

static void make_attributes(const struct tree *tree)
{
	make_cpu(tree);
	put(tree, "cpu/rdpmc", "1\n");
	put(tree, "cpu/uevent", "KEY=VALUE\n");
	put(tree, "cpu/die0", "0000:7f\n");
	put(tree, "cpu/lines", "one\ntwo\n\n");
	put(tree, "cpu/power/control", "auto\n");
	put(tree, "cpu/sinks/tmc", "0x1\n");
	put(tree, "cpu/caps/branches", "32\n");
	put(tree, "cpu/caps/empty", "");
	tree_bytes(tree, DEVICES "cpu/identifier", "43401\n\0\0", 8);
	put(tree, "bare/type", "26\n");
	tree_dir(tree, DEVICES "bare/caps");
	tree_dir(tree, DEVICES "bare/events");
}

static void check_attributes(const struct pmuq_catalog *catalog)
{
	static const char *const want[][2] = {
		{ "die0", "0000:7f" },
		{ "identifier", "43401" },
		{ "lines", "one\ntwo" },
		{ "rdpmc", "1" },
	};
	const struct pmuq_pmu *cpu = find(catalog, "cpu");

	check_cpu(catalog);
	assert_int_equal(cpu->n_attributes, COUNT(want));
	for (size_t i = 0; i < COUNT(want); i++) {
		assert_string_equal(cpu->attributes[i].name.p, want[i][0]);
		assert_string_equal(cpu->attributes[i].text.p, want[i][1]);
	}
	assert_int_equal(cpu->definition->n_caps, 2);
	assert_string_equal(cpu->definition->caps[0].text.p, "32");
	assert_string_equal(cpu->definition->caps[1].text.p, "");
	assert_int_equal(find(catalog, "bare")->definition->n_events, 0);
}

static void make_cpus(const struct tree *tree)
{
	make_cpu(tree);
	put(tree, "both/type", "9");
	put(tree, "both/cpumask", "1\n");
	put(tree, "both/cpus", "0-1\n");
	put(tree, "empty_mask/type", "9");
	put(tree, "empty_mask/cpumask", "");
	put(tree, "empty_cpus/type", "9");
	put(tree, "empty_cpus/cpus", "\n");
	put(tree, "garbage/type", "9");
	put(tree, "garbage/cpumask", "none\n");
	put(tree, "odd_cpus/type", "9");
	put(tree, "odd_cpus/cpus", "none\n");
	put(tree, "uncore/type", "9");
	put(tree, "uncore/cpumask", "0,2\n");
	put(tree, "neither/type", "9");
	put(tree, "uncore_cpus/type", "9");
	put(tree, "uncore_cpus/cpus", "1\n");
}

static void assert_cpus(const struct pmuq_catalog *catalog, const char *name, const char *cpus,
			bool is_core, bool is_uncore)
{
	const struct pmuq_pmu *pmu = find(catalog, name);

	assert_string_equal(pmu->cpus.p, cpus);
	assert_int_equal(pmu->is_core, is_core);
	assert_int_equal(pmu->is_uncore, is_uncore);
}

static void check_cpus(const struct pmuq_catalog *catalog)
{
	struct pmuq_encodings *encodings = NULL;

	assert_cpus(catalog, "cpu", "0-3", true, false);
	assert_cpus(catalog, "both", "1", true, false);
	assert_cpus(catalog, "empty_mask", "0-3", false, true);
	assert_cpus(catalog, "empty_cpus", "0-3", true, false);
	assert_cpus(catalog, "uncore", "0,2", false, true);
	assert_cpus(catalog, "neither", "0-3", false, false);
	assert_cpus(catalog, "uncore_cpus", "1", false, false);
	assert_int_equal(pmuq_catalog_encode(catalog, "uncore/cpu=2/", NULL, &encodings, NULL), 0);
	pmuq_encodings_free(encodings);
	assert_int_equal(pmuq_catalog_encode(catalog, "garbage/cpu=2/", NULL, &encodings, NULL),
			 -PMUQ_E_NO_CPUS_LEFT);
}

static void make_large(const struct tree *tree)
{
	enum { BYTES = 70000 };
	char *text = malloc(BYTES);

	assert_non_null(text);
	memset(text, 'x', BYTES);
	make_cpu(tree);
	tree_bytes(tree, DEVICES "cpu/events/huge", text, BYTES);
	tree_bytes(tree, DEVICES "cpu/huge", text, BYTES);
	tree_bytes(tree, DEVICES "u/cpumask", text, BYTES);
	tree_bytes(tree, DEVICES "u/type", text, BYTES);
	free(text);
}

static void check_large(const struct pmuq_catalog *catalog)
{
	const struct pmuq_pmu *cpu = find(catalog, "cpu");

	assert_terms(cpu, "cycles", "event=0x3c");
	assert_terms(cpu, "huge", "");
	assert_int_equal(cpu->n_attributes, 0);
	assert_true(find(catalog, "u")->is_uncore);
	assert_string_equal(find(catalog, "u")->cpus.p, "0-3");
	assert_false(find(catalog, "u")->has_type);
}

static void make_names(const struct tree *tree)
{
	make_cpu(tree);
	put(tree, "with space/type", "1");
	put(tree, "cxl_pmu_mem0.0/type", "2");
	put(tree, "q\"uo'te\\\n/type", "3");
	put(tree, "\xff\xfe/type", "4");
	put(tree, ".hidden/type", "5");
	put(tree, "*/type", "6");
	put(tree, "-/events/a b", "event=1");
	put(tree, "-/type", "7");
}

static void check_names(const struct pmuq_catalog *catalog)
{
	check_cpu(catalog);
	assert_int_equal(pmuq_catalog_machine(catalog)->n_pmus, 8);
	assert_terms(find(catalog, "-"), "a b", "event=1");
	find(catalog, "q\"uo'te\\\n");
	find(catalog, "\xff\xfe");
	find(catalog, ".hidden");
}

static void make_aliases(const struct tree *tree)
{
	make_cpu(tree);
	put(tree, "uncore_cha_0/type", "9");
	put(tree, "uncore_cha_0/alias", "uncore_type_0_0\n");
	put(tree, "uncore_cha_1/type", "10");
	put(tree, "uncore_cha_1/alias", "uncore_type_0_0\n");
	put(tree, "a_liar/type", "11");
	put(tree, "a_liar/alias", "cpu\n");
	put(tree, "none/type", "12");
	put(tree, "none/alias", "\n");
}

static void check_aliases(const struct pmuq_catalog *catalog)
{
	assert_string_equal(find(catalog, "uncore_type_0_0")->name.p, "uncore_cha_0");
	assert_string_equal(find(catalog, "cpu")->name.p, "cpu");
	assert_int_equal(find(catalog, "none")->alias.n, 0);
	assert_null(pmuq_catalog_find_pmu(catalog, ""));
}

static void make_no_pmus(const struct tree *tree)
{
	tree_dir(tree, DEVICES);
}

static void check_no_pmus(const struct pmuq_catalog *catalog)
{
	assert_int_equal(pmuq_catalog_machine(catalog)->n_pmus, 0);
}

static void make_devices_that_are_files(const struct tree *tree)
{
	make_cpu(tree);
	put(tree, "stray", "text\n");
	put(tree, "cpu/cpus/file", "a directory instead of a file\n");
	put(tree, "u/type/file", "likewise");
	put(tree, "u/format", "config:0\n");
}

static void check_devices_that_are_files(const struct pmuq_catalog *catalog)
{
	check_cpu(catalog);
	assert_int_equal(pmuq_catalog_machine(catalog)->n_pmus, 2);
	assert_int_equal(find(catalog, "u")->definition->n_formats, 0);
}

// clang-format off
static const struct row rows[] = {
	{ "a small machine has no problem", make_cpu, check_cpu, { { 0 } } },
	{ "FIFOs are refused and hide nothing", make_fifos, check_fifos, {
		{ "cpu/cpumask", PMUQ_E_REFUSED_FILE }, { "cpu/events/cycles.scale", PMUQ_E_REFUSED_FILE },
		{ "cpu/events/fifo", PMUQ_E_REFUSED_FILE }, { "cpu/format/fifo", PMUQ_E_REFUSED_FILE },
		{ "cpu/rdpmc", PMUQ_E_REFUSED_FILE }, { "odd/type", PMUQ_E_REFUSED_FILE },
		{ "odd/type", PMUQ_E_BAD_FILE }, { "pipe", PMUQ_E_REFUSED_FILE } } },
	{ "a PMU may be a link, though not out of the tree", make_links, check_links, {
		{ "file", PMUQ_E_REFUSED_FILE }, { "loop", PMUQ_E_REFUSED_FILE },
		{ "nowhere", PMUQ_E_REFUSED_FILE }, { "out", PMUQ_E_REFUSED_FILE },
		{ "up", PMUQ_E_REFUSED_FILE } } },
	{ "links within a PMU are not followed", make_links_within_a_pmu, check_links_within_a_pmu, {
		{ "cpu/events/linked", PMUQ_E_REFUSED_FILE }, { "odd/cpumask", PMUQ_E_REFUSED_FILE },
		{ "odd/events", PMUQ_E_REFUSED_FILE }, { "odd/format", PMUQ_E_REFUSED_FILE } } },
	{ "a type is a decimal number or a problem", make_types, check_types, {
		{ "a/type", PMUQ_E_BAD_FILE }, { "b/type", PMUQ_E_BAD_FILE },
		{ "c/type", PMUQ_E_BAD_FILE }, { "d/type", PMUQ_E_BAD_FILE },
		{ "e/type", PMUQ_E_BAD_FILE }, { "f/type", PMUQ_E_BAD_FILE },
		{ "software/type", PMUQ_E_BAD_FILE } } },
	{ "other plain files are attributes", make_attributes, check_attributes, { { 0 } } },
	{ "cpumask before cpus before online", make_cpus, check_cpus, {
		{ "garbage/cpumask", PMUQ_E_BAD_FILE }, { "odd_cpus/cpus", PMUQ_E_BAD_FILE } } },
	{ "huge files are refused and hide nothing", make_large, check_large, {
		{ "cpu/events/huge", PMUQ_E_TOO_LARGE_FILE }, { "cpu/huge", PMUQ_E_TOO_LARGE_FILE },
		{ "u/cpumask", PMUQ_E_TOO_LARGE_FILE }, { "u/type", PMUQ_E_TOO_LARGE_FILE } } },
	{ "names of odd characters", make_names, check_names, { { 0 } } },
	{ "aliases find, after names", make_aliases, check_aliases, { { 0 } } },
	{ "no PMUs", make_no_pmus, check_no_pmus, { { 0 } } },
	{ "files instead of directories, and directories instead of files", make_devices_that_are_files,
	  check_devices_that_are_files, {
		{ "cpu/cpus", PMUQ_E_REFUSED_FILE }, { "stray", PMUQ_E_REFUSED_FILE },
		{ "u/type", PMUQ_E_REFUSED_FILE }, { "u/type", PMUQ_E_BAD_FILE } } },
};
// clang-format on

int main(void)
{
	return run_rows("discover", rows, COUNT(rows));
}
