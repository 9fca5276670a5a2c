/* SPDX-License-Identifier: MIT */
/*
 * The directory from which a machine is read, and the only code that opens its files. For the live
 * machine it is "/", and the kernel is trusted. A captured tree is not trusted: no path leaves it,
 * only regular files are opened, nothing blocks, and no file is larger than PQ_FILE_MAX_BYTES. A
 * tar is read into memory and gives the same results as its tree. A file that could not be read
 * when the machine was captured gives the same failure again.
 *
 * Functions without `reterr` return 0, PQ_NONE (the file does not exist), or -PMUQ_E_UNREADABLE,
 * -PMUQ_E_REFUSED_FILE or -PMUQ_E_TOO_LARGE_FILE, with the errno in root->errnum. They make no
 * error object, because a file that cannot be read is a problem of the machine, not a failure of
 * the call.
 *
 * They also return resource errors, -PMUQ_E_MEMORY and -PMUQ_E_TOO_MANY_FILES, which are not facts
 * about the machine. root->resource_errnum keeps such an error until pq_root_check(). Until then,
 * data that was read may not be used as a result or stored.
 */
#pragma once

#include "core/catalog/fact.h"
#include "core/catalog/model.h"
#include "core/error.h"
#include "core/limits.h"
#include "core/vec.h"
#include "discover/files/memory.h"

/* A name in a directory. */
struct pq_entry {
	struct pmuq_str name; /* NUL-terminated */
	uint64_t inode;	      /* 0 if all files are in memory */
	enum pq_file_type type;
};

struct pq_entries {
	PQ_VEC(struct pq_entry);
};

/* An open directory. */
struct pq_handle {
	int fd;			 /* -1 if all files are in memory */
	struct pq_inode *node;	 /* in root->memory; NULL if it has no such directory */
	struct pq_inode *record; /* in root->record; NULL: nothing is recorded through it */
};
#define PQ_NO_HANDLE ((struct pq_handle){ .fd = -1 })
#define auto_handle cleanup(pq_handle_close)

static inline bool pq_handle_is_open(struct pq_handle handle)
{
	return handle.fd >= 0 || handle.node;
}

/* Closes it and makes it PQ_NO_HANDLE, which it may be already. */
void pq_handle_close(struct pq_handle *handle);

struct pq_root {
	struct pq_handle top;
	int errnum;	     /* of the last failure */
	int resource_errnum; /* of a resource error since pq_root_check(), or 0 */
	bool is_live;
	bool is_sysfs;		 /* the top is a captured sys/, and there is no proc/ */
	bool is_memory;		 /* all files are in memory */
	bool has_openat2;	 /* until the kernel refuses it */
	uint64_t *opens;	 /* number of files and directories that were opened */
	struct pq_memory memory; /* of a tar, or the marks of a captured directory */
	/* Facts of a captured machine that no file of its tree contains (pq_manifest_fact()); empty
	 * if the manifest does not contain them either. They live in memory. */
	struct pmuq_str manifest[PQ_FACT_COUNT];
	/* If not NULL, what is read through handles that are opened from now on is copied to it. */
	struct pq_memory *record;
	char *buf;	 /* what was read last */
	size_t capacity; /* of buf: PQ_FILE_MAX_BYTES + 1 or more, to see that a file is longer */
	struct pq_entries entries; /* what was listed last */
	struct pq_buf path;	   /* of pq_dir_path(), until its next call */
};

/* `opens` must live as long as the root. 0, -PMUQ_E_NO_ROOT or -PMUQ_E_MEMORY. */
int pq_root_open_live(struct pq_root *root, uint64_t *opens, struct pmuq_error **reterr);
/* A directory or a tar; the failures of pq_tar_read() and pq_manifest_read() as well. */
int pq_root_open_tree(struct pq_root *root, const char *path, uint64_t *opens,
		      struct pmuq_error **reterr);
/* A directory that is a captured sys/. Paths begin with "sys/" all the same. */
int pq_root_open_sysfs(struct pq_root *root, const char *path, uint64_t *opens,
		       struct pmuq_error **reterr);
/* The same directory for another thread, while this root is open and reads no tar and records
 * nothing. `opens` counts what it opens. 0 or -PMUQ_E_MEMORY. */
int pq_root_share(const struct pq_root *root, struct pq_root *ret, uint64_t *opens,
		  struct pmuq_error **reterr);
void pq_root_unshare(struct pq_root *root);
/* Also of a root that was never opened, if it is zeroed and its top is PQ_NO_HANDLE. */
void pq_root_close(struct pq_root *root);

/* Remembers a resource error (ENOMEM, EMFILE or ENFILE) and returns its code. */
int pq_root_resource_error(struct pq_root *root, int errnum);
/* Forgets the resource error: 0, -PMUQ_E_MEMORY or -PMUQ_E_TOO_MANY_FILES. */
int pq_root_check(struct pq_root *root, struct pmuq_error **reterr);

/* Opens a directory: by its path from the root, or from a directory of a live machine, following
 * symbolic links (PQ_WITHIN_ROOT); or by its path in any directory, if it is not a link, and in a
 * captured tree no part of the path is. The caller closes *ret, which is unchanged after a
 * failure. */
int pq_root_enter(struct pq_root *root, struct pq_handle dir, const char *path,
		  enum pq_within within, struct pq_handle *ret);

/* The content of a file lives in the root until the next call that reads. */

/* By its path from the root; follows symbolic links, within the root. */
int pq_root_read(struct pq_root *root, const char *path, size_t max_bytes, struct pmuq_str *ret);
/* What one read(2) returns, at most PQ_FILE_MAX_BYTES + 1: for files of /proc that take the kernel
 * time for each byte. */
int pq_root_read_head(struct pq_root *root, const char *path, struct pmuq_str *ret);

/* What is known about a path from a directory; the more is known, the less is checked. */
enum pq_known_path {
	PQ_PATH_LISTED, /* a name of a regular file that pq_root_list() has returned */
	PQ_PATH_IN_DIR, /* all parts but the last are known to be directories */
	PQ_PATH_BELOW,	/* nothing; no part may be a symbolic link in a captured tree */
	PQ_PATH_ANY,	/* nothing; links are followed: for pq_root_read() */
};
int pq_root_read_at(struct pq_root *root, struct pq_handle dir, const char *path,
		    enum pq_known_path known, struct pmuq_str *ret);

/* Whether the directory is in sysfs, where a new entry of the same name has another inode. */
bool pq_root_is_sysfs(const struct pq_root *root, struct pq_handle dir);

/* The type of the last part of a path, which is not followed. The other parts are followed, and so
 * must be known to be directories. PQ_FILE_NONE also after a failure, even a resource error. */
enum pq_file_type pq_root_file_type(struct pq_root *root, struct pq_handle dir, const char *path);

/* The names in a directory, in any order, without "." and "..". -PMUQ_E_TOO_LARGE_FILE if there are
 * more than PQ_DIR_FILES_MAX. The names are taken from the arena;
 * the array lives until the next call. */
int pq_root_list(struct pq_root *root, struct pq_handle dir, struct pq_arena *arena,
		 struct pq_entries *ret);
/* Copies that array to the arena. False if out of memory. */
bool pq_entries_copy(struct pq_arena *arena, struct pq_entries *entries);

/* Fails as a directory with more than PQ_DIR_FILES_MAX entries does. */
int pq_root_large_dir(struct pq_root *root);

/* Why a link of a captured tree is not followed. */
#define PQ_LINK_LEADS_OUT "a symbolic link that leads out of the tree, or to no directory in it"
/* A short static text for a failure of a root. */
const char *pq_root_reason(int code, int errnum);
