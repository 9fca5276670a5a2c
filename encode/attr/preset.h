/* SPDX-License-Identifier: MIT */
/* What the files of a preset share: preset.c walks the encodings, preset_callers.c sets what
 * samples of callers and of a trace need. */
#pragma once

#include "encode/attr/assign.h"

/* The tool terms that a preset applies, by the name that an encoding has for them. */
enum pq_preset_term {
	PQ_TERM_INHERIT,
	PQ_TERM_SAMPLE_READ,
	PQ_TERM_PERIOD,
	PQ_TERM_FREQ,
	PQ_TERM_CALL_GRAPH,
	PQ_TERM_STACK_SIZE,
	PQ_TERM_MAX_STACK,
	PQ_TERM_TIME,
	PQ_TERM_PRECISE_MAX,
	PQ_TERM_OVERWRITE,
	PQ_TERM_AUX_OUTPUT,
	PQ_TERM_AUX_ACTION,
	PQ_TERM_AUX_SAMPLE_SIZE,
	PQ_TERM_BRANCH_TYPE,
	PQ_TERM_RETIRE_LATENCY,
};

/* One run over the result. */
struct pq_preset {
	const struct pq_encoder *e;
	struct pmuq_encodings *result;
	struct pmuq_str tool, arch;
	bool is_on_cpus; /* no event counts a task */
	bool is_running; /* the task that is sampled runs already: nothing waits for its exec */
	bool is_hybrid;
	const struct pq_encoding *tracker; /* reports mappings; NULL: an event of the tool does */
	int r;				   /* the first failure */
};

/* The term of an encoding; NULL: it has none. */
const struct pq_tool_term *pq_preset_find(const struct pq_encoding *encoding,
					  enum pq_preset_term term);
/* The number of the term; `otherwise` if there is no term, or its text is not a number. */
uint64_t pq_preset_number_of(const struct pq_tool_term *term, uint64_t otherwise);
/* Assigns a field, or adds bits to it, because of the term, or (NULL) of the tool. */
void pq_preset_set(struct pq_preset *p, struct pq_encoding *encoding, enum pq_attr_field field,
		   uint64_t value, const struct pq_tool_term *by);
void pq_preset_add(struct pq_preset *p, struct pq_encoding *encoding, enum pq_attr_field field,
		   uint64_t bits, const struct pq_tool_term *by);

/* preset_callers.c */
void pq_preset_set_call_graph(struct pq_preset *p, struct pq_encoding *encoding);
void pq_preset_set_aux(struct pq_preset *p, struct pq_encoding *encoding);
