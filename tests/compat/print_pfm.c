/* SPDX-License-Identifier: MIT */
/*
 * Prints all that libpfm4's calls return, for whichever libpfm.so.4 the loader finds: "pmus" lists
 * PMUs; "events PMU…" all events and attributes of PMUs and their encodings; "names" encodes the
 * names on stdin; "threads NAME…" encodes them in several threads; "misuse" and "misuse-more" make
 * wrong calls.
 */
#include <linux/perf_event.h> /* before libpfm4's headers */
#include <perfmon/pfmlib.h>
#include <perfmon/pfmlib_perf_event.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BYTES_MAX 256
#define NAME_MAX_BYTES 1024

static const int levels[] = { PFM_PLM0 | PFM_PLM3, PFM_PLM3, PFM_PLM0, PFM_PLMH, 0 };

static void print_attr(const struct perf_event_attr *attr)
{
	const unsigned char *bytes = (const unsigned char *)attr;

	for (size_t i = 0; i < sizeof(*attr); i++)
		if (bytes[i])
			printf(" %zu:%02x", i, bytes[i]);
}

/* Indexes are opaque: both libraries have numbers of their own. */
static const char *name_of(int event)
{
	pfm_event_info_t info = { .size = sizeof(info) };

	return event >= 0 && pfm_get_event_info(event, PFM_OS_NONE, &info) == PFM_SUCCESS
		       ? info.name
		       : "none";
}

static void encode_attr(const char *name, int plm, pfm_os_t os, unsigned filled)
{
	struct perf_event_attr attr;
	char *fstr = NULL;
	pfm_perf_encode_arg_t arg = { .attr = &attr, .fstr = &fstr, .size = sizeof(arg) };
	int r;

	memset(&attr, 0, sizeof(attr));
	if (filled) {
		attr.sample_type = 7;
		attr.config1 = 5;
		attr.disabled = attr.inherit = attr.exclude_idle = 1;
		attr.wakeup_events = 9;
	}
	attr.size = filled == 1 ? 64 : sizeof(attr);
	r = pfm_get_os_event_encoding(name, plm, os, &arg);
	printf("%s os %d plm %d: %d", name, os, plm, r);
	if (r == PFM_SUCCESS) {
		print_attr(&attr);
		printf(" %s cpu %d event %s", fstr, arg.cpu, name_of(arg.idx));
		free(fstr);
	}
	printf("\n");
}

static void encode_codes(const char *name, int plm)
{
	uint64_t *codes = NULL;
	char *fstr = NULL;
	int count = 0, idx = -1;
	int r = pfm_get_event_encoding(name, plm, &fstr, &idx, &codes, &count);

	printf("%s codes plm %d: %d", name, plm, r);
	if (r == PFM_SUCCESS) {
		for (int i = 0; i < count; i++)
			printf(" 0x%llx", (unsigned long long)codes[i]);
		printf(" %s event %s", fstr, name_of(idx));
		free(fstr);
		free(codes);
	}
	printf("\n");
}

static void encode(const char *name)
{
	int found = pfm_find_event(name);

	printf("find %s: %d %s\n", name, found < 0 ? found : 0, name_of(found));
	encode_codes(name, PFM_PLM0 | PFM_PLM3);
	encode_codes(name, PFM_PLM3);
	for (size_t i = 0; i < sizeof(levels) / sizeof(*levels); i++)
		encode_attr(name, levels[i], PFM_OS_PERF_EVENT_EXT, 0);
	encode_attr(name, PFM_PLM3, PFM_OS_PERF_EVENT, 1);
	encode_attr(name, PFM_PLM3, PFM_OS_PERF_EVENT_EXT, 2);
}

/* ---- lists */

