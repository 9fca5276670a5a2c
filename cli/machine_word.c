/* SPDX-License-Identifier: MIT */
#include "cli/machine_word.h"
#include "cli/database.h"
#include "cli/report.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A fault of ours in the library's form; the message is formatted here. */
static enum status PQ_PRINTF(3, 4)
	fail(enum pmuq_code code, const char *hint, const char *format, ...)
{
	auto_free char *message = NULL;
	struct pmuq_error error;
	va_list args;

	va_start(args, format);
	if (vasprintf(&message, format, args) < 0)
		message = NULL;
	va_end(args);
	error = error_of(code, message ? message : "out of memory", hint);
	return report_error(&error, NULL);
}

static enum status read_live(struct pmuq_catalog **ret)
{
	cleanup(source_freep) struct pmuq_source *source = NULL;
	cleanup(error_freep) struct pmuq_error *error = NULL;

	if (pmuq_source_open_live(&source, &error) < 0 ||
	    pmuq_source_read_catalog(source, ret, &error) < 0)
		return report_error(error, NULL);
	return STATUS_OK;
}

static enum status read_tree(const char *path, struct pmuq_catalog **ret)
{
	cleanup(source_freep) struct pmuq_source *source = NULL;
	cleanup(error_freep) struct pmuq_error *error = NULL;

	if (pmuq_source_open_tree(path, &source, &error) < 0 ||
	    pmuq_source_read_catalog(source, ret, &error) < 0)
		return report_error(error, NULL);
	return STATUS_OK;
}

/* ----------------------------------------------------------------------------------- documents */

/* The machines of a document that a name may be meant for. */
struct choice {
	const char *name; /* NULL: any will do where all are of one kind */
	struct pmuq_catalog *found;
	FILE *names; /* for the hint */
	size_t n_machines, n_kinds;
};

/* More of them help nobody. */
#define NAMES_SHOWN 20

static void note_name(struct choice *choice, const char *name)
{
	if (choice->n_machines <= NAMES_SHOWN)
		fprintf(choice->names, "%s%s", choice->n_machines > 1 ? ", " : "", name);
	else if (choice->n_machines == NAMES_SHOWN + 1)
		fputs(", …", choice->names);
}

/* Takes the catalog over if it is the one. */
static void consider(struct choice *choice, const struct pmuq_reader *reader,
		     struct pmuq_catalog **catalog)
{
	const char *name = pmuq_reader_host(reader)->name.p;

	if (!name)
		name = pmuq_catalog_find_fact(*catalog, "hostname");
	choice->n_machines++;
	choice->n_kinds = pmuq_reader_host(reader)->document;
	note_name(choice, name ? name : "(without a name)");
	if (choice->name ? name && strcmp(name, choice->name) == 0 : !choice->found) {
		pmuq_catalog_free(choice->found);
		choice->found = move(*catalog);
	}
}

static enum status read_all(struct choice *choice, struct pmuq_reader *reader)
{
	cleanup(error_freep) struct pmuq_error *error = NULL;

	for (;;) {
		cleanup(catalog_freep) struct pmuq_catalog *catalog = NULL;

		if (pmuq_reader_next(reader, &catalog, &error) < 0)
			return report_error(error, NULL);
		if (!catalog)
			return STATUS_OK;
		consider(choice, reader, &catalog);
	}
}

static enum status choose(struct choice *choice, const char *path, const char *names,
			  struct pmuq_catalog **ret)
{
	auto_free char *hint = NULL;

	if (choice->found && (choice->name || choice->n_kinds == 1)) {
		*ret = move(choice->found);
		return STATUS_OK;
	}
	if (!choice->n_machines)
		return fail(PMUQ_E_UNKNOWN_MACHINE, NULL, "'%s' contains no machine", path);
	if (asprintf(&hint, "%s: %s", choice->name ? "it has" : "write FILE#NAME with one of",
		     names) < 0)
		return report_failed("out of memory");
	if (choice->name)
		return fail(PMUQ_E_UNKNOWN_MACHINE, hint, "'%s' has no host '%s'", path,
			    choice->name);
	return fail(PMUQ_E_MANY_MACHINES, hint, "'%s' contains %zu machines with %zu descriptions",
		    path, choice->n_machines, choice->n_kinds);
}

