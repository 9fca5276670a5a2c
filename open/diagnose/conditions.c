/* SPDX-License-Identifier: MIT */
/*
 * The conditions that follow from the call, the host and the task. Only probe_search.c adds the
 * conditions that a probe proves; the table in reasons.c uses them.
 */
#include "core/cpulist.h"
#include "core/flags.h"
#include "open/diagnose/refusal.h"
#include <errno.h>

static void set_if(struct pq_conditions *conditions, bool holds, enum pq_condition condition)
{
	if (holds)
		pq_conditions_set(conditions, condition);
}

static bool has_new_fields(const struct pq_refusal *refusal)
{
	if (refusal->errnum != E2BIG || !refusal->kernel_size)
		return false;
	for (unsigned i = 0; pmuq_attr_field(i); i++)
		if (pmuq_attr_field(i)->end_bytes > refusal->kernel_size &&
		    pmuq_attr_get(&refusal->call.attr, i))
			return true;
	return false;
}

static bool is_pmu(const struct pq_refusal *refusal, struct pmuq_str name)
{
	return str_eq(str_of(refusal->request->pmu), name);
}

/* Whether sysfs lists the PMU with the type of the attr. */
static bool has_pmu(const struct pq_refusal *refusal)
{
	const struct pq_pmu_view *pmu = &refusal->pmu;

	return refusal->request->pmu && pmu->exists &&
	       (!pmu->has_type || pmu->type == refusal->call.attr.type);
}

static void find_type(const struct pq_refusal *refusal, struct pq_conditions *ret)
{
	const struct pmuq_attr *attr = &refusal->call.attr;
	bool is_generic = attr->type == PQ_TYPE_HARDWARE || attr->type == PQ_TYPE_HW_CACHE;
	bool is_dynamic = attr->type > PQ_TYPE_BREAKPOINT;
	bool is_kprobe = is_dynamic && is_pmu(refusal, STR("kprobe"));
	bool is_uprobe = is_dynamic && is_pmu(refusal, STR("uprobe"));
	bool is_breakpoint = attr->type == PQ_TYPE_BREAKPOINT;
	bool has_kernel_address = is_breakpoint && attr->config1 >> 63;

	set_if(ret, is_generic || attr->type == PQ_TYPE_RAW, PQ_IF_HARDWARE);
	set_if(ret, attr->type == PQ_TYPE_SOFTWARE, PQ_IF_SOFTWARE);
	set_if(ret, attr->type == PQ_TYPE_TRACEPOINT, PQ_IF_TRACEPOINT);
	set_if(ret, is_breakpoint, PQ_IF_BREAKPOINT);
	set_if(ret, is_dynamic, PQ_IF_DYNAMIC_PMU);
	set_if(ret, is_kprobe || is_uprobe, PQ_IF_CODE_PROBE);
	set_if(ret, is_kprobe, PQ_IF_KPROBE);
	set_if(ret, is_uprobe, PQ_IF_UPROBE);
	set_if(ret, is_generic && attr->config >> 32, PQ_IF_EXTENDED_TYPE);
	set_if(ret, has_kernel_address, PQ_IF_KERNEL_ADDRESS);
	set_if(ret, has_kernel_address || is_uprobe, PQ_IF_NEEDS_ADMIN);
	set_if(ret, is_dynamic && !has_pmu(refusal), PQ_IF_NO_PMU);
	set_if(ret, refusal->request->needs_cpu, PQ_IF_PMU_PER_CPU);
}

/* Software events that the scheduler counts, with its own registers. */
static bool is_kernel_only(const struct pmuq_attr *attr)
{
	/* PERF_COUNT_SW_ CONTEXT_SWITCHES, CPU_MIGRATIONS, CGROUP_SWITCHES */
	static const uint64_t configs[] = { 3, 4, 11 };

	for (size_t i = 0; attr->type == PQ_TYPE_SOFTWARE && i < COUNT(configs); i++)
		if (attr->config == configs[i])
			return true;
	return false;
}

static void find_attr(const struct pq_refusal *refusal, struct pq_conditions *ret)
{
	const struct pmuq_attr *attr = &refusal->call.attr;

	set_if(ret, attr->precise_ip, PQ_IF_PRECISE);
	set_if(ret, !attr->exclude_kernel, PQ_IF_COUNTS_KERNEL);
	set_if(ret, !attr->exclude_kernel && is_kernel_only(attr), PQ_IF_KERNEL_ONLY);
	set_if(ret,
	       attr->exclude_user || attr->exclude_kernel || attr->exclude_hv ||
		       attr->exclude_idle || attr->exclude_host || attr->exclude_guest,
	       PQ_IF_EXCLUDES);
	set_if(ret, attr->config1 || attr->config2 || attr->config3 || attr->config4,
	       PQ_IF_EXTRA_WORDS);
	set_if(ret, attr->size && attr->size < PQ_ATTR_SIZE_FIRST, PQ_IF_SMALL_SIZE);
	set_if(ret, has_new_fields(refusal), PQ_IF_NEW_FIELDS);
	set_if(ret, attr->sigtrap, PQ_IF_SIGTRAP);
}

