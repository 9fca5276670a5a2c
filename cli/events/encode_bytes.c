/* SPDX-License-Identifier: MIT */
/* The bytes of attrs, with errors and warnings on stderr. */
#include "cli/events/encode_output.h"
#include "cli/events/fold_encodings.h"

void encode_write_hex(const struct result *result)
{
	for (size_t i = 0; i < pmuq_encodings_count(result->encodings); i++) {
		const struct pmuq_attr *attr = pmuq_encodings_get(result->encodings, i)->attr;
		char line[2 * PMUQ_ATTR_SIZE_MAX + 1];
		size_t n = pq_hex_print(line, attr, attr->size);

		line[n++] = '\n';
		fwrite_unlocked(line, 1, n, stdout);
	}
}

void encode_write_bytes(const struct result *result)
{
	for (size_t i = 0; i < pmuq_encodings_count(result->encodings); i++) {
		const struct pmuq_attr *attr = pmuq_encodings_get(result->encodings, i)->attr;

		fwrite_unlocked(attr, 1, attr->size, stdout);
	}
}

static void report_location(const struct result *result)
{
	fflush(stdout);
	if (result->file)
		fprintf(stderr, "%s:%zu: ", result->file, result->line);
}

static void report_refusal(const struct result *result, size_t index)
{
	const struct pmuq_open_results *opens = result->opens;
	const struct pmuq_encoding *encoding = pmuq_encodings_get(result->encodings, index);
	const char *hint = pmuq_open_results_get(opens, index)->hint.p;
	int errnum = pmuq_open_results_get(opens, index)->errnum;

	report_location(result);
	report(REPORT_WARNING, "%s: the kernel refuses it: %s (%d), %s%s%s", encoding->name.p,
	       pmuq_errno_name(errnum), errnum, pmuq_open_results_get(opens, index)->reason.p,
	       hint ? "; " : "", hint ? hint : "");
}

/* Instances that differ in name and type only have the same warnings. */
static void report_fold(const struct result *result, const struct fold *fold)
{
	const struct pmuq_encoding *encoding = fold_get(fold, 0);

	for (size_t i = 0; i < encoding->n_warnings; i++) {
		const struct pmuq_error *warning = pmuq_encoding_warning(encoding, i);

		report_location(result);
		report_draw(stderr, REPORT_WARNING, warning, result->input, "");
	}
	if (result->opens &&
	    pmuq_open_results_get(result->opens, fold->first)->status == PMUQ_REFUSED)
		report_refusal(result, fold->first);
}

void encode_report_all(const struct result *result)
{
	struct fold fold = { .encodings = result->encodings, .opens = result->opens };
	size_t n;

	if (!result->encodings) {
		encode_report_error(result);
		return;
	}
	n = pmuq_encodings_count(result->encodings);
	for (; fold.first < n; fold.first += fold.n) {
		fold_grow(&fold);
		report_fold(result, &fold);
	}
}
