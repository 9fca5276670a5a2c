/* SPDX-License-Identifier: MIT */
/*
 * Every event and umask of every PMU that libpfm4 can enumerate: the helper gives the config words
 * that the library gives in this process, and its lists are the library's.
 *
 * The library sees the same machine here as in the helper (pfm/helper/pfm_host.c), because
 * otherwise it would refuse all uncore events. The raw codes, for which it reads no machine, check
 * that this does not change config words: they are equal except for the bits that perf's layer
 * leaves to the kernel.
 */
#include "core/buf.h"
#include "pfm/helper/pfm_host.h"
#include <linux/perf_event.h> /* before libpfm4's headers */
#include <perfmon/pfmlib.h>
#include <perfmon/pfmlib_perf_event.h>

#include "tests/harness/pfm.h"
#include <stdio.h>

#define OS PFM_OS_PERF_EVENT_EXT
/* USR, OS, INT and EN, as the kernel sets them itself. */
#define KERNELS_BITS 0x530000ull

struct walk {
	struct pmuq_pfm *pfm;
	char **names;
	size_t n, capacity, events, attributes;
};

static int set_up(void **state)
{
	struct walk *walk = calloc(1, sizeof(*walk));

	assert_non_null(walk);
	assert_int_equal(setenv("LIBPFM_ENCODE_INACTIVE", "1", 1), 0);
	assert_int_equal(pfm_initialize(), PFM_SUCCESS);
	walk->pfm = pfm_open(getenv("PMUQ_TEST_PFM"), 60000);
	*state = walk;
	return 0;
}

static void forget_names(struct walk *walk)
{
	for (size_t i = 0; i < walk->n; i++)
		free(walk->names[i]);
	walk->n = 0;
}

static int tear_down(void **state)
{
	struct walk *walk = *state;

	forget_names(walk);
	pmuq_pfm_free(walk->pfm);
	free(walk->names);
	free(walk);
	return 0;
}

/* Refusals take long to explain: only the first instance of a family is tested.
 */
static bool is_worth_trying(const char *name)
{
	struct perf_event_attr attr = { .size = sizeof(attr) };
	pfm_perf_encode_arg_t arg = { .attr = &attr, .size = sizeof(arg) };
	const char *end = strstr(name, "::");

	return !strstr(name, "_unc_") || end[-1] < '1' || end[-1] > '9' ||
	       pfm_get_os_event_encoding(name, PFM_PLM0 | PFM_PLM3, OS, &arg) == PFM_SUCCESS;
}

static void add_name(struct walk *walk, const char *pmu, const char *event, const char *umask)
{
	char **name;

	if (walk->n == walk->capacity) {
		walk->capacity = walk->capacity ? walk->capacity * 2 : 1024;
		walk->names = realloc(walk->names, walk->capacity * sizeof(*walk->names));
		assert_non_null(walk->names);
	}
	name = &walk->names[walk->n];
	assert_true(asprintf(name, "%s::%s%s%s", pmu, event, umask ? ":" : "", umask ? umask : "") >
		    0);
	if (is_worth_trying(*name))
		walk->n++;
	else
		free(*name);
}

/* The config of netburst is not a raw code with masked bits: perf has another layout. */
static bool has_other_layout(const char *name)
{
	return strncmp(name, "netburst", 8) == 0;
}

static void expect_raw_codes(const char *name, const struct perf_event_attr *attr)
{
	pfm_pmu_encode_arg_t arg = { .size = sizeof(arg) };

	assert_int_equal(pfm_get_os_event_encoding(name, PFM_PLM0 | PFM_PLM3, PFM_OS_NONE, &arg),
			 PFM_SUCCESS);
	assert_true(arg.count >= 1);
	if (!has_other_layout(name) && (arg.codes[0] ^ attr->config) & ~KERNELS_BITS)
		fail_msg("%s: raw code 0x%llx, config 0x%llx", name,
			 (unsigned long long)arg.codes[0], (unsigned long long)attr->config);
	free(arg.codes);
}

