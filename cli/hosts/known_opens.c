/* SPDX-License-Identifier: MIT */
/*
 * Searches a stored check for the open result of an encoding. The strings of the check are encoded
 * again on the same machine, because the check contains strings and results, not attrs.
 */
#include "cli/hosts/known_opens.h"
#include "cli/or_die.h"
#include "core/freep.h"
#include <string.h>

/* Whether one of the encodings is that attr on that PMU. */
static bool has_attr(const struct pmuq_encodings *encodings, const char *pmu,
		     const struct pmuq_attr *attr)
{
	for (size_t i = 0; i < pmuq_encodings_count(encodings); i++) {
		const struct pmuq_encoding *encoding = pmuq_encodings_get(encodings, i);
		const struct pmuq_attr *other = encoding->attr;
		const char *own = encoding->pmu.p;

		if (own && strcmp(own, pmu) == 0 && other->size == attr->size &&
		    memcmp(other, attr, attr->size) == 0)
			return true;
	}
	return false;
}

/* For the kernel, equal attrs are one event, whatever its name is. */
const struct pmuq_check_result *opens_find_result(struct pmuq_source *source,
						  const struct pmuq_check *check,
						  const struct pmuq_encoding *encoding)
{
	const char *pmu = encoding->pmu.p;

	for (size_t i = 0; pmu && i < pmuq_check_progress(check)->n_results; i++) {
		cleanup(pmuq_encodings_freep) struct pmuq_encodings *encodings = NULL;
		const struct pmuq_check_result *result = pmuq_check_get(check, i);

		if (strcmp(result->pmu.p, pmu) == 0 &&
		    optional_or_die(pmuq_source_encode(source, result->event_string.p, NULL,
						       &encodings, NULL)) == 0 &&
		    has_attr(encodings, pmu, encoding->attr))
			return result;
	}
	return NULL;
}

enum opens opens_find(struct pmuq_source *source, const struct pmuq_check *check,
		      const struct pmuq_encodings *encodings, const struct pmuq_check_result **ret)
{
	size_t n = pmuq_encodings_count(encodings), n_opened = 0;

	*ret = NULL;
	if (!check)
		return OPENS_UNCHECKED;
	for (size_t i = 0; i < n; i++) {
		const struct pmuq_check_result *result =
			opens_find_result(source, check, pmuq_encodings_get(encodings, i));

		if (result && result->open->status == PMUQ_REFUSED) {
			*ret = result;
			return OPENS_NO;
		}
		n_opened += result && result->open->status == PMUQ_OPENED;
	}
	return n > 0 && n_opened == n ? OPENS_YES : OPENS_UNKNOWN;
}

const char *opens_word(enum opens opens)
{
	static const char *const words[] = {
		[OPENS_UNCHECKED] = NULL,
		[OPENS_UNKNOWN] = NULL,
		[OPENS_YES] = "yes",
		[OPENS_NO] = "no",
	};

	return words[opens];
}
