/* SPDX-License-Identifier: MIT */
/*
 * The layout of the kernel's tools/perf/pmu-events/arch: a directory for each architecture, in it
 * standard events and a mapfile.csv, and a folder for each model of CPU.
 */
#include "vendor/import/vendor_import.h"

#define FOLDER_DEPTH_MAX 4u

/* One architecture. */
struct arch_walk {
	struct pq_vendor_import *import;
	struct pmuq_str arch,
		root;	       /* "x86"; and its directory, "" where the tree is of one alone */
	struct pq_arena arena; /* of its standard events */
	struct pq_vendor_standards standards;
	struct kernel_folder {
		struct pmuq_str path;
		int64_t position;
		struct kernel_folder *next;
	} * folders;
};

static bool is_events_file(const struct pq_vendor_entry *entry)
{
	/* Descriptions of metric groups are not events. */
	return !entry->is_dir && str_ends(entry->name, STR(".json")) &&
	       !str_ends(entry->name, STR("metricgroups.json"));
}

/* "uncore-memory.json" → "uncore memory". */
static struct pmuq_str topic_of(struct pq_arena *arena, struct pmuq_str file)
{
	struct pq_buf topic = PQ_BUF_IN(arena);

	if (str_ends(file, STR("metrics.json")))
		return STR("metrics");
	for (size_t i = 0; i + strlen(".json") < file.n; i++)
		pq_buf_char(&topic, file.p[i] == '-' ? ' ' : file.p[i], 1);
	return str_of(pq_buf_take(&topic));
}

static int gather_file(struct arch_walk *walk, struct pmuq_str dir, struct pmuq_str file,
		       struct pq_vendor_drafts *drafts, struct pmuq_error **reterr)
{
	struct pq_vendor_source source = {
		.path = pq_vendor_path(&drafts->arena, dir, file),
		.topic = topic_of(&drafts->arena, file),
		.core_pmu = STR("default_core"),
		.standards = &walk->standards,
	};
	int r;

	if (!source.path.p || !source.topic.p)
		return pq_fail_memory(reterr);
	r = pq_vendor_gather(walk->import, &source, drafts, reterr);
	if (r != PQ_NONE)
		return r;
	/* The directory contained it a moment ago. */
	return pq_vendor_fail(&walk->import->tree, source.path, PMUQ_E_REFUSED_VENDOR_FILE, reterr,
			      "it is a broken symbolic link, or was removed meanwhile");
}

static int gather_files(struct arch_walk *walk, struct pmuq_str dir,
			const struct pq_vendor_entries *entries, struct pq_vendor_drafts *drafts,
			struct pmuq_error **reterr)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < entries->n; i++)
		if (is_events_file(&entries->v[i]))
			r = gather_file(walk, dir, entries->v[i].name, drafts, reterr);
	return r;
}

static bool keep_standards(struct arch_walk *walk, const struct pq_vendor_drafts *drafts)
{
	struct pq_vendor_standards *standards = &walk->standards;

	standards->v = pq_arena_array(&walk->arena, 2 * drafts->n, sizeof(*standards->v));
	for (size_t i = 0; standards->v && i < drafts->n; i++) {
		const struct pq_vendor_draft *draft = &drafts->v[i];

		if (draft->name.n)
			standards->v[standards->n++] =
				(struct pq_vendor_standard){ .name = draft->name, .draft = *draft };
		if (draft->metric.n)
			standards->v[standards->n++] =
				(struct pq_vendor_standard){ .name = draft->metric,
							     .draft = *draft };
	}
	return standards->v && pq_map_build(&walk->arena, PQ_NAMED(standards->v, name),
					    standards->n, &standards->by_name);
}

/* The standard events; `drafts` owns their texts and must live as long as the walk. */
static int read_standards(struct arch_walk *walk, struct pmuq_str dir,
			  const struct pq_vendor_entries *entries, struct pq_vendor_drafts *drafts,
			  struct pmuq_error **reterr)
{
	int r = gather_files(walk, dir, entries, drafts, reterr);

	if (r < 0)
		return r;
	for (size_t i = 0; i < drafts->n; i++) {
		struct pq_vendor_draft *draft = &drafts->v[i];

		if (!draft->metric.n)
			continue;
		draft->metric = pq_arena_lower(&drafts->arena, draft->metric);
		if (!draft->metric.p)
			return pq_fail_memory(reterr);
	}
	return keep_standards(walk, drafts) ? 0 : pq_fail_memory(reterr);
}

