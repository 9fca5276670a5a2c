/* SPDX-License-Identifier: MIT */
/* The attrs of an answer alone, and on stderr what is to be said about them. */
#include "cli/events/encode_output.h"
#include "cli/events/fold_encodings.h"

void encode_write_hex(const struct answer *answer)
{
	for (size_t i = 0; i < pmuq_encodings_count(answer->encodings); i++) {
		const struct pmuq_attr *attr = pmuq_encodings_get(answer->encodings, i)->attr;
		char line[2 * PMUQ_ATTR_SIZE_MAX + 1];
		size_t n = pq_hex_print(line, attr, attr->size);

		line[n++] = '\n';
		fwrite_unlocked(line, 1, n, stdout);
	}
}

void encode_write_raw(const struct answer *answer)
{
	for (size_t i = 0; i < pmuq_encodings_count(answer->encodings); i++) {
		const struct pmuq_attr *attr = pmuq_encodings_get(answer->encodings, i)->attr;

		fwrite_unlocked(attr, 1, attr->size, stdout);
	}
}

static void report_place(const struct answer *answer)
{
	fflush(stdout);
	if (answer->file)
		fprintf(stderr, "%s:%zu: ", answer->file, answer->line);
}

static void report_refusal(const struct answer *answer, size_t index)
{
	const struct pmuq_open_results *verdicts = answer->verdicts;
	const struct pmuq_encoding *encoding = pmuq_encodings_get(answer->encodings, index);
	const char *hint = pmuq_open_results_get(verdicts, index)->hint.p;
	int errnum = pmuq_open_results_get(verdicts, index)->errnum;

	report_place(answer);
	report(REPORT_WARNING, "%s: the kernel refuses it: %s (%d), %s%s%s", encoding->name.p,
	       pmuq_errno_name(errnum), errnum, pmuq_open_results_get(verdicts, index)->reason.p,
	       hint ? "; " : "", hint ? hint : "");
}

/* Boxes that differ in name and type only have the same to say. */
static void report_fold(const struct answer *answer, const struct fold *fold)
{
	const struct pmuq_encoding *encoding = fold_get(fold, 0);

	for (size_t i = 0; i < encoding->n_warnings; i++) {
		struct diagnosis warning = diagnosis_of(pmuq_encoding_warning(encoding, i));

		report_place(answer);
		report_draw(stderr, REPORT_WARNING, &warning, answer->input, "");
	}
	if (answer->verdicts &&
	    pmuq_open_results_get(answer->verdicts, fold->first)->status == PMUQ_REFUSED)
		report_refusal(answer, fold->first);
}

void encode_report_talk(const struct answer *answer)
{
	struct fold fold = { .encodings = answer->encodings, .verdicts = answer->verdicts };
	size_t n;

	if (!answer->encodings) {
		encode_report_error(answer);
		return;
	}
	n = pmuq_encodings_count(answer->encodings);
	for (; fold.first < n; fold.first += fold.n) {
		fold_grow(&fold);
		report_fold(answer, &fold);
	}
}
