/* SPDX-License-Identifier: MIT */
/*
 * An import of a vendor's tables, in one transaction. The walker of a layout (the kernel's, Intel's
 * repository, Arm's telemetry-solution, libpfm4) first plans the steps, a folder each. A step
 * gathers the events of its folder as drafts, finishes the list, and saves it. Order:
 * pq_vendor_find_layout() before the transaction; in it pq_vendor_save_import(), the plan, the
 * steps, the end. A folder is saved before its CPUs, which refer to it.
 */
#pragma once

#include "core/buf.h"
#include "core/catalog/model.h"
#include "core/vec.h"
#include "vendor/import/vendor_event.h"
#include "vendor/import/vendor_mapfile.h"

/* The directory in Arm's telemetry-solution. */
#define PQ_VENDOR_TELEMETRY_DIR STR("data/pmu/cpu")

/* Part of the work. The texts are in the arena of the import. */
struct pq_vendor_step {
	struct pmuq_str path; /* of the directory or file, or a PMU of libpfm4; a NUL follows it */
	void *of;	      /* what the walker knows of it */
};

struct pq_vendor_import {
	struct pmuq_store *store;
	struct pq_vendor_tree tree;
	struct pmuq_pfm *pfm;  /* of the layout PQ_VENDOR_LIBPFM4 */
	struct pq_arena arena; /* for names, until the import ends */
	enum pq_vendor_layout layout;
	struct pmuq_str name;
	struct pmuq_str library;	  /* of libpfm4: vendor_library.h */
	int64_t time_s;			  /* since 1970 */
	struct pmuq_vendors *result;	  /* the import as it is listed */
	bool is_one_arch;		  /* the tree is one architecture of the kernel's */
	struct pq_vendor_mapfile mapfile; /* of a perfmon tree, or of one architecture */
	struct pq_vendor_entries entries; /* of the root of any other tree, or of Arm's directory */
	PQ_VEC(struct pq_vendor_step) steps; /* in the arena */
	size_t n_done;			     /* of the steps */
	void *walk;			     /* what the walker keeps between steps, in the arena */
	int64_t id;			     /* in the store */
	size_t n_folders, n_cpus, n_problems;
};

/* The content of one folder. */
struct pq_vendor_drafts {
	PQ_VEC(struct pq_vendor_draft); /* of events, metrics, or both */
	PQ_VEC(struct pq_vendor_counters) counters;
	PQ_VEC(struct pq_vendor_table_file) files; /* their paths start at the tree */
	PQ_VEC(struct pq_vendor_group) groups;
	struct pmuq_str sysfs; /* of libpfm4: the PMU; .p NULL: none */
	struct pq_arena arena;
};

/* ---- walkers */

/* Determines the layout of the tree, and reads the files at its root. Errors stick in the tree. */
void pq_vendor_find_layout(struct pq_vendor_import *import);

/* Of a layout. Errors stick in the tree. */
struct pq_vendor_walker {
	void (*plan)(struct pq_vendor_import *import);
	void (*step)(struct pq_vendor_import *import, const struct pq_vendor_step *step);
	void (*finish)(struct pq_vendor_import *import); /* after the last step; may be NULL */
	void (*free)(struct pq_vendor_import *import);	 /* also after an error; may be NULL */
};
extern const struct pq_vendor_walker pq_vendor_tree_walker, pq_vendor_perfmon_walker,
	pq_vendor_telemetry_walker, pq_vendor_pfm_walker;
/* For plan(). Copies the path. */
void pq_vendor_add_step(struct pq_vendor_import *import, struct pmuq_str path, void *of);

/* ---- drafts of a folder */

/* The drafts and their texts live until the end. */
void pq_vendor_drafts_begin(struct pq_vendor_drafts *drafts);
void pq_vendor_drafts_end(struct pq_vendor_drafts *drafts);
/* Sorts the drafts and drops those that are equal. */
void pq_vendor_drafts_finish(struct pq_vendor_import *import, struct pq_vendor_drafts *drafts);

/* A file of events or metrics, and what they have in common. */
struct pq_vendor_source {
	struct pmuq_str path, topic;
	struct pmuq_str core_pmu; /* of events that name no unit */
	const struct pq_vendor_standards *standards;
};
/* Adds the events of a file. An event that cannot be encoded is saved as a problem. False if there
 * is no such file, and after an error. */
bool pq_vendor_gather(struct pq_vendor_import *import, const struct pq_vendor_source *source,
		      struct pq_vendor_drafts *drafts);
/* A file that has been read, whose drafts are added next. */
void pq_vendor_begin_file(struct pq_vendor_import *import, const struct pq_vendor_file *read,
			  struct pq_vendor_drafts *drafts);
/* A converter of the objects of that source into the draft. */
struct pq_vendor_converter pq_vendor_converter(const struct pq_vendor_import *import,
					       const struct pq_vendor_source *source,
					       const struct pq_vendor_elements *at,
					       struct pq_vendor_draft *draft,
					       struct pq_vendor_drafts *drafts);
void pq_vendor_add_draft(struct pq_vendor_import *import, const struct pq_vendor_draft *draft,
			 struct pq_vendor_drafts *drafts);
/* Adds what a group is for. The texts must live as long as the drafts. */
void pq_vendor_add_group(struct pq_vendor_import *import, const struct pq_vendor_group *group,
			 struct pq_vendor_drafts *drafts);
/* Sorts them; of two descriptions of a group one counts. */
void pq_vendor_groups_finish(struct pq_vendor_drafts *drafts);
/* Adds the groups of a file of the kernel's, {"NAME": "DESCRIPTION", …}. False if there is no such
 * file, and after an error. */
bool pq_vendor_gather_groups(struct pq_vendor_import *import, struct pmuq_str path,
			     struct pq_vendor_drafts *drafts);

/* A core of Arm in one of its revisions. */
struct pq_vendor_core {
	uint64_t midr; /* of its revision r0p0 */
	uint64_t revision;
	struct pmuq_str version; /* of its file */
	int64_t folder;
	size_t file; /* its position among the files */
};
/* Adds the events and metrics of a file of Arm's that has been read. False if it is of no core,
 * which is saved as a problem, and after an error. */
bool pq_vendor_take_core(struct pq_vendor_import *import, const struct pq_vendor_source *source,
			 const struct pq_vendor_file *read, struct pq_vendor_drafts *drafts,
			 struct pq_vendor_core *ret);

/* ---- into the store */

/* Adds the row of the import, and sets import->id. `layout` is the word for it in the store. */
void pq_vendor_save_import(struct pq_vendor_import *import, struct pmuq_str layout);
/* Sorts the drafts, and stores them without those that are equal; fails if two have one name and
 * other terms. Returns the position of the folder. */
int64_t pq_vendor_save_folder(struct pq_vendor_import *import, struct pmuq_str arch,
			      struct pmuq_str path, bool is_system,
			      struct pq_vendor_drafts *drafts);
void pq_vendor_save_cpu(struct pq_vendor_import *import, struct pmuq_str arch,
			const struct pq_vendor_mapfile_row *cpu, int64_t folder);
void pq_vendor_save_problem(struct pq_vendor_import *import, const struct pq_vendor_draft *draft);
