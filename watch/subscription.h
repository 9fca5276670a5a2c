/* SPDX-License-Identifier: MIT */
/*
 * The states of a machine that a daemon sends to its subscribers. Nothing waits after the first
 * state. If the connection ends, or the daemon sends something else, it connects again.
 */
#pragma once

#include "core/text/json_read.h"
#include "remote/remote_call.h"
#include "watch/announced.h"

struct pq_subscription {
	struct pq_remote remote;
	unsigned n_messages;   /* of this connection: the reply to GetInfo, then states */
	bool is_announced;     /* to the daemon, by the kernel */
	uint64_t connected_ms; /* when it connected last, or tried to */
};

/* Returns after the first state. *subscription has to be cleared even after a failure. */
int pq_subscription_open(struct pq_subscription *subscription, const char *path, uint64_t now_ms,
			 struct pmuq_error **reterr);
void pq_subscription_clear(struct pq_subscription *subscription);

/* Whether changes of the machine are announced. */
bool pq_subscription_is_announced(const struct pq_subscription *subscription);
/* When to connect again; UINT64_MAX: it is connected. */
uint64_t pq_subscription_retry_ms(const struct pq_subscription *subscription);
/* True if there is a new connection; its descriptor has to be polled. */
bool pq_subscription_connect(struct pq_subscription *subscription, uint64_t now_ms);

enum pq_subscription_event {
	PQ_SUBSCRIPTION_NOTHING,
	PQ_SUBSCRIPTION_CHANGED, /* a further state */
	PQ_SUBSCRIPTION_RESUMED, /* the first state of another connection: some may be missing */
};

/* Takes the next message. *ret_causes is the list of a further state, in the arena. */
enum pq_subscription_event pq_subscription_next(struct pq_subscription *subscription,
						struct pq_arena *arena,
						const struct pq_json_value **ret_causes);
/* Reads a cause of that list. False if this version does not know it. */
bool pq_subscription_cause(const struct pq_json_value *record, struct pq_announced *ret);
