/* SPDX-License-Identifier: MIT */
/*
 * Reads files of /proc and /sys below a directory. Never fails: a file that cannot be read is like
 * a file that is not there.
 */
#include "open/host/small_file.h"
#include "core/io.h"
#include "core/num.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#define FILE_BYTES_MAX ((size_t)64 << 10)

/* A captured tree may contain a FIFO or a device instead of the file: O_NONBLOCK does not wait for
 * one, and neither is read. */
static int open_regular(int dir_fd, const char *path)
{
	int fd = openat(dir_fd, path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	struct stat status;

	if (fd < 0)
		return -1;
	if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode))
		return fd;
	close(fd);
	return -1;
}

struct pmuq_str pq_small_file_read(int dir_fd, struct pq_arena *arena, const char *path)
{
	auto_close int fd = open_regular(dir_fd, path);
	auto_free char *text = fd < 0 ? NULL : malloc(FILE_BYTES_MAX);
	size_t n = 0;
	ssize_t got;

	arena->is_refused |= fd >= 0 && !text;
	if (!text)
		return (struct pmuq_str){ 0 };
	do {
		got = pq_read(fd, text + n, FILE_BYTES_MAX - n);
		if (got < 0)
			return (struct pmuq_str){ 0 };
		n += (size_t)got;
	} while (got > 0 && n < FILE_BYTES_MAX);
	return pq_arena_str(arena, str_trim((struct pmuq_str){ .p = text, .n = n }));
}

bool pq_small_file_number(int dir_fd, struct pq_arena *arena, const char *path, uint64_t *ret)
{
	struct pmuq_str text = pq_small_file_read(dir_fd, arena, path);

	return text.p && pq_num_decimal(text, ret) == PQ_NUM_OK;
}

bool pq_small_file_exists(int dir_fd, const char *path)
{
	return faccessat(dir_fd, path, F_OK, 0) == 0;
}

int pq_small_dir_open(int dir_fd, const char *path)
{
	return openat(dir_fd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

DIR *pq_small_dir_list(int dir_fd, struct pq_arena *arena, const char *path)
{
	int fd = pq_small_dir_open(dir_fd, path);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	if (!dir && fd >= 0) {
		arena->is_refused |= errno == ENOMEM;
		close(fd);
	}
	return dir;
}

void pq_small_dir_closep(DIR **dir)
{
	if (*dir)
		closedir(*dir);
}

const char *pq_small_dir_next(DIR *dir)
{
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			return entry->d_name;
	return NULL;
}
