/* SPDX-License-Identifier: MIT */
/*
 * Encodings → arrays for Go. Texts of consecutive encodings are often equal (the CPUs, the PMU, the
 * scale), and are copied once then.
 */
#include "batch.h"
#include <stdlib.h>
#include <string.h>

/* The number of elements of an array. */
#define COUNT(array, type) ((uint32_t)((array).bytes / sizeof(type)))

/* The texts of the last encoding that the next one may share. */
struct recent {
	struct pmuq_go_text pmu, cpus, unit, scale;
};

static void *add(struct pmuq_go_batch *batch, struct pmuq_go_array *to, size_t bytes)
{
	void *added;

	if (to->capacity - to->bytes < bytes) {
		size_t capacity = 2 * to->capacity + bytes;
		char *p = capacity <= UINT32_MAX ? realloc(to->p, capacity) : NULL;

		if (!p) {
			batch->is_full = true;
			return NULL;
		}
		to->p = p;
		to->capacity = capacity;
	}
	added = to->p + to->bytes;
	to->bytes += bytes;
	return added;
}

/* Removes the content of earlier calls, and gets the memory that strings of one encoding need. */
static void prepare(struct pmuq_go_batch *batch, size_t n)
{
	struct pmuq_go_array *const all[] = { &batch->results,	   &batch->encodings,
					      &batch->attrs,	   &batch->names,
					      &batch->tool_terms,  &batch->errors,
					      &batch->assignments, &batch->texts };

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		all[i]->bytes = 0;
	batch->is_full = false;
	add(batch, &batch->results, n * sizeof(struct pmuq_go_result));
	add(batch, &batch->encodings, n * sizeof(struct pmuq_go_encoding));
	add(batch, &batch->attrs, n * 64);
	add(batch, &batch->texts, n * 32);
	batch->results.bytes = batch->encodings.bytes = batch->attrs.bytes = batch->texts.bytes = 0;
}

static struct pmuq_go_text add_text(struct pmuq_go_batch *batch, const char *p, size_t n)
{
	struct pmuq_go_text text = { .at = (uint32_t)batch->texts.bytes, .n = (uint32_t)n };
	char *copy = n ? add(batch, &batch->texts, n) : NULL;

	if (!copy)
		return (struct pmuq_go_text){ 0 };
	memcpy(copy, p, n);
	return text;
}

static struct pmuq_go_text add_str(struct pmuq_go_batch *batch, struct pmuq_str text)
{
	return add_text(batch, text.p, text.p ? text.n : 0);
}

static struct pmuq_go_text add_recent(struct pmuq_go_batch *batch, struct pmuq_str text,
				      struct pmuq_go_text *last)
{
	if (last->n != text.n || memcmp(batch->texts.p + last->at, text.p, text.n) != 0)
		*last = add_str(batch, text);
	return *last;
}

static void add_error(struct pmuq_go_batch *batch, const struct pmuq_error *error)
{
	struct pmuq_go_error *to = add(batch, &batch->errors, sizeof(*to));
	char *whole = pmuq_error_format(error);
	const char *name = pmuq_code_name(error->code);

	if (!to || !whole) {
		batch->is_full = true;
		free(whole);
		return;
	}
	*to = (struct pmuq_go_error){
		.name = add_text(batch, name, strlen(name)),
		.message = add_str(batch, error->message),
		.hint = add_str(batch, error->hint),
		.input = add_str(batch, error->input),
		.origin = add_str(batch, error->origin),
		.whole = add_text(batch, whole, strlen(whole)),
		.offset = error->offset,
		.length = error->length,
		.code = error->code,
		.errnum = error->errnum,
		.is_warning = error->is_warning,
	};
	free(whole);
}

static void add_tool_term(struct pmuq_go_batch *batch, const struct pmuq_tool_term *term)
{
	struct pmuq_go_tool_term *to = add(batch, &batch->tool_terms, sizeof(*to));

	if (to)
		*to = (struct pmuq_go_tool_term){ .name = add_str(batch, term->name),
						  .text = add_str(batch, term->text),
						  .is_number = term->is_number };
}

static void add_assignment(struct pmuq_go_batch *batch, const struct pmuq_assignment *from)
{
	struct pmuq_go_assignment *to = add(batch, &batch->assignments, sizeof(*to));

	if (!to)
		return;
	*to = (struct pmuq_go_assignment){
		.term = add_str(batch, from->term),
		.field = add_str(batch, from->field),
		.format = add_str(batch, from->format),
		.event = add_str(batch, from->event),
		.origin = add_str(batch, from->origin),
		.input = add_str(batch, from->input),
		.mask = from->mask,
		.value = from->value,
		.number = from->number,
		.offset = from->offset,
		.length = from->length,
		.cause = from->cause,
		.is_overridden = from->is_overridden,
	};
}

/* Where it begins. */
static uint32_t add_attr(struct pmuq_go_batch *batch, const struct pmuq_attr *attr)
{
	char *copy = add(batch, &batch->attrs, attr->size);

	if (!copy)
		return 0;
	memcpy(copy, attr, attr->size);
	return (uint32_t)(copy - batch->attrs.p);
}

