/* SPDX-License-Identifier: MIT */
/* Invalid documents, with the error and its location: in YAML, in JSON. */
#include "core/buf.h"
#include "tests/unit/cmocka_all.h"
#include <pmuq/pmuq.h>
#include <stdio.h>
#include <string.h>

#define HEAD "schema: pmuq.inventory/2\nhosts:\n- name: a\n"
#define PMU "pmus:\n- name: cpu\n  type: 4\n"
#define CHECK                                                                                      \
	HEAD PMU "check:\n  total: 1\n  open_results:\n    o:\n      status: opened\n  checked:\n"

struct row {
	const char *name, *text;
	enum pmuq_code code;
	const char *at;	     /* line:column */
	const char *message; /* a part of it */
	const char *hint;    /* a part of it */
};

// clang-format off
static const struct row rows[] = {
	/* Not a document. */
	{ "nothing at all", "", PMUQ_E_NOT_A_DOCUMENT, "1:1", "empty" },
	{ "blanks", " \n\n\t\n", PMUQ_E_NOT_A_DOCUMENT, "4:1", "empty" },
	{ "a comment", "# yes\n", PMUQ_E_NOT_A_DOCUMENT, "2:1", "empty" },
	{ "a word", "hello\n", PMUQ_E_NOT_A_DOCUMENT, "1:1", "schema", "pmuq export" },
	{ "a list", "- a\n", PMUQ_E_NOT_A_DOCUMENT, "1:1", "schema" },
	{ "another mapping", "name: pmuq\n", PMUQ_E_NOT_A_DOCUMENT, "1:1", "schema" },
	{ "another schema", "a: b\nschema: other/1\n", PMUQ_E_NOT_A_DOCUMENT, "2:9", "schema" },
	{ "no number of a schema", "schema: pmuq.inventory/x\n", PMUQ_E_NOT_A_DOCUMENT, "1:9", "" },
	{ "a schema before the first", "schema: pmuq.inventory/0\n", PMUQ_E_NOT_A_DOCUMENT, "1:9", "" },
	{ "a newer schema", "schema: pmuq.inventory/3\nnew: 1\n", PMUQ_E_DOCUMENT_NEWER, "1:9", "schema 3; this pmuq supports 2" },
	{ "JSON of something else", "{\"a\": 1}", PMUQ_E_NOT_A_DOCUMENT, "1:1", "schema" },
	{ "a JSON list of something else", "[1, 2]", PMUQ_E_NOT_A_DOCUMENT, "1:2", "schema" },

	/* Not YAML. */
	{ "an open quote", HEAD "facts:\n  arch: \"x86\n", PMUQ_E_BAD_DOCUMENT, "6:1", "quoted scalar" },
	{ "no space after a colon", HEAD "facts:\n  arch:x\n  b: c\n", PMUQ_E_BAD_DOCUMENT, "6:4", "" },
	{ "a tab that indents", HEAD "facts:\n\tarch: x\n", PMUQ_E_BAD_DOCUMENT, "5:1", "" },
	{ "less indented than before", HEAD "facts:\n    arch: x\n  kernel: y\n", PMUQ_E_BAD_DOCUMENT, "6:3", "" },
	{ "no UTF-8", HEAD "facts:\n  arch: \xff\n", PMUQ_E_BAD_DOCUMENT, "5:9", "UTF-8" },
	{ "a control character", HEAD "facts:\n  arch: \x01\n", PMUQ_E_BAD_DOCUMENT, "5:9", "control" },
	{ "a NUL", HEAD "facts:\n  arch: \"\\0\"\n", PMUQ_E_BAD_ENTRY, "5:9", "base64" },
	{ "two documents in one", HEAD "end: {}\n...\n" HEAD "x: y\n", PMUQ_E_UNKNOWN_KEY, "9:1", "unknown key 'x'" },

	/* Features of YAML that documents do not use. */
	{ "an anchor", HEAD "facts: &a\n  arch: x\n", PMUQ_E_REFUSED_YAML, "4:8", "an anchor" },
	{ "an anchored text", HEAD "facts:\n  arch: &a x\n", PMUQ_E_REFUSED_YAML, "5:9", "an anchor" },
	{ "an anchored list", "schema: pmuq.inventory/2\nhosts: &h\n- {}\n", PMUQ_E_REFUSED_YAML, "2:8", "an anchor" },
	{ "an alias", HEAD "facts:\n  arch: *a\n", PMUQ_E_REFUSED_YAML, "5:9", "an alias" },
	{ "a tag", HEAD "facts:\n  arch: !!str x\n", PMUQ_E_REFUSED_YAML, "5:9", "a tag" },
	{ "a tagged mapping", HEAD "facts: !a\n  arch: x\n", PMUQ_E_REFUSED_YAML, "4:8", "a tag" },
	{ "a merge", HEAD "facts:\n  <<: {arch: x}\n", PMUQ_E_UNKNOWN_KEY, "5:8", "'arch'", "base64" },
	{ "a mapping as a key", HEAD "facts:\n  ? {a: b}\n  : c\n", PMUQ_E_BAD_ENTRY, "5:5", "a key must be a text" },
	{ "billion laughs", "a: &a [x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\n", PMUQ_E_REFUSED_YAML, "1:4", "an anchor" },

	/* Not JSON. */
	{ "JSON that ends", "{\"schema\": \"pmuq.inventory/2\"", PMUQ_E_BAD_DOCUMENT, "1:30", "ends" },
	{ "JSON whose string ends not", "{\"schema", PMUQ_E_BAD_DOCUMENT, "1:9", "ends" },
	{ "JSON without a colon", "{\n \"schema\" \"x\"}", PMUQ_E_BAD_DOCUMENT, "2:11", "a colon" },
	{ "JSON without a comma", "{\"a\": 1 \"b\": 2}", PMUQ_E_BAD_DOCUMENT, "1:9", "a comma or '}'" },
	{ "JSON with a comma too many", "{\"a\": 1,}", PMUQ_E_BAD_DOCUMENT, "1:9", "a key" },
	{ "JSON with a bare key", "{a: 1}", PMUQ_E_BAD_DOCUMENT, "1:2", "in double quotes" },
	{ "JSON with single quotes", "{'a': 1}", PMUQ_E_BAD_DOCUMENT, "1:2", "in double quotes" },
	{ "JSON with a number of octal", "{\"a\": 010}", PMUQ_E_BAD_DOCUMENT, "1:7", "a value" },
	{ "JSON with half a number", "{\"a\": 1.}", PMUQ_E_BAD_DOCUMENT, "1:7", "a value" },
	{ "JSON with a plus", "{\"a\": +1}", PMUQ_E_BAD_DOCUMENT, "1:7", "a value" },
	{ "JSON with NaN", "{\"a\": NaN}", PMUQ_E_BAD_DOCUMENT, "1:7", "a value" },
	{ "JSON with a newline in a string", "{\"a\": \"x\ny\"}", PMUQ_E_BAD_DOCUMENT, "1:9", "control" },
	{ "JSON with an escape of C", "{\"a\": \"\\x41\"}", PMUQ_E_BAD_DOCUMENT, "1:8", "escape" },
	{ "JSON with half a surrogate", "{\"a\": \"\\ud83d!\"}", PMUQ_E_BAD_DOCUMENT, "1:8", "escape" },
	{ "JSON with the wrong half", "{\"a\": \"\\ude00\"}", PMUQ_E_BAD_DOCUMENT, "1:8", "escape" },
	{ "JSON that is not UTF-8", "{\"a\": \"\xc0\xaf\"}", PMUQ_E_BAD_DOCUMENT, "1:8", "UTF-8" },
	{ "JSON with a comment", "{ // no\n}", PMUQ_E_BAD_DOCUMENT, "1:3", "a key" },
	{ "a JSON list that ends", "[", PMUQ_E_BAD_DOCUMENT, "1:2", "the list of documents" },
	{ "the same after a comma", "[{\"schema\":\"pmuq.inventory/2\",\"hosts\":[{}],\"end\":{}},", PMUQ_E_BAD_DOCUMENT, "1:54", "a document" },
	{ "a JSON list of nothing", "[]", PMUQ_E_NOT_A_DOCUMENT, "1:3", "empty" },
	{ "more after the document", "{\"schema\":\"pmuq.inventory/2\",\"hosts\":[{}],\"end\":{}} x", PMUQ_E_BAD_DOCUMENT, "1:53", "a value" },

	/* Keys. */
	{ "a misspelt key", HEAD "fact:\n  arch: x\n", PMUQ_E_UNKNOWN_KEY, "4:1", "'fact'", "did you mean 'facts'?" },
	{ "a misspelt key of a PMU", HEAD PMU "  fromats:\n    a: b\n", PMUQ_E_UNKNOWN_KEY, "7:3", "'fromats'", "'formats'" },
	{ "a misspelt key of a host", HEAD "  hostnam: x\n", PMUQ_E_UNKNOWN_KEY, "4:3", "'hostnam'", "'hostname'" },
	{ "a fact that is not a host's own", HEAD "  kernel: x\n", PMUQ_E_UNKNOWN_KEY, "4:3", "'kernel'" },
	{ "a fact that is", HEAD "facts:\n  hostname: x\n", PMUQ_E_UNKNOWN_KEY, "5:3", "write it in 'hosts'" },
	{ "no hosts", "schema: pmuq.inventory/2\n", PMUQ_E_MISSING_KEY, "1:1", "'hosts'" },
	{ "an empty list of hosts", "schema: pmuq.inventory/2\nhosts: []\n", PMUQ_E_BAD_ENTRY, "2:8", "one host" },
	{ "a host that is a text", "schema: pmuq.inventory/2\nhosts: [a]\n", PMUQ_E_BAD_ENTRY, "2:9", "a mapping" },
	{ "a key twice", HEAD "facts:\n  arch: x\n  kernel: z\n  arch: y\n", PMUQ_E_REPEATED_KEY, "7:3", "first in line 5" },
	{ "keys twice, the first of them in its line", HEAD "facts: {}\nfacts: {}\nhosts: []\n", PMUQ_E_REPEATED_KEY, "5:1", "'facts'" },
	{ "two files, one after the other", HEAD "facts: {}\n" HEAD "facts: {}\n", PMUQ_E_REPEATED_KEY, "5:1", "'schema'", "---" },
	{ "an event twice", HEAD PMU "  events:\n    a: b\n    a: c\n", PMUQ_E_REPEATED_KEY, "9:5", "'a'" },
	{ "a PMU twice", HEAD PMU "- names: cp[1-2]\n- name: cp2\n", PMUQ_E_REPEATED_KEY, "8:3", "'cp2'" },
	{ "a host twice", HEAD "- name: b\n- name: a\n", PMUQ_E_REPEATED_KEY, "5:3", "'a'" },
	{ "a PMU without a name", HEAD "pmus:\n- type: 4\n", PMUQ_E_MISSING_KEY, "5:3", "'name'" },
	{ "an instance without a name", HEAD "pmus:\n- instances:\n  - type: 4\n", PMUQ_E_MISSING_KEY, "6:5", "'name'" },
	{ "a PMU with instances and a type", HEAD "pmus:\n- instances: []\n  type: 4\n", PMUQ_E_UNKNOWN_KEY, "6:3", "'type'" },
	{ "name and names", HEAD "pmus:\n- name: a\n  names: a[1-2]\n", PMUQ_E_BAD_ENTRY, "6:3", "not both" },

	/* Values. */
	{ "a type in words", HEAD "pmus:\n- name: a\n  type: four\n", PMUQ_E_BAD_ENTRY, "6:9", "decimal number" },
	{ "a type in quotes", HEAD "pmus:\n- name: a\n  type: \"4\"\n", PMUQ_E_BAD_ENTRY, "6:9", "without quotes" },
	{ "a type in hex", HEAD "pmus:\n- name: a\n  type: 0x4\n", PMUQ_E_BAD_ENTRY, "6:9", "decimal" },
	{ "a type of 33 bits", HEAD "pmus:\n- name: a\n  type: 4294967296\n", PMUQ_E_BAD_ENTRY, "6:9", "4294967295" },
	{ "a negative type", HEAD "pmus:\n- name: a\n  type: -1\n", PMUQ_E_BAD_ENTRY, "6:9", "" },
	{ "a name with a slash", HEAD "pmus:\n- name: a/b\n", PMUQ_E_BAD_ENTRY, "5:3", "name of a file" },
	{ "a name that is two dots", HEAD "pmus:\n- name: \"..\"\n", PMUQ_E_BAD_ENTRY, "5:3", "name of a file" },
	{ "an empty name", HEAD "pmus:\n- name: \"\"\n", PMUQ_E_BAD_ENTRY, "5:3", "name of a file" },
	{ "an event with a slash", HEAD PMU "  events:\n    a/b: c\n", PMUQ_E_BAD_ENTRY, "8:5", "name of a file" },
	{ "an event that is a companion", HEAD PMU "  events:\n    a.unit: c\n", PMUQ_E_BAD_ENTRY, "8:5", "companion" },
	{ "an event that is a list", HEAD PMU "  events:\n    a: [b]\n", PMUQ_E_BAD_ENTRY, "8:8", "" },
	{ "an event of an unknown part", HEAD PMU "  events:\n    a: event=1 | units MiB\n", PMUQ_E_BAD_ENTRY, "8:8", "'units MiB'", "unit NAME" },
	{ "an event of two units", HEAD PMU "  events:\n    a: event=1 | unit a | unit b\n", PMUQ_E_BAD_ENTRY, "8:8", "'unit b'" },
	{ "an event of a part alone", HEAD PMU "  events:\n    a: \"| unit a\"\n", PMUQ_E_BAD_ENTRY, "8:8", "mapping" },
	{ "an event of no part", HEAD PMU "  events:\n    a: \"event=1 |\"\n", PMUQ_E_BAD_ENTRY, "8:8", "''" },
	{ "an event scaled by zero", HEAD PMU "  events:\n    a: event=1 | scale 0\n", PMUQ_E_BAD_ENTRY, "8:8", "scale" },
	{ "an event scaled by hex", HEAD PMU "  events:\n    a: event=1 | scale 0x1p3\n", PMUQ_E_BAD_ENTRY, "8:8", "scale" },
	{ "a flag that is false", HEAD PMU "  events:\n    a: {terms: b, per-pkg: false}\n", PMUQ_E_BAD_ENTRY, "8:28", "true" },
	{ "a mapping without terms", HEAD PMU "  events:\n    a: {unit: b}\n", PMUQ_E_MISSING_KEY, "8:8", "'terms'" },
	{ "a format of two lines", HEAD PMU "  formats:\n    a: \"b\\nc\"\n", PMUQ_E_BAD_ENTRY, "8:8", "one line" },
	{ "a cap that ends with a newline", HEAD PMU "  caps:\n    a: \"b\\n\"\n", PMUQ_E_BAD_ENTRY, "8:8", "newline" },
	{ "an attribute with its own key", HEAD PMU "  attributes:\n    cpumask: x\n", PMUQ_E_BAD_ENTRY, "8:5", "attributes" },
	{ "a bare number instead of a text", HEAD "facts:\n  nmi_watchdog: 1\n", PMUQ_E_BAD_ENTRY, "5:17", "double quotes" },
	{ "a boolean instead of a text", HEAD "facts:\n  nmi_watchdog: yes\n", PMUQ_E_BAD_ENTRY, "5:17", "double quotes" },
	{ "nothing instead of a text", HEAD "facts:\n  arch:\n", PMUQ_E_BAD_ENTRY, "5:8", "double quotes" },
	{ "an empty fact", HEAD "facts:\n  arch: \"\"\n", PMUQ_E_BAD_ENTRY, "5:9", "empty" },
	{ "not base64", HEAD "facts:\n  arch: {base64: \"/w=\"}\n", PMUQ_E_BAD_ENTRY, "5:18", "base64" },
	{ "base64 with bits left over", HEAD "facts:\n  arch: {base64: \"/x==\"}\n", PMUQ_E_BAD_ENTRY, "5:18", "base64" },
	{ "base64 of text", HEAD "facts:\n  arch: {base64: \"YWJj\"}\n", PMUQ_E_BAD_ENTRY, "5:18", "write it without base64" },
	{ "base64 of a NUL", HEAD "facts:\n  arch: {base64: \"AA==\"}\n", PMUQ_E_BAD_ENTRY, "5:9", "NUL" },
	{ "a name in base64 that is text", HEAD PMU "  events:\n    base64:YWJj: c\n", PMUQ_E_BAD_ENTRY, "8:5", "write it without base64" },
	{ "a name in base64 with a slash", HEAD PMU "  events:\n    base64:/y8=: c\n", PMUQ_E_BAD_ENTRY, "8:5", "name of a file" },
	{ "names without brackets", HEAD "pmus:\n- names: a\n", PMUQ_E_BAD_ENTRY, "5:10", "uncore_imc_[0-3,8]" },
	{ "names of no number", HEAD "pmus:\n- names: a[x]\n", PMUQ_E_BAD_ENTRY, "5:10", "" },
	{ "names with zeros", HEAD "pmus:\n- names: a[00-03]\n", PMUQ_E_BAD_ENTRY, "5:10", "" },
	{ "names backwards", HEAD "pmus:\n- names: a[3-1]\n", PMUQ_E_BAD_ENTRY, "5:10", "" },
	{ "names without end", HEAD "pmus:\n- names: a[0-4000000000]\n", PMUQ_E_DOCUMENT_LIMIT, "5:10", "PMUs" },
	{ "many names in many lines", HEAD "pmus:\n- names: a[0-60000]\n- names: b[0-60000]\n", PMUQ_E_DOCUMENT_LIMIT, "6:3", "PMUs" },
	{ "types that are too few", HEAD "pmus:\n- names: a[0-2]\n  types: \"1-2\"\n", PMUQ_E_BAD_ENTRY, "5:3", "3 PMUs, and 2 types" },
	{ "aliases that are too many", HEAD "pmus:\n- name: a\n  aliases: b[1-2]\n", PMUQ_E_BAD_ENTRY, "5:3", "1 PMUs, and 2 aliases" },
	{ "not a time", HEAD "  first_seen: \"2026-02-30T00:00:00Z\"\n", PMUQ_E_BAD_ENTRY, "4:15", "time" },
	{ "a last time before the first", HEAD "  first_seen: \"2026-02-03T00:00:00Z\"\n  last_seen: \"2026-02-02T00:00:00Z\"\n", PMUQ_E_BAD_ENTRY, "5:14", "before" },
	{ "a last time alone", HEAD "  last_seen: \"2026-02-02T00:00:00Z\"\n", PMUQ_E_MISSING_KEY, "3:3", "first_seen" },
	{ "a time in another notation", HEAD "  first_seen: \"2026-02-03 00:00:00\"\n", PMUQ_E_BAD_ENTRY, "4:15", "time" },
	{ "a host without a name in its name", "schema: pmuq.inventory/2\nhosts:\n- name: \"\"\n", PMUQ_E_BAD_ENTRY, "3:9", "empty" },
	{ "a tracepoint in words", HEAD "tracepoints:\n  a:\n    b: x\n", PMUQ_E_BAD_ENTRY, "6:8", "decimal" },
	{ "a tracepoint with a slash", HEAD "tracepoints:\n  a:\n    b/c: 1\n", PMUQ_E_BAD_ENTRY, "6:5", "name of a file" },
	{ "a problem without a path", HEAD "problems:\n- message: x\n  code: bad-file\n", PMUQ_E_MISSING_KEY, "5:3", "'path'" },
	{ "a problem of no code", HEAD "problems:\n- path: x\n  message: x\n  code: no-code\n", PMUQ_E_BAD_ENTRY, "7:9", "pmuq help" },

	/* Checks. */
	{ "a time of a check without a check", HEAD "  checked: \"2026-02-03T00:00:00Z\"\n", PMUQ_E_MISSING_KEY, "3:3", "'check'" },
	{ "open results of an unknown PMU", CHECK "  - pmu: cpuu\n    events:\n      a: o\n", PMUQ_E_BAD_ENTRY, "13:5", "which the machine does not have" },
	{ "an open result with an unknown label", CHECK "  - pmu: cpu\n    events:\n      a: p\n", PMUQ_E_BAD_ENTRY, "15:10", "label" },
	{ "open results without a PMU", CHECK "  - events:\n      a: o\n", PMUQ_E_MISSING_KEY, "13:5", "'pmu'" },
	{ "a generic open result without a PMU", CHECK "  - generic:\n      cycles: o\n", PMUQ_E_BAD_ENTRY, "14:7", "PMU/EVENT" },
	{ "more open results than events", CHECK "  - pmu: cpu\n    events:\n      a: o\n      b: o\n", PMUQ_E_BAD_ENTRY, "8:10", "2 events were checked" },
	{ "a check of another kernel", HEAD "facts:\n  kernel: six\ncheck:\n  kernel: five\n  total: 0\n  open_results: {}\n  checked: []\n", PMUQ_E_BAD_ENTRY, "7:11", "kernel" },
	{ "a check of any kernel", HEAD "facts:\n  kernel: six\ncheck:\n  total: 0\n  open_results: {}\n  checked: []\n", PMUQ_E_BAD_ENTRY, "7:3", "kernel" },
	{ "not a status", HEAD "check:\n  total: 1\n  open_results:\n    o:\n      status: open\n  checked: []\n", PMUQ_E_BAD_ENTRY, "8:15", "opened" },

	/* The end. HEAD has 4 entries. */
	{ "no end", HEAD, PMUQ_E_DOCUMENT_CUT, "4:1", "without its last key, 'end'", "end: {documents: N}" },
	{ "no end of the first", HEAD "---\n" HEAD "end: {documents: 2}\n", PMUQ_E_DOCUMENT_CUT, "4:1", "'end'" },
	{ "no end in JSON", "{\"schema\":\"pmuq.inventory/2\",\"hosts\":[{}]}", PMUQ_E_DOCUMENT_CUT, "1:43", "'end'" },
	{ "an end that is nothing", HEAD "end:\n", PMUQ_E_BAD_ENTRY, "4:5", "a mapping" },
	{ "an end that is not the last", HEAD "end: {documents: 1}\nfacts: {}\n", PMUQ_E_BAD_ENTRY, "5:1", "last key" },
	{ "an end with another key", HEAD "end: {document: 1}\n", PMUQ_E_UNKNOWN_KEY, "4:7", "'document'", "'documents'" },
	{ "an entry too few", HEAD "facts:\n  arch: x\nend: {entries: 7, documents: 1}\n", PMUQ_E_DOCUMENT_CUT, "6:6", "has 6 entries, but 'end' has the number 7", "correct 'entries'" },
	{ "an entry too many", HEAD "end: {entries: 3, documents: 1}\n", PMUQ_E_DOCUMENT_CUT, "4:6", "has 4 entries", "remove it" },
	{ "no entries", HEAD "end: {entries: 0, documents: 1}\n", PMUQ_E_DOCUMENT_CUT, "4:6", "has 4 entries" },
	{ "entries in quotes", HEAD "end: {entries: \"4\"}\n", PMUQ_E_BAD_ENTRY, "4:16", "without quotes" },
	{ "a file without its end", HEAD "end: {entries: 4}\n", PMUQ_E_DOCUMENT_CUT, "5:1", "the file ends here", "'documents: N'" },
	{ "the same of a JSON list", "[{\"schema\":\"pmuq.inventory/2\",\"hosts\":[{}],\"end\":{}}]", PMUQ_E_DOCUMENT_CUT, "1:54", "the file ends here" },
	{ "a document too few", HEAD "end: {documents: 2}\n", PMUQ_E_DOCUMENT_CUT, "4:6", "has 1 documents up to here, but 'end' has the number 2", "correct 'documents'" },
	{ "a document too many", HEAD "end: {}\n---\n" HEAD "end: {documents: 1}\n", PMUQ_E_DOCUMENT_CUT, "9:6", "has 2 documents" },
	{ "no documents", HEAD "end: {documents: 0}\n", PMUQ_E_DOCUMENT_CUT, "4:6", "has 1 documents" },
	{ "two files, of which the second is cut", HEAD "end: {documents: 1}\n---\n" HEAD "end: {}\n", PMUQ_E_DOCUMENT_CUT, "10:1", "the file ends here" },

	/* Deep. */
	{ "nine levels", HEAD "a: [[[[[[[[1]]]]]]]]\n", PMUQ_E_DOCUMENT_LIMIT, "4:11", "nested" },
	{ "nine levels of JSON", "{\"a\":[[[[[[[[1]]]]]]]]}", PMUQ_E_DOCUMENT_LIMIT, "1:13", "nested" },
};
// clang-format on

