/* SPDX-License-Identifier: MIT */
/*
 * A file that is replaced as a whole: written under a temporary name in the same directory, flushed
 * to the disk, and renamed. A device or a pipe is written directly.
 */
#include "cli/output_file.h"
#include "cli/or_die.h"
#include "cli/report.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum status fail(const char *what, const char *path)
{
	return report_failed("%s %s: %s", what, path, strerror(errno));
}

/* As open(2) would give it to a new file. */
static mode_t usual_mode(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return (mode_t)0666 & ~mask;
}

/* The file that the command is writing, for a command that ends early (or_die.h). */
static char *unfinished;

static void remove_unfinished(void)
{
	if (unfinished)
		unlink(unfinished);
}

static enum status open_partial(struct output *output, mode_t mode)
{
	output->partial = print_or_die("%s.XXXXXX", output->path);
	done_or_die(atexit(remove_unfinished) == 0);
	output->fd = mkostemp(output->partial, O_CLOEXEC);
	if (output->fd < 0) {
		enum status status = fail("cannot create a file next to", output->path);

		pq_freep(&output->partial);
		output->partial = NULL;
		return status;
	}
	unfinished = output->partial;
	if (fchmod(output->fd, mode) < 0)
		return fail("cannot write", output->partial);
	return STATUS_OK;
}

enum status output_open(struct output *output, const char *path)
{
	struct stat st;
	bool exists = stat(path, &st) == 0;

	*output = (struct output){ .fd = -1 };
	if (!exists || S_ISREG(st.st_mode)) {
		/* A link stays; the file that it leads to is replaced. */
		output->path = exists ? realpath(path, NULL) : or_die(strdup(path));
		done_or_die(output->path || errno != ENOMEM);
		if (!output->path)
			return fail("cannot write", path);
		return open_partial(output, exists ? st.st_mode & 07777 : usual_mode());
	}
	output->fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	return output->fd < 0 ? fail("cannot write", path) : STATUS_OK;
}

enum status output_keep(struct output *output)
{
	if (!output->partial)
		return STATUS_OK;
	if (fsync(output->fd) < 0)
		return fail("cannot write", output->partial);
	if (rename(output->partial, output->path) < 0)
		return fail("cannot replace", output->path);
	unfinished = NULL;
	pq_freep(&output->partial);
	output->partial = NULL;
	return STATUS_OK;
}

void output_close(struct output *output)
{
	if (output->fd >= 0)
		close(output->fd);
	remove_unfinished();
	unfinished = NULL;
	free(output->partial);
	free(output->path);
}
