/* SPDX-License-Identifier: MIT */
/*
 * What a client of pmuqd sends, with a NUL after each message; or, if the first byte is 1, what a
 * daemon replies to a client. Each call has one reply, which is JSON with parameters.
 */
#include "core/limits.h"
#include "remote/remote_call.h"
#include "service/calls.h"
#include "tests/fuzz/fuzz.h"

#define IS_REPLY 1
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
		FUZZ_LAW(found.n && found.p >= remote->reply.p &&
			 found.p + found.n <= remote->reply.p + remote->reply.n);
	else
		fuzz_error(r, error);
	pmuq_error_free(error);
}

static void take_reply(const uint8_t *data, size_t size)
{
	char path[] = "/run/pmuq/io.pmuq";
	struct pq_remote remote = { .path = path, .fd = -1 };

	pq_buf_add(&remote.reply, (struct pmuq_str){ .p = (const char *)data, .n = size });
	law_of_member(&remote, "generation");
	law_of_member(&remote, "document");
	pq_buf_free(&remote.reply);
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
	while (rest.n && str_next(&rest, 0, &message))
		call(message);
	return 0;
}
