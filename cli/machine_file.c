/* SPDX-License-Identifier: MIT */
/*
 * Machines in files: finds out by the first bytes whether a file is a capture, a recording or a
 * document, and selects a machine of a document with several. machine_word.c decides which words
 * are files.
 */
#include "cli/machine_file.h"
#include "cli/or_die.h"
#include "cli/report.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The command's own error in the form of the library. */
enum status machine_fail(enum pmuq_code code, const char *hint, const char *format, ...)
{
	auto_free char *message = NULL;
	struct pmuq_error error;
	va_list args;

	va_start(args, format);
	message = print_args_or_die(format, args);
	va_end(args);
	error = error_of(code, message, hint);
	return report_error(&error, NULL);
}

/* ----------------------------------------------------------------------------------- documents */

/* Names for a hint. */
struct name_list {
	struct pq_buf text;
	size_t n;
};

/* The machines of a document; one of them is selected. */
struct choice {
	const char *name; /* NULL: any, if all belong to one document */
	struct pmuq_catalog *found;
	struct name_list all, beginning; /* beginning: with the name */
	size_t n_machines, n_documents;
};

static void choice_clear(struct choice *choice)
{
	pmuq_catalog_free(choice->found);
	pq_buf_free(&choice->all.text);
	pq_buf_free(&choice->beginning.text);
}

/* More names are not useful in a hint. */
#define NAMES_SHOWN 20

static void note_name(struct name_list *names, const char *name)
{
	names->n++;
	if (names->n <= NAMES_SHOWN)
		pq_buf_print(&names->text, "%s%s", names->n > 1 ? ", " : "", name);
	else if (names->n == NAMES_SHOWN + 1)
		pq_buf_add(&names->text, STR(", …"));
}

/* Takes ownership of the catalog if it is the selected one. */
static void consider(struct choice *choice, const struct pmuq_reader *reader,
		     struct pmuq_catalog **catalog)
{
	const char *name = pmuq_reader_host(reader)->name.p;

	if (!name)
		name = pmuq_catalog_find_fact(*catalog, "hostname");
	choice->n_machines++;
	choice->n_documents = pmuq_reader_host(reader)->document;
	note_name(&choice->all, name ? name : "(without a name)");
	if (choice->name && name && strncmp(name, choice->name, strlen(choice->name)) == 0)
		note_name(&choice->beginning, name);
	if (choice->name ? name && strcmp(name, choice->name) == 0 : !choice->found) {
		pmuq_catalog_free(choice->found);
		choice->found = move(*catalog);
	}
}

static enum status read_all(struct choice *choice, struct pmuq_reader *reader)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;

	for (;;) {
		cleanup(pmuq_catalog_freep) struct pmuq_catalog *catalog = NULL;

		if (pmuq_reader_next(reader, &catalog, &error) < 0)
			return report_error(error, NULL);
		if (!catalog)
			return STATUS_OK;
		consider(choice, reader, &catalog);
	}
}

static enum status choose(struct choice *choice, const char *path, struct pmuq_catalog **ret)
{
	struct name_list *names = choice->beginning.n ? &choice->beginning : &choice->all;
	auto_free char *hint = NULL;

	if (choice->found && (choice->name || choice->n_documents == 1)) {
		*ret = move(choice->found);
		return STATUS_OK;
	}
	if (!choice->n_machines)
		return machine_fail(PMUQ_E_UNKNOWN_MACHINE, NULL, "'%s' contains no machine", path);
	hint = print_or_die("%s: %s",
			    !choice->name		  ? "use FILE#NAME with one of"
			    : names == &choice->beginning ? "hosts that begin so"
							  : "it has",
			    text_or_die(&names->text));
	if (choice->name)
		return machine_fail(PMUQ_E_UNKNOWN_MACHINE, hint, "'%s' has no host '%s'", path,
				    choice->name);
	return machine_fail(PMUQ_E_MANY_MACHINES, hint,
			    "'%s' contains %zu machines of %zu host classes", path,
			    choice->n_machines, choice->n_documents);
}

static enum status read_document(const char *path, const char *name, struct pmuq_catalog **ret)
{
	cleanup(pmuq_reader_freep) struct pmuq_reader *reader = NULL;
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	struct choice choice = { .name = name };
	bool is_stdin = strcmp(path, "-") == 0;
	enum status status;
	int r;

	r = pmuq_reader_new(&reader, &error);
	if (r == 0)
		r = is_stdin ? pmuq_reader_open_fd(reader, STDIN_FILENO, "<stdin>", &error)
			     : pmuq_reader_open(reader, path, &error);
	status = r < 0 ? report_error(error, NULL) : read_all(&choice, reader);
	if (status == STATUS_OK)
		status = choose(&choice, path, ret);
	choice_clear(&choice);
	return status;
}

/* --------------------------------------------------------------------------------------- files */

