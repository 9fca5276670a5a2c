/* SPDX-License-Identifier: MIT */
/* A process that does nothing, with the library or (WITHOUT) with libc alone. */
#include <pmuq/pmuq.h>

int main(void)
{
#ifdef WITHOUT
	return 0;
#else
	return pmuq_version() == NULL;
#endif
}
