/* SPDX-License-Identifier: MIT */
/*
 * libpfm4 through its helper: what names mean, the PMUs of names, which token is wrong. The
 * names are from tables that have not changed for years.
 */
#include "pfm/cpus.h"
#include "pfm/pfm_names.h"

#include "tests/harness/pfm.h"
#include "tests/unit/tree.h"

#define SKX "GenuineIntel-6-55-4"

static int set_up(void **state)
{
	/* With these the helper would have only one PMU, and print debug messages. */
	assert_int_equal(setenv("LIBPFM_FORCE_PMU", "amd64", 1), 0);
	assert_int_equal(setenv("LIBPFM_ENCODE_INACTIVE", "0", 1), 0);
	assert_int_equal(setenv("LIBPFM_DEBUG_STDOUT", "1", 1), 0);
	assert_int_equal(setenv("LIBPFM_DEBUG", "1", 1), 0);
	*state = pfm_open(getenv("PMUQ_TEST_PFM"), 60000);
	return 0;
}

static int tear_down(void **state)
{
	pmuq_pfm_free(*state);
	return 0;
}

struct meaning {
	const char *name, *cpuid;
	enum pmuq_pfm_scope position;
	const char *sysfs, *terms, *pmu, *event;
	uint32_t type;
};

// clang-format off
static const struct meaning meanings[] = {
	/* Core: masked as the kernel requires, in either spelling. */
	{ "skx::INST_RETIRED", NULL, PMUQ_PFM_CORE, "cpu", "config=0xc0", "skx", "INST_RETIRED" },
	{ "SKX::mem_load_retired.l3_miss", NULL, PMUQ_PFM_CORE, "cpu", "config=0x20d1", "skx", "MEM_LOAD_RETIRED" },
	{ "skx::UOPS_RETIRED:RETIRE_SLOTS:c=0x10:i", NULL, PMUQ_PFM_CORE, "cpu", "config=0x108002c2", "skx", "UOPS_RETIRED" },
	{ "skx::MEM_TRANS_RETIRED:LOAD_LATENCY:ldlat=30", NULL, PMUQ_PFM_CORE, "cpu", "config=0x1cd,config1=0x1e", "skx", "MEM_TRANS_RETIRED" },
	{ "skx::OFFCORE_RESPONSE_0:0x18000", NULL, PMUQ_PFM_CORE, "cpu", "config=0x1b7,config1=0x18000", "skx", "OFFCORE_RESPONSE_0" },
	{ "core::INSTRUCTIONS_RETIRED", NULL, PMUQ_PFM_CORE, "cpu", "config=0xc0", "core", "INSTRUCTION_RETIRED" },
	{ "amd64_fam19h_zen3::RETIRED_INSTRUCTIONS:u", NULL, PMUQ_PFM_CORE, "cpu", "config=0xc0", "amd64_fam19h_zen3", "RETIRED_INSTRUCTIONS" },
	/* Instances: one, one that libpfm4 does not have, all. */
	{ "skx_unc_imc0::UNC_M_CAS_COUNT:RD", NULL, PMUQ_PFM_INSTANCE, "uncore_imc_0", "config=0x304", "skx_unc_imc0", "UNC_M_CAS_COUNT" },
	{ "skx_unc_imc17::UNC_M_CAS_COUNT:RD", NULL, PMUQ_PFM_INSTANCE, "uncore_imc_17", "config=0x304", "skx_unc_imc17", "UNC_M_CAS_COUNT" },
	{ "skx_unc_imc::UNC_M_CAS_COUNT:RD", NULL, PMUQ_PFM_INSTANCES, "uncore_imc", "config=0x304", "skx_unc_imc", "UNC_M_CAS_COUNT" },
	{ "skx::UNC_M_CAS_COUNT:RD", NULL, PMUQ_PFM_INSTANCES, "uncore_imc", "config=0x304", "skx_unc_imc", "UNC_M_CAS_COUNT" },
	{ "SKX_unc_imc*::UNC_M_CAS_COUNT:RD", NULL, PMUQ_PFM_INSTANCES, "uncore_imc", "config=0x304", "skx_unc_imc", "UNC_M_CAS_COUNT" },
	{ "skx_unc_cha::UNC_C_LLC_LOOKUP", NULL, PMUQ_PFM_INSTANCES, "uncore_cha", "config=0x1134,config1=0xfe0000", "skx_unc_cha", "UNC_C_LLC_LOOKUP" },
	{ "knl_unc_edc_uclk3::UNC_E_U_CLOCKTICKS", NULL, PMUQ_PFM_INSTANCE, "uncore_edc_uclk_3", "config=0x0", "knl_unc_edc_uclk3", "UNC_E_U_CLOCKTICKS" },
	{ "knl_unc_imc_uclk1::UNC_M_U_CLOCKTICKS", NULL, PMUQ_PFM_INSTANCE, "uncore_imc_uclk_1", "config=0x0", "knl_unc_imc_uclk1", "UNC_M_U_CLOCKTICKS" },
	{ "skx_unc_pcu::UNC_P_CLOCKTICKS", NULL, PMUQ_PFM_INSTANCES, "uncore_pcu", "config=0x0", "skx_unc_pcu", "UNC_P_CLOCKTICKS" },
	{ "rapl::RAPL_ENERGY_PKG", NULL, PMUQ_PFM_INSTANCES, "power", "config=0x2", "rapl", "RAPL_ENERGY_PKG" },
	{ "amd64_fam19h_zen3_l3::UNC_L3_REQUESTS:ALL", NULL, PMUQ_PFM_INSTANCES, "amd_l3", "config=0xff04", "amd64_fam19h_zen3_l3", "UNC_L3_REQUESTS" },
	{ "amd64_fam15h_nb::DRAM_ACCESSES:DCT0_PAGE_HIT", NULL, PMUQ_PFM_INSTANCES, "amd_nb", "config=0x1e0", "amd64_fam15h_nb", "DRAM_ACCESSES" },
	/* The kernel's own, and raw ones. */
	{ "perf::cycles", NULL, PMUQ_PFM_GENERIC, "cpu", "config=0x0", "perf", "PERF_COUNT_HW_CPU_CYCLES", 0 },
	{ "perf::PAGE-FAULTS", NULL, PMUQ_PFM_GENERIC, "software", "config=0x2", "perf", "PERF_COUNT_SW_PAGE_FAULTS", 1 },
	{ "perf::L1-dcache-load-misses", NULL, PMUQ_PFM_GENERIC, "cpu", "config=0x10000", "perf", "PERF_COUNT_HW_CACHE_L1D", 3 },
	{ "perf_raw::r1c0", NULL, PMUQ_PFM_CORE, "cpu", "config=0x1c0", "perf_raw", "r1c0" },
	/* Without a PMU: names of the CPU, core first. */
	{ "INST_RETIRED", SKX, PMUQ_PFM_CORE, "cpu", "config=0xc0", "skx", "INST_RETIRED" },
	{ "INST_RETIRED", "GenuineIntel-6-55-7", PMUQ_PFM_CORE, "cpu", "config=0xc0", "clx", "INST_RETIRED" },
	{ "UNC_M_CAS_COUNT:RD", SKX, PMUQ_PFM_INSTANCES, "uncore_imc", "config=0x304", "skx_unc_imc", "UNC_M_CAS_COUNT" },
	{ "UNC_P_CLOCKTICKS", "GenuineIntel-6-3F-2", PMUQ_PFM_INSTANCES, "uncore_pcu", "config=0x0", "hswep_unc_pcu", "UNC_P_CLOCKTICKS" },
	{ "RAPL_ENERGY_PKG", SKX, PMUQ_PFM_INSTANCES, "power", "config=0x2", "rapl", "RAPL_ENERGY_PKG" },
	{ "RETIRED_INSTRUCTIONS", "AuthenticAMD-25-1-1", PMUQ_PFM_CORE, "cpu", "config=0xc0", "amd64_fam19h_zen3", "RETIRED_INSTRUCTIONS" },
	{ "UNC_L3_REQUESTS:ALL", "AuthenticAMD-25-1-1", PMUQ_PFM_INSTANCES, "amd_l3", "config=0xff04", "amd64_fam19h_zen3_l3", "UNC_L3_REQUESTS" },
	{ "RETIRED_INSTRUCTIONS", "AuthenticAMD-23-1-2", PMUQ_PFM_CORE, "cpu", "config=0xc0", "amd64_fam17h_zen1", "RETIRED_INSTRUCTIONS" },
};
// clang-format on

