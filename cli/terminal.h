/* SPDX-License-Identifier: MIT */
/*
 * The properties of the terminal: whether there is one, its size, whether it supports colours and
 * box characters. Reads the environment and queries the kernel; opens no locale, prints nothing.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

/* "auto", "always" or "never", for both stdout and stderr; false for any other word. */
bool terminal_set_color(const char *when);
/* According to --color; by default on a terminal that is not dumb, without NO_COLOR. */
bool terminal_has_color(FILE *to);

bool terminal_is(FILE *to);
/* TERM is not set, or is the name of a terminal without capabilities. */
bool terminal_is_dumb(void);
/* A terminal, and the locale's characters are UTF-8: text beyond ASCII can be shown on it. */
bool terminal_is_utf8(FILE *to);

/* COLUMNS, otherwise the width of the terminal on stdout, otherwise `otherwise`. */
unsigned terminal_columns(unsigned otherwise);
/* The same of stdout or stderr. */
unsigned terminal_columns_of(FILE *to, unsigned otherwise);
/* LINES, otherwise the height of the terminal on stdout; 0 if it is not a terminal. */
unsigned terminal_lines(void);
