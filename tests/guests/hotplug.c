/* SPDX-License-Identifier: MIT */
/*
 * hotplug SOCKET USER: modules bring and take PMUs, and a CPU goes offline and online, while
 * clients of the daemon at SOCKET list and encode. One second after a change, each result of the
 * daemon is that of a new process of USER. Until then each PMU is whole: each line of a result is
 * a line of some steady state, but for the CPUs. A line of a list has all of a PMU: its type, and
 * a hash of its formats and events. A subscriber gets each change; that of the CPU within a second.
 *
 * It needs root, a machine with four CPUs on two sockets, and the modules in /mods.
 */
#include "core/base.h"
#include "core/num.h"
#include "tests/guests/clients.h"
#include "tests/unit/cmocka_all.h"
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <search.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>

#define CLIENTS 8u
/* A rmmod or an insmod. */
#define CHANGES 200u
#define LIMIT_MS 1000
/* Of the differences that are printed. */
#define SHOWN_MAX 20u

static struct {
	const char *socket;
	unsigned user;
	struct clients clients;
	int subscriber;
	void *known; /* a tree of the lines of all steady states */
	struct pq_buf steady[N_QUERIES];
	size_t n_results, n_differences, n_messages, n_late; /* later than a second */
} run;

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* --------------------------------------------------------------------------------------- lines */

/* Cuts what follows the text, or the value that does. */
static void cut_after(char *line, const char *text, char end_of_value)
{
	char *at = strstr(line, text), *end;

	if (!at)
		return;
	at += strlen(text);
	end = strchr(at, end_of_value);
	memmove(at, end ? end : "", end ? strlen(end) + 1 : 1);
}

/* The next line of a text as a string of its own, without what differs in a state that is whole:
 * the comma before another row, a hint with names like the one that is not known, and the CPUs:
 * a module that leaves moves its cpumasks from CPU to CPU first. */
static char *cut_line(const char **text)
{
	size_t n = strcspn(*text, "\n");
	char *line = strndup(*text, n);

	if (!line)
		die("memory");
	*text += n + ((*text)[n] == '\n');
	if (n && line[n - 1] == ',')
		line[n - 1] = '\0';
	cut_after(line, "\"hint\": ", '\0');
	cut_after(line, "\"cpus\": \"", '"');
	cut_after(line, "\"cpumask\": \"", '"');
	cut_after(line, " on CPUs ", '\0');
	return line;
}

static int compare_lines(const void *a, const void *b)
{
	return strcmp(a, b);
}

static void learn_lines(const char *text)
{
	while (*text) {
		char *line = cut_line(&text);
		char *const *found = tsearch(line, &run.known, compare_lines);

		if (!found)
			die("memory");
		if (*found != line)
			free(line);
	}
}

/* The first line that no steady state has; NULL: there is none. The caller frees it. */
static char *find_unknown_line(const char *text)
{
	while (*text) {
		char *line = cut_line(&text);

		if (!tfind(line, &run.known, compare_lines))
			return line;
		free(line);
	}
	return NULL;
}

/* ----------------------------------------------------------------------------------- comparison */

static void differ(const struct result *result, const char *when, const char *change,
		   const char *line)
{
	if (run.n_differences++ < SHOWN_MAX)
		print_message("# %s %s, %s of generation %llu, %zu times: %s\n", when, change,
			      query_name(result->query), (unsigned long long)result->generation,
			      result->times, line);
}

/* The first line that is not in the other text, for the report. */
static void report_difference(const struct result *result, const char *change)
{
	const char *text = result->text, *other = run.steady[result->query].p;
	auto_free char *line = NULL, *wanted = NULL;

	do {
		free(line);
		free(wanted);
		line = cut_line(&text);
		wanted = cut_line(&other);
	} while (strcmp(line, wanted) == 0 && *text && *other);
	differ(result, "1 s after", change, line);
}

static void compare(const struct result *result, unsigned steady, const char *change)
{
	auto_free char *unknown = NULL;

	run.n_results += result->times;
	if (result->window == steady) {
		if (strcmp(result->text, run.steady[result->query].p) != 0)
			report_difference(result, change);
		return;
	}
	unknown = find_unknown_line(result->text);
	if (unknown)
		differ(result, "during", change, unknown);
}

static void query_new_processes(void)
{
	for (enum query query = 0; query < N_QUERIES; query++) {
		query_new_process(query, run.user, &run.steady[query]);
		pq_buf_char(&run.steady[query], '\0', 1);
		learn_lines(run.steady[query].p);
	}
}

/* The machine is as it will remain until the next change. */
static void compare_all(const char *change)
{
	unsigned steady = clients_begin_window(&run.clients);
	struct results results;

	clients_wait(&run.clients, steady);
	/* Emulated CPUs are slow. */
	clients_pause(&run.clients);
	query_new_processes();
	results = clients_take(&run.clients);
	for (size_t i = 0; i < results.n; i++)
		compare(&results.v[i], steady, change);
	results_free(&results);
	clients_begin_window(&run.clients);
	clients_resume(&run.clients);
}

/* ------------------------------------------------------------------------------------- changes */

/* Appends the messages to the subscriber until `until_ms`, and returns how many. */
static size_t receive_changes(int64_t until_ms, struct pq_buf *messages)
{
	cleanup(pq_buf_free) struct pq_buf message = PQ_BUF_NULL;
	int64_t left_ms = until_ms - now_ms();
	size_t n = 0;

	while (receive_message(run.subscriber, left_ms > 0 ? (int)left_ms : 0, &message)) {
		pq_buf_print(messages, "%.*s\n", STR_ARG(pq_buf_str(&message)));
		left_ms = until_ms - now_ms();
		n++;
	}
	run.n_messages += n;
	return n;
}

