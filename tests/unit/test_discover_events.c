/* SPDX-License-Identifier: MIT */
/* Odd contents of a PMU: formats, events, tracepoints. */
#include "tests/unit/odd.h"

static void make_formats(const struct tree *tree)
{
	make_cpu(tree);
	put(tree, "f/type", "9");
	put(tree, "f/format/empty", "");
	put(tree, "f/format/garbage", "xyz\n");
	put(tree, "f/format/good", "config1:0-3,8\n");
	put(tree, "f/format/last", "config4:0-63\n");
	put(tree, "f/format/lines", "config:0-3\nconfig1:4-7\n");
	put(tree, "f/format/word9", "config9:0-3\n");
	tree_bytes(tree, DEVICES "f/format/padded", "config:1\n\0\0\0config:2", 20);
}

static const struct pmuq_format *format_of(const struct pmuq_pmu *pmu, const char *name)
{
	for (size_t i = 0; i < pmu->definition->n_formats; i++)
		if (strcmp(pmuq_pmu_format(pmu, i)->name.p, name) == 0)
			return pmuq_pmu_format(pmu, i);
	fail_msg("no format %s", name);
	return NULL;
}

static void check_formats(const struct pmuq_catalog *catalog)
{
	const struct pmuq_pmu *f = find(catalog, "f");

	check_cpu(catalog);
	assert_int_equal(f->definition->n_formats, 7);
	assert_int_equal(format_of(f, "empty")->bits.mask, 0);
	assert_int_equal(format_of(f, "garbage")->bits.mask, 0);
	assert_string_equal(format_of(f, "garbage")->text.p, "xyz");
	assert_int_equal(format_of(f, "good")->bits.mask, 0x10f);
	assert_int_equal(format_of(f, "good")->bits.word, 1);
	assert_int_equal(format_of(f, "last")->bits.word, 4);
	/* The last line is used, as in perf. */
	assert_int_equal(format_of(f, "lines")->bits.mask, 0xf0);
	assert_string_equal(format_of(f, "lines")->text.p, "config1:4-7");
	assert_int_equal(format_of(f, "word9")->bits.word, -1);
	assert_int_equal(format_of(f, "padded")->bits.mask, 2);
}

static void make_events(const struct tree *tree)
{
	make_cpu(tree);
	put(tree, "e/type", "9");
	put(tree, "e/events/a-b", "event=1");
	put(tree, "e/events/a", " event=2 \n");
	put(tree, "e/events/a.unit", "MiB\n");
	put(tree, "e/events/a.scale", "6.103515625e-5");
	put(tree, "e/events/a.per-pkg", "0\n");
	put(tree, "e/events/a.snapshot", "");
	put(tree, "e/events/a.b", "event=3\n");
	put(tree, "e/events/bad-scale", "event=4\n");
	put(tree, "e/events/bad-scale.scale", "abc\n");
	put(tree, "e/events/empty", "");
	put(tree, "e/events/empty.unit", "");
	put(tree, "e/events/UPPER", "event=5\n");
	put(tree, "e/events/two-lines", "event=6\nevent=7\n");
	put(tree, "e/events/unit-of-two.unit", "no event\n\n");
	put(tree, "e/events/unit-of-two", "event=8");
	put(tree, "e/events/orphan.unit", "Frogs\n");
	put(tree, "e/events/.scale", "event=9\n");
	tree_bytes(tree, DEVICES "e/events/padded", "event=1\0\0\0\0", 11);
	tree_dir(tree, DEVICES "e/events/directory");
}

static void check_events(const struct pmuq_catalog *catalog)
{
	const struct pmuq_pmu *e = find(catalog, "e");
	const struct pmuq_event *a = event_of(e, "a");

	check_cpu(catalog);
	assert_int_equal(e->definition->n_events, 10);
	assert_terms(e, "a", "event=2");
	assert_string_equal(a->unit.p, "MiB");
	assert_string_equal(a->scale.p, "6.103515625e-5");
	assert_true(a->is_per_pkg && a->is_snapshot);
	assert_terms(e, "a.b", "event=3");
	assert_string_equal(event_of(e, "a-b")->unit.p, "");
	assert_string_equal(event_of(e, "a-b")->scale.p, "1");
	assert_false(event_of(e, "a-b")->is_per_pkg);
	assert_string_equal(event_of(e, "bad-scale")->scale.p, "1");
	assert_terms(e, "empty", "");
	assert_terms(e, "two-lines", "event=6");
	assert_terms(e, "padded", "event=1");
	assert_terms(e, ".scale", "event=9");
	assert_string_equal(event_of(e, "unit-of-two")->unit.p, "no event\n");
	assert_null(event_of(e, "orphan"));
	assert_null(event_of(e, "orphan.unit"));
}

