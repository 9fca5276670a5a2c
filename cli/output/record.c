/* SPDX-License-Identifier: MIT */
/* Values of records: read by the description of their fields, written as text for people or as keys
 * and values. document.c and rows.c do the rest of documents and tables. */
#include "cli/output/record.h"
#include "cli/output/shown_attr.h"
#include "core/num.h"
#include "core/text/json_read.h"
#include "core/text/time.h"
#include <inttypes.h>
#include <stdarg.h>

bool cell_print(struct cell *cell, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	pq_buf_print_args(cell->scratch, format, args);
	va_end(args);
	cell->text = pq_buf_str(cell->scratch);
	return !cell->scratch->failed;
}

/* ------------------------------------------------------------------------------------ reading */

/* Members are read by their offset; memcpy() needs neither the type of the struct nor alignment. */
#define LOAD(type, from)                                                                           \
	__extension__({                                                                            \
		type loaded_;                                                                      \
		memcpy(&loaded_, from, sizeof(loaded_));                                           \
		loaded_;                                                                           \
	})

/* As many bytes as attr.size; 0 means the whole struct. */
static struct pmuq_str attr_bytes(const struct pmuq_attr *attr)
{
	size_t n = attr && !attr->size ? PMUQ_ATTR_SIZE_MAX : attr ? attr->size : 0;

	return (struct pmuq_str){ .p = (const char *)attr, .n = n };
}

/* A number or a pointer as a boolean. */
PQ_INLINE bool set_bool(const struct field *field, struct cell *cell, bool is_set)
{
	cell->is_true = is_set == !(field->flags & FIELD_NOT);
	return true;
}

static bool get_pointer(const struct field *field, const void *pointer, struct cell *cell)
{
	if (cell->type == FIELD_BOOL)
		return set_bool(field, cell, pointer);
	if (cell->type == FIELD_ATTR)
		cell->attr = pointer;
	else if (cell->type == FIELD_HEX)
		cell->text = attr_bytes(pointer);
	else
		cell->record = pointer;
	return pointer != NULL;
}

/* The number itself, or the word that it stands for. */
PQ_INLINE bool get_number(const struct field *field, struct cell *cell, uint64_t number)
{
	uint64_t most = field->member == MEMBER_U32 ? UINT32_MAX : UINT64_MAX;

	if (cell->type == FIELD_BOOL)
		return set_bool(field, cell, number);
	cell->count = number;
	if (cell->type == FIELD_COUNT && !(field->flags & (FIELD_UNLESS_MAX | FIELD_UNLESS_0)))
		return true;
	if (field->word)
		return cell_set_text(cell, field_word(field, number));
	if (field->flags & FIELD_UNLESS_MAX)
		return number != most;
	return !(field->flags & FIELD_UNLESS_0) || cell->number > 0;
}

/* The value at `from`; false: none. */
PQ_INLINE bool load_member(const struct field *field, const char *from, struct cell *cell)
{
	switch (field->member) {
	case MEMBER_STR:
		cell->text = LOAD(struct pmuq_str, from);
		return cell->text.n > 0;
	case MEMBER_CSTR:
		return cell_set_text(cell, LOAD(const char *, from));
	case MEMBER_BOOL:
		return get_number(field, cell, LOAD(bool, from));
	case MEMBER_U8:
		return get_number(field, cell, LOAD(uint8_t, from));
	case MEMBER_U16:
		return get_number(field, cell, LOAD(uint16_t, from));
	case MEMBER_U32:
		return get_number(field, cell, LOAD(uint32_t, from));
	case MEMBER_U64:
		return get_number(field, cell, LOAD(uint64_t, from));
	case MEMBER_I32:
		return get_number(field, cell, (uint64_t)LOAD(int32_t, from));
	case MEMBER_I64:
		return get_number(field, cell, (uint64_t)LOAD(int64_t, from));
	case MEMBER_POINTER:
		return get_pointer(field, LOAD(const void *, from), cell);
	case MEMBER_RECORD:
		cell->record = from;
		return true;
	case MEMBER_NONE:
		break;
	}
	return false;
}

PQ_INLINE bool get_member(const struct field *field, const char *from, struct cell *cell)
{
	const char *at;

	if (field->via[0] && from)
		from = LOAD(const char *, from + field->via[0] - 1);
	if (field->via[1] && from)
		from = LOAD(const char *, from + field->via[1] - 1);
	if (!from || (field->only_if && !LOAD(bool, from + field->only_if - 1)))
		return false;
	at = from + field->offset;
	if (!field->n_items)
		return load_member(field, at, cell);
	if (cell->index >= LOAD(size_t, from + field->n_items - 1))
		return false;
	/* Of a list, an empty text is a value, too. */
	load_member(field, LOAD(const char *, at) + cell->index * field->item_bytes, cell);
	return true;
}

/* The value of the field; for a list, its cell->index-th value. */
PQ_INLINE bool get_value(const struct field *field, const void *record, struct cell *cell)
{
	cell->field = field;
	cell->type = field->type;
	return field->get ? field->get(record, cell) : get_member(field, record, cell);
}

