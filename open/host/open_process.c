/* SPDX-License-Identifier: MIT */
/* What this thread may do: from /proc, or, if that is not mounted, from system calls. */
#include "core/num.h"
#include "open/host/open_host.h"
#include "open/host/small_file.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

struct pmuq_str pq_process_status(int root_fd, struct pq_arena *arena)
{
	struct pmuq_str text = pq_small_file_read(root_fd, arena, "proc/thread-self/status");

	/* Linux before 3.17 has no thread-self. */
	return text.p ? text : pq_small_file_read(root_fd, arena, "proc/self/status");
}

bool pq_process_users(struct pmuq_str status, uint32_t ret[3])
{
	struct pmuq_str rest = str_field(status, STR("Uid")), column;
	uint64_t number;

	for (size_t i = 0; i < 3; i++) {
		str_cut(rest, '\t', &column, &rest);
		if (pq_num_decimal(column, &number) != PQ_NUM_OK || number > UINT32_MAX)
			return false;
		ret[i] = (uint32_t)number;
	}
	return true;
}

static bool read_caps(struct pmuq_str status, struct pmuq_str key, uint64_t *ret)
{
	return pq_num_hex(str_field(status, key), ret) == PQ_NUM_OK;
}

static bool is_set(struct pmuq_str status, struct pmuq_str key)
{
	struct pmuq_str value = str_field(status, key);

	return value.p && !str_eq(value, STR("0"));
}

static void read_status(int root_fd, struct pmuq_str status, struct pq_arena *arena,
			struct pq_host_view *view)
{
	struct pmuq_str init = pq_small_file_read(root_fd, arena, "proc/1/status");
	uint32_t users[3];

	view->has_caps = read_caps(status, STR("CapEff"), &view->caps);
	view->has_bounding = read_caps(status, STR("CapBnd"), &view->bounding);
	view->has_seccomp = is_set(status, STR("Seccomp"));
	view->is_init_without_seccomp = str_eq(str_field(init, STR("Seccomp")), STR("0"));
	view->has_no_new_privs = is_set(status, STR("NoNewPrivs"));
	view->is_root = pq_process_users(status, users) && users[1] == 0;
}

static uint64_t query_bounding(void)
{
	uint64_t caps = 0;

	for (unsigned cap = 0; cap < 64; cap++)
		if (prctl(PR_CAPBSET_READ, (unsigned long)cap, 0ul, 0ul, 0ul) == 1)
			caps |= UINT64_C(1) << cap;
	return caps;
}

static void query_kernel(struct pq_host_view *view)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct caps[2] = { 0 };

	view->has_caps = syscall(SYS_capget, &header, caps) == 0;
	view->caps = caps[0].effective | (uint64_t)caps[1].effective << 32;
	view->has_bounding = true;
	view->bounding = query_bounding();
	view->has_seccomp = prctl(PR_GET_SECCOMP, 0ul, 0ul, 0ul, 0ul) > 0;
	view->has_no_new_privs = prctl(PR_GET_NO_NEW_PRIVS, 0ul, 0ul, 0ul, 0ul) > 0;
	view->is_root = geteuid() == 0;
}

/* The initial user namespace maps all 2^32 - 1 users onto themselves (user_namespaces(7)). */
static bool is_in_namespace(int root_fd, struct pq_arena *arena)
{
	struct pmuq_str map = pq_small_file_read(root_fd, arena, "proc/self/uid_map");

	return map.p && !str_has_word(map, ' ', STR("4294967295"));
}

void pq_process_view_read(int root_fd, bool is_live, struct pq_arena *arena,
			  struct pq_host_view *view)
{
	struct pmuq_str status = pq_process_status(root_fd, arena);
	uint64_t last_cap;

	if (status.p)
		read_status(root_fd, status, arena, view);
	else if (is_live)
		query_kernel(view);
	view->is_in_namespace = is_in_namespace(root_fd, arena);
	if (pq_small_file_number(root_fd, arena, "proc/sys/kernel/cap_last_cap", &last_cap))
		view->is_without_cap_perfmon = last_cap < PQ_CAP_PERFMON;
	view->is_in_container = pq_small_file_exists(root_fd, ".dockerenv") ||
				pq_small_file_exists(root_fd, "run/.containerenv");
}

static uint64_t from_kernel(rlim_t limit)
{
	return limit == RLIM_INFINITY ? UINT64_MAX : limit;
}

void pq_process_limits_read(struct pq_files_view *ret)
{
	struct rlimit files = { .rlim_cur = RLIM_INFINITY, .rlim_max = RLIM_INFINITY };

	getrlimit(RLIMIT_NOFILE, &files);
	*ret = (struct pq_files_view){
		.limit = from_kernel(files.rlim_cur),
		.hard_limit = from_kernel(files.rlim_max),
	};
}

void pq_process_files_read(const struct pq_host *host, struct pq_files_view *ret)
{
	auto_close int root_fd = pq_small_dir_open(AT_FDCWD, host->root);
	struct pq_arena arena = { 0 };
	cleanup(pq_small_dir_closep) DIR *dir =
		root_fd < 0 ? NULL : pq_small_dir_list(root_fd, &arena, "proc/self/fd");

	pq_process_limits_read(ret);
	ret->has_no_memory = arena.is_refused;
	errno = 0;
	while (pq_small_dir_next(dir))
		ret->n_open++;
	/* The root and the list itself are open only meanwhile. */
	ret->n_open = dir && errno == 0 && ret->n_open >= 2 ? ret->n_open - 2 : UINT64_MAX;
}
