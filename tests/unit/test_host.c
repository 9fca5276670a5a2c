/* SPDX-License-Identifier: MIT */
/* Facts about a host, from the files of a captured tree, and of this machine. */
#include "core/catalog/source.h"
#include "discover/read/host_facts.h"
#include "tests/unit/tree.h"
#include <sys/utsname.h>

#define FILES_MAX 4

struct row {
	const char *name;
	struct {
		const char *path, *text;
	} files[FILES_MAX];
	const char *fact, *want; /* NULL: absent */
};

#define X86_HEAD "processor\t: 0\nvendor_id\t: GenuineIntel\n"
#define NAMED(vendor, name) "processor\t: 0\nvendor_id\t: " vendor "\nmodel name\t: " name "\n"
#define TOPOLOGY(cpu, list, cpus)                                                                  \
	{                                                                                          \
		"sys/devices/system/cpu/cpu" #cpu "/topology/" list, cpus                          \
	}
#define X86_TAIL "model name\t: a CPU: of many colons\n"

// clang-format off
static const struct row rows[] = {
	{ "x86: family decimal, model and stepping hex",
	  { { "proc/cpuinfo", X86_HEAD "cpu family\t: 6\nmodel\t\t: 143\n" X86_TAIL "stepping\t: 10\n" } },
	  "cpuid", "GenuineIntel-6-8F-A" },
	{ "x86: an AMD family beyond 15",
	  { { "proc/cpuinfo", "vendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel\t\t: 17\nstepping\t: 1\n" } },
	  "cpuid", "AuthenticAMD-25-11-1" },
	{ "x86: a missing stepping is left out",
	  { { "proc/cpuinfo", X86_HEAD "cpu family\t: 6\nmodel\t\t: 5\n" } }, "cpuid", "GenuineIntel-6-5" },
	{ "x86: only the first CPU counts",
	  { { "proc/cpuinfo", X86_HEAD "cpu family\t: 6\nmodel\t\t: 1\nstepping\t: 1\n\n"
	      "processor\t: 1\nvendor_id\t: Other\ncpu family\t: 7\nmodel\t\t: 2\nstepping\t: 2\n" } },
	  "cpuid", "GenuineIntel-6-1-1" },
	{ "arm64: the content of the register's own file",
	  { { "proc/cpuinfo", "processor\t: 0\nCPU implementer\t: 0x41\nCPU architecture: 8\n" },
	    { "sys/devices/system/cpu/online", "2-3\n" },
	    { "sys/devices/system/cpu/cpu2/regs/identification/midr_el1", "0x00000000413fd0c1\n" } },
	  "cpuid", "0x00000000413fd0c1" },
	{ "arm64: or it is put together from cpuinfo",
	  { { "proc/cpuinfo", "CPU implementer\t: 0x41\nCPU architecture: 8\nCPU variant\t: 0x3\n"
	      "CPU part\t: 0xd0c\nCPU revision\t: 1\n" } },
	  "cpuid", "0x00000000413fd0c1" },
	{ "powerpc: the PVR", { { "proc/cpuinfo", "processor\t: 0\ncpu\t\t: POWER9, altivec supported\n"
	      "revision\t: 2.2 (pvr 004e 1202)\n" } }, "cpuid", "0x004e1202" },
	{ "powerpc: a revision without a PVR is none",
	  { { "proc/cpuinfo", "cpu\t: POWER\nrevision\t: 2.2 (raw)\n" } }, "cpuid", NULL },
	{ "riscv: the three ids", { { "proc/cpuinfo", "isa\t\t: rv64imafdc\nmvendorid\t: 0x489\n"
	      "marchid\t\t: 0x8000000000000007\nmimpid\t\t: 0x20181004\n" } },
	  "cpuid", "0x489-0x8000000000000007-0x20181004" },
	{ "s390: the content of cpuinfo",
	  { { "proc/cpuinfo", "vendor_id       : IBM/S390\n# processors    : 2\nmachine         : 8561\n" } },
	  "cpuid", "IBM,8561" },
	{ "s390: sysinfo contains more",
	  { { "proc/cpuinfo", "vendor_id       : IBM/S390\nmachine         : 3906\n" },
	    { "proc/sysinfo", "Manufacturer:         IBM\nType:                 3906\nModel:                704              M04\n" } },
	  "cpuid", "IBM,3906,704,M04" },
	{ "s390: and the counter facility the rest",
	  { { "proc/cpuinfo", "vendor_id       : IBM/S390\nmachine         : 3906\n" },
	    { "proc/sysinfo", "Manufacturer:         IBM\nType:                 3906\nModel:                704              M04\n" },
	    { "proc/service_levels", "CPU-MF: Counter facility: version=3.6 authorization=002f\n" } },
	  "cpuid", "IBM,3906,704,M04,3.6,002f" },
	{ "a cpuinfo of nothing known gives no cpuid", { { "proc/cpuinfo", "hello\n" } }, "cpuid", NULL },

	{ "arch: the kernel's file comes first",
	  { { "proc/sys/kernel/arch", "mips64\n" }, { "proc/cpuinfo", X86_HEAD } }, "arch", "mips64" },
	{ "arch: x86", { { "proc/cpuinfo", X86_HEAD } }, "arch", "x86_64" },
	{ "arch: arm64", { { "proc/cpuinfo", "CPU implementer\t: 0x41\nCPU architecture: 8\n" } }, "arch", "aarch64" },
	{ "arch: arm", { { "proc/cpuinfo", "CPU implementer\t: 0x41\nCPU architecture: 7\n" } }, "arch", "armv7l" },
	{ "arch: riscv", { { "proc/cpuinfo", "isa\t\t: rv64imafdc\n" } }, "arch", "riscv64" },
	{ "arch: s390x", { { "proc/cpuinfo", "vendor_id       : IBM/S390\n" } }, "arch", "s390x" },
	{ "arch: POWER", { { "proc/cpuinfo", "cpu\t\t: POWER9, altivec supported\n" } }, "arch", "ppc64le" },
	{ "arch: the release contains the byte order",
	  { { "proc/cpuinfo", "cpu\t\t: POWER9\n" }, { "proc/sys/kernel/osrelease", "5.4.0-1-powerpc64\n" } },
	  "arch", "ppc64" },
	{ "arch: the release alone", { { "proc/sys/kernel/osrelease", "6.1.0-50-arm64\n" } }, "arch", "aarch64" },
	{ "arch: no file contains it", { { "proc/sys/kernel/osrelease", "6.1.0\n" } }, "arch", NULL },

	{ "kernel: osrelease", { { "proc/sys/kernel/osrelease", "6.12.1\n" },
	    { "proc/version", "Linux version 5.0.0 (x) y\n" } }, "kernel", "6.12.1" },
	{ "kernel: the third word of version", { { "proc/version", "Linux version 5.0.0 (x) y\n" } }, "kernel", "5.0.0" },
	{ "hostname: the kernel's", { { "proc/sys/kernel/hostname", "a\n" }, { "etc/hostname", "b\n" } }, "hostname", "a" },
	{ "hostname: the file's", { { "etc/hostname", "b\n" } }, "hostname", "b" },
	{ "hostname: absent", { { NULL } }, "hostname", NULL },

	{ "cpus_online: the kernel's list", { { "sys/devices/system/cpu/online", "0-3,8\n" } }, "cpus_online", "0-3,8" },
	{ "cpus_online: or from cpuinfo",
	  { { "proc/cpuinfo", "processor\t: 0\nx\t: y\n\nprocessor\t: 1\n\nprocessor\t: 5\n" } }, "cpus_online", "0-1,5" },
	{ "cpus_online: or from cpuinfo, if the kernel's text is not a list",
	  { { "sys/devices/system/cpu/online", "0-1\002\n" }, { "proc/cpuinfo", "processor\t: 0\n\nprocessor\t: 3\n" } },
	  "cpus_online", "0,3" },
	{ "cpus_present: on s390, too",
	  { { "proc/cpuinfo", "vendor_id : IBM/S390\nprocessor 0: version = 00\nprocessor 1: version = 00\n" } },
	  "cpus_present", "0-1" },
	{ "cpus_present: a line without a colon is not a CPU",
	  { { "proc/cpuinfo", "vendor_id : x\nprocessor\t8 0\nprocessor\t: 2\n" } }, "cpus_present", "2" },
	{ "cpus_present: absent", { { NULL } }, "cpus_present", NULL },

	{ "cores: those with CPUs online",
	  { { "sys/devices/system/cpu/online", "0,2-3\n" }, TOPOLOGY(0, "core_cpus_list", "0-1\n"),
	    TOPOLOGY(2, "core_cpus_list", "2-3\n") }, "cores", "2" },
	{ "cores: the name of the file before Linux 5.3",
	  { { "sys/devices/system/cpu/online", "0-1\n" }, TOPOLOGY(0, "thread_siblings_list", "0-1\n") }, "cores", "1" },
	{ "cores: not known if a CPU has no file",
	  { { "sys/devices/system/cpu/online", "0-1\n" }, TOPOLOGY(0, "core_cpus_list", "0\n") }, "cores", NULL },
	{ "cores: a list that does not end costs one file",
	  { { "sys/devices/system/cpu/online", "0-1\n" }, TOPOLOGY(0, "core_cpus_list", "0-65535\n") }, "cores", "1" },
	{ "cores: a list that is none counts its CPU only",
	  { { "sys/devices/system/cpu/online", "0-1\n" }, TOPOLOGY(0, "core_cpus_list", "x\n"),
	    TOPOLOGY(1, "core_cpus_list", "y\n") }, "cores", "2" },
	{ "dies", { { "sys/devices/system/cpu/online", "0-3\n" }, TOPOLOGY(0, "die_cpus_list", "0-1\n"),
	    TOPOLOGY(2, "die_cpus_list", "2-3\n") }, "dies", "2" },
	{ "packages", { { "sys/devices/system/cpu/online", "0-3\n" }, TOPOLOGY(0, "package_cpus_list", "0-3\n") },
	  "packages", "1" },
	{ "packages: the name of the file before Linux 5.3",
	  { { "sys/devices/system/cpu/online", "0-1\n" }, TOPOLOGY(0, "core_siblings_list", "0\n"),
	    TOPOLOGY(1, "core_siblings_list", "1\n") }, "packages", "2" },
	{ "smt: on", { { "sys/devices/system/cpu/smt/active", "1\n" } }, "smt", "on" },
	{ "smt: off", { { "sys/devices/system/cpu/smt/active", "0\n" } }, "smt", "off" },
	{ "smt: before Linux 4.19 by the cores",
	  { { "sys/devices/system/cpu/online", "0-1\n" }, TOPOLOGY(0, "thread_siblings_list", "0-1\n") }, "smt", "on" },
	{ "smt: cores with one CPU each", { { "sys/devices/system/cpu/online", "0-1\n" },
	    TOPOLOGY(0, "thread_siblings_list", "0\n"), TOPOLOGY(1, "thread_siblings_list", "1\n") }, "smt", "off" },
	{ "smt: not known", { { NULL } }, "smt", NULL },
	{ "tsc_hz: from the name of an Intel CPU",
	  { { "proc/cpuinfo", NAMED("GenuineIntel", "Intel(R) Xeon(R) Platinum 8168 CPU @ 2.70GHz") } }, "tsc_hz", "2700000000" },
	{ "tsc_hz: a whole number of GHz", { { "proc/cpuinfo", NAMED("GenuineIntel", "x @ 3GHz") } }, "tsc_hz", "3000000000" },
	{ "tsc_hz: the name has no frequency",
	  { { "proc/cpuinfo", NAMED("GenuineIntel", "13th Gen Intel(R) Core(TM) i9-13900K") } }, "tsc_hz", NULL },
	{ "tsc_hz: another unit", { { "proc/cpuinfo", NAMED("GenuineIntel", "x @ 600MHz") } }, "tsc_hz", NULL },
	{ "tsc_hz: not a number", { { "proc/cpuinfo", NAMED("GenuineIntel", "x @ 2.7.1GHz") } }, "tsc_hz", NULL },
	{ "tsc_hz: too large a number",
	  { { "proc/cpuinfo", NAMED("GenuineIntel", "x @ 99999999999999999999GHz") } }, "tsc_hz", NULL },
	{ "tsc_hz: of Intel CPUs only", { { "proc/cpuinfo", NAMED("AuthenticAMD", "x @ 2.70GHz") } }, "tsc_hz", NULL },
	{ "pmem: the firmware has its table", { { "sys/firmware/acpi/tables/NFIT", "" } }, "pmem", "yes" },
	{ "pmem: other tables only", { { "sys/firmware/acpi/tables/DSDT", "" } }, "pmem", "no" },
	{ "pmem: no tables", { { NULL } }, "pmem", NULL },

	{ "extended_type: a tree does not contain it", { { NULL } }, "extended_type", "assumed" },
	{ "nmi_watchdog", { { "proc/sys/kernel/nmi_watchdog", "1\n" } }, "nmi_watchdog", "1" },
	{ "boot_id", { { "proc/sys/kernel/random/boot_id", "2366d217-efe1\n" } }, "boot_id", "2366d217-efe1" },
	{ "perf_event_max_stack", { { "proc/sys/kernel/perf_event_max_stack", "127\n" } }, "perf_event_max_stack", "127" },

	{ "hypervisor: none without the flag", { { "proc/cpuinfo", X86_HEAD "flags\t: fpu vme\n" },
	    { "sys/class/dmi/id/sys_vendor", "Maker\n" } }, "hypervisor", NULL },
	{ "hypervisor: yes, if nothing names it", { { "proc/cpuinfo", X86_HEAD "flags\t: fpu hypervisor\n" } },
	  "hypervisor", "yes" },
	{ "hypervisor: named by its clock", { { "proc/cpuinfo", X86_HEAD "flags\t: fpu hypervisor\n" },
	    { "sys/devices/system/clocksource/clocksource0/available_clocksource", "kvm-clock tsc acpi_pm\n" } },
	  "hypervisor", "KVM" },
	{ "hypervisor: named by the firmware", { { "proc/cpuinfo", X86_HEAD "flags\t: hypervisor fpu\n" },
	    { "sys/class/dmi/id/sys_vendor", "QEMU\n" }, { "sys/class/dmi/id/product_name", "Standard PC\n" } },
	  "hypervisor", "QEMU Standard PC" },
	{ "hypervisor: named by the kernel", { { "sys/hypervisor/type", "xen\n" } }, "hypervisor", "xen" },
	{ "hypervisor: a part of a word is not the flag", { { "proc/cpuinfo", X86_HEAD "flags\t: nohypervisor\n" } },
	  "hypervisor", NULL },
	{ "machine_id: absent", { { NULL } }, "machine_id", NULL },
	{ "an empty file gives no fact", { { "proc/sys/kernel/hostname", "\n" } }, "hostname", NULL },
	{ "padding ends a text", { { "etc/hostname", "web01\n" } }, "hostname", "web01" },
};
// clang-format on

