/* SPDX-License-Identifier: MIT */
/*
 * Looks up each path in memory first, if there is any (memory.h), then in the file system
 * (files.h), and copies what was read to root->record.
 */
#include "discover/files/root.h"
#include "discover/files/files.h"
#include "discover/files/manifest.h"
#include "discover/tar/tar.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#define ROOT_FLAGS (O_PATH | O_CLOEXEC | O_DIRECTORY)

/* PMU, directory and file, none of them longer than PQ_NAME_MAX_BYTES. It is allocated at the
 * start, so that making a path cannot fail. */
#define PATH_CAPACITY_BYTES 1024u

/* The result for a path in memory, besides 0, PQ_NONE and failures. */
#define NOT_IN_MEMORY 2

void pq_handle_close(struct pq_handle *handle)
{
	pq_closep(&handle->fd);
	*handle = PQ_NO_HANDLE;
}

/* The memory that each call uses. */
static int allocate(struct pq_root *root, uint64_t *opens, struct pmuq_error **reterr)
{
	root->opens = opens;
	root->capacity = PQ_FILE_MAX_BYTES + 1;
	root->buf = malloc(root->capacity);
	root->path = PQ_BUF_NULL;
	pq_buf_char(&root->path, '\0', PATH_CAPACITY_BYTES);
	root->entries = (struct pq_entries){ 0 };
	return root->buf && !root->path.failed ? 0 : pq_fail_memory(reterr);
}

static int begin(struct pq_root *root, uint64_t *opens, struct pmuq_error **reterr)
{
	*root = (struct pq_root){ .top = PQ_NO_HANDLE };
	return allocate(root, opens, reterr);
}

int pq_root_resource_error(struct pq_root *root, int errnum)
{
	root->errnum = root->resource_errnum = errnum;
	return errnum == ENOMEM ? -PMUQ_E_MEMORY : -PMUQ_E_TOO_MANY_FILES;
}

int pq_root_check(struct pq_root *root, struct pmuq_error **reterr)
{
	int errnum = root->resource_errnum, r;

	root->resource_errnum = 0;
	if (!errnum)
		return 0;
	if (errnum == ENOMEM)
		return pq_fail_memory(reterr);
	r = pq_fail(reterr, PMUQ_E_TOO_MANY_FILES, "the machine cannot be read: %s",
		    pq_root_reason(-PMUQ_E_TOO_MANY_FILES, errnum));
	pq_error_hint(reterr, errnum == EMFILE
				      ? "close files, or raise the limit (ulimit -n), and try again"
				      : "close files, or raise fs.file-max, and try again");
	pq_error_errno(reterr, errnum);
	return r;
}

/* A resource error is not a fact about the path. */
static int no_root(struct pq_root *root, const char *path, int errnum, struct pmuq_error **reterr)
{
	int r;

	pq_files_fail(root, errnum);
	if (root->resource_errnum)
		return pq_root_check(root, reterr);
	r = pq_fail(reterr, PMUQ_E_NO_ROOT, "cannot open '%s': %s", path,
		    errnum == ENOENT	? "it does not exist"
		    : errnum == ENOTDIR ? "it is not a directory, nor a file that could be a tar"
					: pq_root_reason(-PMUQ_E_UNREADABLE, errnum));
	pq_error_origin(reterr, str_of(path));
	pq_error_errno(reterr, errnum);
	return r;
}

static int open_dir(struct pq_root *root, const char *path, struct pmuq_error **reterr)
{
	root->top.fd = open(path, ROOT_FLAGS);
	return root->top.fd < 0 ? no_root(root, path, errno, reterr) : 0;
}

static int open_archive(struct pq_root *root, const char *path, struct pmuq_error **reterr)
{
	auto_close int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	int r;

	if (fd < 0)
		return no_root(root, path, errno, reterr);
	*root->opens += 1;
	r = pq_tar_read(&root->memory, fd, path, reterr);
	if (r < 0)
		return r;
	root->is_memory = true;
	root->top.node = root->memory.top;
	return 0;
}

