/* SPDX-License-Identifier: MIT */
/*
 * Signs of a hypervisor in files. A vendor's name in the firmware (DMI) does not prove one: a cloud
 * also rents out bare metal under its name. Such a sign only names the hypervisor.
 */
#include "open/host/open_host.h"
#include "open/host/small_file.h"

enum hypervisor {
	ALIBABA,
	AMAZON,
	APPLE,
	BHYVE,
	GOOGLE,
	HYPER_V,
	KVM,
	KVM_QEMU,
	KVM_Z,
	PARALLELS,
	VIRTUALBOX,
	VMWARE,
	XEN,
	Z_VM,
};

struct hypervisor_sign {
	const char *path;
	struct pmuq_str contains;
	enum hypervisor hypervisor;
	bool is_proof;
};

#define VENDOR "sys/class/dmi/id/sys_vendor"
#define PRODUCT "sys/class/dmi/id/product_name"
#define CLOCK "sys/devices/system/clocksource/clocksource0/available_clocksource"
#define XEN_TYPE "sys/hypervisor/type"

// clang-format off
/* How to give a guest a virtual PMU; NULL: not known. */
static const struct {
	const char *name, *remedy;
} hypervisors[] = {
	[ALIBABA]    = { "Alibaba Cloud", NULL },
	[AMAZON]     = { "Amazon EC2", "use a .metal instance, or one that fills a socket" },
	[APPLE]      = { "Apple Virtualization", NULL },
	[BHYVE]      = { "bhyve", NULL },
	[GOOGLE]     = { "Google Compute Engine", NULL },
	[HYPER_V]    = { "Hyper-V", "give the guest a PMU: Set-VMProcessor -Perfmon @(\"pmu\")" },
	[KVM]        = { "KVM", "give the guest a virtual PMU on the hypervisor (QEMU: -cpu host,pmu=on)" },
	[KVM_QEMU]   = { "KVM/QEMU", "start the guest with a virtual PMU: -cpu host,pmu=on" },
	[KVM_Z]      = { "KVM on IBM Z", "count on the host: KVM gives no guest of this architecture a core PMU" },
	[PARALLELS]  = { "Parallels", NULL },
	[VIRTUALBOX] = { "VirtualBox", "use another hypervisor: this one gives its guests no PMU" },
	[VMWARE]     = { "VMware", "let the guest use CPU performance counters (vpmc.enable = \"TRUE\")" },
	[XEN]        = { "Xen", "boot the hypervisor with vpmu=1" },
	[Z_VM]       = { "z/VM", NULL },
};

/* The first sign that is found names the hypervisor, so the more exact ones come first. */
static const struct hypervisor_sign signs[] = {
	{ .path = VENDOR,   .contains = STR("QEMU"),                  .hypervisor = KVM_QEMU,   .is_proof = true },
	{ .path = VENDOR,   .contains = STR("VMware"),                .hypervisor = VMWARE,     .is_proof = true },
	{ .path = VENDOR,   .contains = STR("innotek"),               .hypervisor = VIRTUALBOX, .is_proof = true },
	{ .path = PRODUCT,  .contains = STR("VirtualBox"),            .hypervisor = VIRTUALBOX, .is_proof = true },
	{ .path = PRODUCT,  .contains = STR("Virtual Machine"),       .hypervisor = HYPER_V,    .is_proof = true },
	{ .path = PRODUCT,  .contains = STR("HVM domU"),              .hypervisor = XEN,        .is_proof = true },
	{ .path = VENDOR,   .contains = STR("Parallels"),             .hypervisor = PARALLELS,  .is_proof = true },
	{ .path = VENDOR,   .contains = STR("BHYVE"),                 .hypervisor = BHYVE,      .is_proof = true },
	{ .path = PRODUCT,  .contains = STR("BHYVE"),                 .hypervisor = BHYVE,      .is_proof = true },
	{ .path = PRODUCT,  .contains = STR("KVM"),                   .hypervisor = KVM,        .is_proof = true },
	{ .path = PRODUCT,  .contains = STR("Apple Virtualization"),  .hypervisor = APPLE,      .is_proof = true },
	{ .path = VENDOR,   .contains = STR("Amazon EC2"),            .hypervisor = AMAZON },
	{ .path = PRODUCT,  .contains = STR("Google Compute Engine"), .hypervisor = GOOGLE },
	{ .path = VENDOR,   .contains = STR("Alibaba Cloud"),         .hypervisor = ALIBABA },
	{ .path = XEN_TYPE, .contains = STR("xen"),                   .hypervisor = XEN },
	{ .path = "proc/device-tree/hypervisor/compatible", .contains = STR("kvm"), .hypervisor = KVM, .is_proof = true },
	{ .path = "proc/device-tree/hypervisor/compatible", .contains = STR("xen"), .hypervisor = XEN, .is_proof = true },
	{ .path = "proc/device-tree/compatible", .contains = STR("linux,dummy-virt"), .hypervisor = KVM_QEMU, .is_proof = true },
	{ .path = "proc/sysinfo", .contains = STR("KVM"),             .hypervisor = KVM_Z,      .is_proof = true },
	{ .path = "proc/sysinfo", .contains = STR("z/VM"),            .hypervisor = Z_VM,       .is_proof = true },
	{ .path = CLOCK,    .contains = STR("kvm-clock"),             .hypervisor = KVM,        .is_proof = true },
	{ .path = CLOCK,    .contains = STR("hyperv_clocksource"),    .hypervisor = HYPER_V,    .is_proof = true },
};
// clang-format on

static bool contains(struct pmuq_str text, struct pmuq_str part)
{
	return text.n && memmem(text.p, text.n, part.p, part.n);
}

/* x86 CPUs have a flag for guests; other architectures have signs in the firmware. */
static bool has_cpu_flag(int root_fd, struct pq_arena *arena)
{
	struct pmuq_str text = pq_small_file_read(root_fd, arena, "proc/cpuinfo");

	return str_has_word(str_field(text, STR("flags")), ' ', STR("hypervisor"));
}

/* Xen's control domain drives the hardware: it is not a guest. */
static bool is_xen_guest(int root_fd, struct pq_arena *arena, const struct hypervisor_sign *sign)
{
	return strcmp(sign->path, XEN_TYPE) == 0 &&
	       !contains(pq_small_file_read(root_fd, arena, "proc/xen/capabilities"),
			 STR("control_d"));
}

void pq_hypervisor_find(int root_fd, struct pq_arena *arena, struct pq_host_view *view)
{
	const struct hypervisor_sign *found = NULL;

	for (size_t i = 0; i < COUNT(signs) && !found; i++)
		if (contains(pq_small_file_read(root_fd, arena, signs[i].path), signs[i].contains))
			found = &signs[i];
	view->is_vm = (found && (found->is_proof || is_xen_guest(root_fd, arena, found))) ||
		      has_cpu_flag(root_fd, arena);
	if (!view->is_vm || !found)
		return;
	view->hypervisor = hypervisors[found->hypervisor].name;
	view->vpmu_remedy = hypervisors[found->hypervisor].remedy;
}
