/* SPDX-License-Identifier: MIT */
/*
 * Cleanup by scope for the command: libc's objects and the library's. The command sees only the
 * public API, so it has these words of its own. Holds no logic.
 */
#ifndef PQ_CLI_BASE_H
#define PQ_CLI_BASE_H

#include <pmuq/pmuq.h>
#include <stdio.h>
#include <stdlib.h>

#define cleanup(fn) __attribute__((cleanup(fn)))
#define auto_free cleanup(cli_freep)
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define PRINTF_LIKE(fmt, args) __attribute__((format(printf, fmt, args)))

/* Hands a pointer on and forgets it. */
#define move(p)                                                                                    \
	__extension__({                                                                            \
		__typeof__(p) moved = (p);                                                         \
		(p) = NULL;                                                                        \
		moved;                                                                             \
	})

static inline void cli_freep(void *p)
{
	free(*(void **)p);
}

static inline void error_freep(struct pmuq_error **p)
{
	pmuq_error_free(*p);
}

static inline void source_freep(struct pmuq_source **p)
{
	pmuq_source_free(*p);
}

static inline void catalog_freep(struct pmuq_catalog **p)
{
	pmuq_catalog_free(*p);
}

static inline void encodings_freep(struct pmuq_encodings **p)
{
	pmuq_encodings_free(*p);
}

static inline void verdicts_freep(struct pmuq_verdicts **p)
{
	pmuq_verdicts_free(*p);
}

static inline void check_freep(struct pmuq_check **p)
{
	pmuq_check_free(*p);
}

static inline void counts_freep(struct pmuq_counts **p)
{
	pmuq_counts_free(*p);
}

static inline void pfm_freep(struct pmuq_pfm **p)
{
	pmuq_pfm_free(*p);
}

static inline void pfm_answers_freep(struct pmuq_pfm_answers **p)
{
	pmuq_pfm_answers_free(*p);
}

static inline void pfm_events_freep(struct pmuq_pfm_events **p)
{
	pmuq_pfm_events_free(*p);
}

static inline void vendor_freep(struct pmuq_vendor **p)
{
	pmuq_vendor_free(*p);
}

static inline void recording_freep(struct pmuq_recording **p)
{
	pmuq_recording_free(*p);
}

static inline void diff_freep(struct pmuq_diff **p)
{
	pmuq_diff_free(*p);
}

static inline void reader_freep(struct pmuq_reader **p)
{
	pmuq_reader_free(*p);
}

static inline void store_freep(struct pmuq_store **p)
{
	pmuq_store_free(*p);
}

#endif
