/* SPDX-License-Identifier: MIT */
/*
 * Numbers are copied in the byte order of the machine, since both sides run on it. Readers check
 * every length, because the helper may have crashed in the middle of a record.
 */
#include "pfm/wire.h"

/* No description is longer. */
#define TEXT_MAX_BYTES ((size_t)16 << 10)

static void put(struct pq_buf *out, const void *p, size_t bytes)
{
	pq_buf_add(out, (struct pmuq_str){ .p = p, .n = bytes });
}

void pq_wire_u8(struct pq_buf *out, unsigned n)
{
	put(out, &(uint8_t){ (uint8_t)n }, 1);
}

void pq_wire_u32(struct pq_buf *out, uint32_t n)
{
	put(out, &n, sizeof(n));
}

void pq_wire_u64(struct pq_buf *out, uint64_t n)
{
	put(out, &n, sizeof(n));
}

static bool is_control(char c)
{
	return (unsigned char)c < ' ' || c == 0x7f;
}

/* Eight bytes at a time: a list has half a megabyte of texts. A subtraction sets the highest bit of
 * a byte that is too small; it can borrow from the next byte only then. */
static bool has_control(struct pmuq_str text)
{
	const uint64_t each = 0x0101010101010101u, high = each * 0x80;
	uint64_t found = 0;

	for (; text.n >= 8; text = str_part(text, 8, text.n)) {
		uint64_t word = str_load8(text.p), other = word ^ each * 0x7f;

		found |= ((word - each * ' ') & ~word) | ((other - each) & ~other);
	}
	for (size_t i = 0; i < text.n; i++)
		found |= is_control(text.p[i]) ? high : 0;
	return found & high;
}

void pq_wire_text(struct pq_buf *out, struct pmuq_str text)
{
	pq_wire_u32(out, (uint32_t)text.n);
	put(out, text.p, text.n);
	if (out->failed || !has_control(text))
		return;
	for (size_t i = out->n - text.n; i < out->n; i++)
		if (is_control(out->p[i]))
			out->p[i] = ' ';
}

size_t pq_wire_begin(struct pq_buf *out)
{
	struct pq_pfm_header header = { .magic = PQ_PFM_MAGIC };
	size_t begun = out->n;

	put(out, &header, sizeof(header));
	return begun;
}

void pq_wire_end(struct pq_buf *out, size_t begun, enum pq_pfm_frame type, size_t count)
{
	struct pq_pfm_header header = { .magic = PQ_PFM_MAGIC, .type = type };

	if (out->failed)
		return;
	header.bytes = (unsigned)(out->n - begun - sizeof(header));
	header.count = (unsigned)count;
	memcpy(out->p + begun, &header, sizeof(header));
}

static const char *take(struct pq_wire *in, size_t bytes)
{
	const char *p = in->p;

	in->failed |= (size_t)(in->end - in->p) < bytes;
	if (in->failed)
		return NULL;
	in->p += bytes;
	return p;
}

unsigned pq_wire_get_u8(struct pq_wire *in)
{
	const char *p = take(in, 1);

	return p ? (unsigned char)*p : 0;
}

unsigned pq_wire_get_enum(struct pq_wire *in, unsigned max)
{
	unsigned value = pq_wire_get_u8(in);

	in->failed |= value > max;
	return in->failed ? 0 : value;
}

uint32_t pq_wire_get_u32(struct pq_wire *in)
{
	const char *p = take(in, sizeof(uint32_t));

	return p ? (uint32_t)str_load4(p) : 0;
}

uint64_t pq_wire_get_u64(struct pq_wire *in)
{
	const char *p = take(in, sizeof(uint64_t));

	return p ? str_load8(p) : 0;
}

struct pmuq_str pq_wire_get_text(struct pq_wire *in)
{
	struct pmuq_str text = { .n = pq_wire_get_u32(in) };

	text.p = take(in, text.n);
	in->failed |= text.p && has_control(text);
	return in->failed ? STR("") : text;
}

void pq_wire_note(struct pq_wire *in, bool is_kept)
{
	in->is_out_of_memory |= !in->failed && !is_kept;
	in->failed |= !is_kept;
}

struct pmuq_str pq_wire_keep_text(struct pq_wire *in)
{
	struct pmuq_str text = pq_wire_get_text(in);

	in->failed |= text.n > TEXT_MAX_BYTES;
	if (in->failed)
		return STR("");
	text = pq_arena_str(in->arena, text);
	pq_wire_note(in, text.p);
	return text;
}

void *pq_wire_keep_array(struct pq_wire *in, size_t n, size_t each)
{
	void *array = in->failed ? NULL : pq_arena_array(in->arena, n, each);

	pq_wire_note(in, array);
	return array;
}

bool pq_wire_is_done(const struct pq_wire *in)
{
	return !in->failed && in->p == in->end;
}
