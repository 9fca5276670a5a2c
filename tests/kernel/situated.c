/* SPDX-License-Identifier: MIT */
/*
 * Runs a command in a situation (situation.h), with perf_event_paranoid at a value if one is named:
 *
 *     situated [paranoid=N] 'WORDS' COMMAND ARGUMENT...
 *
 * Exits with the status of the command; with 77 and a reason if this machine does not allow it.
 */
#include "tests/kernel/paranoid.h"
#include "tests/kernel/situation.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define SKIPPED 77
#define LEVEL "paranoid="

static int skipped(const char *why)
{
	fprintf(stderr, "%s\n", why);
	return SKIPPED;
}

static int run(const char *words, char **command, struct paranoid *held)
{
	const char *why;
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		paranoid_leave(held);
		if (!situation_enter(words, &why))
			_exit(skipped(why));
		execv(command[0], command);
		perror(command[0]);
		_exit(EXIT_FAILURE);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return EXIT_FAILURE;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int main(int argc, char **argv)
{
	struct paranoid held = { .file = -1, .pipe = -1 };
	bool has_level = argc > 1 && strncmp(argv[1], LEVEL, strlen(LEVEL)) == 0;
	char **words = argv + 1 + has_level;
	const char *why;
	int status;

	if (argc < 3 + has_level) {
		fprintf(stderr, "usage: situated [" LEVEL "N] WORDS COMMAND ARGUMENT...\n");
		return 2;
	}
	if (has_level && !paranoid_hold(atoi(argv[1] + strlen(LEVEL)), &held, &why))
		return skipped(why);
	status = run(words[0], words + 1, &held);
	paranoid_release(&held);
	return status;
}
