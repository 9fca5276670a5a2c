/* SPDX-License-Identifier: MIT */
/*
 * Laws of every result: a broken law aborts, so that the fuzzer keeps the input. And machines to
 * query, from their files and from memory.
 */
#pragma once

#include "core/base.h"
#include <pmuq/pmuq.h>

/* The entry point of libFuzzer. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FUZZ_LAW(law) ((law) ? (void)0 : fuzz_broken(__FILE__, __LINE__, #law))
_Noreturn void fuzz_broken(const char *file, int line, const char *law);
/* The same text, or both are printed. */
void fuzz_same(const char *a_is, const char *a, const char *b_is, const char *b);

/* A copy that ends where the input ends, so that a sanitizer detects a read beyond it. */
char *fuzz_cstr(const uint8_t *data, size_t size);

/* Laws for every error of a call that returns `r`, and for all encodings. */
void fuzz_error(int r, const struct pmuq_error *error);
void fuzz_encodings(const struct pmuq_encodings *encodings);

struct fuzz_machine {
	char *dir;
	struct pmuq_catalog *catalog;
};

/* Reads the catalog of `dir`; a source of it is opened for each query. */
void fuzz_machine_open(struct fuzz_machine *machine, const char *dir);
void fuzz_machine_close(struct fuzz_machine *machine);
/* One of the captured machines that meson.build lists, by number modulo their count. */
const struct fuzz_machine *fuzz_machine_listed(unsigned number);

/* The string gives the same result on a catalog, on a new source, and on a source with earlier
 * queries; in both dialects. Returns the encodings or the error for the options, the other is NULL;
 * to be freed. */
void fuzz_encode(const struct fuzz_machine *machine, const char *event,
		 const struct pmuq_encode_options *options, struct pmuq_encodings **ret,
		 struct pmuq_error **reterr);
