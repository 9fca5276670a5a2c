/* SPDX-License-Identifier: MIT */
/* Encodes a name and returns all that libpfm4 returns. */
#include "core/attr/attr.h"
#include "core/freep.h"
#include "core/sized.h"
#include "pfm/cpus.h"
#include "pfm/pfm_names.h"

/* Texts of one result. */
#define RAW_MAX_BYTES ((size_t)16 << 10)
/* PMUs of every CPU, after those of the machine's; the second also of an Intel CPU. */
#define COMMON_PMUS " perf perf_raw"
#define INTEL_PMUS " ix86arch"

struct raw {
	struct pmuq_pfm_raw record; /* first: callers see this */
	struct pmuq_attr attr;	    /* the record's */
	struct pq_arena arena;
};

/* The fields of the words in a request, in their order; the flags are one word. */
static const unsigned fields[PQ_PFM_ATTR_WORDS] = { PMUQ_ATTR_TYPE,	     PMUQ_ATTR_CONFIG,
						    PMUQ_ATTR_SAMPLE_PERIOD, PMUQ_ATTR_DISABLED,
						    PMUQ_ATTR_CONFIG1,	     PMUQ_ATTR_CONFIG2 };
#define FLAGS_OFFSET (offsetof(struct pmuq_attr, read_format) + sizeof(uint64_t))

static uint64_t get_word(const struct pmuq_attr *attr, size_t i)
{
	uint64_t flags;

	if (fields[i] != PMUQ_ATTR_DISABLED)
		return pmuq_attr_get(attr, fields[i]);
	memcpy(&flags, (const char *)attr + FLAGS_OFFSET, sizeof(flags));
	return flags;
}

static bool set_word(struct pmuq_attr *attr, size_t i, uint64_t value)
{
	if (fields[i] != PMUQ_ATTR_DISABLED)
		return pmuq_attr_set(attr, fields[i], value);
	memcpy((char *)attr + FLAGS_OFFSET, &value, sizeof(value));
	return true;
}

static void take_codes(struct pq_wire *in, struct pmuq_pfm_raw *ret)
{
	ret->n_codes = pq_wire_get_enum(in, PQ_PFM_RAW_CODES_MAX);
	for (size_t i = 0; i < ret->n_codes; i++)
		ret->codes[i] = pq_wire_get_u64(in);
}

static void take_result(struct pq_wire *in, struct raw *raw)
{
	struct pmuq_pfm_raw *ret = &raw->record;

	ret->pmu_id = pq_wire_get_u32(in);
	ret->event = pq_wire_get_u32(in);
	ret->cpu = (int)pq_wire_get_u32(in);
	ret->sysfs = pq_wire_keep_text(in);
	ret->canonical = pq_wire_keep_text(in);
	take_codes(in, ret);
	for (size_t i = 0; i < COUNT(fields); i++)
		in->failed |= !set_word(&raw->attr, i, pq_wire_get_u64(in));
}

static enum pq_pfm_taken take_raw(void *self, const struct pq_pfm_header *header,
				  struct pq_wire *in)
{
	struct raw *raw = self;
	uint32_t result;

	in->arena = &raw->arena;
	in->failed |= header->type != PQ_PFM_RAW || header->count != 1;
	result = pq_wire_get_u32(in);
	in->failed |= result > INT16_MAX;
	raw->record.result = in->failed ? 0 : -(int)result;
	if (!result)
		take_result(in, raw);
	return pq_pfm_taken_of(in, true);
}

/* The PMUs on which a name without a PMU is tried; none: those of the helper's CPU. */
static void put_pmus(const char *cpuid, struct pq_buf *out)
{
	cleanup(pq_buf_free) struct pq_buf pmus = PQ_BUF_NULL;
	struct pmuq_str own = cpuid ? pq_pfm_cpu_defaults(str_of(cpuid)) : STR("");

	pq_buf_add(&pmus, own);
	if (own.n && str_starts(str_of(cpuid), STR("GenuineIntel-")))
		pq_buf_add(&pmus, STR(INTEL_PMUS));
	if (cpuid)
		pq_buf_add(&pmus, STR(COMMON_PMUS));
	out->failed |= pmus.failed;
	pq_wire_text(out, pq_buf_str(&pmus));
}

static int request_raw(struct pmuq_pfm *pfm, const char *name,
		       const struct pmuq_pfm_raw_options *options, struct raw *raw,
		       struct pmuq_error **reterr)
{
	cleanup(pq_buf_free) struct pq_buf request = PQ_BUF_NULL;
	struct pmuq_str text = { .p = name, .n = strnlen(name, PQ_PFM_NAME_MAX_BYTES + 1) };
	size_t begun = pq_wire_begin(&request);

	pq_wire_u8(&request, options->finds_only ? PQ_PFM_FIND_ONLY : options->layer);
	pq_wire_u32(&request, options->levels);
	put_pmus(options->cpuid, &request);
	pq_wire_text(&request, text);
	for (size_t i = 0; i < COUNT(fields); i++)
		pq_wire_u64(&request, get_word(&raw->attr, i));
	pq_wire_end(&request, begun, PQ_PFM_RAW, 1);
	if (request.failed)
		return pq_fail_memory(reterr);
	return pq_pfm_request(pfm, &request, take_raw, raw, reterr);
}

/* What the request leaves: nothing but the error, or an attr in the layers that have one. */
static void finish(struct raw *raw, const struct pmuq_pfm_raw_options *options)
{
	if (raw->record.result == 0 && options->layer != PMUQ_PFM_LAYER_PMU && !options->finds_only)
		raw->record.attr = &raw->attr;
	if (raw->record.result)
		raw->record.sysfs = raw->record.canonical = STR("");
}

PQ_API int pmuq_pfm_encode_raw(struct pmuq_pfm *pfm, const char *name, const struct pmuq_attr *attr,
			       const struct pmuq_pfm_raw_options *options,
			       struct pmuq_pfm_raw **ret, struct pmuq_error **reterr)
{
	cleanup(pmuq_pfm_raw_freep) struct pmuq_pfm_raw *record = NULL;
	struct pmuq_pfm_raw_options taken;
	struct raw *raw;
	int r = pq_sized_take(options, &taken, sizeof(taken), reterr);

	if (r < 0)
		return r;
	if ((unsigned)taken.layer > PMUQ_PFM_LAYER_PERF_EXT)
		return pq_fail(reterr, PMUQ_E_BAD_CALL, "libpfm4 has no layer %u",
			       (unsigned)taken.layer);
	raw = calloc(1, sizeof(*raw));
	if (!raw)
		return pq_fail_memory(reterr);
	record = &raw->record;
	record->size = sizeof(*record);
	raw->arena = PQ_ARENA(RAW_MAX_BYTES);
	for (size_t i = 0; attr && i < COUNT(fields); i++)
		set_word(&raw->attr, i, get_word(attr, i));
	r = request_raw(pfm, name, &taken, raw, reterr);
	if (r < 0)
		return r;
	finish(raw, &taken);
	*ret = move(record);
	return 0;
}

PQ_API void pmuq_pfm_raw_free(struct pmuq_pfm_raw *record)
{
	struct raw *raw = (struct raw *)record;

	if (!raw)
		return;
	pq_arena_clear(&raw->arena);
	free(raw);
}
