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

/** What to do with a database. */
enum pmuq_store_mode {
	PMUQ_STORE_READ = 0,   /**< must exist; nothing is written */
	PMUQ_STORE_WRITE = 1,  /**< must exist */
	PMUQ_STORE_CREATE = 2, /**< created, with its directory, if it does not exist */
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

/** How a catalog was saved. */
struct pmuq_saved {
	size_t size;	    /**< sizeof(struct pmuq_saved), set by the caller */
	int64_t snapshot;   /**< its number in the store */
	bool is_new;	    /**< false: nothing had changed, and only its time was updated */
	bool has_old_check; /**< the check was stopped early, and the store keeps the complete one
			     */
	bool is_new_host;   /**< the store had no host of that name */
};

/**
 * Store a catalog as a snapshot of a host, in one transaction.
 *
 * @param check   what a check of that machine found; NULL: the check that the catalog has. A
 *                machine that has not changed and has neither keeps the one that it had
 * @param name    the host's name in the store; NULL takes the catalog's hostname
 * @param time_s  seconds since 1970
 * @return 0, -PMUQ_E_NO_NAME, -PMUQ_E_STORE_WRITE, -PMUQ_E_STORE_BUSY, -PMUQ_E_STORE_CORRUPT,
 * -PMUQ_E_BAD_CALL (a check of another machine or kernel), -PMUQ_E_MEMORY
 */
int pmuq_store_save(struct pmuq_store *store, const struct pmuq_catalog *catalog,
		    const struct pmuq_check *check, const char *name, int64_t time_s,
		    struct pmuq_saved *ret, struct pmuq_error **reterr);

/**
 * Save many in one transaction, all or none: begin, save each, commit. In between, only calls
 * that save or read may be used. If one fails to save, or the store is freed before the commit,
 * nothing is saved.
 *
 * @return 0, -PMUQ_E_BAD_CALL (in a transaction already, or in none; or a save has failed),
 *         -PMUQ_E_STORE_WRITE, -PMUQ_E_STORE_BUSY, -PMUQ_E_STORE_CORRUPT, -PMUQ_E_MEMORY
 */
int pmuq_store_begin(struct pmuq_store *store, struct pmuq_error **reterr);
int pmuq_store_commit(struct pmuq_store *store, struct pmuq_error **reterr);
/** Drop what was saved since the beginning. Does nothing outside a transaction. */
void pmuq_store_roll_back(struct pmuq_store *store);

/**
 * The last check of this same machine, as it is in the catalog, under any name it was saved with.
 *
 * @param ret  free with pmuq_check_free(); NULL if there is none
 * @return 0, -PMUQ_E_STORE_CORRUPT, -PMUQ_E_STORE_BUSY, -PMUQ_E_MEMORY
 */
int pmuq_store_find_check(struct pmuq_store *store, const struct pmuq_catalog *catalog,
			  struct pmuq_check **ret, struct pmuq_error **reterr);

/**
 * The snapshot of a host that a word means: its number; a date, "2026-11-01", "2026-11-01 10:30" or
 * "2026-11-01T10:30:05" (UTC), for how the machine was then; or the kernel that ran, all of its
 * release or a beginning ("6.1" is not 6.12), of several the newest.
 *
 * @param ret  the snapshot's number
 * @return 0, -PMUQ_E_UNKNOWN_HOST, -PMUQ_E_UNKNOWN_SNAPSHOT, -PMUQ_E_STORE_CORRUPT,
 *         -PMUQ_E_STORE_BUSY, -PMUQ_E_MEMORY
 */
int pmuq_store_find_snapshot(struct pmuq_store *store, const char *name, const char *when,
			     int64_t *ret, struct pmuq_error **reterr);
/** The first and last second, since 1970, of a date as above; false if it is none. */
bool pmuq_time_parse(const char *text, int64_t *ret_first, int64_t *ret_last);

/**
 * What the check of a snapshot found, without the machine.
 *
 * @param snapshot  its number, or 0 for the newest
 * @param ret       free with pmuq_check_free(); NULL if it was not checked
 * @return as pmuq_store_open_host()
 */
int pmuq_store_read_check(struct pmuq_store *store, const char *name, int64_t snapshot,
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

/** Which hosts to list. Zeroed but for its size: all. */
struct pmuq_hosts_filter {
	size_t size;		  /**< sizeof(struct pmuq_hosts_filter) */
	const char *const *globs; /**< of names (* ? [abc]): a host must match one of them */
	size_t n_globs;		  /**< 0: any name */
	const char *machine_id;	  /**< the fact of that name; NULL: any */
	bool is_newest_only;	  /**< of each host the newest snapshot alone: much faster */
	/** The machine's own hostname in its newest snapshot, whatever its name in the store; NULL:
	 *  any. */
	const char *hostname;
};

/**
 * What the store has: hosts by name, and of each its snapshots, oldest first. If no host matches,
 * the list is empty.
 *
 * @param filter  NULL: all; not kept
 * @param ret     free with pmuq_hosts_free(); it does not need the store afterwards
 * @return 0, -PMUQ_E_STORE_CORRUPT, -PMUQ_E_STORE_BUSY, -PMUQ_E_BAD_CALL, -PMUQ_E_MEMORY
 */
int pmuq_store_list_hosts(struct pmuq_store *store, const struct pmuq_hosts_filter *filter,
			  struct pmuq_hosts **ret, struct pmuq_error **reterr);
void pmuq_hosts_free(struct pmuq_hosts *hosts);
/** How many hosts a glob of the filter matched. */
size_t pmuq_hosts_matched(const struct pmuq_hosts *hosts, size_t glob);

/** No index: it does not exist, or is not known. */
#define PMUQ_NOT_KNOWN ((size_t)-1)

/** A host. */
struct pmuq_host {
	size_t size;
	struct pmuq_str name; /**< in the store */
	struct pmuq_str
		machine_id; /**< the hash of its machine-id in the newest snapshot, or none */
	size_t n_snapshots; /**< in the list, one at least */
	size_t n_stored;    /**< that the store has */
	size_t host_class;  /**< the index of its class */
	/** Which of the checks of its class it has; PMUQ_NOT_KNOWN if it was not checked. */
	size_t check;
};
/** Hosts, by name. */
size_t pmuq_hosts_count(const struct pmuq_hosts *hosts);
const struct pmuq_host *pmuq_hosts_get(const struct pmuq_hosts *hosts, size_t index);

/** A snapshot of a host. */
struct pmuq_snapshot {
	size_t size;
	int64_t number;	      /**< in the store */
	int64_t first_seen_s; /**< when the machine was first found like this, since 1970 */
	int64_t last_seen_s;  /**< and when last */
	/** The facts that machines may share ("kernel", "cpuid", "arch"; not "hostname"). */
	const struct pmuq_pair *facts;
	size_t n_facts;
	bool is_checked; /**< it has a check */
};
/** A snapshot by its index, oldest first. */
const struct pmuq_snapshot *pmuq_hosts_snapshot(const struct pmuq_hosts *hosts, size_t host,
						size_t index);
/** The text of one of its facts by its name, or NULL. */
const char *pmuq_snapshot_find_fact(const struct pmuq_snapshot *snapshot, const char *name);

/**
 * A host class: hosts whose newest snapshots give the same answers to every event string, since
 * their PMUs, tracepoints, CPU and the other facts that an answer may depend on are the same. So
 * one of them stands for all. Kernels, and what opens, may differ within a class.
 */
struct pmuq_host_class {
	size_t size;
	struct pmuq_str name; /**< eight hex digits, the same in every store */
	const size_t *hosts;  /**< its hosts, by name, as indexes of the list */
	size_t n_hosts;
	/**
	 * For each different result of opening the events of its hosts, a host that has it:
	 * pmuq_store_read_check() reads it.
	 */
	const size_t *check_hosts;
	size_t n_checks;
};
/** Host classes; the one with most hosts comes first. */
size_t pmuq_hosts_class_count(const struct pmuq_hosts *hosts);
const struct pmuq_host_class *pmuq_hosts_class(const struct pmuq_hosts *hosts, size_t index);

/**
 * Give a host another name; its snapshots stay as they are. The name it has already is fine.
 *
 * @return 0, -PMUQ_E_UNKNOWN_HOST, -PMUQ_E_HOST_EXISTS, -PMUQ_E_NO_NAME, -PMUQ_E_STORE_WRITE,
 *         -PMUQ_E_STORE_BUSY, -PMUQ_E_STORE_CORRUPT, -PMUQ_E_MEMORY
 */
int pmuq_store_rename_host(struct pmuq_store *store, const char *name, const char *new_name,
			   struct pmuq_error **reterr);

/** What to forget. Zeroed but for its size: whatever is named. */
struct pmuq_forget_options {
	size_t size;	  /**< sizeof(struct pmuq_forget_options) */
	int64_t before_s; /**< only what was last seen before, seconds since 1970; 0: all */
	size_t keep;	  /**< so many of the newest snapshots of each host stay */
	bool is_trial;	  /**< find out what would happen, and change nothing */
};

/** What was forgotten, or would be. */
struct pmuq_forgotten {
	size_t size;	     /**< sizeof(struct pmuq_forgotten), set by the caller */
	size_t hosts;	     /**< that have no snapshot any more */
	size_t snapshots;    /**< of all hosts */
	size_t layouts;	     /**< sets of PMUs that no other snapshot shared */
	size_t host_classes; /**< that have no snapshot any more */
	size_t free_bytes;   /**< of the file, free now for what comes next; it does not shrink */
};

/**
 * Forget hosts or single snapshots, and what no other one shares, in one transaction: all that is
 * named is forgotten, or nothing.
 *
 * @param names      of hosts; NULL with n 0: every host, as the options choose
 * @param snapshots  for each name a number, 0 for all of the host's; NULL: all of each
 * @param options    NULL: whatever is named
 * @param ret        may be NULL
 * @return 0, -PMUQ_E_UNKNOWN_HOST, -PMUQ_E_UNKNOWN_SNAPSHOT, -PMUQ_E_STORE_WRITE,
 *         -PMUQ_E_STORE_BUSY, -PMUQ_E_STORE_CORRUPT, -PMUQ_E_BAD_CALL (neither names nor options),
 *         -PMUQ_E_MEMORY
 */
int pmuq_store_forget(struct pmuq_store *store, const char *const *names, const int64_t *snapshots,
		      size_t n, const struct pmuq_forget_options *options,
		      struct pmuq_forgotten *ret, struct pmuq_error **reterr);

#ifdef __cplusplus
}
#endif
#endif