int pq_root_open_live(struct pq_root *root, uint64_t *opens, struct pmuq_error **reterr)
{
	int r = begin(root, opens, reterr);

	if (r == 0)
		r = open_dir(root, "/", reterr);
	if (r < 0)
		pq_root_close(root);
	root->is_live = true;
	return r;
}

int pq_root_open_tree(struct pq_root *root, const char *path, uint64_t *opens,
		      struct pmuq_error **reterr)
{
	struct stat st;
	int r = begin(root, opens, reterr);

	root->has_openat2 = true;
	if (r == 0 && stat(path, &st) == 0 && S_ISREG(st.st_mode))
		r = open_archive(root, path, reterr);
	else if (r == 0)
		r = open_dir(root, path, reterr);
	if (r == 0)
		r = pq_manifest_read(root, path, reterr);
	if (r < 0)
		pq_root_close(root);
	return r;
}

int pq_root_open_sysfs(struct pq_root *root, const char *path, uint64_t *opens,
		       struct pmuq_error **reterr)
{
	int r = begin(root, opens, reterr);

	root->has_openat2 = root->is_sysfs = true;
	if (r == 0)
		r = open_dir(root, path, reterr);
	if (r < 0)
		pq_root_close(root);
	return r;
}

int pq_root_share(const struct pq_root *root, struct pq_root *ret, uint64_t *opens,
		  struct pmuq_error **reterr)
{
	*ret = *root;
	return allocate(ret, opens, reterr);
}

void pq_root_unshare(struct pq_root *root)
{
	free(root->buf);
	root->buf = NULL;
	pq_vec_free(&root->entries);
	pq_buf_free(&root->path);
}

void pq_root_close(struct pq_root *root)
{
	pq_handle_close(&root->top);
	pq_memory_free(&root->memory);
	pq_root_unshare(root);
}

const char *pq_root_reason(int code, int errnum)
{
	static const struct {
		int errnum;
		const char *text;
	} reasons[] = {
		{ EACCES, "permission denied" },
		{ EPERM, "not permitted" },
		{ EIO, "the driver reports an input/output error" },
		{ ETIMEDOUT, "the device did not respond in time" },
		{ ENODEV, "the device is gone" },
		{ E2BIG, "a directory with more than 65,536 files" },
		{ EFBIG, "the driver reports that the content is too large" },
		{ EMFILE, "this process has too many files open" },
		{ ENFILE, "the system has too many files open" },
		{ ELOOP, "a symbolic link, which is not followed here" },
	};

	for (size_t i = 0; i < COUNT(reasons); i++)
		if (errnum == reasons[i].errnum)
			return reasons[i].text;
	if (code == -PMUQ_E_TOO_LARGE_FILE)
		return "larger than 64 KiB";
	if (code == -PMUQ_E_REFUSED_FILE)
		return "not a regular file";
	return "cannot be read";
}

/* The node of a path: in a tar any node, in a captured directory only marks. A directory that only
 * contains marks is NOT_IN_MEMORY. */
static int resolve(struct pq_root *root, struct pq_handle dir, const char *path,
		   enum pq_within within, struct pq_inode **ret)
{
	struct pq_inode *node = NULL;
	int r;

	*ret = NULL;
	if (!dir.node)
		return NOT_IN_MEMORY;
	r = pq_memory_resolve(&root->memory, dir.node, str_of(path), within, &node, &root->errnum);
	*ret = node;
	if (root->is_memory || r < 0)
		return r;
	return r == 0 && node->is_known ? 0 : NOT_IN_MEMORY;
}

/* Records a failure as a mark instead of the file. */
static void record_failure(struct pq_root *root, struct pq_inode *node, enum pq_file_type type,
			   int r)
{
	if (root->resource_errnum || !node)
		return;
	/* The node is new, or a listing made it. */
	if (!node->is_known && node->type == PQ_FILE_DIR)
		node->type = type;
	node->is_known = true;
	node->ret = r;
	node->errnum = root->errnum;
}

