/* SPDX-License-Identifier: MIT */
/*
 * pmuqd and its client. On one CPU: a call of Encode compared with the floor, a service that parses
 * a call of this length with jansson and prints a reply of that length. On all CPUs: many strings
 * in one call compared with the library in this process.
 *
 *     bench_service PMUQD MACHINE
 */
#include <jansson.h>
#include <pmuq/pmuq.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/bench/bench.h"

#define PAIRS 41
#define CALLS 200
#define STRINGS 10000
#define REPLY_MAX_BYTES ((size_t)32 << 20)

static const char call_text[] =
	"{\"method\": \"io.pmuq.Encode\", \"parameters\": {\"events\": [\"cycles:u\"]}}";
static char *reply;

static void send_text(int fd, const char *text, size_t n)
{
	while (n) {
		ssize_t sent = send(fd, text, n, 0);

		if (sent <= 0)
			bench_die("send");
		text += sent;
		n -= (size_t)sent;
	}
}

/* A message with its NUL; its length without it, 0 at the end. */
static size_t receive(int fd)
{
	size_t n = 0;

	do {
		ssize_t got = recv(fd, reply + n, REPLY_MAX_BYTES - n, 0);

		if (got <= 0)
			return 0;
		n += (size_t)got;
	} while (reply[n - 1]);
	return n - 1;
}

static size_t call(int fd, const char *text, size_t n)
{
	size_t n_reply;

	send_text(fd, text, n);
	n_reply = receive(fd);
	if (!n_reply)
		bench_die("no reply");
	return n_reply;
}

/* The client reads the reply, too. */
static void call_once(int fd)
{
	size_t n = call(fd, call_text, sizeof(call_text));
	json_t *value = json_loadb(reply, n, 0, NULL);

	if (!json_object_get(value, "parameters"))
		bench_die("not a reply");
	json_decref(value);
}

/* Parses each call, and prints the object of the first reply of pmuqd. */
_Noreturn static void serve_floor(int fd, const char *text, size_t n_text)
{
	json_t *value = json_loadb(text, n_text, 0, NULL);

	for (size_t n; (n = receive(fd));) {
		json_t *parsed = json_loadb(reply, n, 0, NULL);
		char *printed = json_dumps(value, 0);

		if (!parsed)
			_exit(1);
		send_text(fd, printed, strlen(printed) + 1);
		json_decref(parsed);
		free(printed);
	}
	_exit(0);
}

static int start_floor(int service)
{
	size_t n = call(service, call_text, sizeof(call_text));
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) < 0)
		bench_die("socketpair");
	if (fork() == 0) {
		char *text = malloc(n);

		close(pair[0]);
		if (!text)
			_exit(1);
		memcpy(text, reply, n);
		serve_floor(pair[1], text, n);
	}
	close(pair[1]);
	return pair[0];
}

static double calls_us(int fd)
{
	double start = bench_now_us();

	for (int i = 0; i < CALLS; i++)
		call_once(fd);
	return (bench_now_us() - start) / CALLS;
}

static void measure_calls(int service)
{
	int floor_fd = start_floor(service);
	double ours_us = 0, floor_us = 0;

	for (int i = 0; i < PAIRS; i++) {
		ours_us = bench_best(ours_us, calls_us(service));
		floor_us = bench_best(floor_us, calls_us(floor_fd));
	}
	bench_line("a call of Encode, and the floor", "us", ours_us, floor_us);
	close(floor_fd);
}

/* ------------------------------------------------------------------------------------ strings */

static char strings[STRINGS][32];

static char *call_of_all(const char *method, size_t *ret)
{
	char *text = malloc((size_t)STRINGS * 40 + 100), *at = text;

	if (!text)
		bench_die("out of memory");
	at += sprintf(at, "{\"method\": \"io.pmuq.%s\", \"parameters\": {\"events\": [", method);
	for (int i = 0; i < STRINGS; i++)
		at += sprintf(at, "%s\"%s\"", i ? ", " : "", strings[i]);
	at += sprintf(at, "]}}");
	*ret = (size_t)(at - text) + 1;
	return text;
}

static double library_us(struct pmuq_source *source)
{
	double start = bench_now_us();

	for (int i = 0; i < STRINGS; i++) {
		struct pmuq_encodings *encodings = NULL;

		if (pmuq_source_encode(source, strings[i], NULL, &encodings, NULL) < 0)
			bench_die(strings[i]);
		pmuq_encodings_free(encodings);
	}
	return bench_now_us() - start;
}

static void measure_method(int service, const char *method, struct pmuq_source *source)
{
	double ours_us = 0, peer_us = 0;
	size_t n, n_reply = 0;
	char *text = call_of_all(method, &n), name[80];

	for (int i = 0; i < PAIRS; i++) {
		double start = bench_now_us();

		n_reply = call(service, text, n);
		ours_us = bench_best(ours_us, bench_now_us() - start);
		peer_us = bench_best(peer_us, library_us(source));
	}
	snprintf(name, sizeof(name), "10,000 strings in %s, and the library", method);
	bench_line(name, "us", ours_us, peer_us);
	bench_figure("bytes of that reply", "MB", (double)n_reply / 1e6);
	free(text);
}

static void measure_strings(int service, const char *machine)
{
	struct pmuq_source *source = NULL;

	if (pmuq_source_open_tree(machine, &source, NULL) < 0)
		bench_die(machine);
	for (int i = 0; i < STRINGS; i++)
		snprintf(strings[i], sizeof(strings[i]), "cpu/event=0x%x,umask=0x%x/u", i & 255, i >> 8);
	measure_method(service, "Encode", source);
	measure_method(service, "EncodeCompact", source);
	pmuq_source_free(source);
}

/* ------------------------------------------------------------------------------------ service */

static int connect_to(const struct sockaddr_un *address)
{
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	for (int i = 0; i < 1000; i++) {
		if (connect(fd, (const struct sockaddr *)address, sizeof(*address)) == 0)
			return fd;
		usleep(10000);
	}
	bench_die("pmuqd does not listen");
}

int main(int argc, char **argv)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	cpu_set_t one, all;
	pid_t child;
	int service;

	if (argc != 3)
		bench_die("usage: bench_service PMUQD MACHINE");
	reply = malloc(REPLY_MAX_BYTES);
	if (!reply)
		bench_die("out of memory");
	sched_getaffinity(0, sizeof(all), &all);
	CPU_ZERO(&one);
	CPU_SET(0, &one);
	sched_setaffinity(0, sizeof(one), &one);
	snprintf(address.sun_path, sizeof(address.sun_path), "/tmp/pmuq-bench-%d", (int)getpid());
	child = fork();
	if (child == 0) {
		execl(argv[1], argv[1], "--socket", address.sun_path, "--sysroot", argv[2],
		      "--log-level", "error", (char *)NULL);
		_exit(127);
	}
	service = connect_to(&address);
	measure_calls(service);
	sched_setaffinity(0, sizeof(all), &all);
	sched_setaffinity(child, sizeof(all), &all);
	measure_strings(service, argv[2]);
	close(service);
	kill(child, SIGTERM);
	waitpid(child, NULL, 0);
	return 0;
}
