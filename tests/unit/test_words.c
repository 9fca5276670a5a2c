/* SPDX-License-Identifier: MIT */
/*
 * The words of the event language in their tables: each is found, has the effect of its row, and is
 * documented. A new row needs no line here unless it has a new effect.
 */
#include "core/event/modifier.h"
#include "encode/words/generic.h"
#include "encode/words/keyword.h"
#include "open/diagnose/reasons.h"
#include "tests/harness/build.h"
#include "tests/harness/explained.h"
#include <stdio.h>
#include <string.h>

static const struct test_pmu machine[] = {
	{ .name = "cpu",
	  .type = 4,
	  .formats = "event config:0-7; umask config:8-15",
	  .events = "tick event=1" },
	{ .name = "uncore", .type = 20, .cpumask = "0", .formats = "event config:0-7" },
	{ .name = "software", .type = 1 },
};

TEST_CATALOG(machine)

static struct pmuq_encodings *encode(const char *format, ...) PQ_PRINTF(1, 2);
static struct pmuq_encodings *encode(const char *format, ...)
{
	struct pmuq_encodings *encodings = NULL;
	auto_free char *string = NULL;
	va_list args;

	va_start(args, format);
	assert_true(vasprintf(&string, format, args) > 0);
	va_end(args);
	pmuq_catalog_encode(catalog, string, NULL, &encodings, NULL);
	return encodings;
}

static const struct pmuq_attr *attr_of(const struct pmuq_encodings *encodings, size_t index)
{
	assert_non_null(encodings);
	return pmuq_encodings_get(encodings, index)->attr;
}

static uint64_t field_of(const struct pmuq_encodings *encodings, size_t index,
			 const struct pq_modifier *m)
{
	return pmuq_attr_get(attr_of(encodings, index), m->field);
}

/* ------------------------------------------------------------------------------------ modifiers */

static void does_what_its_row_contains(const struct pq_modifier *m,
				       const struct pmuq_encodings *made)
{
	const struct pmuq_encoding *first = pmuq_encodings_get(made, 0);
	const struct pq_modifier *other;

	switch (m->effect) {
	case PQ_MODIFIER_INCLUDES:
		assert_int_equal(field_of(made, 0, m), 0);
		for (size_t i = 0; (other = pq_modifier_at(i)); i++)
			if (other != m && other->set == m->set)
				assert_int_equal(field_of(made, 0, other), 1);
		break;
	case PQ_MODIFIER_SETS:
	case PQ_MODIFIER_COUNTS:
		assert_int_equal(field_of(made, 0, m), 1);
		break;
	case PQ_MODIFIER_IS_FOR_TOOL:
		assert_int_equal(first->n_tool_terms, 1);
		assert_string_equal(pmuq_encoding_tool_term(first, 0)->name.p, m->tool_term);
		break;
	}
}

static void each_modifier_has_the_effect_of_its_row(void **state)
{
	const struct pq_modifier *m;
	unsigned max = 0;

	(void)state;
	for (size_t i = 0; (m = pq_modifier_at(i)); i++) {
		struct pmuq_encodings *alone = encode("cycles:%c", m->letter);
		struct pmuq_encodings *group = encode("{cycles,page-faults}:%c", m->letter);

		assert_true(pq_modifier_is_letter(m->letter));
		assert_true(*m->meaning);
		assert_int_equal(alone == NULL, m->is_for_groups);
		does_what_its_row_contains(m, group);
		if (alone)
			does_what_its_row_contains(m, alone);
		if (m->effect == PQ_MODIFIER_SETS)
			assert_int_equal(field_of(group, 1, m), !m->is_leaders);
		max += m->max_times;
		pmuq_encodings_free(alone);
		pmuq_encodings_free(group);
	}
	assert_int_equal(max, PQ_MODIFIERS_MAX);
}

/* As often as the row allows, alone and together with a group's, and no more. */
static void each_modifier_has_its_limit(void **state)
{
	const struct pq_modifier *m;

	(void)state;
	for (size_t i = 0; (m = pq_modifier_at(i)); i++) {
		char letters[8] = "";
		struct pmuq_encodings *made;

		memset(letters, m->letter, m->max_times);
		made = encode("{cycles}:%s", letters);
		assert_non_null(made);
		if (m->effect == PQ_MODIFIER_COUNTS) {
			assert_int_equal(field_of(made, 0, m), m->max_times);
			assert_null(encode("{cycles:%s}:%c", letters, m->letter));
		}
		pmuq_encodings_free(made);
		assert_null(encode("{cycles}:%s%c", letters, m->letter));
	}
}

