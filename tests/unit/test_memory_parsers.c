/* SPDX-License-Identifier: MIT */
/* Parsers of parts without memory: a vendor's table, patterns, JSON, attrs; and a text as YAML. */
#include "core/regex.h"
#include "core/text/json_read.h"
#include "core/text/sink.h"
#include "tests/harness/fail_each_malloc.h"
#include "tests/harness/vendors_machine.h"
#include <stdio.h>

static int make_table(const struct call_input *in, void **ret, struct pmuq_error **reterr)
{
	(void)in;
	return test_vendor_make(vendors_events, COUNT(vendors_events), (struct pmuq_vendor **)ret,
				reterr);
}

static char *print_table(const struct call_input *in, const void *result)
{
	struct pq_buf buf = PQ_BUF_NULL;

	(void)in;
	for (size_t i = 0; pmuq_vendor_get(result, i); i++)
		pq_buf_print(&buf, "%s\n", pmuq_vendor_get(result, i)->event->name.p);
	return pq_buf_take(&buf);
}

static void free_table(void *result)
{
	pmuq_vendor_free(result);
}

/* The result is where the pattern matches, plus 2. */
static int compile(const struct call_input *in, void **ret, struct pmuq_error **reterr)
{
	auto_arena struct pq_arena arena = PQ_ARENA(SIZE_MAX);
	const struct pq_regex *regex = NULL;
	int r = pq_regex_compile(&arena, str_of(in->text), &regex, reterr);

	if (r == 0)
		*ret = (void *)(uintptr_t)(pq_regex_match(regex, STR("abcabc1"), 0) + 2);
	return r;
}

static int parse_json(const struct call_input *in, void **ret, struct pmuq_error **reterr)
{
	auto_arena struct pq_arena arena = PQ_ARENA(SIZE_MAX);
	struct pq_json_reader reader = { .text = str_of(in->text) };
	struct pq_json_value *root = NULL;
	enum pq_json_result result = pq_json_parse(&reader, &arena, &root);

	if (result == PQ_JSON_MEMORY)
		return pq_fail_memory(reterr);
	*ret = (void *)(uintptr_t)(1 + result + 16 * reader.at);
	return 0;
}

static char *print_number(const struct call_input *in, const void *result)
{
	char *text = NULL;

	(void)in;
	assert_true(asprintf(&text, "%p", result) > 0);
	return text;
}

static void free_nothing(void *result)
{
	(void)result;
}

static const struct call_type makes_tables = { "make a table", make_table, print_table,
					       free_table };
static const struct call_type compiles = { "compile", compile, print_number, free_nothing };
static const struct call_type parses_json = { "parse JSON", parse_json, print_number,
					      free_nothing };

/* The bytes that are not UTF-8 are replaced in a buffer of its own. */
static int write_yaml(const struct call_input *in, void **ret, struct pmuq_error **reterr)
{
	struct pq_buf buf = PQ_BUF_NULL;
	struct pq_sink *sink;
	int r = pq_sink_yaml(&buf, &sink, reterr);

	if (r < 0)
		return r;
	pq_sink_begin(sink);
	pq_sink_text(sink, (struct pmuq_str){ .p = in->bytes, .n = in->n_bytes });
	pq_sink_end(sink);
	pq_sink_finish(sink);
	if (sink->failed)
		r = pq_fail_memory(reterr);
	pq_sink_free(sink);
	*ret = r == 0 ? pq_buf_take(&buf) : NULL;
	pq_buf_free(&buf);
	return r;
}

static char *copy_text(const struct call_input *in, const void *result)
{
	(void)in;
	return strdup(result);
}

static const struct call_type writes_yaml = { "write YAML", write_yaml, copy_text, free };

static void a_text_as_yaml(void **state)
{
	static const char bytes[] = "a\xff\xed\xa0\x80z";

	(void)state;
	fail_each_malloc(&writes_yaml, &(struct call_input){ .text = "bytes that are not UTF-8",
							     .bytes = bytes,
							     .n_bytes = sizeof(bytes) - 1 });
}

static void tables_patterns_and_json(void **state)
{
	static const char *const patterns[] = { "abc",	       "(a|b)+c*", "[[:alpha:]]{2,3}1?",
						"[^a-c]x{,2}", "(((a)))*", "a{1,",
						"[a",	       "(a",	   "" };
	static const char *const json[] = {
		"{\"a\": [1, \"x\\u20ac\", {\"b\": true}], \"n\": null}",
		"[\"\\n\\ud83d\\ude00\", -1.5e3]",
		"[1, ",
		"{\"a\" 1}",
		"[\"\\q\"]",
	};

	(void)state;
	fail_each_malloc(&makes_tables, &(struct call_input){ .text = "a table" });
	for (size_t i = 0; i < COUNT(patterns); i++)
		fail_each_malloc(&compiles, &(struct call_input){ .text = patterns[i] });
	for (size_t i = 0; i < COUNT(json); i++)
		fail_each_malloc(&parses_json, &(struct call_input){ .text = json[i] });
}

static int parse_attr(const struct call_input *in, void **ret, struct pmuq_error **reterr)
{
	struct pmuq_attr attr;
	int r = pmuq_attr_parse(in->text, &attr, reterr);

	if (r == 0)
		*ret = (void *)(uintptr_t)(attr.config + 1);
	return r;
}

static const struct call_type parses_attrs = { "parse", parse_attr, print_number, free_nothing };

static void attrs_from_text(void **state)
{
	static const char *const texts[] = { "type=4 config=1",
					     "typ=4",
					     "type=4 type=5",
					     "config=x",
					     "type=4294967296",
					     "excl=1",
					     "",
					     "00",
					     "0g" };

	(void)state;
	for (size_t i = 0; i < COUNT(texts); i++)
		fail_each_malloc(&parses_attrs, &(struct call_input){ .text = texts[i] });
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(tables_patterns_and_json),
		cmocka_unit_test(a_text_as_yaml),
		cmocka_unit_test(attrs_from_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
