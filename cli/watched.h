/* SPDX-License-Identifier: MIT */
/* A state of a followed machine as a document: of `pmuq watch`, and of subscribers of pmuqd. */
#pragma once

#include "cli/follower.h"

/* The machine at the beginning, or after a change. */
struct watched {
	const struct follower *follower;
	const struct follower_change *change; /* NULL: at the beginning */
	int64_t time_s;
	uint64_t n_pmus;
};

struct watched watched_of(const struct follower *follower, const struct follower_change *change);

extern const struct document_type watch_document;
