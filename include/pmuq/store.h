/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Stores: snapshots of machines in a database (SQLite). One thread at a time.
 */
#ifndef PMUQ_STORE_H
#define PMUQ_STORE_H

#include <pmuq/types.h>

#ifdef __cplusplus
extern "C" {
#endif

enum pmuq_store_mode {
	PMUQ_STORE_READ = 0,   /**< must exist; nothing is written */
	PMUQ_STORE_WRITE = 1,  /**< must exist */
	PMUQ_STORE_CREATE = 2, /**< made, with its directory, where it does not exist */
};

/**
 * Open a database of snapshots (SQLite).
 *
 * @return 0, -PMUQ_E_NO_LIBRARY, -PMUQ_E_STORE_OPEN, -PMUQ_E_STORE_FOREIGN (not pmuq's),
 *         -PMUQ_E_STORE_NEWER, -PMUQ_E_STORE_CORRUPT, -PMUQ_E_STORE_BUSY, -PMUQ_E_MEMORY
 */
int pmuq_store_open(const char *path, enum pmuq_store_mode mode, struct pmuq_store **ret,
		    struct pmuq_error **reterr);
void pmuq_store_free(struct pmuq_store *store);

struct pmuq_saved {
	size_t size;	    /**< sizeof(struct pmuq_saved), set by the caller */
	int64_t snapshot;   /**< its number in the store */
	bool is_new;	    /**< false: nothing had changed, and only the time was moved */
	bool has_old_check; /**< the check was stopped early, and a whole one was there: it stays */
};

/**
 * Keep a catalog as a snapshot of a host, in one transaction.
 *
 * @param name    the host's name in the store; NULL takes the catalog's hostname
 * @param time_s  seconds since 1970
 * @return 0, -PMUQ_E_NO_NAME, -PMUQ_E_STORE_WRITE, -PMUQ_E_STORE_BUSY, -PMUQ_E_STORE_CORRUPT,
 * -PMUQ_E_MEMORY
 */
int pmuq_store_save(struct pmuq_store *store, const struct pmuq_catalog *catalog, const char *name,
		    int64_t time_s, struct pmuq_saved *ret, struct pmuq_error **reterr);

/**
 * The same, with what a check of that machine found. pmuq_store_save() keeps the check that the
 * catalog has, if any; a machine that has not changed keeps the one that it had.
 *
 * @param check  NULL: as pmuq_store_save()
 * @return as pmuq_store_save(), and -PMUQ_E_BAD_CALL for a check of another machine or kernel
 */
int pmuq_store_save_checked(struct pmuq_store *store, const struct pmuq_catalog *catalog,
			    const struct pmuq_check *check, const char *name, int64_t time_s,
			    struct pmuq_saved *ret, struct pmuq_error **reterr);

/**
 * The last check of this very machine, as it is in the catalog, under whatever name it was saved.
 *
 * @param ret  free with pmuq_check_free(); NULL when there is none
 * @return 0, -PMUQ_E_STORE_CORRUPT, -PMUQ_E_STORE_BUSY, -PMUQ_E_MEMORY
 */
int pmuq_store_find_check(struct pmuq_store *store, const struct pmuq_catalog *catalog,
			  struct pmuq_check **ret, struct pmuq_error **reterr);

/**
 * A stored machine as a source. It does not need the store afterwards.
 *
 * @param name      a host's name
 * @param snapshot  its number, or 0 for the newest
 * @return 0, -PMUQ_E_UNKNOWN_HOST, -PMUQ_E_UNKNOWN_SNAPSHOT, -PMUQ_E_STORE_CORRUPT, -PMUQ_E_MEMORY
 */
int pmuq_store_open_host(struct pmuq_store *store, const char *name, int64_t snapshot,
			 struct pmuq_source **ret, struct pmuq_error **reterr);

/**
 * What the store holds: hosts by name, and of each its snapshots, oldest first.
 *
 * @param ret  free with pmuq_hosts_free(); it does not need the store afterwards
 * @return 0, -PMUQ_E_STORE_CORRUPT, -PMUQ_E_STORE_BUSY, -PMUQ_E_MEMORY
 */
int pmuq_store_list_hosts(struct pmuq_store *store, struct pmuq_hosts **ret,
			  struct pmuq_error **reterr);
void pmuq_hosts_free(struct pmuq_hosts *hosts);
size_t pmuq_hosts_count(const struct pmuq_hosts *hosts);
const char *pmuq_hosts_name(const struct pmuq_hosts *hosts, size_t host);
/** How many snapshots the host has: one at least. */
size_t pmuq_hosts_snapshot_count(const struct pmuq_hosts *hosts, size_t host);
/** The snapshot's number in the store. */
int64_t pmuq_hosts_snapshot_number(const struct pmuq_hosts *hosts, size_t host, size_t snapshot);
/** When the machine was first and last found like this, seconds since 1970. */
int64_t pmuq_hosts_first_seen(const struct pmuq_hosts *hosts, size_t host, size_t snapshot);
int64_t pmuq_hosts_last_seen(const struct pmuq_hosts *hosts, size_t host, size_t snapshot);
/** The fact "kernel", or NULL. */
const char *pmuq_hosts_kernel(const struct pmuq_hosts *hosts, size_t host, size_t snapshot);

#ifdef __cplusplus
}
#endif
#endif
