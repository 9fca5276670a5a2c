/* SPDX-License-Identifier: MIT */
/*
 * The events of one CPU, out of the store: those of the folder whose pattern is the first to match,
 * of the import that came last, and those of the systems of its architecture.
 */
#include "core/vendor/vendor_table.h"
#include "db/statement.h"
#include "vendor/import/vendor_mapfile.h"

#define CPUS_MAX_BYTES ((size_t)64 << 20)

/* A row of the store's mapfiles. */
struct cpu {
	int64_t vendor, set;
	struct pmuq_str arch, pattern, version, import, folder;
};

struct request {
	struct pmuq_str cpuid;
	struct pmuq_vendor *vendor;
	struct pq_arena arena;
	struct cpu found;
	struct cpu *near; /* the rows that begin most like the ID */
	size_t n_near;
};

#define NEAR_MAX 6

/* Contents that the request's events come from. */
struct set {
	struct set *next;
	int64_t id;
	struct pq_hash kept;
	bool has_hash;
};

struct sets {
	struct set *first, **end;
	size_t n_events;
};

static size_t common_length(struct pmuq_str a, struct pmuq_str b)
{
	size_t n = 0;

	while (n < a.n && n < b.n && a.p[n] == b.p[n])
		n++;
	return n;
}

static bool is_nearer(const struct request *request, const struct cpu *a, const struct cpu *b)
{
	return common_length(a->pattern, request->cpuid) >
	       common_length(b->pattern, request->cpuid);
}

/* In their order, the nearest first. */
static void consider(struct request *request, const struct cpu *cpu)
{
	size_t at = request->n_near;

	for (size_t i = 0; i < request->n_near; i++)
		if (str_eq(request->near[i].pattern, cpu->pattern))
			return;
	while (at > 0 && is_nearer(request, cpu, &request->near[at - 1]))
		at--;
	if (at == NEAR_MAX)
		return;
	if (request->n_near < NEAR_MAX)
		request->n_near++;
	memmove(&request->near[at + 1], &request->near[at],
		(request->n_near - at - 1) * sizeof(*cpu));
	request->near[at] = *cpu;
}

static int find_cpu(struct pmuq_store *store, struct request *request, struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	int r = pq_stmt_begin(&stmt, store, PQ_SQL_LIST_VENDOR_CPUS, reterr);

	if (r < 0)
		return r;
	while ((r = pq_stmt_step(&stmt, reterr)) == 0) {
		struct cpu cpu = {
			.vendor = pq_column_int(&stmt, 0),
			.arch = pq_column_text(&stmt, 1, &request->arena),
			.pattern = pq_column_text(&stmt, 2, &request->arena),
			.version = pq_column_text(&stmt, 3, &request->arena),
			.import = pq_column_text(&stmt, 4, &request->arena),
			.folder = pq_column_text(&stmt, 5, &request->arena),
			.set = pq_column_int(&stmt, 6),
		};
		bool is_found = false;

		r = pq_stmt_check(&stmt, reterr);
		if (r == 0)
			r = pq_vendor_matches(cpu.arch, cpu.pattern, request->cpuid, &is_found,
					      reterr);
		if (r < 0)
			return r;
		request->found = cpu;
		if (is_found)
			return 0;
		consider(request, &cpu);
	}
	return r;
}

/* Of those that have less than half of the best in common nobody would think. */
static void add_near(const struct request *request, struct pq_buf *hint)
{
	size_t best = request->n_near ? common_length(request->near[0].pattern, request->cpuid) : 0;

	for (size_t i = 0; best && i < request->n_near; i++) {
		const struct cpu *cpu = &request->near[i];

		if (2 * common_length(cpu->pattern, request->cpuid) >= best)
			pq_buf_print(hint, "%s%.*s (%.*s)",
				     i ? ", " : "the nearest are: ", STR_ARG(cpu->pattern),
				     STR_ARG(cpu->folder));
	}
}

static int fail_unknown(struct pmuq_store *store, const struct request *request,
			struct pmuq_error **reterr)
{
	cleanup(pq_buf_free) struct pq_buf hint = PQ_BUF_NULL;
	int r = pq_fail(reterr, PMUQ_E_NO_VENDOR_TABLE,
			"no table that was imported is for the CPU '%.*s'",
			STR_ARG(request->cpuid));

	pq_error_origin(reterr, str_of(store->path));
	add_near(request, &hint);
	if (!hint.n)
		pq_buf_add(&hint, request->n_near
					  ? STR("`pmuq vendor list` shows what was imported")
					  : STR("`pmuq vendor import DIR` takes a tree of tables"));
	pq_error_hint_buf(reterr, &hint);
	return r;
}

static void bind_folder(struct pq_stmt *stmt, const struct cpu *cpu)
{
	pq_bind_int(stmt, cpu->set);
	pq_bind_int(stmt, cpu->vendor);
	pq_bind_str(stmt, cpu->arch);
}

/* The CPU's own, and those of the systems. */
static int list_sets(struct pmuq_store *store, struct request *request, struct sets *sets,
		     struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	int r = pq_stmt_begin(&stmt, store, PQ_SQL_LIST_VENDOR_SETS, reterr);

	if (r < 0)
		return r;
	bind_folder(&stmt, &request->found);
	while ((r = pq_stmt_step(&stmt, reterr)) == 0) {
		struct set *set = pq_arena_zero(&request->arena, sizeof(*set));

		if (!set)
			return pq_fail_memory(reterr);
		set->id = pq_column_int(&stmt, 0);
		set->has_hash = !pq_column_is_null(&stmt, 1);
		if (set->has_hash)
			set->kept = pq_column_hash(&stmt, 1);
		sets->n_events += (size_t)pq_column_int(&stmt, 2);
		*sets->end = set;
		sets->end = &set->next;
	}
	return r < 0 ? r : 0;
}

