/* SPDX-License-Identifier: MIT */
/* Numbers and bytes as texts of a document: the output that is the same in all forms. */
#include "core/text/sink.h"
#include "core/num.h"

static const char hex_digits[] = "0123456789abcdef";

void pq_sink_count(struct pq_sink *sink, uint64_t value)
{
	char digits[PQ_NUM_DIGITS_MAX];

	pq_sink_bare(sink, value < 10 ? str_part(STR("0123456789"), value, value + 1)
				      : pq_num_print(value, &digits));
}

/* A negative number has at most 19 digits, so there is space for its sign. */
void pq_sink_number(struct pq_sink *sink, int64_t value)
{
	char digits[PQ_NUM_DIGITS_MAX];
	struct pmuq_str text;

	if (value >= 0) {
		pq_sink_count(sink, (uint64_t)value);
		return;
	}
	text = pq_num_print(-(uint64_t)value, &digits);
	text.p = digits + sizeof(digits) - ++text.n;
	digits[sizeof(digits) - text.n] = '-';
	pq_sink_bare(sink, text);
}

void pq_sink_word(struct pq_sink *sink, uint64_t value)
{
	char text[2 + 16];
	size_t at = sizeof(text);

	do
		text[--at] = hex_digits[value & 15];
	while (value >>= 4);
	text[--at] = 'x';
	text[--at] = '0';
	pq_sink_plain(sink, (struct pmuq_str){ .p = text + at, .n = sizeof(text) - at });
}

// clang-format off
#define PAIRS(d) d"0" d"1" d"2" d"3" d"4" d"5" d"6" d"7" d"8" d"9" d"a" d"b" d"c" d"d" d"e" d"f"
/* "000102…ff" */
static const char hex_pairs[] =
	PAIRS("0") PAIRS("1") PAIRS("2") PAIRS("3") PAIRS("4") PAIRS("5") PAIRS("6") PAIRS("7")
	PAIRS("8") PAIRS("9") PAIRS("a") PAIRS("b") PAIRS("c") PAIRS("d") PAIRS("e") PAIRS("f");
// clang-format on

size_t pq_hex_print(char *to, const void *bytes, size_t n)
{
	const char *from = bytes;

	for (size_t i = 0; i < n;) {
		size_t end = n - i < 8 ? n : i + 8;

		/* Most words of an attr are 0. */
		if (end - i == 8 && !str_load8(from + i)) {
			memset(to + 2 * i, '0', 16);
			i = end;
		}
		for (; i < end; i++)
			memcpy(to + 2 * i, &hex_pairs[2 * (unsigned char)from[i]], 2);
	}
	return 2 * n;
}

void pq_sink_hex(struct pq_sink *sink, const void *bytes, size_t n)
{
	char few[512];
	auto_free char *many = 2 * n > sizeof(few) ? malloc(2 * n) : NULL;
	char *text = many ? many : few;

	if (2 * n > sizeof(few) && !many) {
		sink->failed = true;
		n = 0;
	}
	pq_sink_plain(sink, (struct pmuq_str){ .p = text, .n = pq_hex_print(text, bytes, n) });
}

void pq_sink_free(struct pq_sink *sink)
{
	if (sink)
		sink->ops->free(sink);
}
