/* SPDX-License-Identifier: MIT */
/*
 * One name as libpfm4 encodes it, with nothing changed: its error number, its codes and all that it
 * writes to an attr. Without a PMU a name is tried on the PMUs of the requested CPU, in libpfm4's
 * order.
 */
#include "pfm/helper/helper.h"
#include "pfm/helper/pfm_host.h"
#include <linux/perf_event.h> /* before libpfm4's headers, which have a copy of their own */
#include <perfmon/pfmlib.h>
#include <perfmon/pfmlib_perf_event.h>
#include <stddef.h>

/* Between PERF_ATTR_SIZE_VER0's members, all flags are one word. */
#define FLAGS_OFFSET offsetof(struct perf_event_attr, read_format) + sizeof(uint64_t)

struct raw_request {
	unsigned layer; /* as in the request */
	int levels;
	uint64_t words[PQ_PFM_ATTR_WORDS];
};

struct raw_result {
	int result, cpu, event;
	char *canonical; /* to be freed */
	uint64_t codes[PQ_PFM_RAW_CODES_MAX];
	size_t n_codes;
	uint64_t words[PQ_PFM_ATTR_WORDS];
};

static void set_words(struct perf_event_attr *attr, const uint64_t *words)
{
	attr->type = (uint32_t)words[0];
	attr->config = words[1];
	attr->sample_period = words[2];
	memcpy((char *)attr + FLAGS_OFFSET, &words[3], sizeof(words[3]));
	attr->config1 = words[4];
	attr->config2 = words[5];
}

static void get_words(const struct perf_event_attr *attr, uint64_t *ret)
{
	ret[0] = attr->type;
	ret[1] = attr->config;
	ret[2] = attr->sample_period;
	memcpy(&ret[3], (const char *)attr + FLAGS_OFFSET, sizeof(ret[3]));
	ret[4] = attr->config1;
	ret[5] = attr->config2;
}

static void encode_attr(const char *name, const struct raw_request *request, struct raw_result *ret)
{
	struct perf_event_attr attr = { .size = sizeof(attr) };
	pfm_perf_encode_arg_t arg = { .attr = &attr, .fstr = &ret->canonical, .size = sizeof(arg) };

	set_words(&attr, request->words);
	ret->result =
		pfm_get_os_event_encoding(name, request->levels, (pfm_os_t)request->layer, &arg);
	get_words(&attr, ret->words);
	ret->cpu = arg.cpu;
	ret->event = arg.idx;
}

static void encode_codes(const char *name, const struct raw_request *request,
			 struct raw_result *ret)
{
	pfm_pmu_encode_arg_t arg = { .codes = ret->codes,
				     .fstr = &ret->canonical,
				     .size = sizeof(arg),
				     .count = PQ_PFM_RAW_CODES_MAX };

	ret->result = pfm_get_os_event_encoding(name, request->levels, PFM_OS_NONE, &arg);
	ret->cpu = -1;
	ret->n_codes = arg.count > 0 ? (size_t)arg.count : 0;
	ret->event = arg.idx;
}

static void find(const char *name, struct raw_result *ret)
{
	ret->event = pfm_find_event(name);
	ret->result = ret->event < 0 ? ret->event : PFM_SUCCESS;
	ret->cpu = -1;
}

static void encode(const char *name, const struct raw_request *request, struct raw_result *ret)
{
	*ret = (struct raw_result){ 0 };
	pq_host_forget();
	if (request->layer == PQ_PFM_FIND_ONLY)
		find(name, ret);
	else if (request->layer == PMUQ_PFM_LAYER_PMU)
		encode_codes(name, request, ret);
	else
		encode_attr(name, request, ret);
}

/* Without a PMU of the helper's own CPU, libpfm4 finds the PMU itself. */
static bool is_safe(struct pq_pfm_tables *tables, struct pq_pfm_pmu *pmu,
		    const struct pq_pfm_name *name)
{
	if (pmu)
		return pq_helper_fits(tables, pmu, name);
	for (size_t i = 0; i < tables->n_pmus; i++)
		if (tables->pmus[i].is_present && !pq_helper_fits(tables, &tables->pmus[i], name))
			return false;
	return true;
}

static void encode_on(struct pq_pfm_tables *tables, struct pq_pfm_pmu *pmu,
		      const struct pq_pfm_name *name, const struct raw_request *request,
		      struct raw_result *ret)
{
	struct pq_pfm_target target = { .pmu = pmu };
	char full[PQ_PFM_FULL_MAX_BYTES] = "";

	*ret = (struct raw_result){ .result = PFM_ERR_TOOMANY };
	if (!is_safe(tables, pmu, name))
		return;
	if (pmu && !pq_pfm_target_full(&target, name->rest, full))
		return;
	if (!pmu)
		memcpy(full, name->text.p, name->text.n);
	encode(full, request, ret);
}

static bool has_pmu(struct pmuq_str pmus, struct pmuq_str key)
{
	while (pmus.n) {
		struct pmuq_str item, one;

		str_cut(pmus, ' ', &item, &pmus);
		while (item.n) {
			str_cut(item, '+', &one, &item);
			if (str_eq(one, key) || (str_ends(one, STR("*")) &&
						 str_starts(key, str_part(one, 0, one.n - 1))))
				return true;
		}
	}
	return false;
}

