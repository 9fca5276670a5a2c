/* SPDX-License-Identifier: MIT */
/* Reads a tar into memory, entry by entry, and refuses one that cannot contain a machine. */
#include "core/limits.h"
#include "discover/files/manifest.h"
#include "discover/tar/tar.h"
#include "discover/tar/tar_lib.h"
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK_BYTES ((size_t)64 << 10)
#define TAR_BLOCK_BYTES 512

/* The reading of one tar; `name` is for errors. */
struct tar_reader {
	struct pq_tar_lib lib;
	struct archive *archive;
	struct archive_entry *entry;
	int fd;
	char *block; /* of BLOCK_BYTES, which libarchive reads next */
	struct pq_memory *memory;
	const char *name;
	uint64_t content_bytes;
	size_t n_entries;
};

static void free_reader(struct tar_reader *reader)
{
	if (reader->archive)
		reader->lib.archive_read_free(reader->archive);
	if (reader->entry)
		reader->lib.archive_entry_free(reader->entry);
	free(reader->block);
}

/* Only the outermost compression is unpacked: nested ones could go on for ever. */
const struct pq_tar_filter pq_tar_filters[4] = {
	[PQ_COMPRESSION_NONE] = { .magic = STR(""), .code = ARCHIVE_FILTER_NONE },
	[PQ_COMPRESSION_GZIP] = { .magic = STR("\x1f\x8b"), .code = ARCHIVE_FILTER_GZIP },
	[PQ_COMPRESSION_XZ] = { .magic = STR("\xfd\x37zXZ\x00"), .code = ARCHIVE_FILTER_XZ },
	[PQ_COMPRESSION_ZSTD] = { .magic = STR("\x28\xb5\x2f\xfd"), .code = ARCHIVE_FILTER_ZSTD },
};

static enum pq_compression compression_of(struct pmuq_str head)
{
	for (size_t i = COUNT(pq_tar_filters) - 1; i > PQ_COMPRESSION_NONE; i--)
		if (str_starts(head, pq_tar_filters[i].magic))
			return (enum pq_compression)i;
	return PQ_COMPRESSION_NONE;
}

static int no_tar(const char *name, struct pmuq_error **reterr)
{
	int r = pq_fail(reterr, PMUQ_E_NO_ROOT,
			"cannot open '%s': it is neither a directory nor a tar", name);

	pq_error_origin(reterr, str_of(name));
	return r;
}

static int bad(struct tar_reader *reader, const char *entry, const char *why,
	       struct pmuq_error **reterr)
{
	int r;

	if (entry)
		r = pq_fail(reterr, PMUQ_E_BAD_TAR, "'%s', entry %zu, '%s': %s", reader->name,
			    reader->n_entries, entry, why);
	else
		r = pq_fail(reterr, PMUQ_E_BAD_TAR, "'%s', after entry %zu: %s", reader->name,
			    reader->n_entries, why);
	pq_error_origin(reterr, str_of(reader->name));
	return r;
}

static int bad_here(struct tar_reader *reader, const char *entry, struct pmuq_error **reterr)
{
	const char *why = reader->lib.archive_error_string(reader->archive);

	if (reader->lib.archive_errno(reader->archive) == ENOMEM)
		return pq_fail_memory(reterr);
	return bad(reader, entry, why ? why : "it cannot be read", reterr);
}

static int too_large(const char *name, const char *what, struct pmuq_error **reterr)
{
	int r = pq_fail(reterr, PMUQ_E_LARGE_TAR, "'%s' contains more than a machine has: %s", name,
			what);

	pq_error_origin(reterr, str_of(name));
	return r;
}

/* NULL, or what is wrong with the name. */
static const char *check_name(struct pmuq_str path)
{
	struct pmuq_str part;

	if (!path.n || path.n > PQ_TAR_NAME_MAX_BYTES)
		return path.n ? "a name of more than 4,096 bytes" : "no name";
	if (path.p[0] == '/')
		return "an absolute name, which leads out of the tar";
	while (str_next(&path, '/', &part)) {
		if (str_eq(part, STR("..")))
			return "'..' in a name, which leads out of the tar";
	}
	return NULL;
}

/* Such a tar could not be unpacked to a disk either. */
static bool is_below_a_file(const struct pq_inode *node)
{
	for (node = node->parent; node; node = node->parent)
		if (node->type != PQ_FILE_DIR)
			return true;
	return false;
}

/* The limits that root.h has for files of a tree. */
static size_t limit_of(struct pmuq_str path)
{
	if (str_ends(path, STR("/proc/cpuinfo")))
		return PQ_CPUINFO_MAX_BYTES;
	return str_ends(path, STR(PQ_MANIFEST_FILE)) ? PQ_MANIFEST_MAX_BYTES : PQ_FILE_MAX_BYTES;
}

