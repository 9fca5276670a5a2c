/* SPDX-License-Identifier: MIT */
/*
 * Commands, lists and options of perf that pmuq does not have, in tables, with what pmuq has
 * instead. Only words that are unknown are searched here.
 */
#include "cli/perf_habits.h"
#include "core/base.h"
#include <string.h>

#define NOT_OTHERS "pmuq does not count or record for other programs"
#define DECODES "`pmuq decode perf.data` prints the events of a recording"

// clang-format off
static const struct {
	const char *name, *hint;
} commands[] = {
	{ "stat",   NOT_OTHERS "; `pmuq check --count EVENT` shows whether events count, "
		    "`pmuq encode --preset stat EVENT` the attrs of perf stat" },
	{ "record", NOT_OTHERS "; `pmuq encode --preset record EVENT` prints the attrs of perf record" },
	{ "top",    NOT_OTHERS "; `pmuq check --count EVENT` shows whether events count" },
	{ "test",   "`pmuq check EVENT` tests whether the kernel opens events, `pmuq scan --check` tests all of a machine" },
	{ "evlist", DECODES },
	{ "script", DECODES },
};

#define GENERIC "`pmuq list events --from generic` lists the kernel's generic events"
#define SOFTWARE "`pmuq list events software` lists the software events"

/* Types of perf's list. */
static const struct {
	const char *name, *hint;
} lists[] = {
	{ "hw",          GENERIC },
	{ "hardware",    GENERIC },
	{ "cache",       GENERIC },
	{ "hwcache",     GENERIC },
	{ "sw",          SOFTWARE },
	{ "software",    SOFTWARE },
	{ "tracepoint",  "`pmuq list tracepoints` lists the tracepoints" },
	{ "pmu",         "`pmuq list events --from sysfs` lists the events of PMUs" },
	{ "kernel",      "`pmuq list events --from sysfs,generic` lists the events that the kernel offers" },
	{ "pfm",         "`pmuq list events --from pfm` lists libpfm4's names" },
	{ "metric",      "`pmuq list metrics` lists the metrics of the CPU's tables" },
	{ "metricgroup", "`pmuq list metricgroups` lists the metric groups of the CPU's tables" },
	{ "sdt",         "pmuq has no list of the probes of programs (SDT)" },
};

static const struct {
	char letter;
	const char *name, *hint;
} options[] = {
	{ 'e', "event",    "events are operands: `pmuq encode cycles`, `pmuq check cycles`" },
	{ 'a', "all-cpus", "`pmuq check -C 0-3 cycles` opens events on CPUs, for all processes" },
	{ 'C', "cpu",      "`pmuq check -C 0-3 cycles` opens events on these CPUs" },
	{ 'p', "pid",      "`pmuq check -p PID cycles` opens events for a process" },
	{ 't', "tid",      "`pmuq check -p TID cycles` opens events for a thread" },
	{ 'G', "cgroup",   "`pmuq check -G PATH cycles` opens events for a cgroup" },
	{ 'c', "count",    "`pmuq check --count cycles` counts; a period is a term: cpu/cycles,period=100000/" },
	{ 'F', "freq",     "the frequency is a term: cpu/cycles,freq=1000/" },
	{ 'g', "call-graph", "the call graph is a term: cpu/cycles,call-graph=fp/" },
	{ 'x', "field-separator", "`pmuq list --raw` and --json are for scripts" },
};
// clang-format on

const char *perf_command_hint(const char *name)
{
	for (size_t i = 0; i < COUNT(commands); i++)
		if (strcmp(commands[i].name, name) == 0)
			return commands[i].hint;
	return NULL;
}

const char *perf_list_hint(const char *word)
{
	for (size_t i = 0; i < COUNT(lists); i++)
		if (strcmp(lists[i].name, word) == 0)
			return lists[i].hint;
	return NULL;
}

const char *perf_option_hint(char letter, const char *name)
{
	for (size_t i = 0; i < COUNT(options); i++)
		if (letter ? options[i].letter == letter : strcmp(options[i].name, name) == 0)
			return options[i].hint;
	return NULL;
}
