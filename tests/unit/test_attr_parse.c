/* SPDX-License-Identifier: MIT */
/* Attrs as text: hex of either byte order, lists of fields, and the errors of both. */
#include "core/attr/attr.h"
#include "core/buf.h"
#include "tests/unit/cmocka_all.h"
#include <pmuq/pmuq.h>
#include <stdlib.h>

/* The first and the last of three bits, counted from the end of the word where the flags begin.
 */
#define START_PAUSED_AND_RESUME                                                                    \
	(__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? UINT32_C(0xa0000000) : UINT32_C(5))

static const struct pmuq_attr full = {
	.type = 0x01020304,
	.size = PMUQ_ATTR_SIZE_MAX,
	.config = 0x0102030405060708,
	.sample_period = 0x1112131415161718,
	.sample_type = 0x2122232425262728,
	.read_format = 0x3132333435363738,
	.disabled = 1,
	.exclude_kernel = 1,
	.precise_ip = 2,
	.exclude_callchain_user = 1,
	.defer_output = 1,
	.wakeup_events = 0x41424344,
	.bp_type = 0x51525354,
	.config1 = 0x6162636465666768,
	.config2 = 0x7172737475767778,
	.branch_sample_type = 0x8182838485868788,
	.sample_regs_user = 0x9192939495969798,
	.sample_stack_user = 0xa1a2a3a4,
	.clockid = -2,
	.sample_regs_intr = 0xb1b2b3b4b5b6b7b8,
	.aux_watermark = 0xc1c2c3c4,
	.sample_max_stack = 0xd1d2,
	.aux_sample_size = 0xe1e2e3e4,
	.aux_action = START_PAUSED_AND_RESUME,
	.sig_data = 0xf1f2f3f4f5f6f7f8,
	.config3 = 0x0a0b0c0d0e0f1011,
	.config4 = 0x1213141516171819,
};

/* The same attr on machines of either byte order (perf_event_open(2)). If the most
 * significant byte is first, so is the most significant bit: the flags begin at that end. */
static const char little_endian[] =
	"04030201 90000000 0807060504030201 1817161514131211 2827262524232221 "
	"3837363534333231 2100410080000000 44434241 54535251 6867666564636261 "
	"7877767574737271 8887868584838281 9897969594939291 a4a3a2a1 feffffff "
	"b8b7b6b5b4b3b2b1 c4c3c2c1 d2d1 0000 e4e3e2e1 05000000 f8f7f6f5f4f3f2f1 "
	"11100f0e0d0c0b0a 1918171615141312";
static const char big_endian[] =
	"01020304 00000090 0102030405060708 1112131415161718 2122232425262728 "
	"3132333435363738 8401020001000000 41424344 51525354 6162636465666768 "
	"7172737475767778 8182838485868788 9192939495969798 a1a2a3a4 fffffffe "
	"b1b2b3b4b5b6b7b8 c1c2c3c4 d1d2 0000 e1e2e3e4 a0000000 f1f2f3f4f5f6f7f8 "
	"0a0b0c0d0e0f1011 1213141516171819";

static void assert_parses(const char *text, const struct pmuq_attr *want)
{
	struct pmuq_error *error = NULL;
	struct pmuq_attr attr;

	if (pmuq_attr_parse(text, &attr, &error) < 0)
		fail_msg("'%s': %s", text, error->message.p);
	assert_memory_equal(&attr, want, sizeof(attr));
}

static void either_byte_order_is_understood(void **state)
{
	(void)state;
	assert_parses(little_endian, &full);
	assert_parses(big_endian, &full);
}

/* The attr's bytes, with other text before and between them. */
static char *hex_of(const void *bytes, size_t n, const char *before, const char *between)
{
	const unsigned char *byte = bytes;
	struct pq_buf text = PQ_BUF_NULL;

	for (size_t i = 0; i < n; i++)
		pq_buf_print(&text, "%s%02x%s", i && *between != ' ' ? "" : before, byte[i],
			     between);
	return pq_buf_take(&text);
}

static void hex_may_be_written_in_many_ways(void **state)
{
	static const struct {
		const char *before, *between;
	} ways[] = { { "", "" },    { "0x", "" }, { "", " " },
		     { "0x", " " }, { "", "\n" }, { "", ", " } };

	(void)state;
	for (size_t i = 0; i < COUNT(ways); i++) {
		auto_free char *text = hex_of(&full, sizeof(full), ways[i].before, ways[i].between);

		assert_parses(text, &full);
	}
}

