/* SPDX-License-Identifier: MIT */
/*
 * The layout of the attr, compared with the header of the build machine; its config words by
 * number, and the size that an attr needs. attr_access.c has the names of the fields.
 */
#include "core/attr/attr.h"
#include "core/flags.h"
#include <assert.h>
#include <linux/perf_event.h>

/* pmuq declares the layout itself; fields that the system's header has must have the same
 * location. */
#define SAME_OFFSET(ours, theirs)                                                                  \
	static_assert(offsetof(struct pmuq_attr, ours) ==                                          \
			      offsetof(struct perf_event_attr, theirs),                            \
		      #ours)
static_assert(sizeof(struct pmuq_attr) == PMUQ_ATTR_SIZE_MAX, "the layout ends with config4");
SAME_OFFSET(config, config);
SAME_OFFSET(sample_period, sample_period);
SAME_OFFSET(wakeup_events, wakeup_events);
SAME_OFFSET(config1, config1);
SAME_OFFSET(config2, config2);
SAME_OFFSET(clockid, clockid);
SAME_OFFSET(sample_max_stack, sample_max_stack);
SAME_OFFSET(aux_sample_size, aux_sample_size);
SAME_OFFSET(sig_data, sig_data);
#ifdef PERF_ATTR_SIZE_VER8
SAME_OFFSET(config3, config3);
#endif
#ifdef PERF_ATTR_SIZE_VER9
SAME_OFFSET(config4, config4);
#endif

PQ_API uint64_t pmuq_attr_get(const struct pmuq_attr *attr, unsigned index)
{
	enum pq_attr_field field = (enum pq_attr_field)index;

	return pq_attr_is_flag(field) ? pq_attr_get_flag(attr, field)
				      : pq_attr_get_inline(attr, field);
}

void pq_attr_store(struct pmuq_attr *attr, enum pq_attr_field field, uint64_t value)
{
	if (pq_attr_is_flag(field))
		pq_attr_set_flag(attr, field, value);
	else
		pq_attr_set_inline(attr, field, value);
}

static const struct {
	struct pmuq_str name;
	enum pq_attr_field field;
	size_t offset;
} config_words[PQ_CONFIG_WORDS] = {
#define WORD(word)                                                                                 \
	{                                                                                          \
		.name = STR(#word), .field = PQ_FIELD_##word,                                      \
		.offset = offsetof(struct pmuq_attr, word)                                         \
	}
	WORD(config), WORD(config1), WORD(config2), WORD(config3), WORD(config4),
#undef WORD
};

uint64_t *pq_attr_config(struct pmuq_attr *attr, unsigned word)
{
	assert(word < COUNT(config_words));
	return (uint64_t *)((char *)attr + config_words[word].offset);
}

enum pq_attr_field pq_attr_config_field(unsigned word)
{
	assert(word < COUNT(config_words));
	return config_words[word].field;
}

struct pmuq_str pq_attr_config_name(unsigned word)
{
	assert(word < COUNT(config_words));
	return config_words[word].name;
}

uint32_t pq_attr_fit_size(const struct pmuq_attr *attr)
{
	/* The attr is not copied: this is called for every event. */
	typedef uint64_t __attribute__((may_alias)) word;
	const word *words = (const word *)attr;
	size_t n = sizeof(*attr) / sizeof(word);
	uint64_t tail = 0;
	unsigned version = 0;

#pragma GCC unroll 16
	for (size_t w = PQ_ATTR_SIZE_FIRST / sizeof(word); w < n; w++)
		tail |= words[w];
	if (!tail)
		return PQ_ATTR_SIZE_FIRST;
	while (!words[n - 1])
		n--;
	while (pq_attr_version_size(version) < n * sizeof(uint64_t))
		version++;
	return pq_attr_version_size(version);
}
