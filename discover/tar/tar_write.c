/* SPDX-License-Identifier: MIT */
/* Writes what memory holds as a tar: files, and the directories that were entered. Owned by nobody
 * in particular, so that no name of a user goes with it. */
#include "discover/files/write_file.h"
#include "discover/tar/tar.h"
#include "discover/tar/tar_lib.h"
#include <errno.h>

static const int filters[] = {
	[PQ_PACKING_NONE] = ARCHIVE_FILTER_NONE,
	[PQ_PACKING_GZIP] = ARCHIVE_FILTER_GZIP,
	[PQ_PACKING_XZ] = ARCHIVE_FILTER_XZ,
	[PQ_PACKING_ZSTD] = ARCHIVE_FILTER_ZSTD,
};

struct writing {
	struct pq_tar_lib lib;
	struct archive *archive;
	struct archive_entry *entry;
	const struct pq_tar_options *options;
	int fd;
	int errnum; /* of the first write that failed */
};

/* libarchive loses memory after a write that failed (until 3.8.2): it is told of none, and is soon
 * asked for no more. */
static la_ssize_t take(struct archive *archive, void *of, const void *bytes, size_t n)
{
	struct writing *writing = of;

	(void)archive;
	if (!writing->errnum && !pq_write_all(writing->fd, (struct pmuq_str){ .p = bytes, .n = n }))
		writing->errnum = errno;
	return (la_ssize_t)n;
}

static void free_writing(struct writing *writing)
{
	if (writing->entry)
		writing->lib.archive_entry_free(writing->entry);
	if (writing->archive)
		writing->lib.archive_write_free(writing->archive);
}

static int fail(struct writing *writing, struct pmuq_error **reterr)
{
	const char *why = writing->lib.archive_error_string(writing->archive);

	return pq_fail(reterr, PMUQ_E_CAPTURE_FAILED, "the tar cannot be made: %s",
		       why ? why : "out of memory");
}

static int check_writes(const struct writing *writing, struct pmuq_error **reterr)
{
	if (!writing->errnum)
		return 0;
	pq_fail(reterr, PMUQ_E_CAPTURE_FAILED, "the tar cannot be written: %s",
		strerror(writing->errnum));
	pq_error_errno(reterr, writing->errnum);
	return -PMUQ_E_CAPTURE_FAILED;
}

static bool is_written(const struct pq_node *node)
{
	if (node->ret)
		return false;
	return node->kind == PQ_KIND_FILE ||
	       (node->kind == PQ_KIND_DIR && node->is_known && node->parent);
}

static int write_node(struct writing *writing, const struct pq_node *node,
		      struct pmuq_error **reterr)
{
	cleanup(pq_buf_free) struct pq_buf path = PQ_BUF_NULL;
	const struct pq_tar_lib *lib = &writing->lib;
	bool is_dir = node->kind == PQ_KIND_DIR;
	struct archive_entry *entry = lib->archive_entry_new();

	writing->entry = entry;
	pq_buf_add(&path, writing->options->stem);
	pq_buf_char(&path, '/', 1);
	pq_memory_path(node, &path);
	pq_buf_char(&path, '\0', 1);
	if (!entry || path.failed)
		return pq_fail_memory(reterr);
	lib->archive_entry_set_pathname(entry, path.p);
	lib->archive_entry_set_filetype(entry, is_dir ? AE_IFDIR : AE_IFREG);
	lib->archive_entry_set_perm(entry, is_dir ? 0755 : 0644);
	lib->archive_entry_set_size(entry, is_dir ? 0 : (la_int64_t)node->text.n);
	lib->archive_entry_set_mtime(entry, writing->options->time_s, 0);
	if (lib->archive_write_header(writing->archive, entry) != ARCHIVE_OK)
		return fail(writing, reterr);
	if (!is_dir && node->text.n &&
	    lib->archive_write_data(writing->archive, node->text.p, node->text.n) !=
		    (la_ssize_t)node->text.n)
		return fail(writing, reterr);
	lib->archive_entry_free(entry);
	writing->entry = NULL;
	return check_writes(writing, reterr);
}

/* A filter that libarchive would start a program for is none. */
static int open_archive(struct writing *writing, struct pmuq_error **reterr)
{
	const struct pq_tar_lib *lib = &writing->lib;
	int filter = filters[writing->options->packing];

	writing->archive = lib->archive_write_new();
	if (!writing->archive)
		return pq_fail_memory(reterr);
	if (lib->archive_write_set_format_gnutar(writing->archive) != ARCHIVE_OK ||
	    lib->archive_write_add_filter(writing->archive, filter) != ARCHIVE_OK ||
	    lib->archive_write_set_bytes_in_last_block(writing->archive, 1) != ARCHIVE_OK ||
	    lib->archive_write_open(writing->archive, writing, NULL, take, NULL) != ARCHIVE_OK)
		return fail(writing, reterr);
	return 0;
}

int pq_tar_write(const struct pq_memory *memory, int fd, const struct pq_tar_options *options,
		 struct pmuq_error **reterr)
{
	cleanup(free_writing) struct writing writing = { .options = options, .fd = fd };
	struct pq_node *node = memory->top;
	int r = pq_tar_load(&writing.lib, reterr);

	if (r == 0)
		r = open_archive(&writing, reterr);
	for (; r == 0 && node; node = pq_memory_next(memory->top, node))
		if (is_written(node))
			r = write_node(&writing, node, reterr);
	if (r == 0 && writing.lib.archive_write_close(writing.archive) != ARCHIVE_OK)
		r = fail(&writing, reterr);
	return r == 0 ? check_writes(&writing, reterr) : r;
}
