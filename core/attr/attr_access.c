/* SPDX-License-Identifier: MIT */
/* The fields of an attr by number: their names, the values that fit their types, and attrs of other
 * sizes. */
#include "core/attr/attr.h"
#include "core/error.h"
#include "core/flags.h"

static const struct pmuq_field fields[] = {
#define X(field, written, end)                                                                     \
	{ .size = sizeof(struct pmuq_field),                                                       \
	  .name = { .p = #field, .n = sizeof(#field) - 1 },                                        \
	  .format = PMUQ_FIELD_##written,                                                          \
	  .end_bytes = end },
	PQ_ATTR_FIELDS(X, X)
#undef X
};

PQ_API const struct pmuq_field *pmuq_attr_field(unsigned field)
{
	return field < PQ_FIELD_COUNT ? &fields[field] : NULL;
}

/* A value fits if reading the field back returns it. */
bool pq_attr_set_if_fits(struct pmuq_attr *attr, unsigned index, uint64_t value)
{
	enum pq_attr_field field = (enum pq_attr_field)index;
	uint64_t before = pmuq_attr_get(attr, index);

	pq_attr_store(attr, field, value);
	if (index < PQ_FIELD_COUNT && pmuq_attr_get(attr, index) == value)
		return true;
	pq_attr_store(attr, field, before);
	return false;
}

/* The size of the attr, or a larger one that it needs. */
static uint32_t needed_size(const struct pmuq_attr *attr)
{
	uint32_t fit = pq_attr_fit_size(attr);

	return attr->size < fit ? fit : attr->size;
}

PQ_API bool pmuq_attr_set(struct pmuq_attr *attr, unsigned field, uint64_t value)
{
	if (field == PQ_FIELD_size &&
	    (!pq_attr_size_version(value, NULL) || value < pq_attr_fit_size(attr)))
		return false;
	if (!pq_attr_set_if_fits(attr, field, value))
		return false;
	attr->size = needed_size(attr);
	return true;
}

static int fail_copy(unsigned field, size_t bytes, struct pmuq_error **reterr)
{
	int r = pq_fail(reterr, PMUQ_E_ATTR_SIZE,
			"'%s' is set, but a struct of %zu bytes ends before it",
			fields[field].name.p, bytes);

	pq_error_hint(reterr,
		      "it needs %u bytes: use the header of a newer kernel, or pass "
		      "struct pmuq_attr itself to perf_event_open(2)",
		      fields[field].end_bytes);
	return r;
}

PQ_API int pmuq_attr_copy(const struct pmuq_attr *attr, void *ret, size_t bytes,
			  struct pmuq_error **reterr)
{
	struct pmuq_attr copy = *attr;

	if (bytes < PQ_ATTR_SIZE_FIRST)
		return pq_fail(reterr, PMUQ_E_BAD_CALL,
			       "a struct perf_event_attr has at least %u bytes, not %zu",
			       PQ_ATTR_SIZE_FIRST, bytes);
	for (unsigned i = 0; i < PQ_FIELD_COUNT; i++)
		if (fields[i].end_bytes > bytes && pmuq_attr_get(attr, i))
			return fail_copy(i, bytes, reterr);
	copy.size = needed_size(attr);
	if (copy.size > bytes)
		copy.size = (uint32_t)bytes;
	memset(ret, 0, bytes);
	memcpy(ret, &copy, bytes < sizeof(copy) ? bytes : sizeof(copy));
	return 0;
}

uint64_t pq_attr_field_mask(enum pq_attr_field field)
{
	struct pmuq_attr ones;

	memset(&ones, 0xff, sizeof(ones));
	return pmuq_attr_get(&ones, field);
}
