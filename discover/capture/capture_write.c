/* SPDX-License-Identifier: MIT */
/*
 * Writes a capture under a temporary name next to the requested one, and renames it at the end:
 * another process sees all of it or nothing.
 */
#include "core/io.h"
#include "discover/capture/capture.h"
#include "discover/tar/tar.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/random.h>
#include <sys/stat.h>

#define DIR_FLAGS (O_RDONLY | O_CLOEXEC | O_DIRECTORY | O_NOFOLLOW)

struct capture_writer {
	const struct pmuq_capture *capture;
	const char *path;
	char *temporary; /* its name; NULL if it does not exist */
	int fd;		 /* of it */
};

/* `what` is the part that failed: a file of the tree, or the target itself. */
static int fail(const struct capture_writer *writer, const char *what, int errnum,
		struct pmuq_error **reterr)
{
	int r = pq_fail(reterr, PMUQ_E_CAPTURE_FAILED, "'%s' cannot be written: %s: %s",
			writer->path, what, strerror(errnum));

	pq_error_origin(reterr, str_of(writer->path));
	pq_error_errno(reterr, errnum);
	return r;
}

static int exists(const struct capture_writer *writer, const char *what, struct pmuq_error **reterr)
{
	int r = pq_fail(reterr, PMUQ_E_CAPTURE_EXISTS, "'%s' exists, and %s", writer->path, what);

	pq_error_origin(reterr, str_of(writer->path));
	pq_error_hint(reterr, "choose a name that is not in use, or remove it");
	return r;
}

/* A directory that cannot be listed is not known to be empty. */
static bool is_empty_dir(const char *path)
{
	DIR *dir = opendir(path);
	size_t n = 0;

	if (!dir)
		return false;
	while (n <= 2 && readdir(dir))
		n++;
	closedir(dir);
	return n <= 2; /* "." and ".." */
}

/* Fails early; the rename at the end is the final check. */
static int check_target(const struct capture_writer *writer, bool is_tar,
			struct pmuq_error **reterr)
{
	struct stat st;

	if (lstat(writer->path, &st) < 0)
		return errno == ENOENT ? 0 : fail(writer, "the name", errno, reterr);
	if (is_tar || !S_ISDIR(st.st_mode))
		return exists(writer, "would be overwritten", reterr);
	errno = 0;
	if (is_empty_dir(writer->path))
		return 0;
	return errno == ENOMEM ? pq_fail_memory(reterr) : exists(writer, "is not empty", reterr);
}

/* Opens a directory, and makes it and those above it if needed. A file descriptor, or -1 with
 * errno. */
static int make_dir(int top, const struct pq_inode *dir)
{
	auto_close int above = -1;
	int fd;

	if (!dir->parent)
		return fcntl(top, F_DUPFD_CLOEXEC, 0);
	above = make_dir(top, dir->parent);
	if (above < 0)
		return -1;
	fd = openat(above, dir->name.p, DIR_FLAGS);
	if (fd >= 0 || errno != ENOENT)
		return fd;
	if (mkdirat(above, dir->name.p, 0777) < 0)
		return -1;
	return openat(above, dir->name.p, DIR_FLAGS);
}

static bool write_file(int dir, const struct pq_inode *node)
{
	auto_close int fd = openat(dir, node->name.p,
				   O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);

	return fd >= 0 && pq_write_all(fd, node->text);
}

/* The files of a directory come one after another, so it is opened once. */
static int write_tree(struct capture_writer *writer, struct pmuq_error **reterr)
{
	const struct pq_memory *memory = &writer->capture->memory;
	const struct pq_inode *in = NULL;
	auto_close int dir = -1;

	for (struct pq_inode *node = memory->top; node; node = pq_memory_next(memory->top, node)) {
		bool is_dir = node->type == PQ_FILE_DIR && node->is_known;
		const struct pq_inode *want = is_dir ? node : node->parent;

		if (node->ret || !(is_dir || node->type == PQ_FILE_REGULAR))
			continue;
		if (want != in) {
			pq_closep(&dir);
			dir = make_dir(writer->fd, want);
			in = want;
		}
		if (dir < 0 || (!is_dir && !write_file(dir, node)))
			return fail(writer, node->name.p, errno, reterr);
	}
	return 0;
}

/* Removes the files of the tree in memory, without listing: files of another process stay. */
static void remove_tree(int top, const struct pq_inode *dir)
{
	for (const struct pq_inode *node = dir->first; node; node = node->next) {
		auto_close int fd = -1;

		if (!node->first && node->type != PQ_FILE_DIR) {
			unlinkat(top, node->name.p, 0);
			continue;
		}
		fd = openat(top, node->name.p, DIR_FLAGS);
		if (fd < 0)
			continue;
		remove_tree(fd, node);
		unlinkat(top, node->name.p, AT_REMOVEDIR);
	}
}

