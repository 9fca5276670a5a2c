/* SPDX-License-Identifier: MIT */
/*
 * The facts about the machine and this process on which perf_event_open(2) depends. They are read
 * only after a refusal. A fact that cannot be read is unknown; reading fails without memory only,
 * which the arena remembers, or the view.
 */
#pragma once

#include "core/arena.h"
#include "core/attr/attr.h"
#include "core/error.h"

struct pq_host_view {
	bool has_paranoid, has_caps, has_pmus; /* whether the next ones are known */
	int paranoid;			       /* perf_event_paranoid */
	uint64_t caps; /* effective capabilities of this thread, a bit each */
	bool has_core_pmu;
	bool is_without_perf;	      /* the kernel was built without perf events */
	bool is_without_cap_perfmon;  /* older than Linux 5.8, which added CAP_PERFMON */
	bool has_seccomp;	      /* a seccomp filter is in force */
	bool is_in_namespace;	      /* the capabilities are those of a user namespace */
	bool is_root;		      /* user 0, with or without capabilities */
	bool has_no_new_privs;	      /* capabilities of a program file have no effect */
	bool has_bounding;	      /* whether the next one is known */
	uint64_t bounding;	      /* capabilities that an exec may give */
	bool is_init_without_seccomp; /* process 1 has no filter: so it is not the container's */
	bool is_in_container, is_locked_down, has_nmi_watchdog;
	bool is_vm;
	const char *hypervisor;	     /* "KVM"; static; NULL if unknown */
	const char *vpmu_remedy;     /* how to give its guest a PMU; static, or NULL */
	struct pmuq_str cpus_online; /* in the arena; "" if unknown */
	uint64_t max_sample_rate;    /* Hz; 0: unknown */
	uint64_t max_stack;	     /* frames; 0: unknown */
	uint64_t max_files;	     /* RLIMIT_NOFILE; 0: unknown */
};

struct pq_pmu_view {
	bool exists, has_type, has_formats;
	uint32_t type;
	uint64_t known[PQ_CONFIG_WORDS]; /* bits of each config word that some format uses */
	bool has_no_memory;
};

/* A task to count. */
struct pq_task_view {
	bool is_gone;
	bool is_dead;	   /* a zombie: its parent has not collected it */
	bool is_foreign;   /* a user of it is not the real user of this process */
	bool is_protected; /* not dumpable: its program is setuid or not readable */
	bool has_yama;	   /* only parents may trace */
	uint32_t user;	   /* the effective one */
	bool has_no_memory;
};

/* Descriptors of this process. */
struct pq_files_view {
	uint64_t n_open;	    /* UINT64_MAX: /proc cannot be read */
	uint64_t limit, hard_limit; /* UINT64_MAX: unlimited */
	bool has_no_memory;
};

/* Where the facts come from; tests have their own. */
struct pq_host {
	void (*read_view)(const struct pq_host *host, struct pq_arena *arena,
			  struct pq_host_view *ret);
	/* The PMU's directory; `name` is not NULL. */
	void (*read_pmu)(const struct pq_host *host, const char *name, struct pq_pmu_view *ret);
	void (*read_task)(const struct pq_host *host, int pid, struct pq_task_view *ret);
	void (*read_files)(const struct pq_host *host, struct pq_files_view *ret);
	const char *root; /* the directory of sys/ and proc/ … */
	void *self;	  /* … or what tests have instead */
};

/* The machine whose sys/ and proc/ are in `root` ("/" for this one), which must live as long. */
struct pq_host pq_host_at(const char *root);

#define PQ_CAP_SYS_ADMIN 21
#define PQ_CAP_PERFMON 38

/* Whether the thread has the capability that perf needs, in its own namespace at least. */
static inline bool pq_host_has_perfmon(const struct pq_host_view *view)
{
	return view->caps >> PQ_CAP_PERFMON & 1 || view->caps >> PQ_CAP_SYS_ADMIN & 1;
}

/* ---- the parts of a view, a file each */

/* open_process.c: capabilities, seccomp filters, namespaces, descriptors of this process. */
/* `is_live`: the root is this machine's, so that system calls can replace a missing /proc. */
void pq_process_view_read(int root_fd, bool is_live, struct pq_arena *arena,
			  struct pq_host_view *view);

/* The limits of descriptors alone. */
void pq_process_limits_read(struct pq_files_view *ret);
void pq_process_files_read(const struct pq_host *host, struct pq_files_view *ret);

/* /proc/PID/status of the calling thread: capabilities, users and filters belong to the thread. */
struct pmuq_str pq_process_status(int root_fd, struct pq_arena *arena);
/* The real, effective and saved user of a status file; false: it does not contain them. */
bool pq_process_users(struct pmuq_str status, uint32_t ret[3]);
/* task.c */
void pq_task_view_read(const struct pq_host *host, int pid, struct pq_task_view *ret);
/* hypervisor.c: whether the machine is virtual, on which hypervisor, and how that gives its guests
 * a PMU: is_vm, hypervisor and vpmu_remedy, from files below the root. */
void pq_hypervisor_find(int root_fd, struct pq_arena *arena, struct pq_host_view *view);
/*
 * cgroup.c: opens the directory of a cgroup: `name` below the mount for perf events (as in
 * /proc/PID/cgroup), else as a path. Only the kernel decides whether the directory is a cgroup.
 *
 * Returns a descriptor, or -PMUQ_E_NO_CGROUP, -PMUQ_E_MEMORY.
 */
int pq_cgroup_open(const char *root, const char *name, struct pmuq_error **reterr);
