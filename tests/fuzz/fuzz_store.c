/* SPDX-License-Identifier: MIT */
/*
 * An untrusted database: pmuq's own, changed by the input, and its log. The input is records with a
 * byte 0xff between them; the first byte of each selects what is changed:
 *
 *	u TABLE COLUMN ROW TYPE VALUE   a value, by SQL; a byte each, except the value
 *	s NAME \n SQL                   the definition of a table or an index
 *	v NAME \n SQL                   a new view;  t NAME \n SQL  a new trigger
 *	p PAGE OFFSET BYTES             bytes of a page, numbers of two bytes
 *	l OFFSET BYTES                  bytes of the log, whose checksums are corrected
 *	c N, e N                        the file, the log is cut by that many 16 bytes
 *	w, j BYTES                      another log; a journal
 *
 * Reading it never changes a file; whatever it contains, every call ends in time with a result or
 * an error; a machine that is read is whole: it can be written as a document; and a
 * second query gives the same.
 */
#include "db/sqlite/sqlite_lib.h"
#include "tests/fuzz/fuzz.h"
#include "tests/harness/store.h"

#define WAL_HEADER_BYTES 32u
#define WAL_FRAME_BYTES 24u
#define HOSTS_MAX 4u
/* The CPU of the listed machine 0, a Skylake-SP. */
#define CPUID "GenuineIntel-6-55-4"

struct bytes {
	char *p;
	size_t n;
};

/* The database of two hosts and a vendor's tables, and a log with a third host. */
static struct {
	struct tree tree;
	char *path, *wal, *journal;
	struct bytes db, log;
	struct pmuq_catalog *machine;
	struct pmuq_source *skylake;
} base;

static struct pq_sqlite lib;

static void put(const char *path, struct bytes bytes)
{
	FILE *file = fopen(path, "w");

	FUZZ_LAW(file && fwrite(bytes.p, 1, bytes.n, file) == bytes.n && fclose(file) == 0);
}

static void import_tables(struct pmuq_store *store)
{
	auto_free char *dir = tree_path(&base.tree, "arch");

	tree_file(&base.tree, "arch/x86/mapfile.csv",
		  "Family-model,Version,Filename,EventType\n"
		  "GenuineIntel-6-55,v1,lake,core\nGenuineIntel-6-56,v2,pond,core\n");
	tree_file(
		&base.tree, "arch/x86/lake/cache.json",
		"[{\"EventName\": \"L3.MISS\", \"EventCode\": \"0x2e\", \"UMask\": \"0x41\","
		"  \"Counter\": \"0,1\", \"BriefDescription\": \"Misses of the cache, in cycles\"},"
		" {\"EventName\": \"CAS.READS\", \"EventCode\": \"4\", \"Unit\": \"iMC\","
		"  \"BriefDescription\": \"Reads\"}]");
	tree_file(&base.tree, "arch/x86/lake/lake-metrics.json",
		  "[{\"MetricName\": \"miss_ratio\", \"MetricExpr\": \"L3.MISS / cycles\","
		  "  \"MetricGroup\": \"Cache\", \"BriefDescription\": \"Misses a cycle\"}]");
	tree_file(&base.tree, "arch/x86/pond/cache.json",
		  "[{\"EventName\": \"L2.MISS\", \"EventCode\": \"0x2d\","
		  "  \"BriefDescription\": \"Misses of the cache, in cycles\"}]");
	FUZZ_LAW(pmuq_store_import_vendor(store, dir, "lakes", 1000, NULL, NULL) == 0);
}

