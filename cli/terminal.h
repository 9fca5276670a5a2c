/* SPDX-License-Identifier: MIT */
/*
 * The properties of the terminal: whether there is one, how big it is, whether it takes colours and
 * box characters. Reads the environment and queries the kernel; opens no locale, prints nothing.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

/* "auto", "always" or "never", for both stdout and stderr; false for any other word. */
bool terminal_set_color(const char *when);
/* By --color; by default on a terminal that is not dumb, without NO_COLOR. */
bool terminal_has_color(FILE *to);

bool terminal_is(FILE *to);
/* It has no name, or that of one that can do nothing. */
bool terminal_is_dumb(void);
/* A terminal, and the locale's characters are UTF-8: text beyond ASCII can be shown on it. */
bool terminal_is_utf8(FILE *to);

/* COLUMNS, else the width of the terminal that stdout is, else `otherwise`. */
unsigned terminal_columns(unsigned otherwise);
/* The same of stdout or stderr. */
unsigned terminal_columns_of(FILE *to, unsigned otherwise);
/* LINES, else the height of the terminal that stdout is; 0 if it is not a terminal. */
unsigned terminal_lines(void);
