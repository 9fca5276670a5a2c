/* SPDX-License-Identifier: MIT */
/*
 * The attributes of events that libpfm4 does not have, with libpfm4's names, and the form in which
 * its programs write such an event: "msr::tsc:cpu=2".
 */
#include "compat/compat.h"
#include <stdlib.h>
#include <strings.h>

// clang-format off
const struct compat_word compat_words[COMPAT_WORDS] = {
	[COMPAT_U] = { .name = "u", .description = "count in user mode", .is_for_privilege = true },
	[COMPAT_K] = { .name = "k", .description = "count in the kernel", .is_for_privilege = true },
	[COMPAT_H] = { .name = "h", .description = "count in the hypervisor", .is_for_privilege = true, .is_for_cpu = true },
	[COMPAT_PERIOD] = { .name = "period", .description = "events per sample", .is_number = true, .is_for_sampling = true, .is_for_privilege = true },
	[COMPAT_FREQ] = { .name = "freq", .description = "samples per second", .is_number = true, .is_for_sampling = true, .is_for_privilege = true },
	[COMPAT_PRECISE] = { .name = "precise", .description = "precision of samples, 0 to 3", .is_number = true, .is_for_cpu = true, .is_for_sampling = true, .is_for_privilege = true },
	[COMPAT_EXCL] = { .name = "excl", .description = "alone on the PMU", .is_for_sampling = true },
	[COMPAT_MG] = { .name = "mg", .description = "count in guests", .is_for_privilege = true },
	[COMPAT_MH] = { .name = "mh", .description = "count in the host", .is_for_privilege = true },
	[COMPAT_CPU] = { .name = "cpu", .description = "the CPU to open it on", .is_number = true, .is_for_sampling = true },
	[COMPAT_PINNED] = { .name = "pinned", .description = "always on a counter", .is_for_sampling = true },
};
// clang-format on

bool compat_has_word(const struct compat_word *word, enum compat_type type, pfm_os_t os)
{
	return os != PFM_OS_NONE && (type != COMPAT_UNCORE || !word->is_for_privilege) &&
	       (type != COMPAT_TRACEPOINT || !word->is_for_cpu) &&
	       (os == PFM_OS_PERF_EVENT_EXT || !word->is_for_sampling);
}

static int digit_of(char c)
{
	return c >= '0' && c <= '9'   ? c - '0'
	       : c >= 'a' && c <= 'f' ? c - 'a' + 10
	       : c >= 'A' && c <= 'F' ? c - 'A' + 10
				      : 99;
}

/* As libpfm4 reads numbers: decimal, octal after 0, hex after 0x. */
static bool read_number(const char *text, uint64_t *ret)
{
	unsigned base = 10;
	uint64_t n = 0;

	if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
		base = 16;
		text += 2;
	} else if (text[0] == '0') {
		base = 8;
	}
	if (!*text)
		return false;
	for (; *text; text++) {
		unsigned digit = (unsigned)digit_of(*text);

		if (digit >= base || __builtin_mul_overflow(n, base, &n) ||
		    __builtin_add_overflow(n, digit, &n))
			return false;
	}
	*ret = n;
	return true;
}

static bool read_flag(const char *text, uint64_t *ret)
{
	static const char yes[] = "yYtT1", no[] = "nNfF0";

	if (!text[0] || text[1])
		return false;
	*ret = strchr(yes, *text) != NULL;
	return *ret || strchr(no, *text);
}

static int find_word(const char *name, pfm_os_t os)
{
	for (int i = 0; i < COMPAT_WORDS; i++)
		if (strcasecmp(compat_words[i].name, name) == 0 &&
		    compat_has_word(&compat_words[i], COMPAT_CORE, os))
			return i;
	return -1;
}

static int take_word(int word, const char *value, struct compat_written *ret)
{
	uint64_t n = 1;
	bool is_number = compat_words[word].is_number;

	if (ret->set & 1u << word)
		return PFM_ERR_ATTR_SET;
	if (!value && is_number)
		return PFM_ERR_ATTR_VAL;
	if (value && !(is_number ? read_number(value, &n) : read_flag(value, &n)))
		return PFM_ERR_ATTR_VAL;
	if ((word == COMPAT_PERIOD || word == COMPAT_FREQ) && !n)
		return PFM_ERR_ATTR_VAL;
	if ((word == COMPAT_PRECISE && n > 3) || (word == COMPAT_CPU && n >= INT32_MAX))
		return PFM_ERR_ATTR_VAL;
	ret->set |= 1u << word;
	ret->values[word] = n;
	return PFM_SUCCESS;
}

/* A modifier, or a term of the PMU, whose name and size libpmuq checks. */
static int take_attribute(char *text, pfm_os_t os, struct compat_written *ret)
{
	char *value = strchr(text, '=');
	struct pmuq_term term = { .name = text, .value = 1 };
	int word;

	if (value)
		*value++ = '\0';
	if (!*text)
		return PFM_ERR_ATTR;
	word = find_word(text, os);
	if (word >= 0)
		return take_word(word, value, ret);
	if (ret->n_terms == COMPAT_TERMS_MAX)
		return PFM_ERR_TOOMANY;
	if (value && !read_number(value, &term.value))
		return PFM_ERR_ATTR_VAL;
	ret->terms[ret->n_terms++] = term;
	return PFM_SUCCESS;
}

/* `at` is the colon before the first attribute, or NULL. Frees the texts after an error. */
static int take_attributes(char *at, pfm_os_t os, struct compat_written *ret)
{
	int r = PFM_SUCCESS;

	while (at && r == PFM_SUCCESS) {
		char *next;

		*at++ = '\0';
		next = strchr(at, ':');
		if (next)
			*next = '\0';
		r = take_attribute(at, os, ret);
		at = next;
	}
	if (r != PFM_SUCCESS) {
		free(ret->pmu);
		ret->pmu = NULL;
	}
	return r;
}

int compat_split(const char *text, pfm_os_t os, struct compat_written *ret)
{
	const char *colons = strstr(text, "::");
	char *at;

	*ret = (struct compat_written){ 0 };
	if (!colons || colons == text || !colons[2] || colons[2] == ':')
		return PFM_ERR_NOTFOUND;
	ret->pmu = strdup(text);
	if (!ret->pmu)
		return PFM_ERR_NOMEM;
	at = ret->pmu + (colons - text);
	*at = '\0';
	ret->event = at + 2;
	return take_attributes(strchr(ret->event, ':'), os, ret);
}

int compat_split_tracepoint(const char *text, pfm_os_t os, struct compat_written *ret)
{
	const char *colon = strchr(text, ':');

	*ret = (struct compat_written){ 0 };
	if (!colon || colon == text || !colon[1] || colon[1] == ':')
		return PFM_ERR_NOTFOUND;
	ret->event = ret->pmu = strdup(text);
	if (!ret->pmu)
		return PFM_ERR_NOMEM;
	return take_attributes(strchr(ret->pmu + (colon - text) + 1, ':'), os, ret);
}
