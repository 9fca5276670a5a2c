/* SPDX-License-Identifier: MIT */
/*
 * The connection to the file. Writers keep a write-ahead log, which the last one to close merges.
 * Readers leave nothing behind and need no writable directory: where no log is waiting, they read
 * the file as it is, without locks, and transaction.c proves afterwards that no writer came
 * between.
 */
#include "db/db.h"
#include <errno.h>
#include <time.h>

#define BUSY_TIMEOUT_MS 5000

/* Times of files tick as slowly as every 10 ms: a change within the tick of `seen` would not be
 * seen. */
#define FILE_TICK_NS 12000000
#define SETTLE_TRIES 8

static void add_encoded(struct pq_buf *buf, struct pmuq_str path)
{
	for (size_t i = 0; i < path.n; i++) {
		char c = path.p[i];

		if (char_is_alpha(c) || char_is_digit(c) || strchr("/._-", c))
			pq_buf_char(buf, c, 1);
		else
			pq_buf_print(buf, "%%%02X", (unsigned char)c);
	}
}

/* A URI, since only that can say `immutable`; "./" keeps SQLite from seeing names of its own
 * (":memory:"). */
static char *uri_of(const struct pmuq_store *store, bool is_immutable)
{
	static const char *const modes[] = {
		[PMUQ_STORE_READ] = "ro",
		[PMUQ_STORE_WRITE] = "rw",
		[PMUQ_STORE_CREATE] = "rwc",
	};
	struct pq_buf buf = PQ_BUF_NULL;

	pq_buf_add(&buf, store->file[0] == '/' ? STR("file://") : STR("file:./"));
	add_encoded(&buf, str_of(store->file));
	pq_buf_print(&buf, "?mode=%s%s", modes[store->mode], is_immutable ? "&immutable=1" : "");
	return pq_buf_take(&buf);
}

static int open_connection(struct pmuq_store *store, bool is_immutable, struct pmuq_error **reterr)
{
	static const int flags[] = {
		[PMUQ_STORE_READ] = SQLITE_OPEN_READONLY,
		[PMUQ_STORE_WRITE] = SQLITE_OPEN_READWRITE,
		[PMUQ_STORE_CREATE] = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
	};
	auto_free char *uri = uri_of(store, is_immutable);
	int rc;

	if (!uri)
		return pq_fail_memory(reterr);
	rc = store->lib.open_v2(uri, &store->db,
				flags[store->mode] | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, NULL);
	if (!store->db)
		return pq_fail_memory(reterr);
	store->is_immutable = is_immutable;
	store->lib.extended_result_codes(store->db, 1);
	store->lib.busy_timeout(store->db, BUSY_TIMEOUT_MS);
	if (rc != SQLITE_OK)
		return pq_store_fail(store, store->lib.extended_errcode(store->db), reterr);
	return pq_store_exec(store,
			     "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;"
			     "PRAGMA temp_store = MEMORY; PRAGMA foreign_keys = ON;",
			     reterr);
}

/* Until it is known whose file this is, closing must not merge its log. */
static void keep_log(struct pmuq_store *store, bool is_kept)
{
	store->lib.db_config(store->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, (int)is_kept,
			     (int *)NULL);
}

/* The header that look.c read may be older than what stands in the log. */
static int check_ids(struct pmuq_store *store, int64_t *ret_version, struct pmuq_error **reterr)
{
	int64_t id = 0, version = 0, objects = 0;
	int r = pq_store_exec(store, "BEGIN", reterr); /* all three at one moment */

	if (r == 0)
		r = pq_store_pragma(store, "PRAGMA application_id", &id, reterr);
	if (r == 0)
		r = pq_store_pragma(store, "PRAGMA user_version", &version, reterr);
	if (r == 0)
		r = pq_store_pragma(store, "SELECT count(*) FROM sqlite_schema", &objects, reterr);
	if (r == 0)
		r = pq_store_exec(store, "COMMIT", reterr);
	if (r < 0)
		return r;
	*ret_version = version;
	if (store->mode == PMUQ_STORE_CREATE && !id && !version && !objects)
		return 0;
	return pq_store_check_ids(store, (uint32_t)id, (uint32_t)version, reterr);
}

static int make_parents(struct pmuq_store *store, struct pmuq_error **reterr)
{
	auto_free char *dir = strdup(store->place);
	int r;

	if (!dir)
		return pq_fail_memory(reterr);
	for (char *slash = strchr(dir + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(dir, 0755) < 0 && errno != EEXIST) {
			int errnum = errno;

			r = pq_fail(reterr, PMUQ_E_STORE_OPEN, "cannot make the directory %s: %s",
				    dir, pq_store_errno_text(errnum));
			pq_error_origin(reterr, str_of(store->path));
			pq_error_errno(reterr, errnum);
			return r;
		}
		*slash = '/';
	}
	return 0;
}

static int fail_readonly(struct pmuq_store *store, struct pmuq_error **reterr)
{
	int r = pq_fail(reterr, PMUQ_E_STORE_OPEN, "the database cannot be opened for writing");

	pq_error_origin(reterr, str_of(store->path));
	pq_error_hint(reterr, "the file and its directory must be writable");
	return r;
}

static int set_up_writer(struct pmuq_store *store, struct pmuq_error **reterr)
{
	int64_t version;
	int r = check_ids(store, &version, reterr);

	if (r < 0)
		return r;
	if (store->lib.db_readonly(store->db, "main"))
		return fail_readonly(store, reterr);
	keep_log(store, false);
	if (version < pq_store_schema_version()) {
		r = pq_store_migrate(store, reterr);
		if (r < 0)
			return r;
	}
	/* Not possible while another connection reads without the log; the next one will try again.
	 */
	store->lib.exec(store->db, "PRAGMA journal_mode = WAL", NULL, NULL, NULL);
	return pq_store_exec(store, "PRAGMA synchronous = FULL", reterr);
}

