/* SPDX-License-Identifier: MIT */
/*
 * A source in a process without free descriptors or memory. The failure must not be taken for a
 * property of the machine: the query fails, and the same query succeeds when there is enough.
 */
#include "tests/harness/failing_malloc.h"
#include "tests/unit/odd.h"
#include <sys/resource.h>
#include <sys/syscall.h>

/* No query has more files open at once. */
#define FREE_MAX 8u

static struct rlimit usual;

/* Leaves that many descriptors free. */
static void be_short(unsigned n_free)
{
	struct rlimit limit;
	int fd = 0;

	assert_int_equal(getrlimit(RLIMIT_NOFILE, &usual), 0);
	for (unsigned n = 0;; fd++)
		if (fcntl(fd, F_GETFD) < 0 && n++ == n_free)
			break;
	limit = usual;
	limit.rlim_cur = (rlim_t)fd;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
}

static void be_rich(void)
{
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &usual), 0);
}

/* Files that are read in different ways: links, aliases, companions, caps, tracepoints, facts. */
static void make_machine(const struct tree *tree)
{
	make_cpu(tree);
	put(tree, "cpu/caps/max_precise", "3\n");
	put(tree, "cpu/events/mem-loads", "event=0xcd\n");
	put(tree, "cpu/rdpmc", "1\n");
	tree_file(tree, "sys/devices/box_0/type", "20\n");
	tree_file(tree, "sys/devices/box_0/alias", "uncore_type_1\n");
	tree_file(tree, "sys/devices/box_0/cpumask", "0,2\n");
	tree_file(tree, "sys/devices/box_0/format/event", "config:0-7\n");
	tree_file(tree, "sys/devices/box_0/events/reads", "event=4\n");
	tree_file(tree, "sys/devices/box_0/events/reads.unit", "MiB\n");
	tree_file(tree, "sys/devices/box_0/events/reads.scale", "0.5\n");
	tree_link(tree, DEVICES "box_0", "../../../devices/box_0");
	tree_file(tree, "sys/devices/atom/type", "10\n");
	tree_file(tree, "sys/devices/atom/cpus", "2-3\n");
	tree_file(tree, "sys/devices/atom/format/event", "config:0-7\n");
	tree_link(tree, DEVICES "cpu_atom", "../../../devices/atom");
	tree_file(tree, "sys/kernel/tracing/events/sched/sched_switch/id", "316\n");
	tree_file(tree, "proc/cpuinfo",
		  "processor : 0\nvendor_id : GenuineIntel\ncpu family : 6\nmodel : 85\n"
		  "stepping : 4\nflags : fpu hypervisor\n");
	tree_file(tree, "proc/sys/kernel/osrelease", "6.1.0\n");
	tree_file(tree, "etc/machine-id", "0123456789abcdef0123456789abcdef\n");
}

static int machine_setup(void **state)
{
	int r = tree_setup(state);

	make_machine(*state);
	return r;
}

/* Whether the query succeeded; then its result must be the usual one. */
static bool is_found(int r, struct pmuq_error **error)
{
	if (r == 0)
		return true;
	assert_int_equal(r, -PMUQ_E_TOO_MANY_FILES);
	assert_int_equal((*error)->code, PMUQ_E_TOO_MANY_FILES);
	assert_int_equal((*error)->errnum, EMFILE);
	pmuq_error_free(*error);
	*error = NULL;
	return false;
}

static void query_all_of(struct pq_lookup m, const struct pmuq_pmu *pmu,
			 const struct pmuq_pmu *want, bool with_load)
{
	const struct pq_def *def = pq_def_of(want);
	struct pmuq_error *error = NULL;
	const struct pmuq_format *format;
	const struct pmuq_event *event;
	struct pq_names names;
	struct pmuq_str text;

	if (with_load)
		is_found(m.ops->load(m.self, pmu, &error), &error);
	is_found(m.ops->fill(m.self, pmu, &error), &error);
	is_found(m.ops->event_names(m.self, pmu, &names, &error), &error);
	for (size_t i = 0; i < def->record.n_formats; i++)
		is_found(m.ops->format(m.self, pmu, def->formats[i].name, &format, &error), &error);
	for (size_t i = 0; i < def->record.n_events; i++)
		is_found(m.ops->event(m.self, pmu, def->events[i].name, &event, &error), &error);
	for (size_t i = 0; i < def->record.n_caps; i++)
		is_found(m.ops->cap(m.self, pmu, def->record.caps[i].name, &text, &error), &error);
}

