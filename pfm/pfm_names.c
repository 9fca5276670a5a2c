/* SPDX-License-Identifier: MIT */
/*
 * Sends names to the helper to be encoded, and reads its results. pfm/cpus.c decides on which PMUs
 * a name without a PMU is tried.
 */
#include "pfm/pfm_names.h"
#include "core/freep.h"

/* For each name: limits the memory that a helper that misbehaves can make this process use. */
#define ENCODING_MAX_BYTES ((size_t)16 << 10)

/* config, config1, config2 (pfm/protocol.h); libpfm4 sets no others. */
#define WORDS_SENT 3u

static const enum pmuq_code codes[PQ_PFM_ERRORS] = {
	[PQ_PFM_BAD_NAME] = PMUQ_E_PFM_BAD_NAME,
	[PQ_PFM_NO_CPU] = PMUQ_E_PFM_NO_CPU,
	[PQ_PFM_UNKNOWN_PMU] = PMUQ_E_PFM_UNKNOWN_PMU,
	[PQ_PFM_UNKNOWN_EVENT] = PMUQ_E_PFM_UNKNOWN_EVENT,
	[PQ_PFM_UNKNOWN_ATTRIBUTE] = PMUQ_E_PFM_UNKNOWN_ATTRIBUTE,
	[PQ_PFM_MISSING_UMASK] = PMUQ_E_PFM_MISSING_UMASK,
	[PQ_PFM_BAD_VALUE] = PMUQ_E_PFM_BAD_VALUE,
	[PQ_PFM_CONFLICT] = PMUQ_E_PFM_CONFLICT,
};

struct collecting {
	struct pmuq_pfm_encodings *encodings;
	const char *const *names;
	size_t at;
};

static void print_terms(struct pq_wire *in, struct pmuq_pfm_code *code)
{
	struct pq_buf text = PQ_BUF_IN(in->arena);

	pq_buf_print(&text, "config=0x%llx", (unsigned long long)code->config[0]);
	for (size_t i = 1; i < COUNT(code->config); i++)
		if (code->config[i])
			pq_buf_print(&text, ",config%zu=0x%llx", i,
				     (unsigned long long)code->config[i]);
	code->terms = pq_buf_take_str(&text);
	pq_wire_note(in, code->terms.p);
}

static void take_code(struct pq_wire *in, struct pmuq_pfm_code *ret)
{
	ret->size = sizeof(*ret);
	ret->scope = (enum pmuq_pfm_scope)pq_wire_get_enum(in, PMUQ_PFM_GENERIC);
	ret->type = pq_wire_get_u32(in);
	if (ret->scope != PMUQ_PFM_GENERIC)
		ret->type = 0;
	for (size_t i = 0; i < WORDS_SENT; i++)
		ret->config[i] = pq_wire_get_u64(in);
	ret->sysfs = pq_wire_keep_text(in);
	ret->pmu = pq_wire_keep_text(in);
	ret->event = pq_wire_keep_text(in);
	ret->canonical = pq_wire_keep_text(in);
	print_terms(in, ret);
}

static void take_modifiers(struct pq_wire *in, struct pq_pfm_encoding *ret)
{
	uint32_t set = pq_wire_get_u32(in);
	size_t n = (size_t)__builtin_popcount(set);

	in->failed |= set >> PMUQ_PFM_MODIFIERS != 0;
	ret->values = pq_wire_keep_array(in, n, sizeof(*ret->values));
	for (size_t i = 0; i < n && !in->failed; i++)
		ret->values[i] = pq_wire_get_u64(in);
	ret->set = in->failed ? 0 : set;
}

static void take_codes(struct pq_wire *in, unsigned n, struct pq_pfm_encoding *ret)
{
	in->failed |= n > PQ_PFM_CODES_MAX;
	ret->codes = pq_wire_keep_array(in, n, sizeof(*ret->codes));
	for (unsigned i = 0; i < n && !in->failed; i++)
		take_code(in, &ret->codes[i]);
	ret->record.n_codes = in->failed ? 0 : n;
	take_modifiers(in, ret);
}

struct pq_span pq_pfm_take_error(struct pq_wire *in, struct pmuq_error **ret)
{
	enum pmuq_code code = codes[pq_wire_get_enum(in, COUNT(codes) - 1)];
	struct pq_span at = { .offset = pq_wire_get_u32(in) };
	struct pmuq_str message, hint;