static struct pmuq_source *open_tree(const struct tree *tree)
{
	struct pmuq_source *source = NULL;

	assert_int_equal(pmuq_source_open_tree(tree->dir, &source, NULL), 0);
	return source;
}

/* The fact, from a lazy source and from the catalog; NULL if it is absent. */
static char *fact_of(const struct tree *tree, const char *name)
{
	struct pmuq_source *source = open_tree(tree);
	struct pmuq_catalog *catalog = NULL;
	const char *text;
	char *copy;

	assert_int_equal(pmuq_source_find_fact(source, name, &text, NULL), 0);
	copy = text ? strdup(text) : NULL;
	assert_int_equal(pmuq_source_read_catalog(source, &catalog, NULL), 0);
	if (!text)
		assert_null(pmuq_catalog_find_fact(catalog, name));
	else
		assert_string_equal(pmuq_catalog_find_fact(catalog, name), text);
	pmuq_catalog_free(catalog);
	pmuq_source_free(source);
	return copy;
}

static void check_row(void **state)
{
	const struct row *row = *state;
	auto_free char *have = NULL;
	struct tree tree;

	tree_make(&tree);
	tree_dir(&tree, DEVICES);
	for (size_t i = 0; i < FILES_MAX && row->files[i].path; i++)
		tree_file(&tree, row->files[i].path, row->files[i].text);
	have = fact_of(&tree, row->fact);
	tree_remove(&tree);
	if (!row->want)
		assert_null(have);
	else
		assert_string_equal(have, row->want);
}

