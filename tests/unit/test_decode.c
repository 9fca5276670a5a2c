/* SPDX-License-Identifier: MIT */
/*
 * The strings that attrs become, and the fields that are left. test_decode_law.c tests that these
 * strings give their attrs.
 */
#include "tests/harness/build.h"
#include "tests/unit/tree.h"
#include <pmuq/pmuq.h>

static const struct test_pmu machine[] = {
	{ .name = "cpu",
	  .type = 4,
	  .formats =
		  "event config:0-7; umask config:8-15; edge config:18; inv config:23; "
		  "cmask config:24-31; ldlat config1:0-15; offcore_rsp config1:0-63; "
		  "frontend config1:0-23; rdd config2:0; period config2:1; r0xd config2:2; low config3:0-3; "
		  "all config3:0-7",
	  .events = "cpu-cycles event=0x3c; bus-cycles event=0x3c,umask=1; "
		    "mem-loads event=0xcd,umask=1,ldlat=3; par event=0x99,umask=?; "
		    "inv event=0x77; period event=0x78; read event=0x79; "
		    "two event=0x3c,umask=1; word config=0x1234; 99 event=0x90; "
		    "a+b event=0x91; mix config=0x92,umask=3" },
	{ .name = "box_0",
	  .type = 20,
	  .cpumask = "0",
	  .formats = "type config:0-7; value config:8-15; wide config:8-23; bit config:40",
	  .events = "tick type=1" },
	{ .name = "rade", .type = 21, .formats = "event config:0-63" },
	{ .name = "kk", .type = 22, .formats = "event config:0-63" },
	{ .name = "a b", .type = 23, .formats = "event config:0-63" },
	{ .name = "bare", .type = 24 },
	{ .name = "first", .type = 25, .formats = "other config:0-7", .events = "x other=2" },
	{ .name = "second", .type = 25, .formats = "event config:0-7", .events = "y event=1" },
	{ .name = "third",
	  .type = 26,
	  .formats = "event config:0-7; aux config1:0-15; ldlat config1:0-15" },
	{ .name = "no_bits", .type = 27, .formats = "event config:7-3; value config:8-15" },
	{ .name = "no_word", .type = 28, .formats = "event other:0-7" },
	{ .name = "no_term", .type = 29, .formats = "a+b config:0-7; value config:8-15" },
	{ .name = "overlap", .type = 30, .formats = "left config:0-7; right config:4-11" },
	{ .name = "twins", .type = 32, .formats = "one config:0-7; two config:0-7" },
	{ .name = "many",
	  .type = 31,
	  .formats = "event config:0-7",
	  .events = "a1 event=1; a2 event=1; a3 event=1; a4 event=1; a5 event=1; a6 event=1; "
		    "a7 event=1; a8 event=1; a9 event=1; a10 event=1" },
	{ .name = "software", .type = 1 },
	{ .name = "tracepoint", .type = 2 },
	{ .name = "breakpoint", .type = 5 },
};

static struct pmuq_catalog *catalog;

static int set_up(void **state)
{
	static const struct {
		const char *subsystem, *name;
		uint64_t id;
	} tracepoints[] = {
		{ "sched", "sched_switch", 316 },
		{ "uk", "p", 317 },
		{ "odd", "a+b", 318 },
		{ "a+b", "odd", 320 },
	};
	struct pq_builder *builder = NULL;

	(void)state;
	assert_int_equal(pq_builder_new(&builder, NULL), 0);
	pq_builder_fact(builder, STR("cpus_online"), STR("0-3"), NULL);
	for (size_t i = 0; i < COUNT(machine); i++)
		test_add(builder, &machine[i]);
	for (size_t i = 0; i < COUNT(tracepoints); i++)
		pq_builder_tracepoint(
			builder,
			&(struct pmuq_tracepoint){ .subsystem = str_of(tracepoints[i].subsystem),
						   .name = str_of(tracepoints[i].name),
						   .id = tracepoints[i].id },
			NULL);
	assert_int_equal(pq_builder_finish(builder, &catalog, NULL), 0);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	pmuq_catalog_free(catalog);
	return 0;
}

static struct pmuq_attr parse(const char *text)
{
	struct pmuq_error *error = NULL;
	struct pmuq_attr attr = { 0 };

	if (pmuq_attr_parse(text, &attr, &error) < 0)
		fail_msg("'%s': %s", text, error->message.p);
	assert_null(error);
	return attr;
}

