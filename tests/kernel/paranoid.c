/* SPDX-License-Identifier: MIT */
#include "tests/kernel/paranoid.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#define PARANOID_FILE "/proc/sys/kernel/perf_event_paranoid"

static bool read_level(int file, int *ret)
{
	char text[16] = "";

	if (pread(file, text, sizeof(text) - 1, 0) <= 0)
		return false;
	*ret = atoi(text);
	return true;
}

static bool write_level(int file, int level)
{
	char text[16];
	int n = snprintf(text, sizeof(text), "%d\n", level), now;

	return pwrite(file, text, (size_t)n, 0) == n && read_level(file, &now) && now == level;
}

/* Ctrl-C or a time limit that kills the process group must not end the guard. */
_Noreturn static void guard(int file, int pipe, int level)
{
	char byte;

	setsid();
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	while (read(pipe, &byte, 1) > 0)
		;
	write_level(file, level);
	flock(file, LOCK_UN);
	_exit(0);
}

static bool start_guard(int level, struct paranoid *held)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0)
		return false;
	held->guard = fork();
	if (held->guard == 0) {
		close(ends[1]);
		guard(held->file, ends[0], level);
	}
	close(ends[0]);
	held->pipe = ends[1];
	if (held->guard > 0)
		return true;
	close(ends[1]);
	held->guard = 0;
	return false;
}

static bool hold(int level, struct paranoid *held, const char **ret_why)
{
	bool is_writable = true;
	int before;

	*ret_why = "this kernel has no perf_event_paranoid";
	held->file = open(PARANOID_FILE, O_RDWR | O_CLOEXEC);
	if (held->file < 0) {
		is_writable = false;
		held->file = open(PARANOID_FILE, O_RDONLY | O_CLOEXEC);
	}
	if (held->file < 0 || flock(held->file, LOCK_EX) < 0 || !read_level(held->file, &before))
		return false;
	if (before == level)
		return true;
	*ret_why = "this process cannot change perf_event_paranoid";
	if (!is_writable || !start_guard(before, held))
		return false;
	*ret_why = "this kernel does not accept the value for perf_event_paranoid";
	return write_level(held->file, level);
}

bool paranoid_hold(int level, struct paranoid *ret, const char **ret_why)
{
	*ret = (struct paranoid){ .file = -1, .pipe = -1 };
	if (hold(level, ret, ret_why))
		return true;
	paranoid_release(ret);
	return false;
}

void paranoid_leave(struct paranoid *held)
{
	if (held->pipe >= 0)
		close(held->pipe);
	if (held->file >= 0)
		close(held->file);
	*held = (struct paranoid){ .file = -1, .pipe = -1 };
}

void paranoid_release(struct paranoid *held)
{
	if (held->guard) {
		close(held->pipe);
		while (waitpid(held->guard, NULL, 0) < 0 && errno == EINTR)
			;
	}
	if (held->file >= 0) {
		flock(held->file, LOCK_UN);
		close(held->file);
	}
	*held = (struct paranoid){ .file = -1, .pipe = -1 };
}
