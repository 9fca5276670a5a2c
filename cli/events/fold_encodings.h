/* SPDX-License-Identifier: MIT */
/* Adjacent encodings that differ only in their PMU and its type, printed as one. */
#pragma once

#include <pmuq/pmuq.h>

struct fold {
	const struct pmuq_encodings *encodings;
	const struct pmuq_open_results *opens; /* NULL: nothing was opened */
	bool keeps_apart;		       /* each encoding is one of its own */
	size_t first, n;		       /* those that are one; n is 0 before the first */
};

/* Goes on to the next ones; false after the last. */
bool fold_next(struct fold *fold);
/* Of those that are one, by index. */
const struct pmuq_encoding *fold_get(const struct fold *fold, size_t index);

/* "uncore_imc_[0-5]" and "17-22"; to be freed. No PMU at all gives "". */
char *fold_pmus(const struct fold *fold);
char *fold_types(const struct fold *fold);