static struct pmuq_decoding *decode(const char *text, const struct pmuq_decode_options *options)
{
	struct pmuq_decoding *decoding = NULL;
	struct pmuq_attr attr = parse(text);
	struct pmuq_error *error = NULL;

	if (pmuq_catalog_decode(catalog, &attr, options, &decoding, &error) < 0)
		fail_msg("'%s': %s", text, error->message.p);
	assert_null(error);
	return decoding;
}

struct wanted {
	const char *attr, *string;
};

static const struct wanted wanted_strings[] = {
	{ "type=0 config=0", "cycles" },
	{ "type=0 config=0 exclude_kernel=1 exclude_hv=1", "cycles:u" },
	{ "type=0 config=9 exclude_user=1", "ref-cycles:kh" },
	{ "type=0 config=10", "0:0xa" },
	{ "type=0 config=0x400000000", "0:0x400000000" },
	{ "type=1 config=2", "page-faults" },
	{ "type=1 config=0x63", "software/config=0x63/" },
	{ "type=3 config=0x10000", "L1-dcache-load-misses" },
	{ "type=3 config=0x2", "LLC-loads" },
	{ "type=3 config=0x10005", "branch-load-misses" },
	{ "type=3 config=0x1000a", "3:0x1000a" },
	{ "type=3 config=0 config1=5", "L1-dcache-loads/config1=0x5/" },
	/* Names of events with these bits. */
	{ "type=4 config=0x3c", "cpu/cpu-cycles/" },
	{ "type=4 config=0x13c exclude_kernel=1 exclude_hv=1", "cpu/bus-cycles/u" },
	{ "type=4 config=0x1cd config1=3 precise_ip=2", "cpu/mem-loads/pp" },
	{ "type=4 config=0x1cd config1=0x1e", "cpu/mem-loads,ldlat=0x1e/" },
	{ "type=4 config=0x280003c", "cpu/cpu-cycles,inv,cmask=0x2/" },
	{ "type=4 config=0x599", "cpu/par,umask=0x5/" },
	{ "type=4 config=0x599 config1=1", "cpu/par,umask=0x5,ldlat=0x1/" },
	{ "type=4 config=0x77", "cpu/event=inv/" },
	{ "type=4 config=0x78", "cpu/event=period/" },
	{ "type=4 config=0x79", "cpu/read/" },
	{ "type=4 config=0x1234", "cpu/word/" },
	{ "type=4 config=0x392", "cpu/mix/" },
	/* Names that are only written in quotes, and names that cannot be written. */
	{ "type=4 config=0x90", "cpu/event='99'/" },
	{ "type=4 config=0x91", "cpu/event=0x91/" },
	/* Another event is not the named one with another umask. */
	{ "type=4 config=0x23c", "cpu/event=0x3c,umask=0x2/" },
	{ "type=4 config=0x1cd", "cpu/event=0xcd,umask=0x1/" },
	{ "type=4 config=0x5304ce exclude_guest=1", "cpu/config=0x530000,event=0xce,umask=0x4/H" },
	{ "type=4 config=0", "cpu/event=0x0/" },
	{ "type=4 config=0x100", "cpu/event=0x0,umask=0x1/" },
	/* event and umask first, then by position. */
	{ "type=4 config=0x38001c0", "cpu/event=0xc0,umask=0x1,inv,cmask=0x3/" },
	{ "type=4 config=0x1b7 config1=0x10001", "cpu/event=0xb7,umask=0x1,offcore_rsp=0x10001/" },
	{ "type=4 config=0x1c6 config1=0x11", "cpu/event=0xc6,umask=0x1,frontend=0x11/" },
	{ "type=4 config=0x1c6 config1=0x1000011",
	  "cpu/event=0xc6,umask=0x1,offcore_rsp=0x1000011/" },
	/* A flag that would be a raw event without its value; bits whose format has the name of a
	   keyword. */
	{ "type=4 config=1 config2=1", "cpu/event=0x1,rdd=0x1/" },
	{ "type=4 config=1 config2=4", "cpu/event=0x1,r0xd=0x1/" },
	{ "type=4 config=1 config2=3", "cpu/event=0x1,config2=0x3/" },
	{ "type=4 config=1 config3=5", "cpu/event=0x1,low=0x5/" },
	{ "type=4 config=1 config3=0x15", "cpu/event=0x1,all=0x15/" },
	{ "type=4 config=1 config4=1", "cpu/event=0x1,config4=0x1/" },
	{ "type=20 config=0x1", "box_0/tick/" },
	{ "type=20 config=0x501", "box_0/tick,value=0x5/" },
	{ "type=20 config=0x10000000003", "box_0/type=0x3,bit/" },
	{ "type=20 config=0x8000000003", "box_0/config=0x8000000003/" },
	{ "type=21 config=7", "'rade'/event=0x7/" },
	{ "type=22 config=7", "'kk'/event=0x7/" },
	{ "type=23 config=7", "23:0x7" },
	{ "type=24 config=7", "bare/config=0x7/" },
	{ "type=25 config=1", "second/y/" },
	{ "type=25 config=2", "first/x/" },
	{ "type=25 config=3", "first/other=0x3/" },
	/* ldlat is for some events alone. */
	{ "type=26 config=0xcd config1=3", "third/event=0xcd,ldlat=0x3/" },
	{ "type=26 config=0xce config1=3", "third/event=0xce,aux=0x3/" },
	/* Formats that have no bits, no word of the attr or no name that can be written, and
	   formats of which only one can be written. */
	{ "type=27 config=0", "no_bits/config=0x0/" },
	{ "type=28 config=0", "no_word/config=0x0/" },
	{ "type=29 config=0x305", "no_term/config=0x305/" },
	{ "type=30 config=0x1ff", "overlap/config=0x1ff/" },
	{ "type=32 config=0x1f", "twins/one=0x1f/" },
	/* No format has these bits. */
	{ "type=20 config=0x3 config1=0x5", "box_0/type=0x3,config1=0x5/" },
	{ "type=99 config=7 config3=1 exclude_user=1", "99:0x7/config3=0x1/kh" },
	{ "type=4294967295 config=0xffffffffffffffff", "4294967295:0xffffffffffffffff" },
	{ "type=5 bp_type=3 bp_addr=0x1000 bp_len=8", "mem:0x1000/8:rw" },
	{ "type=5 bp_type=4 bp_addr=0xffffffff81000000 bp_len=8 exclude_user=1 exclude_hv=1",
	  "mem:0xffffffff81000000/8:x:k" },
	{ "type=5 bp_type=2 bp_addr=0", "mem:0x0:w/config2=0x0/" },
	{ "type=5 bp_addr=16 bp_len=4", "5:0x0/config1=0x10,config2=0x4/" },
	{ "type=2 config=316", "sched:sched_switch" },
	{ "type=2 config=317 exclude_kernel=1 exclude_hv=1", "'uk':'p':u" },
	{ "type=2 config=318", "2:318" },
	{ "type=2 config=319", "2:319" },
	{ "type=2 config=320", "2:320" },
	{ "type=2 config=316 config1=1", "2:316/config1=0x1/" },
	{ "type=4 config=0x3c branch_sample_type=0x10", "cpu/cpu-cycles,branch_type=any_call/" },
	{ "type=4 config=0x3c branch_sample_type=0xb", "cpu/cpu-cycles,branch_type='u,k,any'/" },
	{ "type=4 config=0x3c exclude_idle=1 pinned=1 exclusive=1 exclude_host=1 precise_ip=3",
	  "cpu/cpu-cycles/pppGIDe" },
};