static void make_long_cpuinfo(const struct tree *tree, unsigned cpus)
{
	cleanup(pq_buf_free) struct pq_buf text = PQ_BUF_NULL;

	for (unsigned cpu = 0; cpu < cpus; cpu++)
		pq_buf_print(&text,
			     "processor\t: %u\nvendor_id\t: GenuineIntel\ncpu family\t: 6\n"
			     "model\t\t: 85\nstepping\t: 4\nflags\t\t: %0*d\n\n",
			     cpu, 1000, 0);
	tree_bytes(tree, "proc/cpuinfo", text.p, text.n);
}

static void a_cpuinfo_of_megabytes_is_read(void **state)
{
	struct tree *tree = *state;
	auto_free char *cpuid = NULL, *cpus = NULL;

	tree_dir(tree, DEVICES);
	make_long_cpuinfo(tree, 2000);
	cpuid = fact_of(tree, "cpuid");
	assert_string_equal(cpuid, "GenuineIntel-6-55-4");
	cpus = fact_of(tree, "cpus_present");
	assert_string_equal(cpus, "0-1999");
}

static void the_raw_machine_id_is_never_read(void **state)
{
	static const char id[] = "0123456789abcdef0123456789abcdef";
	struct tree *tree = *state;
	auto_free char *one = NULL, *two = NULL;

	tree_dir(tree, DEVICES);
	tree_file(tree, "etc/machine-id", "0123456789abcdef0123456789abcdef\n");
	one = fact_of(tree, "machine_id");
	assert_int_equal(strlen(one), 32);
	assert_null(strstr(one, id));
	/* sha256("pmuq machine-id:" id), the first 16 bytes: fixed for ever. */
	assert_string_equal(one, "0aaca58b1209230fc21615f1b2072cd3");
	tree_file(tree, "etc/machine-id", "0123456789abcdef0123456789abcdee\n");
	two = fact_of(tree, "machine_id");
	assert_string_not_equal(one, two);
}

