/* SPDX-License-Identifier: MIT */
#include "watch/subscription.h"
#include "core/limits.h"

/* A daemon that ends each connection must not keep its clients busy. */
#define RETRY_MS 1000u

/* -------------------------------------------------------------------------------- the messages */

static int take_info(struct pq_subscription *subscription, struct pmuq_error **reterr)
{
	struct pmuq_str text;
	int r = pq_remote_find(&subscription->remote, "announced", &text, reterr);

	if (r == 0)
		subscription->is_announced = str_eq(text, STR("true"));
	return r;
}

static int take_state(const struct pq_subscription *subscription, struct pq_arena *arena,
		      const struct pq_json_value **ret_causes, struct pmuq_error **reterr)
{
	struct pq_json_reader json = { 0 };
	struct pq_json_value *causes = NULL;
	enum pq_json_result result;
	int r = pq_remote_find(&subscription->remote, "causes", &json.text, reterr);

	if (r == 0)
		r = pq_remote_continues(&subscription->remote, reterr);
	if (r < 0)
		return r;
	result = pq_json_parse(&json, arena, &causes);
	pq_json_clear(&json);
	if (result != PQ_JSON_OK || causes->type != PQ_JSON_IS_LIST)
		return pq_remote_fail(&subscription->remote, "the causes are not a list", reterr);
	*ret_causes = causes;
	return 0;
}

/* Null if the member is missing or of another type. */
static struct pmuq_str text_of(const struct pq_json_value *record, const char *name)
{
	const struct pq_json_value *value = pq_json_get(record, name);

	return value && value->type == PQ_JSON_IS_TEXT ? value->text : (struct pmuq_str){ 0 };
}

bool pq_subscription_cause(const struct pq_json_value *record, struct pq_announced *ret)
{
	struct pmuq_str wanted = text_of(record, "cause");
	const char *name;

	*ret = (struct pq_announced){
		.cause = 1,
		.action = text_of(record, "action"),
		.name = text_of(record, "name"),
	};
	for (; (name = pmuq_watch_cause_name(ret->cause)); ret->cause <<= 1)
		if (str_eq(wanted, str_of(name)))
			return true;
	return false;
}

/* ------------------------------------------------------------------------------ the connection */

int pq_subscription_open(struct pq_subscription *subscription, const char *path, uint64_t now_ms,
			 struct pmuq_error **reterr)
{
	auto_arena struct pq_arena arena = PQ_ARENA(PQ_SERVICE_CAUSES_MAX_BYTES);
	struct pq_remote *remote = &subscription->remote;
	const struct pq_json_value *causes;
	int r;

	*subscription = (struct pq_subscription){ .connected_ms = now_ms };
	r = pq_remote_open(remote, path, PQ_SERVICE_CHANGES_MAX_BYTES, reterr);
	if (r == 0)
		r = pq_remote_call(remote, "GetInfo", false, reterr);
	if (r == 0)
		r = take_info(subscription, reterr);
	if (r == 0)
		r = pq_remote_call(remote, "Subscribe", true, reterr);
	if (r == 0)
		r = take_state(subscription, &arena, &causes, reterr);
	subscription->n_messages = 2;
	return r;
}

void pq_subscription_clear(struct pq_subscription *subscription)
{
	pq_remote_clear(&subscription->remote);
}

bool pq_subscription_is_announced(const struct pq_subscription *subscription)
{
	return subscription->is_announced && subscription->remote.fd >= 0 &&
	       subscription->n_messages >= 2;
}

uint64_t pq_subscription_retry_ms(const struct pq_subscription *subscription)
{
	return subscription->remote.fd >= 0 ? UINT64_MAX : subscription->connected_ms + RETRY_MS;
}

bool pq_subscription_connect(struct pq_subscription *subscription, uint64_t now_ms)
{
	struct pq_remote *remote = &subscription->remote;

	subscription->connected_ms = now_ms;
	subscription->n_messages = 0;
	if (pq_remote_connect(remote, false, NULL) < 0)
		return false;
	/* The second is processed after the first. */
	if (pq_remote_send(remote, "GetInfo", false) && pq_remote_send(remote, "Subscribe", true))
		return true;
	pq_remote_end(remote);
	return false;
}

/* The first message of a connection is the reply to GetInfo; states follow. */
static bool take_message(struct pq_subscription *subscription, struct pq_arena *arena,
			 const struct pq_json_value **ret_causes)
{
	return subscription->n_messages++ ? take_state(subscription, arena, ret_causes, NULL) == 0
					  : take_info(subscription, NULL) == 0;
}

enum pq_subscription_event pq_subscription_next(struct pq_subscription *subscription,
						struct pq_arena *arena,
						const struct pq_json_value **ret_causes)
{
	struct pq_remote *remote = &subscription->remote;
	int r = remote->fd < 0 ? PQ_RECEIVED_NOTHING : PQ_RECEIVED_MESSAGE;

	while (r == PQ_RECEIVED_MESSAGE) {
		r = pq_remote_receive(remote, false, NULL);
		if (r == PQ_RECEIVED_MESSAGE && !take_message(subscription, arena, ret_causes))
			r = PQ_RECEIVED_END;
		if (r == PQ_RECEIVED_MESSAGE && subscription->n_messages >= 2)
			return subscription->n_messages == 2 ? PQ_SUBSCRIPTION_RESUMED
							     : PQ_SUBSCRIPTION_CHANGED;
	}
	if (r != PQ_RECEIVED_NOTHING)
		pq_remote_end(remote);
	return PQ_SUBSCRIPTION_NOTHING;
}
