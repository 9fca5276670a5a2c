/* SPDX-License-Identifier: MIT */
/*
 * The connection to the file. Writers use a write-ahead log, which the last one to close merges.
 * Readers create no files and need no writable directory: if there is no log, they read the file
 * unchanged, without locks, and transaction.c checks afterwards that no writer changed it
 * meanwhile.
 */
#include "db/schema.h"
#include "db/sqlite/guard.h"
#include <errno.h>
#include <time.h>
#include <unistd.h>

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

/* A URI, because `immutable` exists only there; "./" hides names with a special meaning for SQLite
 * (":memory:"). */
static char *uri_of(const struct pmuq_store *store, bool is_immutable)
{
	static const char *const modes[] = {
		[PMUQ_STORE_READ] = "ro",
		[PMUQ_STORE_WRITE] = "rw",
		[PMUQ_STORE_CREATE] = "rwc",
	};
	struct pq_buf buf = PQ_BUF_NULL;

	pq_buf_add(&buf, store->sqlite->file[0] == '/' ? STR("file://") : STR("file:./"));
	add_encoded(&buf, str_of(store->sqlite->file));
	pq_buf_print(&buf, "?mode=%s%s", modes[store->mode], is_immutable ? "&immutable=1" : "");
	return pq_buf_take(&buf);
}

static void open_connection(struct pmuq_store *store, bool is_immutable)
{
	const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI |
			  SQLITE_OPEN_NOMUTEX; /* the URI has the mode */
	auto_free char *uri = uri_of(store, is_immutable);
	int rc = SQLITE_NOMEM;

	if (uri)
		rc = store->sqlite->lib.open_v2(uri, &store->sqlite->db, flags, NULL);
	if (!store->sqlite->db) {
		pq_store_fail_memory(store);
		return;
	}
	store->sqlite->is_immutable = is_immutable;
	store->sqlite->has_functions = false;
	store->sqlite->lib.extended_result_codes(store->sqlite->db, 1);
	store->sqlite->lib.busy_timeout(store->sqlite->db, BUSY_TIMEOUT_MS);
	if (rc == SQLITE_OK)
		pq_guard_connection(store);
	else
		pq_sqlite_fail(store, store->sqlite->lib.extended_errcode(store->sqlite->db));
}

/* Closing must not merge the log of a file that may be another program's. */
static void keep_log(struct pmuq_store *store, bool is_kept)
{
	if (store->sqlite->db)
		store->sqlite->lib.db_config(store->sqlite->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE,
					     (int)is_kept, (int *)NULL);
}

static unsigned check_ids(struct pmuq_store *store)
{
	int64_t id = pq_sqlite_number(store, "PRAGMA application_id");
	int64_t version = pq_sqlite_number(store, "PRAGMA user_version");

	/* An empty database becomes one of pmuq. */
	if (store->mode == PMUQ_STORE_CREATE && !id && !version &&
	    !pq_sqlite_number(store, "SELECT count(*) FROM sqlite_master NOT INDEXED"))
		return 0;
	pq_store_check_ids(store, (uint32_t)id, (uint32_t)version);
	return (unsigned)version;
}

/* The log can be newer than the header that inspect_file.c read. */
static unsigned check_with_log(struct pmuq_store *store)
{
	unsigned version;

	pq_sqlite_exec(store, "BEGIN"); /* all from one moment */
	version = check_ids(store);
	if (version)
		pq_schema_check(store, version);
	pq_sqlite_exec(store, "COMMIT");
	return version;
}

/* Checks the owner of the database, and that its schema is pmuq's, before the first query of a
 * table. Returns the version of the schema. */
static unsigned check_content(struct pmuq_store *store)
{
	unsigned version = store->sqlite->header_version;

	if (store->sqlite->is_immutable)
		pq_schema_check(store, version);
	else
		version = check_with_log(store);
	pq_guard_trust_schema(store);
	return version;
}

/* The user may use it, whatever the umask is. Others may not read it, because only root may list
 * the names of tracepoints. */
