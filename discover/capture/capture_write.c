/* SPDX-License-Identifier: MIT */
/*
 * Writes a capture under a name of its own beside the one that was asked for, which it gets by one
 * rename(2) at the end: a reader sees all of it or nothing.
 */
#include "discover/capture/capture.h"
#include "discover/files/write_file.h"
#include "discover/tar/tar.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/random.h>
#include <sys/stat.h>

#define DIR_FLAGS (O_RDONLY | O_CLOEXEC | O_DIRECTORY | O_NOFOLLOW)

struct writing {
	const struct pmuq_capture *capture;
	const char *path;
	char *temporary; /* NULL: nothing is there */
	int fd;		 /* of the temporary */
};

static int fail(const struct writing *writing, const char *what, int errnum,
		struct pmuq_error **reterr)
{
	pq_fail(reterr, PMUQ_E_CAPTURE_FAILED, "'%s' cannot be written: %s: %s", writing->path,
		what, strerror(errnum));
	pq_error_origin(reterr, str_of(writing->path));
	pq_error_errno(reterr, errnum);
	return -PMUQ_E_CAPTURE_FAILED;
}

static int exists(const struct writing *writing, const char *what, struct pmuq_error **reterr)
{
	pq_fail(reterr, PMUQ_E_CAPTURE_EXISTS, "'%s' is there already, %s", writing->path, what);
	pq_error_origin(reterr, str_of(writing->path));
	pq_error_hint(reterr, "give a name that is not taken, or remove what has it");
	return -PMUQ_E_CAPTURE_EXISTS;
}

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

/* Before anything is read or written; the rename has the last word. */
static int check_target(const struct writing *writing, bool is_tar, struct pmuq_error **reterr)
{
	struct stat st;

	if (lstat(writing->path, &st) < 0)
		return errno == ENOENT ? 0 : fail(writing, "the name", errno, reterr);
	if (is_tar || !S_ISDIR(st.st_mode))
		return exists(writing, "and would be overwritten", reterr);
	return is_empty_dir(writing->path) ? 0 : exists(writing, "and not empty", reterr);
}

/* The directory that the node is in, made with all above it. A descriptor, or -1 with errno. */
static int make_dir(int top, const struct pq_node *dir)
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

static bool write_file(int dir, const struct pq_node *node)
{
	auto_close int fd = openat(dir, node->name.p,
				   O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);

	return fd >= 0 && pq_write_all(fd, node->text);
}

/* A directory's files one after another: it is opened once for them. */
static int write_tree(struct writing *writing, struct pmuq_error **reterr)
{
	const struct pq_memory *memory = &writing->capture->memory;
	const struct pq_node *in = NULL;
	auto_close int dir = -1;

	for (struct pq_node *node = memory->top; node; node = pq_memory_next(memory->top, node)) {
		bool is_dir = node->kind == PQ_KIND_DIR && node->is_known;
		const struct pq_node *want = is_dir ? node : node->parent;

		if (node->ret || !(is_dir || node->kind == PQ_KIND_FILE))
			continue;
		if (want != in) {
			pq_closep(&dir);
			dir = make_dir(writing->fd, want);
			in = want;
		}
		if (dir < 0 || (!is_dir && !write_file(dir, node)))
			return fail(writing, node->name.p, errno, reterr);
	}
	return 0;
}

static void remove_tree(int top, const struct pq_node *dir)
{
	for (const struct pq_node *node = dir->first; node; node = node->next) {
		auto_close int fd = -1;

		if (!node->first && node->kind != PQ_KIND_DIR) {
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

static void end(struct writing *writing)
{
	struct stat st;

	if (writing->temporary && writing->fd >= 0 && fstat(writing->fd, &st) == 0 &&
	    S_ISDIR(st.st_mode)) {
		remove_tree(writing->fd, writing->capture->memory.top);
		rmdir(writing->temporary);
	} else if (writing->temporary) {
		unlink(writing->temporary);
	}
	pq_closep(&writing->fd);
	free(writing->temporary);
}

/* A slash at the end of a directory's name would put the temporary inside. */
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

/* With the mode that its user's umask leaves, which mkostemp(3) and mkdtemp(3) do not ask. */
static int make(const char *name, bool is_tar)
{
	if (is_tar)
		return open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	return mkdir(name, 0777) < 0 ? -1 : open(name, DIR_FLAGS);
}

static int begin(struct writing *writing, bool is_tar, struct pmuq_error **reterr)
{
	auto_free char *name = temporary_name(writing->path);

	if (!name)
		return pq_fail_memory(reterr);
	writing->fd = make(name, is_tar);
	if (writing->fd < 0)
		return fail(writing, "it cannot be made", errno, reterr);
	writing->temporary = move(name);
	return 0;
}

/* A file system that cannot keep the old name out of it by itself has been asked before. */
static int give_name(struct writing *writing, bool is_tar, struct pmuq_error **reterr)
{
	unsigned flags = is_tar ? RENAME_NOREPLACE : 0;
	int r = renameat2(AT_FDCWD, writing->temporary, AT_FDCWD, writing->path, flags);

	if (r < 0 && errno == EINVAL)
		r = rename(writing->temporary, writing->path);
	if (r < 0 && (errno == EEXIST || errno == ENOTEMPTY))
		return exists(writing, "made meanwhile", reterr);
	if (r < 0)
		return fail(writing, "its name", errno, reterr);
	free(writing->temporary);
	writing->temporary = NULL;
	return 0;
}

static int unknown_packing(const char *path, struct pmuq_error **reterr)
{
	pq_fail(reterr, PMUQ_E_UNKNOWN_PACKING, "'%s' is named like a tar of an unknown packing",
		path);
	pq_error_origin(reterr, str_of(path));
	pq_error_hint(reterr, "known are .tar, .tar.gz, .tar.xz and .tar.zst, and any other name "
			      "for a directory");
	return -PMUQ_E_UNKNOWN_PACKING;
}

static bool is_like_a_tar(const char *path)
{
	const char *name = strrchr(path, '/'), *dot;

	dot = strstr(name ? name : path, ".tar.");
	return dot && dot[sizeof(".tar.") - 1] && !strchr(dot + 1 + sizeof("tar"), '.');
}

static int write_as(struct writing *writing, bool is_tar, const struct pq_tar_options *options,
		    struct pmuq_error **reterr)
{
	int r = check_target(writing, is_tar, reterr);

	if (r == 0)
		r = begin(writing, is_tar, reterr);
	if (r < 0)
		return r;
	r = is_tar ? pq_tar_write(&writing->capture->memory, writing->fd, options, reterr)
		   : write_tree(writing, reterr);
	if (r == -PMUQ_E_CAPTURE_FAILED)
		pq_error_origin(reterr, str_of(writing->path));
	return r < 0 ? r : give_name(writing, is_tar, reterr);
}

PQ_API int pmuq_capture_write(const struct pmuq_capture *capture, const char *path,
			      struct pmuq_error **reterr)
{
	cleanup(end) struct writing writing = { .capture = capture, .path = path, .fd = -1 };
	struct pq_tar_options options = { .time_s = capture->options.time_s };
	bool is_tar;

	if (!path || !*path)
		return pq_fail(reterr, PMUQ_E_BAD_CALL, "no name to write to was given");
	is_tar = pq_tar_of_name(str_of(path), &options.packing, &options.stem);
	if (!is_tar && is_like_a_tar(path))
		return unknown_packing(path, reterr);
	return write_as(&writing, is_tar, &options, reterr);
}
