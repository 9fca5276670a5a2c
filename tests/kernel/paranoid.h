/* SPDX-License-Identifier: MIT */
/*
 * Sets kernel.perf_event_paranoid for a while. A guard process restores it when its holder releases
 * it or dies for any reason. The file is locked (flock(2)) meanwhile, so that two runs of the tests
 * on one machine wait for each other.
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

struct paranoid {
	int file, pipe; /* the guard waits for the end of the pipe */
	pid_t guard;	/* 0: nothing was changed, so no guard runs */
};

/* False: not possible; *ret_why is the reason, static. Children must not outlive the holder. */
bool paranoid_hold(int level, struct paranoid *ret, const char **ret_why);
/* In a child: the guard must notice the death of the holder although the child lives. */
void paranoid_leave(struct paranoid *held);
/* The value is restored when it returns. */
void paranoid_release(struct paranoid *held);
