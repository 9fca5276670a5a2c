/* SPDX-License-Identifier: MIT */
/* The sentence for a machine without tracepoints: the note of a list of them, and the hint of an
 * unknown one. */
#pragma once

#define PQ_NO_TRACEPOINTS                                                                          \
	"this machine shows no tracepoints: its tracefs is not mounted (mount -t tracefs tracefs " \
	"/sys/kernel/tracing), not readable, or not in the capture"
