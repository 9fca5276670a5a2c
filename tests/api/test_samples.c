/* SPDX-License-Identifier: MIT */
/* A program samples itself, its children and another process, on the kernel of this machine. */
#include "tests/api/program.h"
#include <errno.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <sys/wait.h>
#include <time.h>

#define PAGE_BYTES 4096

static struct pmuq_source *machine;

struct run {
	struct pmuq_encodings *events;
	struct pmuq_opened *opened;
	struct pmuq_samples *samples;
};

/* Skips the test if the events cannot be opened here. */
static struct run start(const char *text, const struct pmuq_open_options *targets, size_t bytes)
{
	const struct pmuq_encode_options options = { .size = sizeof(options),
						     .preset = PMUQ_PRESET_SAMPLE };
	struct pmuq_error *error = NULL;
	struct run run = { 0 };

	if (pmuq_source_encode(machine, text, &options, &run.events, &error) < 0 ||
	    pmuq_encodings_open(run.events, targets, &run.opened, &error) < 0)
		fail_msg("%s", error->message.p);
	if (!pmuq_opened_target_count(run.opened, 0)) {
		pmuq_opened_free(run.opened);
		pmuq_encodings_free(run.events);
		skip();
	}
	if (pmuq_opened_sample(run.opened, bytes, &run.samples, &error) < 0)
		fail_msg("%s", error->message.p);
	assert_int_equal(pmuq_opened_enable(run.opened, NULL), 0);
	return run;
}

static void stop(struct run *run)
{
	pmuq_samples_free(run->samples);
	pmuq_opened_free(run->opened);
	pmuq_encodings_free(run->events);
}

static void work(unsigned ms)
{
	struct timespec now;
	uint64_t from, to;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	from = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
	do {
		/* In user code: the clock may be read in the kernel. */
		for (volatile unsigned i = 0; i < 100000; i++)
			;
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
		to = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
	} while (to - from < UINT64_C(1000000) * ms);
}

static void touch_pages(unsigned n)
{
	char *memory = aligned_alloc(PAGE_BYTES, (size_t)n * PAGE_BYTES);

	assert_non_null(memory);
	for (unsigned i = 0; i < n; i++)
		*(volatile char *)(memory + (size_t)i * PAGE_BYTES) = 1;
	free(memory);
}

/* Takes all samples; how many are of that process (0: any) and event. Their times never go back. */
static unsigned take(struct run *run, int pid, size_t index)
{
	const struct pmuq_sample_record *record;
	uint64_t before = 0;
	unsigned n = 0;

	while ((record = pmuq_samples_next(run->samples))) {
		struct pmuq_sample sample = { .size = sizeof(sample) };

		assert_true(record->time_ns >= before);
		before = record->time_ns;
		if (record->type != PERF_RECORD_SAMPLE)
			continue;
		assert_true(pmuq_samples_parse(run->samples, record, &sample));
		assert_true(sample.time_ns == record->time_ns);
		n += record->index == index && (!pid || sample.pid == (uint32_t)pid);
	}
	return n;
}

static void it_samples_itself(void **state)
{
	struct run run = start("cpu-clock/period=1000000/u", NULL, 0);
	const struct pmuq_sample_record *record;
	struct pmuq_sample sample = { .size = sizeof(sample) };
	struct pmuq_target target = { .size = sizeof(target) };

	(void)state;
	work(30);
	record = pmuq_samples_next(run.samples);
	assert_non_null(record);
	assert_int_equal(record->cpu, -1);
	assert_true(pmuq_samples_parse(run.samples, record, &sample));
	assert_true(pmuq_opened_target(run.opened, 0, 0, &target));
	assert_int_equal(sample.pid, getpid());
	assert_int_equal(sample.id, target.id);
	assert_true(sample.ip != 0);
	assert_true(take(&run, getpid(), 0) >= 10);
	assert_int_equal(pmuq_samples_lost(run.samples), 0);
	stop(&run);
}

static void several_events_come_in_one_order(void **state)
{
	struct run run = start("cpu-clock/period=1000000/u,page-faults/period=1/u", NULL, 0);
	const struct pmuq_sample_record *record;
	unsigned n[2] = { 0 };
	uint64_t before = 0;

	(void)state;
	work(10);
	touch_pages(64);
	work(10);
	while ((record = pmuq_samples_next(run.samples))) {
		assert_true(record->index < 2);
		assert_true(record->time_ns >= before);
		before = record->time_ns;
		n[record->index]++;
	}
	assert_true(n[0] >= 5);
	assert_true(n[1] >= 64);
	stop(&run);
}

static void a_sample_reads_its_group(void **state)
{
	struct run run = start("{cpu-clock/period=1000000/u,page-faults:u}:S", NULL, 0);
	struct pmuq_sample sample = { .size = sizeof(sample) };

	(void)state;
	work(10);
	assert_true(pmuq_samples_parse(run.samples, pmuq_samples_next(run.samples), &sample));
	/* How many, two times, and a value and an id of each: pmuq_target.read_format. */
	assert_int_equal(sample.n_values, 7);
	assert_int_equal(sample.values[0], 2);
	assert_true(sample.values[1] >= sample.values[2]);
	assert_int_equal(sample.values[4], sample.id);
	stop(&run);
}

static int child_that_works(unsigned ms)
{
	int pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		work(ms);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	return pid;
}

