/* SPDX-License-Identifier: MIT */
/*
 * Searching events by their names and what is said of them, the best first: FTS5, where the SQLite
 * that was loaded has it. Those that have all words in their names come first (they are few, and
 * quickly ranked), then those that have all of them anywhere; where that finds nothing, any of
 * them. Ranking a text costs microseconds: of words that stand everywhere, only so many texts are
 * ranked as can be in the time that somebody waits, those with the shortest names.
 */
#include "vendor/import/vendor_import.h"

#define FOUND_MAX_BYTES ((size_t)256 << 20)
#define WORDS_MAX 32u
#define LIMIT_MAX 10000u
/* What is asked for is ranked in any case. */
#define RANKED_MAX 1000

struct pmuq_found {
	struct pq_arena arena;
	struct found {
		struct pmuq_found_event record; /* first: what is handed out is this */
		int64_t id;
	} * v;
	size_t n;
};

/* What every text says by itself is kept there already, and is not kept again. The prefixes are for
 * words of one and two letters, which stand for thousands. */
static const char make_index[] =
	"DROP TABLE IF EXISTS vendor_search;"
	"CREATE VIRTUAL TABLE vendor_words USING fts5"
	" (name, pmu, description, long_description, content = '', prefix = '1 2',"
	" tokenize = 'porter unicode61');"
	"INSERT INTO vendor_words (vendor_words, rank) VALUES ('rank', 'bm25(12.0, 6.0, 4.0, "
	"1.0)')";

/* Whether a statement that gives one row or none gives one: 0 or PQ_NONE. */
static int ask(struct pmuq_store *store, enum pq_sql which, struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	int r = pq_stmt_begin(&stmt, store, which, reterr);

	return r < 0 ? r : pq_stmt_step(&stmt, reterr);
}

int pq_vendor_index(struct pmuq_store *store, struct pmuq_error **reterr)
{
	int r = ask(store, PQ_SQL_HAS_FTS5, reterr);

	if (r == PQ_NONE)
		return 0;
	if (r == 0)
		r = ask(store, PQ_SQL_HAS_INDEX, reterr);
	if (r == PQ_NONE)
		r = pq_store_exec(store, make_index, reterr);
	if (r >= 0)
		r = pq_store_run(store, PQ_SQL_INDEX_NEW_TEXTS, reterr);
	return r < 0 ? r : pq_store_run(store, PQ_SQL_SET_INDEXED, reterr);
}

int pq_vendor_unindex(struct pmuq_store *store, struct pmuq_error **reterr)
{
	int r = ask(store, PQ_SQL_HAS_FTS5, reterr);

	if (r == 0)
		r = ask(store, PQ_SQL_HAS_INDEX, reterr);
	if (r == 0)
		r = pq_store_run(store, PQ_SQL_UNINDEX_TEXTS, reterr);
	return r < 0 ? r : 0;
}

static int fail_no_search(struct pmuq_store *store, const char *why, const char *hint,
			  struct pmuq_error **reterr)
{
	int r = pq_fail(reterr, PMUQ_E_NO_SEARCH, "%s", why);

	pq_error_origin(reterr, str_of(store->path));
	pq_error_hint(reterr, "%s", hint);
	return r;
}

static int check_index(struct pmuq_store *store, struct pmuq_error **reterr)
{
	int r = ask(store, PQ_SQL_HAS_FTS5, reterr);

	if (r == PQ_NONE)
		return fail_no_search(store, "the SQLite that was loaded has no FTS5",
				      "install one that was built with it", reterr);
	if (r == 0)
		r = ask(store, PQ_SQL_HAS_INDEX, reterr);
	if (r == PQ_NONE)
		return fail_no_search(store, "the database has no index of events",
				      "`pmuq vendor import DIR` makes it", reterr);
	if (r == 0)
		r = ask(store, PQ_SQL_HAS_UNINDEXED, reterr);
	if (r == 0)
		return fail_no_search(store, "not all tables in the database are in its index",
				      "`pmuq vendor import` of any of them, where SQLite has "
				      "FTS5, indexes all",
				      reterr);
	return r < 0 ? r : 0;
}

/* As a phrase of what stands between punctuation; the last may go on. */
static void add_word(struct pq_buf *query, struct pmuq_str word, const char *between)
{
	pq_buf_print(query, "%s\"", between);
	for (size_t i = 0; i < word.n; i++)
		pq_buf_char(query, word.p[i], word.p[i] == '"' ? 2 : 1);
	pq_buf_add(query, STR("\"*"));
}

/* A word that is all punctuation is none. */
static bool says_something(struct pmuq_str word)
{
	for (size_t i = 0; i < word.n; i++)
		if (char_is_alpha(word.p[i]) || char_is_digit(word.p[i]) || word.p[i] & 0x80)
			return true;
	return false;
}

