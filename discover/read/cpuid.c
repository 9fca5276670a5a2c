/* SPDX-License-Identifier: MIT */
/*
 * The CPU's identity, in the form by which perf 7.2 finds its event tables. It is read from files
 * only, so that a captured tree gives the same result as the live machine.
 */
#include "core/num.h"
#include "discover/read/host_facts.h"

static uint64_t number(struct pmuq_str cpuinfo, struct pmuq_str name)
{
	uint64_t n = 0;

	pq_num_any(str_field(cpuinfo, name), &n);
	return n;
}

/* Each of these recognises its architecture by fields that no other has; otherwise it appends
 * nothing. */

/* "GenuineIntel-6-55-4": the family in decimal, model and stepping in hex. */
static void x86(struct pmuq_str cpuinfo, struct pq_buf *text)
{
	struct pmuq_str vendor = str_field(cpuinfo, STR("vendor_id"));

	if (!vendor.p || !str_field(cpuinfo, STR("cpu family")).p)
		return;
	pq_buf_print(text, "%.*s-%u-%X", STR_ARG(vendor),
		     (unsigned)number(cpuinfo, STR("cpu family")),
		     (unsigned)number(cpuinfo, STR("model")));
	if (str_field(cpuinfo, STR("stepping")).p)
		pq_buf_print(text, "-%X", (unsigned)number(cpuinfo, STR("stepping")));
}

/* The MIDR of the first CPU, "0x00000000410fd490": from its file, else composed of the fields of
 * cpuinfo. Only online CPUs have the file, so it is that of the first one online. */
static void arm64(struct pq_host_reader *host, struct pmuq_str cpuinfo, struct pq_buf *text)
{
	cleanup(pq_buf_free) struct pq_buf path = PQ_BUF_NULL;
	uint64_t first = 0, midr = 0xf << 16; /* the architecture field refers to other registers */
	struct pmuq_str cpus = pq_host_line(host, "sys/devices/system/cpu/online");
	size_t digits;

	if (!str_field(cpuinfo, STR("CPU implementer")).p)
		return;
	pq_num_prefix(cpus, &first, &digits);
	pq_buf_print(&path, "sys/devices/system/cpu/cpu%u/regs/identification/midr_el1%c",
		     (unsigned)first, '\0');
	host->reader->failed |= path.failed;
	if (!path.failed && pq_num_any(pq_host_line(host, path.p), &midr) != PQ_NUM_OK)
		midr |= (number(cpuinfo, STR("CPU implementer")) & 0xff) << 24 |
			(number(cpuinfo, STR("CPU variant")) & 0xf) << 20 |
			(number(cpuinfo, STR("CPU part")) & 0xfff) << 4 |
			(number(cpuinfo, STR("CPU revision")) & 0xf);
	pq_buf_print(text, "0x%016llx", (unsigned long long)midr);
}

/* The PVR, "0x004e1202", from "revision : 2.2 (pvr 004e 1202)". */
static void powerpc(struct pmuq_str cpuinfo, struct pq_buf *text)
{
	struct pmuq_str line = str_field(cpuinfo, STR("revision")), head, version, revision;
	uint64_t high, low;

	if (!str_ends(line, STR(")")))
		return;
	line.n--;
	while (str_cut(line, '(', &head, &line))
		;
	if (!str_starts(head, STR("pvr ")))
		return;
	str_cut(str_part(head, sizeof("pvr ") - 1, head.n), ' ', &version, &revision);
	if (pq_num_hex(version, &high) != PQ_NUM_OK ||
	    pq_num_hex(str_trim(revision), &low) != PQ_NUM_OK)
		return;
	pq_buf_print(text, "0x%04x%04x", (unsigned)high & 0xffff, (unsigned)low & 0xffff);
}

/* "0x489-0x8000000000000007-0x20181004". */
static void riscv(struct pmuq_str cpuinfo, struct pq_buf *text)
{
	struct pmuq_str vendor = str_field(cpuinfo, STR("mvendorid"));
	struct pmuq_str arch = str_field(cpuinfo, STR("marchid"));
	struct pmuq_str implementation = str_field(cpuinfo, STR("mimpid"));

	if (!vendor.p || !arch.p || !implementation.p)
		return;
	pq_buf_print(text, "%.*s-%.*s-%.*s", STR_ARG(vendor), STR_ARG(arch),
		     STR_ARG(implementation));
}

/* "703 A01" → ",703,A01". */
static void add_words(struct pq_buf *text, struct pmuq_str words)
{
	struct pmuq_str word;

	while (str_next(&words, ' ', &word))
		if (word.n)
			pq_buf_print(text, ",%.*s", STR_ARG(word));
}

static struct pmuq_str value_of(struct pmuq_str words, struct pmuq_str key)
{
	struct pmuq_str word;

	while (str_next(&words, ' ', &word))
		if (str_starts(word, key))
			return str_part(word, key.n, word.n);
	return STR("");
}

/* The counter facility's version and authorization, which a guest may not have. */
static void add_counter_facility(struct pq_host_reader *host, struct pq_buf *text)
{
	struct pmuq_str levels, line, version, authorization;

	if (pq_root_read(host->reader->root, "proc/service_levels", PQ_FILE_MAX_BYTES, &levels) !=
	    0)
		return;
	line = str_field(levels, STR("CPU-MF"));
	version = value_of(line, STR("version="));
	authorization = value_of(line, STR("authorization="));
	if (version.n && authorization.n)
		pq_buf_print(text, ",%.*s,%.*s", STR_ARG(version), STR_ARG(authorization));
}

/* "IBM,8561,703,A01,3.6,002f" from /proc/sysinfo; cpuinfo has only the machine's type. */
static void s390(struct pq_host_reader *host, struct pmuq_str cpuinfo, struct pq_buf *text)
{
	struct pmuq_str info = { 0 }, maker, type, model, machine;

	pq_root_read(host->reader->root, "proc/sysinfo", PQ_FILE_MAX_BYTES, &info);
	maker = str_field(info, STR("Manufacturer"));
	type = str_field(info, STR("Type"));
	model = str_field(info, STR("Model"));
	if (maker.p && type.p && model.p) {
		pq_buf_print(text, "%.*s,%.*s", STR_ARG(maker), STR_ARG(type));
		add_words(text, model);
		add_counter_facility(host, text);
		return;
	}
	machine = str_field(cpuinfo, STR("machine"));
	if (!machine.p)
		return;
	pq_buf_print(text, "IBM,%.*s", STR_ARG(machine));
}

/* s390 has a vendor_id, too. */
struct pmuq_str pq_cpuid_text(struct pq_host_reader *host)
{
	cleanup(pq_buf_free) struct pq_buf text = PQ_BUF_NULL;
	struct pmuq_str cpuinfo = pq_cpuinfo_head(host);

	if (str_eq(str_field(cpuinfo, STR("vendor_id")), STR("IBM/S390")))
		s390(host, cpuinfo, &text);
	else
		x86(cpuinfo, &text);
	if (!text.n)
		arm64(host, cpuinfo, &text);
	if (!text.n)
		powerpc(cpuinfo, &text);
	if (!text.n)
		riscv(cpuinfo, &text);
	host->reader->failed |= text.failed;
	return pq_reader_copy(host->reader, pq_buf_str(&text));
}
