/* SPDX-License-Identifier: MIT */
/*
 * The calls that encode. libpfm4's own names come from libpfm4, through the helper of libpmuq, with
 * its codes, defaults and errors. A name that libpfm4 does not have is an event string of pmuq.
 */
#include "compat/compat.h"
#include <stdlib.h>

/* What libpfm4 rejects as two events. */
#define SEPARATORS " \t\n,"
/* The layer's defaults of pfm_initialize() with an attr that has no size. */
#define ATTR_BYTES_FIRST 64u

static int request_raw(struct compat *c, const char *text, struct pmuq_pfm_raw_options options,
		       const struct pmuq_attr *attr, struct pmuq_pfm_raw **ret)
{
	const struct compat_pmu *pmu;
	int r;

	if (compat_is_inactive(c, text))
		return PFM_ERR_NOTFOUND;
	options.size = sizeof(options);
	options.cpuid = c->cpuid;
	r = compat_error(pmuq_pfm_encode_raw(c->pfm, text, attr, &options, ret, NULL));

	if (r != PFM_SUCCESS)
		return r;
	if ((*ret)->result != PFM_SUCCESS)
		return (*ret)->result;
	pmu = compat_pmu(c, (*ret)->pmu_id);
	return pmu && (pmu->is_present || c->encodes_inactive) ? PFM_SUCCESS : PFM_ERR_NOTFOUND;
}

static int encode_library(struct compat *c, const char *text, int levels, pfm_os_t os,
			  const struct pmuq_attr *attr, struct pmuq_pfm_raw **ret)
{
	struct pmuq_pfm_raw_options options = { .layer = (enum pmuq_pfm_layer)os,
						.levels = (unsigned)levels };

	return request_raw(c, text, options, attr, ret);
}

/* Another error of libpfm4 is final, unless perf's modifiers follow a name without a PMU:
 * "cycles:pp". Other letters of perf could be a modifier of libpfm4 in another layer. */
static bool may_be_own(const char *text, int r)
{
	const char *colon = strchr(text, ':');

	if (r != PFM_ERR_ATTR || !colon)
		return r == PFM_ERR_NOTFOUND;
	return colon[1] && !colon[1 + strspn(colon + 1, "ukhpGH")];
}

/* The error of a name that neither has is libpfm4's, unless it can only be pmuq's. */
static int final_error(const char *text, int library, int own)
{
	if (own == PFM_SUCCESS || own == PFM_ERR_NOMEM)
		return own;
	if (library == PFM_ERR_NOTFOUND && strpbrk(text, SEPARATORS) && !strchr(text, '/'))
		return PFM_ERR_INVAL;
	return library == PFM_ERR_NOTFOUND ? own : library;
}

/* ---- attrs */

/* The first bytes are the caller's, the others are zero. */
static size_t take_attr(const struct perf_event_attr *attr, struct pmuq_attr *ret)
{
	size_t bytes = attr->size ? attr->size : ATTR_BYTES_FIRST;

	memset(ret, 0, sizeof(*ret));
	if (bytes > sizeof(*ret))
		bytes = sizeof(*ret);
	memcpy(ret, attr, bytes);
	return bytes;
}

/* A field that the caller's attr does not have is an error, since the event would be another. */
static int give_attr(const struct pmuq_attr *attr, size_t bytes, struct perf_event_attr *ret)
{
	const char *from = (const char *)attr;
	uint32_t size = ret->size;

	for (size_t i = bytes; i < sizeof(*attr); i++)
		if (from[i])
			return PFM_ERR_TOOSMALL;
	memcpy(ret, attr, bytes);
	ret->size = size;
	return PFM_SUCCESS;
}

/* The type is the machine's. The type of a core PMU that it does not have stays libpfm4's. */
static int set_type(struct compat *c, const struct pmuq_pfm_raw *raw, struct pmuq_attr *attr)
{
	const struct pmuq_pmu *pmu = NULL;

	if (!raw->sysfs.n)
		return PFM_SUCCESS;
	if (pmuq_source_find_pmu(c->source, raw->sysfs.p, &pmu, NULL) == 0 && pmu->has_type)
		attr->type = pmu->type;
	else if (attr->type != PERF_TYPE_RAW)
		return PFM_ERR_NOTSUPP;
	return PFM_SUCCESS;
}

struct attr_result {
	struct pmuq_attr attr;
	char *name; /* to be freed */
	int index, cpu;
};

