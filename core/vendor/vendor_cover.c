/* SPDX-License-Identifier: MIT */
/* The PMUs of a machine that the events of a table are for, by comparing names. */
#include "core/instance.h"
#include "core/vendor/vendor_table.h"

/* "hisi_sccl,ddrc" covers "hisi_sccl1_ddrc0". */
static bool covers_parts(struct pmuq_str pattern, struct pmuq_str name)
{
	struct pmuq_str part;

	while (str_next(&pattern, ',', &part)) {
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

/* The pattern has no "uncore_". */
static bool covers_uncore(struct pmuq_str pattern, struct pmuq_str name)
{
	name = pq_without_uncore(name);
	if (!name.n)
		return false;
	if (memchr(pattern.p, ',', pattern.n))
		return covers_parts(pattern, name);
	return str_starts(name, pattern) &&
	       pq_instance_is_suffix(str_part(name, pattern.n, name.n));
}

bool pq_vendor_covers(struct pmuq_str pattern, const struct pmuq_pmu *pmu)
{
	if (str_eq(pattern, pmu->name) || (pmu->alias.n && str_eq(pattern, pmu->alias)))
		return true;
	if (pmu->is_core)
		return str_eq(pattern, STR("default_core"));
	if (!pmu->is_uncore)
		return false;
	pattern = pq_without_uncore(pattern);
	return covers_uncore(pattern, pmu->name) ||
	       (pmu->alias.n && covers_uncore(pattern, pmu->alias));
}

/* Whether one is a prefix of the other, without the number of the instance. */
static bool agree(struct pmuq_str pattern, struct pmuq_str name)
{
	struct pmuq_str head = pq_without_uncore(name), base;
	size_t n_cut = name.n - head.n, n;
	uint64_t number;

	pq_instance_split(name, &base, &number);
	n = base.n > n_cut ? base.n - n_cut : 0;
	return memcmp(pattern.p, head.p, n < pattern.n ? n : pattern.n) == 0;
}

bool pq_vendor_may_cover(struct pmuq_str pattern, const struct pmuq_pmu *pmu)
{
	struct pmuq_str rest;

	if (pmu->is_core)
		return true;
	str_cut(pq_without_uncore(pattern), ',', &pattern, &rest);
	return agree(pattern, pmu->name) || (pmu->alias.n && agree(pattern, pmu->alias));
}

int pq_vendor_next_covered(struct pq_lookup lookup, struct pmuq_str pattern, size_t *at,
			   const struct pmuq_pmu **ret, struct pmuq_error **reterr)
{
	struct pq_pmu_list pmus;
	int r = lookup.ops->list_pmus(lookup.self, &pmus, reterr);

	while (r == 0 && *at < pmus.n) {
		const struct pmuq_pmu *pmu = pmus.v[(*at)++];

		if (!pq_vendor_may_cover(pattern, pmu))
			continue;
		r = lookup.ops->fill(lookup.self, pmu, reterr);
		if (r == 0 && pq_vendor_covers(pattern, pmu)) {
			*ret = pmu;
			return 0;
		}
	}
	return r < 0 ? r : PQ_NONE;
}