static struct pmuq_error *refusal(const void *bytes, size_t n)
{
	struct pmuq_catalog *catalog = NULL;
	struct pmuq_reader *reader = NULL;
	struct pmuq_error *error = NULL;
	int r;

	assert_int_equal(pmuq_reader_new(&reader, NULL), 0);
	assert_int_equal(pmuq_reader_open_bytes(reader, bytes, n, "F", NULL), 0);
	do {
		pmuq_catalog_free(catalog);
		catalog = NULL;
		r = pmuq_reader_next(reader, &catalog, &error);
	} while (r == 0 && catalog);
	assert_true((r < 0) == (error != NULL));
	if (r < 0) {
		assert_int_equal(-r, error->code);
		/* There is nothing after it. */
		assert_int_equal(pmuq_reader_next(reader, &catalog, NULL), 0);
		assert_null(catalog);
	}
	pmuq_reader_free(reader);
	return error;
}

static void expect_part(const char *text, const char *part)
{
	if (part && (!text || !strstr(text, part)))
		fail_msg("'%s' is not in '%s'", part, text ? text : "nothing");
}

static void is_refused(void **state)
{
	const struct row *row = *state;
	struct pmuq_error *error = refusal(row->text, strlen(row->text));
	char at[64];

	assert_non_null(error);
	snprintf(at, sizeof(at), "F:%s", row->at);
	if (error->code != row->code || strcmp(error->origin.p, at) != 0)
		fail_msg("%s at %s: %s", pmuq_code_name(error->code), error->origin.p,
			 error->message.p);
	expect_part(error->message.p, row->message);
	expect_part(error->hint.p, row->hint);
	pmuq_error_free(error);
}