static int finish_library(struct compat *c, const struct pmuq_pfm_raw *raw, struct attr_result *ret)
{
	int r;

	ret->attr.type = raw->attr->type;
	ret->attr.config = raw->attr->config;
	ret->attr.sample_period = raw->attr->sample_period;
	ret->attr.config1 = raw->attr->config1;
	ret->attr.config2 = raw->attr->config2;
	for (unsigned i = PMUQ_ATTR_DISABLED; i <= PMUQ_ATTR_DEFER_OUTPUT; i++)
		pmuq_attr_set(&ret->attr, i, pmuq_attr_get(raw->attr, i));
	r = set_type(c, raw, &ret->attr);
	if (r != PFM_SUCCESS)
		return r;
	ret->cpu = raw->cpu;
	ret->index = compat_index_of(c, raw->pmu_id, raw->event);
	if (ret->index < 0)
		return ret->index;
	ret->name = strdup(raw->canonical.p);
	return ret->name ? PFM_SUCCESS : PFM_ERR_NOMEM;
}

/* Like libpfm4: what an event always has is assigned, all other fields only if they are set. */
static void merge(const struct pmuq_attr *from, struct pmuq_attr *to)
{
	static const unsigned always[] = { PMUQ_ATTR_TYPE,	   PMUQ_ATTR_CONFIG,
					   PMUQ_ATTR_EXCLUDE_USER, PMUQ_ATTR_EXCLUDE_KERNEL,
					   PMUQ_ATTR_EXCLUDE_HV,   PMUQ_ATTR_EXCLUDE_GUEST,
					   PMUQ_ATTR_EXCLUDE_HOST, PMUQ_ATTR_PINNED };

	for (unsigned i = 0; pmuq_attr_field(i); i++)
		if (i != PMUQ_ATTR_SIZE && pmuq_attr_get(from, i))
			pmuq_attr_set(to, i, pmuq_attr_get(from, i));
	for (size_t i = 0; i < COUNT(always); i++)
		pmuq_attr_set(to, always[i], pmuq_attr_get(from, always[i]));
}

static int encode_own_attr(struct compat *c, const char *text, int levels, pfm_os_t os,
			   struct attr_result *ret)
{
	struct compat_own own;
	int r = compat_encode_own(c, text, levels, os, &own);

	if (r != PFM_SUCCESS) {
		free(own.name);
		return r;
	}
	merge(&own.attr, &ret->attr);
	ret->name = own.name;
	ret->index = own.index;
	ret->cpu = own.cpu;
	return PFM_SUCCESS;
}

static int encode_any(struct compat *c, const char *text, int levels, pfm_os_t os,
		      struct attr_result *ret)
{
	struct pmuq_pfm_raw *raw = NULL;
	int r = encode_library(c, text, levels, os, &ret->attr, &raw);

	if (r == PFM_SUCCESS)
		r = finish_library(c, raw, ret);
	pmuq_pfm_raw_free(raw);
	if (may_be_own(text, r))
		r = final_error(text, r, encode_own_attr(c, text, levels, os, ret));
	return r;
}

static int encode_attr(struct compat *c, const char *text, int levels, pfm_os_t os,
		       pfm_perf_encode_arg_t *arg)
{
	struct attr_result result = { .cpu = -1 };
	size_t bytes;
	int r;

	if (!compat_size(arg, arg->size, PFM_PERF_ENCODE_ABI0, sizeof(*arg)) || !arg->attr)
		return PFM_ERR_INVAL;
	bytes = take_attr(arg->attr, &result.attr);
	r = encode_any(c, text, levels, os, &result);
	if (r == PFM_SUCCESS)
		r = give_attr(&result.attr, bytes, arg->attr);
	if (r != PFM_SUCCESS || !arg->fstr)
		free(result.name);
	if (r != PFM_SUCCESS)
		return r;
	if (arg->fstr)
		*arg->fstr = result.name;
	arg->idx = result.index;
	arg->cpu = result.cpu;
	return PFM_SUCCESS;
}

/* ---- codes */

struct code_result {
	const uint64_t *codes;
	size_t n;
	const char *name;
	int index;
};

static int give_codes(const struct code_result *from, pfm_pmu_encode_arg_t *arg)
{
	char *name = arg->fstr ? strdup(from->name) : NULL;
	uint64_t *codes = arg->codes;

	if (codes && arg->count < (int)from->n) {
		free(name);
		return PFM_ERR_TOOSMALL;
	}
	if (!codes)
		codes = malloc(sizeof(*codes) * (from->n ? from->n : 1));
	if (!codes || (arg->fstr && !name)) {
		free(name);
		free(codes == arg->codes ? NULL : codes);
		return PFM_ERR_NOMEM;
	}
	for (size_t i = 0; i < from->n; i++)
		codes[i] = from->codes[i];
	arg->codes = codes;
	arg->count = (int)from->n;
	arg->idx = from->index;
	if (arg->fstr)
		*arg->fstr = name;
	return PFM_SUCCESS;
}

static int give_library(struct compat *c, const struct pmuq_pfm_raw *raw, pfm_pmu_encode_arg_t *arg)
{
	const struct code_result result = { .codes = raw->codes,
					    .n = raw->n_codes,
					    .name = raw->canonical.p,
					    .index = compat_index_of(c, raw->pmu_id, raw->event) };

	return result.index < 0 ? result.index : give_codes(&result, arg);
}