static void query_all(struct pq_lookup m, const struct pmuq_catalog *catalog, bool with_load)
{
	struct pmuq_error *error = NULL;
	struct pq_tracepoint_list tracepoints;
	struct pq_pmu_list list;
	struct pq_arena arena = PQ_ARENA(SIZE_MAX);
	struct pmuq_str text;
	uint64_t id;

	for (size_t i = 0; i < pmuq_catalog_machine(catalog)->n_pmus; i++) {
		const struct pmuq_pmu *want = pmuq_catalog_pmu(catalog, i), *pmu = NULL;

		if (is_found(m.ops->find_pmu(m.self, want->name, &pmu, &error), &error))
			query_all_of(m, pmu, want, with_load);
		if (want->alias.n)
			is_found(m.ops->find_pmu(m.self, want->alias, &pmu, &error), &error);
	}
	is_found(m.ops->list_pmus(m.self, &list, &error), &error);
	is_found(m.ops->core_pmus(m.self, &list, &error), &error);
	if (is_found(m.ops->find_event(m.self, STR("cycles"), &list, &error), &error))
		assert_int_equal(list.n, 1);
	is_found(m.ops->find_event(m.self, STR("reads"), &list, &error), &error);
	for (size_t i = 0; i < pmuq_catalog_machine(catalog)->n_facts; i++)
		is_found(m.ops->fact(m.self,
				     (enum pq_class_fact)pq_fact_find(
					     pmuq_catalog_machine(catalog)->facts[i].name),
				     &text, &error),
			 &error);
	is_found(m.ops->tracepoint(m.self, STR("sched"), STR("sched_switch"), &id, &error), &error);
	if (is_found(m.ops->list_tracepoints(m.self, &arena, STR("*"), STR("*"), &tracepoints,
					     &error),
		     &error))
		assert_int_equal(tracepoints.n, 1);
	pq_arena_clear(&arena);
}

/* What is already in memory decides which of the later queries need a descriptor. */
enum in_memory {
	NOTHING,
	THE_LIST,  /* of the PMUs, in the order of the directory */
	THE_ORDER, /* and which of them are core PMUs */
	KNOWS_MAX,
};

static void learn(struct pq_lookup m, enum in_memory in_memory)
{
	struct pq_lazy *lazy = m.self;
	struct pq_pmu_list list;

	if (in_memory == THE_LIST)
		assert_int_equal(m.ops->find_event(m.self, STR("none"), &list, NULL), 0);
	if (in_memory == THE_ORDER)
		assert_int_equal(m.ops->list_pmus(m.self, &list, NULL), 0);
	/* A descriptor that is kept open could be closed for another query, and would be a spare
	 * one. */
	pq_handle_close(&lazy->link);
	lazy->link_of = NULL;
}

static void a_query_that_ran_out_of_descriptors_succeeds_later(void **state)
{
	const struct tree *tree = *state;

	for (unsigned n = 0; n < 4 * KNOWS_MAX * FREE_MAX; n++) {
		bool has_openat2 = n & 1, with_load = n & 2;
		struct pmuq_catalog *catalog = law_read_with(tree->dir, has_openat2);
		struct pmuq_source *source = law_open(tree->dir, has_openat2);

		learn(source->lookup, n / 4 % KNOWS_MAX);
		be_short(n / 4 / KNOWS_MAX);
		query_all(source->lookup, catalog, with_load);
		be_rich();
		law_check_source(source, catalog);
		pmuq_source_free(source);
		pmuq_catalog_free(catalog);
	}
}

static void a_catalog_is_complete_or_fails_without_descriptors(void **state)
{
	const struct tree *tree = *state;
	struct pmuq_catalog *whole = law_read(tree->dir), *catalog;
	struct pmuq_source *source = law_open(tree->dir, true);
	bool was_read = false;

	for (unsigned n = 0; n <= FREE_MAX; n++) {
		struct pmuq_error *error = NULL;
		int r;

		be_short(n);
		r = pmuq_source_read_catalog(source, &catalog, &error);
		be_rich();
		was_read = is_found(r, &error);
		assert_true(n > 0 || !was_read);
		if (!was_read)
			continue;
		assert_same_catalog(whole, catalog, "with few descriptors");
		pmuq_catalog_free(catalog);
	}
	assert_true(was_read);
	pmuq_source_free(source);
	pmuq_catalog_free(whole);
}

