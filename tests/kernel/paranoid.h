/* SPDX-License-Identifier: MIT */
/*
 * Sets kernel.perf_event_paranoid for a while. A guard, a process apart, puts it back when its
 * holder lets go or dies, of whatever. While it is held no other holder gets it: the file is locked
 * (flock(2)), so that two runs of the tests on one machine wait for each other.
 */
#ifndef PQ_TESTS_PARANOID_H
#define PQ_TESTS_PARANOID_H

#include <stdbool.h>
#include <sys/types.h>

struct paranoid {
	int file, pipe; /* the guard waits for the end of the pipe */
	pid_t guard;	/* 0: nothing was changed, there is none */
};

/* False: it cannot be had; *ret_why says why, static. Children must not outlive the holder. */
bool paranoid_hold(int level, struct paranoid *ret, const char **ret_why);
/* In a child: the holder's death is to be noticed although the child lives. */
void paranoid_leave(struct paranoid *held);
/* When it returns, the value is as it was. */
void paranoid_release(struct paranoid *held);

#endif
