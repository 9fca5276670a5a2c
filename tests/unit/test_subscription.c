/* SPDX-License-Identifier: MIT */
/* What a daemon sends to a watch: which messages count, and which end the connection. */
#include "core/limits.h"
#include "tests/unit/cmocka_all.h"
#include "watch/subscription.h"
#include <fcntl.h>
#include <pmuq/pmuq.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>

#define STATE(causes)                                                                              \
	"{\"parameters\": {\"generation\": 2, \"causes\": " causes ", \"changes\": []}, "          \
	"\"continues\": true}\0"

/* A subscription that has its first state, and the daemon's end of its connection. */
struct pair {
	struct pq_subscription subscription;
	int daemon;
};

static struct pair connected(unsigned n_messages)
{
	int fds[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds), 0);
	return (struct pair){
		.subscription = {
			.remote = {
				.path = strdup("/run/pmuq/io.pmuq"),
				.fd = fds[0],
				.message_max_bytes = PQ_SERVICE_CHANGES_MAX_BYTES,
			},
			.is_announced = true,
			.n_messages = n_messages,
		},
		.daemon = fds[1],
	};
}

static void clear(struct pair *pair)
{
	pq_subscription_clear(&pair->subscription);
	if (pair->daemon >= 0)
		close(pair->daemon);
}

static void send_bytes(const struct pair *pair, struct pmuq_str bytes)
{
	assert_int_equal(write(pair->daemon, bytes.p, bytes.n), bytes.n);
}

static enum pq_subscription_event next(struct pair *pair)
{
	auto_arena struct pq_arena arena = PQ_ARENA(PQ_SERVICE_CAUSES_MAX_BYTES);
	const struct pq_json_value *causes = NULL;

	return pq_subscription_next(&pair->subscription, &arena, &causes);
}

static bool is_connected(const struct pair *pair)
{
	return pq_subscription_retry_ms(&pair->subscription) == UINT64_MAX;
}

/* ------------------------------------------------------------------------------------ messages */

// clang-format off
static const struct {
	const char *name;
	struct pmuq_str bytes;
	enum pq_subscription_event event;
	bool ends; /* the connection */
} messages[] = {
	{ "a change", STR(STATE("[]")), PQ_SUBSCRIPTION_CHANGED, false },
	{ "members in another order", STR("{\"continues\": true, \"parameters\": {\"causes\": []}}\0"), PQ_SUBSCRIPTION_CHANGED, false },
	{ "causes of a later version", STR(STATE("[{\"cause\": \"moon\", \"phase\": [1, {}]}, 3]")), PQ_SUBSCRIPTION_CHANGED, false },
	{ "nothing", STR(""), PQ_SUBSCRIPTION_NOTHING, false },
	{ "half a message", STR("{\"parameters\": {\"causes\": []}, \"cont"), PQ_SUBSCRIPTION_NOTHING, false },
	{ "half an object", STR("{\"parameters\": {\"causes\": []}, \"cont\0"), PQ_SUBSCRIPTION_NOTHING, true },
	{ "an empty message", STR("\0"), PQ_SUBSCRIPTION_NOTHING, true },
	{ "not JSON", STR("nix\0"), PQ_SUBSCRIPTION_NOTHING, true },
	{ "not an object", STR("[]\0"), PQ_SUBSCRIPTION_NOTHING, true },
	{ "no parameters", STR("{\"continues\": true}\0"), PQ_SUBSCRIPTION_NOTHING, true },
	{ "parameters that are a list", STR("{\"parameters\": [], \"continues\": true}\0"), PQ_SUBSCRIPTION_NOTHING, true },
	{ "no causes", STR("{\"parameters\": {\"generation\": 2}, \"continues\": true}\0"), PQ_SUBSCRIPTION_NOTHING, true },
	{ "causes that are an object", STR(STATE("{}")), PQ_SUBSCRIPTION_NOTHING, true },
	{ "causes that are a text", STR(STATE("\"cpu\"")), PQ_SUBSCRIPTION_NOTHING, true },
	{ "a repeated key", STR(STATE("[{\"cause\": \"cpu\", \"cause\": \"pmu\"}]")), PQ_SUBSCRIPTION_NOTHING, true },
	{ "the last reply", STR("{\"parameters\": {\"causes\": []}}\0"), PQ_SUBSCRIPTION_NOTHING, true },
	{ "one that does not continue", STR("{\"parameters\": {\"causes\": []}, \"continues\": false}\0"), PQ_SUBSCRIPTION_NOTHING, true },
	{ "an error", STR("{\"error\": \"io.pmuq.TooSlow\", \"parameters\": {\"message\": \"\"}}\0"), PQ_SUBSCRIPTION_NOTHING, true },
};
// clang-format on

