/* SPDX-License-Identifier: MIT */
/* A connection: the bytes of its requests, and the replies that are not sent yet. */
#pragma once

#include "core/buf.h"
#include <sys/types.h>

struct connection {
	int fd;
	uid_t user;
	pid_t process;
	struct pq_buf in, out;
	size_t n_scanned; /* of `in`: it contains no NUL */
	size_t n_sent;	  /* of `out` */
	int64_t stuck_ms; /* since when no byte of `out` could be sent; 0: none is left */
	int64_t read_ms;  /* when the last byte of `in` came */
	bool is_subscriber;
	bool is_ending;	 /* closed when `out` is sent */
	bool is_at_end;	 /* it sends nothing more */
	bool has_turn;	 /* it may send a large request */
	bool is_gone;	 /* closed; its memory is freed when no event can refer to it */
	unsigned events; /* that epoll reports */
};

/* Takes the descriptor over. NULL if there is no memory. */
struct connection *connection_new(int fd);
void connection_close(struct connection *connection);
/* After connection_close(). */
void connection_free(struct connection *connection);

/* Reads what is there, some at most. False: the connection is broken. */
bool connection_read(struct connection *connection, int64_t now_ms);
/* The next whole message, without its NUL; false: there is none yet. Drop it when its call is
 * done. */
bool connection_message(struct connection *connection, struct pmuq_str *ret);
void connection_drop_message(struct connection *connection, struct pmuq_str message);
/* Whether it sends a request that needs a turn. */
bool connection_is_large(const struct connection *connection);
/* Whether it sent more than a request may have. */
bool connection_is_too_large(const struct connection *connection);

/* Sends what the socket takes. False: the connection is broken. */
bool connection_send(struct connection *connection, int64_t now_ms);
size_t connection_n_queued(const struct connection *connection);
/* Forgets the replies that were not begun. */
void connection_forget_replies(struct connection *connection);
