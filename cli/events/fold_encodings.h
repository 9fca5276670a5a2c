/* SPDX-License-Identifier: MIT */
/* Adjacent encodings that differ only in their PMU and its type, printed as one. */
#ifndef PQ_CLI_FOLD_H
#define PQ_CLI_FOLD_H

#include "cli/cli_base.h"

struct fold {
	const struct pmuq_encodings *encodings;
	const struct pmuq_open_results *opens; /* NULL: nothing was opened */
	size_t first, n;
};

/* Sets `n`, 1 at least, from `first` on. */
void fold_grow(struct fold *fold);
const struct pmuq_encoding *fold_get(const struct fold *fold, size_t index);

/* "uncore_imc_[0-5]" and "17-22"; to be freed, NULL when out of memory. No PMU at all gives "". */
char *fold_pmus(const struct fold *fold);
char *fold_types(const struct fold *fold);

#endif
