/* SPDX-License-Identifier: MIT */
/*
 * A library for LD_PRELOAD: makes one call of one function fail, for a walk over all calls of a
 * command (test_failing_calls.py). Only calls that the command itself makes are counted, not those
 * of the C library or of SQLite.
 *
 *     FAIL_CALL=read FAIL_AT=7 FAIL_ERRNO=5 LD_PRELOAD=… pmuq list
 *     FAIL_COUNTS=FILE: at exit, writes to FILE how often each function was called.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FUNCTIONS_MAX 64

static struct {
	const char *name;
	unsigned n;
} calls[FUNCTIONS_MAX];
static size_t n_calls;
static bool is_ended;

static bool is_of_command(const void *caller)
{
	Dl_info info;
	const char *slash;

	if (!dladdr(caller, &info) || !info.dli_fname)
		return false;
	slash = strrchr(info.dli_fname, '/');
	return strcmp(slash ? slash + 1 : info.dli_fname, "pmuq") == 0;
}

/* Counts a call; true if it is the one that fails, with errno set. */
static bool fails(const char *name, const void *caller)
{
	const char *wanted = getenv("FAIL_CALL"), *at = getenv("FAIL_AT"),
		   *errnum = getenv("FAIL_ERRNO");
	size_t i;

	if (is_ended || !is_of_command(caller))
		return false;
	for (i = 0; i < n_calls && strcmp(calls[i].name, name) != 0; i++)
		;
	if (i == FUNCTIONS_MAX)
		abort();
	if (i == n_calls)
		calls[n_calls++].name = name;
	calls[i].n++;
	if (!wanted || strcmp(wanted, name) != 0 || !at || calls[i].n != (unsigned)atoi(at))
		return false;
	errno = errnum ? atoi(errnum) : EIO;
	return true;
}

__attribute__((destructor)) static void write_counts(void)
{
	const char *path = getenv("FAIL_COUNTS");
	FILE *file = path ? fopen(path, "w") : NULL;

	is_ended = true;
	for (size_t i = 0; file && i < n_calls; i++)
		fprintf(file, "%s %u\n", calls[i].name, calls[i].n);
	if (file)
		fclose(file);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* A function that returns `failure` and sets errno. */
#define WRAP(result, name, failure, parameters, ...)                                               \
	result name parameters                                                                     \
	{                                                                                          \
		return fails(#name, __builtin_return_address(0)) ? (failure)                       \
								 : REAL(name)(__VA_ARGS__);        \
	}
/* One that returns the errno. */
#define WRAP_ERRNUM(name, parameters, ...)                                                         \
	int name parameters                                                                        \
	{                                                                                          \
		return fails(#name, __builtin_return_address(0)) ? errno                           \
								 : REAL(name)(__VA_ARGS__);        \
	}
/* open(2) has a mode if these flags are set. */
#define WRAP_OPEN(name, parameters, ...)                                                           \
	int name parameters                                                                        \
	{                                                                                          \
		mode_t mode = 0;                                                                   \
		va_list args;                                                                      \
                                                                                                   \
		va_start(args, flags);                                                             \
		if (flags & (O_CREAT | O_TMPFILE))                                                 \
			mode = va_arg(args, mode_t);                                               \
		va_end(args);                                                                      \
		return fails(#name, __builtin_return_address(0)) ? -1                              \
								 : REAL(name)(__VA_ARGS__, mode);  \
	}

// clang-format off
WRAP_OPEN(open64, (const char *path, int flags, ...), path, flags)
WRAP_OPEN(openat64, (int fd, const char *path, int flags, ...), fd, path, flags)
WRAP(ssize_t, read, -1, (int fd, void *to, size_t n), fd, to, n)
WRAP(ssize_t, pread64, -1, (int fd, void *to, size_t n, off64_t at), fd, to, n, at)
WRAP(ssize_t, write, -1, (int fd, const void *from, size_t n), fd, from, n)
WRAP(ssize_t, send, -1, (int fd, const void *from, size_t n, int flags), fd, from, n, flags)
WRAP(ssize_t, recv, -1, (int fd, void *to, size_t n, int flags), fd, to, n, flags)
WRAP(int, close, (REAL(close)(fd), -1), (int fd), fd)
WRAP(int, fsync, -1, (int fd), fd)
WRAP(int, fchmod, -1, (int fd, mode_t mode), fd, mode)
WRAP(int, rename, -1, (const char *from, const char *to), from, to)
WRAP(int, unlink, -1, (const char *path), path)
WRAP(int, mkdir, -1, (const char *path, mode_t mode), path, mode)
WRAP(int, mkdirat, -1, (int fd, const char *path, mode_t mode), fd, path, mode)
WRAP(int, fstat64, -1, (int fd, struct stat64 *st), fd, st)
WRAP(int, stat64, -1, (const char *path, struct stat64 *st), path, st)
WRAP(int, lstat64, -1, (const char *path, struct stat64 *st), path, st)
WRAP(off64_t, lseek64, -1, (int fd, off64_t at, int whence), fd, at, whence)
WRAP(DIR *, opendir, NULL, (const char *path), path)
WRAP(DIR *, fdopendir, NULL, (int fd), fd)
WRAP(struct dirent64 *, readdir64, NULL, (DIR *dir), dir)
WRAP(void *, mmap64, MAP_FAILED, (void *at, size_t n, int prot, int flags, int fd, off64_t from), at, n, prot, flags, fd, from)
WRAP(int, poll, -1, (struct pollfd *fds, nfds_t n, int timeout_ms), fds, n, timeout_ms)
WRAP(int, socketpair, -1, (int domain, int type, int protocol, int fds[2]), domain, type, protocol, fds)
WRAP(int, pipe2, -1, (int fds[2], int flags), fds, flags)
WRAP(char *, realpath, NULL, (const char *restrict path, char *restrict to), path, to)
WRAP(int, fflush, EOF, (FILE *file), file)
WRAP_ERRNUM(posix_spawn, (pid_t *restrict pid, const char *restrict path, const posix_spawn_file_actions_t *actions,
	const posix_spawnattr_t *restrict attr, char *const argv[restrict], char *const envp[restrict]),
	pid, path, actions, attr, argv, envp)
// clang-format on

static const char *name_of_call(long number)
{
	switch (number) {
	case SYS_openat2:
		return "openat2";
	case SYS_getdents64:
		return "getdents64";
	case SYS_perf_event_open:
		return "perf_event_open";
	default:
		return "syscall";
	}
}

long syscall(long number, ...)
{
	long a[6];
	va_list args;

	va_start(args, number);
	for (size_t i = 0; i < 6; i++)
		a[i] = va_arg(args, long);
	va_end(args);
	if (fails(name_of_call(number), __builtin_return_address(0)))
		return -1;
	return REAL(syscall)(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
