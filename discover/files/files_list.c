/* SPDX-License-Identifier: MIT */
/* Lists a directory in large bites, straight from the kernel: readdir(3) would allocate each time.
 */
#include "discover/files/files.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

/* getdents64(2). */
struct kernel_entry {
	uint64_t inode;
	int64_t offset;
	uint16_t bytes;
	uint8_t type;
	char name[];
};

static enum pq_kind kind_of_mode(mode_t mode)
{
	if (S_ISREG(mode))
		return PQ_KIND_FILE;
	if (S_ISDIR(mode))
		return PQ_KIND_DIR;
	return S_ISLNK(mode) ? PQ_KIND_LINK : PQ_KIND_OTHER;
}

enum pq_kind pq_files_kind(struct pq_root *root, int dir, const char *path)
{
	struct stat st;

	if (fstatat(dir, path, &st, AT_SYMLINK_NOFOLLOW) < 0) {
		pq_files_judge(root, errno);
		return PQ_KIND_NONE;
	}
	return kind_of_mode(st.st_mode);
}

/* Some file systems leave the type out of their listings. */
static enum pq_kind kind_of_entry(struct pq_root *root, int dir, const struct kernel_entry *entry)
{
	switch (entry->type) {
	case DT_REG:
		return PQ_KIND_FILE;
	case DT_DIR:
		return PQ_KIND_DIR;
	case DT_LNK:
		return PQ_KIND_LINK;
	case DT_UNKNOWN:
		return pq_files_kind(root, dir, entry->name);
	default:
		return PQ_KIND_OTHER;
	}
}

bool pq_root_add_entry(struct pq_root *root, size_t n, struct pq_entry entry)
{
	if (n == root->entries_room) {
		size_t room = n ? n * 2 : 64;
		struct pq_entry *v = reallocarray(root->entries, room, sizeof(*v));

		if (!v)
			return false;
		root->entries = v;
		root->entries_room = room;
	}
	root->entries[n] = entry;
	return true;
}

/* The entries of one bite. */
static bool take_entries(struct pq_root *root, int dir, size_t bytes, struct pq_arena *arena,
			 size_t *n)
{
	for (size_t at = 0; at < bytes;) {
		const struct kernel_entry *entry = (const void *)(root->buf + at);
		struct pq_entry taken;

		at += entry->bytes;
		if (strcmp(entry->name, ".") == 0 || strcmp(entry->name, "..") == 0)
			continue;
		taken.kind = kind_of_entry(root, dir, entry);
		taken.name = pq_arena_str(arena, str_of(entry->name));
		if (!taken.name.p || !pq_root_add_entry(root, *n, taken))
			return false;
		*n += 1;
	}
	return true;
}

int pq_files_list(struct pq_root *root, int dir, struct pq_arena *arena, size_t *n)
{
	for (;;) {
		long got = syscall(SYS_getdents64, dir, root->buf, root->room);

		if (got < 0)
			return pq_files_judge(root, errno);
		if (got == 0)
			return 0;
		if (!take_entries(root, dir, (size_t)got, arena, n))
			return pq_root_lack(root, ENOMEM);
	}
}
