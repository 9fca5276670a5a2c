/* SPDX-License-Identifier: MIT */
/* Reads a tar into memory, entry by entry; refuses what no tar of a machine would be. */
#include "discover/capture/manifest.h"
#include "discover/tar/tar.h"
#include "discover/tar/tar_lib.h"
#include <sys/stat.h>

/* A machine of 10,000 PMUs has a tenth of it; hostile input gets no further. */
#define NODES_MAX ((size_t)500000)
#define CONTENT_MAX_BYTES ((uint64_t)256 << 20)
#define MEMORY_MAX_BYTES ((size_t)512 << 20)
/* Of the file itself: what is packed in it may be nothing at all, however long it takes. */
#define FILE_MAX_BYTES ((uint64_t)256 << 20)
#define NAME_MAX_BYTES 4096u
#define BLOCK_BYTES ((size_t)64 << 10)
#define TAR_BLOCK_BYTES 512

struct reading {
	struct pq_tar_lib lib;
	struct archive *archive;
	struct pq_memory *memory;
	const char *name;
	uint64_t content_bytes;
	size_t n_entries;
};

static void free_reading(struct reading *reading)
{
	if (reading->archive)
		reading->lib.archive_read_free(reading->archive);
}

/* Only what stands outermost is unpacked, once: a packing within a packing could go on for ever. */
static const struct {
	struct pmuq_str magic;
	int filter;
} packings[] = {
	[PQ_PACKING_NONE] = { STR(""), ARCHIVE_FILTER_NONE },
	[PQ_PACKING_GZIP] = { STR("\x1f\x8b"), ARCHIVE_FILTER_GZIP },
	[PQ_PACKING_XZ] = { STR("\xfd\x37zXZ\x00"), ARCHIVE_FILTER_XZ },
	[PQ_PACKING_ZSTD] = { STR("\x28\xb5\x2f\xfd"), ARCHIVE_FILTER_ZSTD },
};

static enum pq_packing packing_of(struct pmuq_str head)
{
	for (size_t i = COUNT(packings) - 1; i > PQ_PACKING_NONE; i--)
		if (str_starts(head, packings[i].magic))
			return (enum pq_packing)i;
	return PQ_PACKING_NONE;
}

static int no_tar(const char *name, struct pmuq_error **reterr)
{
	pq_fail(reterr, PMUQ_E_NO_ROOT, "cannot open '%s': it is no directory, and no tar", name);
	pq_error_origin(reterr, str_of(name));
	return -PMUQ_E_NO_ROOT;
}

static int bad(struct reading *reading, const char *entry, const char *why,
	       struct pmuq_error **reterr)
{
	if (entry)
		pq_fail(reterr, PMUQ_E_BAD_TAR, "'%s', entry %zu, '%s': %s", reading->name,
			reading->n_entries, entry, why);
	else
		pq_fail(reterr, PMUQ_E_BAD_TAR, "'%s', behind entry %zu: %s", reading->name,
			reading->n_entries, why);
	pq_error_origin(reterr, str_of(reading->name));
	return -PMUQ_E_BAD_TAR;
}

static int bad_here(struct reading *reading, const char *entry, struct pmuq_error **reterr)
{
	const char *why = reading->lib.archive_error_string(reading->archive);

	return bad(reading, entry, why ? why : "it cannot be read", reterr);
}

static int too_large(const char *name, const char *what, struct pmuq_error **reterr)
{
	pq_fail(reterr, PMUQ_E_LARGE_TAR, "'%s' holds more than a machine has: %s", name, what);
	pq_error_origin(reterr, str_of(name));
	return -PMUQ_E_LARGE_TAR;
}

/* NULL, or what is wrong with the name. */
static const char *fault_of_name(struct pmuq_str path)
{
	struct pmuq_str part;
	bool more = true;

	if (!path.n || path.n > NAME_MAX_BYTES)
		return path.n ? "a name of more than 4,096 bytes" : "no name";
	if (path.p[0] == '/')
		return "an absolute name, which leads out of the tar";
	while (more) {
		more = str_cut(path, '/', &part, &path);
		if (str_eq(part, STR("..")))
			return "'..' in a name, which leads out of the tar";
	}
	return NULL;
}

