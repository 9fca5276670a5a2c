/* SPDX-License-Identifier: MIT */
/* Hosts of captured machines, each with facts of its own, for databases with many hosts. Ends the
 * program if something fails. */
#pragma once

#include <pmuq/pmuq.h>

struct pmuq_catalog *many_hosts_read(const char *machines_dir, const char *name);
/* All events of its PMUs were opened, except the one of that name (NULL: none), which the kernel
 * refused. */
struct pmuq_check *many_hosts_check(const struct pmuq_catalog *catalog, int64_t time_s,
				    const char *refused);
/* The machine as the host of that name, with that boot_id and machine_id. */
struct pmuq_catalog *many_hosts_host(const struct pmuq_catalog *base, const char *name,
				     const char *id);
