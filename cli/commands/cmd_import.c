/* SPDX-License-Identifier: MIT */
/*
 * `pmuq import`: reads machines from documents and recordings into the database, one file at a
 * time: each file is one transaction, so that nothing of a file with an error is stored, and the
 * others are imported anyway. The first bytes of a file determine its type; its name does not
 * matter, and stdin may be a pipe.
 */
#include "cli/clock.h"
#include "cli/database.h"
#include "cli/events/recorded.h"
#include "cli/interrupt.h"
#include "cli/machine_file.h"
#include "cli/options.h"
#include "cli/or_die.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "core/vec.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

struct import {
	const struct cli *cli;
	const char *name; /* NULL: the name in the file */
	int64_t time_s;
	struct pmuq_store *store;
	struct pmuq_reader *reader;
	struct document *document; /* NULL: text */
	struct progress progress;
	size_t n_files, n_done, n_stored; /* of the command line; read; without an error */
};

/* A host of a file. */
struct imported {
	const char *file; /* name of the file in errors */
	char *host;
	struct pmuq_saved saved;
};

/* A file; its hosts are printed when all are stored. */
struct file {
	PQ_VEC(struct imported);
	struct import *import;
	const char *path; /* name of the file in errors */
};

static const char *const result_words[] = { "new", "updated", "unchanged", NULL };

/* A host that exists in the same state is "unchanged": only its times are updated. */
static const char *result_of(const struct pmuq_saved *saved)
{
	return result_words[saved->is_new_host ? 0 : saved->is_new ? 1 : 2];
}

/* ------------------------------------------------------------------------------------- output */

#define IMPORTED ((const struct imported *)of)

static bool get_result(const void *of, struct cell *cell)
{
	return cell_set_text(cell, result_of(&IMPORTED->saved));
}

// clang-format off
static const struct field imported_fields[] = {
	{ .name = STR("file"),     .type = FIELD_TEXT,   MEMBER(struct imported, file), .help = "where it came from" },
	{ .name = STR("host"),     .type = FIELD_TEXT,   MEMBER(struct imported, host), .help = "its name in the database" },
	{ .name = STR("snapshot"), .type = FIELD_NUMBER, MEMBER(struct imported, saved.snapshot), .help = "its number" },
	{ .name = STR("result"),   .type = FIELD_TEXT,   .get = get_result, .words = result_words,
	  .help = "new: the database had no such host; updated: it had another snapshot" },
};
// clang-format on

static const struct record_type imported_record = { .name = "host", FIELDS(imported_fields) };

static const struct document_type import_document = {
	.name = "import",
	.title = "pmuq import",
	.rows = "hosts",
	.row = &imported_record,
};

static void print_host(const struct imported *host)
{
	print_safe_line(stdout, "host %s: snapshot %" PRId64 " (%s)", host->host,
			host->saved.snapshot, result_of(&host->saved));
	if (host->saved.has_old_check)
		printf("  the database keeps its complete check\n");
}

static void print_text(const struct file *file)
{
	size_t n_new = 0, n_updated = 0;

	for (size_t i = 0; i < file->n; i++) {
		const struct pmuq_saved *saved = &file->v[i].saved;

		print_host(&file->v[i]);
		n_new += saved->is_new_host;
		n_updated += saved->is_new && !saved->is_new_host;
	}
	print_safe(stdout, file->path);
	print_plural(": ", file->n, "host");
	printf(": %zu new, %zu updated, %zu unchanged\n", n_new, n_updated,
	       file->n - n_new - n_updated);
}

/* Printed only after the commit, so that everything printed is stored. */
static void print_file(const struct file *file)
{
	if (!file->import->document)
		print_text(file);
	for (size_t i = 0; file->import->document && i < file->n; i++)
		document_row(file->import->document, &file->v[i]);
}

static void clear_file(struct file *file)
{
	for (size_t i = 0; i < file->n; i++)
		free(file->v[i].host);
	pq_vec_free(file);
}

