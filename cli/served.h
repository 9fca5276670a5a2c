/* SPDX-License-Identifier: MIT */
/*
 * pmuqd executes a call by running a command. A served command uses the machine of the daemon
 * instead of opening one, and what it prints goes to memory. It reads no file that a client names.
 */
#pragma once

#include "cli/status.h"
#include "core/buf.h"
#include "core/vec.h"
#include <pmuq/pmuq.h>
#include <stdarg.h>

struct served {
	/* A machine by its word, which is "live" or one of the daemon's. Reports an error. */
	enum status (*find_machine)(struct served *served, const char *word,
				    struct pmuq_source **ret);
	const char *db; /* NULL: none */
	/* Opened at first use, for all requests. */
	struct pmuq_pfm *pfm;
	struct pmuq_vendor *vendor;
	char *vendor_cpuid; /* the CPU of `vendor` */

	/* What the command printed. */
	struct pq_buf document;
	size_t document_max_bytes;
	bool is_too_large; /* the document; it is not complete */
	size_t searches_max;
	size_t n_searches;	/* through all names: served_count_search() */
	size_t n_rows;		/* of the document */
	struct pq_buf error;	/* the first error: a JSON object of error_record; empty: none */
	PQ_VEC(char *) reports; /* other errors, and notes */
};

/* NULL: the command `pmuq` itself. */
extern struct served *served;

/* For commands. Whether a limit of the call is passed: nothing more is of use, since its document
 * is not sent. */
bool served_is_over(void);
/* A string that is not valid, for its hint, or an attr that is decoded: each may be compared with
 * all names of libpfm4, which takes 1,000 times as long as to encode a string. */
void served_count_search(void);

/* Empties what the last command printed. */
void served_clear_output(struct served *served);
void served_clear(struct served *served);

/* For document.c and report.c. */
/* After each part of the document: forgets it if it is too large. */
void served_limit_document(struct served *served);
void served_add_error(struct served *served, const struct pmuq_error *error);
void served_add_report(struct served *served, const char *format, va_list args) PQ_PRINTF(2, 0);

/* pmuq_pfm_open(), or what the daemon has. */
int pfm_open(struct pmuq_pfm **ret, struct pmuq_error **reterr);
/* Frees it unless it is the daemon's. */
void pfm_closep(struct pmuq_pfm **pfm);

/* The table of that CPU, if the daemon has it; or NULL. */
struct pmuq_vendor *served_vendor(const char *cpuid);
/* The daemon, if there is one, takes the table over. */
void served_keep_vendor(const char *cpuid, struct pmuq_vendor *vendor);
/* Frees it unless it is the daemon's. */
void vendor_closep(struct pmuq_vendor **vendor);