static void expect_meaning(struct pmuq_pfm *pfm, const struct meaning *want)
{
	struct pmuq_pfm_encodings *encodings = pfm_request(pfm, want->cpuid, &want->name, 1);
	const struct pmuq_pfm_encoding *encoding = pmuq_pfm_encodings_get(encodings, 0);
	const struct pmuq_pfm_code *code = pmuq_pfm_encoding_code(encoding, 0);

	if (!code)
		fail_msg("%s: %s", want->name, encoding->error->message.p);
	assert_int_equal(encoding->n_codes, 1);
	assert_int_equal(code->scope, want->position);
	assert_string_equal(code->sysfs.p, want->sysfs);
	assert_string_equal(code->terms.p, want->terms);
	assert_string_equal(code->pmu.p, want->pmu);
	assert_string_equal(code->event.p, want->event);
	assert_int_equal(code->type, want->type);
	assert_true(strncmp(code->canonical.p, want->pmu, strlen(want->pmu)) == 0);
	pmuq_pfm_encodings_free(encodings);
}

static void test_meanings(void **state)
{
	for (size_t i = 0; i < COUNT(meanings); i++)
		expect_meaning(*state, &meanings[i]);
}

static const struct {
	const char *name;
	uint64_t values[PMUQ_PFM_MODIFIERS];
	unsigned set;
} modified[] = {
	{ "skx::INST_RETIRED", .set = 0 },
	{ "skx::INST_RETIRED:u", { [PMUQ_PFM_U] = 1 }, 1 << PMUQ_PFM_U },
	{ "skx::INST_RETIRED:U=n:k=T:e:c=1",
	  { [PMUQ_PFM_K] = 1 },
	  1 << PMUQ_PFM_U | 1 << PMUQ_PFM_K },
	{ "skx::INST_RETIRED:mg:mh=0:excl:pinned=1",
	  { [PMUQ_PFM_MG] = 1, [PMUQ_PFM_EXCL] = 1, [PMUQ_PFM_PINNED] = 1 },
	  1 << PMUQ_PFM_MG | 1 << PMUQ_PFM_MH | 1 << PMUQ_PFM_EXCL | 1 << PMUQ_PFM_PINNED },
	{ "skx::INST_RETIRED:precise=2:freq=0x10:cpu=010",
	  { [PMUQ_PFM_PRECISE] = 2, [PMUQ_PFM_FREQ] = 16, [PMUQ_PFM_CPU] = 8 },
	  1 << PMUQ_PFM_PRECISE | 1 << PMUQ_PFM_FREQ | 1 << PMUQ_PFM_CPU },
	{ "skx::INST_RETIRED:period=100003", { [PMUQ_PFM_PERIOD] = 100003 }, 1 << PMUQ_PFM_PERIOD },
	/* On any CPU. */
	{ "perf::cycles:h", { [PMUQ_PFM_H] = 1 }, 1 << PMUQ_PFM_H },
	{ "perf::page-faults:u:H=n", { [PMUQ_PFM_U] = 1 }, 1 << PMUQ_PFM_U | 1 << PMUQ_PFM_H },
	/* A umask, and a modifier of the hardware: bits, both. */
	{ "snb::L2_LINES_IN:I:i=0", .set = 0 },
};

