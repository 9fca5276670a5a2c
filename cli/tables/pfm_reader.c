/* SPDX-License-Identifier: MIT */
/* The second thread of a search. */
#include "cli/tables/pfm_reader.h"
#include "cli/served.h"
#include "core/thread.h"

static void wait_for(struct pfm_reader *reader)
{
	if (reader->has_thread)
		pthread_join(reader->thread, NULL);
	reader->has_thread = false;
}

static void *read_libpfm4(void *of)
{
	struct pfm_reader *reader = of;

	reader->status = list_pfm_find_tables(&reader->pfm, reader->cpuid, reader->is_live);
	if (reader->pfm)
		reader->status = list_pfm_read(reader->pfm);
	return NULL;
}

/* The helper starts at once, even if the thread must wait for a CPU. Until wait_for(), only the
 * thread uses the reader. The daemon gathers reports of one thread. */
void pfm_reader_begin(struct pfm_reader *reader)
{
	reader->status = list_pfm_open(reader->is_named, &reader->pfm);
	if (!reader->pfm)
		return;
	reader->has_thread = !served && pq_thread_start(&reader->thread, read_libpfm4, reader);
	if (!reader->has_thread)
		read_libpfm4(reader);
}

enum status pfm_reader_take(struct pfm_reader *reader, const struct machine_pmus *pmus,
			    struct list_events *events)
{
	enum status status;

	wait_for(reader);
	status = reader->status;
	if (status != STATUS_OK || !reader->pfm)
		return status;
	status = list_pfm_add_all(reader->pfm, pmus, reader->is_named, events);
	if (status == STATUS_OK && reader->is_named)
		list_pfm_note_cpu(reader->pfm, reader->cpuid);
	return status;
}

void pfm_reader_close(struct pfm_reader *reader)
{
	wait_for(reader);
	list_pfm_close(reader->pfm);
}
