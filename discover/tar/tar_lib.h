/* SPDX-License-Identifier: MIT */
/* The functions of libarchive, which only tar_lib.c loads. */
#pragma once

#include "core/library.h"
#include <archive.h>
#include <archive_entry.h>

// clang-format off
#define PQ_TAR_FUNCTIONS(X) \
	X(archive_entry_filetype) \
	X(archive_entry_free) \
	X(archive_entry_hardlink) \
	X(archive_entry_new) \
	X(archive_entry_pathname) \
	X(archive_entry_pathname_utf8) \
	X(archive_entry_set_filetype) \
	X(archive_entry_set_mtime) \
	X(archive_entry_set_pathname) \
	X(archive_entry_set_perm) \
	X(archive_entry_set_size) \
	X(archive_entry_size) \
	X(archive_entry_symlink) \
	X(archive_entry_symlink_utf8) \
	X(archive_errno) \
	X(archive_error_string) \
	X(archive_filter_bytes) \
	X(archive_read_append_filter) \
	X(archive_read_data) \
	X(archive_read_free) \
	X(archive_read_header_position) \
	X(archive_read_new) \
	X(archive_read_next_header2) \
	X(archive_read_open1) \
	X(archive_read_set_callback_data) \
	X(archive_read_set_read_callback) \
	X(archive_read_support_format_tar) \
	X(archive_set_error) \
	X(archive_version_string) \
	X(archive_write_add_filter) \
	X(archive_write_close) \
	X(archive_write_data) \
	X(archive_write_free) \
	X(archive_write_header) \
	X(archive_write_new) \
	X(archive_write_open) \
	X(archive_write_set_bytes_in_last_block) \
	X(archive_write_set_format_gnutar)
// clang-format on

struct pq_tar_lib {
	PQ_TAR_FUNCTIONS(PQ_LIBRARY_POINTER)
};

/* By enum pq_compression: what a compressed file begins with, and libarchive's code. */
struct pq_tar_filter {
	struct pmuq_str magic;
	int code;
};
extern const struct pq_tar_filter pq_tar_filters[4];

/* 0, -PMUQ_E_NO_LIBRARY. */
int pq_tar_load(struct pq_tar_lib *ret, struct pmuq_error **reterr);
