/* SPDX-License-Identifier: MIT */
/*
 * The entry of completion: which candidates fit a cursor, trials by encoding, modifiers and the end
 * of a group; and the result. complete_names.c offers the names of a machine, complete_terms.c
 * terms and their values.
 */
#include "complete/completer.h"
#include "core/sized.h"
#include "encode/encoder.h"
#include <stdio.h>

struct completion {
	struct pmuq_completion public;
	struct pq_arena arena;
	struct pq_candidates candidates;
};

/* ---------------------------------------------------------------------------------------- trials
 */

void pq_complete_note(struct pq_completer *c, int r)
{
	if (pq_is_resource_error(r) || r == -PMUQ_E_STALE_SOURCE)
		c->failure = r;
}

void pq_complete_print(struct pq_completer *c, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	pq_buf_print_args(&c->trial, format, args);
	va_end(args);
}

/* The event at the cursor, on one PMU if its name stands for several. */
static void print_event(struct pq_completer *c)
{
	pq_complete_print(c, "%.*s%s%.*s", STR_ARG(c->head), c->terms.p ? "/" : "",
			  STR_ARG(c->terms));
}

int pq_complete_try_code(struct pq_completer *c)
{
	struct pmuq_encodings *encodings = NULL;
	int r;

	pq_buf_char(&c->trial, '\0', 1);
	r = c->trial.failed ? -PMUQ_E_MEMORY
			    : pq_encode(c->lookup, c->trial.p, &c->options, &encodings, NULL);
	c->trial.n = 0;
	pq_complete_note(c, r);
	pmuq_encodings_free(encodings);
	return r;
}

static bool try(struct pq_completer *c)
{
	return pq_complete_try_code(c) == 0;
}

/* Whether the text before the event or group at the cursor can be encoded: the list up to the last
 * comma, and the events of the same group. */
static bool is_event_before(struct pq_completer *c)
{
	const struct pq_cursor *cursor = &c->cursor;
	size_t from = (size_t)(c->event.p - c->text.p);
	bool is_later =
		cursor->is_in_group && cursor->item->nodes && cursor->item->nodes->at.offset < from;
	size_t end = is_later ? from : cursor->item->at.offset;
	struct pmuq_str before = str_trim(str_part(c->text, 0, end));

	if (!before.n)
		return true;
	pq_complete_print(c, "%.*s%s", (int)before.n - 1, before.p, is_later ? "}" : "");
	return try(c);
}

/* ------------------------------------------------------------------------------------ candidates
 */

const char *pq_complete_event_end(const struct pq_completer *c)
{
	return c->cursor.is_in_group ? ",}" : "";
}

bool pq_complete_begins(const struct pq_completer *c, struct pmuq_str name)
{
	return str_starts(name, c->word);
}

bool pq_complete_can_write(const struct pq_completer *c, struct pmuq_str name, bool is_key)
{
	if (!c->cursor.is_quoted)
		return is_key ? pq_word_is_key(name) : pq_word_is_name(name);
	for (size_t i = 0; i < name.n; i++)
		if (!char_is(name.p[i], CHAR_QUOTED))
			return false;
	return name.n > 0;
}

const char *pq_complete_quote(const struct pq_completer *c)
{
	return c->cursor.is_quoted ? "'" : "";
}

void pq_complete_offer(struct pq_completer *c, enum pmuq_candidate_type type, struct pmuq_str about,
		       const char *next, const char *format, ...)
{
	struct pmuq_candidate new = { .size = sizeof(new), .type = type, .next = str_of(next) };
	struct pq_buf text = PQ_BUF_IN(c->arena);
	va_list args;

	va_start(args, format);
	pq_buf_print_args(&text, format, args);
	va_end(args);
	new.text = pq_buf_take_str(&text);
	if (about.n)
		new.about = pq_arena_str(c->arena, about);
	if (!new.text.p || (about.n && !new.about.p) || !pq_vec_push(c->candidates, new))
		c->failure = -PMUQ_E_MEMORY;
}

/* The letters that may be added: the event or group is encoded with each. */
static void offer_letter(struct pq_completer *c, enum pmuq_candidate_type type, char letter,
			 struct pmuq_str about)
{
	print_event(c);
	pq_complete_print(c, "%c", letter);
	if (try(c))
		pq_complete_offer(c, type, about, pq_complete_event_end(c), "%.*s%c",
				  STR_ARG(c->word), letter);
}

