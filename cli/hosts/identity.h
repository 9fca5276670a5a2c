/* SPDX-License-Identifier: MIT */
/*
 * Which host of the database a machine is: by the hash of its machine-id, with its hostname or its
 * boot. A name that somebody gave stays; one that was the hostname follows it.
 */
#pragma once

#include <pmuq/pmuq.h>

/*
 * The name to store the machine as without --name: NULL in *ret for its hostname. A host
 * with its old hostname as its name is renamed, with a note.
 */
enum status identity_find(struct pmuq_store *store, const struct pmuq_catalog *catalog, char **ret);
/* Notes which other hosts have the machine-id of this one, which was just stored as `name`. */
void identity_note(struct pmuq_store *store, const struct pmuq_catalog *catalog, const char *name);
