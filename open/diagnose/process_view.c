/* SPDX-License-Identifier: MIT */
/*
 * What this thread may do: from /proc, and where there is none, from the system calls that tell it
 * of itself.
 */
#include "open/diagnose/process_view.h"
#include "core/num.h"
#include "open/small_file.h"
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

static bool read_caps(struct pmuq_str status, struct pmuq_str key, uint64_t *ret)
{
	return pq_num_hex(pq_small_file_line(status, key), ret) == PQ_NUM_OK;
}

static bool is_set(struct pmuq_str status, struct pmuq_str key)
{
	struct pmuq_str value = pq_small_file_line(status, key);

	return value.p && !str_eq(value, STR("0"));
}

/* "Uid:" real, effective, saved, of the file system. */
static bool is_effective_root(struct pmuq_str status)
{
	struct pmuq_str uids = pq_small_file_line(status, STR("Uid")), real, effective;

	return str_cut(uids, '\t', &real, &uids) && str_cut(uids, '\t', &effective, &uids) &&
	       str_eq(effective, STR("0"));
}

static void read_status(int root_fd, struct pmuq_str status, struct pq_arena *arena,
			struct pq_host_view *view)
{
	struct pmuq_str init = pq_small_file_read(root_fd, arena, "proc/1/status");

	view->has_caps = read_caps(status, STR("CapEff"), &view->caps);
	view->has_bounding = read_caps(status, STR("CapBnd"), &view->bounding);
	view->has_seccomp = is_set(status, STR("Seccomp"));
	view->is_init_free = str_eq(pq_small_file_line(init, STR("Seccomp")), STR("0"));
	view->has_no_new_privs = is_set(status, STR("NoNewPrivs"));
	view->is_root = is_effective_root(status);
}

static uint64_t ask_bounding(void)
{
	uint64_t caps = 0;

	for (unsigned cap = 0; cap < 64; cap++)
		if (prctl(PR_CAPBSET_READ, (unsigned long)cap, 0ul, 0ul, 0ul) == 1)
			caps |= UINT64_C(1) << cap;
	return caps;
}

static void ask_kernel(struct pq_host_view *view)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct caps[2] = { 0 };

	view->has_caps = syscall(SYS_capget, &header, caps) == 0;
	view->caps = caps[0].effective | (uint64_t)caps[1].effective << 32;
	view->has_bounding = true;
	view->bounding = ask_bounding();
	view->has_seccomp = prctl(PR_GET_SECCOMP, 0ul, 0ul, 0ul, 0ul) > 0;
	view->has_no_new_privs = prctl(PR_GET_NO_NEW_PRIVS, 0ul, 0ul, 0ul, 0ul) > 0;
	view->is_root = geteuid() == 0;
}

/* The first user namespace maps all of 32 bits onto itself. */
static bool is_in_namespace(int root_fd, struct pq_arena *arena)
{
	struct pmuq_str map = pq_small_file_read(root_fd, arena, "proc/self/uid_map"), column;

	if (!map.p)
		return false;
	while (str_cut(map, ' ', &column, &map))
		;
	return !str_eq(column, STR("4294967295"));
}

void pq_process_view_read(int root_fd, bool is_live, struct pq_arena *arena,
			  struct pq_host_view *view)
{
	struct pmuq_str status = pq_small_file_status(root_fd, arena);
	uint64_t last_cap;

	if (status.p)
		read_status(root_fd, status, arena, view);
	else if (is_live)
		ask_kernel(view);
	view->is_in_namespace = is_in_namespace(root_fd, arena);
	if (pq_small_file_number(root_fd, arena, "proc/sys/kernel/cap_last_cap", &last_cap))
		view->lacks_perfmon = last_cap < PQ_CAP_PERFMON;
	view->is_in_container = pq_small_file_exists(root_fd, ".dockerenv") ||
				pq_small_file_exists(root_fd, "run/.containerenv");
}
