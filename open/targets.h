/* SPDX-License-Identifier: MIT */
/* The targets on which an event is opened: a task, or CPUs with all tasks or those of a cgroup. */
#pragma once

#include "core/cpulist.h"
#include "open/scope.h"

struct pq_open_request;
struct pq_open_session;

/* The arguments of one system call. Zeroed: before the first target. */
struct pq_open_target {
	bool is_set, is_cgroup;
	int pid, cpu;
};

struct pq_open_targets {
	const struct pq_open_scope *scope;
	bool is_task;	      /* on any CPU: then there is one target */
	bool is_task_on_cpus; /* of the scope, on each CPU */
	struct pq_cpus cpus;  /* else one on each of these */
	const char *list;     /* the CPUs as text; "-1" for a task; may be the caller's `cpus` */
	const char *note;     /* a hint if all of them open; static, or NULL */
};

/*
 * The targets of the request. They are valid until the end of the session.
 *
 * Both return 0 or -PMUQ_E_MEMORY, without an error object.
 */
int pq_open_targets_find(struct pq_open_session *session, const struct pq_open_request *request,
			 struct pq_open_targets *ret);
/* All tasks on that CPU instead, with a note that the event opens per CPU only. */
int pq_open_targets_set_cpu(struct pq_open_session *session, int cpu,
			    struct pq_open_targets *targets);

/* The target after *target, the first one if it is zeroed; false after the last one. */
bool pq_open_targets_next(const struct pq_open_targets *targets, struct pq_open_target *target);
size_t pq_open_targets_count(const struct pq_open_targets *targets);
/* For open results: the task, or -1 for all tasks and for a cgroup. */
int pq_open_targets_pid(const struct pq_open_targets *targets);
