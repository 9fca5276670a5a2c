/* SPDX-License-Identifier: MIT */
#include "cli/fold.h"
#include <inttypes.h>
#include <string.h>

const struct pmuq_encoding *fold_get(const struct fold *fold, size_t index)
{
	return pmuq_encodings_get(fold->encodings, fold->first + index);
}

static bool same_text(const char *a, const char *b)
{
	if (!a || !b)
		return a == b;
	return strcmp(a, b) == 0;
}

static bool same_attr(const struct pmuq_attr *a, const struct pmuq_attr *b)
{
	struct pmuq_attr of_type_b;

	if (a->size != b->size)
		return false;
	memcpy(&of_type_b, a, a->size);
	of_type_b.type = b->type;
	return memcmp(&of_type_b, b, a->size) == 0;
}

static bool same_deferred(const struct pmuq_encoding *a, const struct pmuq_encoding *b)
{
	size_t n = pmuq_encoding_deferred_count(a);

	if (pmuq_encoding_deferred_count(b) != n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (!same_text(pmuq_encoding_deferred_name(a, i),
			       pmuq_encoding_deferred_name(b, i)) ||
		    !same_text(pmuq_encoding_deferred_text(a, i),
			       pmuq_encoding_deferred_text(b, i)))
			return false;
	return true;
}

static bool same_warnings(const struct pmuq_encoding *a, const struct pmuq_encoding *b)
{
	size_t n = pmuq_encoding_warning_count(a);

	if (pmuq_encoding_warning_count(b) != n)
		return false;
	for (size_t i = 0; i < n; i++) {
		const struct pmuq_error *one = pmuq_encoding_warning(a, i);
		const struct pmuq_error *other = pmuq_encoding_warning(b, i);

		if (pmuq_error_code(one) != pmuq_error_code(other) ||
		    pmuq_error_offset(one) != pmuq_error_offset(other))
			return false;
	}
	return true;
}

static bool same_verdict(const struct pmuq_verdicts *verdicts, size_t a, size_t b)
{
	if (!verdicts)
		return true;
	return pmuq_verdict_status(verdicts, a) == pmuq_verdict_status(verdicts, b) &&
	       pmuq_verdict_errno(verdicts, a) == pmuq_verdict_errno(verdicts, b) &&
	       pmuq_verdict_pid(verdicts, a) == pmuq_verdict_pid(verdicts, b) &&
	       same_text(pmuq_verdict_cpus(verdicts, a), pmuq_verdict_cpus(verdicts, b));
}

static bool is_in_group(const struct pmuq_encoding *encoding)
{
	size_t leader, members;
	const char *name;

	return pmuq_encoding_group(encoding, &leader, &members, &name);
}

static bool belongs(const struct fold *fold, const struct pmuq_encoding *b)
{
	const struct pmuq_encoding *a = fold_get(fold, 0);

	return !is_in_group(a) && !is_in_group(b) &&
	       same_text(pmuq_encoding_name(a), pmuq_encoding_name(b)) &&
	       pmuq_encoding_origin(a) == pmuq_encoding_origin(b) &&
	       same_attr(pmuq_encoding_attr(a), pmuq_encoding_attr(b)) &&
	       same_text(pmuq_encoding_cpus(a), pmuq_encoding_cpus(b)) &&
	       same_text(pmuq_encoding_unit(a), pmuq_encoding_unit(b)) &&
	       same_text(pmuq_encoding_scale(a), pmuq_encoding_scale(b)) &&
	       pmuq_encoding_is_per_pkg(a) == pmuq_encoding_is_per_pkg(b) &&
	       pmuq_encoding_is_snapshot(a) == pmuq_encoding_is_snapshot(b) &&
	       same_deferred(a, b) && same_warnings(a, b);
}

void fold_grow(struct fold *fold)
{
	size_t n = pmuq_encodings_count(fold->encodings) - fold->first;

	for (fold->n = 1; fold->n < n; fold->n++)
		if (!belongs(fold, fold_get(fold, fold->n)) ||
		    !same_verdict(fold->verdicts, fold->first, fold->first + fold->n))
			return;
}

/* Ranges of numbers as they come: "0-3,8". */
struct ranges {
	FILE *to;
	uint64_t from, until;
	bool is_open, has_more;
};

static void end_range(struct ranges *ranges)
{
	if (!ranges->is_open)
		return;
	fprintf(ranges->to, "%s%" PRIu64, ranges->has_more ? "," : "", ranges->from);
	if (ranges->until > ranges->from)
		fprintf(ranges->to, "-%" PRIu64, ranges->until);
	ranges->is_open = false;
	ranges->has_more = true;
}

static void add_number(struct ranges *ranges, uint64_t number)
{
	if (!ranges->is_open || number != ranges->until + 1) {
		end_range(ranges);
		ranges->from = number;
		ranges->is_open = true;
	}
	ranges->until = number;
}

char *fold_types(const struct fold *fold)
{
	char *text = NULL;
	size_t n_text;
	struct ranges ranges = { .to = open_memstream(&text, &n_text) };

	if (!ranges.to)
		return NULL;
	for (size_t i = 0; i < fold->n; i++)
		add_number(&ranges, pmuq_encoding_attr(fold_get(fold, i))->type);
	end_range(&ranges);
	fclose(ranges.to);
	return text;
}

/* How much of the name stands before its number; all of it where there is none that could be one of
 * a range (a leading zero would be lost). */
static size_t stem_length(const char *name)
{
	size_t n = strlen(name), stem = n;

	while (stem > 0 && name[stem - 1] >= '0' && name[stem - 1] <= '9')
		stem--;
	if (n - stem > 18 || (name[stem] == '0' && n - stem > 1))
		return n;
	return stem;
}

static const char *pmu_name(const struct fold *fold, size_t index)
{
	const char *name = pmuq_encoding_pmu(fold_get(fold, index));

	return name ? name : "";
}

/* How many PMUs from `index` on have the same stem and a number. */
static size_t count_of_stem(const struct fold *fold, size_t index, size_t stem)
{
	const char *name = pmu_name(fold, index);
	size_t n = 1;

	for (; name[stem] && index + n < fold->n; n++) {
		const char *other = pmu_name(fold, index + n);

		if (stem_length(other) != stem || !other[stem] || strncmp(name, other, stem) != 0)
			break;
	}
	return n;
}

/* At most 18 digits, so says stem_length(). */
static uint64_t number_of(const char *digits)
{
	uint64_t number = 0;

	for (; *digits; digits++)
		number = number * 10 + (uint64_t)(*digits - '0');
	return number;
}

static void put_stem(FILE *to, const struct fold *fold, size_t index, size_t n, size_t stem)
{
	struct ranges ranges = { .to = to };

	fprintf(to, "%.*s[", (int)stem, pmu_name(fold, index));
	for (size_t i = 0; i < n; i++)
		add_number(&ranges, number_of(pmu_name(fold, index + i) + stem));
	end_range(&ranges);
	fprintf(to, "]");
}

char *fold_pmus(const struct fold *fold)
{
	char *text = NULL;
	size_t n_text, n;
	FILE *to = open_memstream(&text, &n_text);

	if (!to)
		return NULL;
	for (size_t i = 0; i < fold->n; i += n) {
		const char *name = pmu_name(fold, i);
		size_t stem = stem_length(name);

		n = count_of_stem(fold, i, stem);
		fprintf(to, "%s", i ? ", " : "");
		if (n > 1)
			put_stem(to, fold, i, n, stem);
		else
			fprintf(to, "%s", name);
	}
	fclose(to);
	return text;
}
