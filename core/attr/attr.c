/* SPDX-License-Identifier: MIT */
#include "core/attr/attr.h"
#include "core/attr/attr_fields.h"
#include "core/flags.h"
#include <assert.h>
#include <linux/perf_event.h>

/* The layout is ours; where the build machine's header knows a field, the two must agree. */
#define SAME_PLACE(ours, theirs)                                                                   \
	static_assert(offsetof(struct pmuq_attr, ours) ==                                          \
			      offsetof(struct perf_event_attr, theirs),                            \
		      #ours)
static_assert(sizeof(struct pmuq_attr) == PMUQ_ATTR_SIZE_MAX, "the layout ends with config4");
SAME_PLACE(config, config);
SAME_PLACE(sample_period, sample_period);
SAME_PLACE(wakeup_events, wakeup_events);
SAME_PLACE(config1, config1);
SAME_PLACE(config2, config2);
SAME_PLACE(clockid, clockid);
SAME_PLACE(sample_max_stack, sample_max_stack);
SAME_PLACE(aux_sample_size, aux_sample_size);
SAME_PLACE(sig_data, sig_data);
#ifdef PERF_ATTR_SIZE_VER8
SAME_PLACE(config3, config3);
#endif
#ifdef PERF_ATTR_SIZE_VER9
SAME_PLACE(config4, config4);
#endif

enum field {
#define X(name, kind, end) FIELD_##name,
	PQ_ATTR_FIELDS(X)
#undef X
		FIELD_COUNT
};

static const struct {
	const char *name;
	enum pmuq_field_kind kind;
	unsigned end_bytes;
} fields[] = {
#define X(field, shown, end) { .name = #field, .kind = PMUQ_FIELD_##shown, .end_bytes = end },
	PQ_ATTR_FIELDS(X)
#undef X
};

PQ_API const char *pmuq_attr_field_name(unsigned index)
{
	return index < FIELD_COUNT ? fields[index].name : NULL;
}

PQ_API enum pmuq_field_kind pmuq_attr_field_kind(unsigned index)
{
	return index < FIELD_COUNT ? fields[index].kind : PMUQ_FIELD_NUMBER;
}

PQ_API unsigned pmuq_attr_field_end(unsigned index)
{
	return index < FIELD_COUNT ? fields[index].end_bytes : 0;
}

PQ_API uint64_t pmuq_attr_field_get(const struct pmuq_attr *attr, unsigned index)
{
	switch (index) {
#define X(name, kind, end)                                                                         \
	case FIELD_##name:                                                                         \
		return (uint64_t)attr->name;
		PQ_ATTR_FIELDS(X)
#undef X
	default:
		return 0;
	}
}

/* What a field does not hold is cut off by the assignment: reading it back tells. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
PQ_API bool pmuq_attr_field_set(struct pmuq_attr *attr, unsigned index, uint64_t value)
{
	uint64_t before = pmuq_attr_field_get(attr, index);

	switch (index) {
#define X(name, kind, end)                                                                         \
	case FIELD_##name:                                                                         \
		attr->name = (__typeof__(attr->name + 0))value;                                    \
		break;
		PQ_ATTR_FIELDS(X)
#undef X
	default:
		return false;
	}
	if (pmuq_attr_field_get(attr, index) == value)
		return true;
	pmuq_attr_field_set(attr, index, before);
	return false;
}
#pragma GCC diagnostic pop

uint64_t *pq_attr_config(struct pmuq_attr *attr, unsigned word)
{
	switch (word) {
	case 0:
		return &attr->config;
	case 1:
		return &attr->config1;
	case 2:
		return &attr->config2;
	case 3:
		return &attr->config3;
	default:
		assert(word == 4);
		return &attr->config4;
	}
}

struct pmuq_str pq_attr_config_name(unsigned word)
{
	static const struct pmuq_str names[PQ_CONFIG_WORDS] = {
		STR("config"), STR("config1"), STR("config2"), STR("config3"), STR("config4"),
	};

	assert(word < COUNT(names));
	return names[word];
}

uint32_t pq_attr_fit_size(const struct pmuq_attr *attr)
{
	uint64_t words[sizeof(*attr) / sizeof(uint64_t)], tail = 0;
	unsigned version = 0;
	size_t n = COUNT(words);

	memcpy(words, attr, sizeof(words));
	for (size_t w = PQ_ATTR_SIZE_FIRST / sizeof(uint64_t); w < COUNT(words); w++)
		tail |= words[w];
	if (!tail)
		return PQ_ATTR_SIZE_FIRST;
	while (!words[n - 1])
		n--;
	while (pq_attr_version_size(version) < n * sizeof(uint64_t))
		version++;
	return pq_attr_version_size(version);
}
