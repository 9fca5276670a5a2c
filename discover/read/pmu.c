/* SPDX-License-Identifier: MIT */
/*
 * One PMU: the directory of that name under /sys/bus/event_source/devices. Of its subdirectories
 * only format, events and caps are entered, and its links are not followed: they lead all over
 * sysfs.
 */
#include "core/catalog/pmu_file.h"
#include "core/cpulist.h"
#include "core/num.h"
#include "discover/discover.h"

static bool is_sub(struct pmuq_str name)
{
	return str_eq(name, STR("format")) || str_eq(name, STR("events")) ||
	       str_eq(name, STR("caps"));
}

/* Some types are fixed, whatever the file says. */
static void lack_type(struct pq_reader *reader, const struct pq_dir *dir,
		      struct pq_pmu_draft *draft, int r)
{
	draft->has_type = pq_pmu_known_type(draft->name, &draft->type);
	if (r == PQ_NONE)
		pq_note_file(reader, dir, STR("type"), PMUQ_E_BAD_FILE, 0, "the PMU has no type");
}

int pq_pmu_read_type(struct pq_reader *reader, const struct pq_dir *dir, struct pq_pmu_draft *draft)
{
	struct pmuq_str text;
	uint64_t type = 0;
	int r = pq_dir_read(reader, dir, STR("type"), &text);

	lack_type(reader, dir, draft, r);
	if (r != 0)
		return r;
	if (pq_num_decimal(pq_text_line(text), &type) != PQ_NUM_OK || type > UINT32_MAX) {
		pq_note_file(reader, dir, STR("type"), PMUQ_E_BAD_FILE, 0,
			     "not a decimal number of 32 bits");
		return 0;
	}
	draft->type = (uint32_t)type;
	draft->has_type = true;
	return 0;
}

/* A file that is there and cannot be read leaves an empty text: that it is there counts. */
struct pmuq_str pq_pmu_read_line(struct pq_reader *reader, const struct pq_dir *dir,
				 struct pmuq_str file)
{
	struct pmuq_str text;
	int r = pq_dir_read(reader, dir, file, &text);

	if (r == PQ_NONE || r == -PMUQ_E_REFUSED_FILE)
		return (struct pmuq_str){ 0 };
	return r < 0 ? STR("") : pq_reader_copy(reader, pq_text_line(text));
}

static struct pmuq_str read_cpus(struct pq_reader *reader, const struct pq_dir *dir,
				 struct pmuq_str file)
{
	struct pmuq_str text = pq_pmu_read_line(reader, dir, file);
	struct pq_cpus cpus;

	if (text.n && !pq_cpus_parse(reader->arena, text, &cpus))
		pq_note_file(reader, dir, file, PMUQ_E_BAD_FILE, 0, "not a list of CPUs");
	return text;
}

static void read_attribute(struct pq_reader *reader, const struct pq_dir *dir, struct pmuq_str name,
			   struct pq_pmu_draft *draft)
{
	struct pmuq_str text;

	if (pq_dir_read(reader, dir, name, &text) != 0)
		return;
	draft->attributes[draft->n_attributes++] = (struct pq_pair){
		.name = name,
		.text = pq_reader_copy(reader, pq_text_clean(text)),
	};
}

static void read_member(struct pq_reader *reader, const struct pq_dir *dir,
			const struct pq_pmu_file *file, struct pq_pmu_draft *draft)
{
	struct pmuq_str *member = pq_pmu_file_in_draft(file, draft);

	if (file->info.content == PMUQ_FILE_CPUS)
		*member = read_cpus(reader, dir, file->info.path);
	else
		*member = pq_pmu_read_line(reader, dir, file->info.path);
}

/* The kernel puts links and directories there; anything else, or one in the place of a file that
 * matters, is not the kernel's doing. */
static void note_other(struct pq_reader *reader, const struct pq_dir *dir,
		       const struct pq_entry *entry)
{
	const struct pq_pmu_file *file = pq_pmu_file_find(entry->name);
	bool is_own = file && (file->storage == PQ_FILE_MEMBER || file->storage == PQ_FILE_TYPE);
	bool is_odd = entry->kind == PQ_KIND_OTHER || is_own ||
		      (is_sub(entry->name) && entry->kind != PQ_KIND_DIR);

	if (is_odd)
		pq_note_file(reader, dir, entry->name, PMUQ_E_REFUSED_FILE, 0,
			     "not a regular file");
}

struct found {
	bool format, events, caps, type;
};

static void note_sub(struct found *found, struct pmuq_str name)
{
	found->format |= str_eq(name, STR("format"));
	found->events |= str_eq(name, STR("events"));
	found->caps |= str_eq(name, STR("caps"));
}

/* Without `with_members`, those files are the caller's to read. */
static void read_file(struct pq_reader *reader, const struct pq_dir *dir, struct pmuq_str name,
		      bool with_members, struct pq_pmu_draft *draft)
{
	const struct pq_pmu_file *file = pq_pmu_file_find(name);

	if (!file || file->storage == PQ_FILE_ATTRIBUTE)
		read_attribute(reader, dir, name, draft);
	else if (with_members && file->storage == PQ_FILE_MEMBER)
		read_member(reader, dir, file, draft);
	else if (with_members && file->storage == PQ_FILE_TYPE)
		pq_pmu_read_type(reader, dir, draft);
}

static void read_files(struct pq_reader *reader, const struct pq_dir *dir,
		       struct pq_entries entries, bool with_members, struct pq_pmu_draft *draft,
		       struct found *found)
{
	for (size_t i = 0; i < entries.n; i++) {
		const struct pq_entry *entry = &entries.v[i];

		if (entry->kind == PQ_KIND_DIR)
			note_sub(found, entry->name);
		if (entry->kind != PQ_KIND_FILE) {
			note_other(reader, dir, entry);
			continue;
		}
		found->type |= str_eq(entry->name, STR("type"));
		read_file(reader, dir, entry->name, with_members, draft);
	}
}

static void read_pmu(struct pq_reader *reader, struct pq_handle at, bool with_members,
		     struct pq_pmu_draft *draft)
{
	struct pq_dir dir = { .at = at, .place = PQ_AT_LISTED, .pmu = draft->name };
	struct pq_entries entries = { 0 };
	struct found found = { 0 };
	int r = pq_root_list(reader->root, at, reader->arena, &entries);

	if (r < 0)
		pq_note_file(reader, &dir, STR(""), (enum pmuq_code) - r, reader->root->errnum,
			     pq_root_why(r, reader->root->errnum));
	draft->attributes = pq_reader_array(reader, entries.n, sizeof(*draft->attributes));
	if (!draft->attributes)
		return;
	read_files(reader, &dir, entries, with_members, draft, &found);
	if (with_members && !found.type)
		lack_type(reader, &dir, draft, PQ_NONE);
	if (found.format)
		pq_formats_read(reader, at, draft);
	if (found.events)
		pq_events_read(reader, at, draft);
	if (found.caps)
		pq_caps_read(reader, at, draft);
}

void pq_pmu_read_rest(struct pq_reader *reader, struct pq_handle at, struct pq_pmu_draft *draft)
{
	read_pmu(reader, at, false, draft);
}

void pq_pmu_read(struct pq_reader *reader, struct pq_handle at, struct pq_pmu_draft *draft)
{
	read_pmu(reader, at, true, draft);
}
