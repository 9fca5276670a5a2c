/* SPDX-License-Identifier: MIT */
/*
 * THE table of CPUs and the libpfm4 PMUs of each. A new CPU is a row: vendor, family, models from
 * and to, PMUs; and steppings if two CPUs share a model. The first row that matches is used, so the
 * row of a single model comes before that of its whole family.
 */
#include "pfm/cpus.h"
#include "core/num.h"
#include <pmuq/pmuq.h>

/* Texts are in the row, so that the loader of the library has no pointer to relocate. */
struct pfm_cpu {
	char vendor[13];
	uint8_t family, first, last;	       /* models */
	uint8_t first_stepping, last_stepping; /* last 0: any */
	char pmus[55];
};

#define INTEL "GenuineIntel"
#define AMD "AuthenticAMD"

// clang-format off
#define CPU(of_vendor, of_family, from, to, ...) \
	{ .vendor = of_vendor, .family = of_family, .first = from, .last = to, __VA_ARGS__ }
static const struct pfm_cpu cpus[] = {
	CPU(INTEL, 15, 0x00, 0x02, .pmus = "netburst"),
	CPU(INTEL, 15, 0x03, 0x06, .pmus = "netburst_p"),
	CPU(INTEL,  6, 0x0f, 0x0f, .pmus = "core"),
	CPU(INTEL,  6, 0x17, 0x17, .pmus = "core"),
	CPU(INTEL,  6, 0x1d, 0x1d, .pmus = "core"),
	CPU(INTEL,  6, 0x1a, 0x1a, .pmus = "nhm nhm_unc"),
	CPU(INTEL,  6, 0x1e, 0x1f, .pmus = "nhm nhm_unc"),
	CPU(INTEL,  6, 0x2e, 0x2e, .pmus = "nhm_ex"),
	CPU(INTEL,  6, 0x1c, 0x1c, .pmus = "atom"),
	CPU(INTEL,  6, 0x26, 0x27, .pmus = "atom"),
	CPU(INTEL,  6, 0x35, 0x36, .pmus = "atom"),
	CPU(INTEL,  6, 0x25, 0x25, .pmus = "wsm wsm_unc"),
	CPU(INTEL,  6, 0x2c, 0x2c, .pmus = "wsm_dp wsm_unc"),
	CPU(INTEL,  6, 0x2f, 0x2f, .pmus = "wsm_dp"),
	CPU(INTEL,  6, 0x2a, 0x2a, .pmus = "snb snb_unc_* rapl"),
	CPU(INTEL,  6, 0x2d, 0x2d, .pmus = "snb_ep snbep_unc_* rapl"),
	CPU(INTEL,  6, 0x3a, 0x3a, .pmus = "ivb ivb_unc_* rapl"),
	CPU(INTEL,  6, 0x3e, 0x3e, .pmus = "ivb_ep ivbep_unc_* rapl"),
	CPU(INTEL,  6, 0x3c, 0x3c, .pmus = "hsw rapl"),
	CPU(INTEL,  6, 0x45, 0x46, .pmus = "hsw rapl"),
	CPU(INTEL,  6, 0x3f, 0x3f, .pmus = "hsw_ep hswep_unc_* rapl"),
	CPU(INTEL,  6, 0x3d, 0x3d, .pmus = "bdw rapl"),
	CPU(INTEL,  6, 0x47, 0x47, .pmus = "bdw rapl"),
	CPU(INTEL,  6, 0x4f, 0x4f, .pmus = "bdw_ep bdx_unc_* rapl"),
	CPU(INTEL,  6, 0x56, 0x56, .pmus = "bdw_ep bdx_unc_* rapl"),
	CPU(INTEL,  6, 0x37, 0x37, .pmus = "slm"),
	CPU(INTEL,  6, 0x4a, 0x4a, .pmus = "slm"),
	CPU(INTEL,  6, 0x4c, 0x4d, .pmus = "slm"),
	CPU(INTEL,  6, 0x5a, 0x5a, .pmus = "slm"),
	CPU(INTEL,  6, 0x5c, 0x5c, .pmus = "glm rapl"),
	CPU(INTEL,  6, 0x5f, 0x5f, .pmus = "glm rapl"),
	CPU(INTEL,  6, 0x86, 0x86, .pmus = "tmt rapl"),
	CPU(INTEL,  6, 0x4e, 0x4e, .pmus = "skl rapl"),
	CPU(INTEL,  6, 0x5e, 0x5e, .pmus = "skl rapl"),
	CPU(INTEL,  6, 0x8e, 0x8e, .pmus = "skl rapl"),
	CPU(INTEL,  6, 0x9e, 0x9e, .pmus = "skl rapl"),
	CPU(INTEL,  6, 0xa5, 0xa6, .pmus = "skl rapl"),
	CPU(INTEL,  6, 0x55, 0x55, .last_stepping = 4, .pmus = "skx skx_unc_* rapl"),
	CPU(INTEL,  6, 0x55, 0x55, .first_stepping = 5, .last_stepping = 15, .pmus = "clx skx_unc_* rapl"),
	CPU(INTEL,  6, 0x57, 0x57, .pmus = "knl knl_unc_* rapl"),
	CPU(INTEL,  6, 0x85, 0x85, .pmus = "knm knm_unc_* rapl"),
	CPU(INTEL,  6, 0x7d, 0x7e, .pmus = "icl rapl"),
	CPU(INTEL,  6, 0x6a, 0x6a, .pmus = "icx icx_unc_* rapl"),
	CPU(INTEL,  6, 0x6c, 0x6c, .pmus = "icx icx_unc_* rapl"),
	CPU(INTEL,  6, 0x8f, 0x8f, .pmus = "spr spr_unc_* rapl"),
	CPU(INTEL,  6, 0xcf, 0xcf, .pmus = "emr emr_unc_* rapl"),
	CPU(INTEL,  6, 0xad, 0xae, .pmus = "gnr gnr_unc_* rapl"),
	CPU(INTEL,  6, 0x97, 0x97, .pmus = "adl_glc+adl_grt rapl"),
	CPU(INTEL,  6, 0x9a, 0x9a, .pmus = "adl_glc+adl_grt rapl"),
	CPU(INTEL,  6, 0xb7, 0xb7, .pmus = "adl_glc+adl_grt rapl"),
	CPU(INTEL,  6, 0xba, 0xba, .pmus = "adl_glc+adl_grt rapl"),
	CPU(INTEL,  6, 0xbf, 0xbf, .pmus = "adl_glc+adl_grt rapl"),
	CPU(INTEL, 11, 0x00, 0x01, .pmus = "knc"),
	CPU(AMD,    6, 0x00, 0xff, .pmus = "amd64_k7"),
	CPU(AMD,   15, 0x05, 0x05, .last_stepping = 1, .pmus = "amd64_k8_revb"),
	CPU(AMD,   15, 0x00, 0x0f, .pmus = "amd64_k8_revc"),
	CPU(AMD,   15, 0x10, 0x1f, .pmus = "amd64_k8_revd"),
	CPU(AMD,   15, 0x20, 0x3f, .pmus = "amd64_k8_reve"),
	CPU(AMD,   15, 0x40, 0x5f, .pmus = "amd64_k8_revf"),
	CPU(AMD,   15, 0xc0, 0xcf, .pmus = "amd64_k8_revf"),
	CPU(AMD,   15, 0x60, 0x8f, .pmus = "amd64_k8_revg"),
	CPU(AMD,   16, 0x04, 0x06, .pmus = "amd64_fam10h_shanghai"),
	CPU(AMD,   16, 0x08, 0x09, .pmus = "amd64_fam10h_istanbul"),
	CPU(AMD,   16, 0x00, 0xff, .pmus = "amd64_fam10h_barcelona"),
	CPU(AMD,   17, 0x00, 0xff, .pmus = "amd64_fam11h_turion"),
	CPU(AMD,   18, 0x00, 0xff, .pmus = "amd64_fam12h_llano"),
	CPU(AMD,   20, 0x00, 0xff, .pmus = "amd64_fam14h_bobcat"),
	CPU(AMD,   21, 0x00, 0xff, .pmus = "amd64_fam15h_interlagos amd64_fam15h_nb"),
	CPU(AMD,   22, 0x00, 0xff, .pmus = "amd64_fam16h"),
	CPU(AMD,   23, 0x00, 0x2f, .pmus = "amd64_fam17h_zen1 amd64_rapl"),
	CPU(AMD,   23, 0x30, 0xff, .pmus = "amd64_fam17h_zen2 amd64_rapl"),
	CPU(AMD,   25, 0x00, 0x0f, .pmus = "amd64_fam19h_zen3 amd64_fam19h_zen3_l3 amd64_rapl"),
	CPU(AMD,   25, 0x20, 0x5f, .pmus = "amd64_fam19h_zen3 amd64_fam19h_zen3_l3 amd64_rapl"),
	CPU(AMD,   25, 0x10, 0x1f, .pmus = "amd64_fam19h_zen4 amd64_rapl"),
	CPU(AMD,   25, 0x60, 0xaf, .pmus = "amd64_fam19h_zen4 amd64_rapl"),
	CPU(AMD,   26, 0x00, 0x4f, .pmus = "amd64_fam1ah_zen5 amd64_fam1ah_zen5_l3 amd64_rapl"),
	CPU(AMD,   26, 0x60, 0x7f, .pmus = "amd64_fam1ah_zen5 amd64_fam1ah_zen5_l3 amd64_rapl"),
};
// clang-format on

