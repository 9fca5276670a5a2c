/* SPDX-License-Identifier: MIT */
/* Reads the fields of records. Each is a number of words of 64 bits. */
#include "open/samples/sample.h"
#include "core/flags.h"
#include <assert.h>
#include <linux/perf_event.h>
#include <string.h>

/* The rest of a record. After a field that goes beyond it, `is_short` is set, and all further
 * fields are 0. */
struct rest {
	const uint64_t *at;
	size_t n;
	bool is_short;
};

static struct rest words_of(const struct pq_record_header *record)
{
	return (struct rest){
		.at = (const uint64_t *)(record + 1),
		.n = (record->bytes - sizeof(*record)) / sizeof(uint64_t),
	};
}

static const uint64_t *take_all(struct rest *words, uint64_t n)
{
	const uint64_t *at = n ? words->at : NULL;

	if (n > words->n) {
		words->is_short = true;
		return NULL;
	}
	words->at += n;
	words->n -= n;
	return at;
}

static uint64_t take(struct rest *words)
{
	const uint64_t *at = take_all(words, 1);

	return at ? *at : 0;
}

/* The number of words of these fields, which have one each. */
static uint8_t words_in(uint64_t types, uint64_t fields)
{
	return (uint8_t)__builtin_popcountll(types & fields);
}

/* Fields that come after the id where it is last. */
#define AFTER_ID ((uint64_t)(PQ_SAMPLE_STREAM_ID | PQ_SAMPLE_CPU | PQ_SAMPLE_IDENTIFIER))

struct pq_sample_layout pq_sample_layout_of(const struct pmuq_attr *attr, uint64_t read_format)
{
	uint64_t types = attr->sample_type, with_id = PQ_SAMPLE_ID | PQ_SAMPLE_IDENTIFIER;
	bool is_fixed = types & PQ_SAMPLE_IDENTIFIER;
	struct pq_sample_layout layout = {
		.types = types,
		.read_format = read_format,
		.branches = attr->branch_sample_type,
		.user_registers = attr->sample_regs_user,
		.intr_registers = attr->sample_regs_intr,
		.has_id_all = attr->sample_id_all,
	};

	if (types & PQ_SAMPLE_TIME) {
		layout.time_from_end = words_in(types, PQ_SAMPLE_TIME | PQ_SAMPLE_ID | AFTER_ID);
		layout.time_at =
			1 + words_in(types, PQ_SAMPLE_IDENTIFIER | PQ_SAMPLE_IP | PQ_SAMPLE_TID);
	}
	if (types & with_id) {
		layout.id_from_end = is_fixed ? 1 : words_in(types, PQ_SAMPLE_ID | AFTER_ID);
		layout.id_at =
			is_fixed ? 1
				 : 1 + words_in(types, PQ_SAMPLE_IP | PQ_SAMPLE_TID |
							       PQ_SAMPLE_TIME | PQ_SAMPLE_ADDR);
	}
	return layout;
}

/* The word with that number, from 1, or from the end; 0 if the record has none. */
static uint64_t word_of(struct rest words, bool is_sample, size_t at, size_t from_end)
{
	size_t index = is_sample ? at - 1 : words.n - from_end;

	return at && index < words.n ? words.at[index] : 0;
}

struct pq_record_id pq_record_identify(const struct pq_record_header *record,
				       const struct pq_sample_layout *layout)
{
	bool is_sample = record->type == PERF_RECORD_SAMPLE;
	struct rest words = words_of(record);

	if (!is_sample && !layout->has_id_all)
		return (struct pq_record_id){ 0 };
	return (struct pq_record_id){
		.id = word_of(words, is_sample, layout->id_at, layout->id_from_end),
		.time_ns = word_of(words, is_sample, layout->time_at, layout->time_from_end),
	};
}

/* Fields of one word, in their order; others are between the three runs of them. */
static const struct sample_field {
	uint32_t type;
	uint16_t offset; /* in struct pmuq_sample */
	uint16_t bytes;	 /* from the beginning of the word */
} fields[] = {
#define FIELD(type, member)                                                                        \
	{                                                                                          \
		PQ_SAMPLE_##type, offsetof(struct pmuq_sample, member), 8                          \
	}
	FIELD(IDENTIFIER, id),
	FIELD(IP, ip),
	FIELD(TID, pid), /* and tid after it */
	FIELD(TIME, time_ns),
	FIELD(ADDR, addr),
	FIELD(ID, id),
	FIELD(STREAM_ID, stream_id),
	{ PQ_SAMPLE_CPU, offsetof(struct pmuq_sample, cpu), 4 }, /* the rest is reserved */
	FIELD(PERIOD, period),
#define FIRST_END 9
	FIELD(WEIGHT, weight),
	FIELD(WEIGHT_STRUCT, weight),
	FIELD(DATA_SRC, data_src),
	FIELD(TRANSACTION, transaction),
#define SECOND_END 13
	FIELD(PHYS_ADDR, phys_addr),
	FIELD(CGROUP, cgroup),
	FIELD(DATA_PAGE_SIZE, data_page_bytes),
	FIELD(CODE_PAGE_SIZE, code_page_bytes),
#undef FIELD
};

static_assert(offsetof(struct pmuq_sample, tid) == offsetof(struct pmuq_sample, pid) + 4,
	      "a word with both");

