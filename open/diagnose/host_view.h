/* SPDX-License-Identifier: MIT */
/*
 * What this process may do and what machine it runs on, as far as the answers of perf_event_open(2)
 * depend on it. Read only when something was refused. Whatever cannot be read is unknown; nothing
 * here fails.
 */
#ifndef PQ_OPEN_HOST_VIEW_H
#define PQ_OPEN_HOST_VIEW_H

#include "core/arena.h"
#include "core/attr/attr.h"

struct pq_host_view {
	bool has_paranoid, has_caps, has_pmus; /* whether the next ones are known */
	int paranoid;			       /* perf_event_paranoid */
	uint64_t caps; /* effective capabilities of this thread, a bit each */
	bool has_core_pmu;
	bool lacks_perf;       /* the kernel was built without perf events */
	bool lacks_perfmon;    /* older than Linux 5.8, which brought CAP_PERFMON */
	bool has_seccomp;      /* a filter stands before the system calls */
	bool is_in_namespace;  /* the capabilities are those of a user namespace */
	bool is_root;	       /* user 0, with or without capabilities */
	bool has_no_new_privs; /* an exec gives nothing, setcap neither */
	bool has_bounding;     /* whether this is known: */
	uint64_t bounding;     /* capabilities that an exec may give */
	bool is_init_free;     /* no filter stands before the first process: not the container's */
	bool is_in_container, is_locked_down, has_nmi_watchdog;
	bool is_vm;
	const char *hypervisor;	     /* "KVM"; static; NULL when unknown */
	const char *vpmu_remedy;     /* how that hypervisor gives a guest a PMU; static, or NULL */
	struct pmuq_str cpus_online; /* in the arena; "" when unknown */
	uint64_t max_sample_rate;    /* Hz; 0: unknown */
	uint64_t max_stack;	     /* frames; 0: unknown */
	uint64_t max_files;	     /* RLIMIT_NOFILE; 0: unknown */
};

struct pq_pmu_view {
	bool exists, has_type, has_formats, is_core;
	uint32_t type;
	uint64_t known[PQ_CONFIG_WORDS]; /* bits of each config word that some format takes */
};

/* A task that is to be counted; of what cannot be read nothing is claimed. */
struct pq_task_view {
	bool is_gone;
	bool is_dead;	   /* it has ended, and its parent has not taken notice */
	bool is_foreign;   /* some of its users is not the one that this process runs as */
	bool is_protected; /* whoever runs it: its program was not to be read, or had privileges */
	bool has_yama;	   /* only parents may trace */
	uint32_t user;	   /* the effective one */
};

/* Descriptors of this process. */
struct pq_files_view {
	uint64_t n_open, limit, hard_limit; /* UINT64_MAX: unlimited */
};

/* Who is asked; tests have their own. */
struct pq_host {
	void (*read_view)(const void *self, struct pq_arena *arena, struct pq_host_view *ret);
	/* The PMU's directory; `name` is not NULL. */
	void (*read_pmu)(const void *self, const char *name, struct pq_pmu_view *ret);
	void (*read_task)(const void *self, int pid, struct pq_task_view *ret);
	void (*read_files)(const void *self, struct pq_files_view *ret);
	const void *self;
};

/* Of pq_host_at(). */
void pq_task_view_read(const void *self, int pid, struct pq_task_view *ret);
void pq_files_view_read(const void *self, struct pq_files_view *ret);

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