static int read_content(struct tar_reader *reader, struct pq_inode *node, const char *path,
			size_t n, struct pmuq_error **reterr)
{
	char *text = pq_arena_take(&reader->memory->arena, n + 1);
	size_t got = 0;

	if (!text)
		return pq_fail_memory(reterr);
	while (got < n) {
		la_ssize_t some =
			reader->lib.archive_read_data(reader->archive, text + got, n - got);

		if (some < 0)
			return bad_here(reader, path, reterr);
		if (some == 0)
			return bad(reader, path, "it ends in the middle of a file", reterr);
		got += (size_t)some;
	}
	text[n] = '\0';
	node->text = (struct pmuq_str){ .p = text, .n = n };
	return 0;
}

/* For an entry of any type, also a hard link: an entry that is not read is unpacked, too. */
static int count_content(struct tar_reader *reader, int64_t size, struct pmuq_error **reterr)
{
	uint64_t bytes = size < 0 ? 0 : (uint64_t)size;

	if (bytes > PQ_TAR_CONTENT_MAX_BYTES - reader->content_bytes)
		return too_large(reader->name, "files of more than 128 MiB", reterr);
	reader->content_bytes += bytes;
	return 0;
}

/* A file that is too large is not stored; reading it from memory fails. */
static int take_file(struct tar_reader *reader, struct pq_inode *node, const char *path,
		     int64_t size, struct pmuq_error **reterr)
{
	uint64_t bytes = size < 0 ? 0 : (uint64_t)size;

	node->type = PQ_FILE_REGULAR;
	node->text = STR("");
	if (bytes <= limit_of(str_of(path)))
		return read_content(reader, node, path, (size_t)bytes, reterr);
	node->ret = -PMUQ_E_TOO_LARGE_FILE;
	return 0;
}

/* A hard link is not a file of its own; it is refused like a device. */
static int fill_node(struct tar_reader *reader, struct pq_inode *node, const char *path,
		     struct archive_entry *entry, struct pmuq_error **reterr)
{
	const struct pq_tar_lib *lib = &reader->lib;
	unsigned type = lib->archive_entry_filetype(entry);
	const char *target;

	node->is_known = true;
	node->type = PQ_FILE_OTHER;
	if (lib->archive_entry_hardlink(entry))
		return 0;
	if (type == AE_IFDIR)
		node->type = PQ_FILE_DIR;
	if (type == AE_IFREG)
		return take_file(reader, node, path, lib->archive_entry_size(entry), reterr);
	if (type != AE_IFLNK)
		return 0;
	target = lib->archive_entry_symlink(entry);
	if (!target)
		target = lib->archive_entry_symlink_utf8(entry);
	node->type = PQ_FILE_LINK;
	node->text = pq_arena_str(&reader->memory->arena, str_of(target ? target : ""));
	return node->text.p ? 0 : pq_fail_memory(reterr);
}

/* If a tar declares its names to be UTF-8, other locales have only that form. */
static const char *name_of(const struct tar_reader *reader, struct archive_entry *entry)
{
	const char *path = reader->lib.archive_entry_pathname(entry);

	return path ? path : reader->lib.archive_entry_pathname_utf8(entry);
}

static int take_entry(struct tar_reader *reader, struct archive_entry *entry,
		      struct pmuq_error **reterr)
{
	const char *path = name_of(reader, entry);
	struct pq_memory *memory = reader->memory;
	const char *wrong = path ? check_name(str_of(path)) : "no name";
	bool is_dir = reader->lib.archive_entry_filetype(entry) == AE_IFDIR;
	struct pq_inode *node;

	if (wrong)
		return bad(reader, path ? path : "", wrong, reterr);
	node = pq_memory_make(memory, memory->top, str_of(path));
	if (!node)
		return memory->n_nodes < PQ_TAR_FILES_MAX
			       ? pq_fail_memory(reterr)
			       : too_large(reader->name, "more than 500,000 files", reterr);
	if (is_below_a_file(node))
		return bad(reader, path, "the name of its directory is that of a file", reterr);
	if (is_dir && node->type == PQ_FILE_DIR) {
		node->is_known = true;
		return 0;
	}
	if (node == memory->top || node->is_known || node->first)
		return bad(reader, path, "the same name a second time", reterr);
	return fill_node(reader, node, path, entry, reterr);
}

/* A tar ends with blocks of zeros, unless it was cut off between two entries. */
static bool has_end(struct tar_reader *reader)
{
	return reader->lib.archive_filter_bytes(reader->archive, 0) >
	       reader->lib.archive_read_header_position(reader->archive);
}