static void attrs_become_the_strings_that_people_write(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(wanted_strings); i++) {
		const struct wanted *want = &wanted_strings[i];
		struct pmuq_decoding *decoding = decode(want->attr, NULL);

		if (strcmp(decoding->text.p, want->string) != 0)
			fail_msg("%s: %s, not %s", want->attr, decoding->text.p, want->string);
		assert_true(decoding->is_exact);
		assert_int_equal(decoding->n_left, 0);
		pmuq_decoding_free(decoding);
	}
}

static void alternatives_follow_the_text(void **state)
{
	static const char *const want[] = { "cpu/two/u", "cpu/event=0x3c,umask=0x1/u", "r13c:u",
					    "cpu/config=0x13c/u", "4:0x13c:u" };
	struct pmuq_decoding *decoding =
		decode("type=4 config=0x13c exclude_kernel=1 exclude_hv=1", NULL);

	(void)state;
	assert_string_equal(decoding->pmu.p, "cpu");
	assert_int_equal(decoding->origin, PMUQ_FROM_SYSFS);
	assert_int_equal(decoding->n_alternatives, COUNT(want));
	for (size_t i = 0; i < COUNT(want); i++)
		assert_string_equal(decoding->alternatives[i].p, want[i]);
	assert_null(decoding->alternatives[COUNT(want)].p);
	pmuq_decoding_free(decoding);
	decoding = decode("type=99", NULL);
	assert_null(decoding->pmu.p);
	assert_int_equal(decoding->origin, PMUQ_FROM_RAW);
	pmuq_decoding_free(decoding);
}