/* In perf's form: vendor, family in decimal, model and stepping in hex. */
struct identity {
	struct pmuq_str vendor;
	uint64_t family, model, stepping;
};

static bool read_identity(struct pmuq_str cpuid, struct identity *ret)
{
	struct pmuq_str family, model, rest = cpuid;

	*ret = (struct identity){ 0 };
	return str_cut(rest, '-', &ret->vendor, &rest) && str_cut(rest, '-', &family, &rest) &&
	       pq_num_decimal(family, &ret->family) == PQ_NUM_OK &&
	       (str_cut(rest, '-', &model, &rest), pq_num_hex(model, &ret->model) == PQ_NUM_OK) &&
	       (!rest.n || pq_num_hex(rest, &ret->stepping) == PQ_NUM_OK);
}

static bool is_it(const struct pfm_cpu *cpu, const struct identity *id)
{
	return cpu->family == id->family && id->model >= cpu->first && id->model <= cpu->last &&
	       str_eq(str_of(cpu->vendor), id->vendor) &&
	       (!cpu->last_stepping ||
		(id->stepping >= cpu->first_stepping && id->stepping <= cpu->last_stepping));
}

struct pmuq_str pq_pfm_cpu_defaults(struct pmuq_str cpuid)
{
	struct identity id;

	if (!read_identity(cpuid, &id))
		return STR("");
	for (size_t i = 0; i < COUNT(cpus); i++)
		if (is_it(&cpus[i], &id))
			return str_of(cpus[i].pmus);
	return STR("");
}

