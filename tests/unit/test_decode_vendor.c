/* SPDX-License-Identifier: MIT */
/*
 * Attrs that a vendor's table has names for: which name comes first, and that every name of a table
 * gives its attr again.
 */
#include "decode/decode.h"
#include "tests/harness/build.h"
#include "tests/harness/build_vendor.h"
#include <stdio.h>

static const struct test_pmu machine[] = {
	{ .name = "cpu",
	  .type = 4,
	  .formats = "event config:0-7; umask config:8-15; edge config:18; inv config:23; "
		     "cmask config:24-31; ldlat config1:0-15; wide config2:0-63; gone other:0-7",
	  .events = "cpu-cycles event=0x3c; mem-loads event=0xcd,umask=1,ldlat=3; "
		    "shadowed event=0x60" },
	{ .name = "uncore_imc_0",
	  .type = 20,
	  .cpumask = "0",
	  .formats = "event config:0-7; umask config:8-15" },
	{ .name = "uncore_imc_1",
	  .type = 21,
	  .cpumask = "0",
	  .formats = "event config:0-7; umask config:8-15" },
	{ .name = "uncore_one",
	  .type = 22,
	  .cpumask = "0",
	  .formats = "event config:0-7; mode config:8-9; all config:0-9" },
};

static const struct test_event table[] = {
	{ "a_old", "default_core", "event=0xd1,umask=0x20", "", true },
	{ "cpu_clk.thread", "default_core", "event=0x3c", "", false },
	{ "e", "default_core", "event=0x51", "", false },
	{ "edge", "default_core", "event=0x50", "", false },
	{ "for.one", "uncore_one", "event=7,mode=?", "", false },
	{ "imc.other", "uncore_imc", "event=9", "ZZ", false },
	{ "imc.read", "uncore_imc", "event=4,umask=3", "", false },
	{ "load.gt_4", "default_core", "event=0xcd,umask=1,ldlat=4", "", false },
	{ "mem.l3_miss", "default_core", "event=0xd1,period=100,umask=0x20", "", false },
	{ "mem.old", "default_core", "event=0xd1,umask=0x40", "", true },
	{ "one.tick", "uncore_one", "event=1", "", false },
	{ "shadowed", "default_core", "event=0x61", "", false },
	{ "twice", "default_core", "event=0xd1,umask=0x80,umask=1", "", false },
	{ "whole", "default_core", "config=0x1234", "", false },
	{ "x.edge", "default_core", "event=0x70,edge=1", "", false },
	{ "x.flag", "default_core", "event=0x73,edge", "", false },
	{ "x.level", "default_core", "event=0x70", "", false },
	{ "x.level_old", "default_core", "event=0x71,inv=1", "", true },
};

static struct pmuq_catalog *catalog;
static struct pmuq_vendor *vendor;

static int set_up(void **state)
{
	(void)state;
	catalog = test_catalog(machine, COUNT(machine));
	vendor = test_vendor(table, COUNT(table));
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	pmuq_catalog_free(catalog);
	pmuq_vendor_free(vendor);
	return 0;
}

static struct pmuq_decoding *decode(const struct pmuq_attr *attr,
				    const struct pmuq_decode_options *options)
{
	struct pmuq_decoding *decoding = NULL;
	struct pmuq_error *error = NULL;

	if (pmuq_catalog_decode(catalog, attr, options, &decoding, &error) < 0)
		fail_msg("%s", error->message.p);
	return decoding;
}

struct wanted {
	const char *attr, *string;
	enum pmuq_origin origin;
};

