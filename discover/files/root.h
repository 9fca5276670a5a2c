/* SPDX-License-Identifier: MIT */
/*
 * The directory that a machine is read from, and the only code that opens its files. Live, that is
 * "/", and the kernel is trusted. A captured tree is not: no path leads out of it, only regular
 * files are opened, nothing blocks, and no file is larger than PQ_FILE_MAX_BYTES. A tar is read
 * into memory, and answers from there as its tree would. What a capture could not read answers as
 * it did when it was captured.
 *
 * What is answered: 0, PQ_NONE (it is not there), or -PMUQ_E_UNREADABLE, -PMUQ_E_REFUSED_FILE or
 * -PMUQ_E_TOO_LARGE_FILE, with the errno behind it in root->errnum. No error object is made: what
 * cannot be read is a problem of the machine, not a failure of the call.
 *
 * -PMUQ_E_MEMORY and -PMUQ_E_TOO_MANY_FILES say nothing of the machine: this process lacks
 * something. That stays in root->lack until pq_root_check(), whoever looked at the answer:
 * until then nothing that was read may be taken for an answer, or remembered.
 */
#ifndef PQ_ROOT_H
#define PQ_ROOT_H

#include "core/catalog/model.h"
#include "core/error.h"
#include "discover/files/memory.h"

#define PQ_FILE_MAX_BYTES ((size_t)64 << 10)
/* Of /proc/cpuinfo: 8,192 CPUs of x86, and more of any other. */
#define PQ_CPUINFO_MAX_BYTES ((size_t)32 << 20)

/* A name in a directory. */
struct pq_entry {
	struct pmuq_str name; /* with a NUL behind it */
	enum pq_kind kind;
};

struct pq_entries {
	struct pq_entry *v;
	size_t n;
};

/* A directory that was entered. */
struct pq_handle {
	int fd;			/* -1 where all is in memory */
	struct pq_node *node;	/* in root->memory; NULL where that has nothing to say */
	struct pq_node *record; /* in root->record */
};
#define PQ_NO_HANDLE ((struct pq_handle){ .fd = -1 })
#define auto_handle cleanup(pq_handle_close)

static inline bool pq_handle_is_open(struct pq_handle handle)
{
	return handle.fd >= 0 || handle.node;
}

/* Fine on PQ_NO_HANDLE, which it is afterwards. */
void pq_handle_close(struct pq_handle *handle);

/* Facts that a capture's manifest tells, because no file of a tree could; "" where it does not. */
struct pq_told {
	struct pmuq_str extended_type, machine_id;
};

struct pq_root {
	struct pq_handle top;
	int errnum; /* of the last failure */
	int lack;   /* an errno, of what this process lacked since pq_root_check(); or 0 */
	bool is_live;
	bool is_memory;		 /* all is in memory, and nothing in files */
	bool has_openat2;	 /* until the kernel says otherwise */
	uint64_t *opens;	 /* counts what was opened to be read */
	struct pq_memory memory; /* of a tar, or the marks of a captured directory */
	struct pq_told told;	 /* lives in memory */
	/* What is read goes here, too, if that is not NULL: of handles that were entered since. */
	struct pq_memory *record;
	char *buf;
	size_t room;
	struct pq_entry *entries;
	size_t entries_room;
	struct pq_buf path;
};

/* `opens` must live as long as the root. */
/* 0, -PMUQ_E_NO_ROOT or -PMUQ_E_MEMORY. */
int pq_root_open_live(struct pq_root *root, uint64_t *opens, struct pmuq_error **reterr);
/* A directory or a tar; also as pq_tar_read() and pq_manifest_read(). */
int pq_root_open_tree(struct pq_root *root, const char *path, uint64_t *opens,
		      struct pmuq_error **reterr);
/* Fine on a root that was never opened, if it is zeroed and its top is PQ_NO_HANDLE. */
void pq_root_close(struct pq_root *root);

/* A directory by its path from the root. Symbolic links are followed, within the root. */
int pq_root_enter(struct pq_root *root, const char *path, struct pq_handle *ret);
/* A directory in `dir`; a symbolic link is followed on a live machine only if `follow` says so, and
 * never in a captured tree. */
int pq_root_enter_at(struct pq_root *root, struct pq_handle dir, const char *name, bool follow,
		     struct pq_handle *ret);

/* ENOMEM, EMFILE or ENFILE: remembers it, and returns its code. */
int pq_root_lack(struct pq_root *root, int errnum);
/* Forgets what was lacking: 0, -PMUQ_E_MEMORY or -PMUQ_E_TOO_MANY_FILES. */
int pq_root_check(struct pq_root *root, struct pmuq_error **reterr);

/* The text of a file, which lies in the root until the next call. */

/* By its path from the root, links followed within it; not more than `max_bytes`. */
int pq_root_read(struct pq_root *root, const char *path, size_t max_bytes, struct pmuq_str *ret);
/* What one read() gives of it: for files of /proc that cost by the byte. */
int pq_root_read_head(struct pq_root *root, const char *path, struct pmuq_str *ret);
/* A regular file that pq_root_list() has named. */
int pq_root_read_listed(struct pq_root *root, struct pq_handle dir, const char *name,
			struct pmuq_str *ret);
/* By a path from `dir` whose parts but the last are known to be directories. */
int pq_root_read_in(struct pq_root *root, struct pq_handle dir, const char *path,
		    struct pmuq_str *ret);
/* By a path from `dir` whose last part is no link; none of it is, in a captured tree. */
int pq_root_read_below(struct pq_root *root, struct pq_handle dir, const char *path,
		       struct pmuq_str *ret);

/* What the last part of the path is. Only for a path whose other parts are known to be directories:
 * they are followed. */
enum pq_kind pq_root_kind(struct pq_root *root, struct pq_handle dir, const char *path);

/* The names in a directory, in no order, without "." and "..". The names are taken from the arena,
 * the array lasts until the next call. */
int pq_root_list(struct pq_root *root, struct pq_handle dir, struct pq_arena *arena,
		 struct pq_entries *ret);

/* A short reason for a code that a root has given, static. */
const char *pq_root_why(int code, int errnum);

#endif
