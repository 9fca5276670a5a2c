/* SPDX-License-Identifier: MIT */
/*
 * Errors of system calls: the names of those that perf_event_open(2) lists or that drivers return,
 * and their meaning for a file that is opened, read or written, in the same words in every locale.
 * discover/ has its own words for the files of sysfs.
 */
#include "core/error.h"
#include <errno.h>
#include <pmuq/pmuq.h>

/* The kernel's internal "not supported", which some drivers return to user space by mistake. */
#define ENOTSUPP 524

// clang-format off
#define NAME(e) { .errnum = e, .name = #e }
#define FILE_ERROR(e, meaning) { .errnum = e, .name = #e, .text = meaning }
static const struct {
	int errnum;
	/* In the row, so that the loader of the library has no pointer to relocate. The text is of
	 * errors of files only. */
	char name[16], text[44];
} errnos[] = {
	FILE_ERROR(EACCES, "permission denied"),
	FILE_ERROR(EBADF, "the file descriptor is not open for this"),
	FILE_ERROR(EDQUOT, "the disk quota is exhausted"),
	FILE_ERROR(EEXIST, "something else has this name"),
	FILE_ERROR(EFBIG, "the file would be too large"),
	FILE_ERROR(EIO, "input/output error"),
	FILE_ERROR(EISDIR, "it is a directory"),
	FILE_ERROR(ELOOP, "symbolic links form a loop"),
	FILE_ERROR(EMFILE, "this process has too many files open"),
	FILE_ERROR(ENAMETOOLONG, "the path is too long"),
	FILE_ERROR(ENOENT, "no such file or directory"),
	FILE_ERROR(ENOSPC, "the disk is full"),
	FILE_ERROR(ENOTDIR, "a component of the path is not a directory"),
	FILE_ERROR(EPERM, "not permitted"),
	FILE_ERROR(EPIPE, "the reader has closed the pipe"),
	FILE_ERROR(EROFS, "the file system is read-only"),
	NAME(E2BIG), NAME(EAGAIN), NAME(EALREADY), NAME(EBUSY), NAME(ECANCELED), NAME(ECHILD),
	NAME(EDEADLK), NAME(EDOM), NAME(EFAULT), NAME(EILSEQ), NAME(EINTR), NAME(EINVAL),
	NAME(EMLINK), NAME(EMSGSIZE), NAME(ENFILE), NAME(ENODATA), NAME(ENODEV), NAME(ENOEXEC),
	NAME(ENOLCK), NAME(ENOMEM), NAME(ENOSYS), NAME(ENOTSUPP), NAME(ENOTTY), NAME(ENXIO),
	NAME(EOPNOTSUPP), NAME(EOVERFLOW), NAME(EPROTO), NAME(ERANGE), NAME(EREMOTEIO), NAME(ESPIPE),
	NAME(ESRCH), NAME(ESTALE), NAME(ETIME), NAME(ETIMEDOUT), NAME(ETXTBSY), NAME(EUSERS),
	NAME(EXDEV),
};
#undef NAME
#undef FILE_ERROR
// clang-format on

PQ_API const char *pmuq_errno_name(int errnum)
{
	for (size_t i = 0; i < COUNT(errnos); i++)
		if (errnos[i].errnum == errnum)
			return errnos[i].name;
	return "errno";
}

const char *pq_errno_text(int errnum)
{
	for (size_t i = 0; i < COUNT(errnos); i++)
		if (errnos[i].errnum == errnum && *errnos[i].text)
			return errnos[i].text;
	return "the system refused it";
}
