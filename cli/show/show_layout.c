/* SPDX-License-Identifier: MIT */
/* The config words of a PMU as registers, with their fields and free bits. */
#include "cli/events/layout.h"
#include "cli/report.h"
#include "cli/show/show.h"
#include "cli/terminal.h"
#include <string.h>

/* pmuq_format_word() knows no more. */
#define WORDS 5

/* The free bits, if they fit on the line. */
static void print_heading(const struct layout *layout, unsigned word)
{
	static const char *const names[WORDS] = { "config", "config1", "config2", "config3",
						  "config4" };
	uint64_t free_bits = ~layout_used(layout, word);
	auto_free char *ranges = NULL;
	size_t n_ranges = 0;
	FILE *to = open_memstream(&ranges, &n_ranges);

	if (to) {
		layout_print_bits(to, free_bits);
		fclose(to);
	}
	printf("%sbits of %s%s", style_code(stdout, STYLE_NAME), names[word],
	       style_code(stdout, STYLE_NONE));
	if (free_bits && ranges && strlen("bits of config1, free: ") + n_ranges <= layout->columns)
		printf(", free: %s", ranges);
	else if (free_bits)
		printf(", %d free", __builtin_popcountll(free_bits));
	putchar('\n');
}

void show_layouts(const struct pmuq_pmu *pmu)
{
	size_t n = pmu->definition->n_formats;
	auto_free struct layout_field *fields = calloc(n + 1, sizeof(*fields));
	struct layout layout = {
		.fields = fields,
		.columns = terminal_columns(SHOW_COLUMNS),
		.is_utf8 = terminal_is_utf8(stdout),
	};

	if (layout.columns < LAYOUT_COLUMNS_MIN)
		layout.columns = LAYOUT_COLUMNS_MIN;
	for (size_t i = 0; fields && i < n; i++) {
		const struct pmuq_format *format = pmuq_pmu_format(pmu, i);

		if (format->bits.word < 0)
			continue;
		fields[layout.n_fields++] = (struct layout_field){
			.name = format->name.p,
			.word = (unsigned)format->bits.word,
			.mask = format->bits.mask,
		};
	}
	for (unsigned word = 0; word < WORDS; word++) {
		if (!layout_used(&layout, word))
			continue;
		print_heading(&layout, word);
		if (!layout_draw(stdout, &layout, word))
			report_failed("out of memory");
	}
}
