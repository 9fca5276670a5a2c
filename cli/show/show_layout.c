/* SPDX-License-Identifier: MIT */
/* The config words of a PMU as registers, with their fields and free bits. */
#include "cli/events/pmu_layout.h"
#include "cli/or_die.h"
#include "cli/report.h"
#include "cli/show/show.h"
#include "cli/terminal.h"
#include "core/attr/attr.h"
#include <string.h>

/* The free bits, if they fit on the line. */
static void print_heading(const struct layout *layout, unsigned word)
{
	cleanup(pq_buf_free) struct pq_buf ranges = PQ_BUF_NULL;
	uint64_t free_bits = ~layout_used(layout, word);

	layout_print_bits(&ranges, free_bits);
	printf("%sbits of %s%s", style_code(stdout, STYLE_NAME), pq_attr_config_name(word).p,
	       style_code(stdout, STYLE_NONE));
	if (free_bits && strlen("bits of config1, free: ") + ranges.n <= layout->columns)
		printf(", free: %s", text_or_die(&ranges));
	else if (free_bits)
		printf(", %d free", __builtin_popcountll(free_bits));
	putchar('\n');
}

/* A word without formats is left out. */
void show_layouts(const struct pmuq_pmu *pmu)
{
	struct pmu_layout layout;

	pmu_layout_make(&layout, pmu, terminal_columns(PROSE_COLUMNS), terminal_is_utf8(stdout));
	for (unsigned word = 0; word < PQ_CONFIG_WORDS; word++) {
		if (!layout_used(&layout.layout, word))
			continue;
		print_heading(&layout.layout, word);
		done_or_die(layout_draw(stdout, &layout.layout, word));
	}
	pmu_layout_clear(&layout);
}