static const struct wanted wanted_strings[] = {
	{ "type=4 config=0x20d1", "mem.l3_miss", PMUQ_FROM_JSON },
	{ "type=4 config=0x20d1 exclude_kernel=1 exclude_hv=1 precise_ip=1", "mem.l3_miss:up",
	  PMUQ_FROM_JSON },
	{ "type=4 config=0x20d1 branch_sample_type=0x10", "mem.l3_miss/branch_type=any_call/",
	  PMUQ_FROM_JSON },
	/* The machine's own name for the same event. */
	{ "type=4 config=0x3c", "cpu/cpu-cycles/", PMUQ_FROM_SYSFS },
	/* The table has another event of that name, so the machine's cannot be written. */
	{ "type=4 config=0x61", "shadowed", PMUQ_FROM_JSON },
	{ "type=4 config=0x60", "cpu/event=0x60/", PMUQ_FROM_FORMAT },
	/* A name and additional terms, as long as it is the same event; the machine's own name
	   first. */
	{ "type=4 config=0x20020d1", "cpu/mem.l3_miss,cmask=0x2/", PMUQ_FROM_JSON },
	{ "type=4 config=0x200003c", "cpu/cpu-cycles,cmask=0x2/", PMUQ_FROM_SYSFS },
	{ "type=4 config=0x40070", "x.edge", PMUQ_FROM_JSON },
	{ "type=4 config=0x1040070", "cpu/x.edge,cmask=0x1/", PMUQ_FROM_JSON },
	{ "type=4 config=0x10d1", "cpu/event=0xd1,umask=0x10/", PMUQ_FROM_FORMAT },
	/* A term without a value. */
	{ "type=4 config=0x40073", "x.flag", PMUQ_FROM_JSON },
	/* A value that the name implies is not changed. */
	{ "type=4 config=0x1cd config1=4", "load.gt_4", PMUQ_FROM_JSON },
	{ "type=4 config=0x1cd config1=5", "cpu/mem-loads,ldlat=0x5/", PMUQ_FROM_SYSFS },
	{ "type=4 config=0x1cd config1=4 config2=5", "cpu/mem-loads,ldlat=0x4,wide=0x5/",
	  PMUQ_FROM_SYSFS },
	/* Only if there is no other name. */
	{ "type=4 config=0x40d1", "mem.old", PMUQ_FROM_JSON },
	{ "type=4 config=0x10040d1", "cpu/mem.old,cmask=0x1/", PMUQ_FROM_JSON },
	/* Names that the grammar takes for something else. */
	{ "type=4 config=0x50", "edge", PMUQ_FROM_JSON },
	{ "type=4 config=0x1000050", "cpu/event=edge,cmask=0x1/", PMUQ_FROM_JSON },
	{ "type=4 config=0x51", "'e'", PMUQ_FROM_JSON },
	{ "type=4 config=0x1234", "whole", PMUQ_FROM_JSON },
	/* One instance of two; the only one of its name; one of another system. */
	{ "type=20 config=0x304", "uncore_imc_0/imc.read/", PMUQ_FROM_JSON },
	{ "type=21 config=0x304", "uncore_imc_1/imc.read/", PMUQ_FROM_JSON },
	{ "type=20 config=9", "uncore_imc_0/event=0x9/", PMUQ_FROM_FORMAT },
	{ "type=22 config=1", "one.tick", PMUQ_FROM_JSON },
	{ "type=22 config=0x207", "uncore_one/for.one,mode=0x2/", PMUQ_FROM_JSON },
	/* One term instead of a name and a term. */
	{ "type=22 config=0x101", "uncore_one/all=0x101/", PMUQ_FROM_FORMAT },
	{ "type=22 config=4", "uncore_one/event=0x4/", PMUQ_FROM_FORMAT },
};

static void a_vendors_names_come_after_the_machines_and_before_all_others(void **state)
{
	struct pmuq_decode_options options = { .size = sizeof(options), .vendor = vendor };

	(void)state;
	for (size_t i = 0; i < COUNT(wanted_strings); i++) {
		const struct wanted *want = &wanted_strings[i];
		struct pmuq_attr attr = { 0 };
		struct pmuq_decoding *decoding;

		assert_int_equal(pmuq_attr_parse(want->attr, &attr, NULL), 0);
		decoding = decode(&attr, &options);
		if (strcmp(decoding->text.p, want->string) != 0)
			fail_msg("%s: %s, not %s", want->attr, decoding->text.p, want->string);
		assert_int_equal(decoding->origin, want->origin);
		assert_true(decoding->is_exact);
		assert_int_equal(decoding->n_left, 0);
		pmuq_decoding_free(decoding);
	}
}

static void other_names_are_alternatives_and_deprecated_ones_the_last(void **state)
{
	static const char *const want[] = { "cpu/mem.l3_miss/", "a_old", "cpu/a_old/",
					    "cpu/event=0xd1,umask=0x20/" };
	struct pmuq_decode_options options = { .size = sizeof(options), .vendor = vendor };
	struct pmuq_attr attr = { .type = 4, .config = 0x20d1 };
	struct pmuq_decoding *decoding = decode(&attr, &options);

	(void)state;
	assert_string_equal(decoding->text.p, "mem.l3_miss");
	for (size_t i = 0; i < COUNT(want); i++)
		assert_string_equal(decoding->alternatives[i].p, want[i]);
	pmuq_decoding_free(decoding);
}