static void test_modifiers(void **state)
{
	for (size_t i = 0; i < COUNT(modified); i++) {
		struct pmuq_pfm_encodings *encodings =
			pfm_request(*state, NULL, &modified[i].name, 1);
		const struct pmuq_pfm_encoding *encoding = pmuq_pfm_encodings_get(encodings, 0);

		assert_null(encoding->error);
		for (unsigned m = 0; m < PMUQ_PFM_MODIFIERS; m++) {
			uint64_t value = 0;
			bool is_set = pmuq_pfm_encoding_modifier(encoding, m, &value);

			assert_int_equal(is_set, modified[i].set >> m & 1);
			assert_int_equal(value, modified[i].values[m]);
		}
		pmuq_pfm_encodings_free(encodings);
	}
}

struct refusal {
	const char *name, *cpuid;
	enum pmuq_code code;
	unsigned offset, length;
	const char *hint; /* is in there; NULL when there is none */
};

// clang-format off
static const struct refusal refusals[] = {
	{ "", NULL, PMUQ_E_PFM_BAD_NAME, 0, 0 },
	{ "skx::", NULL, PMUQ_E_PFM_BAD_NAME, 5, 0 },
	{ "a b", NULL, PMUQ_E_PFM_BAD_NAME, 1, 1 },
	{ "skx::INST_RETIRED,skx::X", NULL, PMUQ_E_PFM_BAD_NAME, 17, 1 },
	{ "skx::INST_RETIRED\n", NULL, PMUQ_E_PFM_BAD_NAME, 17, 1 },
	{ "skx::INST_RETIRED:", NULL, PMUQ_E_PFM_BAD_NAME, 18, 0 },
	{ "skx::INST_RETIRED::u", NULL, PMUQ_E_PFM_BAD_NAME, 18, 0 },
	{ "skx::INST_RETIRED:=3", NULL, PMUQ_E_PFM_BAD_NAME, 18, 2 },
	{ "INST_RETIRED", NULL, PMUQ_E_PFM_NO_CPU, 0, 12, "the CPU of the machine is unknown" },
	{ "INST_RETIRED", "GenuineIntel-6-FF-1", PMUQ_E_PFM_NO_CPU, 0, 12, "the CPU is GenuineIntel-6-FF-1" },
	{ "skxx::INST_RETIRED", NULL, PMUQ_E_PFM_UNKNOWN_PMU, 0, 4, "did you mean 'skx'" },
	{ "skx_unc_imk::UNC_M_CAS_COUNT:RD", NULL, PMUQ_E_PFM_UNKNOWN_PMU, 0, 11, "'skx_unc_imc'" },
	{ "zen3::RETIRED_INSTRUCTIONS", NULL, PMUQ_E_PFM_UNKNOWN_PMU, 0, 4, "amd64_fam19h_zen3" },
	{ "::INST_RETIRED", NULL, PMUQ_E_PFM_UNKNOWN_PMU, 0, 0, NULL },
	{ "skx::INST_RETIRD:u", NULL, PMUQ_E_PFM_UNKNOWN_EVENT, 5, 11, "did you mean 'INST_RETIRED'?" },
	{ "skx::UNC_CBO_CACHE_LOOKUP", NULL, PMUQ_E_PFM_UNKNOWN_EVENT, 5, 20, "known to snb_unc_cbo" },
	{ "skx_unc_imc::INST_RETIRED", NULL, PMUQ_E_PFM_UNKNOWN_EVENT, 13, 12, "known to core, atom, nhm, nhm_ex, wsm, wsm_dp and " },
	{ "INST_RETIRD", SKX, PMUQ_E_PFM_UNKNOWN_EVENT, 0, 11, "did you mean 'INST_RETIRED'?" },
	{ "unc_m_cas_cont", SKX, PMUQ_E_PFM_UNKNOWN_EVENT, 0, 14, "'UNC_M_CAS_COUNT'" },
	{ "skx::MEM_LOAD_RETIRED:L3_MIS", NULL, PMUQ_E_PFM_UNKNOWN_ATTRIBUTE, 22, 6, "did you mean 'L3_MISS'" },
	{ "skx::MEM_LOAD_RETIRED:nonsense=3:u", NULL, PMUQ_E_PFM_UNKNOWN_ATTRIBUTE, 22, 8, "umasks of MEM_LOAD_RETIRED: L1_HIT, " },
	{ "skx_unc_imc0::UNC_M_CAS_COUNT:RD:u", NULL, PMUQ_E_PFM_UNKNOWN_ATTRIBUTE, 33, 1, "modifiers of UNC_M_CAS_COUNT: e, i, t" },
	{ "skx::MEM_LOAD_RETIRED:u", NULL, PMUQ_E_PFM_MISSING_UMASK, 5, 16, "L3_MISS" },
	{ "snbep_unc_cbo0::UNC_C_TOR_INSERTS:MISS_OPCODE", NULL, PMUQ_E_PFM_MISSING_UMASK, 34, 11, "MISS_OPCODE goes with OPC_RFO" },
	{ "snbep_unc_cbo0::UNC_C_LLC_LOOKUP:NID", NULL, PMUQ_E_PFM_CONFLICT, 33, 3, "NID goes with " },
	{ "skx_unc_cha::UNC_C_TOR_INSERTS:OPC0_SNP_CUR", NULL, PMUQ_E_PFM_CONFLICT, 31, 12, "goes with IPQ" },
	{ "skx_unc_cha::UNC_C_TOR_INSERTS:OPC0_SNP_CUR:e", NULL, PMUQ_E_PFM_CONFLICT, 31, 12, "goes with IPQ" },
	{ "skx::INST_RETIRED:c", NULL, PMUQ_E_PFM_BAD_VALUE, 18, 1, NULL },
	{ "skx::INST_RETIRED:c=x", NULL, PMUQ_E_PFM_BAD_VALUE, 20, 1, NULL },
	{ "skx::INST_RETIRED:u=7", NULL, PMUQ_E_PFM_BAD_VALUE, 20, 1, NULL },
	{ "skx::INST_RETIRED:u=", NULL, PMUQ_E_PFM_BAD_VALUE, 18, 2, NULL },
	{ "skx::INST_RETIRED:ANY_P=1", NULL, PMUQ_E_PFM_BAD_VALUE, 18, 7, NULL },
	{ "skx::INST_RETIRED:u:c=300:k", NULL, PMUQ_E_PFM_BAD_VALUE, 22, 3, "c takes 0 to 255" },
	{ "skx::INST_RETIRED:precise=9", NULL, PMUQ_E_PFM_BAD_VALUE, 26, 1, "precise takes 0 to 3" },
	{ "skx::MEM_TRANS_RETIRED:LOAD_LATENCY:ldlat=65536", NULL, PMUQ_E_PFM_BAD_VALUE, 42, 5, "1 to 65535" },
	{ "skx::L2_RQSTS:MISS:u:REFERENCES", NULL, PMUQ_E_PFM_CONFLICT, 21, 10, NULL },
	{ "skx::INST_RETIRED:freq=100:u:period=3", NULL, PMUQ_E_PFM_CONFLICT, 29, 8, NULL },
	{ "skx::INST_RETIRED:u:e", NULL, PMUQ_E_PFM_CONFLICT, 20, 1, "e goes with " },
	{ "skx::INST_RETIRED:c=1:c=2", NULL, PMUQ_E_PFM_CONFLICT, 22, 3, NULL },
	/* A umask in hexadecimal is valid; what follows it is not. */
	{ "skx::OFFCORE_RESPONSE_0:0x1:c=x", NULL, PMUQ_E_PFM_BAD_VALUE, 30, 1, NULL },
	{ "skx::OFFCORE_RESPONSE_0:0x:c=x", NULL, PMUQ_E_PFM_UNKNOWN_ATTRIBUTE, 24, 2, "umasks of OFFCORE_RESPONSE_0: " },
};
// clang-format on

