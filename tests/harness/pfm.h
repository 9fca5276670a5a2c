/* SPDX-License-Identifier: MIT */
/* Requests to a helper, the one of the build tree or a fake. */
#pragma once

#include "tests/unit/cmocka_all.h"
#include <fcntl.h>
#include <pmuq/pmuq.h>

static inline struct pmuq_pfm *pfm_open(const char *helper, unsigned timeout_ms)
{
	struct pmuq_pfm_options options = { .size = sizeof(options),
					    .helper = helper,
					    .timeout_ms = timeout_ms };
	struct pmuq_pfm *pfm = NULL;

	assert_int_equal(pmuq_pfm_open(&options, &pfm, NULL), 0);
	return pfm;
}

static inline struct pmuq_pfm_encodings *pfm_request(struct pmuq_pfm *pfm, const char *cpuid,
						     const char *const *names, size_t n)
{
	struct pmuq_pfm_encodings *encodings = NULL;
	struct pmuq_error *error = NULL;

	if (pmuq_pfm_encode(pfm, cpuid, names, n, &encodings, &error) < 0)
		fail_msg("%s", error->message.p);
	assert_int_equal(pmuq_pfm_encodings_count(encodings), n);
	return encodings;
}

/* What is open in this process. */
static inline size_t count_descriptors(void)
{
	size_t n = 0;

	for (int fd = 0; fd < 1024; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}
