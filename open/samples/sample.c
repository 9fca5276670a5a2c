/* SPDX-License-Identifier: MIT */
/* Reads the fields of records. Each is a number of words of 64 bits. */
#include "open/samples/sample.h"
#include "core/flags.h"
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
		words->n = 0;
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

/* Two numbers of 32 bits, the first one at the lower address. */
static void take_pair(struct rest *words, uint32_t *ret_first, uint32_t *ret_second)
{
	const uint64_t *at = take_all(words, 1);

	if (!at)
		return;
	memcpy(ret_first, at, sizeof(*ret_first));
	memcpy(ret_second, (const char *)at + sizeof(*ret_first), sizeof(*ret_second));
}

/* The number of words of these fields, which have one each. */
static size_t words_in(const struct pq_sample_layout *layout, uint64_t fields)
{
	return (size_t)__builtin_popcountll(layout->types & fields);
}

/* Fields that come after the id where it is last. */
#define AFTER_ID ((uint64_t)(PQ_SAMPLE_STREAM_ID | PQ_SAMPLE_CPU | PQ_SAMPLE_IDENTIFIER))

/* Samples begin with these fields, and all other records end with them, in another order. */
static uint64_t time_of(struct rest words, const struct pq_sample_layout *layout, bool is_sample)
{
	size_t before = words_in(layout, PQ_SAMPLE_IDENTIFIER | PQ_SAMPLE_IP | PQ_SAMPLE_TID);
	size_t last = words_in(layout, PQ_SAMPLE_TIME | PQ_SAMPLE_ID | AFTER_ID);
	size_t at = is_sample ? before : words.n - last;

	take_all(&words, at);
	return take(&words);
}

static uint64_t id_of(struct rest words, const struct pq_sample_layout *layout, bool is_sample)
{
	bool is_fixed = layout->types & PQ_SAMPLE_IDENTIFIER;
	size_t before =
		words_in(layout, PQ_SAMPLE_IP | PQ_SAMPLE_TID | PQ_SAMPLE_TIME | PQ_SAMPLE_ADDR);
	size_t last = is_fixed ? 1 : words_in(layout, PQ_SAMPLE_ID | AFTER_ID);
	size_t at = !is_sample ? words.n - last : is_fixed ? 0 : before;

	take_all(&words, at);
	return take(&words);
}

struct pq_record_id pq_record_identify(const struct pq_record_header *record,
				       const struct pq_sample_layout *layout)
{
	bool is_sample = record->type == PERF_RECORD_SAMPLE;
	struct pq_record_id found = { 0 };

	if (!is_sample && !layout->has_id_all)
		return found;
	if (layout->types & PQ_SAMPLE_TIME)
		found.time_ns = time_of(words_of(record), layout, is_sample);
	if (layout->types & (PQ_SAMPLE_ID | PQ_SAMPLE_IDENTIFIER))
		found.id = id_of(words_of(record), layout, is_sample);
	return found;
}

/* The fields of one word, which come first. */
static void parse_head(struct rest *words, uint64_t types, struct pmuq_sample *ret)
{
	uint32_t reserved;

	if (types & PQ_SAMPLE_IDENTIFIER)
		ret->id = take(words);
	if (types & PQ_SAMPLE_IP)
		ret->ip = take(words);
	if (types & PQ_SAMPLE_TID)
		take_pair(words, &ret->pid, &ret->tid);
	if (types & PQ_SAMPLE_TIME)
		ret->time_ns = take(words);
	if (types & PQ_SAMPLE_ADDR)
		ret->addr = take(words);
	if (types & PQ_SAMPLE_ID)
		ret->id = take(words);
	if (types & PQ_SAMPLE_STREAM_ID)
		ret->stream_id = take(words);
	if (types & PQ_SAMPLE_CPU)
		take_pair(words, &ret->cpu, &reserved);
	if (types & PQ_SAMPLE_PERIOD)
		ret->period = take(words);
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
	if (n > words->n)
		words->is_short = true;
	if (words->is_short)
		return;
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

static void parse_middle(struct rest *words, const struct pq_sample_layout *layout,
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

static void parse_tail(struct rest *words, const struct pq_sample_layout *layout,
		       struct pmuq_sample *ret)
{
	uint64_t types = layout->types;

	if (types & (PQ_SAMPLE_WEIGHT | PQ_SAMPLE_WEIGHT_STRUCT))
		ret->weight = take(words);
	if (types & PQ_SAMPLE_DATA_SRC)
		ret->data_src = take(words);
	if (types & PQ_SAMPLE_TRANSACTION)
		ret->transaction = take(words);
	if (types & PQ_SAMPLE_REGS_INTR)
		ret->intr_registers = take_registers(words, layout->intr_registers, &ret->intr_abi,
						     &ret->n_intr_registers);
	if (types & PQ_SAMPLE_PHYS_ADDR)
		ret->phys_addr = take(words);
	if (types & PQ_SAMPLE_CGROUP)
		ret->cgroup = take(words);
	if (types & PQ_SAMPLE_DATA_PAGE_SIZE)
		ret->data_page_bytes = take(words);
	if (types & PQ_SAMPLE_CODE_PAGE_SIZE)
		ret->code_page_bytes = take(words);
	if (types & PQ_SAMPLE_AUX)
		ret->aux = take_bytes(words, &ret->aux_bytes);
}

bool pq_sample_parse(const struct pq_record_header *record, const struct pq_sample_layout *layout,
		     struct pmuq_sample *ret)
{
	struct rest words = words_of(record);

	*ret = (struct pmuq_sample){ .size = sizeof(*ret), .types = layout->types };
	parse_head(&words, layout->types, ret);
	parse_middle(&words, layout, ret);
	parse_tail(&words, layout, ret);
	return !words.is_short;
}
