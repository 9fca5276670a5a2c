/* SPDX-License-Identifier: MIT */
/*
 * Finds the mount of the cgroup file system that perf events use. With cgroup v1 the controller
 * perf_event has a hierarchy of its own; otherwise it is a part of cgroup2. The kernel wants a
 * descriptor of the cgroup's directory instead of a pid: PERF_FLAG_PID_CGROUP in
 * perf_event_open(2).
 */
#include "open/host/open_host.h"
#include "open/host/small_file.h"
#include <errno.h>
#include <fcntl.h>

#define MOUNTS "proc/self/mountinfo"
#define SCRATCH_BYTES_MAX ((size_t)1 << 20) /* a line for each mount */

struct cgroup_mount {
	struct pmuq_str point, type, options;
};

/*
 * One line of mountinfo (proc(5)): "36 35 0:31 / /sys/fs/cgroup rw,relatime shared:4 - cgroup2
 * cgroup2 rw". Any number of words may come before the dash.
 */
static bool read_mount(struct pmuq_str line, struct cgroup_mount *ret)
{
	struct pmuq_str word, rest = line;

	for (unsigned i = 0; i < 5; i++)
		if (!str_cut(rest, ' ', i == 4 ? &ret->point : &word, &rest))
			return false;
	do {
		if (!str_cut(rest, ' ', &word, &rest))
			return false;
	} while (!str_eq(word, STR("-")));
	str_cut(rest, ' ', &ret->type, &rest);
	str_cut(rest, ' ', &word, &ret->options);
	return true;
}

/* A v1 hierarchy with perf_event, if there is one: then cgroup2 does not have it. */
static struct pmuq_str find_mount(struct pmuq_str mounts)
{
	struct pmuq_str line, found = { 0 };
	struct cgroup_mount mount;

	while (str_next(&mounts, '\n', &line)) {
		if (!read_mount(line, &mount))
			continue;
		if (str_eq(mount.type, STR("cgroup")) &&
		    str_has_word(mount.options, ',', STR("perf_event")))
			return mount.point;
		if (str_eq(mount.type, STR("cgroup2")) && !found.p)
			found = mount.point;
	}
	return found;
}

static int open_dir(int root_fd, struct pmuq_str dir, const char *name)
{
	struct pq_buf path = PQ_BUF_NULL;
	auto_free char *text = NULL;
	const char *relative;

	pq_buf_print(&path, "%.*s/%s", STR_ARG(dir), name);
	text = pq_buf_take(&path);
	if (!text)
		return -ENOMEM;
	relative = text + strspn(text, "/");
	return pq_small_dir_open(root_fd, *relative ? relative : ".");
}

static int open_in(int root_fd, struct pmuq_str mount, const char *name)
{
	int fd = mount.p ? open_dir(root_fd, mount, name) : -1;

	return fd < 0 && *name == '/' ? open_dir(root_fd, STR(""), name) : fd;
}

static int refuse(const char *name, struct pmuq_str mount, int errnum, struct pmuq_error **reterr)
{
	int r = pq_fail(reterr, PMUQ_E_NO_CGROUP, "there is no cgroup '%s'", name);

	pq_error_errno(reterr, errnum);
	if (mount.p)
		pq_error_hint(reterr,
			      "name a directory below %.*s, as in /proc/PID/cgroup, or a whole "
			      "path",
			      STR_ARG(mount));
	else
		pq_error_hint(reterr, "no cgroup file system for perf events is mounted: mount "
				      "cgroup2");
	return r;
}

int pq_cgroup_open(const char *root, const char *name, struct pmuq_error **reterr)
{
	auto_close int root_fd = pq_small_dir_open(AT_FDCWD, root);
	auto_arena struct pq_arena arena = PQ_ARENA(SCRATCH_BYTES_MAX);
	struct pmuq_str mount = { 0 };
	int fd = -1;

	if (root_fd >= 0) {
		mount = find_mount(pq_small_file_read(root_fd, &arena, MOUNTS));
		fd = open_in(root_fd, mount, name);
	}
	if (fd == -ENOMEM || (fd < 0 && arena.is_refused))
		return pq_fail_memory(reterr);
	return fd < 0 ? refuse(name, mount, errno, reterr) : fd;
}
