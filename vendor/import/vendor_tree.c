/* SPDX-License-Identifier: MIT */
/*
 * The layout of the kernel's tools/perf/pmu-events/arch: a directory for each architecture, in it
 * standard events and a mapfile.csv, and a folder for each model of CPU.
 */
#include "core/limits.h"
#include "vendor/import/vendor_import.h"
#include <errno.h>
#include <string.h>

struct kernel_folder {
	struct pmuq_str path;
	int64_t position;
};

/* An architecture: "x86", and its directory, "" where the tree is of one alone. */
struct arch {
	struct pmuq_str name, root;
};

/* A directory of an architecture. */
struct kernel_dir {
	const struct arch *arch;
	struct pmuq_str path, name; /* below the architecture's; "" is the architecture's itself */
};

/* What is kept from the first directory of an architecture until the last one. */
struct arch_walk {
	struct pq_vendor_import *import;
	const struct arch *arch;
	struct pq_arena arena;
	struct pq_vendor_mapfile mapfile;
	struct pq_vendor_drafts own; /* of the architecture's directory: the standard events */
	struct pq_vendor_standards standards;
	PQ_VEC(struct kernel_folder) folders; /* by their paths in mapfile.csv */
};

static bool is_groups_file(const struct pq_vendor_entry *entry)
{
	return !entry->is_dir && str_ends(entry->name, STR("metricgroups.json"));
}