/* "skx+x" names two PMUs; "skx_unc_*" is the prefix of many. */
static bool word_has(struct pmuq_str word, struct pmuq_str pmu)
{
	struct pmuq_str one;

	while (word.n) {
		str_cut(word, '+', &one, &word);
		if (str_eq(one, pmu) || (one.n && one.p[one.n - 1] == '*' &&
					 str_starts(pmu, str_part(one, 0, one.n - 1))))
			return true;
	}
	return false;
}

/* The PMUs of the kernel's own events and of raw codes, and Intel's architectural events. */
static bool is_of_many(struct pmuq_str pmu, struct pmuq_str cpuid)
{
	return str_eq(pmu, STR("perf")) || str_eq(pmu, STR("perf_raw")) ||
	       (str_eq(pmu, STR("ix86arch")) && str_starts(cpuid, STR(INTEL "-")));
}

/* True for every PMU if the table does not have the CPU. */
PQ_API bool pmuq_pfm_is_of_cpu(const char *pmu, const char *cpuid)
{
	struct pmuq_str rest = pq_pfm_cpu_defaults(str_of(cpuid)), word;

	if (!rest.n || is_of_many(str_of(pmu), str_of(cpuid)))
		return true;
	while (rest.n) {
		str_cut(rest, ' ', &word, &rest);
		if (word_has(word, str_of(pmu)))
			return true;
	}
	return false;
}
