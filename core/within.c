/* SPDX-License-Identifier: MIT */
/* One openat2(2), or one openat(2) for each part of the path. */
#include "core/within.h"
#include "core/str.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>

/* The kernel fails with EAGAIN if a file in the tree is renamed while it resolves a "..". */
#define TRIES 16

static int open_by_kernel(int dir, const char *path, int flags, uint64_t resolve)
{
	const struct open_how how = { .flags = (uint64_t)flags, .resolve = resolve };
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

int pq_open_within(int dir, const char *path, int flags, uint64_t resolve, bool *has_openat2)
{
	int fd;

	if (*has_openat2) {
		fd = open_by_kernel(dir, path, flags, resolve);
		if (fd >= 0 || (errno != ENOSYS && errno != EPERM))
			return fd;
		*has_openat2 = false;
	}
	return open_by_steps(dir, path, flags);
}
