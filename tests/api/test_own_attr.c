/* SPDX-License-Identifier: MIT */
/* Attrs that a program made itself: what they are on a machine, and why the kernel refuses them. */
#include "tests/api/program.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>

static const struct {
	const char *machine;
	struct pmuq_attr attr;
	const char *pmu, *cpus; /* pmu NULL: none has that type */
} known[] = {
	{ "skylake-sp", { .type = 4, .size = 64, .config = 0x1a8 }, "cpu", "0-15" },
	{ "skylake-sp", { .type = 0, .size = 0, .config = 0 }, "cpu", "0-15" },
	{ "skylake-sp", { .type = 1, .size = 136, .config = 2 }, "software", "0-15" },
	{ "skylake-sp", { .type = 17, .size = 64, .config = 0x304 }, "uncore_imc_0", "0,8" },
	{ "skylake-sp", { .type = 4711, .size = 64 }, NULL, "" },
};

static void an_attr_is_counted_by_the_pmu_of_its_type(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		struct pmuq_encodings *encodings = NULL;
		const struct pmuq_encoding *one;

		assert_int_equal(pmuq_source_encode_attr(machine_named(known[i].machine),
							 &known[i].attr, &encodings, NULL),
				 0);
		assert_int_equal(pmuq_encodings_count(encodings), 1);
		one = pmuq_encodings_get(encodings, 0);
		if (known[i].pmu)
			assert_string_equal(one->pmu.p, known[i].pmu);
		else
			assert_null(one->pmu.p);
		if (known[i].pmu)
			assert_string_equal(one->cpus.p, known[i].cpus);
		assert_memory_equal(one->attr, &known[i].attr, sizeof(*one->attr));
		pmuq_encodings_free(encodings);
	}
}

/* A struct of a newer header, with bytes that this version does not know. */
struct newer {
	struct pmuq_attr attr;
	uint64_t more;
};

static void a_struct_of_a_newer_header_may_have_zeros_only(void **state)
{
	struct newer newer = { .attr = { .type = 4, .size = sizeof(newer), .config = 0x3c } };
	struct pmuq_encodings *encodings = NULL;
	struct pmuq_error *error = NULL;

	(void)state;
	assert_int_equal(pmuq_source_encode_attr(machine_named("skylake-sp"), &newer.attr,
						 &encodings, NULL),
			 0);
	assert_int_equal(pmuq_encodings_get(encodings, 0)->attr->size, PMUQ_ATTR_SIZE_MAX);
	pmuq_encodings_free(encodings);
	newer.more = 1;
	assert_int_equal(pmuq_source_encode_attr(machine_named("skylake-sp"), &newer.attr,
						 &encodings, &error),
			 -PMUQ_E_ATTR_SIZE);
	assert_contains(error->message.p, "attr.size is 152");
	pmuq_error_free(error);
	newer.attr.size = UINT32_MAX;
	assert_int_equal(pmuq_source_encode_attr(machine_named("skylake-sp"), &newer.attr,
						 &encodings, NULL),
			 -PMUQ_E_ATTR_SIZE);
	assert_int_equal(
		pmuq_source_encode_attr(machine_named("skylake-sp"), NULL, &encodings, NULL),
		-PMUQ_E_BAD_CALL);
}

/* The call that the program makes itself; 0 if it opens. */
static int open_itself(struct pmuq_attr *attr, const struct pmuq_open_call *call)
{
	long fd = syscall(SYS_perf_event_open, attr, call->pid, call->cpu, call->group_fd,
			  (unsigned long)call->flags);

	if (fd < 0)
		return errno;
	close((int)fd);
	return 0;
}

/* An attr that no string gave, and a call that opens it on this machine. */
struct own {
	struct pmuq_source *live;
	struct pmuq_encodings *encodings;
	struct pmuq_open_call call;
};

static struct own own_begin(const struct pmuq_attr *attr)
{
	struct own own = { .call = { .size = sizeof(own.call), .cpu = -1, .group_fd = -1 } };

	assert_int_equal(pmuq_source_open_live(&own.live, NULL), 0);
	assert_int_equal(pmuq_source_encode_attr(own.live, attr, &own.encodings, NULL), 0);
	return own;
}

static void own_end(struct own *own)
{
	pmuq_encodings_free(own->encodings);
	pmuq_source_free(own->live);
}

static struct pmuq_open_results *explain(const struct own *own)
{
	struct pmuq_open_results *results = NULL;

