/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Stores: databases (SQLite or PostgreSQL) with snapshots of machines. One thread at a time.
 */
#ifndef PMUQ_STORE_H
#define PMUQ_STORE_H

#include <pmuq/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How to open a database. */
enum pmuq_store_mode {
	PMUQ_STORE_READ = 0,  /**< read only; it must exist */
	PMUQ_STORE_WRITE = 1, /**< read and write; it must exist */
	PMUQ_STORE_CREATE =
		2, /**< read and write; created, with its directory, if it does not exist */
};

/**
 * Open a database. It is opened for reading only if others than root and the effective user can
 * write to the file or its directory; the files next to it (journal, log) are not read then.
 *
 * @param path  a file, or a connection string of libpq ("postgresql://user@host/database",
 *              "service=name"): a database on a PostgreSQL server, which must exist
 * @return 0, -PMUQ_E_NO_LIBRARY, -PMUQ_E_STORE_OPEN, -PMUQ_E_STORE_FOREIGN (not pmuq's, or
 *         with tables, views or triggers that are not),
 *         -PMUQ_E_STORE_NEWER, -PMUQ_E_STORE_CORRUPT, -PMUQ_E_STORE_BUSY, -PMUQ_E_MEMORY
 */
int pmuq_store_open(const char *path, enum pmuq_store_mode mode, struct pmuq_store **ret,
		    struct pmuq_error **reterr);
void pmuq_store_free(struct pmuq_store *store);

/** How a catalog was saved. */
struct pmuq_saved {
	size_t size;	    /**< sizeof(struct pmuq_saved), set by the caller */
	int64_t snapshot;   /**< its number in the store */
	bool is_new;	    /**< false: nothing had changed; the store updated its time only */
	bool has_old_check; /**< the check was stopped early: the store kept a complete one */
	bool is_new_host;   /**< the store had no host with that name */
	/** Nothing was stored: `snapshot` is another state of the host, which was last seen at this
	 *  later time. 0: otherwise. */
	int64_t later_seen_s;
};

/**
 * Store a catalog as a snapshot of a host, in one transaction.
 *
 * @param check   a check of that machine; NULL: the check of the catalog. Without either, a machine
 *                that has not changed keeps its stored check
 * @param name    the host's name in the store; NULL: the hostname in the catalog
 * @param time_s  seconds since 1970
 * @return 0, -PMUQ_E_NO_NAME, -PMUQ_E_STORE_WRITE, -PMUQ_E_STORE_BUSY, -PMUQ_E_STORE_CORRUPT,
 *         -PMUQ_E_BAD_CALL (a check of another machine or kernel, a time that is not between 1970
 *         and 9999, a name of more than 1,024 bytes), -PMUQ_E_MEMORY
 */
int pmuq_store_save(struct pmuq_store *store, const struct pmuq_catalog *catalog,
		    const struct pmuq_check *check, const char *name, int64_t time_s,
		    struct pmuq_saved *ret, struct pmuq_error **reterr);
/**
 * Store a machine as it was at known times, with the check of its catalog: one that
 * pmuq_reader_next() returned, with the times of pmuq_reader_host(). The newest snapshot of a host
 * stays the newest if the host was seen later than `last_seen_s`.
 *
 * @param name          the host's name in the store; NULL: the hostname in the catalog
 * @param first_seen_s  seconds since 1970, not 0
 * @param last_seen_s   seconds since 1970, not before first_seen_s
 * @return as pmuq_store_save(); also -PMUQ_E_BAD_CALL (not such times)
 */
int pmuq_store_save_seen(struct pmuq_store *store, const struct pmuq_catalog *catalog,
			 const char *name, int64_t first_seen_s, int64_t last_seen_s,
			 struct pmuq_saved *ret, struct pmuq_error **reterr);

