/* SPDX-License-Identifier: MIT */
/*
 * Refreshes a source that lives for months. PMUs are added and removed with modules; CPU hotplug
 * changes cpumasks. A hash of the list of PMUs and of a few files is the fingerprint of the
 * machine. In sysfs, inodes replace the files of the PMUs: one read for a thousand PMUs.
 * Their cpumasks change only when a CPU goes online or offline. If it has changed, the source
 * forgets everything that it has read. It frees the memory only at the end, since callers may still
 * use some of it.
 */
#include "core/catalog/pmu_file.h"
#include "core/limits.h"
#include "discover/lazy/lazy.h"

/* What was read before a change. */
struct pq_lazy_past {
	struct pq_lazy_past *next;
	struct pq_arena arena;
	struct pq_cache cache;
};

static void add_text(struct pq_sha256 *sha, struct pmuq_str text)
{
	uint64_t n = text.n;

	pq_sha256_add(sha, &n, sizeof(n));
	pq_sha256_add(sha, text.p, text.n);
}

static void add_file(struct pq_lazy *lazy, struct pq_handle at, const char *name,
		     struct pq_sha256 *sha)
{
	struct pmuq_str text;
	int r = pq_root_read_at(&lazy->root, at, name, PQ_PATH_IN_DIR, &text);

	add_text(sha, r == 0 ? text : STR("-"));
}

static void add_pmu(struct pq_lazy *lazy, const struct pq_entry *entry, struct pq_sha256 *sha)
{
	auto_handle struct pq_handle at = PQ_NO_HANDLE;
	const struct pq_pmu_file *file;
	int r = pq_walk_enter(&lazy->root, lazy->devices, entry->name, entry->type, &at);

	add_text(sha, entry->name);
	for (size_t i = 0; r == 0 && (file = pq_pmu_file_at(i)); i++)
		if (file->is_watched)
			add_file(lazy, at, file->info.path.p, sha);
}

/* The order of the directory may differ although nothing has changed. */
static int add_pmus(struct pq_lazy *lazy, struct pq_arena *scratch, struct pq_entries *entries,
		    struct pq_sha256 *sha, struct pmuq_error **reterr)
{
	if (!pq_entries_copy(scratch, entries))
		return pq_fail_memory(reterr);
	PQ_SORT_BY_NAME(entries->v, entries->n, name);
	for (size_t i = 0; i < entries->n; i++)
		add_pmu(lazy, &entries->v[i], sha);
	return 0;
}

/* A directory of sysfs keeps its order. The hash of a thousand names takes a tenth of the time of
 * their list; SHA-256 would take half of it. */
static void add_inodes(const struct pq_entries *entries, struct pq_sha256 *sha)
{
	uint64_t hash = entries->n;

	for (size_t i = 0; i < entries->n; i++) {
		const struct pq_entry *entry = &entries->v[i];

		hash = (hash ^ str_hash(entry->name)) * 0x9e3779b97f4a7c15u;
		hash = (hash ^ entry->inode) * 0xff51afd7ed558ccdu;
		hash ^= hash >> 32;
	}
	pq_sha256_add(sha, &hash, sizeof(hash));
}

static void add_host(struct pq_lazy *lazy, struct pq_sha256 *sha)
{
	static const char *const paths[] = {
		"sys/devices/system/cpu/online",
		"proc/sys/kernel/perf_event_paranoid",
		"proc/sys/kernel/nmi_watchdog",
		"proc/sys/kernel/osrelease",
	};
	struct pmuq_str text;

	for (size_t i = 0; i < COUNT(paths); i++)
		add_text(sha, pq_root_read(&lazy->root, paths[i], PQ_FILE_MAX_BYTES, &text) == 0
				      ? text
				      : STR("-"));
}

static int take_fingerprint(struct pq_lazy *lazy, uint8_t ret[PQ_SHA256_BYTES],
			    struct pmuq_error **reterr)
{
	struct pq_entries entries = { 0 };
	auto_arena struct pq_arena scratch = PQ_ARENA(PQ_REFRESH_MAX_BYTES);
	struct pq_sha256 sha;
	int r;

	pq_sha256_begin(&sha);
	add_host(lazy, &sha);
	r = pq_walk_list(&lazy->root, lazy->devices, &scratch, &entries, reterr);
	if (r == 0 && lazy->trusts_inodes)
		add_inodes(&entries, &sha);
	else if (r == 0)
		r = add_pmus(lazy, &scratch, &entries, &sha, reterr);
	if (r == 0)
		r = pq_root_check(&lazy->root, reterr);
	if (r < 0)
		return r;
	pq_sha256_end(&sha, ret);
	return 0;
}

static int forget(struct pq_lazy *lazy, struct pmuq_error **reterr)
{
	struct pq_lazy_past *past = calloc(1, sizeof(*past));

	if (!past)
		return pq_fail_memory(reterr);
	past->arena = lazy->arena;
	past->cache = lazy->cache;
	past->cache.arena = &past->arena;
	past->next = lazy->past;
	lazy->past = past;
	pq_handle_close(&lazy->link);
	pq_handle_close(&lazy->tracefs);
	pq_lazy_reset(lazy);
	pq_host_init(&lazy->host, &lazy->reader);
	return 0;
}

int pq_lazy_refresh(struct pmuq_source *source, bool *ret_changed, struct pmuq_error **reterr)
{
	struct pq_lazy *lazy = (struct pq_lazy *)source;
	uint8_t fingerprint[PQ_SHA256_BYTES];
	bool is_same = false;
	int r = 0;

	if (lazy->root.is_memory) {
		*ret_changed = false;
		return 0;
	}
	r = take_fingerprint(lazy, fingerprint, reterr);
	if (r == 0)
		is_same = lazy->has_fingerprint &&
			  !memcmp(fingerprint, lazy->fingerprint, sizeof(fingerprint));
	if (r == 0 && !is_same)
		r = forget(lazy, reterr);
	if (r < 0)
		return r;
	memcpy(lazy->fingerprint, fingerprint, sizeof(fingerprint));
	lazy->has_fingerprint = true;
	*ret_changed = !is_same;
	return 0;
}

void pq_lazy_free_past(struct pq_lazy *lazy)
{
	struct pq_lazy_past *next;

	for (struct pq_lazy_past *past = lazy->past; past; past = next) {
		next = past->next;
		pq_cache_free(&past->cache);
		pq_arena_clear(&past->arena);
		free(past);
	}
}