	assert_int_equal(
		pmuq_encodings_explain_errno(own->encodings, 0, &own->call, &results, NULL), 0);
	assert_int_equal(pmuq_open_results_count(results), 1);
	return results;
}

static void expect_reason(const struct own *own, const char *part)
{
	struct pmuq_open_results *results = explain(own);

	assert_contains(pmuq_open_results_get(results, 0)->reason.p, part);
	pmuq_open_results_free(results);
}

static void the_errno_of_a_refusal_is_explained(void **state)
{
	struct pmuq_attr attr = { .type = PERF_TYPE_SOFTWARE, .size = 64, .config = 0x7777 };
	struct own own = own_begin(&attr);
	struct pmuq_open_results *results;
	const struct pmuq_open_result *result;

	(void)state;
	own.call.errnum = open_itself(&attr, &own.call);
	assert_true(own.call.errnum > 0);
	results = explain(&own);
	result = pmuq_open_results_get(results, 0);
	assert_int_equal(result->status, PMUQ_REFUSED);
	assert_int_equal(result->errnum, own.call.errnum);
	assert_true(result->name.n && result->reason.n);
	if (own.call.errnum == ENOENT)
		assert_contains(result->reason.p, "software event 0x7777");
	pmuq_open_results_free(results);
	own_end(&own);
}

/* The caller's cgroup is a descriptor, its task a number: the reason names each by what it is. */
static void the_target_of_the_call_is_named(void **state)
{
	const struct pmuq_attr attr = { .type = PERF_TYPE_SOFTWARE, .size = 64 };
	struct own own = own_begin(&attr);
	int dir = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	(void)state;
	own.call = (struct pmuq_open_call){ .size = sizeof(own.call), .group_fd = -1 };
	own.call.pid = dir;
	own.call.flags = PERF_FLAG_PID_CGROUP;
	own.call.errnum = EBADF;
	expect_reason(&own, "'/' is a directory, but not a cgroup");
	close(dir);
	own.call.pid = INT_MAX;
	own.call.flags = 0;
	own.call.errnum = ESRCH;
	expect_reason(&own, "process 2147483647 does not exist");
	own_end(&own);
}

/* The types from 0x80000000 on are of tools. */
static void an_event_that_no_kernel_has_is_skipped(void **state)
{
	const struct pmuq_attr attr = { .type = 0x80000000u, .size = 64 };
	struct own own = own_begin(&attr);
	struct pmuq_open_results *results;
	const struct pmuq_open_result *result;

	(void)state;
	own.call.errnum = ENOENT;
	results = explain(&own);
	result = pmuq_open_results_get(results, 0);
	assert_int_equal(result->status, PMUQ_SKIPPED);
	assert_contains(result->reason.p, "a tool computes this event");
	pmuq_open_results_free(results);
	own_end(&own);
}

static void a_call_that_did_not_fail_has_no_explanation(void **state)
{
	const struct pmuq_attr attr = { .type = PERF_TYPE_SOFTWARE, .size = 64 };
	struct own own = own_begin(&attr);
	struct pmuq_open_results *results = NULL;

	(void)state;
	assert_int_equal(
		pmuq_encodings_explain_errno(own.encodings, 0, &own.call, &results, NULL),
		-PMUQ_E_BAD_CALL);
	own.call.errnum = EACCES;
	assert_int_equal(
		pmuq_encodings_explain_errno(own.encodings, 1, &own.call, &results, NULL),
		-PMUQ_E_BAD_CALL);
	assert_int_equal(pmuq_encodings_explain_errno(own.encodings, 0, NULL, &results, NULL),
			 -PMUQ_E_BAD_CALL);
	own.call.size = 0;
	assert_int_equal(
		pmuq_encodings_explain_errno(own.encodings, 0, &own.call, &results, NULL),
		-PMUQ_E_BAD_CALL);
	assert_null(results);
	own_end(&own);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_attr_is_counted_by_the_pmu_of_its_type),
		cmocka_unit_test(a_struct_of_a_newer_header_may_have_zeros_only),
		cmocka_unit_test(the_errno_of_a_refusal_is_explained),
		cmocka_unit_test(the_target_of_the_call_is_named),
		cmocka_unit_test(an_event_that_no_kernel_has_is_skipped),
		cmocka_unit_test(a_call_that_did_not_fail_has_no_explanation),
	};

	return cmocka_run_group_tests(tests, NULL, close_machines);
}