/* A current name with terms ranks above a deprecated name alone. */
static void a_deprecated_name_never_comes_before_another(void **state)
{
	static const struct test_event rows[] = {
		{ "gone", "default_core", "event=0x70,inv=1", "", true },
		{ "kept", "default_core", "event=0x70", "", false },
	};
	struct pmuq_vendor *two = test_vendor(rows, COUNT(rows));
	struct pmuq_decode_options options = { .size = sizeof(options), .vendor = two };
	struct pmuq_attr attr = { .type = 4, .config = 0x800070 };
	struct pmuq_decoding *decoding = decode(&attr, &options);

	(void)state;
	assert_string_equal(decoding->text.p, "cpu/kept,inv/");
	assert_string_equal(decoding->alternatives[0].p, "gone");
	pmuq_decoding_free(decoding);
	pmuq_vendor_free(two);
}

/* An event string cannot contain the first name, and the format of the second event has no bits. */
static void names_that_do_not_encode_are_not_used(void **state)
{
	static const struct test_event rows[] = {
		{ "a+b", "default_core", "event=0x74", "", false },
		{ "x.gone", "default_core", "event=0x74,gone=1", "", false },
	};
	struct pmuq_vendor *two = test_vendor(rows, COUNT(rows));
	struct pmuq_decode_options options = { .size = sizeof(options), .vendor = two };
	struct pmuq_attr attr = { .type = 4, .config = 0x74 };
	struct pmuq_decoding *decoding = decode(&attr, &options);

	(void)state;
	assert_string_equal(decoding->text.p, "cpu/event=0x74/");
	for (size_t i = 0; i < decoding->n_alternatives; i++) {
		assert_null(strstr(decoding->alternatives[i].p, "a+b"));
		assert_null(strstr(decoding->alternatives[i].p, "x.gone"));
	}
	pmuq_decoding_free(decoding);
	pmuq_vendor_free(two);
}

static void tables_are_a_source_that_can_be_left_out(void **state)
{
	struct pmuq_decode_options options = { .size = sizeof(options), .vendor = vendor };
	struct pmuq_attr attr = { .type = 4, .config = 0x20d1 };
	static const struct {
		unsigned from;
		const char *string;
	} want[] = {
		{ PMUQ_FROM_JSON, "mem.l3_miss" },
		{ PMUQ_FROM_FORMAT | PMUQ_FROM_SYSFS, "cpu/event=0xd1,umask=0x20/" },
	};
	struct pmuq_decoding *decoding;

	(void)state;
	for (size_t i = 0; i < COUNT(want); i++) {
		options.from = want[i].from;
		decoding = decode(&attr, &options);
		assert_string_equal(decoding->text.p, want[i].string);
		pmuq_decoding_free(decoding);
	}
	/* A caller without tables. */
	options =
		(struct pmuq_decode_options){ .size = offsetof(struct pmuq_decode_options, vendor),
					      .vendor = vendor };
	decoding = decode(&attr, &options);
	assert_string_equal(decoding->text.p, "cpu/event=0xd1,umask=0x20/");
	pmuq_decoding_free(decoding);
}

static void free_encodings(struct pmuq_encodings **encodings)
{
	pmuq_encodings_free(*encodings);
}

/* The attrs of the text, each decoded and encoded again. */
static size_t check_text(const struct pmuq_vendor *with, const char *text,
			 enum pmuq_dialect dialect)
{
	struct pmuq_encode_options options = { .size = sizeof(options),
					       .dialect = dialect,
					       .vendor = with };
	struct pmuq_decode_options back = { .size = sizeof(back),
					    .dialect = dialect,
					    .vendor = with };
	cleanup(free_encodings) struct pmuq_encodings *made = NULL;

	assert_int_equal(pmuq_catalog_encode(catalog, text, &options, &made, NULL), 0);
	for (size_t i = 0; i < pmuq_encodings_count(made); i++) {
		const struct pmuq_attr *attr = pmuq_encodings_get(made, i)->attr;
		cleanup(free_encodings) struct pmuq_encodings *again = NULL;
		struct pmuq_decoding *decoding = decode(attr, &back);

		assert_true(decoding->is_exact);
		assert_int_equal(
			pmuq_catalog_encode(catalog, decoding->text.p, &options, &again, NULL), 0);
		assert_int_equal(pmuq_encodings_count(again), 1);
		assert_memory_equal(pmuq_encodings_get(again, 0)->attr, attr, sizeof(*attr));
		pmuq_decoding_free(decoding);
	}
	return pmuq_encodings_count(made);
}

