/* SPDX-License-Identifier: MIT */
/* Hosts of captured machines, each with facts of its own, for stores of many. Ends the program when
 * something fails. */
#pragma once

#include <pmuq/pmuq.h>

struct pmuq_catalog *many_hosts_read(const char *machines_dir, const char *name);
/* Every event of its PMUs was opened; but the kernel refused the one of that name, if there is one
 * (NULL: none). */
struct pmuq_check *many_hosts_check(const struct pmuq_catalog *catalog, int64_t time_s,
				    const char *refused);
/* The machine as the host of that name, with that boot_id and machine_id. */
struct pmuq_catalog *many_hosts_host(const struct pmuq_catalog *base, const char *name,
				     const char *id);
