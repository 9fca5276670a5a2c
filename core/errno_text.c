/* SPDX-License-Identifier: MIT */
/*
 * What an errno means for a file that is opened, read or written, in the same words in every
 * locale. discover/ has words of its own for the files of sysfs.
 */
#include "core/base.h"
#include "core/error.h"
#include <errno.h>

static const struct {
	int errnum;
	const char *text;
} texts[] = {
	{ .errnum = EACCES, .text = "permission denied" },
	{ .errnum = EBADF, .text = "the file descriptor is not open for this" },
	{ .errnum = EDQUOT, .text = "the disk quota is exhausted" },
	{ .errnum = EEXIST, .text = "something else has this name" },
	{ .errnum = EFBIG, .text = "the file would be too large" },
	{ .errnum = EIO, .text = "input/output error" },
	{ .errnum = EISDIR, .text = "it is a directory" },
	{ .errnum = ELOOP, .text = "symbolic links form a loop" },
	{ .errnum = EMFILE, .text = "this process has too many files open" },
	{ .errnum = ENAMETOOLONG, .text = "the path is too long" },
	{ .errnum = ENOENT, .text = "no such file or directory" },
	{ .errnum = ENOSPC, .text = "the disk is full" },
	{ .errnum = ENOTDIR, .text = "a component of the path is not a directory" },
	{ .errnum = EPERM, .text = "not permitted" },
	{ .errnum = EPIPE, .text = "the reader has closed the pipe" },
	{ .errnum = EROFS, .text = "the file system is read-only" },
};

const char *pq_errno_text(int errnum)
{
	for (size_t i = 0; i < COUNT(texts); i++)
		if (texts[i].errnum == errnum)
			return texts[i].text;
	return "the system refused it";
}
