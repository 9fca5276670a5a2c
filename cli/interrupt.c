/* SPDX-License-Identifier: MIT */
#include "cli/interrupt.h"
#include "cli/served.h"

/* Set by the signal handler, read between two steps of the work. */
static volatile sig_atomic_t has_come;

static void stop(int number)
{
	(void)number;
	has_come = 1;
}

/* If SIGINT is ignored (nohup), it stays ignored. Signals of a daemon are its own. */
void interrupt_begin(struct interrupt *interrupt)
{
	struct sigaction ours = { .sa_handler = stop, .sa_flags = (int)SA_RESETHAND };

	has_come = 0;
	sigaction(SIGINT, NULL, &interrupt->before);
	if (interrupt->before.sa_handler != SIG_IGN && !served)
		sigaction(SIGINT, &ours, NULL);
}

bool interrupt_came(void)
{
	return has_come != 0;
}

void interrupt_end(struct interrupt *interrupt)
{
	if (!served)
		sigaction(SIGINT, &interrupt->before, NULL);
}
