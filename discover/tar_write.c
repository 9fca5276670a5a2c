/* SPDX-License-Identifier: MIT */
/* Writes what memory holds as a tar: files, and the directories that were entered. Owned by nobody
 * in particular, so that no name of a user goes with it. */
#include "discover/tar.h"
#include "discover/tar_lib.h"
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
};

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
	int errnum = writing->lib.archive_errno(writing->archive);
	int r = pq_fail(reterr, PMUQ_E_CAPTURE_FAILED, "the tar cannot be written: %s%s%s",
			why ? why : "out of memory", errnum > 0 ? ": " : "",
			errnum > 0 ? strerror(errnum) : "");

	if (errnum > 0)
		pq_error_errno(reterr, errnum);
	return r;
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
	return 0;
}

/* A filter that libarchive would start a program for is none. */
static int open_archive(struct writing *writing, int fd, struct pmuq_error **reterr)
{
	const struct pq_tar_lib *lib = &writing->lib;
	int filter = filters[writing->options->packing];

	writing->archive = lib->archive_write_new();
	if (!writing->archive)
		return pq_fail_memory(reterr);
	if (lib->archive_write_set_format_gnutar(writing->archive) != ARCHIVE_OK ||
	    lib->archive_write_add_filter(writing->archive, filter) != ARCHIVE_OK ||
	    lib->archive_write_open_fd(writing->archive, fd) != ARCHIVE_OK)
		return fail(writing, reterr);
	return 0;
}

int pq_tar_write(const struct pq_memory *memory, int fd, const struct pq_tar_options *options,
		 struct pmuq_error **reterr)
{
	cleanup(free_writing) struct writing writing = { .options = options };
	struct pq_node *node = memory->top;
	int r = pq_tar_load(&writing.lib, reterr);

	if (r == 0)
		r = open_archive(&writing, fd, reterr);
	for (; r == 0 && node; node = pq_memory_next(memory->top, node))
		if (is_written(node))
			r = write_node(&writing, node, reterr);
	if (r == 0 && writing.lib.archive_write_close(writing.archive) != ARCHIVE_OK)
		r = fail(&writing, reterr);
	return r;
}