	at.length = pq_wire_get_u32(in);
	message = pq_wire_keep_text(in);
	hint = pq_wire_keep_text(in);
	if (in->failed)
		return at;
	pq_wire_note(in, pq_fail(ret, code, "%s", message.p) != -PMUQ_E_MEMORY);
	if (hint.n)
		pq_error_hint(ret, "%s", hint.p);
	return at;
}

static void take_error(struct pq_wire *in, struct pmuq_str name, struct pmuq_error **ret)
{
	struct pq_span at = pq_pfm_take_error(in, ret);

	in->failed |= at.offset > name.n || at.length > name.n - at.offset;
	pq_error_input(ret, name);
	pq_error_at(ret, at);
}

/* The helper returns results in the order of the names, whatever frames contained the names. */
static enum pq_pfm_taken take_encodings(void *self, const struct pq_pfm_header *header,
					struct pq_wire *in)
{
	struct collecting *collecting = self;
	struct pmuq_pfm_encodings *encodings = collecting->encodings;

	in->arena = &encodings->arena;
	in->failed |= header->type != PQ_PFM_ENCODE || !header->count ||
		      header->count > encodings->n - collecting->at;
	for (unsigned i = 0; i < header->count && !in->failed; i++, collecting->at++) {
		struct pq_pfm_encoding *encoding = &encodings->v[collecting->at];
		unsigned n = pq_wire_get_u8(in);

		if (n)
			take_codes(in, n, encoding);
		else
			take_error(in, str_of(collecting->names[collecting->at]), &encoding->error);
		encoding->record.size = sizeof(encoding->record);
		encoding->record.error = encoding->error;
	}
	return pq_pfm_taken_of(in, collecting->at == encodings->n);
}

/* One byte more than the limit is enough for the helper to report the error. */
static struct pmuq_str name_to_send(const char *name)
{
	return (struct pmuq_str){ .p = name, .n = strnlen(name, PQ_PFM_NAME_MAX_BYTES + 1) };
}

static void put_requests(struct pq_buf *out, struct pmuq_str defaults, const char *const *names,
			 size_t n)
{
	size_t at = 0;

	while (at < n) {
		size_t begun = pq_wire_begin(out), count = 0;

		pq_wire_text(out, defaults);
		while (at < n && count < PQ_PFM_BATCH_NAMES &&
		       out->n - begun < PQ_PFM_BATCH_BYTES && !out->failed) {
			pq_wire_text(out, name_to_send(names[at++]));
			count++;
		}
		pq_wire_end(out, begun, PQ_PFM_ENCODE, count);
		if (out->failed)
			return;
	}
}

/* Sets *ret also if the array could not be allocated, for the caller to free. */
static int new_encodings(size_t n, struct pmuq_pfm_encodings **ret, struct pmuq_error **reterr)
{
	struct pmuq_pfm_encodings *encodings = calloc(1, sizeof(*encodings));
	size_t cap;

	if (!encodings)
		return pq_fail_memory(reterr);
	if (__builtin_mul_overflow(n + 1, ENCODING_MAX_BYTES, &cap))
		cap = SIZE_MAX;
	encodings->arena = PQ_ARENA(cap);
	encodings->v = pq_arena_array(&encodings->arena, n, sizeof(*encodings->v));
	encodings->n = encodings->v ? n : 0;
	*ret = encodings;
	return encodings->v ? 0 : pq_fail_memory(reterr);
}

int pq_pfm_encode_names(struct pmuq_pfm *pfm, struct pmuq_str defaults, const char *const *names,
			size_t n, struct pmuq_pfm_encodings **ret, struct pmuq_error **reterr)
{
	cleanup(pmuq_pfm_encodings_freep) struct pmuq_pfm_encodings *encodings = NULL;
	cleanup(pq_buf_free) struct pq_buf requests = PQ_BUF_NULL;
	struct collecting collecting;
	int r;

	r = new_encodings(n, &encodings, reterr);
	if (r < 0)
		return r;
	put_requests(&requests, defaults, names, n);
	if (requests.failed)
		return pq_fail_memory(reterr);
	collecting = (struct collecting){ .encodings = encodings, .names = names };
	r = n ? pq_pfm_request(pfm, &requests, take_encodings, &collecting, reterr) : 0;
	if (r < 0)
		return r;
	*ret = move(encodings);
	return 0;
}
