/* SPDX-License-Identifier: MIT */
/* libpfm4 was built for fopen(), so fopen() must not become fopen64() here. */
#undef _FILE_OFFSET_BITS
#include "pfm/helper/pfm_host.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

#define DEVICES "/sys/bus/event_source/devices/"
#define CPUINFO "/proc/cpuinfo"
#define PARANOID "/proc/sys/kernel/perf_event_paranoid"

/* The PMU whose type libpfm4 looked up last. Global, since libpfm4 cannot pass an argument on. */
static char last_pmu[128];

void pq_host_forget(void)
{
	last_pmu[0] = '\0';
}

struct pmuq_str pq_host_last_pmu(void)
{
	return str_of(last_pmu);
}

/* Any type that is not one of the kernel's own PMUs; it never leaves the helper. */
static FILE *open_type(struct pmuq_str pmu)
{
	static char type[] = "1000\n";

	if (pmu.n >= sizeof(last_pmu))
		return NULL;
	memcpy(last_pmu, pmu.p, pmu.n);
	last_pmu[pmu.n] = '\0';
	return fmemopen(type, sizeof(type) - 1, "r");
}

static FILE *nothing(void)
{
	errno = ENOENT;
	return NULL;
}

/* libpfm4 may see which CPU this is: it then knows which PMUs are present. */
static FILE *open_cpuinfo(void)
{
	int fd = open(CPUINFO, O_RDONLY | O_CLOEXEC);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "r");

	if (fd >= 0 && !file)
		close(fd);
	return file;
}

static FILE *open_file(const char *path)
{
	struct pmuq_str name = str_of(path);

	if (str_starts(name, STR(DEVICES)) && str_ends(name, STR("/type")))
		return open_type(str_part(name, sizeof(DEVICES) - 1, name.n - 5));
	return str_eq(name, STR(CPUINFO)) ? open_cpuinfo() : nothing();
}

FILE *fopen(const char *path, const char *mode)
{
	(void)mode;
	return open_file(path);
}

FILE *fopen64(const char *path, const char *mode)
{
	(void)mode;
	return open_file(path);
}

/* Without this file libpfm4 assumes a kernel without perf events. */
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