static void every_published_size_is_taken(void **state)
{
	static const unsigned sizes[] = { 64, 72, 80, 96, 104, 112, 120, 128, 136, 144 };

	(void)state;
	for (size_t i = 0; i < COUNT(sizes); i++) {
		struct pmuq_attr attr = { .type = 4, .size = sizes[i], .config = 5 };
		auto_free char *exact = hex_of(&attr, sizes[i], "", "");
		auto_free char *whole = hex_of(&attr, sizeof(attr), "", "");

		assert_parses(exact, &attr);
		/* A longer dump is valid if the additional bytes are 0. */
		assert_parses(whole, &attr);
	}
}

static void an_attr_without_a_size_has_the_first(void **state)
{
	struct pmuq_attr attr = { .type = 4, .config = 5 }, want = attr;
	auto_free char *text = hex_of(&attr, 64, "", "");

	(void)state;
	want.size = 64;
	assert_parses(text, &want);
}

/* Every field gives the same attr by name and by its bytes. */
static void fields_are_read_by_name(void **state)
{
	struct pq_buf text = PQ_BUF_NULL;
	auto_free char *list = NULL;

	(void)state;
	for (unsigned i = 0; pmuq_attr_field(i); i++)
		pq_buf_print(&text, i % 2 ? "%s=0x%llx, " : "%s=%llu\n", pmuq_attr_field(i)->name.p,
			     (unsigned long long)pmuq_attr_get(&full, i));
	list = pq_buf_take(&text);
	assert_parses(list, &full);
	assert_parses("type=5 bp_addr=0x10,bp_len=4 clockid=-2 sample_freq=99 wakeup_watermark=7",
		      &(struct pmuq_attr){ .type = 5,
					   .size = 96,
					   .config1 = 16,
					   .config2 = 4,
					   .clockid = -2,
					   .sample_period = 99,
					   .wakeup_events = 7 });
	assert_parses("config4=1", &(struct pmuq_attr){ .size = 144, .config4 = 1 });
	assert_parses(" type=1 size=120 ", &(struct pmuq_attr){ .type = 1, .size = 120 });
}

static const struct refusal {
	const char *text;
	enum pmuq_code code;
	size_t offset, length;
	const char *hint; /* a part of it */
} refusals[] = {
	{ "", PMUQ_E_BAD_ATTR, 0, 0, NULL },
	{ " ,\n", PMUQ_E_BAD_ATTR, 0, 0, NULL },
	{ "type=4 config", PMUQ_E_BAD_ATTR, 7, 6, "FIELD=NUMBER" },
	{ "type=", PMUQ_E_BAD_ATTR, 0, 5, "FIELD=NUMBER" },
	{ "=4", PMUQ_E_BAD_ATTR, 0, 2, "FIELD=NUMBER" },
	{ "type = 4", PMUQ_E_BAD_ATTR, 0, 4, "blanks" },
	{ "type=four", PMUQ_E_BAD_ATTR, 5, 4, NULL },
	{ "type=4,confg=0x3c", PMUQ_E_UNKNOWN_FIELD, 7, 5, "'config'" },
	{ "exclude_kernal=1", PMUQ_E_UNKNOWN_FIELD, 0, 14, "'exclude_kernel'" },
	{ "bp_adr=1", PMUQ_E_UNKNOWN_FIELD, 0, 6, "'bp_addr'" },
	{ "quite_another_thing=1", PMUQ_E_UNKNOWN_FIELD, 0, 19, "perf_event_open(2)" },
	{ "config=1 type=0x100000000", PMUQ_E_FIELD_RANGE, 14, 11, NULL },
	{ "precise_ip=4", PMUQ_E_FIELD_RANGE, 11, 1, NULL },
	{ "disabled=2", PMUQ_E_FIELD_RANGE, 9, 1, NULL },
	{ "disabled=-1", PMUQ_E_FIELD_RANGE, 9, 2, NULL },
	{ "config=18446744073709551616", PMUQ_E_FIELD_RANGE, 7, 20, NULL },
	{ "config=1 config=1", PMUQ_E_REPEATED_FIELD, 9, 6, NULL },
	{ "config1=1 bp_addr=1", PMUQ_E_REPEATED_FIELD, 10, 7, NULL },
	{ "type=1 size=65", PMUQ_E_ATTR_SIZE, 12, 2, "size=" },
	{ "config3=1 size=128", PMUQ_E_ATTR_SIZE, 15, 3, "136" },
	{ "0400000", PMUQ_E_BAD_HEX, 0, 7, NULL },
	{ "04 0 00", PMUQ_E_BAD_HEX, 3, 1, NULL },
	{ "0400g0", PMUQ_E_BAD_HEX, 4, 1, "type=4" },
	{ "0x", PMUQ_E_BAD_HEX, 1, 1, NULL },
	{ "cycles", PMUQ_E_BAD_HEX, 1, 1, "type=4" },
	{ "04000000 40000000", PMUQ_E_ATTR_SIZE, 0, 17, NULL },
};

