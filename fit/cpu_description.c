/* SPDX-License-Identifier: MIT */
/*
 * The running CPU's own description of its counters: the instruction CPUID of x86, leaf 0xa of
 * Intel, and leaves 0x80000022 and 0x80000001 of AMD. It is that of the CPU on which this thread
 * happens to run, so it is not used on machines with several core PMUs.
 */
#include "fit/machine.h"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>

struct leaf {
	unsigned eax, ebx, ecx, edx;
};

static bool read_leaf(unsigned number, struct leaf *ret)
{
	return __get_cpuid_count(number, 0, &ret->eax, &ret->ebx, &ret->ecx, &ret->edx);
}

/* The text of leaf 0 in the order ebx, edx, ecx. */
static bool is_vendor(const char *name)
{
	struct leaf leaf;
	char text[12];

	if (!read_leaf(0, &leaf))
		return false;
	memcpy(text, &leaf.ebx, 4);
	memcpy(text + 4, &leaf.edx, 4);
	memcpy(text + 8, &leaf.ecx, 4);
	return memcmp(text, name, sizeof(text)) == 0;
}

static bool read_intel(unsigned *ret_generic, unsigned *ret_fixed)
{
	struct leaf leaf;

	if (!read_leaf(0xa, &leaf) || !(leaf.eax & 0xff))
		return false;
	*ret_generic = leaf.eax >> 8 & 0xff;
	*ret_fixed = (leaf.eax & 0xff) > 1 ? leaf.edx & 0x1f : 0;
	return *ret_generic > 0;
}

/* Without the leaf there are six counters if the CPU has the extension for them, else four. */
static bool read_amd(unsigned *ret_generic)
{
	struct leaf leaf;

	if (read_leaf(0x80000022, &leaf) && leaf.eax & 1) {
		*ret_generic = leaf.ebx & 0xf;
		return *ret_generic > 0;
	}
	if (!read_leaf(0x80000001, &leaf))
		return false;
	*ret_generic = leaf.ecx & 1u << 23 ? 6 : 4;
	return true;
}

bool pq_cpu_counters(unsigned *ret_generic, unsigned *ret_fixed)
{
	*ret_fixed = 0;
	if (is_vendor("GenuineIntel"))
		return read_intel(ret_generic, ret_fixed);
	return (is_vendor("AuthenticAMD") || is_vendor("HygonGenuine")) && read_amd(ret_generic);
}

#else

bool pq_cpu_counters(unsigned *ret_generic, unsigned *ret_fixed)
{
	*ret_generic = *ret_fixed = 0;
	return false;
}
#endif
