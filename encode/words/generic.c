/* SPDX-License-Identifier: MIT */
/*
 * Generic events from names to numbers and back, by tables of spellings, and the list of all of
 * them. resolve/resolve_name.c decides which PMU counts one.
 */
#include "encode/words/generic.h"
#include <stdio.h>

#define HARDWARE(text, id)                                                                         \
	{                                                                                          \
		.name = STR(text), .generic = {.type = PQ_GENERIC_HARDWARE, .config = id }         \
	}
#define SOFTWARE(text, id)                                                                         \
	{                                                                                          \
		.name = STR(text), .generic = {.type = PQ_GENERIC_SOFTWARE, .config = id }         \
	}
#define PSEUDO(text)                                                                               \
	{                                                                                          \
		.name = STR(text), .generic = {.type = PQ_GENERIC_PSEUDO, .config = 0 }            \
	}

// clang-format off
static const struct {
	struct pmuq_str name;
	struct pq_generic generic;
} words[] = {
	HARDWARE("cycles", 0),
	HARDWARE("cpu-cycles", 0),
	HARDWARE("instructions", 1),
	HARDWARE("cache-references", 2),
	HARDWARE("cache-misses", 3),
	HARDWARE("branches", 4),
	HARDWARE("branch-instructions", 4),
	HARDWARE("branch-misses", 5),
	HARDWARE("bus-cycles", 6),
	HARDWARE("stalled-cycles-frontend", 7),
	HARDWARE("idle-cycles-frontend", 7),
	HARDWARE("stalled-cycles-backend", 8),
	HARDWARE("idle-cycles-backend", 8),
	HARDWARE("ref-cycles", 9),
	SOFTWARE("cpu-clock", 0),
	SOFTWARE("task-clock", 1),
	SOFTWARE("page-faults", 2),
	SOFTWARE("faults", 2),
	SOFTWARE("context-switches", 3),
	SOFTWARE("cs", 3),
	SOFTWARE("cpu-migrations", 4),
	SOFTWARE("migrations", 4),
	SOFTWARE("minor-faults", 5),
	SOFTWARE("major-faults", 6),
	SOFTWARE("alignment-faults", 7),
	SOFTWARE("emulation-faults", 8),
	SOFTWARE("dummy", PQ_SOFTWARE_DUMMY),
	SOFTWARE("bpf-output", PQ_SOFTWARE_BPF_OUTPUT),
	SOFTWARE("cgroup-switches", 11),
	PSEUDO("duration_time"),
	PSEUDO("user_time"),
	PSEUDO("system_time"),
	PSEUDO("has_pmem"),
	PSEUDO("num_cores"),
	PSEUDO("num_cpus"),
	PSEUDO("num_cpus_online"),
	PSEUDO("num_dies"),
	PSEUDO("num_packages"),
	PSEUDO("smt_on"),
	PSEUDO("system_tsc_freq"),
	PSEUDO("core_wide"),
	PSEUDO("target_cpu"),
};

/* Spellings of each part; spellings with the same index are synonyms. */
struct spelling {
	struct pmuq_str name;
	uint8_t index;
};

static const struct spelling cache_types[] = {
	{ .name = STR("L1-dcache"),       .index = 0 },
	{ .name = STR("L1-d"),            .index = 0 },
	{ .name = STR("L1d"),             .index = 0 },
	{ .name = STR("L1-data"),         .index = 0 },
	{ .name = STR("L1-icache"),       .index = 1 },
	{ .name = STR("L1-i"),            .index = 1 },
	{ .name = STR("L1i"),             .index = 1 },
	{ .name = STR("L1-instruction"),  .index = 1 },
	{ .name = STR("LLC"),             .index = 2 },
	{ .name = STR("L2"),              .index = 2 },
	{ .name = STR("dTLB"),            .index = 3 },
	{ .name = STR("d-tlb"),           .index = 3 },
	{ .name = STR("Data-TLB"),        .index = 3 },
	{ .name = STR("iTLB"),            .index = 4 },
	{ .name = STR("i-tlb"),           .index = 4 },
	{ .name = STR("Instruction-TLB"), .index = 4 },
	{ .name = STR("branch"),          .index = 5 },
	{ .name = STR("branches"),        .index = 5 },
	{ .name = STR("bpu"),             .index = 5 },
	{ .name = STR("btb"),             .index = 5 },
	{ .name = STR("bpc"),             .index = 5 },
	{ .name = STR("node"),            .index = 6 },
};

