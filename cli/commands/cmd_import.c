/* SPDX-License-Identifier: MIT */
/*
 * `pmuq import`: reads machines from documents and recordings into the database. Nothing of a file
 * with an error is stored, and the others are imported anyway. So a file is a transaction; but each
 * transaction waits for the disk, and an inventory can have a file for each host: small documents
 * are read completely first, and many are stored in one transaction. If one of them cannot be
 * stored, each gets a transaction of its own. The first bytes of a file determine its type; its
 * name does not matter, and stdin may be a pipe.
 */
#include "cli/clock.h"
#include "cli/database.h"
#include "cli/events/recorded.h"
#include "cli/hosts/import_file.h"
#include "cli/hosts/imported.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/or_die.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "core/vec.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Documents that are stored in one transaction: their size, and how many. Others who write wait for
 * it, a tenth of a second. */
#define SMALL_MAX_BYTES ((size_t)64 << 10)
#define BATCH_MAX 256

struct import {
	const struct cli *cli;
	const char *name; /* NULL: the name in the file */
	int64_t time_s;
	struct pmuq_store *store;
	struct pmuq_reader *reader;
	struct document *document; /* NULL: text */
	struct progress progress;
	struct interrupt interrupt;
	size_t n_files, n_done, n_stored; /* of the command line; read; without an error */
	PQ_VEC(struct file *) batch;	  /* stored, but not committed */
	bool has_begun;			  /* a transaction */
	bool has_no_batches;		  /* each file is a transaction */
};

struct read_machine {
	struct pmuq_catalog *catalog;
	char *name;
	int64_t first_s, last_s; /* 0: unknown */
};

/* A file; its hosts are printed when all are stored. */
struct file {
	PQ_VEC(struct imported);
	struct import *import;
	const char *path;     /* name of the file in errors */
	const char *argument; /* the same on the command line */
	bool is_small;	      /* its machines are read before one is stored */
	PQ_VEC(struct read_machine) machines;
};

/* Only after the commit, so that everything printed is stored. */
static void print_file(const struct file *file)
{
	imported_print(file->v, file->n, file->path, file->import->document);
}

static void clear_file(struct file *file)
{
	for (size_t i = 0; i < file->n; i++)
		free(file->v[i].host);
	for (size_t i = 0; i < file->machines.n; i++) {
		pmuq_catalog_free(file->machines.v[i].catalog);
		free(file->machines.v[i].name);
	}
	pq_vec_free(&file->machines);
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

/* The name under which the machine is stored, or NULL after an error. */
static const char *choose_name(const struct file *file, const struct pmuq_catalog *catalog,
			       const char *name)
{
	const struct import *import = file->import;

	if ((file->n || file->machines.n) && import->name) {
		report(REPORT_ERROR, "--name is for one host, and %s has several", file->path);
		return NULL;
	}
	name = import->name ? import->name : name;
	if (!name)
		name = pmuq_catalog_find_fact(catalog, "hostname");
	if (!name)
		return "";
	return database_check_name(file->path, name) == STATUS_OK ? name : NULL;
}

/* The transaction begins with the first machine of a file, so that a file without one does not lock
 * the database. */
static int store_machine(struct file *file, const struct read_machine *machine,
			 struct pmuq_error **reterr)
{
	struct import *import = file->import;
	struct pmuq_saved saved = { .size = sizeof(saved) };
	const char *name = *machine->name ? machine->name : NULL;
	int r = 0;

	if (!import->has_begun)
		r = pmuq_store_begin(import->store, reterr);
	import->has_begun |= r == 0;
	if (r == 0 && machine->first_s)
		r = pmuq_store_save_seen(import->store, machine->catalog, name, machine->first_s,
					 machine->last_s, &saved, reterr);
	else if (r == 0)
		r = pmuq_store_save(import->store, machine->catalog, NULL, name, import->time_s,
				    &saved, reterr);
	if (r == 0)
		keep(file, machine->name, &saved);
	return r;
}

/* `host` is NULL for a machine that is not of a document. */
static enum status save(struct file *file, struct pmuq_catalog **catalog,
			const struct pmuq_document_host *host)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	const char *name = choose_name(file, *catalog, host ? host->name.p : NULL);
	struct read_machine machine = {
		.catalog = *catalog,
		.first_s = host ? host->first_seen_s : 0,
		.last_s = host ? host->last_seen_s : 0,
	};
	enum status status =
		name ? refuse_part(file, *catalog, *name ? name : NULL) : STATUS_INVALID;

	if (status != STATUS_OK)
		return status;
	machine.name = or_die(strdup(name));
	if (file->is_small) {
		push_or_die(&file->machines, machine);
		*catalog = NULL;
		return STATUS_OK;
	}
	if (store_machine(file, &machine, &error) < 0)
		status = report_error(error, file->path);
	free(machine.name);
	return status;
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
		status = save(file, &catalog, pmuq_reader_host(reader));
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
	return save(file, &catalog, NULL);
}

/* After a commit, or without a transaction, this does nothing. */
static void roll_back(struct import *import)
{
	pmuq_store_roll_back(import->store);
	import->has_begun = false;
}

static void free_batch(struct import *import)
{
	for (size_t i = 0; i < import->batch.n; i++) {
		clear_file(import->batch.v[i]);
		free(import->batch.v[i]);
	}
	pq_vec_free(&import->batch);
}

static enum status import_file(struct import *import, const char *path);
/* The files of the batch again, each in a transaction of its own. */
static enum status import_each(struct import *import)
{
	struct import each;
	enum status status = STATUS_OK;

