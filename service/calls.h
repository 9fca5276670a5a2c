/* SPDX-License-Identifier: MIT */
/* Executes calls: runs the command of a method, and makes its document the parameters of the reply.
 */
#pragma once

#include "cli/served.h"
#include "service/info.h"
#include "service/states.h"
#include "service/varlink.h"

struct service {
	struct states states;
	struct served served;
	struct counts_of_clients clients;
};

/* Reads the machine of the command line. Clear it even after a failure. */
enum status service_begin(struct service *service, const struct cli *cli);
void service_clear(struct service *service);

enum call_result {
	CALL_DONE,	 /* the reply or the error was appended */
	CALL_SUBSCRIBED, /* a first reply, which others follow: service_add_state() */
};

enum call_result service_call(struct service *service, const struct varlink_call *call,
			      struct pq_buf *to);
/* Appends the message for subscribers; without a change, the state of the machine. */
void service_add_state(struct service *service, const struct follower_change *change,
		       struct pq_buf *to);