static void children_are_sampled_on_each_cpu(void **state)
{
	const struct pmuq_open_options targets = { .size = sizeof(targets), .wants_samples = true };
	struct run run = start("cpu-clock/period=1000000,inherit/u", &targets, 0);

	(void)state;
	assert_int_equal(pmuq_opened_target_count(run.opened, 0), sysconf(_SC_NPROCESSORS_ONLN));
	assert_true(take(&run, child_that_works(30), 0) >= 10);
	stop(&run);
}

static void without_that_option_the_error_names_it(void **state)
{
	const struct pmuq_encode_options options = { .size = sizeof(options),
						     .preset = PMUQ_PRESET_SAMPLE };
	struct run run = { 0 };
	struct pmuq_error *error = NULL;

	(void)state;
	assert_int_equal(
		pmuq_source_encode(machine, "cpu-clock/inherit/u", &options, &run.events, NULL), 0);
	assert_int_equal(pmuq_encodings_open(run.events, NULL, &run.opened, NULL), 0);
	if (!pmuq_opened_target_count(run.opened, 0)) {
		stop(&run);
		skip();
	}
	assert_int_equal(pmuq_opened_sample(run.opened, 0, &run.samples, &error),
			 -PMUQ_E_NO_SAMPLES);
	assert_non_null(strstr(error->hint.p, "wants_samples"));
	pmuq_error_free(error);
	stop(&run);
}

/* A child that begins to work when its pipe ends. */
static int begin_child(int *ret_pipe)
{
	int ends[2], pid;
	char byte;

	assert_int_equal(pipe(ends), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		close(ends[1]);
		while (read(ends[0], &byte, 1) > 0)
			;
		work(50);
		_exit(0);
	}
	close(ends[0]);
	*ret_pipe = ends[1];
	return pid;
}

static void a_wait_ends_with_the_task(void **state)
{
	int pipe_end, pid = begin_child(&pipe_end);
	bool has_ended = true;
	const struct pmuq_open_options targets = { .size = sizeof(targets),
						   .pid = pid,
						   .wakeup_samples = 5 };
	struct run run = start("cpu-clock/period=1000000/u", &targets, 0);
	unsigned n = 0, n_waits = 0;

	(void)state;
	assert_int_equal(pmuq_samples_wait(run.samples, 0, &has_ended, NULL), 0);
	assert_false(has_ended);
	close(pipe_end);
	for (; !has_ended; n_waits++) {
		assert_int_equal(pmuq_samples_wait(run.samples, 10000, &has_ended, NULL), 0);
		n += take(&run, pid, 0);
	}
	assert_true(n >= 20);
	/* It was awoken while the task worked, too. */
	assert_true(n_waits >= 3);
	has_ended = false;
	assert_int_equal(pmuq_samples_wait(run.samples, 10000, &has_ended, NULL), 0);
	assert_true(has_ended);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	stop(&run);
}

/* The program has closed what is not its own. */
static void a_wait_that_fails_is_an_error(void **state)
{
	const struct pmuq_open_options targets = { .size = sizeof(targets), .wakeup_samples = 1 };
	struct run run = start("page-faults/period=1/u", &targets, 0);
	struct pmuq_error *error = NULL;
	bool has_ended = false;

	(void)state;
	close(pmuq_samples_fd(run.samples));
	assert_int_equal(pmuq_samples_wait(run.samples, 0, &has_ended, &error),
			 -PMUQ_E_EVENT_FAILED);
	assert_int_equal(error->errnum, EBADF);
	pmuq_error_free(error);
	stop(&run);
}

static void a_loop_polls_one_descriptor(void **state)
{
	const struct pmuq_open_options targets = { .size = sizeof(targets), .wakeup_samples = 1 };
	struct run run = start("page-faults/period=1/u", &targets, 0);
	struct pollfd fd = { .fd = pmuq_samples_fd(run.samples), .events = POLLIN };

	(void)state;
	touch_pages(64);
	assert_int_equal(poll(&fd, 1, 10000), 1);
	assert_true(take(&run, 0, 0) >= 64);
	stop(&run);
}

static void a_full_buffer_loses_records_and_counts_them(void **state)
{
	struct run run = start("page-faults/period=1/u", NULL, 1);
	unsigned n;

	(void)state;
	touch_pages(1024);
	n = take(&run, 0, 0);
	touch_pages(8);
	n += take(&run, 0, 0);
	assert_true(n < 512);
	assert_true(n + pmuq_samples_lost(run.samples) >= 1024);
	stop(&run);
}

static int open_machine(void **state)
{
	(void)state;
	return pmuq_source_open_live(&machine, NULL);
}

static int close_machine(void **state)
{
	(void)state;
	pmuq_source_free(machine);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_samples_itself),
		cmocka_unit_test(several_events_come_in_one_order),
		cmocka_unit_test(a_sample_reads_its_group),
		cmocka_unit_test(children_are_sampled_on_each_cpu),
		cmocka_unit_test(without_that_option_the_error_names_it),
		cmocka_unit_test(a_wait_ends_with_the_task),
		cmocka_unit_test(a_wait_that_fails_is_an_error),
		cmocka_unit_test(a_loop_polls_one_descriptor),
		cmocka_unit_test(a_full_buffer_loses_records_and_counts_them),
	};

	return cmocka_run_group_tests(tests, open_machine, close_machine);
}
