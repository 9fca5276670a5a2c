/* SPDX-License-Identifier: MIT */
/*
 * The queries are calls of varlink, calls of the library, and commands. The reply of the daemon is
 * the document of the command with a generation: the frame is cut off, the rest is not
 * changed.
 */
#include "tests/guests/queries.h"
#include "core/base.h"
#include "core/freep.h"
#include "core/num.h"
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>

#define WAIT_MS 60000
#define WORDS_MAX 16u
#define CALL "{\"method\": \"io.pmuq."
#define LIST(type) CALL "List\", \"parameters\": {\"type\": \"" type "\"}}"

/* One or more of each module, others, and one that is never there. No hint to them lists PMUs that
 * come and go one after the other: cut_line() of the clients. */
static const char *const events[] = {
	"uncore_pcu/event=0x1/",
	"uncore_ubox/event=0x2,umask=0x3/",
	"cstate_core/c6-residency/",
	"cstate_pkg/c2-residency/",
	"power/event=2/",
	"msr/tsc/",
	"page-faults:u",
	"cycles",
	"nix/event=1/",
};

static const struct {
	const char *name, *call; /* Encode has no fixed call: it names the events */
	const char *words[WORDS_MAX];
} queries[N_QUERIES] = {
	[QUERY_PMUS] = { "List pmus", LIST("pmus"), { "list", "pmus", "--json" } },
	[QUERY_FORMATS] = { "List formats", LIST("formats"), { "list", "formats", "--json" } },
	[QUERY_EVENTS] = { "List events", LIST("events"), { "list", "events", "--json" } },
	[QUERY_ENCODE] = { "Encode", NULL, { "encode", "--no-open", "--json", "--" } },
	[QUERY_LIBRARY] = { "encodings of the library", NULL, { NULL } },
};

const char *query_name(enum query query)
{
	return queries[query].name;
}

void die(const char *what)
{
	fprintf(stderr, "%s: %s\n", what, strerror(errno));
	/* Other threads run. */
	_exit(99);
}

/* ------------------------------------------------------------------------------------ messages */

int connect_to(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	for (int ms = 0; connect(fd, (const struct sockaddr *)&address, sizeof(address)) < 0;
	     ms++) {
		if (ms == WAIT_MS)
			die("connect");
		usleep(1000);
	}
	return fd;
}

void send_call(int fd, struct pmuq_str call)
{
	/* With the NUL that ends the text. */
	if (send(fd, call.p, call.n + 1, MSG_NOSIGNAL) != (ssize_t)call.n + 1)
		die("send");
}

/* Messages come one at a time: a client has one call in flight, and changes are seldom. */
bool receive_message(int fd, int timeout_ms, struct pq_buf *ret)
{
	struct pollfd polled = { .fd = fd, .events = POLLIN };

	ret->n = 0;
	do {
		char *at = pq_buf_reserve(ret, (size_t)1 << 16);
		ssize_t n;

		if (poll(&polled, 1, ret->n ? WAIT_MS : timeout_ms) == 0 && !ret->n)
			return false;
		n = at ? recv(fd, at, (size_t)1 << 16, MSG_DONTWAIT) : 0;
		if (n <= 0)
			die("the daemon sends no whole message");
		ret->n += (size_t)n;
	} while (ret->p[ret->n - 1]);
	ret->n--;
	return true;
}

/* ------------------------------------------------------------------------------------- results */

static void print_encodings(struct pmuq_source *source, const char *event, struct pq_buf *ret)
{
	cleanup(pmuq_encodings_freep) struct pmuq_encodings *encodings = NULL;
	const struct pmuq_encoding *encoding;
	int r = pmuq_source_encode(source, event, NULL, &encodings, NULL);

	pq_buf_print(ret, "%s:", event);
	if (r < 0)
		pq_buf_print(ret, " %s", pmuq_code_name((unsigned)-r));
	for (size_t i = 0; r == 0 && (encoding = pmuq_encodings_get(encodings, i)); i++)
		pq_buf_print(ret, " type %u config 0x%llx on CPUs %s", encoding->attr->type,
			     (unsigned long long)encoding->attr->config, encoding->cpus.p);
	pq_buf_char(ret, '\n', 1);
}

static void print_events(struct pmuq_source *source, struct pq_buf *ret)
{
	for (size_t i = 0; i < COUNT(events); i++)
		print_encodings(source, events[i], ret);
}

