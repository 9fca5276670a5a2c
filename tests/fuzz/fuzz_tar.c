/* SPDX-License-Identifier: MIT */
/*
 * A tar of any bytes, with a manifest or without; its checksums are made right first, since
 * otherwise hardly any mutation would be read. No entry leads out of the tar, memory stays within
 * its limit, and what was read is written and read again as the same files. The machine in it has a
 * lazy source and a catalog that agree.
 */
#include "discover/tar/tar.h"
#include "tests/fuzz/fuzz_files.h"
#include "tests/unit/law.h"
#include <sys/mman.h>

#define BLOCK 512u
#define SUM_OFFSET 148u
#define SUM_BYTES 8u
#define MAGIC_OFFSET 257u
/* Files of no more bytes than the input has, and their nodes. */
#define MEMORY_MAX_BYTES ((size_t)4 << 20)

/* Of each block that may be a header: a content that looks like one is changed too, which does not
 * matter. */
static void mend_checksums(char *bytes, size_t n)
{
	for (size_t at = 0; n - at >= BLOCK; at += BLOCK) {
		char *header = bytes + at;
		unsigned sum = 0;

		if (memcmp(header + MAGIC_OFFSET, "ustar", 5) != 0)
			continue;
		memset(header + SUM_OFFSET, ' ', SUM_BYTES);
		for (size_t i = 0; i < BLOCK; i++)
			sum += (unsigned char)header[i];
		snprintf(header + SUM_OFFSET, SUM_BYTES, "%06o", sum);
	}
}

/* With the names of each node. */
static void law_of_names(const struct pq_memory *memory)
{
	struct pq_inode *node = memory->top;

	while ((node = pq_memory_next(memory->top, node))) {
		FUZZ_LAW(node->name.n && !memchr(node->name.p, '/', node->name.n));
		FUZZ_LAW(!str_eq(node->name, STR(".")) && !str_eq(node->name, STR("..")));
		FUZZ_LAW(!node->first || node->type == PQ_FILE_DIR);
	}
}

/* What pq_tar_write() writes. */
static bool is_written(const struct pq_inode *node)
{
	return !node->ret && (node->type == PQ_FILE_REGULAR ||
			      (node->type == PQ_FILE_DIR && node->is_known && node->parent));
}

static size_t count_written(const struct pq_memory *memory)
{
	size_t n = 0;

	for (struct pq_inode *node = memory->top; node; node = pq_memory_next(memory->top, node))
		n += is_written(node);
	return n;
}

static void law_of_node(const struct pq_inode *node, const struct pq_memory *again)
{
	struct pq_buf path = PQ_BUF_NULL;
	struct pq_inode *copy = NULL;
	int errnum;

	pq_memory_path(node, &path);
	FUZZ_LAW(pq_memory_resolve(again, again->top, pq_buf_str(&path), PQ_WITHIN_NO_LINKS, &copy,
				   &errnum) == 0);
	FUZZ_LAW(copy->type == node->type);
	FUZZ_LAW(copy->type != PQ_FILE_REGULAR || str_eq(copy->text, node->text));
	pq_buf_free(&path);
}

/* Written below a directory, so that the top is found again if the tree has sys/. */
static void law_of_writing(const struct pq_memory *memory)
{
	const struct pq_tar_options options = { .stem = STR("again") };
	auto_close int fd = memfd_create("fuzz", MFD_CLOEXEC);
	struct pq_memory again = { 0 };
	size_t n = count_written(memory);

	if (!n || !pq_memory_child(memory, memory->top, STR("sys")))
		return;
	FUZZ_LAW(pq_tar_write(memory, fd, &options, NULL) == 0);
	FUZZ_LAW(lseek(fd, 0, SEEK_SET) == 0);
	FUZZ_LAW(pq_tar_read(&again, fd, "again", NULL) == 0);
	if (pq_memory_child(&again, again.top, STR("sys"))) {
		FUZZ_LAW(count_written(&again) == n);
		for (struct pq_inode *node = memory->top; node;
		     node = pq_memory_next(memory->top, node))
			if (is_written(node))
				law_of_node(node, &again);
	}
	pq_memory_free(&again);
}

static void law_of_memory(int fd)
{
	struct pq_memory memory = { 0 };
	struct pmuq_error *error = NULL;
	size_t at_first, used;
	int r = pq_tar_read(&memory, fd, "input", &error);

	FUZZ_LAW((r == 0) == !error);
	if (r < 0)
		fuzz_error(r, error);
	if (r == 0) {
		law_of_names(&memory);
		law_of_writing(&memory);
	}
	pmuq_error_free(error);
	used = memory.arena.left_bytes;
	pq_memory_free(&memory);
	if (used && pq_memory_init(&memory, (size_t)512 << 20, 1)) {
		at_first = memory.arena.left_bytes;
		FUZZ_LAW(at_first < used || at_first - used < MEMORY_MAX_BYTES);
		pq_memory_free(&memory);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	auto_free char *bytes = fuzz_cstr(data, size);
	struct pmuq_error *error = NULL;
	struct pmuq_catalog *catalog;
	struct fuzz_tar tar;

	mend_checksums(bytes, size);
	tar = fuzz_tar_of_bytes((struct pmuq_str){ .p = bytes, .n = size });
	FUZZ_LAW(lseek(tar.fd, 0, SEEK_SET) == 0);
	law_of_memory(tar.fd);
	catalog = fuzz_catalog_of(tar.path, &error);
	if (catalog) {
		law_check_singly(tar.path, true, catalog);
		fuzz_law_of_capture(tar.path, catalog);
	}
	pmuq_catalog_free(catalog);
	pmuq_error_free(error);
	fuzz_tar_close(&tar);
	return 0;
}
