/* SPDX-License-Identifier: MIT */
/*
 * Which PMUs a text before "/" stands for: itself with the number of a box behind it (uncore_imc
 * for uncore_imc_0, and imc, too), or a glob.
 */
#include "encode/encoder.h"

/* A suffix with a letter must be longer than a word might be: cpum does not stand for cpum_cf. */
#define HEX_LETTERS_MIN_DIGITS 3u

static struct str without_uncore(struct str name)
{
	struct str head = STR("uncore_");

	return str_starts(name, head) ? str_part(name, head.n, name.n) : name;
}

/* "", "7", "_7", "_1a2", and as in perf "7_3": hex digits around one underscore at most. */
static bool is_box_suffix(struct str rest)
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

bool pq_wildcard_matches(struct str text, struct str pmu_name, bool is_perf)
{
	struct str short_text = without_uncore(text), short_name = without_uncore(pmu_name);

	if (str_has_glob(text))
		return is_perf ? str_glob(short_text, short_name) : str_glob(text, pmu_name);
	return str_starts(short_name, short_text) &&
	       is_box_suffix(str_part(short_name, short_text.n, short_name.n));
}
