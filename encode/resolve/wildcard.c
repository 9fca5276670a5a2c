/* SPDX-License-Identifier: MIT */
/*
 * Which PMU names a text before "/" matches: names with an instance number after it (uncore_imc and
 * imc match uncore_imc_0), or a pattern.
 */
#include "encode/resolve/wildcard.h"
#include "core/instance.h"

struct pq_wildcard pq_wildcard_of(struct pmuq_str text, bool is_perf)
{
	bool has_glob = str_has_glob(text);

	return (struct pq_wildcard){
		.text = has_glob && !is_perf ? text : pq_without_uncore(text),
		.has_glob = has_glob,
		.keeps_uncore = has_glob && !is_perf,
	};
}

bool pq_wildcard_matches(const struct pq_wildcard *wildcard, struct pmuq_str name)
{
	struct pmuq_str text = wildcard->text;

	if (!wildcard->keeps_uncore)
		name = pq_without_uncore(name);
	if (wildcard->has_glob)
		return str_glob(text, name);
	return name.n >= text.n && str_starts(name, text) &&
	       pq_instance_is_suffix(str_part(name, text.n, name.n));
}
