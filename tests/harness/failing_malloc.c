/* SPDX-License-Identifier: MIT */
#include "tests/harness/failing_malloc.h"
#include <stdarg.h>
#include <stddef.h>

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t n, size_t bytes);
void *__real_realloc(void *p, size_t bytes);
char *__real_strndup(const char *s, size_t n);
int __real_vasprintf(char **ret, const char *format, va_list args);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t n, size_t bytes);
void *__wrap_realloc(void *p, size_t bytes);
char *__wrap_strndup(const char *s, size_t n);
int __wrap_vasprintf(char **ret, const char *format, va_list args);

static bool is_counting, has_failed;
static unsigned left;

static bool fails(void)
{
	if (!is_counting || has_failed)
		return false;
	has_failed = left == 0;
	left -= !has_failed;
	return has_failed;
}

void *__wrap_malloc(size_t bytes)
{
	return fails() ? NULL : __real_malloc(bytes);
}

void *__wrap_calloc(size_t n, size_t bytes)
{
	return fails() ? NULL : __real_calloc(n, bytes);
}

void *__wrap_realloc(void *p, size_t bytes)
{
	return fails() ? NULL : __real_realloc(p, bytes);
}

char *__wrap_strndup(const char *s, size_t n)
{
	return fails() ? NULL : __real_strndup(s, n);
}

int __wrap_vasprintf(char **ret, const char *format, va_list args)
{
	return fails() ? -1 : __real_vasprintf(ret, format, args);
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
