/* SPDX-License-Identifier: MIT */
/*
 * Prints one change as a line: a sign, the type and the name, and then the texts before and after,
 * or a sentence. Which changes are printed, and below which headings: diff_text.c.
 */
#include "cli/diff/diff_line.h"
#include "cli/or_die.h"
#include "core/attr/attr.h"
#include "core/ranges.h"
#include <inttypes.h>
#include <string.h>

/* Column of the sentence after the name. */
#define NOUN_COLUMNS 9
#define NAME_COLUMNS 28

enum sign {
	SIGN_GONE = '-',
	SIGN_NEW = '+',
	SIGN_CHANGED = '~',
};

/* How a line of that type begins. Empty: the change is about the PMU itself. */
static const struct {
	enum sign sign;
	const char *noun;
} descriptions[] = {
	[PMUQ_CHANGE_PMU_GONE] = { SIGN_GONE, NULL },
	[PMUQ_CHANGE_PMU_NEW] = { SIGN_NEW, NULL },
	[PMUQ_CHANGE_PMU_RENAMED] = { SIGN_CHANGED, NULL },
	[PMUQ_CHANGE_INSTANCES_GONE] = { SIGN_GONE, NULL },
	[PMUQ_CHANGE_INSTANCES_NEW] = { SIGN_NEW, NULL },
	[PMUQ_CHANGE_PMU_TYPE] = { SIGN_CHANGED, "type" },
	[PMUQ_CHANGE_PMU_CPUS] = { SIGN_CHANGED, "cpus" },
	[PMUQ_CHANGE_PMU_ALIAS] = { SIGN_CHANGED, "alias" },
	[PMUQ_CHANGE_FORMAT_GONE] = { SIGN_GONE, "format" },
	[PMUQ_CHANGE_FORMAT_NEW] = { SIGN_NEW, "format" },
	[PMUQ_CHANGE_FORMAT_MOVED] = { SIGN_CHANGED, "format" },
	[PMUQ_CHANGE_FORMAT_NARROWED] = { SIGN_CHANGED, "format" },
	[PMUQ_CHANGE_FORMAT_WIDENED] = { SIGN_CHANGED, "format" },
	[PMUQ_CHANGE_FORMAT_TEXT] = { SIGN_CHANGED, "format" },
	[PMUQ_CHANGE_EVENT_GONE] = { SIGN_GONE, "event" },
	[PMUQ_CHANGE_EVENT_NEW] = { SIGN_NEW, "event" },
	[PMUQ_CHANGE_EVENT_RENAMED] = { SIGN_CHANGED, "event" },
	[PMUQ_CHANGE_EVENT_BROKEN] = { SIGN_CHANGED, "event" },
	[PMUQ_CHANGE_EVENT_FIXED] = { SIGN_CHANGED, "event" },
	[PMUQ_CHANGE_EVENT_BITS] = { SIGN_CHANGED, "event" },
	[PMUQ_CHANGE_EVENT_SETTINGS] = { SIGN_CHANGED, "event" },
	[PMUQ_CHANGE_EVENT_TEXT] = { SIGN_CHANGED, "event" },
	[PMUQ_CHANGE_EVENT_UNIT] = { SIGN_CHANGED, "unit" },
	[PMUQ_CHANGE_EVENT_SCALE] = { SIGN_CHANGED, "scale" },
	[PMUQ_CHANGE_EVENT_FLAGS] = { SIGN_CHANGED, "flags" },
	[PMUQ_CHANGE_CAP_GONE] = { SIGN_GONE, "cap" },
	[PMUQ_CHANGE_CAP_NEW] = { SIGN_NEW, "cap" },
	[PMUQ_CHANGE_CAP] = { SIGN_CHANGED, "cap" },
	[PMUQ_CHANGE_ATTRIBUTE_GONE] = { SIGN_GONE, "file" },
	[PMUQ_CHANGE_ATTRIBUTE_NEW] = { SIGN_NEW, "file" },
	[PMUQ_CHANGE_ATTRIBUTE] = { SIGN_CHANGED, "file" },
	[PMUQ_CHANGE_FACT_GONE] = { SIGN_GONE, "fact" },
	[PMUQ_CHANGE_FACT_NEW] = { SIGN_NEW, "fact" },
	[PMUQ_CHANGE_FACT] = { SIGN_CHANGED, "fact" },
	[PMUQ_CHANGE_TRACEPOINT_GONE] = { SIGN_GONE, "tracepoint" },
	[PMUQ_CHANGE_TRACEPOINT_NEW] = { SIGN_NEW, "tracepoint" },
	[PMUQ_CHANGE_TRACEPOINTS_UNKNOWN] = { SIGN_CHANGED, NULL },
	[PMUQ_CHANGE_OPENS_NO_MORE] = { SIGN_GONE, "opens" },
	[PMUQ_CHANGE_OPENS_NOW] = { SIGN_NEW, "opens" },
	[PMUQ_CHANGE_REFUSED_OTHERWISE] = { SIGN_CHANGED, "opens" },
};

void diff_put_style(FILE *to, enum style style)
{
	fputs(style_code(stdout, style), to);
}

/* -------------------------------------------------------------------------------------- a line */

static void put_padded(FILE *to, const char *text, int columns)
{
	print_safe(to, text);
	fprintf(to, "%*s", (int)strlen(text) < columns ? columns - (int)strlen(text) : 0, "");
	putc(' ', to);
}

/* "before -> after", or the one of them that exists. */
static void put_values(FILE *to, const char *before, const char *after)
{
	if (before)
		print_safe(to, *before ? before : "\"\"");
	if (before && after)
		fputs(" -> ", to);
	if (after)
		print_safe(to, *after ? after : "\"\"");
}