static void a_fact_that_cannot_be_read_is_a_problem(void **state)
{
	struct tree *tree = *state;
	struct pmuq_source *source;
	struct pmuq_catalog *catalog = NULL;

	tree_dir(tree, DEVICES);
	tree_dir(tree, "proc/sys/kernel/nmi_watchdog");
	source = open_tree(tree);
	assert_int_equal(pmuq_source_read_catalog(source, &catalog, NULL), 0);
	assert_int_equal(pmuq_catalog_machine(catalog)->n_problems, 1);
	assert_string_equal(pmuq_catalog_problem(catalog, 0)->path.p,
			    "proc/sys/kernel/nmi_watchdog");
	assert_int_equal(pmuq_catalog_problem(catalog, 0)->code, PMUQ_E_REFUSED_FILE);
	pmuq_catalog_free(catalog);
	pmuq_source_free(source);
}

static void this_machine_agrees_with_uname(void **state)
{
	struct pmuq_source *source = NULL;
	struct pmuq_catalog *catalog = NULL;
	struct utsname names;

	(void)state;
	if (access("/" PQ_DEVICES, X_OK) < 0) {
		assert_int_equal(pmuq_source_open_live(&source, NULL), -PMUQ_E_NO_ROOT);
		return;
	}
	assert_int_equal(pmuq_source_open_live(&source, NULL), 0);
	assert_true(pmuq_source_is_live(source));
	assert_int_equal(pmuq_source_read_catalog(source, &catalog, NULL), 0);
	assert_int_equal(uname(&names), 0);
	assert_string_equal(pmuq_catalog_find_fact(catalog, "hostname"), names.nodename);
	assert_string_equal(pmuq_catalog_find_fact(catalog, "kernel"), names.release);
	assert_string_equal(pmuq_catalog_find_fact(catalog, "arch"), names.machine);
	assert_string_not_equal(pmuq_catalog_find_fact(catalog, "extended_type"), "assumed");
	pmuq_catalog_free(catalog);
	pmuq_source_free(source);
}

#define WITH_TREE(f) cmocka_unit_test_setup_teardown(f, tree_setup, tree_teardown)

static const struct CMUnitTest tests[] = {
	WITH_TREE(a_cpuinfo_of_megabytes_is_read),
	WITH_TREE(the_raw_machine_id_is_never_read),
	WITH_TREE(a_fact_that_cannot_be_read_is_a_problem),
	cmocka_unit_test(this_machine_agrees_with_uname),
};

int main(void)
{
	struct CMUnitTest all[COUNT(rows) + COUNT(tests)];

	ADD_ROWS(all, check_row, rows, name);
	memcpy(all + COUNT(rows), tests, sizeof(tests));
	return cmocka_run_group_tests_name("host", all, NULL, NULL);
}
