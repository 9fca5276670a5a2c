/* SPDX-License-Identifier: MIT */
#include "tests/harness/failing_malloc.h"
#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>

static bool is_counting, has_failed;
static unsigned left;

static bool fails(void)
{
	if (!is_counting || has_failed)
		return false;
	has_failed = left == 0;
	left -= !has_failed;
	if (has_failed)
		errno = ENOMEM;
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