/* How the words are asked for, one after the other. */
static const struct manner {
	const char *before, *between, *behind;
	enum pmuq_match match;
} manners[] = {
	{ "{name pmu} : (", " AND ", ")", PMUQ_MATCH_NAME },
	{ "", " AND ", "", PMUQ_MATCH_ALL },
	{ "", " OR ", "", PMUQ_MATCH_ANY },
};

/* How much of the text is between words: "skx::L1D" are two. */
static size_t skip_between(struct pmuq_str text)
{
	size_t n = 0;

	while (n < text.n && char_is_space(text.p[n]))
		n++;
	return n ? n : str_starts(text, STR("::")) ? 2 : 0;
}

static bool make_query(struct pmuq_str words, const struct manner *manner, struct pq_buf *ret)
{
	size_t n = 0;

	pq_buf_add(ret, str_of(manner->before));
	while (words.n && n < WORDS_MAX) {
		size_t start = skip_between(words), end = start;

		while (end < words.n && !skip_between(str_part(words, end, words.n)))
			end++;
		if (says_something(str_part(words, start, end)))
			add_word(ret, str_part(words, start, end), n++ ? manner->between : "");
		words = str_part(words, end, words.n);
	}
	pq_buf_add(ret, str_of(manner->behind));
	return !ret->failed;
}

struct search {
	struct pmuq_str words;
	size_t limit;
	struct pmuq_found *found;
};

static bool is_known(const struct pmuq_found *found, int64_t id)
{
	for (size_t i = 0; i < found->n; i++)
		if (found->v[i].id == id)
			return true;
	return false;
}

/* Where ranking ends: behind RANKED_MAX texts. */
static int find_end(struct pmuq_store *store, const struct search *search, struct pmuq_str query,
		    int64_t *ret, struct pmuq_error **reterr)
{
	size_t wanted = search->limit + search->found->n;
	size_t ranked = wanted > RANKED_MAX ? wanted : RANKED_MAX;
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	int r = pq_stmt_begin(&stmt, store, PQ_SQL_WORDS_END, reterr);

	if (r < 0)
		return r;
	pq_bind_str(&stmt, query);
	pq_bind_int(&stmt, (int64_t)ranked);
	r = pq_stmt_step(&stmt, reterr);
	*ret = r == 0 ? pq_column_int(&stmt, 0) : INT64_MAX;
	return r < 0 ? r : pq_stmt_check(&stmt, reterr);
}

/* The texts that match, best first, behind those that were found before. */
static int find_texts(struct pmuq_store *store, const struct search *search, struct pmuq_str query,
		      enum pmuq_match match, struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	struct pmuq_found *found = search->found;
	int64_t end = 0;
	int r = find_end(store, search, query, &end, reterr);

	if (r == 0)
		r = pq_stmt_begin(&stmt, store, PQ_SQL_SEARCH_VENDORS, reterr);
	if (r < 0)
		return r;
	pq_bind_str(&stmt, query);
	pq_bind_int(&stmt, end);
	pq_bind_int(&stmt, (int64_t)(search->limit + found->n));
	while (found->n < search->limit && (r = pq_stmt_step(&stmt, reterr)) == 0) {
		int64_t id = pq_column_int(&stmt, 0);

		if (!is_known(found, id))
			found->v[found->n++] = (struct found){
				.record = { .size = sizeof(found->v->record), .match = match },
				.id = id,
			};
	}
	return r < 0 ? r : 0;
}

/* A text that is gone may stand in the index yet: PQ_NONE. */
static int load_text(struct pmuq_store *store, struct pmuq_found *found, struct found *one,
		     struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	int r = pq_stmt_begin(&stmt, store, PQ_SQL_LOAD_FOUND, reterr);

	if (r < 0)
		return r;
	pq_bind_int(&stmt, one->id);
	r = pq_stmt_step(&stmt, reterr);
	if (r != 0)
		return r;
	one->record.pmu = pq_column_text(&stmt, 0, &found->arena);
	one->record.name = pq_column_text(&stmt, 1, &found->arena);
	one->record.topic = pq_column_text(&stmt, 2, &found->arena);
	one->record.description = pq_column_text(&stmt, 3, &found->arena);
	one->record.long_description = pq_column_text(&stmt, 4, &found->arena);
	return pq_stmt_check(&stmt, reterr);
}