/* ----------------------------------------------------------------------------- what is too much */

static void expect_limit(struct pq_buf *text, const char *part)
{
	struct pmuq_error *error;

	assert_false(text->failed);
	error = refusal(text->p, text->n);
	assert_non_null(error);
	if (error->code != PMUQ_E_DOCUMENT_LIMIT)
		fail_msg("%s: %s", pmuq_code_name(error->code), error->message.p);
	expect_part(error->message.p, part);
	assert_non_null(error->origin.p);
	pmuq_error_free(error);
	pq_buf_free(text);
}

static void nesting_of_100000_levels_is_refused(void **state)
{
	static const struct {
		const char *head, *level;
	} forms[] = {
		{ "a: ", "[" },	    { "a: ", "{a: " }, { "", "- " },
		{ "{\"a\":", "[" }, { "", "{\"a\":" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		struct pq_buf text = PQ_BUF_NULL;

		pq_buf_add(&text, str_of(forms[i].head));
		for (size_t k = 0; k < 100000; k++)
			pq_buf_add(&text, str_of(forms[i].level));
		expect_limit(&text, "nested");
	}
}

static void a_text_of_20_megabytes(void **state)
{
	struct pq_buf yaml = PQ_BUF_NULL, json = PQ_BUF_NULL;

	(void)state;
	pq_buf_add(&yaml, STR(HEAD "facts:\n  arch: "));
	pq_buf_char(&yaml, 'x', 20 << 20);
	expect_limit(&yaml, "20971520 bytes");
	pq_buf_add(&json, STR("{\"a\": \""));
	pq_buf_char(&json, 'x', 20 << 20);
	pq_buf_add(&json, STR("\"}"));
	expect_limit(&json, "20971520 bytes");
}

static void a_document_of_40_megabytes(void **state)
{
	struct pq_buf yaml = PQ_BUF_NULL;

	(void)state;
	pq_buf_add(&yaml, STR(HEAD "facts:\n"));
	for (size_t i = 0; yaml.n < 40 << 20; i++)
		pq_buf_print(&yaml, "  fact%zu: x\n", i);
	expect_limit(&yaml, "32 MiB");
}

static void many_entries_are_refused(void **state)
{
	struct pq_buf json = PQ_BUF_NULL;

	(void)state;
	pq_buf_add(&json, STR("{\"a\": [1"));
	for (size_t i = 0; i < 1100000; i++)
		pq_buf_add(&json, STR(",1"));
	pq_buf_add(&json, STR("]}"));
	expect_limit(&json, "entries");
}

/* Every instance is compared with the shared members; that must not take long. */
static void a_definition_of_many_instances(void **state)
{
	struct pq_buf yaml = PQ_BUF_NULL;

	(void)state;
	pq_buf_add(&yaml, STR(HEAD "pmus:\n- names: a[0-60000]\n  events:\n"));
	for (size_t i = 0; i < 1000; i++)
		pq_buf_print(&yaml, "    e%zu: event=1\n", i);
	expect_limit(&yaml, "than any machine");
}

/* The excerpt of a line ends at a NUL byte, and is not longer than a screen line. */
static void an_error_after_a_nul_is_in_its_input(void **state)
{
	static const char bytes[] = HEAD "facts:\n  arch: ab\0cd\n";
	struct pq_buf json = PQ_BUF_NULL;
	struct pmuq_error *error = refusal(bytes, sizeof(bytes) - 1);

	(void)state;
	assert_int_equal(error->code, PMUQ_E_BAD_DOCUMENT);
	assert_true(error->offset <= strlen(error->input.p));
	pmuq_error_free(error);
	pq_buf_add(&json, STR("{\"a\": \""));
	pq_buf_char(&json, 'x', 60000);
	pq_buf_add(&json, STR("\" b"));
	error = refusal(json.p, json.n);
	assert_string_equal(error->origin.p, "F:1:60010");
	assert_int_equal(error->offset, 200);
	assert_int_equal(strlen(error->input.p), 201);
	pmuq_error_free(error);
	pq_buf_free(&json);
}

/* Nothing to draw a caret under. */
static void an_error_in_nothing_shows_no_input(void **state)
{
	static const char *const texts[] = { "", "# yes\n", "---\n", "{\n" };

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct pmuq_error *error = refusal(texts[i], strlen(texts[i]));

		assert_non_null(error);
		assert_null(error->input.p);
		pmuq_error_free(error);
	}
}

int main(void)
{
	static struct CMUnitTest tests[sizeof(rows) / sizeof(rows[0]) + 7];
	const struct CMUnitTest more[] = {
		cmocka_unit_test(an_error_after_a_nul_is_in_its_input),
		cmocka_unit_test(an_error_in_nothing_shows_no_input),
		cmocka_unit_test(nesting_of_100000_levels_is_refused),
		cmocka_unit_test(a_text_of_20_megabytes),
		cmocka_unit_test(a_document_of_40_megabytes),
		cmocka_unit_test(many_entries_are_refused),
		cmocka_unit_test(a_definition_of_many_instances),
	};
	size_t n = sizeof(rows) / sizeof(rows[0]);

	ADD_ROWS(tests, is_refused, rows, name);
	memcpy(tests + n, more, sizeof(more));
	return cmocka_run_group_tests(tests, NULL, NULL);
}
