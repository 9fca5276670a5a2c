/* SPDX-License-Identifier: MIT */
/*
 * An event string that is being typed. The first byte selects as in fuzz_event.c: its three lowest
 * bits the machine, the next one whether warnings are errors. The rest is the text before the
 * cursor.
 */
#include "tests/fuzz/fuzz.h"
#include <stdio.h>
#include <string.h>

#define MACHINE_BITS 7
#define STRICT_BIT 8

static struct pmuq_completion *complete(struct pmuq_source *source, const char *text,
					const struct pmuq_encode_options *options)
{
	struct pmuq_completion *completion = NULL;
	struct pmuq_error *error = NULL;

	FUZZ_LAW(pmuq_source_complete(source, text, options, &completion, &error) == 0);
	FUZZ_LAW(completion && !error);
	return completion;
}

/* With one more letter, an event outside of a group is still valid. */
static void law_of_modifier(struct pmuq_source *source, const char *text, size_t offset,
			    const struct pmuq_candidate *candidate,
			    const struct pmuq_encode_options *options)
{
	struct pmuq_encodings *encodings = NULL;
	auto_free char *longer = NULL;

	if (candidate->type != PMUQ_CANDIDATE_MODIFIER || candidate->next.n)
		return;
	FUZZ_LAW(asprintf(&longer, "%.*s%s", (int)offset, text, candidate->text.p) > 0);
	FUZZ_LAW(pmuq_source_encode(source, longer, options, &encodings, NULL) == 0);
	pmuq_encodings_free(encodings);
}

static void law_of_candidates(struct pmuq_source *source, const char *text,
			      const struct pmuq_completion *completion,
			      const struct pmuq_encode_options *options)
{
	size_t n = strlen(text) - completion->offset;

	FUZZ_LAW(completion->offset <= strlen(text));
	FUZZ_LAW(completion->cursor <= PMUQ_CURSOR_GROUP_MODIFIER);
	FUZZ_LAW(completion->cursor != PMUQ_CURSOR_NONE || !completion->n_candidates);
	for (size_t i = 0; i < completion->n_candidates; i++) {
		const struct pmuq_candidate *candidate = pmuq_completion_candidate(completion, i);

		FUZZ_LAW(candidate->text.n == strlen(candidate->text.p));
		FUZZ_LAW(candidate->text.n >= n);
		FUZZ_LAW(!strncmp(candidate->text.p, text + completion->offset, n));
		law_of_modifier(source, text, completion->offset, candidate, options);
	}
}

/* The machine in memory, which no query changes: opened once. */
static struct pmuq_source *loaded(unsigned number, const struct fuzz_machine *machine)
{
	static struct pmuq_source *sources[MACHINE_BITS + 1];
	struct pmuq_source *lazy = NULL;
	struct pmuq_catalog *catalog = NULL;

	if (sources[number])
		return sources[number];
	FUZZ_LAW(pmuq_source_open_tree(machine->dir, &lazy, NULL) == 0);
	FUZZ_LAW(pmuq_source_read_catalog(lazy, &catalog, NULL) == 0);
	FUZZ_LAW(pmuq_source_open_catalog(catalog, &sources[number], NULL) == 0);
	pmuq_source_free(lazy);
	return sources[number];
}

static void law_of_sources(const struct pmuq_completion *a, const struct pmuq_completion *b)
{
	FUZZ_LAW(a->cursor == b->cursor && a->offset == b->offset);
	FUZZ_LAW(a->n_candidates == b->n_candidates);
	for (size_t i = 0; i < a->n_candidates; i++)
		FUZZ_LAW(!strcmp(pmuq_completion_candidate(a, i)->text.p,
				 pmuq_completion_candidate(b, i)->text.p));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pmuq_encode_options options = { .size = sizeof(options) };
	struct pmuq_completion *from_files, *from_memory;
	const struct fuzz_machine *machine;
	struct pmuq_source *lazy = NULL;
	auto_free char *text = NULL;

	if (!size)
		return -1;
	text = fuzz_cstr(data + 1, size - 1);
	machine = fuzz_machine_listed(data[0] & MACHINE_BITS);
	options.is_strict = data[0] & STRICT_BIT;
	FUZZ_LAW(pmuq_source_open_tree(machine->dir, &lazy, NULL) == 0);
	from_files = complete(lazy, text, &options);
	law_of_candidates(lazy, text, from_files, &options);
	from_memory = complete(loaded(data[0] & MACHINE_BITS, machine), text, &options);
	law_of_sources(from_files, from_memory);
	pmuq_completion_free(from_files);
	pmuq_completion_free(from_memory);
	pmuq_source_free(lazy);
	return 0;
}