static bool is_below_a_file(const struct pq_node *node)
{
	for (node = node->parent; node; node = node->parent)
		if (node->kind != PQ_KIND_DIR)
			return true;
	return false;
}

static size_t limit_of(struct pmuq_str path)
{
	if (str_ends(path, STR("/proc/cpuinfo")))
		return PQ_CPUINFO_MAX_BYTES;
	return str_ends(path, STR(PQ_MANIFEST_FILE)) ? PQ_MANIFEST_MAX_BYTES : PQ_FILE_MAX_BYTES;
}

static int read_content(struct reading *reading, struct pq_node *node, const char *path, size_t n,
			struct pmuq_error **reterr)
{
	char *text = pq_arena_take(&reading->memory->arena, n + 1);
	size_t got = 0;

	if (!text)
		return pq_fail_memory(reterr);
	while (got < n) {
		la_ssize_t some =
			reading->lib.archive_read_data(reading->archive, text + got, n - got);

		if (some < 0)
			return bad_here(reading, path, reterr);
		if (some == 0)
			return bad(reading, path, "it ends before it is whole", reterr);
		got += (size_t)some;
	}
	text[n] = '\0';
	node->text = (struct pmuq_str){ .p = text, .n = n };
	return 0;
}

/* One that is too large is not read, and says so when it is asked for. */
static int take_file(struct reading *reading, struct pq_node *node, const char *path, int64_t size,
		     struct pmuq_error **reterr)
{
	uint64_t bytes = size < 0 ? 0 : (uint64_t)size;

	node->kind = PQ_KIND_FILE;
	node->text = STR("");
	if (bytes > CONTENT_MAX_BYTES - reading->content_bytes)
		return too_large(reading->name, "files of more than 256 MiB", reterr);
	reading->content_bytes += bytes;
	if (bytes <= limit_of(str_of(path)))
		return read_content(reading, node, path, (size_t)bytes, reterr);
	node->ret = -PMUQ_E_TOO_LARGE_FILE;
	return 0;
}

/* A hard link is no file of its own, and refused as a device is. */
static int fill_node(struct reading *reading, struct pq_node *node, const char *path,
		     struct archive_entry *entry, struct pmuq_error **reterr)
{
	const struct pq_tar_lib *lib = &reading->lib;
	unsigned type = lib->archive_entry_filetype(entry);
	const char *target;

	node->is_known = true;
	node->kind = PQ_KIND_OTHER;
	if (lib->archive_entry_hardlink(entry))
		return 0;
	if (type == AE_IFDIR)
		node->kind = PQ_KIND_DIR;
	if (type == AE_IFREG)
		return take_file(reading, node, path, lib->archive_entry_size(entry), reterr);
	if (type != AE_IFLNK)
		return 0;
	target = lib->archive_entry_symlink(entry);
	if (!target)
		target = lib->archive_entry_symlink_utf8(entry);
	node->kind = PQ_KIND_LINK;
	node->text = pq_arena_str(&reading->memory->arena, str_of(target ? target : ""));
	return node->text.p ? 0 : pq_fail_memory(reterr);
}

/* A tar may say that its names are UTF-8; in another locale they are had as that only. */
static const char *name_of(const struct reading *reading, struct archive_entry *entry)
{
	const char *path = reading->lib.archive_entry_pathname(entry);

	return path ? path : reading->lib.archive_entry_pathname_utf8(entry);
}

static int take_entry(struct reading *reading, struct archive_entry *entry,
		      struct pmuq_error **reterr)
{
	const char *path = name_of(reading, entry);
	struct pq_memory *memory = reading->memory;
	const char *fault = path ? fault_of_name(str_of(path)) : "no name";
	bool is_dir = reading->lib.archive_entry_filetype(entry) == AE_IFDIR;
	struct pq_node *node;