static void make_spellings(const struct tree *tree)
{
	make_cpu(tree);
	put(tree, "a/type", "9");
	put(tree, "a/events/Mixed", "event=1");
	put(tree, "a/events/mixed", "event=2");
	put(tree, "a/events/MIXED", "event=3");
	put(tree, "b/type", "10");
	put(tree, "b/events/MIXED", "event=4");
	put(tree, "c/type", "11");
	put(tree, "c/events/mIXED", "event=5");
}

static void check_spellings(const struct pmuq_catalog *catalog)
{
	struct pq_lookup m = pq_catalog_lookup(catalog);
	struct pq_pmu_list list;

	assert_int_equal(m.ops->find_event(m.self, STR("Mixed"), &list, NULL), 0);
	assert_int_equal(list.n, 2);
	assert_int_equal(m.ops->find_event(m.self, STR("mIXED"), &list, NULL), 0);
	assert_int_equal(list.n, 3);
}

static void make_many_events(const struct tree *tree)
{
	make_cpu(tree);
	for (unsigned i = 0; i < 3000; i++) {
		char *path = NULL;

		assert_true(asprintf(&path, "hv_24x7/events/EVENT__%u", i) > 0);
		put(tree, path, "domain=?,offset=0xd98,core=?\n");
		free(path);
	}
	put(tree, "hv_24x7/type", "9\n");
}

static void check_many_events(const struct pmuq_catalog *catalog)
{
	assert_int_equal(find(catalog, "hv_24x7")->definition->n_events, 3000);
}

static void make_tracepoints(const struct tree *tree)
{
	make_cpu(tree);
	tree_file(tree, "sys/kernel/tracing/events/enable", "0\n");
	tree_file(tree, "sys/kernel/tracing/events/header_page", "x\n");
	tree_file(tree, "sys/kernel/tracing/events/sched/enable", "0\n");
	tree_file(tree, "sys/kernel/tracing/events/sched/sched_switch/id", "316\n");
	tree_file(tree, "sys/kernel/tracing/events/sched/sched_switch/format", "name: x\n");
	tree_file(tree, "sys/kernel/tracing/events/sched/no_id/format", "name: y\n");
	tree_file(tree, "sys/kernel/tracing/events/sched/bad_id/id", "many\n");
	tree_file(tree, "sys/kernel/tracing/events/kvm-s390/enter/id", "42");
	tree_link(tree, "sys/kernel/tracing/events/linked", "sched");
}

static void check_tracepoints(const struct pmuq_catalog *catalog)
{
	struct pq_lookup m = pq_catalog_lookup(catalog);
	uint64_t id = 0;

	assert_int_equal(pmuq_catalog_machine(catalog)->n_tracepoints, 2);
	assert_string_equal(pmuq_catalog_tracepoint(catalog, 0)->subsystem.p, "kvm-s390");
	assert_string_equal(pmuq_catalog_tracepoint(catalog, 0)->name.p, "enter");
	assert_null(pmuq_catalog_tracepoint(catalog, 2));
	assert_int_equal(m.ops->tracepoint(m.self, STR("sched"), STR("sched_switch"), &id, NULL),
			 0);
	assert_int_equal(id, 316);
}

static void make_old_tracepoints(const struct tree *tree)
{
	make_cpu(tree);
	tree_dir(tree, "sys/kernel/tracing");
	tree_file(tree, "sys/kernel/debug/tracing/events/irq/entry/id", "7\n");
}

static void check_old_tracepoints(const struct pmuq_catalog *catalog)
{
	assert_int_equal(pmuq_catalog_machine(catalog)->n_tracepoints, 1);
	assert_int_equal(pmuq_catalog_tracepoint(catalog, 0)->id, 7);
}

// clang-format off
static const struct row rows[] = {
	{ "a bad format has no bits and hides nothing", make_formats, check_formats, {
		{ "f/format/empty", PMUQ_E_BAD_FORMAT }, { "f/format/garbage", PMUQ_E_BAD_FORMAT },
		{ "f/format/lines", PMUQ_E_BAD_FORMAT }, { "f/format/word9", PMUQ_E_BAD_FORMAT } } },
	{ "events and companions in all their forms", make_events, check_events, {
		{ "e/events/directory", PMUQ_E_REFUSED_FILE }, { "e/events/empty", PMUQ_E_BAD_FILE } } },
	{ "spellings of events", make_spellings, check_spellings, { { 0 } } },
	{ "thousands of events", make_many_events, check_many_events, { { 0 } } },
	{ "tracepoints", make_tracepoints, check_tracepoints, { { 0 } } },
	{ "tracepoints in their old directory", make_old_tracepoints, check_old_tracepoints, { { 0 } } },
};
// clang-format on

int main(void)
{
	return run_rows("discover_events", rows, COUNT(rows));
}
