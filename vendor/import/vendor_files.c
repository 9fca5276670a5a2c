/* SPDX-License-Identifier: MIT */
/*
 * Opens, lists and reads files below one directory descriptor, with limits; errors get their
 * location here. Other files interpret the content.
 */
#include "vendor/import/vendor_files.h"
#include "core/buf.h"
#include "core/map.h"
#include "core/within.h"
#include "db/db.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

struct pmuq_str pq_vendor_path(struct pq_vendor_tree *tree, struct pq_arena *arena,
			       struct pmuq_str a, struct pmuq_str b)
{
	struct pq_buf path = PQ_BUF_IN(arena);

	pq_buf_print(&path, "%.*s%s%.*s", STR_ARG(a), a.n && b.n ? "/" : "", STR_ARG(b));
	pq_buf_char(&path, '\0', 1);
	if (!path.failed)
		return (struct pmuq_str){ .p = path.p, .n = path.n - 1 };
	pq_vendor_fail_memory(tree);
	return STR("");
}

/* ---- errors */

/* A location in a file, both numbers from 1. */
struct location {
	size_t line, column;
	struct pmuq_str text; /* of the line */
};

static struct location find_location(const struct pq_vendor_file *file, size_t offset)
{
	struct location location = { .line = 1 };
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

static void add_origin(const struct pq_vendor_tree *tree, struct pmuq_str path,
		       const struct location *location)
{
	struct pq_buf origin = PQ_BUF_NULL;

	pq_buf_add(&origin, tree->dir);
	if (path.n)
		pq_buf_print(&origin, "/%.*s", STR_ARG(path));
	if (location)
		pq_buf_print(&origin, ":%zu:%zu", location->line, location->column);
	pq_error_origin_buf(tree->reterr, &origin);
}

void pq_vendor_fail_memory(struct pq_vendor_tree *tree)
{
	if (tree->r == 0)
		tree->r = pq_fail_memory(tree->reterr);
}

void pq_vendor_fail(struct pq_vendor_tree *tree, struct pmuq_str path, enum pmuq_code code,
		    const char *format, ...)
{
	va_list args;

	if (tree->r < 0)
		return;
	va_start(args, format);
	tree->r = pq_fail_args(tree->reterr, code, format, args);
	va_end(args);
	add_origin(tree, path, NULL);
}

/* A line can be the whole file: the error keeps the bytes around the location. */
#define LINE_BEFORE_BYTES 200u
#define LINE_AFTER_BYTES 200u

void pq_vendor_error_at(const struct pq_vendor_tree *tree, const struct pq_vendor_file *file,
			size_t offset, size_t length)
{
	struct location location = find_location(file, offset);
	size_t at = location.column - 1;
	size_t from = at > LINE_BEFORE_BYTES ? at - LINE_BEFORE_BYTES : 0;
	size_t n = location.text.n;
	size_t to = n - at > LINE_AFTER_BYTES ? at + LINE_AFTER_BYTES : n;

	pq_error_input(tree->reterr, str_part(location.text, from, to));
	pq_error_at(tree->reterr,
		    (struct pq_span){ .offset = (uint32_t)(at - from),
				      .length = (uint32_t)(length < to - at ? length : to - at) });
	add_origin(tree, file->path, &location);
}

void pq_vendor_fail_at(struct pq_vendor_tree *tree, const struct pq_vendor_file *file,
		       size_t offset, size_t length, const char *format, ...)
{
	va_list args;

	if (tree->r < 0)
		return;
	va_start(args, format);
	tree->r = pq_fail_args(tree->reterr, PMUQ_E_BAD_VENDOR_FILE, format, args);
	va_end(args);
	pq_vendor_error_at(tree, file, offset, length);
}

static const char *errno_text(int errnum)
{
	if (errnum == EXDEV)
		return "a symbolic link leads out of the directory";
	if (errnum == ELOOP)
		return "it is a symbolic link that is broken, or that only Linux 5.6 can follow";
	return pq_errno_text(errnum);
}

static void fail_errno(struct pq_vendor_tree *tree, struct pmuq_str path, int errnum)
{
	if (tree->r < 0)
		return;
	if (errnum == ENOMEM) {
		pq_vendor_fail_memory(tree);
		return;
	}
	pq_vendor_fail(tree, path, PMUQ_E_REFUSED_VENDOR_FILE, "it cannot be read: %s",
		       errno_text(errnum));
	pq_error_errno(tree->reterr, errnum);
}

/* ---- opening */

void pq_vendor_tree_open(struct pq_vendor_tree *tree, const char *dir)
{
	tree->dir = str_of(dir);
	while (tree->dir.n > 1 && tree->dir.p[tree->dir.n - 1] == '/')
		tree->dir.n--;
	tree->fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK);
	if (tree->fd < 0)
		fail_errno(tree, STR(""), errno);
}

void pq_vendor_tree_close(struct pq_vendor_tree *tree)
{
	if (tree->fd >= 0)
		close(tree->fd);
	free(tree->buf);
}

/* Opens a path; no link in it leads out of the tree. */
static int open_within(const struct pq_vendor_tree *tree, struct pmuq_str path, int flags)
{
	int more = flags & O_PATH ? O_CLOEXEC : O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
	bool has_openat2 = true;

	return pq_open_within(tree->fd, path.n ? path.p : ".", flags | more,
			      RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS, &has_openat2);
}

