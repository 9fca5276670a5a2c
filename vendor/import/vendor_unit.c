/* SPDX-License-Identifier: MIT */
/*
 * The PMU names of Linux for the units in the tables. Most units are "uncore_" and the unit in
 * lower case; the exceptions are one table, in the words of the kernel's drivers. perf has the same
 * table in unit_to_pmu() of tools/perf/pmu-events/jevents.py: compare them when a new perf comes
 * out.
 */
#include "vendor/import/vendor_intel.h"

static const struct vendor_unit {
	struct pmuq_str unit, pmu;
} units[] = {
	{ .unit = STR("CBO"), .pmu = STR("uncore_cbox") },
	{ .unit = STR("SBO"), .pmu = STR("uncore_sbox") },
	{ .unit = STR("QPI LL"), .pmu = STR("uncore_qpi") },
	{ .unit = STR("UPI LL"), .pmu = STR("uncore_upi") },
	{ .unit = STR("iMPH-U"), .pmu = STR("uncore_arb") },
	{ .unit = STR("CPU-M-CF"), .pmu = STR("cpum_cf") },
	{ .unit = STR("CPU-M-SF"), .pmu = STR("cpum_sf") },
	{ .unit = STR("PAI-CRYPTO"), .pmu = STR("pai_crypto") },
	{ .unit = STR("PAI-EXT"), .pmu = STR("pai_ext") },
	{ .unit = STR("L3PMC"), .pmu = STR("amd_l3") },
	{ .unit = STR("DFPMC"), .pmu = STR("amd_df") },
	{ .unit = STR("UMCPMC"), .pmu = STR("amd_umc") },
};

/* These units are names of PMUs. */
static const struct pmuq_str names[] = {
	STR("hisi_sicl,cpa"), STR("hisi_sccl,ddrc"), STR("hisi_sccl,hha"), STR("hisi_sccl,l3c"),
	STR("imx8_ddr"),      STR("imx9_ddr"),	     STR("cpu_core"),	   STR("cpu_atom"),
	STR("ali_drw"),	      STR("arm_cmn"),	     STR("software"),	   STR("tool"),
};

struct pmuq_str pq_vendor_unit_pmu(const struct pq_vendor_converter *converter,
				   struct pmuq_str unit)
{
	char *pmu;

	if (converter->layout == PQ_VENDOR_PERFMON) {
		unit = pq_vendor_intel_unit(converter, unit);
		if (!unit.p)
			return unit;
	}
	if (!unit.n)
		return converter->core_pmu;
	for (size_t i = 0; i < COUNT(units); i++)
		if (str_eq(units[i].unit, unit))
			return units[i].pmu;
	for (size_t i = 0; i < COUNT(names); i++)
		if (str_eq(names[i], unit))
			return names[i];
	pmu = pq_arena_take(converter->arena, unit.n + 8);
	if (!pmu)
		return (struct pmuq_str){ 0 };
	memcpy(pmu, "uncore_", 7);
	for (size_t i = 0; i < unit.n; i++)
		pmu[7 + i] = char_lower(unit.p[i]);
	pmu[7 + unit.n] = '\0';
	return (struct pmuq_str){ .p = pmu, .n = unit.n + 7 };
}
