/* SPDX-License-Identifier: MIT */
/*
 * The protocol between the library and its helper, over one socket that is the helper's stdin and
 * stdout. Both sides are of one build on one machine: numbers are in host order, unaligned.
 *
 *     frame   = header payload
 *     header  = magic u32, type u32, bytes u32 (of the payload), count u32 (records in it)
 *     text    = bytes u32, then so many bytes without a NUL or a control character
 *
 * The helper begins with a HELLO frame. Then it handles requests in order:
 *
 *     HELLO   → library text, build id text, path text of the library
 *     ENCODE  defaults text, then count names as text
 *             → ENCODE frames that hold count records among them
 *     PMUS    → PMUS frames, the last of which holds no record
 *     EVENTS  pmu text, layer u8 (0: without attributes; 1 + enum pmuq_pfm_layer)
 *             → EVENTS frames, the last of which holds no record; or an ERROR frame with one error
 *
 *     RAW     layer u8 (or PQ_PFM_FIND_ONLY), levels u32, defaults text, name text, attr
 *             → one RAW frame with one record
 *
 *     encode record  = codes u8 (0: an error follows), then
 *       code         = scope u8, type u32, config u64, config1 u64, config2 u64,
 *                      sysfs text, pmu text, event text, canonical text
 *       modifiers    = set u32 (a bit for each enum pmuq_pfm_modifier), then u64 for each bit
 *     error          = type u8, offset u32, length u32, message text, hint text
 *     pmu record     = name text, description text, sysfs text, stem text, type u8, is present u8,
 *                      events u32, instance u32 (PQ_PFM_NO_INSTANCE if there is only one), id u32,
 *                      counters u32, fixed counters u32, codes u32, is of architecture u8
 *     event record   = name text, description text, same as text, code u64, index u32,
 *                      data type u8, traits, attributes u32, of which each is
 *       attribute    = name text, description text, same as text, type u8, is default u8, code u64,
 *                      default u64, is of perf u8, traits
 *       traits       = speculation u8, is precise u8, has hw sample u8
 *     raw record     = result u32 (libpfm4's, without its sign), and if that is 0: pmu id u32,
 *                      event u32, cpu u32, sysfs text, canonical text, codes u8, so many u64, attr
 *       attr         = type u64, config u64, sample_period u64, flags u64, config1 u64, config2 u64
 *
 * A side that receives anything else closes the socket. A change of a record changes the magic.
 */
#pragma once

#include "core/limits.h"

#define PQ_PFM_MAGIC 0x324d4650u /* "PFM2" */
/* A side ends an ENCODE request after this number of names, and any frame after the record that
 * reaches this number of bytes: a sixteenth of PQ_PFM_FRAME_MAX_BYTES, since the last record may be
 * long. */
#define PQ_PFM_BATCH_NAMES 256u
#define PQ_PFM_BATCH_BYTES (1u << 16)
/* Codes of one name: one for each core PMU of a hybrid CPU, which has two. */
#define PQ_PFM_CODES_MAX 4u
/* In a RAW request, after the last layer. */
#define PQ_PFM_FIND_ONLY 3u
/* Codes of one name in the PMU's layer. */
#define PQ_PFM_RAW_CODES_MAX 4u
/* The words of an attr that libpfm4 writes. */
#define PQ_PFM_ATTR_WORDS 6u
#define PQ_PFM_NO_INSTANCE UINT32_MAX

enum pq_pfm_frame {
	PQ_PFM_HELLO = 1,
	PQ_PFM_ENCODE = 2,
	PQ_PFM_PMUS = 3,
	PQ_PFM_EVENTS = 4,
	PQ_PFM_ERROR = 5,
	PQ_PFM_RAW = 6,
};

/* The error of a name; pfm/pfm_names.c maps each to an error code. */
enum pq_pfm_error {
	PQ_PFM_BAD_NAME,
	PQ_PFM_NO_CPU,
	PQ_PFM_UNKNOWN_PMU,
	PQ_PFM_UNKNOWN_EVENT,
	PQ_PFM_UNKNOWN_ATTRIBUTE,
	PQ_PFM_MISSING_UMASK,
	PQ_PFM_BAD_VALUE,
	PQ_PFM_CONFLICT,
	PQ_PFM_ERRORS,
};

struct pq_pfm_header {
	unsigned magic, type, bytes, count;
};