static int make_directory(const char *path)
{
	struct stat st;

	if (mkdir(path, 0750) < 0)
		return errno == EEXIST ? 0 : -1;
	if (stat(path, &st) < 0 || (st.st_mode & S_IRWXU) == S_IRWXU)
		return 0;
	return chmod(path, (st.st_mode & 07777) | S_IRWXU);
}

/* Creates the directories of the path, like mkdir -p. */
static void make_parents(struct pmuq_store *store)
{
	auto_free char *dir = strdup(store->sqlite->path);

	if (!dir)
		pq_store_fail_memory(store);
	for (char *slash = dir; store->r == 0 && (slash = strchr(slash + 1, '/'));) {
		*slash = '\0';
		if (make_directory(dir) < 0)
			pq_store_refuse(store, PMUQ_E_STORE_OPEN, errno, NULL,
					"cannot create the directory %s: %s", dir,
					pq_errno_text(errno));
		*slash = '/';
	}
}

/* Only the user may read it, whatever the umask is; SQLite uses the same mode for the files next to
 * it. mknod() opens nothing: closing a descriptor would drop the locks of other stores of the
 * process. */
static void create_file(struct pmuq_store *store)
{
	make_parents(store);
	pq_store_check_trust(store);
	if (store->r < 0)
		return;
	if (mknod(store->sqlite->file, S_IFREG | 0600, 0) == 0)
		chmod(store->sqlite->file, 0600); /* if it fails, opening the file reports why */
	else if (errno != EEXIST)
		pq_store_refuse(store, PMUQ_E_STORE_OPEN, errno, "its directory must be writable",
				"cannot create the database: %s", pq_errno_text(errno));
}

/* The connection belongs to the writer from here on: the file is pmuq's, and not newer. */
static void set_up_writer(struct pmuq_store *store)
{
	unsigned version = check_content(store);

	if (store->r < 0)
		return;
	keep_log(store, false);
	if (version < store->schema->n)
		pq_schema_update(store);
	/* This fails while another connection reads without the log; the next writer tries again.
	 */
	if (store->r == 0)
		store->sqlite->lib.exec(store->sqlite->db, "PRAGMA journal_mode = WAL", NULL, NULL,
					NULL);
	pq_sqlite_exec(store, "PRAGMA synchronous = FULL");
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
	for (unsigned i = 0; i < TICK_TRIES && is_just_changed(&store->sqlite->seen); i++) {
		wait_a_tick();
		(void)stat(store->sqlite->path,
			   &store->sqlite->seen); /* if it is gone, opening it fails */
	}
}

/*
 * A writer's connection creates files next to the database even if it finds it corrupt. So the
 * file is first opened without locks; a failure counts only if no process was writing meanwhile.
 */
static void try_unlocked(struct pmuq_store *store)
{
	enum pmuq_store_mode mode = store->mode;
	struct pmuq_error **reterr = store->reterr, *error = NULL;

	if (pq_store_has_log(store))
		return;
	store->mode = PMUQ_STORE_READ;
	store->reterr = &error;
	open_connection(store, true);
	check_content(store);
	pq_store_disconnect(store);
	store->mode = mode;
	store->reterr = reterr;
	if (store->r < 0) {
		wait_a_tick();
		if (pq_store_has_log(store) || pq_store_is_changed(store))
			store->r = 0;
	}
	if (store->r < 0 && reterr)
		*reterr = move(error);
	pmuq_error_free(error);
}

/* In this order, nothing is created next to a file that is foreign, newer or corrupt. */
static void connect_writer(struct pmuq_store *store, enum pq_store_file file)
{
	if (file == PQ_STORE_FILE_MISSING)
		create_file(store);
	else if (file == PQ_STORE_FILE_OURS)
		try_unlocked(store);
	if (store->r == 0)
		open_connection(store, false);
	keep_log(store, true);
	set_up_writer(store);
}

/* Check for the log after the file: if it is missing then, no process was merging it. A log next to
 * a foreign file is ignored. */