static void expect_refusal(const struct refusal *want, const struct pmuq_pfm_encoding *encoding)
{
	const struct pmuq_error *error = encoding->error;
	const char *hint;

	if (!error)
		fail_msg("'%s' is encoded", want->name);
	hint = error->hint.p;
	if (error->code != want->code || error->offset != want->offset ||
	    error->length != want->length)
		fail_msg("'%s': %s at %zu, %zu: %s", want->name, pmuq_code_name(error->code),
			 error->offset, error->length, error->message.p);
	if (want->hint ? !hint || !strstr(hint, want->hint) : hint != NULL)
		fail_msg("'%s': hint %s", want->name, hint ? hint : "(none)");
	assert_string_equal(error->input.p, want->name);
	assert_int_equal(encoding->n_codes, 0);
}

/* Each alone, and next to a valid one. */
static void test_refusals(void **state)
{
	for (size_t i = 0; i < COUNT(refusals); i++) {
		const char *names[] = { refusals[i].name, "skx::INST_RETIRED" };
		struct pmuq_pfm_encodings *encodings =
			pfm_request(*state, refusals[i].cpuid, names, COUNT(names));

		expect_refusal(&refusals[i], pmuq_pfm_encodings_get(encodings, 0));
		assert_null(pmuq_pfm_encodings_get(encodings, 1)->error);
		pmuq_pfm_encodings_free(encodings);
	}
}

