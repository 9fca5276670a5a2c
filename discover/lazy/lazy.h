/* SPDX-License-Identifier: MIT */
/*
 * A machine that is read only as far as queries need it. Nothing is read twice.
 *
 * A query never stores a result that a resource error could have changed: it sets is_…, or adds to
 * the cache, only if pq_reader_has_failed() is false, so the next query tries again. All results
 * live in the arena until the source is freed, also those from before a refresh.
 */
#pragma once

#include "core/catalog/source.h"
#include "core/sha256.h"
#include "discover/cache.h"
#include "discover/read/file_reader.h"
#include "discover/read/host_facts.h"

/* Subdirectories of a PMU; PQ_SUBDIR_NONE is its own directory. */
enum pq_subdir {
	PQ_SUBDIR_NONE,
	PQ_SUBDIR_FORMAT,
	PQ_SUBDIR_EVENTS,
	PQ_SUBDIR_CAPS,
};

/*
 * A PMU that is filled step by step. Others see only `pmu`, which is const to them; through `self`
 * the source that owns it gets the object that it may change.
 */
struct pq_lazy_pmu {
	struct pmuq_pmu pmu; /* first */
	struct pq_lazy_pmu *self;
	const struct pq_names *event_names; /* NULL: not listed yet */
	enum pq_file_type file_type;	    /* of its directory: a directory or a symbolic link */
	/* What was read: type and CPUs; formats, events and caps; the alias, which may be empty. */
	bool is_filled, is_loaded, has_alias;
	bool is_core_known, has_cpus_file; /* the second is valid if the first is set */
	uint8_t checked_subdirs, subdirs;  /* a bit for each of enum pq_subdir */
};

static inline struct pq_lazy_pmu *pq_lazy_pmu_of(const struct pmuq_pmu *pmu)
{
	return ((const struct pq_lazy_pmu *)pmu)->self;
}

/* A PMU of the directory. Of most no query needs more than whether it has an event. */
struct pq_lazy_entry {
	struct pmuq_str name;
	struct pq_lazy_pmu *pmu; /* NULL: not needed yet */
	enum pq_file_type type;
	bool is_checked, has_events; /* the second is valid if the first is set */
};

struct pq_lazy_entries {
	struct pq_lazy_entry *v;
	size_t n;
};

struct pq_lazy {
	struct pmuq_source source; /* first */
	struct pq_root root;
	struct pq_arena arena;
	struct pq_reader reader;
	struct pq_cache cache;
	struct pq_host_reader host;
	struct pmuq_str facts[PQ_FACT_COUNT]; /* valid if is_fact_read; "": not known */
	bool is_fact_read[PQ_FACT_COUNT];
	struct pq_handle devices; /* the directory PQ_DEVICES */

	/* In a captured tree a PMU may be a symbolic link: the one that was followed last is open.
	 */
	struct pq_handle link;
	const struct pq_lazy_pmu *link_of;

	struct pq_lazy_entries found;  /* in the order of the directory */
	struct pq_pmu_list ordered[2]; /* sorted: all PMUs, and the core PMUs */
	/* Whether these lists are valid, and the aliases of all PMUs in the cache. */
	bool is_listed, is_ordered[2], are_aliases_read;
	const struct pq_names *last_names; /* event names of the PMU that was queried last */
	size_t n_searched;		   /* names that were searched for in all PMUs */

	struct pq_handle tracefs;
	bool is_tracefs_open;

	/* refresh.c */
	struct pq_lazy_past *past;
	uint8_t fingerprint[PQ_SHA256_BYTES]; /* of the machine at the last refresh */
	bool has_fingerprint;
	/* A new PMU of the same name has another inode, so a refresh reads no file of a PMU. */
	bool trusts_inodes;
};

extern const struct pq_lookup_ops pq_lazy_ops;

/* Empties it without freeing its memory, which the caller has kept (refresh.c) or not allocated
 * yet. The root and `devices` stay open. */
void pq_lazy_reset(struct pq_lazy *lazy);
/* Like pq_reader_check(): every query ends with it. */
int pq_lazy_check(struct pq_lazy *lazy, struct pmuq_error **reterr);
/* open_source.c: the root of a source; NULL if the source has no files. */
struct pq_root *pq_lazy_root(struct pmuq_source *source);

