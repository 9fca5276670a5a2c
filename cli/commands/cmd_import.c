/* SPDX-License-Identifier: MIT */
/* `pmuq import`: machines out of documents and recordings into the database, a file at a time. */
#include "cli/database.h"
#include "cli/events/recorded.h"
#include "cli/machine_word.h"
#include "cli/options.h"
#include "cli/report.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
	KEY_NAME = OPTION_LONG,
};

static const struct option_row import_options[] = {
	{ KEY_NAME, "name", "NAME", "keep it under NAME; for a file of one host" },
};

struct import {
	const struct cli *cli;
	const char *name; /* NULL: as the file says */
	int64_t time_s;
	struct pmuq_store *store;
	struct pmuq_reader *reader;
};

/* What came of one file, told when it is kept. */
struct file {
	struct import *import;
	const char *path; /* as errors call it */
	FILE *told;
	size_t n, n_new, n_updated;
};

static const char *word_of(const struct pmuq_saved *saved)
{
	if (saved->is_new_host)
		return "new";
	return saved->is_new ? "updated" : "unchanged";
}

static void tell(struct file *file, const char *name, const struct pmuq_saved *saved)
{
	file->n++;
	file->n_new += saved->is_new_host;
	file->n_updated += saved->is_new && !saved->is_new_host;
	fprintf(file->told, "host ");
	print_safe(file->told, name);
	fprintf(file->told, ": snapshot %" PRId64 " (%s)\n", saved->snapshot, word_of(saved));
	if (saved->has_old_check)
		fprintf(file->told, "  the whole check that the database has of it stays\n");
}

/* What tells a part of a machine does not take the place of what knows it as a whole. */
static int refuse_part(const struct file *file, const struct pmuq_catalog *catalog,
		       const char *name)
{
	const char *known_from = pmuq_catalog_find_fact(catalog, "incomplete");
	cleanup(source_freep) struct pmuq_source *source = NULL;
	cleanup(error_freep) struct pmuq_error *error = NULL;
	auto_free char *message = NULL;
	struct diagnosis diagnosis = { .code = PMUQ_E_INCOMPLETE_MACHINE,
				       .origin = file->path,
				       .hint = "--name NAME keeps it beside, as another host" };
	int r;

	if (!known_from || !name)
		return STATUS_OK;
	r = pmuq_store_open_host(file->import->store, name, 0, &source, &error);
	if (r == -PMUQ_E_UNKNOWN_HOST)
		return STATUS_OK;
	if (r < 0)
		return report_error(error, file->path);
	if (pmuq_source_find_fact(source, "incomplete"))
		return STATUS_OK;
	if (asprintf(&message, "the database knows host '%s' as a whole, %s tells a part of it",
		     name, known_from) < 0)
		return report_failed("out of memory");
	diagnosis.message = message;
	fflush(stdout);
	report_draw(stderr, REPORT_ERROR, &diagnosis, NULL, "");
	return STATUS_FAILED;
}

static int save(struct file *file, const struct pmuq_catalog *catalog, const char *name,
		int64_t first_seen_s)
{
	const struct import *import = file->import;
	cleanup(error_freep) struct pmuq_error *error = NULL;
	struct pmuq_saved saved = { .size = sizeof(saved) };
	int64_t time_s = first_seen_s ? first_seen_s : import->time_s;
	int status;

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
	tell(file, name, &saved);
	return STATUS_OK;
}

static int save_documents(struct file *file, int fd)
{
	struct pmuq_reader *reader = file->import->reader;
	cleanup(error_freep) struct pmuq_error *error = NULL;

	if (pmuq_reader_open_fd(reader, fd, file->path, &error) < 0)
		return report_error(error, NULL);
	for (;;) {
		cleanup(catalog_freep) struct pmuq_catalog *catalog = NULL;
		int status;

		if (pmuq_reader_next(reader, &catalog, &error) < 0)
			return report_error(error, NULL);
		if (!catalog)
			return STATUS_OK;
		status = save(file, catalog, pmuq_reader_host(reader)->name.p,
			      pmuq_reader_host(reader)->first_seen_s);
		if (status != STATUS_OK)
			return status;
	}
}

static int save_recording(struct file *file, int fd)
{
	cleanup(recording_freep) struct pmuq_recording *recording = NULL;
	cleanup(catalog_freep) struct pmuq_catalog *catalog = NULL;
	cleanup(error_freep) struct pmuq_error *error = NULL;

	if (pmuq_recording_open_fd(fd, file->path, &recording, &error) < 0)
		return report_error(error, NULL);
	if (recorded_report_problems(recording) != STATUS_OK)
		return STATUS_FAILED;
	if (pmuq_recording_catalog(recording, &catalog, &error) < 0)
		return report_error(error, NULL);
	return save(file, catalog, NULL, 0);
}

/* How long a writer is waited for that has written less than tells what it is. */
#define WRITER_STEP_MS 5

/* What is there, and stays there: of a pipe, a copy. */
static ssize_t peek_once(int fd, const int copy[2], char *head, size_t n)
{
	ssize_t got = recv(fd, head, n, MSG_PEEK);

	if (got >= 0 || errno != ENOTSOCK)
		return got;
	got = tee(fd, copy[1], n, 0);
	return got > 0 ? read(copy[0], head, n) : got;
}