static void expect_encoding(const char *name, const struct pmuq_pfm_encoding *encoding,
			    size_t *ret_good)
{
	struct perf_event_attr attr = { .size = sizeof(attr) };
	char *canonical = NULL;
	pfm_perf_encode_arg_t arg = { .attr = &attr, .fstr = &canonical, .size = sizeof(arg) };
	const struct pmuq_pfm_code *code = pmuq_pfm_encoding_code(encoding, 0);
	uint64_t configs[] = { attr.config, attr.config1, attr.config2 };
	int r = pfm_get_os_event_encoding(name, PFM_PLM0 | PFM_PLM3, OS, &arg);

	if ((r == PFM_SUCCESS) != (code != NULL))
		fail_msg("%s: libpfm4 returns %d", name, r);
	assert_int_equal(encoding->error == NULL, code != NULL);
	if (!code)
		return;
	configs[0] = attr.config;
	configs[1] = attr.config1;
	configs[2] = attr.config2;
	for (size_t i = 0; i < 3; i++)
		if (code->config[i] != configs[i])
			fail_msg("%s: config%zu", name, i);
	if (code->scope != PMUQ_PFM_GENERIC)
		expect_raw_codes(name, &attr);
	if (strncmp(name, "perf_raw", 8) != 0)
		assert_string_equal(code->canonical.p, canonical);
	free(canonical);
	(*ret_good)++;
}

static void expect_attribute(const struct pmuq_pfm_event *event, int index, size_t at,
			     struct walk *walk, const char *pmu)
{
	pfm_event_attr_info_t info = { .size = sizeof(info) };

	assert_int_equal(pfm_get_event_attr_info(index, (int)at, OS, &info), PFM_SUCCESS);
	assert_string_equal(pmuq_pfm_event_attribute(event, at)->name.p, info.name);
	assert_int_equal(pmuq_pfm_event_attribute(event, at)->type == PMUQ_PFM_UMASK,
			 info.type == PFM_ATTR_UMASK);
	assert_int_equal(pmuq_pfm_event_attribute(event, at)->is_default, info.is_dfl);
	if (info.type == PFM_ATTR_UMASK)
		add_name(walk, pmu, event->name.p, info.name);
	walk->attributes++;
}

static void expect_events(struct walk *walk, const pfm_pmu_info_t *pmu)
{
	struct pmuq_pfm_events *events = NULL;
	size_t n = 0;

	assert_int_equal(pmuq_pfm_list_events(walk->pfm, pmu->name, true, &events, NULL), 0);
	for (int i = pmu->first_event; i != -1; i = pfm_get_event_next(i)) {
		const struct pmuq_pfm_event *event = pmuq_pfm_events_get(events, n++);
		pfm_event_info_t info = { .size = sizeof(info) };

		assert_int_equal(pfm_get_event_info(i, OS, &info), PFM_SUCCESS);
		assert_non_null(event);
		assert_string_equal(event->name.p, info.name);
		assert_string_equal(event->same_as.p, info.equiv ? info.equiv : "");
		assert_int_equal(event->n_attributes, info.nattrs);
		add_name(walk, pmu->name, info.name, NULL);
		for (int at = 0; at < info.nattrs; at++)
			expect_attribute(event, i, (size_t)at, walk, pmu->name);
	}
	assert_int_equal(pmuq_pfm_events_count(events), n);
	walk->events += n;
	pmuq_pfm_events_free(events);
}