static bool is_just_changed(const struct stat *st)
{
	struct timespec now;
	int64_t age_ns;

	clock_gettime(CLOCK_REALTIME, &now);
	age_ns = (now.tv_sec - st->st_mtim.tv_sec) * INT64_C(1000000000) +
		 (now.tv_nsec - st->st_mtim.tv_nsec);
	return age_ns >= 0 && age_ns < FILE_TICK_NS;
}

static void wait_a_tick(void)
{
	const struct timespec tick = { .tv_nsec = FILE_TICK_NS };

	nanosleep(&tick, NULL);
}

static void settle(struct pmuq_store *store)
{
	for (unsigned i = 0; i < SETTLE_TRIES && is_just_changed(&store->seen); i++) {
		wait_a_tick();
		if (stat(store->place, &store->seen) < 0)
			return; /* gone: opening it says so */
	}
}

/*
 * A writer's connection leaves traces beside the file even when it finds it broken. So it is tried
 * without first; a failure counts only when nobody was writing meanwhile.
 */
static int try_unlocked(struct pmuq_store *store, struct pmuq_error **reterr)
{
	enum pmuq_store_mode mode = store->mode;
	struct pmuq_error *error = NULL;
	int64_t version;
	int r;

	if (pq_store_has_log(store))
		return 0;
	store->mode = PMUQ_STORE_READ;
	r = open_connection(store, true, &error);
	if (r == 0)
		r = check_ids(store, &version, &error);
	pq_store_disconnect(store);
	store->mode = mode;
	if (r < 0) {
		wait_a_tick();
		if (pq_store_has_log(store) || pq_store_is_changed(store))
			r = 0;
	}
	if (r < 0 && reterr)
		*reterr = move(error);
	pmuq_error_free(error);
	return r;
}

static int connect_writer(struct pmuq_store *store, enum pq_look look, struct pmuq_error **reterr)
{
	int r = 0;

	if (look == PQ_LOOK_MISSING)
		r = make_parents(store, reterr);
	else if (look == PQ_LOOK_OURS)
		r = try_unlocked(store, reterr);
	if (r < 0)
		return r;
	r = open_connection(store, false, reterr);
	if (r < 0)
		return r;
	keep_log(store, true);
	return set_up_writer(store, reterr);
}

/* The log is looked for after the file: where there is none then, nobody was in the middle of
 * merging it. */
static bool can_read_without_locks(struct pmuq_store *store)
{
	if (store->wants_locks || pq_store_has_log(store))
		return false;
	settle(store);
	return !pq_store_has_log(store);
}

static int connect_reader(struct pmuq_store *store, struct pmuq_error **reterr)
{
	int64_t version;
	int r = open_connection(store, can_read_without_locks(store), reterr);

	if (r < 0)
		return r;
	keep_log(store, true);
	r = check_ids(store, &version, reterr);
	if (r < 0 || version == pq_store_schema_version())
		return r;
	r = pq_fail(reterr, PMUQ_E_STORE_OPEN, "the database is of an older pmuq, with schema %lld",
		    (long long)version);
	pq_error_origin(reterr, str_of(store->path));
	pq_error_hint(reterr, "`pmuq scan` brings it up to date");
	return r;
}

/* Links are followed here, since SQLite's file layer opens none, and names the log by where they
 * lead to. What is not there leads to itself. */
static int find_file(struct pmuq_store *store, struct pmuq_error **reterr)
{
	free(store->file);
	store->file = realpath(store->place, NULL);
	if (!store->file)
		store->file = strdup(store->place);
	return store->file ? 0 : pq_fail_memory(reterr);
}

int pq_store_connect(struct pmuq_store *store, struct pmuq_error **reterr)
{
	enum pq_look look;
	int r = find_file(store, reterr);

	store->doing = "cannot open the database";
	store->is_immutable = false;
	if (r == 0)
		r = pq_store_look(store, &look, reterr);
	if (r < 0)
		return r;
	if (store->mode == PMUQ_STORE_READ)
		r = connect_reader(store, reterr);
	else
		r = connect_writer(store, look, reterr);
	store->is_ready = r == 0;
	return r;
}

void pq_store_disconnect(struct pmuq_store *store)
{
	for (size_t i = 0; i < PQ_SQL_COUNT; i++) {
		if (store->statements[i])
			store->lib.finalize(store->statements[i]);
		store->statements[i] = NULL;
	}
	if (store->db)
		store->lib.close_v2(store->db);
	store->db = NULL;
	store->is_ready = false;
}

int pq_store_exec(struct pmuq_store *store, const char *sql, struct pmuq_error **reterr)
{
	int rc = store->lib.exec(store->db, sql, NULL, NULL, NULL);

	return rc == SQLITE_OK ? 0 : pq_store_fail(store, rc, reterr);
}

int pq_store_pragma(struct pmuq_store *store, const char *sql, int64_t *ret,
		    struct pmuq_error **reterr)
{
	sqlite3_stmt *stmt = NULL;
	int rc = store->lib.prepare_v3(store->db, sql, -1, 0, &stmt, NULL);
	int r = 0;

	if (rc == SQLITE_OK)
		rc = store->lib.step(stmt);
	if (rc == SQLITE_ROW)
		*ret = store->lib.column_int64(stmt, 0);
	else
		r = pq_store_fail(store, rc, reterr);
	store->lib.finalize(stmt);
	return r;
}
