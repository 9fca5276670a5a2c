/* SPDX-License-Identifier: MIT */
/*
 * Which PMUs a text before "/" stands for: itself with the number of a box behind it (uncore_imc
 * for uncore_imc_0, and imc, too), or a glob.
 */
#include "encode/encoder.h"

/* A suffix with a letter must be longer than a word might be: cpum does not stand for cpum_cf. */
#define HEX_LETTERS_MIN_DIGITS 3u

static struct pmuq_str without_uncore(struct pmuq_str name)
{
	struct pmuq_str head = STR("uncore_");

	return name.n >= head.n && name.p[0] == 'u' && str_starts(name, head)
		       ? str_part(name, head.n, name.n)
		       : name;
}

/* "", "7", "_7", "_1a2", and as in perf "7_3": hex digits around one underscore at most. */
static bool is_box_suffix(struct pmuq_str rest)
{
	size_t digits = 0, underscores = 0;
	bool has_letter = false;

	for (size_t i = 0; i < rest.n; i++) {
		if (rest.p[i] == '_' && !underscores++)
			continue;
		if (!char_is_hex(rest.p[i]))
			return false;
		digits++;
		has_letter |= !char_is_digit(rest.p[i]);
	}
	return !has_letter || digits >= HEX_LETTERS_MIN_DIGITS;
}

struct pq_wildcard pq_wildcard_of(struct pmuq_str text, bool is_perf)
{
	bool has_glob = str_has_glob(text);

	return (struct pq_wildcard){
		.text = has_glob && !is_perf ? text : without_uncore(text),
		.has_glob = has_glob,
		.keeps_uncore = has_glob && !is_perf,
	};
}

bool pq_wildcard_matches(const struct pq_wildcard *wildcard, struct pmuq_str name)
{
	struct pmuq_str text = wildcard->text;

	if (!wildcard->keeps_uncore)
		name = without_uncore(name);
	if (wildcard->has_glob)
		return str_glob(text, name);
	return name.n >= text.n && str_starts(name, text) &&
	       is_box_suffix(str_part(name, text.n, name.n));
}
