/* SPDX-License-Identifier: MIT */
/*
 * The floor of `pmuq encode --no-open msr/tsc/`, as a process: the system calls that this event
 * needs, and the output, without a parser and an encoder.
 *
 *     event_files PMU EVENT
 */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define DEVICES "/sys/bus/event_source/devices"

static char text[4096];

static void read_file(int dir, const char *format, const char *pmu, const char *event)
{
	char path[512];
	int fd;

	snprintf(path, sizeof(path), format, pmu, event);
	fd = openat(dir, path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return;
	if (read(fd, text, sizeof(text)) > 0)
		putchar(text[0]);
	close(fd);
}

int main(int argc, char **argv)
{
	static const char *const files[] = { "%s/type",
					     "%s/cpumask",
					     "%s/cpus",
					     "%s/format/%s",
					     "%s/events/%s",
					     "%s/events/%s.unit",
					     "%s/events/%s.scale",
					     "%s/events/%s.per-pkg",
					     "%s/events/%s.snapshot",
					     "%s/format/event" };
	int devices;

	if (argc != 3)
		return 2;
	devices = open(DEVICES, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		read_file(devices, files[i], argv[1], argv[2]);
	read_file(AT_FDCWD, "/sys/devices/system/cpu/online", "", "");
	putchar('\n');
	return 0;
}