/* refresh.c: as pmuq_source_refresh(). The first call always finds a change, since there is no
 * fingerprint before it; a tar never changes. */
int pq_lazy_refresh(struct pmuq_source *source, bool *ret_changed, struct pmuq_error **reterr);
void pq_lazy_free_past(struct pq_lazy *lazy);

/* Functions that have `self` are those of struct pq_lookup_ops: they return 0, PQ_NONE if the
 * object does not exist, or resource errors. Filling and loading fail with -PMUQ_E_STALE_SOURCE if
 * the PMU is gone, and listing PMUs if their directory is gone. */

/* lazy_pmu.c: one PMU. */
int pq_lazy_fill(void *self, const struct pmuq_pmu *pmu, struct pmuq_error **reterr);
int pq_lazy_load(void *self, const struct pmuq_pmu *pmu, struct pmuq_error **reterr);
int pq_lazy_format(void *self, const struct pmuq_pmu *pmu, struct pmuq_str name,
		   const struct pmuq_format **ret, struct pmuq_error **reterr);
int pq_lazy_event(void *self, const struct pmuq_pmu *pmu, struct pmuq_str name,
		  const struct pmuq_event **ret, struct pmuq_error **reterr);
int pq_lazy_cap(void *self, const struct pmuq_pmu *pmu, struct pmuq_str name, struct pmuq_str *ret,
		struct pmuq_error **reterr);
/* Where that directory is, for files in it. PQ_NONE if the PMU is gone, or if that directory of a
 * captured tree is not one; on a live machine the kernel finds that out. */
int pq_lazy_find_dir(struct pq_lazy *lazy, struct pq_lazy_pmu *pmu, enum pq_subdir subdir,
		     struct pq_dir *ret);
/* Whether the PMU has that directory; valid if pq_reader_has_failed() is false after it. */
bool pq_lazy_has_subdir(struct pq_lazy *lazy, struct pq_lazy_pmu *pmu, enum pq_subdir subdir);
void pq_lazy_set_subdir(struct pq_lazy_pmu *pmu, enum pq_subdir subdir, bool exists);
/* Whether a PMU of that type is a symbolic link of a captured tree. */
bool pq_lazy_is_followed(const struct pq_lazy *lazy, enum pq_file_type type);
/* Sets pmu.is_core, by the name and whether there is a file `cpus`. */
void pq_lazy_find_core(struct pq_lazy *lazy, struct pq_lazy_pmu *pmu);
/* The files that an event of that name may have. The object must not be moved. */
struct pq_event_files {
	char capacity[2 * PQ_NAME_MAX_BYTES];
	struct pmuq_str v[3];
	size_t n;
};
void pq_lazy_find_files(struct pmuq_str name, struct pq_event_files *ret);
/* Whether pq_lazy_event() would find it, without opening it. */
bool pq_lazy_has_event(struct pq_lazy *lazy, struct pq_lazy_pmu *pmu,
		       const struct pq_event_files *files);
/* The type of its directory `events`, or of a file in it, by the name of a PMU alone: not of a link
 * that is followed. */
enum pq_file_type pq_lazy_events_type(struct pq_lazy *lazy, struct pmuq_str pmu,
				      struct pmuq_str name);
int pq_lazy_read_alias(struct pq_lazy *lazy, struct pq_lazy_pmu *pmu, struct pmuq_error **reterr);

/* lazy_names.c: the names live as long as the source. */
int pq_lazy_event_names(void *self, const struct pmuq_pmu *pmu, struct pq_names *ret,
			struct pmuq_error **reterr);

/* lazy_host.c: facts and tracepoints. The list of tracepoints is in the caller's arena, its
 * elements are in the source's. */
int pq_lazy_fact(void *self, enum pq_class_fact fact, struct pmuq_str *ret,
		 struct pmuq_error **reterr);
int pq_lazy_find_fact(struct pmuq_source *source, const char *name, const char **ret,
		      struct pmuq_error **reterr);
int pq_lazy_tracepoint(void *self, struct pmuq_str subsystem, struct pmuq_str name,
		       uint64_t *ret_id, struct pmuq_error **reterr);
int pq_lazy_list_tracepoints(void *self, struct pq_arena *arena, struct pmuq_str subsystems,
			     struct pmuq_str names, struct pq_tracepoint_list *ret,
			     struct pmuq_error **reterr);
