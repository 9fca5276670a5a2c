/* SPDX-License-Identifier: MIT */
/*
 * Opens, lists and reads below one directory descriptor, with limits; errors get their location
 * here. What the files contain is the business of other files.
 */
#include "vendor/import/vendor_files.h"
#include "core/buf.h"
#include "core/catalog/model.h"
#include "db/db.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#define ENTRIES_MAX 65536u

struct pmuq_str pq_vendor_path(struct pq_arena *arena, struct pmuq_str a, struct pmuq_str b)
{
	bool is_joined = a.n && b.n;
	size_t n = a.n + is_joined + b.n;
	char *p = pq_arena_take(arena, n + 1);

	if (!p)
		return (struct pmuq_str){ 0 };
	memcpy(p, a.p, a.n);
	if (is_joined)
		p[a.n] = '/';
	memcpy(p + a.n + is_joined, b.p, b.n);
	p[n] = '\0';
	return (struct pmuq_str){ .p = p, .n = n };
}

static void add_origin(const struct pq_vendor_tree *tree, struct pmuq_str path,
		       const struct pq_vendor_location *location, struct pmuq_error **reterr)
{
	cleanup(pq_buf_free) struct pq_buf origin = PQ_BUF_NULL;

	pq_buf_add(&origin, tree->dir);
	if (path.n)
		pq_buf_print(&origin, "/%.*s", STR_ARG(path));
	if (location)
		pq_buf_print(&origin, ":%zu:%zu", location->line, location->column);
	if (!origin.failed)
		pq_error_origin(reterr, pq_buf_str(&origin));
}

int pq_vendor_fail(const struct pq_vendor_tree *tree, struct pmuq_str path, enum pmuq_code code,
		   struct pmuq_error **reterr, const char *format, ...)
{
	va_list args;
	int r;

	va_start(args, format);
	r = pq_fail_args(reterr, code, format, args);
	va_end(args);
	add_origin(tree, path, NULL, reterr);
	return r;
}

struct pq_vendor_location pq_vendor_location(const struct pq_vendor_file *file, size_t offset)
{
	struct pq_vendor_location location = { .line = 1 };
	size_t start = 0, end;

	offset = offset < file->text.n ? offset : file->text.n;
	for (size_t i = 0; i < offset; i++)
		if (file->text.p[i] == '\n') {
			location.line++;
			start = i + 1;
		}
	for (end = offset; end < file->text.n && file->text.p[end] != '\n';)
		end++;
	if (end > offset && file->text.p[end - 1] == '\r')
		end--;
	location.column = offset - start + 1;
	location.text = str_part(file->text, start, end);
	return location;
}

/* A line can be the whole file: the error keeps the bytes around the location. */
#define LINE_BEFORE_BYTES 200u
#define LINE_AFTER_BYTES 200u

void pq_vendor_error_at(const struct pq_vendor_tree *tree, const struct pq_vendor_file *file,
			size_t offset, size_t length, struct pmuq_error **reterr)
{
	struct pq_vendor_location location = pq_vendor_location(file, offset);
	size_t at = location.column - 1;
	size_t from = at > LINE_BEFORE_BYTES ? at - LINE_BEFORE_BYTES : 0;
	size_t n = location.text.n;
	size_t to = n - at > LINE_AFTER_BYTES ? at + LINE_AFTER_BYTES : n;

	pq_error_input(reterr, str_part(location.text, from, to));
	pq_error_at(reterr,
		    (struct pq_span){ .offset = (uint32_t)(at - from),
				      .length = (uint32_t)(length < to - at ? length : to - at) });
	add_origin(tree, file->path, &location, reterr);
}

int pq_vendor_fail_at(const struct pq_vendor_tree *tree, const struct pq_vendor_file *file,
		      size_t offset, size_t length, struct pmuq_error **reterr, const char *format,
		      ...)
{
	va_list args;
	int r;

	va_start(args, format);
	r = pq_fail_args(reterr, PMUQ_E_BAD_VENDOR_FILE, format, args);
	va_end(args);
	pq_vendor_error_at(tree, file, offset, length, reterr);
	return r;
}

static const char *errno_text(int errnum)
{
	if (errnum == EXDEV)
		return "a symbolic link leads out of the directory";
	if (errnum == ELOOP)
		return "it is a broken symbolic link";
	return pq_errno_text(errnum);
}

