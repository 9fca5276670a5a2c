/* SPDX-License-Identifier: MIT */
/*
 * Opens and reads files and directories of a file system; no path leads out of a captured tree.
 * files_list.c lists directories.
 */
#include "discover/files/files.h"
#include "core/io.h"
#include "core/within.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

/* O_NONBLOCK: a FIFO may have replaced a file since it was listed. */
#define FILE_FLAGS (O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
#define DIR_FLAGS (O_RDONLY | O_CLOEXEC | O_DIRECTORY)

/* With the flags below, openat2(2) returns EXDEV for a path that leaves the tree, and ELOOP for a
 * link that must not be followed. ENXIO is also what this file sets for a FIFO, device or socket.
 */
int pq_files_fail(struct pq_root *root, int errnum)
{
	root->errnum = errnum;
	switch (errnum) {
	case ENOENT:
	case ENOTDIR:
	case ENAMETOOLONG:
		return PQ_NONE;
	case ELOOP:
	case EXDEV:
	case EISDIR:
	case ENXIO:
		return -PMUQ_E_REFUSED_FILE;
	case ENOMEM:
	case EMFILE:
	case ENFILE:
		return pq_root_resource_error(root, errnum);
	default:
		return -PMUQ_E_UNREADABLE;
	}
}

static int opened(struct pq_root *root, int fd, int *ret_fd)
{
	if (fd < 0)
		return pq_files_fail(root, errno);
	*root->opens += 1;
	*ret_fd = fd;
	return 0;
}

static int open_within(struct pq_root *root, int dir, const char *path, int flags,
		       enum pq_within within)
{
	if (root->is_live)
		return openat(dir, path, flags);
	return pq_open_within(dir, path, flags,
			      within == PQ_WITHIN_ROOT ? RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS
						       : RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS,
			      &root->has_openat2);
}

int pq_files_enter(struct pq_root *root, int dir, const char *path, enum pq_within within,
		   int *ret_fd)
{
	int flags = within == PQ_WITHIN_ROOT ? DIR_FLAGS : DIR_FLAGS | O_NOFOLLOW;

	/* A name needs no check of its parts. */
	if (within == PQ_WITHIN_NO_LINKS && !strchr(path, '/'))
		return opened(root, openat(dir, path, flags), ret_fd);
	return opened(root, open_within(root, dir, path, flags, within), ret_fd);
}

static bool reserve(struct pq_root *root, size_t bytes)
{
	char *buf;

	if (bytes <= root->capacity)
		return true;
	buf = realloc(root->buf, bytes);
	if (!buf)
		return false;
	root->buf = buf;
	root->capacity = bytes;
	return true;
}

/* A short read is the end of a file of sysfs, which so takes one read. A file that is named by its
 * path may be of procfs or tracefs, which return a page at a time, up to nothing. */
static int read_all(struct pq_root *root, int fd, enum pq_known_path known, size_t max_bytes,
		    struct pmuq_str *ret)
{
	bool ends_short = known != PQ_PATH_ANY;
	size_t n = 0, want = PQ_FILE_MAX_BYTES + 1;

	while (n <= max_bytes) {
		ssize_t got;

		if (!reserve(root, n + want))
			return pq_files_fail(root, ENOMEM);
		got = pq_read(fd, root->buf + n, want);
		if (got < 0)
			return pq_files_fail(root, errno);
		n += (size_t)got;
		if ((size_t)got == want || (got > 0 && !ends_short))
			continue;
		*ret = (struct pmuq_str){ .p = root->buf, .n = n };
		if (n <= max_bytes)
			return 0;
	}
	root->errnum = 0;
	return -PMUQ_E_TOO_LARGE_FILE;
}

static int read_once(struct pq_root *root, int fd, struct pmuq_str *ret)
{
	ssize_t n = pq_read(fd, root->buf, root->capacity);

	if (n < 0)
		return pq_files_fail(root, errno);
	*ret = (struct pmuq_str){ .p = root->buf, .n = (size_t)n };
	return 0;
}

/* Opening a device can have side effects, and a captured tree may have one under any name: stat
 * first. */
static int open_file(struct pq_root *root, int dir, const char *path, enum pq_within within,
		     int *ret_fd)
{
	int no_link = within == PQ_WITHIN_ROOT ? 0 : O_NOFOLLOW;
	auto_close int seen = -1;
	struct stat st;

	if (root->is_live)
		return opened(root, openat(dir, path, FILE_FLAGS | no_link), ret_fd);
	seen = open_within(root, dir, path, O_PATH | O_CLOEXEC | no_link, within);
	if (seen < 0 || fstat(seen, &st) < 0)
		return pq_files_fail(root, errno);
	if (!S_ISREG(st.st_mode))
		return pq_files_fail(root, S_ISLNK(st.st_mode) ? ELOOP : ENXIO);
	return opened(root, open_within(root, dir, path, FILE_FLAGS | no_link, within), ret_fd);
}

/* Here fstatat(2) does that, and costs less than O_PATH and fstat(2): machines have many PMUs. The
 * open does not follow links either, in case a part of the path was replaced. */
static int open_in_dir(struct pq_root *root, int dir, const char *path, int *ret_fd)
{
	struct stat st;

	if (!root->is_live) {
		if (fstatat(dir, path, &st, AT_SYMLINK_NOFOLLOW) < 0)
			return pq_files_fail(root, errno);
		if (!S_ISREG(st.st_mode))
			return pq_files_fail(root, S_ISLNK(st.st_mode) ? ELOOP : ENXIO);
	}
	return opened(root,
		      open_within(root, dir, path, FILE_FLAGS | O_NOFOLLOW, PQ_WITHIN_NO_LINKS),
		      ret_fd);
}

static int open_at(struct pq_root *root, int dir, const char *path, enum pq_known_path known,
		   int *ret_fd)
{
	switch (known) {
	case PQ_PATH_LISTED:
		return opened(root, openat(dir, path, FILE_FLAGS | O_NOFOLLOW), ret_fd);
	case PQ_PATH_IN_DIR:
		return open_in_dir(root, dir, path, ret_fd);
	case PQ_PATH_BELOW:
		return open_file(root, dir, path, PQ_WITHIN_NO_LINKS, ret_fd);
	case PQ_PATH_ANY:
		break;
	}
	return open_file(root, dir, path, PQ_WITHIN_ROOT, ret_fd);
}

int pq_files_read(struct pq_root *root, int dir, const char *path, enum pq_known_path known,
		  size_t max_bytes, struct pmuq_str *ret)
{
	auto_close int fd = -1;
	int r = open_at(root, dir, path, known, &fd);

	if (r != 0)
		return r;
	return max_bytes ? read_all(root, fd, known, max_bytes, ret) : read_once(root, fd, ret);
}
