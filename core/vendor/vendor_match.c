/* SPDX-License-Identifier: MIT */
/*
 * Which CPU IDs a pattern matches. A pattern is an extended regular expression for the whole ID. On
 * x86 the stepping counts only if the pattern has one; on arm64 the pattern is the MIDR of a core's
 * first revision. perf does this in strcmp_cpuid_str() of tools/perf/util/header.c; x86 and arm64
 * have versions of their own in tools/perf/arch.
 */
#include "core/vendor/vendor_match.h"
#include "core/limits.h"
#include "core/num.h"
#include "core/regex.h"
#include "core/vendor/vendor_table.h"

/* Of a compiled pattern, with what a block of the arena takes besides. */
#define PATTERN_MAX_BYTES ((size_t)1 << 16)

/* In an arm64 MIDR: "r1p2" is variant 1, revision 2. */
#define MIDR_VARIANT UINT64_C(0xf00000)
#define MIDR_REVISION UINT64_C(0xf)

static bool read_midr(struct pmuq_str text, uint64_t *ret)
{
	return text.n > 2 && str_starts(text, STR("0x")) &&
	       pq_num_hex(str_part(text, 2, text.n), ret) == PQ_NUM_OK;
}

/* That revision of the core, or a later one. */
static bool midr_matches(struct pmuq_str pattern, struct pmuq_str cpuid)
{
	uint64_t first = 0, own = 0;

	/* A MIDR has sixteen digits; IDs of other architectures have not. */
	if (cpuid.n != 18 || !read_midr(pattern, &first) || !read_midr(cpuid, &own))
		return false;
	if ((first ^ own) & ~(MIDR_VARIANT | MIDR_REVISION))
		return false;
	if ((first ^ own) & MIDR_VARIANT)
		return (own & MIDR_VARIANT) > (first & MIDR_VARIANT);
	return (own & MIDR_REVISION) >= (first & MIDR_REVISION);
}

static size_t count_dashes(struct pmuq_str s)
{
	size_t n = 0;

	for (size_t i = 0; i < s.n; i++)
		n += s.p[i] == '-';
	return n;
}

/* The length of the ID before its last dash. */
static size_t without_stepping(struct pmuq_str cpuid)
{
	while (cpuid.n && cpuid.p[cpuid.n - 1] != '-')
		cpuid.n--;
	return cpuid.n ? cpuid.n - 1 : 0;
}

static int compile(struct pq_arena *arena, struct pmuq_str pattern, const struct pq_regex **ret,
		   struct pmuq_error **reterr)
{
	*arena = PQ_ARENA(PATTERN_MAX_BYTES);
	return pq_regex_compile(arena, pattern, ret, reterr);
}

/* Whether it has alternatives outside of parentheses; true if that needs a closer look. */
static bool may_have_alternatives(struct pmuq_str pattern)
{
	int depth = 0;

	if (!memchr(pattern.p, '|', pattern.n))
		return false;
	for (size_t i = 0; i < pattern.n; i++) {
		char c = pattern.p[i];

		depth += (c == '(') - (c == ')');
		if (c == '[' || c == '\\' || (c == '|' && depth <= 0))
			return true;
	}
	return false;
}

/* The text with which every match begins: the first letters and digits, but the last of them, which
 * may be repeated. */
static struct pmuq_str literal_start(struct pmuq_str pattern)
{
	size_t n = 0;

	while (n < pattern.n &&
	       (char_is_alpha(pattern.p[n]) || char_is_digit(pattern.p[n]) || pattern.p[n] == '-'))
		n++;
	return str_part(pattern, 0, n && !may_have_alternatives(pattern) ? n - 1 : 0);
}

/* Compiling takes longer than to see that most patterns of a mapfile are of other CPUs. */
static bool may_match(struct pmuq_str pattern, struct pmuq_str cpuid, size_t n_wanted)
{
	struct pmuq_str start = literal_start(pattern);

	for (size_t i = 0; i + n_wanted <= cpuid.n; i++)
		if (str_starts(str_part(cpuid, i, cpuid.n), start))
			return true;
	return false;
}

/* Whether the first, longest match of the pattern has that many bytes: perf compares lengths. */
static int match_regex(struct pmuq_str pattern, struct pmuq_str cpuid, size_t n_wanted, bool *ret,
		       struct pmuq_error **reterr)
{
	cleanup(pq_arena_clear) struct pq_arena arena = { 0 };
	const struct pq_regex *regex;
	size_t n = PQ_REGEX_NO_MATCH;
	int r;

	*ret = false;
	if (cpuid.n > PQ_CPUID_MAX_BYTES || !may_match(pattern, cpuid, n_wanted))
		return 0;
	r = compile(&arena, pattern, &regex, reterr);
	if (r < 0)
		return r;
	for (size_t i = 0; n == PQ_REGEX_NO_MATCH && i + n_wanted <= cpuid.n; i++)
		n = pq_regex_match(regex, cpuid, i);
	*ret = n == n_wanted;
	return 0;
}

/* "GenuineIntel-6-55-4" is full: it has a stepping, which most patterns do not have. */
static int x86_matches(struct pmuq_str pattern, struct pmuq_str cpuid, bool *ret,
		       struct pmuq_error **reterr)
{
	bool is_full_pattern = count_dashes(pattern) == 3, is_full = count_dashes(cpuid) == 3;

	if (is_full_pattern && !is_full)
		return 0;
	return match_regex(pattern, cpuid,
			   is_full && !is_full_pattern ? without_stepping(cpuid) : cpuid.n, ret,
			   reterr);
}

int pq_vendor_matches(struct pmuq_str arch, struct pmuq_str pattern, struct pmuq_str cpuid,
		      bool *ret, struct pmuq_error **reterr)
{
	int r;

	*ret = false;
	if (str_eq(arch, STR("arm64"))) {
		*ret = midr_matches(pattern, cpuid);
		return 0;
	}
	if (str_eq(arch, STR("x86")))
		return x86_matches(pattern, cpuid, ret, reterr);
	r = match_regex(pattern, cpuid, cpuid.n, ret, reterr);
	/* Older trees write a PVR without its "0x". */
	if (r < 0 || *ret || !str_eq(arch, STR("powerpc")) || !str_starts(cpuid, STR("0x")))
		return r;
	return match_regex(pattern, str_part(cpuid, 2, cpuid.n), cpuid.n - 2, ret, reterr);
}

int pq_vendor_check_pattern(struct pmuq_str arch, struct pmuq_str pattern,
			    struct pmuq_error **reterr)
{
	cleanup(pq_arena_clear) struct pq_arena arena;
	const struct pq_regex *regex;
	uint64_t midr;
	int r = compile(&arena, pattern, &regex, reterr);

	if (r == 0 && str_eq(arch, STR("arm64")) && !read_midr(pattern, &midr))
		return pq_fail(reterr, PMUQ_E_BAD_REGEX,
			       "the CPU of an arm64 row must be a hexadecimal number");
	return r;
}