static void make_base(void)
{
	struct pmuq_store *store;

	tree_make(&base.tree);
	base.path = store_path(&base.tree);
	FUZZ_LAW(asprintf(&base.wal, "%s-wal", base.path) > 0);
	FUZZ_LAW(asprintf(&base.journal, "%s-journal", base.path) > 0);
	FUZZ_LAW(pq_sqlite_load(&lib, NULL) == 0);
	base.machine = machine_catalog(
		&(struct test_machine){ .hostname = "web01", .n_uncore = 3, .check = { .n = 3 } });
	store = store_open(base.path, PMUQ_STORE_CREATE);
	store_save(store, base.machine, "web01", 1000);
	store_save(store, base.machine, "web02", 2000);
	import_tables(store);
	FUZZ_LAW(pmuq_source_open_tree(fuzz_machine_listed(0)->dir, &base.skylake, NULL) == 0);
	pmuq_store_free(store);
	base.db.p = file_bytes(base.path, &base.db.n);
	store = store_open(base.path, PMUQ_STORE_WRITE);
	store_save(store, base.machine, "web03", 3000);
	base.log.p = file_bytes(base.wal, &base.log.n);
	pmuq_store_free(store);
}

/* ------------------------------------------------------------------------------------- changes */

static uint8_t take_byte(struct pmuq_str *rest)
{
	uint8_t byte = rest->n ? (uint8_t)rest->p[0] : 0;

	*rest = str_part(*rest, rest->n > 0, rest->n);
	return byte;
}

static size_t take_two(struct pmuq_str *rest)
{
	size_t high = take_byte(rest);

	return high << 8 | take_byte(rest);
}

static void overwrite(struct bytes *bytes, size_t at, struct pmuq_str with)
{
	if (at < bytes->n)
		memcpy(bytes->p + at, with.p, with.n < bytes->n - at ? with.n : bytes->n - at);
}

static void cut(struct bytes *bytes, struct pmuq_str rest)
{
	size_t less = take_two(&rest) * 16;

	bytes->n -= less < bytes->n ? less : bytes->n;
}

static uint32_t load_be(const char *p)
{
	uint32_t value;

	memcpy(&value, p, sizeof(value));
	return __builtin_bswap32(value);
}

static void store_be(char *p, uint32_t value)
{
	value = __builtin_bswap32(value);
	memcpy(p, &value, sizeof(value));
}

/* SQLite's sum of a log, over words in the byte order that its magic number names. */
static void add_sum(uint32_t sum[2], const char *p, size_t n, bool is_big_endian)
{
	for (size_t i = 0; i + 8 <= n; i += 8) {
		uint32_t first = load_be(p + i), second = load_be(p + i + 4);

		sum[0] += (is_big_endian ? first : __builtin_bswap32(first)) + sum[1];
		sum[1] += (is_big_endian ? second : __builtin_bswap32(second)) + sum[0];
	}
}

static void mend_log(struct bytes *log)
{
	uint32_t sum[2] = { 0 };
	size_t page, at;
	bool is_big_endian;

	if (log->n < WAL_HEADER_BYTES)
		return;
	is_big_endian = log->p[3] & 1;
	page = load_be(log->p + 8);
	add_sum(sum, log->p, 24, is_big_endian);
	store_be(log->p + 24, sum[0]);
	store_be(log->p + 28, sum[1]);
	if (page < 512 || page > 65536)
		return;
	for (at = WAL_HEADER_BYTES; log->n - at >= WAL_FRAME_BYTES + page;
	     at += WAL_FRAME_BYTES + page) {
		char *frame = log->p + at;

		memcpy(frame + 8, log->p + 16, 8);
		add_sum(sum, frame, 8, is_big_endian);
		add_sum(sum, frame + WAL_FRAME_BYTES, page, is_big_endian);
		store_be(frame + 16, sum[0]);
		store_be(frame + 20, sum[1]);
	}
}

/* The name of a table or a column by its number; "" if there is none. */
static char *name_by_number(sqlite3 *db, const char *sql, unsigned number)
{
	sqlite3_stmt *statement = NULL;
	char *name = NULL;

	if (lib.prepare_v3(db, sql, -1, 0, &statement, NULL) == SQLITE_OK) {
		lib.bind_int64(statement, 1, number);
		if (lib.step(statement) == SQLITE_ROW)
			name = strndup(lib.column_blob(statement, 0),
				       (size_t)lib.column_bytes(statement, 0));
	}
	lib.finalize(statement);
	return name;
}

