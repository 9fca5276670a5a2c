/* SPDX-License-Identifier: MIT */
/*
 * One PMU: a directory of /sys/bus/event_source/devices. Of its subdirectories only format, events
 * and caps are read, and its symbolic links are not followed, because they lead to other parts of
 * sysfs.
 */
#include "discover/read/pmu.h"
#include "core/catalog/pmu_file.h"
#include "core/cpulist.h"
#include "core/num.h"
#include "discover/read/definition.h"

static const struct subdir {
	struct pmuq_str name;
	void (*read)(struct pq_reader *reader, const struct pq_dir *dir, struct pq_entries entries,
		     struct pq_pmu_draft *draft);
} subdirs[] = {
	{ .name = STR("format"), .read = pq_formats_read },
	{ .name = STR("events"), .read = pq_events_read },
	{ .name = STR("caps"), .read = pq_caps_read },
};

/* Its index; COUNT(subdirs) if it is not one of them. */
static size_t find_subdir(struct pmuq_str name)
{
	size_t i = 0;

	while (i < COUNT(subdirs) && !str_eq(subdirs[i].name, name))
		i++;
	return i;
}

/* Without a usable file, a few PMUs have a fixed type. */
static void set_known_type(struct pq_pmu_draft *draft)
{
	draft->has_type = pq_pmu_known_type(draft->name, &draft->type);
}

static void note_no_type(struct pq_reader *reader, const struct pq_dir *dir)
{
	pq_reader_note_file(reader, dir, STR("type"), PMUQ_E_BAD_FILE, "the PMU has no type");
}

int pq_pmu_read_type(struct pq_reader *reader, const struct pq_dir *dir, struct pq_pmu_draft *draft)
{
	struct pmuq_str text;
	uint64_t type = 0;
	int r = pq_dir_read(reader, dir, STR("type"), &text);

	set_known_type(draft);
	if (r == PQ_NONE)
		note_no_type(reader, dir);
	if (r != 0)
		return r;
	if (pq_num_decimal(pq_content_line(text), &type) != PQ_NUM_OK || type > UINT32_MAX) {
		pq_reader_note_file(reader, dir, STR("type"), PMUQ_E_BAD_FILE,
				    "not a decimal number of 32 bits");
		return 0;
	}
	draft->type = (uint32_t)type;
	draft->has_type = true;
	return 0;
}

/* A file that exists and cannot be read gives an empty text, because its existence matters. */
struct pmuq_str pq_pmu_read_line(struct pq_reader *reader, const struct pq_dir *dir,
				 struct pmuq_str file)
{
	struct pmuq_str text;
	int r = pq_dir_read(reader, dir, file, &text);

	if (r == PQ_NONE || r == -PMUQ_E_REFUSED_FILE)
		return (struct pmuq_str){ 0 };
	return r < 0 ? STR("") : pq_reader_copy(reader, pq_content_line(text));
}

static struct pmuq_str read_cpus(struct pq_reader *reader, const struct pq_dir *dir,
				 struct pmuq_str file)
{
	struct pmuq_str text = pq_pmu_read_line(reader, dir, file);

	if (str_trim(text).n && !pq_cpus_text_is_list(text))
		pq_reader_note_file(reader, dir, file, PMUQ_E_BAD_FILE, "not a list of CPUs");
	return text;
}

static void read_attribute(struct pq_reader *reader, const struct pq_dir *dir, struct pmuq_str name,
			   struct pq_pmu_draft *draft)
{
	struct pmuq_str text;

	if (pq_dir_read(reader, dir, name, &text) != 0)
		return;
	draft->attributes[draft->n_attributes++] = (struct pmuq_pair){
		.name = name,
		.text = pq_reader_copy(reader, pq_content_text(text)),
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

static bool is_member(const struct pq_pmu_file *file)
{
	return file && (file->storage == PQ_STORED_MEMBER || file->storage == PQ_STORED_TYPE);
}

/* The kernel puts directories and symbolic links next to the files. Any other type is wrong, and so
 * is a directory or link with the name of a known file. */
static void note_other(struct pq_reader *reader, const struct pq_dir *dir,
		       const struct pq_entry *entry)
{
	bool is_subdir = find_subdir(entry->name) < COUNT(subdirs);

	if (entry->type == PQ_FILE_OTHER || is_member(pq_pmu_file_find(entry->name)) ||
	    (is_subdir && entry->type != PQ_FILE_DIR))
		pq_reader_note_file(reader, dir, entry->name, PMUQ_E_REFUSED_FILE,
				    "not a regular file");
}

static void read_file(struct pq_reader *reader, const struct pq_dir *dir, struct pmuq_str name,
		      bool with_members, struct pq_pmu_draft *draft)
{
	const struct pq_pmu_file *file = pq_pmu_file_find(name);

	if (!file || file->storage == PQ_STORED_ATTRIBUTE)
		read_attribute(reader, dir, name, draft);
	else if (with_members && file->storage == PQ_STORED_MEMBER)
		read_member(reader, dir, file, draft);
	else if (with_members && file->storage == PQ_STORED_TYPE)
		pq_pmu_read_type(reader, dir, draft);
}

struct found {
	bool subdirs[COUNT(subdirs) + 1]; /* the last: of other names */
	bool type;
};

static void read_files(struct pq_reader *reader, const struct pq_dir *dir,
		       struct pq_entries entries, bool with_members, struct pq_pmu_draft *draft,
		       struct found *found)
{
	for (size_t i = 0; i < entries.n; i++) {
		const struct pq_entry *entry = &entries.v[i];

		if (entry->type == PQ_FILE_DIR)
			found->subdirs[find_subdir(entry->name)] = true;
		if (entry->type != PQ_FILE_REGULAR) {
			note_other(reader, dir, entry);
			continue;
		}
		found->type |= str_eq(entry->name, STR("type"));
		read_file(reader, dir, entry->name, with_members, draft);
	}
}

void pq_pmu_read(struct pq_reader *reader, struct pq_handle at, bool with_members,
		 struct pq_pmu_draft *draft)
{
	struct pq_dir dir = { .at = at, .scope = PQ_SCOPE_LISTED, .pmu = draft->name };
	struct pq_dir sub = { .at = at, .scope = PQ_SCOPE_PMU, .pmu = draft->name };
	struct pq_entries entries = { 0 };
	struct found found = { 0 };
	int r = pq_root_list(reader->root, at, reader->arena, &entries);

	if (r < 0)
		pq_reader_note_unreadable(reader, &dir, STR(""), r);
	draft->attributes = pq_reader_array(reader, entries.n, sizeof(*draft->attributes));
	if (!draft->attributes)
		return;
	read_files(reader, &dir, entries, with_members, draft, &found);
	if (with_members && !found.type) {
		set_known_type(draft);
		note_no_type(reader, &dir);
	}
	for (size_t i = 0; i < COUNT(subdirs); i++) {
		sub.sub = subdirs[i].name;
		if (found.subdirs[i] && pq_dir_list(reader, &sub, &dir, &entries)) {
			subdirs[i].read(reader, &dir, entries, draft);
			pq_handle_close(&dir.at);
		}
	}
}
