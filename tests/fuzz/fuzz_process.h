/* SPDX-License-Identifier: MIT */
/*
 * Replaces pfm/helper_process.c and send(2): the helper of libpfm4 sends its first frame when it is
 * started, and the others when it is sent a request.
 */
#pragma once

#include "tests/fuzz/fuzz.h"

/* Set before a request; not more than a socket contains. */
extern struct pmuq_str fuzz_pfm_sends;
ssize_t __wrap_send(int fd, const void *bytes, size_t n, int flags);

/* Laws of a text and of an encoding that the library has read. */
void fuzz_pfm_text(struct pmuq_str text);
void fuzz_pfm_encoding(const struct pmuq_pfm_encoding *encoding);
