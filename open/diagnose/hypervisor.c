/* SPDX-License-Identifier: MIT */
/*
 * Evidence from files only. A maker's name in the firmware (DMI) may stand on bare metal too, where
 * a cloud rents it out: such a row names, and does not prove.
 */
#include "open/diagnose/hypervisor.h"
#include "open/small_file.h"

struct evidence {
	const char *path;
	struct pmuq_str holds; /* what the file's text must contain */
	const char *name;
	bool is_proof;
};

#define DMI "sys/class/dmi/id/"
#define CLOCK "sys/devices/system/clocksource/clocksource0/available_clocksource"

/* The first row that holds gives the name, so the more exact ones come first. */
// clang-format off
static const struct evidence evidences[] = {
	{ DMI "sys_vendor",   STR("QEMU"),                  "KVM/QEMU",              true  },
	{ DMI "sys_vendor",   STR("VMware"),                "VMware",                true  },
	{ DMI "sys_vendor",   STR("innotek"),               "VirtualBox",            true  },
	{ DMI "product_name", STR("VirtualBox"),            "VirtualBox",            true  },
	{ DMI "product_name", STR("Virtual Machine"),       "Hyper-V",               true  },
	{ DMI "product_name", STR("HVM domU"),              "Xen",                   true  },
	{ DMI "sys_vendor",   STR("Parallels"),             "Parallels",             true  },
	{ DMI "sys_vendor",   STR("BHYVE"),                 "bhyve",                 true  },
	{ DMI "product_name", STR("BHYVE"),                 "bhyve",                 true  },
	{ DMI "product_name", STR("KVM"),                   "KVM",                   true  },
	{ DMI "product_name", STR("Apple Virtualization"),  "Apple Virtualization",  true  },
	{ DMI "sys_vendor",   STR("Amazon EC2"),            "Amazon EC2",            false },
	{ DMI "product_name", STR("Google Compute Engine"), "Google Compute Engine", false },
	{ DMI "sys_vendor",   STR("Alibaba Cloud"),         "Alibaba Cloud",         false },
	{ "sys/hypervisor/type",                      STR("xen"), "Xen",             false },
	{ "proc/device-tree/hypervisor/compatible",   STR("kvm"), "KVM",             true  },
	{ "proc/device-tree/hypervisor/compatible",   STR("xen"), "Xen",             true  },
	{ "proc/device-tree/compatible", STR("linux,dummy-virt"), "KVM/QEMU",        true  },
	{ "proc/sysinfo",                             STR("KVM"), "KVM on IBM Z",    true  },
	{ "proc/sysinfo",                            STR("z/VM"), "z/VM",            true  },
	{ CLOCK,                                STR("kvm-clock"), "KVM",             true  },
	{ CLOCK,                       STR("hyperv_clocksource"), "Hyper-V",         true  },
};

static const struct {
	const char *name, *remedy;
} remedies[] = {
	{ "KVM",         "have the hypervisor give the guest a virtual PMU (QEMU: -cpu host,pmu=on)" },
	{ "KVM on IBM Z",
	  "count on the host: KVM gives no guest of this architecture a core PMU" },
	{ "KVM/QEMU",    "start the guest with a virtual PMU: -cpu host,pmu=on" },
	{ "VMware",      "let the guest use CPU performance counters (vpmc.enable = \"TRUE\")" },
	{ "Hyper-V",     "give the guest a PMU: Set-VMProcessor -Perfmon @(\"pmu\")" },
	{ "Xen",         "boot the hypervisor with vpmu=1" },
	{ "Amazon EC2",  "use a .metal instance, or one that fills a socket" },
	{ "VirtualBox",  "use another hypervisor: this one gives its guests no PMU" },
};
// clang-format on

static bool contains(struct pmuq_str text, struct pmuq_str part)
{
	for (size_t i = 0; i + part.n <= text.n; i++)
		if (memcmp(text.p + i, part.p, part.n) == 0)
			return true;
	return false;
}

/* x86 tells in the CPU's flags; the firmware of others is asked. */
static bool cpu_says_vm(int root_fd, struct pq_arena *arena)
{
	struct pmuq_str text = pq_small_file_read(root_fd, arena, "proc/cpuinfo");
	struct pmuq_str flags = pq_small_file_line(text, STR("flags")), flag;
	bool more;

	do {
		more = str_cut(flags, ' ', &flag, &flags);
		if (str_eq(flag, STR("hypervisor")))
			return true;
	} while (more);
	return false;
}

/* Xen's own first domain drives the hardware. */
static bool is_xen_control_domain(int root_fd, struct pq_arena *arena)
{
	return contains(pq_small_file_read(root_fd, arena, "proc/xen/capabilities"),
			STR("control_d"));
}

static const char *find_remedy(const char *hypervisor)
{
	for (size_t i = 0; hypervisor && i < COUNT(remedies); i++)
		if (strcmp(remedies[i].name, hypervisor) == 0)
			return remedies[i].remedy;
	return NULL;
}

void pq_hypervisor_find(int root_fd, struct pq_arena *arena, struct pq_host_view *view)
{
	const struct evidence *found = NULL, *row;

	for (size_t i = 0; i < COUNT(evidences) && !found; i++) {
		row = &evidences[i];
		if (contains(pq_small_file_read(root_fd, arena, row->path), row->holds))
			found = row;
	}
	view->is_vm = (found && found->is_proof) || cpu_says_vm(root_fd, arena) ||
		      (found && str_eq(str_of(found->path), STR("sys/hypervisor/type")) &&
		       !is_xen_control_domain(root_fd, arena));
	if (!view->is_vm)
		return;
	view->hypervisor = found ? found->name : NULL;
	view->vpmu_remedy = find_remedy(view->hypervisor);
}
