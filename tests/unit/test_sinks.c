/* SPDX-License-Identifier: MIT */
/* Texts of documents: core/text. A text that is written as JSON or YAML is read back unchanged. */
#include "core/text/json_read.h"
#include "core/text/sink.h"
#include "core/text/utf8.h"
#include "core/text/yaml_words.h"
#include "tests/unit/cmocka_all.h"
#include <stdio.h>
#include <string.h>

static void assert_written(struct pq_buf *buf, const char *want)
{
	char *text = pq_buf_take(buf);

	assert_non_null(text);
	assert_string_equal(text, want);
	free(text);
}

/* ---------------------------------------------------------------------------------------- JSON */

static void write_nested(struct pq_sink *sink)
{
	pq_sink_begin(sink);
	pq_sink_open(sink, '{');
	pq_sink_key(sink, STR("a"));
	pq_sink_number(sink, INT64_MIN);
	pq_sink_key(sink, STR("rows"));
	pq_sink_open(sink, '[');
	for (int i = 0; i < 2; i++) {
		pq_sink_open(sink, '{');
		pq_sink_key(sink, STR("b"));
		pq_sink_word(sink, UINT64_MAX);
		pq_sink_key(sink, STR("c"));
		pq_sink_open(sink, '[');
		pq_sink_close(sink, ']');
		pq_sink_close(sink, '}');
	}
	pq_sink_close(sink, ']');
	pq_sink_close(sink, '}');
	pq_sink_end(sink);
}

#define ROW "{\"b\": \"0xffffffffffffffff\", \"c\": []}"