static enum status read_recording(const char *path, struct pmuq_catalog **ret)
{
	cleanup(pmuq_recording_freep) struct pmuq_recording *recording = NULL;
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;

	if (pmuq_recording_open(path, &recording, &error) < 0 ||
	    pmuq_recording_catalog(recording, ret, &error) < 0)
		return report_error(error, NULL);
	return STATUS_OK;
}

/* How captures begin: tar, plain or packed. */
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
	{ 0, 3, "BZh" }, /* refused later, because of its name */
};

/* A block of tar. */
#define HEAD_BYTES 512
#define SUM_AT 148
#define SUM_BYTES 8

/* The oldest tars have no magic bytes, but each header contains the sum of its bytes in octal,
 * calculated with blanks in the field of the sum. */
static bool has_tar_sum(const char head[HEAD_BYTES])
{
	unsigned sum = 0, noted = 0;
	size_t at = SUM_AT;

	for (size_t i = 0; i < HEAD_BYTES; i++)
		sum += i - SUM_AT < SUM_BYTES ? ' ' : (unsigned char)head[i];
	while (at < SUM_AT + SUM_BYTES && head[at] == ' ')
		at++;
	for (; at < SUM_AT + SUM_BYTES && head[at] >= '0' && head[at] <= '7'; at++)
		noted = noted * 8 + (unsigned)(head[at] - '0');
	return noted == sum;
}

static bool is_capture(const char *head, size_t n)
{
	for (size_t i = 0; i < COUNT(captures); i++)
		if (captures[i].at + captures[i].n <= n &&
		    memcmp(head + captures[i].at, captures[i].bytes, captures[i].n) == 0)
			return true;
	return n == HEAD_BYTES && has_tar_sum(head);
}

/* The first bytes of a regular file; 0 for a pipe, which can be read only once; -1 if it cannot be
 * read. */
static ssize_t read_head(const char *path, char head[HEAD_BYTES])
{
	struct stat st;
	ssize_t n;
	int fd;

	if (stat(path, &st) < 0)
		return -1;
	if (!S_ISREG(st.st_mode))
		return 0;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return -1;
	n = read(fd, head, HEAD_BYTES);
	close(fd);
	return n;
}

bool file_begins_like_recording(const char *path)
{
	char head[HEAD_BYTES];
	ssize_t n = read_head(path, head);

	return n > 0 && pmuq_recording_is(head, (size_t)n);
}

/* The directory of `perf record --threads`: pmuq_recording_open() reads all of it. */
static bool is_recording_dir(const char *path)
{
	auto_free char *data = print_or_die("%s/data", path);

	return file_begins_like_recording(data);
}

enum file_type machine_file_type(const char *path)
{
	static const char database[] = "SQLite format 3";
	char head[HEAD_BYTES];
	struct stat st;
	ssize_t n;

	if (stat(path, &st) < 0)
		return FILE_OTHER;
	if (S_ISDIR(st.st_mode))
		return is_recording_dir(path) ? FILE_RECORDING : FILE_CAPTURE;
	n = read_head(path, head);
	if (n >= (ssize_t)sizeof(database) && memcmp(head, database, sizeof(database)) == 0)
		return FILE_DATABASE;
	if (n > 0 && pmuq_recording_is(head, (size_t)n))
		return FILE_RECORDING;
	return n > 0 && is_capture(head, (size_t)n) ? FILE_CAPTURE : FILE_OTHER;
}

/* A tar, a directory that contains sys/, or one that is a sysfs itself. */
static int open_capture(const char *path, struct pmuq_source **ret, struct pmuq_error **reterr)
{
	auto_free char *within = print_or_die("%s/sys", path);
	auto_free char *devices = print_or_die("%s/bus/event_source/devices", path);

	if (access(devices, F_OK) == 0 && access(within, F_OK) < 0)
		return pmuq_source_open_sysfs(path, ret, reterr);
	return pmuq_source_open_tree(path, ret, reterr);
}

enum status machine_file_read(const char *path, const char *name, struct pmuq_source **ret)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	bool is_stdin = strcmp(path, "-") == 0;
	enum file_type type = is_stdin || name ? FILE_OTHER : machine_file_type(path);
	struct pmuq_catalog *catalog = NULL;
	enum status status;
	char head[HEAD_BYTES];

	if (type == FILE_CAPTURE)
		return open_capture(path, ret, &error) < 0 ? report_error(error, NULL) : STATUS_OK;
	if (type == FILE_RECORDING)
		status = read_recording(path, &catalog);
	else if (!is_stdin && read_head(path, head) < 0)
		status = machine_fail(PMUQ_E_UNKNOWN_MACHINE, NULL, "'%s' cannot be read: %s", path,
				      strerror(errno));
	else
		status = read_document(path, name, &catalog);
	if (status == STATUS_OK)
		done_or_die(pmuq_source_open_catalog(catalog, ret, NULL) == 0);
	return status;
}
