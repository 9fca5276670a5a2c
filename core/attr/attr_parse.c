/* SPDX-License-Identifier: MIT */
/* An attr from text: its bytes in hex, or its fields by name. */
#include "core/attr/attr.h"
#include "core/attr/attr_bytes.h"
#include "core/error.h"
#include "core/flags.h"
#include "core/limits.h"
#include "core/num.h"
#include <pmuq/pmuq.h>

/* The kernel's other names for fields, which are members of unions. */
static const struct {
	struct pmuq_str name;
	const char *field;
} other_names[] = {
	{ .name = STR("sample_freq"), .field = "sample_period" },
	{ .name = STR("wakeup_watermark"), .field = "wakeup_events" },
	{ .name = STR("bp_addr"), .field = "config1" },
	{ .name = STR("kprobe_func"), .field = "config1" },
	{ .name = STR("uprobe_path"), .field = "config1" },
	{ .name = STR("bp_len"), .field = "config2" },
	{ .name = STR("kprobe_addr"), .field = "config2" },
	{ .name = STR("probe_offset"), .field = "config2" },
};

struct attr_parser {
	struct pmuq_str text;
	struct pmuq_error **reterr;
	struct pmuq_attr attr;
	struct pmuq_str size_text; /* of size=, if it was set */
	uint64_t seen;		   /* the fields that were set, one bit each */
};

PQ_COLD PQ_PRINTF(4, 5) static int fail_at(const struct attr_parser *in, struct pmuq_str part,
					   enum pmuq_code code, const char *format, ...)
{
	struct pq_span at = { .offset = (uint32_t)(part.p - in->text.p),
			      .length = (uint32_t)part.n };
	va_list args;
	int r;

	va_start(args, format);
	r = pq_fail_args(in->reterr, code, format, args);
	va_end(args);
	pq_error_at(in->reterr, at);
	pq_error_input(in->reterr, in->text);
	return r;
}

static bool is_blank(char c)
{
	return char_is_space(c) || c == ',';
}

/* The next word; empty at the end. */
static struct pmuq_str next_word(const struct attr_parser *in, size_t *at)
{
	size_t from;

	while (*at < in->text.n && is_blank(in->text.p[*at]))
		++*at;
	from = *at;
	while (*at < in->text.n && !is_blank(in->text.p[*at]))
		++*at;
	return str_part(in->text, from, *at);
}

/* ------------------------------------------------------------------------------------ fields */

static unsigned find_field(struct pmuq_str name)
{
	const struct pmuq_field *field;

	for (size_t i = 0; i < COUNT(other_names); i++)
		if (str_eq(other_names[i].name, name))
			name = str_of(other_names[i].field);
	for (unsigned i = 0; (field = pmuq_attr_field(i)); i++)
		if (str_eq(field->name, name))
			return i;
	return PQ_FIELD_COUNT;
}

PQ_API bool pmuq_attr_find_field(const char *name, unsigned *ret)
{
	unsigned field = find_field(str_of(name));

	if (field == PQ_FIELD_COUNT)
		return false;
	*ret = field;
	return true;
}

#define NEAR_EDITS 3u
#define NEAR_NAMES 3u

static void add_near(struct pq_buf *hint, struct pmuq_str name, size_t *n)
{
	if (*n == NEAR_NAMES)
		return;
	pq_buf_print(hint, "%s'%.*s'", *n ? " or " : "did you mean ", STR_ARG(name));
	++*n;
}

static int unknown_field(const struct attr_parser *in, struct pmuq_str name)
{
	struct pq_buf hint = PQ_BUF_NULL;
	size_t n = 0;
	const struct pmuq_field *field;
	int r = fail_at(in, name, PMUQ_E_UNKNOWN_FIELD, "an attr has no field '%.*s'",
			STR_ARG(name));

	for (size_t limit = 1; !n && limit <= NEAR_EDITS; limit++) {
		for (uint32_t i = 0; (field = pmuq_attr_field(i)); i++)
			if (str_distance(name, field->name, limit + 1) <= limit)
				add_near(&hint, field->name, &n);
		for (size_t i = 0; i < COUNT(other_names); i++)
			if (str_distance(name, other_names[i].name, limit + 1) <= limit)
				add_near(&hint, other_names[i].name, &n);
	}
	if (n)
		pq_buf_char(&hint, '?', 1);
	else
		pq_buf_add(&hint, STR("fields are called as in perf_event_open(2): type, config, "
				      "config1, exclude_kernel, ..."));
	pq_error_hint_buf(in->reterr, &hint);
	return r;
}