static void lines_end_down_to_a_level(void **state)
{
	static const struct {
		unsigned levels;
		const char *want;
	} rows[] = {
		{ 0, "{\"a\": -9223372036854775808, \"rows\": [" ROW ", " ROW "]}\n" },
		{ 1, "{\n  \"a\": -9223372036854775808,\n  \"rows\": [" ROW ", " ROW "]\n}\n" },
		{ 2, "{\n  \"a\": -9223372036854775808,\n  \"rows\": [\n    " ROW ",\n    " ROW
		     "\n  ]\n}\n" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct pq_buf buf = PQ_BUF_NULL;
		struct pq_sink *sink = pq_sink_json(&buf, rows[i].levels);

		write_nested(sink);
		assert_false(sink->failed);
		pq_sink_free(sink);
		assert_written(&buf, rows[i].want);
	}
}

/* `text` after it was written and read. */
static struct pq_buf written_and_read(struct pmuq_str text)
{
	struct pq_buf buf = PQ_BUF_NULL, read = PQ_BUF_NULL;
	struct pq_sink *sink = pq_sink_json(&buf, 0);
	struct pq_json_reader reader;

	pq_sink_text(sink, text);
	pq_sink_free(sink);
	for (size_t i = 0; i < buf.n; i++)
		assert_true((unsigned char)buf.p[i] >= ' ' && buf.p[i] != 0x7f);
	reader = (struct pq_json_reader){ .text = pq_buf_str(&buf) };
	assert_int_equal(pq_json_next(&reader), PQ_JSON_TEXT);
	pq_buf_add(&read, reader.value);
	assert_int_equal(pq_json_next(&reader), PQ_JSON_END);
	assert_true(pq_json_is_all(&reader));
	pq_json_clear(&reader);
	pq_buf_free(&buf);
	return read;
}

static void is_read_as_it_was(struct pmuq_str text)
{
	struct pq_buf want = PQ_BUF_NULL, read;

	pq_utf8_repair(&want, text);
	read = written_and_read(text);
	assert_true(str_eq(pq_buf_str(&read), pq_buf_str(&want)));
	pq_buf_free(&read);
	pq_buf_free(&want);
}

/* Strings are scanned in words of eight bytes: each byte at each position of texts of one to three
 * words. */
static void any_byte_anywhere_is_read_as_it_was(void **state)
{
	char bytes[17];

	(void)state;
	for (unsigned byte = 0; byte < 256; byte++)
		for (size_t n = 1; n <= sizeof(bytes); n++)
			for (size_t at = 0; at < n; at++) {
				memset(bytes, 'x', sizeof(bytes));
				bytes[at] = (char)byte;
				is_read_as_it_was((struct pmuq_str){ .p = bytes, .n = n });
			}
}

static void utf8_is_valid_unless_a_byte_stands_alone(void **state)
{
	(void)state;
	for (unsigned byte = 0; byte < 256; byte++)
		for (size_t at = 0; at < 17; at++) {
			char bytes[17];

			memset(bytes, 'x', sizeof(bytes));
			bytes[at] = (char)byte;
			assert_int_equal(pq_utf8_is_valid((struct pmuq_str){ .p = bytes, .n = 17 }),
					 byte < 0x80);
		}
}

static void a_control_character_is_never_bare(void **state)
{
	struct pq_buf buf = PQ_BUF_NULL;
	struct pq_sink *sink = pq_sink_json(&buf, 0);

	(void)state;
	pq_sink_text(sink, STR("12345678\x1b[2J\x7f\n\t\"\\"));
	pq_sink_free(sink);
	assert_written(&buf, "\"12345678\\u001b[2J\\u007f\\n\\t\\\"\\\\\"");
}

static void wrong_json_has_a_position(void **state)
{
	static const struct {
		const char *text;
		size_t at;
		const char *problem;
	} rows[] = {
		{ "", 0, "a value" },
		{ "{\"a\":1,\"b\":2,\"a\":3}", 13, "twice" },
		{ "[1 2]", 3, "a comma" },
		{ "{\"a\" 1}", 5, "a colon" },
		{ "[1,]", 3, "a value" },
		{ "[01]", 1, "a value" },
		{ "\"\\ud800\"", 1, "escape" },
		{ "\"\\udc00\"", 1, "escape" },
		{ "\"a", 2, "end" },
		{ "{} {}", 3, "after" },
		{ "nul", 0, "a value" },
		{ "truex", 4, "after" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct pq_json_reader reader = { .text = str_of(rows[i].text) };
		struct pq_json_value *root;
		struct pq_arena arena = PQ_ARENA(1 << 20);

		assert_int_equal(pq_json_parse(&reader, &arena, &root), PQ_JSON_WRONG);
		if (reader.start != rows[i].at || !strstr(reader.problem, rows[i].problem))
			fail_msg("%s: %zu, %s", rows[i].text, reader.start, reader.problem);
		pq_arena_clear(&arena);
	}
}

/* The edges of each length of UTF-8, pairs of surrogates, and the short escapes. */
static void escapes_of_json_become_their_characters(void **state)
{
	static const struct {
		const char *text, *value; /* NULL: refused */
	} rows[] = {
		{ "\"\\u0041\\u007f\"", "A\x7f" },
		{ "\"\\u0080\\u07ff\"", "\xc2\x80\xdf\xbf" },
		{ "\"\\u0800\\uffff\"", "\xe0\xa0\x80\xef\xbf\xbf" },
		{ "\"\\ud7ff\\ue000\"", "\xed\x9f\xbf\xee\x80\x80" },
		{ "\"\\ud800\\udc00\"", "\xf0\x90\x80\x80" },
		{ "\"\\udbff\\udfff\"", "\xf4\x8f\xbf\xbf" },
		{ "\"x\\uD83D\\uDe00y\"", "x\xf0\x9f\x98\x80y" },
		{ "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t" },
		{ "\"plain \xe2\x82\xac\"", "plain \xe2\x82\xac" },
		{ "\"\\u004\"", NULL },
		{ "\"\\u004", NULL },
		{ "\"\\u00g1\"", NULL },
		{ "\"\\ud83d\"", NULL },
		{ "\"\\ud83dx\\ude00\"", NULL },
		{ "\"\\ud83d\\u0041\"", NULL },
		{ "\"\\ud83d\\udbff\"", NULL },
		{ "\"\\ud83d\\ue000\"", NULL },
		{ "\"\\udfff\"", NULL },
		{ "\"\\U0041\"", NULL },
		{ "\"\\a\"", NULL },
		{ "\"\\", NULL },
		{ "\"\t\"", NULL },
		{ "\"\xff\"", NULL },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct pq_json_reader reader = { .text = str_of(rows[i].text) };
		struct pq_json_value *root = NULL;
		struct pq_arena arena = PQ_ARENA(1 << 20);
		enum pq_json_result parsed;

		parsed = pq_json_parse(&reader, &arena, &root);
		if ((parsed == PQ_JSON_OK) != (rows[i].value != NULL))
			fail_msg("%s: %s", rows[i].text, rows[i].value ? "refused" : "accepted");
		if (rows[i].value)
			assert_string_equal(root->text.p, rows[i].value);
		pq_arena_clear(&arena);
	}
}

static void numbers_of_json_have_one_grammar(void **state)
{
	static const char *const good[] = { "0",	"-0",  "10",	     "-10",  "0.5",
					    "1.25e3",	"1e5", "1E5",	     "1e+5", "1e-5",
					    "-0.5E-10", "0e0", "123.456e+7", "1e00" };
	static const char *const bad[] = { "-",	   "+1",    "01",    "-01",  "1.", ".5",
					   "1.e5", "1e",    "1e+",   "1e-",  "e5", "0x1",
					   "--1",  "1e5.5", "1.2.3", "1e+-5" };

	(void)state;
	for (size_t i = 0; i < COUNT(good) + COUNT(bad); i++) {
		const char *text = i < COUNT(good) ? good[i] : bad[i - COUNT(good)];
		struct pq_json_reader reader = { .text = str_of(text) };
		struct pq_json_value *root = NULL;
		struct pq_arena arena = PQ_ARENA(1 << 20);
		enum pq_json_result parsed;

		parsed = pq_json_parse(&reader, &arena, &root);
		if ((parsed == PQ_JSON_OK) != (i < COUNT(good)))
			fail_msg("%s: %d", text, (int)parsed);
		if (parsed == PQ_JSON_OK)
			assert_string_equal(root->text.p, text);
		pq_arena_clear(&arena);
	}
}

static void nesting_and_members_have_a_limit(void **state)
{
	char deep[2 * PQ_JSON_DEPTH_MAX + 2];
	struct pq_json_reader reader = { .text = { .p = deep, .n = sizeof(deep) } };
	struct pq_buf wide = PQ_BUF_NULL;
	struct pq_json_value *root;
	struct pq_arena arena = PQ_ARENA(1 << 20);

	(void)state;
	memset(deep, '[', sizeof(deep) / 2);
	memset(deep + sizeof(deep) / 2, ']', sizeof(deep) / 2);
	assert_int_equal(pq_json_parse(&reader, &arena, &root), PQ_JSON_WRONG);
	assert_int_equal(reader.start, PQ_JSON_DEPTH_MAX);
	reader = (struct pq_json_reader){ .text = { .p = deep + 1, .n = sizeof(deep) - 2 } };
	assert_int_equal(pq_json_parse(&reader, &arena, &root), PQ_JSON_OK);

	for (int i = 0; i <= 1000; i++)
		pq_buf_print(&wide, "%c\"%d\":0", i ? ',' : '{', i);
	pq_buf_char(&wide, '}', 1);
	reader = (struct pq_json_reader){ .text = pq_buf_str(&wide) };
	assert_int_equal(pq_json_parse(&reader, &arena, &root), PQ_JSON_WRONG);
	pq_buf_free(&wide);
	pq_arena_clear(&arena);
}

static void members_are_found_by_name(void **state)
{
	struct pq_json_reader reader = {
		.text = STR(
			"{\"a\": [1, \"x\\u20ac\", {\"b\": true}], \"n\": 18446744073709551615}")
	};
	const struct pq_json_value *list, *item;
	struct pq_json_value *root;
	struct pq_arena arena = PQ_ARENA(1 << 20);
	uint64_t n;

	(void)state;
	assert_int_equal(pq_json_parse(&reader, &arena, &root), PQ_JSON_OK);
	list = pq_json_get(root, "a");
	assert_int_equal(list->type, PQ_JSON_IS_LIST);
	item = list->first->next;
	assert_string_equal(item->text.p, "x\xe2\x82\xac");
	assert_string_equal(pq_json_get(item->next, "b")->text.p, "true");
	assert_null(item->next->next);
	assert_true(pq_json_count(pq_json_get(root, "n"), &n));
	assert_true(n == UINT64_MAX);
	assert_null(pq_json_get(root, "none"));
	assert_null(pq_json_get(list, "a"));
	pq_arena_clear(&arena);
}

/* ---------------------------------------------------------------------------------------- YAML */

static char *yaml_of(struct pmuq_str text)
{
	struct pq_buf buf = PQ_BUF_NULL;
	struct pq_sink *sink;

	assert_int_equal(pq_sink_yaml(&buf, &sink, NULL), 0);
	pq_sink_begin(sink);
	pq_sink_open(sink, '[');
	pq_sink_text(sink, text);
	pq_sink_close(sink, ']');
	pq_sink_end(sink);
	pq_sink_finish(sink);
	assert_false(sink->failed);
	pq_sink_free(sink);
	return pq_buf_take(&buf);
}

static void no_document_is_no_text(void **state)
{
	struct pq_buf buf = PQ_BUF_NULL;
	struct pq_sink *sink;

	(void)state;
	assert_int_equal(pq_sink_yaml(&buf, &sink, NULL), 0);
	pq_sink_finish(sink);
	assert_false(sink->failed);
	assert_int_equal(buf.n, 0);
	pq_sink_free(sink);
	pq_buf_free(&buf);
}

/* Without quotes, a reader of YAML 1.1 or 1.2 takes them for a truth, nothing, a number or a date.
 */
static const char *const typed[] = {
	"y",	"Y",	"n",   "N",    "yes", "No",    "on",	"OFF",	 "true",       "False",
	"NULL", "~",	"",    "1",    "-1",  "+1",    "1.5",	"1e3",	 ".inf",       "-.INF",
	".nan", "0x10", "017", "0o17", "0b1", "1_000", "12:30", "1:2:3", "2026-11-21",
};

static void assert_quoted(const char *text)
{
	auto_free char *written = yaml_of(str_of(text));

	if (strncmp(written, "- \"", 3) != 0)
		fail_msg("%s is written as %s", text, written);
}

static void texts_that_yaml_reads_as_other_types_are_quoted(void **state)
{
	static const char *const texts[] = { "a: b", "a:", "a #b", "- a", "&a",	 "*a",	  "!a",
					     "%a",   "@a", "`a",   "{a}", "'a'", "\"a\"", "a " };

	(void)state;
	for (size_t i = 0; i < COUNT(typed); i++)
		assert_quoted(typed[i]);
	for (size_t i = 0; i < COUNT(texts); i++)
		assert_quoted(texts[i]);
}

/* Where a document has one of them without quotes, it is not taken for a text. */
static void what_yaml_takes_for_something_else_is_not_read_as_a_text(void **state)
{
	static const char *const texts[] = { "yy", "cycles", "0-3", "uncore_imc_[0-3]",
					     "6.12.1-a" };

	(void)state;
	for (size_t i = 0; i < COUNT(typed); i++)
		if (*typed[i] && !pq_yaml_is_typed(str_of(typed[i])))
			fail_msg("%s is a text", typed[i]);
	for (size_t i = 0; i < COUNT(texts); i++)
		if (pq_yaml_is_typed(str_of(texts[i])))
			fail_msg("%s is not a text", texts[i]);
}

static void texts_that_are_always_strings_are_not_quoted(void **state)
{
	static const char *const texts[] = {
		"yy", "yes.", "cycles", "cpu/event=0x3c,inv/u", "uncore_imc_[0-3]", "pmuq.encode/1"
	};

	(void)state;
	for (size_t i = 0; i < COUNT(texts); i++) {
		struct pmuq_str plain = str_of(texts[i]);
		char *text = yaml_of(plain);

		if (strlen(text) != plain.n + 3 || memcmp(text + 2, plain.p, plain.n) != 0)
			fail_msg("%s is written as %s", texts[i], text);
		free(text);
	}
}

static void bytes_that_are_no_utf8_are_replaced(void **state)
{
	char *text = yaml_of(STR("a\xff\xed\xa0\x80z"));

	(void)state;
	/* U+FFFD for each byte; ED A0 80 would be half of a surrogate pair. */
	assert_string_equal(text, "- \"a\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbdz\"\n");
	free(text);
}

/* --------------------------------------------------------------------------------------- UTF-8 */

static void utf8_is_as_long_as_its_number_needs(void **state)
{
	static const struct {
		const char *text;
		size_t length;
	} rows[] = {
		{ "a", 1 },
		{ "\xc2\x80", 2 },
		{ "\xdf\xbf", 2 },
		{ "\xe0\xa0\x80", 3 },
		{ "\xed\x9f\xbf", 3 },
		{ "\xee\x80\x80", 3 },
		{ "\xf0\x90\x80\x80", 4 },
		{ "\xf4\x8f\xbf\xbf", 4 },
		/* Overlong, surrogate, too large, cut off, no first byte. */
		{ "\xc0\x80", 0 },
		{ "\xc1\xbf", 0 },
		{ "\xe0\x9f\xbf", 0 },
		{ "\xf0\x8f\xbf\xbf", 0 },
		{ "\xed\xa0\x80", 0 },
		{ "\xed\xbf\xbf", 0 },
		{ "\xf4\x90\x80\x80", 0 },
		{ "\xf5\x80\x80\x80", 0 },
		{ "\xe2\x82", 0 },
		{ "\xe2\x82x", 0 },
		{ "\x80", 0 },
		{ "\xff", 0 },
		{ "", 0 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++)
		assert_int_equal(pq_utf8_length(str_of(rows[i].text)), rows[i].length);
	assert_true(pq_utf8_is_text(STR("a\n\tb\xc2\xa0")));
	assert_false(pq_utf8_is_text(STR("a\x1b")));
	assert_false(pq_utf8_is_text(STR("a\x7f")));
	assert_true(pq_utf8_is_valid(STR("a\x1b")));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_end_down_to_a_level),
		cmocka_unit_test(any_byte_anywhere_is_read_as_it_was),
		cmocka_unit_test(utf8_is_valid_unless_a_byte_stands_alone),
		cmocka_unit_test(a_control_character_is_never_bare),
		cmocka_unit_test(wrong_json_has_a_position),
		cmocka_unit_test(escapes_of_json_become_their_characters),
		cmocka_unit_test(numbers_of_json_have_one_grammar),
		cmocka_unit_test(nesting_and_members_have_a_limit),
		cmocka_unit_test(members_are_found_by_name),
		cmocka_unit_test(no_document_is_no_text),
		cmocka_unit_test(texts_that_yaml_reads_as_other_types_are_quoted),
		cmocka_unit_test(what_yaml_takes_for_something_else_is_not_read_as_a_text),
		cmocka_unit_test(texts_that_are_always_strings_are_not_quoted),
		cmocka_unit_test(bytes_that_are_no_utf8_are_replaced),
		cmocka_unit_test(utf8_is_as_long_as_its_number_needs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
