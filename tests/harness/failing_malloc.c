/* SPDX-License-Identifier: MIT */
#include "tests/harness/failing_malloc.h"
#include <dirent.h>
#include <errno.h>
#include <execinfo.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

/* Lists of allocations: how many stacks there may be in a test, in a list, and frames in a stack.
 */
#define STACKS_MAX (1u << 20)
#define LISTED_MAX (1u << 20)
#define FRAMES_MAX 48

static bool is_counting, has_failed;
static unsigned left;

static bool is_listing, lists_all;
static unsigned n_allocations;
static uint64_t stacks[STACKS_MAX]; /* a hash table: those of all lists; 0: a free place */
static unsigned listed[LISTED_MAX];
static size_t n_listed;

static uint64_t hash_stack(void)
{
	void *frames[FRAMES_MAX];
	int n = backtrace(frames, FRAMES_MAX);
	uint64_t hash = UINT64_C(14695981039346656037);

	for (int i = 0; i < n; i++)
		hash = (hash ^ (uintptr_t)frames[i]) * UINT64_C(1099511628211);
	return hash | 1;
}

static bool is_new_stack(uint64_t hash)
{
	size_t at = (hash >> 20) % STACKS_MAX;

	while (stacks[at] && stacks[at] != hash)
		at = (at + 1) % STACKS_MAX;
	if (stacks[at])
		return false;
	stacks[at] = hash;
	return true;
}

static void list_one(void)
{
	is_listing = false; /* backtrace() may allocate */
	if ((is_new_stack(hash_stack()) || lists_all) && n_listed < LISTED_MAX)
		listed[n_listed++] = n_allocations;
	n_allocations++;
	is_listing = true;
}

/* For fail_malloc_print_stack(). */
static void *failed_frames[FRAMES_MAX];
static int n_failed_frames;

static void keep_stack(void)
{
	is_counting = false; /* backtrace() may allocate */
	n_failed_frames = backtrace(failed_frames, FRAMES_MAX);
	is_counting = true;
}

static bool fails(void)
{
	if (is_listing)
		list_one();
	if (!is_counting || has_failed)
		return false;
	has_failed = left == 0;
	left -= !has_failed;
	if (has_failed) {
		keep_stack();
		errno = ENOMEM;
	}
	return has_failed;
}

/* A function of libc that allocates, and what it returns without memory. */
#define WRAP(result, name, failure, parameters, ...)                                               \
	result __real_##name parameters;                                                           \
	result __wrap_##name parameters;                                                           \
	result __wrap_##name parameters                                                            \
	{                                                                                          \
		return fails() ? (failure) : __real_##name(__VA_ARGS__);                           \
	}

// clang-format off
WRAP(void *, malloc, NULL, (size_t bytes), bytes)
WRAP(void *, calloc, NULL, (size_t n, size_t bytes), n, bytes)
WRAP(void *, realloc, NULL, (void *p, size_t bytes), p, bytes)
WRAP(void *, reallocarray, NULL, (void *p, size_t n, size_t bytes), p, n, bytes)
WRAP(char *, strdup, NULL, (const char *s), s)
WRAP(char *, strndup, NULL, (const char *s, size_t n), s, n)
WRAP(int, vasprintf, -1, (char **ret, const char *format, va_list args), ret, format, args)
WRAP(char *, realpath, NULL, (const char *path, char *to), path, to)
WRAP(DIR *, opendir, NULL, (const char *path), path)
WRAP(DIR *, fdopendir, NULL, (int fd), fd)
// clang-format on

int __wrap_asprintf(char **ret, const char *format, ...);
int __wrap_asprintf(char **ret, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = __wrap_vasprintf(ret, format, args);
	va_end(args);
	return n;
}

void fail_malloc_at(unsigned n)
{
	is_counting = true;
	has_failed = false;
	left = n;
}

bool fail_malloc_no_more(void)
{
	is_counting = false;
	return has_failed;
}

void list_mallocs(void)
{
	lists_all = getenv("PMUQ_ALL_CALLS") != NULL;
	n_allocations = 0;
	n_listed = 0;
	is_listing = true;
}

const unsigned *list_mallocs_end(size_t *ret_n)
{
	is_listing = false;
	*ret_n = n_listed;
	return listed;
}

void fail_malloc_print_stack(void)
{
	backtrace_symbols_fd(failed_frames, n_failed_frames, STDERR_FILENO);
}
