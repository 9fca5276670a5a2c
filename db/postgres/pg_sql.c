/* SPDX-License-Identifier: MIT */
/*
 * The statements of the store in PostgreSQL's spelling. They are written so that both engines
 * accept them; what is left is here. scripts/schema.py does the same for the schema.
 */
#include "core/buf.h"
#include "db/postgres/pg_server.h"

/* Words of SQLite's, and PostgreSQL's for them. */
static const struct {
	struct pmuq_str from, to;
} words[] = {
	/* In SQLite, a join in the order of the text. */
	{ .from = { .p = "CROSS JOIN", .n = 10 }, .to = { .p = "JOIN", .n = 4 } },
};

static bool translate_word(struct pmuq_str *rest, struct pq_buf *ret)
{
	for (size_t i = 0; i < COUNT(words); i++) {
		if (!str_starts(*rest, words[i].from))
			continue;
		pq_buf_add(ret, words[i].to);
		*rest = str_part(*rest, words[i].from.n, rest->n);
		return true;
	}
	return false;
}

/* Parameters without a number count up: "?, ?" is $1, $2. No literal of pmuq's contains a question
 * mark. */
void pq_pg_translate(struct pmuq_str text, struct pq_buf *ret)
{
	unsigned n = 0;

	while (text.n) {
		if (translate_word(&text, ret))
			continue;
		if (text.p[0] == '?' && (text.n == 1 || !char_is_digit(text.p[1])))
			pq_buf_print(ret, "$%u", ++n);
		else
			pq_buf_char(ret, text.p[0] == '?' ? '$' : text.p[0], 1);
		text = str_part(text, 1, text.n);
	}
}
