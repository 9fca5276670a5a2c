/* SPDX-License-Identifier: MIT */
/*
 * The entry: collects candidates for an attr, encodes each, best rank first, and keeps those that
 * give the attr again. The other files make the candidates.
 */
#include "decode/decode.h"
#include "core/catalog/source.h"
#include "core/freep.h"
#include "core/limits.h"
#include "core/sized.h"
#include "encode/group/regroup.h"
#include <assert.h>

#define ALTERNATIVES_MAX 8u

/* All bits of the fields that event strings express: the type, the config words, a breakpoint's
 * access, branch filters, and what modifiers set. Tools set all other fields. */
static struct pmuq_attr event_bits(void)
{
	struct pmuq_attr bits = { .type = UINT32_MAX,
				  .bp_type = UINT32_MAX,
				  .branch_sample_type = UINT64_MAX };
	const struct pq_modifier *m;

	for (unsigned word = 0; word < PQ_CONFIG_WORDS; word++)
		*pq_attr_config(&bits, word) = UINT64_MAX;
	for (size_t i = 0; (m = pq_modifier_at(i)); i++)
		if (m->effect != PQ_MODIFIER_IS_FOR_TOOL)
			pq_attr_set_if_fits(&bits, m->field, pq_attr_field_mask(m->field));
	return bits;
}

/* The fields of the event. */
static struct pmuq_attr event_part(const struct pq_decoder *d, const struct pmuq_attr *attr)
{
	uint64_t v[sizeof(*attr) / sizeof(uint64_t)], bits[COUNT(v)];
	struct pmuq_attr part;

	static_assert(sizeof(v) == sizeof(part), "an attr consists of 64-bit words");
	memcpy(v, attr, sizeof(v));
	memcpy(bits, &d->event_bits, sizeof(bits));
	for (size_t i = 0; i < COUNT(v); i++)
		v[i] &= bits[i];
	memcpy(&part, v, sizeof(part));
	return part;
}

static bool is_same_event(const struct pq_decoder *d, const struct pmuq_attr *made)
{
	struct pmuq_attr part = event_part(d, made);

	return memcmp(&part, &d->wanted, sizeof(part)) == 0;
}

/* ------------------------------------------------------------------------------------ offers */

static int offer_of_pmus(struct pq_decoder *d)
{
	struct pq_pmu_list all;
	int r = pq_query(d, list_pmus, &all);

	for (size_t i = 0; r == 0 && i < all.n; i++) {
		r = pq_query(d, fill, all.v[i]);
		if (r == 0 && all.v[i]->has_type && all.v[i]->type == d->wanted.type)
			r = pq_decode_pmu(d, all.v[i]);
	}
	return r;
}

/* Candidates come in any order and are sorted by rank. type:config is always one, so that every
 * attr has a string. */
static int collect(struct pq_decoder *d)
{
	int r;

	switch (d->wanted.type) {
	case PQ_TYPE_BREAKPOINT:
		r = pq_decode_breakpoint(d);
		break;
	case PQ_TYPE_TRACEPOINT:
		r = pq_decode_tracepoint(d);
		break;
	case PQ_TYPE_HARDWARE:
	case PQ_TYPE_HW_CACHE:
	case PQ_TYPE_SOFTWARE:
		r = pq_decode_generic(d);
		if (r == 0)
			r = offer_of_pmus(d);
		break;
	default:
		r = offer_of_pmus(d);
	}
	if (r == 0)
		r = pq_decode_raw(d);
	return r < 0 ? r : pq_decode_numeric(d);
}

/* -------------------------------------------------------------------------------------- trial */

/* The attrs must be equal in all fields, not only in those that event strings express. */
static bool is_same_attr(const struct pmuq_attr *made, struct pmuq_attr attr)
{
	/* It follows from the rest. */
	attr.size = made->size;
	return memcmp(made, &attr, sizeof(attr)) == 0;
}

/* Whether the string sets a tool's field that is 0 in the attr. */
static bool adds_fields(const struct pmuq_attr *made, const struct pmuq_attr *attr)
{
	if (is_same_attr(made, *attr))
		return false;
	for (enum pq_attr_field i = 0; i < PQ_FIELD_COUNT; i++)
		if (pmuq_attr_get(made, i) && !pmuq_attr_get(attr, i))
			return true;
	return false;
}

