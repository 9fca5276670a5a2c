/* SPDX-License-Identifier: MIT */
/*
 * An attr that no event string made, as an encoding: its PMU and its CPUs are those of the event
 * TYPE:CONFIG.
 */
#include "core/attr/attr.h"
#include "core/catalog/source.h"
#include "core/flags.h"
#include "core/freep.h"
#include "encode/encoder.h"
#include <inttypes.h>
#include <stdio.h>

/* Not more bytes than attr.size. */
static void copy_attr(const struct pmuq_attr *from, struct pmuq_attr *ret)
{
	size_t bytes = from->size ? from->size : PQ_ATTR_SIZE_FIRST;

	memset(ret, 0, sizeof(*ret));
	memcpy(ret, from, bytes < sizeof(*ret) ? bytes : sizeof(*ret));
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
	copy_attr(attr, &result->v[0].attr);
	*ret = move(result);
	return 0;
}
