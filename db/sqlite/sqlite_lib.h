/* SPDX-License-Identifier: MIT */
/* The functions of libsqlite3, which only sqlite_lib.c loads. Their names here are without
 * "sqlite3_". pmuq does not link it, so that programs without a database do not need it. */
#pragma once

#include "core/error.h"
#include <sqlite3.h>

// clang-format off
#define PQ_SQLITE_FUNCTIONS(X) \
	X(bind_blob64) \
	X(bind_int64) \
	X(bind_null) \
	X(bind_pointer) \
	X(bind_text64) \
	X(busy_timeout) \
	X(close_v2) \
	X(column_blob) \
	X(column_bytes) \
	X(column_count) \
	X(column_int64) \
	X(column_type) \
	X(db_config) \
	X(errmsg) \
	X(errstr) \
	X(exec) \
	X(extended_errcode) \
	X(extended_result_codes) \
	X(file_control) \
	X(finalize) \
	X(get_autocommit) \
	X(last_insert_rowid) \
	X(libversion) \
	X(libversion_number) \
	X(limit) \
	X(memory_used) \
	X(open_v2) \
	X(prepare_v3) \
	X(progress_handler) \
	X(reset) \
	X(result_int) \
	X(step) \
	X(system_errno) \
	X(value_int64) \
	X(value_pointer) \
	X(vfs_find)
// clang-format on

struct pq_sqlite {
#define X(name) __typeof__(sqlite3_##name) *name;
	PQ_SQLITE_FUNCTIONS(X)
#undef X
};

struct pq_buf;

/* 0, -PMUQ_E_NO_LIBRARY (missing, or too old), -PMUQ_E_MEMORY. */
int pq_sqlite_load(struct pq_sqlite *ret, struct pmuq_error **reterr);
/* Adds the version ("3.40.1"); the same results. */
int pq_sqlite_version(struct pq_buf *ret);
