/* SPDX-License-Identifier: MIT */
/*
 * Reads a whole machine into a catalog: its PMUs, one after the other in the order of the directory
 * (walk_part.c), its facts and its tracepoints. Of a machine with many PMUs another thread reads
 * the second half.
 */
#include "core/thread.h"
#include "discover/read/host_facts.h"
#include "discover/read/tracefs.h"
#include "discover/read/walk_part.h"
#include <errno.h>
#include <pmuq/pmuq.h>

/* With fewer PMUs a thread would save less than a millisecond. */
#define HALVES_PMUS 128

struct machine_walk {
	struct pq_walk_part pmus;
	struct pq_arena lasting;
};

/* In sysfs a PMU is a symbolic link, so this one is followed; in a captured tree within the root.
 */
int pq_walk_enter(struct pq_root *root, struct pq_handle devices, struct pmuq_str name,
		  enum pq_file_type type, struct pq_handle *ret_at)
{
	cleanup(pq_buf_free) struct pq_buf path = PQ_BUF_NULL;

	if (root->is_live)
		return pq_root_enter(root, devices, name.p, PQ_WITHIN_ROOT, ret_at);
	if (type == PQ_FILE_DIR)
		return pq_root_enter(root, devices, name.p, PQ_WITHIN_NO_LINKS, ret_at);
	if (type != PQ_FILE_LINK)
		return PQ_NONE;
	pq_buf_add(&path, STR(PQ_DEVICES "/"));
	pq_buf_add(&path, name);
	pq_buf_char(&path, '\0', 1);
	if (path.failed)
		return pq_root_resource_error(root, ENOMEM);
	return pq_root_enter(root, root->top, path.p, PQ_WITHIN_ROOT, ret_at);
}

int pq_walk_list(struct pq_root *root, struct pq_handle devices, struct pq_arena *arena,
		 struct pq_entries *ret, struct pmuq_error **reterr)
{
	auto_handle struct pq_handle at = PQ_NO_HANDLE;
	int r = pq_root_enter(root, devices, ".", PQ_WITHIN_NO_LINKS, &at);

	if (r == 0)
		r = pq_root_list(root, at, arena, ret);
	if (r == 0)
		return 0;
	if (root->resource_errnum)
		return pq_root_check(root, reterr);
	/* A machine without a PMU has the directory, too. */
	return pq_fail(reterr, PMUQ_E_STALE_SOURCE, "the list of PMUs cannot be read: %s",
		       r == PQ_NONE ? "its directory is gone" : pq_root_reason(r, root->errnum));
}

static int new_builder(struct machine_walk *walk, struct pmuq_error **reterr)
{
	struct pq_reader *reader = &walk->pmus.reader;
	int r;

	pq_builder_free(move(reader->builder));
	r = pq_builder_new(&reader->builder, reterr);
	if (r == 0 && reader->root->is_live)
		pq_builder_is_live(reader->builder);
	return r;
}

/* -------------------------------------------------------------------------------------- halves */

/* What the other thread reads. */
struct half {
	struct pq_walk_part pmus;
	struct pq_root root;
	uint64_t opens;
	struct pmuq_error *error;
	int r;
};

static void *read_half(void *of)
{
	struct half *half = of;

	half->r = pq_walk_part_read(&half->pmus, &half->error);
	return NULL;
}

static int begin_half(const struct pq_walk_part *whole, struct half *ret,
		      struct pmuq_error **reterr)
{
	size_t first = whole->n / 2;
	int r = pq_root_share(whole->reader.root, &ret->root, &ret->opens, reterr);

	ret->pmus = (struct pq_walk_part){
		.reader.root = &ret->root,
		.devices = whole->devices,
		.entries = whole->entries + first,
		.n = whole->n - first,
		.core_types = whole->core_types + first,
	};
	if (r == 0)
		r = pq_walk_part_begin(&ret->pmus, reterr);
	return r == 0 ? pq_builder_new(&ret->pmus.reader.builder, reterr) : r;
}

static void end_half(struct half *half)
{
	pq_walk_part_end(&half->pmus);
	pq_builder_free(half->pmus.reader.builder);
	pq_root_unshare(&half->root);
	pmuq_error_free(half->error);
}

/* Which PMUs are left out depends on those before them. */
static bool is_within_limits(const struct pq_walk_part *a, const struct pq_walk_part *b)
{
	return !a->n_left_out && !b->n_left_out &&
	       a->list_bytes <= PQ_LISTS_MAX_BYTES - b->list_bytes;
}

