/* SPDX-License-Identifier: MIT */
/* Counters, reasons and parts as text, in the arena of a result. */
#pragma once

#include "fit/fit_set.h"

/* "0-3", "0,2, fixed 1"; "" for none. */
struct pmuq_str pq_fit_print_counters(struct pq_arena *arena, struct pq_counter_set set);
/* "2", "fixed 1". */
struct pmuq_str pq_fit_print_counter(struct pq_arena *arena, unsigned counter);
/* Why the events cannot be counted together. */
struct pmuq_str pq_fit_print_clash(struct pq_arena *arena, const struct pq_fit_set *set,
				   const struct pq_fit_clash *clash);
/* What is not known of the events. */
struct pmuq_str pq_fit_print_unknown(struct pq_arena *arena, const struct pq_fit_set *set);
/* The parts as event strings. */
struct pmuq_str pq_fit_print_split(struct pq_arena *arena, const struct pq_fit_set *set);
