/* SPDX-License-Identifier: MIT */
/* Opens and reads; files_list.c lists directories, files_within.c keeps paths inside a captured
 * tree. */
#include "discover/files/files.h"
#include "discover/files/files_within.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

/* A FIFO that stands where a file was listed a moment ago must not keep us waiting. */
#define FILE_FLAGS (O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
#define DIR_FLAGS (O_RDONLY | O_CLOEXEC | O_DIRECTORY)

/* What an errno says about a file of a machine. */
int pq_files_judge(struct pq_root *root, int errnum)
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
		return pq_root_lack(root, errnum);
	default:
		return -PMUQ_E_UNREADABLE;
	}
}

static int opened(struct pq_root *root, int fd, int *ret_fd)
{
	if (fd < 0)
		return pq_files_judge(root, errno);
	*root->opens += 1;
	*ret_fd = fd;
	return 0;
}

int pq_files_enter(struct pq_root *root, int dir, const char *path, int *ret_fd)
{
	return opened(root, pq_open_within(root, dir, path, DIR_FLAGS, PQ_WITHIN_ROOT), ret_fd);
}

int pq_files_enter_at(struct pq_root *root, int dir, const char *name, bool follow, int *ret_fd)
{
	int no_link = follow && root->is_live ? 0 : O_NOFOLLOW;

	return opened(root, openat(dir, name, DIR_FLAGS | no_link), ret_fd);
}

static bool make_room(struct pq_root *root, size_t bytes)
{
	char *buf;

	if (bytes <= root->room)
		return true;
	buf = realloc(root->buf, bytes);
	if (!buf)
		return false;
	root->buf = buf;
	root->room = bytes;
	return true;
}

static ssize_t read_some(struct pq_root *root, int fd, size_t from, size_t bytes)
{
	ssize_t n;

	do
		n = read(fd, root->buf + from, bytes);
	while (n < 0 && errno == EINTR);
	return n;
}

/* A read of a regular file that falls short has met its end: sysfs files are one read each. */
static int read_all(struct pq_root *root, int fd, size_t max_bytes, struct pmuq_str *ret)
{
	size_t n = 0, want = PQ_FILE_MAX_BYTES + 1;

	while (n <= max_bytes) {
		ssize_t got;

		if (!make_room(root, n + want))
			return pq_files_judge(root, ENOMEM);
		got = read_some(root, fd, n, want);
		if (got < 0)
			return pq_files_judge(root, errno);
		n += (size_t)got;
		if ((size_t)got == want)
			continue;
		*ret = (struct pmuq_str){ .p = root->buf, .n = n };
		if (n <= max_bytes)
			return 0;
	}
	root->errnum = 0;
	return -PMUQ_E_TOO_LARGE_FILE;
}

/* In a captured tree anything may stand under any name: look before opening, since to open a device
 * can be an act. */
static int open_file(struct pq_root *root, int dir, const char *path, enum pq_within within,
		     int *ret_fd)
{
	int no_link = within == PQ_WITHIN_ROOT ? 0 : O_NOFOLLOW;
	auto_close int seen = -1;
	struct stat st;

	if (root->is_live)
		return opened(root, openat(dir, path, FILE_FLAGS | no_link), ret_fd);
	seen = pq_open_within(root, dir, path, O_PATH | O_CLOEXEC | no_link, within);
	if (seen < 0 || fstat(seen, &st) < 0)
		return pq_files_judge(root, errno);
	if (!S_ISREG(st.st_mode))
		return pq_files_judge(root, S_ISLNK(st.st_mode) ? ELOOP : ENXIO);
	return opened(root, pq_open_within(root, dir, path, FILE_FLAGS | no_link, within), ret_fd);
}

int pq_files_read(struct pq_root *root, int dir, const char *path, enum pq_within within,
		  size_t max_bytes, struct pmuq_str *ret)
{
	auto_close int fd = -1;
	int r = open_file(root, dir, path, within, &fd);

	return r == 0 ? read_all(root, fd, max_bytes, ret) : r;
}

int pq_files_read_head(struct pq_root *root, int dir, const char *path, struct pmuq_str *ret)
{
	auto_close int fd = -1;
	int r = open_file(root, dir, path, PQ_WITHIN_ROOT, &fd);
	ssize_t n;

	if (r != 0)
		return r;
	n = read_some(root, fd, 0, root->room);
	if (n < 0)
		return pq_files_judge(root, errno);
	*ret = (struct pmuq_str){ .p = root->buf, .n = (size_t)n };
	return 0;
}

int pq_files_read_listed(struct pq_root *root, int dir, const char *name, struct pmuq_str *ret)
{
	auto_close int fd = -1;
	int r = opened(root, openat(dir, name, FILE_FLAGS | O_NOFOLLOW), &fd);

	return r == 0 ? read_all(root, fd, PQ_FILE_MAX_BYTES, ret) : r;
}

/* To look costs one call here, not an open and a close: that is what a machine of many PMUs feels.
 * The open itself still follows no link, should something be put in the place of a part. */
static int open_known(struct pq_root *root, int dir, const char *path, int *ret_fd)
{
	struct stat st;

	if (!root->is_live) {
		if (fstatat(dir, path, &st, AT_SYMLINK_NOFOLLOW) < 0)
			return pq_files_judge(root, errno);
		if (!S_ISREG(st.st_mode))
			return pq_files_judge(root, S_ISLNK(st.st_mode) ? ELOOP : ENXIO);
	}
	return opened(root,
		      pq_open_within(root, dir, path, FILE_FLAGS | O_NOFOLLOW, PQ_WITHIN_NO_LINKS),
		      ret_fd);
}

int pq_files_read_in(struct pq_root *root, int dir, const char *path, struct pmuq_str *ret)
{
	auto_close int fd = -1;
	int r = open_known(root, dir, path, &fd);

	return r == 0 ? read_all(root, fd, PQ_FILE_MAX_BYTES, ret) : r;
}
