/* SPDX-License-Identifier: MIT */
#include "open/diagnose/host_view.h"
#include "core/buf.h"
#include "core/catalog/model.h"
#include "core/num.h"
#include "open/diagnose/hypervisor.h"
#include "open/diagnose/process_view.h"
#include "open/small_file.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>

#define DEVICES "sys/bus/event_source/devices"
#define SYSCTL "proc/sys/kernel/"

/* The whole of it is a few dozen small files. */
#define SCRATCH_BYTES_MAX ((size_t)4 << 20)

static int open_dir(int root_fd, const char *path)
{
	return openat(root_fd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static void close_dir(DIR **dir)
{
	if (*dir)
		closedir(*dir);
}

static DIR *read_dir(int fd)
{
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	if (!dir && fd >= 0)
		close(fd);
	return dir;
}

static void read_paranoid(int root_fd, struct pq_arena *arena, struct pq_host_view *view)
{
	struct pmuq_str text = pq_small_file_read(root_fd, arena, SYSCTL "perf_event_paranoid");
	bool is_negative = text.n && text.p[0] == '-';
	uint64_t number;

	if (!text.p) {
		view->lacks_perf = pq_small_file_exists(root_fd, SYSCTL "osrelease") &&
				   !pq_small_file_exists(root_fd, SYSCTL "perf_event_paranoid");
		return;
	}
	if (pq_num_decimal(str_part(text, is_negative, text.n), &number) != PQ_NUM_OK ||
	    number > INT32_MAX)
		return;
	view->paranoid = is_negative ? -(int)number : (int)number;
	view->has_paranoid = true;
}

static void read_limits(int root_fd, struct pq_arena *arena, struct pq_host_view *view)
{
	struct pmuq_str online =
		pq_small_file_read(root_fd, arena, "sys/devices/system/cpu/online");
	struct pmuq_str lockdown =
		pq_small_file_read(root_fd, arena, "sys/kernel/security/lockdown");
	uint64_t watchdog = 0;

	view->cpus_online = online.p ? online : STR("");
	view->is_locked_down = str_ends(lockdown, STR("[confidentiality]"));
	pq_small_file_number(root_fd, arena, SYSCTL "nmi_watchdog", &watchdog);
	view->has_nmi_watchdog = watchdog != 0;
	pq_small_file_number(root_fd, arena, SYSCTL "perf_event_max_sample_rate",
			     &view->max_sample_rate);
	pq_small_file_number(root_fd, arena, SYSCTL "perf_event_max_stack", &view->max_stack);
}

static void read_core(int root_fd, struct pq_host_view *view)
{
	cleanup(close_dir) DIR *dir = read_dir(open_dir(root_fd, DEVICES));
	auto_free char *path = NULL;
	struct dirent *entry;
	bool has_cpus;

	view->has_pmus = dir != NULL;
	while (dir && !view->has_core_pmu && (entry = readdir(dir))) {
		struct pq_buf file = PQ_BUF_NULL;

		if (entry->d_name[0] == '.')
			continue;
		pq_buf_print(&file, "%s/cpus", entry->d_name);
		free(path);
		path = pq_buf_take(&file);
		has_cpus = path && pq_small_file_exists(dirfd(dir), path);
		view->has_core_pmu = pq_pmu_name_is_core(str_of(entry->d_name), has_cpus);
	}
}

static void read_view(const void *self, struct pq_arena *arena, struct pq_host_view *ret)
{
	auto_close int root_fd = open_dir(AT_FDCWD, self);
	struct rlimit files;

	*ret = (struct pq_host_view){ .cpus_online = STR("") };
	if (getrlimit(RLIMIT_NOFILE, &files) == 0)
		ret->max_files = files.rlim_cur;
	if (root_fd < 0)
		return;
	read_paranoid(root_fd, arena, ret);
	pq_process_view_read(root_fd, strcmp(self, "/") == 0, arena, ret);
	read_limits(root_fd, arena, ret);
	read_core(root_fd, ret);
	pq_hypervisor_find(root_fd, arena, ret);
}

/* A format that cannot be understood may take any bit. */
static void add_format(struct pmuq_str text, struct pq_pmu_view *view)
{
	const char *problem = NULL;
	struct pq_bits bits = pq_bits_parse(text, &problem);

	if (problem || bits.word < 0)
		memset(view->known, 0xff, sizeof(view->known));
	else
		view->known[bits.word] |= bits.mask;
}

static void read_formats(int pmu_fd, struct pq_arena *arena, struct pq_pmu_view *view)
{
	cleanup(close_dir) DIR *dir = read_dir(open_dir(pmu_fd, "format"));
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		view->has_formats = true;
		add_format(pq_small_file_read(dirfd(dir), arena, entry->d_name), view);
	}
}

static int open_pmu(const char *root, const char *name)
{
	auto_close int root_fd = open_dir(AT_FDCWD, root);
	struct pq_buf path = PQ_BUF_NULL;
	auto_free char *text = NULL;

	if (root_fd < 0 || !*name || *name == '.' || strchr(name, '/'))
		return -1;
	pq_buf_print(&path, "%s/%s", DEVICES, name);
	text = pq_buf_take(&path);
	return text ? open_dir(root_fd, text) : -1;
}

static void read_pmu(const void *self, const char *name, struct pq_pmu_view *ret)
{
	auto_close int fd = open_pmu(self, name);
	struct pq_arena arena;
	uint64_t type;

	*ret = (struct pq_pmu_view){ .exists = fd >= 0 };
	if (fd < 0)
		return;
	pq_arena_init(&arena, NULL, 0, SCRATCH_BYTES_MAX);
	ret->has_type = pq_small_file_number(fd, &arena, "type", &type) && type <= UINT32_MAX;
	ret->type = ret->has_type ? (uint32_t)type : 0;
	ret->is_core = pq_pmu_name_is_core(str_of(name), pq_small_file_exists(fd, "cpus"));
	read_formats(fd, &arena, ret);
	pq_arena_clear(&arena);
}

struct pq_host pq_host_at(const char *root)
{
	return (struct pq_host){
		.read_view = read_view,
		.read_pmu = read_pmu,
		.read_task = pq_task_view_read,
		.read_files = pq_files_view_read,
		.self = root,
	};
}
