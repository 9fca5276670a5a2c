/* SPDX-License-Identifier: MIT */
/* caps/NAME: what the hardware or its driver can do, in whatever notation the driver chose. */
#include "discover/discover.h"

bool pq_cap_read(struct pq_reader *reader, const struct pq_dir *dir, struct pmuq_str name,
		 struct pq_pair *ret)
{
	struct pmuq_str text;

	if (pq_dir_read(reader, dir, name, &text) != 0)
		return false;
	*ret = (struct pq_pair){
		.name = pq_reader_copy(reader, name),
		.text = pq_reader_copy(reader, pq_text_clean(text)),
	};
	return true;
}

void pq_caps_read(struct pq_reader *reader, struct pq_handle at, struct pq_pmu_draft *draft)
{
	struct pq_entries entries;
	struct pq_dir dir;

	if (!pq_dir_list(reader, at, draft->name, "caps", &dir, &entries))
		return;
	draft->caps = pq_reader_array(reader, entries.n, sizeof(*draft->caps));
	for (size_t i = 0; draft->caps && i < entries.n; i++)
		draft->n_caps +=
			pq_cap_read(reader, &dir, entries.v[i].name, &draft->caps[draft->n_caps]);
	pq_handle_close(&dir.at);
}
