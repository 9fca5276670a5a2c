/* SPDX-License-Identifier: MIT */
/*
 * Attrs as bytes of another program: any published size, either byte order. The bitfields are the
 * hard part, because compilers for big-endian machines lay them out from the other end.
 */
#include "core/attr/attr_bytes.h"
#include "core/attr/attr.h"
#include "core/flags.h"
#include <assert.h>

#define IS_BIG_ENDIAN (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
/* The word of the bitfields, which has no name in C. */
#define FLAGS_AT (offsetof(struct pmuq_attr, read_format) + sizeof(uint64_t))
#define MEMBER(name)                                                                               \
	{                                                                                          \
		.at = offsetof(struct pmuq_attr, name),                                            \
		.bytes = sizeof(((struct pmuq_attr *)0)->name)                                     \
	}
static_assert(FLAGS_AT + sizeof(uint64_t) == offsetof(struct pmuq_attr, wakeup_events), "flags");

// clang-format off
static const struct {
	uint8_t at, bytes;
} members[] = {
	MEMBER(type), MEMBER(size), MEMBER(config), MEMBER(sample_period), MEMBER(sample_type),
	MEMBER(read_format), { .at = FLAGS_AT, .bytes = sizeof(uint64_t) }, MEMBER(wakeup_events),
	MEMBER(bp_type), MEMBER(config1), MEMBER(config2), MEMBER(branch_sample_type),
	MEMBER(sample_regs_user), MEMBER(sample_stack_user), MEMBER(clockid),
	MEMBER(sample_regs_intr), MEMBER(aux_watermark), MEMBER(sample_max_stack),
	MEMBER(reserved_2), MEMBER(aux_sample_size), MEMBER(aux_action), MEMBER(sig_data),
	MEMBER(config3), MEMBER(config4),
};
// clang-format on

/* precise_ip is the only bitfield with more than one bit: its first bit, from its end of the word.
 */
#define PRECISE_FIRST 15u
#define PRECISE_BITS 2u

static void reverse_bytes(unsigned char *p, size_t n)
{
	for (size_t i = 0; i < n / 2; i++) {
		unsigned char c = p[i];

		p[i] = p[n - 1 - i];
		p[n - 1 - i] = c;
	}
}

static uint64_t reverse_bits(uint64_t value, unsigned bits)
{
	uint64_t reversed = 0;

	for (unsigned i = 0; i < bits; i++)
		reversed |= (value >> i & 1) << (bits - 1 - i);
	return reversed;
}

/* Mirrors the word, since the other byte order begins at the other end; precise_ip keeps its
 * value. */
static uint64_t flags_to_host(uint64_t flags)
{
	unsigned at = IS_BIG_ENDIAN ? 64 - PRECISE_FIRST - PRECISE_BITS : PRECISE_FIRST;
	uint64_t mask = ((UINT64_C(1) << PRECISE_BITS) - 1) << at;
	uint64_t mirrored = reverse_bits(flags, 64);

	return (mirrored & ~mask) | reverse_bits((mirrored & mask) >> at, PRECISE_BITS) << at;
}

void pq_attr_from_other_order(struct pmuq_attr *attr)
{
	unsigned char *bytes = (unsigned char *)attr;
	uint64_t flags;

	for (size_t i = 0; i < COUNT(members); i++)
		reverse_bytes(bytes + members[i].at, members[i].bytes);
	memcpy(&flags, bytes + FLAGS_AT, sizeof(flags));
	flags = flags_to_host(flags);
	memcpy(bytes + FLAGS_AT, &flags, sizeof(flags));
	/* aux_start_paused, aux_pause and aux_resume are bitfields, too. */
	attr->aux_action = (uint32_t)reverse_bits(attr->aux_action, 32);
}

bool pq_bytes_are_zero(const unsigned char *bytes, size_t n)
{
	while (n && !bytes[n - 1])
		n--;
	return !n;
}

enum pq_attr_bytes pq_attr_from_bytes(const unsigned char *bytes, size_t n, struct pmuq_attr *ret,
				      uint32_t *ret_size)
{
	struct pmuq_attr attr = { 0 };
	bool is_other_order;
	uint32_t size;

	*ret_size = 0;
	memcpy(&attr, bytes, n < sizeof(attr) ? n : sizeof(attr));
	if (n < PQ_ATTR_SIZE_FIRST)
		return PQ_ATTR_BYTES_SHORT;
	is_other_order = !pq_attr_size_version(attr.size, NULL) &&
			 pq_attr_size_version(__builtin_bswap32(attr.size), NULL);
	if (is_other_order)
		pq_attr_from_other_order(&attr);
	size = attr.size;
	/* For the kernel, 0 means the first published size. */
	if (!size)
		size = attr.size = PQ_ATTR_SIZE_FIRST;
	if (!pq_attr_size_version(size, NULL))
		return PQ_ATTR_BYTES_NO_SIZE;
	*ret_size = size;
	if (n < size)
		return PQ_ATTR_BYTES_SHORT;
	if (!pq_bytes_are_zero(bytes + size, n - size))
		return PQ_ATTR_BYTES_LONG;
	*ret = attr;
	return PQ_ATTR_BYTES_OK;
}
