/* SPDX-License-Identifier: MIT */
/*
 * Prints for each line of standard input whether it is an event string by the parser alone: "1" or
 * "0". A name that only libpfm4 could have is not accepted, and letters that are not modifiers are
 * an error. With the argument "words" it prints the words of the language instead, each after its
 * type.
 */
#include "core/event/modifier.h"
#include "encode/parse/parse.h"
#include "encode/words/keyword.h"
#include <stdio.h>

static bool are_modifiers(struct pmuq_str letters)
{
	for (size_t i = 0; i < letters.n; i++)
		if (!pq_modifier_is_letter(letters.p[i]))
			return false;
	return letters.n <= PQ_MODIFIERS_MAX;
}

static bool is_event(struct pq_arena *arena, struct pmuq_str text)
{
	struct pq_item *items;

	if (pq_parse_events(arena, text, &items, NULL) < 0)
		return false;
	for (const struct pq_item *item = items; item; item = item->next) {
		if (!are_modifiers(item->modifiers))
			return false;
		for (const struct pq_node *node = item->nodes; node; node = node->next)
			if (node->is_guess || !are_modifiers(node->modifiers))
				return false;
	}
	return true;
}

static void print_words(void)
{
	const struct pq_modifier *modifier;
	const struct pq_keyword *keyword;
	struct pmuq_str filter;

	for (size_t i = 0; (modifier = pq_modifier_at(i)); i++) {
		char letters[PQ_MODIFIERS_MAX + 1] = "";

		for (unsigned n = 0; n < modifier->max_times; n++) {
			letters[n] = modifier->letter;
			printf("modifier %s\n", letters);
		}
	}
	for (size_t i = 0; (keyword = pq_keyword_at(i)); i++)
		printf("term %s\n", keyword->name.p);
	for (size_t i = 0; (filter = pq_branch_filter_at(i)).n; i++)
		printf("filter %s\n", filter.p);
}

int main(int argc, char **argv)
{
	auto_free char *line = NULL;
	size_t capacity = 0;
	ssize_t n;

	if (argc > 1 && strcmp(argv[1], "words") == 0) {
		print_words();
		return 0;
	}
	while ((n = getline(&line, &capacity, stdin)) > 0) {
		struct pmuq_str text = { .p = line, .n = (size_t)n - (line[n - 1] == '\n') };
		struct pq_arena arena = PQ_ARENA(SIZE_MAX);

		puts(is_event(&arena, text) ? "1" : "0");
		pq_arena_clear(&arena);
	}
	return 0;
}