static void bind(sqlite3_stmt *statement, uint8_t type, struct pmuq_str value)
{
	int64_t number = 0;

	memcpy(&number, value.p, value.n < sizeof(number) ? value.n : sizeof(number));
	if (type % 4 == 0)
		lib.bind_int64(statement, 1, number);
	else if (type % 4 == 1)
		lib.bind_text64(statement, 1, value.p, value.n, SQLITE_STATIC, SQLITE_UTF8);
	else if (type % 4 == 2)
		lib.bind_blob64(statement, 1, value.p, value.n, SQLITE_STATIC);
	else
		lib.bind_null(statement, 1);
}

static void update_value(sqlite3 *db, struct pmuq_str rest)
{
	auto_free char *table = name_by_number(
		db,
		"SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name LIMIT 1 "
		"OFFSET ?1 % 40",
		take_byte(&rest));
	auto_free char *columns = NULL, *column = NULL, *sql = NULL;
	sqlite3_stmt *statement = NULL;
	unsigned number = take_byte(&rest), row = take_byte(&rest);
	uint8_t type = take_byte(&rest);

	if (!table ||
	    asprintf(&columns, "SELECT name FROM pragma_table_info('%s') LIMIT 1 OFFSET ?1 %% 16",
		     table) < 0)
		return;
	column = name_by_number(db, columns, number);
	if (!column || asprintf(&sql,
				"UPDATE OR IGNORE \"%s\" SET \"%s\" = ?1 WHERE \"%s\" IN (SELECT "
				"\"%s\" FROM \"%s\" LIMIT 1 OFFSET %u)",
				table, column, column, column, table, row) < 0)
		return;
	if (lib.prepare_v3(db, sql, -1, 0, &statement, NULL) == SQLITE_OK) {
		bind(statement, type, rest);
		lib.step(statement);
	}
	lib.finalize(statement);
}

/* The definition is stored as it is: only the next connection parses it. */
static void change_schema(sqlite3 *db, char what, struct pmuq_str rest)
{
	static const char replace[] = "UPDATE sqlite_schema SET sql = ?2 WHERE name = ?1";
	static const char view[] = "INSERT INTO sqlite_schema VALUES ('view', ?1, ?1, 0, ?2)";
	static const char trigger[] =
		"INSERT INTO sqlite_schema VALUES ('trigger', ?1, 'host', 0, ?2)";
	const char *sql = what == 's' ? replace : what == 'v' ? view : trigger;
	sqlite3_stmt *statement = NULL;
	struct pmuq_str name, text;

	str_cut(rest, '\n', &name, &text);
	if (lib.prepare_v3(db, sql, -1, 0, &statement, NULL) == SQLITE_OK) {
		lib.bind_text64(statement, 1, name.p, name.n, SQLITE_STATIC, SQLITE_UTF8);
		lib.bind_text64(statement, 2, text.p, text.n, SQLITE_STATIC, SQLITE_UTF8);
		lib.step(statement);
	}
	lib.finalize(statement);
}