/* The lists, then all their names, one batch for each PMU. */
static void test_every_name(void **state)
{
	struct walk *walk = *state;
	size_t good = 0, all = 0, pmus = 0;

	for (int i = 0; i < PFM_PMU_MAX; i++) {
		pfm_pmu_info_t pmu = { .size = sizeof(pmu) };
		struct pmuq_pfm_encodings *encodings;

		if (pfm_get_pmu_info((pfm_pmu_t)i, &pmu) != PFM_SUCCESS)
			continue;
		pmus++;
		forget_names(walk);
		/* One that was requested nothing else has not found out which CPU this is. */
		pmuq_pfm_free(walk->pfm);
		walk->pfm = pfm_open(getenv("PMUQ_TEST_PFM"), 60000);
		expect_events(walk, &pmu);
		encodings = pfm_request(walk->pfm, NULL, (const char *const *)walk->names, walk->n);
		for (size_t n = 0; n < walk->n; n++)
			expect_encoding(walk->names[n], pmuq_pfm_encodings_get(encodings, n),
					&good);
		all += walk->n;
		pmuq_pfm_encodings_free(encodings);
	}
	print_message("# %zu PMUs, %zu events, %zu attributes: %zu of %zu names encoded\n", pmus,
		      walk->events, walk->attributes, good, all);
	assert_true(pmus > 0 && walk->events > 0 && good > all / 2);
}

/* The PMU whose type libpfm4 opened for the first event that it encodes alone. */
static struct pmuq_str opened_pmu(const pfm_pmu_info_t *pmu)
{
	struct pmuq_str opened = { 0 };

	for (int i = pmu->first_event; !opened.n && i != -1; i = pfm_get_event_next(i)) {
		struct perf_event_attr attr = { .size = sizeof(attr) };
		pfm_perf_encode_arg_t arg = { .attr = &attr, .size = sizeof(arg) };
		pfm_event_info_t info = { .size = sizeof(info) };
		char *name = NULL;

		assert_int_equal(pfm_get_event_info(i, OS, &info), PFM_SUCCESS);
		assert_true(asprintf(&name, "%s::%s", pmu->name, info.name) > 0);
		pq_host_forget();
		(void)pfm_get_os_event_encoding(name, PFM_PLM0 | PFM_PLM3, OS, &arg);
		opened = pq_host_last_pmu();
		free(name);
	}
	return opened;
}

/* libpfm4 looks for two PMUs by another name than the kernel's (pfm/helper/pfm_tables.c). */
static void expect_sysfs(const struct pmuq_pfm_pmu *pmu, const pfm_pmu_info_t *info)
{
	if (pmu->type == PMUQ_PFM_PMU_UNCORE && !str_starts(pmu->sysfs, STR("uncore_imc_uclk_")))
		assert_string_equal(pmu->sysfs.p, opened_pmu(info).p);
}

/* The kernel's name of each instance is that of the type that libpfm4 opens; core PMUs are cpu. */
static void test_every_pmu(void **state)
{
	struct walk *walk = *state;
	struct pmuq_pfm_pmus *pmus = NULL;
	size_t n = 0;

	assert_int_equal(pmuq_pfm_list_pmus(walk->pfm, &pmus, NULL), 0);
	for (int i = 0; i < PFM_PMU_MAX; i++) {
		pfm_pmu_info_t info = { .size = sizeof(info) };
		const struct pmuq_pfm_pmu *pmu;

		if (pfm_get_pmu_info((pfm_pmu_t)i, &info) != PFM_SUCCESS)
			continue;
		pmu = pmuq_pfm_pmus_get(pmus, n++);
		assert_string_equal(pmu->name.p, info.name);
		assert_string_equal(pmu->description.p, info.desc);
		assert_int_equal(pmu->n_events, info.nevents);
		assert_int_equal(pmu->is_present, info.is_present);
		assert_int_equal(*pmu->sysfs.p == '\0', pmu->type == PMUQ_PFM_PMU_GENERIC);
		assert_int_equal(strcmp(pmu->sysfs.p, "cpu") == 0, pmu->type == PMUQ_PFM_PMU_CORE);
		expect_sysfs(pmu, &info);
	}
	assert_int_equal(pmuq_pfm_pmus_count(pmus), n);
	pmuq_pfm_pmus_free(pmus);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_every_name, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_every_pmu, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
