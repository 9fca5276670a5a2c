/* SPDX-License-Identifier: MIT */
/* The fields of an attr by number: their names, and the values that fit their types. */
#include "core/attr/attr.h"

static const struct pmuq_field fields[] = {
#define X(field, written, end)                                                                     \
	{ .size = sizeof(struct pmuq_field),                                                       \
	  .name = { .p = #field, .n = sizeof(#field) - 1 },                                        \
	  .format = PMUQ_FIELD_##written,                                                          \
	  .end_bytes = end },
	PQ_ATTR_FIELDS(X, X)
#undef X
};

PQ_API const struct pmuq_field *pmuq_attr_field(unsigned index)
{
	return index < PQ_FIELD_COUNT ? &fields[index] : NULL;
}

/* A value fits if reading the field back returns it. */
PQ_API bool pmuq_attr_set(struct pmuq_attr *attr, unsigned index, uint64_t value)
{
	enum pq_attr_field field = (enum pq_attr_field)index;
	uint64_t before = pmuq_attr_get(attr, index);

	pq_attr_store(attr, field, value);
	if (index < PQ_FIELD_COUNT && pmuq_attr_get(attr, index) == value)
		return true;
	pq_attr_store(attr, field, before);
	return false;
}

uint64_t pq_attr_field_mask(enum pq_attr_field field)
{
	struct pmuq_attr ones;

	memset(&ones, 0xff, sizeof(ones));
	return pmuq_attr_get(&ones, field);
}
