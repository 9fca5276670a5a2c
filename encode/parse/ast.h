/* SPDX-License-Identifier: MIT */
/*
 * What an event string says, before any machine was asked. Text is slices of the input; all of it
 * lives in the arena that the parser was given. Spans are bytes of the input.
 */
#ifndef PQ_AST_H
#define PQ_AST_H

#include "core/error.h"

enum pq_value_kind {
	PQ_VALUE_NONE,	    /* umask */
	PQ_VALUE_NUMBER,    /* umask=0x1 */
	PQ_VALUE_WORD,	    /* name=x, event=mem-loads */
	PQ_VALUE_PARAMETER, /* domain=? */
};

struct pq_term {
	struct pmuq_str key, value; /* value: as written, without quotes */
	struct pq_span at, value_at;
	struct pq_term *next;
	uint64_t number;
	enum pq_value_kind kind;
	bool is_quoted; /* the key was: then it is no keyword */
	bool is_raw;	/* rNNN: key is the text, number its value */
	bool is_driver; /* @name=value: key is "driver-config" */
};

enum pq_node_kind {
	PQ_NODE_NAME,	    /* NAME or NAME/terms/ */
	PQ_NODE_RAW,	    /* rNNN */
	PQ_NODE_NUMERIC,    /* TYPE:CONFIG */
	PQ_NODE_BREAKPOINT, /* mem:ADDR/LEN:rwx */
	PQ_NODE_TRACEPOINT, /* SUBSYSTEM:NAME */
	PQ_NODE_PFM,	    /* PMU::EVENT:…, pfm:EVENT:…: `name` is libpfm4's, whole */
};

struct pq_node {
	enum pq_node_kind kind;
	bool has_terms; /* slashes, maybe with nothing between them */
	bool has_length;
	bool is_guess;	      /* of PQ_NODE_PFM: the grammar has no other reading of it */
	struct pmuq_str text; /* the whole event, modifiers and all */
	struct pmuq_str name; /* NAME, or SUBSYSTEM */
	struct pmuq_str tracepoint;
	struct pmuq_str access;	   /* of a breakpoint; empty where not said */
	struct pmuq_str modifiers; /* letters */
	uint64_t type, config;	   /* numeric; config also raw's; ADDR and LEN of a breakpoint */
	struct pq_span at, name_at, tracepoint_at, access_at, modifiers_at;
	struct pq_term *terms;
	struct pq_node *next; /* in the group or list */
};

/* An event alone, or a group. */
struct pq_item {
	struct pq_node *nodes;
	bool is_group;
	struct pmuq_str name, modifiers; /* of the group */
	struct pq_span at, modifiers_at;
	struct pq_item *next;
};

#endif
