/* SPDX-License-Identifier: MIT */
/* What can be said about a case before any experiment. */
#include "core/cpulist.h"
#include "core/flags.h"
#include "core/num.h"
#include "open/diagnose/refusal.h"
#include <errno.h>

static void when(struct pq_claims *claims, bool holds, enum pq_claim claim)
{
	if (holds)
		pq_claims_add(claims, claim);
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

static bool is_pmu(const struct pq_case *c, struct pmuq_str name)
{
	return c->request->pmu && str_eq(str_of(c->request->pmu), name);
}

static void claim_type(const struct pq_case *c, struct pq_claims *claims)
{
	const struct pmuq_attr *attr = &c->trial.attr;
	bool is_generic = attr->type == PQ_TYPE_HARDWARE || attr->type == PQ_TYPE_HW_CACHE;
	bool is_dynamic = attr->type > PQ_TYPE_BREAKPOINT;
	bool is_bp = attr->type == PQ_TYPE_BREAKPOINT;
	bool is_kprobe = is_pmu(c, STR("kprobe")), is_uprobe = is_pmu(c, STR("uprobe"));
	bool is_there =
		c->request->pmu && c->pmu.exists && (!c->pmu.has_type || c->pmu.type == attr->type);

	when(claims, is_generic || attr->type == PQ_TYPE_RAW, PQ_IS_HARDWARE);
	when(claims, attr->type == PQ_TYPE_SOFTWARE, PQ_IS_SOFTWARE);
	when(claims, attr->type == PQ_TYPE_TRACEPOINT, PQ_IS_TRACEPOINT);
	when(claims, is_bp, PQ_IS_BREAKPOINT);
	when(claims, is_dynamic, PQ_IS_DYNAMIC);
	when(claims, is_dynamic && (is_kprobe || is_uprobe), PQ_IS_PROBE);
	when(claims, is_dynamic && is_kprobe, PQ_IS_KPROBE);
	when(claims, is_dynamic && is_uprobe, PQ_IS_UPROBE);
	when(claims, is_generic && attr->config >> 32, PQ_IS_EXTENDED);
	when(claims, is_bp && attr->config1 >> 63, PQ_HAS_KERNEL_ADDRESS);
	when(claims, (is_bp && attr->config1 >> 63) || (is_dynamic && is_uprobe), PQ_TAKES_ADMIN);
	when(claims, is_dynamic && !is_there, PQ_NO_PMU);
	when(claims, c->request->needs_cpu, PQ_NEEDS_CPU);
}

/* Software events that the kernel counts with registers of its own, of its scheduler. */
static bool is_kernels_own(const struct pmuq_attr *attr)
{
	/* PERF_COUNT_SW_ CONTEXT_SWITCHES, CPU_MIGRATIONS, CGROUP_SWITCHES */
	static const uint64_t configs[] = { 3, 4, 11 };

	for (size_t i = 0; attr->type == PQ_TYPE_SOFTWARE && i < COUNT(configs); i++)
		if (attr->config == configs[i])
			return true;
	return false;
}

static void claim_attr(const struct pq_case *c, struct pq_claims *claims)
{
	const struct pmuq_attr *attr = &c->trial.attr;

	when(claims, attr->precise_ip, PQ_IS_PRECISE);
	when(claims, !attr->exclude_kernel, PQ_COUNTS_KERNEL);
	when(claims, !attr->exclude_kernel && is_kernels_own(attr), PQ_IS_KERNELS_OWN);
	when(claims,
	     attr->exclude_user || attr->exclude_kernel || attr->exclude_hv || attr->exclude_idle ||
		     attr->exclude_host || attr->exclude_guest,
	     PQ_EXCLUDES);
	when(claims, attr->config1 || attr->config2 || attr->config3 || attr->config4,
	     PQ_HAS_EXTRA_WORDS);
	when(claims, attr->size && attr->size < PQ_ATTR_SIZE_FIRST, PQ_HAS_SMALL_SIZE);
	when(claims, has_new_fields(c), PQ_HAS_NEW_FIELDS);
	when(claims, attr->sigtrap, PQ_TRAPS);
}

static void claim_sampling(const struct pq_case *c, struct pq_claims *claims)
{
	const struct pmuq_attr *attr = &c->trial.attr;
	const struct pq_host_view *host = c->host;

	when(claims, attr->sample_period, PQ_SAMPLES);
	when(claims,
	     attr->freq && host->max_sample_rate && attr->sample_period > host->max_sample_rate,
	     PQ_SAMPLES_TOO_FAST);
	when(claims, attr->branch_sample_type || attr->sample_type & PQ_SAMPLE_BRANCH_STACK,
	     PQ_WANTS_BRANCHES);
	when(claims, attr->sample_type & PQ_SAMPLE_STACK_USER, PQ_WANTS_STACK);
	when(claims,
	     attr->sample_type & PQ_SAMPLE_CALLCHAIN && host->max_stack &&
		     attr->sample_max_stack > host->max_stack,
	     PQ_WANTS_FRAMES);
	when(claims, attr->sample_type & PQ_SAMPLE_REGS_INTR, PQ_WANTS_REGS);
}

/* Whether the list is known, and the CPU of the trial not in it. */
static bool is_cpu_outside(const struct pq_case *c, struct pmuq_str list)
{
	char room[512];
	struct pq_arena arena;
	struct pq_cpus cpus;
	bool is_outside;

	if (c->trial.cpu < 0 || !list.n)
		return false;
	pq_arena_init(&arena, room, sizeof(room), SIZE_MAX);
	is_outside =
		pq_cpus_parse(&arena, list, &cpus) && !pq_cpus_has(&cpus, (uint64_t)c->trial.cpu);
	pq_arena_clear(&arena);
	return is_outside;
}

static void claim_target(const struct pq_case *c, struct pq_claims *claims)
{
	when(claims, c->trial.group_fd >= 0, PQ_IS_MEMBER);
	when(claims, c->trial.pid == -1 || c->trial.is_cgroup, PQ_IS_PER_CPU);
	when(claims, c->trial.is_cgroup, PQ_IS_CGROUP);
	when(claims, c->trial.is_cgroup || c->trial.pid > 0, PQ_HAS_TARGET);
	when(claims, is_cpu_outside(c, c->host->cpus_online), PQ_CPU_OFFLINE);
	when(claims, is_cpu_outside(c, str_trim(str_of(c->request->cpus))), PQ_CPU_FOREIGN);
	when(claims, c->task.is_gone, PQ_TASK_GONE);
	when(claims, c->task.is_dead, PQ_TASK_DEAD);
	when(claims, c->task.is_foreign, PQ_TASK_FOREIGN);
	when(claims, c->task.is_protected, PQ_TASK_PROTECTED);
	when(claims, c->task.has_yama, PQ_HAS_YAMA);
}

static void claim_host(const struct pq_host_view *host, struct pq_claims *claims)
{
	int paranoid = host->has_paranoid ? host->paranoid : -1;

	when(claims, host->has_pmus && !host->has_core_pmu, PQ_NO_CORE_PMU);
	when(claims, !host->has_pmus, PQ_NO_PMU_LIST);
	when(claims, host->lacks_perf, PQ_NO_PERF);
	when(claims, host->has_caps && !pq_host_may_perfmon(host), PQ_NO_PERFMON);
	when(claims, host->has_caps && !(host->caps >> PQ_CAP_SYS_ADMIN & 1), PQ_NO_ADMIN);
	when(claims, host->is_in_namespace, PQ_IN_NAMESPACE);
	when(claims, host->is_vm, PQ_IN_VM);
	when(claims, host->is_in_container, PQ_IN_CONTAINER);
	when(claims, host->has_seccomp, PQ_HAS_SECCOMP);
	when(claims, host->is_init_free, PQ_IS_INIT_FREE);
	when(claims, host->is_locked_down, PQ_IS_LOCKED_DOWN);
	when(claims, host->has_nmi_watchdog, PQ_HAS_WATCHDOG);
	when(claims, !host->has_paranoid, PQ_NO_PARANOID);
	when(claims, paranoid >= 0, PQ_PARANOID_RAW);
	when(claims, paranoid >= 1, PQ_PARANOID_CPU);
	when(claims, paranoid >= 2, PQ_PARANOID_KERNEL);
	when(claims, paranoid >= 3, PQ_PARANOID_ALL);
}

struct pq_claims pq_case_claims(const struct pq_case *c)
{
	struct pq_claims claims = { 0 };

	claim_type(c, &claims);
	claim_attr(c, &claims);
	claim_sampling(c, &claims);
	claim_target(c, &claims);
	claim_host(c->host, &claims);
	return claims;
}
