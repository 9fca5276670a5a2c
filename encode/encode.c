/* SPDX-License-Identifier: MIT */
/* The entry: takes an event string and a machine, returns encodings or an error. It walks the tree
 * item by item; resolve/, attr/ and group/ do the work. */
#include "core/catalog/source.h"
#include "core/freep.h"
#include "core/sized.h"
#include "core/vendor/vendor_table.h"
#include "encode/attr/apply.h"
#include "encode/group/regroup.h"
#include "encode/hint/hint.h"
#include "encode/parse/parse.h"
#include "encode/resolve/resolve.h"

static int check_glob(const struct pq_encoder *e, struct pmuq_str word, struct pq_span at)
{
	if (word.n <= PQ_GLOB_MAX_BYTES || !str_has_glob(word))
		return 0;
	return pq_fail_at(e, at, PMUQ_E_TOO_LONG, "a pattern has at most %u bytes",
			  PQ_GLOB_MAX_BYTES);
}

static int encode_by_type(const struct pq_encoder *e)
{
	switch (e->node->type) {
	case PQ_NODE_NAME:
		return pq_encode_name(e);
	case PQ_NODE_RAW:
		return pq_encode_raw(e);
	case PQ_NODE_NUMERIC:
		return pq_encode_numeric(e);
	case PQ_NODE_BREAKPOINT:
		return pq_encode_breakpoint(e);
	case PQ_NODE_TRACEPOINT:
		return pq_encode_tracepoint(e);
	case PQ_NODE_PFM:
		return pq_encode_pfm(e);
	}
	return 0;
}

/* The encoder of one event: a copy, with the event's own node and modifiers. */
static int encode_node(const struct pq_encoder *of_call, const struct pq_item *item,
		       const struct pq_node *node)
{
	struct pq_modifiers modifiers;
	struct pq_encoder e = *of_call;
	int r;

	e.node = node;
	e.modifiers = &modifiers;
	e.event = e.facts->n_events++;
	e.warned = e.result->owned;
	e.is_in_group = item->is_group;
	r = check_glob(&e, node->name, node->name_at);
	if (r == 0)
		r = check_glob(&e, node->tracepoint, node->tracepoint_at);
	if (r == 0)
		r = pq_modifiers_parse(node->modifiers, node->modifiers_at, false, &modifiers,
				       e.reterr);
	return r < 0 ? r : encode_by_type(&e);
}

/* {a,b}:S: sets the leader of the encodings from `first` on, and applies the group's modifiers. */
static int end_group(const struct pq_encoder *e, const struct pq_item *item, size_t first)
{
	struct pq_modifiers modifiers;
	struct pmuq_str name = pq_keep_str(e, item->name);
	size_t n = e->result->n - first;
	int r = pq_modifiers_parse(item->modifiers, item->modifiers_at, true, &modifiers,
				   e->reterr);

	for (size_t i = 0; r == 0 && i < n; i++) {
		struct pq_encoding *member = &e->result->v[first + i];

		r = pq_apply_modifiers(e, &modifiers, i ? PQ_OF_MEMBERS_GROUP : PQ_OF_LEADERS_GROUP,
				       member);
		member->record.leader = first;
		member->record.n_members = n > 1 ? n : 0;
		member->record.group_name = name;
	}
	return r;
}

static int encode_item(const struct pq_encoder *e, const struct pq_item *item)
{
	size_t first = e->result->n;
	int r = 0;

	for (const struct pq_node *node = item->nodes; node && r == 0; node = node->next)
		r = encode_node(e, item, node);
	if (r == 0 && item->is_group)
		r = end_group(e, item, first);
	return r;
}

/* Each event gives an encoding, and most give one: with this memory the result is not copied while
 * it grows. */
static int reserve(const struct pq_encoder *e, const struct pq_item *items)
{
	size_t n = 0;

	for (const struct pq_item *item = items; item; item = item->next)
		for (const struct pq_node *node = item->nodes; node; node = node->next)
			n++;
	return n < 2 || pq_result_reserve(e->result, n) ? 0 : pq_fail_too_many(e, n);
}

/* Groups are sorted only at the end: topdown metrics of different items can share a leader. */
static int encode_tree(const struct pq_encoder *e, const struct pq_item *items)
{
	const struct pq_item *group = NULL;
	int r = reserve(e, items);

	for (const struct pq_item *item = items; item && r == 0; item = item->next) {
		r = encode_item(e, item);
		group = group || !item->is_group ? group : item;
	}
	return r < 0 || e->options->is_as_written ? r : pq_regroup(e, group);
}

PQ_COLD int pq_check_choice(enum pmuq_dialect dialect, unsigned from, struct pmuq_error **reterr)
{
	if (dialect > PMUQ_DIALECT_PERF)
		return pq_fail(reterr, PMUQ_E_BAD_CALL, "an unknown dialect, %d", (int)dialect);
	if (from >= 2 * PMUQ_FROM_JSON)
		return pq_fail(reterr, PMUQ_E_BAD_CALL, "unknown bits in from, 0x%x", from);
	return 0;
}

/* *ret is zeroed, so that the usual call, without options, has nothing to do. */
static int take_options(const struct pmuq_encode_options *options, struct pmuq_encode_options *ret,
			struct pmuq_error **reterr)
{
	int r;