/* The path from that directory in the file system; NULL: there is no such file. */
static const char *path_in_files(const struct pq_root *root, struct pq_handle dir, const char *path)
{
	static const char top[] = "sys/";

	if (!root->is_sysfs || dir.fd != root->top.fd)
		return path;
	return strncmp(path, top, strlen(top)) == 0 ? path + strlen(top) : NULL;
}

static void record_dir(struct pq_root *root, struct pq_handle dir, const char *path, int r,
		       struct pq_handle *found)
{
	struct pq_inode *node;

	if (!root->record || !dir.record || r > 0)
		return;
	node = pq_memory_make(root->record, dir.record, str_of(path));
	if (r < 0) {
		record_failure(root, node, PQ_FILE_DIR, r);
		return;
	}
	found->record = node;
	if (!node)
		return;
	node->type = PQ_FILE_DIR;
	node->is_known = true;
}

/* Records the result r of a read, and returns it. */
static int record_read(struct pq_root *root, struct pq_handle dir, const char *path, int r,
		       const struct pmuq_str *text)
{
	if (!root->record || !dir.record || r > 0)
		return r;
	if (r == 0)
		pq_memory_put(root->record, dir.record, str_of(path), *text);
	else
		record_failure(root, pq_memory_make(root->record, dir.record, str_of(path)),
			       PQ_FILE_REGULAR, r);
	return r;
}

/* The directory at a path, as resolve(). */
static int enter_memory(struct pq_root *root, struct pq_handle dir, const char *path,
			enum pq_within within, struct pq_handle *ret)
{
	int r = resolve(root, dir, path, within, &ret->node);

	if (r != 0)
		return r;
	root->errnum = ret->node->ret ? ret->node->errnum : ENOTDIR;
	if (ret->node->ret)
		return ret->node->ret;
	return ret->node->type == PQ_FILE_DIR ? 0 : PQ_NONE;
}

int pq_root_enter(struct pq_root *root, struct pq_handle dir, const char *path,
		  enum pq_within within, struct pq_handle *ret)
{
	struct pq_handle found = PQ_NO_HANDLE;
	int r = enter_memory(root, dir, path, within, &found);

	const char *in_files = path_in_files(root, dir, path);

	if (r == NOT_IN_MEMORY)
		r = in_files ? pq_files_enter(root, dir.fd, in_files, within, &found.fd) : PQ_NONE;
	record_dir(root, dir, path, r, &found);
	if (r == 0)
		*ret = found;
	return r;
}

/* The content of the file at a path, as resolve(). */
static int read_memory(struct pq_root *root, struct pq_handle dir, const char *path,
		       enum pq_within within, size_t max_bytes, struct pmuq_str *ret)
{
	struct pq_inode *node;
	int r = resolve(root, dir, path, within, &node);

	if (r != 0)
		return r;
	root->errnum = node->ret ? node->errnum : 0;
	if (node->ret)
		return node->ret;
	if (node->type != PQ_FILE_REGULAR)
		return pq_files_fail(root, node->type == PQ_FILE_LINK ? ELOOP : ENXIO);
	if (node->text.n > max_bytes)
		return -PMUQ_E_TOO_LARGE_FILE;
	*ret = node->text;
	return 0;
}

/* max_bytes 0: only the head of the file. */
static int read_file(struct pq_root *root, struct pq_handle dir, const char *path,
		     enum pq_known_path known, size_t max_bytes, struct pmuq_str *ret)
{
	enum pq_within within = known == PQ_PATH_ANY ? PQ_WITHIN_ROOT : PQ_WITHIN_NO_LINKS;
	int r = read_memory(root, dir, path, within, max_bytes ? max_bytes : SIZE_MAX, ret);

	const char *in_files = path_in_files(root, dir, path);

	if (r == NOT_IN_MEMORY)
		r = in_files ? pq_files_read(root, dir.fd, in_files, known, max_bytes, ret)
			     : PQ_NONE;
	if (r == 0 && !max_bytes && ret->n > PQ_FILE_MAX_BYTES + 1)
		ret->n = PQ_FILE_MAX_BYTES + 1;
	return record_read(root, dir, path, r, ret);
}

