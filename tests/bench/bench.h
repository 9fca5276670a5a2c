/* SPDX-License-Identifier: MIT */
/*
 * What the benches share: a clock, a best time, and one output form, so that a script can make a
 * table of all of them: subject, pmuq, peer, ratio.
 */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static inline double bench_now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

_Noreturn static inline void bench_die(const char *what)
{
	fprintf(stderr, "bench: %s\n", what);
	exit(EXIT_FAILURE);
}

static inline double bench_best(double best, double now)
{
	return best > 0 && best < now ? best : now;
}

static inline void bench_line(const char *name, const char *unit, double ours, double peer)
{
	printf("%-44s %10.1f %s %10.1f %s %7.2f\n", name, ours, unit, peer, unit, ours / peer);
}

/* A figure without a peer. */
static inline void bench_figure(const char *name, const char *unit, double ours)
{
	printf("%-44s %10.1f %s\n", name, ours, unit);
}