	if (!options)
		return 0;
	r = pq_sized_take(options, ret, sizeof(*ret), reterr);
	if (r < 0)
		return r;
	r = pq_check_choice(ret->dialect, ret->from, reterr);
	if (r < 0)
		return r;
	if (ret->preset > PMUQ_PRESET_SAMPLE)
		return pq_fail(reterr, PMUQ_E_BAD_CALL, "an unknown preset, %d", (int)ret->preset);
	if (ret->privilege > PMUQ_PRIVILEGE_BOTH)
		return pq_fail(reterr, PMUQ_E_BAD_CALL, "an unknown privilege, %d",
			       (int)ret->privilege);
	if (ret->memory && ret->pfm)
		return pq_fail(reterr, PMUQ_E_BAD_CALL,
			       "libpfm4's helper cannot be used without malloc()");
	return 0;
}

/* Enough for the tree and the bindings of a usual event; more go to the heap. */
#define SCRATCH_BYTES 4096

/* Not every function returns that there was no memory, and the error may have another reason
 * then. */
PQ_COLD static int fail_without_memory(const struct pq_encoder *e, int r)
{
	if (r < 0 && e->reterr)
		pmuq_error_free(*e->reterr);
	return pq_fail_memory(e->reterr);
}

static int encode_text(const struct pq_encoder *e)
{
	struct pq_item *items;
	int r = pq_parse_events(e->scratch, e->input, &items, e->reterr);

	if (r < 0)
		pq_hint_syntax(e);
	else
		r = encode_tree(e, items);
	if (r == 0 && e->options->from)
		r = pq_check_origins(e);
	if (r == 0 && e->options->privilege)
		r = pq_apply_privilege(e);
	if (r == 0 && e->options->preset && !e->facts->failed)
		r = pq_apply_preset(e);
	if (e->facts->failed || e->scratch->is_refused)
		r = fail_without_memory(e, r);
	if (r < 0)
		pq_error_input(e->reterr, e->input);
	else
		pq_result_complete(e->result);
	e->result->is_live = e->lookup.ops->is_live(e->lookup.self);
	return r;
}

/* Everything is in the caller's memory. An error has only the text of its code. */
static int encode_in_memory(struct pq_lookup lookup, const char *text,
			    const struct pmuq_encode_options *options, struct pmuq_encodings **ret,
			    struct pmuq_error **reterr)
{
	struct pmuq_encodings *result = pq_result_new_in(options->memory, options->memory_bytes);
	struct pq_encoder_facts facts = { .n_placeholders = 0 };
	struct pq_encoder e = { .lookup = lookup,
				.options = options,
				.result = result,
				.facts = &facts,
				.input = str_of(text) };
	struct pmuq_error *error;
	int r;

	if (!result)
		return pq_fail_memory(reterr);
	e.arena = e.scratch = &result->arena;
	r = encode_text(&e);
	if (r == 0) {
		*ret = result;
		return 0;
	}
	if (!reterr)
		return r;
	error = pq_error_plain(&result->arena, (enum pmuq_code) - r, (struct pq_span){ 0 });
	if (!error)
		return pq_fail_memory(reterr);
	*reterr = error;
	return r;
}

/* What failed may be a name that a damaged table has lost: then its error is the right one. */
static PQ_COLD int check_tables(const struct pq_encoder *e, int failed)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	int r = pq_vendor_read_all(pq_tables(e), &error);

	if (r == 0 || !e->reterr)
		return r == 0 ? failed : r;
	pmuq_error_free(*e->reterr);
	*e->reterr = move(error);
	return r;
}

int pq_encode(struct pq_lookup lookup, const char *text, const struct pmuq_encode_options *options,
	      struct pmuq_encodings **ret, struct pmuq_error **reterr)
{
	cleanup(pmuq_encodings_freep) struct pmuq_encodings *result = NULL;
	cleanup(pq_arena_clear) struct pq_arena scratch = { 0 };
	struct pmuq_encode_options taken = { .size = sizeof(taken) };
	struct pq_encoder_facts facts = { .n_placeholders = 0 };
	struct pq_encoder e = { .lookup = lookup,
				.options = &taken,
				.facts = &facts,
				.scratch = &scratch,
				.reterr = reterr,
				.input = str_of(text) };
	_Alignas(16) char first[SCRATCH_BYTES];
	int r = take_options(options, &taken, reterr);

	if (r < 0)
		return r;
	if (taken.memory)
		return encode_in_memory(lookup, text, &taken, ret, reterr);
	result = e.result = pq_result_new();
	if (!result)
		return pq_fail_memory(reterr);
	pq_arena_init(&scratch, first, sizeof(first), PQ_ENCODE_MAX_BYTES);
	e.arena = &result->arena;
	r = encode_text(&e);
	if (r < 0)
		return PQ_HAS_TABLES && pq_tables(&e) ? check_tables(&e, r) : r;
	*ret = move(result);
	return 0;
}

PQ_API int pmuq_source_encode(struct pmuq_source *source, const char *text,
			      const struct pmuq_encode_options *options,
			      struct pmuq_encodings **ret, struct pmuq_error **reterr)
{
	return pq_encode(source->lookup, text, options, ret, reterr);
}

PQ_API int pmuq_catalog_encode(const struct pmuq_catalog *catalog, const char *text,
			       const struct pmuq_encode_options *options,
			       struct pmuq_encodings **ret, struct pmuq_error **reterr)
{
	return pq_encode(pq_catalog_lookup(catalog), text, options, ret, reterr);
}
