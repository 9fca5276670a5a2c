/* SPDX-License-Identifier: MIT */
/*
 * Facts about the host, each read when it is asked for. For what is asked of a PMU, see pmu.c.
 */
#ifndef PQ_HOST_H
#define PQ_HOST_H

#include "core/catalog/fact.h"
#include "discover/discover.h"
#include <sys/utsname.h>

struct pq_host {
	struct pq_reader *reader;
	struct utsname names; /* of a live machine */
	struct pmuq_str
		cpuinfo; /* its beginning, which tells of the first CPU; .p NULL until it is read */
	/* The types of the core PMUs; must be set before extended_type is asked of a live machine.
	 */
	const uint32_t *core_types;
	size_t n_core_types;
};

/* The reader must live as long as the host. */
void pq_host_init(struct pq_host *host, struct pq_reader *reader);
/* An empty text if the machine has no such fact. It lives in the reader's arena. */
struct pmuq_str pq_host_fact(struct pq_host *host, enum pq_fact fact);

/* cpuid.c: the CPU in perf's form, "GenuineIntel-6-8F-8"; "" when it is not told. */
struct pmuq_str pq_cpuid_text(struct pq_host *host);
/* cpuinfo.c: reads the beginning of /proc/cpuinfo once. */
struct pmuq_str pq_cpuinfo_head(struct pq_host *host);
/* The value of a field, by its exact name; false when there is none. */
bool pq_cpuinfo_field(struct pmuq_str cpuinfo, struct pmuq_str name, struct pmuq_str *ret);
/* "x86_64", "aarch64" …; "" when cpuinfo does not tell. */
struct pmuq_str pq_cpuinfo_arch(struct pmuq_str cpuinfo);
/* The CPUs it names, as a list; "" when there are none. */
struct pmuq_str pq_cpuinfo_cpus(struct pq_host *host);
/* The trimmed first line of a file; "" when it is not there or cannot be read, which is noted. */
struct pmuq_str pq_host_line(struct pq_host *host, const char *path);

#endif
