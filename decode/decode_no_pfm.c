/* SPDX-License-Identifier: MIT */
/* Replaces decode_pfm.c and decode_umasks.c in a build without libpfm4. */
#include "decode/decode.h"

int pq_decode_pfm(struct pq_decoder *d)
{
	(void)d;
	return 0;
}