static void a_message_that_is_not_a_state_ends_the_connection(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(messages); i++) {
		struct pair pair = connected(2);

		send_bytes(&pair, messages[i].bytes);
		if (next(&pair) != messages[i].event || is_connected(&pair) == messages[i].ends)
			fail_msg("%s", messages[i].name);
		assert_int_equal(pq_subscription_is_announced(&pair.subscription),
				 !messages[i].ends);
		clear(&pair);
	}
}

static void messages_may_come_in_any_parts(void **state)
{
	const struct pmuq_str three = STR(STATE("[]") STATE("[]") STATE("[]"));
	struct pair pair = connected(2);
	unsigned n = 0;

	(void)state;
	send_bytes(&pair, three);
	while (next(&pair) == PQ_SUBSCRIPTION_CHANGED)
		n++;
	assert_int_equal(n, 3);
	for (size_t i = 0; i < three.n; i++) {
		send_bytes(&pair, str_part(three, i, i + 1));
		n += next(&pair) == PQ_SUBSCRIPTION_CHANGED;
	}
	assert_int_equal(n, 6);
	assert_true(is_connected(&pair));
	clear(&pair);
}

/* Sends the byte so often, and takes messages at the same time. */
static void flood(struct pair *pair, char byte, size_t n)
{
	char part[4096];

	memset(part, byte, sizeof(part));
	for (size_t sent = 0; sent < n && is_connected(pair); sent += sizeof(part)) {
		if (write(pair->daemon, part, sizeof(part)) < 0)
			break;
		assert_int_equal(next(pair), PQ_SUBSCRIPTION_NOTHING);
	}
}

static void a_message_without_an_end_costs_bounded_memory(void **state)
{
	struct pair pair = connected(2);

	(void)state;
	flood(&pair, ' ', PQ_SERVICE_CHANGES_MAX_BYTES - 4096);
	assert_true(is_connected(&pair));
	flood(&pair, ' ', (size_t)64 << 10);
	assert_false(is_connected(&pair));
	assert_null(pair.subscription.remote.received.p);
	clear(&pair);
}

static void more_causes_than_fit_end_the_connection(void **state)
{
	struct pair pair = connected(2);
	cleanup(pq_buf_free) struct pq_buf message = PQ_BUF_NULL;
	size_t sent = 0;

	(void)state;
	pq_buf_add(&message, STR("{\"parameters\": {\"causes\": [3"));
	for (unsigned i = 0; i < 100000; i++)
		pq_buf_add(&message, STR(",3"));
	pq_buf_add(&message, STR("]}, \"continues\": true}\0"));
	for (; sent < message.n; next(&pair)) {
		ssize_t n = write(pair.daemon, message.p + sent, message.n - sent);

		assert_true(n > 0);
		sent += (size_t)n;
	}
	assert_false(is_connected(&pair));
	clear(&pair);
}

static void the_end_of_the_connection_is_noticed(void **state)
{
	static const struct pmuq_str before[] = { STR(""), STR("{\"parameters\"") };

	(void)state;
	for (size_t i = 0; i < COUNT(before); i++) {
		struct pair pair = connected(2);

		send_bytes(&pair, before[i]);
		close(pair.daemon);
		pair.daemon = -1;
		assert_int_equal(next(&pair), PQ_SUBSCRIPTION_NOTHING);
		assert_false(is_connected(&pair));
		assert_false(pq_subscription_is_announced(&pair.subscription));
		clear(&pair);
	}
}

/* -------------------------------------------------------------------------------------- causes */

static const struct {
	struct pmuq_str json;
	unsigned cause; /* 0: unknown */
	struct pmuq_str action, name;
} causes[] = {
	{ STR("{\"cause\": \"pmu\", \"action\": \"add\", \"name\": \"msr\"}"), PMUQ_WATCH_PMU,
	  STR("add"), STR("msr") },
	{ STR("{\"name\": \"r\\u00e4pl\", \"action\": \"remove\", \"cause\": \"module\"}"),
	  PMUQ_WATCH_MODULE, STR("remove"), STR("r\303\244pl") },
	{ STR("{\"cause\": \"lost\"}"), PMUQ_WATCH_LOST, STR(""), STR("") },
	{ STR("{\"cause\": \"timer\"}"), PMUQ_WATCH_TIMER, STR(""), STR("") },
	{ STR("{\"cause\": \"cpu\", \"action\": 3, \"name\": null}"), PMUQ_WATCH_CPU, STR(""),
	  STR("") },
	{ STR("{\"cause\": \"moon\"}"), 0, STR(""), STR("") },
	{ STR("{\"cause\": 1}"), 0, STR(""), STR("") },
	{ STR("{}"), 0, STR(""), STR("") },
	{ STR("[]"), 0, STR(""), STR("") },
	{ STR("\"pmu\""), 0, STR(""), STR("") },
};

