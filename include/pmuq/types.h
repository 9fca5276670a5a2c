/* SPDX-License-Identifier: MIT */
/**
 * @file
 * What every header needs: the rules for structs, text in records, and the names of all objects.
 *
 * Objects (a source, a catalog, a store …) are opaque. Only functions of the library use them.
 *
 * Facts are records: structs whose first member is `size`, the number of bytes that the library
 * filled in. Records are read-only. The library returns pointers to them; a program never makes or
 * copies one and never takes its sizeof, because a later release may append members. If a program
 * was built with a newer header than the library it runs with, PMUQ_HAS() tests for a member. A
 * record lives as long as the object that it came from.
 *
 * The caller allocates options and some results. They also begin with `size`, which the caller
 * sets.
 *
 * The layout of pmuq_str and pmuq_pair never changes, so the API has arrays of them. For all other
 * records a function returns the element with an index, or NULL past the end.
 */
#ifndef PMUQ_TYPES_H
#define PMUQ_TYPES_H

#include <pmuq/codes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * Text in a record: NUL-terminated, with its length in bytes. It lives as long as the record. If
 * there is no text, `p` is NULL. The comment of such a member, and of no other, contains "or none".
 */
struct pmuq_str {
	const char *p;
	size_t n;
};

/** A name and its text: a fact, a file of sysfs. */
struct pmuq_pair {
	struct pmuq_str name, text;
};

/** Whether the library that made the record has the member and filled it in. */
#define PMUQ_HAS(record, member)                                                                   \
	((size_t)((const char *)&(record)->member - (const char *)(record)) +                      \
		 sizeof((record)->member) <=                                                       \
	 (record)->size)

/** Something that could not be read or understood. */
struct pmuq_problem {
	size_t size;
	struct pmuq_str path;	 /**< the file, relative to the root of what was read */
	struct pmuq_str message; /**< what is wrong with it */
	size_t line;		 /**< from 1; 0: unknown */
	enum pmuq_code code;	 /**< the code of the message, or PMUQ_OK */
	int errnum;		 /**< the errno of the failed call, or 0 */
};

struct pmuq_attr;
struct pmuq_source;
struct pmuq_names;
struct pmuq_catalog;
struct pmuq_capture;
struct pmuq_cpu_list;
struct pmuq_fit;
struct pmuq_formula;
struct pmuq_metric_groups;
struct pmuq_metrics;
struct pmuq_metric_plan;
struct pmuq_encodings;
struct pmuq_open_results;
struct pmuq_counts;
struct pmuq_opened;
struct pmuq_samples;
struct pmuq_check;
struct pmuq_diff;
struct pmuq_recording;
struct pmuq_store;
struct pmuq_hosts;
struct pmuq_rejections;
struct pmuq_writer;
struct pmuq_reader;
struct pmuq_vendor;
struct pmuq_vendors;
struct pmuq_importer;
struct pmuq_found;
struct pmuq_pfm;
struct pmuq_pfm_encodings;
struct pmuq_pfm_raw;
struct pmuq_pfm_pmus;
struct pmuq_pfm_events;
struct pmuq_error;
struct pmuq_pmu;

#endif