static void every_event_of_a_table_gives_its_attr_again(void **state)
{
	size_t n = 0;

	(void)state;
	for (size_t i = 0; i < COUNT(table); i++)
		for (enum pmuq_dialect dialect = 0; dialect <= PMUQ_DIALECT_PERF; dialect++) {
			struct pq_buf text = PQ_BUF_NULL;

			if (strchr(table[i].terms, '?') || *table[i].compat)
				continue;
			pq_buf_print(&text, "'%s':u", table[i].name);
			pq_buf_char(&text, '\0', 1);
			n += check_text(vendor, text.p, dialect);
			pq_buf_free(&text);
		}
	assert_int_equal(n, 2 * (COUNT(table) - 1));
}

/* As many events as a vendor has, most of them share bits. */
static void a_long_table_is_one_too(void **state)
{
	enum { MANY = 5000 };
	static struct test_event rows[MANY];
	static char names[MANY][16], terms[MANY][48];
	struct pmuq_vendor *many;

	(void)state;
	for (unsigned i = 0; i < MANY; i++) {
		snprintf(names[i], sizeof(names[i]), "event.%u", i);
		snprintf(terms[i], sizeof(terms[i]), "event=0x%x,umask=0x%x,ldlat=%u", i % 7,
			 i / 7 % 5, i / 35);
		rows[i] = (struct test_event){ names[i], "default_core", terms[i], "", i % 3 == 0 };
	}
	many = test_vendor(rows, MANY);
	for (unsigned i = 0; i < MANY; i += 97) {
		struct pmuq_decode_options options = { .size = sizeof(options), .vendor = many };
		struct pmuq_attr attr = { .type = 4,
					  .config = i % 7 | (i / 7 % 5) << 8,
					  .config1 = i / 35 };
		struct pmuq_decoding *decoding = decode(&attr, &options);

		assert_string_equal(decoding->text.p, names[i]);
		pmuq_decoding_free(decoding);
	}
	pmuq_vendor_free(many);
}

/* Each umask's own bits, the wanted bits, and the umasks that are picked. */
static void umasks_are_picked_together(void **state)
{
	static const struct pq_words own[] = {
		{ { 0x01b7, 0x1 } }, { { 0x01b7, 0x2 } },  { { 0x01b7, 0x3 } },
		{ { 0x01b7, 0 } },   { { 0x01b7, 0x30 } }, { { 0x01b7, 0x110 } },
	};
	static const struct {
		struct pq_words wanted;
		size_t n, picked[3];
	} rows[] = {
		{ { { 0x01b7, 0x33 } }, 2, { 2, 4 } },
		{ { { 0x01b7, 0x31 } }, 2, { 4, 0 } },
		{ { { 0x01b7, 0x133 } }, 3, { 2, 4, 5 } },
		/* A single umask is not a result, and one with other bits is never picked. */
		{ { { 0x01b7, 0x3 } }, 0, { 0 } },
		{ { { 0x01b0, 0x33 } }, 0, { 0 } },
	};
	size_t picked[PQ_PICKED_MAX];

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		size_t n = pq_pick_umasks(own, COUNT(own), &rows[i].wanted, picked);

		assert_int_equal(n, rows[i].n);
		for (size_t k = 0; k < n; k++)
			assert_int_equal(picked[k], rows[i].picked[k]);
	}
	assert_int_equal(pq_pick_umasks(own, 0, &rows[0].wanted, picked), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_vendors_names_come_after_the_machines_and_before_all_others),
		cmocka_unit_test(other_names_are_alternatives_and_deprecated_ones_the_last),
		cmocka_unit_test(a_deprecated_name_never_comes_before_another),
		cmocka_unit_test(names_that_do_not_encode_are_not_used),
		cmocka_unit_test(tables_are_a_source_that_can_be_left_out),
		cmocka_unit_test(every_event_of_a_table_gives_its_attr_again),
		cmocka_unit_test(a_long_table_is_one_too),
		cmocka_unit_test(umasks_are_picked_together),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
