/* SPDX-License-Identifier: MIT */
/* /proc/cpuinfo: lines of "name : value", in the form of each architecture. */
#include "core/cpulist.h"
#include "core/num.h"
#include "discover/read/host_facts.h"

/* The first CPU is enough, and each CPU takes the kernel time: one read(2) returns about a page. */
struct pmuq_str pq_cpuinfo_head(struct pq_host_reader *host)
{
	struct pmuq_str text;
	int r;

	if (host->cpuinfo.p)
		return host->cpuinfo;
	r = pq_root_read_head(host->reader->root, "proc/cpuinfo", &text);
	pq_reader_note_failure(host->reader, "proc/cpuinfo", r);
	text = r == 0 ? pq_reader_copy(host->reader, text) : STR("");
	if (!pq_reader_has_failed(host->reader))
		host->cpuinfo = text;
	return text;
}

struct pmuq_str pq_cpuinfo_arch(struct pmuq_str cpuinfo)
{
	static const struct {
		struct pmuq_str field, value, arch; /* the value begins with that text */
	} rows[] = {
		{ STR("vendor_id"), STR("IBM/S390"), STR("s390x") },
		{ STR("isa"), STR("rv64"), STR("riscv64") },
		{ STR("isa"), STR("rv32"), STR("riscv32") },
		{ STR("isa"), STR("loongarch64"), STR("loongarch64") },
		{ STR("CPU architecture"), STR("8"), STR("aarch64") },
		{ STR("CPU architecture"), STR("AArch64"), STR("aarch64") },
		{ STR("CPU architecture"), STR("7"), STR("armv7l") },
		{ STR("CPU architecture"), STR("6"), STR("armv6l") },
		/* cpuinfo does not show the byte order; big-endian is rare. */
		{ STR("cpu"), STR("POWER"), STR("ppc64le") },
		{ STR("cpuid level"), STR(""), STR("x86_64") },
		{ STR("vendor_id"), STR(""), STR("x86_64") },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct pmuq_str value = str_field(cpuinfo, rows[i].field);

		if (value.p && str_starts(value, rows[i].value))
			return rows[i].arch;
	}
	return STR("");
}

/* "processor : 3", and on s390 "processor 3: version = …". */
static bool cpu_of_line(struct pmuq_str line, uint64_t *ret)
{
	struct pmuq_str key, value;
	size_t digits;

	if (!str_starts(line, STR("processor")) || !str_cut(line, ':', &key, &value))
		return false;
	key = str_trim(str_part(key, sizeof("processor") - 1, key.n));
	return pq_num_prefix(key.n ? key : str_trim(value), ret, &digits) && *ret < PQ_CPUS_MAX;
}

struct pmuq_str pq_cpuinfo_cpus(struct pq_host_reader *host)
{
	cleanup(pq_buf_free) struct pq_buf list = PQ_BUF_NULL;
	struct pq_cpus cpus = { .n_words = PQ_CPUS_MAX / 64 };
	struct pmuq_str text, line;
	bool is_any = false;
	uint64_t cpu = 0;

	if (pq_root_read(host->reader->root, "proc/cpuinfo", PQ_CPUINFO_MAX_BYTES, &text) != 0)
		return STR("");
	cpus.words = pq_reader_array(host->reader, cpus.n_words, sizeof(*cpus.words));
	if (!cpus.words)
		return STR("");
	while (str_next(&text, '\n', &line)) {
		if (!cpu_of_line(line, &cpu))
			continue;
		cpus.words[cpu / 64] |= UINT64_C(1) << cpu % 64;
		is_any = true;
	}
	if (is_any)
		pq_cpus_print(&cpus, &list);
	host->reader->failed |= list.failed;
	return pq_reader_copy(host->reader, pq_buf_str(&list));
}
