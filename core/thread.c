/* SPDX-License-Identifier: MIT */
#include "core/thread.h"
#include <sched.h>
#include <signal.h>

static bool has_several_cpus(void)
{
	cpu_set_t set;

	/* It fails if the machine has more CPUs than fit in the set. */
	return sched_getaffinity(0, sizeof(set), &set) < 0 || CPU_COUNT(&set) > 1;
}

bool pq_thread_start(pthread_t *ret, void *(*run)(void *), void *arg)
{
	sigset_t all, before;
	int r;

	if (!has_several_cpus())
		return false;
	/* Signals are for the threads of the program. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	r = pthread_create(ret, NULL, run, arg);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return r == 0;
}