/* Copies the name, because the reader forgets it with the next machine. */
static void keep(struct file *file, const char *name, const struct pmuq_saved *saved)
{
	const struct imported host = { .file = file->path,
				       .host = or_die(strdup(name)),
				       .saved = *saved };

	push_or_die(file, host);
}

/* ------------------------------------------------------------------------------------- storing */

/* An incomplete machine does not replace a complete one. */
static enum status refuse_part(const struct file *file, const struct pmuq_catalog *catalog,
			       const char *name)
{
	const char *known_from = pmuq_catalog_find_fact(catalog, "incomplete"), *stored_from = NULL;
	cleanup(pmuq_source_freep) struct pmuq_source *source = NULL;
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	auto_free char *message = NULL;
	struct pmuq_error refusal;
	int r;

	if (!known_from || !name)
		return STATUS_OK;
	r = pmuq_store_open_host(file->import->store, name, 0, &source, &error);
	if (r == -PMUQ_E_UNKNOWN_HOST)
		return STATUS_OK;
	if (r == 0)
		r = pmuq_source_find_fact(source, "incomplete", &stored_from, &error);
	if (r < 0)
		return report_error(error, file->path);
	if (stored_from)
		return STATUS_OK;
	message = print_or_die("the database has a complete machine '%s'; %s has only a part of it",
			       name, known_from);
	refusal = error_of(PMUQ_E_INCOMPLETE_MACHINE, message,
			   "--name NAME stores it as another host");
	refusal.origin = str_of(file->path);
	return report_error(&refusal, NULL);
}

/* The transaction begins with the first machine of a file, so that a file without one does not lock
 * the database. */
static enum status save(struct file *file, const struct pmuq_catalog *catalog, const char *name,
			int64_t first_seen_s)
{
	const struct import *import = file->import;
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	struct pmuq_saved saved = { .size = sizeof(saved) };
	int64_t time_s = first_seen_s ? first_seen_s : import->time_s;
	enum status status;

	if (file->n && import->name) {
		report(REPORT_ERROR, "--name is for one host, and %s has several", file->path);
		return STATUS_INVALID;
	}
	name = import->name ? import->name : name;
	if (!name)
		name = pmuq_catalog_find_fact(catalog, "hostname");
	if (name && !database_name_is_usable(name)) {
		report(REPORT_ERROR,
		       "%s: a host cannot be called '%s': an @ begins a snapshot; "
		       "--name gives it another name",
		       file->path, name);
		return STATUS_INVALID;
	}
	status = refuse_part(file, catalog, name);
	if (status != STATUS_OK)
		return status;
	if (!file->n && pmuq_store_begin(import->store, &error) < 0)
		return report_error(error, file->path);
	if (pmuq_store_save(import->store, catalog, NULL, name, time_s, &saved, &error) < 0)
		return report_error(error, file->path);
	keep(file, name, &saved);
	return STATUS_OK;
}

/* One machine at a time is in memory, even if the document is long. */
static enum status save_documents(struct file *file, int fd)
{
	struct pmuq_reader *reader = file->import->reader;
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;

	if (pmuq_reader_open_fd(reader, fd, file->path, &error) < 0)
		return report_error(error, NULL);
	for (;;) {
		cleanup(pmuq_catalog_freep) struct pmuq_catalog *catalog = NULL;
		enum status status;

		if (pmuq_reader_next(reader, &catalog, &error) < 0)
			return report_error(error, NULL);
		if (!catalog)
			return STATUS_OK;
		if (interrupt_came())
			return STATUS_INTERRUPTED;
		progress_show(&file->import->progress, file->import->n_done, file->import->n_files,
			      pmuq_reader_host(reader)->name.p);
		status = save(file, catalog, pmuq_reader_host(reader)->name.p,
			      pmuq_reader_host(reader)->first_seen_s);
		if (status != STATUS_OK)
			return status;
	}
}

