/* SPDX-License-Identifier: MIT */
/*
 * An event string as a tree, before its names are resolved on a machine. Text is slices of the
 * input; all of it lives in the parser's arena. Spans are bytes of the input.
 */
#pragma once

#include "core/event/terms.h"

enum pq_node_type {
	PQ_NODE_NAME,	    /* NAME or NAME/terms/ */
	PQ_NODE_RAW,	    /* rNNN */
	PQ_NODE_NUMERIC,    /* TYPE:CONFIG */
	PQ_NODE_BREAKPOINT, /* mem:ADDR/LEN:rwx */
	PQ_NODE_TRACEPOINT, /* SUBSYSTEM:NAME */
	PQ_NODE_PFM,	    /* PMU::EVENT:…, pfm:EVENT:…: `name` is libpfm4's, all of it */
};

struct pq_node {
	enum pq_node_type type;
	bool has_terms; /* slashes, maybe empty */
	bool has_length;
	bool is_guess;	      /* of PQ_NODE_PFM: the grammar has no other rule for the text */
	struct pmuq_str text; /* the whole event with its modifiers */
	struct pmuq_str name; /* NAME, or SUBSYSTEM */
	struct pmuq_str tracepoint;
	struct pmuq_str access;	    /* of a breakpoint; empty if it was not written */
	struct pmuq_str modifiers;  /* letters */
	uint64_t perf_type, config; /* TYPE:CONFIG; config also of a raw event */
	uint64_t address, length_bytes;
	struct pq_span at, name_at, tracepoint_at, access_at, modifiers_at;
	struct pq_term *terms;
	struct pq_node *next; /* in the group or list */
};

/* An event alone, or a group. */
struct pq_item {
	struct pq_node *nodes;
	bool is_group, is_closed;	 /* a group, and its closing brace was read */
	struct pmuq_str name, modifiers; /* of the group */
	struct pq_span at, modifiers_at;
	struct pq_item *next;
};