/* Until it is enough, or the writer is gone. */
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

/* By the first bytes, which can still be read. */
static bool is_recording(int fd)
{
	char head[PMUQ_RECORDING_MAGIC_BYTES];
	off_t at = lseek(fd, 0, SEEK_CUR);
	ssize_t n = at >= 0 ? pread(fd, head, sizeof(head), at) : peek(fd, head, sizeof(head));

	return n > 0 && pmuq_recording_is(head, (size_t)n);
}

/* Of `perf record --threads`: what it says of the machine and the events is in its file `data`. A
 * directory without one is refused as any that is read. */
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

/* What a file that is no document was named for, and how that is done. */
static void note_other(const char *path)
{
	switch (machine_form_of(path)) {
	case MACHINE_CAPTURE:
		report(REPORT_NOTE,
		       "%s is a captured machine: `pmuq --sysroot %s scan --name "
		       "NAME` keeps it",
		       path, path);
		break;
	case MACHINE_DATABASE:
		report(REPORT_NOTE,
		       "%s is a database: `pmuq --db %s export --all | pmuq import -` brings its "
		       "hosts",
		       path, path);
		break;
	case MACHINE_PACKED:
		report(REPORT_NOTE,
		       "%s is packed, and no captured machine: `pmuq import -` takes what it is "
		       "unpacked to",
		       path);
		break;
	case MACHINE_OTHER:
		break;
	}
}

static int import_fd(struct file *file, int fd)
{
	cleanup(error_freep) struct pmuq_error *error = NULL;
	int status = is_recording(fd) ? save_recording(file, fd) : save_documents(file, fd);

	if (status == STATUS_OK && file->n && pmuq_store_commit(file->import->store, &error) < 0)
		status = report_error(error, file->path);
	pmuq_store_roll_back(file->import->store);
	return status;
}

static void print_told(const struct file *file, const char *told)
{
	fputs(told, stdout);
	print_safe(stdout, file->path);
	printf(": %zu host%s: %zu new, %zu updated, %zu unchanged\n", file->n,
	       file->n == 1 ? "" : "s", file->n_new, file->n_updated,
	       file->n - file->n_new - file->n_updated);
}

/* A file that does not come in leaves the database as it was, and the others come in all the same.
 */
static int import_file(struct import *import, const char *path)
{
	bool is_stdin = strcmp(path, "-") == 0;
	struct file file = { .import = import, .path = is_stdin ? "<stdin>" : path };
	auto_free char *told = NULL;
	size_t n_told = 0;
	int status, fd;

	fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return report_failed("%s: %s", path, strerror(errno));
	if (!is_stdin)
		fd = open_within(fd);
	file.told = open_memstream(&told, &n_told);
	status = file.told ? import_fd(&file, fd) : report_failed("out of memory");
	if (file.told && fclose(file.told) != 0 && status == STATUS_OK)
		status = report_failed("out of memory");
	if (status == STATUS_OK)
		print_told(&file, told);
	if (!is_stdin) {
		close(fd);
		if (status != STATUS_OK)
			note_other(path);
	}
	return status == STATUS_OK ? STATUS_OK : STATUS_FAILED;
}

static int open_all(struct import *import)
{
	cleanup(error_freep) struct pmuq_error *error = NULL;
	auto_free char *path = database_path(import->cli);

	if (!path)
		return STATUS_FAILED;
	if (pmuq_store_open(path, PMUQ_STORE_CREATE, &import->store, &error) < 0 ||
	    pmuq_reader_new(&import->reader, &error) < 0)
		return report_error(error, NULL);
	return STATUS_OK;
}

static int import_files(struct import *import, int n, char **paths)
{
	int status = open_all(import);

	for (int i = 0; import->reader && i < n; i++)
		status = status_worse(status, import_file(import, paths[i]));
	pmuq_reader_free(import->reader);
	pmuq_store_free(import->store);
	return status;
}

static int run_import(struct cli *cli, const struct command *command, int argc, char **argv)
{
	struct import import = { .cli = cli, .time_s = (int64_t)time(NULL) };
	struct options options;
	int key;

	options_begin(&options, cli, command, argc, argv);
	while ((key = options_next(&options)) != OPTIONS_END) {
		if (key == OPTIONS_STOP)
			return options.status;
		import.name = optarg;
	}
	if (optind == argc)
		return usage_error(command, "import wants a file, or - for stdin");
	if (cli->host || cli->sysroot)
		return usage_error(command, "import takes its machines from files: %s has no place",
				   cli->host ? "--host" : "--sysroot");
	if (import.name && !database_name_is_usable(import.name))
		return usage_error(command, "--name %s: an @ begins a snapshot", import.name);
	return import_files(&import, argc - optind, argv + optind);
}

const struct command cmd_import = {
	.name = "import",
	.arguments = "FILE…",
	.summary = "bring machines from YAML, JSON or perf.data files into the database",
	.text = "FILE is what `pmuq export` wrote, or a recording of perf, of which an incomplete\n"
		"machine is made; - is stdin. All machines of a file come in, or none; a machine\n"
		"that is there already adds nothing. A bad file makes the exit status 4, and the\n"
		"others come in all the same.\n",
	.options = import_options,
	.n_options = COUNT(import_options),
	.run = run_import,
};