static int add_folder(struct arch_walk *walk, struct pmuq_str path, struct pmuq_str name,
		      struct pq_vendor_drafts *drafts, struct pmuq_error **reterr)
{
	struct kernel_folder *folder = pq_arena_zero(&walk->arena, sizeof(*folder));
	int r = pq_vendor_drafts_finish(walk->import, drafts, reterr);

	if (r < 0)
		return r;
	if (!folder)
		return pq_fail_memory(reterr);
	folder->path = pq_arena_str(&walk->arena, path);
	if (!folder->path.p)
		return pq_fail_memory(reterr);
	folder->next = walk->folders;
	walk->folders = folder;
	return pq_vendor_save_folder(walk->import, walk->arch, path, str_eq(name, STR("sys")),
				     drafts, &folder->position, reterr);
}

static int walk_folder(struct arch_walk *walk, struct pmuq_str path, struct pmuq_str name,
		       unsigned depth, struct pmuq_error **reterr);

static int walk_folders(struct arch_walk *walk, struct pmuq_str path,
			const struct pq_vendor_entries *entries, unsigned depth,
			struct pq_arena *arena, struct pmuq_error **reterr)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < entries->n && depth < FOLDER_DEPTH_MAX; i++) {
		struct pmuq_str below;

		if (!entries->v[i].is_dir)
			continue;
		below = pq_vendor_path(arena, path, entries->v[i].name);
		if (!below.p)
			return pq_fail_memory(reterr);
		r = walk_folder(walk, below, entries->v[i].name, depth + 1, reterr);
	}
	return r;
}

/* `path` is below the architecture's directory. */
static int walk_folder(struct arch_walk *walk, struct pmuq_str path, struct pmuq_str name,
		       unsigned depth, struct pmuq_error **reterr)
{
	cleanup(pq_vendor_drafts_end) struct pq_vendor_drafts drafts;
	struct pq_vendor_entries entries = { 0 };
	bool has_events = false;
	struct pmuq_str dir;
	int r;

	pq_vendor_drafts_begin(&drafts);
	dir = pq_vendor_path(&drafts.arena, walk->root, path);
	if (!dir.p)
		return pq_fail_memory(reterr);
	r = pq_vendor_list(&walk->import->tree, dir, &drafts.arena, &entries, reterr);
	for (size_t i = 0; r == 0 && i < entries.n; i++)
		has_events |= is_events_file(&entries.v[i]);
	if (r == 0 && has_events)
		r = gather_files(walk, dir, &entries, &drafts, reterr);
	if (r == 0 && has_events)
		r = add_folder(walk, path, name, &drafts, reterr);
	return r < 0 ? r : walk_folders(walk, path, &entries, depth, &drafts.arena, reterr);
}

static const struct kernel_folder *find_folder(const struct arch_walk *walk, struct pmuq_str path)
{
	for (const struct kernel_folder *at = walk->folders; at; at = at->next)
		if (str_eq(at->path, path))
			return at;
	return NULL;
}

static int add_cpus(struct arch_walk *walk, const struct pq_vendor_mapfile *mapfile,
		    struct pmuq_error **reterr)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < mapfile->n; i++) {
		const struct pq_vendor_mapfile_row *row = &mapfile->v[i];
		const struct kernel_folder *folder = find_folder(walk, row->target);

		if (!folder)
			return pq_vendor_fail_at(&walk->import->tree, &mapfile->file,
						 row->target_offset, row->target.n, reterr,
						 "there is no folder '%.*s' with events",
						 STR_ARG(row->target));
		r = pq_vendor_save_cpu(walk->import, walk->arch, row, folder->position, reterr);
	}
	return r;
}

/* An architecture without a mapfile ("common") has events for no CPU. */
static int walk_within(struct arch_walk *walk, struct pq_vendor_drafts *standards,
		       struct pmuq_error **reterr)
{
	struct pq_vendor_entries entries = { 0 };
	struct pq_vendor_mapfile mapfile = { 0 };
	struct pmuq_str path = pq_vendor_path(&walk->arena, walk->root, STR("mapfile.csv"));
	int r = path.p ? pq_vendor_list(&walk->import->tree, walk->root, &walk->arena, &entries,
					reterr)
		       : pq_fail_memory(reterr);

	if (r == 0)
		r = pq_vendor_read_mapfile(&walk->import->tree, path, walk->arch, &walk->arena,
					   &mapfile, reterr);
	if (r >= 0)
		r = read_standards(walk, walk->root, &entries, standards, reterr);
	if (r == 0)
		r = walk_folders(walk, STR(""), &entries, 0, &walk->arena, reterr);
	return r < 0 ? r : add_cpus(walk, &mapfile, reterr);
}

#define ARCH_MAX_BYTES ((size_t)128 << 20)

