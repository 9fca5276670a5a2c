/* SPDX-License-Identifier: MIT */
/* What may stand between the slashes of an event: events of the PMU, its formats, and the terms
 * that every PMU takes. */
#include "cli/complete/complete.h"
#include <fnmatch.h>
#include <string.h>

/* Whether a name in an event string, of one PMU or of boxes, means this one. */
static bool means(const char *written, const char *pmu)
{
	size_t n = strlen(written);

	return fnmatch(written, pmu, 0) == 0 ||
	       (strncmp(written, pmu, n) == 0 && pmu[n] == '_' && pmu[n + 1] &&
		!pmu[n + 1 + strspn(pmu + n + 1, "0123456789")]);
}

/* The first of those that are meant: all of them take the same terms. */
static const struct pmuq_pmu *find_box(struct pmuq_source *source, const char *written)
{
	auto_free char *head = strndup(written, strcspn(written, "*?["));
	const struct pmuq_pmu *pmu = NULL;
	struct pmuq_names *names = NULL;

	if (!head || pmuq_source_list_pmus(source, head, &names, NULL) < 0)
		return NULL;
	for (size_t i = 0; !pmu && i < pmuq_names_count(names); i++)
		if (means(written, pmuq_names_get(names, i)))
			pmuq_source_find_pmu(source, pmuq_names_get(names, i), &pmu, NULL);
	pmuq_names_free(names);
	return pmu;
}

static const struct pmuq_pmu *find_pmu(struct completion *completion, size_t event, size_t slash)
{
	struct pmuq_source *source = complete_source(completion);
	auto_free char *name = strndup(completion->word + event, slash - event);
	auto_free char *uncore = NULL;
	const struct pmuq_pmu *pmu = NULL;

	if (!source || !name || !*name)
		return NULL;
	if (pmuq_source_find_pmu(source, name, &pmu, NULL) < 0)
		pmu = find_box(source, name);
	if (!pmu && asprintf(&uncore, "uncore_%s", name) >= 0)
		pmu = find_box(source, uncore);
	return pmu;
}

/* An event that wants values goes on with them. */
static void offer_events(struct completion *completion, const struct pmuq_pmu *pmu, size_t term)
{
	for (size_t i = 0; i < pmu->definition->n_events; i++) {
		const struct pmuq_event *event = pmuq_pmu_event(pmu, i);
		const char *terms = event->terms.p;

		complete_offer(completion, term, event->name.p, strchr(terms, '?') ? "," : "/",
			       NULL, terms);
	}
}

/* Thousands, so that something has to be there to go by. */
static void offer_vendor(struct completion *completion, const struct pmuq_pmu *pmu, size_t term)
{
	cleanup(vendor_freep) struct pmuq_vendor *vendor =
		completion->word[term] ? complete_vendor(completion) : NULL;
	size_t n = strlen(completion->word + term);

	for (size_t i = 0; vendor && i < pmuq_vendor_content(vendor)->n_events; i++) {
		const struct pmuq_vendor_event *event = pmuq_vendor_get(vendor, i);
		const char *name = event->event->name.p;

		if (strncmp(name, completion->word + term, n) == 0 &&
		    pmuq_vendor_find_event(vendor, pmu, name) == event)
			complete_offer(completion, term, name, "/", NULL, event->description.p);
	}
}

/* Whether the event has the term already. */
static bool is_written(const char *terms, const char *end, const char *name)
{
	size_t n = strlen(name);

	while (terms < end) {
		size_t n_term = strcspn(terms, ",/");

		if (n_term >= n && strncmp(terms, name, n) == 0 && (n_term == n || terms[n] == '='))
			return true;
		terms += n_term + 1;
	}
	return false;
}

static void offer_formats(struct completion *completion, const struct pmuq_pmu *pmu, size_t slash,
			  size_t term)
{
	for (size_t i = 0; i < pmu->definition->n_formats; i++) {
		const struct pmuq_format *format = pmuq_pmu_format(pmu, i);
		const char *name = format->name.p;
		uint64_t mask = format->bits.mask;
		bool is_flag = mask && !(mask & (mask - 1));

		if (!is_written(completion->word + slash + 1, completion->word + term, name))
			complete_offer(completion, term, name, is_flag ? "" : "=",
				       is_flag ? ",/" : NULL, format->text.p);
	}
}

static void offer_common(struct completion *completion, size_t slash, size_t term)
{
	const char *name;
	bool takes_value;

	for (size_t i = 0; (name = pmuq_term_name(i, &takes_value)); i++)
		if (!is_written(completion->word + slash + 1, completion->word + term, name))
			complete_offer(completion, term, name, takes_value ? "=" : "",
				       takes_value ? NULL : ",/", "every PMU");
}

void complete_terms(struct completion *completion, size_t event, size_t slash, size_t term)
{
	const struct pmuq_pmu *pmu = find_pmu(completion, event, slash);

	if (pmu && term == slash + 1) {
		offer_events(completion, pmu, term);
		offer_vendor(completion, pmu, term);
	}
	if (pmu)
		offer_formats(completion, pmu, slash, term);
	/* Many, and seldom meant: only to who has begun one, or has nothing else. */
	if (completion->word[term] || !pmu || !pmu->definition->n_formats)
		offer_common(completion, slash, term);
}
