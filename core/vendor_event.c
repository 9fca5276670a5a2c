/* SPDX-License-Identifier: MIT */
/* One event of a vendor's table: which PMUs it is of, and what the API tells of it. */
#include "core/vendor.h"
#include <pmuq/pmuq.h>

static struct str without_uncore(struct str name)
{
	return str_starts(name, STR("uncore_")) ? str_part(name, 7, name.n) : name;
}

/* Nothing, or digits with a "_" before or among them; three at least where one is a letter. */
static bool is_number_of_box(struct str rest)
{
	bool has_letter = false, has_underscore = false;
	size_t n_digits = 0;

	for (size_t i = 0; i < rest.n; i++) {
		if (rest.p[i] == '_' && !has_underscore && i + 1 < rest.n) {
			has_underscore = true;
			continue;
		}
		if (!char_is_hex(rest.p[i]))
			return false;
		has_letter |= !char_is_digit(rest.p[i]);
		n_digits++;
	}
	return !has_letter || n_digits > 2;
}

/* "hisi_sccl,ddrc" covers "hisi_sccl1_ddrc0". */
static bool covers_parts(struct str pattern, struct str name)
{
	struct str part;
	bool is_more = true;

	while (is_more) {
		is_more = str_cut(pattern, ',', &part, &pattern);
		if (!part.n)
			continue;
		if (!str_starts(name, part))
			return false;
		name = str_part(name, part.n, name.n);
		while (name.n && char_is_digit(name.p[0]))
			name = str_part(name, 1, name.n);
		if (name.n && name.p[0] == '_')
			name = str_part(name, 1, name.n);
	}
	return !name.n;
}

static bool covers_uncore(struct str pattern, struct str name)
{
	if (!name.n)
		return false;
	pattern = without_uncore(pattern);
	name = without_uncore(name);
	if (memchr(pattern.p, ',', pattern.n))
		return covers_parts(pattern, name);
	return str_starts(name, pattern) && is_number_of_box(str_part(name, pattern.n, name.n));
}

bool pq_vendor_covers(struct str pattern, const struct pmuq_pmu *pmu)
{
	if (str_eq(pattern, pmu->name) || (pmu->alias.n && str_eq(pattern, pmu->alias)))
		return true;
	if (pmu->is_core)
		return str_eq(pattern, STR("default_core"));
	return pmu->is_uncore &&
	       (covers_uncore(pattern, pmu->name) || covers_uncore(pattern, pmu->alias));
}

PQ_API const char *pmuq_vendor_event_name(const struct pmuq_vendor_event *event)
{
	return event->event.name.p;
}

PQ_API const char *pmuq_vendor_event_pmu(const struct pmuq_vendor_event *event)
{
	return event->pmu.p;
}

PQ_API const char *pmuq_vendor_event_terms(const struct pmuq_vendor_event *event)
{
	return event->event.terms.p;
}

PQ_API const char *pmuq_vendor_event_unit(const struct pmuq_vendor_event *event)
{
	return event->event.unit.p;
}

PQ_API const char *pmuq_vendor_event_scale(const struct pmuq_vendor_event *event)
{
	return event->event.scale.p;
}

PQ_API bool pmuq_vendor_event_is_per_pkg(const struct pmuq_vendor_event *event)
{
	return event->event.is_per_pkg;
}

PQ_API bool pmuq_vendor_event_is_deprecated(const struct pmuq_vendor_event *event)
{
	return event->is_deprecated;
}

PQ_API const char *pmuq_vendor_event_topic(const struct pmuq_vendor_event *event)
{
	return event->topic.p;
}

PQ_API const char *pmuq_vendor_event_description(const struct pmuq_vendor_event *event)
{
	return event->description.p;
}

PQ_API const char *pmuq_vendor_event_long_description(const struct pmuq_vendor_event *event)
{
	return event->long_description.p;
}

PQ_API const char *pmuq_vendor_event_compat(const struct pmuq_vendor_event *event)
{
	return event->compat.p;
}