/* Without the size, which libpfm4 sets to that of a struct of its own. */
static void print_attribute(int event, int attribute, pfm_os_t os)
{
	pfm_event_attr_info_t info;

	memset(&info, 0, sizeof(info));
	info.size = sizeof(info);
	printf("  %d.%d:", os, attribute);
	if (pfm_get_event_attr_info(event, attribute, os, &info) != PFM_SUCCESS) {
		printf(" none\n");
		return;
	}
	printf(" %s | %s | %s code %llx type %d idx %d ctrl %d dfl %d,%llx flags %d %d %d\n",
	       info.name, info.desc, info.equiv ? info.equiv : "", (unsigned long long)info.code,
	       info.type, info.idx, info.ctrl, info.is_dfl, (unsigned long long)info.dfl_val64,
	       info.is_precise, info.is_speculative, info.support_hw_smpl);
}

static void print_event(int event, pfm_os_t os)
{
	pfm_event_info_t info;

	memset(&info, 0, sizeof(info));
	info.size = sizeof(info);
	if (pfm_get_event_info(event, os, &info) != PFM_SUCCESS) {
		printf("none\n");
		return;
	}
	printf("%s | %s | %s size %zu code %llx pmu %d dtype %d own idx %d attrs %d flags %d %d %d\n",
	       info.name, info.desc, info.equiv ? info.equiv : "", info.size,
	       (unsigned long long)info.code, info.pmu, info.dtype, info.idx == event, info.nattrs,
	       info.is_precise, info.is_speculative, info.support_hw_smpl);
	for (int i = 0; i <= info.nattrs; i++)
		print_attribute(event, i, os);
}

static void encode_with_attributes(const char *pmu, int event)
{
	pfm_event_info_t info = { .size = sizeof(info) };
	char name[NAME_MAX_BYTES];

	if (pfm_get_event_info(event, PFM_OS_PERF_EVENT_EXT, &info) != PFM_SUCCESS)
		return;
	snprintf(name, sizeof(name), "%s::%s", pmu, info.name);
	encode(name);
	for (int i = 0; i < info.nattrs; i++) {
		pfm_event_attr_info_t attr = { .size = sizeof(attr) };

		if (pfm_get_event_attr_info(event, i, PFM_OS_PERF_EVENT_EXT, &attr) != PFM_SUCCESS)
			continue;
		snprintf(name, sizeof(name), "%s::%s:%s%s", pmu, info.name, attr.name,
			 attr.type == PFM_ATTR_UMASK ? "" : "=1");
		encode(name);
	}
}

static void print_pmu(const pfm_pmu_info_t *info)
{
	printf("pmu %d %s | %s size %zu type %d events %d first %s codes %d counters %d %d"
	       " present %d dfl %d\n",
	       info->pmu, info->name, info->desc, info->size, info->type, info->nevents,
	       name_of(info->first_event), info->max_encoding, info->num_cntrs,
	       info->num_fixed_cntrs, info->is_present, info->is_dfl);
}

static void print_events(const pfm_pmu_info_t *pmu)
{
	print_pmu(pmu);
	for (int event = pmu->first_event; event >= 0; event = pfm_get_event_next(event)) {
		for (pfm_os_t os = PFM_OS_NONE; os < PFM_OS_MAX; os++)
			print_event(event, os);
		encode_with_attributes(pmu->name, event);
	}
}

static bool is_wanted(const char *name, char **names)
{
	for (; *names; names++)
		if (strcmp(*names, name) == 0)
			return true;
	return false;
}

static void for_pmus(char **names)
{
	pfm_pmu_t id;

	pfm_for_all_pmus(id)
	{
		pfm_pmu_info_t info;

		memset(&info, 0, sizeof(info));
		info.size = sizeof(info);
		if (pfm_get_pmu_info(id, &info) != PFM_SUCCESS)
			continue;
		if (!names)
			print_pmu(&info);
		else if (is_wanted(info.name, names))
			print_events(&info);
	}
}

static void encode_names(void)
{
	char name[NAME_MAX_BYTES];

	while (fgets(name, sizeof(name), stdin)) {
		name[strcspn(name, "\n")] = '\0';
		encode(name);
	}
}

/* ---- threads */

#define THREADS 4
#define ROUNDS 100