/* Events may be missing in a recording that was cut off, so it is not imported. */
static enum status save_recording(struct file *file, int fd)
{
	cleanup(pmuq_recording_freep) struct pmuq_recording *recording = NULL;
	cleanup(pmuq_catalog_freep) struct pmuq_catalog *catalog = NULL;
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;

	if (pmuq_recording_open_fd(fd, file->path, &recording, &error) < 0)
		return report_error(error, NULL);
	if (recorded_report_problems(recording) != STATUS_OK)
		return STATUS_FAILED;
	if (pmuq_recording_catalog(recording, &catalog, &error) < 0)
		return report_error(error, NULL);
	return save(file, catalog, NULL, 0);
}

/* How long to wait for a writer that has not written enough to detect the file type. */
#define WRITER_STEP_MS 5

/* Reads the first bytes without consuming them; of a pipe it makes a copy. */
static ssize_t peek_once(int fd, const int copy[2], char *head, size_t n)
{
	ssize_t got = recv(fd, head, n, MSG_PEEK);

	if (got >= 0 || errno != ENOTSOCK)
		return got;
	got = tee(fd, copy[1], n, 0);
	return got > 0 ? read(copy[0], head, n) : got;
}

/* Waits until there are enough bytes, or the writer has closed the pipe. */
static ssize_t peek(int fd, char *head, size_t n)
{
	struct pollfd writer = { .fd = fd, .events = POLLRDHUP };
	bool is_over = false;
	ssize_t got;
	int copy[2];

	if (pipe2(copy, O_CLOEXEC) < 0)
		return -1;
	for (;;) {
		got = peek_once(fd, copy, head, n);
		if (got <= 0 || (size_t)got == n || is_over)
			break;
		is_over = poll(&writer, 1, WRITER_STEP_MS) != 0;
	}
	close(copy[0]);
	close(copy[1]);
	return got;
}

/* Determines the type by the first bytes, which can still be read. */
static bool is_recording(int fd)
{
	char head[PMUQ_RECORDING_MAGIC_BYTES];
	off_t at = lseek(fd, 0, SEEK_CUR);
	ssize_t n = at >= 0 ? pread(fd, head, sizeof(head), at) : peek(fd, head, sizeof(head));

	return n > 0 && pmuq_recording_is(head, (size_t)n);
}

/* For a directory of `perf record --threads`: its file `data` describes the machine and the events.
 * A directory without one is refused like any that is read. */
static int open_within(int dir)
{
	struct stat st;
	int fd = fstat(dir, &st) == 0 && S_ISDIR(st.st_mode)
			 ? openat(dir, "data", O_RDONLY | O_CLOEXEC | O_NOCTTY)
			 : -1;

	if (fd < 0)
		return dir;
	close(dir);
	return fd;
}

static bool is_regular(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
}

static bool is_directory(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* What to do with a file that is neither a document nor a recording. */
static void note_other(const char *path)
{
	cleanup(pmuq_source_freep) struct pmuq_source *source = NULL;
	enum file_type type = machine_file_type(path);

	if (type == FILE_DATABASE)
		report(REPORT_NOTE,
		       "%s is a database: `pmuq --db %s export --all-hosts | pmuq import -` "
		       "imports its hosts",
		       path, path);
	else if (type != FILE_CAPTURE)
		return;
	else if (optional_or_die(pmuq_source_open_tree(path, &source, NULL)) == 0)
		report(REPORT_NOTE,
		       "%s is a captured machine: `pmuq --sysroot %s scan --name NAME` stores it",
		       path, path);
	else if (!is_directory(path))
		report(REPORT_NOTE,
		       "%s is compressed, and not a captured machine: decompress "
		       "it and pipe it to `pmuq import -`",
		       path);
}

/* Rolling back after a commit, or without a transaction, does nothing. */
static enum status import_fd(struct file *file, int fd)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	struct interrupt interrupt;
	bool is_awaited = !is_regular(fd);
	enum status status;

	/* A pipe can wait for its writer: Ctrl-C ends the command at once, and SQLite rolls back.
	 */
	if (!is_awaited)
		interrupt_begin(&interrupt);
	status = is_recording(fd) ? save_recording(file, fd) : save_documents(file, fd);
	progress_end(&file->import->progress);
	if (status == STATUS_OK && file->n && pmuq_store_commit(file->import->store, &error) < 0)
		status = report_error(error, file->path);
	pmuq_store_roll_back(file->import->store);
	if (!is_awaited)
		interrupt_end(&interrupt);
	return status;
}

