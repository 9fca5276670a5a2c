/* SPDX-License-Identifier: MIT */
/*
 * What the readers of this directory share: where texts are copied to, where problems are noted,
 * and how a file in a PMU's directory is read. The walk (walk.c) reads everything and notes what it
 * cannot read; the lazy source (../lazy/) reads single files through the same functions, so that
 * both have the same results.
 *
 * Resource errors are stored until pq_reader_check(): missing memory in reader->failed, errors of
 * system calls in the root (../files/root.h).
 */
#pragma once

#include "core/catalog/catalog.h"
#include "discover/files/root.h"

#define PQ_DEVICES "sys/bus/event_source/devices"

struct pq_reader {
	struct pq_root *root;
	struct pq_arena *arena;	    /* texts and arrays are copied to it */
	struct pq_builder *builder; /* problems are noted in it; NULL drops them */
	bool failed;
};

/* Which directory of "devices/PMU/SUB" a handle is of. */
enum pq_dir_scope {
	PQ_SCOPE_DEVICES,
	PQ_SCOPE_PMU,
	PQ_SCOPE_LISTED, /* the last one; and its files were listed, so they are regular */
};

/* A directory of a PMU: its own, or one below it. It is known to be a directory, not a link. */
struct pq_dir {
	struct pq_handle at;
	enum pq_dir_scope scope;
	struct pmuq_str pmu, sub; /* sub: "", "format", "events", "caps" */
};

/* The path of a file in the directory of a handle; it lives until the next call. In a listed
 * directory it is name.p, which must end with a NUL. */
const char *pq_dir_path(struct pq_root *root, const struct pq_dir *dir, struct pmuq_str name);
/* The same from the directory of the PMUs; each part but the first may be empty. */
const char *pq_pmu_file(struct pq_root *root, struct pmuq_str pmu, struct pmuq_str sub,
			struct pmuq_str name);
/* As pq_root_read_at(); a failure is noted. PQ_NONE also if the directory cannot be entered. */
int pq_dir_read(struct pq_reader *reader, const struct pq_dir *dir, struct pmuq_str name,
		struct pmuq_str *ret);
/* Opens and lists the directory dir->sub of a PMU, as *ret. Returns only its regular files;
 * anything else in it is noted. After true the caller closes ret->at. The array of entries is the
 * root's, and lives until the next listing. */
bool pq_dir_list(struct pq_reader *reader, const struct pq_dir *dir, struct pq_dir *ret,
		 struct pq_entries *ret_entries);

/* Notes that the content of a file is wrong. */
void pq_reader_note_file(struct pq_reader *reader, const struct pq_dir *dir, struct pmuq_str name,
			 enum pmuq_code code, const char *message);
/* The same for a file that is not in a directory of a PMU. */
void pq_reader_note_bad(struct pq_reader *reader, const char *path, const char *message);
/* Notes the failure r of the root's last call, if it is one; PQ_NONE is not. */
void pq_reader_note_failure(struct pq_reader *reader, const char *path, int r);
/* The same for a file or, with name "", for the directory. */
void pq_reader_note_unreadable(struct pq_reader *reader, const struct pq_dir *dir,
			       struct pmuq_str name, int r);

/* The content of a file without what the kernel adds: up to the first NUL, without newlines at the
 * end. */
struct pmuq_str pq_content_text(struct pmuq_str raw);
/* Its first line, trimmed. */
struct pmuq_str pq_content_line(struct pmuq_str raw);

/* True after a resource error: nothing that was read since the last check may be stored. */
static inline bool pq_reader_has_failed(const struct pq_reader *reader)
{
	return reader->failed || reader->root->resource_errnum;
}

/* Forgets the resource errors of the reader and of its root, and returns them as a failure, or 0.
 */
int pq_reader_check(struct pq_reader *reader, struct pmuq_error **reterr);
/* A copy in the reader's arena; on failure "" and reader->failed. */
struct pmuq_str pq_reader_copy(struct pq_reader *reader, struct pmuq_str text);
/* Zeroed, at least one element; on failure NULL and reader->failed. */
void *pq_reader_array(struct pq_reader *reader, size_t n, size_t each_bytes);

/* walk.c: a whole machine as a catalog. `devices` is the open directory PQ_DEVICES. These return 0,
 * a resource error, or the results named below. */

int pq_walk(struct pq_root *root, struct pq_handle devices, enum pq_part part,
	    struct pmuq_catalog **ret, struct pmuq_error **reterr);
/* The directory of a PMU that was listed with that file type; PQ_NONE if it is not a directory. */
int pq_walk_enter(struct pq_root *root, struct pq_handle devices, struct pmuq_str name,
		  enum pq_file_type type, struct pq_handle *ret_at);
/* All names in `devices`, in the arena. A failure has an error object. */
int pq_walk_list(struct pq_root *root, struct pq_handle devices, struct pq_arena *arena,
		 struct pq_entries *ret, struct pmuq_error **reterr);
