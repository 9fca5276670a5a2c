/* SPDX-License-Identifier: MIT */
#include "tests/harness/store.h"
#include "core/catalog/check.h"
#include "core/catalog/source.h"
#include "db/postgres/pg_server.h"
#include "db/sqlite/sqlite_file.h"

/* Invalid UTF-8, a NUL, an empty text, a long one: all must be loaded unchanged. */
static const struct pmuq_pair odd_texts[] = {
	{ .name = STR("empty"), .text = STR("") },
	{ .name = STR("latin\xe9"), .text = STR("\xff\xfe not utf-8 \xc0\x80") },
	{ .name = STR("nul"), .text = STR("before\0behind") },
	{ .name = STR("quote'"), .text = STR("it's \"quoted\"; DROP TABLE host; --") },
	{ .name = STR("utf-8"), .text = STR("\xe2\x82\xac \xf0\x9f\x90\xa7") },
	{ .name = STR("surrogate"), .text = STR("\xed\xa0\x80") },
	{ .name = STR("too high"), .text = STR("\xf4\x90\x80\x80") },
	{ .name = STR("cut short"), .text = STR("\xe2\x82") },
};

static void add_core(struct pq_builder *builder, const struct test_machine *machine)
{
	struct pmuq_format formats[] = {
		{ .name = STR("umask"), .text = STR("config:8-15") },
		{ .name = STR("event"),
		  .text = str_of(machine->format ? machine->format : "config:0-7") },
		{ .name = STR("odd"), .text = STR("config9:1-2\xff") },
	};
	struct pmuq_event events[] = {
		{ .name = STR("cycles"),
		  .terms = STR("event=0x3c"),
		  .unit = STR(""),
		  .scale = STR("1") },
		{ .name = STR("energy"),
		  .terms = STR("event=0x02"),
		  .unit = STR("Joules"),
		  .scale = STR("2.3283064365386962890625e-10"),
		  .is_per_pkg = true,
		  .has_unit_file = true,
		  .has_scale_file = true },
		{ .name = STR("temperature"),
		  .terms = STR(""),
		  .unit = STR(""),
		  .scale = STR("1"),
		  .is_snapshot = true,
		  .has_unit_file = true },
	};
	struct pmuq_pair attributes[COUNT(odd_texts)], caps[COUNT(odd_texts)];
	struct pq_pmu_draft draft = {
		.name = STR("cpu"),
		.type = 4,
		.has_type = true,
		.formats = formats,
		.n_formats = COUNT(formats),
		.events = events,
		.n_events = COUNT(events),
		.attributes = attributes,
		.n_attributes = COUNT(attributes),
		.caps = caps,
		.n_caps = COUNT(caps),
	};

	memcpy(attributes, odd_texts, sizeof(odd_texts));
	memcpy(caps, odd_texts, sizeof(odd_texts));
	assert_int_equal(pq_builder_pmu(builder, &draft, NULL), 0);
}

/* Instances of one PMU; every second has an alias, every third an empty cpumask, every fourth none.
 */
static void add_uncore(struct pq_builder *builder, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct pmuq_format format = { .name = STR("event"), .text = STR("config:0-7") };
		struct pmuq_pair interval = { .name = STR("perf_event_mux_interval_ms"),
					      .text = STR("4") };
		struct pq_buf name = PQ_BUF_NULL, alias = PQ_BUF_NULL;
		struct pq_pmu_draft draft = {
			.cpumask = i % 3 ? STR("0,8") : STR(""),
			.type = (uint32_t)(20 + i),
			.has_type = i != 1,
			.formats = &format,
			.n_formats = 1,
			.attributes = &interval,
			.n_attributes = 1,
		};

		pq_buf_print(&name, "uncore_cha_%zu", i);
		pq_buf_print(&alias, "uncore_type_0_%zu", i);
		draft.name = pq_buf_str(&name);
		if (i % 2)
			draft.alias = i % 5 ? pq_buf_str(&alias) : STR("");
		if (i % 4 == 3)
			draft.cpumask.p = NULL;
		draft.cpumask.n = draft.cpumask.p ? draft.cpumask.n : 0;
		assert_int_equal(pq_builder_pmu(builder, &draft, NULL), 0);
		pq_buf_free(&name);
		pq_buf_free(&alias);
	}
}