static bool is_events_file(const struct pq_vendor_entry *entry)
{
	return !entry->is_dir && str_ends(entry->name, STR(".json")) && !is_groups_file(entry);
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

static void gather_file(struct arch_walk *walk, struct pmuq_str dir,
			const struct pq_vendor_entry *entry, struct pq_vendor_drafts *drafts)
{
	struct pq_vendor_tree *tree = &walk->import->tree;
	const struct pq_vendor_source source = {
		.core_pmu = STR("default_core"),
		.standards = &walk->standards,
		.path = pq_vendor_path(tree, &drafts->arena, dir, entry->name),
		.topic = topic_of(&drafts->arena, entry->name),
	};
	bool is_read;

	if (!source.topic.p)
		pq_vendor_fail_memory(tree);
	is_read = is_groups_file(entry) ? pq_vendor_gather_groups(walk->import, source.path, drafts)
					: pq_vendor_gather(walk->import, &source, drafts);
	/* The directory contained it a moment ago. */
	if (!is_read)
		pq_vendor_fail(tree, source.path, PMUQ_E_REFUSED_VENDOR_FILE,
			       "it is a broken symbolic link, or was removed meanwhile");
}

static void gather_files(struct arch_walk *walk, struct pmuq_str dir,
			 const struct pq_vendor_entries *entries, struct pq_vendor_drafts *drafts)
{
	for (size_t i = 0; walk->import->tree.r == 0 && i < entries->n; i++)
		if (is_events_file(&entries->v[i]) || is_groups_file(&entries->v[i]))
			gather_file(walk, dir, &entries->v[i], drafts);
}

/* An event can be referred to by its name, and a metric by its own. */
static void keep_standards(struct arch_walk *walk, struct pq_vendor_drafts *drafts)
{
	struct pq_vendor_standards *standards = &walk->standards;
	struct pq_vendor_tree *tree = &walk->import->tree;

	standards->v = pq_arena_array(&walk->arena, 2 * drafts->n, sizeof(*standards->v));
	for (size_t i = 0; standards->v && i < drafts->n; i++) {
		struct pq_vendor_draft *draft = &drafts->v[i];

		if (draft->metric.n)
			draft->metric = pq_arena_lower(&drafts->arena, draft->metric);
		if (!draft->metric.p)
			pq_vendor_fail_memory(tree);
		if (draft->name.n)
			standards->v[standards->n++] =
				(struct pq_vendor_standard){ .name = draft->name, .draft = *draft };
		if (draft->metric.n)
			standards->v[standards->n++] =
				(struct pq_vendor_standard){ .name = draft->metric,
							     .draft = *draft };
	}
	if (!standards->v || !pq_map_build(&walk->arena, PQ_NAMED(standards->v, name), standards->n,
					   &standards->by_name))
		pq_vendor_fail_memory(tree);
}

static void add_folder(struct arch_walk *walk, struct pmuq_str path, struct pmuq_str name,
		       struct pq_vendor_drafts *drafts)
{
	const struct kernel_folder folder = {
		.path = pq_arena_str(&walk->arena, path),
		.position = pq_vendor_save_folder(walk->import, walk->arch->name, path,
						  str_eq(name, STR("sys")), drafts),
	};

	if (!folder.path.p || !pq_vec_push_in(&walk->arena, &walk->folders, folder))
		pq_vendor_fail_memory(&walk->import->tree);
}

static void read_folder(struct arch_walk *walk, struct pmuq_str dir, const struct kernel_dir *of)
{
	cleanup(pq_vendor_drafts_end) struct pq_vendor_drafts drafts;
	struct pq_vendor_tree *tree = &walk->import->tree;
	struct pq_vendor_entries entries;
	bool has_events = false;

	pq_vendor_drafts_begin(&drafts);
	entries = pq_vendor_list(tree, dir, &drafts.arena);
	for (size_t i = 0; i < entries.n; i++)
		has_events |= is_events_file(&entries.v[i]);
	gather_files(walk, dir, &entries, &drafts);
	if (has_events && tree->r == 0)
		add_folder(walk, of->path, of->name, &drafts);
}

static const struct kernel_folder *find_folder(const struct arch_walk *walk, struct pmuq_str path)
{
	for (size_t i = 0; i < walk->folders.n; i++)
		if (str_eq(walk->folders.v[i].path, path))
			return &walk->folders.v[i];
	return NULL;
}

static void add_cpus(struct arch_walk *walk)
{
	const struct pq_vendor_mapfile *mapfile = &walk->mapfile;
	struct pq_vendor_tree *tree = &walk->import->tree;

	for (size_t i = 0; tree->r == 0 && i < mapfile->n; i++) {
		const struct pq_vendor_mapfile_row *row = &mapfile->v[i];
		const struct kernel_folder *folder = find_folder(walk, row->target);

		if (folder)
			pq_vendor_save_cpu(walk->import, walk->arch->name, row, folder->position);
		else
			pq_vendor_fail_at(tree, &mapfile->file, row->target_offset, row->target.n,
					  "there is no folder '%.*s' with events",
					  STR_ARG(row->target));
	}
}

/* ---- steps */

static void free_arch(struct pq_vendor_import *import)
{
	struct arch_walk *walk = import->walk;

	if (!walk || !walk->arch)
		return;
	pq_vendor_drafts_end(&walk->own);
	pq_arena_clear(&walk->arena);
	memset(walk, 0, sizeof(*walk));
}

static void finish_arch(struct pq_vendor_import *import)
{
	struct arch_walk *walk = import->walk;

	if (walk->arch)
		add_cpus(walk);
	free_arch(import);
}

/* An architecture without a mapfile ("common") has events for no CPU. */
static void begin_arch(struct arch_walk *walk, struct pq_vendor_import *import,
		       const struct arch *arch)
{
	struct pq_vendor_tree *tree = &import->tree;
	struct pq_vendor_entries entries;

	*walk = (struct arch_walk){ .import = import, .arch = arch };
	walk->arena = PQ_ARENA(PQ_VENDOR_ARCH_MAX_BYTES);
	pq_vendor_drafts_begin(&walk->own);
	entries = pq_vendor_list(tree, arch->root, &walk->arena);
	pq_vendor_read_mapfile(tree,
			       pq_vendor_path(tree, &walk->arena, arch->root, STR("mapfile.csv")),
			       arch->name, &walk->arena, &walk->mapfile);
	gather_files(walk, arch->root, &entries, &walk->own);
	if (tree->r == 0)
		keep_standards(walk, &walk->own);
}

static void read_dir(struct pq_vendor_import *import, const struct pq_vendor_step *step)
{
	const struct kernel_dir *dir = step->of;

	if (dir->path.n) {
		read_folder(import->walk, step->path, dir);
		return;
	}
	finish_arch(import);
	if (import->tree.r == 0)
		begin_arch(import->walk, import, dir->arch);
}

/* ---- the plan */

static void plan_dir(struct pq_vendor_import *import, const struct arch *arch, struct pmuq_str path,
		     struct pmuq_str name, unsigned depth)
{
	struct pq_vendor_tree *tree = &import->tree;
	struct kernel_dir *dir = pq_arena_zero(&import->arena, sizeof(*dir));
	struct pmuq_str full = pq_vendor_path(tree, &import->arena, arch->root, path);
	struct pq_vendor_entries entries = pq_vendor_list(tree, full, &import->arena);

	if (!dir) {
		pq_vendor_fail_memory(tree);
		return;
	}
	*dir = (struct kernel_dir){ .arch = arch, .path = path, .name = name };
	pq_vendor_add_step(import, full.n ? full : STR("."), dir);
	for (size_t i = 0; tree->r == 0 && i < entries.n && depth < PQ_VENDOR_DEPTH_MAX; i++)
		if (entries.v[i].is_dir)
			plan_dir(import, arch,
				 pq_vendor_path(tree, &import->arena, path, entries.v[i].name),
				 entries.v[i].name, depth + 1);
}

static void plan_arch(struct pq_vendor_import *import, struct pmuq_str name, struct pmuq_str root)
{
	struct arch *arch = pq_arena_zero(&import->arena, sizeof(*arch));

	if (arch)
		*arch = (struct arch){ .name = pq_arena_str(&import->arena, name), .root = root };
	if (arch && arch->name.p)
		plan_dir(import, arch, STR(""), STR(""), 0);
	else
		pq_vendor_fail_memory(&import->tree);
}

/* The directory is one architecture: the last component of its real path is the name. */
static void plan_one(struct pq_vendor_import *import)
{
	auto_free char *path = realpath(import->tree.dir.p, NULL);
	const char *slash = path ? strrchr(path, '/') : NULL;

	if (slash)
		plan_arch(import, str_of(slash + 1), STR(""));
	else if (errno == ENOMEM)
		pq_vendor_fail_memory(&import->tree);
	else
		pq_vendor_fail(&import->tree, STR(""), PMUQ_E_NO_VENDOR_TREE,
			       "the directory is gone");
}

static void plan(struct pq_vendor_import *import)
{
	const struct pq_vendor_entries *entries = &import->entries;

	import->walk = pq_arena_zero(&import->arena, sizeof(struct arch_walk));
	if (!import->walk)
		pq_vendor_fail_memory(&import->tree);
	else if (import->is_one_arch)
		plan_one(import);
	/* "test" is for perf's own tests: no real CPU. */
	for (size_t i = 0; import->tree.r == 0 && i < entries->n; i++)
		if (entries->v[i].is_dir && !str_eq(entries->v[i].name, STR("test")))
			plan_arch(import, entries->v[i].name, entries->v[i].name);
}

const struct pq_vendor_walker pq_vendor_tree_walker = {
	.plan = plan, .step = read_dir, .finish = finish_arch, .free = free_arch
};

/* ---- which layout */

/* The directory below this one that the user may have meant; NULL if there is no such directory. */
static const char *find_below(struct pq_vendor_import *import)
{
	static const char *const paths[] = { "tools/perf/pmu-events/arch", "arch" };

	for (size_t i = 0; i < COUNT(paths); i++)
		if (pq_vendor_list(&import->tree, str_of(paths[i]), &import->arena).n)
			return paths[i];
	return NULL;
}

static void fail_no_tree(struct pq_vendor_import *import)
{
	const char *below = find_below(import);

	if (import->tree.r < 0)
		return;
	pq_vendor_fail(&import->tree, STR(""), PMUQ_E_NO_VENDOR_TREE,
		       "there is no mapfile.csv in the directory, nor in a directory below it");
	pq_error_hint(import->tree.reterr,
		      "import tools/perf/pmu-events/arch of a kernel's source, or "
		      "a checkout of Intel's perfmon or Arm's telemetry-solution");
	if (below)
		pq_error_hint(import->tree.reterr, "its directory '%s' may be the right one",
			      below);
}

static bool is_perfmon(const struct pq_vendor_mapfile *mapfile)
{
	for (size_t i = 0; i < mapfile->n; i++)
		if (str_ends(mapfile->v[i].target, STR(".json")))
			return true;
	return false;
}

/* Whether a directory in it is an architecture. */
static bool has_arch(struct pq_vendor_import *import)
{
	const struct pq_vendor_entries *entries = &import->entries;
	bool is_found = false;

	for (size_t i = 0; !is_found && i < entries->n; i++)
		if (entries->v[i].is_dir)
			is_found = pq_vendor_read(&import->tree,
						  pq_vendor_path(&import->tree, &import->arena,
								 entries->v[i].name,
								 STR("mapfile.csv")),
						  &(struct pq_vendor_file){ 0 });
	return is_found;
}

static bool is_telemetry(struct pq_vendor_import *import)
{
	struct pq_vendor_entries entries =
		pq_vendor_list(&import->tree, PQ_VENDOR_TELEMETRY_DIR, &import->arena);

	if (entries.n) {
		import->layout = PQ_VENDOR_TELEMETRY;
		import->entries = entries;
	}
	return entries.n > 0;
}

void pq_vendor_find_layout(struct pq_vendor_import *import)
{
	import->is_one_arch = pq_vendor_read_mapfile(&import->tree, STR("mapfile.csv"), STR(""),
						     &import->arena, &import->mapfile);
	if (import->is_one_arch && !import->mapfile.n)
		pq_vendor_fail(&import->tree, STR("mapfile.csv"), PMUQ_E_NO_VENDOR_TREE,
			       "the file has no row of a CPU");
	if (is_perfmon(&import->mapfile))
		import->layout = PQ_VENDOR_PERFMON;
	if (import->is_one_arch)
		return;
	import->entries = pq_vendor_list(&import->tree, STR(""), &import->arena);
	if (!has_arch(import) && !is_telemetry(import))
		fail_no_tree(import);
}
