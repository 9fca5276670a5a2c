/* SPDX-License-Identifier: MIT */
#include "tests/kernel/events.h"
#include "core/base.h"
#include "tests/kernel/situation.h"
#include "tests/unit/cmocka_all.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct known_event {
	const char *text; /* "%s": the file for probes */
	enum pmuq_preset preset;
	int pid;
	const char *cpus, *cgroup;
	const char *without; /* a PMU that must not be there */
	const char *why_not;
} events[N_EVENTS] = {
	[PAGES_USER] = { "page-faults:u" },
	[PAGES] = { "page-faults" },
	[SWITCHES] = { "context-switches" },
	[CLOCK_KERNEL] = { "cpu-clock:k" },
	[CLOCK_ON_CPU] = { "cpu-clock", .cpus = "0" },
	[TSC] = { "msr/tsc/", .why_not = "there is no PMU msr" },
	[WATCH_USER] = { "mem:0x1000/4:rw:u", .why_not = "there are no breakpoints" },
	[WATCH] = { "mem:0x1000/4:rw", .why_not = "there are no breakpoints" },
	[WATCH_KERNEL] = { "mem:0xffffffff81000000/4:rw", .why_not = "there are no breakpoints" },
	[WATCH_KERNEL_USER] = { "mem:0xffffffff81000000/4:rw:u",
				.why_not = "there are no breakpoints" },
	[TRACE_USER] = { "sched:sched_switch:u", .why_not = "tracefs is not mounted" },
	[TRACE] = { "sched:sched_switch", .why_not = "tracefs is not mounted" },
	[RECORD] = { "sched:sched_switch:u", PMUQ_PRESET_RECORD,
		     .why_not = "tracefs is not mounted" },
	[RECORD_CALLS] = { "raw_syscalls:sys_enter:u", PMUQ_PRESET_RECORD,
			   .why_not = "tracefs is not mounted" },
	[PROBE_USER] = { "uprobe/path='%s',offset=0x10/u", .why_not = "there is no PMU uprobe" },
	[PROBE] = { "uprobe/path='%s',offset=0x10/", .why_not = "there is no PMU uprobe" },
	[CYCLES_USER] = { "cycles:u", .without = "cpu", .why_not = "there is a core PMU" },
	[CYCLES] = { "cycles", .without = "cpu", .why_not = "there is a core PMU" },
	[INIT] = { "cpu-clock:u", .pid = 1 },
	[CGROUP] = { "cpu-clock:u", .cgroup = "/", .why_not = "no cgroup can be counted" },
	[MANY] = { "{cpu-clock:u,cpu-clock:u,cpu-clock:u,cpu-clock:u,cpu-clock:u,cpu-clock:u,"
		   "cpu-clock:u,cpu-clock:u,cpu-clock:u}" },
};

const char *events_name(unsigned event)
{
	static const char *const suffixes[N_EVENTS] = {
		[CLOCK_ON_CPU] = "cpu-clock on CPU 0",
		[RECORD] = "sched:sched_switch:u, recorded",
		[RECORD_CALLS] = "raw_syscalls:sys_enter:u, recorded",
		[PROBE_USER] = "uprobe:u",
		[PROBE] = "uprobe",
		[INIT] = "cpu-clock:u of process 1",
		[CGROUP] = "cpu-clock:u of a cgroup",
		[MANY] = "a group of nine",
	};

	return suffixes[event] ? suffixes[event] : events[event].text;
}

/* Any file will do: a probe in a file that never runs changes nothing. */
static char *make_file(void)
{
	static const char nothing[4096];
	char path[] = "/tmp/pmuq-probed-XXXXXX";
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_int_equal(fchmod(fd, 0755), 0);
	assert_int_equal(write(fd, nothing, sizeof(nothing)), sizeof(nothing));
	close(fd);
	return strdup(path);
}

/* False: the event cannot even be tried, because there is no cgroup. */
static bool can_be_tried(const struct child_open *input)
{
	struct pmuq_open_results *results = NULL;
	int r = pmuq_encodings_test_open(input->encodings, input->options, &results, NULL);

	pmuq_open_results_free(results);
	return r == 0;
}

static bool has_core_pmu(struct pmuq_source *source)
{
	struct pmuq_catalog *catalog = NULL;
	bool is_there = false;

	assert_int_equal(pmuq_source_read_catalog(source, &catalog, NULL), 0);
	for (size_t i = 0; i < pmuq_catalog_machine(catalog)->n_pmus; i++)
		is_there = is_there || pmuq_catalog_pmu(catalog, i)->is_core;
	pmuq_catalog_free(catalog);
	return is_there;
}

static void encode(struct events *all, unsigned i, bool has_core)
{
	const struct known_event *event = &events[i];
	struct child_open *input = &all->opens[i];
	char *text;

	all->options[i] = (struct pmuq_open_options){
		.size = sizeof(all->options[i]),
		.pid = event->pid,
		.cpus = event->cpus,
		.cgroup = event->cgroup,
	};
	all->why[i] = event->why_not;
	if (event->without && has_core)
		return;
	assert_true(asprintf(&text, event->text, all->file) >= 0);
	all->encodings[i] = child_open_encode(all->source, text, event->preset);
	free(text);
	*input = (struct child_open){
		.encodings = all->encodings[i],
		.options = &all->options[i],
		.index = pmuq_encodings_count(all->encodings[i]) - 1,
	};
	if (!all->encodings[i] || !can_be_tried(input))
		input->encodings = NULL;
	if (input->encodings && (i == TRACE || i == RECORD_CALLS))
		pmuq_encodings_open(input->encodings, input->options, &all->held[i], NULL);
	/* An event without a reason to be absent is there. */
	if (!event->why_not)
		assert_non_null(input->encodings);
}

void events_encode(struct events *ret)
{
	const char *why;
	bool has_core;

	situation_enter("tracefs", &why);
	*ret = (struct events){ .file = make_file() };
	assert_int_equal(pmuq_source_open_live(&ret->source, NULL), 0);
	has_core = has_core_pmu(ret->source);
	for (unsigned i = 0; i < N_EVENTS; i++)
		encode(ret, i, has_core);
}

void events_clear(struct events *all)
{
	for (unsigned i = 0; i < N_EVENTS; i++) {
		pmuq_opened_free(all->held[i]);
		pmuq_encodings_free(all->encodings[i]);
	}
	pmuq_source_free(all->source);
	unlink(all->file);
	free(all->file);
}
