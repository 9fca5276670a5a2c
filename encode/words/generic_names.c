/* SPDX-License-Identifier: MIT */
/* The generic events one after another, each by its usual name. */
#include "encode/words/generic.h"
#include <assert.h>
#include <pmuq/pmuq.h>

static_assert(PMUQ_GENERIC_NAME_MAX == PQ_GENERIC_NAME_MAX, "one size for both");

static bool put_name(enum pq_generic_type type, uint64_t config, char *ret)
{
	char bytes[PQ_GENERIC_NAME_MAX];
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

				if (pq_cache_config_has_name(config) && !index--)
					return put_name(PQ_GENERIC_CACHE, config, ret);
			}
	return false;
}

PQ_API bool pmuq_generic_name(size_t index, char *ret)
{
	if (index < PQ_HARDWARE_COUNT)
		return put_name(PQ_GENERIC_HARDWARE, index, ret);
	index -= PQ_HARDWARE_COUNT;
	if (index < PQ_SOFTWARE_COUNT)
		return put_name(PQ_GENERIC_SOFTWARE, index, ret);
	return put_cache(index - PQ_SOFTWARE_COUNT, ret);
}