static int walk_arch(struct pq_vendor_import *import, struct pmuq_str arch, struct pmuq_str root,
		     struct pmuq_error **reterr)
{
	cleanup(pq_vendor_drafts_end) struct pq_vendor_drafts standards;
	struct arch_walk walk = { .import = import, .arch = arch, .root = root };
	int r;

	pq_vendor_drafts_begin(&standards);
	pq_arena_init(&walk.arena, NULL, 0, ARCH_MAX_BYTES);
	r = walk_within(&walk, &standards, reterr);
	pq_arena_clear(&walk.arena);
	return r;
}

/* The last component of the directory's real path. */
static int read_own_name(struct pq_vendor_import *import, struct pmuq_str *ret,
			 struct pmuq_error **reterr)
{
	auto_free char *named = strndup(import->tree.dir.p, import->tree.dir.n);
	auto_free char *path = named ? realpath(named, NULL) : NULL;
	const char *slash = path ? strrchr(path, '/') : NULL;

	if (!slash)
		return pq_vendor_fail(&import->tree, STR(""), PMUQ_E_NO_VENDOR_TREE, reterr,
				      "the directory is gone");
	*ret = pq_arena_str(&import->arena, str_of(slash + 1));
	return ret->p ? 0 : pq_fail_memory(reterr);
}

static int walk_one(struct pq_vendor_import *import, struct pmuq_error **reterr)
{
	struct pmuq_str arch = { 0 };
	int r = read_own_name(import, &arch, reterr);

	return r < 0 ? r : walk_arch(import, arch, STR(""), reterr);
}

static int walk_all(struct pq_vendor_import *import, struct pmuq_error **reterr)
{
	const struct pq_vendor_entries *entries = &import->entries;
	int r = 0;

	/* "test" is for perf's own tests: no real CPU. */
	for (size_t i = 0; r == 0 && i < entries->n; i++)
		if (entries->v[i].is_dir && !str_eq(entries->v[i].name, STR("test")))
			r = walk_arch(import, entries->v[i].name, entries->v[i].name, reterr);
	return r;
}

int pq_vendor_walk_tree(struct pq_vendor_import *import, struct pmuq_error **reterr)
{
	return import->is_one_arch ? walk_one(import, reterr) : walk_all(import, reterr);
}

/* ---- which layout */

static int fail_no_tree(struct pq_vendor_import *import, struct pmuq_error **reterr)
{
	const struct pq_vendor_entries *entries = &import->entries;
	int r = pq_vendor_fail(&import->tree, STR(""), PMUQ_E_NO_VENDOR_TREE, reterr,
			       "neither it nor a directory in it has a mapfile.csv");

	for (size_t i = 0; i < entries->n; i++)
		if (entries->v[i].is_dir && str_eq(entries->v[i].name, STR("arch")))
			pq_error_hint(reterr, "its directory 'arch' may be the right one");
		else if (entries->v[i].is_dir && str_eq(entries->v[i].name, STR("tools")))
			pq_error_hint(reterr, "in a kernel's source, import "
					      "tools/perf/pmu-events/arch");
	return r;
}

static bool is_perfmon(const struct pq_vendor_mapfile *mapfile)
{
	for (size_t i = 0; i < mapfile->n; i++)
		if (str_ends(mapfile->v[i].target, STR(".json")))
			return true;
	return false;
}

/* 0 if the directory contains an architecture. */
static int find_arch(struct pq_vendor_import *import, struct pmuq_error **reterr)
{
	const struct pq_vendor_entries *entries = &import->entries;
	struct pq_vendor_file file;
	int r = PQ_NONE;

	for (size_t i = 0; r == PQ_NONE && i < entries->n; i++) {
		struct pmuq_str path;

		if (!entries->v[i].is_dir)
			continue;
		path = pq_vendor_path(&import->arena, entries->v[i].name, STR("mapfile.csv"));
		r = path.p ? pq_vendor_read(&import->tree, path, &file, reterr)
			   : pq_fail_memory(reterr);
	}
	return r;
}

int pq_vendor_find_layout(struct pq_vendor_import *import, struct pmuq_error **reterr)
{
	int r = pq_vendor_read_mapfile(&import->tree, STR("mapfile.csv"), STR(""), &import->arena,
				       &import->mapfile, reterr);

	if (r == 0 && is_perfmon(&import->mapfile))
		import->layout = PQ_VENDOR_PERFMON;
	import->is_one_arch = r == 0;
	if (r <= 0)
		return r;
	r = pq_vendor_list(&import->tree, STR(""), &import->arena, &import->entries, reterr);
	if (r == 0)
		r = find_arch(import, reterr);
	return r == PQ_NONE ? fail_no_tree(import, reterr) : r;
}