static int join(struct machine_walk *walk, const struct half *half, struct pmuq_error **reterr)
{
	struct pq_walk_part *whole = &walk->pmus;
	int r;

	if (!is_within_limits(whole, &half->pmus)) {
		r = new_builder(walk, reterr);
		return r == 0 ? pq_walk_part_read(whole, reterr) : r;
	}
	memmove(whole->core_types + whole->n_core_types, half->pmus.core_types,
		half->pmus.n_core_types * sizeof(*whole->core_types));
	whole->n_core_types += half->pmus.n_core_types;
	return pq_builder_join(whole->reader.builder, half->pmus.reader.builder, reterr);
}

/* Both halves, while the other thread reads the second one. */
static int read_halves(struct pq_walk_part *whole, struct half *half, pthread_t thread,
		       struct pmuq_error **reterr)
{
	size_t n = whole->n;
	int r;

	whole->n = n / 2;
	r = pq_walk_part_read(whole, reterr);
	whole->n = n;
	pthread_join(thread, NULL);
	*whole->reader.root->opens += half->opens;
	if (r < 0 || half->r == 0)
		return r;
	if (reterr)
		*reterr = move(half->error);
	return half->r;
}

static int walk_halves(struct machine_walk *walk, struct pmuq_error **reterr)
{
	struct half half = { 0 };
	int r = begin_half(&walk->pmus, &half, reterr);
	pthread_t thread;

	if (r == 0 && pq_thread_start(&thread, read_half, &half)) {
		r = read_halves(&walk->pmus, &half, thread, reterr);
		if (r == 0)
			r = join(walk, &half, reterr);
	} else if (r == 0) {
		r = pq_walk_part_read(&walk->pmus, reterr);
	}
	end_half(&half);
	return r;
}

/* --------------------------------------------------------------------------------- the machine */

static int walk_pmus(struct machine_walk *walk, struct pmuq_error **reterr)
{
	struct pq_walk_part *pmus = &walk->pmus;
	const struct pq_root *root = pmus->reader.root;
	struct pq_entries entries;
	int r = pq_walk_list(pmus->reader.root, pmus->devices, &walk->lasting, &entries, reterr);

	if (r < 0)
		return r;
	pmus->core_types = pq_arena_array(&walk->lasting, entries.n, sizeof(*pmus->core_types));
	if (!pq_entries_copy(&walk->lasting, &entries) || !pmus->core_types)
		return pq_fail_memory(reterr);
	pmus->entries = entries.v;
	pmus->n = entries.n;
	if (entries.n < HALVES_PMUS || root->is_memory || root->record)
		return pq_walk_part_read(pmus, reterr);
	return walk_halves(walk, reterr);
}

static int walk_host(struct machine_walk *walk, struct pmuq_error **reterr)
{
	struct pq_reader *reader = &walk->pmus.reader;
	struct pq_host_reader host;
	int r = 0;

	pq_host_init(&host, reader);
	host.core_types = walk->pmus.core_types;
	host.n_core_types = walk->pmus.n_core_types;
	for (enum pq_fact fact = 0; r == 0 && fact < PQ_FACT_COUNT; fact++) {
		struct pmuq_str text = pq_host_fact(&host, fact);

		if (text.n)
			r = pq_builder_fact(reader->builder, pq_fact_name(fact), text, reterr);
	}
	return r == 0 ? pq_reader_check(reader, reterr) : r;
}

static int walk_all(struct machine_walk *walk, enum pq_part part, struct pmuq_error **reterr)
{
	int r = new_builder(walk, reterr);

	if (r == 0)
		r = walk_pmus(walk, reterr);
	pq_walk_part_reset(&walk->pmus);
	if (r == 0)
		r = walk_host(walk, reterr);
	pq_walk_part_reset(&walk->pmus);
	return r == 0 ? pq_tracefs_walk(&walk->pmus.reader, part, reterr) : r;
}

int pq_walk(struct pq_root *root, struct pq_handle devices, enum pq_part part,
	    struct pmuq_catalog **ret, struct pmuq_error **reterr)
{
	struct machine_walk walk = {
		.pmus = { .reader.root = root, .devices = devices },
		.lasting = PQ_ARENA(PQ_WALK_MAX_BYTES),
	};
	int r = pq_walk_part_begin(&walk.pmus, reterr);

	if (r == 0)
		r = walk_all(&walk, part, reterr);
	if (r == 0)
		r = pq_builder_finish(move(walk.pmus.reader.builder), ret, reterr);
	pq_builder_free(walk.pmus.reader.builder);
	root->resource_errnum = 0; /* the walk may have failed for another reason */
	pq_walk_part_end(&walk.pmus);
	pq_arena_clear(&walk.lasting);
	return r;
}
