/* SPDX-License-Identifier: MIT */
/*
 * Tars, plain or compressed with gzip, xz or zstd: into memory, and out of it. Nothing is unpacked
 * to disk. What a tar holds is not trusted: whatever its entries say, memory and time are bounded,
 * and none of them has a name outside of it.
 */
#ifndef PQ_TAR_H
#define PQ_TAR_H

#include "discover/files/memory.h"

struct pmuq_error;

/* What is packed around a tar. */
enum pq_packing {
	PQ_PACKING_NONE,
	PQ_PACKING_GZIP,
	PQ_PACKING_XZ,
	PQ_PACKING_ZSTD,
};

/* By the end of a file's name: ".tar", ".tar.xz", ".txz" … Puts the name without its directory and
 * ending out. False when it is no tar's. */
bool pq_tar_of_name(struct pmuq_str path, enum pq_packing *ret, struct pmuq_str *ret_stem);

/*
 * All that the tar holds, into *ret, which is zeroed, or to be freed by the caller on failure, too.
 * Its top is the directory that holds sys/: the tar's own, or the one that it begins with. `name`
 * is for errors. 0, -PMUQ_E_NO_ROOT (it is no tar), -PMUQ_E_BAD_TAR, -PMUQ_E_LARGE_TAR,
 * -PMUQ_E_NO_LIBRARY, -PMUQ_E_MEMORY.
 */
int pq_tar_read(struct pq_memory *ret, int fd, const char *name, struct pmuq_error **reterr);

struct pq_tar_options {
	enum pq_packing packing;
	struct pmuq_str stem; /* the directory that all stands in */
	int64_t time_s;	      /* of all entries */
};

/* All that is known in memory, into the file. 0, -PMUQ_E_CAPTURE_FAILED, -PMUQ_E_NO_LIBRARY,
 * -PMUQ_E_MEMORY. */
int pq_tar_write(const struct pq_memory *memory, int fd, const struct pq_tar_options *options,
		 struct pmuq_error **reterr);

/* The version of the library; false where there is none. */
bool pq_tar_version(struct pq_buf *ret);

#endif