static void change_by_sql(struct pmuq_str input)
{
	struct pmuq_str record;
	sqlite3 *db = NULL;

	FUZZ_LAW(lib.open_v2(base.path, &db, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK);
	lib.exec(db,
		 "PRAGMA journal_mode = DELETE; PRAGMA synchronous = OFF; PRAGMA "
		 "ignore_check_constraints = ON; PRAGMA writable_schema = ON; BEGIN",
		 NULL, NULL, NULL);
	while (str_next(&input, (char)0xff, &record)) {
		char what = (char)take_byte(&record);

		if (what == 'u')
			update_value(db, record);
		else if (what && strchr("svt", what))
			change_schema(db, what, record);
	}
	lib.exec(db, "COMMIT; PRAGMA journal_mode = WAL", NULL, NULL, NULL);
	lib.close_v2(db);
}

static bool has_sql(struct pmuq_str input)
{
	struct pmuq_str record;

	while (str_next(&input, (char)0xff, &record))
		if (record.n && strchr("usvt", record.p[0]))
			return true;
	return false;
}

static void change_bytes(struct bytes *db, struct bytes *log, struct pmuq_str input)
{
	struct pmuq_str record;
	size_t at;

	while (str_next(&input, (char)0xff, &record)) {
		char what = (char)take_byte(&record);

		if (what == 'p') {
			at = take_two(&record) * 4096;
			at += take_two(&record) % 4096;
			overwrite(db, at % db->n, record);
		} else if (what == 'l') {
			overwrite(log, take_two(&record), record);
		} else if (what == 'c') {
			cut(db, record);
		} else if (what == 'e') {
			cut(log, record);
		} else if (what == 'w') {
			log->n = log->n < record.n ? log->n : record.n;
			overwrite(log, 0, record);
		} else if (what == 'j') {
			put(base.journal, (struct bytes){ (char *)(uintptr_t)record.p, record.n });
		}
		if (!db->n)
			return;
	}
}

/* Makes the files; a log only if the input has not changed what the log is about. */
static void make_files(struct pmuq_str input, bool has_log)
{
	struct bytes db = base.db, log = { malloc(base.log.n), base.log.n };

	FUZZ_LAW(log.p);
	unlink(base.wal);
	unlink(base.journal);
	put(base.path, base.db);
	if (has_sql(input))
		change_by_sql(input);
	memcpy(log.p, base.log.p, log.n);
	db.p = file_bytes(base.path, &db.n);
	change_bytes(&db, &log, input);
	mend_log(&log);
	put(base.path, db);
	if (has_log)
		put(base.wal, log);
	free(db.p);
	free(log.p);
}

/* ------------------------------------------------------------------------------------- queries */

static bool is_done(int r, struct pmuq_error *error)
{
	FUZZ_LAW((r < 0) == (error != NULL));
	if (error)
		fuzz_error(r, error);
	pmuq_error_free(error);
	return r == 0;
}

/* Not NULL: the document of the machine. */
static char *document_of(const struct pmuq_catalog *catalog)
{
	struct pmuq_writer *writer = NULL;
	char *text = NULL;
	size_t n;

	FUZZ_LAW(pmuq_writer_new(&writer, NULL) == 0);
	FUZZ_LAW(pmuq_writer_add(writer, catalog, "host", 1, NULL) == 0);
	FUZZ_LAW(pmuq_writer_text(writer, PMUQ_DOCUMENT_JSON, &text, &n, NULL) == 0);
	pmuq_writer_free(writer);
	return text;
}

/* NULL: it cannot be read. */
static char *read_machine(struct pmuq_store *store, const char *name)
{
	struct pmuq_source *source = NULL;
	struct pmuq_catalog *catalog = NULL;
	struct pmuq_check *check = NULL;
	struct pmuq_error *error = NULL;
	char *text = NULL;

	if (is_done(pmuq_store_read_check(store, name, 0, &check, &error), error))
		pmuq_check_free(check);
	error = NULL;
	if (!is_done(pmuq_store_open_host(store, name, 0, &source, &error), error))
		return NULL;
	error = NULL;
	if (is_done(pmuq_source_read_catalog(source, &catalog, &error), error))
		text = document_of(catalog);
	pmuq_catalog_free(catalog);
	pmuq_source_free(source);
	return text;
}

static void law_of_host(struct pmuq_store *store, const char *name)
{
	auto_free char *once = read_machine(store, name), *again = read_machine(store, name);
	struct pmuq_error *error = NULL;
	int64_t snapshot;

	/* SQLite reports a damaged page once, and may not need it again. */
	if (once && again)
		fuzz_same("once", once, "again", again);
	is_done(pmuq_store_find_snapshot(store, name, "1970-01-01", &snapshot, &error), error);
}

/* A result has all that its list promises, whatever the machine makes of it. */
static void law_of_search(struct pmuq_store *store, const char *words, struct pmuq_source *source)
{
	struct pmuq_found *found = NULL;
	struct pmuq_error *error = NULL;

	if (is_done(pmuq_store_search_machine(store, words, source, true, 2, 10, &found, &error),
		    error))
		for (size_t i = 0; i < pmuq_found_count(found); i++)
			FUZZ_LAW(pmuq_found_get(found, i)->name.p);
	pmuq_found_free(found);
}

/* An event of a table that is read can be encoded, or there is an error. */
static void law_of_table(struct pmuq_vendor *vendor)
{
	const struct pmuq_encode_options options = { .size = sizeof(options), .vendor = vendor };
	struct pmuq_encodings *encodings = NULL;
	struct pmuq_error *error = NULL;

	if (is_done(pmuq_source_encode(base.skylake, "l3.miss", &options, &encodings, &error),
		    error))
		fuzz_encodings(encodings);
	pmuq_encodings_free(encodings);
	pmuq_vendor_free(vendor);
}

static void law_of_tables(struct pmuq_store *store)
{
	struct pmuq_vendors *vendors = NULL;
	struct pmuq_vendor *vendor = NULL;
	struct pmuq_metrics *metrics = NULL;
	struct pmuq_metric_groups *groups = NULL;
	struct pmuq_error *error = NULL;

	is_done(pmuq_store_list_vendors(store, &vendors, &error), error);
	pmuq_vendors_free(vendors);
	law_of_search(store, "cycles", NULL);
	law_of_search(store, "miss", base.skylake);
	error = NULL;
	if (is_done(pmuq_store_open_vendor(store, CPUID, &vendor, &error), error))
		law_of_table(vendor);
	error = NULL;
	if (is_done(pmuq_store_open_lazy_vendor(store, CPUID, &vendor, &error), error))
		law_of_table(vendor);
	error = NULL;
	is_done(pmuq_store_open_metrics(store, CPUID, &metrics, &error), error);
	pmuq_metrics_free(metrics);
	error = NULL;
	is_done(pmuq_store_list_metric_groups(store, CPUID, &groups, &error), error);
	pmuq_metric_groups_free(groups);
}

static void law_of_hosts(struct pmuq_store *store)
{
	struct pmuq_hosts *hosts = NULL;
	struct pmuq_check *check = NULL;
	struct pmuq_error *error = NULL;

	if (is_done(pmuq_store_list_hosts(store, NULL, &hosts, &error), error))
		for (size_t i = 0; i < pmuq_hosts_count(hosts) && i < HOSTS_MAX; i++)
			law_of_host(store, pmuq_hosts_get(hosts, i)->name.p);
	pmuq_hosts_free(hosts);
	law_of_host(store, "web02");
	error = NULL;
	is_done(pmuq_store_find_check(store, base.machine, &check, &error), error);
	pmuq_check_free(check);
}

static void law_of_reader(void)
{
	struct pmuq_error *error = NULL;
	struct pmuq_store *store = NULL;
	size_t n, n_after;
	auto_free char *before = file_bytes(base.path, &n), *after = NULL;

	if (is_done(pmuq_store_open(base.path, PMUQ_STORE_READ, &store, &error), error)) {
		law_of_hosts(store);
		law_of_tables(store);
	}
	pmuq_store_free(store);
	after = file_bytes(base.path, &n_after);
	FUZZ_LAW(n == n_after && memcmp(before, after, n) == 0);
}

static void law_of_writer(void)
{
	struct pmuq_saved saved = { .size = sizeof(saved) };
	struct pmuq_error *error = NULL;
	struct pmuq_store *store = NULL;

	if (!is_done(pmuq_store_open(base.path, PMUQ_STORE_WRITE, &store, &error), error))
		return;
	error = NULL;
	if (is_done(pmuq_store_save(store, base.machine, NULL, "web09", 9000, &saved, &error),
		    error))
		law_of_host(store, "web09");
	error = NULL;
	is_done(pmuq_store_rename_host(store, "web01", "web08", &error), error);
	error = NULL;
	is_done(pmuq_store_forget(store, (const char *const[]){ "web02" }, NULL, 1, NULL, NULL,
				  &error),
		error);
	error = NULL;
	is_done(pmuq_store_remove_vendor(store, "lakes", &error), error);
	pmuq_store_free(store);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pmuq_str input = { .p = (const char *)data + 1, .n = size - 1 };

	if (!size)
		return -1;
	if (!base.path)
		make_base();
	make_files(input, data[0] & 1);
	law_of_reader();
	law_of_writer();
	return 0;
}
