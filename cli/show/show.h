/* SPDX-License-Identifier: MIT */
/* What `pmuq show` is made of. All print to stdout. */
#ifndef PQ_CLI_SHOW_H
#define PQ_CLI_SHOW_H

#include "cli/tables/instances.h"

/* How wide what is shown may be where nothing tells it. */
#define SHOW_COLUMNS 80

/* show_text.c: a name of its own line, and a fact behind its label (none when the text is NULL or
 * empty). */
void show_title(const char *title);
void show_field(const char *label, const char *text);
void show_print(const char *label, const char *format, ...) PQ_PRINTF(2, 3);
/* The same over as many lines as it takes. */
void show_paragraph(const char *label, const char *text);
/* "caps (3)" */
void show_heading(const char *heading, size_t n);

/*
 * show_pmu.c: the first of `instances` in full. They are one name where `is_group` is set; else it
 * is that PMU, and the others are said to be like it.
 */
void show_pmu(const struct pmuq_catalog *catalog, const struct instances *instances,
	      const struct pmuq_pmu *pmu, bool is_group);

/* show_layout.c: the PMU's formats, each word drawn. */
void show_layouts(const struct pmuq_pmu *pmu);

/* A machine, and what is known of whether its events open (NULL: nothing), its CPU's table (NULL:
 * none in use), and who knows libpfm4's names. */
struct shown_machine {
	const struct pmuq_catalog *catalog;
	const struct pmuq_check *check;
	const struct pmuq_vendor *vendor;
	struct pmuq_pfm *pfm;
};

/* show_event.c: what came of an event string; and an event that could not be encoded. */
void show_encodings(const struct shown_machine *machine, const char *string,
		    const struct pmuq_encodings *encodings);
/* show_opens.c: what the kernel says of the first of the encodings, or else said of an event with
 * that very attr, if it is known. */
struct fold;
void show_opens(const struct shown_machine *machine, const struct fold *fold);
void show_refused(const struct pmuq_pmu *pmu, const struct pmuq_event *event, const char *string,
		  const struct pmuq_error *error);
/* Whether the event's name stands in an event string as a word of its own, in any case. */
bool show_names_event(const char *string, const char *name);

/* show_about.c: what the vendor says about the event, and the event of its table that the string
 * names on the PMU, or NULL. */
void show_about(const struct shown_machine *machine, const char *string,
		const struct pmuq_encoding *encoding);
const struct pmuq_vendor_event *show_find_vendor_event(const struct shown_machine *machine,
						       const struct pmuq_pmu *pmu,
						       const char *string);
/* show_names.c: the names of the first of the encodings in other sources. */
void show_names(const struct shown_machine *machine, const char *string, const struct fold *fold);

#endif
