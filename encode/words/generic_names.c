/* SPDX-License-Identifier: MIT */
/* The generic events one after the other, each by its usual name. */
#include "encode/words/generic.h"
#include <assert.h>
#include <pmuq/pmuq.h>

static_assert(PMUQ_GENERIC_NAME_MAX == PQ_GENERIC_NAME_MAX, "one room for both");

/* Moves *index on when the event has a name; true when it was the one. */
static bool take(enum pq_generic_kind kind, uint64_t config, size_t *index, char *ret)
{
	char room[PQ_GENERIC_NAME_MAX];
	struct pq_generic found;
	struct pmuq_str name =
		pq_generic_name((struct pq_generic){ .kind = kind, .config = config }, 0, room);

	/* Not every operation is one of every cache. */
	if (!name.n || !pq_generic_find(name, &found) || (*index)-- > 0)
		return false;
	memcpy(ret, name.p, name.n);
	ret[name.n] = '\0';
	return true;
}

/* By type, then by operation, then by result. */
static bool take_cache(size_t *index, char *ret)
{
	for (uint64_t type = 0; pq_cache_config_is_valid(type); type++)
		for (uint64_t op = 0; pq_cache_config_is_valid(type | op << 8); op++)
			for (uint64_t result = 0; pq_cache_config_is_valid(type | result << 16);
			     result++)
				if (take(PQ_GENERIC_CACHE, type | op << 8 | result << 16, index,
					 ret))
					return true;
	return false;
}

PQ_API bool pmuq_generic_name(size_t index, char *ret)
{
	/* Ids beyond the last have no name: none is as high as these bounds. */
	enum { SOFTWARE_COUNT = 32 };

	for (uint64_t i = 0; i < PQ_HARDWARE_COUNT; i++)
		if (take(PQ_GENERIC_HARDWARE, i, &index, ret))
			return true;
	for (uint64_t i = 0; i < SOFTWARE_COUNT; i++)
		if (take(PQ_GENERIC_SOFTWARE, i, &index, ret))
			return true;
	return take_cache(&index, ret);
}
