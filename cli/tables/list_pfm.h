/* SPDX-License-Identifier: MIT */
/*
 * Events of libpfm4 for the PMUs of a machine: those of its tables that are for the machine's CPU,
 * and its names for the kernel's generic events.
 * An event with umasks is a row for each umask. Events of a vendor's table: list_sources.c.
 */
#pragma once

#include "cli/tables/list.h"
#include "cli/tables/machine_pmus.h"

/* Texts that live until all are forgotten. */
struct list_texts {
	PQ_VEC(char *);
};

/* Takes ownership of the text, and returns it. */
const char *list_texts_keep(struct list_texts *texts, char *text);
void list_texts_clear(struct list_texts *texts);

struct list_pfm;

/* Starts libpfm4's helper, which is ready some milliseconds later. Reports what went wrong and
 * returns a status, like the other functions. If the user did not name libpfm4, a failure here or
 * in list_pfm_find_tables() is ignored unless this process has run out of memory or files: the
 * pointer is NULL then, and the status is STATUS_OK. */
enum status list_pfm_open(bool is_named, struct list_pfm **ret);
/* Finds the tables of a CPU, of the machine that this runs on if it is live; once. The fact cpuid
 * is NULL if the machine does not have it. */
enum status list_pfm_find_tables(struct list_pfm **pfm, const char *cpuid, bool is_live);
/* Reads the events of these tables, and makes their rows, which list_pfm_add_all() would do: most
 * of its time. */
enum status list_pfm_read(struct list_pfm *pfm);
/* The events of one of the machine's PMUs. */
enum status list_pfm_add(struct list_pfm *pfm, const struct machine_pmu *pmu,
			 struct list_events *events);
/* All events of the machine's CPU, without most terms, which are slow to find; those whose PMU the
 * machine does not have are marked. With the names for generic events, which have usual names as
 * well, only if it is requested. */
enum status list_pfm_add_all(struct list_pfm *pfm, const struct machine_pmus *pmus,
			     bool with_generic, struct list_events *events);
/* Prints a note if libpfm4 has no table for the cores of the machine's CPU. */
void list_pfm_note_cpu(const struct list_pfm *pfm, const char *cpuid);
void list_pfm_close(struct list_pfm *pfm);