static enum status read_document(const char *path, const char *name, struct pmuq_catalog **ret)
{
	cleanup(reader_freep) struct pmuq_reader *reader = NULL;
	cleanup(error_freep) struct pmuq_error *error = NULL;
	auto_free char *names = NULL;
	size_t n_names = 0;
	struct choice choice = { .name = name, .names = open_memstream(&names, &n_names) };
	bool is_stdin = strcmp(path, "-") == 0;
	enum status status;
	int r;

	if (!choice.names)
		return report_failed("out of memory");
	r = pmuq_reader_new(&reader, &error);
	if (r == 0)
		r = is_stdin ? pmuq_reader_open_fd(reader, STDIN_FILENO, "<stdin>", &error)
			     : pmuq_reader_open(reader, path, &error);
	status = r < 0 ? report_error(error, NULL) : read_all(&choice, reader);
	fclose(choice.names);
	if (status == STATUS_OK)
		status = choose(&choice, path, names ? names : "", ret);
	pmuq_catalog_free(choice.found);
	return status;
}

/* --------------------------------------------------------------------------------------- files */

static enum status read_recording(const char *path, struct pmuq_catalog **ret)
{
	cleanup(recording_freep) struct pmuq_recording *recording = NULL;
	cleanup(error_freep) struct pmuq_error *error = NULL;

	if (pmuq_recording_open(path, &recording, &error) < 0 ||
	    pmuq_recording_catalog(recording, ret, &error) < 0)
		return report_error(error, NULL);
	return STATUS_OK;
}

/* How captures begin: tar, as it is or packed. */
static const struct {
	size_t at, n;
	const char *bytes;
} captures[] = {
	{ 257, 5, "ustar" },
	{ 0, 2, "\x1f\x8b" },
	{ 0, 6,
	  "\xfd"
	  "7zXZ\0" },
	{ 0, 4, "\x28\xb5\x2f\xfd" },
	{ 0, 3, "BZh" }, /* is refused as what it is */
};

/* A block of tar. */
#define HEAD_BYTES 512
#define SUM_AT 148
#define SUM_BYTES 8

/* The oldest tars name themselves nowhere, but their blocks have a sum of their bytes, in octal,
 * with blanks where the sum stands. */
static bool has_tar_sum(const char head[HEAD_BYTES])
{
	unsigned sum = 0, said = 0;
	size_t at = SUM_AT;

	for (size_t i = 0; i < HEAD_BYTES; i++)
		sum += i - SUM_AT < SUM_BYTES ? ' ' : (unsigned char)head[i];
	while (at < SUM_AT + SUM_BYTES && head[at] == ' ')
		at++;
	for (; at < SUM_AT + SUM_BYTES && head[at] >= '0' && head[at] <= '7'; at++)
		said = said * 8 + (unsigned)(head[at] - '0');
	return said == sum;
}

static bool is_capture(const char *head, size_t n)
{
	for (size_t i = 0; i < COUNT(captures); i++)
		if (captures[i].at + captures[i].n <= n &&
		    memcmp(head + captures[i].at, captures[i].bytes, captures[i].n) == 0)
			return true;
	return n == HEAD_BYTES && has_tar_sum(head);
}

/* The first bytes of a regular file: none of a pipe, whose bytes are there once. -1: it cannot be
 * read. */
static ssize_t read_head(const char *path, char head[HEAD_BYTES])
{
	struct stat st;
	ssize_t n;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		return -1;
	n = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) ? read(fd, head, HEAD_BYTES) : 0;
	close(fd);
	return n;
}

/* Of `perf record --threads`, which pmuq_recording_open() takes as a whole. */
static bool is_recording_dir(const char *path)
{
	char head[HEAD_BYTES];
	auto_free char *data = NULL;
	ssize_t n;

	if (asprintf(&data, "%s/data", path) < 0)
		return false;
	n = read_head(data, head);
	return n > 0 && pmuq_recording_is(head, (size_t)n);
}

static enum status read_dir(const char *path, struct pmuq_catalog **ret)
{
	return is_recording_dir(path) ? read_recording(path, ret) : read_tree(path, ret);
}

static enum status read_file(const char *path, const char *name, struct pmuq_catalog **ret)
{
	char head[HEAD_BYTES];
	ssize_t n = read_head(path, head);

