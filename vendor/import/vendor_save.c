/* SPDX-License-Identifier: MIT */
/* What an import found, into the tables: contents once, under the hash of what they say. */
#include "core/num.h"
#include "db/save.h"
#include "vendor/import/vendor_import.h"

/* What is hashed is the format of the store (digest.h). */
#define KIND_SET STR("pmuq.vendor/1")
#define KIND_TEXT STR("pmuq.vendor-text/1")

/* No text and an empty one are the same here. */
static struct pmuq_str some(struct pmuq_str text)
{
	return text.p ? text : STR("");
}

/* "9.765625e-4KB" is a number and a unit. */
struct measure {
	struct pmuq_str unit, scale; /* .p NULL: the table says nothing */
};

static struct measure measure_of(const struct pq_vendor_draft *draft)
{
	struct pmuq_str text = draft->scale_unit;
	size_t n = pq_num_scale_length(text);

	if (!text.p)
		return (struct measure){ 0 };
	return (struct measure){ .unit = str_part(text, n, text.n),
				 .scale = pq_num_scale_text(str_part(text, 0, n)) };
}

static struct pq_hash hash_text(const struct pq_vendor_draft *draft)
{
	struct pq_digest digest;

	pq_digest_begin(&digest, KIND_TEXT);
	pq_digest_str(&digest, draft->pmu);
	pq_digest_str(&digest, draft->name);
	pq_digest_str(&digest, some(draft->topic));
	pq_digest_str(&digest, some(draft->description));
	pq_digest_str(&digest, some(draft->long_description));
	return pq_digest_end(&digest);
}

static void add_metric(struct pq_digest *digest, const struct pq_vendor_draft *draft)
{
	pq_digest_str(digest, draft->expression);
	pq_digest_str(digest, draft->groups);
	pq_digest_str(digest, draft->threshold);
	pq_digest_str(digest, draft->description);
	pq_digest_str(digest, draft->long_description);
}

static struct pq_hash hash_contents(const struct pq_vendor_contents *contents)
{
	struct pq_digest digest;

	pq_digest_begin(&digest, KIND_SET);
	pq_digest_number(&digest, contents->n);
	for (size_t i = 0; i < contents->n; i++) {
		const struct pq_vendor_draft *draft = &contents->v[i];
		struct pq_hash text = hash_text(draft);

		pq_digest_hash(&digest, &text);
		pq_digest_str(&digest, draft->terms);
		pq_digest_str(&digest, draft->scale_unit);
		pq_digest_str(&digest, draft->compat);
		pq_digest_number(&digest, draft->is_per_pkg);
		pq_digest_number(&digest, draft->is_deprecated);
		pq_digest_str(&digest, draft->metric);
		if (draft->metric.n)
			add_metric(&digest, draft);
	}
	return pq_digest_end(&digest);
}

static int find_or_add_text(struct pmuq_store *store, const struct pq_vendor_draft *draft,
			    int64_t *ret, struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	struct pq_hash hash = hash_text(draft);
	int r = pq_save_find(store, PQ_SQL_FIND_VENDOR_TEXT, &hash, ret, reterr);

	if (r != PQ_NONE)
		return r;
	r = pq_stmt_begin(&stmt, store, PQ_SQL_ADD_VENDOR_TEXT, reterr);
	if (r < 0)
		return r;
	pq_bind_hash(&stmt, &hash);
	pq_bind_str(&stmt, draft->pmu);
	pq_bind_str(&stmt, draft->name);
	pq_bind_str(&stmt, some(draft->topic));
	pq_bind_str(&stmt, some(draft->description));
	pq_bind_str(&stmt, some(draft->long_description));
	r = pq_stmt_run(&stmt, reterr);
	if (r == 0)
		*ret = store->lib.last_insert_rowid(store->db);
	return r;
}

static int fill_event(struct pmuq_store *store, int64_t set, size_t position,
		      const struct pq_vendor_draft *draft, struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	struct measure measure = measure_of(draft);
	int64_t text = 0;
	int r = find_or_add_text(store, draft, &text, reterr);

	if (r == 0)
		r = pq_stmt_begin(&stmt, store, PQ_SQL_ADD_VENDOR_EVENT, reterr);
	if (r < 0)
		return r;
	pq_bind_int(&stmt, set);
	pq_bind_int(&stmt, (int64_t)position);
	pq_bind_int(&stmt, text);
	pq_bind_str(&stmt, draft->terms);
	pq_bind_str(&stmt, measure.unit);
	pq_bind_str(&stmt, measure.scale);
	pq_bind_str(&stmt, some(draft->compat));
	pq_bind_int(&stmt, draft->is_per_pkg);
	pq_bind_int(&stmt, draft->is_deprecated);
	return pq_stmt_run(&stmt, reterr);
}

static int fill_metric(struct pmuq_store *store, int64_t set, size_t position,
		       const struct pq_vendor_draft *draft, struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	int r = pq_stmt_begin(&stmt, store, PQ_SQL_ADD_VENDOR_METRIC, reterr);

	if (r < 0)
		return r;
	pq_bind_int(&stmt, set);
	pq_bind_int(&stmt, (int64_t)position);
	pq_bind_str(&stmt, draft->pmu);
	pq_bind_str(&stmt, draft->metric);
	pq_bind_str(&stmt, some(draft->expression));
	pq_bind_str(&stmt, some(draft->groups));
	pq_bind_str(&stmt, some(draft->scale_unit));
	pq_bind_str(&stmt, some(draft->threshold));
	pq_bind_str(&stmt, some(draft->description));
	pq_bind_str(&stmt, some(draft->long_description));
	return pq_stmt_run(&stmt, reterr);
}

