/* SPDX-License-Identifier: MIT */
/* Ctrl-C during long work: the first one only sets a flag, so that the command can end with what it
 * has and print it; the second one ends the command. */
#pragma once

#include <signal.h>
#include <stdbool.h>

struct interrupt {
	struct sigaction before;
};

/* Only where the work queries the flag often: a read of a terminal or a pipe can wait for ever. */
void interrupt_begin(struct interrupt *interrupt);
/* Since interrupt_begin(). */
bool interrupt_came(void);
/* Ctrl-C does again what it did before; the flag stays. */
void interrupt_end(struct interrupt *interrupt);