static void add_hybrid(struct pq_builder *builder)
{
	struct pq_pmu_draft full = {
		.name = STR("cpu_atom"), .cpus_file = STR("4-7"), .type = 10, .has_type = true
	};
	struct pq_pmu_draft bare = { .name = STR("na\xefve.pmu"), .cpus_file = STR("") };

	assert_int_equal(pq_builder_pmu(builder, &full, NULL), 0);
	assert_int_equal(pq_builder_pmu(builder, &bare, NULL), 0);
}

/* NULL: the machine has no such fact. */
static const char *fact_text(const struct test_machine *machine, enum pq_fact fact)
{
	if (machine->changed_fact && str_eq(pq_fact_name(fact), str_of(machine->changed_fact)))
		return "changed";
	switch (fact) {
	case PQ_FACT_HOSTNAME:
		return machine->hostname;
	case PQ_FACT_KERNEL:
		return machine->kernel ? machine->kernel : "6.12.0";
	case PQ_FACT_CPUS_ONLINE:
		return "0-15";
	case PQ_FACT_BOOT_ID:
		return machine->boot_id ? machine->boot_id : "boot 1";
	case PQ_FACT_MACHINE_ID:
		return machine->hostname ? machine->hostname : "none";
	case PQ_FACT_EXTENDED_TYPE:
		return "";
	default:
		return NULL;
	}
}

static void add_facts(struct pq_builder *builder, const struct test_machine *machine)
{
	for (enum pq_fact fact = 0; fact < PQ_FACT_COUNT; fact++) {
		const char *text = fact_text(machine, fact);

		if (text)
			assert_int_equal(
				pq_builder_fact(builder, pq_fact_name(fact), str_of(text), NULL),
				0);
	}
}

static void add_rest(struct pq_builder *builder, uint64_t first_tracepoint)
{
	const struct pmuq_problem problems[] = {
		{ .path = STR("sys/a"),
		  .message = STR("unreadable"),
		  .code = PMUQ_E_UNREADABLE,
		  .errnum = EACCES },
		{ .path = STR("sys/b\xff"), .message = STR(""), .code = PMUQ_E_BAD_FILE },
	};
	const struct pmuq_tracepoint tracepoints[] = {
		{ .subsystem = STR("sched"), .name = STR("sched_switch"), .id = first_tracepoint },
		{ .subsystem = STR("sched"), .name = STR("huge"), .id = UINT64_MAX },
		{ .subsystem = STR("kvm"), .name = STR("kvm_exit"), .id = first_tracepoint + 1 },
	};

	for (size_t i = 0; i < COUNT(problems); i++)
		assert_int_equal(pq_builder_problem(builder, &problems[i], NULL), 0);
	for (size_t i = 0; i < COUNT(tracepoints); i++)
		assert_int_equal(pq_builder_tracepoint(builder, &tracepoints[i], NULL), 0);
}

/* Open results of every status, shared by many events; with texts of any bytes, and without. */
static const struct pmuq_open_result test_results[] = {
	{ .status = PMUQ_OPENED, .cpus = STR("-1") },
	{ .status = PMUQ_OPENED, .cpus = STR("0,8"), .hint = STR("it opens per CPU only") },
	{ .status = PMUQ_REFUSED,
	  .errnum = EINVAL,
	  .cpus = STR("-1"),
	  .name = STR("no-such-event"),
	  .reason = STR("PMU 'na\xefve' does not count it"),
	  .hint = STR(""),
	  .change = STR("without :u") },
	{ .status = PMUQ_SKIPPED, .reason = STR("it wants a value\0behind") },
};

