/* SPDX-License-Identifier: MIT */
/*
 * The spool of `pmuq push`. A file appears under its name when all of it is on the disk. Others
 * than the user and root must not be able to write to the directory, because its files are
 * delivered as the state of this machine.
 */
#include "cli/hosts/spool.h"
#include "cli/or_die.h"
#include "cli/report.h"
#include "core/base.h"
#include "core/io.h"
#include "core/num.h"
#include "core/str.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* A document has 100 KiB or less. */
#define FILES_MAX 64
#define SUFFIX ".json"
#define PARTIAL "partial"

static enum status fail(const struct spool *spool, const char *what)
{
	return report_failed("%s %s: %s", what, spool->path, strerror(errno));
}

static int is_document(const struct dirent *entry)
{
	size_t n = strlen(entry->d_name), n_suffix = sizeof(SUFFIX) - 1;

	return n > n_suffix && entry->d_name[0] >= '0' && entry->d_name[0] <= '9' &&
	       strcmp(entry->d_name + n - n_suffix, SUFFIX) == 0;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static enum status list(struct spool *spool)
{
	struct dirent **entries;
	int n = scandirat(spool->fd, ".", &entries, is_document, by_name);

	if (n < 0)
		return fail(spool, "cannot read the directory");
	for (int i = 0; i < n; i++) {
		push_or_die(&spool->names, or_die(strdup(entries[i]->d_name)));
		free(entries[i]);
	}
	free(entries);
	return STATUS_OK;
}

static enum status check_owner(const struct spool *spool)
{
	struct stat st;

	if (fstat(spool->fd, &st) < 0)
		return fail(spool, "cannot read the directory");
	if ((st.st_uid != geteuid() && st.st_uid != 0) || (st.st_mode & (S_IWGRP | S_IWOTH)))
		return report_failed("%s: others than this user can write to the directory; "
				     "`chmod go-w` ends that",
				     spool->path);
	return STATUS_OK;
}

enum status spool_open(struct spool *spool, const char *path)
{
	enum status status;

	*spool = (struct spool){ .fd = -1, .path = path };
	if (mkdir(path, 0700) < 0 && errno != EEXIST)
		return fail(spool, "cannot create the directory");
	spool->fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (spool->fd < 0)
		return fail(spool, "cannot open the directory");
	status = check_owner(spool);
	if (status != STATUS_OK)
		return status;
	if (flock(spool->fd, LOCK_EX | LOCK_NB) < 0)
		return errno == EWOULDBLOCK ? report_failed("%s: another `pmuq push` uses it", path)
					    : fail(spool, "cannot lock the directory");
	return list(spool);
}

void spool_close(struct spool *spool)
{
	for (size_t i = 0; i < spool->names.n; i++)
		free(spool->names.v[i]);
	pq_vec_free(&spool->names);
	if (spool->fd >= 0)
		close(spool->fd);
}

static enum status read_file(const struct spool *spool, const char *name, struct pmuq_catalog **ret,
			     int64_t *ret_time_s)
{
	cleanup(pmuq_reader_freep) struct pmuq_reader *reader = NULL;
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	auto_close int fd = openat(spool->fd, name, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW);

	if (fd < 0)
		return report_failed("cannot open %s/%s: %s", spool->path, name, strerror(errno));
	if (pmuq_reader_new(&reader, &error) < 0 ||
	    pmuq_reader_open_fd(reader, fd, name, &error) < 0 ||
	    pmuq_reader_next(reader, ret, &error) < 0)
		return report_error(error, NULL);
	*ret_time_s = pmuq_reader_host(reader)->first_seen_s;
	return *ret ? STATUS_OK : report_failed("%s/%s has no machine", spool->path, name);
}

enum status spool_read_oldest(const struct spool *spool, struct pmuq_catalog **ret,
			      int64_t *ret_time_s)
{
	return read_file(spool, spool->names.v[0], ret, ret_time_s);
}

void spool_remove_oldest(struct spool *spool)
{
	unlinkat(spool->fd, spool->names.v[0], 0);
	free(spool->names.v[0]);
	spool->names.n--;
	memmove(spool->names.v, spool->names.v + 1, spool->names.n * sizeof(*spool->names.v));
}

/* The document without a time, to compare machines; the caller frees it. */
static char *text_of(const struct pmuq_catalog *catalog)
{
	cleanup(pmuq_writer_freep) struct pmuq_writer *writer = NULL;
	char *text = NULL;
	size_t n;

	if (optional_or_die(pmuq_writer_new(&writer, NULL)) == 0 &&
	    optional_or_die(pmuq_writer_add(writer, catalog, NULL, 0, NULL)) == 0)
		optional_or_die(pmuq_writer_text(writer, PMUQ_DOCUMENT_JSON, &text, &n, NULL));
	return text;
}

static bool is_newest(const struct spool *spool, const struct pmuq_catalog *catalog)
{
	cleanup(pmuq_catalog_freep) struct pmuq_catalog *newest = NULL;
	auto_free char *before = NULL, *now = NULL;
	int64_t time_s;

	if (!spool->names.n ||
	    read_file(spool, spool->names.v[spool->names.n - 1], &newest, &time_s) != STATUS_OK)
		return false;
	before = text_of(newest);
	now = text_of(catalog);
	return before && now && strcmp(before, now) == 0;
}

/* The time, and a number that is one more than the last of the same second: others of that second
 * may be sent already. */
static char *new_name(const struct spool *spool, int64_t time_s)
{
	auto_free char *second = print_or_die("%012" PRId64 "-", time_s);
	uint64_t number = 0;

	for (size_t i = 0; i < spool->names.n; i++) {
		struct pmuq_str name = str_of(spool->names.v[i]);

		if (str_starts(name, str_of(second)) &&
		    pq_num_decimal(str_part(name, strlen(second), name.n - strlen(SUFFIX)),
				   &number) == PQ_NUM_OK)
			number++;
	}
	return print_or_die("%s%06" PRIu64 SUFFIX, second, number);
}

static enum status write_file(struct spool *spool, const struct pmuq_writer *writer, char *name)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	auto_close int fd = openat(spool->fd, PARTIAL,
				   O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);

	if (fd < 0)
		return fail(spool, "cannot create a file in");
	if (pmuq_writer_write(writer, PMUQ_DOCUMENT_JSON, fd, &error) < 0)
		return report_error(error, spool->path);
	if (fsync(fd) < 0 || renameat(spool->fd, PARTIAL, spool->fd, name) < 0 ||
	    fsync(spool->fd) < 0)
		return fail(spool, "cannot write to");
	return STATUS_OK;
}

enum status spool_add(struct spool *spool, const struct pmuq_catalog *catalog, int64_t time_s,
		      size_t *ret_lost)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	cleanup(pmuq_writer_freep) struct pmuq_writer *writer = NULL;
	auto_free char *name = NULL;
	enum status status;

	*ret_lost = 0;
	if (is_newest(spool, catalog))
		return STATUS_OK;
	if (pmuq_writer_new(&writer, &error) < 0 ||
	    pmuq_writer_add(writer, catalog, NULL, time_s, &error) < 0)
		return report_error(error, NULL);
	name = new_name(spool, time_s);
	status = write_file(spool, writer, name);
	if (status != STATUS_OK)
		return status;
	for (; spool->names.n >= FILES_MAX; (*ret_lost)++)
		spool_remove_oldest(spool);
	push_or_die(&spool->names, move(name));
	return STATUS_OK;
}
