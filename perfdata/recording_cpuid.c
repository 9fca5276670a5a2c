/* SPDX-License-Identifier: MIT */
#include "perfdata/recording_cpuid.h"
#include "core/num.h"

#define NUMBERS_MAX 3u

/* Exactly n decimal numbers, separated by commas. */
static bool read_numbers(struct pmuq_str text, uint64_t *ret, size_t n)
{
	struct pmuq_str number;

	for (size_t i = 0; i < n; i++) {
		bool more = str_cut(text, ',', &number, &text);

		if (more != (i + 1 < n) || pq_num_any(number, &ret[i]) != PQ_NUM_OK)
			return false;
	}
	return true;
}

/* Vendor, family, model, stepping. A catalog has the last two in hex. */
static bool print_x86(struct pmuq_str text, struct pq_buf *ret)
{
	uint64_t numbers[NUMBERS_MAX];
	struct pmuq_str vendor;

	if (!str_cut(text, ',', &vendor, &text) || !read_numbers(text, numbers, NUMBERS_MAX))
		return false;
	pq_buf_print(ret, "%.*s-%llu-%llX-%llX", STR_ARG(vendor), (unsigned long long)numbers[0],
		     (unsigned long long)numbers[1], (unsigned long long)numbers[2]);
	return true;
}

/* The two halves of the processor version register (PVR). */
static bool print_powerpc(struct pmuq_str text, struct pq_buf *ret)
{
	uint64_t numbers[2];

	if (!read_numbers(text, numbers, COUNT(numbers)) || (numbers[0] | numbers[1]) > UINT16_MAX)
		return false;
	pq_buf_print(ret, "0x%04x%04x", (unsigned)numbers[0], (unsigned)numbers[1]);
	return true;
}

void pq_cpuid_of_recording(struct pmuq_str arch, struct pmuq_str text, struct pq_buf *ret)
{
	bool is_x86 = str_eq(arch, STR("x86_64")) || str_glob(STR("i?86"), arch);
	bool is_printed = false;

	if (is_x86)
		is_printed = print_x86(text, ret);
	else if (str_starts(arch, STR("ppc")))
		is_printed = print_powerpc(text, ret);
	if (!is_printed)
		pq_buf_add(ret, text);
}