static void there_are_at_most_eight_alternatives(void **state)
{
	struct pmuq_decoding *decoding = decode("type=31 config=1", NULL);

	(void)state;
	assert_string_equal(decoding->text.p, "many/a1/");
	assert_int_equal(decoding->n_alternatives, 8);
	for (size_t i = 0; i < 8; i++)
		assert_int_equal(strncmp(decoding->alternatives[i].p, "many/a", 6), 0);
	pmuq_decoding_free(decoding);
}

/* Here sysfs has events with both names of a generic event. */
static void a_string_is_one_alternative(void **state)
{
	static const struct test_pmu software = { .name = "software",
						  .type = 1,
						  .formats = "event config:0-7",
						  .events =
							  "context-switches event=3; cs event=3" };
	static const char *const want[] = {
		"software/context-switches/", "cs",   "software/cs/", "software/event=0x3/",
		"software/config=0x3/",	      "1:0x3"
	};
	const struct pmuq_attr attr = { .type = 1, .config = 3 };
	struct pmuq_catalog *alone = test_catalog(&software, 1);
	struct pmuq_decoding *decoding = NULL;

	(void)state;
	assert_int_equal(pmuq_catalog_decode(alone, &attr, NULL, &decoding, NULL), 0);
	assert_string_equal(decoding->text.p, "context-switches");
	assert_int_equal(decoding->n_alternatives, COUNT(want));
	for (size_t i = 0; i < COUNT(want); i++)
		assert_string_equal(decoding->alternatives[i].p, want[i]);
	pmuq_decoding_free(decoding);
	pmuq_catalog_free(alone);
}

struct wanted_left {
	const char *attr, *string, *left;
	bool is_exact;
};

static const struct wanted_left wanted_left[] = {
	{ "type=4 config=0x3c inherit=1 read_format=3 sample_period=1000 freq=1", "cpu/cpu-cycles/",
	  "sample_period read_format inherit freq", true },
	{ "type=4 config=0x3c size=136", "cpu/cpu-cycles/", "", true },
	{ "type=4 config=0x3c exclude_user=1 exclude_kernel=1 exclude_hv=1", "cpu/cpu-cycles/",
	  "exclude_user! exclude_kernel! exclude_hv!", false },
	{ "type=4 config=0x3c exclude_host=1 exclude_guest=1", "cpu/cpu-cycles/",
	  "exclude_host! exclude_guest!", false },
	{ "type=4 config=0x3c bp_type=1", "cpu/cpu-cycles/", "bp_type!", false },
	{ "type=5 bp_type=9 bp_addr=1", "5:0x0/config1=0x1/", "bp_type!", false },
	/* A level alone would mean all branches, and no filter has the upper bits. */
	{ "type=4 config=0x3c branch_sample_type=1", "cpu/cpu-cycles/", "branch_sample_type!",
	  false },
	{ "type=4 config=0x3c branch_sample_type=0x100000008", "cpu/cpu-cycles/",
	  "branch_sample_type!", false },
	{ "type=0 clockid=-1 use_clockid=1", "cycles", "use_clockid clockid", true },
	/* The name of a tracepoint takes no branch_type=, its number does. */
	{ "type=2 config=316 branch_sample_type=4", "sched:sched_switch", "branch_sample_type!",
	  false },
	{ "type=2 config=316 branch_sample_type=8", "2:316/branch_type=any/", "", true },
};

