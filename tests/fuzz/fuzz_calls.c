/* SPDX-License-Identifier: MIT */
/*
 * What a client of pmuqd sends, with a NUL after each message; or, if the first byte is 1, what a
 * daemon replies to a client; or, if it is 2, what a daemon sends to a watch. Each call has one
 * reply, which is JSON with parameters. A watch takes the same messages, whether they come at once
 * or in two parts.
 */
#include "core/limits.h"
#include "remote/remote_call.h"
#include "service/calls.h"
#include "tests/fuzz/fuzz.h"
#include "watch/subscription.h"
#include <sys/socket.h>

#define IS_REPLY 1
#define IS_WATCHED 2
/* A small machine. */
#define MACHINE 6

static struct service *daemon_of_machine(void)
{
	static struct service service;
	const struct cli cli = { .sysroot = fuzz_machine_listed(MACHINE)->dir };

	if (!service.states.follower.catalog)
		FUZZ_LAW(service_begin(&service, &cli) == STATUS_OK);
	return &service;
}

static void law_of_reply(struct pmuq_str reply)
{
	auto_arena struct pq_arena arena = PQ_ARENA(SIZE_MAX);
	struct pq_json_value *root = NULL;
	struct pq_json_reader reader = { .text = str_part(reply, 0, reply.n - 1) };
	const struct pq_json_value *parameters;

	FUZZ_LAW(reply.n > 0 && !reply.p[reply.n - 1]);
	FUZZ_LAW(!memchr(reply.p, 0, reply.n - 1));
	FUZZ_LAW(pq_json_parse(&reader, &arena, &root) == PQ_JSON_OK);
	pq_json_clear(&reader);
	parameters = pq_json_get(root, "parameters");
	FUZZ_LAW(parameters && parameters->type == PQ_JSON_IS_OBJECT);
}

static void call(struct pmuq_str message)
{
	auto_arena struct pq_arena arena = PQ_ARENA(PQ_SERVICE_TREE_MAX_BYTES);
	cleanup(pq_buf_free) struct pq_buf reply = PQ_BUF_NULL;
	struct varlink_call parsed;
	const char *problem = NULL;

	if (!varlink_parse(&arena, message, &parsed, &problem)) {
		FUZZ_LAW(problem);
		return;
	}
	service_call(daemon_of_machine(), &parsed, &reply);
	law_of_reply(pq_buf_str(&reply));
}

static void law_of_member(const struct pq_remote *remote, const char *name)
{
	struct pmuq_error *error = NULL;
	struct pmuq_str found = { 0 };
	int r = pq_remote_find(remote, name, &found, &error);

	FUZZ_LAW((r == 0) == !error);
	if (r == 0)
		FUZZ_LAW(found.n && found.p >= remote->message.p &&
			 found.p + found.n <= remote->message.p + remote->message.n);
	else
		fuzz_error(r, error);
	pmuq_error_free(error);
}

static void take_reply(const uint8_t *data, size_t size)
{
	char path[] = "/run/pmuq/io.pmuq";
	struct pq_remote remote = { .path = path, .fd = -1 };

	remote.message = (struct pmuq_str){ .p = (const char *)data, .n = size };
	law_of_member(&remote, "generation");
	law_of_member(&remote, "document");
}

/* Takes the messages that are waiting; *taken is a hash of all so far. */
static void take_states(struct pq_subscription *subscription, uint64_t *taken)
{
	for (;;) {
		auto_arena struct pq_arena arena = PQ_ARENA(PQ_SERVICE_CAUSES_MAX_BYTES);
		const struct pq_json_value *causes = NULL;
		struct pq_announced announced;
		enum pq_subscription_event event =
			pq_subscription_next(subscription, &arena, &causes);

		if (event == PQ_SUBSCRIPTION_NOTHING)
			return;
		FUZZ_LAW(causes && causes->type == PQ_JSON_IS_LIST);
		*taken = *taken * 31 + event;
		for (const struct pq_json_value *one = causes->first; one; one = one->next)
			if (pq_subscription_cause(one, &announced))
				*taken = *taken * 31 + announced.cause + announced.name.n;
	}
}

/* A watch that begins, and a daemon that ends after two parts of its messages. */
static uint64_t watch(struct pmuq_str first, struct pmuq_str second)
{
	struct pq_subscription subscription = { 0 };
	struct pq_remote *remote = &subscription.remote;
	uint64_t taken = 0;
	int fds[2];

	FUZZ_LAW(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) == 0);
	remote->fd = fds[0];
	remote->path = strdup("/run/pmuq/io.pmuq");
	remote->message_max_bytes = PQ_SERVICE_CHANGES_MAX_BYTES;
	send(fds[1], first.p, first.n, MSG_NOSIGNAL | MSG_DONTWAIT);
	take_states(&subscription, &taken);
	send(fds[1], second.p, second.n, MSG_NOSIGNAL | MSG_DONTWAIT);
	close(fds[1]);
	take_states(&subscription, &taken);
	FUZZ_LAW(remote->fd < 0 && !remote->received.p);
	pq_subscription_clear(&subscription);
	return taken;
}

static void law_of_parts(struct pmuq_str all)
{
	size_t half = all.n / 2;

	FUZZ_LAW(watch(all, str_part(all, all.n, all.n)) ==
		 watch(str_part(all, 0, half), str_part(all, half, all.n)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pmuq_str rest = { .p = (const char *)data + 1, .n = size - 1 }, message;

	if (!size)
		return -1;
	if (*data == IS_REPLY) {
		take_reply(data + 1, size - 1);
		return 0;
	}
	if (*data == IS_WATCHED) {
		law_of_parts(rest);
		return 0;
	}
	while (rest.n && str_next(&rest, 0, &message))
		call(message);
	return 0;
}
