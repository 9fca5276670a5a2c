/* SPDX-License-Identifier: MIT */
/*
 * An attr that no event string made, as an encoding: its PMU and its CPUs are those of the event
 * TYPE:CONFIG.
 */
#include "core/attr/attr_bytes.h"
#include "core/catalog/source.h"
#include "core/flags.h"
#include "core/freep.h"
#include "encode/encoder.h"
#include <inttypes.h>
#include <stdio.h>

/* As the kernel does with a struct of a newer header: the bytes that are not known must be zero. */
static int copy_attr(const struct pmuq_attr *from, struct pmuq_attr *ret,
		     struct pmuq_error **reterr)
{
	size_t bytes = from->size ? from->size : PQ_ATTR_SIZE_FIRST;

	memset(ret, 0, sizeof(*ret));
	if (bytes <= sizeof(*ret)) {
		memcpy(ret, from, bytes);
		return 0;
	}
	if (bytes > PQ_ATTR_TEXT_MAX_BYTES ||
	    !pq_bytes_are_zero((const unsigned char *)(from + 1), bytes - sizeof(*from)))
		return pq_fail(reterr, PMUQ_E_ATTR_SIZE,
			       "attr.size is %zu, and bytes after the first %zu are not zero: "
			       "pmuq does not know them",
			       bytes, sizeof(*ret));
	*ret = *from;
	ret->size = sizeof(*ret);
	return 0;
}

PQ_API int pmuq_source_encode_attr(struct pmuq_source *source, const struct pmuq_attr *attr,
				   struct pmuq_encodings **ret, struct pmuq_error **reterr)
{
	const struct pmuq_encode_options options = { .size = sizeof(options),
						     .is_as_written = true };
	cleanup(pmuq_encodings_freep) struct pmuq_encodings *result = NULL;
	char text[sizeof("4294967295:0xffffffffffffffff")];
	int r;

	if (!attr)
		return pq_fail(reterr, PMUQ_E_BAD_CALL, "the attr is NULL");
	snprintf(text, sizeof(text), "%" PRIu32 ":0x%" PRIx64, attr->type, attr->config);
	r = pq_encode(source->lookup, text, &options, &result, reterr);
	if (r < 0)
		return r;
	r = copy_attr(attr, &result->v[0].attr, reterr);
	if (r < 0)
		return r;
	*ret = move(result);
	return 0;
}