/* All letters at once are the longest word that means modifiers. */
static void all_modifiers_fit_in_one_word(void **state)
{
	char letters[PQ_MODIFIERS_MAX + 1] = "";
	const struct pq_modifier *m;
	struct pmuq_encodings *made;
	size_t n = 0;

	(void)state;
	for (size_t i = 0; (m = pq_modifier_at(i)); i++)
		for (unsigned k = 0; k < m->max_times; k++)
			letters[n++] = m->letter;
	assert_int_equal(n, PQ_MODIFIERS_MAX);
	made = encode("{cycles}:%s", letters);
	assert_non_null(made);
	pmuq_encodings_free(made);
}

/* Only letters that filter by the cause of an event warn on an uncore PMU. */
static void each_filter_is_warned_of(void **state)
{
	const struct pq_modifier *m;

	(void)state;
	for (size_t i = 0; (m = pq_modifier_at(i)); i++) {
		struct pmuq_encodings *made = encode("uncore/event=1/%c", m->letter);

		if (!made)
			continue;
		assert_int_equal(pmuq_encodings_get(made, 0)->n_warnings, m->is_filter);
		pmuq_encodings_free(made);
	}
}

/* The attr of an event with the letter is decoded as an event with the letter. */
static void each_modifier_is_decoded(void **state)
{
	const struct pq_modifier *m;

	(void)state;
	for (size_t i = 0; (m = pq_modifier_at(i)); i++) {
		struct pmuq_encodings *made = encode("cpu/tick/%c", m->letter);
		struct pmuq_decoding *decoding = NULL;
		char want[] = "cpu/tick/?";

		if (made && m->effect != PQ_MODIFIER_IS_FOR_TOOL) {
			want[strlen(want) - 1] = m->letter;
			assert_int_equal(pmuq_catalog_decode(catalog, attr_of(made, 0), NULL,
							     &decoding, NULL),
					 0);
			assert_string_equal(decoding->text.p, want);
			pmuq_decoding_free(decoding);
		}
		pmuq_encodings_free(made);
	}
}

/* Hints about a refused attr write the same letters: open/ cannot use the table. */
static void hints_of_open_use_these_letters(void **state)
{
	(void)state;
	for (unsigned bits = 0; bits < 8; bits++)
		for (unsigned guest = 0; guest < 3; guest++) {
			struct pmuq_attr want = {
				.exclude_user = bits & 1,
				.exclude_kernel = bits >> 1 & 1,
				.exclude_hv = bits >> 2 & 1,
				.exclude_guest = guest == 1,
				.exclude_host = guest == 2,
			};
			struct pq_refusal refusal = { .call.attr = want };
			cleanup(pq_buf_free) struct pq_buf letters = PQ_BUF_NULL;
			struct pmuq_encodings *made;
			const struct pmuq_attr *attr;

			pq_reason_text_fill("{letters}{guest_letter}", &refusal, &letters);
			if (bits == 7)
				continue;
			made = encode("cycles:%.*s", STR_ARG(pq_buf_str(&letters)));
			attr = attr_of(made, 0);
			assert_true(attr->exclude_user == want.exclude_user &&
				    attr->exclude_kernel == want.exclude_kernel &&
				    attr->exclude_hv == want.exclude_hv);
			assert_true(attr->exclude_guest == want.exclude_guest &&
				    attr->exclude_host == want.exclude_host);
			pmuq_encodings_free(made);
		}
}

static void hints_of_open_write_precision_like_decode(void **state)
{
	for (unsigned precise = 1; precise < 3; precise++) {
		struct pq_refusal refusal = { .call.attr.precise_ip = 3 };
		struct pq_open_call changed = { .attr.precise_ip = precise & 3 };
		cleanup(pq_buf_free) struct pq_buf text = PQ_BUF_NULL;
		struct pmuq_encodings *made;
		struct pmuq_str letters;

		(void)state;
		refusal.changed = &changed;
		pq_reason_text_fill("{less_precise}", &refusal, &text);
		str_cut(pq_buf_str(&text), ' ', &letters, &(struct pmuq_str){ 0 });
		made = encode("cycles%.*s", STR_ARG(letters));
		assert_int_equal(attr_of(made, 0)->precise_ip, precise);
		pmuq_encodings_free(made);
	}
}

/* ------------------------------------------------------------------------------------- keywords */