/* What goes with a umask is found by trials, which take a millisecond: not for hundreds of names.
 */
static void test_few_hints(void **state)
{
	const char *names[8];
	struct pmuq_pfm_encodings *encodings;

	for (size_t i = 0; i < COUNT(names); i++)
		names[i] = "skx_unc_cha::UNC_C_TOR_INSERTS:OPC0_SNP_CUR";
	for (size_t round = 0; round < 2; round++) {
		encodings = pfm_request(*state, NULL, names, COUNT(names));
		for (size_t i = 0; i < COUNT(names); i++) {
			const struct pmuq_error *error =
				pmuq_pfm_encodings_get(encodings, i)->error;

			assert_int_equal(error->code, PMUQ_E_PFM_CONFLICT);
			assert_int_equal(error->offset, 31);
			assert_int_equal(error->hint.p != NULL, i < 4);
		}
		pmuq_pfm_encodings_free(encodings);
	}
}

/* More than the library's array holds: it would write beyond it. */
static void test_limits(void **state)
{
	char many[2048] = "core::RS_UOPS_DISPATCHED_CYCLES", equal[2048], wide[4096];
	const char *names[] = { many, equal, wide };
	struct pmuq_pfm_encodings *encodings;

	for (int i = 0; i < 24; i++)
		strcat(many, ":ANY");
	strcpy(equal, "skx::OFFCORE_RESPONSE_0");
	for (int i = 0; i < 100; i++)
		strcat(equal, ":DMND_RFO");
	memset(wide, 'x', sizeof(wide) - 1);
	wide[sizeof(wide) - 1] = '\0';
	encodings = pfm_request(*state, NULL, names, COUNT(names));
	for (size_t i = 0; i < COUNT(names); i++)
		assert_int_equal(pmuq_pfm_encodings_get(encodings, i)->error->code,
				 PMUQ_E_PFM_BAD_NAME);
	pmuq_pfm_encodings_free(encodings);
	pmuq_pfm_encodings_free(pfm_request(*state, NULL, names, 0));
}