int pq_root_read(struct pq_root *root, const char *path, size_t max_bytes, struct pmuq_str *ret)
{
	return read_file(root, root->top, path, PQ_PATH_ANY, max_bytes, ret);
}

int pq_root_read_head(struct pq_root *root, const char *path, struct pmuq_str *ret)
{
	return read_file(root, root->top, path, PQ_PATH_ANY, 0, ret);
}

int pq_root_read_at(struct pq_root *root, struct pq_handle dir, const char *path,
		    enum pq_known_path known, struct pmuq_str *ret)
{
	return read_file(root, dir, path, known, PQ_FILE_MAX_BYTES, ret);
}

enum pq_file_type pq_root_file_type(struct pq_root *root, struct pq_handle dir, const char *path)
{
	struct pq_inode *node;
	int r = resolve(root, dir, path, PQ_WITHIN_NO_LINKS, &node);

	const char *in_files = path_in_files(root, dir, path);

	if (r == NOT_IN_MEMORY)
		return in_files ? pq_files_type(root, dir.fd, in_files) : PQ_FILE_NONE;
	return r == 0 ? node->type : PQ_FILE_NONE;
}

bool pq_root_is_sysfs(const struct pq_root *root, struct pq_handle dir)
{
	struct statfs info;

	return !root->is_memory && fstatfs(dir.fd, &info) == 0 && info.f_type == SYSFS_MAGIC;
}

int pq_root_large_dir(struct pq_root *root)
{
	root->errnum = E2BIG;
	return -PMUQ_E_TOO_LARGE_FILE;
}

/* In a tar all nodes; otherwise marks, unless the file system has listed the same name. */
static int list_nodes(struct pq_root *root, const struct pq_inode *dir, struct pq_arena *arena)
{
	size_t n_listed = root->entries.n;

	if (n_listed)
		PQ_SORT_BY_NAME(root->entries.v, n_listed, name);
	for (const struct pq_inode *node = dir->first; node; node = node->next) {
		struct pq_entry entry = { .type = node->type };

		if (node->type == PQ_FILE_NONE ||
		    (!root->is_memory &&
		     (!node->is_known ||
		      pq_find_by_name(PQ_NAMED(root->entries.v, name), n_listed, node->name))))
			continue;
		if (root->entries.n == PQ_DIR_FILES_MAX)
			return pq_root_large_dir(root);
		entry.name = pq_arena_str(arena, node->name);
		if (!entry.name.p || !pq_vec_push(&root->entries, entry))
			return pq_root_resource_error(root, ENOMEM);
	}
	return 0;
}

static void record_list(struct pq_root *root, struct pq_handle dir, int r)
{
	if (!root->record || !dir.record || r > 0)
		return;
	if (r < 0)
		record_failure(root, dir.record, PQ_FILE_DIR, r);
	for (size_t i = 0; r == 0 && i < root->entries.n; i++) {
		const struct pq_entry *entry = &root->entries.v[i];
		struct pq_inode *node = pq_memory_make(root->record, dir.record, entry->name);

		if (node && !node->is_known)
			node->type = entry->type;
	}
}

int pq_root_list(struct pq_root *root, struct pq_handle dir, struct pq_arena *arena,
		 struct pq_entries *ret)
{
	int r = 0;

	root->entries.n = 0;
	if (!root->is_memory)
		r = pq_files_list(root, dir.fd, arena);
	if (r == 0 && dir.node)
		r = list_nodes(root, dir.node, arena);
	record_list(root, dir, r);
	if (r == 0)
		*ret = root->entries;
	return r;
}

bool pq_entries_copy(struct pq_arena *arena, struct pq_entries *entries)
{
	struct pq_entry *v = pq_arena_array(arena, entries->n, sizeof(*v));

	if (v && entries->n)
		memcpy(v, entries->v, entries->n * sizeof(*v));
	entries->v = v;
	return v != NULL;
}
