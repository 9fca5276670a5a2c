/* SPDX-License-Identifier: MIT */
/* Adjacent encodings that differ only in their PMU and its type, printed as one. */
#pragma once

#include <pmuq/pmuq.h>

struct fold {
	const struct pmuq_encodings *encodings;
	const struct pmuq_open_results *opens; /* NULL: nothing was opened */
	bool keeps_apart;		       /* do not fold */
	size_t first, n; /* the encodings that are printed as one; n is 0 before the first */
};

/* Advances to the next encodings; false after the last. */
bool fold_next(struct fold *fold);
/* One of the folded encodings, by index. */
const struct pmuq_encoding *fold_get(const struct fold *fold, size_t index);

/* "uncore_imc_[0-5]" and "17-22"; the caller frees them. "" without any PMU. */
char *fold_pmus(const struct fold *fold);
char *fold_types(const struct fold *fold);