static void fields_that_no_string_sets_are_left_and_named(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(wanted_left); i++) {
		const struct wanted_left *want = &wanted_left[i];
		struct pmuq_decoding *decoding = decode(want->attr, NULL);
		struct pmuq_attr attr = parse(want->attr);
		struct pq_buf left = PQ_BUF_NULL;

		for (size_t j = 0; j < decoding->n_left; j++) {
			const char *name = pmuq_decoding_left(decoding, j)->name.p;

			pq_buf_print(&left, "%s%s%s", j ? " " : "", name,
				     pmuq_decoding_left(decoding, j)->is_event ? "!" : "");
			for (unsigned k = 0; pmuq_attr_field(k); k++)
				if (strcmp(pmuq_attr_field(k)->name.p, name) == 0)
					assert_true(pmuq_attr_get(&attr, k) ==
						    pmuq_decoding_left(decoding, j)->value);
		}
		assert_string_equal(decoding->text.p, want->string);
		assert_true(str_eq(pq_buf_str(&left), str_of(want->left)));
		assert_int_equal(decoding->is_exact, want->is_exact);
		pq_buf_free(&left);
		pmuq_decoding_free(decoding);
	}
}

static void reserved_bits_are_left_too(void **state)
{
	struct pmuq_attr attr = { .type = 4, .reserved_flags = 1, .reserved_2 = 7 };
	struct pmuq_decoding *decoding = NULL;

	(void)state;
	assert_int_equal(pmuq_catalog_decode(catalog, &attr, NULL, &decoding, NULL), 0);
	assert_false(decoding->is_exact);
	assert_int_equal(decoding->n_left, 2);
	assert_string_equal(pmuq_decoding_left(decoding, 0)->name.p, "reserved_flags");
	assert_string_equal(pmuq_decoding_left(decoding, 1)->name.p, "reserved_2");
	assert_true(pmuq_decoding_left(decoding, 1)->value == 7);
	assert_null(pmuq_decoding_left(decoding, 2));
	pmuq_decoding_free(decoding);
}

static void names_are_of_the_dialect_and_of_allowed_sources(void **state)
{
	struct pmuq_decode_options options = { .size = sizeof(options) };
	static const struct {
		const char *attr, *string;
		enum pmuq_dialect dialect;
		unsigned from;
	} want[] = {
		/* perf ORs, so that a value can only grow. */
		{ "type=4 config=0x1cd config1=7", "cpu/mem-loads,ldlat=0x7/", 1, 0 },
		{ "type=4 config=0x1cd config1=4", "cpu/event=0xcd,umask=0x1,ldlat=0x4/", 1, 0 },
		/* perf's dialect sets fields in every tracepoint that is named, but not in one by
		   number. */
		{ "type=2 config=316 sample_type=0x584 sample_period=1", "sched:sched_switch", 1,
		  0 },
		{ "type=2 config=316", "2:316", 1, 0 },
		{ "type=4 config=0x3c branch_sample_type=0x11",
		  "cpu/cpu-cycles,branch_type='u,any_call'/", 1, 0 },
		{ "type=4 config=0x77", "cpu/event=inv/", 1, 0 },
		{ "type=4 config=0x13c", "cpu/event=0x3c,umask=0x1/", 0, PMUQ_FROM_FORMAT },
		{ "type=0 config=0", "0:0x0", 0, PMUQ_FROM_SYSFS },
		{ "type=2 config=316", "2:316", 0, PMUQ_FROM_RAW },
		{ "type=5 bp_type=1 bp_addr=1 bp_len=1", "mem:0x1/1:r", 0, PMUQ_FROM_BREAKPOINT },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(want); i++) {
		struct pmuq_decoding *decoding;

		options.dialect = want[i].dialect;
		options.from = want[i].from;
		decoding = decode(want[i].attr, &options);
		assert_string_equal(decoding->text.p, want[i].string);
		assert_int_equal(decoding->n_left, 0);
		pmuq_decoding_free(decoding);
	}
}

/* In perf's dialect the name of a tracepoint sets fields that this attr does not have. */
static void a_string_that_adds_no_field_comes_first(void **state)
{
	struct pmuq_decode_options options = { .size = sizeof(options),
					       .dialect = PMUQ_DIALECT_PERF };
	struct pmuq_decoding *decoding = decode("type=2 config=316 wakeup_events=1", &options);

	(void)state;
	assert_string_equal(decoding->text.p, "2:316");
	assert_int_equal(decoding->n_left, 1);
	pmuq_decoding_free(decoding);
}

