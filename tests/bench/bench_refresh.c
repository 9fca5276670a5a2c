/* SPDX-License-Identifier: MIT */
/*
 * pmuq_source_refresh() on a thousand PMUs of a real sysfs, nothing changed. No machine here has as
 * many, so in a namespace of its own the directory of PMUs is replaced by one of sysfs with as many
 * links: that of network interfaces. The floor lists it, and reads the three files of the machine
 * that a refresh reads. Needs root; without it the benchmark is skipped.
 */
#include <dirent.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <pmuq/pmuq.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/bench/bench.h"

#define INTERFACES 1033 /* besides the loopback interface */
#define PAIRS 201
#define SKIPPED 77
#define PMUS "/sys/bus/event_source/devices"

static bool add_interfaces(void)
{
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	bool is_done = fd >= 0;

	for (int i = 0; is_done && i < INTERFACES; i++) {
		char name[16];

		snprintf(name, sizeof(name), "imc_%d", i);
		is_done = ioctl(fd, SIOCBRADDBR, name) == 0;
	}
	close(fd);
	return is_done;
}

/* A sysfs of this network namespace has its interfaces only. */
static bool replace_pmus(void)
{
	char dir[] = "/tmp/pmuq-bench-XXXXXX", links[64];
	bool is_done = unshare(CLONE_NEWNET | CLONE_NEWNS) == 0 &&
		       mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 && mkdtemp(dir);

	if (!is_done)
		return false;
	snprintf(links, sizeof(links), "%s/class/net", dir);
	is_done = mount("sysfs", dir, "sysfs", 0, NULL) == 0 && add_interfaces() &&
		  mount(links, PMUS, NULL, MS_BIND, NULL) == 0;
	umount2(dir, MNT_DETACH);
	rmdir(dir);
	return is_done;
}

static size_t list_pmus(void)
{
	DIR *dir = opendir(PMUS);
	size_t n = 0;

	while (dir && readdir(dir))
		n++;
	if (dir)
		closedir(dir);
	return n;
}

static void read_file(const char *path)
{
	char text[4096];
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (read(fd, text, sizeof(text)) <= 0)
		bench_die(path);
	close(fd);
}

static double floor_us(void)
{
	double start = bench_now_us();

	if (list_pmus() < INTERFACES)
		bench_die(PMUS);
	read_file("/sys/devices/system/cpu/online");
	read_file("/proc/sys/kernel/perf_event_paranoid");
	read_file("/proc/sys/kernel/osrelease");
	return bench_now_us() - start;
}

static double refresh_us(struct pmuq_source *source)
{
	double start = bench_now_us();
	bool is_changed;

	if (pmuq_source_refresh(source, &is_changed, NULL) < 0)
		bench_die("refresh");
	return bench_now_us() - start;
}

int main(void)
{
	struct pmuq_source *source = NULL;
	double ours_us = 0, peer_us = 0;

	if (!replace_pmus()) {
		fprintf(stderr, "no namespace with %d network interfaces\n", INTERFACES);
		return SKIPPED;
	}
	if (pmuq_source_open_live(&source, NULL) < 0)
		bench_die("open");
	refresh_us(source);
	for (int i = 0; i < PAIRS; i++) {
		ours_us = bench_best(ours_us, refresh_us(source));
		peer_us = bench_best(peer_us, floor_us());
	}
	bench_line("refresh of 1,034 PMUs, unchanged", "us", ours_us, peer_us);
	pmuq_source_free(source);
	return 0;
}
