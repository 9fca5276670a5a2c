/* SPDX-License-Identifier: MIT */
/*
 * What /proc shows of the task that is to be counted. The kernel lets a process count another only
 * if it may ptrace it: ptrace(2), "Ptrace access mode checking".
 */
#include "open/host/open_host.h"
#include "open/host/small_file.h"
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

#define YAMA "proc/sys/kernel/yama/ptrace_scope"

/* A status file has one to two KiB. */
#define SCRATCH_BYTES_MAX ((size_t)1 << 20)

static bool has_state(struct pmuq_str status, char letter)
{
	struct pmuq_str state = str_field(status, STR("State"));

	return state.n && state.p[0] == letter;
}

static void read_in(int root_fd, struct pq_arena *arena, int pid, struct pq_task_view *ret)
{
	char path[48];
	uint32_t own[3], others[3];
	struct pmuq_str status, own_status;
	struct stat entry;
	uint64_t scope;

	snprintf(path, sizeof(path), "proc/%d/status", pid);
	status = pq_small_file_read(root_fd, arena, path);
	own_status = pq_process_status(root_fd, arena);
	ret->is_gone = !status.p && own_status.p;
	ret->is_dead = has_state(status, 'Z') || has_state(status, 'X');
	ret->has_yama = pq_small_file_number(root_fd, arena, YAMA, &scope) && scope > 0;
	if (!pq_process_users(status, others) || !pq_process_users(own_status, own))
		return;
	ret->user = others[1];
	for (size_t i = 0; i < COUNT(others); i++)
		ret->is_foreign = ret->is_foreign || others[i] != own[0];
	/* Root owns the files in the directory of a task that is not dumpable, but not the
	 * directory itself (proc(5)). */
	ret->is_protected = fstatat(root_fd, path, &entry, 0) == 0 && entry.st_uid != others[1];
}

void pq_task_view_read(const struct pq_host *host, int pid, struct pq_task_view *ret)
{
	auto_close int root_fd = pq_small_dir_open(AT_FDCWD, host->root);
	auto_arena struct pq_arena arena = PQ_ARENA(SCRATCH_BYTES_MAX);

	*ret = (struct pq_task_view){ 0 };
	if (root_fd < 0)
		return;
	read_in(root_fd, &arena, pid, ret);
	ret->has_no_memory = arena.is_refused;
}
