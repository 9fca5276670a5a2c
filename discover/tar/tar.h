/* SPDX-License-Identifier: MIT */
/*
 * Reads and writes tars in memory, plain or compressed with gzip, xz or zstd. Nothing is unpacked
 * to disk. A tar is not trusted: memory and time are limited, and no entry has a name outside the
 * tar.
 */
#pragma once

#include "discover/files/memory.h"

struct pmuq_error;

enum pq_compression {
	PQ_COMPRESSION_NONE,
	PQ_COMPRESSION_GZIP,
	PQ_COMPRESSION_XZ,
	PQ_COMPRESSION_ZSTD,
};

/* The compression by the suffix of a file name (".tar", ".tar.xz", ".txz" …), and the name without
 * directory and suffix, a part of `path`. False if it is not the name of a tar. */
bool pq_tar_of_name(struct pmuq_str path, enum pq_compression *ret, struct pmuq_str *ret_stem);

/*
 * Reads a tar into *ret, which must be zeroed and which the caller frees, also on failure. Its top
 * is the directory that contains sys/: that of the tar, or the only one in it. `name` is for
 * errors. The file must be regular, at its start; the caller closes it. 0, -PMUQ_E_NO_ROOT (it is
 * not a tar), -PMUQ_E_BAD_TAR, -PMUQ_E_LARGE_TAR, -PMUQ_E_NO_LIBRARY, -PMUQ_E_MEMORY.
 */
int pq_tar_read(struct pq_memory *ret, int fd, const char *name, struct pmuq_error **reterr);

struct pq_tar_options {
	enum pq_compression compression;
	struct pmuq_str stem; /* the directory of all entries */
	int64_t time_s;	      /* of all entries: seconds since 1970 */
};

/* Writes the files in memory to the file, which the caller closes and which is incomplete after a
 * failure. 0, -PMUQ_E_CAPTURE_FAILED, -PMUQ_E_NO_LIBRARY, -PMUQ_E_MEMORY. */
int pq_tar_write(const struct pq_memory *memory, int fd, const struct pq_tar_options *options,
		 struct pmuq_error **reterr);

/* Appends the version of the library. 0, -PMUQ_E_NO_LIBRARY, -PMUQ_E_MEMORY. */
int pq_tar_version(struct pq_buf *ret);
