/* SPDX-License-Identifier: MIT */
/*
 * Clients of a daemon, each with a thread and two connections, which make all queries again and
 * again. Their time has windows: a result belongs to the window in which its query began.
 */
#pragma once

#include "core/vec.h"
#include "tests/guests/queries.h"
#include <pthread.h>
#include <stdatomic.h>

struct result {
	enum query query;
	unsigned window;
	uint64_t generation;
	char *text;
	size_t times; /* how often */
};

struct client {
	struct clients *clients;
	pthread_t thread;
	int fd;
	struct pmuq_source *source;
	atomic_uint done; /* the last window in which it made all queries */
};

struct clients {
	struct client *v;
	size_t n;
	atomic_uint window;
	atomic_bool is_ending;
	pthread_rwlock_t turns; /* a client that makes queries has it for reading */
	pthread_mutex_t lock;	/* of what follows */
	struct results {
		PQ_VEC(struct result);
	} results; /* different ones */
};

void clients_start(struct clients *clients, size_t n, const char *socket);
void clients_end(struct clients *clients);
/* Begins a window, and returns its number. */
unsigned clients_begin_window(struct clients *clients);
/* Until each client has made all queries in the window. */
void clients_wait(struct clients *clients, unsigned window);
/* Between the two, no query is under way, and results can be taken. */
void clients_pause(struct clients *clients);
void clients_resume(struct clients *clients);
/* The caller frees them. */
struct results clients_take(struct clients *clients);
void results_free(struct results *results);