static void parse_fields(struct rest *words, uint64_t types, size_t from, size_t to,
			 struct pmuq_sample *ret)
{
	for (const struct sample_field *field = fields + from; field < fields + to; field++) {
		uint64_t word;

		if (!(types & field->type))
			continue;
		word = take(words);
		memcpy((char *)ret + field->offset, &word, field->bytes);
	}
}

/* The counts of an event, or of all events of its group. */
static void parse_values(struct rest *words, uint64_t format, struct pmuq_sample *ret)
{
	uint64_t is_group = format & PQ_READ_GROUP;
	uint64_t n_times = (uint64_t)__builtin_popcountll(
		format & (PQ_READ_TOTAL_TIME_ENABLED | PQ_READ_TOTAL_TIME_RUNNING));
	uint64_t n_each = 1 + (uint64_t)__builtin_popcountll(format & (PQ_READ_ID | PQ_READ_LOST));
	uint64_t n_events = is_group && words->n ? *words->at : 1;

	if (n_events > words->n)
		n_events = words->n; /* too many in any case */
	ret->n_values = (is_group ? 1 : 0) + n_times + n_events * n_each;
	ret->values = take_all(words, ret->n_values);
}

/* Bytes after their number, of 32 bits, together whole words. */
static void parse_raw(struct rest *words, struct pmuq_sample *ret)
{
	const uint64_t *at = take_all(words, 1);
	uint32_t bytes;

	if (!at)
		return;
	memcpy(&bytes, at, sizeof(bytes));
	ret->raw = (const char *)at + sizeof(bytes);
	ret->raw_bytes = bytes;
	take_all(words, ((uint64_t)bytes + sizeof(bytes) + 7) / 8 - 1);
}

/* A hardware that has more branches than it sampled reports where it is in its ring. */
static void parse_branches(struct rest *words, uint64_t branches, struct pmuq_sample *ret)
{
	uint64_t n = take(words);

	ret->branch_index = branches & PQ_BRANCH_HW_INDEX ? take(words) : UINT64_MAX;
	if (n > words->n) {
		words->is_short = true;
		return;
	}
	ret->n_branches = 3 * n;
	ret->branches = take_all(words, ret->n_branches);
	ret->n_branch_counters = branches & PQ_BRANCH_COUNTERS ? n : 0;
	ret->branch_counters = take_all(words, ret->n_branch_counters);
}

static const uint64_t *take_registers(struct rest *words, uint64_t mask, uint64_t *ret_abi,
				      size_t *ret_n)
{
	*ret_abi = take(words);
	*ret_n = *ret_abi ? (size_t)__builtin_popcountll(mask) : 0;
	return take_all(words, *ret_n);
}

/* Bytes after their number, of 64 bits. */
static const void *take_bytes(struct rest *words, size_t *ret_bytes)
{
	uint64_t bytes = take(words);

	*ret_bytes = bytes;
	return take_all(words, bytes / 8 + (bytes % 8 != 0));
}

/* The number of bytes that are valid follows the copy. */
static void parse_stack(struct rest *words, struct pmuq_sample *ret)
{
	size_t copied;
	uint64_t valid;

	ret->stack = take_bytes(words, &copied);
	if (!ret->stack)
		return;
	valid = take(words);
	words->is_short |= valid > copied;
	ret->stack_bytes = valid;
}

#define LIST_TYPES                                                                                 \
	((uint64_t)(PQ_SAMPLE_READ | PQ_SAMPLE_CALLCHAIN | PQ_SAMPLE_RAW |                         \
		    PQ_SAMPLE_BRANCH_STACK | PQ_SAMPLE_REGS_USER | PQ_SAMPLE_STACK_USER))

static void parse_lists(struct rest *words, const struct pq_sample_layout *layout,
			struct pmuq_sample *ret)
{
	uint64_t types = layout->types;

	if (types & PQ_SAMPLE_READ)
		parse_values(words, layout->read_format, ret);
	if (types & PQ_SAMPLE_CALLCHAIN) {
		ret->n_callers = take(words);
		ret->callers = take_all(words, ret->n_callers);
	}
	if (types & PQ_SAMPLE_RAW)
		parse_raw(words, ret);
	if (types & PQ_SAMPLE_BRANCH_STACK)
		parse_branches(words, layout->branches, ret);
	if (types & PQ_SAMPLE_REGS_USER)
		ret->user_registers = take_registers(words, layout->user_registers, &ret->user_abi,
						     &ret->n_user_registers);
	if (types & PQ_SAMPLE_STACK_USER)
		parse_stack(words, ret);
}

bool pq_sample_parse(const struct pq_record_header *record, const struct pq_sample_layout *layout,
		     struct pmuq_sample *ret)
{
	struct rest words = words_of(record);

	*ret = (struct pmuq_sample){ .size = sizeof(*ret), .types = layout->types };
	parse_fields(&words, layout->types, 0, FIRST_END, ret);
	if (layout->types & LIST_TYPES)
		parse_lists(&words, layout, ret);
	parse_fields(&words, layout->types, FIRST_END, SECOND_END, ret);
	if (layout->types & PQ_SAMPLE_REGS_INTR)
		ret->intr_registers = take_registers(&words, layout->intr_registers, &ret->intr_abi,
						     &ret->n_intr_registers);
	parse_fields(&words, layout->types, SECOND_END, COUNT(fields), ret);
	if (layout->types & PQ_SAMPLE_AUX)
		ret->aux = take_bytes(&words, &ret->aux_bytes);
	return !words.is_short;
}
