/* SPDX-License-Identifier: MIT */
/* Features about the hardware: CPUs, memory, caches. */
#include "core/ranges.h"
#include "perfdata/feature.h"
#include <inttypes.h>
#include <stdio.h>

/* Reads a list of texts, each of which becomes a value of that name. */
static void read_list(struct pq_feature_reader *in, const char *name)
{
	uint32_t n = pq_file_cursor_count(in->cursor, sizeof(uint32_t), name);

	for (uint32_t i = 0; i < n && !pq_feature_failed(in); i++)
		pq_value(in, str_of(name), pq_file_cursor_str(in->cursor, "a list of CPUs"));
}

/* An array with an element for each available CPU. */
static const unsigned char *per_cpu(struct pq_feature_reader *in, size_t each_bytes,
				    const char *name)
{
	return pq_file_cursor_bytes(in->cursor,
				    (uint64_t)in->recording->n_cpus_available * each_bytes, name);
}

/* "cpu3": "core 1, socket 0", with the die if the file has it. */
static void add_cpus(struct pq_feature_reader *in, const unsigned char *locations,
		     const unsigned char *dies)
{
	for (uint32_t i = 0;
	     locations && i < in->recording->n_cpus_available && !pq_feature_failed(in); i++) {
		uint32_t core = pq_load32(in->cursor->input, locations + i * 8);
		uint32_t socket = pq_load32(in->cursor->input, locations + i * 8 + 4);
		char name[sizeof("cpu4294967295")];

		snprintf(name, sizeof(name), "cpu%" PRIu32, i);
		if (dies)
			pq_value_print(in, str_of(name),
				       "core %" PRIu32 ", die %" PRIu32 ", socket %" PRIu32, core,
				       pq_load32(in->cursor->input, dies + i * 4), socket);
		else
			pq_value_print(in, str_of(name), "core %" PRIu32 ", socket %" PRIu32, core,
				       socket);
	}
}

/* The feature grew twice: older perfs write only the lists, or no dies. The number of CPUs is that
 * of NRCPUS. */
void pq_read_cpu_topology(struct pq_feature_reader *in)
{
	const unsigned char *locations, *dies = NULL;

	read_list(in, "cores");
	read_list(in, "threads");
	if (!in->recording->n_cpus_available || !pq_file_cursor_left(in->cursor))
		return;
	locations = per_cpu(in, 2 * sizeof(uint32_t), "the locations of the CPUs");
	if (pq_file_cursor_left(in->cursor)) {
		read_list(in, "dies");
		dies = per_cpu(in, sizeof(uint32_t), "the dies of the CPUs");
	}
	add_cpus(in, locations, dies);
}

/* NUMA nodes with their CPUs and memory. */
void pq_read_numa(struct pq_feature_reader *in)
{
	uint32_t n = pq_file_cursor_count(in->cursor, 3 * sizeof(uint64_t), "nodes");

	for (uint32_t i = 0; i < n && !pq_feature_failed(in); i++) {
		uint32_t node = pq_file_cursor_u32(in->cursor, "the number of a node");
		uint64_t total = pq_file_cursor_u64(in->cursor, "the memory of a node");
		uint64_t unused = pq_file_cursor_u64(in->cursor, "the free memory of a node");
		struct pmuq_str cpus = pq_file_cursor_str(in->cursor, "the CPUs of a node");
		char name[sizeof("node4294967295")];

		snprintf(name, sizeof(name), "node%" PRIu32, node);
		pq_value_print(in, str_of(name), "CPUs %.*s, %" PRIu64 " kB, %" PRIu64 " kB free",
			       STR_ARG(cpus), total, unused);
	}
}