static void the_error_marks_the_wrong_text(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(refusals); i++) {
		const struct refusal *want = &refusals[i];
		struct pmuq_error *error = NULL;
		struct pmuq_attr attr = { .type = 77 };
		int r = pmuq_attr_parse(want->text, &attr, &error);
		const char *hint;

		if (r != -(int)want->code || error->offset != want->offset ||
		    error->length != want->length)
			fail_msg("'%s': %d at %zu, %zu bytes", want->text, r, error->offset,
				 error->length);
		hint = error->hint.p;
		if (want->hint && (!hint || !strstr(hint, want->hint)))
			fail_msg("'%s': hint %s", want->text, hint);
		assert_string_equal(error->input.p, want->text);
		assert_int_equal(attr.type, 77);
		assert_int_equal(pmuq_attr_parse(want->text, &attr, NULL), r);
		pmuq_error_free(error);
	}
}

static void a_wrong_digit_is_named_as_a_terminal_can_show_it(void **state)
{
	static const struct {
		const char *text, *part;
	} rows[] = { { "04~0", "'~'" },
		     { "04\x7f"
		       "0",
		       "0x7f" },
		     { "04\x80"
		       "0",
		       "0x80" },
		     { "04\x01"
		       "0",
		       "0x01" } };

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct pmuq_error *error = NULL;
		struct pmuq_attr attr;

		assert_int_equal(pmuq_attr_parse(rows[i].text, &attr, &error), -PMUQ_E_BAD_HEX);
		if (!strstr(error->message.p, rows[i].part))
			fail_msg("%s, without %s", error->message.p, rows[i].part);
		pmuq_error_free(error);
	}
}

/* n bytes of an attr with that `size` field; the last byte is not 0. */
static int parse_bytes(size_t n, uint32_t size)
{
	struct pmuq_attr attr;
	auto_free unsigned char *bytes = calloc(n, 1);
	auto_free char *text = NULL;

	memcpy(bytes + offsetof(struct pmuq_attr, size), &size, sizeof(size));
	bytes[n - 1] = 1;
	text = hex_of(bytes, n, "", "");
	return pmuq_attr_parse(text, &attr, NULL);
}

static void bytes_and_size_must_agree(void **state)
{
	(void)state;
	assert_int_equal(parse_bytes(72, 72), 0);
	assert_int_equal(parse_bytes(72, 80), -PMUQ_E_ATTR_SIZE);
	assert_int_equal(parse_bytes(72, 64), -PMUQ_E_ATTR_SIZE);
	assert_int_equal(parse_bytes(72, 71), -PMUQ_E_ATTR_SIZE);
	assert_int_equal(parse_bytes(72, 0), -PMUQ_E_ATTR_SIZE);
	assert_int_equal(parse_bytes(63, 64), -PMUQ_E_ATTR_SIZE);
	assert_int_equal(parse_bytes(4096, 64), -PMUQ_E_ATTR_SIZE);
	assert_int_equal(parse_bytes(4097, 64), -PMUQ_E_ATTR_SIZE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(either_byte_order_is_understood),
		cmocka_unit_test(hex_may_be_written_in_many_ways),
		cmocka_unit_test(every_published_size_is_taken),
		cmocka_unit_test(an_attr_without_a_size_has_the_first),
		cmocka_unit_test(fields_are_read_by_name),
		cmocka_unit_test(the_error_marks_the_wrong_text),
		cmocka_unit_test(a_wrong_digit_is_named_as_a_terminal_can_show_it),
		cmocka_unit_test(bytes_and_size_must_agree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