static bool same_text(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

/* How the encoding of an accepted string may differ from the input. */
struct tolerance {
	bool may_add;	     /* fields of tools: perf's dialect sets some in every tracepoint */
	bool may_drop_probe; /* the text of a probe, which is not in the attr */
};

static bool is_wanted(const struct pq_decoder *d, const struct pq_encoding *encoding,
		      struct tolerance tolerance)
{
	const char *probe = tolerance.may_drop_probe ? NULL : d->probe_text;

	return is_same_event(d, &encoding->attr) &&
	       same_text(encoding->record.probe_text.p, probe) &&
	       (tolerance.may_add || !adds_fields(&encoding->attr, &d->attr));
}

/* The only encoding of a string; or a topdown metric's, next to the slots event that it needs. */
static const struct pq_encoding *find_wanted(const struct pq_decoder *d,
					     const struct pmuq_encodings *encodings,
					     struct tolerance tolerance)
{
	const struct pq_encoding *v = encodings->v;

	if (encodings->n == 1)
		return is_wanted(d, v, tolerance) ? v : NULL;
	if (encodings->n == 2 && pq_topdown_is_slots(&v[0]) && pq_topdown_is_metric(&v[1]))
		return is_wanted(d, &v[1], tolerance) ? &v[1] : NULL;
	return NULL;
}

static void add_left(struct pq_decoding *decoding, struct pmuq_str name, uint64_t value,
		     enum pmuq_field_format format, bool is_event)
{
	decoding->left[decoding->record.n_left++] = (struct pmuq_left_field){
		.size = sizeof(struct pmuq_left_field),
		.name = name,
		.value = value,
		.format = format,
		.is_event = is_event,
	};
	decoding->record.is_exact &= !is_event;
}

/* Fields of the attr in which the string's attr differs. */
static int note_left(struct pq_decoder *d, const struct pmuq_attr *made,
		     struct pq_decoding *decoding)
{
	const struct pmuq_attr *attr = &d->attr;
	const struct pmuq_field *field;

	if (is_same_attr(made, *attr))
		return 0;
	decoding->left =
		pq_arena_array(&decoding->arena, PQ_FIELD_COUNT + 2, sizeof(*decoding->left));
	if (!decoding->left)
		return pq_fail_memory(d->reterr);
	for (enum pq_attr_field i = 0; i < PQ_FIELD_COUNT; i++) {
		uint64_t value = pmuq_attr_get(attr, i);

		if (value == pmuq_attr_get(made, i) || i == PQ_FIELD_size)
			continue;
		field = pmuq_attr_field(i);
		add_left(decoding, field->name, value, field->format,
			 pmuq_attr_get(&d->event_bits, i) != 0);
	}
	if (attr->reserved_flags)
		add_left(decoding, STR("reserved_flags"), attr->reserved_flags, PMUQ_FIELD_WORD,
			 true);
	if (attr->reserved_2)
		add_left(decoding, STR("reserved_2"), attr->reserved_2, PMUQ_FIELD_WORD, true);
	return 0;
}

static int accept(struct pq_decoder *d, const char *text, const struct pq_encoding *encoding,
		  struct pq_decoding *decoding)
{
	struct pmuq_str pmu = encoding->record.pmu;

	d->made = encoding->attr;
	decoding->record.text = pq_arena_str(&decoding->arena, str_of(text));
	decoding->record.pmu = pmu.p ? pq_arena_str(&decoding->arena, pmu) : pmu;
	decoding->record.origin = encoding->record.origin;
	decoding->record.is_exact = !d->probe_text || encoding->record.probe_text.p;
	if (!decoding->record.text.p || (pmu.p && !decoding->record.pmu.p))
		return pq_fail_memory(d->reterr);
	return note_left(d, &encoding->attr, decoding);
}

/* Several candidates can be the same string. */
static bool is_known(const struct pq_decoding *decoding, const char *text)
{
	bool is_known = strcmp(decoding->record.text.p, text) == 0;

	for (size_t i = 0; i < decoding->record.n_alternatives; i++)
		is_known |= strcmp(decoding->alternatives[i].p, text) == 0;
	return is_known;
}

/* The first candidate that gives the attr is the text, the following ones are alternatives. */
static int try(struct pq_decoder *d, const char *text, struct tolerance tolerance,
	       struct pq_decoding *decoding)
{
	cleanup(pmuq_encodings_freep) struct pmuq_encodings *encodings = NULL;
	const struct pq_encoding *found;
	int r = pq_encode(d->lookup, text, &d->options, &encodings, NULL);

	if (pq_is_resource_error(r))
		return pq_fail_resource(d->reterr, r);
	found = r == 0 ? find_wanted(d, encodings, tolerance) : NULL;
	if (!found)
		return 0;
	if (!decoding->record.text.p)
		return accept(d, text, found, decoding);
	/* All alternatives differ from the attr in the same fields as the text does. */
	if (is_known(decoding, text) || memcmp(&d->made, &found->attr, sizeof(d->made)) != 0)
		return 0;
	decoding->alternatives[decoding->record.n_alternatives] =
		pq_arena_str(&decoding->arena, str_of(text));
	return decoding->alternatives[decoding->record.n_alternatives++].p
		       ? 0
		       : pq_fail_memory(d->reterr);
}

static int try_rank(struct pq_decoder *d, enum pq_rank rank, struct tolerance tolerance,
		    struct pq_decoding *decoding)
{
	for (size_t i = 0; i < d->offers.n; i++) {
		int r;

		if (d->offers.v[i].rank != rank)
			continue;
		r = try(d, d->offers.v[i].text.p, tolerance, decoding);
		if (r < 0 || decoding->record.n_alternatives == ALTERNATIVES_MAX)
			return r;
	}
	return 0;
}

static int try_all(struct pq_decoder *d, struct tolerance tolerance, struct pq_decoding *decoding)
{
	int r = 0;

	for (enum pq_rank rank = PQ_RANK_EVENT; r == 0 && rank <= PQ_RANK_NUMERIC &&
						decoding->record.n_alternatives < ALTERNATIVES_MAX;
	     rank++) {
		/* libpfm4 is slow: only if there is no other name. */
		if (rank == PQ_RANK_PFM && !decoding->record.text.p)
			r = pq_decode_pfm(d);
		if (r == 0)
			r = try_rank(d, rank, tolerance, decoding);
	}
	return r;
}

/* ------------------------------------------------------------------------------------ the entry */

/* A string without names is allowed in any case, so that every attr has one. */
#define NAMELESS (PMUQ_FROM_FORMAT | PMUQ_FROM_RAW | PMUQ_FROM_PROBE)

static int take_options(const struct pmuq_decode_options *options, struct pq_decoder *d)
{
	struct pmuq_decode_options taken;
	int r = pq_sized_take(options, &taken, sizeof(taken), d->reterr);

	if (r < 0)
		return r;
	r = pq_check_choice(taken.dialect, taken.from, d->reterr);
	if (r < 0)
		return r;
	d->options = (struct pmuq_encode_options){ .size = sizeof(d->options),
						   .dialect = taken.dialect,
						   .from = taken.from ? taken.from | NAMELESS : 0,
						   .vendor = taken.vendor };
	d->event_options = d->options;
	d->event_options.dialect = PMUQ_DIALECT_PMUQ;
	d->probe_text = taken.probe_text;
	d->pfm = taken.pfm;
	return 0;
}

static void free_decoding(struct pq_decoding **decoding)
{
	pmuq_decoding_free((struct pmuq_decoding *)*decoding);
}

static struct pq_decoding *new_decoding(void)
{
	struct pq_decoding *decoding = calloc(1, sizeof(*decoding));

	if (!decoding)
		return NULL;
	decoding->arena = PQ_ARENA(PQ_DECODE_MAX_BYTES);
	decoding->alternatives =
		pq_arena_array(&decoding->arena, ALTERNATIVES_MAX, sizeof(*decoding->alternatives));
	decoding->record.size = sizeof(decoding->record);
	decoding->record.alternatives = decoding->alternatives;
	if (decoding->alternatives)
		return decoding;
	pmuq_decoding_free(&decoding->record);
	return NULL;
}

/* The part of the attr that strings can express, and the candidates. */
static int prepare(struct pq_decoder *d, bool with_branch)
{
	d->wanted = event_part(d, &d->attr);
	if (!with_branch)
		d->wanted.branch_sample_type = 0;
	if (d->wanted.type != PQ_TYPE_BREAKPOINT)
		d->wanted.bp_type = 0;
	d->offers.n = 0;
	d->branch.n = 0;
	d->options.pfm = NULL;
	pq_decode_flags(d);
	if (d->branch.failed)
		return pq_fail_memory(d->reterr);
	for (unsigned word = 0; word < PQ_CONFIG_WORDS; word++)
		d->words.v[word] = *pq_attr_config(&d->wanted, word);
	return collect(d);
}

/* Tries the smallest tolerance first. */
static int attempt(struct pq_decoder *d, bool with_branch, struct pq_decoding *decoding)
{
	static const struct tolerance tolerances[] = {
		{ 0 },
		{ .may_add = true },
		{ .may_add = true, .may_drop_probe = true },
	};
	int r = prepare(d, with_branch);

	for (size_t i = 0; r == 0 && !decoding->record.text.p && i < COUNT(tolerances); i++)
		r = try_all(d, tolerances[i], decoding);
	return r;
}

/* With branch_type= terms first, because such a string gives more of the attr. */
static int run(struct pq_decoder *d, struct pq_decoding *decoding)
{
	int r = attempt(d, true, decoding);

	/* Tracepoints take no branch_type=. */
	if (r == 0 && !decoding->record.text.p)
		r = attempt(d, false, decoding);
	if (r == 0 && !decoding->record.text.p)
		r = pq_fail(d->reterr, PMUQ_E_BAD_CALL, "no event string encodes to this attr");
	return r;
}

static int decode(struct pq_lookup lookup, const struct pmuq_attr *attr,
		  const struct pmuq_decode_options *options, struct pmuq_decoding **ret,
		  struct pmuq_error **reterr)
{
	cleanup(free_decoding) struct pq_decoding *decoding = new_decoding();
	struct pq_decoder d = {
		.lookup = lookup,
		.attr = *attr,
		.event_bits = event_bits(),
		.arena = PQ_ARENA(PQ_DECODE_MAX_BYTES),
		.reterr = reterr,
	};
	int r;

	if (!decoding)
		return pq_fail_memory(reterr);
	r = take_options(options, &d);
	if (r < 0)
		return r;
	r = run(&d, decoding);
	/* run() does not report every candidate that was not made because there was no memory. */
	if (r == 0 && d.arena.is_refused)
		r = pq_fail_memory(reterr);
	pq_arena_clear(&d.arena);
	pq_buf_free(&d.branch);
	if (r == 0)
		*ret = &move(decoding)->record;
	return r;
}

PQ_API int pmuq_source_decode(struct pmuq_source *source, const struct pmuq_attr *attr,
			      const struct pmuq_decode_options *options, struct pmuq_decoding **ret,
			      struct pmuq_error **reterr)
{
	return decode(source->lookup, attr, options, ret, reterr);
}

PQ_API int pmuq_catalog_decode(const struct pmuq_catalog *catalog, const struct pmuq_attr *attr,
			       const struct pmuq_decode_options *options,
			       struct pmuq_decoding **ret, struct pmuq_error **reterr)
{
	return decode(pq_catalog_lookup(catalog), attr, options, ret, reterr);
}

PQ_API void pmuq_decoding_free(struct pmuq_decoding *record)
{
	struct pq_decoding *decoding = (struct pq_decoding *)record;

	if (!decoding)
		return;
	pq_arena_clear(&decoding->arena);
	free(decoding);
}

PQ_API const struct pmuq_left_field *pmuq_decoding_left(const struct pmuq_decoding *decoding,
							size_t index)
{
	return index < decoding->n_left ? &((const struct pq_decoding *)decoding)->left[index]
					: NULL;
}
