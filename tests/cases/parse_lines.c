/* SPDX-License-Identifier: MIT */
/*
 * Whether the lines of standard input are event strings by the parser alone: "1" or "0" for each.
 * A name that only libpfm4 could know is none, and letters that are no modifiers are an error here.
 */
#include "encode/parse/parse.h"
#include "encode/words/modifier.h"
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

int main(void)
{
	auto_free char *line = NULL;
	size_t capacity = 0;
	ssize_t n;

	while ((n = getline(&line, &capacity, stdin)) > 0) {
		struct pmuq_str text = { .p = line, .n = (size_t)n - (line[n - 1] == '\n') };
		struct pq_arena arena;

		pq_arena_init(&arena, NULL, 0, SIZE_MAX);
		puts(is_event(&arena, text) ? "1" : "0");
		pq_arena_clear(&arena);
	}
	return 0;
}