static void expect_event(struct pmuq_check *check, const struct test_machine *machine, size_t i)
{
	struct pq_buf pmu = PQ_BUF_NULL, event = PQ_BUF_NULL;

	pq_buf_print(&pmu, "uncore_cha_%zu", i % (machine->n_uncore ? machine->n_uncore : 12));
	pq_buf_print(&event, "event%zu", i);
	assert_int_equal(pq_check_expect(check, i % 2 ? pq_buf_str(&pmu) : STR("cpu"),
					 pq_buf_str(&event), i % 5 == 0, NULL),
			 0);
	pq_buf_free(&pmu);
	pq_buf_free(&event);
}

struct pmuq_check *machine_check(const struct test_machine *machine)
{
	const struct test_check *how = &machine->check;
	struct pmuq_str kernel = str_of(machine->kernel ? machine->kernel : "6.12.0");
	size_t total = how->total ? how->total : how->n;
	struct pmuq_check *check = NULL;

	assert_int_equal(pq_check_new(kernel, how->time_s, &check, NULL), 0);
	for (size_t i = 0; i < how->n; i++)
		expect_event(check, machine, i);
	assert_int_equal(pq_check_index(check, NULL), 0);
	for (size_t i = 0; i < how->n; i++) {
		struct pmuq_open_result result = test_results[i % COUNT(test_results)];

		if (i == 0 && how->first_errnum)
			result = (struct pmuq_open_result){ .status = PMUQ_REFUSED,
							    .errnum = how->first_errnum };
		assert_int_equal(pq_check_add(check, &result, NULL), 0);
	}
	pq_check_set_total(check, total);
	return check;
}

struct pmuq_catalog *machine_catalog(const struct test_machine *machine)
{
	struct pmuq_catalog *catalog = NULL;
	struct pq_builder *builder = NULL;

	assert_int_equal(pq_builder_new(&builder, NULL), 0);
	add_facts(builder, machine);
	add_core(builder, machine);
	add_uncore(builder, machine->n_uncore ? machine->n_uncore : 12);
	add_hybrid(builder);
	add_rest(builder, machine->first_tracepoint ? machine->first_tracepoint : 300);
	if (machine->check.n)
		pq_builder_check(builder, machine_check(machine));
	assert_int_equal(pq_builder_finish(builder, &catalog, NULL), 0);
	return catalog;
}

/* A new database on the server of tests/postgres/with_postgres.py. */
static char *make_database(const char *socket)
{
	static unsigned n;
	struct pq_libpq lib;
	struct pg_conn *connection;
	struct pg_result *result;
	char *server = NULL, *sql = NULL, *path = NULL;
	const char *keywords[] = { "dbname", NULL }, *values[] = { NULL, NULL };

	assert_int_equal(pq_libpq_load(&lib, NULL), 0);
	assert_true(asprintf(&server, "postgresql://pmuq@/postgres?host=%s", socket) > 0);
	assert_true(asprintf(&sql, "CREATE DATABASE test_%d_%u", (int)getpid(), n) > 0);
	assert_true(asprintf(&path, "postgresql://pmuq@/test_%d_%u?host=%s", (int)getpid(), n++,
			     socket) > 0);
	values[0] = server;
	connection = lib.connectdbParams(keywords, values, 1);
	result = lib.exec(connection, sql);
	if (lib.resultStatus(result) != PQ_PG_COMMAND_OK)
		fail_msg("%s", lib.errorMessage(connection));
	lib.clear(result);
	lib.finish(connection);
	free(server);
	free(sql);
	return path;
}

bool store_is_on_server(void)
{
	return getenv("PMUQ_TEST_POSTGRES") != NULL;
}

char *store_path(const struct tree *tree)
{
	if (store_is_on_server())
		return make_database(getenv("PMUQ_TEST_POSTGRES"));
	return tree_path(tree, "pmuq.db");
}