PQ_INLINE bool get_first(const struct field *field, const void *record, struct cell *cell,
			 struct pq_buf *scratch)
{
	scratch->n = 0;
	cell->scratch = scratch;
	cell->index = cell->cursor = 0;
	return get_value(field, record, cell);
}

bool field_get(const struct field *field, const void *record, struct cell *cell,
	       struct pq_buf *scratch)
{
	return get_first(field, record, cell, scratch);
}

/* ------------------------------------------------------------------------------------- as text */

static void print_time(int64_t time_s, struct pq_buf *to)
{
	size_t start = to->n;

	if (!pq_time_print(to, time_s)) {
		pq_buf_print(to, "%lld", (long long)time_s);
		return;
	}
	if (to->failed)
		return;
	/* "2026-11-21T19:30:19Z" without seconds, as people write it. */
	to->n = start + strlen("2026-11-21T19:30");
	to->p[start + strlen("2026-11-21")] = ' ';
}

void hex_print(struct pmuq_str bytes, struct pq_buf *to)
{
	char *p = pq_buf_reserve(to, 2 * bytes.n);

	if (p)
		to->n += pq_hex_print(p, bytes.p, bytes.n);
}

/* One value. Those that field_is_column() excludes have no text. */
static void print_value(const struct cell *cell, bool is_raw, struct pq_buf *to)
{
	char digits[PQ_NUM_DIGITS_MAX];

	switch (cell->type) {
	case FIELD_TEXT:
	case FIELD_LITERAL:
		pq_buf_add(to, cell->text);
		break;
	case FIELD_NUMBER:
		pq_buf_print(to, "%lld", (long long)cell->number);
		break;
	case FIELD_COUNT:
		pq_buf_add(to, pq_num_print(cell->count, &digits));
		break;
	case FIELD_WORD:
		pq_buf_print(to, "0x%llx", (unsigned long long)cell->count);
		break;
	case FIELD_BOOL:
		pq_buf_add(to, cell->is_true ? STR("yes") : STR("no"));
		break;
	case FIELD_TIME:
		if (!is_raw || !pq_time_print(to, cell->number))
			print_time(cell->number, to);
		break;
	case FIELD_HEX:
		hex_print(cell->text, to);
		break;
	case FIELD_ATTR:
	case FIELD_RECORD:
	case FIELD_JSON:
		break;
	}
}

bool field_is_column(const struct field *field)
{
	return field->type != FIELD_ATTR && field->type != FIELD_RECORD &&
	       field->type != FIELD_JSON && !(field->flags & FIELD_MAP);
}

void field_print(const struct field *field, const void *record, bool is_raw, struct pq_buf *scratch,
		 struct pq_buf *to)
{
	struct cell cell;
	bool has_value = field_get(field, record, &cell, scratch);

	while (has_value) {
		print_value(&cell, is_raw, to);
		if (!(field->flags & FIELD_LIST))
			break;
		cell.index++;
		scratch->n = 0;
		has_value = get_value(field, record, &cell);
		if (has_value)
			pq_buf_char(to, ',', 1);
	}
}

/* --------------------------------------------------------------------------- as keys and values */

static void write_time(struct pq_sink *sink, int64_t time_s, struct pq_buf *scratch)
{
	scratch->n = 0;
	if (!pq_time_print(scratch, time_s))
		pq_buf_print(scratch, "%lld", (long long)time_s);
	pq_sink_text(sink, pq_buf_str(scratch));
}

void json_write(struct pq_sink *sink, struct pmuq_str json)
{
	struct pq_json_reader reader = { .text = json };
	enum pq_json_token token;
	uint64_t objects = 0;

	while ((token = pq_json_next(&reader)) != PQ_JSON_END && token != PQ_JSON_BAD) {
		switch (token) {
		case PQ_JSON_OPEN_OBJECT:
		case PQ_JSON_OPEN_LIST:
			objects = objects << 1 | (token == PQ_JSON_OPEN_OBJECT);
			pq_sink_open(sink, objects & 1 ? '{' : '[');
			break;
		case PQ_JSON_CLOSE:
			pq_sink_close(sink, objects & 1 ? '}' : ']');
			objects >>= 1;
			break;
		case PQ_JSON_KEY:
			pq_sink_key(sink, reader.value);
			break;
		case PQ_JSON_TEXT:
			pq_sink_text(sink, reader.value);
			break;
		default:
			pq_sink_bare(sink, reader.value);
			break;
		}
	}
	sink->failed |= token == PQ_JSON_BAD;
	pq_json_clear(&reader);
}