static const struct spelling cache_ops[] = {
	{ .name = STR("load"),             .index = 0 },
	{ .name = STR("loads"),            .index = 0 },
	{ .name = STR("read"),             .index = 0 },
	{ .name = STR("store"),            .index = 1 },
	{ .name = STR("stores"),           .index = 1 },
	{ .name = STR("write"),            .index = 1 },
	{ .name = STR("prefetch"),         .index = 2 },
	{ .name = STR("prefetches"),       .index = 2 },
	{ .name = STR("speculative-read"), .index = 2 },
	{ .name = STR("speculative-load"), .index = 2 },
};

static const struct spelling cache_results[] = {
	{ .name = STR("refs"),      .index = 0 },
	{ .name = STR("Reference"), .index = 0 },
	{ .name = STR("ops"),       .index = 0 },
	{ .name = STR("access"),    .index = 0 },
	{ .name = STR("misses"),    .index = 1 },
	{ .name = STR("miss"),      .index = 1 },
};

/* A bit for each operation that a cache type has: load 1, store 2, prefetch 4. */
static const uint8_t cache_type_ops[] = {
	[0] = 7, [1] = 1 | 4, [2] = 7, [3] = 7, [4] = 1, [5] = 1, [6] = 7,
};
// clang-format on

#define CACHE_OPS 3u
#define CACHE_RESULTS 2u

/* A spelling at the start of the text, followed by a dash or the end; *text then begins after
 * both. */
static bool take_part(const struct spelling *spellings, size_t n, struct pmuq_str *text,
		      size_t from, size_t *ret)
{
	for (size_t i = from; i < n; i++) {
		struct pmuq_str name = spellings[i].name;

		if (text->n < name.n || (text->n > name.n && text->p[name.n] != '-') ||
		    char_lower(text->p[0]) != char_lower(name.p[0]) ||
		    !str_eq_nocase(str_part(*text, 0, name.n), name))
			continue;
		*text = str_part(*text, text->n > name.n ? name.n + 1 : name.n, text->n);
		*ret = i;
		return true;
	}
	return false;
}

/* [ OP [ "-" RESULT ] ] or RESULT, to the end. */
static bool parse_suffix(struct pmuq_str text, unsigned *ret_op, unsigned *ret_result)
{
	size_t op, result;

	*ret_op = *ret_result = 0;
	if (!text.n)
		return true;
	if (take_part(cache_ops, COUNT(cache_ops), &text, 0, &op)) {
		*ret_op = cache_ops[op].index;
		if (!text.n)
			return true;
	}
	if (!take_part(cache_results, COUNT(cache_results), &text, 0, &result))
		return false;
	*ret_result = cache_results[result].index;
	return !text.n;
}

/* TYPE, TYPE-OP, TYPE-OP-RESULT or TYPE-RESULT. */
static bool find_cache(struct pmuq_str word, struct pq_generic *ret)
{
	size_t from = 0, type;
	unsigned op, result;

	if (word.n && word.p[word.n - 1] == '-')
		return false;
	for (struct pmuq_str rest = word;
	     take_part(cache_types, COUNT(cache_types), &rest, from, &type);
	     rest = word, from = type + 1) {
		if (!parse_suffix(rest, &op, &result))
			continue;
		if (!(cache_type_ops[cache_types[type].index] >> op & 1))
			return false;
		*ret = (struct pq_generic){ .type = PQ_GENERIC_CACHE,
					    .config = cache_types[type].index | op << 8 |
						      result << 16 };
		return true;
	}
	return false;
}

