/* SPDX-License-Identifier: MIT */
/* In the helper: libpfm4's encoder. */
#pragma once

#include "core/str.h"
#include <stdint.h>

/* Why libpfm4 does not encode a name, by its error number. */
enum pq_pfm_refusal {
	PQ_PFM_REFUSED_NOTHING,
	PQ_PFM_REFUSED_NAME,	    /* no such PMU or event */
	PQ_PFM_REFUSED_COMBINATION, /* umasks that exclude each other */
	PQ_PFM_REFUSED_UMASK,	    /* one is missing */
	PQ_PFM_REFUSED_ATTRIBUTE,
	PQ_PFM_REFUSED_VALUE,
	PQ_PFM_REFUSED_TWICE, /* two values for one attribute */
	PQ_PFM_REFUSED_MANY,  /* more attributes than its array holds: not passed to it */
	PQ_PFM_REFUSED_ALL,   /* all other reasons */
};

struct pq_pfm_coded {
	uint64_t config[3];
	uint32_t type;
	struct pmuq_str
		sysfs;	 /* the PMU whose type was opened, or empty; valid until the next call */
	char *canonical; /* to be freed; NULL after a refusal */
};

/* Has libpfm4 encode a complete name, with a PMU. Its tokens must fit into libpfm4's array, whose
 * end libpfm4 does not check: see helper_name.c. */
enum pq_pfm_refusal pq_pfm_encode(const char *name, struct pq_pfm_coded *ret);
/* The PMU whose type libpfm4 opened during the last encoding, by the kernel's name; or empty. Valid
 * until the next encoding. */
struct pmuq_str pq_pfm_last_sysfs(void);
