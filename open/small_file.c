/* SPDX-License-Identifier: MIT */
#include "open/small_file.h"
#include "core/num.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#define FILE_BYTES_MAX ((size_t)64 << 10)

static int open_regular(int root_fd, const char *path)
{
	int fd = openat(root_fd, path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	struct stat status;

	if (fd < 0)
		return -1;
	if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode))
		return fd;
	close(fd);
	return -1;
}

static ssize_t read_some(int fd, char *to, size_t n)
{
	ssize_t got;

	do
		got = read(fd, to, n);
	while (got < 0 && errno == EINTR);
	return got;
}

struct pmuq_str pq_small_file_read(int root_fd, struct pq_arena *arena, const char *path)
{
	auto_close int fd = open_regular(root_fd, path);
	auto_free char *text = NULL;
	size_t n = 0;
	ssize_t got;

	if (fd < 0)
		return (struct pmuq_str){ 0 };
	text = malloc(FILE_BYTES_MAX);
	if (!text)
		return (struct pmuq_str){ 0 };
	do {
		got = read_some(fd, text + n, FILE_BYTES_MAX - n);
		if (got < 0)
			return (struct pmuq_str){ 0 };
		n += (size_t)got;
	} while (got > 0 && n < FILE_BYTES_MAX);
	return pq_arena_str(arena, str_trim((struct pmuq_str){ .p = text, .n = n }));
}

bool pq_small_file_number(int root_fd, struct pq_arena *arena, const char *path, uint64_t *ret)
{
	struct pmuq_str text = pq_small_file_read(root_fd, arena, path);

	return text.p && pq_num_decimal(text, ret) == PQ_NUM_OK;
}

bool pq_small_file_exists(int root_fd, const char *path)
{
	return faccessat(root_fd, path, F_OK, 0) == 0;
}

/* Capabilities, users and filters belong to the thread, not to the process. */
struct pmuq_str pq_small_file_status(int root_fd, struct pq_arena *arena)
{
	struct pmuq_str text = pq_small_file_read(root_fd, arena, "proc/thread-self/status");

	return text.p ? text : pq_small_file_read(root_fd, arena, "proc/self/status");
}

struct pmuq_str pq_small_file_line(struct pmuq_str text, struct pmuq_str key)
{
	struct pmuq_str line, head, tail;
	bool more;

	do {
		more = str_cut(text, '\n', &line, &text);
		if (str_cut(line, ':', &head, &tail) && str_eq(str_trim(head), key))
			return str_trim(tail);
	} while (more);
	return (struct pmuq_str){ 0 };
}