/* Where it is, from 1; 0: nowhere. */
static uint32_t add_name(struct pmuq_go_batch *batch, const struct pmuq_encoding *from)
{
	struct pmuq_go_name *to;

	if (!from->table && !from->libpfm4_name.n)
		return 0;
	to = add(batch, &batch->names, sizeof(*to));
	if (!to)
		return 0;
	to->libpfm4_name = add_str(batch, from->libpfm4_name);
	to->has_vendor = from->table != NULL;
	if (!from->table)
		return COUNT(batch->names, struct pmuq_go_name);
	to->description = add_str(batch, from->description);
	to->table_import = add_str(batch, from->table->import);
	to->table_folder = add_str(batch, from->table->folder);
	to->table_version = add_str(batch, from->table->version);
	return COUNT(batch->names, struct pmuq_go_name);
}

static void add_encoding(struct pmuq_go_batch *batch, const struct pmuq_encoding *from,
			 struct recent *recent)
{
	struct pmuq_go_encoding *to = add(batch, &batch->encodings, sizeof(*to));

	if (!to)
		return;
	to->attr = add_attr(batch, from->attr);
	to->name = add_str(batch, from->name);
	to->pmu = add_recent(batch, from->pmu, &recent->pmu);
	to->cpus = add_recent(batch, from->cpus, &recent->cpus);
	to->unit = add_recent(batch, from->unit, &recent->unit);
	to->scale = add_recent(batch, from->scale, &recent->scale);
	to->group_name = add_str(batch, from->group_name);
	to->probe_text = add_str(batch, from->probe_text);
	to->probe_field = add_str(batch, from->probe_field);
	to->name_of_others = add_name(batch, from);
	to->event = (uint32_t)from->event;
	to->offset = (uint32_t)from->offset;
	to->length = (uint32_t)from->length;
	to->leader = (uint32_t)from->leader;
	to->n_members = (uint32_t)from->n_members;
	to->tool_term = COUNT(batch->tool_terms, struct pmuq_go_tool_term);
	to->n_tool_terms = (uint32_t)from->n_tool_terms;
	to->warning = COUNT(batch->errors, struct pmuq_go_error);
	to->n_warnings = (uint32_t)from->n_warnings;
	to->assignment = COUNT(batch->assignments, struct pmuq_go_assignment);
	to->n_assignments = (uint32_t)from->n_assignments;
	to->origin = from->origin;
	to->needs_cpu = from->needs_cpu;
	to->is_per_pkg = from->is_per_pkg;
	to->is_snapshot = from->is_snapshot;
	to->is_added = from->is_added;
	for (size_t i = 0; i < from->n_tool_terms; i++)
		add_tool_term(batch, pmuq_encoding_tool_term(from, i));
	for (size_t i = 0; i < from->n_warnings; i++)
		add_error(batch, pmuq_encoding_warning(from, i));
	for (size_t i = 0; i < from->n_assignments; i++)
		add_assignment(batch, pmuq_encoding_assignment(from, i));
}

static void add_result(struct pmuq_go_batch *batch, const struct pmuq_encodings *encodings,
		       const struct pmuq_error *error, struct recent *recent)
{
	struct pmuq_go_result *to = add(batch, &batch->results, sizeof(*to));
	size_t n = encodings ? pmuq_encodings_count(encodings) : 0;

	if (!to)
		return;
	*to = (struct pmuq_go_result){ .first = COUNT(batch->encodings, struct pmuq_go_encoding),
				       .n_encodings = (uint32_t)n,
				       .has_error = error != NULL };
	if (error) {
		to->first = COUNT(batch->errors, struct pmuq_go_error);
		add_error(batch, error);
	}
	for (size_t i = 0; i < n && !batch->is_full; i++)
		add_encoding(batch, pmuq_encodings_get(encodings, i), recent);
}

bool pmuq_go_copy(const struct pmuq_encodings *encodings, const struct pmuq_error *error,
		  struct pmuq_go_batch *ret)
{
	struct recent recent = { 0 };

	prepare(ret, encodings ? pmuq_encodings_count(encodings) : 0);
	add_result(ret, encodings, error, &recent);
	return !ret->is_full;
}

bool pmuq_go_encode(struct pmuq_source *source, const struct pmuq_catalog *catalog,
		    const char *strings, size_t n, const struct pmuq_encode_options *options,
		    struct pmuq_go_batch *ret)
{
	struct recent recent = { 0 };

	prepare(ret, n);
	for (size_t i = 0; i < n && !ret->is_full; i++) {
		struct pmuq_encodings *encodings = NULL;
		struct pmuq_error *error = NULL;

		if (source)
			pmuq_source_encode(source, strings, options, &encodings, &error);
		else
			pmuq_catalog_encode(catalog, strings, options, &encodings, &error);
		add_result(ret, encodings, error, &recent);
		pmuq_encodings_free(encodings);
		pmuq_error_free(error);
		strings += strlen(strings) + 1;
	}
	return !ret->is_full;
}

void pmuq_go_batch_free(struct pmuq_go_batch *batch)
{
	free(batch->results.p);
	free(batch->encodings.p);
	free(batch->attrs.p);
	free(batch->names.p);
	free(batch->tool_terms.p);
	free(batch->errors.p);
	free(batch->assignments.p);
	free(batch->texts.p);
	*batch = (struct pmuq_go_batch){ 0 };
}
