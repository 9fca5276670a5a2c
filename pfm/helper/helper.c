/* SPDX-License-Identifier: MIT */
/*
 * pmuq-pfm: libpfm4 in a process of its own, because of its globals, its environment variables and
 * its slow start. Reads requests from stdin and writes results to stdout, as protocol.h describes,
 * until the other side closes the socket. It is not for interactive use, and opens no file.
 */
#include "pfm/helper/helper.h"
#include "core/io.h"
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <perfmon/pfmlib.h>
#include <stdio.h>

#define READ_BYTES ((size_t)64 << 10)

static bool write_all(const struct pq_buf *out)
{
	return !out->failed && pq_write_all(STDOUT_FILENO, pq_buf_str(out));
}

/* Reads until `in` holds `want` bytes; it may then hold more. */
static bool read_more(struct pq_buf *in, size_t want)
{
	while (in->n < want) {
		char bytes[READ_BYTES];
		ssize_t n = pq_read(STDIN_FILENO, bytes, sizeof(bytes));

		if (n <= 0)
			return false;
		pq_buf_add(in, (struct pmuq_str){ .p = bytes, .n = (size_t)n });
		if (in->failed)
			return false;
	}
	return true;
}

/* Handles one request; the bytes after it stay in `in`. False at the end. */
static bool serve(struct pq_pfm_tables *tables, struct pq_buf *in, struct pq_buf *out)
{
	struct pq_pfm_header header;
	struct pq_wire wire;
	size_t whole;

	if (!read_more(in, sizeof(header)))
		return false;
	memcpy(&header, in->p, sizeof(header));
	if (header.magic != PQ_PFM_MAGIC || header.bytes > PQ_PFM_FRAME_MAX_BYTES)
		return false;
	whole = sizeof(header) + header.bytes;
	if (!read_more(in, whole))
		return false;
	wire = (struct pq_wire){ .p = in->p + sizeof(header), .end = in->p + whole };
	out->n = 0;
	if (!pq_helper_handle(tables, &header, &wire, out) || !write_all(out))
		return false;
	in->n -= whole;
	memmove(in->p, in->p + whole, in->n);
	return true;
}

/* ---- the version of libpfm4: the notes that the loader has mapped (elf(5), NT_GNU_BUILD_ID) */

struct hunt {
	uintptr_t address;
	struct pq_buf *build_id;
};

static bool holds(const struct dl_phdr_info *object, uintptr_t address)
{
	for (size_t i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &object->dlpi_phdr[i];

		if (segment->p_type == PT_LOAD &&
		    address - (object->dlpi_addr + segment->p_vaddr) < segment->p_memsz)
			return true;
	}
	return false;
}

static size_t padded(size_t n)
{
	return (n + 3) & ~(size_t)3;
}

static void read_notes(const char *p, size_t n, struct pq_buf *ret)
{
	ElfW(Nhdr) note;

	while (n >= sizeof(note)) {
		size_t bytes, name_bytes;

		memcpy(&note, p, sizeof(note));
		name_bytes = padded(note.n_namesz);
		bytes = sizeof(note) + name_bytes + padded(note.n_descsz);
		if (bytes > n)
			return;
		for (size_t i = 0; note.n_type == NT_GNU_BUILD_ID && i < note.n_descsz; i++)
			pq_buf_print(ret, "%02x", (unsigned char)p[sizeof(note) + name_bytes + i]);
		p += bytes;
		n -= bytes;
	}
}

static int visit(struct dl_phdr_info *object, size_t size, void *data)
{
	const struct hunt *hunt = data;

	(void)size;
	if (!holds(object, hunt->address))
		return 0;
	for (size_t i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &object->dlpi_phdr[i];

		if (segment->p_type == PT_NOTE && segment->p_align <= 4)
			read_notes((const char *)(object->dlpi_addr + segment->p_vaddr),
				   segment->p_memsz, hunt->build_id);
	}
	return 1;
}

/* The soname is a symbolic link to the file whose name contains the release. */
static void add_file(const char *path, struct pq_buf *ret_file, struct pq_buf *ret_path)
{
	auto_free char *real = realpath(path, NULL);
	const char *slash = real ? strrchr(real, '/') : NULL;

	pq_buf_add(ret_file, str_of(slash ? slash + 1 : path));
	pq_buf_add(ret_path, str_of(real ? real : ""));
}

/* The name and the path of the file that holds a function of the library, and its build id in hex;
 * empty if they are not known. Several releases of libpfm4 have one version number. */
static void find_library(const void *function, struct pq_buf *ret_file, struct pq_buf *ret_path,
			 struct pq_buf *ret_build_id)
{
	struct hunt hunt = { .address = (uintptr_t)function, .build_id = ret_build_id };
	Dl_info info;

	if (dladdr(function, &info) && info.dli_fname)
		add_file(info.dli_fname, ret_file, ret_path);
	dl_iterate_phdr(visit, &hunt);
}

static bool send_hello(struct pq_buf *out)
{
	cleanup(pq_buf_free) struct pq_buf file = PQ_BUF_NULL;
	cleanup(pq_buf_free) struct pq_buf build_id = PQ_BUF_NULL;
	cleanup(pq_buf_free) struct pq_buf path = PQ_BUF_NULL;
	size_t begun = pq_wire_begin(out);
	const void *function;

	memcpy(&function, &(int (*)(void)){ pfm_initialize }, sizeof(function));
	find_library(function, &file, &path, &build_id);
	pq_wire_text(out, pq_buf_str(&file));
	pq_wire_text(out, pq_buf_str(&build_id));
	pq_wire_text(out, pq_buf_str(&path));
	pq_wire_end(out, begun, PQ_PFM_HELLO, 1);
	return write_all(out);
}

int main(void)
{
	cleanup(pq_buf_free) struct pq_buf in = PQ_BUF_NULL;
	cleanup(pq_buf_free) struct pq_buf out = PQ_BUF_NULL;
	struct pq_pfm_tables tables = { 0 };

	if (isatty(STDIN_FILENO)) {
		fputs("pmuq-pfm is run by pmuq; it is not a command\n", stderr);
		return 2;
	}
	if (!pq_pfm_tables_open(&tables) || !send_hello(&out)) {
		pq_arena_clear(&tables.arena);
		return 1;
	}
	while (serve(&tables, &in, &out))
		;
	pq_arena_clear(&tables.arena);
	pfm_terminate();
	return 0;
}
