/* SPDX-License-Identifier: MIT */
/*
 * Copies between a struct of this version of the library and one of the caller's version. Both
 * begin with their size, and members are only added at the end.
 */
#include "core/sized.h"

static size_t size_of(const void *sized)
{
	size_t size;

	memcpy(&size, sized, sizeof(size));
	return size;
}

int pq_sized_check(const void *ret, struct pmuq_error **reterr)
{
	if (size_of(ret) >= sizeof(size_t))
		return 0;
	return pq_fail(reterr, PMUQ_E_BAD_CALL, "a struct has the size %zu: set it to its sizeof",
		       size_of(ret));
}

int pq_sized_take(const void *options, void *ret, size_t known, struct pmuq_error **reterr)
{
	const unsigned char *bytes = options;
	size_t size = options ? size_of(options) : 0;
	int r = options ? pq_sized_check(options, reterr) : 0;

	if (r < 0)
		return r;
	for (size_t i = known; i < size; i++)
		if (bytes[i])
			return pq_fail(reterr, PMUQ_E_BAD_CALL,
				       "an option is set that this version does not support");
	memset(ret, 0, known);
	if (options)
		memcpy(ret, options, size < known ? size : known);
	memcpy(ret, &known, sizeof(known));
	return 0;
}

void pq_sized_give(const void *from, size_t known, void *ret)
{
	size_t size = size_of(ret) < known ? size_of(ret) : known;

	if (size > sizeof(size_t))
		memcpy((char *)ret + sizeof(size_t), (const char *)from + sizeof(size_t),
		       size - sizeof(size_t));
}
