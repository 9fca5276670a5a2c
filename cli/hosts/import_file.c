/* SPDX-License-Identifier: MIT */
/* What a file is that `pmuq import` is to read; nothing here reads its content. */
#include "cli/hosts/import_file.h"
#include "cli/machine_file.h"
#include "cli/or_die.h"
#include "cli/report.h"
#include <errno.h>
#include <fcntl.h>
#include <pmuq/pmuq.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

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

bool import_is_recording(int fd)
{
	char head[PMUQ_RECORDING_MAGIC_BYTES];
	off_t at = lseek(fd, 0, SEEK_CUR);
	ssize_t n = at >= 0 ? pread(fd, head, sizeof(head), at) : peek(fd, head, sizeof(head));

	return n > 0 && pmuq_recording_is(head, (size_t)n);
}

int import_open_within(int dir)
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

bool import_is_regular(int fd, size_t max_bytes)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	       (!max_bytes || (uint64_t)st.st_size <= max_bytes);
}

static bool is_directory(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

void import_note_other(const char *path)
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
