/* SPDX-License-Identifier: MIT */
/* Completes event strings, through the library, and whole names of PMUs. */
#include "cli/complete/complete.h"
#include "cli/or_die.h"
#include <string.h>

// clang-format off
static const char *const types[] = {
	[PMUQ_CANDIDATE_PMU]        = "PMU",
	[PMUQ_CANDIDATE_INSTANCES]  = "instances of one PMU",
	[PMUQ_CANDIDATE_GENERIC]    = "generic event",
	[PMUQ_CANDIDATE_EVENT]      = "event",
	[PMUQ_CANDIDATE_SUBSYSTEM]  = "tracepoints",
	[PMUQ_CANDIDATE_TRACEPOINT] = "tracepoint",
	[PMUQ_CANDIDATE_TERM]       = "every PMU",
	[PMUQ_CANDIDATE_PROBE]      = "probe",
	[PMUQ_CANDIDATE_DELIMITER]  = NULL,
};
// clang-format on

static const char *about(const struct pmuq_candidate *candidate)
{
	if (candidate->about.n)
		return candidate->about.p;
	return candidate->type < COUNT(types) ? types[candidate->type] : NULL;
}

static const char *next(const struct pmuq_candidate *candidate)
{
	return candidate->next.n ? candidate->next.p : NULL;
}

void complete_event(struct line_completion *completion)
{
	struct pmuq_source *source = complete_source(completion);
	/* A vendor has too many events to offer all of them for an empty word. */
	cleanup(pmuq_vendor_freep) struct pmuq_vendor *vendor =
		*completion->word ? complete_vendor(completion) : NULL;
	struct pmuq_encode_options options = { .size = sizeof(options), .vendor = vendor };
	struct pmuq_completion *found = NULL;

	if (!source || optional_or_die(pmuq_source_complete(source, completion->word, &options,
							    &found, NULL)) < 0)
		return;
	for (size_t i = 0; i < found->n_candidates; i++) {
		const struct pmuq_candidate *candidate = pmuq_completion_candidate(found, i);

		complete_offer(completion, found->offset, candidate->text.p, "", next(candidate),
			       about(candidate));
	}
	pmuq_completion_free(found);
}

static void offer_names(struct line_completion *completion,
			int (*list)(struct pmuq_source *source, const char *head,
				    struct pmuq_names **ret, struct pmuq_error **reterr),
			const char *about)
{
	struct pmuq_source *source = complete_source(completion);
	struct pmuq_names *names = NULL;

	if (!source || optional_or_die(list(source, completion->word, &names, NULL)) < 0)
		return;
	for (size_t i = 0; i < pmuq_names_count(names); i++)
		complete_offer(completion, 0, pmuq_names_get(names, i), "", NULL, about);
	pmuq_names_free(names);
}

void complete_pmus(struct line_completion *completion)
{
	offer_names(completion, pmuq_source_list_pmus, "PMU");
}

void complete_tracepoints(struct line_completion *completion)
{
	offer_names(completion, pmuq_source_list_tracepoints, "tracepoint");
}
