/* SPDX-License-Identifier: MIT */
/* What can be said about a case before any experiment. */
#include "core/cpulist.h"
#include "core/num.h"
#include "open/case.h"
#include <assert.h>
#include <errno.h>

/* Bits of sample_type, from perf_event_open(2). */
#define SAMPLE_CALLCHAIN (UINT64_C(1) << 5)
#define SAMPLE_RAW (UINT64_C(1) << 10)
#define SAMPLE_BRANCH_STACK (UINT64_C(1) << 11)
#define SAMPLE_STACK_USER (UINT64_C(1) << 13)
#define SAMPLE_REGS_INTR (UINT64_C(1) << 18)

#define SIZE_FIRST 64u /* PERF_ATTR_SIZE_VER0 */

static_assert(PQ_N_CLAIMS <= 64, "claims are bits of a uint64_t");

static uint64_t when(bool holds, enum pq_claim claim)
{
	return holds ? PQ_CLAIM(claim) : 0;
}

static bool has_new_fields(const struct pq_case *c)
{
	if (c->errnum != E2BIG || !c->kernel_size)
		return false;
	for (unsigned i = 0; pmuq_attr_field_name(i); i++)
		if (pmuq_attr_field_end(i) > c->kernel_size &&
		    pmuq_attr_field_get(&c->trial.attr, i))
			return true;
	return false;
}

static uint64_t type_claims(const struct pq_case *c)
{
	const struct pmuq_attr *attr = &c->trial.attr;
	bool is_generic = attr->type == PQ_TYPE_HARDWARE || attr->type == PQ_TYPE_HW_CACHE;
	bool is_dynamic = attr->type > PQ_TYPE_BREAKPOINT;
	bool is_bp = attr->type == PQ_TYPE_BREAKPOINT;
	const char *pmu = c->request->pmu ? c->request->pmu : "";
	bool is_probe = is_dynamic &&
			(str_eq(str_of(pmu), STR("kprobe")) || str_eq(str_of(pmu), STR("uprobe")));
	bool is_there =
		c->request->pmu && c->pmu.exists && (!c->pmu.has_type || c->pmu.type == attr->type);

	return when(is_generic || attr->type == PQ_TYPE_RAW, PQ_IS_HARDWARE) |
	       when(attr->type == PQ_TYPE_SOFTWARE, PQ_IS_SOFTWARE) |
	       when(attr->type == PQ_TYPE_TRACEPOINT, PQ_IS_TRACEPOINT) |
	       when(is_bp, PQ_IS_BREAKPOINT) | when(is_dynamic, PQ_IS_DYNAMIC) |
	       when(is_probe, PQ_IS_PROBE) |
	       when(is_generic && attr->config >> 32, PQ_IS_EXTENDED) |
	       when(is_bp && attr->config1 >> 63, PQ_HAS_KERNEL_ADDRESS) |
	       when(is_dynamic && !is_there, PQ_NO_PMU);
}

static uint64_t attr_claims(const struct pq_case *c)
{
	const struct pmuq_attr *attr = &c->trial.attr;
	const struct pq_host_view *host = c->host;
	bool excludes = attr->exclude_user || attr->exclude_kernel || attr->exclude_hv ||
			attr->exclude_idle || attr->exclude_host || attr->exclude_guest;

	return when(attr->precise_ip, PQ_IS_PRECISE) |
	       when(!attr->exclude_kernel, PQ_COUNTS_KERNEL) | when(excludes, PQ_EXCLUDES) |
	       when(attr->sample_period, PQ_SAMPLES) |
	       when(attr->freq && host->max_sample_rate &&
			    attr->sample_period > host->max_sample_rate,
		    PQ_SAMPLES_TOO_FAST) |
	       when(attr->branch_sample_type || attr->sample_type & SAMPLE_BRANCH_STACK,
		    PQ_WANTS_BRANCHES) |
	       when(attr->sample_type & SAMPLE_STACK_USER, PQ_WANTS_STACK) |
	       when(attr->sample_type & SAMPLE_CALLCHAIN && host->max_stack &&
			    attr->sample_max_stack > host->max_stack,
		    PQ_WANTS_FRAMES) |
	       when(attr->sample_type & SAMPLE_REGS_INTR, PQ_WANTS_REGS) |
	       when(attr->sample_type & SAMPLE_RAW, PQ_WANTS_RAW) |
	       when(attr->config1 || attr->config2 || attr->config3 || attr->config4,
		    PQ_HAS_EXTRA_WORDS) |
	       when(attr->size && attr->size < SIZE_FIRST, PQ_HAS_SMALL_SIZE) |
	       when(has_new_fields(c), PQ_HAS_NEW_FIELDS);
}

static bool is_cpu_offline(const struct pq_case *c)
{
	char room[512];
	struct pq_arena arena;
	struct pq_cpus online;
	bool is_offline;

	if (c->trial.cpu < 0 || !c->host->cpus_online.n)
		return false;
	pq_arena_init(&arena, room, sizeof(room), SIZE_MAX);
	is_offline = pq_cpus_parse(&arena, c->host->cpus_online, &online) &&
		     !pq_cpus_has(&online, (uint64_t)c->trial.cpu);
	pq_arena_clear(&arena);
	return is_offline;
}

static uint64_t host_claims(const struct pq_host_view *host)
{
	bool may = pq_host_may_perfmon(host);
	int paranoid = host->has_paranoid ? host->paranoid : -1;

	return when(host->has_pmus && !host->has_core_pmu, PQ_NO_CORE_PMU) |
	       when(host->lacks_perf, PQ_NO_PERF) | when(host->has_caps && !may, PQ_NO_PERFMON) |
	       when(host->has_caps && !(host->caps >> PQ_CAP_SYS_ADMIN & 1), PQ_NO_ADMIN) |
	       when(host->is_in_namespace, PQ_IN_NAMESPACE) | when(host->is_vm, PQ_IN_VM) |
	       when(host->is_in_container, PQ_IN_CONTAINER) |
	       when(host->has_seccomp, PQ_HAS_SECCOMP) |
	       when(host->is_locked_down, PQ_IS_LOCKED_DOWN) |
	       when(host->has_nmi_watchdog, PQ_HAS_WATCHDOG) |
	       when(paranoid >= 0, PQ_PARANOID_RAW) | when(paranoid >= 1, PQ_PARANOID_CPU) |
	       when(paranoid >= 2, PQ_PARANOID_KERNEL) | when(paranoid >= 3, PQ_PARANOID_ALL);
}

uint64_t pq_case_claims(const struct pq_case *c)
{
	return type_claims(c) | attr_claims(c) | host_claims(c->host) |
	       when(c->trial.group_fd >= 0, PQ_IS_MEMBER) |
	       when(c->trial.pid == -1, PQ_IS_PER_CPU) | when(is_cpu_offline(c), PQ_CPU_OFFLINE);
}
