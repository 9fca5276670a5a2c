/* SPDX-License-Identifier: MIT */
/*
 * Both engines find a word by its stem, and by its beginning. A word with punctuation, as
 * L1D.REPLACEMENT, is a phrase of its parts, the last of which may go on.
 */
#include "vendor/search/vendor_query.h"
#include "db/engine.h"

#define WORDS_MAX 32u

/* ---- words */

/* Punctuation alone is not a word. */
static bool is_word_byte(char c)
{
	return char_is_alpha(c) || char_is_digit(c) || c & 0x80;
}

static bool is_word(struct pmuq_str word)
{
	for (size_t i = 0; i < word.n; i++)
		if (is_word_byte(word.p[i]))
			return true;
	return false;
}

/* The number of bytes that separate the words here: "skx::L1D" are two words. */
static size_t skip_between(struct pmuq_str text)
{
	size_t n = 0;

	while (n < text.n && char_is_space(text.p[n]))
		n++;
	return n ? n : str_starts(text, STR("::")) ? 2 : 0;
}

/* The next word, without what separates it; false after the last. */
static bool next_word(struct pmuq_str *words, struct pmuq_str *ret)
{
	while (words->n) {
		size_t start = skip_between(*words), end = start;

		while (end < words->n && !skip_between(str_part(*words, end, words->n)))
			end++;
		*ret = str_part(*words, start, end);
		*words = str_part(*words, end, words->n);
		if (is_word(*ret))
			return true;
	}
	return false;
}

bool pq_vendor_query_has_word(struct pmuq_str words)
{
	struct pmuq_str word;

	return next_word(&words, &word);
}

/* ---- queries */

/* How an engine spells a query. */
struct query_spelling {
	const char *before, *after; /* all words */
	const char *between;
	void (*add_word)(struct pq_buf *query, struct pmuq_str word,
			 const struct query_spelling *spelling);
	const char *weights; /* of PostgreSQL */
};

/* FTS5 itself separates the parts of a phrase. */
static void add_fts5_word(struct pq_buf *query, struct pmuq_str word,
			  const struct query_spelling *spelling)
{
	(void)spelling;
	pq_buf_char(query, '"', 1);
	for (size_t i = 0; i < word.n; i++)
		pq_buf_char(query, word.p[i], word.p[i] == '"' ? 2 : 1);
	pq_buf_add(query, STR("\"*"));
}

/* The weights of the parts are those of scripts/schema_postgres.py: A is the name, B the PMU. */
static void add_pg_word(struct pq_buf *query, struct pmuq_str word,
			const struct query_spelling *spelling)
{
	size_t end, n = 0;

	pq_buf_char(query, '(', 1);
	for (size_t i = 0; i < word.n; i = end + 1) {
		for (end = i; end < word.n && is_word_byte(word.p[end]);)
			end++;
		if (end == i)
			continue;
		if (n++)
			pq_buf_print(query, "%s <-> ", spelling->weights);
		pq_buf_print(query, "'%.*s':", STR_ARG(str_part(word, i, end)));
	}
	pq_buf_print(query, "*%s)", spelling->weights);
}

// clang-format off
static const struct query_spelling fts5[] = {
	[PMUQ_MATCH_NAME] = { "{name pmu} : (", ")", " AND ", add_fts5_word, NULL },
	[PMUQ_MATCH_ALL] = { "", "", " AND ", add_fts5_word, NULL },
	[PMUQ_MATCH_ANY] = { "", "", " OR ", add_fts5_word, NULL },
};
static const struct query_spelling pg[] = {
	[PMUQ_MATCH_NAME] = { "", "", " & ", add_pg_word, "AB" },
	[PMUQ_MATCH_ALL] = { "", "", " & ", add_pg_word, "ABCD" },
	[PMUQ_MATCH_ANY] = { "", "", " | ", add_pg_word, "ABCD" },
};
// clang-format on

bool pq_vendor_query_make(const struct pmuq_store *store, struct pmuq_str words,
			  enum pmuq_match match, struct pq_buf *ret)
{
	const struct query_spelling *spelling =
		store->engine->has_index ? &pg[match] : &fts5[match];
	struct pmuq_str word;