/* If a file cannot be imported the database stays as it was; the other files are still imported. */
static enum status import_file(struct import *import, const char *path)
{
	bool is_stdin = strcmp(path, "-") == 0;
	cleanup(clear_file) struct file file = { .import = import,
						 .path = is_stdin ? "<stdin>" : path };
	int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	enum status status;

	if (fd < 0)
		return report_failed("%s: %s", path, strerror(errno));
	if (!is_stdin)
		fd = open_within(fd);
	status = import_fd(&file, fd);
	if (status == STATUS_OK) {
		print_file(&file);
		import->n_stored++;
	}
	if (!is_stdin)
		close(fd);
	if (!is_stdin && status != STATUS_OK && status != STATUS_INTERRUPTED)
		note_other(path);
	return status == STATUS_OK || status == STATUS_INTERRUPTED ? status : STATUS_FAILED;
}

/* The exit status is 4 if any file failed; the database has the others. */
static enum status import_all(struct import *import, char **paths)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	enum status status = database_open(import->cli, PMUQ_STORE_CREATE, &import->store);

	if (status == STATUS_OK && pmuq_reader_new(&import->reader, &error) < 0)
		status = report_error(error, NULL);
	progress_begin(&import->progress);
	for (; import->reader && *paths && !interrupt_came(); paths++, import->n_done++)
		status = status_worse(status, import_file(import, *paths));
	if (interrupt_came())
		status = STATUS_INTERRUPTED;
	if (status == STATUS_INTERRUPTED)
		report(REPORT_NOTE,
		       "interrupted: the database has %zu of %zu files, and nothing of the others",
		       import->n_stored, import->n_files);
	pmuq_reader_free(import->reader);
	pmuq_store_free(import->store);
	return status;
}

static enum status run_import(const struct options *options)
{
	struct import import = {
		.cli = &options->cli,
		.name = option_value(options, OPTION_NAME),
		.time_s = clock_now_s(),
		.n_files = options->n_operands,
	};
	struct document document;
	enum status status;

	if (import.name && !database_name_is_usable(import.name))
		return usage_error("--name %s: an @ begins a snapshot", import.name);
	if (options->output.form == DOCUMENT_NONE)
		return import_all(&import, options->operands);
	status = document_begin(&document, options->output.form, &import_document, NULL);
	import.document = &document;
	if (status == STATUS_OK)
		status = import_all(&import, options->operands);
	return status_worse(status, document_end(&document, NULL));
}

const struct command cmd_import = {
	.name = "import",
	.arguments = "FILE...",
	.needs = "a file, or - for stdin",
	.no_host = "it reads machines from files",
	.no_sysroot = "it reads machines from files",
	.summary = "read machines from files into the database",
	.text = "FILE is a YAML or JSON document of `pmuq export`, or a perf.data file, which\n"
		"gives an incomplete machine; - is stdin. All machines of a file are imported, or\n"
		"none. A machine that the database has in the same state adds nothing. If a file\n"
		"cannot be imported the exit status is 4; the other files are still imported.\n\n"
		"Examples:\n"
		"  pmuq import hosts.yaml\n"
		"  pmuq --host web01 export | ssh db1 pmuq import -\n",
	.options = OPTION_LIST(OPTION_NAME, OPTIONS_DOCUMENT),
	.documents = DOCUMENT_LIST(&import_document),
	.run = run_import,
};
