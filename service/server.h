/* SPDX-License-Identifier: MIT */
/* The loop of the daemon: connections, changes of the machine, signals, time. */
#pragma once

#include "service/calls.h"
#include "service/connections.h"

struct server {
	struct service service;
	struct connections connections;
	int epoll, listener, signals;
	int client;	   /* without a listener: the only connection, with which the server ends */
	int64_t idle_ms;   /* ends after so long without a request and a subscriber; -1: never */
	int64_t used_ms;   /* when the last request came, or the last connection */
	int64_t paused_ms; /* descriptors are used up: clients wait until then; 0: they are not */
	int64_t warned_ms; /* when that was last logged */
	bool is_ending;
};

/* SIGTERM, SIGINT and SIGHUP, which the loop takes: to be blocked before a client can connect. */
void server_block_signals(void);
/* Serves until a signal, idleness or the end of the only connection ends it. The listener remains
 * the caller's. */
enum status server_run(struct server *server);