static void each_keyword_is_found(void **state)
{
	const struct pq_keyword *keyword;

	(void)state;
	for (size_t i = 0; (keyword = pq_keyword_at(i)); i++) {
		auto_free char *longer = NULL;

		assert_ptr_equal(pq_keyword_find(keyword->name), keyword);
		assert_true(asprintf(&longer, "%sx", keyword->name.p) > 0);
		assert_null(pq_keyword_find(str_of(longer)));
	}
}

static void each_branch_filter_is_found(void **state)
{
	uint64_t bits, all = 0;

	(void)state;
	for (size_t i = 0; pq_branch_filter_at(i).n; i++) {
		assert_true(pq_branch_filter_find(pq_branch_filter_at(i), &bits));
		assert_int_equal(all & bits, 0);
		all |= bits;
	}
	assert_false(pq_branch_filter_find(STR("nothing"), &bits));
}

/* Values of every type. Each keyword takes some of them, and these obey the law. */
static void each_keyword_is_explained(void **state)
{
	static const char *const values[] = {
		"", "=1", "=0", "=0x10", "=fp", "=0.5", "='0'", "=u"
	};
	const struct pq_keyword *keyword;
	struct explained seen = { 0 };

	(void)state;
	for (size_t i = 0; (keyword = pq_keyword_at(i)); i++) {
		size_t before = seen.n_encodings;

		for (size_t v = 0; v < COUNT(values); v++) {
			auto_free char *string = NULL, *problem = NULL;

			assert_true(asprintf(&string, "cpu/%s%s/u", keyword->name.p, values[v]) >
				    0);
			problem = explained_check(catalog, string, NULL, &seen);
			if (problem)
				fail_msg("%s", problem);
		}
		if (seen.n_encodings == before)
			fail_msg("'%s' takes none of the values", keyword->name.p);
	}
}

/* Each is an event, all three types are there, and each operation of a cache as often as its
 * misses. */
static void generic_names_are_listed(void **state)
{
	size_t n[PQ_GENERIC_SOFTWARE + 1] = { 0 }, n_misses = 0;
	char name[PMUQ_GENERIC_NAME_MAX];
	struct pq_generic generic;

	(void)state;
	for (size_t i = 0; pmuq_generic_name(i, name); i++) {
		if (!pq_generic_find(str_of(name), &generic))
			fail_msg("'%s' is not a generic event", name);
		n[generic.type]++;
		n_misses += generic.type == PQ_GENERIC_CACHE && generic.config >> 16;
	}
	assert_int_equal(n[PQ_GENERIC_CACHE], 2 * n_misses);
	assert_true(n[PQ_GENERIC_HARDWARE] > 0 && n[PQ_GENERIC_CACHE] > 0 &&
		    n[PQ_GENERIC_SOFTWARE] > 0);
}

static struct pmuq_catalog *machine_with_a_tracepoint(void)
{
	static const struct pmuq_tracepoint tracepoint = { .subsystem = STR("sched"),
							   .name = STR("switch"),
							   .id = 7 };
	struct pq_pmu_draft pmu = { .name = STR("tracepoint"), .type = 2, .has_type = true };
	struct pq_builder *builder = NULL;
	struct pmuq_catalog *made = NULL;

	assert_int_equal(pq_builder_new(&builder, NULL), 0);
	assert_int_equal(pq_builder_pmu(builder, &pmu, NULL), 0);
	assert_int_equal(pq_builder_tracepoint(builder, &tracepoint, NULL), 0);
	assert_int_equal(pq_builder_finish(builder, &made, NULL), 0);
	return made;
}

/* Of all keywords, a tracepoint takes these, and the error about another one lists them. */
static void a_tracepoint_takes_the_terms_of_sampling(void **state)
{
	static const char taken[] =
		" call-graph stack-size max-stack nr inherit no-inherit overwrite "
		"no-overwrite aux-output aux-action aux-sample-size ";
	static const char hint[] =
		"terms of a tracepoint: call-graph, stack-size, max-stack, nr, inherit, "
		"no-inherit, overwrite, no-overwrite, aux-output, aux-action, aux-sample-size";
	struct pmuq_catalog *traced = machine_with_a_tracepoint();
	const struct pq_keyword *keyword;

	(void)state;
	for (size_t i = 0; (keyword = pq_keyword_at(i)); i++) {
		struct pmuq_encodings *encodings = NULL;
		auto_free char *string = NULL, *word = NULL;
		struct pmuq_error *error = NULL;
		bool is_word = keyword->value == PQ_TAKES_WORD;
		int r;

		assert_true(asprintf(&string, "sched:switch/%s=%s/", keyword->name.p,
				     is_word ? "fp" : "1") > 0);
		assert_true(asprintf(&word, " %s ", keyword->name.p) > 0);
		r = pmuq_catalog_encode(traced, string, NULL, &encodings, &error);
		if (r != (strstr(taken, word) ? 0 : -PMUQ_E_NOT_USABLE_HERE))
			fail_msg("'%s': %d", string, r);
		if (r < 0)
			assert_string_equal(error->hint.p, hint);
		pmuq_error_free(error);
		pmuq_encodings_free(encodings);
	}
	pmuq_catalog_free(traced);
}

