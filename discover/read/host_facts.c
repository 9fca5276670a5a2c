/* SPDX-License-Identifier: MIT */
/* How each fact is read. cpuid.c, cpuinfo.c and extended_type.c have the longer ones. */
#include "discover/read/host_facts.h"
#include "core/cpulist.h"
#include "core/sha256.h"
#include "core/text/sink.h"

/* Because of this key the hash of a machine-id differs from those that other programs make. By
 * machine-id(5), a program should publish only such a hash. */
#define MACHINE_ID_SALT "pmuq machine-id:"
#define MACHINE_ID_BYTES 16u

struct pmuq_str pq_host_line(struct pq_host_reader *host, const char *path)
{
	struct pmuq_str text;
	int r = pq_root_read(host->reader->root, path, PQ_FILE_MAX_BYTES, &text);

	pq_reader_note_failure(host->reader, path, r);
	return r == 0 ? pq_reader_copy(host->reader, pq_content_line(text)) : STR("");
}

struct pmuq_str pq_host_number(struct pq_host_reader *host, uint64_t number)
{
	cleanup(pq_buf_free) struct pq_buf text = PQ_BUF_NULL;

	pq_buf_print(&text, "%llu", (unsigned long long)number);
	host->reader->failed |= text.failed;
	return pq_reader_copy(host->reader, pq_buf_str(&text));
}

/* Of a live machine. */
static const struct utsname *kernel_names(struct pq_host_reader *host)
{
	if (!*host->names.sysname)
		uname(&host->names);
	return &host->names;
}

static struct pmuq_str hostname(struct pq_host_reader *host)
{
	struct pmuq_str name;

	if (host->reader->root->is_live)
		return str_of(kernel_names(host)->nodename);
	name = pq_host_line(host, "proc/sys/kernel/hostname");
	return name.n ? name : pq_host_line(host, "etc/hostname");
}

static struct pmuq_str third_word(struct pmuq_str line)
{
	struct pmuq_str word = STR("");

	for (int i = 0; i < 3; i++)
		str_cut(str_trim(line), ' ', &word, &line);
	return word;
}

static struct pmuq_str kernel(struct pq_host_reader *host)
{
	struct pmuq_str release;

	if (host->reader->root->is_live)
		return str_of(kernel_names(host)->release);
	release = pq_host_line(host, "proc/sys/kernel/osrelease");
	if (release.n)
		return release;
	return pq_reader_copy(host->reader, third_word(pq_host_line(host, "proc/version")));
}

/* Distributions put the architecture at the end of the release of a kernel. */
static struct pmuq_str arch_of_release(struct pmuq_str release)
{
	static const struct {
		struct pmuq_str ending, arch;
	} rows[] = {
		{ STR("x86_64"), STR("x86_64") },	{ STR("amd64"), STR("x86_64") },
		{ STR("aarch64"), STR("aarch64") },	{ STR("arm64"), STR("aarch64") },
		{ STR("ppc64le"), STR("ppc64le") },	{ STR("powerpc64le"), STR("ppc64le") },
		{ STR("ppc64"), STR("ppc64") },		{ STR("powerpc64"), STR("ppc64") },
		{ STR("s390x"), STR("s390x") },		{ STR("riscv64"), STR("riscv64") },
		{ STR("loong64"), STR("loongarch64") }, { STR("i686"), STR("i686") },
	};

	for (size_t i = 0; i < COUNT(rows); i++)
		if (str_ends(release, rows[i].ending))
			return rows[i].arch;
	return STR("");
}

static struct pmuq_str arch(struct pq_host_reader *host)
{
	struct pmuq_str name;

	if (host->reader->root->is_live)
		return str_of(kernel_names(host)->machine);
	name = pq_host_line(host, "proc/sys/kernel/arch");
	if (name.n)
		return name;
	/* The release comes before cpuinfo, which does not show the byte order. */
	name = arch_of_release(kernel(host));
	return name.n ? name : pq_cpuinfo_arch(pq_cpuinfo_head(host));
}

static struct pmuq_str machine_id(struct pq_host_reader *host)
{
	struct pmuq_str salt = STR(MACHINE_ID_SALT);
	struct pmuq_str captured = host->reader->root->manifest[PQ_FACT_MACHINE_ID];
	struct pmuq_str id = pq_host_line(host, "etc/machine-id");
	uint8_t digest[PQ_SHA256_BYTES];
	char hex[2 * MACHINE_ID_BYTES];
	struct pq_sha256 sha;

	/* A capture contains only the hash. */
	if (!id.n || captured.n)
		return captured.n ? captured : id;
	pq_sha256_begin(&sha);
	pq_sha256_add(&sha, salt.p, salt.n);
	pq_sha256_add(&sha, id.p, id.n);
	pq_sha256_end(&sha, digest);
	pq_hex_print(hex, digest, MACHINE_ID_BYTES);
	return pq_reader_copy(host->reader, (struct pmuq_str){ .p = hex, .n = sizeof(hex) });
}

static struct pmuq_str extended_type(struct pq_host_reader *host)
{
	struct pmuq_str captured = host->reader->root->manifest[PQ_FACT_EXTENDED_TYPE];

	if (!host->reader->root->is_live)
		return captured.n ? captured : STR("assumed");
	/* With one core PMU no event is encoded with an extended type. */
	if (host->n_core_types < 2)
		return STR("no");
	return pq_probe_extended_type(host->reader->root, host->core_types, host->n_core_types)
		       ? STR("yes")
		       : STR("no");
}

