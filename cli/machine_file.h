/* SPDX-License-Identifier: MIT */
/* Machines in files: captures, recordings and documents. */
#pragma once

#include "cli/status.h"
#include "core/base.h"
#include <pmuq/pmuq.h>

enum file_type {
	FILE_OTHER,   /* a document, or a file without a machine */
	FILE_CAPTURE, /* a directory or a tar; or another packed file */
	FILE_RECORDING,
	FILE_DATABASE,
};

enum file_type machine_file_type(const char *path);
/* Whether it is a regular file that begins like a recording. A pipe is not read. */
bool file_begins_like_recording(const char *path);

/*
 * The machine of a file ("-": a document on stdin). `name` is a host of a document; NULL: the only
 * one. A capture is read lazily, any other file at once. Reports errors.
 */
enum status machine_file_read(const char *path, const char *name, struct pmuq_source **ret);

/* Reports an error with that code; the message is formatted here. `hint` may be NULL. */
enum status machine_fail(enum pmuq_code code, const char *hint, const char *format, ...)
	PQ_PRINTF(3, 4);