static void offer_modifiers(struct pq_completer *c)
{
	const char *meaning;
	char letter;

	for (size_t i = 0; (meaning = pmuq_modifier_meaning(i, &letter)); i++)
		offer_letter(c, PMUQ_CANDIDATE_MODIFIER, letter, str_of(meaning));
}

/* In a group, a complete event may be the last one. */
static void offer_event_end(struct pq_completer *c)
{
	if (!c->cursor.is_in_group)
		return;
	print_event(c);
	if (!try(c))
		return;
	for (const char *end = pq_complete_event_end(c); *end; end++)
		pq_complete_offer(c, PMUQ_CANDIDATE_DELIMITER, STR(""), "", "%.*s%c",
				  STR_ARG(c->word), *end);
}

static void offer_access(struct pq_completer *c)
{
	offer_letter(c, PMUQ_CANDIDATE_ACCESS, 'r', STR("read"));
	offer_letter(c, PMUQ_CANDIDATE_ACCESS, 'w', STR("written"));
	offer_letter(c, PMUQ_CANDIDATE_ACCESS, 'x', STR("executed"));
	if (!c->word.n)
		offer_modifiers(c);
	offer_event_end(c);
}

/* The word is the brace. */
static void offer_group_end(struct pq_completer *c)
{
	print_event(c);
	if (!try(c))
		return;
	pq_complete_offer(c, PMUQ_CANDIDATE_DELIMITER, STR(""), "", "}");
	pq_complete_offer(c, PMUQ_CANDIDATE_DELIMITER, STR("modifiers"), "", "}:");
}

static void offer(struct pq_completer *c)
{
	switch (c->cursor.at) {
	case PMUQ_CURSOR_EVENT:
		pq_complete_events(c);
		break;
	case PMUQ_CURSOR_COLON:
		if (pq_complete_tracepoints(c))
			break;
		offer_modifiers(c);
		offer_event_end(c);
		break;
	case PMUQ_CURSOR_TERM:
		pq_complete_terms(c);
		break;
	case PMUQ_CURSOR_VALUE:
		pq_complete_value(c);
		break;
	case PMUQ_CURSOR_TERM_END:
		pq_complete_term_end(c, STR(""));
		break;
	case PMUQ_CURSOR_ACCESS:
		offer_access(c);
		break;
	case PMUQ_CURSOR_MODIFIER:
	case PMUQ_CURSOR_GROUP_MODIFIER:
		offer_modifiers(c);
		offer_event_end(c);
		break;
	case PMUQ_CURSOR_GROUP_END:
		offer_group_end(c);
		break;
	case PMUQ_CURSOR_NONE:
	case PMUQ_CURSOR_NUMBER:
		break;
	}
}

/* ---------------------------------------------------------------------------------------- result
 */

static int compare(const void *a, const void *b)
{
	const struct pmuq_candidate *const *x = a, *const *y = b;
	int order = str_cmp((*x)->text, (*y)->text);

	return order ? order : (*x > *y) - (*x < *y);
}

/* Keeps the first of the candidates with the same text. */
static void drop_doubles(struct pq_completer *c)
{
	struct pq_candidates *all = c->candidates;
	struct pmuq_candidate **sorted =
		pq_arena_array(&c->scratch, all->n + 1, sizeof(struct pmuq_candidate *));
	size_t n = 0;

	if (!sorted) {
		c->failure = -PMUQ_E_MEMORY;
		return;
	}
	for (size_t i = 0; i < all->n; i++)
		sorted[i] = &all->v[i];
	qsort(sorted, all->n, sizeof(*sorted), compare);
	for (size_t i = all->n; i-- > 1;)
		if (str_eq(sorted[i]->text, sorted[i - 1]->text))
			sorted[i]->size = 0;
	for (size_t i = 0; i < all->n; i++)
		if (all->v[i].size)
			all->v[n++] = all->v[i];
	all->n = n;
}