static bool can_read_without_locks(struct pmuq_store *store)
{
	if (store->sqlite->is_foreign) {
		wait_until_old(store);
		return true;
	}
	if (store->sqlite->wants_locks || pq_store_has_log(store))
		return false;
	wait_until_old(store);
	return !pq_store_has_log(store);
}

/* A reader never updates the schema: it may have no right to write. */
static void connect_reader(struct pmuq_store *store)
{
	unsigned version;

	open_connection(store, can_read_without_locks(store));
	keep_log(store, true);
	version = check_content(store);
	if (version != store->schema->n)
		pq_store_refuse(store, PMUQ_E_STORE_OPEN, 0, "`pmuq scan` updates it",
				"the database has schema %u, and this pmuq needs %u", version,
				store->schema->n);
}

/* As many links as the kernel follows. */
#define LINKS_MAX 40

/* What a link names, from where the link is; NULL: no link, or no memory. */
static char *target_of(const char *link)
{
	auto_free char *directory = pq_store_directory_of(link), *target = NULL;
	struct pq_buf path = PQ_BUF_NULL;
	struct stat st;
	ssize_t n;

	if (!directory || lstat(link, &st) < 0 || !S_ISLNK(st.st_mode))
		return NULL;
	target = calloc((size_t)st.st_size + 1, 1);
	n = target ? readlink(link, target, (size_t)st.st_size) : -1;
	if (n <= 0)
		return NULL;
	pq_buf_print(&path, "%s%s%s", *target == '/' ? "" : directory, *target == '/' ? "" : "/",
		     target);
	return pq_buf_take(&path);
}

/* A link to a file that does not exist: the target is created, in a directory that is checked. */
static char *find_missing(const char *path)
{
	char *file = strdup(path), *target;

	for (unsigned i = 0; file && i < LINKS_MAX && (target = target_of(file)); i++) {
		free(file);
		file = target;
	}
	return file;
}

/* Links are followed here, because SQLite's file layer opens none, and the log is next to the real
 * file. */
static void find_file(struct pmuq_store *store)
{
	free(store->sqlite->file);
	store->sqlite->file = realpath(store->sqlite->path, NULL);
	if (!store->sqlite->file && errno != ENOMEM)
		store->sqlite->file = find_missing(store->sqlite->path);
	if (!store->sqlite->file)
		pq_store_fail_memory(store);
}

void pq_sqlite_connect(struct pmuq_store *store)
{
	enum pq_store_file file;

	store->sqlite->is_immutable = false;
	find_file(store);
	file = store->r == 0 ? pq_store_inspect(store) : PQ_STORE_FILE_MISSING;
	pq_store_check_trust(store);
	if (store->r < 0)
		return;
	if (store->mode == PMUQ_STORE_READ)
		connect_reader(store);
	else
		connect_writer(store, file);
}

void pq_sqlite_disconnect(struct pmuq_store *store)
{
	struct pq_sqlite_file *file = store->sqlite;

	if (file && file->db)
		file->lib.close_v2(move(file->db));
}

void pq_sqlite_exec(struct pmuq_store *store, const char *sql)
{
	int rc = SQLITE_OK;

	if (store->r == 0)
		rc = store->sqlite->lib.exec(store->sqlite->db, sql, NULL, NULL, NULL);
	if (rc != SQLITE_OK)
		pq_sqlite_fail(store, rc);
}

int64_t pq_sqlite_number(struct pmuq_store *store, const char *sql)
{
	sqlite3_stmt *stmt = NULL;
	int64_t number = 0;
	int rc;

	if (store->r < 0)
		return 0;
	rc = store->sqlite->lib.prepare_v3(store->sqlite->db, sql, -1, 0, &stmt, NULL);
	if (rc == SQLITE_OK)
		rc = store->sqlite->lib.step(stmt);
	if (rc == SQLITE_ROW)
		number = store->sqlite->lib.column_int64(stmt, 0);
	else
		pq_sqlite_fail(store, rc);
	store->sqlite->lib.finalize(stmt);
	return number;
}