static void find_sampling(const struct pq_refusal *refusal, struct pq_conditions *ret)
{
	const struct pmuq_attr *attr = &refusal->call.attr;
	const struct pq_host_view *host = refusal->host;

	set_if(ret, attr->sample_period, PQ_IF_SAMPLES);
	set_if(ret,
	       attr->freq && host->max_sample_rate && attr->sample_period > host->max_sample_rate,
	       PQ_IF_SAMPLES_TOO_FAST);
	set_if(ret, attr->branch_sample_type || attr->sample_type & PQ_SAMPLE_BRANCH_STACK,
	       PQ_IF_WANTS_BRANCHES);
	set_if(ret, attr->sample_type & PQ_SAMPLE_STACK_USER, PQ_IF_WANTS_STACK);
	set_if(ret,
	       attr->sample_type & PQ_SAMPLE_CALLCHAIN && host->max_stack &&
		       attr->sample_max_stack > host->max_stack,
	       PQ_IF_WANTS_FRAMES);
	set_if(ret, attr->sample_type & PQ_SAMPLE_REGS_INTR, PQ_IF_WANTS_REGS);
}

/* Whether the list is known and does not contain the CPU of the call. */
static bool is_cpu_outside(const struct pq_refusal *refusal, struct pmuq_str list)
{
	int cpu = refusal->call.cpu;

	return cpu >= 0 && pq_cpus_text_is_list(list) &&
	       pq_cpus_text_next(list, (unsigned)cpu) != (unsigned)cpu;
}

static void find_target(const struct pq_refusal *refusal, struct pq_conditions *ret)
{
	const struct pq_open_call *call = &refusal->call;
	const struct pq_task_view *task = &refusal->task;

	set_if(ret, call->group_fd >= 0, PQ_IF_MEMBER);
	set_if(ret, call->pid == -1 || call->is_cgroup, PQ_IF_PER_CPU);
	set_if(ret, call->is_cgroup, PQ_IF_CGROUP);
	set_if(ret, call->is_cgroup || call->pid > 0, PQ_IF_OTHER_TARGET);
	set_if(ret, is_cpu_outside(refusal, refusal->host->cpus_online), PQ_IF_CPU_OFFLINE);
	set_if(ret, is_cpu_outside(refusal, str_of(refusal->request->cpus)), PQ_IF_CPU_OF_OTHERS);
	set_if(ret, task->is_gone, PQ_IF_TASK_GONE);
	set_if(ret, task->is_dead, PQ_IF_TASK_DEAD);
	set_if(ret, task->is_foreign, PQ_IF_TASK_FOREIGN);
	set_if(ret, task->is_protected, PQ_IF_TASK_PROTECTED);
	set_if(ret, task->has_yama, PQ_IF_YAMA);
}

static void find_host(const struct pq_host_view *host, struct pq_conditions *ret)
{
	int paranoid = host->has_paranoid ? host->paranoid : -1;

	set_if(ret, host->has_pmus && !host->has_core_pmu, PQ_IF_NO_CORE_PMU);
	set_if(ret, !host->has_pmus, PQ_IF_NO_PMU_LIST);
	set_if(ret, host->is_without_perf, PQ_IF_NO_PERF);
	set_if(ret, host->has_caps && !pq_host_has_perfmon(host), PQ_IF_NO_PERFMON);
	set_if(ret, host->has_caps && !(host->caps >> PQ_CAP_SYS_ADMIN & 1), PQ_IF_NO_ADMIN);
	set_if(ret, host->is_in_namespace, PQ_IF_IN_NAMESPACE);
	set_if(ret, host->is_vm, PQ_IF_IN_VM);
	set_if(ret, host->is_in_container, PQ_IF_IN_CONTAINER);
	set_if(ret, host->has_seccomp, PQ_IF_SECCOMP);
	set_if(ret, host->is_init_without_seccomp, PQ_IF_INIT_WITHOUT_SECCOMP);
	set_if(ret, host->is_locked_down, PQ_IF_LOCKED_DOWN);
	set_if(ret, host->has_nmi_watchdog, PQ_IF_WATCHDOG);
	set_if(ret, !host->has_paranoid, PQ_IF_NO_PARANOID);
	set_if(ret, paranoid >= 0, PQ_IF_PARANOID_RAW);
	set_if(ret, paranoid >= 1, PQ_IF_PARANOID_CPU);
	set_if(ret, paranoid >= 2, PQ_IF_PARANOID_KERNEL);
	set_if(ret, paranoid >= 3, PQ_IF_PARANOID_ALL);
}

struct pq_conditions pq_conditions_find(const struct pq_refusal *refusal)
{
	struct pq_conditions conditions = { 0 };

	find_type(refusal, &conditions);
	find_attr(refusal, &conditions);
	find_sampling(refusal, &conditions);
	find_target(refusal, &conditions);
	find_host(refusal->host, &conditions);
	return conditions;
}