	if (n < 0)
		return fail(PMUQ_E_UNKNOWN_MACHINE, NULL, "'%s' cannot be read: %s", path,
			    strerror(errno));
	if (!name && n > 0 && pmuq_recording_is(head, (size_t)n))
		return read_recording(path, ret);
	if (!name && n > 0 && is_capture(head, (size_t)n))
		return read_tree(path, ret);
	return read_document(path, name, ret);
}

/* FILE#NAME, where there is no file of that whole name. False: it is not so. */
static bool split(const char *word, char **ret_path, const char **ret_name)
{
	const char *at = strrchr(word, '#');
	struct stat st;

	if (!at || at == word)
		return false;
	*ret_path = strndup(word, (size_t)(at - word));
	*ret_name = at + 1;
	return *ret_path && (strcmp(*ret_path, "-") == 0 || stat(*ret_path, &st) == 0);
}

static bool looks_like_file(const char *word)
{
	static const char *const endings[] = { ".yaml", ".yml", ".json", ".data" };
	size_t n = strlen(word);

	for (size_t i = 0; i < COUNT(endings); i++)
		if (n > strlen(endings[i]) &&
		    strcmp(word + n - strlen(endings[i]), endings[i]) == 0)
			return true;
	return strchr(word, '/') || strstr(word, ".tar");
}

static enum status read_host(const struct cli *cli, const char *word, struct pmuq_catalog **ret)
{
	cleanup(source_freep) struct pmuq_source *source = NULL;
	cleanup(error_freep) struct pmuq_error *error = NULL;
	auto_free char *path = database_path(cli);
	enum status status;

	if (!path)
		return STATUS_FAILED;
	if (looks_like_file(word))
		return fail(PMUQ_E_UNKNOWN_MACHINE, NULL, "'%s' cannot be read: %s", word,
			    strerror(ENOENT));
	if (!cli->db && access(path, F_OK) < 0)
		return fail(PMUQ_E_UNKNOWN_MACHINE,
			    "`pmuq scan` creates the database; --db selects another one",
			    "'%s' is not a file, and there is no database: %s does not exist", word,
			    path);
	status = database_open_host(cli, word, &source);
	if (status != STATUS_OK)
		return status;
	return pmuq_source_read_catalog(source, ret, &error) < 0 ? report_error(error, NULL)
								 : STATUS_OK;
}

enum status machine_read(const struct cli *cli, const char *word, struct pmuq_catalog **ret)
{
	auto_free char *path = NULL;
	const char *name = NULL;
	struct stat st;

	if (strcmp(word, "live") == 0)
		return read_live(ret);
	if (strcmp(word, "-") == 0)
		return read_document(word, NULL, ret);
	if (stat(word, &st) == 0)
		return S_ISDIR(st.st_mode) ? read_dir(word, ret) : read_file(word, NULL, ret);
	if (split(word, &path, &name))
		return strcmp(path, "-") == 0 ? read_document(path, name, ret)
					      : read_file(path, name, ret);
	return read_host(cli, word, ret);
}

bool machine_is_document(const char *word)
{
	auto_free char *path = NULL;
	const char *name = NULL;
	char head[HEAD_BYTES];
	struct stat st;
	ssize_t n;

	if (stat(word, &st) < 0)
		return split(word, &path, &name) && strcmp(path, "-") != 0;
	if (S_ISDIR(st.st_mode))
		return is_recording_dir(word);
	if (!S_ISREG(st.st_mode))
		return false;
	n = read_head(word, head);
	return n > 0 && !is_capture(head, (size_t)n);
}

enum machine_form machine_form_of(const char *path)
{
	static const char database[] = "SQLite format 3";
	cleanup(source_freep) struct pmuq_source *source = NULL;
	char head[HEAD_BYTES];
	ssize_t n = read_head(path, head);

	if (n >= (ssize_t)sizeof(database) && memcmp(head, database, sizeof(database)) == 0)
		return MACHINE_DATABASE;
	if (n > 0 && !is_capture(head, (size_t)n))
		return MACHINE_OTHER;
	/* Much is packed that holds no machine. */
	if (pmuq_source_open_tree(path, &source, NULL) == 0)
		return MACHINE_CAPTURE;
	return n > 0 ? MACHINE_PACKED : MACHINE_OTHER;
}
