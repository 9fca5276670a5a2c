/* SPDX-License-Identifier: MIT */
/*
 * openat2(2) resolves a path within a directory in one call. If the kernel (before 5.6) or a
 * sandbox does not have it, the path is walked part by part, and symbolic links are not followed.
 */
#include "discover/files/files.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>

/* The kernel fails with EAGAIN if a file in the tree is renamed while it resolves a "..". */
#define TRIES 16

static int open_by_kernel(int dir, const char *path, int flags, enum pq_within within)
{
	struct open_how how = {
		.flags = (uint64_t)flags,
		.resolve = within == PQ_WITHIN_ROOT ? RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS
						    : RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS,
	};
	int fd = -1;

	for (int i = 0; i < TRIES; i++) {
		fd = (int)syscall(SYS_openat2, dir, path, &how, sizeof(how));
		if (fd >= 0 || errno != EAGAIN)
			break;
	}
	return fd;
}

static int enter_part(int dir, struct pmuq_str part)
{
	auto_free char *name = strndup(part.p, part.n);

	if (!name) {
		errno = ENOMEM;
		return -1;
	}
	if (strcmp(name, "..") == 0) {
		errno = EXDEV;
		return -1;
	}
	return openat(dir, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

static int open_by_steps(int dir, const char *path, int flags)
{
	auto_close int below = -1;
	struct pmuq_str part, rest = str_of(path);

	while (str_cut(rest, '/', &part, &rest)) {
		int fd;

		if (!part.n || str_eq(part, STR(".")))
			continue;
		fd = enter_part(below < 0 ? dir : below, part);
		if (fd < 0)
			return -1;
		pq_closep(&below);
		below = fd;
	}
	if (str_eq(part, STR(".."))) {
		errno = EXDEV;
		return -1;
	}
	/* The last part is NUL-terminated, because the path is. */
	return openat(below < 0 ? dir : below, part.n ? part.p : ".", flags | O_NOFOLLOW);
}

int pq_files_open_within(struct pq_root *root, int dir, const char *path, int flags,
			 enum pq_within within)
{
	if (root->is_live)
		return openat(dir, path, flags);
	if (root->has_openat2) {
		int fd = open_by_kernel(dir, path, flags, within);

		if (fd >= 0 || (errno != ENOSYS && errno != EPERM))
			return fd;
		root->has_openat2 = false;
	}
	return open_by_steps(dir, path, flags);
}