static void digest_event(struct pq_digest *digest, const struct pq_vendor_draft *draft)
{
	struct measure measure = measure_of(draft);

	pq_digest_vendor_event(digest, &(struct pq_vendor_event){
					       .event = { .name = draft->name,
							  .terms = draft->terms,
							  .unit = measure.unit,
							  .scale = measure.scale,
							  .has_unit_file = measure.unit.p,
							  .has_scale_file = measure.scale.p,
							  .is_per_pkg = draft->is_per_pkg },
					       .record = { .pmu = draft->pmu,
							   .compat = some(draft->compat),
							   .is_deprecated = draft->is_deprecated },
				       });
}

/* What loading finds must still give this hash. */
static int keep_hash(struct pmuq_store *store, int64_t set,
		     const struct pq_vendor_contents *contents, struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	int r = pq_stmt_begin(&stmt, store, PQ_SQL_KEEP_VENDOR_SET, reterr);
	struct pq_digest digest;
	struct pq_hash hash;

	if (r < 0)
		return r;
	pq_digest_begin(&digest, PQ_KIND_VENDOR_KEPT);
	for (size_t i = 0; i < contents->n; i++)
		if (contents->v[i].name.n)
			digest_event(&digest, &contents->v[i]);
	hash = pq_digest_end(&digest);
	pq_bind_hash(&stmt, &hash);
	pq_bind_int(&stmt, set);
	return pq_stmt_run(&stmt, reterr);
}

static int fill_set(struct pmuq_store *store, int64_t set,
		    const struct pq_vendor_contents *contents, struct pmuq_error **reterr)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < contents->n; i++) {
		const struct pq_vendor_draft *draft = &contents->v[i];

		if (draft->name.n)
			r = fill_event(store, set, i, draft, reterr);
		if (r == 0 && draft->metric.n)
			r = fill_metric(store, set, i, draft, reterr);
	}
	return r < 0 ? r : keep_hash(store, set, contents, reterr);
}

int pq_vendor_add_folder(struct pq_vendor_import *import, struct pmuq_str arch,
			 struct pmuq_str path, bool is_system,
			 const struct pq_vendor_contents *contents, int64_t *ret_position,
			 struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	struct pq_hash hash = hash_contents(contents);
	int64_t set = 0;
	int r = pq_save_find_or_add(import->store, PQ_SQL_FIND_VENDOR_SET, PQ_SQL_ADD_VENDOR_SET,
				    &hash, &set, reterr);

	if (r == PQ_NONE)
		r = fill_set(import->store, set, contents, reterr);
	if (r == 0)
		r = pq_stmt_begin(&stmt, import->store, PQ_SQL_ADD_VENDOR_FOLDER, reterr);
	if (r < 0)
		return r;
	*ret_position = (int64_t)import->n_folders++;
	pq_bind_int(&stmt, import->id);
	pq_bind_int(&stmt, *ret_position);
	pq_bind_str(&stmt, arch);
	pq_bind_str(&stmt, path);
	pq_bind_int(&stmt, is_system);
	pq_bind_int(&stmt, set);
	return pq_stmt_run(&stmt, reterr);
}

int pq_vendor_add_cpu(struct pq_vendor_import *import, struct pmuq_str arch,
		      const struct pq_vendor_row *row, int64_t folder, struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	int r = pq_stmt_begin(&stmt, import->store, PQ_SQL_ADD_VENDOR_CPU, reterr);

	if (r < 0)
		return r;
	pq_bind_int(&stmt, import->id);
	pq_bind_int(&stmt, (int64_t)import->n_cpus++);
	pq_bind_str(&stmt, arch);
	pq_bind_str(&stmt, row->pattern);
	pq_bind_str(&stmt, some(row->version));
	pq_bind_str(&stmt, some(row->type));
	pq_bind_int(&stmt, folder);
	return pq_stmt_run(&stmt, reterr);
}

/* Where everything is wrong, nobody reads all of it. */
#define PROBLEMS_MAX 10000u

int pq_vendor_add_problem(struct pq_vendor_import *import, const struct pq_vendor_draft *draft,
			  struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	cleanup(pq_buf_free) struct pq_buf message = PQ_BUF_NULL;
	int r;

	if (import->n_problems == PROBLEMS_MAX)
		return 0;
	pq_buf_print(&message, "event '%.*s': %.*s", STR_ARG(draft->name), STR_ARG(draft->problem));
	if (message.failed)
		return pq_fail_memory(reterr);
	r = pq_stmt_begin(&stmt, import->store, PQ_SQL_ADD_VENDOR_PROBLEM, reterr);
	if (r < 0)
		return r;
	pq_bind_int(&stmt, import->id);
	pq_bind_int(&stmt, (int64_t)import->n_problems++);
	pq_bind_str(&stmt, draft->path);
	pq_bind_int(&stmt, (int64_t)draft->line);
	pq_bind_str(&stmt, pq_buf_str(&message));
	pq_bind_int(&stmt, PMUQ_E_BAD_VENDOR_EVENT);
	return pq_stmt_run(&stmt, reterr);
}

int pq_vendor_add_import(struct pq_vendor_import *import, struct pmuq_str name, int64_t time_s,
			 struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	int r = pq_stmt_begin(&stmt, import->store, PQ_SQL_ADD_VENDOR, reterr);

	if (r < 0)
		return r;
	pq_bind_str(&stmt, name);
	pq_bind_str(&stmt, import->tree.dir);
	pq_bind_int(&stmt, import->layout);
	pq_bind_int(&stmt, import->pfm != NULL);
	pq_bind_int(&stmt, time_s);
	r = pq_stmt_run(&stmt, reterr);
	if (r == 0)
		import->id = import->store->lib.last_insert_rowid(import->store->db);
	return r;
}
