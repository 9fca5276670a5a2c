/* SPDX-License-Identifier: MIT */
/* Encode a libpfm4 name, for a CPU that this machine does not have: */
#include <pmuq/pmuq.h>
#include <stdio.h>

int main(void)
{
	const char *const names[] = { "skx::MEM_LOAD_RETIRED:L3_MISS" };
	struct pmuq_pfm *pfm = NULL;
	struct pmuq_pfm_encodings *encodings = NULL;
	struct pmuq_error *error = NULL;
	int r = pmuq_pfm_open(NULL, &pfm, &error);

	if (r == 0)
		r = pmuq_pfm_encode(pfm, NULL, names, 1, &encodings, &error);
	if (r == 0) {
		const struct pmuq_pfm_encoding *encoding =
			pmuq_pfm_encodings_get(encodings, 0);

		printf("%s\n", pmuq_pfm_encoding_code(encoding, 0)->terms.p);
	} else {
		fprintf(stderr, "%s\n", error->message.p);
	}
	pmuq_error_free(error);
	pmuq_pfm_encodings_free(encodings);
	pmuq_pfm_free(pfm);
	return r < 0;
}
