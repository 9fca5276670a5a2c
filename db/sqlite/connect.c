/* SPDX-License-Identifier: MIT */
/*
 * The connection to the file. Writers use a write-ahead log, which the last one to close merges.
 * Readers create no files and need no writable directory: if there is no log, they read the file as
 * it is, without locks, and transaction.c checks afterwards that no writer changed it meanwhile.
 */
#include "core/buf.h"
#include "db/sqlite/guard.h"
#include "db/sqlite/schema.h"
#include <errno.h>
#include <time.h>

#define BUSY_TIMEOUT_MS 5000

/* The clock of file times advances every 10 ms at the slowest: a change within the tick of `seen`
 * does not show. */
#define FILE_TICK_NS 12000000
#define TICK_TRIES 8

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

/* A URI, because `immutable` exists only there; "./" hides names that SQLite has a meaning for
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
	return pq_guard_connection(store, reterr);
}

/* Closing must not merge the log of a file that may be another program's. */
static void keep_log(struct pmuq_store *store, bool is_kept)
{
	store->lib.db_config(store->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, (int)is_kept,
			     (int *)NULL);
}

/* An empty database becomes pmuq's. */
static int check_empty(struct pmuq_store *store, struct pmuq_error **reterr)
{
	int64_t objects = 0;
	int r = pq_store_number(store, "SELECT count(*) FROM sqlite_master NOT INDEXED", &objects,
				reterr);

	return r < 0 || !objects ? r : pq_store_check_ids(store, 0, 0, reterr);
}

static int check_within(struct pmuq_store *store, int64_t *ret_version, struct pmuq_error **reterr)
{
	int64_t id = 0;
	int r = pq_store_number(store, "PRAGMA application_id", &id, reterr);

	if (r == 0)
		r = pq_store_number(store, "PRAGMA user_version", ret_version, reterr);
	if (r < 0)
		return r;
	if (store->mode == PMUQ_STORE_CREATE && !id && !*ret_version)
		return check_empty(store, reterr);
	r = pq_store_check_ids(store, (uint32_t)id, (uint32_t)*ret_version, reterr);
	if (r == 0)
		r = pq_schema_check(store, (unsigned)*ret_version, reterr);
	return r;
}

/* The log can be newer than the header that inspect_file.c read. */
static int check_with_log(struct pmuq_store *store, int64_t *ret_version,
			  struct pmuq_error **reterr)
{
	int r = pq_store_exec(store, "BEGIN", reterr); /* all from one moment */

	if (r == 0)
		r = check_within(store, ret_version, reterr);
	return r == 0 ? pq_store_exec(store, "COMMIT", reterr) : r;
}

/* Whose database it is, and that its schema is pmuq's: before the first query of a table. */
static int check_content(struct pmuq_store *store, int64_t *ret_version, struct pmuq_error **reterr)
{
	int r;

	*ret_version = store->header_version;
	if (store->is_immutable)
		r = pq_schema_check(store, store->header_version, reterr);
	else
		r = check_with_log(store, ret_version, reterr);
	if (r == 0)
		pq_guard_trust_schema(store);
	return r;
}

/* Creates the directories of the path, as mkdir -p. Names of tracepoints, which only root may list,
 * are not for everybody. */
static int make_parents(struct pmuq_store *store, struct pmuq_error **reterr)
{
	auto_free char *dir = strdup(store->path);

	if (!dir)
		return pq_fail_memory(reterr);
	for (char *slash = strchr(dir + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(dir, 0750) < 0 && errno != EEXIST)
			return pq_store_refuse(store, PMUQ_E_STORE_OPEN, errno, NULL, reterr,
					       "cannot create the directory %s: %s", dir,
					       pq_errno_text(errno));
		*slash = '/';
	}
	return 0;
}

/* Only the user may read it, whatever the umask is; SQLite gives the same mode to the files next to
 * it. mknod() opens nothing: closing a descriptor would drop the locks of other stores of the
 * process. */
static int create_file(struct pmuq_store *store, struct pmuq_error **reterr)
{
	int r = make_parents(store, reterr);

	if (r == 0)
		r = pq_store_check_trust(store, reterr);
	if (r == 0 && mknod(store->file, S_IFREG | 0600, 0) < 0 && errno != EEXIST)
		r = pq_store_refuse(store, PMUQ_E_STORE_OPEN, errno,
				    "its directory must be writable", reterr,
				    "cannot create the database: %s", pq_errno_text(errno));
	return r;
}

