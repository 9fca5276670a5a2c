/* SPDX-License-Identifier: MIT */
/* The name of a tar: its compression and its stem. */
#include "discover/tar/tar.h"

static const struct {
	struct pmuq_str suffix;
	enum pq_compression compression;
} suffixes[] = {
	{ .suffix = STR(".tar"), .compression = PQ_COMPRESSION_NONE },
	{ .suffix = STR(".tar.gz"), .compression = PQ_COMPRESSION_GZIP },
	{ .suffix = STR(".tgz"), .compression = PQ_COMPRESSION_GZIP },
	{ .suffix = STR(".tar.xz"), .compression = PQ_COMPRESSION_XZ },
	{ .suffix = STR(".txz"), .compression = PQ_COMPRESSION_XZ },
	{ .suffix = STR(".tar.zst"), .compression = PQ_COMPRESSION_ZSTD },
	{ .suffix = STR(".tzst"), .compression = PQ_COMPRESSION_ZSTD },
};

bool pq_tar_of_name(struct pmuq_str path, enum pq_compression *ret, struct pmuq_str *ret_stem)
{
	struct pmuq_str head, name = path;

	while (str_cut(name, '/', &head, &name))
		;
	name = head;
	for (size_t i = 0; i < COUNT(suffixes); i++) {
		if (!str_ends(name, suffixes[i].suffix) || name.n == suffixes[i].suffix.n)
			continue;
		*ret = suffixes[i].compression;
		*ret_stem = str_part(name, 0, name.n - suffixes[i].suffix.n);
		return true;
	}
	return false;
}