static void a_capture_without_resources_leaves_no_mark(void **state)
{
	const struct tree *tree = *state;
	struct pmuq_source *source = law_open(tree->dir, true);
	struct pmuq_capture *capture;
	bool was_taken = false;

	for (unsigned n = 0; n <= FREE_MAX; n++) {
		struct pmuq_error *error = NULL;
		int r;

		be_short(n);
		r = pmuq_capture_take(source, NULL, &capture, &error);
		be_rich();
		was_taken = is_found(r, &error);
		if (!was_taken)
			continue;
		assert_int_equal(pmuq_capture_content(capture)->n_unread, 0);
		pmuq_capture_free(capture);
	}
	assert_true(was_taken);
	pmuq_source_free(source);
}

static void a_refresh_without_descriptors_is_no_change(void **state)
{
	const struct tree *tree = *state;
	struct pmuq_source *source = law_open(tree->dir, true);
	struct pmuq_error *error;
	bool changed = false;

	assert_int_equal(pmuq_source_refresh(source, &changed, NULL), 0);
	for (unsigned n = 0; n <= FREE_MAX; n++) {
		int r;

		error = NULL;
		changed = false;
		be_short(n);
		r = pmuq_source_refresh(source, &changed, &error);
		be_rich();
		assert_true(!is_found(r, &error) || n > 0);
		assert_false(changed);
		assert_int_equal(pmuq_source_refresh(source, &changed, NULL), 0);
		assert_false(changed);
	}
	pmuq_source_free(source);
}

static void no_source_opens_without_descriptors_whatever_the_root(void **state)
{
	const struct tree *tree = *state;
	struct pmuq_source *source = NULL;

	for (unsigned n = 0; n <= FREE_MAX; n++) {
		struct pmuq_error *error = NULL;
		int r;

		be_short(n);
		r = pmuq_source_open_tree(tree->dir, &source, &error);
		be_rich();
		if (is_found(r, &error))
			pmuq_source_free(source);
		else
			assert_true(n < 3);
	}
	be_short(0);
	assert_int_equal(pmuq_source_open_live(&source, NULL), -PMUQ_E_TOO_MANY_FILES);
	be_rich();
}

static const char *const strings[] = {
	"cpu/mem-loads/",
	"box_0/reads/",
	"uncore_type_1/reads/",
	"reads",
	"cycles",
	"cpu*/event=1/",
	"sched:sched_switch",
	"{cycles,cpu/event=1/}",
	"cpu/config=0x100000000/", /* with a warning, for which all formats are read */
};

static void check_encodings(const struct pmuq_encodings *a, const struct pmuq_encodings *b)
{
	assert_int_equal(pmuq_encodings_count(a), pmuq_encodings_count(b));
	for (size_t i = 0; i < pmuq_encodings_count(a); i++) {
		const struct pmuq_encoding *x = pmuq_encodings_get(a, i);
		const struct pmuq_encoding *y = pmuq_encodings_get(b, i);

		assert_memory_equal(x->attr, y->attr, sizeof(struct pmuq_attr));
		assert_string_equal(x->cpus.p, y->cpus.p);
		assert_string_equal(x->unit.p, y->unit.p);
		assert_string_equal(x->scale.p, y->scale.p);
		assert_int_equal(x->n_warnings, y->n_warnings);
	}
}

static void an_event_is_encoded_rightly_or_not_at_all(void **state)
{
	const struct tree *tree = *state;
	struct pmuq_catalog *catalog = law_read(tree->dir);

	for (size_t i = 0; i < COUNT(strings) * FREE_MAX; i++) {
		const char *text = strings[i / FREE_MAX];
		struct pmuq_source *source = law_open(tree->dir, true);
		struct pmuq_encodings *want = NULL, *encodings = NULL;
		struct pmuq_error *error = NULL;
		int r;

		assert_int_equal(pmuq_catalog_encode(catalog, text, NULL, &want, NULL), 0);
		be_short(i % FREE_MAX);
		r = pmuq_source_encode(source, text, NULL, &encodings, &error);
		be_rich();
		if (r != 0) {
			assert_int_equal(r, -PMUQ_E_TOO_MANY_FILES);
			assert_int_equal(error->code, PMUQ_E_TOO_MANY_FILES);
			assert_non_null(strstr(error->hint.p, "ulimit -n"));
			pmuq_error_free(error);
			r = pmuq_source_encode(source, text, NULL, &encodings, NULL);
		}
		assert_int_equal(r, 0);
		check_encodings(want, encodings);
		pmuq_encodings_free(encodings);
		pmuq_encodings_free(want);
		pmuq_source_free(source);
	}
	pmuq_catalog_free(catalog);
}

