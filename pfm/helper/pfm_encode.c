/* SPDX-License-Identifier: MIT */
#include "pfm/helper/pfm_encode.h"
#include "pfm/helper/pfm_host.h"
#include <linux/perf_event.h> /* before libpfm4's headers, which have a copy of their own */
#include <perfmon/pfmlib.h>
#include <perfmon/pfmlib_perf_event.h>

static const enum pq_pfm_refusal refusals[] = {
	[-PFM_ERR_NOTFOUND] = PQ_PFM_REFUSED_NAME,
	[-PFM_ERR_FEATCOMB] = PQ_PFM_REFUSED_COMBINATION,
	[-PFM_ERR_UMASK] = PQ_PFM_REFUSED_UMASK,
	[-PFM_ERR_ATTR] = PQ_PFM_REFUSED_ATTRIBUTE,
	[-PFM_ERR_ATTR_VAL] = PQ_PFM_REFUSED_VALUE,
	[-PFM_ERR_ATTR_SET] = PQ_PFM_REFUSED_TWICE,
	[-PFM_ERR_TOOSMALL] = PQ_PFM_REFUSED_ALL,
};

static enum pq_pfm_refusal refusal_of(int r)
{
	size_t at = (size_t)-r;

	if (r == PFM_SUCCESS)
		return PQ_PFM_REFUSED_NOTHING;
	return r < 0 && at < COUNT(refusals) && refusals[at] ? refusals[at] : PQ_PFM_REFUSED_ALL;
}

/* PMUs that libpfm4 looks up in sysfs by another name than the kernel's. */
static const struct {
	struct pmuq_str library, sysfs;
} misnamed[] = {
	{ .library = { "uncore_mc_uclk_0", 16 }, .sysfs = { "uncore_imc_uclk_0", 17 } },
	{ .library = { "uncore_mc_uclk_1", 16 }, .sysfs = { "uncore_imc_uclk_1", 17 } },
};

struct pmuq_str pq_pfm_last_sysfs(void)
{
	struct pmuq_str name = pq_host_last_pmu();

	for (size_t i = 0; name.n && i < COUNT(misnamed); i++)
		if (str_eq(misnamed[i].library, name))
			return misnamed[i].sysfs;
	return name;
}

enum pq_pfm_refusal pq_pfm_encode(const char *name, struct pq_pfm_coded *ret)
{
	struct perf_event_attr attr = { .size = sizeof(attr) };
	char *canonical = NULL;
	pfm_perf_encode_arg_t arg = { .attr = &attr, .fstr = &canonical, .size = sizeof(arg) };
	int r;

	pq_host_forget();
	r = pfm_get_os_event_encoding(name, PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT_EXT, &arg);
	if (r != PFM_SUCCESS) {
		free(canonical);
		canonical = NULL;
	}
	*ret = (struct pq_pfm_coded){
		.config = { attr.config, attr.config1, attr.config2 },
		.type = attr.type,
		.sysfs = pq_pfm_last_sysfs(),
		.canonical = canonical,
	};
	return refusal_of(r);
}