/**
 * Save several catalogs in one transaction, all or none: begin, save each, commit. Only calls that
 * save or read are allowed in between. If a save fails, or if the store is freed before the commit,
 * nothing is saved.
 *
 * @return 0, -PMUQ_E_BAD_CALL (already in a transaction, not in one, or a save has failed),
 *         -PMUQ_E_STORE_WRITE, -PMUQ_E_STORE_BUSY, -PMUQ_E_STORE_CORRUPT, -PMUQ_E_MEMORY
 */
int pmuq_store_begin(struct pmuq_store *store, struct pmuq_error **reterr);
int pmuq_store_commit(struct pmuq_store *store, struct pmuq_error **reterr);
/** End the transaction without saving anything. Does nothing outside a transaction. */
void pmuq_store_roll_back(struct pmuq_store *store);

/**
 * Find the latest check of the machine in the catalog, whatever its name in the store is.
 *
 * @param ret  free with pmuq_check_free(), does not need the store; NULL if there is none
 * @return 0, -PMUQ_E_STORE_CORRUPT, -PMUQ_E_STORE_BUSY, -PMUQ_E_MEMORY
 */
int pmuq_store_find_check(struct pmuq_store *store, const struct pmuq_catalog *catalog,
			  struct pmuq_check **ret, struct pmuq_error **reterr);

/**
 * Find a snapshot of a host by a word: its number; a date, "2026-11-01", "2026-11-01 10:30" or
 * "2026-11-01T10:30:05" (UTC), for the state of the machine at that time; or a kernel release or
 * its beginning ("6.1" does not match 6.12), for the newest snapshot with that kernel.
 *
 * @param ret  the snapshot's number
 * @return 0, -PMUQ_E_UNKNOWN_HOST, -PMUQ_E_UNKNOWN_SNAPSHOT, -PMUQ_E_STORE_CORRUPT,
 *         -PMUQ_E_STORE_BUSY, -PMUQ_E_MEMORY
 */
int pmuq_store_find_snapshot(struct pmuq_store *store, const char *name, const char *when,
			     int64_t *ret, struct pmuq_error **reterr);
/** The first and last second, since 1970, of a date as above; false if the text is not a date. */
bool pmuq_time_parse(const char *text, int64_t *ret_first, int64_t *ret_last);

/**
 * Read the check of a snapshot, without the machine.
 *
 * @param snapshot  its number, or 0 for the newest
 * @param ret       free with pmuq_check_free(), does not need the store; NULL if it was not checked
 * @return as pmuq_store_open_host()
 */
int pmuq_store_read_check(struct pmuq_store *store, const char *name, int64_t snapshot,
			  struct pmuq_check **ret, struct pmuq_error **reterr);

/**
 * Open a stored machine as a source. It does not need the store afterwards.
 *
 * @param name      a host's name
 * @param snapshot  its number, or 0 for the newest
 * @return 0, -PMUQ_E_UNKNOWN_HOST, -PMUQ_E_UNKNOWN_SNAPSHOT, -PMUQ_E_STORE_CORRUPT, -PMUQ_E_MEMORY
 */
int pmuq_store_open_host(struct pmuq_store *store, const char *name, int64_t snapshot,
			 struct pmuq_source **ret, struct pmuq_error **reterr);

/** Which hosts to list. Zeroed except for its size: all. */
struct pmuq_hosts_filter {
	size_t size;		  /**< sizeof(struct pmuq_hosts_filter) */
	const char *const *globs; /**< patterns (* ? [abc]): the name must match one of them */
	size_t n_globs;		  /**< 0: any name */
	const char *machine_id;	  /**< the fact machine_id; NULL: any */
	bool is_newest_only;	  /**< list only the newest snapshot of each host: much faster */
	/** The fact hostname of its newest snapshot, whatever its name in the store is; NULL:
	 *  any. */
	const char *hostname;
};

/**
 * List hosts by name, each with its snapshots, oldest first. If no host matches, the list is empty.
 *
 * @param filter  NULL: all; not kept
 * @param ret     free with pmuq_hosts_free(); it does not need the store afterwards
 * @return 0, -PMUQ_E_STORE_CORRUPT, -PMUQ_E_STORE_BUSY, -PMUQ_E_BAD_CALL, -PMUQ_E_MEMORY
 */
