/* SPDX-License-Identifier: MIT */
/*
 * Names of hosts in natural order, and as ranges. A name is split at the last number of its first
 * label: "web12.example.org" is "web", 12, ".example.org". Names that differ only in that number,
 * and count up with the same width, are one range.
 */
#include "cli/hosts/host_names.h"
#include "cli/or_die.h"
#include "cli/output/text_stream.h"
#include "core/base.h"
#include "core/str.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Longer numbers are not counted up. */
#define DIGITS_MAX 18

/* A name around the last number of its first label. */
struct parts {
	const char *name;
	size_t start, end; /* of the digits; equal: there are none */
	uint64_t number;
};

static struct parts parts_of(const char *name)
{
	struct parts parts = { .name = name };
	size_t end = strcspn(name, ".");

	while (end > 0 && !char_is_digit(name[end - 1]))
		end--;
	parts.start = parts.end = end;
	while (parts.start > 0 && char_is_digit(name[parts.start - 1]))
		parts.start--;
	if (end - parts.start > DIGITS_MAX)
		parts.start = end;
	for (size_t i = parts.start; i < end; i++)
		parts.number = parts.number * 10 + (uint64_t)(name[i] - '0');
	return parts;
}

/* Compares two runs of digits of any length as numbers; 0 if they are equal. */
static int compare_digits(const char *a, size_t n_a, const char *b, size_t n_b)
{
	while (n_a > 0 && *a == '0')
		a++, n_a--;
	while (n_b > 0 && *b == '0')
		b++, n_b--;
	if (n_a != n_b)
		return n_a < n_b ? -1 : 1;
	while (n_a > 1 && *a == *b)
		a++, b++, n_a--;
	return n_a ? *a - *b : 0;
}

static size_t count_digits(const char *text)
{
	size_t n = 0;

	while (char_is_digit(text[n]))
		n++;
	return n;
}

int names_compare(const void *of_a, const void *of_b)
{
	const char *a = *(const char *const *)of_a, *b = *(const char *const *)of_b;
	const char *whole_a = a, *whole_b = b;

	/* What both begin with, without a number that may go on. */
	while (*a && *a == *b)
		a++, b++;
	while (a > whole_a && char_is_digit(a[-1]))
		a--, b--;
	while (*a && *b) {
		size_t n_a = count_digits(a), n_b = n_a ? count_digits(b) : 0;
		int order = n_a && n_b ? compare_digits(a, n_a, b, n_b)
				       : (unsigned char)*a - (unsigned char)*b;

		if (order)
			return order;
		a += n_a && n_b ? n_a : 1;
		b += n_a && n_b ? n_b : 1;
	}
	if (*a || *b)
		return *a ? 1 : -1;
	return strcmp(whole_a, whole_b);
}

/* The end of the names from `at` on that are in order. */
static size_t end_of_run(const char *const *names, size_t n, size_t at)
{
	if (at == n)
		return n;
	while (at + 1 < n && names_compare(&names[at], &names[at + 1]) <= 0)
		at++;
	return at + 1;
}

/* Merges each two runs of `from` into one of `to`; returns the number of runs that it has now. */
static size_t merge_runs(const char *const *from, size_t n, const char **to)
{
	size_t at = 0, n_runs = 0;

	for (; at < n; n_runs++) {
		size_t a = at, end_a = end_of_run(from, n, a);
		size_t b = end_a, end_b = end_of_run(from, n, b);

		for (; at < end_b; at++) {
			bool is_a =
				b == end_b || (a < end_a && names_compare(&from[a], &from[b]) <= 0);

			to[at] = is_a ? from[a++] : from[b++];
		}
	}
	return n_runs;
}

/* The hosts of a class are in order already, or nearly: so it takes a pass for each doubling of the
 * number of classes, not of hosts. */
void names_sort(const char **names, size_t n)
{
	auto_free const char **other = NULL;
	const char **from = names, **to, **next;

	if (end_of_run(names, n, 0) == n)
		return;
	to = other = or_die(calloc(n, sizeof(*other)));
	for (size_t n_runs = 2; n_runs > 1; from = to, to = next) {
		next = from;
		n_runs = merge_runs(from, n, to);
	}
	if (from != names)
		memcpy(names, from, n * sizeof(*names));
}

/* Both have a number, and everything around it is equal. */
static bool same_frame(const struct parts *a, const struct parts *b)
{
	return a->start < a->end && b->start < b->end && a->start == b->start &&
	       strncmp(a->name, b->name, a->start) == 0 &&
	       strcmp(a->name + a->end, b->name + b->end) == 0;
}

/* The number of digits of a number that is reached by counting up from `from`. */
static bool has_same_spelling(const struct parts *from, const struct parts *to)
{
	size_t width = from->end - from->start;
	bool is_padded = width > 1 && from->name[from->start] == '0';
	char want[DIGITS_MAX + 2];
	int n = snprintf(want, sizeof(want), "%0*" PRIu64, is_padded ? (int)width : 1, to->number);

	return n > 0 && (size_t)n == to->end - to->start &&
	       strncmp(want, to->name + to->start, (size_t)n) == 0;
}

/* "web9" is followed by "web10", "web09" by "web10", and "web09" not by "web010". */
static bool follows(const struct parts *first, const struct parts *last, const struct parts *next)
{
	return same_frame(first, next) && next->number == last->number + 1 &&
	       has_same_spelling(first, next);
}

struct folding {
	FILE *to;
	const char *const *names;
	size_t n, at; /* names before `at` have been printed */
	size_t left;  /* ranges that may still be printed */
};

/* "3-7" or "3": the names from `at` on that count up. */
static void put_run(struct folding *folding)
{
	struct parts first = parts_of(folding->names[folding->at]), last = first;

	folding->left--;
	for (folding->at++; folding->at < folding->n; folding->at++) {
		struct parts next = parts_of(folding->names[folding->at]);

		if (!follows(&first, &last, &next))
			break;
		last = next;
	}
	fwrite(first.name + first.start, 1, first.end - first.start, folding->to);
	if (last.number == first.number)
		return;
	putc('-', folding->to);
	fwrite(last.name + last.start, 1, last.end - last.start, folding->to);
}

/* The next name, and the names after it that differ only in their number. */
static void put_next(struct folding *folding)
{
	struct parts first = parts_of(folding->names[folding->at]);
	bool is_open = false;

	while (folding->at < folding->n && folding->left) {
		struct parts next = parts_of(folding->names[folding->at]);
		struct parts after = { 0 };

		if (folding->at + 1 < folding->n)
			after = parts_of(folding->names[folding->at + 1]);
		if (is_open && !same_frame(&first, &next))
			break;
		if (!is_open && !(after.name && same_frame(&first, &after))) {
			fputs(first.name, folding->to);
			folding->at++;
			folding->left--;
			return;
		}
		if (is_open)
			putc(',', folding->to);
		else
			fprintf(folding->to, "%.*s[", (int)first.start, first.name);
		is_open = true;
		put_run(folding);
	}
	fprintf(folding->to, "]%s", first.name + first.end);
}

char *names_fold(const char *const *names, size_t n, size_t max)
{
	struct text_stream stream;
	struct folding folding = { .names = names, .n = n, .left = max ? max : SIZE_MAX };

	text_stream_open(&stream);
	folding.to = stream.to;
	while (folding.at < n && folding.left) {
		fputs(folding.at ? ", " : "", folding.to);
		put_next(&folding);
	}
	if (folding.at < n)
		fprintf(folding.to, " and %zu more", n - folding.at);
	return text_stream_close(&stream);
}