	if (fault)
		return bad(reading, path ? path : "", fault, reterr);
	node = pq_memory_make(memory, memory->top, str_of(path));
	if (!node)
		return memory->n_nodes < NODES_MAX
			       ? pq_fail_memory(reterr)
			       : too_large(reading->name, "more than 500,000 files", reterr);
	if (is_below_a_file(node))
		return bad(reading, path, "what should be its directory is a file", reterr);
	if (is_dir && node->kind == PQ_KIND_DIR) {
		node->is_known = true;
		return 0;
	}
	if (node == memory->top || node->is_known || node->first)
		return bad(reading, path, "the same name a second time", reterr);
	return fill_node(reading, node, path, entry, reterr);
}

/* A tar ends with blocks of zeros; one that was cut off between two entries lacks them. */
static bool has_end(struct reading *reading)
{
	return reading->lib.archive_filter_bytes(reading->archive, 0) >
	       reading->lib.archive_read_header_position(reading->archive);
}

static int take_entries(struct reading *reading, struct pmuq_error **reterr)
{
	struct archive_entry *entry;
	int r = 0;

	while (r == 0) {
		int got = reading->lib.archive_read_next_header(reading->archive, &entry);

		if (got == ARCHIVE_EOF)
			return has_end(reading) ? 0
						: bad(reading, NULL,
						      "it ends without a tar's end: it was "
						      "cut off",
						      reterr);
		if (got != ARCHIVE_OK && got != ARCHIVE_WARN)
			return bad_here(reading, NULL, reterr);
		reading->n_entries++;
		r = take_entry(reading, entry, reterr);
	}
	return r;
}

static int open_archive(struct reading *reading, int fd, enum pq_packing packing,
			struct pmuq_error **reterr)
{
	const struct pq_tar_lib *lib = &reading->lib;
	struct archive *archive = lib->archive_read_new();

	reading->archive = archive;
	if (!archive)
		return pq_fail_memory(reterr);
	if (lib->archive_read_support_format_tar(archive) != ARCHIVE_OK ||
	    lib->archive_read_append_filter(archive, packings[packing].filter) != ARCHIVE_OK)
		return bad_here(reading, NULL, reterr);
	if (lib->archive_read_open_fd(archive, fd, BLOCK_BYTES) == ARCHIVE_OK)
		return 0;
	/* It looks at the first block. */
	return packing == PQ_PACKING_NONE ? no_tar(reading->name, reterr)
					  : bad_here(reading, NULL, reterr);
}

/* One directory may stand around all. */
static void choose_top(struct pq_memory *memory)
{
	struct pq_node *top = memory->top, *only = NULL;

	if (pq_memory_child(memory, top, STR("sys")))
		return;
	for (struct pq_node *node = top->first; node; node = node->next) {
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
	cleanup(free_reading) struct reading reading = { .memory = ret, .name = name };
	char head[8];
	ssize_t n = pread(fd, head, sizeof(head), 0);
	struct pmuq_str magic = { .p = head, .n = n < 0 ? 0 : (size_t)n };
	enum pq_packing packing = packing_of(magic);
	struct stat st;
	int r;

	if (fstat(fd, &st) < 0 || (st.st_size < TAR_BLOCK_BYTES && packing == PQ_PACKING_NONE))
		return no_tar(name, reterr);
	if ((uint64_t)st.st_size > FILE_MAX_BYTES)
		return too_large(name, "the file itself has more than 256 MiB", reterr);
	if (!pq_memory_init(ret, MEMORY_MAX_BYTES, NODES_MAX))
		return pq_fail_memory(reterr);
	r = pq_tar_load(&reading.lib, reterr);
	if (r == 0)
		r = open_archive(&reading, fd, packing, reterr);
	if (r == 0)
		r = take_entries(&reading, reterr);
	if (r == 0)
		choose_top(ret);
	return r;
}
