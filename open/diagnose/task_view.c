/* SPDX-License-Identifier: MIT */
/* What /proc tells of a task that is to be counted, and of the descriptors of this process. */
#include "core/num.h"
#include "open/diagnose/host_view.h"
#include "open/small_file.h"
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>

#define YAMA "proc/sys/kernel/yama/ptrace_scope"

/* A status file is one to two KiB. */
#define SCRATCH_BYTES_MAX ((size_t)1 << 20)

/* The real, effective and saved user; false when the file does not tell them. */
static bool read_users(struct pmuq_str status, uint32_t ret[3])
{
	struct pmuq_str rest = pq_small_file_line(status, STR("Uid")), column;
	uint64_t number;

	for (size_t i = 0; i < 3; i++) {
		str_cut(rest, '\t', &column, &rest);
		if (pq_num_decimal(column, &number) != PQ_NUM_OK || number > UINT32_MAX)
			return false;
		ret[i] = (uint32_t)number;
	}
	return true;
}

static bool has_state(struct pmuq_str status, char letter)
{
	struct pmuq_str state = pq_small_file_line(status, STR("State"));

	return state.n && state.p[0] == letter;
}

static void read_task_in(int root_fd, struct pq_arena *arena, int pid, struct pq_task_view *ret)
{
	char path[48];
	uint32_t own[3], its[3];
	struct pmuq_str status, mine;
	struct stat entry;
	uint64_t scope;

	snprintf(path, sizeof(path), "proc/%d/status", pid);
	status = pq_small_file_read(root_fd, arena, path);
	mine = pq_small_file_status(root_fd, arena);
	ret->is_gone = !status.p && mine.p;
	ret->is_dead = has_state(status, 'Z') || has_state(status, 'X');
	ret->has_yama = pq_small_file_number(root_fd, arena, YAMA, &scope) && scope > 0;
	if (!read_users(status, its) || !read_users(mine, own))
		return;
	ret->user = its[1];
	for (size_t i = 0; i < 3; i++)
		ret->is_foreign = ret->is_foreign || its[i] != own[0];
	/* What is in the directory of a task that may not be dumped belongs to root; the directory
	 * itself does not. */
	ret->is_protected = fstatat(root_fd, path, &entry, 0) == 0 && entry.st_uid != its[1];
}

void pq_task_view_read(const void *self, int pid, struct pq_task_view *ret)
{
	auto_close int root_fd = open(self, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct pq_arena arena;

	*ret = (struct pq_task_view){ 0 };
	if (root_fd < 0)
		return;
	pq_arena_init(&arena, NULL, 0, SCRATCH_BYTES_MAX);
	read_task_in(root_fd, &arena, pid, ret);
	pq_arena_clear(&arena);
}

static uint64_t limit_of(rlim_t limit)
{
	return limit == RLIM_INFINITY ? UINT64_MAX : limit;
}

/* The descriptor that lists them is not counted. */
static uint64_t count_open(const char *root)
{
	auto_close int root_fd = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int fd = root_fd < 0 ? -1
			     : openat(root_fd, "proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	uint64_t n = 0;

	if (!dir) {
		if (fd >= 0)
			close(fd);
		return 0;
	}
	while ((entry = readdir(dir)))
		n += entry->d_name[0] != '.';
	closedir(dir);
	return n > 2 ? n - 2 : 0;
}

void pq_files_view_read(const void *self, struct pq_files_view *ret)
{
	struct rlimit files = { .rlim_cur = RLIM_INFINITY, .rlim_max = RLIM_INFINITY };

	getrlimit(RLIMIT_NOFILE, &files);
	ret->limit = limit_of(files.rlim_cur);
	ret->hard_limit = limit_of(files.rlim_max);
	ret->n_open = count_open(self);
}