static void print_call(enum query query, struct pq_buf *ret)
{
	if (queries[query].call) {
		pq_buf_print(ret, "%s", queries[query].call);
		return;
	}
	pq_buf_print(ret, CALL "Encode\", \"parameters\": {\"events\": [");
	for (size_t i = 0; i < COUNT(events); i++)
		pq_buf_print(ret, "%s\"%s\"", i ? ", " : "", events[i]);
	pq_buf_print(ret, "]}}");
}

/* Cuts the frame and the generation off, and returns the generation. */
static uint64_t take_document(struct pq_buf *reply)
{
	const struct pmuq_str frame = STR("{\"parameters\": "),
			      member = STR(",\n  \"generation\": ");
	struct pmuq_str text = pq_buf_str(reply);
	size_t at = text.n, end;
	uint64_t generation;

	while (at && !str_starts(str_part(text, at, text.n), member))
		at--;
	end = at + member.n;
	while (end < text.n && char_is_digit(text.p[end]))
		end++;
	if (!at || !str_starts(text, frame) ||
	    pq_num_decimal(str_part(text, at + member.n, end), &generation) != PQ_NUM_OK) {
		fprintf(stderr, "%.*s\n", STR_ARG(text));
		die("not the reply to a call that succeeds");
	}
	memmove(reply->p, reply->p + frame.n, at - frame.n);
	reply->n = at - frame.n;
	pq_buf_print(reply, "\n}\n");
	return generation;
}

uint64_t query_daemon(enum query query, int fd, struct pmuq_source *source, struct pq_buf *ret)
{
	cleanup(pq_buf_free) struct pq_buf call = PQ_BUF_NULL;
	bool is_changed;

	ret->n = 0;
	if (query == QUERY_LIBRARY) {
		if (pmuq_source_refresh(source, &is_changed, NULL) < 0)
			die("pmuq_source_refresh");
		print_events(source, ret);
		return 0;
	}
	print_call(query, &call);
	send_call(fd, pq_buf_str(&call));
	receive_message(fd, WAIT_MS, ret);
	return take_document(ret);
}

/* --------------------------------------------------------------------------------- new process */

static void print_from_new_source(void)
{
	struct pq_buf text = PQ_BUF_NULL;
	struct pmuq_source *source = NULL;

	if (pmuq_source_open_live(&source, NULL) < 0)
		die("pmuq_source_open_live");
	print_events(source, &text);
	if (write(STDOUT_FILENO, text.p, text.n) != (ssize_t)text.n)
		die("write");
}

/* It never returns. */
static void run_command(enum query query)
{
	const char *words[WORDS_MAX + COUNT(events)] = { "./pmuq" };
	size_t n = 1;

	for (size_t i = 0; queries[query].words[i]; i++)
		words[n++] = queries[query].words[i];
	for (size_t i = 0; query == QUERY_ENCODE && i < COUNT(events); i++)
		words[n++] = events[i];
	/* execv(3) does not change the words. */
	execv(words[0], pq_boundary_cast(words));
	die(words[0]);
}

static void run_child(enum query query, unsigned user, int out)
{
	if (setgid(user) < 0 || setuid(user) < 0 || dup2(out, STDOUT_FILENO) < 0)
		die("a process of the user");
	if (query != QUERY_LIBRARY)
		run_command(query);
	print_from_new_source();
	_exit(0);
}

static void read_all(int fd, struct pq_buf *ret)
{
	ssize_t n = 1;

	ret->n = 0;
	while (n > 0) {
		char *at = pq_buf_reserve(ret, (size_t)1 << 16);

		n = at ? read(fd, at, (size_t)1 << 16) : -1;
		if (n < 0)
			die("read");
		ret->n += (size_t)n;
	}
}

void query_new_process(enum query query, unsigned user, struct pq_buf *ret)
{
	int ends[2];
	pid_t child;

	if (pipe(ends) < 0 || (child = fork()) < 0)
		die("a new process");
	if (child == 0)
		run_child(query, user, ends[1]);
	close(ends[1]);
	read_all(ends[0], ret);
	close(ends[0]);
	/* encode exits with 1 for a string that is not valid. */
	if (waitpid(child, NULL, 0) != child || !ret->n)
		die("a new process prints nothing");
}
