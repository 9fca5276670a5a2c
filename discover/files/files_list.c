/* SPDX-License-Identifier: MIT */
/* Lists a directory by getdents64(2): readdir(3) would allocate memory for each directory. */
#include "core/populate.h"
#include "discover/files/files.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

/* struct linux_dirent64 of getdents64(2): a name ends with a NUL, and `bytes` leads to the next
 * entry. */
struct kernel_entry {
	uint64_t inode;
	int64_t offset;
	uint16_t bytes;
	uint8_t type;
	char name[];
};

static enum pq_file_type type_of_mode(mode_t mode)
{
	if (S_ISREG(mode))
		return PQ_FILE_REGULAR;
	if (S_ISDIR(mode))
		return PQ_FILE_DIR;
	return S_ISLNK(mode) ? PQ_FILE_LINK : PQ_FILE_OTHER;
}

enum pq_file_type pq_files_type(struct pq_root *root, int dir, const char *path)
{
	struct stat st;

	if (fstatat(dir, path, &st, AT_SYMLINK_NOFOLLOW) < 0) {
		pq_files_fail(root, errno);
		return PQ_FILE_NONE;
	}
	return type_of_mode(st.st_mode);
}

/* Some file systems do not report the type in a listing. */
static enum pq_file_type type_of_entry(struct pq_root *root, int dir,
				       const struct kernel_entry *entry)
{
	switch (entry->type) {
	case DT_REG:
		return PQ_FILE_REGULAR;
	case DT_DIR:
		return PQ_FILE_DIR;
	case DT_LNK:
		return PQ_FILE_LINK;
	case DT_UNKNOWN:
		return pq_files_type(root, dir, entry->name);
	default:
		return PQ_FILE_OTHER;
	}
}

/* "." or "..": the first byte decides for nearly all names. */
static bool is_dots(const char *name)
{
	return name[0] == '.' && (!name[1] || (name[1] == '.' && !name[2]));
}

/* A tenth less than what getdents64(2) writes for the name of a PMU, on average. */
#define ENTRY_BYTES 36

/* At once, since the copies of a growing array fill pages that are not used again. */
static void expect(struct pq_root *root, size_t bytes, struct pq_arena *arena)
{
	size_t n = bytes / ENTRY_BYTES;

	if (pq_vec_reserve(&root->entries, n))
		pq_populate(&root->entries.v[root->entries.n], n * sizeof(*root->entries.v));
	/* The names are less than half of what the kernel writes. */
	pq_arena_expect(arena, bytes / 2);
}

/* Adds the entries of one getdents64(2). */
static int add_entries(struct pq_root *root, int dir, size_t bytes, struct pq_arena *arena)
{
	expect(root, bytes, arena);
	for (size_t at = 0; at < bytes;) {
		const struct kernel_entry *entry = (const void *)(root->buf + at);
		struct pq_entry *added;

		at += entry->bytes;
		if (is_dots(entry->name))
			continue;
		if (root->entries.n == PQ_DIR_FILES_MAX)
			return pq_root_large_dir(root);
		if (!pq_vec_reserve(&root->entries, 1))
			return pq_root_resource_error(root, ENOMEM);
		added = &root->entries.v[root->entries.n];
		added->inode = entry->inode;
		added->type = type_of_entry(root, dir, entry);
		added->name = pq_arena_str(arena, str_of(entry->name));
		if (!added->name.p)
			return pq_root_resource_error(root, ENOMEM);
		root->entries.n++;
	}
	return 0;
}

/* Most directories are that small, and have no use for more pages of the buffer. */
#define SMALL_DIR_BYTES ((size_t)4096)

int pq_files_list(struct pq_root *root, int dir, struct pq_arena *arena)
{
	size_t bytes = SMALL_DIR_BYTES;
	int r = 0;

	while (r == 0) {
		long got = syscall(SYS_getdents64, dir, root->buf, bytes);

		if (got < 0)
			return pq_files_fail(root, errno);
		if (got == 0)
			return 0;
		r = add_entries(root, dir, (size_t)got, arena);
		if (bytes < root->capacity &&
		    (size_t)got > bytes - sizeof(struct kernel_entry) - NAME_MAX) {
			pq_populate(root->buf + bytes, root->capacity - bytes);
			bytes = root->capacity;
		}
	}
	return r;
}