static int take_entries(struct tar_reader *reader, struct pmuq_error **reterr)
{
	struct archive_entry *entry = reader->entry;
	int r = 0;

	while (r == 0) {
		int got = reader->lib.archive_read_next_header2(reader->archive, entry);

		if (got == ARCHIVE_EOF)
			return has_end(reader) ? 0
					       : bad(reader, NULL,
						     "the end of the tar is missing: it was "
						     "cut off",
						     reterr);
		if (got != ARCHIVE_OK && got != ARCHIVE_WARN)
			return bad_here(reader, NULL, reterr);
		reader->n_entries++;
		r = count_content(reader, reader->lib.archive_entry_size(entry), reterr);
		if (r == 0 && (uint64_t)reader->lib.archive_filter_bytes(reader->archive, 0) >
				      PQ_TAR_UNPACKED_MAX_BYTES)
			r = too_large(reader->name, "more than 512 MiB when it is unpacked",
				      reterr);
		if (r == 0)
			r = take_entry(reader, entry, reterr);
	}
	return r;
}

/* For libarchive. */
static la_ssize_t read_block(struct archive *archive, void *of, const void **ret)
{
	const struct tar_reader *reader = of;
	ssize_t n;

	do
		n = read(reader->fd, reader->block, BLOCK_BYTES);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		reader->lib.archive_set_error(archive, errno, "%s", pq_errno_text(errno));
	*ret = reader->block;
	return n;
}

/* libarchive's own functions for files and entries do not check their allocations. */
static int open_archive(struct tar_reader *reader, enum pq_compression compression,
			struct pmuq_error **reterr)
{
	const struct pq_tar_lib *lib = &reader->lib;
	struct archive *archive = lib->archive_read_new();

	reader->archive = archive;
	reader->entry = lib->archive_entry_new();
	reader->block = malloc(BLOCK_BYTES);
	if (!archive || !reader->entry || !reader->block)
		return pq_fail_memory(reterr);
	if (lib->archive_read_support_format_tar(archive) != ARCHIVE_OK ||
	    lib->archive_read_append_filter(archive, pq_tar_filters[compression].code) !=
		    ARCHIVE_OK ||
	    lib->archive_read_set_read_callback(archive, read_block) != ARCHIVE_OK ||
	    lib->archive_read_set_callback_data(archive, reader) != ARCHIVE_OK)
		return bad_here(reader, NULL, reterr);
	if (lib->archive_read_open1(archive) == ARCHIVE_OK)
		return 0;
	/* There is a text for every other failure. */
	if (!lib->archive_error_string(archive))
		return pq_fail_memory(reterr);
	/* Opening it reads the first block. */
	return compression == PQ_COMPRESSION_NONE && lib->archive_errno(archive) != ENOMEM
		       ? no_tar(reader->name, reterr)
		       : bad_here(reader, NULL, reterr);
}

/* All entries may be in one directory. */
static void choose_top(struct pq_memory *memory)
{
	struct pq_inode *top = memory->top, *only = NULL;

	if (pq_memory_child(memory, top, STR("sys")))
		return;
	for (struct pq_inode *node = top->first; node; node = node->next) {
		if (!pq_memory_child(memory, node, STR("sys")))
			continue;
		if (only)
			return;
		only = node;
	}
	if (!only)
		return;
	only->parent = only->next = NULL;
	memory->top = only;
}

int pq_tar_read(struct pq_memory *ret, int fd, const char *name, struct pmuq_error **reterr)
{
	cleanup(free_reader) struct tar_reader reader = { .memory = ret, .fd = fd, .name = name };
	char head[8];
	ssize_t n = pread(fd, head, sizeof(head), 0);
	struct pmuq_str magic = { .p = head, .n = n < 0 ? 0 : (size_t)n };
	enum pq_compression compression = compression_of(magic);
	struct stat st;
	int r;

	if (fstat(fd, &st) < 0 ||
	    (st.st_size < TAR_BLOCK_BYTES && compression == PQ_COMPRESSION_NONE))
		return no_tar(name, reterr);
	if ((uint64_t)st.st_size > PQ_TAR_MAX_BYTES)
		return too_large(name, "the file itself is larger than 256 MiB", reterr);
	if (!pq_memory_init(ret, PQ_TAR_MEMORY_MAX_BYTES, PQ_TAR_FILES_MAX))
		return pq_fail_memory(reterr);
	r = pq_tar_load(&reader.lib, reterr);
	if (r == 0)
		r = open_archive(&reader, compression, reterr);
	if (r == 0)
		r = take_entries(&reader, reterr);
	if (r == 0)
		choose_top(ret);
	return r;
}