static void expect_text(const struct pq_buf *messages, const char *text, const char *change)
{
	if (!messages->n || !strstr(messages->p, text))
		fail_msg("%s: no message has %s: %.*s", change, text,
			 STR_ARG(pq_buf_str(messages)));
}

static void write_text(const char *path, const char *text)
{
	auto_close int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		die(path);
}

/* "intel_uncore" is in the file NNN-intel-uncore.ko. */
static void load(const char *name)
{
	char pattern[64];
	glob_t found;
	int fd;

	snprintf(pattern, sizeof(pattern), "/mods/*-%s.ko", name);
	for (char *at = pattern; *at; at++)
		if (*at == '_')
			*at = '-';
	if (glob(pattern, 0, NULL, &found) != 0)
		die(pattern);
	fd = open(found.gl_pathv[0], O_RDONLY | O_CLOEXEC);
	if (fd < 0 || syscall(SYS_finit_module, fd, "", 0) < 0)
		die(found.gl_pathv[0]);
	close(fd);
	globfree(&found);
}

static void unload(const char *name)
{
	if (syscall(SYS_delete_module, name, O_NONBLOCK) < 0)
		die(name);
}

/* What the subscriber gets within a second, and then what it gets in all. */
struct messages {
	struct pq_buf soon, all;
};

static void messages_clear(struct messages *messages)
{
	pq_buf_free(&messages->soon);
	pq_buf_free(&messages->all);
}

/* The change was just made. */
static void follow(const char *change, struct messages *ret)
{
	receive_changes(now_ms() + LIMIT_MS, &ret->soon);
	compare_all(change);
	pq_buf_add(&ret->all, pq_buf_str(&ret->soon));
	run.n_late += receive_changes(0, &ret->all);
}

static void change_module(const char *name, const char *action, void (*make)(const char *name),
			  const char *expected)
{
	cleanup(messages_clear) struct messages messages = { 0 };
	char change[64];

	snprintf(change, sizeof(change), "%s of %s", action, name);
	make(name);
	follow(change, &messages);
	expect_text(&messages.all, expected, change);
}

/* --------------------------------------------------------------------------------------- tests */

static void end_with_differences(void)
{
	print_message("# %zu results, %zu differences; %zu messages, %zu later than 1 s\n",
		      run.n_results, run.n_differences, run.n_messages, run.n_late);
	assert_int_equal(run.n_differences, 0);
}

static void clients_see_modules_come_and_go(void **state)
{
	static const char *const modules[] = { "intel_uncore", "intel_cstate", "rapl" };

	(void)state;
	for (unsigned i = 0; i < CHANGES; i++) {
		const char *name = modules[i / 2 % COUNT(modules)];

		if (i % 2 == 0)
			change_module(name, "rmmod", unload, "\"type\": \"pmu-gone\"");
		else
			change_module(name, "insmod", load, "\"type\": \"pmu-new\"");
	}
	end_with_differences();
}

/* CPU 2 is the first one of its socket, so the cpumasks move to CPU 3, and do not come back. */
static void a_subscriber_sees_a_cpu_go_and_come(void **state)
{
	static const struct {
		const char *text, *action, *pmu, *before, *after;
	} changes[] = {
		{ "0", "offline", "uncore_pcu", "0,2", "0,3" },
		{ "1", "online", "cstate_core", "0-1,3", "0-3" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(changes); i++) {
		cleanup(messages_clear) struct messages messages = { 0 };
		char expected[128];

		write_text("/sys/devices/system/cpu/cpu2/online", changes[i].text);
		follow(changes[i].action, &messages);
		snprintf(expected, sizeof(expected),
			 "\"pmu-cpus\", \"pmus\": [\"%s\"], \"before\": \"%s\", \"after\": \"%s\"",
			 changes[i].pmu, changes[i].before, changes[i].after);
		expect_text(&messages.soon, expected, changes[i].action);
	}
	end_with_differences();
}

/* ------------------------------------------------------------------------------- begin and end */

static int begin(void **state)
{
	cleanup(pq_buf_free) struct pq_buf message = PQ_BUF_NULL;

	(void)state;
	run.subscriber = connect_to(run.socket);
	send_call(run.subscriber, STR("{\"method\": \"io.pmuq.Subscribe\", \"more\": true}"));
	/* The first message has the state of the machine. */
	receive_message(run.subscriber, -1, &message);
	clients_start(&run.clients, CLIENTS, run.socket);
	compare_all("the start");
	return 0;
}

static int end(void **state)
{
	(void)state;
	clients_end(&run.clients);
	close(run.subscriber);
	for (enum query query = 0; query < N_QUERIES; query++)
		pq_buf_free(&run.steady[query]);
	tdestroy(run.known, free);
	return 0;
}

int main(int argc, char **argv)
{
	/* The CPU first: the modules that are loaded again take the first CPU of a socket. */
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_subscriber_sees_a_cpu_go_and_come),
		cmocka_unit_test(clients_see_modules_come_and_go),
	};
	uint64_t user;

	if (argc != 3 || pq_num_decimal(str_of(argv[2]), &user) != PQ_NUM_OK) {
		fprintf(stderr, "usage: hotplug SOCKET USER\n");
		return 2;
	}
	run.socket = argv[1];
	run.user = (unsigned)user;
	return cmocka_run_group_tests(tests, begin, end);
}
