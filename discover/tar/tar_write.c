/* SPDX-License-Identifier: MIT */
/* Writes the files of memory, and the directories that were entered, as a tar. Entries have no
 * owner, so that no name of a user is in it. */
#include "core/io.h"
#include "discover/tar/tar.h"
#include "discover/tar/tar_lib.h"
#include <errno.h>

struct tar_writer {
	struct pq_tar_lib lib;
	struct archive *archive;
	struct archive_entry *entry;
	const struct pq_tar_options *options;
	int fd;
	int errnum; /* of the first write that failed */
};

/* Until 3.8.2 libarchive leaks memory after a failed write, so no failure is reported to it;
 * check_writes() stops writing. */
static la_ssize_t take(struct archive *archive, void *of, const void *bytes, size_t n)
{
	struct tar_writer *writer = of;

	(void)archive;
	if (!writer->errnum && !pq_write_all(writer->fd, (struct pmuq_str){ .p = bytes, .n = n }))
		writer->errnum = errno;
	return (la_ssize_t)n;
}

static void free_writer(struct tar_writer *writer)
{
	if (writer->entry)
		writer->lib.archive_entry_free(writer->entry);
	if (writer->archive)
		writer->lib.archive_write_free(writer->archive);
}

static int fail(struct tar_writer *writer, struct pmuq_error **reterr)
{
	const char *why = writer->lib.archive_error_string(writer->archive);

	if (writer->lib.archive_errno(writer->archive) == ENOMEM)
		return pq_fail_memory(reterr);
	return pq_fail(reterr, PMUQ_E_CAPTURE_FAILED, "the tar cannot be created: %s",
		       why ? why : "out of memory");
}

static int check_writes(const struct tar_writer *writer, struct pmuq_error **reterr)
{
	int r;

	if (!writer->errnum)
		return 0;
	r = pq_fail(reterr, PMUQ_E_CAPTURE_FAILED, "the tar cannot be written: %s",
		    strerror(writer->errnum));
	pq_error_errno(reterr, writer->errnum);
	return r;
}

static bool is_written(const struct pq_inode *node)
{
	if (node->ret)
		return false;
	return node->type == PQ_FILE_REGULAR ||
	       (node->type == PQ_FILE_DIR && node->is_known && node->parent);
}

static int write_node(struct tar_writer *writer, const struct pq_inode *node,
		      struct pmuq_error **reterr)
{
	cleanup(pq_buf_free) struct pq_buf path = PQ_BUF_NULL;
	const struct pq_tar_lib *lib = &writer->lib;
	bool is_dir = node->type == PQ_FILE_DIR;
	struct archive_entry *entry = lib->archive_entry_new();

	writer->entry = entry;
	pq_buf_add(&path, writer->options->stem);
	pq_buf_char(&path, '/', 1);
	pq_memory_path(node, &path);
	pq_buf_char(&path, '\0', 1);
	if (!entry || path.failed)
		return pq_fail_memory(reterr);
	lib->archive_entry_set_pathname(entry, path.p);
	lib->archive_entry_set_filetype(entry, is_dir ? AE_IFDIR : AE_IFREG);
	lib->archive_entry_set_perm(entry, is_dir ? 0755 : 0644);
	lib->archive_entry_set_size(entry, is_dir ? 0 : (la_int64_t)node->text.n);
	lib->archive_entry_set_mtime(entry, writer->options->time_s, 0);
	if (lib->archive_write_header(writer->archive, entry) != ARCHIVE_OK)
		return fail(writer, reterr);
	if (!is_dir && node->text.n &&
	    lib->archive_write_data(writer->archive, node->text.p, node->text.n) !=
		    (la_ssize_t)node->text.n)
		return fail(writer, reterr);
	lib->archive_entry_free(entry);
	writer->entry = NULL;
	return check_writes(writer, reterr);
}

/* A filter for which libarchive would start a program returns ARCHIVE_WARN, which fails here. */
static int open_archive(struct tar_writer *writer, struct pmuq_error **reterr)
{
	const struct pq_tar_lib *lib = &writer->lib;
	int filter = pq_tar_filters[writer->options->compression].code;

	writer->archive = lib->archive_write_new();
	if (!writer->archive)
		return pq_fail_memory(reterr);
	if (lib->archive_write_set_format_gnutar(writer->archive) != ARCHIVE_OK ||
	    lib->archive_write_add_filter(writer->archive, filter) != ARCHIVE_OK ||
	    lib->archive_write_set_bytes_in_last_block(writer->archive, 1) != ARCHIVE_OK ||
	    lib->archive_write_open(writer->archive, writer, NULL, take, NULL) != ARCHIVE_OK)
		return fail(writer, reterr);
	return 0;
}

int pq_tar_write(const struct pq_memory *memory, int fd, const struct pq_tar_options *options,
		 struct pmuq_error **reterr)
{
	cleanup(free_writer) struct tar_writer writer = { .options = options, .fd = fd };
	struct pq_inode *node = memory->top;
	int r = pq_tar_load(&writer.lib, reterr);

	if (r == 0)
		r = open_archive(&writer, reterr);
	for (; r == 0 && node; node = pq_memory_next(memory->top, node))
		if (is_written(node))
			r = write_node(&writer, node, reterr);
	if (r == 0 && writer.lib.archive_write_close(writer.archive) != ARCHIVE_OK)
		r = fail(&writer, reterr);
	return r == 0 ? check_writes(&writer, reterr) : r;
}
