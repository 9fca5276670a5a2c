/* SPDX-License-Identifier: MIT */
/* Writes records of the protocol to a buffer, and reads them from bytes that may be invalid. */
#pragma once

#include "core/buf.h"
#include "pfm/protocol.h"

void pq_wire_u8(struct pq_buf *out, unsigned n);
void pq_wire_u32(struct pq_buf *out, uint32_t n);
void pq_wire_u64(struct pq_buf *out, uint64_t n);
/* Control characters become blanks; NULL is empty. */
void pq_wire_text(struct pq_buf *out, struct pmuq_str text);
/* Begins a frame, whose payload follows, and ends it. `begun` is what pq_wire_begin() returned. */
size_t pq_wire_begin(struct pq_buf *out);
void pq_wire_end(struct pq_buf *out, size_t begun, enum pq_pfm_frame type, size_t count);

/* A failure sticks, as in a buffer: everything that is read after it is 0 or empty. */
struct pq_wire {
	const char *p, *end;	/* the next byte, and the end of the payload */
	struct pq_arena *arena; /* for pq_wire_keep_text() */
	bool failed;
	bool is_out_of_memory; /* memory ran out, the bytes are valid */
};

unsigned pq_wire_get_u8(struct pq_wire *in);
/* A byte from 0 to `max`; a larger one makes the input invalid. */
unsigned pq_wire_get_enum(struct pq_wire *in, unsigned max);
uint32_t pq_wire_get_u32(struct pq_wire *in);
uint64_t pq_wire_get_u64(struct pq_wire *in);
/* Points into the input. */
struct pmuq_str pq_wire_get_text(struct pq_wire *in);
/* A copy in the arena that ends with a NUL, of a plausible length; a longer one makes the input
 * invalid. "" after a failure. */
struct pmuq_str pq_wire_keep_text(struct pq_wire *in);
/* n elements of `each` bytes in the arena, zeroed; NULL after a failure. */
void *pq_wire_keep_array(struct pq_wire *in, size_t n, size_t each);
/* Notes that memory ran out, unless `is_kept`. */
void pq_wire_note(struct pq_wire *in, bool is_kept);
/* Whether everything was read and was valid. */
bool pq_wire_is_done(const struct pq_wire *in);
