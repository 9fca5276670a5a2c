/* SPDX-License-Identifier: MIT */
#include "discover/tar/tar_lib.h"
#include "discover/tar/tar.h"

static const char *const names[] = { PQ_TAR_FUNCTIONS(PQ_LIBRARY_NAME) };

static const struct pq_library library = {
	.file = "libarchive.so.13",
	.need = "a tar needs libarchive",
	.hint = "install the package libarchive13 (Debian's name), "
		"or use a directory instead of a tar",
	.names = names,
	.n = COUNT(names),
};

int pq_tar_load(struct pq_tar_lib *ret, struct pmuq_error **reterr)
{
	return pq_library_load(&library, ret, sizeof(*ret), reterr);
}

int pq_tar_version(struct pq_buf *ret)
{
	struct pq_tar_lib lib;
	int r = pq_tar_load(&lib, NULL);

	if (r == 0)
		pq_buf_add(ret, str_of(lib.archive_version_string()));
	return r;
}