/* The library's own name of an event is a valid name of the same bits. */
static void test_canonical_names(void **state)
{
	for (size_t i = 0; i < COUNT(meanings); i++) {
		struct pmuq_pfm_encodings *encodings =
			pfm_request(*state, meanings[i].cpuid, &meanings[i].name, 1);
		const char *canonical =
			pmuq_pfm_encoding_code(pmuq_pfm_encodings_get(encodings, 0), 0)
				->canonical.p;
		struct pmuq_pfm_encodings *again = pfm_request(*state, NULL, &canonical, 1);
		const struct pmuq_pfm_code *code =
			pmuq_pfm_encoding_code(pmuq_pfm_encodings_get(again, 0), 0);

		if (!code)
			fail_msg("%s", canonical);
		assert_string_equal(code->terms.p, meanings[i].terms);
		pmuq_pfm_encodings_free(again);
		pmuq_pfm_encodings_free(encodings);
	}
}

/* A name with a few bytes removed, changed or inserted. The seed is fixed. */
static char *mutate(const char *name, uint32_t *seed)
{
	static const char *const more[] = {
		":u", "=", ":c=3", "::",    ":e",
		"*",  "7", ".",	   ":0x12", ":period=99999999999999999999"
	};
	struct pq_buf out = PQ_BUF_NULL;

	for (const char *p = name; *p; p++) {
		*seed = *seed * 1664525 + 1013904223;
		if (*seed >> 28 == 0)
			continue;
		pq_buf_char(&out, *seed >> 27 == 30 ? (char)(*seed >> 8) : *p, 1);
		if (*seed >> 27 == 31)
			pq_buf_add(&out, str_of(more[(*seed >> 8) % COUNT(more)]));
	}
	pq_buf_char(&out, '\0', 1);
	assert_false(out.failed);
	return pq_buf_take(&out);
}

