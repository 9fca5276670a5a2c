/* SPDX-License-Identifier: MIT */
/* The reply to GetInfo: the daemon, its rights, and the state of the machine. */
#pragma once

#include "cli/output/record.h"
#include "service/states.h"

struct counts_of_clients {
	size_t clients, subscribers;
};

struct info {
	const struct states *states;
	const struct pmuq_machine *content; /* of its newest catalog */
	const struct counts_of_clients *clients;
	const char *version;
	uint64_t oldest;
	bool is_live;
	uint64_t user, capabilities;
	const char *paranoid;
};

struct info info_of(const struct states *states, const struct counts_of_clients *clients);

extern const struct record_type info_record;
