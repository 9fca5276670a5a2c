/* SPDX-License-Identifier: MIT */
/* The library was built for fopen(), so this must be no other name of fopen64(). */
#undef _FILE_OFFSET_BITS
#include "pfm/helper/pfm_host.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

#define DEVICES "/sys/bus/event_source/devices/"
#define CPUINFO "/proc/cpuinfo"
#define PARANOID "/proc/sys/kernel/perf_event_paranoid"

/* The one state of the process that libpfm4, having no argument for it, could not be handed. */
static char asked[128];

void pq_host_forget(void)
{
	asked[0] = '\0';
}

struct pmuq_str pq_host_asked(void)
{
	return str_of(asked);
}

/* Some type that no PMU of the kernel's own has: it is never put out. */
static FILE *open_type(struct pmuq_str pmu)
{
	static char type[] = "1000\n";

	if (pmu.n >= sizeof(asked))
		return NULL;
	memcpy(asked, pmu.p, pmu.n);
	asked[pmu.n] = '\0';
	return fmemopen(type, sizeof(type) - 1, "r");
}

static FILE *nothing(void)
{
	errno = ENOENT;
	return NULL;
}

/* Which CPU this is may be known: it only says which PMUs are present. */
static FILE *open_cpuinfo(void)
{
	int fd = open(CPUINFO, O_RDONLY | O_CLOEXEC);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "r");

	if (fd >= 0 && !file)
		close(fd);
	return file;
}

static FILE *answer(const char *path)
{
	struct pmuq_str name = str_of(path);

	if (str_starts(name, STR(DEVICES)) && str_ends(name, STR("/type")))
		return open_type(str_part(name, sizeof(DEVICES) - 1, name.n - 5));
	return str_eq(name, STR(CPUINFO)) ? open_cpuinfo() : nothing();
}

FILE *fopen(const char *path, const char *mode)
{
	(void)mode;
	return answer(path);
}

FILE *fopen64(const char *path, const char *mode)
{
	(void)mode;
	return answer(path);
}

/* Without this file it takes the kernel for one without perf events. */
int access(const char *path, int mode)
{
	(void)mode;
	if (str_eq(str_of(path), STR(PARANOID)))
		return 0;
	errno = ENOENT;
	return -1;
}

DIR *opendir(const char *path)
{
	(void)path;
	errno = ENOENT;
	return NULL;
}