static void expect_law(const char *name, const struct pmuq_pfm_encoding *encoding)
{
	const struct pmuq_error *error = encoding->error;

	assert_int_equal(error == NULL, encoding->n_codes > 0);
	if (!error)
		return;
	assert_between(error->code, PMUQ_E_PFM_NO_CPU, PMUQ_E_PFM_BAD_NAME);
	assert_true(error->offset + error->length <= strlen(name));
	assert_true(*error->message.p != '\0');
}

/* Every request has a result: a code, or an error with its location. */
static void test_any_name(void **state)
{
	uint32_t seed = 20230328;
	char *names[COUNT(meanings)];

	for (int round = 0; round < 40; round++) {
		struct pmuq_pfm_encodings *encodings;

		for (size_t i = 0; i < COUNT(names); i++)
			names[i] = mutate(meanings[i].name, &seed);
		encodings = pfm_request(*state, SKX, (const char *const *)names, COUNT(names));
		for (size_t i = 0; i < COUNT(names); i++) {
			expect_law(names[i], pmuq_pfm_encodings_get(encodings, i));
			free(names[i]);
		}
		pmuq_pfm_encodings_free(encodings);
	}
}

/* An event of a hybrid machine belongs to each core PMU that has it; this machine has two such
 * PMUs.
 */
static void test_two_core_pmus(void **state)
{
	const char *names[] = { "INST_RETIRED", "INST_RETIRED:TOTAL_CYCLES", "RAPL_ENERGY_PKG" };
	static const size_t counts[] = { 3, 2, 1 };
	struct pmuq_pfm_encodings *encodings = NULL;

	assert_int_equal(pq_pfm_encode_names(*state, STR("nonesuch+glm+skx+clx rapl"), names,
					     COUNT(names), &encodings, NULL),
			 0);
	for (size_t i = 0; i < COUNT(names); i++)
		assert_int_equal(pmuq_pfm_encodings_get(encodings, i)->n_codes, counts[i]);
	pmuq_pfm_encodings_free(encodings);
}

/* Every CPU with a table in libpfm4 in 2023 has an event here. */
static void test_cpus(void **state)
{
	static const char *const cpus[][2] = {
		{ "GenuineIntel-15-2-9", "netburst" },
		{ "GenuineIntel-6-F-6", "core" },
		{ "GenuineIntel-6-1A-5", "nhm" },
		{ "GenuineIntel-6-2A-7", "snb" },
		{ "GenuineIntel-6-2D-7", "snb_ep" },
		{ "GenuineIntel-6-3A-9", "ivb" },
		{ "GenuineIntel-6-3C-3", "hsw" },
		{ "GenuineIntel-6-4F-1", "bdw_ep" },
		{ "GenuineIntel-6-37-8", "slm" },
		{ "GenuineIntel-6-5E-3", "skl" },
		{ "GenuineIntel-6-6A-6", "icx" },
		{ "GenuineIntel-6-8F-8", "spr" },
		{ "AuthenticAMD-21-2-0", "amd64_fam15h_interlagos" },
		{ "AuthenticAMD-25-11-1", "amd64_fam19h_zen4" },
	};

	for (size_t i = 0; i < COUNT(cpus); i++) {
		struct pmuq_pfm_events *events = NULL;
		struct pmuq_str core, rest;

		str_cut(pq_pfm_cpu_defaults(str_of(cpus[i][0])), ' ', &core, &rest);
		assert_true(str_eq(core, str_of(cpus[i][1])));
		assert_int_equal(pmuq_pfm_list_events(*state, cpus[i][1], false, &events, NULL), 0);
		assert_true(pmuq_pfm_events_count(events) > 0);
		pmuq_pfm_events_free(events);
	}
}

static void test_no_cpus(void **state)
{
	static const char *const texts[] = { "",
					     "-",
					     "GenuineIntel",
					     "GenuineIntel-6-",
					     "GenuineIntel-x-55-4",
					     "0x00000000410fd0c0",
					     "GenuineIntel-6-55-4-4" };

	(void)state;
	for (size_t i = 0; i < COUNT(texts); i++)
		assert_int_equal(pq_pfm_cpu_defaults(str_of(texts[i])).n, 0);
}

