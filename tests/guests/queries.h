/* SPDX-License-Identifier: MIT */
/*
 * Queries of this machine, and their results as texts: the document that the command prints, or
 * event strings with their attrs. A daemon and a new process must return the same text.
 * Whatever fails ends the program.
 */
#pragma once

#include "core/buf.h"
#include <pmuq/pmuq.h>

enum query {
	QUERY_PMUS,
	QUERY_FORMATS,
	QUERY_EVENTS,
	QUERY_ENCODE,
	QUERY_LIBRARY, /* encodes with a source of the library */
	N_QUERIES,
};

const char *query_name(enum query query);

_Noreturn void die(const char *what);

/* A connection to the daemon. */
int connect_to(const char *path);
void send_call(int fd, struct pmuq_str call);
/* A message without its NUL, which is the rest of the buffer; false after `timeout_ms` (-1: never)
 * without one. */
bool receive_message(int fd, int timeout_ms, struct pq_buf *ret);

/* The result of the daemon. Returns its generation; 0 from the source, which is one of the daemon.
 */
uint64_t query_daemon(enum query query, int fd, struct pmuq_source *source, struct pq_buf *ret);
/* The result of a new process of this user. */
void query_new_process(enum query query, unsigned user, struct pq_buf *ret);