/* ------------------------------------------------------------------------------------ documents */

/* The text of a document from a heading on, to the next one or the end. To be freed. */
static char *read_part(const char *name, const char *from, const char *to)
{
	auto_free char *path = NULL, *text = NULL;
	size_t n = 0, capacity = 0;
	char *start, *end;
	FILE *in;

	assert_true(asprintf(&path, "%s/%s", getenv("PMUQ_TEST_DOCS"), name) > 0);
	in = fopen(path, "re");
	assert_non_null(in);
	n = (size_t)getdelim(&text, &capacity, '\0', in);
	fclose(in);
	assert_true(n > 0);
	start = strstr(text, from);
	assert_non_null(start);
	end = strstr(start + strlen(from), to);
	return strndup(start, end ? (size_t)(end - start) : strlen(start));
}

/* The number of times that the word is in an item of a manual page such as ".It Cm u , k , h";
 * NULL: any word. */
static size_t count_items(const char *page, const char *word)
{
	size_t n = 0;

	for (const char *at = page; (at = strstr(at, "\n.It Cm ")); at++) {
		const char *words = at + strlen("\n.It Cm ");
		struct pmuq_str rest = { .p = words, .n = strcspn(words, "\n") }, part;

		while (rest.n) {
			str_cut(rest, ' ', &part, &rest);
			n += word ? str_eq(part, str_of(word)) : !str_eq(part, STR(","));
		}
	}
	return n;
}

static void assert_documented(const char *grammar, const char *page, const char *word)
{
	auto_free char *quoted = NULL;

	assert_true(asprintf(&quoted, "`%s`", word) > 0);
	if (!strstr(grammar, quoted))
		fail_msg("docs/grammar.md does not have %s", quoted);
	if (!count_items(page, word))
		fail_msg("pmuq-events(7) does not have %s", word);
}

static void each_word_is_documented(void **state)
{
	auto_free char *letters = read_part("grammar.md", "\n## Modifiers", "\n## ");
	auto_free char *terms = read_part("grammar.md", "\n## Terms", "\n## ");
	auto_free char *page = read_part("man/pmuq-events.7", "\n.Sh MODIFIERS", "\n.Sh ");
	auto_free char *page_terms = read_part("man/pmuq-events.7", "\n.Sh TERMS", "\n.Sh ");
	const struct pq_keyword *keyword;
	const struct pq_modifier *m;

	(void)state;
	for (size_t i = 0; (m = pq_modifier_at(i)); i++) {
		char word[8] = "";

		for (unsigned n = 0; n < m->max_times; n++) {
			word[n] = m->letter;
			assert_documented(letters, page, word);
		}
	}
	/* And no letter that does not exist. */
	assert_int_equal(count_items(page, NULL), PQ_MODIFIERS_MAX);
	for (size_t i = 0; (keyword = pq_keyword_at(i)); i++)
		assert_documented(terms, page_terms, keyword->name.p);
	for (size_t i = 0; pq_branch_filter_at(i).n; i++)
		assert_non_null(strstr(page_terms, pq_branch_filter_at(i).p));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_modifier_has_the_effect_of_its_row),
		cmocka_unit_test(each_modifier_has_its_limit),
		cmocka_unit_test(all_modifiers_fit_in_one_word),
		cmocka_unit_test(each_filter_is_warned_of),
		cmocka_unit_test(each_modifier_is_decoded),
		cmocka_unit_test(hints_of_open_use_these_letters),
		cmocka_unit_test(hints_of_open_write_precision_like_decode),
		cmocka_unit_test(each_keyword_is_found),
		cmocka_unit_test(each_branch_filter_is_found),
		cmocka_unit_test(each_keyword_is_explained),
		cmocka_unit_test(generic_names_are_listed),
		cmocka_unit_test(a_tracepoint_takes_the_terms_of_sampling),
		cmocka_unit_test(each_word_is_documented),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
