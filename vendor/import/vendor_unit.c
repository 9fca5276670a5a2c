/* SPDX-License-Identifier: MIT */
/* The units of the tables, as the names that their PMUs have in Linux: one table, and a rule. */
#include "vendor/import/vendor_event.h"

static const struct unit {
	struct pmuq_str unit, pmu;
} units[] = {
	{ STR("CBO"), STR("uncore_cbox") },   { STR("SBO"), STR("uncore_sbox") },
	{ STR("QPI LL"), STR("uncore_qpi") }, { STR("UPI LL"), STR("uncore_upi") },
	{ STR("iMPH-U"), STR("uncore_arb") }, { STR("CPU-M-CF"), STR("cpum_cf") },
	{ STR("CPU-M-SF"), STR("cpum_sf") },  { STR("PAI-CRYPTO"), STR("pai_crypto") },
	{ STR("PAI-EXT"), STR("pai_ext") },   { STR("L3PMC"), STR("amd_l3") },
	{ STR("DFPMC"), STR("amd_df") },      { STR("UMCPMC"), STR("amd_umc") },
};

/* These are names of PMUs already. */
static const struct pmuq_str names[] = {
	STR("hisi_sicl,cpa"), STR("hisi_sccl,ddrc"), STR("hisi_sccl,hha"), STR("hisi_sccl,l3c"),
	STR("imx8_ddr"),      STR("imx9_ddr"),	     STR("cpu_core"),	   STR("cpu_atom"),
	STR("ali_drw"),	      STR("arm_cmn"),	     STR("software"),	   STR("tool"),
};

struct pmuq_str pq_vendor_unit_pmu(const struct pq_vendor_converter *converter,
				   struct pmuq_str unit)
{
	char *pmu;

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
