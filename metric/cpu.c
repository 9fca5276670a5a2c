/* SPDX-License-Identifier: MIT */
/* strcmp_cpuid_str(), whose name promises the opposite: perf's is 1 for the CPU. */
#include "core/vendor/vendor_match.h"
#include "metric/formula.h"

/* A CPUID of arm64 is the number of its MIDR; all others are matched as those of x86. */
PQ_API int pmuq_formula_matches_cpu(const char *name, const char *cpuid, bool *ret,
				    struct pmuq_error **reterr)
{
	struct pmuq_str text = str_of(cpuid);
	struct pmuq_str arch = str_starts(text, STR("0x")) ? STR("arm64") : STR("x86");

	return pq_vendor_matches(arch, str_of(name), text, ret, reterr);
}
