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

/** What is to be done with a database. */
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

/** What became of a catalog that was saved. */
struct pmuq_saved {
	size_t size;	    /**< sizeof(struct pmuq_saved), set by the caller */
	int64_t snapshot;   /**< its number in the store */
	bool is_new;	    /**< false: nothing had changed, and only the time was moved */
	bool has_old_check; /**< the check was stopped early, and a whole one was there: it stays */
	bool is_new_host;   /**< the store had none of that name */
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
 * Save many in one transaction, all or none: begin, save each, commit. Between, only calls that
 * save or read may be used; one that fails to save spoils all, and so does freeing the store before
 * the commit.
 *
 * @return 0, -PMUQ_E_BAD_CALL (in a transaction already, or in none; or a save has failed),
 *         -PMUQ_E_STORE_WRITE, -PMUQ_E_STORE_BUSY, -PMUQ_E_STORE_CORRUPT, -PMUQ_E_MEMORY
 */
int pmuq_store_begin(struct pmuq_store *store, struct pmuq_error **reterr);
int pmuq_store_commit(struct pmuq_store *store, struct pmuq_error **reterr);
/** Forget what was saved since the beginning. Does nothing when there is none. */
void pmuq_store_roll_back(struct pmuq_store *store);

/**
 * The last check of this very machine, as it is in the catalog, under whatever name it was saved.
 *
 * @param ret  free with pmuq_check_free(); NULL when there is none
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
/** The first and last second, since 1970, of a date as above; false when it is none. */
bool pmuq_time_parse(const char *text, int64_t *ret_first, int64_t *ret_last);

/**
 * What the check of a snapshot found, without the machine.
 *
 * @param snapshot  its number, or 0 for the newest
 * @param ret       free with pmuq_check_free(); NULL when it was not checked
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

/**
 * What the store holds: hosts by name, and of each its snapshots, oldest first.
 *
 * @param ret  free with pmuq_hosts_free(); it does not need the store afterwards
 * @return 0, -PMUQ_E_STORE_CORRUPT, -PMUQ_E_STORE_BUSY, -PMUQ_E_MEMORY
 */
int pmuq_store_list_hosts(struct pmuq_store *store, struct pmuq_hosts **ret,
			  struct pmuq_error **reterr);

/** Which hosts are wanted. Zeroed but for its size: all. */
struct pmuq_hosts_filter {
	size_t size;		  /**< sizeof(struct pmuq_hosts_filter) */
	const char *const *globs; /**< of names (* ? [abc]): a host must match one of them */
	size_t n_globs;		  /**< 0: any name will do */
	const char *machine_id;	  /**< the fact of that name; NULL: any */
	bool is_newest_only;	  /**< of each host the newest snapshot alone: much faster */
	/** What the machine called itself in its newest snapshot, whatever it is called here; NULL:
	 *  any. */
	const char *hostname;
};

/**
 * The same, of the hosts that are wanted. Nothing matching is no error: the list is empty.
 *
 * @param filter  NULL: all; not kept
 * @return as pmuq_store_list_hosts(), and -PMUQ_E_BAD_CALL
 */
int pmuq_store_find_hosts(struct pmuq_store *store, const struct pmuq_hosts_filter *filter,
			  struct pmuq_hosts **ret, struct pmuq_error **reterr);
/** How many hosts a glob of the filter matched. */
size_t pmuq_hosts_matched(const struct pmuq_hosts *hosts, size_t glob);
/** NULL is fine. */
void pmuq_hosts_free(struct pmuq_hosts *hosts);
/** Hosts, by name. */
size_t pmuq_hosts_count(const struct pmuq_hosts *hosts);
const char *pmuq_hosts_name(const struct pmuq_hosts *hosts, size_t host);
/** The hash of its machine-id, as the newest snapshot has it, or NULL. */
const char *pmuq_hosts_machine_id(const struct pmuq_hosts *hosts, size_t host);
/** How many snapshots of the host are in the list, one at least; and how many the store has. */
size_t pmuq_hosts_snapshot_count(const struct pmuq_hosts *hosts, size_t host);
size_t pmuq_hosts_kept_count(const struct pmuq_hosts *hosts, size_t host);
/** The snapshot's number in the store. */
int64_t pmuq_hosts_snapshot_number(const struct pmuq_hosts *hosts, size_t host, size_t snapshot);
/** When the machine was first and last found like this, seconds since 1970. */
int64_t pmuq_hosts_first_seen(const struct pmuq_hosts *hosts, size_t host, size_t snapshot);
int64_t pmuq_hosts_last_seen(const struct pmuq_hosts *hosts, size_t host, size_t snapshot);
/** The fact "kernel", or NULL. */
const char *pmuq_hosts_kernel(const struct pmuq_hosts *hosts, size_t host, size_t snapshot);
/** A fact that machines may share ("kernel", "cpuid", "arch"; not "hostname"), or NULL. */
const char *pmuq_hosts_fact(const struct pmuq_hosts *hosts, size_t host, size_t snapshot,
			    const char *name);
/** Whether the snapshot has a check. */
bool pmuq_hosts_is_checked(const struct pmuq_hosts *hosts, size_t host, size_t snapshot);

/** No index: there is no such thing, or nobody knows. */
#define PMUQ_NOT_KNOWN ((size_t)-1)

/**
 * Kinds: hosts of which the newest snapshots give the same answers to every event string, since
 * their PMUs, tracepoints, CPU and the other facts that an answer may depend on are the same. So
 * one question to one of them answers for all. The kind with most hosts comes first; kernels, and
 * what opens, may differ within a kind.
 */
size_t pmuq_hosts_kind_count(const struct pmuq_hosts *hosts);
/** Eight hex digits: the same in every store. */
const char *pmuq_hosts_kind_name(const struct pmuq_hosts *hosts, size_t kind);
/** Its hosts, by name, as indexes of the list. */
size_t pmuq_hosts_kind_host_count(const struct pmuq_hosts *hosts, size_t kind);
size_t pmuq_hosts_kind_host(const struct pmuq_hosts *hosts, size_t kind, size_t index);
/** Which kind the host is of. */
size_t pmuq_hosts_kind(const struct pmuq_hosts *hosts, size_t host);
/**
 * How many different answers the kernels gave when the events of the kind's hosts were opened; and
 * a host that has those: pmuq_store_read_check() reads them.
 */
size_t pmuq_hosts_kind_check_count(const struct pmuq_hosts *hosts, size_t kind);
size_t pmuq_hosts_kind_check_host(const struct pmuq_hosts *hosts, size_t kind, size_t check);
/** Which of the checks of its kind the host has; PMUQ_NOT_KNOWN when it was not checked. */
size_t pmuq_hosts_check(const struct pmuq_hosts *hosts, size_t host);

/**
 * Give a host another name; its snapshots stay as they are. The name it has already is fine.
 *
 * @return 0, -PMUQ_E_UNKNOWN_HOST, -PMUQ_E_HOST_EXISTS, -PMUQ_E_NO_NAME, -PMUQ_E_STORE_WRITE,
 *         -PMUQ_E_STORE_BUSY, -PMUQ_E_STORE_CORRUPT, -PMUQ_E_MEMORY
 */
int pmuq_store_rename_host(struct pmuq_store *store, const char *name, const char *new_name,
			   struct pmuq_error **reterr);

/** What is forgotten. Zeroed but for its size: whatever is named. */
struct pmuq_forget_options {
	size_t size;	  /**< sizeof(struct pmuq_forget_options) */
	int64_t before_s; /**< only what was last seen before, seconds since 1970; 0: all */
	size_t keep;	  /**< of each host so many of its newest snapshots stay */
	bool is_trial;	  /**< find out what would happen, and change nothing */
};

/** What was forgotten, or would be. */
struct pmuq_forgotten {
	size_t size;	   /**< sizeof(struct pmuq_forgotten), set by the caller */
	size_t hosts;	   /**< that have no snapshot any more */
	size_t snapshots;  /**< of all hosts */
	size_t layouts;	   /**< sets of PMUs that no other snapshot shared */
	size_t kinds;	   /**< that no snapshot is of any more */
	size_t free_bytes; /**< of the file, free now for what comes next; it does not shrink */
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