static void read_cache(struct pq_feature_reader *in)
{
	uint32_t level = pq_file_cursor_u32(in->cursor, "the level of a cache");
	uint32_t line_bytes = pq_file_cursor_u32(in->cursor, "the line of a cache");
	uint32_t sets = pq_file_cursor_u32(in->cursor, "the sets of a cache");
	uint32_t ways = pq_file_cursor_u32(in->cursor, "the ways of a cache");
	struct pmuq_str type = pq_file_cursor_str(in->cursor, "the type of a cache");
	struct pmuq_str size = pq_file_cursor_str(in->cursor, "the size of a cache");
	struct pmuq_str cpus = pq_file_cursor_str(in->cursor, "the CPUs of a cache");
	cleanup(pq_buf_free) struct pq_buf name = PQ_BUF_NULL;

	pq_buf_print(&name, "L%" PRIu32 " %.*s", level, STR_ARG(type));
	if (name.failed && !pq_feature_failed(in))
		pq_input_fail_memory(in->cursor->input);
	pq_value_print(in, pq_buf_str(&name),
		       "%.*s, CPUs %.*s, lines of %" PRIu32 " bytes, %" PRIu32 " sets, %" PRIu32
		       " ways",
		       STR_ARG(size), STR_ARG(cpus), line_bytes, sets, ways);
}

/* One entry for each cache, level by level. */
void pq_read_caches(struct pq_feature_reader *in)
{
	uint32_t n;

	if (!pq_value_is_version_1(in, pq_file_cursor_u32(in->cursor, "the version")))
		return;
	n = pq_file_cursor_count(in->cursor, 7 * sizeof(uint32_t), "caches");
	for (uint32_t i = 0; i < n && !pq_feature_failed(in); i++)
		read_cache(in);
}

/* ------------------------------------------------------------------------------------- memory */

#define WORD_BITS 64u
/* Bounds the printed list of blocks: about 100,000 ranges. */
#define BLOCKS_MAX_BYTES ((size_t)1 << 20)

static bool has_bit(const struct pq_feature_reader *in, const unsigned char *words, uint64_t bit)
{
	uint64_t word = pq_load64(in->cursor->input, words + bit / WORD_BITS * sizeof(uint64_t));

	return word >> (bit % WORD_BITS) & 1;
}

/* "0-23,32-199". PQ_FEATURE_MAX_BYTES have fewer bits than 32 can count. */
static void print_bits(const struct pq_feature_reader *in, const unsigned char *words,
		       uint64_t n_bits, struct pq_buf *ret)
{
	struct pq_ranges ranges = { .buf = ret };

	for (uint64_t bit = 0; bit < n_bits && ret->n < BLOCKS_MAX_BYTES; bit++)
		if (has_bit(in, words, bit))
			pq_ranges_add(&ranges, (uint32_t)bit);
	pq_ranges_end(&ranges);
}

/* The blocks of memory of a node: a bitmap, preceded by its length, which is written twice. */
static void read_node(struct pq_feature_reader *in)
{
	uint64_t node = pq_file_cursor_u64(in->cursor, "the number of a node");
	uint64_t n_bits, n_bytes;
	const unsigned char *words;
	cleanup(pq_buf_free) struct pq_buf blocks = PQ_BUF_NULL;
	char name[sizeof("node18446744073709551615")];

	pq_file_cursor_u64(in->cursor, "the size of a bitmap");
	n_bits = pq_file_cursor_u64(in->cursor, "the size of a bitmap");
	n_bytes = (n_bits / WORD_BITS + (n_bits % WORD_BITS != 0)) * sizeof(uint64_t);
	words = pq_file_cursor_bytes(in->cursor, n_bytes, "a bitmap");
	if (!words)
		return;
	print_bits(in, words, n_bits, &blocks);
	if (blocks.failed)
		pq_input_fail_memory(in->cursor->input);
	snprintf(name, sizeof(name), "node%" PRIu64, node);
	pq_value(in, str_of(name), pq_buf_str(&blocks));
	if (blocks.n >= BLOCKS_MAX_BYTES)
		pq_value_full(in);
}

void pq_read_memory(struct pq_feature_reader *in)
{
	uint64_t n;

	if (!pq_value_is_version_1(in, pq_file_cursor_u64(in->cursor, "the version")))
		return;
	pq_value_print(in, STR("block size"), "0x%" PRIx64,
		       pq_file_cursor_u64(in->cursor, "the size of a block"));
	n = pq_file_cursor_u64(in->cursor, "the number of nodes");
	for (uint64_t i = 0; i < n && !pq_feature_failed(in); i++)
		read_node(in);
}