/* If breakpoints are excluded, decoding one still gives a string. */
static void a_breakpoint_of_an_excluded_source_is_left(void **state)
{
	struct pmuq_decode_options options = { .size = sizeof(options), .from = PMUQ_FROM_RAW };
	struct pmuq_decoding *decoding = decode("type=5 bp_type=1 bp_addr=1 bp_len=1", &options);

	(void)state;
	assert_string_equal(decoding->text.p, "5:0x0/config1=0x1,config2=0x1/");
	assert_false(decoding->is_exact);
	assert_string_equal(pmuq_decoding_left(decoding, 0)->name.p, "bp_type");
	pmuq_decoding_free(decoding);
}

static void options_of_another_size_are_understood_or_refused(void **state)
{
	struct {
		struct pmuq_decode_options known;
		char newer[16];
	} options = { .known = { .size = sizeof(options) } };
	struct pmuq_decoding *decoding = NULL;
	struct pmuq_attr attr = { 0 };

	(void)state;
	assert_int_equal(pmuq_catalog_decode(catalog, &attr, &options.known, &decoding, NULL), 0);
	pmuq_decoding_free(decoding);
	options.newer[3] = 1;
	assert_int_equal(pmuq_catalog_decode(catalog, &attr, &options.known, &decoding, NULL),
			 -PMUQ_E_BAD_CALL);
	options.known.size = 1;
	assert_int_equal(pmuq_catalog_decode(catalog, &attr, &options.known, &decoding, NULL),
			 -PMUQ_E_BAD_CALL);
	options.known = (struct pmuq_decode_options){ .size = sizeof(options.known), .dialect = 7 };
	assert_int_equal(pmuq_catalog_decode(catalog, &attr, &options.known, &decoding, NULL),
			 -PMUQ_E_BAD_CALL);
	options.known =
		(struct pmuq_decode_options){ .size = sizeof(options.known), .from = 1u << 30 };
	assert_int_equal(pmuq_catalog_decode(catalog, &attr, &options.known, &decoding, NULL),
			 -PMUQ_E_BAD_CALL);
	pmuq_decoding_free(NULL);
}

/* A lazy machine reads the ids from tracefs. */
static void tracepoints_are_found_by_their_number(void **state)
{
	struct tree tree;
	struct pmuq_source *source = NULL;
	struct pmuq_attr attr = parse("type=2 config=11");
	struct pmuq_decoding *decoding = NULL;

	(void)state;
	tree_make(&tree);
	tree_file(&tree, DEVICES "tracepoint/type", "2\n");
	tree_file(&tree, "sys/kernel/tracing/events/sched/sched_waking/id", "10\n");
	tree_file(&tree, "sys/kernel/tracing/events/sched/sched_switch/id", "11\n");
	tree_file(&tree, "sys/kernel/tracing/events/syscalls/sys_enter_read/id", "12\n");
	assert_int_equal(pmuq_source_open_tree(tree.dir, &source, NULL), 0);
	assert_int_equal(pmuq_source_decode(source, &attr, NULL, &decoding, NULL), 0);
	assert_string_equal(decoding->text.p, "sched:sched_switch");
	assert_string_equal(decoding->pmu.p, "tracepoint");
	pmuq_source_free(source);
	/* The decoding no longer needs the source. */
	assert_string_equal(decoding->text.p, "sched:sched_switch");
	pmuq_decoding_free(decoding);
	tree_remove(&tree);
}

/* perf's dialect sets fields of tools in every tracepoint; the text of a probe fits no tracepoint.
 */
static void a_tracepoint_is_named_despite_the_text_of_a_probe(void **state)
{
	const struct pmuq_decode_options options = { .size = sizeof(options),
						     .dialect = PMUQ_DIALECT_PERF,
						     .probe_text = "do_exit" };
	struct pmuq_attr attr = parse("type=2 config=316");
	struct pmuq_decoding *decoding = NULL;

	(void)state;
	assert_int_equal(pmuq_catalog_decode(catalog, &attr, &options, &decoding, NULL), 0);
	assert_string_equal(decoding->text.p, "sched:sched_switch");
	assert_false(decoding->is_exact);
	pmuq_decoding_free(decoding);
}

/* A file of the tree, and what it contains. */
struct tree_file {
	const char *path, *text;
};

struct decoded {
	const char *attr, *text, *probe_text;
};

