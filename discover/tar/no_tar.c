/* SPDX-License-Identifier: MIT */
/* Replaces tar_lib.c, tar_read.c and tar_write.c in a build without them. */
#include "core/absent.h"
#include "discover/tar/tar.h"

#define PART "tars"
#define OPTION "tar"

int pq_tar_read(struct pq_memory *ret, int fd, const char *name, struct pmuq_error **reterr)
{
	(void)ret;
	(void)fd;
	(void)name;
	return pq_absent(reterr, PART, OPTION);
}

int pq_tar_write(const struct pq_memory *memory, int fd, const struct pq_tar_options *options,
		 struct pmuq_error **reterr)
{
	(void)memory;
	(void)fd;
	(void)options;
	return pq_absent(reterr, PART, OPTION);
}

int pq_tar_version(struct pq_buf *ret)
{
	(void)ret;
	return pq_absent(NULL, PART, OPTION);
}
