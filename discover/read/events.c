/* SPDX-License-Identifier: MIT */
/*
 * events/ of a PMU: NAME and its companions NAME.unit, NAME.scale, NAME.per-pkg and NAME.snapshot.
 * The terms are kept as text; encode/ parses them when the event is used.
 */
#include "core/num.h"
#include "discover/read/definition.h"

/* In the caller's memory; "" if no file can have that name. */
static struct pmuq_str companion_name(char memory[PQ_NAME_MAX_BYTES + 1], struct pmuq_str event,
				      unsigned bit)
{
	struct pmuq_str ending = pq_companion_endings[__builtin_ctz(bit)];
	size_t n = event.n + ending.n;

	if (n > PQ_NAME_MAX_BYTES)
		return STR("");
	*str_put(str_put(memory, event), ending) = '\0';
	return (struct pmuq_str){ .p = memory, .n = n };
}

static bool read_companion(struct pq_reader *reader, const struct pq_dir *dir,
			   struct pmuq_str event, unsigned bit, struct pmuq_str *ret)
{
	char memory[PQ_NAME_MAX_BYTES + 1];
	struct pmuq_str name = companion_name(memory, event, bit);
	int r = name.n ? pq_dir_read(reader, dir, name, ret) : PQ_NONE;

	if (r < 0)
		*ret = STR("");
	return r != PQ_NONE && r != -PMUQ_E_REFUSED_FILE;
}

/* For .per-pkg and .snapshot only the existence matters, which a listing has shown already. */
static bool has_companion(struct pq_reader *reader, const struct pq_dir *dir, struct pmuq_str event,
			  unsigned bit)
{
	char memory[PQ_NAME_MAX_BYTES + 1];
	struct pmuq_str name;

	if (dir->scope == PQ_SCOPE_LISTED)
		return true;
	name = companion_name(memory, event, bit);
	return name.n && pq_root_file_type(reader->root, dir->at,
					   pq_dir_path(reader->root, dir, name)) == PQ_FILE_REGULAR;
}

/* Without the one newline that the kernel adds. */
static struct pmuq_str unit_of(struct pmuq_str raw)
{
	const char *nul = raw.n ? memchr(raw.p, '\0', raw.n) : NULL;

	if (nul)
		raw.n = (size_t)(nul - raw.p);
	if (raw.n && raw.p[raw.n - 1] == '\n')
		raw.n--;
	return raw;
}

static void read_companions(struct pq_reader *reader, const struct pq_dir *dir, unsigned which,
			    struct pmuq_event *event)
{
	struct pmuq_str text = STR("");

	event->unit = STR("");
	event->scale = STR("1");
	if (which & PQ_HAS_UNIT)
		event->has_unit_file = read_companion(reader, dir, event->name, PQ_HAS_UNIT, &text);
	if (event->has_unit_file)
		event->unit = pq_reader_copy(reader, unit_of(text));
	if (which & PQ_HAS_SCALE)
		event->has_scale_file =
			read_companion(reader, dir, event->name, PQ_HAS_SCALE, &text);
	if (event->has_scale_file)
		event->scale = pq_reader_copy(reader, pq_num_scale_text(pq_content_text(text)));
	event->is_per_pkg =
		which & PQ_HAS_PER_PKG && has_companion(reader, dir, event->name, PQ_HAS_PER_PKG);
	event->is_snapshot =
		which & PQ_HAS_SNAPSHOT && has_companion(reader, dir, event->name, PQ_HAS_SNAPSHOT);
}

/* An event that cannot be read is kept, without terms, because the machine has it. */
bool pq_event_read(struct pq_reader *reader, const struct pq_dir *dir, struct pmuq_str name,
		   unsigned which, struct pmuq_event *ret)
{
	struct pmuq_str text = STR("");
	int r = pq_dir_read(reader, dir, name, &text);

	if (r == PQ_NONE || r == -PMUQ_E_REFUSED_FILE)
		return false;
	*ret = (struct pmuq_event){
		.name = pq_reader_copy(reader, name),
		.terms = pq_reader_copy(reader, r == 0 ? pq_content_line(text) : STR("")),
	};
	if (r == 0 && !ret->terms.n)
		pq_reader_note_file(reader, dir, name, PMUQ_E_BAD_FILE, "the event has no terms");
	read_companions(reader, dir, which, ret);
	return true;
}

/* The companions of each entry. NULL if out of memory. */
static const uint8_t *match_companions(struct pq_reader *reader, struct pq_entries entries)
{
	uint8_t *which = pq_reader_array(reader, entries.n, sizeof(*which));

	for (size_t i = 0; which && i < entries.n; i++) {
		struct pmuq_str event_name = entries.v[i].name;
		unsigned bit = pq_event_companion(event_name);
		const struct pq_entry *event;

		if (!bit)
			continue;
		event_name.n -= pq_companion_endings[__builtin_ctz(bit)].n;
		event = pq_find_by_name(PQ_NAMED(entries.v, name), entries.n, event_name);
		if (event)
			which[event - entries.v] |= (uint8_t)bit;
	}
	return which;
}

void pq_events_read(struct pq_reader *reader, const struct pq_dir *dir, struct pq_entries entries,
		    struct pq_pmu_draft *draft)
{
	const uint8_t *which;

	PQ_SORT_BY_NAME(entries.v, entries.n, name);
	which = match_companions(reader, entries);
	draft->events = pq_reader_array(reader, entries.n, sizeof(*draft->events));
	for (size_t i = 0; which && draft->events && i < entries.n; i++)
		if (!pq_event_companion(entries.v[i].name))
			draft->n_events += pq_event_read(reader, dir, entries.v[i].name, which[i],
							 &draft->events[draft->n_events]);
}
