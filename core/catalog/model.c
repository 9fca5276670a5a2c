/* SPDX-License-Identifier: MIT */
#include "core/catalog/model.h"
#include "core/attr/attr.h"
#include "core/instance.h"
#include <pmuq/pmuq.h>

/* A PMU and where it stands among others. */
struct place {
	const struct pmuq_pmu *pmu;
	struct pmuq_str base;
	uint64_t number;
};

static struct place place_of(const struct pmuq_pmu *pmu)
{
	struct place place = { .pmu = pmu };

	pq_instance_split(pmu->name, &place.base, &place.number);
	return place;
}

static int compare_places(const void *of_a, const void *of_b)
{
	const struct place *a = of_a, *b = of_b;
	int r;

	if (a->pmu->is_core != b->pmu->is_core)
		return a->pmu->is_core ? -1 : 1;
	r = str_cmp(a->base, b->base);
	if (r)
		return r;
	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	return str_cmp(a->pmu->name, b->pmu->name);
}

int pq_pmu_compare(const struct pmuq_pmu *a, const struct pmuq_pmu *b)
{
	struct place place_a = place_of(a), place_b = place_of(b);

	return compare_places(&place_a, &place_b);
}

bool pq_pmus_sort(const struct pmuq_pmu **v, size_t n)
{
	auto_free struct place *places = calloc(n + 1, sizeof(*places));

	if (!places)
		return false;
	for (size_t i = 0; i < n; i++)
		places[i] = place_of(v[i]);
	qsort(places, n, sizeof(*places), compare_places);
	for (size_t i = 0; i < n; i++)
		v[i] = places[i].pmu;
	return true;
}

bool pq_pmu_name_is_core(struct pmuq_str name, bool has_cpus_file)
{
	return has_cpus_file || str_eq(name, STR("cpu")) || str_eq(name, STR("cpum_cf"));
}

bool pq_pmu_known_type(struct pmuq_str name, uint32_t *ret)
{
	static const struct {
		struct pmuq_str name;
		uint32_t type;
	} known[] = {
		{ .name = STR("software"), .type = PQ_TYPE_SOFTWARE },
		{ .name = STR("tracepoint"), .type = PQ_TYPE_TRACEPOINT },
		{ .name = STR("breakpoint"), .type = PQ_TYPE_BREAKPOINT },
	};

	for (size_t i = 0; i < COUNT(known); i++) {
		if (!str_eq(name, known[i].name))
			continue;
		*ret = known[i].type;
		return true;
	}
	return false;
}

void pq_pmu_finalize(struct pmuq_pmu *pmu, struct pmuq_str cpus_online)
{
	bool has_cpus_file = pmu->cpus_file.p != NULL;

	pmu->is_core = pq_pmu_name_is_core(pmu->name, has_cpus_file);
	pmu->is_uncore = pmu->cpumask.p && !pmu->is_core;
	if (pmu->cpumask.p)
		pmu->cpus = pmu->cpumask.n ? pmu->cpumask : cpus_online;
	else
		pmu->cpus = pmu->cpus_file.n ? pmu->cpus_file : cpus_online;
}

bool pq_is_file_name(struct pmuq_str name)
{
	if (!name.n || name.n > PQ_NAME_MAX_BYTES)
		return false;
	if (str_eq(name, STR(".")) || str_eq(name, STR("..")))
		return false;
	return !memchr(name.p, '/', name.n) && !memchr(name.p, '\0', name.n);
}

bool pq_event_is_companion(struct pmuq_str file)
{
	static const struct pmuq_str endings[] = {
		STR(".unit"),
		STR(".scale"),
		STR(".per-pkg"),
		STR(".snapshot"),
	};

	for (size_t i = 0; i < COUNT(endings); i++)
		if (file.n > endings[i].n && str_ends(file, endings[i]))
			return true;
	return false;
}

PQ_API const char *pmuq_pmu_name(const struct pmuq_pmu *pmu)
{
	return pmu->name.p;
}