PQ_INLINE void write_value(struct pq_sink *sink, const struct field *field, const struct cell *cell,
			   struct pq_buf *scratch)
{
	switch (cell->type) {
	case FIELD_TEXT:
		pq_sink_text(sink, cell->text);
		break;
	case FIELD_NUMBER:
		pq_sink_number(sink, cell->number);
		break;
	case FIELD_COUNT:
		pq_sink_count(sink, cell->count);
		break;
	case FIELD_LITERAL:
		pq_sink_bare(sink, cell->text);
		break;
	case FIELD_WORD:
		pq_sink_word(sink, cell->count);
		break;
	case FIELD_BOOL:
		pq_sink_bool(sink, cell->is_true);
		break;
	case FIELD_TIME:
		write_time(sink, cell->number, scratch);
		break;
	case FIELD_ATTR:
		attr_write(sink, cell->attr);
		break;
	case FIELD_HEX:
		pq_sink_hex(sink, cell->text.p, cell->text.n);
		break;
	case FIELD_RECORD:
		record_write(sink, field->record, cell->record, scratch);
		break;
	case FIELD_JSON:
		json_write(sink, cell->text);
		break;
	}
}

/* The values that the getter returns; `cell` is the first one. */
static void write_list(struct pq_sink *sink, const struct field *field, const void *record,
		       struct cell *cell, struct pq_buf *scratch)
{
	bool is_map = field->flags & FIELD_MAP;

	pq_sink_name(sink, field->name);
	pq_sink_open(sink, is_map ? '{' : '[');
	do {
		if (is_map)
			pq_sink_key(sink, cell->key);
		write_value(sink, field, cell, scratch);
		scratch->n = 0;
		cell->index++;
	} while (get_value(field, record, cell));
	pq_sink_close(sink, is_map ? '}' : ']');
}

/* Writes a field without a value, by its flags. */
static void write_nothing(struct pq_sink *sink, const struct field *field)
{
	pq_sink_name(sink, field->name);
	if (field->flags & (FIELD_LIST | FIELD_MAP)) {
		pq_sink_open(sink, field->flags & FIELD_MAP ? '{' : '[');
		pq_sink_close(sink, field->flags & FIELD_MAP ? '}' : ']');
	} else if (field->flags & FIELD_NULLABLE || field->type != FIELD_TEXT) {
		pq_sink_null(sink);
	} else {
		pq_sink_text(sink, STR(""));
	}
}

/* What is the same for all members of a record. */
struct members {
	struct pq_sink *sink;
	const struct record_type *type;
	const void *record;
	struct pq_buf *scratch;
	/* Flags of fields that it does not have, does not have without a value, or if false. */
	unsigned without, optional, brief;
};

static struct members members_of(struct pq_sink *sink, const struct record_type *type,
				 const void *record, struct pq_buf *scratch)
{
	return (struct members){ .sink = sink,
				 .type = type,
				 .record = record,
				 .scratch = scratch,
				 .without = record_without_flags(type),
				 .optional = record_optional_flags(type),
				 .brief = type->is_compact ? FIELD_BRIEF : 0u };
}

PQ_INLINE void write_field(const struct members *w, const struct field *field)
{
	struct cell cell;
	bool has_value = get_first(field, w->record, &cell, w->scratch);

	if (field->flags & w->brief && cell.type == FIELD_BOOL)
		has_value = has_value && cell.is_true;
	if (!has_value) {
		if (!(field->flags & w->optional))
			write_nothing(w->sink, field);
	} else if (field->flags & (FIELD_LIST | FIELD_MAP)) {
		write_list(w->sink, field, w->record, &cell, w->scratch);
	} else {
		pq_sink_name(w->sink, field->name);
		write_value(w->sink, field, &cell, w->scratch);
	}
}

void field_write(struct pq_sink *sink, const struct record_type *type, const struct field *field,
		 const void *record, struct pq_buf *scratch)
{
	struct members w = members_of(sink, type, record, scratch);

	write_field(&w, field);
}

static void write_tag(struct pq_sink *sink, const struct field *field, const char *variant)
{
	pq_sink_name(sink, field->name);
	if (field->type == FIELD_BOOL)
		pq_sink_bare(sink, str_of(variant));
	else
		pq_sink_text(sink, str_of(variant));
}

PQ_INLINE void write_member(const struct members *w, const struct field *field, size_t variant)
{
	if (field->flags & w->without || (field->in && !(field->in & IN_VARIANT(variant))))
		return;
	if (record_is_tag(w->type, field))
		write_tag(w->sink, field, w->type->variants[variant]);
	else
		write_field(w, field);
}

static void write_further_members(const struct members *w, size_t variant)
{
	const struct field *field;

	for (size_t i = 0; (field = w->type->more_fields(i)); i++)
		write_member(w, field, variant);
}

void record_write_members(struct pq_sink *sink, const struct record_type *type, const void *record,
			  struct pq_buf *scratch)
{
	struct members w = members_of(sink, type, record, scratch);
	size_t variant = type->variant ? type->variant(record) : 0;

	if (type->base)
		record_write_members(sink, type->base, record, scratch);
	for (size_t i = 0; i < type->n_fields; i++)
		write_member(&w, &type->fields[i], variant);
	if (type->more_fields)
		write_further_members(&w, variant);
}

void record_write(struct pq_sink *sink, const struct record_type *type, const void *record,
		  struct pq_buf *scratch)
{
	pq_sink_open(sink, '{');
	record_write_members(sink, type, record, scratch);
	pq_sink_close(sink, '}');
}