/* The same for memory: each allocation fails once. */
static void an_event_is_encoded_rightly_or_not_at_all_without_memory(void **state)
{
	const struct tree *tree = *state;
	struct pmuq_catalog *catalog = law_read(tree->dir);

	for (size_t i = 0; i < COUNT(strings); i++) {
		struct pmuq_encodings *want = NULL;
		bool has_failed = true;

		assert_int_equal(pmuq_catalog_encode(catalog, strings[i], NULL, &want, NULL), 0);
		for (unsigned n = 0; has_failed; n++) {
			struct pmuq_source *source = law_open(tree->dir, true);
			struct pmuq_encodings *encodings = NULL;
			struct pmuq_error *error = NULL;
			int r;

			fail_malloc_at(n);
			r = pmuq_source_encode(source, strings[i], NULL, &encodings, &error);
			has_failed = fail_malloc_no_more();
			if (r != 0) {
				assert_true(has_failed);
				assert_int_equal(r, -PMUQ_E_MEMORY);
				assert_int_equal(error->code, PMUQ_E_MEMORY);
				pmuq_error_free(error);
				r = pmuq_source_encode(source, strings[i], NULL, &encodings, NULL);
			}
			assert_int_equal(r, 0);
			check_encodings(want, encodings);
			pmuq_encodings_free(encodings);
			pmuq_source_free(source);
		}
		pmuq_encodings_free(want);
	}
	pmuq_catalog_free(catalog);
}

/* A pattern skips a PMU that it cannot read for other reasons. */
static void a_pattern_skips_no_pmu_without_descriptors(void **state)
{
	const struct tree *tree = *state;
	struct pmuq_source *source = law_open(tree->dir, true);
	struct pq_lookup m = source->lookup;
	struct pmuq_encodings *encodings = NULL;
	struct pmuq_error *error = NULL;
	const struct pmuq_pmu *pmu;
	struct pq_pmu_list list;
	int r;

	assert_int_equal(pmuq_source_encode(source, "cpu/event=1/", NULL, &encodings, NULL), 0);
	pmuq_encodings_free(encodings);
	assert_int_equal(m.ops->list_pmus(m.self, &list, NULL), 0);
	assert_int_equal(m.ops->find_pmu(m.self, STR("nobody's alias"), &pmu, NULL), PQ_NONE);
	for (size_t i = 0; i < list.n; i++)
		assert_int_equal(m.ops->fill(m.self, list.v[i], NULL), 0);
	be_short(0);
	r = pmuq_source_encode(source, "cpu*/event=1/", NULL, &encodings, &error);
	be_rich();
	assert_int_equal(r, -PMUQ_E_TOO_MANY_FILES);
	assert_int_equal(error->code, PMUQ_E_TOO_MANY_FILES);
	pmuq_error_free(error);
	assert_int_equal(pmuq_source_encode(source, "cpu*/event=1/", NULL, &encodings, NULL), 0);
	assert_int_equal(pmuq_encodings_count(encodings), 2);
	pmuq_encodings_free(encodings);
	pmuq_source_free(source);
}

static void a_name_is_not_unknown_without_descriptors(void **state)
{
	const struct pmuq_encode_options options = { .size = sizeof(options),
						     .from = PMUQ_FROM_GENERIC };
	const struct tree *tree = *state;
	struct pmuq_source *source = law_open(tree->dir, true);
	struct pmuq_encodings *encodings = NULL;
	int r;

	be_short(0);
	r = pmuq_source_encode(source, "reads", &options, &encodings, NULL);
	be_rich();
	assert_int_equal(r, -PMUQ_E_TOO_MANY_FILES);
	assert_int_equal(pmuq_source_encode(source, "reads", &options, &encodings, NULL),
			 -PMUQ_E_EXCLUDED_SOURCE);
	pmuq_source_free(source);
}

static void an_attr_is_decoded_rightly_or_not_at_all(void **state)
{
	static const struct pmuq_attr attr = { .type = 4, .size = 64, .config = 0xcd };
	const struct tree *tree = *state;

	for (unsigned n = 0; n <= FREE_MAX; n++) {
		struct pmuq_source *source = law_open(tree->dir, true);
		struct pmuq_decoding *decoding = NULL;
		struct pmuq_error *error = NULL;
		int r;

		be_short(n);
		r = pmuq_source_decode(source, &attr, NULL, &decoding, &error);
		be_rich();
		if (!is_found(r, &error))
			r = pmuq_source_decode(source, &attr, NULL, &decoding, NULL);
		assert_int_equal(r, 0);
		assert_string_equal(decoding->text.p, "cpu/mem-loads/");
		pmuq_decoding_free(decoding);
		pmuq_source_free(source);
	}
}

