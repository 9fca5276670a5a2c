/* SPDX-License-Identifier: MIT */
/*
 * Preloaded into perf while it is recorded: every perf_event_open seems to succeed, as on a machine
 * whose kernel accepts everything. Probes of perf's parser (extended types of hybrid machines) then
 * give the same result on every machine. All other system calls pass. With
 * PERF_OPENS_LOG=FILE each attr is written there, its bytes in hex, a line an open.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

/* struct perf_event_attr: `size` comes after `type`. */
static void write_attr(const unsigned char *attr)
{
	const char *path = getenv("PERF_OPENS_LOG");
	FILE *log = path ? fopen(path, "ae") : NULL;
	uint32_t size;

	if (!log)
		return;
	memcpy(&size, attr + sizeof(uint32_t), sizeof(size));
	for (uint32_t i = 0; i < size; i++)
		fprintf(log, "%02x", attr[i]);
	fputc('\n', log);
	fclose(log);
}

long syscall(long number, ...)
{
	long (*next)(long, ...) = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
	long words[6];
	va_list list;

	va_start(list, number);
	for (int i = 0; i < 6; i++)
		words[i] = va_arg(list, long);
	va_end(list);
	if (number == SYS_perf_event_open) {
		write_attr((const unsigned char *)(uintptr_t)words[0]);
		return open("/dev/null", O_RDWR | O_CLOEXEC);
	}
	return next(number, words[0], words[1], words[2], words[3], words[4], words[5]);
}