static bool holds(uint32_t field, uint64_t value)
{
	struct pmuq_attr attr = { 0 };

	return pq_attr_set_if_fits(&attr, field, value);
}

/* A negative number fits if the sign bit is among the bits of the field. */
static unsigned width_of(uint32_t field, bool *ret_has_sign)
{
	unsigned bits = 63;

	while (bits > 1 && !holds(field, UINT64_MAX >> (64 - bits)))
		bits--;
	*ret_has_sign = bits < 63 && holds(field, UINT64_MAX);
	return bits + holds(field, UINT64_MAX);
}

/* Decimal or hex; clockid may be negative. */
static int read_value(const struct attr_parser *in, struct pmuq_str word, uint64_t *ret)
{
	bool is_negative = word.n > 1 && word.p[0] == '-';
	enum pq_num num = pq_num_any(is_negative ? str_part(word, 1, word.n) : word, ret);

	if (num == PQ_NUM_OK) {
		*ret = is_negative ? -*ret : *ret;
		return 0;
	}
	if (num == PQ_NUM_RANGE)
		return fail_at(in, word, PMUQ_E_FIELD_RANGE, "%.*s does not fit 64 bits",
			       STR_ARG(word));
	return fail_at(in, word, PMUQ_E_BAD_ATTR, "'%.*s' is not a number", STR_ARG(word));
}

static int too_wide(const struct attr_parser *in, uint32_t field, struct pmuq_str value)
{
	bool has_sign;
	unsigned bits = width_of(field, &has_sign);

	return fail_at(in, value, PMUQ_E_FIELD_RANGE,
		       "%.*s does not fit '%s', which has %u bit%s %s sign", STR_ARG(value),
		       pmuq_attr_field(field)->name.p, bits, bits == 1 ? "" : "s",
		       has_sign ? "with its" : "and no");
}

static int expected_assignment(const struct attr_parser *in, struct pmuq_str word)
{
	int r = fail_at(in, word, PMUQ_E_BAD_ATTR, "'%.*s' is not a field with a value",
			STR_ARG(word));

	pq_error_hint(in->reterr, "write FIELD=NUMBER, without blanks around the '='");
	return r;
}

static int read_field(struct attr_parser *in, struct pmuq_str word)
{
	struct pmuq_str name, text;
	uint64_t value;
	uint32_t field;
	int r;

	if (!str_cut(word, '=', &name, &text) || !name.n || !text.n)
		return expected_assignment(in, word);
	field = find_field(name);
	if (field == PQ_FIELD_COUNT)
		return unknown_field(in, name);
	if (in->seen >> field & 1)
		return fail_at(in, name, PMUQ_E_REPEATED_FIELD, "'%s' is set twice",
			       pmuq_attr_field(field)->name.p);
	in->seen |= UINT64_C(1) << field;
	r = read_value(in, text, &value);
	if (r < 0)
		return r;
	if (!pq_attr_set_if_fits(&in->attr, field, value))
		return too_wide(in, field, text);
	if (str_eq(name, STR("size")))
		in->size_text = text;
	return 0;
}

/* A size that is set must include all fields that are set. */
static int check_size(struct attr_parser *in)
{
	uint32_t fit = pq_attr_fit_size(&in->attr), size = in->attr.size;
	int r;

	if (!size)
		in->attr.size = fit;
	if (!size || (pq_attr_size_version(size, NULL) && size >= fit))
		return 0;
	if (pq_attr_size_version(size, NULL))
		r = fail_at(in, in->size_text, PMUQ_E_ATTR_SIZE,
			    "the size %u is too small: the fields reach to byte %u", size, fit);
	else
		r = fail_at(in, in->size_text, PMUQ_E_ATTR_SIZE,
			    "no kernel has an attr of %u bytes", size);
	pq_error_hint(in->reterr, "omit size= for the smallest that fits, %u", fit);
	return r;
}