PQ_API const char *pmuq_pmu_alias(const struct pmuq_pmu *pmu)
{
	return pmu->alias.n ? pmu->alias.p : NULL;
}

PQ_API bool pmuq_pmu_type(const struct pmuq_pmu *pmu, uint32_t *ret)
{
	if (pmu->has_type)
		*ret = pmu->type;
	return pmu->has_type;
}

PQ_API const char *pmuq_pmu_cpus(const struct pmuq_pmu *pmu)
{
	return pmu->cpus.p ? pmu->cpus.p : "";
}

PQ_API const char *pmuq_pmu_cpumask(const struct pmuq_pmu *pmu)
{
	return pmu->cpumask.p;
}

PQ_API bool pmuq_pmu_is_core(const struct pmuq_pmu *pmu)
{
	return pmu->is_core;
}

PQ_API bool pmuq_pmu_is_uncore(const struct pmuq_pmu *pmu)
{
	return pmu->is_uncore;
}

PQ_API uint64_t pmuq_pmu_kind(const struct pmuq_pmu *pmu)
{
	return pmu->def->kind;
}

PQ_API size_t pmuq_pmu_attribute_count(const struct pmuq_pmu *pmu)
{
	return pmu->n_attributes;
}

PQ_API const char *pmuq_pmu_attribute_name(const struct pmuq_pmu *pmu, size_t index)
{
	return index < pmu->n_attributes ? pmu->attributes[index].name.p : NULL;
}

PQ_API const char *pmuq_pmu_attribute_text(const struct pmuq_pmu *pmu, size_t index)
{
	return index < pmu->n_attributes ? pmu->attributes[index].text.p : NULL;
}

PQ_API size_t pmuq_pmu_cap_count(const struct pmuq_pmu *pmu)
{
	return pmu->def->n_caps;
}

PQ_API const char *pmuq_pmu_cap_name(const struct pmuq_pmu *pmu, size_t index)
{
	return index < pmu->def->n_caps ? pmu->def->caps[index].name.p : NULL;
}

PQ_API const char *pmuq_pmu_cap_text(const struct pmuq_pmu *pmu, size_t index)
{
	return index < pmu->def->n_caps ? pmu->def->caps[index].text.p : NULL;
}

PQ_API size_t pmuq_pmu_format_count(const struct pmuq_pmu *pmu)
{
	return pmu->def->n_formats;
}

PQ_API const struct pmuq_format *pmuq_pmu_format(const struct pmuq_pmu *pmu, size_t index)
{
	return index < pmu->def->n_formats ? &pmu->def->formats[index] : NULL;
}

PQ_API const char *pmuq_format_name(const struct pmuq_format *format)
{
	return format->name.p;
}

PQ_API const char *pmuq_format_text(const struct pmuq_format *format)
{
	return format->text.p;
}

PQ_API int pmuq_format_word(const struct pmuq_format *format)
{
	return format->bits.word;
}

PQ_API uint64_t pmuq_format_mask(const struct pmuq_format *format)
{
	return format->bits.mask;
}

PQ_API size_t pmuq_pmu_event_count(const struct pmuq_pmu *pmu)
{
	return pmu->def->n_events;
}

PQ_API const struct pmuq_event *pmuq_pmu_event(const struct pmuq_pmu *pmu, size_t index)
{
	return index < pmu->def->n_events ? &pmu->def->events[index] : NULL;
}

PQ_API const char *pmuq_event_name(const struct pmuq_event *event)
{
	return event->name.p;
}

PQ_API const char *pmuq_event_terms(const struct pmuq_event *event)
{
	return event->terms.p;
}

PQ_API const char *pmuq_event_unit(const struct pmuq_event *event)
{
	return event->unit.p;
}

PQ_API const char *pmuq_event_scale(const struct pmuq_event *event)
{
	return event->scale.p;
}

PQ_API bool pmuq_event_is_per_pkg(const struct pmuq_event *event)
{
	return event->is_per_pkg;
}

PQ_API bool pmuq_event_is_snapshot(const struct pmuq_event *event)
{
	return event->is_snapshot;
}