static int config_of(const char *name, uint64_t *ret)
{
	struct perf_event_attr attr = { .size = sizeof(attr) };
	pfm_perf_encode_arg_t arg = { .attr = &attr, .size = sizeof(arg) };
	int r = pfm_get_os_event_encoding(name, PFM_PLM3, PFM_OS_PERF_EVENT_EXT, &arg);

	*ret = r == PFM_SUCCESS ? attr.config : 0;
	return r;
}

/* How many results differ from the first one of that name. */
static void *encode_again(void *names)
{
	size_t wrong = 0;

	for (char **name = names; *name; name++) {
		uint64_t first, config;
		int r = config_of(*name, &first);

		for (int i = 0; i < ROUNDS; i++)
			wrong += config_of(*name, &config) != r || config != first ||
				 r != PFM_SUCCESS;
	}
	return (void *)wrong;
}

static void encode_in_threads(char **names)
{
	pthread_t threads[THREADS];
	size_t wrong = 0;
	void *result;

	for (size_t i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, encode_again, names) != 0)
			exit(1);
	for (size_t i = 0; i < THREADS; i++) {
		pthread_join(threads[i], &result);
		wrong += (size_t)result;
	}
	printf("wrong: %zu\n", wrong);
}

/* ---- wrong calls */

static void expect(const char *what, int r)
{
	printf("%s: %d %s\n", what, r, r <= 0 ? pfm_strerror(r) : "");
}

static void misuse_before(void)
{
	pfm_pmu_info_t info = { 0 };

	expect("pmu", pfm_get_pmu_info(PFM_PMU_PERF_EVENT, &info));
	expect("find", pfm_find_event("cycles"));
	expect("next", pfm_get_event_next(0));
	expect("encoding", pfm_get_os_event_encoding("cycles", PFM_PLM3, PFM_OS_NONE, &info));
	expect("event", pfm_get_event_info(0, PFM_OS_NONE, NULL));
	expect("attribute", pfm_get_event_attr_info(0, 0, PFM_OS_NONE, NULL));
	pfm_terminate();
}

/* A larger struct is accepted if its last bytes are zero. */
static void misuse_sizes(void)
{
	union {
		pfm_pmu_info_t pmu;
		pfm_event_info_t event;
		char bytes[BYTES_MAX];
	} large;
	static const size_t sizes[] = { 0, 8, sizeof(pfm_pmu_info_t), BYTES_MAX };
	int first = pfm_find_event("perf::cycles");

	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		memset(&large, 0, sizeof(large));
		large.pmu.size = sizes[i];
		expect("pmu", pfm_get_pmu_info(PFM_PMU_PERF_EVENT, &large.pmu));
		memset(&large, 0, sizeof(large));
		large.event.size = sizes[i];
		expect("event", pfm_get_event_info(first, PFM_OS_NONE, &large.event));
	}
	memset(&large, 0, sizeof(large));
	large.pmu.size = BYTES_MAX;
	large.bytes[BYTES_MAX - 1] = 1;
	expect("pmu", pfm_get_pmu_info(PFM_PMU_PERF_EVENT, &large.pmu));
}

