/* SPDX-License-Identifier: MIT */
/*
 * How many cores, dies and packages have CPUs online. The list of CPUs in a topology directory is
 * the same for all CPUs of a core (a die, a package), so one file of each is enough.
 * Source: Documentation/ABI/stable/sysfs-devices-system-cpu.
 */
#include "core/cpulist.h"
#include "core/num.h"
#include "discover/read/host_facts.h"

#define CPU_DIR "sys/devices/system/cpu/"

/* The names of a file in the topology directory: since Linux 5.3, and before. */
struct file_names {
	const char *now, *before;
};

/* The counted lists, and how many CPUs are online. */
struct cpu_sets {
	size_t n, n_cpus;
};

static struct pmuq_str read_list(struct pq_host_reader *host, unsigned cpu,
				 const struct file_names *names)
{
	const char *name = names->now;
	struct pmuq_str list = STR("");

	for (; name && !list.n; name = name == names->now ? names->before : NULL) {
		cleanup(pq_buf_free) struct pq_buf path = PQ_BUF_NULL;

		pq_buf_print(&path, CPU_DIR "cpu%u/topology/%s%c", cpu, name, '\0');
		host->reader->failed |= path.failed;
		if (!path.failed)
			list = pq_host_line(host, path.p);
	}
	return list;
}

/* Removes the CPUs of the list from those that are left. */
static void drop_listed(struct pq_cpus *left, struct pmuq_str list)
{
	unsigned cpu = pq_cpus_text_next(list, 0);

	for (; cpu < PQ_CPUS_MAX; cpu = pq_cpus_text_next(list, cpu + 1))
		if (pq_cpus_has(left, cpu))
			pq_cpus_drop(left, cpu);
}

/* False if an online CPU has no such file. */
static bool count(struct pq_host_reader *host, const struct file_names *names, struct cpu_sets *ret)
{
	_Alignas(16) char memory[PQ_CPUS_BYTES];
	struct pq_arena arena;
	struct pmuq_str online = pq_host_fact(host, PQ_FACT_CPUS_ONLINE);
	struct pq_cpus left;
	unsigned cpu;

	pq_arena_init(&arena, memory, sizeof(memory), 0);
	if (!online.n || !pq_cpus_parse(&arena, online, &left))
		return false;
	*ret = (struct cpu_sets){ .n_cpus = pq_cpus_count(&left) };
	for (cpu = pq_cpus_next(&left, 0); cpu < PQ_CPUS_MAX; cpu = pq_cpus_next(&left, cpu + 1)) {
		struct pmuq_str list = read_list(host, cpu, names);

		if (!list.n)
			return false;
		drop_listed(&left, list);
		ret->n++;
	}
	return true;
}

static struct pmuq_str count_text(struct pq_host_reader *host, const char *now, const char *before)
{
	const struct file_names names = { now, before };
	struct cpu_sets counted;

	return count(host, &names, &counted) ? pq_host_number(host, counted.n) : STR("");
}

struct pmuq_str pq_cores_text(struct pq_host_reader *host)
{
	return count_text(host, "core_cpus_list", "thread_siblings_list");
}

struct pmuq_str pq_dies_text(struct pq_host_reader *host)
{
	return count_text(host, "die_cpus_list", NULL);
}

struct pmuq_str pq_packages_text(struct pq_host_reader *host)
{
	return count_text(host, "package_cpus_list", "core_siblings_list");
}

/* Linux before 4.19 has no file for it. */
struct pmuq_str pq_smt_text(struct pq_host_reader *host)
{
	static const struct file_names cores = { "core_cpus_list", "thread_siblings_list" };
	struct pmuq_str active = pq_host_line(host, CPU_DIR "smt/active");
	struct cpu_sets counted;

	if (active.n)
		return str_eq(active, STR("1")) ? STR("on") : STR("off");
	if (!count(host, &cores, &counted))
		return STR("");
	return counted.n < counted.n_cpus ? STR("on") : STR("off");
}
