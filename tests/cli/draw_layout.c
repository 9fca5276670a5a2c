/* SPDX-License-Identifier: MIT */
/*
 * Draws the fields on stdin, for test_layout.py: draw_layout COLUMNS ascii|utf8. A line is a
 * field: WORD MASK(hex) VALUE NAME, separated by one blank; "-" means no value.
 */
#include "cli/events/layout.h"
#include "core/base.h"
#include <inttypes.h>
#include <string.h>

#define FIELDS_MAX 128
#define WORDS 5

static char *cut(char **rest)
{
	char *word = *rest, *end = strchrnul(word, ' ');

	*rest = *end ? end + 1 : end;
	*end = 0;
	return word;
}

static bool read_field(struct layout_field *ret)
{
	char *line = NULL, *rest;
	size_t size = 0;
	ssize_t n = getline(&line, &size, stdin);

	if (n <= 0) {
		free(line);
		return false;
	}
	line[n - 1] = 0;
	rest = line; /* kept: the field's texts live in it */
	if (sscanf(cut(&rest), "%u", &ret->word) != 1 ||
	    sscanf(cut(&rest), "%" SCNx64, &ret->mask) != 1)
		exit(2);
	ret->value = cut(&rest);
	if (strcmp(ret->value, "-") == 0)
		ret->value = NULL;
	ret->name = rest;
	return true;
}

int main(int argc, char **argv)
{
	static struct layout_field fields[FIELDS_MAX];
	struct layout layout = { .fields = fields };

	if (argc != 3 || sscanf(argv[1], "%u", &layout.columns) != 1)
		return 2;
	layout.is_utf8 = strcmp(argv[2], "utf8") == 0;
	while (layout.n_fields < FIELDS_MAX && read_field(&fields[layout.n_fields]))
		layout.n_fields++;
	for (unsigned word = 0; word < WORDS; word++) {
		cleanup(pq_buf_free) struct pq_buf bits = PQ_BUF_NULL;
		uint64_t used = layout_used(&layout, word);

		if (!used)
			continue;
		layout_print_bits(&bits, ~used);
		printf("word %u, free:%s%s\n", word, ~used ? " " : "",
		       ~used ? pq_buf_str(&bits).p : "");
		if (!layout_draw(stdout, &layout, word))
			return 1;
	}
	return 0;
}