/* The first PMU of libpfm4 that has the event decides, as in libpfm4. */
static void encode_bare(struct pq_pfm_tables *tables, struct pmuq_str pmus,
			const struct pq_pfm_name *name, const struct raw_request *request,
			struct raw_result *ret)
{
	if (!pmus.n) {
		encode_on(tables, NULL, name, request, ret);
		return;
	}
	*ret = (struct raw_result){ .result = PFM_ERR_NOTFOUND };
	for (size_t i = 0; i < tables->n_pmus && ret->result == PFM_ERR_NOTFOUND; i++)
		if (has_pmu(pmus, tables->pmus[i].key))
			encode_on(tables, &tables->pmus[i], name, request, ret);
}

/* A name that the helper cannot split: libpfm4 accepts none of them. */
static int error_of(const struct pq_pfm_name *name)
{
	return name->n_tokens == PQ_PFM_TOKENS_MAX ? PFM_ERR_TOOMANY
	       : name->event.n			   ? PFM_ERR_ATTR
						   : PFM_ERR_NOTFOUND;
}

static void encode_name(struct pq_pfm_tables *tables, struct pmuq_str pmus, struct pmuq_str text,
			const struct raw_request *request, struct raw_result *ret)
{
	cleanup(pq_pfm_wrong_free) struct pq_pfm_wrong wrong = { 0 };
	struct pq_pfm_target target;
	struct pq_pfm_name name;

	*ret = (struct raw_result){ .result = PFM_ERR_NOTFOUND };
	if (!pq_pfm_name_parse(text, &wrong, &name))
		ret->result = error_of(&name);
	else if (!name.pmu.p)
		encode_bare(tables, pmus, &name, request, ret);
	else if (pq_pfm_target_find(tables, name.pmu, &target) && !target.is_family &&
		 !target.is_other_instance)
		encode_on(tables, target.pmu, &name, request, ret);
}

/* libpfm4 reads the type of a core PMU only on a hybrid machine. */
static bool find_sysfs(struct pq_pfm_tables *tables, uint32_t pmu_id, uint32_t type,
		       struct pmuq_str *ret)
{
	*ret = pq_pfm_last_sysfs();
	for (size_t i = 0; !ret->n && type == PERF_TYPE_RAW && i < tables->n_pmus; i++) {
		struct pq_pfm_pmu *pmu = &tables->pmus[i];

		if (pmu->id != pmu_id || pmu->type != PMUQ_PFM_PMU_CORE)
			continue;
		if (!pq_pfm_tables_find_sysfs(tables, pmu))
			return false;
		if (!str_eq(pmu->sysfs, STR("cpu")))
			*ret = pmu->sysfs;
	}
	return true;
}

static bool put_result(struct pq_pfm_tables *tables, const struct raw_result *result,
		       struct pq_buf *out)
{
	pfm_event_info_t info = { .size = sizeof(info) };
	struct pmuq_str sysfs;

	pq_wire_u32(out, (uint32_t)-result->result);
	if (result->result != PFM_SUCCESS)
		return true;
	if (pfm_get_event_info(result->event, PFM_OS_NONE, &info) != PFM_SUCCESS ||
	    !find_sysfs(tables, info.pmu, (uint32_t)result->words[0], &sysfs))
		return false;
	pq_wire_u32(out, info.pmu);
	pq_wire_u32(out, (uint32_t)result->event);
	pq_wire_u32(out, (uint32_t)result->cpu);
	pq_wire_text(out, sysfs);
	pq_wire_text(out, str_of(result->canonical ? result->canonical : ""));
	pq_wire_u8(out, (unsigned)result->n_codes);
	for (size_t i = 0; i < result->n_codes; i++)
		pq_wire_u64(out, result->codes[i]);
	for (size_t i = 0; i < COUNT(result->words); i++)
		pq_wire_u64(out, result->words[i]);
	return true;
}

bool pq_helper_raw(struct pq_pfm_tables *tables, struct pq_wire *in, struct pq_buf *out)
{
	struct raw_request request = { .layer = pq_wire_get_enum(in, PQ_PFM_FIND_ONLY) };
	size_t begun = pq_wire_begin(out);
	struct pmuq_str pmus, name;
	struct raw_result result;
	bool is_written;

	request.levels = (int)pq_wire_get_u32(in);
	pmus = pq_wire_get_text(in);
	name = pq_wire_get_text(in);
	for (size_t i = 0; i < COUNT(request.words); i++)
		request.words[i] = pq_wire_get_u64(in);
	if (!pq_wire_is_done(in) || !pq_pfm_tables_detect(tables))
		return false;
	encode_name(tables, pmus, name, &request, &result);
	is_written = put_result(tables, &result, out);
	free(result.result == PFM_SUCCESS ? result.canonical : NULL);
	pq_wire_end(out, begun, PQ_PFM_RAW, 1);
	return is_written && !out->failed;
}