int pmuq_store_list_hosts(struct pmuq_store *store, const struct pmuq_hosts_filter *filter,
			  struct pmuq_hosts **ret, struct pmuq_error **reterr);
void pmuq_hosts_free(struct pmuq_hosts *hosts);
/** The number of hosts that a glob of the filter matched. */
size_t pmuq_hosts_matched(const struct pmuq_hosts *hosts, size_t glob);

/** Instead of an index: it does not exist or is unknown. */
#define PMUQ_NOT_KNOWN ((size_t)-1)

/** A host. */
struct pmuq_host {
	size_t size;
	struct pmuq_str name; /**< in the store */
	struct pmuq_str
		machine_id; /**< the hash of its machine-id in the newest snapshot, or none */
	size_t n_snapshots; /**< in the list, at least one */
	size_t n_stored;    /**< in the store */
	size_t host_class;  /**< the index of its class */
	/** The index of its check among those of its class; PMUQ_NOT_KNOWN if it has none. */
	size_t check;
};
/** The hosts, by name. */
size_t pmuq_hosts_count(const struct pmuq_hosts *hosts);
const struct pmuq_host *pmuq_hosts_get(const struct pmuq_hosts *hosts, size_t index);

/** A snapshot of a host. */
struct pmuq_snapshot {
	size_t size;
	int64_t number;	      /**< in the store */
	int64_t first_seen_s; /**< when the machine was first in this state, seconds since 1970 */
	int64_t last_seen_s;  /**< when it was last in this state */
	/** The facts that machines may have in common ("kernel", "cpuid"; not "hostname"). */
	const struct pmuq_pair *facts;
	size_t n_facts;
	bool is_checked; /**< it has a check */
};
/** The snapshots of a host, oldest first. */
const struct pmuq_snapshot *pmuq_hosts_snapshot(const struct pmuq_hosts *hosts, size_t host,
						size_t index);
/** The text of a fact by its name, or NULL. */
const char *pmuq_snapshot_find_fact(const struct pmuq_snapshot *snapshot, const char *name);

/**
 * A host class: hosts whose newest snapshots give the same encodings for every event string,
 * because their PMUs, tracepoints, CPU and all other facts that an encoding depends on are equal.
 * Their kernels may differ, and so may the events that open.
 */
struct pmuq_host_class {
	size_t size;
	struct pmuq_str name; /**< eight hex digits, the same in every store */
	const size_t *hosts;  /**< its hosts, by name, as indexes of the list */
	size_t n_hosts;
	/**
	 * One host for each different check of its hosts: pmuq_store_read_check() reads it.
	 */
	const size_t *check_hosts;
	size_t n_checks;
};
/** The host classes; the largest comes first. */
size_t pmuq_hosts_class_count(const struct pmuq_hosts *hosts);
const struct pmuq_host_class *pmuq_hosts_class(const struct pmuq_hosts *hosts, size_t index);

/**
 * Rename a host. Its snapshots do not change. The new name may be the old one.
 *
 * @return 0, -PMUQ_E_UNKNOWN_HOST, -PMUQ_E_HOST_EXISTS, -PMUQ_E_NO_NAME, -PMUQ_E_STORE_WRITE,
 *         -PMUQ_E_STORE_BUSY, -PMUQ_E_STORE_CORRUPT, -PMUQ_E_MEMORY
 */
int pmuq_store_rename_host(struct pmuq_store *store, const char *name, const char *new_name,
			   struct pmuq_error **reterr);

/** What to forget. Zeroed except for its size: everything that is named. */
struct pmuq_forget_options {
	size_t size;	  /**< sizeof(struct pmuq_forget_options) */
	int64_t before_s; /**< only snapshots last seen before this, seconds since 1970; 0: all */
	size_t keep;	  /**< keep this many of the newest snapshots of each host */
	bool is_trial;	  /**< count what would be forgotten, and change nothing */
};

