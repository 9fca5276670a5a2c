/* SPDX-License-Identifier: MIT */
/**
 * @file
 * What every header needs: the kinds of struct that the API has, text in records, and the objects
 * of libpmuq by name.
 *
 * Objects that do something (a source, a catalog, a store …) are opaque: functions use them.
 *
 * Facts are records: structs whose first member is `size`, the number of bytes that the library
 * filled in. A record is read-only. A program gets a pointer to it from the library, never makes or
 * copies one, and never takes sizeof of one: a later release may append members. A program that is
 * built with a newer header than the library it runs with finds out with PMUQ_HAS() whether a
 * member is there. A record lives as long as the object that it came from.
 *
 * Options and results that the caller allocates also begin with `size`, which the caller sets.
 *
 * pmuq_str and pmuq_pair never change, so there may be arrays of them. Of everything else one
 * function returns an element by its index, and NULL past the end: the stride belongs to the
 * library.
 */
#ifndef PMUQ_TYPES_H
#define PMUQ_TYPES_H

#include <pmuq/codes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * Text in a record: NUL-terminated, and its length in bytes. If there is no text, `p` is NULL; the
 * member's comment says so where that can be ("or none"). It lives as long as the record.
 */
struct pmuq_str {
	const char *p;
	size_t n;
};

/** A name and its text: a fact, a file of sysfs. */
struct pmuq_pair {
	struct pmuq_str name, text;
};

/** Whether the library that made the record knows the member, and so filled it in. */
#define PMUQ_HAS(record, member)                                                                   \
	((size_t)((const char *)&(record)->member - (const char *)(record)) +                      \
		 sizeof((record)->member) <=                                                       \
	 (record)->size)

/** Something that could not be read or understood. */
struct pmuq_problem {
	size_t size;
	struct pmuq_str path;	 /**< the file, relative to the root of what was read */
	struct pmuq_str message; /**< what is wrong with it */
	size_t line;		 /**< from 1; 0: not known */
	enum pmuq_code code;	 /**< that of the message; PMUQ_OK if it has none */
	int errnum;		 /**< the errno behind it, or 0 */
};

struct pmuq_attr;
struct pmuq_source;
struct pmuq_names;
struct pmuq_catalog;
struct pmuq_capture;
struct pmuq_encodings;
struct pmuq_open_results;
struct pmuq_counts;
struct pmuq_opened;
struct pmuq_check;
struct pmuq_diff;
struct pmuq_recording;
struct pmuq_store;
struct pmuq_hosts;
struct pmuq_writer;
struct pmuq_reader;
struct pmuq_vendor;
struct pmuq_vendors;
struct pmuq_found;
struct pmuq_pfm;
struct pmuq_pfm_encodings;
struct pmuq_pfm_pmus;
struct pmuq_pfm_events;
struct pmuq_error;
struct pmuq_pmu;

#endif
