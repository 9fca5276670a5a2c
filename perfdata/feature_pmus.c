/* SPDX-License-Identifier: MIT */
/* Features about PMUs: their types, caps and CPUs. */
#include "perfdata/feature.h"
#include <inttypes.h>

static uint32_t count_pmus(struct pq_feature_reader *in)
{
	uint32_t n = pq_file_cursor_count(in->cursor, 2 * sizeof(uint32_t), "PMUs");

	if (n > PQ_RECORDED_PMUS_MAX)
		pq_file_cursor_fail(in->cursor, sizeof(n),
				    "%" PRIu32
				    " PMUs are more than any machine has: the limit is %u",
				    n, PQ_RECORDED_PMUS_MAX);
	return n;
}

/* The PMUs of the machine, each with its type. */
void pq_read_pmus(struct pq_feature_reader *in)
{
	uint32_t n = count_pmus(in);

	for (uint32_t i = 0; i < n && !pq_feature_failed(in); i++) {
		uint32_t type = pq_file_cursor_u32(in->cursor, "the type of a PMU");
		struct pmuq_str name = pq_file_cursor_str(in->cursor, "the name of a PMU");

		pq_value_print(in, name, "%" PRIu32, type);
	}
}

static void read_pairs(struct pq_feature_reader *in, uint32_t n, const char *name_of,
		       const char *text_of)
{
	for (uint32_t i = 0; i < n && !pq_feature_failed(in); i++) {
		struct pmuq_str name = pq_file_cursor_str(in->cursor, name_of);
		struct pmuq_str text = pq_file_cursor_str(in->cursor, text_of);

		pq_value(in, name, text);
	}
}

/* Caps of the PMU 'cpu'. */
void pq_read_cpu_caps(struct pq_feature_reader *in)
{
	read_pairs(in, pq_file_cursor_count(in->cursor, 2 * sizeof(uint32_t), "caps"),
		   "the name of a cap", "the value of a cap");
}

/* The core PMUs of a hybrid CPU, each with its CPUs. */
void pq_read_hybrid(struct pq_feature_reader *in)
{
	read_pairs(in, count_pmus(in), "the name of a PMU", "the CPUs of a PMU");
}

/* "cpu_core/branches": the name of the PMU comes after its caps. */
static void name_caps(struct pq_feature_reader *in, size_t from, struct pmuq_str pmu)
{
	struct pmuq_pair *caps = in->values.v;

	for (size_t i = from; i < in->values.n && !pq_feature_failed(in); i++) {
		cleanup(pq_buf_free) struct pq_buf name = PQ_BUF_NULL;

		pq_buf_print(&name, "%.*s/%.*s", STR_ARG(pmu), STR_ARG(caps[i].name));
		caps[i].name = pq_value_copy(in, pq_buf_str(&name));
		if (!caps[i].name.p)
			caps[i].name = STR("");
	}
}

void pq_read_pmu_caps(struct pq_feature_reader *in)
{
	uint32_t n = count_pmus(in);

	for (uint32_t i = 0; i < n && !pq_feature_failed(in); i++) {
		size_t from = in->values.n;

		pq_read_cpu_caps(in);
		name_caps(in, from, pq_file_cursor_str(in->cursor, "the name of a PMU"));
	}
}