/* The event or group at the cursor, and the word that candidates replace. */
static void find_event(struct pq_completer *c)
{
	const struct pq_cursor *cursor = &c->cursor;
	size_t from = cursor->word.offset - cursor->is_quoted;

	if (cursor->node)
		from = cursor->node->at.offset;
	else if (cursor->at != PMUQ_CURSOR_EVENT)
		from = cursor->item->at.offset;
	c->event = c->head = str_part(c->text, from, c->text.n);
	c->word = cursor->at == PMUQ_CURSOR_GROUP_END
			  ? str_part(c->text, c->text.n - 1, c->text.n)
			  : str_part(c->text, cursor->word.offset, c->text.n);
}

static void complete(struct pq_completer *c, struct pmuq_completion *ret)
{
	pq_complete_note(c, pq_complete_find_cursor(&c->scratch, c->text, &c->cursor));
	ret->cursor = c->cursor.at;
	ret->offset = c->text.n;
	if (c->cursor.at == PMUQ_CURSOR_NONE)
		return;
	find_event(c);
	ret->offset = (size_t)(c->word.p - c->text.p) - c->cursor.is_quoted;
	if (!is_event_before(c))
		return;
	if (c->cursor.node && c->cursor.node->has_terms)
		pq_complete_find_pmu(c);
	if (c->pmu)
		ret->pmu = pq_arena_str(c->arena, c->pmu->name);
	if (c->cursor.at == PMUQ_CURSOR_VALUE)
		ret->term = pq_arena_str(c->arena, c->cursor.term->key);
	if (!c->failure)
		offer(c);
	if (!c->failure)
		drop_doubles(c);
}

static int take_options(const struct pmuq_encode_options *options, struct pmuq_encode_options *ret,
			struct pmuq_error **reterr)
{
	int r = pq_sized_take(options, ret, sizeof(*ret), reterr);

	if (r < 0)
		return r;
	r = pq_check_choice(ret->dialect, ret->from, reterr);
	if (r < 0)
		return r;
	ret->size = sizeof(*ret);
	ret->with_assignments = false;
	ret->preset = PMUQ_PRESET_NONE;
	ret->memory = NULL;
	ret->memory_bytes = 0;
	return 0;
}

static void free_completion(struct completion **completion)
{
	if (*completion)
		pmuq_completion_free(&(*completion)->public);
}

static void clear(struct pq_completer *c)
{
	pq_arena_clear(&c->scratch);
	pq_buf_free(&c->trial);
	pq_vec_free(&c->needs);
}

PQ_API int pmuq_source_complete(struct pmuq_source *source, const char *text,
				const struct pmuq_encode_options *options,
				struct pmuq_completion **ret, struct pmuq_error **reterr)
{
	cleanup(free_completion) struct completion *result = calloc(1, sizeof(*result));
	cleanup(clear) struct pq_completer c = { .source = source,
						 .lookup = source->lookup,
						 .text = str_of(text),
						 .scratch = PQ_ARENA(PQ_ENCODE_MAX_BYTES) };
	int r;

	if (!result)
		return pq_fail_memory(reterr);
	result->public.size = sizeof(result->public);
	result->arena = PQ_ARENA(PQ_ENCODE_MAX_BYTES);
	r = take_options(options, &c.options, reterr);
	if (r < 0)
		return r;
	c.arena = &result->arena;
	c.candidates = &result->candidates;
	complete(&c, &result->public);
	if (!c.failure && (c.scratch.is_refused || result->arena.is_refused))
		c.failure = -PMUQ_E_MEMORY;
	if (c.failure)
		return pq_fail(reterr, (enum pmuq_code) - c.failure, "%s",
			       pmuq_code_meaning((unsigned)-c.failure));
	result->public.n_candidates = result->candidates.n;
	*ret = &move(result)->public;
	return 0;
}

PQ_API const struct pmuq_candidate *
pmuq_completion_candidate(const struct pmuq_completion *completion, size_t index)
{
	const struct completion *all = (const struct completion *)completion;

	return index < all->candidates.n ? &all->candidates.v[index] : NULL;
}

PQ_API void pmuq_completion_free(struct pmuq_completion *completion)
{
	struct completion *all = (struct completion *)completion;

	if (!all)
		return;
	pq_arena_clear(&all->arena);
	pq_vec_free(&all->candidates);
	free(all);
}