	roll_back(import);
	each = *import;
	each.has_no_batches = true;
	memset(&each.batch, 0, sizeof(each.batch));
	for (size_t i = 0; i < import->batch.n; i++)
		status = status_worse(status, import_file(&each, import->batch.v[i]->argument));
	import->n_stored = each.n_stored;
	free_batch(import);
	return status;
}

static enum status commit_batch(struct import *import)
{
	if (!import->batch.n)
		return STATUS_OK;
	if (import->has_begun && pmuq_store_commit(import->store, NULL) < 0)
		return import_each(import);
	roll_back(import);
	for (size_t i = 0; i < import->batch.n; i++)
		print_file(import->batch.v[i]);
	import->n_stored += import->batch.n;
	free_batch(import);
	return STATUS_OK;
}

/* A small file that was read. After an error the transaction cannot be committed any more. */
static enum status add_to_batch(struct file *file)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	struct import *import = file->import;
	struct file *kept;
	int r = 0;

	for (size_t i = 0; r == 0 && i < file->machines.n; i++)
		r = store_machine(file, &file->machines.v[i], &error);
	if (r < 0 && !import->batch.n) {
		roll_back(import);
		return report_error(error, file->path);
	}
	kept = or_die(malloc(sizeof(*kept)));
	*kept = *file;
	*file = (struct file){ .import = import };
	push_or_die(&import->batch, kept);
	for (size_t i = 0; i < kept->machines.n; i++)
		pmuq_catalog_free(move(kept->machines.v[i].catalog));
	if (r < 0)
		return import_each(import);
	return import->batch.n < BATCH_MAX ? STATUS_OK : commit_batch(import);
}

static enum status store_file(struct file *file, enum status status)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	struct import *import = file->import;

	if (status == STATUS_OK && file->n && pmuq_store_commit(import->store, &error) < 0)
		status = report_error(error, file->path);
	roll_back(import);
	if (status == STATUS_OK) {
		print_file(file);
		import->n_stored++;
	}
	return status;
}

static enum status import_fd(struct file *file, int fd)
{
	struct import *import = file->import;
	enum status status = !file->is_small && import_is_recording(fd) ? save_recording(file, fd)
									: save_documents(file, fd);

	progress_end(&import->progress);
	if (!file->is_small)
		status = store_file(file, status);
	else if (status == STATUS_OK)
		status = add_to_batch(file);
	return status;
}

/* If a file cannot be imported the database stays as it was; the other files are still imported. */
static enum status import_path(struct import *import, const char *path)
{
	bool is_stdin = strcmp(path, "-") == 0;
	cleanup(clear_file) struct file file = { .import = import,
						 .path = is_stdin ? "<stdin>" : path,
						 .argument = path };
	int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	enum status status, before = STATUS_OK;

	if (fd < 0)
		return report_failed("%s: %s", path, strerror(errno));
	if (!is_stdin)
		fd = import_open_within(fd);
	file.is_small = !import->has_no_batches && !is_stdin &&
			import_is_regular(fd, SMALL_MAX_BYTES) && !import_is_recording(fd);
	if (!file.is_small)
		before = commit_batch(import);
	status = import_fd(&file, fd);
	if (!is_stdin)
		close(fd);
	if (!is_stdin && status != STATUS_OK && status != STATUS_INTERRUPTED)
		import_note_other(path);
	if (status != STATUS_OK && status != STATUS_INTERRUPTED)
		status = STATUS_FAILED;
	return status_worse(before, status);
}

static bool is_regular(const char *path)
{
	struct stat st;

	if (strcmp(path, "-") == 0)
		return import_is_regular(STDIN_FILENO, 0);
	return stat(path, &st) < 0 || S_ISREG(st.st_mode);
}

/* A pipe can wait: then Ctrl-C ends the command at once, and SQLite rolls back. */
static enum status import_file(struct import *import, const char *path)
{
	bool is_awaited = !is_regular(path);
	enum status status, before = STATUS_OK;

	if (is_awaited) {
		before = commit_batch(import);
		interrupt_end(&import->interrupt);
	}
	status = import_path(import, path);
	if (is_awaited)
		interrupt_begin(&import->interrupt);
	return status_worse(before, status);
}

/* The exit status is 4 if any file failed; the database has the others. */
static enum status import_all(struct import *import, char **paths)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	enum status status = database_open(import->cli, PMUQ_STORE_CREATE, &import->store);

	if (status == STATUS_OK && pmuq_reader_new(&import->reader, &error) < 0)
		status = report_error(error, NULL);
	interrupt_begin(&import->interrupt);
	progress_begin(&import->progress);
	for (; import->reader && *paths && !interrupt_came(); paths++, import->n_done++)
		status = status_worse(status, import_file(import, *paths));
	status = status_worse(status, commit_batch(import));
	if (interrupt_came())
		status = STATUS_INTERRUPTED;
	if (status == STATUS_INTERRUPTED)
		report(REPORT_NOTE,
		       "interrupted: the database has %zu of %zu files, and nothing of the others",
		       import->n_stored, import->n_files);
	interrupt_end(&import->interrupt);
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
		"none. A machine that the database has in the same state, or has seen later in\n"
		"another state, adds nothing. If a file cannot be imported the exit status is 4;\n"
		"the other files are still imported.\n\n"
		"Examples:\n"
		"  pmuq import hosts.yaml\n"
		"  pmuq --host web01 export | ssh db1 pmuq import -\n",
	.options = OPTION_LIST(OPTION_NAME, OPTIONS_DOCUMENT),
	.documents = DOCUMENT_LIST(&import_document),
	.run = run_import,
};
