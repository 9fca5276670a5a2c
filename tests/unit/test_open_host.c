/* SPDX-License-Identifier: MIT */
/* What is read about the process and the machine, from small trees that the tests write. */
#include "core/attr/attr.h"
#include "open/host/open_host.h"
#include "open/host/small_file.h"
#include "tests/harness/names.h"
#include "tests/unit/tree.h"
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/wait.h>

struct fixture {
	struct tree tree;
	struct pq_arena arena;
	struct pq_host_view view;
};

static int set_up(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));

	assert_non_null(fixture);
	tree_make(&fixture->tree);
	fixture->arena = PQ_ARENA(SIZE_MAX);
	*state = fixture;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *fixture = *state;

	pq_arena_clear(&fixture->arena);
	tree_remove(&fixture->tree);
	free(fixture);
	return 0;
}

static void put(const struct fixture *fixture, const char *path, const char *text)
{
	tree_file(&fixture->tree, path, text);
}

static const struct pq_host_view *read_host(struct fixture *fixture)
{
	struct pq_host host = pq_host_at(fixture->tree.dir);

	host.read_view(&host, &fixture->arena, &fixture->view);
	return &fixture->view;
}

#define PARANOID "proc/sys/kernel/perf_event_paranoid"
#define STATUS "proc/thread-self/status"

static void in_an_empty_tree_all_facts_are_unknown(void **state)
{
	const struct pq_host_view *view = read_host(*state);

	assert_false(view->has_paranoid || view->has_caps || view->has_pmus || view->is_vm);
	assert_false(view->has_seccomp || view->is_in_namespace || view->is_without_perf);
	assert_int_equal(view->cpus_online.n, 0);
}

static void below_a_missing_root_all_facts_are_unknown(void **state)
{
	struct pq_host host = pq_host_at("/nonexistent-root");
	struct fixture *fixture = *state;
	struct pq_pmu_view pmu;

	host.read_view(&host, &fixture->arena, &fixture->view);
	assert_false(fixture->view.has_paranoid);
	host.read_pmu(&host, "cpu", &pmu);
	assert_false(pmu.exists);
}

static void paranoid_may_be_negative(void **state)
{
	put(*state, PARANOID, "-1\n");
	assert_true(read_host(*state)->has_paranoid);
	assert_int_equal(read_host(*state)->paranoid, -1);
}

static void paranoid_may_be_above_2(void **state)
{
	put(*state, PARANOID, "4\n");
	assert_int_equal(read_host(*state)->paranoid, 4);
}

static void paranoid_must_be_a_number(void **state)
{
	put(*state, PARANOID, "high\n");
	assert_false(read_host(*state)->has_paranoid);
	put(*state, PARANOID, "99999999999\n");
	assert_false(read_host(*state)->has_paranoid);
	put(*state, PARANOID, "2147483648\n");
	assert_false(read_host(*state)->has_paranoid);
	put(*state, PARANOID, "2147483647\n");
	assert_true(read_host(*state)->has_paranoid);
}

static void a_kernel_without_the_file_has_no_perf_events(void **state)
{
	put(*state, "proc/sys/kernel/osrelease", "6.1\n");
	assert_true(read_host(*state)->is_without_perf);
}

static void capabilities_are_those_of_the_thread(void **state)
{
	put(*state, "proc/self/status", "CapEff:\t0000000000000000\nSeccomp:\t0\n");
	assert_true(read_host(*state)->has_caps);
	assert_false(pq_host_has_perfmon(read_host(*state)));
	put(*state, STATUS, "Name:\tx\nCapEff:\t0000004000000000\nSeccomp:\t2\n");
	assert_true(pq_host_has_perfmon(read_host(*state)));
	assert_true(read_host(*state)->has_seccomp);
	put(*state, STATUS, "CapEff:\t0000000000200000\nSeccomp:\t0\n");
	assert_true(pq_host_has_perfmon(read_host(*state)));
	assert_false(read_host(*state)->has_seccomp);
}

static void limits_set_by_the_parent_are_read(void **state)
{
	put(*state, STATUS, "Uid:\t1000\t0\t1000\t1000\nCapBnd:\t0000004000000000\nNoNewPrivs:\t1\n");
	assert_true(read_host(*state)->is_root && read_host(*state)->has_no_new_privs);
	assert_true(read_host(*state)->has_bounding);
	assert_int_equal(read_host(*state)->bounding, UINT64_C(1) << PQ_CAP_PERFMON);
	put(*state, STATUS, "Uid:\t0\t1000\t0\t0\nNoNewPrivs:\t0\n");
	assert_false(read_host(*state)->is_root || read_host(*state)->has_no_new_privs);
	assert_false(read_host(*state)->has_bounding || read_host(*state)->is_init_without_seccomp);
	put(*state, "proc/1/status", "Seccomp:\t2\n");
	assert_false(read_host(*state)->is_init_without_seccomp);
	put(*state, "proc/1/status", "Seccomp:\t0\n");
	assert_true(read_host(*state)->is_init_without_seccomp);
}