static int read_fields(struct attr_parser *in)
{
	struct pmuq_str word;
	size_t at = 0;

	while ((word = next_word(in, &at)).n) {
		int r = read_field(in, word);

		if (r < 0)
			return r;
	}
	return check_size(in);
}

/* --------------------------------------------------------------------------------------- hex */

static int bad_digit(const struct attr_parser *in, struct pmuq_str at)
{
	unsigned char c = (unsigned char)at.p[0];
	bool is_shown = c > ' ' && c < 0x7f;
	int r = is_shown ? fail_at(in, at, PMUQ_E_BAD_HEX, "'%c' is not a hex digit", c)
			 : fail_at(in, at, PMUQ_E_BAD_HEX, "the byte 0x%02x is not a hex digit", c);

	pq_error_hint(in->reterr,
		      "write the bytes of the attr in hex, or its fields: type=4 config=0x3c");
	return r;
}

/* The bytes of one word, with or without "0x". */
static int read_hex_word(const struct attr_parser *in, struct pmuq_str word, unsigned char *bytes,
			 size_t *n)
{
	if (word.n > 2 && word.p[0] == '0' && char_lower(word.p[1]) == 'x')
		word = str_part(word, 2, word.n);
	for (size_t i = 0; i < word.n; i++)
		if (!char_is_hex(word.p[i]))
			return bad_digit(in, str_part(word, i, i + 1));
	if (word.n % 2)
		return fail_at(in, word, PMUQ_E_BAD_HEX, "%zu hex digits are not whole bytes",
			       word.n);
	if (word.n / 2 > PQ_ATTR_TEXT_MAX_BYTES - *n)
		return fail_at(in, word, PMUQ_E_ATTR_SIZE, "an attr has at most %u bytes",
			       PQ_ATTR_TEXT_MAX_BYTES);
	for (size_t i = 0; i < word.n; i += 2)
		bytes[(*n)++] = (unsigned char)(char_hex(word.p[i]) << 4 | char_hex(word.p[i + 1]));
	return 0;
}

static int bad_size(const struct attr_parser *in, enum pq_attr_bytes why, size_t n, uint32_t size)
{
	struct pmuq_str all = str_trim(in->text);

	if (why == PQ_ATTR_BYTES_NO_SIZE)
		return fail_at(in, all, PMUQ_E_ATTR_SIZE,
			       "bytes 4 to 7 are not the size of an attr in either byte order");
	if (why == PQ_ATTR_BYTES_LONG)
		return fail_at(in, all, PMUQ_E_ATTR_SIZE,
			       "the size field of the attr is %u, but later bytes are not zero",
			       size);
	if (size)
		return fail_at(in, all, PMUQ_E_ATTR_SIZE,
			       "the size field of the attr is %u, but there are %zu bytes", size,
			       n);
	return fail_at(in, all, PMUQ_E_ATTR_SIZE, "an attr has at least 64 bytes; there are %zu",
		       n);
}

static int read_hex(struct attr_parser *in)
{
	unsigned char bytes[PQ_ATTR_TEXT_MAX_BYTES];
	enum pq_attr_bytes why;
	struct pmuq_str word;
	uint32_t size;
	size_t n = 0, at = 0;

	while ((word = next_word(in, &at)).n) {
		int r = read_hex_word(in, word, bytes, &n);

		if (r < 0)
			return r;
	}
	why = pq_attr_from_bytes(bytes, n, &in->attr, &size);
	return why == PQ_ATTR_BYTES_OK ? 0 : bad_size(in, why, n, size);
}

PQ_API int pmuq_attr_parse(const char *text, struct pmuq_attr *ret, struct pmuq_error **reterr)
{
	struct attr_parser in = { .text = str_of(text), .reterr = reterr };
	size_t at = 0;
	int r;

	if (in.text.n > UINT32_MAX || !next_word(&in, &at).n)
		return fail_at(&in, str_part(in.text, 0, 0), PMUQ_E_BAD_ATTR, "the attr is empty");
	r = memchr(in.text.p, '=', in.text.n) ? read_fields(&in) : read_hex(&in);
	if (r == 0)
		*ret = in.attr;
	return r;
}
