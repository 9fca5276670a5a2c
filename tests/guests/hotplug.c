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
/* The daemon reads the machine twice. If a new process needs longer than half a second to list
 * PMUs, because the emulator shares the CPUs with others, the daemon may take longer, too. */
#define LIMIT_READS 2
/* The daemon's own timer would find a change after 30 s. */
#define ANNOUNCED_MS 10000
/* Of the differences that are printed. */
#define SHOWN_MAX 20u

static struct {
	const char *socket;
	unsigned user;
	struct clients clients;
	int subscriber;
	int64_t limit_ms;
	void *known; /* a tree of the lines of all steady states */
	struct pq_buf steady[N_QUERIES];
	size_t n_results, n_differences;
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

/* Returns a copy of the first line that is in no steady state, or NULL. The caller frees it. */
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
		   const char *line, const char *wanted)
{
	if (run.n_differences++ < SHOWN_MAX)
		print_message("# %s %s, %s of generation %llu, %zu times: %s, not %s\n", when,
			      change, query_name(result->query),
			      (unsigned long long)result->generation, result->times, line, wanted);
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
	differ(result, "after", change, line, wanted);
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
		differ(result, "during", change, unknown, "a line of a steady state");
}

/* Also finds how long the daemon may take. */
static void query_new_processes(void)
{
	for (enum query query = 0; query < N_QUERIES; query++) {
		int64_t start_ms = now_ms();

		query_new_process(query, run.user, &run.steady[query]);
		pq_buf_char(&run.steady[query], '\0', 1);
		learn_lines(run.steady[query].p);
		if (query == QUERY_PMUS)
			run.limit_ms = LIMIT_READS * (now_ms() - start_ms);
	}
	if (run.limit_ms < LIMIT_MS)
		run.limit_ms = LIMIT_MS;
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

/* Appends the messages to the subscriber until `until_ms`. */
static void receive_changes(int64_t until_ms, struct pq_buf *messages)
{
	cleanup(pq_buf_free) struct pq_buf message = PQ_BUF_NULL;
	int64_t left_ms = until_ms - now_ms();

	while (receive_message(run.subscriber, left_ms > 0 ? (int)left_ms : 0, &message)) {
		pq_buf_print(messages, "%.*s\n", STR_ARG(pq_buf_str(&message)));
		left_ms = until_ms - now_ms();
	}
}

/* Waits for a message with the text. Returns how long it took in ms, INT64_MAX if none came. */
static int64_t wait_for_message(const char *text, const char *change)
{
	cleanup(pq_buf_free) struct pq_buf message = PQ_BUF_NULL;
	int64_t changed_ms = now_ms(), took_ms = 0;
	bool is_found = false;

	while (!is_found && took_ms < ANNOUNCED_MS) {
		if (receive_message(run.subscriber, (int)(ANNOUNCED_MS - took_ms), &message)) {
			pq_buf_char(&message, '\0', 1);
			is_found = strstr(message.p, text);
		}
		took_ms = now_ms() - changed_ms;
	}
	print_message("# %s: %s with %s after %lld ms\n", change,
		      is_found ? "a message" : "no message", text, (long long)took_ms);
	return is_found ? took_ms : INT64_MAX;
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

static void change_module(const char *name, const char *action, void (*make)(const char *name),
			  const char *expected)
{
	cleanup(pq_buf_free) struct pq_buf messages = PQ_BUF_NULL;
	char change[64];

	snprintf(change, sizeof(change), "%s of %s", action, name);
	make(name);
	receive_changes(now_ms() + run.limit_ms, &messages);
	compare_all(change);
	receive_changes(0, &messages);
	expect_text(&messages, expected, change);
}

/* --------------------------------------------------------------------------------------- tests */

static const struct {
	const char *name, *pmu; /* one of its PMUs */
} modules[] = {
	{ "intel_uncore", "uncore_pcu" },
	{ "intel_cstate", "cstate_pkg" },
	{ "rapl", "power" },
};

static void end_with_differences(void)
{
	print_message("# %zu results, %zu differences; the last limit was %lld ms\n", run.n_results,
		      run.n_differences, (long long)run.limit_ms);
	assert_int_equal(run.n_differences, 0);
}

static void clients_see_modules_come_and_go(void **state)
{
	(void)state;
	for (unsigned i = 0; i < CHANGES; i++) {
		const char *name = modules[i / 2 % COUNT(modules)].name;

		if (i % 2 == 0)
			change_module(name, "rmmod", unload, "\"type\": \"pmu-gone\"");
		else
			change_module(name, "insmod", load, "\"type\": \"pmu-new\"");
	}
	end_with_differences();
}

/* A client that lists has the machine read again. Without one, the daemon depends on the kernel. */
static void a_subscriber_sees_modules_come_and_go(void **state)
{
	size_t n_sent = 0;

	(void)state;
	clients_pause(&run.clients);
	for (unsigned i = 0; i < 2 * COUNT(modules); i++) {
		char expected[128];

		(i % 2 == 0 ? unload : load)(modules[i / 2].name);
		snprintf(expected, sizeof(expected), "\"type\": \"%s\", \"pmus\": [\"%s\"]",
			 i % 2 == 0 ? "pmu-gone" : "pmu-new", modules[i / 2].pmu);
		n_sent += wait_for_message(expected, modules[i / 2].name) < ANNOUNCED_MS;
	}
	clients_resume(&run.clients);
	assert_int_equal(n_sent, 2 * COUNT(modules));
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
		cleanup(pq_buf_free) struct pq_buf others = PQ_BUF_NULL;
		char expected[128];
		int64_t changed_ms, took_ms, limit_ms;

		write_text("/sys/devices/system/cpu/cpu2/online", changes[i].text);
		changed_ms = now_ms();
		snprintf(expected, sizeof(expected),
			 "\"pmu-cpus\", \"pmus\": [\"%s\"], \"before\": \"%s\", \"after\": \"%s\"",
			 changes[i].pmu, changes[i].before, changes[i].after);
		took_ms = wait_for_message(expected, changes[i].action);
		limit_ms = run.limit_ms;
		receive_changes(changed_ms + run.limit_ms, &others);
		compare_all(changes[i].action);
		/* The CPUs may have become slower meanwhile. */
		assert_true(took_ms <= (limit_ms > run.limit_ms ? limit_ms : run.limit_ms));
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
	/* The CPU first: a module that is loaded again takes the first CPU of each socket. */
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_subscriber_sees_a_cpu_go_and_come),
		cmocka_unit_test(a_subscriber_sees_modules_come_and_go),
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
