/* SPDX-License-Identifier: MIT */
/* The facts of one host as text, as an agent sends them: inbox/own_facts.h. */
#include "core/limits.h"
#include "inbox/own_facts.h"
#include "tests/unit/cmocka_all.h"
#include <pmuq/pmuq.h>
#include <stdio.h>

struct read_row {
	const char *name, *text;
	size_t n;
	const char *names;     /* of the facts, with blanks */
	const char *last;      /* text of the last one */
	const char *volatiles; /* a letter for each fact: v or - */
	bool is_refused;
};

static struct read_row read_rows[] = {
	{ "nothing", "", 0, "", NULL, "" },
	{ "one fact", "8:hostname5:web01", 17, "hostname", "web01", "-" },
	{ "three, in the order of the table", "8:hostname1:x7:boot_id2:ab10:machine_id1:m", 42,
	  "hostname boot_id machine_id", "m", "-v-" },
	{ "an empty text", "8:hostname0:", 12, "hostname", "", "-" },
	{ "a text with a colon, a digit and a NUL", "8:hostname4:1:\0x", 16, "hostname",
	  "1:", "-" },
	{ "another order", "7:boot_id2:ab8:hostname1:x", 26, .is_refused = true },
	{ "the same fact twice", "8:hostname1:x8:hostname1:y", 26, .is_refused = true },
	{ "a fact that hosts share", "6:kernel3:6.1", 13, .is_refused = true },
	{ "an unknown fact", "5:owner3:ann", 12, .is_refused = true },
	{ "a text that is too short", "8:hostname5:web0", 16, .is_refused = true },
	{ "a name that is too short", "9:hostname", 10, .is_refused = true },
	{ "no length", ":hostname1:x", 12, .is_refused = true },
	{ "a length that is not a number", "x:hostname1:x", 13, .is_refused = true },
	{ "a length beyond 64 bits", "99999999999999999999:hostname", 29, .is_refused = true },
	{ "a name without a text", "8:hostname", 10, .is_refused = true },
	{ "something after the last fact", "8:hostname1:xx", 14, .is_refused = true },
};

static void reads(void **state)
{
	const struct read_row *row = *state;
	struct pq_arena arena = PQ_ARENA(PQ_CONTENTS_MAX_BYTES);
	struct pq_rows facts;
	const struct pq_own_fact *fact;
	char names[64] = "", volatiles[8] = "";
	bool is_read =
		pq_own_facts_read((struct pmuq_str){ .p = row->text, .n = row->n }, &arena, &facts);

	assert_int_equal(is_read, !row->is_refused);
	fact = facts.v;
	for (size_t i = 0; is_read && i < facts.n; i++) {
		size_t n = strlen(names);

		snprintf(names + n, sizeof(names) - n, "%s%.*s", i ? " " : "",
			 STR_ARG(fact[i].name));
		volatiles[i] = fact[i].is_volatile ? 'v' : '-';
	}
	if (is_read) {
		assert_string_equal(names, row->names);
		assert_string_equal(volatiles, row->volatiles);
	}
	if (is_read && facts.n)
		assert_memory_equal(fact[facts.n - 1].text.p, row->last, strlen(row->last));
	pq_arena_clear(&arena);
}

int main(void)
{
	struct CMUnitTest tests[sizeof(read_rows) / sizeof(read_rows[0])];

	ADD_ROWS(tests, reads, read_rows, name);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
