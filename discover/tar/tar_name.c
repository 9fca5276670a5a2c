/* SPDX-License-Identifier: MIT */
/* The name of a tar: what is packed around it, and what it is called without that. */
#include "discover/tar/tar.h"

static const struct {
	struct pmuq_str ending;
	enum pq_packing packing;
} endings[] = {
	{ STR(".tar"), PQ_PACKING_NONE },  { STR(".tar.gz"), PQ_PACKING_GZIP },
	{ STR(".tgz"), PQ_PACKING_GZIP },  { STR(".tar.xz"), PQ_PACKING_XZ },
	{ STR(".txz"), PQ_PACKING_XZ },	   { STR(".tar.zst"), PQ_PACKING_ZSTD },
	{ STR(".tzst"), PQ_PACKING_ZSTD },
};

bool pq_tar_of_name(struct pmuq_str path, enum pq_packing *ret, struct pmuq_str *ret_stem)
{
	struct pmuq_str head, name = path;

	while (str_cut(name, '/', &head, &name))
		;
	name = head;
	for (size_t i = 0; i < COUNT(endings); i++) {
		if (!str_ends(name, endings[i].ending) || name.n == endings[i].ending.n)
			continue;
		*ret = endings[i].packing;
		*ret_stem = str_part(name, 0, name.n - endings[i].ending.n);
		return true;
	}
	return false;
}
