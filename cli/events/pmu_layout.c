/* SPDX-License-Identifier: MIT */
#include "cli/events/pmu_layout.h"
#include "cli/or_die.h"

void pmu_layout_make(struct pmu_layout *ret, const struct pmuq_pmu *pmu, unsigned columns,
		     bool is_utf8)
{
	size_t n = pmu->definition->n_formats;

	ret->fields = or_die(calloc(n + 1, sizeof(*ret->fields)));
	ret->layout = (struct layout){
		.fields = ret->fields,
		.columns = columns < LAYOUT_COLUMNS_MIN ? LAYOUT_COLUMNS_MIN : columns,
		.is_utf8 = is_utf8,
	};
	for (size_t i = 0; i < n; i++) {
		const struct pmuq_format *format = pmuq_pmu_format(pmu, i);

		if (format->bits.word < 0)
			continue;
		ret->fields[ret->layout.n_fields++] = (struct layout_field){
			.name = format->name.p,
			.word = (unsigned)format->bits.word,
			.mask = format->bits.mask,
		};
	}
}

void pmu_layout_clear(struct pmu_layout *layout)
{
	free(layout->fields);
}