static void a_fact_is_not_lost_by_an_allocation_that_failed(void **state)
{
	const struct tree *tree = *state;
	struct pmuq_catalog *catalog = law_read(tree->dir);

	for (size_t i = 0; i < pmuq_catalog_machine(catalog)->n_facts; i++) {
		const char *name = pmuq_catalog_machine(catalog)->facts[i].name.p;
		const char *want = pmuq_catalog_machine(catalog)->facts[i].text.p, *text;
		bool has_failed = true;

		for (unsigned n = 0; has_failed; n++) {
			struct pmuq_source *source = law_open(tree->dir, true);
			int r;

			fail_malloc_at(n);
			r = pmuq_source_find_fact(source, name, &text, NULL);
			has_failed = fail_malloc_no_more();
			assert_int_equal(r, has_failed ? -PMUQ_E_MEMORY : 0);
			assert_int_equal(pmuq_source_find_fact(source, name, &text, NULL), 0);
			assert_string_equal(text, want);
			pmuq_source_free(source);
		}
	}
	pmuq_catalog_free(catalog);
}

/* Only the queries of the lookup, which use no memory of their caller. */
static void a_query_that_ran_out_of_memory_succeeds_later(void **state)
{
	const struct tree *tree = *state;
	struct pmuq_catalog *catalog = law_read(tree->dir);
	bool has_failed = true;

	for (unsigned n = 0; has_failed; n++) {
		struct pmuq_source *source = law_open(tree->dir, true);
		struct pq_lookup m = source->lookup;
		const struct pmuq_pmu *pmu = NULL;
		struct pq_pmu_list list;
		struct pq_names names;
		struct pmuq_str text;

		fail_malloc_at(n);
		m.ops->find_event(m.self, STR("reads"), &list, NULL);
		if (m.ops->find_pmu(m.self, STR("box_0"), &pmu, NULL) == 0) {
			m.ops->event_names(m.self, pmu, &names, NULL);
			m.ops->load(m.self, pmu, NULL);
		}
		m.ops->fact(m.self, PQ_CLASS_CPUID, &text, NULL);
		has_failed = fail_malloc_no_more();
		law_check_source(source, catalog);
		pmuq_source_free(source);
	}
	pmuq_catalog_free(catalog);
}

/* If the kernel checks descriptors first, which it does unless nobody may open events. */
static void a_probe_without_a_descriptor_has_no_result(void **state)
{
	struct pmuq_attr attr = { .size = 64, .disabled = 1, .exclude_kernel = 1, .exclude_hv = 1 };
	struct pq_root root = { .top = PQ_NO_HANDLE };
	const uint32_t type = 4;
	int errnum;

	(void)state;
	be_short(0);
	errno = 0;
	syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
	errnum = errno;
	pq_probe_extended_type(&root, &type, 1);
	be_rich();
	if (errnum != EMFILE)
		skip();
	assert_int_equal(root.resource_errnum, EMFILE);
}

#define WITH_MACHINE(f) cmocka_unit_test_setup_teardown(f, machine_setup, tree_teardown)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		WITH_MACHINE(a_query_that_ran_out_of_descriptors_succeeds_later),
		WITH_MACHINE(a_catalog_is_complete_or_fails_without_descriptors),
		WITH_MACHINE(a_capture_without_resources_leaves_no_mark),
		WITH_MACHINE(a_refresh_without_descriptors_is_no_change),
		WITH_MACHINE(no_source_opens_without_descriptors_whatever_the_root),
		WITH_MACHINE(an_event_is_encoded_rightly_or_not_at_all),
		WITH_MACHINE(an_event_is_encoded_rightly_or_not_at_all_without_memory),
		WITH_MACHINE(a_pattern_skips_no_pmu_without_descriptors),
		WITH_MACHINE(a_name_is_not_unknown_without_descriptors),
		WITH_MACHINE(an_attr_is_decoded_rightly_or_not_at_all),
		WITH_MACHINE(a_fact_is_not_lost_by_an_allocation_that_failed),
		WITH_MACHINE(a_query_that_ran_out_of_memory_succeeds_later),
		cmocka_unit_test(a_probe_without_a_descriptor_has_no_result),
	};

	return cmocka_run_group_tests_name("out of resources", tests, NULL, NULL);
}
