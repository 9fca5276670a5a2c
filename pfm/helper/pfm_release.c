/* SPDX-License-Identifier: MIT */
/*
 * Finds the file of the library by the address of one of its functions, and its build id in the
 * notes that the loader has mapped (elf(5), NT_GNU_BUILD_ID).
 */
#include "pfm/helper/pfm_release.h"
#include <dlfcn.h>
#include <elf.h>
#include <link.h>

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
static void add_file(const char *path, struct pq_buf *ret)
{
	auto_free char *real = realpath(path, NULL);
	const char *slash = real ? strrchr(real, '/') : NULL;

	pq_buf_add(ret, str_of(slash ? slash + 1 : path));
}

void pq_pfm_library(const void *function, struct pq_buf *ret_file, struct pq_buf *ret_build_id)
{
	struct hunt hunt = { .address = (uintptr_t)function, .build_id = ret_build_id };
	Dl_info info;

	if (dladdr(function, &info) && info.dli_fname)
		add_file(info.dli_fname, ret_file);
	dl_iterate_phdr(visit, &hunt);
}
