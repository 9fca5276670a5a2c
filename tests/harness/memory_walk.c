/* SPDX-License-Identifier: MIT */
/*
 * A library for LD_PRELOAD: makes one allocation of the command, or of the program
 * MEMORY_PROGRAM, fail, for a walk over all of them (tests/cli/memory_walk.py). The allocations of
 * its libraries count too, also those of libc: glibc calls this malloc() in strdup(), asprintf(),
 * fopen() and the like. Programs that the command starts are left alone.
 *
 *     MEMORY_FAIL_AT=7 LD_PRELOAD=… pmuq list    the 7th allocation fails
 *     MEMORY_COUNT=FILE                          the file gets the number of allocations at exit
 *     MEMORY_TRACE=FILE                          the stack of the allocation that fails
 */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STACK_MAX 64

static bool is_counting;
static unsigned fail_at;
static atomic_uint n_allocations;

static int open_new(const char *variable)
{
	const char *path = getenv(variable);

	return path ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600) : -1;
}

static void write_stack(void)
{
	int fd = open_new("MEMORY_TRACE");
	void *stack[STACK_MAX];

	/* backtrace() loads a library, which allocates. */
	is_counting = false;
	if (fd >= 0) {
		backtrace_symbols_fd(stack, backtrace(stack, STACK_MAX), fd);
		close(fd);
	}
	is_counting = true;
}

/* Counts an allocation; true if it is the one that fails, with errno set. */
static bool fails(void)
{
	if (!is_counting || atomic_fetch_add(&n_allocations, 1) + 1 != fail_at)
		return false;
	write_stack();
	errno = ENOMEM;
	return true;
}

__attribute__((constructor)) static void start(void)
{
	const char *at = getenv("MEMORY_FAIL_AT"), *program = getenv("MEMORY_PROGRAM");

	fail_at = at ? (unsigned)strtoul(at, NULL, 10) : 0;
	is_counting = strcmp(program_invocation_short_name, program ? program : "pmuq") == 0;
}

__attribute__((destructor)) static void write_count(void)
{
	int fd = is_counting ? open_new("MEMORY_COUNT") : -1;

	is_counting = false;
	if (fd < 0)
		return;
	dprintf(fd, "%u\n", n_allocations);
	close(fd);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

// clang-format off
#define WRAP(name, parameters, ...)                                                                \
	void *name parameters                                                                      \
	{                                                                                          \
		static __typeof__(&name) real;                                                     \
                                                                                                   \
		real = real ? real : REAL(name);                                                   \
		return fails() ? NULL : real(__VA_ARGS__);                                         \
	}

WRAP(malloc, (size_t bytes), bytes)
WRAP(calloc, (size_t n, size_t bytes), n, bytes)
WRAP(realloc, (void *p, size_t bytes), p, bytes)
WRAP(reallocarray, (void *p, size_t n, size_t bytes), p, n, bytes)
WRAP(aligned_alloc, (size_t alignment, size_t bytes), alignment, bytes)
// clang-format on

int posix_memalign(void **ret, size_t alignment, size_t bytes)
{
	return fails() ? ENOMEM : REAL(posix_memalign)(ret, alignment, bytes);
}
