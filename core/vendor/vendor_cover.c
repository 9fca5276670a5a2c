/* SPDX-License-Identifier: MIT */
/* Which PMUs of a machine the events of a table's PMU are of. */
#include "core/vendor/vendor_table.h"

/* It counts for nothing, in the table and in sysfs. */
static struct pmuq_str without_uncore(struct pmuq_str name)
{
	const struct pmuq_str head = STR("uncore_");

	return str_starts(name, head)
		       ? (struct pmuq_str){ .p = name.p + head.n, .n = name.n - head.n }
		       : name;
}

/* Nothing, or digits with a "_" before or among them; three at least where one is a letter. */
static bool is_number_of_box(struct pmuq_str rest)
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
static bool covers_parts(struct pmuq_str pattern, struct pmuq_str name)
{
	struct pmuq_str part;
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

/* The pattern is without "uncore_". */
static bool covers_uncore(struct pmuq_str pattern, struct pmuq_str name)
{
	name = without_uncore(name);
	if (!name.n)
		return false;
	if (memchr(pattern.p, ',', pattern.n))
		return covers_parts(pattern, name);
	return str_starts(name, pattern) && is_number_of_box(str_part(name, pattern.n, name.n));
}

bool pq_vendor_covers(struct pmuq_str pattern, const struct pmuq_pmu *pmu)
{
	if (str_eq(pattern, pmu->name) || (pmu->alias.n && str_eq(pattern, pmu->alias)))
		return true;
	if (pmu->is_core)
		return str_eq(pattern, STR("default_core"));
	if (!pmu->is_uncore)
		return false;
	pattern = without_uncore(pattern);
	return covers_uncore(pattern, pmu->name) ||
	       (pmu->alias.n && covers_uncore(pattern, pmu->alias));
}

/* Whether they agree as far as the shorter goes, without the number of the box. */
static bool agree(struct pmuq_str pattern, struct pmuq_str name)
{
	struct pmuq_str head = without_uncore(name), base;
	size_t n_cut = name.n - head.n, n;
	uint64_t number;

	pq_pmu_split_name(name, &base, &number);
	n = base.n > n_cut ? base.n - n_cut : 0;
	return memcmp(pattern.p, head.p, n < pattern.n ? n : pattern.n) == 0;
}

bool pq_vendor_may_cover(struct pmuq_str pattern, const struct pmuq_pmu *pmu)
{
	struct pmuq_str rest;

	if (pmu->is_core)
		return true;
	str_cut(without_uncore(pattern), ',', &pattern, &rest);
	return agree(pattern, pmu->name) || (pmu->alias.n && agree(pattern, pmu->alias));
}