/* On a lazy source of these files. */
static void expect_decoded(const struct tree_file *files, size_t n_files,
			   const struct decoded *rows, size_t n_rows)
{
	struct pmuq_source *source = NULL;
	struct tree tree;

	tree_make(&tree);
	for (size_t i = 0; i < n_files; i++)
		tree_file(&tree, files[i].path, files[i].text);
	assert_int_equal(pmuq_source_open_tree(tree.dir, &source, NULL), 0);
	for (size_t i = 0; i < n_rows; i++) {
		const struct pmuq_decode_options options = { .size = sizeof(options),
							     .probe_text = rows[i].probe_text };
		struct pmuq_attr attr = parse(rows[i].attr);
		struct pmuq_decoding *decoding = NULL;

		assert_int_equal(pmuq_source_decode(source, &attr, &options, &decoding, NULL), 0);
		assert_string_equal(decoding->text.p, rows[i].text);
		pmuq_decoding_free(decoding);
	}
	pmuq_source_free(source);
	tree_remove(&tree);
}

/* The offset in a function is 0 unless it is written; in a file it must be written. */
static void a_probe_has_the_offset_that_it_must_have(void **state)
{
	static const struct tree_file files[] = {
		{ DEVICES "kprobe/type", "6\n" },
		{ DEVICES "kprobe/format/retprobe", "config:0\n" },
		{ DEVICES "uprobe/type", "7\n" },
		{ DEVICES "uprobe/format/retprobe", "config:0\n" },
	};
	static const struct decoded rows[] = {
		{ "type=6", "kprobe/func='do_exit'/", "do_exit" },
		{ "type=6 config2=4", "kprobe/func='do_exit',offset=0x4/", "do_exit" },
		{ "type=6 config=1 config2=0x1000", "kprobe/addr=0x1000,retprobe/", NULL },
		{ "type=7", "uprobe/path='/bin/ls',offset=0x0/", "/bin/ls" },
	};

	(void)state;
	expect_decoded(files, COUNT(files), rows, COUNT(rows));
}

/* Up to two terms clear bits of a default; otherwise config= replaces it. */
static void a_default_is_cleared_by_terms_or_replaced(void **state)
{
	static const struct tree_file files[] = {
		{ DEVICES "intel_pt/type", "9\n" },
		{ DEVICES "intel_pt/format/pt", "config:0\n" },
		{ DEVICES "intel_pt/format/tsc", "config:10\n" },
		{ DEVICES "intel_pt/format/branch", "config:13\n" },
	};
	static const struct decoded rows[] = {
		{ "type=9 config=0x2401", "intel_pt//", NULL },
		{ "type=9 config=0x401", "intel_pt/branch=0x0/", NULL },
		{ "type=9 config=0x2000", "intel_pt/pt=0x0,tsc=0x0/", NULL },
		{ "type=9 config=0x0", "intel_pt/config=0x0/", NULL },
	};

	(void)state;
	expect_decoded(files, COUNT(files), rows, COUNT(rows));
}

static void a_pmu_without_a_type_has_no_name_for_an_attr(void **state)
{
	static const struct tree_file files[] = {
		{ DEVICES "cpu/format/event", "config:0-7\n" },
		{ DEVICES "cpu/events/tick", "event=0x99\n" },
	};
	static const struct decoded rows[] = {
		{ "type=0 config=0x99", "0:0x99", NULL },
		{ "type=4 config=0x99", "r99", NULL },
	};

	(void)state;
	expect_decoded(files, COUNT(files), rows, COUNT(rows));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(attrs_become_the_strings_that_people_write),
		cmocka_unit_test(alternatives_follow_the_text),
		cmocka_unit_test(there_are_at_most_eight_alternatives),
		cmocka_unit_test(a_string_is_one_alternative),
		cmocka_unit_test(fields_that_no_string_sets_are_left_and_named),
		cmocka_unit_test(reserved_bits_are_left_too),
		cmocka_unit_test(names_are_of_the_dialect_and_of_allowed_sources),
		cmocka_unit_test(a_string_that_adds_no_field_comes_first),
		cmocka_unit_test(a_breakpoint_of_an_excluded_source_is_left),
		cmocka_unit_test(options_of_another_size_are_understood_or_refused),
		cmocka_unit_test(tracepoints_are_found_by_their_number),
		cmocka_unit_test(a_tracepoint_is_named_despite_the_text_of_a_probe),
		cmocka_unit_test(a_probe_has_the_offset_that_it_must_have),
		cmocka_unit_test(a_default_is_cleared_by_terms_or_replaced),
		cmocka_unit_test(a_pmu_without_a_type_has_no_name_for_an_attr),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