/* The differing bits are listed too, because two long numbers are hard to compare. */
static void put_moved(FILE *to, const char *word, uint64_t before, uint64_t after)
{
	uint32_t numbers[64];
	auto_free char *text = NULL;
	size_t n = 0;

	for (unsigned bit = 0; bit < 64; bit++)
		if ((before ^ after) >> bit & 1)
			numbers[n++] = bit;
	text = or_die(pq_ranges_of_numbers(numbers, n));
	fprintf(to, "%s 0x%" PRIx64 " -> 0x%" PRIx64 " (bit%s %s)", word, before, after,
		n == 1 ? "" : "s", text);
}

/* The config words that differ. */
static void put_bits(FILE *to, const struct pmuq_change *change)
{
	bool has_more = false;

	for (unsigned word = 0; word < PQ_CONFIG_WORDS; word++) {
		uint64_t before = change->words_before[word], after = change->words_after[word];

		if (before == after)
			continue;
		fputs(has_more ? ", " : "", to);
		put_moved(to, pq_attr_config_name(word).p, before, after);
		has_more = true;
	}
}

static void put_texts(FILE *to, const struct pmuq_change *change)
{
	const char *before = change->before.p, *after = change->after.p;

	fprintf(to, "\n    %*s", NOUN_COLUMNS + 1 + NAME_COLUMNS + 1, "");
	diff_put_style(to, STYLE_QUIET);
	if (before && after && strcmp(before, after) == 0) {
		print_safe(to, before);
		fputs(", as before", to);
	} else {
		put_values(to, before, after);
	}
	diff_put_style(to, STYLE_NONE);
}

/* The sentence begins with "event 'NAME' ", which the line already has. */
static const char *text_behind_name(const struct pmuq_change *change)
{
	const char *text = change->text.p;
	const char *name = strstr(text, change->name.p);
	const char *rest = name ? strstr(name + strlen(change->name.p), "' ") : NULL;

	return rest ? rest + 2 : text;
}

/* What happened, after the name. */
static void put_rest(FILE *to, const struct pmuq_change *change)
{
	switch (change->type) {
	case PMUQ_CHANGE_EVENT_BITS:
		put_bits(to, change);
		put_texts(to, change);
		break;
	case PMUQ_CHANGE_EVENT_RENAMED:
		fputs("is now called ", to);
		print_safe(to, change->after.p);
		fputs(", with the same bits", to);
		break;
	case PMUQ_CHANGE_EVENT_BROKEN:
	case PMUQ_CHANGE_EVENT_FIXED:
		print_safe(to, text_behind_name(change));
		put_texts(to, change);
		break;
	case PMUQ_CHANGE_PMU_CPUS:
		put_values(to, change->before.p, change->after.p);
		fputs(", ", to);
		print_safe(to, change->text.p);
		break;
	default:
		put_values(to, change->before.p, change->after.p);
		break;
	}
}

static void put_sign(FILE *to, const struct pmuq_change *change)
{
	enum sign sign = descriptions[change->type].sign;

	diff_put_style(to, sign == SIGN_GONE  ? STYLE_ERROR
			   : sign == SIGN_NEW ? STYLE_GOOD
					      : STYLE_WARNING);
	fprintf(to, "  %c ", (char)sign);
	diff_put_style(to, STYLE_NONE);
}

void diff_put_change(FILE *to, const struct pmuq_change *change)
{
	const char *noun = descriptions[change->type].noun;
	const char *name = change->name.p;

	put_sign(to, change);
	if (!noun) {
		print_safe(to, change->text.p);
	} else {
		put_padded(to, noun, NOUN_COLUMNS);
		if (name)
			put_padded(to, name,
				   change->before.p || change->after.p ? NAME_COLUMNS : 0);
		put_rest(to, change);
	}
	putc('\n', to);
}

/* ------------------------------------------------------------------------ what does not open */

/* The column after which a line of names is full. */
#define LINE_COLUMNS 100

static bool same_text(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool is_same_change(const struct pmuq_change *a, const struct pmuq_change *b)
{
	return same_text(a->before.p, b->before.p) && same_text(a->after.p, b->after.p);
}

/* Continues on further lines, with as many names as fit on each. */
static void put_names(FILE *to, const struct pmuq_change *const *changes, size_t n)
{
	int column = LINE_COLUMNS;

	for (size_t i = 0; i < n; i++) {
		const char *name = changes[i]->name.p;
		int width = (int)strlen(name) + 1;

		if (column + width > LINE_COLUMNS) {
			fprintf(to, "\n    %*s", NOUN_COLUMNS, "");
			column = 4 + NOUN_COLUMNS;
		}
		putc(' ', to);
		print_safe(to, name);
		column += width;
	}
	putc('\n', to);
}

/* Events with the same result before and the same after. */
static void put_group(FILE *to, const struct pmuq_change *const *changes, size_t n)
{
	if (n == 1) {
		diff_put_change(to, changes[0]);
		return;
	}
	put_sign(to, changes[0]);
	put_padded(to, descriptions[changes[0]->type].noun, NOUN_COLUMNS);
	fprintf(to, "%zu events: ", n);
	put_values(to, changes[0]->before.p, changes[0]->after.p);
	put_names(to, changes, n);
}

void diff_put_opens(FILE *to, const struct pmuq_change **changes, size_t n)
{
	while (n > 0) {
		const struct pmuq_change *first = changes[0];
		auto_free const struct pmuq_change **same = or_die(calloc(n, sizeof(*same)));
		size_t n_same = 0, n_left = 0;

		for (size_t i = 0; i < n; i++)
			if (is_same_change(changes[i], first))
				same[n_same++] = changes[i];
			else
				changes[n_left++] = changes[i];
		put_group(to, same, n_same);
		n = n_left;
	}
}