bool pq_generic_find(struct pmuq_str word, struct pq_generic *ret)
{
	for (size_t i = 0; i < COUNT(words); i++) {
		if (words[i].name.n != word.n || !str_eq_nocase(words[i].name, word))
			continue;
		*ret = words[i].generic;
		return true;
	}
	return find_cache(word, ret);
}

bool pq_cache_config_is_valid(uint64_t config)
{
	return config <= 0xffffff && (config & 0xff) < COUNT(cache_type_ops) &&
	       (config >> 8 & 0xff) < CACHE_OPS && config >> 16 < CACHE_RESULTS;
}

/* Not every cache has every operation. */
static bool has_cache_name(uint64_t config)
{
	return pq_cache_config_is_valid(config) &&
	       cache_type_ops[config & 0xff] >> (config >> 8 & 0xff) & 1;
}

static struct pmuq_str first_spelling(const struct spelling *spellings, size_t index)
{
	while (spellings->index != index)
		spellings++;
	return spellings->name;
}

/* TYPE-loads, or TYPE-load-misses. */
static struct pmuq_str cache_name(uint64_t config, char *bytes)
{
	static const char *const ops[CACHE_OPS][CACHE_RESULTS] = {
		{ "loads", "load-misses" },
		{ "stores", "store-misses" },
		{ "prefetches", "prefetch-misses" },
	};
	struct pmuq_str type;
	int n;

	if (!pq_cache_config_is_valid(config))
		return STR("");
	type = first_spelling(cache_types, config & 0xff);
	n = snprintf(bytes, PMUQ_GENERIC_NAME_MAX, "%s-%s", type.p,
		     ops[config >> 8 & 0xff][config >> 16]);
	return (struct pmuq_str){ .p = bytes, .n = (size_t)n };
}

PQ_COLD struct pmuq_str pq_generic_name(struct pq_generic generic, size_t index, char *bytes)
{
	if (generic.type == PQ_GENERIC_CACHE)
		return index ? STR("") : cache_name(generic.config, bytes);
	for (size_t i = 0; i < COUNT(words); i++)
		if (words[i].generic.type == generic.type &&
		    words[i].generic.config == generic.config && !index--)
			return words[i].name;
	return STR("");
}

bool pq_software_is_clock(uint64_t config)
{
	return config <= 1;
}

struct pmuq_str pq_generic_at(size_t index)
{
	return index < COUNT(words) ? words[index].name : STR("");
}

/* ------------------------------------------------------- all of them, each by its usual name */

static bool put_name(enum pq_generic_type type, uint64_t config, char *ret)
{
	char bytes[PMUQ_GENERIC_NAME_MAX];
	struct pmuq_str name =
		pq_generic_name((struct pq_generic){ .type = type, .config = config }, 0, bytes);

	memcpy(ret, name.p, name.n);
	ret[name.n] = '\0';
	return true;
}

/* By type, then by operation, then by result. */
static bool put_cache(size_t index, char *ret)
{
	for (uint64_t type = 0; pq_cache_config_is_valid(type); type++)
		for (uint64_t op = 0; pq_cache_config_is_valid(type | op << 8); op++)
			for (uint64_t result = 0; pq_cache_config_is_valid(type | result << 16);
			     result++) {
				uint64_t config = type | op << 8 | result << 16;

				if (has_cache_name(config) && !index--)
					return put_name(PQ_GENERIC_CACHE, config, ret);
			}
	return false;
}

PQ_API PQ_COLD bool pmuq_generic_name(size_t index, char *ret)
{
	if (index < PQ_HARDWARE_COUNT)
		return put_name(PQ_GENERIC_HARDWARE, index, ret);
	index -= PQ_HARDWARE_COUNT;
	if (index < PQ_SOFTWARE_COUNT)
		return put_name(PQ_GENERIC_SOFTWARE, index, ret);
	return put_cache(index - PQ_SOFTWARE_COUNT, ret);
}