/* If the firmware has no name, the clock of the hypervisor identifies it. */
static struct pmuq_str hypervisor_of_clock(struct pq_host_reader *host)
{
	struct pmuq_str clocks = pq_host_line(
		host, "sys/devices/system/clocksource/clocksource0/available_clocksource");

	if (str_has_word(clocks, ' ', STR("kvm-clock")))
		return STR("KVM");
	if (str_has_word(clocks, ' ', STR("hyperv_clocksource_tsc_page")) ||
	    str_has_word(clocks, ' ', STR("hyperv_clocksource_msr")))
		return STR("Hyper-V");
	return str_has_word(clocks, ' ', STR("xen")) ? STR("Xen") : STR("yes");
}

static struct pmuq_str hypervisor(struct pq_host_reader *host)
{
	cleanup(pq_buf_free) struct pq_buf name = PQ_BUF_NULL;
	struct pmuq_str type;

	if (!str_has_word(str_field(pq_cpuinfo_head(host), STR("flags")), ' ', STR("hypervisor")))
		return STR("");
	pq_buf_add(&name, pq_host_line(host, "sys/class/dmi/id/sys_vendor"));
	type = pq_host_line(host, "sys/class/dmi/id/product_name");
	if (name.n && type.n)
		pq_buf_char(&name, ' ', 1);
	pq_buf_add(&name, type);
	host->reader->failed |= name.failed;
	return name.n ? pq_reader_copy(host->reader, pq_buf_str(&name)) : hypervisor_of_clock(host);
}

/* The firmware has a table of persistent memory (ACPI NFIT). */
static struct pmuq_str pmem(struct pq_host_reader *host)
{
	auto_handle struct pq_handle tables = PQ_NO_HANDLE;
	struct pmuq_str captured = host->reader->root->manifest[PQ_FACT_PMEM];

	if (captured.n)
		return captured;
	if (pq_root_enter(host->reader->root, host->reader->root->top, "sys/firmware/acpi/tables",
			  PQ_WITHIN_ROOT, &tables) != 0)
		return STR("");
	return pq_root_file_type(host->reader->root, tables, "NFIT") == PQ_FILE_REGULAR ? STR("yes")
											: STR("no");
}

/* Only formulas of metrics use the fact: a build without them does not read it. */
#define OF_METRICS(function) (PQ_HAS_METRICS ? function : NULL)
#define SYSCTL(name) "proc/sys/kernel/" name
#define CPU "sys/devices/system/cpu/"

/* A fact is the first line of a file, if that is not empty, else the result of a function. A
 * machine that is read is never incomplete. */
static const struct {
	const char *path;
	struct pmuq_str (*read)(struct pq_host_reader *host);
} readers[PQ_FACT_COUNT] = {
	[PQ_FACT_HOSTNAME] = { .read = hostname },
	[PQ_FACT_KERNEL] = { .read = kernel },
	[PQ_FACT_ARCH] = { .read = arch },
	[PQ_FACT_CPUID] = { .read = pq_cpuid_text },
	[PQ_FACT_CPUS_PRESENT] = { .path = CPU "present", .read = pq_cpuinfo_cpus },
	[PQ_FACT_CPUS_ONLINE] = { .path = CPU "online", .read = pq_cpuinfo_cpus },
	[PQ_FACT_CORES] = { .read = OF_METRICS(pq_cores_text) },
	[PQ_FACT_DIES] = { .read = OF_METRICS(pq_dies_text) },
	[PQ_FACT_PACKAGES] = { .read = OF_METRICS(pq_packages_text) },
	[PQ_FACT_SMT] = { .read = OF_METRICS(pq_smt_text) },
	[PQ_FACT_TSC_HZ] = { .read = OF_METRICS(pq_tsc_hz_text) },
	[PQ_FACT_PMEM] = { .read = OF_METRICS(pmem) },
	[PQ_FACT_PERF_EVENT_PARANOID] = { .path = SYSCTL("perf_event_paranoid") },
	[PQ_FACT_PERF_EVENT_MAX_SAMPLE_RATE] = { .path = SYSCTL("perf_event_max_sample_rate") },
	[PQ_FACT_PERF_EVENT_MLOCK_KB] = { .path = SYSCTL("perf_event_mlock_kb") },
	[PQ_FACT_PERF_EVENT_MAX_STACK] = { .path = SYSCTL("perf_event_max_stack") },
	[PQ_FACT_NMI_WATCHDOG] = { .path = SYSCTL("nmi_watchdog") },
	[PQ_FACT_BOOT_ID] = { .path = "proc/sys/kernel/random/boot_id" },
	[PQ_FACT_MACHINE_ID] = { .read = machine_id },
	[PQ_FACT_EXTENDED_TYPE] = { .read = extended_type },
	[PQ_FACT_HYPERVISOR] = { .path = "sys/hypervisor/type", .read = hypervisor },
};

void pq_host_init(struct pq_host_reader *host, struct pq_reader *reader)
{
	*host = (struct pq_host_reader){ .reader = reader };
}

struct pmuq_str pq_host_fact(struct pq_host_reader *host, enum pq_fact fact)
{
	struct pmuq_str line = STR("");

	if (readers[fact].path)
		line = pq_host_line(host, readers[fact].path);
	if (line.n && pq_fact_rule(pq_fact_name(fact)) == PQ_RULE_CPUS &&
	    !pq_cpus_text_is_list(line)) {
		pq_reader_note_bad(host->reader, readers[fact].path, "not a list of CPUs");
		line = STR("");
	}
	return !line.n && readers[fact].read ? readers[fact].read(host) : line;
}