static void test_lists(void **state)
{
	struct pmuq_pfm_events *events = NULL;
	struct pmuq_error *error = NULL;
	const struct pmuq_pfm_event *event;
	const char *file = NULL, *build_id = NULL;

	assert_int_equal(pmuq_pfm_list_events(*state, "skx_unc_imc", true, &events, NULL), 0);
	event = pmuq_pfm_events_get(events, 0);
	assert_true(*event->description.p != '\0');
	assert_true(event->n_attributes > 0);
	assert_non_null(pmuq_pfm_event_attribute(event, 0)->description.p);
	assert_null(pmuq_pfm_event_attribute(event, 9999));
	assert_null(pmuq_pfm_events_get(events, pmuq_pfm_events_count(events)));
	pmuq_pfm_events_free(events);
	assert_int_equal(pmuq_pfm_list_events(*state, "skxx", true, &events, &error),
			 -PMUQ_E_PFM_UNKNOWN_PMU);
	assert_non_null(strstr(error->hint.p, "'skx'"));
	pmuq_error_free(error);
	assert_int_equal(pmuq_pfm_list_events(*state, "skxx", true, &events, NULL),
			 -PMUQ_E_PFM_UNKNOWN_PMU);
	assert_int_equal(pmuq_pfm_library(*state, &file, &build_id, NULL), 0);
	assert_true(strncmp(file, "libpfm.so.", 10) == 0);
}

/* The helper that was started by this process, by its number. */
static long child(void)
{
	FILE *file = fopen("/proc/thread-self/children", "r");
	long pid = 0;

	assert_non_null(file);
	if (fscanf(file, "%ld", &pid) != 1)
		pid = 0;
	fclose(file);
	return pid;
}

/* A descriptor without close-on-exec is not open in the helper. */
static void test_descriptors(void **state)
{
	int leak = open("/dev/null", O_RDONLY);
	struct pmuq_pfm *pfm = pfm_open(getenv("PMUQ_TEST_PFM"), 60000);
	const char *file, *build_id;
	char *path = NULL;
	struct stat status;

	(void)state;
	assert_true(leak > STDERR_FILENO);
	assert_int_equal(pmuq_pfm_library(pfm, &file, &build_id, NULL), 0);
	assert_true(asprintf(&path, "/proc/%ld/fd/%d", child(), STDIN_FILENO) > 0);
	assert_int_equal(stat(path, &status), 0);
	free(path);
	assert_true(asprintf(&path, "/proc/%ld/fd/%d", child(), leak) > 0);
	assert_int_equal(stat(path, &status), -1);
	free(path);
	close(leak);
	pmuq_pfm_free(pfm);
	assert_int_equal(child(), 0);
}

static void test_early_start(void **state)
{
	struct pmuq_pfm *pfm = pfm_open(getenv("PMUQ_TEST_PFM"), 60000);
	const char *file, *build_id;
	long pid;

	(void)state;
	assert_int_equal(child(), 0);
	assert_int_equal(pmuq_pfm_start(pfm, NULL), 0);
	pid = child();
	assert_true(pid > 0);
	assert_int_equal(pmuq_pfm_start(pfm, NULL), 0);
	assert_int_equal(pmuq_pfm_library(pfm, &file, &build_id, NULL), 0);
	assert_true(strncmp(file, "libpfm.so.", 10) == 0);
	assert_int_equal(pmuq_pfm_start(pfm, NULL), 0);
	assert_int_equal(child(), pid);
	pmuq_pfm_free(pfm);
	/* It may be freed before it was ready. */
	pfm = pfm_open(getenv("PMUQ_TEST_PFM"), 60000);
	assert_int_equal(pmuq_pfm_start(pfm, NULL), 0);
	pmuq_pfm_free(pfm);
	assert_int_equal(child(), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_meanings, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_modifiers, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_refusals, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_few_hints, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_limits, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_any_name, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_canonical_names, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_two_core_pmus, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_cpus, set_up, tear_down),
		cmocka_unit_test(test_no_cpus),
		cmocka_unit_test_setup_teardown(test_lists, set_up, tear_down),
		cmocka_unit_test(test_descriptors),
		cmocka_unit_test(test_early_start),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
