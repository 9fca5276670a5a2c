/* SPDX-License-Identifier: MIT */
/*
 * Which CPU IDs a pattern matches. A pattern is an extended regular expression for the whole ID. On
 * x86 the stepping counts only if the pattern has one; on arm64 the pattern is the MIDR of a core's
 * first revision.
 */
#include "vendor/load/vendor_match.h"
#include "core/num.h"
#include "core/vendor/vendor_table.h"
#include <regex.h>

#define CPUID_MAX_BYTES 256u

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

/* How many bytes of the ID the expression matches; SIZE_MAX if it does not match. */
/* POSIX finds the leftmost match, and the longest there. The pattern comes from a file of a vendor,
 * and the ID from the machine or the command line: both are limited in length, because the time
 * that regexec() takes depends on them. */
static int match_regex(struct pmuq_str pattern, struct pmuq_str cpuid, size_t *ret,
		       struct pmuq_error **reterr)
{
	char text[CPUID_MAX_BYTES + 1];
	regmatch_t match = { 0 };
	regex_t regex;
	int r;

	*ret = SIZE_MAX;
	if (cpuid.n > CPUID_MAX_BYTES)
		return 0;
	r = pq_vendor_regex(pattern, &regex, reterr);
	if (r < 0)
		return r;
	memcpy(text, cpuid.p, cpuid.n);
	text[cpuid.n] = '\0';
	if (regexec(&regex, text, 1, &match, 0) == 0)
		*ret = (size_t)(match.rm_eo - match.rm_so);
	regfree(&regex);
	return 0;
}

/* "GenuineIntel-6-55-4" is full: it has a stepping, which most patterns do not have. */
static int x86_matches(struct pmuq_str pattern, struct pmuq_str cpuid, bool *ret,
		       struct pmuq_error **reterr)
{
	bool is_full_pattern = count_dashes(pattern) == 3, is_full = count_dashes(cpuid) == 3;
	size_t n = SIZE_MAX;
	int r = 0;

	if (!is_full_pattern || is_full)
		r = match_regex(pattern, cpuid, &n, reterr);
	*ret = n == (is_full && !is_full_pattern ? without_stepping(cpuid) : cpuid.n);
	return r;
}

int pq_vendor_matches(struct pmuq_str arch, struct pmuq_str pattern, struct pmuq_str cpuid,
		      bool *ret, struct pmuq_error **reterr)
{
	size_t n = 0;
	int r;

	*ret = false;
	if (str_eq(arch, STR("arm64"))) {
		*ret = midr_matches(pattern, cpuid);
		return 0;
	}
	if (str_eq(arch, STR("x86")))
		return x86_matches(pattern, cpuid, ret, reterr);
	r = match_regex(pattern, cpuid, &n, reterr);
	*ret = r == 0 && n == cpuid.n;
	/* Older trees write a PVR without its "0x". */
	if (r < 0 || *ret || !str_eq(arch, STR("powerpc")) || !str_starts(cpuid, STR("0x")))
		return r;
	cpuid = str_part(cpuid, 2, cpuid.n);
	r = match_regex(pattern, cpuid, &n, reterr);
	*ret = r == 0 && n == cpuid.n;
	return r;
}

int pq_vendor_check_pattern(struct pmuq_str arch, struct pmuq_str pattern,
			    struct pmuq_error **reterr)
{
	uint64_t midr;
	regex_t regex;
	int r;

	if (str_eq(arch, STR("arm64")) && !read_midr(pattern, &midr))
		return pq_fail(reterr, PMUQ_E_BAD_REGEX,
			       "the CPU of an arm64 row must be a hexadecimal number");
	r = pq_vendor_regex(pattern, &regex, reterr);
	if (r == 0)
		regfree(&regex);
	return r;
}
