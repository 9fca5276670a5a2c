/* SPDX-License-Identifier: MIT */
/*
 * THE terms that every PMU takes, whatever its formats. encode/words/keyword.c makes its table from
 * these rows; diff uses the names, to distinguish such terms from formats.
 */
#pragma once

/* The tool term that "@setting" gives. It has no word of its own in an event string. */
#define PQ_DRIVER_SETTING "driver-config"

// clang-format off
/* X(with, name, the type of its value, its effect, the rest of the row). `with` is for the macro
 * X. An opposite follows the row of its keyword. */
#define PQ_KEYWORDS(X, with) \
	X(with, "config",        NUMBER,   SETS_CONFIG, .word = 0) \
	X(with, "config1",       NUMBER,   SETS_CONFIG, .word = 1) \
	X(with, "config2",       NUMBER,   SETS_CONFIG, .word = 2) \
	X(with, "config3",       NUMBER,   SETS_CONFIG, .word = 3) \
	X(with, "config4",       NUMBER,   SETS_CONFIG, .word = 4) \
	X(with, "name",          WORD,     SETS_NAME) \
	X(with, "period",        NUMBER,   IS_FOR_TOOL) \
	X(with, "freq",          NUMBER,   IS_FOR_SAMPLER) \
	X(with, "branch_type",   WORD,     SETS_BRANCH_TYPE) \
	X(with, "time",          BOOL,     IS_FOR_SAMPLER) \
	X(with, "call-graph",    WORD,     IS_FOR_SAMPLER, .is_for_tracepoints = true) \
	X(with, "stack-size",    NUMBER,   IS_FOR_SAMPLER, .is_for_tracepoints = true) \
	X(with, "max-stack",     LOW_U32,  IS_FOR_SAMPLER, .is_for_tracepoints = true) \
	X(with, "nr",            NUMBER,   IS_FOR_SAMPLER, .is_for_tracepoints = true) \
	X(with, "inherit",       FLAG,     IS_FOR_SAMPLER, .is_for_tracepoints = true) \
	X(with, "no-inherit",    FLAG,     IS_FOR_SAMPLER, .is_opposite = true, .is_for_tracepoints = true) \
	X(with, "overwrite",     FLAG,     IS_FOR_SAMPLER, .is_for_tracepoints = true) \
	X(with, "no-overwrite",  FLAG,     IS_FOR_SAMPLER, .is_opposite = true, .is_for_tracepoints = true) \
	X(with, "percore",       LOW_BOOL, IS_FOR_TOOL, .is_for_core = true) \
	X(with, "metric-id",     WORD,     IS_FOR_TOOL) \
	X(with, "aux-output",    FLAG,     IS_FOR_SAMPLER, .is_for_tracepoints = true) \
	X(with, "aux-action",    WORD,     IS_FOR_SAMPLER, .is_for_tracepoints = true) \
	X(with, "aux-sample-size", U32,    IS_FOR_SAMPLER, .is_for_tracepoints = true) \
	X(with, "ratio-to-prev", RATIO,    IS_FOR_SAMPLER) \
	X(with, "cpu",           ANY,      SETS_CPUS) \
	X(with, "legacy-hardware-config", NUMBER, SETS_HARDWARE) \
	X(with, "legacy-cache-config",    NUMBER, SETS_CACHE)
// clang-format on