static void a_cause_has_the_name_of_the_library(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(causes); i++) {
		auto_arena struct pq_arena arena = PQ_ARENA(PQ_SERVICE_CAUSES_MAX_BYTES);
		struct pq_json_reader reader = { .text = causes[i].json };
		struct pq_json_value *record = NULL;
		struct pq_announced announced;

		assert_int_equal(pq_json_parse(&reader, &arena, &record), PQ_JSON_OK);
		pq_json_clear(&reader);
		if (pq_subscription_cause(record, &announced) != (causes[i].cause != 0))
			fail_msg("%s", causes[i].json.p);
		if (!causes[i].cause)
			continue;
		assert_int_equal(announced.cause, causes[i].cause);
		assert_true(str_eq(announced.action, causes[i].action));
		assert_true(str_eq(announced.name, causes[i].name));
	}
}

/* ---------------------------------------------------------------------------------- connecting */

static const struct pmuq_str info = STR("{\"parameters\": {\"announced\": true}}\0");

static void a_new_connection_begins_with_what_may_be_missing(void **state)
{
	struct pair pair = connected(0);

	(void)state;
	send_bytes(&pair, info);
	assert_int_equal(next(&pair), PQ_SUBSCRIPTION_NOTHING);
	assert_false(pq_subscription_is_announced(&pair.subscription));
	send_bytes(&pair, STR(STATE("[]")));
	assert_int_equal(next(&pair), PQ_SUBSCRIPTION_RESUMED);
	assert_true(pq_subscription_is_announced(&pair.subscription));
	send_bytes(&pair, STR(STATE("[]")));
	assert_int_equal(next(&pair), PQ_SUBSCRIPTION_CHANGED);
	clear(&pair);
}

static void a_service_that_is_not_pmuqd_is_left(void **state)
{
	struct pair pair = connected(0);

	(void)state;
	send_bytes(&pair, STR(STATE("[]")));
	assert_int_equal(next(&pair), PQ_SUBSCRIPTION_NOTHING);
	assert_false(is_connected(&pair));
	clear(&pair);
}

static int listener_at(const char *path, int backlog)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	unlink(path);
	assert_true(strlen(path) < sizeof(address.sun_path));
	memcpy(address.sun_path, path, strlen(path));
	assert_int_equal(bind(fd, (const struct sockaddr *)&address, sizeof(address)), 0);
	assert_int_equal(listen(fd, backlog), 0);
	return fd;
}

/* Nobody accepts the connection yet; a daemon that the service manager has to start is like that.
 */
static void connecting_does_not_wait(void **state)
{
	const struct pmuq_str wanted = STR("{\"method\": \"io.pmuq.GetInfo\"}\0"
					   "{\"method\": \"io.pmuq.Subscribe\", \"more\": true}\0");
	char directory[] = "/tmp/pmuq-subscription-XXXXXX", path[64], calls[256];
	struct pq_subscription others[8] = { 0 }, *one = &others[0];
	int listener, fd;
	size_t n = 0;

	(void)state;
	assert_non_null(mkdtemp(directory));
	snprintf(path, sizeof(path), "%s/socket", directory);
	listener = listener_at(path, 1);
	for (size_t i = 0; i < COUNT(others); i++) {
		others[i].remote = (struct pq_remote){ .path = strdup(path), .fd = -1 };
		n += pq_subscription_connect(&others[i], 5000);
		/* Also one that cannot connect tries again after a second, not at once. */
		if (others[i].remote.fd < 0)
			assert_int_equal(pq_subscription_retry_ms(&others[i]), 6000);
	}
	assert_in_range(n, 1, COUNT(others) - 1);
	fd = accept(listener, NULL, NULL);
	assert_int_equal(recv(fd, calls, sizeof(calls), 0), wanted.n);
	assert_memory_equal(calls, wanted.p, wanted.n);
	assert_int_equal(one->remote.n_connections, 1);
	close(fd);
	close(listener);
	for (size_t i = 0; i < COUNT(others); i++)
		pq_subscription_clear(&others[i]);
	unlink(path);
	rmdir(directory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_message_that_is_not_a_state_ends_the_connection),
		cmocka_unit_test(messages_may_come_in_any_parts),
		cmocka_unit_test(a_message_without_an_end_costs_bounded_memory),
		cmocka_unit_test(more_causes_than_fit_end_the_connection),
		cmocka_unit_test(the_end_of_the_connection_is_noticed),
		cmocka_unit_test(a_cause_has_the_name_of_the_library),
		cmocka_unit_test(a_new_connection_begins_with_what_may_be_missing),
		cmocka_unit_test(a_service_that_is_not_pmuqd_is_left),
		cmocka_unit_test(connecting_does_not_wait),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
