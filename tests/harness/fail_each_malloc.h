/* SPDX-License-Identifier: MIT */
/*
 * Each allocation of a call fails once: then the call fails with PMUQ_E_MEMORY and returns nothing,
 * or its result is the usual one. Builds with sanitizers, for coverage and for mutations allocate
 * each piece of an arena separately (PQ_SEPARATE_BLOCKS). Calls with equal stacks are tried once,
 * or all of them with PMUQ_ALL_CALLS in the environment.
 */
#pragma once

#include <pmuq/pmuq.h>

/* What a call needs; each uses some of it. */
struct call_input {
	const char *dir, *text;
	const struct pmuq_catalog *catalog, *other;
	const struct pmuq_encode_options *options;
	const struct pmuq_attr *attr;
	const struct pmuq_decode_options *decoding;
	const void *bytes;
	size_t n_bytes;
	enum pmuq_document_form form;
};

struct call_type {
	const char *name;
	int (*call)(const struct call_input *in, void **ret, struct pmuq_error **reterr);
	/* The result as text, to be freed. */
	char *(*print)(const struct call_input *in, const void *result);
	void (*free)(void *result);
};

/* Fails the test at the first other result. */
void fail_each_malloc(const struct call_type *type, const struct call_input *in);
