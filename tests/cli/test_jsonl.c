/* SPDX-License-Identifier: MIT */
/*
 * The output of `encode --jsonl`, read with jansson, which refuses repeated keys: each of ten
 * thousand strings must have a complete result, in order. Prints TAP.
 *
 *     test_jsonl PMUQ TREE
 */
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STRINGS 10000
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* A number makes each string different; some are invalid, one has quotes. */
static const char *const forms[] = {
	"cpu/event=0x%x,umask=0x%x/",
	"cpu/event=0x%x,umask=0x%x,inv,ldlat=3/u",
	"{cycles,cpu/event=0x%x,umask=0x%x/}:k",
	"uncore_imc/event=0x%x,umask=0x%x/",
	"cpu/event=0x%x,name='\"\\ \t\xc3\xa9 %x'/",
	"mem:0x%x/%x:rw",
	"no-such-%x-%x",
	"cpu/umsk=0x%x,umask=0x%x/",
	"msr/tsc/,cpu/event=0x%x,config3=0x%x/",
	"cpu/event=0x%x,period=1000,name=n%x/",
};

static void string_of(unsigned number, char *ret, size_t size)
{
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	snprintf(ret, size, forms[number % COUNT(forms)], number / COUNT(forms) % 256,
		 1 + number / COUNT(forms) / 256);
#pragma GCC diagnostic pop
}

static const struct {
	const char *key;
	json_type type;
} members[] = {
	{ "name", JSON_STRING },     { "source", JSON_STRING },	    { "attr", JSON_OBJECT },
	{ "attr_hex", JSON_STRING }, { "cpus", JSON_STRING },	    { "unit", JSON_STRING },
	{ "scale", JSON_STRING },    { "tool_terms", JSON_OBJECT }, { "warnings", JSON_ARRAY },
	{ "open", JSON_OBJECT },
};

static bool is_whole_encoding(const json_t *encoding)
{
	const json_t *attr = json_object_get(encoding, "attr");
	const char *hex = json_string_value(json_object_get(encoding, "attr_hex"));

	for (size_t i = 0; i < COUNT(members); i++) {
		const json_t *member = json_object_get(encoding, members[i].key);

		if (!member || json_typeof(member) != members[i].type)
			return false;
	}
	return json_object_get(encoding, "pmu") && json_object_get(encoding, "group") &&
	       json_is_boolean(json_object_get(encoding, "per_pkg")) &&
	       json_is_boolean(json_object_get(encoding, "snapshot")) &&
	       (json_int_t)strlen(hex) == 2 * json_integer_value(json_object_get(attr, "size"));
}

static bool is_whole(const json_t *outcome, const char *input)
{
	const char *printed = json_string_value(json_object_get(outcome, "input"));
	const json_t *ok = json_object_get(outcome, "ok"), *encodings, *error;

	if (!printed || strcmp(printed, input) != 0 || !json_is_boolean(ok))
		return false;
	encodings = json_object_get(outcome, "encodings");
	error = json_object_get(outcome, "error");
	if (json_is_false(ok))
		return !encodings && json_is_string(json_object_get(error, "code")) &&
		       json_is_string(json_object_get(error, "message")) &&
		       json_is_string(json_object_get(error, "at")) &&
		       json_is_integer(json_object_get(error, "offset"));
	for (size_t i = 0; i < json_array_size(encodings); i++)
		if (!is_whole_encoding(json_array_get(encodings, i)))
			return false;
	return !error && json_array_size(encodings) > 0;
}

static int expect(bool holds, const char *what)
{
	static unsigned number;

	printf("%sok %u - %s\n", holds ? "" : "not ", ++number, what);
	return holds ? 0 : 1;
}

/* The strings go into a file without a name, which becomes the command's stdin. */
static FILE *write_line(const char *pmuq, const char *tree)
{
	FILE *strings = tmpfile();
	char text[256], *command = NULL;
	FILE *outcomes = NULL;

	if (!strings)
		return NULL;
	for (unsigned i = 0; i < STRINGS; i++) {
		string_of(i, text, sizeof(text));
		fprintf(strings, "%s\n", text);
	}
	fflush(strings);
	rewind(strings);
	if (dup2(fileno(strings), STDIN_FILENO) >= 0 &&
	    asprintf(&command, "'%s' --sysroot '%s' encode --jsonl --no-open -f -", pmuq, tree) > 0)
		outcomes = popen(command, "r");
	free(command);
	fclose(strings);
	return outcomes;
}

int main(int argc, char **argv)
{
	FILE *outcomes = argc == 3 ? write_line(argv[1], argv[2]) : NULL;
	unsigned n_lines = 0, n_read = 0, n_whole = 0, n_ok = 0;
	char *line = NULL, input[256];
	size_t capacity = 0;
	ssize_t n;
	int failed;

	if (!outcomes)
		return 2;
	while ((n = getline(&line, &capacity, outcomes)) > 0) {
		json_t *outcome = json_loadb(line, (size_t)n, JSON_REJECT_DUPLICATES, NULL);

		string_of(n_lines++, input, sizeof(input));
		n_read += outcome != NULL;
		n_whole += outcome && is_whole(outcome, input);
		n_ok += json_is_true(json_object_get(outcome, "ok"));
		json_decref(outcome);
	}
	free(line);
	printf("1..5\n# %u lines, %u valid JSON, %u whole, %u events\n", n_lines, n_read, n_whole,
	       n_ok);
	failed = expect(n_lines == STRINGS, "there is a line for each string");
	failed |= expect(n_read == n_lines, "each is JSON without a key twice");
	failed |= expect(n_whole == n_lines, "each line is complete and has its string");
	failed |=
		expect(n_ok > STRINGS / 2 && n_ok < STRINGS, "most are events, and some are none");
	failed |= expect(pclose(outcomes) == 1 << 8, "the status is 1 for invalid strings");
	return failed;
}