static void expect_done(int r, struct pmuq_error *error)
{
	char *text;

	if (r >= 0)
		return;
	text = pmuq_error_format(error);
	print_error("%s\n", text);
	free(text);
	pmuq_error_free(error);
	fail();
}

struct pmuq_store *store_open(const char *path, enum pmuq_store_mode mode)
{
	struct pmuq_store *store = NULL;
	struct pmuq_error *error = NULL;
	int r = pmuq_store_open(path, mode, &store, &error);

	expect_done(r, error);
	assert_non_null(store);
	return store;
}

struct pmuq_saved store_save(struct pmuq_store *store, const struct pmuq_catalog *catalog,
			     const char *name, int64_t time_s)
{
	struct pmuq_saved saved = { .size = sizeof(saved) };
	struct pmuq_error *error = NULL;
	int r = pmuq_store_save(store, catalog, NULL, name, time_s, &saved, &error);

	expect_done(r, error);
	return saved;
}

void store_expect(struct pmuq_store *store, const char *name, int64_t snapshot,
		  const struct pmuq_catalog *want)
{
	struct pmuq_catalog *found = NULL;
	struct pmuq_source *source = NULL;
	struct pmuq_error *error = NULL;
	char *difference;
	int r = pmuq_store_open_host(store, name, snapshot, &source, &error);

	expect_done(r, error);
	assert_int_equal(pmuq_source_read_catalog(source, &found, NULL), 0);
	difference = catalog_difference(want, found);
	if (difference)
		fail_msg("%s", difference);
	pmuq_catalog_free(found);
	pmuq_source_free(source);
}

void store_expect_check(struct pmuq_store *store, const char *name, const struct pmuq_check *want)
{
	struct pmuq_catalog *found = NULL;
	struct pmuq_source *source = NULL;
	struct pmuq_error *error = NULL;
	char *difference;
	int r = pmuq_store_open_host(store, name, 0, &source, &error);

	expect_done(r, error);
	assert_int_equal(pmuq_source_read_catalog(source, &found, NULL), 0);
	difference = check_difference(want, pmuq_catalog_machine(found)->check);
	if (difference)
		fail_msg("%s", difference);
	pmuq_catalog_free(found);
	pmuq_source_free(source);
}

void store_expect_refusal(const char *path, enum pmuq_store_mode mode, enum pmuq_code code)
{
	struct pmuq_store *store = NULL;
	struct pmuq_error *error = NULL;

	assert_int_equal(pmuq_store_open(path, mode, &store, &error), -(int)code);
	assert_null(store);
	assert_int_equal(error->code, code);
	assert_string_equal(error->origin.p, path);
	assert_true(strlen(error->message.p) > 0);
	/* No call of the system failed. */
	if (code == PMUQ_E_STORE_FOREIGN || code == PMUQ_E_STORE_NEWER)
		assert_int_equal(error->errnum, 0);
	pmuq_error_free(error);
	assert_int_equal(pmuq_store_open(path, mode, &store, NULL), -(int)code);
}

struct pq_schema store_later_schema(struct pq_schema_step steps[STORE_STEPS_MAX],
				    const char *const *sql, unsigned n)
{
	assert_true(pq_schema.n + n <= STORE_STEPS_MAX);
	memcpy(steps, pq_schema.steps, pq_schema.n * sizeof(*steps));
	for (unsigned i = 0; i < n; i++)
		steps[pq_schema.n + i] = (struct pq_schema_step){
			.name = "later",
			.sql = sql[i],
			.pg_sql = sql[i],
			.pg_fingerprint = "",
		};
	return (struct pq_schema){ .steps = steps, .n = pq_schema.n + n };
}

/* Views are for users: pmuq's connections to SQLite have none. */
static void switch_views(struct pmuq_store *store, int on)
{
	if (store->sqlite)
		store->sqlite->lib.db_config(store->sqlite->db, SQLITE_DBCONFIG_ENABLE_VIEW, on,
					     (int *)NULL);
}

