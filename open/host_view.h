/* SPDX-License-Identifier: MIT */
/*
 * What this process may do and what machine it runs on, as far as the answers of perf_event_open(2)
 * depend on it. Read only when something was refused. Whatever cannot be read is unknown; nothing
 * here fails.
 */
#ifndef PQ_OPEN_HOST_VIEW_H
#define PQ_OPEN_HOST_VIEW_H

#include "core/arena.h"
#include "core/attr.h"

struct pq_host_view {
	bool has_paranoid, has_caps, has_pmus; /* whether the next ones are known */
	int paranoid;			       /* perf_event_paranoid */
	uint64_t caps; /* effective capabilities of this thread, a bit each */
	bool has_core_pmu;
	bool lacks_perf;      /* the kernel was built without perf events */
	bool lacks_perfmon;   /* older than Linux 5.8, which brought CAP_PERFMON */
	bool has_seccomp;     /* a filter stands before the system calls */
	bool is_in_namespace; /* the capabilities are those of a user namespace */
	bool is_in_container, is_locked_down, has_nmi_watchdog;
	bool is_vm;
	const char *hypervisor;	  /* "KVM"; static; NULL when unknown */
	const char *vpmu_remedy;  /* how that hypervisor gives a guest a PMU; static, or NULL */
	struct str cpus_online;	  /* in the arena; "" when unknown */
	uint64_t max_sample_rate; /* Hz; 0: unknown */
	uint64_t max_stack;	  /* frames; 0: unknown */
	uint64_t max_files;	  /* RLIMIT_NOFILE; 0: unknown */
};

struct pq_pmu_view {
	bool exists, has_type, has_formats, is_core;
	uint32_t type;
	uint64_t known[PQ_CONFIG_WORDS]; /* bits of each config word that some format takes */
};

/* Who is asked; tests have their own. */
struct pq_host {
	void (*read_view)(const void *self, struct pq_arena *arena, struct pq_host_view *ret);
	/* The PMU's directory; `name` is not NULL. */
	void (*read_pmu)(const void *self, const char *name, struct pq_pmu_view *ret);
	const void *self;
};

/* The machine whose sys/ and proc/ stand in `root` ("/" for this one); `root` must live as long. */
struct pq_host pq_host_at(const char *root);

#define PQ_CAP_SYS_ADMIN 21
#define PQ_CAP_PERFMON 38

/* Whether the thread holds the capability that perf asks for, in its own namespace at least. */
static inline bool pq_host_may_perfmon(const struct pq_host_view *view)
{
	return view->caps >> PQ_CAP_PERFMON & 1 || view->caps >> PQ_CAP_SYS_ADMIN & 1;
}

#endif
