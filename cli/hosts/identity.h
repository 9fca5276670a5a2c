/* SPDX-License-Identifier: MIT */
/*
 * Which host of the database a machine is, by the hash of its machine-id together with its hostname
 * or its boot id. A name that the user chose stays; a name that was the hostname follows it.
 */
#pragma once

#include <pmuq/pmuq.h>

/*
 * The name under which to store the machine without --name: NULL in *ret for its hostname. A host
 * whose name is the machine's old hostname is renamed, with a note.
 */
enum status identity_find(struct pmuq_store *store, const struct pmuq_catalog *catalog, char **ret);
/* Prints a note about other hosts with the machine-id of this one, which was just stored as
 * `name`. */
void identity_note(struct pmuq_store *store, const struct pmuq_catalog *catalog, const char *name);
