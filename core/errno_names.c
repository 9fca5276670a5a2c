/* SPDX-License-Identifier: MIT */
/* The names of errnos: those that perf_event_open(2) lists, and those that drivers return, too. */
#include "core/base.h"
#include <errno.h>
#include <pmuq/pmuq.h>

/* The kernel's internal "not supported", which some drivers return to user space by mistake. */
#define ENOTSUPP 524

// clang-format off
#define NAME(e) { .errnum = e, .name = #e }
static const struct {
	int errnum;
	const char *name;
} errno_names[] = {
	NAME(E2BIG),   NAME(EACCES),     NAME(EAGAIN),    NAME(EALREADY), NAME(EBADF),
	NAME(EBUSY),   NAME(ECANCELED),  NAME(ECHILD),    NAME(EDEADLK),  NAME(EDOM),
	NAME(EEXIST),  NAME(EFAULT),     NAME(EFBIG),     NAME(EILSEQ),   NAME(EINTR),
	NAME(EINVAL),  NAME(EIO),        NAME(EISDIR),    NAME(ELOOP),    NAME(EMFILE),
	NAME(EMLINK),  NAME(EMSGSIZE),   NAME(ENAMETOOLONG), NAME(ENFILE), NAME(ENODATA),
	NAME(ENODEV),  NAME(ENOENT),     NAME(ENOEXEC),   NAME(ENOLCK),   NAME(ENOMEM),
	NAME(ENOSPC),  NAME(ENOSYS),     NAME(ENOTDIR),   NAME(ENOTSUPP), NAME(ENOTTY),
	NAME(ENXIO),   NAME(EOPNOTSUPP), NAME(EOVERFLOW), NAME(EPERM),    NAME(EPIPE),
	NAME(EPROTO),  NAME(ERANGE),     NAME(EREMOTEIO), NAME(EROFS),    NAME(ESPIPE),
	NAME(ESRCH),   NAME(ESTALE),     NAME(ETIME),     NAME(ETIMEDOUT), NAME(ETXTBSY),
	NAME(EUSERS),  NAME(EXDEV),
};
#undef NAME
// clang-format on

PQ_API const char *pmuq_errno_name(int errnum)
{
	for (size_t i = 0; i < COUNT(errno_names); i++)
		if (errno_names[i].errnum == errnum)
			return errno_names[i].name;
	return "errno";
}
