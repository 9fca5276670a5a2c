/* SPDX-License-Identifier: MIT */
/* The config words of a PMU as `pmuq show` draws them, in a text of a fixed width, which scrolls on
 * a narrow screen. */
#include "cli/events/pmu_layout.h"
#include "cli/or_die.h"
#include "cli/output/text_stream.h"
#include "cli/pages/pages.h"
#include "core/attr/attr.h"

#define DRAWN_COLUMNS 100

void page_put_words(FILE *to, const struct pmuq_pmu *pmu)
{
	struct pmu_layout layout;

	pmu_layout_make(&layout, pmu, DRAWN_COLUMNS, true);
	for (unsigned word = 0; word < PQ_CONFIG_WORDS; word++) {
		auto_free char *drawn = NULL;
		struct text_stream stream;

		if (!layout_used(&layout.layout, word))
			continue;
		text_stream_open(&stream);
		done_or_die(layout_draw(stream.to, &layout.layout, word));
		drawn = text_stream_close(&stream);
		page_put(to,
			 "<h3>Bits of %s</h3>\n<pre class=\"drawn\" tabindex=\"0\">%s</pre>\n",
			 pq_attr_config_name(word).p, drawn);
	}
	pmu_layout_clear(&layout);
}
