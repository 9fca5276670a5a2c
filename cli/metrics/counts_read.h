/* SPDX-License-Identifier: MIT */
/*
 * Counts of a file for the events of a plan: the output of `perf stat -j`, of `perf stat -x`, or of
 * `pmuq check --count --jsonl`.
 */
#pragma once

#include "cli/metrics/metric_results.h"

/* "-": stdin. Failures are reported. */
enum status counts_read(const char *path, struct metric_results *results);
