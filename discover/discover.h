/* SPDX-License-Identifier: MIT */
/*
 * The door between the files of this room: how one file, one PMU, the tracepoints are read. The
 * walk (walk.c) reads everything and notes what could not be read; the lazy source (lazy.c) reads
 * single files through the same functions, which is why the two agree.
 *
 * What this process lacked is remembered, memory in reader->failed, and what a system call told in
 * the root (root.h): to be looked at once, by pq_reader_check().
 */
#ifndef PQ_DISCOVER_H
#define PQ_DISCOVER_H

#include "core/catalog/source.h"
#include "discover/files/root.h"

#define PQ_DEVICES "sys/bus/event_source/devices"

struct pq_reader {
	struct pq_root *root;
	struct pq_arena *arena;	    /* texts and arrays go here */
	struct pq_builder *builder; /* problems go here; NULL drops them */
	bool failed;
};

/* How much of "devices/PMU/SUB" the handle of a directory stands for already. */
enum pq_place {
	PQ_AT_DEVICES,
	PQ_AT_PMU,
	PQ_AT_LISTED, /* all; and its files have been listed, so they are regular */
};

/* A directory of a PMU: its own, or one below it. That it is one, and no link, is known. */
struct pq_dir {
	struct pq_handle at;
	enum pq_place place;
	struct pmuq_str pmu, sub; /* sub: "", "format", "events", "caps" */
};

/* Whether a name can be a file's: what the user wrote must not become a path. */
bool pq_name_is_file(struct pmuq_str name);
/* The path of a file in the directory, from its handle; lives until the next call. */
const char *pq_dir_path(struct pq_root *root, const struct pq_dir *dir, struct pmuq_str name);
/* As pq_root_read_listed() or pq_root_read_in(); a failure is noted. */
int pq_dir_read(struct pq_reader *reader, const struct pq_dir *dir, struct pmuq_str name,
		struct pmuq_str *ret);
/* Opens and lists PMU/sub. Only the regular files of it are put out; what else is there is noted.
 */
bool pq_dir_list(struct pq_reader *reader, struct pq_handle pmu_at, struct pmuq_str pmu,
		 const char *sub, struct pq_dir *ret, struct pq_entries *ret_entries);

/* Problems. An errno of 0 is none. */
void pq_note(struct pq_reader *reader, const char *path, enum pmuq_code code, int errnum,
	     const char *message);
void pq_note_file(struct pq_reader *reader, const struct pq_dir *dir, struct pmuq_str name,
		  enum pmuq_code code, int errnum, const char *message);
/* A failure that the root has just answered; PQ_NONE is none. */
void pq_note_failure(struct pq_reader *reader, const char *path, int r);

/* What the kernel meant: up to the first NUL, without the newlines at the end. */
struct pmuq_str pq_text_clean(struct pmuq_str raw);
/* Its first line, trimmed. */
struct pmuq_str pq_text_line(struct pmuq_str raw);
/* Whether something was lacking: what was read since the last check must not be remembered. */
bool pq_reader_lacks(const struct pq_reader *reader);
/* 0, or that as a failure, which is forgotten then; the root's, too. */
int pq_reader_check(struct pq_reader *reader, struct pmuq_error **reterr);
/* A copy in the reader's arena; on failure an empty text and reader->failed. */
struct pmuq_str pq_reader_copy(struct pq_reader *reader, struct pmuq_str text);
/* Zeroed, at least one element; NULL and reader->failed on failure. */
void *pq_reader_array(struct pq_reader *reader, size_t n, size_t each_bytes);

/* pmu.c: the files type, cpumask, cpus, alias. `dir` is the PMU's own. What reading the type gave,
 * as pq_dir_read(), is returned. */
int pq_pmu_read_type(struct pq_reader *reader, const struct pq_dir *dir,
		     struct pq_pmu_draft *draft);
struct pmuq_str pq_pmu_read_line(struct pq_reader *reader, const struct pq_dir *dir,
				 struct pmuq_str file);
/* All that its directory holds, but for those four. */
void pq_pmu_read_rest(struct pq_reader *reader, struct pq_handle at, struct pq_pmu_draft *draft);
/* All. */
void pq_pmu_read(struct pq_reader *reader, struct pq_handle at, struct pq_pmu_draft *draft);

/* One file each, false when there is none; and a whole directory. */
bool pq_format_read(struct pq_reader *reader, const struct pq_dir *dir, struct pmuq_str name,
		    struct pmuq_format *ret);
void pq_formats_read(struct pq_reader *reader, struct pq_handle at, struct pq_pmu_draft *draft);
bool pq_cap_read(struct pq_reader *reader, const struct pq_dir *dir, struct pmuq_str name,
		 struct pq_pair *ret);
void pq_caps_read(struct pq_reader *reader, struct pq_handle at, struct pq_pmu_draft *draft);

/* Companions of an event, as bits. */
enum {
	PQ_HAS_UNIT = 1 << 0,
	PQ_HAS_SCALE = 1 << 1,
	PQ_HAS_PER_PKG = 1 << 2,
	PQ_HAS_SNAPSHOT = 1 << 3,
	PQ_HAS_ANY = 15, /* unknown: look for each */
};
bool pq_event_read(struct pq_reader *reader, const struct pq_dir *dir, struct pmuq_str name,
		   unsigned companions, struct pmuq_event *ret);
void pq_events_read(struct pq_reader *reader, struct pq_handle at, struct pq_pmu_draft *draft);

/* tracefs.c: the directory of the tracepoints, PQ_NO_HANDLE where there is none that can be read.
 */
struct pq_handle pq_tracefs_open(struct pq_reader *reader);
/* The id of one, 0 or PQ_NONE; names that are no files' are PQ_NONE. */
int pq_tracefs_read_id(struct pq_reader *reader, struct pq_handle at, struct pmuq_str subsystem,
		       struct pmuq_str name, uint64_t *ret);
/* The directories in the directory (subsystem "") or in a subsystem, sorted. */
struct pq_entries pq_tracefs_list(struct pq_reader *reader, struct pq_handle at,
				  struct pmuq_str subsystem);
int pq_tracefs_walk(struct pq_reader *reader, struct pmuq_error **reterr);

/* probe.c: whether the running kernel takes a generic event with the type of each of these PMUs in
 * the upper half of config. */
bool pq_probe_extended_type(struct pq_root *root, const uint32_t *types, size_t n);

/* walk.c. `devices` is the open directory PQ_DEVICES. */
/* That the PMUs cannot be listed, for what the root answered; any other failure of it, too. */
int pq_walk_fail(struct pq_root *root, int r, struct pmuq_error **reterr);
int pq_walk(struct pq_root *root, struct pq_handle devices, struct pmuq_catalog **ret,
	    struct pmuq_error **reterr);
/* The directory of a PMU that was listed as `kind`; PQ_NONE when there is none behind the name. */
int pq_walk_enter(struct pq_root *root, struct pq_handle devices, struct pmuq_str name,
		  enum pq_kind kind, struct pq_handle *ret_at);

#endif