/* ---- listing */

/* Any other type counts as a file: reading it reports the type. */
static bool is_dir(DIR *dir, const struct dirent *entry)
{
	struct stat st;

	if (entry->d_type != DT_UNKNOWN)
		return entry->d_type == DT_DIR;
	return fstatat(dirfd(dir), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	       S_ISDIR(st.st_mode);
}

static struct pq_vendor_entries list_stream(struct pq_vendor_tree *tree, struct pmuq_str path,
					    DIR *dir, struct pq_arena *arena)
{
	struct pq_vendor_entries entries = { 0 };
	const struct dirent *at;

	/* NULL without an errno is the end. */
	for (errno = 0; tree->r == 0 && (at = readdir(dir)); errno = 0) {
		struct pq_vendor_entry entry = { .is_dir = is_dir(dir, at) };

		/* ".", ".." and hidden files. */
		if (at->d_name[0] == '.')
			continue;
		if (entries.n == PQ_VENDOR_ENTRIES_MAX)
			pq_vendor_fail(tree, path, PMUQ_E_REFUSED_VENDOR_FILE,
				       "it has more than %u files", PQ_VENDOR_ENTRIES_MAX);
		entry.name = pq_arena_str(arena, str_of(at->d_name));
		if (!entry.name.p || !pq_vec_push_in(arena, &entries, entry))
			pq_vendor_fail_memory(tree);
	}
	if (errno)
		fail_errno(tree, path, errno);
	PQ_SORT_BY_NAME(entries.v, entries.n, name);
	return entries;
}

struct pq_vendor_entries pq_vendor_list(struct pq_vendor_tree *tree, struct pmuq_str path,
					struct pq_arena *arena)
{
	int fd = tree->r == 0 ? open_within(tree, path, O_RDONLY | O_DIRECTORY) : -1;
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
	struct pq_vendor_entries entries = { 0 };

	if (!dir) {
		if (errno != ENOENT)
			fail_errno(tree, path, errno);
		if (fd >= 0)
			close(fd);
		return entries;
	}
	/* The tree's own descriptor shares its position in the directory. */
	rewinddir(dir);
	entries = list_stream(tree, path, dir, arena);
	closedir(dir);
	return entries;
}

/* ---- reading */

/* All files are read into one buffer, which grows to the longest. */
static bool reserve(struct pq_vendor_tree *tree, size_t bytes)
{
	char *buf = bytes <= tree->capacity ? tree->buf : realloc(tree->buf, bytes);

	if (!buf) {
		pq_vendor_fail_memory(tree);
		return false;
	}
	tree->buf = buf;
	tree->capacity = bytes > tree->capacity ? bytes : tree->capacity;
	return true;
}

/* A file that grows meanwhile is cut off, one that shrinks is short: the JSON parser reports both.
 */
static struct pmuq_str read_all(struct pq_vendor_tree *tree, int fd, size_t bytes,
				struct pmuq_str path)
{
	size_t n = 0;
	ssize_t got = 1;

	if (!reserve(tree, bytes + 1))
		return STR("");
	while (n < bytes && got != 0) {
		got = read(fd, tree->buf + n, bytes - n);
		if (got < 0 && errno != EINTR) {
			fail_errno(tree, path, errno);
			break;
		}
		n += got > 0 ? (size_t)got : 0;
	}
	tree->buf[n] = '\0';
	tree->n_bytes += n;
	return (struct pmuq_str){ .p = tree->buf, .n = n };
}

static void check_file(struct pq_vendor_tree *tree, const struct stat *st, struct pmuq_str path)
{
	uint64_t size = (uint64_t)st->st_size;

	if (S_ISLNK(st->st_mode))
		fail_errno(tree, path, ELOOP);
	else if (!S_ISREG(st->st_mode))
		pq_vendor_fail(tree, path, PMUQ_E_REFUSED_VENDOR_FILE, "it is not a regular file");
	else if (size > PQ_VENDOR_FILE_MAX_BYTES)
		pq_vendor_fail(tree, path, PMUQ_E_REFUSED_VENDOR_FILE,
			       "it has %llu bytes; the limit is %zu MiB", (unsigned long long)size,
			       PQ_VENDOR_FILE_MAX_BYTES >> 20);
	else if (tree->n_files >= PQ_VENDOR_TREE_MAX_FILES ||
		 tree->n_bytes + size > PQ_VENDOR_TREE_MAX_BYTES)
		pq_vendor_fail(tree, path, PMUQ_E_REFUSED_VENDOR_FILE,
			       "the tree has more than %u files or %zu MiB",
			       PQ_VENDOR_TREE_MAX_FILES, PQ_VENDOR_TREE_MAX_BYTES >> 20);
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

bool pq_vendor_read(struct pq_vendor_tree *tree, struct pmuq_str path, struct pq_vendor_file *ret)
{
	auto_close int fd = tree->r == 0 ? open_regular(tree, path) : -1;
	struct stat st = { 0 };

	if (tree->r < 0 || (fd < 0 && errno == ENOENT))
		return false;
	if (fd < 0 || fstat(fd, &st) < 0)
		fail_errno(tree, path, errno);
	else
		check_file(tree, &st, path);
	if (tree->r < 0)
		return false;
	tree->n_files++;
	ret->path = path;
	ret->text = read_all(tree, fd, (size_t)st.st_size, path);
	return tree->r == 0;
}
