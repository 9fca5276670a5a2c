/* SPDX-License-Identifier: MIT */
#include "cli/tables/number_ranges.h"
#include "cli/cli_base.h"
#include <inttypes.h>
#include <string.h>

/* Ranges of numbers as they come. */
struct ranges {
	FILE *to;
	uint64_t from, until;
	bool is_open, has_more;
};

static void end_range(struct ranges *ranges)
{
	if (!ranges->is_open)
		return;
	fprintf(ranges->to, "%s%" PRIu64, ranges->has_more ? "," : "", ranges->from);
	if (ranges->until > ranges->from)
		fprintf(ranges->to, "-%" PRIu64, ranges->until);
	ranges->is_open = false;
	ranges->has_more = true;
}

static void add_number(struct ranges *ranges, uint64_t number)
{
	if (!ranges->is_open || number != ranges->until + 1) {
		end_range(ranges);
		ranges->from = number;
		ranges->is_open = true;
	}
	ranges->until = number;
}

char *ranges_of_numbers(const uint64_t *numbers, size_t n)
{
	char *text = NULL;
	size_t n_text;
	struct ranges ranges = { .to = open_memstream(&text, &n_text) };

	if (!ranges.to)
		return NULL;
	for (size_t i = 0; i < n; i++)
		add_number(&ranges, numbers[i]);
	end_range(&ranges);
	fclose(ranges.to);
	return text;
}

/* A number with a leading zero is none that could be one of a range: the zero would be lost. */
size_t ranges_stem(const char *name)
{
	size_t n = strlen(name), stem = n;

	while (stem > 0 && name[stem - 1] >= '0' && name[stem - 1] <= '9')
		stem--;
	if (n - stem > 18 || (name[stem] == '0' && n - stem > 1))
		return n;
	return stem;
}

bool ranges_same_stem(const char *a, const char *b)
{
	size_t stem = ranges_stem(a);

	return a[stem] && ranges_stem(b) == stem && b[stem] && strncmp(a, b, stem) == 0;
}

/* At most 18 digits, so says ranges_stem(). */
static uint64_t number_of(const char *digits)
{
	uint64_t number = 0;

	for (; *digits; digits++)
		number = number * 10 + (uint64_t)(*digits - '0');
	return number;
}

static void put_stem(FILE *to, const char *const *names, size_t n)
{
	struct ranges ranges = { .to = to };
	size_t stem = ranges_stem(names[0]);

	fprintf(to, "%.*s[", (int)stem, names[0]);
	for (size_t i = 0; i < n; i++)
		add_number(&ranges, number_of(names[i] + stem));
	end_range(&ranges);
	fprintf(to, "]");
}

char *ranges_of_names(const char *const *names, size_t n)
{
	char *text = NULL;
	size_t n_text, n_same;
	FILE *to = open_memstream(&text, &n_text);

	if (!to)
		return NULL;
	for (size_t i = 0; i < n; i += n_same) {
		for (n_same = 1; i + n_same < n; n_same++)
			if (!ranges_same_stem(names[i], names[i + n_same]))
				break;
		fprintf(to, "%s", i ? ", " : "");
		if (n_same > 1)
			put_stem(to, names + i, n_same);
		else
			fprintf(to, "%s", names[i]);
	}
	fclose(to);
	return text;
}