/* The code of a tracepoint is its id, as in libpfm4. Other own events have an attr only. */
static int give_own(struct compat *c, const char *text, int levels, pfm_pmu_encode_arg_t *arg)
{
	struct compat_own own;
	int r = compat_encode_own(c, text, levels, PFM_OS_NONE, &own);
	const struct code_result result = {
		.codes = &own.attr.config, .n = 1, .name = own.name, .index = own.index
	};

	if (r != PFM_SUCCESS)
		r = final_error(text, PFM_ERR_NOTFOUND, r);
	else
		r = own.attr.type == PERF_TYPE_TRACEPOINT ? give_codes(&result, arg)
							  : PFM_ERR_NOTSUPP;
	free(own.name);
	return r;
}

static int encode_codes(struct compat *c, const char *text, int levels, pfm_pmu_encode_arg_t *arg)
{
	struct pmuq_pfm_raw *raw = NULL;
	int r;

	if (!compat_size(arg, arg->size, PFM_RAW_ENCODE_ABI0, sizeof(*arg)))
		return PFM_ERR_INVAL;
	r = encode_library(c, text, levels, PFM_OS_NONE, NULL, &raw);
	if (r == PFM_SUCCESS)
		r = give_library(c, raw, arg);
	pmuq_pfm_raw_free(raw);
	return r == PFM_ERR_NOTFOUND ? give_own(c, text, levels, arg) : r;
}

/* ---- the calls */

pfm_err_t pfm_get_os_event_encoding(const char *str, int dfl_plm, pfm_os_t os, void *args)
{
	COMPAT_LOCK(c);
	int r = compat_load(c);

	if (r != PFM_SUCCESS)
		return r;
	if (!str || !args || (dfl_plm & ~(PFM_PLM0 | PFM_PLM1 | PFM_PLM2 | PFM_PLM3 | PFM_PLMH)))
		return PFM_ERR_INVAL;
	if (os == PFM_OS_NONE)
		return encode_codes(c, str, dfl_plm, args);
	if (os == PFM_OS_PERF_EVENT || os == PFM_OS_PERF_EVENT_EXT)
		return encode_attr(c, str, dfl_plm, os, args);
	return PFM_ERR_NOTSUPP;
}

pfm_err_t pfm_get_perf_event_encoding(const char *str, int dfl_plm, struct perf_event_attr *output,
				      char **fstr, int *idx)
{
	pfm_perf_encode_arg_t arg = { .attr = output, .fstr = fstr, .size = sizeof(arg) };
	int r = pfm_get_os_event_encoding(str, dfl_plm, PFM_OS_PERF_EVENT_EXT, &arg);

	if (r == PFM_SUCCESS && idx)
		*idx = arg.idx;
	return r;
}

pfm_err_t pfm_get_event_encoding(const char *str, int dfl_plm, char **fstr, int *idx,
				 uint64_t **codes, int *count)
{
	pfm_pmu_encode_arg_t arg = { .fstr = fstr, .size = sizeof(arg) };
	int r;

	if (!str || !codes || !count || !*codes != !*count)
		return PFM_ERR_INVAL;
	arg.codes = *codes;
	arg.count = *count;
	r = pfm_get_os_event_encoding(str, dfl_plm, PFM_OS_NONE, &arg);
	if (r != PFM_SUCCESS)
		return r;
	*codes = arg.codes;
	*count = arg.count;
	if (idx)
		*idx = arg.idx;
	return PFM_SUCCESS;
}

static int find_library(struct compat *c, const char *text)
{
	struct pmuq_pfm_raw *raw = NULL;
	int r = request_raw(c, text, (struct pmuq_pfm_raw_options){ .finds_only = true }, NULL,
			    &raw);

	if (r == PFM_SUCCESS)
		r = compat_index_of(c, raw->pmu_id, raw->event);
	pmuq_pfm_raw_free(raw);
	return r;
}

static int find_own(struct compat *c, const char *text)
{
	int found = compat_index_of_subsystem(c, compat_find_subsystem(c, text));
	struct compat_own own;

	if (found >= 0)
		return found;
	found = compat_encode_own(c, text, PFM_PLM0 | PFM_PLM3, PFM_OS_NONE, &own);
	free(own.name);
	return found == PFM_SUCCESS ? own.index : final_error(text, PFM_ERR_NOTFOUND, found);
}

int pfm_find_event(const char *str)
{
	COMPAT_LOCK(c);
	int r = compat_load(c);

	if (r != PFM_SUCCESS)
		return r;
	if (!str)
		return PFM_ERR_INVAL;
	r = find_library(c, str);
	return r == PFM_ERR_NOTFOUND ? find_own(c, str) : r;
}
