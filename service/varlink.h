/* SPDX-License-Identifier: MIT */
/*
 * Messages of varlink (https://varlink.org/Method-Call): a JSON object and a NUL. A call names a
 * method; a reply has parameters; an error has a name, too.
 */
#pragma once

#include "core/text/json_read.h"

struct varlink_call {
	struct pmuq_str interface, method;	/* "io.pmuq" and "Encode" */
	const struct pq_json_value *parameters; /* an object; NULL: none */
	bool is_oneway;				/* the client wants no reply */
	bool wants_more;			/* several replies are allowed */
};

/* A call, without its NUL; it lives in the arena. False: it is not one; *ret_problem is the reason
 * (static). */
bool varlink_parse(struct pq_arena *arena, struct pmuq_str text, struct varlink_call *ret,
		   const char **ret_problem);

/* Append a message. `parameters` is a JSON object. */
void varlink_reply(struct pq_buf *to, struct pmuq_str parameters, bool continues);
void varlink_error(struct pq_buf *to, const char *name, struct pmuq_str parameters);
/* Appends an error with one text as its parameter. */
void varlink_error_about(struct pq_buf *to, const char *name, const char *key,
			 struct pmuq_str text);
