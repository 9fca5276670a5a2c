/* SPDX-License-Identifier: MIT */
/* A machine that is read as it is asked. What it has answered it never reads again. */
#ifndef PQ_LAZY_H
#define PQ_LAZY_H

#include "core/sha256.h"
#include "discover/lazy/lazy_cache.h"
#include "discover/read/host.h"

/* Directories of a PMU. */
enum pq_sub {
	PQ_SUB_OWN,
	PQ_SUB_FORMAT,
	PQ_SUB_EVENTS,
	PQ_SUB_CAPS,
};

struct pq_lazy_pmu {
	struct pmuq_pmu pmu; /* first: callers see this, as const */
	struct pq_lazy_pmu *self;
	const struct pq_names *event_names;
	enum pq_kind kind;
	bool is_filled, is_loaded;
	bool knows_alias;
	bool knows_cpus_file, has_cpus_file; /* and so is_core */
	uint8_t knows_subs, has_subs;	     /* a bit for each of enum pq_sub */
};

/* A PMU that callers see as const, for the source, which reads more of it when it is asked. */
static inline struct pq_lazy_pmu *pq_lazy_of_pmu(const struct pmuq_pmu *pmu)
{
	return ((const struct pq_lazy_pmu *)pmu)->self;
}

struct pq_lazy {
	struct pmuq_source source; /* first */
	struct pq_root root;
	struct pq_arena arena;
	struct pq_reader reader;
	struct pq_cache cache;
	struct pq_host host;
	struct pmuq_str facts[PQ_FACT_COUNT];
	bool knows_fact[PQ_FACT_COUNT];
	struct pq_handle devices;

	/* In a captured tree a PMU may be a link: the one that was followed last stays open. */
	struct pq_handle link;
	const struct pq_lazy_pmu *link_of;

	struct pq_pmu_list found;     /* as they were listed */
	struct pq_pmu_list all, core; /* in order */
	bool is_listed, is_ordered, knows_core, knows_aliases;
	const struct pq_names *last_names; /* those of the PMU that was asked last */

	struct pq_handle tracefs;
	bool knows_tracefs;

	/* refresh.c */
	struct pq_lazy_past *past;
	uint8_t print[PQ_SHA256_BYTES]; /* of the machine when it was last looked at */
	bool has_print;
};

extern const struct pq_lookup_ops pq_lazy_ops;

/* With nothing learnt yet; what it knew before is not freed. */
void pq_lazy_begin(struct pq_lazy *lazy);

/* refresh.c: as pmuq_source_refresh(). */
int pq_lazy_refresh(struct pmuq_source *source, bool *ret_changed, struct pmuq_error **reterr);
void pq_lazy_free_past(struct pq_lazy *lazy);

/* All answer as struct pq_lookup_ops does. */

/* lazy_pmu.c: one PMU. */
int pq_lazy_fill(void *self, const struct pmuq_pmu *pmu, struct pmuq_error **reterr);
int pq_lazy_load(void *self, const struct pmuq_pmu *pmu, struct pmuq_error **reterr);
int pq_lazy_format(void *self, const struct pmuq_pmu *pmu, struct pmuq_str name,
		   const struct pmuq_format **ret, struct pmuq_error **reterr);
int pq_lazy_event(void *self, const struct pmuq_pmu *pmu, struct pmuq_str name,
		  const struct pmuq_event **ret, struct pmuq_error **reterr);
int pq_lazy_cap(void *self, const struct pmuq_pmu *pmu, struct pmuq_str name, struct pmuq_str *ret,
		struct pmuq_error **reterr);
/* Where the files of one of the PMU's directories are. PQ_NONE when the PMU is gone, or (in a
 * captured tree) that is no directory. */
int pq_lazy_dir(struct pq_lazy *lazy, struct pq_lazy_pmu *pmu, enum pq_sub sub, struct pq_dir *ret);
enum pq_kind pq_lazy_kind(struct pq_lazy *lazy, struct pq_lazy_pmu *pmu, enum pq_sub sub,
			  struct pmuq_str name);
bool pq_lazy_has_sub(struct pq_lazy *lazy, struct pq_lazy_pmu *pmu, enum pq_sub sub);
/* Finds out pmu.is_core. */
void pq_lazy_ask_core(struct pq_lazy *lazy, struct pq_lazy_pmu *pmu);
/* Whether event() would find one, without opening it. */
bool pq_lazy_has_event(struct pq_lazy *lazy, struct pq_lazy_pmu *pmu, struct pmuq_str name);
int pq_lazy_read_alias(struct pq_lazy *lazy, struct pq_lazy_pmu *pmu, struct pmuq_error **reterr);

/* lazy_names.c */
int pq_lazy_event_names(void *self, const struct pmuq_pmu *pmu, struct pq_names *ret,
			struct pmuq_error **reterr);

/* lazy_host.c: facts and tracepoints. */
int pq_lazy_fact(void *self, enum pq_class_fact fact, struct pmuq_str *ret,
		 struct pmuq_error **reterr);
const char *pq_lazy_find_fact(struct pmuq_source *source, struct pmuq_str name);
int pq_lazy_tracepoint(void *self, struct pmuq_str subsystem, struct pmuq_str name,
		       uint64_t *ret_id, struct pmuq_error **reterr);
int pq_lazy_list_tracepoints(void *self, struct pq_arena *arena, struct pmuq_str subsystems,
			     struct pmuq_str names, struct pq_tracepoint_list *ret,
			     struct pmuq_error **reterr);

/* source.c: where a source's files are; NULL of one that is not of this room. */
struct pq_root *pq_lazy_root(struct pmuq_source *source);

/* As pq_reader_check(): every question ends so. */
int pq_lazy_check(struct pq_lazy *lazy, struct pmuq_error **reterr);

#endif
