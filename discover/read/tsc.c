/* SPDX-License-Identifier: MIT */
/*
 * The frequency of the time stamp counter of an Intel CPU, which the kernel shows in no file: from
 * the CPU itself (CPUID leaf 15H, Intel SDM volume 2), or from the name of the CPU.
 */
#include "core/num.h"
#include "discover/read/host_facts.h"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>

/* 0 if it is not known. */
static uint64_t read_cpu(void)
{
	unsigned divisor, factor, crystal_hz, unused;

	if (!__get_cpuid_count(0x15, 0, &divisor, &factor, &crystal_hz, &unused) || !divisor)
		return 0;
	return (uint64_t)crystal_hz * factor / divisor;
}
#else
static uint64_t read_cpu(void)
{
	return 0;
}
#endif

/* "Intel(R) Xeon(R) Platinum 8168 CPU @ 2.70GHz": the text before GHz as Hz; 0 without it. */
static uint64_t read_name(struct pmuq_str name)
{
	struct pmuq_str head, speed;
	uint64_t hz = 0, unit = 1000000000;
	bool is_fraction = false;

	if (!str_cut(name, '@', &head, &speed))
		return 0;
	speed = str_trim(speed);
	if (!str_ends(speed, STR("GHz")))
		return 0;
	for (size_t i = 0; i + strlen("GHz") < speed.n; i++) {
		if (speed.p[i] == '.' && !is_fraction) {
			is_fraction = true;
			continue;
		}
		if (speed.p[i] < '0' || speed.p[i] > '9' || hz > 1000000000000 || unit == 1)
			return 0;
		hz = hz * 10 + (uint64_t)(speed.p[i] - '0');
		unit /= is_fraction ? 10 : 1;
	}
	return hz * unit;
}

struct pmuq_str pq_tsc_hz_text(struct pq_host_reader *host)
{
	struct pmuq_str cpuinfo = pq_cpuinfo_head(host);
	struct pmuq_str captured = host->reader->root->manifest[PQ_FACT_TSC_HZ];
	uint64_t hz = 0;

	if (captured.n)
		return captured;
	if (!str_eq(str_field(cpuinfo, STR("vendor_id")), STR("GenuineIntel")))
		return STR("");
	if (host->reader->root->is_live)
		hz = read_cpu();
	if (!hz)
		hz = read_name(str_field(cpuinfo, STR("model name")));
	return hz ? pq_host_number(host, hz) : STR("");
}