static int fail_errno(const struct pq_vendor_tree *tree, struct pmuq_str path, int errnum,
		      struct pmuq_error **reterr)
{
	int r = pq_vendor_fail(tree, path, PMUQ_E_REFUSED_VENDOR_FILE, reterr,
			       "it cannot be read: %s", errno_text(errnum));

	pq_error_errno(reterr, errnum);
	return r;
}

int pq_vendor_tree_open(struct pq_vendor_tree *tree, const char *dir, struct pmuq_error **reterr)
{
	*tree = (struct pq_vendor_tree){ .dir = str_of(dir) };
	while (tree->dir.n > 1 && tree->dir.p[tree->dir.n - 1] == '/')
		tree->dir.n--;
	tree->fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK);
	return tree->fd < 0 ? fail_errno(tree, STR(""), errno, reterr) : 0;
}

void pq_vendor_tree_close(struct pq_vendor_tree *tree)
{
	if (tree->fd >= 0)
		close(tree->fd);
	free(tree->buf);
}

/* Without openat2() no link is followed. */
static int open_step_by_step(const struct pq_vendor_tree *tree, struct pmuq_str path, int flags)
{
	int fd = fcntl(tree->fd, F_DUPFD_CLOEXEC, 0);
	char name[NAME_MAX + 1];

	while (fd >= 0 && path.n) {
		struct pmuq_str part;
		bool is_more = str_cut(path, '/', &part, &path);
		int next = -1;

		if (part.n < sizeof(name)) {
			memcpy(name, part.p, part.n);
			name[part.n] = '\0';
			next = openat(fd, name,
				      (is_more ? O_RDONLY | O_DIRECTORY : flags) | O_NOFOLLOW |
					      O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
		} else {
			errno = ENAMETOOLONG;
		}
		close(fd);
		fd = next;
	}
	return fd;
}

/* openat2() fails with EAGAIN if a rename races with a "..". */
#define TRIES 16

/* Opens a path; no link in it leads out of the tree. */
static int open_within(const struct pq_vendor_tree *tree, struct pmuq_str path, int flags)
{
	const struct open_how how = {
		.flags = (unsigned)(flags | O_CLOEXEC |
				    (flags & O_PATH ? 0 : O_NONBLOCK | O_NOCTTY)),
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS,
	};
	int fd = -1;

	for (int i = 0; i < TRIES; i++) {
		fd = (int)syscall(SYS_openat2, tree->fd, path.n ? path.p : ".", &how, sizeof(how));
		if (fd >= 0 || errno != EAGAIN)
			break;
	}
	if (fd < 0 && (errno == ENOSYS || errno == EPERM))
		return open_step_by_step(tree, path, flags);
	return fd;
}

static int is_before(const void *a, const void *b)
{
	return str_cmp(((const struct pq_vendor_entry *)a)->name,
		       ((const struct pq_vendor_entry *)b)->name);
}

/* Anything else counts as a file: reading it reports what it is. */
static bool is_dir(DIR *dir, const struct dirent *entry)
{
	struct stat st;

	if (entry->d_type != DT_UNKNOWN)
		return entry->d_type == DT_DIR;
	return fstatat(dirfd(dir), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	       S_ISDIR(st.st_mode);
}

static int list_stream(const struct pq_vendor_tree *tree, struct pmuq_str path, DIR *dir,
		       struct pq_arena *arena, struct pq_vendor_entries *ret,
		       struct pmuq_error **reterr)
{
	struct pq_vendor_entries entries = { 0 };
	const struct dirent *at;

	for (errno = 0; (at = readdir(dir)); errno = 0) {
		struct pq_vendor_entry entry = { .name = pq_arena_str(arena, str_of(at->d_name)),
						 .is_dir = is_dir(dir, at) };

		/* ".", ".." and hidden files. */
		if (at->d_name[0] == '.')
			continue;
		if (entries.n == ENTRIES_MAX)
			return pq_vendor_fail(tree, path, PMUQ_E_REFUSED_VENDOR_FILE, reterr,
					      "it has more than %u files", ENTRIES_MAX);
		if (!entry.name.p || !pq_vec_push_in(arena, &entries, entry))
			return pq_fail_memory(reterr);
	}
	if (errno)
		return fail_errno(tree, path, errno, reterr);
	if (entries.n)
		qsort(entries.v, entries.n, sizeof(*entries.v), is_before);
	*ret = entries;
	return 0;
}

int pq_vendor_list(struct pq_vendor_tree *tree, struct pmuq_str path, struct pq_arena *arena,
		   struct pq_vendor_entries *ret, struct pmuq_error **reterr)
{
	int fd = open_within(tree, path, O_RDONLY | O_DIRECTORY), r;
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;

	if (!dir) {
		int errnum = errno;

		if (fd >= 0)
			close(fd);
		return errnum == ENOENT ? PQ_NONE : fail_errno(tree, path, errnum, reterr);
	}
	/* The tree's own descriptor shares its position in the directory. */
	rewinddir(dir);
	r = list_stream(tree, path, dir, arena, ret, reterr);
	closedir(dir);
	return r;
}

static int reserve(struct pq_vendor_tree *tree, size_t bytes, struct pmuq_error **reterr)
{
	char *buf;

	if (bytes <= tree->capacity)
		return 0;
	buf = realloc(tree->buf, bytes);
	if (!buf)
		return pq_fail_memory(reterr);
	tree->buf = buf;
	tree->capacity = bytes;
	return 0;
}

/* A file that grows meanwhile is cut off, one that shrinks is short: the JSON parser reports both.
 */
static int read_all(struct pq_vendor_tree *tree, int fd, size_t bytes, struct pmuq_str *ret,
		    struct pmuq_str path, struct pmuq_error **reterr)
{
	size_t n = 0;
	ssize_t got;
	int r = reserve(tree, bytes + 1, reterr);

	if (r < 0)
		return r;
	while (n < bytes) {
		got = read(fd, tree->buf + n, bytes - n);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return fail_errno(tree, path, errno, reterr);
		if (got == 0)
			break;
		n += (size_t)got;
	}
	tree->buf[n] = '\0';
	tree->n_bytes += n;
	*ret = (struct pmuq_str){ .p = tree->buf, .n = n };
	return 0;
}

static int check_file(const struct pq_vendor_tree *tree, const struct stat *st,
		      struct pmuq_str path, struct pmuq_error **reterr)
{
	if (!S_ISREG(st->st_mode))
		return pq_vendor_fail(tree, path, PMUQ_E_REFUSED_VENDOR_FILE, reterr,
				      "it is not a regular file");
	if ((uint64_t)st->st_size > PQ_VENDOR_FILE_MAX_BYTES)
		return pq_vendor_fail(tree, path, PMUQ_E_REFUSED_VENDOR_FILE, reterr,
				      "it has %llu bytes; the limit is %zu MiB",
				      (unsigned long long)st->st_size,
				      PQ_VENDOR_FILE_MAX_BYTES >> 20);
	if (tree->n_files >= PQ_VENDOR_TREE_MAX_FILES ||
	    tree->n_bytes + (uint64_t)st->st_size > PQ_VENDOR_TREE_MAX_BYTES)
		return pq_vendor_fail(tree, path, PMUQ_E_REFUSED_VENDOR_FILE, reterr,
				      "the tree has more than %u files or %zu MiB",
				      PQ_VENDOR_TREE_MAX_FILES, PQ_VENDOR_TREE_MAX_BYTES >> 20);
	return 0;
}

/* Opening a device can have side effects: stat first, and compare afterwards. */
static int open_regular(const struct pq_vendor_tree *tree, struct pmuq_str path)
{
	int fd = open_within(tree, path, O_PATH), real = -1;
	struct stat st, now;

	if (fd < 0 || fstat(fd, &st) < 0)
		return fd;
	if (!S_ISREG(st.st_mode))
		return fd;
	real = open_within(tree, path, O_RDONLY);
	if (real >= 0 && (fstat(real, &now) < 0 || now.st_ino != st.st_ino)) {
		close(real);
		real = -1;
		errno = EIO;
	}
	close(fd);
	return real;
}

int pq_vendor_read(struct pq_vendor_tree *tree, struct pmuq_str path, struct pq_vendor_file *ret,
		   struct pmuq_error **reterr)
{
	auto_close int fd = open_regular(tree, path);
	struct stat st;
	int r;

	if (fd < 0 && errno == ENOENT)
		return PQ_NONE;
	if (fd < 0 || fstat(fd, &st) < 0)
		return fail_errno(tree, path, errno, reterr);
	if (S_ISLNK(st.st_mode))
		return fail_errno(tree, path, ELOOP, reterr);
	r = check_file(tree, &st, path, reterr);
	if (r < 0)
		return r;
	tree->n_files++;
	ret->path = path;
	return read_all(tree, fd, (size_t)st.st_size, &ret->text, path, reterr);
}
