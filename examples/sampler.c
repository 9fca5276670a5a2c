/* SPDX-License-Identifier: MIT */
/*
 * A small profiler: in which files does a command use the CPU?
 * Usage: sampler COMMAND [ARG...]. Like perf record, it starts the command, lets the events begin
 * with its exec, and samples all of its processes; here a thousand times a second of CPU time.
 */
#define _POSIX_C_SOURCE 200809L /* strdup */
#include <pmuq/pmuq.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* linux/perf_event.h: "a file is mapped", and where its name begins in such a record. */
#define RECORD_MMAP2 10
#define NAME_OFFSET 72

struct mapping {
	uint64_t address, bytes;
	char *file;
	unsigned n_samples;
};

struct profile {
	struct mapping *mappings;
	size_t n;
	unsigned n_samples, n_elsewhere;
};

/* The kernel reports what the command maps, in the order of time between its samples. */
static void add_mapping(struct profile *profile, const struct pmuq_sample_record *record)
{
	const char *data = record->data;
	struct mapping *more = realloc(profile->mappings, (profile->n + 1) * sizeof(*more));

	if (!more)
		return;
	profile->mappings = more;
	more += profile->n++;
	memset(more, 0, sizeof(*more));
	memcpy(&more->address, data + 16, sizeof(more->address));
	memcpy(&more->bytes, data + 24, sizeof(more->bytes));
	more->file = strdup(data + NAME_OFFSET);
}

static void add_sample(struct profile *profile, uint64_t ip)
{
	profile->n_samples++;
	for (size_t i = profile->n; i-- > 0;)
		if (ip - profile->mappings[i].address < profile->mappings[i].bytes) {
			profile->mappings[i].n_samples++;
			return;
		}
	profile->n_elsewhere++;
}

static void take(struct profile *profile, struct pmuq_samples *samples)
{
	const struct pmuq_sample_record *record;

	while ((record = pmuq_samples_next(samples))) {
		struct pmuq_sample sample = { .size = sizeof(sample) };

		if (record->type == RECORD_MMAP2 && record->data_bytes > NAME_OFFSET)
			add_mapping(profile, record);
		else if (pmuq_samples_parse(samples, record, &sample))
			add_sample(profile, sample.ip);
	}
}

static int compare(const void *a, const void *b)
{
	const struct mapping *one = a, *other = b;

	return (one->n_samples < other->n_samples) - (one->n_samples > other->n_samples);
}

static void print(struct profile *profile)
{
	qsort(profile->mappings, profile->n, sizeof(*profile->mappings), compare);
	for (size_t i = 0; i < profile->n && profile->mappings[i].n_samples; i++)
		printf("%3u %% %s\n", 100 * profile->mappings[i].n_samples / profile->n_samples,
		       profile->mappings[i].file ? profile->mappings[i].file : "?");
	if (profile->n_elsewhere)
		printf("%3u %% elsewhere\n", 100 * profile->n_elsewhere / profile->n_samples);
	for (size_t i = 0; i < profile->n; i++)
		free(profile->mappings[i].file);
	free(profile->mappings);
}

/* The command waits until the pipe ends: until its events are open. */
static pid_t begin(char **command, int *ret_pipe)
{
	int ends[2];
	pid_t pid;
	char byte;

	if (pipe(ends) < 0)
		return -1;
	pid = fork();
	if (pid == 0) {
		close(ends[1]);
		while (read(ends[0], &byte, 1) > 0)
			;
		execvp(command[0], command);
		perror(command[0]);
		_exit(127);
	}
	close(ends[0]);
	*ret_pipe = ends[1];
	return pid;
}

static int open_samples(pid_t pid, struct pmuq_source *machine, struct pmuq_encodings **events,
			struct pmuq_opened **opened, struct pmuq_samples **samples,
			struct pmuq_error **reterr)
{
	const struct pmuq_encode_options options = { .size = sizeof(options),
						     .preset = PMUQ_PRESET_RECORD };
	const struct pmuq_open_options targets = { .size = sizeof(targets),
						   .pid = pid,
						   .wants_samples = true };
	int r = pmuq_source_encode(machine, "cpu-clock/period=1000000/u", &options, events, reterr);

	if (r == 0)
		r = pmuq_encodings_open(*events, &targets, opened, reterr);
	if (r == 0 && !pmuq_opened_target_count(*opened, 0)) {
		fprintf(stderr, "%s\n",
			pmuq_open_results_get(pmuq_opened_results(*opened), 0)->reason.p);
		return -1;
	}
	return r < 0 ? r : pmuq_opened_sample(*opened, 0, samples, reterr);
}

int main(int argc, char **argv)
{
	struct profile profile = { 0 };
	struct pmuq_source *machine = NULL;
	struct pmuq_encodings *events = NULL;
	struct pmuq_opened *opened = NULL;
	struct pmuq_samples *samples = NULL;
	struct pmuq_error *error = NULL;
	int pipe_end = -1, status = 0, r;
	bool has_ended = false;
	pid_t pid;

	if (argc < 2) {
		fprintf(stderr, "usage: sampler COMMAND [ARG...]\n");
		return 2;
	}
	pid = begin(argv + 1, &pipe_end);
	r = pid < 0 ? -1 : pmuq_source_open_live(&machine, &error);
	if (r == 0)
		r = open_samples(pid, machine, &events, &opened, &samples, &error);
	if (pid > 0)
		close(pipe_end);
	while (r == 0 && !has_ended) {
		r = pmuq_samples_wait(samples, 1000, &has_ended, &error);
		take(&profile, samples);
	}
	if (pid > 0)
		waitpid(pid, &status, 0);
	if (error)
		fprintf(stderr, "%s\n", error->message.p);
	print(&profile);
	pmuq_error_free(error);
	pmuq_samples_free(samples);
	pmuq_opened_free(opened);
	pmuq_encodings_free(events);
	pmuq_source_free(machine);
	return r < 0;
}
