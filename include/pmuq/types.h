/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The objects of libpmuq by name alone: each is described where it is made.
 */
#ifndef PMUQ_TYPES_H
#define PMUQ_TYPES_H

#include <pmuq/attr.h>
#include <pmuq/codes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * Text in a record: NUL-terminated, with its length in bytes. `p` is NULL if there is none. It
 * lives as long as the record and is never the caller's to free.
 */
struct pmuq_str {
	const char *p;
	size_t n;
};

struct pmuq_error;
struct pmuq_source;
struct pmuq_names;
struct pmuq_catalog;
struct pmuq_capture;
struct pmuq_pmu;
struct pmuq_format;
struct pmuq_event;
struct pmuq_encodings;
struct pmuq_encoding;
struct pmuq_assignment;
struct pmuq_verdicts;
struct pmuq_counts;
struct pmuq_opened;
struct pmuq_decoding;
struct pmuq_check;
struct pmuq_answer;
struct pmuq_diff;
struct pmuq_change;
struct pmuq_recording;
struct pmuq_store;
struct pmuq_hosts;
struct pmuq_writer;
struct pmuq_reader;
struct pmuq_vendor;
struct pmuq_vendor_event;
struct pmuq_vendors;
struct pmuq_found;
struct pmuq_pfm;
struct pmuq_pfm_answers;
struct pmuq_pfm_answer;
struct pmuq_pfm_code;
struct pmuq_pfm_pmus;
struct pmuq_pfm_pmu;
struct pmuq_pfm_events;
struct pmuq_pfm_event;

#endif