	pq_buf_add(ret, str_of(spelling->before));
	for (size_t n = 0; n < WORDS_MAX && next_word(&words, &word); n++) {
		pq_buf_add(ret, n ? str_of(spelling->between) : STR(""));
		spelling->add_word(ret, word, spelling);
	}
	pq_buf_add(ret, str_of(spelling->after));
	return !ret->failed;
}

/* ---- statements */

/* Of any CPU, or those of parameter 2. CROSS JOIN makes SQLite begin with the index, whose order it
 * then keeps. */
#define FTS5_ID "(vendor_words.rowid & 0xffffffffff)"
#define FTS5_FOUND                                                                                 \
	"WHERE vendor_words MATCH ?1 AND pmuq_has(vendor_words, ?2, " FTS5_ID                      \
	") ORDER BY vendor_words.rowid"
#define FTS5_SHORTEST                                                                              \
	"FROM vendor_words CROSS JOIN vendor_text ON vendor_text.id = " FTS5_ID " " FTS5_FOUND     \
	" LIMIT ?3"
#define FTS5_RANKED                                                                                \
	"FROM (SELECT found, rank, place FROM (SELECT " FTS5_ID " AS found, rank, rowid AS place"  \
	" FROM vendor_words " FTS5_FOUND " LIMIT ?4) AS matches ORDER BY rank, place LIMIT ?3)"    \
	" AS best CROSS JOIN vendor_text ON vendor_text.id = found ORDER BY rank, place"

/* The weights are those of D, C, B and A; the last number divides by the length of the text. */
#define PG_QUERY "to_tsquery('words', ?1)"
#define PG_TEXTS_IN(table)                                                                         \
	"SELECT vendor_text FROM " table " WHERE vendor_set IN"                                    \
	" (SELECT id FROM vendor_set WHERE " PQ_VENDOR_IS_LISTED("id") ")"
#define PG_FOUND                                                                                   \
	"FROM vendor_text WHERE words @@ " PG_QUERY " AND (?2 = '' OR vendor_text.id"              \
	" IN (" PG_TEXTS_IN("vendor_event") " UNION ALL " PG_TEXTS_IN("vendor_metric") "))"
#define PG_LENGTH                                                                                  \
	"octet_length(name) + CASE WHEN pmu IN " PQ_VENDOR_COMMON_PMUS " THEN 0"                   \
	" ELSE octet_length(pmu) END"
#define PG_SHORTEST PG_FOUND " ORDER BY " PG_LENGTH ", id LIMIT ?3"
#define PG_RANKED                                                                                  \
	"FROM (SELECT id, name, pmu, words " PG_FOUND " ORDER BY " PG_LENGTH ", id LIMIT ?4)"      \
	" AS vendor_text ORDER BY ts_rank(ARRAY[0.08, 0.33, 0.5, 1]::real[], words, " PG_QUERY     \
	", 1) DESC, " PG_LENGTH ", id LIMIT ?3"

static const struct pq_column match_columns[] = {
	{ PQ_COLUMN_AS(struct pq_vendor_match, id, "vendor_text.id") },
	{ PQ_COLUMN_AS(struct pq_vendor_match, pmu, "vendor_text.pmu") },
};

void pq_vendor_query_begin(struct pq_stmt *stmt, struct pmuq_store *store,
			   const struct pq_vendor_query *query)
{
	bool is_pg = store->engine->has_index;
	const struct pq_sql *shortest = is_pg ? PQ_QUERY(match_columns, PG_SHORTEST)
					      : PQ_QUERY(match_columns, FTS5_SHORTEST);
	const struct pq_sql *ranked =
		is_pg ? PQ_QUERY(match_columns, PG_RANKED) : PQ_QUERY(match_columns, FTS5_RANKED);
	const struct pq_param params[] = {
		pq_param_text(query->text),
		is_pg ? pq_param_text(query->of ? query->of->sets : STR(""))
		      : pq_param_ids(query->of ? &query->of->texts : NULL),
		pq_param_number(query->most),
		pq_param_number(query->ranked),
	};

	pq_stmt_begin(stmt, store, query->ranked ? ranked : shortest, params,
		      query->ranked ? 4 : 3);
}