int64_t store_number(struct pmuq_store *store, const char *sql)
{
	int64_t number;

	switch_views(store, 1);
	pq_store_begin_call(store, "cannot count", NULL);
	number = pq_store_number(store, sql);
	assert_int_equal(pq_store_end_call(store), 0);
	switch_views(store, 0);
	return number;
}

int store_exec(struct pmuq_store *store, const char *sql)
{
	pq_store_begin_call(store, "cannot do that", NULL);
	pq_store_exec(store, sql);
	return pq_store_end_call(store);
}

int store_damage(struct pmuq_store *store, const char *sql)
{
	int r = store_exec(store, store_is_on_server() ? "SET session_replication_role = replica"
						       : "PRAGMA foreign_keys = OFF");

	return r < 0 ? r : store_exec(store, sql);
}

/* PostgreSQL checks them when a row is written. */
void store_expect_references(struct pmuq_store *store)
{
	if (!store_is_on_server())
		assert_int_equal(
			store_number(store, "SELECT count(*) FROM pragma_foreign_key_check"), 0);
}

int64_t store_bytes(struct pmuq_store *store)
{
	return store_number(store, store_is_on_server()
					   ? "SELECT sum(pg_total_relation_size(oid)) FROM pg_class"
					     " WHERE relkind = 'r' AND"
					     " relnamespace = 'pmuq'::regnamespace"
					   : "SELECT page_count * page_size"
					     " FROM pragma_page_count, pragma_page_size");
}

int64_t store_rows(struct pmuq_store *store)
{
	static const char *const tables[] = {
		"definition",
		"definition_format",
		"definition_event",
		"definition_cap",
		"attribute",
		"attribute_set",
		"layout",
		"layout_pmu",
		"fact",
		"fact_set",
		"tracepoint",
		"tracepoint_set",
		"problem",
		"problem_set",
		"host",
		"snapshot",
		"snapshot_fact",
		"snapshot_check",
		"host_class",
		"check_set",
		"checked_event",
		"open_result",
		"vendor",
		"vendor_counter",
		"vendor_cpu",
		"vendor_event",
		"vendor_file",
		"vendor_folder",
		"vendor_group",
		"vendor_metric",
		"vendor_problem",
		"vendor_set",
		"vendor_text",
	};
	int64_t rows = 0;

	for (size_t i = 0; i < COUNT(tables); i++) {
		char *sql = NULL;

		assert_true(asprintf(&sql, "SELECT count(*) FROM %s", tables[i]) > 0);
		rows += store_number(store, sql);
		free(sql);
	}
	/* The list above must be complete. PostgreSQL has the version in a table, too. */
	assert_int_equal(store_number(store, store_is_on_server()
						     ? "SELECT count(*) - 1 FROM pg_tables"
						       " WHERE schemaname = 'pmuq'"
						     : "SELECT count(*) FROM sqlite_schema WHERE"
						       " type = 'table' AND name NOT LIKE"
						       " 'sqlite_%'"),
			 COUNT(tables));
	return rows;
}

char *file_bytes(const char *path, size_t *ret_n)
{
	FILE *file = fopen(path, "rb");
	char *bytes;
	long n;

	assert_non_null(file);
	assert_int_equal(fseek(file, 0, SEEK_END), 0);
	n = ftell(file);
	rewind(file);
	bytes = malloc((size_t)n + 1);
	assert_non_null(bytes);
	assert_int_equal(fread(bytes, 1, (size_t)n, file), (size_t)n);
	fclose(file);
	*ret_n = (size_t)n;
	return bytes;
}

bool file_exists(const char *path, const char *ending)
{
	char *full = NULL;
	bool exists;

	assert_true(asprintf(&full, "%s%s", path, ending) > 0);
	exists = access(full, F_OK) == 0;
	free(full);
	return exists;
}
