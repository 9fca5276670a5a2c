/* SPDX-License-Identifier: MIT */
/*
 * Facts about the host, each read when it is needed. A file that cannot be read is noted, and the
 * fact is "". After a resource error it is "", too: pq_reader_check() reports that.
 */
#pragma once

#include "core/catalog/fact.h"
#include "discover/read/file_reader.h"
#include <sys/utsname.h>

struct pq_host_reader {
	struct pq_reader *reader;
	struct utsname names; /* of a live machine, once a fact needed one */
	/* The beginning of /proc/cpuinfo, with the first CPU; .p is NULL until it is read. */
	struct pmuq_str cpuinfo;
	/* The types of the core PMUs; must be set before extended_type of a live machine is read.
	 * Two or more: with one, the kernel is not probed. */
	const uint32_t *core_types;
	size_t n_core_types;
};

/* The reader must live as long as the host. */
void pq_host_init(struct pq_host_reader *host, struct pq_reader *reader);
/* An empty text if the machine does not have the fact. It lives in the reader's arena. */
struct pmuq_str pq_host_fact(struct pq_host_reader *host, enum pq_fact fact);

/* cpuid.c: the CPU in perf's form, "GenuineIntel-6-8F-8"; "" if it is not known. */
struct pmuq_str pq_cpuid_text(struct pq_host_reader *host);
/* cpuinfo.c: the beginning of /proc/cpuinfo, which is read once. */
struct pmuq_str pq_cpuinfo_head(struct pq_host_reader *host);
/* "x86_64", "aarch64" …; "" if cpuinfo does not show it. */
struct pmuq_str pq_cpuinfo_arch(struct pmuq_str cpuinfo);
/* The CPUs that it lists, as "0-3"; "" if there are none. */
struct pmuq_str pq_cpuinfo_cpus(struct pq_host_reader *host);
/* The trimmed first line of a file; "" if it does not exist or cannot be read, which is noted. */
struct pmuq_str pq_host_line(struct pq_host_reader *host, const char *path);

/* topology.c: the number of online cores, dies or packages; "" if not known. */
struct pmuq_str pq_cores_text(struct pq_host_reader *host);
struct pmuq_str pq_dies_text(struct pq_host_reader *host);
struct pmuq_str pq_packages_text(struct pq_host_reader *host);
/* "on" if an online core has several CPUs online, "off" if not, "" if not known. */
struct pmuq_str pq_smt_text(struct pq_host_reader *host);
/* tsc.c: how often an Intel CPU's time stamp counter counts in a second, in Hz; "" if unknown. */
struct pmuq_str pq_tsc_hz_text(struct pq_host_reader *host);
/* A number as the text of a fact. */
struct pmuq_str pq_host_number(struct pq_host_reader *host, uint64_t number);

/* extended_type.c: whether the running kernel accepts a generic event with the type of each of
 * these PMUs in the upper half of config: PERF_PMU_TYPE_SHIFT of linux/perf_event.h, since Linux
 * 5.13. Probes this machine, whatever the root is; the root only keeps a resource error. */
bool pq_probe_extended_type(struct pq_root *root, const uint32_t *types, size_t n);