/* After success there is no temporary name any more. */
static void end(struct capture_writer *writer)
{
	struct stat st;

	if (writer->temporary && writer->fd >= 0 && fstat(writer->fd, &st) == 0 &&
	    S_ISDIR(st.st_mode)) {
		remove_tree(writer->fd, writer->capture->memory.top);
		rmdir(writer->temporary);
	} else if (writer->temporary) {
		unlink(writer->temporary);
	}
	pq_closep(&writer->fd);
	free(writer->temporary);
}

/* With a slash at the end of the path, the temporary directory would be made inside. */
static char *temporary_name(const char *path)
{
	size_t n = strlen(path);
	char *name = NULL;
	uint32_t nonce;

	while (n > 1 && path[n - 1] == '/')
		n--;
	if (getrandom(&nonce, sizeof(nonce), GRND_NONBLOCK) < 0)
		nonce = (uint32_t)getpid();
	return asprintf(&name, "%.*s.%08" PRIx32, (int)n, path, nonce) < 0 ? NULL : name;
}

/* With the mode that the umask allows; mkostemp(3) and mkdtemp(3) use 0600. */
static int make(const char *name, bool is_tar)
{
	if (is_tar)
		return open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	return mkdir(name, 0777) < 0 ? -1 : open(name, DIR_FLAGS);
}

static int begin(struct capture_writer *writer, bool is_tar, struct pmuq_error **reterr)
{
	auto_free char *name = temporary_name(writer->path);

	if (!name)
		return pq_fail_memory(reterr);
	writer->fd = make(name, is_tar);
	if (writer->fd < 0)
		return fail(writer, "it cannot be created", errno, reterr);
	writer->temporary = move(name);
	return 0;
}

/* A file system may not support RENAME_NOREPLACE; check_target() has checked the name before. */
static int give_name(struct capture_writer *writer, bool is_tar, struct pmuq_error **reterr)
{
	unsigned flags = is_tar ? RENAME_NOREPLACE : 0;
	int r = renameat2(AT_FDCWD, writer->temporary, AT_FDCWD, writer->path, flags);

	if (r < 0 && errno == EINVAL)
		r = rename(writer->temporary, writer->path);
	if (r < 0 && (errno == EEXIST || errno == ENOTEMPTY))
		return exists(writer, "created meanwhile", reterr);
	if (r < 0)
		return fail(writer, "its name", errno, reterr);
	free(writer->temporary);
	writer->temporary = NULL;
	return 0;
}

static int unknown_compression(const char *path, struct pmuq_error **reterr)
{
	int r = pq_fail(reterr, PMUQ_E_UNKNOWN_PACKING,
			"'%s' is named like a tar with an unknown compression", path);

	pq_error_origin(reterr, str_of(path));
	pq_error_hint(reterr, "write .tar, .tar.gz, .tar.xz or .tar.zst; any other name makes "
			      "a directory");
	return r;
}

static bool is_like_a_tar(const char *path)
{
	const char *name = strrchr(path, '/'), *dot;

	dot = strstr(name ? name : path, ".tar.");
	return dot && dot[sizeof(".tar.") - 1] && !strchr(dot + 1 + sizeof("tar"), '.');
}

static int write_as(struct capture_writer *writer, bool is_tar,
		    const struct pq_tar_options *options, struct pmuq_error **reterr)
{
	int r = check_target(writer, is_tar, reterr);

	if (r == 0)
		r = begin(writer, is_tar, reterr);
	if (r < 0)
		return r;
	r = is_tar ? pq_tar_write(&writer->capture->memory, writer->fd, options, reterr)
		   : write_tree(writer, reterr);
	if (r == -PMUQ_E_CAPTURE_FAILED)
		pq_error_origin(reterr, str_of(writer->path));
	return r < 0 ? r : give_name(writer, is_tar, reterr);
}

PQ_API int pmuq_capture_write(const struct pmuq_capture *capture, const char *path,
			      struct pmuq_error **reterr)
{
	cleanup(end) struct capture_writer writer = { .capture = capture, .path = path, .fd = -1 };
	struct pq_tar_options options = { .time_s = capture->options.time_s };
	bool is_tar;

	if (!path || !*path)
		return pq_fail(reterr, PMUQ_E_BAD_CALL, "the path to write to is empty");
	is_tar = pq_tar_of_name(str_of(path), &options.compression, &options.stem);
	if (!is_tar && is_like_a_tar(path))
		return unknown_compression(path, reterr);
	return write_as(&writer, is_tar, &options, reterr);
}