static int load_folders(struct pmuq_store *store, struct pmuq_found *found, struct found *one,
			struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	cleanup(pq_buf_free) struct pq_buf folders = PQ_BUF_NULL;
	int r = pq_stmt_begin(&stmt, store, PQ_SQL_LIST_FOUND_FOLDERS, reterr);

	if (r < 0)
		return r;
	pq_bind_int(&stmt, one->id);
	while ((r = pq_stmt_step(&stmt, reterr)) == 0) {
		struct pmuq_str arch = pq_column_text(&stmt, 0, &found->arena);
		struct pmuq_str path = pq_column_text(&stmt, 1, &found->arena);

		one->record.is_libpfm4 = pq_column_bool(&stmt, 2);
		pq_buf_print(&folders, "%s%.*s/%.*s", folders.n ? ", " : "", STR_ARG(arch),
			     STR_ARG(path));
	}
	if (r < 0)
		return r;
	one->record.folders = pq_arena_str(&found->arena, pq_buf_str(&folders));
	return !folders.failed && one->record.folders.p ? 0 : pq_fail_memory(reterr);
}

/* CPUs may call different things by one name: then no terms are told. */
static int load_terms(struct pmuq_store *store, struct pmuq_found *found, struct found *one,
		      struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	struct pmuq_str last;
	int r = pq_stmt_begin(&stmt, store, PQ_SQL_IS_FOUND_DEPRECATED, reterr);

	if (r < 0)
		return r;
	pq_bind_int(&stmt, one->id);
	r = pq_stmt_step(&stmt, reterr);
	if (r < 0)
		return r;
	if (pq_column_is_null(&stmt, 0))
		return PQ_NONE;
	one->record.is_deprecated = pq_column_bool(&stmt, 0);
	one->record.terms = pq_column_text(&stmt, 1, &found->arena);
	last = pq_column_text(&stmt, 2, &found->arena);
	if (!str_eq(one->record.terms, last))
		one->record.terms = (struct pmuq_str){ 0 };
	return pq_stmt_check(&stmt, reterr);
}

static int load_found(struct pmuq_store *store, struct pmuq_found *found,
		      struct pmuq_error **reterr)
{
	size_t n = 0;

	for (size_t i = 0; i < found->n; i++) {
		struct found one = found->v[i];
		int r = load_text(store, found, &one, reterr);

		if (r == 0)
			r = load_terms(store, found, &one, reterr);
		if (r == 0)
			r = load_folders(store, found, &one, reterr);
		if (r < 0)
			return r;
		if (r == 0)
			found->v[n++] = one;
	}
	found->n = n;
	return 0;
}

static int find_any(struct pmuq_store *store, const struct search *search,
		    struct pmuq_error **reterr)
{
	const struct pmuq_found *found = search->found;
	int r = 0;

	for (size_t i = 0; r == 0 && i < COUNT(manners); i++) {
		cleanup(pq_buf_free) struct pq_buf query = PQ_BUF_NULL;

		if (found->n == search->limit || (found->n && manners[i].match == PMUQ_MATCH_ANY))
			return 0;
		if (!make_query(search->words, &manners[i], &query))
			return pq_fail_memory(reterr);
		r = find_texts(store, search, pq_buf_str(&query), manners[i].match, reterr);
	}
	return r;
}

static int search_within(struct pmuq_store *store, void *arg, struct pmuq_error **reterr)
{
	struct search *search = arg;
	int r = check_index(store, reterr);

	if (r < 0)
		return r;
	search->found = calloc(1, sizeof(*search->found));
	if (!search->found)
		return pq_fail_memory(reterr);
	pq_arena_init(&search->found->arena, NULL, 0, FOUND_MAX_BYTES);
	search->found->v =
		pq_arena_array(&search->found->arena, search->limit, sizeof(*search->found->v));
	if (!search->found->v)
		r = pq_fail_memory(reterr);
	if (r == 0)
		r = find_any(store, search, reterr);
	if (r == 0)
		r = load_found(store, search->found, reterr);
	if (r < 0)
		pmuq_found_free(move(search->found));
	return r;
}

static void forget_found(void *arg)
{
	struct search *search = arg;

	pmuq_found_free(move(search->found));
}

PQ_API int pmuq_store_search(struct pmuq_store *store, const char *words, size_t limit,
			     struct pmuq_found **ret, struct pmuq_error **reterr)
{
	struct search search = { .words = str_trim(str_of(words ? words : "")), .limit = limit };
	const struct pq_work work = { .run = search_within, .undo = forget_found, .arg = &search };
	int r;

	if (!says_something(search.words) || !limit || limit > LIMIT_MAX)
		return pq_fail(reterr, PMUQ_E_BAD_CALL,
			       "a search has a word, and finds 1 to %u events", LIMIT_MAX);
	store->doing = "cannot search";
	r = pq_store_read(store, &work, reterr);
	if (r == 0)
		*ret = search.found;
	return r;
}

PQ_API void pmuq_found_free(struct pmuq_found *found)
{
	if (!found)
		return;
	pq_arena_clear(&found->arena);
	free(found);
}

PQ_API size_t pmuq_found_count(const struct pmuq_found *found)
{
	return found->n;
}

PQ_API const struct pmuq_found_event *pmuq_found_get(const struct pmuq_found *found, size_t index)
{
	return index < found->n ? &found->v[index].record : NULL;
}
