/* SPDX-License-Identifier: MIT */
/*
 * A small agent: counts on all CPUs, and prints the new counts once a second.
 * Usage: agent [SECONDS [EVENT...]]. It reports events that this machine does not have or does not
 * count, and leaves them out.
 *
 * Agents often have their own reader of sysfs. This one needs none: pmuq reads the type, formats,
 * cpumask, tracepoint ids and scale.
 */
#define _POSIX_C_SOURCE 200809L /* nanosleep */
#include <pmuq/pmuq.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct agent {
	struct pmuq_source *machine;
	struct pmuq_encodings *events;
	struct pmuq_opened *opened;
	struct pmuq_value *now;
	uint64_t *before;
	size_t n;
};

static void report(const char *event, const char *why, const char *hint)
{
	fprintf(stderr, "not counted: %s: %s\n", event, why);
	if (hint)
		fprintf(stderr, "  %s\n", hint);
}

/* The events that this machine has, as one event string; the caller frees it. */
static char *choose(struct pmuq_source *machine, const char *const *events, size_t n)
{
	char *list = NULL;
	size_t length = 0;
	FILE *to = open_memstream(&list, &length);

	for (size_t i = 0; to && i < n; i++) {
		struct pmuq_encodings *known = NULL;
		struct pmuq_error *error = NULL;

		if (pmuq_source_encode(machine, events[i], NULL, &known, &error) == 0)
			fprintf(to, "%s%s", ftell(to) > 0 ? "," : "", events[i]);
		else
			report(events[i], error->message.p, error->hint.p);
		pmuq_encodings_free(known);
		pmuq_error_free(error);
	}
	if (to)
		fclose(to);
	return list;
}

static int start(struct agent *agent, const char *const *events, size_t n,
		 struct pmuq_error **reterr)
{
	struct pmuq_open_options everywhere = { .size = sizeof(everywhere) };
	int r = pmuq_source_open_live(&agent->machine, reterr);
	char *list = r == 0 ? choose(agent->machine, events, n) : NULL;

	if (r == 0)
		r = pmuq_source_encode(agent->machine, list ? list : "", NULL, &agent->events,
				       reterr);
	free(list);
	if (r == 0)
		r = pmuq_source_find_fact(agent->machine, "cpus_online", &everywhere.cpus, reterr);
	if (r == 0)
		r = pmuq_encodings_open(agent->events, &everywhere, &agent->opened, reterr);
	if (r < 0)
		return r;
	agent->n = pmuq_opened_count(agent->opened);
	agent->now = calloc(agent->n, sizeof(*agent->now));
	agent->before = calloc(agent->n, sizeof(*agent->before));
	for (size_t i = 0; agent->now && i < agent->n; i++)
		agent->now[i].size = sizeof(agent->now[i]);
	return pmuq_opened_enable(agent->opened, reterr);
}

static void stop(struct agent *agent)
{
	free(agent->now);
	free(agent->before);
	pmuq_opened_free(agent->opened);
	pmuq_encodings_free(agent->events);
	pmuq_source_free(agent->machine);
}

static void report_absent(const struct agent *agent)
{
	const struct pmuq_open_results *results = pmuq_opened_results(agent->opened);

	for (size_t i = 0; i < agent->n; i++)
		if (!pmuq_opened_target_count(agent->opened, i))
			report(pmuq_encodings_get(agent->events, i)->name.p,
			       pmuq_open_results_get(results, i)->reason.p,
			       pmuq_open_results_get(results, i)->hint.p);
}

static int tick(struct agent *agent, struct pmuq_error **reterr)
{
	const struct timespec second = { .tv_sec = 1 };
	int r;

	nanosleep(&second, NULL);
	r = pmuq_opened_read_all(agent->opened, agent->now, agent->n, reterr);
	for (size_t i = 0; r == 0 && i < agent->n; i++) {
		const struct pmuq_encoding *event = pmuq_encodings_get(agent->events, i);
		double scale = strtod(event->scale.p, NULL);

		if (!pmuq_opened_target_count(agent->opened, i))
			continue;
		printf("%s %.15g %s\n", event->name.p,
		       (double)(agent->now[i].scaled - agent->before[i]) * scale, event->unit.p);
		agent->before[i] = agent->now[i].scaled;
	}
	fflush(stdout);
	return r;
}

int main(int argc, char **argv)
{
	static const char *const usual[] = { "msr/tsc/", "page-faults", "sched:sched_switch" };
	const char *const *events = argc > 2 ? (const char *const *)argv + 2 : usual;
	size_t n = argc > 2 ? (size_t)argc - 2 : sizeof(usual) / sizeof(usual[0]);
	long seconds = argc > 1 ? strtol(argv[1], NULL, 10) : 3;
	struct agent agent = { 0 };
	struct pmuq_error *error = NULL;
	int r = start(&agent, events, n, &error);

	if (r == 0)
		report_absent(&agent);
	for (; r == 0 && seconds > 0; seconds--)
		r = tick(&agent, &error);
	if (r < 0)
		fprintf(stderr, "%s\n", error->message.p);
	pmuq_error_free(error);
	stop(&agent);
	return r < 0;
}