/** What was forgotten, or would be. */
struct pmuq_forgotten {
	size_t size;	     /**< sizeof(struct pmuq_forgotten), set by the caller */
	size_t hosts;	     /**< without a snapshot now */
	size_t snapshots;    /**< of all hosts */
	size_t layouts;	     /**< sets of PMUs that no other snapshot shared */
	size_t host_classes; /**< without a snapshot now */
	size_t free_bytes;   /**< free space in the file, which does not shrink; 0 on a server */
};

/**
 * Forget hosts or single snapshots, and everything that no other snapshot shares, in one
 * transaction: all of it, or nothing.
 *
 * @param names      of hosts; NULL with n 0: every host, as selected by the options
 * @param snapshots  for each name the number of a snapshot, or 0: all snapshots; NULL: all of each
 * @param options    NULL: everything that is named
 * @param ret        may be NULL
 * @return 0, -PMUQ_E_UNKNOWN_HOST, -PMUQ_E_UNKNOWN_SNAPSHOT, -PMUQ_E_STORE_WRITE,
 *         -PMUQ_E_STORE_BUSY, -PMUQ_E_STORE_CORRUPT, -PMUQ_E_BAD_CALL (neither names nor options),
 *         -PMUQ_E_MEMORY
 */
int pmuq_store_forget(struct pmuq_store *store, const char *const *names, const int64_t *snapshots,
		      size_t n, const struct pmuq_forget_options *options,
		      struct pmuq_forgotten *ret, struct pmuq_error **reterr);

/* ---- the inbox of a database on a PostgreSQL server */

/** What pmuq_store_make_inbox() found and did. */
struct pmuq_inbox_made {
	size_t size;	     /**< sizeof(struct pmuq_inbox_made), set by the caller */
	bool is_new;	     /**< the database had no inbox */
	bool has_new_reader; /**< the role PREFIX_reader was created */
	bool has_new_writer; /**< the role PREFIX_writer */
	bool has_new_agent;  /**< the role PREFIX_agent */
	/** Rights that every role of a database has, and that agents do not need, were revoked:
	 *  temporary tables, large objects, advisory locks. That needs a superuser. */
	bool is_closed;
};

/**
 * Create the inbox of a database on a PostgreSQL server, and three roles: PREFIX_reader may read
 * the store, PREFIX_writer may also write it and take what is in the inbox, and PREFIX_agent may
 * only hand in the machine of the host that has the name of the role (pmuq_push()). Roles that log
 * in are members of them. What exists already is kept and brought up to date.
 *
 * @param prefix  lower-case letters, digits and _; NULL: "pmuq"
 * @param ret     may be NULL
 * @return 0, -PMUQ_E_INBOX_MISSING (not a database on a server), -PMUQ_E_STORE_OPEN (a right is
 *         missing), -PMUQ_E_STORE_FOREIGN, -PMUQ_E_STORE_NEWER, -PMUQ_E_STORE_WRITE,
 *         -PMUQ_E_STORE_BUSY, -PMUQ_E_BAD_CALL, -PMUQ_E_MEMORY
 */
int pmuq_store_make_inbox(struct pmuq_store *store, const char *prefix, struct pmuq_inbox_made *ret,
			  struct pmuq_error **reterr);

/** What pmuq_catalog_push() had to send. */
enum pmuq_push_result {
	PMUQ_PUSH_HEARTBEAT = 0, /**< nothing has changed */
	PMUQ_PUSH_FACTS = 1,	 /**< facts of the host; the server has the rest, from any host */
	PMUQ_PUSH_DOCUMENT = 2,	 /**< the whole machine */
};

/** A machine that was handed in. */
struct pmuq_pushed {
	size_t size;		      /**< sizeof(struct pmuq_pushed), set by the caller */
	enum pmuq_push_result result; /**< what was sent */
};