static void misuse_calls(void)
{
	struct perf_event_attr attr = { .size = 0 };
	pfm_perf_encode_arg_t arg = { .attr = &attr };
	pfm_pmu_encode_arg_t codes = { .count = 1, .codes = (uint64_t[]){ 0 } };
	uint64_t *none = NULL;
	int count = 3;

	expect("pmu", pfm_get_pmu_info(PFM_PMU_MAX, NULL));
	expect("pmu", pfm_get_pmu_info(PFM_PMU_PERF_EVENT, NULL));
	expect("pmu none", pfm_get_pmu_info(PFM_PMU_NONE, &(pfm_pmu_info_t){ .size = 0 }));
	expect("find", pfm_find_event(NULL));
	expect("find", pfm_find_event(""));
	expect("next", pfm_get_event_next(-1));
	expect("event", pfm_get_event_info(-1, PFM_OS_NONE, &(pfm_event_info_t){ .size = 0 }));
	expect("event", pfm_get_event_info(1 << 30, PFM_OS_NONE, &(pfm_event_info_t){ .size = 0 }));
	expect("attribute", pfm_get_event_attr_info(-1, 0, PFM_OS_NONE, NULL));
	expect("encoding", pfm_get_os_event_encoding(NULL, 0, PFM_OS_PERF_EVENT, &arg));
	expect("encoding", pfm_get_os_event_encoding("cycles", 0, PFM_OS_PERF_EVENT, NULL));
	expect("encoding", pfm_get_os_event_encoding("cycles", 64, PFM_OS_PERF_EVENT, &arg));
	expect("encoding", pfm_get_os_event_encoding("cycles", 8, PFM_OS_MAX, &arg));
	expect("encoding", pfm_get_os_event_encoding("cycles", 8, PFM_OS_PERF_EVENT, &arg));
	expect("codes", pfm_get_os_event_encoding("cycles", 8, PFM_OS_NONE, &codes));
	expect("old", pfm_get_event_encoding("cycles", 8, NULL, NULL, &none, &count));
	expect("old", pfm_get_event_encoding("cycles", 8, NULL, NULL, NULL, NULL));
	expect("older", pfm_get_perf_event_encoding("cycles", 8, &attr, NULL, &count));
	expect("older", pfm_get_perf_event_encoding("cycles", 8, NULL, NULL, NULL));
	for (int code = 1; code > -15; code--)
		printf("%d: %s\n", code, pfm_strerror(code));
	expect("validate", pfm_pmu_validate(PFM_PMU_PERF_EVENT, NULL));
	expect("validate", pfm_pmu_validate(PFM_PMU_NONE, stdout));
	printf("version %x\n", (unsigned)pfm_get_version());
}

/* Calls that libpfm4 does not survive, and attrs smaller than the first version. */
static void misuse_more(void)
{
	struct perf_event_attr attr = { .size = 0 };
	pfm_perf_encode_arg_t arg = { .attr = NULL };
	int r;

	r = pfm_get_os_event_encoding("page-faults", PFM_PLM3, PFM_OS_PERF_EVENT, &arg);
	printf("no attr: %d\n", r);
	r = pfm_get_perf_event_encoding("page-faults", PFM_PLM3, NULL, NULL, NULL);
	printf("no attr: %d\n", r);
	arg.attr = &attr;
	attr.size = 8;
	r = pfm_get_os_event_encoding("page-faults", PFM_PLM3, PFM_OS_PERF_EVENT, &arg);
	printf("small attr: %d\n", r);
	attr.size = 48;
	r = pfm_get_os_event_encoding("page-faults", PFM_PLM3, PFM_OS_PERF_EVENT, &arg);
	printf("small attr: %d\n", r);
	r = pfm_get_perf_event_encoding("page-faults", PFM_PLM3, &attr, NULL, NULL);
	printf("no names: %d\n", r);
	printf("tables: %d\n", pfm_pmu_validate(PFM_PMU_PERF_EVENT, stdout));
}

static void misuse(void)
{
	misuse_before();
	expect("begin", pfm_initialize());
	expect("begin again", pfm_initialize());
	misuse_sizes();
	misuse_calls();
	pfm_terminate();
	expect("after the end", pfm_find_event("cycles"));
	expect("begin", pfm_initialize());
	expect("find", pfm_find_event("perf::cycles"));
	pfm_terminate();
}

int main(int argc, char **argv)
{
	const char *command = argc > 1 ? argv[1] : "";

	if (strcmp(command, "misuse") == 0) {
		misuse();
		return 0;
	}
	if (pfm_initialize() != PFM_SUCCESS)
		return 1;
	if (strcmp(command, "misuse-more") == 0)
		misuse_more();
	else if (strcmp(command, "threads") == 0)
		encode_in_threads(argv + 2);
	else if (strcmp(command, "pmus") == 0)
		for_pmus(NULL);
	else if (strcmp(command, "events") == 0)
		for_pmus(argv + 2);
	else
		encode_names();
	pfm_terminate();
	return 0;
}
