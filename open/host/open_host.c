/* SPDX-License-Identifier: MIT */
/*
 * The facts about the machine: sysctls, CPUs, PMUs. open_process.c has those about this process,
 * task.c those about another task, hypervisor.c whether the machine is virtual.
 */
#include "open/host/open_host.h"
#include "core/buf.h"
#include "core/catalog/model.h"
#include "core/limits.h"
#include "core/num.h"
#include "open/host/small_file.h"
#include <fcntl.h>

#define DEVICES "sys/bus/event_source/devices"
#define SYSCTL "proc/sys/kernel/"

static void read_paranoid(int root_fd, struct pq_arena *arena, struct pq_host_view *view)
{
	struct pmuq_str text = pq_small_file_read(root_fd, arena, SYSCTL "perf_event_paranoid");
	bool is_negative = text.n && text.p[0] == '-';
	uint64_t number;

	if (!text.p) {
		view->is_without_perf =
			pq_small_file_exists(root_fd, SYSCTL "osrelease") &&
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

static bool has_file(int dir_fd, struct pq_arena *arena, const char *pmu, const char *name)
{
	struct pq_buf path = PQ_BUF_IN(arena);
	char *text;

	pq_buf_print(&path, "%s/%s", pmu, name);
	text = pq_buf_take(&path);
	return text && pq_small_file_exists(dir_fd, text);
}

static void read_pmus(int root_fd, struct pq_arena *arena, struct pq_host_view *view)
{
	cleanup(pq_small_dir_closep) DIR *dir = pq_small_dir_list(root_fd, arena, DEVICES);
	const char *name;

	view->has_pmus = dir != NULL;
	while (!view->has_core_pmu && (name = pq_small_dir_next(dir)))
		view->has_core_pmu = pq_pmu_name_is_core(str_of(name),
							 has_file(dirfd(dir), arena, name, "cpus"));
}

static void read_view(const struct pq_host *host, struct pq_arena *arena, struct pq_host_view *ret)
{
	auto_close int root_fd = pq_small_dir_open(AT_FDCWD, host->root);
	struct pq_files_view files;

	*ret = (struct pq_host_view){ .cpus_online = STR("") };
	pq_process_limits_read(&files);
	ret->max_files = files.limit;
	if (root_fd < 0)
		return;
	read_paranoid(root_fd, arena, ret);
	pq_process_view_read(root_fd, strcmp(host->root, "/") == 0, arena, ret);
	read_limits(root_fd, arena, ret);
	read_pmus(root_fd, arena, ret);
	pq_hypervisor_find(root_fd, arena, ret);
}

/* A format that pmuq does not understand may use any bit. */
static void add_format(struct pmuq_str text, struct pq_pmu_view *view)
{
	const char *problem = NULL;
	struct pmuq_bits bits = pq_bits_parse(text, &problem);

	if (problem)
		memset(view->known, 0xff, sizeof(view->known));
	else
		view->known[bits.word] |= bits.mask;
}

static void read_formats(int pmu_fd, struct pq_arena *arena, struct pq_pmu_view *view)
{
	cleanup(pq_small_dir_closep) DIR *dir = pq_small_dir_list(pmu_fd, arena, "format");
	const char *name;

	while ((name = pq_small_dir_next(dir))) {
		view->has_formats = true;
		add_format(pq_small_file_read(dirfd(dir), arena, name), view);
	}
}

static int open_pmu(const char *root, struct pq_arena *arena, const char *name)
{
	auto_close int root_fd = pq_small_dir_open(AT_FDCWD, root);
	struct pq_buf path = PQ_BUF_IN(arena);
	char *text;

	if (!*name || *name == '.' || strchr(name, '/'))
		return -1;
	pq_buf_print(&path, "%s/%s", DEVICES, name);
	text = pq_buf_take(&path);
	return text ? pq_small_dir_open(root_fd, text) : -1;
}

static void read_pmu(const struct pq_host *host, const char *name, struct pq_pmu_view *ret)
{
	auto_arena struct pq_arena arena = PQ_ARENA(PQ_OPEN_HOST_MAX_BYTES);
	auto_close int fd = open_pmu(host->root, &arena, name);
	uint64_t type;

	*ret = (struct pq_pmu_view){ .exists = fd >= 0 };
	if (fd >= 0) {
		ret->has_type =
			pq_small_file_number(fd, &arena, "type", &type) && type <= UINT32_MAX;
		if (ret->has_type)
			ret->type = (uint32_t)type;
		read_formats(fd, &arena, ret);
	}
	ret->has_no_memory = arena.is_refused;
}

struct pq_host pq_host_at(const char *root)
{
	return (struct pq_host){
		.read_view = read_view,
		.read_pmu = read_pmu,
		.read_task = pq_task_view_read,
		.read_files = pq_process_files_read,
		.root = root,
	};
}