/**
 * Hand in a machine to the inbox of a database on a PostgreSQL server, from which
 * pmuq_store_ingest() takes it. The host is that of the role of the connection: its name, unless
 * the owner of the inbox gave the role another host. A check of the machine is not sent.
 *
 * @param to      a connection string of libpq; NULL: nothing is sent, and the call fails if no
 *                server would take the machine
 * @param time_s  when the machine was in this state, seconds since 1970
 * @param ret     may be NULL
 * @return 0, -PMUQ_E_NO_LIBRARY, -PMUQ_E_STORE_OPEN, -PMUQ_E_STORE_BUSY, -PMUQ_E_STORE_WRITE,
 *         -PMUQ_E_INBOX_MISSING, -PMUQ_E_INBOX_REFUSED (too large, or of a role that cannot be a
 *         host), -PMUQ_E_INBOX_FULL, -PMUQ_E_DELIVERY_REJECTED, -PMUQ_E_MEMORY
 */
int pmuq_catalog_push(const struct pmuq_catalog *catalog, const char *to, int64_t time_s,
		      struct pmuq_pushed *ret, struct pmuq_error **reterr);

/** What pmuq_store_ingest() did. */
struct pmuq_ingested {
	size_t size;	     /**< sizeof(struct pmuq_ingested), set by the caller */
	size_t n_hosts;	     /**< deliveries that were stored */
	size_t n_snapshots;  /**< of them, those that are a new snapshot */
	size_t n_rejected;   /**< deliveries that stay in the inbox with their error */
	size_t n_heartbeats; /**< hosts of which only the time has changed */
	size_t n_waiting;    /**< deliveries that are left in the inbox; about, if there are many */
};

/**
 * Take a batch of deliveries from the inbox of the store, and store them in one transaction; if no
 * delivery is left, the times of hosts that only sent a heartbeat. Several processes may do this at
 * once. A delivery that cannot be stored stays in the inbox with its error, and stops no other.
 * Call it until it has done nothing.
 *
 * @return 0, -PMUQ_E_INBOX_MISSING, -PMUQ_E_STORE_OPEN, -PMUQ_E_STORE_WRITE, -PMUQ_E_STORE_BUSY,
 *         -PMUQ_E_STORE_CORRUPT, -PMUQ_E_BAD_CALL, -PMUQ_E_MEMORY
 */
int pmuq_store_ingest(struct pmuq_store *store, struct pmuq_ingested *ret,
		      struct pmuq_error **reterr);

/** A delivery that could not be stored. */
struct pmuq_rejection {
	size_t size;
	struct pmuq_str host;  /**< of the agent */
	struct pmuq_str role;  /**< its role */
	struct pmuq_str error; /**< why */
	int64_t received_s;    /**< when it was handed in, seconds since 1970 */
	size_t bytes;	       /**< how much of the limit of its agent it takes */
};

/**
 * List the deliveries of the inbox that could not be stored, at most one for each host, by host.
 *
 * @param ret  free with pmuq_rejections_free(); it does not need the store afterwards
 * @return as pmuq_store_ingest()
 */
int pmuq_store_list_rejections(struct pmuq_store *store, struct pmuq_rejections **ret,
			       struct pmuq_error **reterr);
void pmuq_rejections_free(struct pmuq_rejections *rejections);
/** The rejected deliveries, by host. */
size_t pmuq_rejections_count(const struct pmuq_rejections *rejections);
const struct pmuq_rejection *pmuq_rejections_get(const struct pmuq_rejections *rejections,
						 size_t index);

/**
 * Remove the rejected delivery of a host from the inbox. The agent hands in its machine again.
 *
 * @param host  NULL: those of all hosts
 * @param ret   how many there were; may be NULL
 * @return 0, -PMUQ_E_UNKNOWN_HOST (the host has none), or as pmuq_store_ingest()
 */
int pmuq_store_drop_rejection(struct pmuq_store *store, const char *host, size_t *ret,
			      struct pmuq_error **reterr);

#ifdef __cplusplus
}
#endif
#endif