/* The same facts about this thread, with and without /proc. */
static void system_calls_replace_a_missing_proc(void **state)
{
	auto_close int root_fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct fixture *fixture = *state;
	auto_close int tree_fd = open(fixture->tree.dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct pq_host_view called = { 0 };

	if (!pq_process_status(root_fd, &fixture->arena).p)
		skip();
	pq_process_view_read(root_fd, true, &fixture->arena, &fixture->view);
	pq_process_view_read(tree_fd, true, &fixture->arena, &called);
	assert_true(called.has_caps && called.has_bounding);
	assert_int_equal(called.caps, fixture->view.caps);
	assert_int_equal(called.bounding, fixture->view.bounding);
	assert_int_equal(called.has_seccomp, fixture->view.has_seccomp);
	assert_int_equal(called.has_no_new_privs, fixture->view.has_no_new_privs);
	assert_int_equal(called.is_root, fixture->view.is_root);
}

/* Only a machine that is live has this process. */
static void this_process_is_known_on_a_machine_without_a_proc(void **state)
{
	enum { NO_RIGHT = 77 };
	struct sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	struct sock_fprog program = { .len = 1, .filter = &allow };
	const struct fixture *fixture = *state;
	int status;
	pid_t child = fork();

	assert_true(child >= 0);
	if (child == 0) {
		struct pq_host host = pq_host_at("/");
		struct pq_arena arena = PQ_ARENA(SIZE_MAX);
		struct pq_host_view view;

		if (chroot(fixture->tree.dir) < 0)
			_exit(NO_RIGHT);
		if (prctl(PR_SET_NO_NEW_PRIVS, 1ul, 0ul, 0ul, 0ul) < 0 ||
		    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0)
			_exit(NO_RIGHT);
		host.read_view(&host, &arena, &view);
		_exit(!(view.has_caps && view.has_bounding && view.has_no_new_privs &&
			view.has_seccomp));
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == NO_RIGHT)
		skip();
	assert_int_equal(WEXITSTATUS(status), 0);
}

static void a_user_namespace_is_detected_by_its_map(void **state)
{
	put(*state, "proc/self/uid_map", "         0          0 4294967295\n");
	assert_false(read_host(*state)->is_in_namespace);
	put(*state, "proc/self/uid_map", "         0       1000          1\n");
	assert_true(read_host(*state)->is_in_namespace);
}

static void old_kernels_have_no_cap_perfmon(void **state)
{
	put(*state, "proc/sys/kernel/cap_last_cap", "37\n");
	assert_true(read_host(*state)->is_without_cap_perfmon);
	put(*state, "proc/sys/kernel/cap_last_cap", "40\n");
	assert_false(read_host(*state)->is_without_cap_perfmon);
}

static void limits_are_read(void **state)
{
	put(*state, "proc/sys/kernel/perf_event_max_sample_rate", "50000\n");
	put(*state, "proc/sys/kernel/perf_event_max_stack", "127\n");
	put(*state, "proc/sys/kernel/nmi_watchdog", "1\n");
	put(*state, "sys/devices/system/cpu/online", "0-3,8\n");
	put(*state, "sys/kernel/security/lockdown", "none integrity [confidentiality]\n");
	put(*state, ".dockerenv", "");
	assert_int_equal(read_host(*state)->max_sample_rate, 50000);
	assert_int_equal(read_host(*state)->max_stack, 127);
	assert_true(read_host(*state)->has_nmi_watchdog);
	assert_true(read_host(*state)->is_locked_down);
	assert_true(read_host(*state)->is_in_container);
	assert_true(read_host(*state)->max_files > 0);
	assert_true(str_eq(read_host(*state)->cpus_online, STR("0-3,8")));
}

static void a_core_pmu_is_detected_by_its_name_or_its_cpus(void **state)
{
	put(*state, DEVICES "msr/type", "9\n");
	assert_true(read_host(*state)->has_pmus);
	assert_false(read_host(*state)->has_core_pmu);
	put(*state, DEVICES "armv8_pmuv3_0/cpus", "0-3\n");
	assert_true(read_host(*state)->has_core_pmu);
}

static void a_pmu_has_a_type_and_known_bits(void **state)
{
	struct fixture *fixture = *state;
	struct pq_host host = pq_host_at(fixture->tree.dir);
	struct pq_pmu_view pmu;

	put(fixture, DEVICES "acme/type", "21\n");
	put(fixture, DEVICES "acme/format/event", "config:0-7,32-35\n");
	put(fixture, DEVICES "acme/format/filter", "config1:8\n");
	host.read_pmu(&host, "acme", &pmu);
	assert_true(pmu.exists && pmu.has_type && pmu.has_formats);
	assert_int_equal(pmu.type, 21);
	assert_true(pmu.known[0] == UINT64_C(0xf000000ff) && pmu.known[1] == 0x100);
	assert_true(pmu.known[2] == 0);

	put(fixture, DEVICES "acme/type", "4294967295\n");
	host.read_pmu(&host, "acme", &pmu);
	assert_true(pmu.has_type && pmu.type == UINT32_MAX);
	put(fixture, DEVICES "acme/type", "4294967296\n");
	host.read_pmu(&host, "acme", &pmu);
	assert_true(pmu.exists && !pmu.has_type);

	put(fixture, DEVICES "acme/format/odd", "config9:1\n");
	host.read_pmu(&host, "acme", &pmu);
	assert_true(pmu.known[0] == UINT64_MAX && pmu.known[4] == UINT64_MAX);
}

static void a_pmu_is_searched_in_its_directory_only(void **state)
{
	struct fixture *fixture = *state;
	struct pq_host host = pq_host_at(fixture->tree.dir);
	static const char *const names[] = { "", ".", "..", "../devices/acme", "none" };
	struct pq_pmu_view pmu;

	put(fixture, DEVICES "acme/type", "21\n");
	for (size_t i = 0; i < COUNT(names); i++) {
		host.read_pmu(&host, names[i], &pmu);
		assert_false(pmu.exists);
	}
}

static void only_regular_files_are_read(void **state)
{
	struct fixture *fixture = *state;

	put(fixture, "proc/sys/kernel/osrelease", "6.1\n");
	tree_fifo(&fixture->tree, PARANOID);
	assert_false(read_host(fixture)->has_paranoid);
	assert_false(read_host(fixture)->is_without_perf);
}

static void what_is_not_a_regular_file_has_no_text(void **state)
{
	struct fixture *fixture = *state;
	auto_close int dir_fd = open(fixture->tree.dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	size_t n_files = count_descriptors();

	tree_fifo(&fixture->tree, "fifo");
	put(fixture, "empty", "");
	assert_null(pq_small_file_read(dir_fd, &fixture->arena, "fifo").p);
	assert_null(pq_small_file_read(dir_fd, &fixture->arena, ".").p);
	assert_null(pq_small_file_read(dir_fd, &fixture->arena, "missing").p);
	assert_non_null(pq_small_file_read(dir_fd, &fixture->arena, "empty").p);
	assert_int_equal(count_descriptors(), n_files);
}

/* The kernel gives a page at a time; some files exist, but cannot be read. */
static void files_of_proc_are_read_whole_or_not_at_all(void **state)
{
	struct fixture *fixture = *state;
	auto_close int root_fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (faccessat(root_fd, "proc/kallsyms", R_OK, 0) < 0 ||
	    faccessat(root_fd, "proc/self/mem", R_OK, 0) < 0)
		skip();
	assert_true(pq_small_file_read(root_fd, &fixture->arena, "proc/kallsyms").n > 32 << 10);
	assert_null(pq_small_file_read(root_fd, &fixture->arena, "proc/self/mem").p);
}

/* Evidence of a hypervisor. */
struct vm_case {
	const char *name, *path, *text;
	const char *want; /* NULL: no virtual machine; "": an unknown one */
	bool has_flag;	  /* the CPU flag of x86 guests */
};

#define VENDOR "sys/class/dmi/id/sys_vendor"
#define PRODUCT "sys/class/dmi/id/product_name"
#define CLOCK "sys/devices/system/clocksource/clocksource0/available_clocksource"

static const struct vm_case vm_cases[] = {
	{ "bare metal", VENDOR, "Dell Inc.\n", NULL, false },
	{ "flag alone", "proc/version", "Linux\n", "", true },
	{ "QEMU by firmware", VENDOR, "QEMU\n", "KVM/QEMU", false },
	{ "VMware", VENDOR, "VMware, Inc.\n", "VMware", false },
	{ "VirtualBox by vendor", VENDOR, "innotek GmbH\n", "VirtualBox", false },
	{ "VirtualBox by product", PRODUCT, "VirtualBox\n", "VirtualBox", false },
	{ "Hyper-V", PRODUCT, "Virtual Machine\n", "Hyper-V", false },
	{ "Xen by firmware", PRODUCT, "HVM domU\n", "Xen", false },
	{ "Parallels", VENDOR, "Parallels Software International Inc.\n", "Parallels", false },
	{ "bhyve by vendor", VENDOR, "BHYVE\n", "bhyve", false },
	{ "bhyve by product", PRODUCT, "BHYVE\n", "bhyve", false },
	{ "KVM by firmware", PRODUCT, "KVM\n", "KVM", false },
	{ "Apple", PRODUCT, "Apple Virtualization Generic Platform\n", "Apple Virtualization",
	  false },
	{ "cloud guest", VENDOR, "Amazon EC2\n", "Amazon EC2", true },
	{ "cloud metal", VENDOR, "Amazon EC2\n", NULL, false },
	{ "another cloud's guest", PRODUCT, "Google Compute Engine\n", "Google Compute Engine",
	  true },
	{ "another cloud's metal", PRODUCT, "Google Compute Engine\n", NULL, false },
	{ "a third cloud's guest", VENDOR, "Alibaba Cloud\n", "Alibaba Cloud", true },
	{ "a third cloud's metal", VENDOR, "Alibaba Cloud\n", NULL, false },
	{ "clock of KVM", CLOCK, "tsc kvm-clock \n", "KVM", false },
	{ "clock of Hyper-V", CLOCK, "hyperv_clocksource_tsc_page acpi_pm\n", "Hyper-V", false },
	{ "Xen guest", "sys/hypervisor/type", "xen\n", "Xen", false },
	{ "KVM on arm64", "proc/device-tree/hypervisor/compatible", "linux,kvm", "KVM", false },
	{ "Xen on arm64", "proc/device-tree/hypervisor/compatible", "xen,xen", "Xen", false },
	{ "QEMU on arm64", "proc/device-tree/compatible", "linux,dummy-virt", "KVM/QEMU", false },
	{ "KVM on IBM Z", "proc/sysinfo", "VM00 Control Program: KVM/Linux\n", "KVM on IBM Z",
	  false },
	{ "z/VM", "proc/sysinfo", "VM00 Control Program: z/VM    7.2.0\n", "z/VM", false },
};

static void test_vm(void **state)
{
	const struct vm_case *test = *state;
	const struct pq_host_view *view;
	void *fixture;

	assert_int_equal(set_up(&fixture), 0);
	put(fixture, "proc/cpuinfo",
	    test->has_flag ? "processor: 0\nflags\t\t: fpu hypervisor lm\n" : "flags: fpu lm\n");
	put(fixture, test->path, test->text);
	view = read_host(fixture);
	assert_int_equal(view->is_vm, test->want != NULL);
	if (test->want && *test->want)
		assert_string_equal(view->hypervisor, test->want);
	else
		assert_null(view->hypervisor);
	assert_int_equal(tear_down(&fixture), 0);
}

static void the_control_domain_of_xen_is_not_a_guest(void **state)
{
	put(*state, "sys/hypervisor/type", "xen\n");
	put(*state, "proc/xen/capabilities", "control_d\n");
	assert_false(read_host(*state)->is_vm);
}

#define IN_TREE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest in_tree[] = {
		IN_TREE(in_an_empty_tree_all_facts_are_unknown),
		IN_TREE(below_a_missing_root_all_facts_are_unknown),
		IN_TREE(paranoid_may_be_negative),
		IN_TREE(paranoid_may_be_above_2),
		IN_TREE(paranoid_must_be_a_number),
		IN_TREE(a_kernel_without_the_file_has_no_perf_events),
		IN_TREE(capabilities_are_those_of_the_thread),
		IN_TREE(limits_set_by_the_parent_are_read),
		IN_TREE(system_calls_replace_a_missing_proc),
		IN_TREE(this_process_is_known_on_a_machine_without_a_proc),
		IN_TREE(a_user_namespace_is_detected_by_its_map),
		IN_TREE(old_kernels_have_no_cap_perfmon),
		IN_TREE(limits_are_read),
		IN_TREE(a_core_pmu_is_detected_by_its_name_or_its_cpus),
		IN_TREE(a_pmu_has_a_type_and_known_bits),
		IN_TREE(a_pmu_is_searched_in_its_directory_only),
		IN_TREE(only_regular_files_are_read),
		IN_TREE(what_is_not_a_regular_file_has_no_text),
		IN_TREE(files_of_proc_are_read_whole_or_not_at_all),
		IN_TREE(the_control_domain_of_xen_is_not_a_guest),
	};
	struct CMUnitTest tests[COUNT(in_tree) + COUNT(vm_cases)];
	size_t n = 0;

	for (size_t i = 0; i < COUNT(in_tree); i++)
		tests[n++] = in_tree[i];
	n += ADD_ROWS(tests + n, test_vm, vm_cases, name);
	return _cmocka_run_group_tests("open_host", tests, n, NULL, NULL);
}
