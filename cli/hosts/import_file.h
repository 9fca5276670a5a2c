/* SPDX-License-Identifier: MIT */
/* What a file is that `pmuq import` is to read. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Determines the type by the first bytes, which can still be read. */
bool import_is_recording(int fd);
/* For a directory of `perf record --threads`: its file `data` describes the machine and the events.
 * A directory without one is refused like any that is read. */
int import_open_within(int dir);
/* A file that does not wait for a writer; 0: of any size. */
bool import_is_regular(int fd, size_t max_bytes);
/* What to do with a file that is neither a document nor a recording. */
void import_note_other(const char *path);