/* The connection is the writer's from here on: the file is pmuq's, and not newer. */
static int set_up_writer(struct pmuq_store *store, struct pmuq_error **reterr)
{
	int64_t version;
	int r = check_content(store, &version, reterr);

	if (r < 0)
		return r;
	if (store->lib.db_readonly(store->db, "main"))
		return pq_store_refuse(store, PMUQ_E_STORE_OPEN, 0,
				       "the file and its directory must be writable", reterr,
				       "the database cannot be opened for writing");
	keep_log(store, false);
	if (version < store->schema->n) {
		r = pq_schema_update(store, reterr);
		if (r < 0)
			return r;
	}
	/* This fails while another connection reads without the log; the next writer tries again.
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

/* Waits until a change of the file would show in its time. */
static void wait_until_old(struct pmuq_store *store)
{
	for (unsigned i = 0; i < TICK_TRIES && is_just_changed(&store->seen); i++) {
		wait_a_tick();
		if (stat(store->path, &store->seen) < 0)
			return; /* gone: opening it fails */
	}
}

/*
 * A writer's connection creates files next to the database even if it finds it corrupt. So the
 * file is first opened without locks; a failure counts only if no process was writing meanwhile.
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
		r = check_content(store, &version, &error);
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

/* In this order, nothing is created next to a file that is foreign, newer or corrupt. */
static int connect_writer(struct pmuq_store *store, enum pq_store_file file,
			  struct pmuq_error **reterr)
{
	int r = 0;

	if (file == PQ_STORE_FILE_MISSING)
		r = create_file(store, reterr);
	else if (file == PQ_STORE_FILE_OURS)
		r = try_unlocked(store, reterr);
	if (r < 0)
		return r;
	r = open_connection(store, false, reterr);
	if (r < 0)
		return r;
	keep_log(store, true);
	return set_up_writer(store, reterr);
}

/* Check for the log after the file: if it is missing then, no process was merging it. A log next to
 * a foreign file is ignored. */
static bool can_read_without_locks(struct pmuq_store *store)
{
	if (store->is_foreign) {
		wait_until_old(store);
		return true;
	}
	if (store->wants_locks || pq_store_has_log(store))
		return false;
	wait_until_old(store);
	return !pq_store_has_log(store);
}

/* A reader never updates the schema: it may have no right to write. */
static int connect_reader(struct pmuq_store *store, struct pmuq_error **reterr)
{
	int64_t version;
	int r = open_connection(store, can_read_without_locks(store), reterr);

	if (r < 0)
		return r;
	keep_log(store, true);
	r = check_content(store, &version, reterr);
	if (r < 0 || version == store->schema->n)
		return r;
	return pq_store_refuse(store, PMUQ_E_STORE_OPEN, 0, "`pmuq scan` updates it", reterr,
			       "the database has schema %lld, and this pmuq needs %u",
			       (long long)version, store->schema->n);
}

/* Links are followed here, because SQLite's file layer opens none, and the log is next to the real
 * file. A missing file has no other name. */
static int find_file(struct pmuq_store *store, struct pmuq_error **reterr)
{
	free(store->file);
	store->file = realpath(store->path, NULL);
	if (!store->file && errno != ENOMEM)
		store->file = strdup(store->path);
	return store->file ? 0 : pq_fail_memory(reterr);
}

int pq_store_connect(struct pmuq_store *store, struct pmuq_error **reterr)
{
	enum pq_store_file file;
	int r = find_file(store, reterr);

	store->doing = "cannot open the database";
	store->is_immutable = false;
	if (r == 0)
		r = pq_store_inspect(store, &file, reterr);
	if (r == 0)
		r = pq_store_check_trust(store, reterr);
	if (r < 0)
		return r;
	if (store->mode == PMUQ_STORE_READ)
		r = connect_reader(store, reterr);
	else
		r = connect_writer(store, file, reterr);
	store->is_ready = r == 0;
	return r;
}

void pq_store_disconnect(struct pmuq_store *store)
{
	for (size_t i = 0; i < COUNT(store->statements); i++)
		if (store->statements[i].text)
			store->lib.finalize(store->statements[i].stmt);
	memset(store->statements, 0, sizeof(store->statements));
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

int pq_store_number(struct pmuq_store *store, const char *sql, int64_t *ret,
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