static void read_event(struct pq_stmt *stmt, struct pq_arena *arena, struct pq_vendor_event *event)
{
	*event = (struct pq_vendor_event){
		.event = {
			.name = pq_column_text(stmt, 0, arena),
			.terms = pq_column_text(stmt, 5, arena),
			.unit = pq_column_str(stmt, 6, arena),
			.scale = pq_column_str(stmt, 7, arena),
			.is_per_pkg = pq_column_bool(stmt, 9),
		},
		.record = {
			.pmu = pq_column_text(stmt, 1, arena),
			.topic = pq_column_text(stmt, 2, arena),
			.description = pq_column_text(stmt, 3, arena),
			.long_description = pq_column_text(stmt, 4, arena),
			.compat = pq_column_text(stmt, 8, arena),
			.is_deprecated = pq_column_bool(stmt, 10),
		},
	};
	event->event.has_unit_file = event->event.unit.p;
	event->event.has_scale_file = event->event.scale.p;
	if (!event->event.unit.p)
		event->event.unit = STR("");
	if (!event->event.scale.p)
		event->event.scale = STR("1");
}

/* An encoding from a rotten file would be a wrong one. */
static int check_set(struct pmuq_store *store, const struct set *set, struct pq_digest *digest,
		     struct pmuq_error **reterr)
{
	struct pq_hash found = pq_digest_end(digest);

	if (!set->has_hash || pq_hash_eq(&found, &set->kept))
		return 0;
	return pq_store_fail_content(store, "a table is not what was kept", reterr);
}

static int load_events(struct pmuq_store *store, const struct set *set, struct request *request,
		       struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	struct pq_vendor_event *event;
	struct pq_digest digest;
	int r = pq_stmt_begin(&stmt, store, PQ_SQL_LOAD_VENDOR_EVENTS, reterr);

	if (r < 0)
		return r;
	pq_digest_begin(&digest, PQ_KIND_VENDOR_KEPT);
	pq_bind_int(&stmt, set->id);
	while ((r = pq_stmt_step(&stmt, reterr)) == 0) {
		event = pq_vendor_add(request->vendor);
		if (!event)
			return pq_store_fail_content(store, "events came while they were counted",
						     reterr);
		read_event(&stmt, pq_vendor_arena(request->vendor), event);
		r = pq_stmt_check(&stmt, reterr);
		if (r < 0)
			return r;
		pq_digest_vendor_event(&digest, event);
	}
	return r < 0 ? r : check_set(store, set, &digest, reterr);
}

static int finish(struct request *request, struct pmuq_error **reterr)
{
	const struct cpu *cpu = &request->found;
	cleanup(pq_buf_free) struct pq_buf folder = PQ_BUF_NULL;
	struct pq_vendor_origin origin = { .cpuid = request->cpuid,
					   .import = cpu->import,
					   .version = cpu->version };

	pq_buf_print(&folder, "%.*s/%.*s", STR_ARG(cpu->arch), STR_ARG(cpu->folder));
	if (folder.failed)
		return pq_fail_memory(reterr);
	origin.folder = pq_buf_str(&folder);
	return pq_vendor_finish(request->vendor, &origin, reterr);
}

static int load_vendor(struct pmuq_store *store, struct request *request,
		       struct pmuq_error **reterr)
{
	struct sets sets = { .end = &sets.first };
	int r = find_cpu(store, request, reterr);

	if (r == PQ_NONE)
		return fail_unknown(store, request, reterr);
	if (r == 0)
		r = list_sets(store, request, &sets, reterr);
	if (r == 0)
		r = pq_vendor_new(sets.n_events, &request->vendor, reterr);
	for (const struct set *set = sets.first; r == 0 && set; set = set->next)
		r = load_events(store, set, request, reterr);
	return r < 0 ? r : finish(request, reterr);
}

static void forget_vendor(void *arg)
{
	struct request *request = arg;

	pmuq_vendor_free(move(request->vendor));
}

static int load_within(struct pmuq_store *store, void *arg, struct pmuq_error **reterr)
{
	struct cpu near[NEAR_MAX + 1];
	struct request *request = arg;
	int r;

	request->near = near;
	request->n_near = 0;
	pq_arena_init(&request->arena, NULL, 0, CPUS_MAX_BYTES);
	r = load_vendor(store, request, reterr);
	pq_arena_clear(&request->arena);
	if (r < 0)
		forget_vendor(request);
	return r;
}

PQ_API int pmuq_store_open_vendor(struct pmuq_store *store, const char *cpuid,
				  struct pmuq_vendor **ret, struct pmuq_error **reterr)
{
	struct request request = { .cpuid = str_of(cpuid ? cpuid : "") };
	const struct pq_work work = { .run = load_within, .undo = forget_vendor, .arg = &request };
	int r;

	store->doing = "cannot read the tables";
	r = pq_store_read(store, &work, reterr);
	if (r == 0)
		*ret = request.vendor;
	return r;
}
