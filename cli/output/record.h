/* SPDX-License-Identifier: MIT */
/*
 * Describes once what a command prints. A record is a list of fields, each with a name, a type and
 * a way to get its value. Tables (rows.h), JSON, JSON lines and YAML (document.h), the list of
 * columns (columns.h) and the JSON Schema (json_schema.h) come from that description.
 */
#pragma once

#include "core/base.h"
#include "core/text/sink.h"
#include <assert.h>

enum field_type {
	FIELD_TEXT,
	FIELD_NUMBER,  /* cell.number */
	FIELD_COUNT,   /* cell.count: a number from 0 up */
	FIELD_LITERAL, /* cell.text: a number in decimal, of any length */
	FIELD_WORD,    /* cell.count as "0x…": 64 bits, because JSON numbers lose some */
	FIELD_BOOL,    /* cell.is_true: "yes" and "no" in tables */
	FIELD_TIME,    /* cell.number: seconds since 1970, in UTC */
	FIELD_ATTR,    /* cell.attr */
	FIELD_HEX,    /* cell.text: bytes, as two hex digits each; of a pointer: those of an attr */
	FIELD_RECORD, /* cell.record: a record of field.record */
	FIELD_JSON,   /* cell.text: a record that is already JSON */
};

enum field_flags {
	FIELD_LIST = 1 << 0, /* several values: the getter is called for each */
	FIELD_MAP = 1 << 1,  /* the same, each with a name: cell.key */
	/* How a field without a value is printed; by default as "" or an empty list. */
	FIELD_NULLABLE = 1 << 2, /* null */
	FIELD_OPTIONAL = 1 << 3, /* left out */
	/* The getter may set cell.type to FIELD_TEXT, or of a text to FIELD_LITERAL. */
	FIELD_MIXED = 1 << 4,
	/* A member that is 0 or less has no value; an empty text never has one. */
	FIELD_UNLESS_0 = 1 << 5,
	FIELD_UNLESS_MAX = 1 << 6, /* the same for the largest number that the member can contain */
	/* A boolean is true if the member is 0 or NULL, not the opposite. */
	FIELD_NOT = 1 << 7,

	/* In compact records. */
	FIELD_FULL = 1 << 18,  /* only other records have it */
	FIELD_BRIEF = 1 << 19, /* left out without a value, or if false */

	/* In tables. */
	FIELD_SHOWN = 1 << 8,	 /* a column by default */
	FIELD_CHECKED = 1 << 9,	 /* a default column if the machine was checked */
	FIELD_SOURCED = 1 << 10, /* a default column if there are several sources of names */
	FIELD_WIDE = 1 << 11,	 /* a default column on a wide terminal */
	FIELD_HISTORY = 1 << 12, /* a default column in a list of snapshots */
	FIELD_WRAP = 1 << 13,	 /* continues on further lines if the terminal is too narrow */
	FIELD_SPARE = 1 << 14,	 /* dropped from the default columns if it is too narrow */
	FIELD_TABLE = 1 << 16,	 /* sums up other fields; documents contain those instead */
	FIELD_VENDOR = 1 << 17,	 /* a default column if a vendor's table is used */
	FIELD_FOLDS = 1 << 15,	 /* may differ between folded instances: printed as ranges */
};

struct cell;
struct record_type;

/* The C type of a member, which MEMBER() determines. */
enum member_type {
	MEMBER_NONE, /* there is a getter instead */
	MEMBER_STR,
	MEMBER_CSTR,
	MEMBER_BOOL,
	MEMBER_U8,
	MEMBER_U16,
	MEMBER_U32,
	MEMBER_U64,
	MEMBER_I32,
	MEMBER_I64,
	MEMBER_POINTER,
	MEMBER_RECORD, /* the member itself is the record */
};

/* The form of a text; json_schema.c has its regular expression. */
enum field_pattern {
	PATTERN_NONE,
	PATTERN_DEFINITION, /* the hash of a definition */
	PATTERN_CLASS,	    /* the name of a class of hosts */
	PATTERN_CODE,	    /* PMUQ-001 */
	PATTERN_CODE_NAME,
};

/* The loader writes the addresses in all tables of fields when a process starts, so small types
 * save pages. */
struct field {
	struct pmuq_str name; /* the key; the column has it in capitals */
	const char *help;     /* one line */
	const char *unit;     /* "ms"; NULL: none, or it is in the help */

	/* A getter or a member. */
	bool (*get)(const void *record, struct cell *cell); /* false: no value, or no more */
	const void *of; /* data for the getter: cell->field->of */

	/* Limits its values; read by field_record() and field_word(). NULL: any value. */
	union {
		const struct record_type *record; /* of FIELD_RECORD and FIELD_JSON */
		const char *const *words;	  /* if has_words; up to NULL */
		const char *(*word)(unsigned index);
	};

	unsigned flags;
	uint8_t type;	 /* enum field_type */
	uint8_t member;	 /* enum member_type */
	uint8_t pattern; /* enum field_pattern, for the schema */
	bool has_words;	 /* by WORDS() */
	/* Of a column, the least width that it should have: a number of columns, or a part of the
	 * terminal. Only a field that wraps keeps it if the terminal is too narrow. */
	uint8_t width, percent;
	uint8_t in; /* for the schema: a bit for each variant that has it; 0: all */

	uint16_t offset; /* of the member */
	/* For members that are not plain; each is 1 + an offset, or 0. */
	uint16_t via[2];  /* pointer to the struct with the member; and one in that struct */
	uint16_t only_if; /* a bool next to the member: if it is false there is no value */
	uint16_t n_items; /* of a size_t next to it: the member is a pointer to that many values */
	uint16_t item_bytes;
};

/*
 * A record may begin with the fields of another type, which reads the same object. It may have
 * variants, which differ in their fields: `tag` names the field that distinguishes them, `variants`
 * lists its values up to NULL ("true" and "false" for a boolean), and variant() returns the index
 * of the value of that field.
 */
struct record_type {
	const char *name; /* "encoding" */
	const char *help; /* NULL: the name is enough */
	const struct record_type *base;
	bool is_compact; /* the base may differ */
	const struct field *fields;
	size_t n_fields;
	/* Fields that follow, if only the library knows their number; NULL after the last. */
	const struct field *(*more_fields)(size_t index);
	struct pmuq_str tag;
	const char *const *variants;
	size_t (*variant)(const void *record);
};

#define IN_VARIANT(index) (1u << (index))

/* A value on its way from a record to what is printed. */
struct cell {
	const struct field *field;
	enum field_type type; /* that of the field, unless the getter changes it */
	size_t index;	      /* which value of a list is requested, from 0 */
	size_t cursor; /* owned by the getter, kept between the values of a list; 0 at first */
	struct pmuq_str key; /* of a value in a map */
	union {
		struct pmuq_str text;
		int64_t number;
		uint64_t count;
		bool is_true;
		const struct pmuq_attr *attr;
		const void *record;
	};
	struct pq_buf *scratch; /* for cell_print(); empty */
	/* for a record that exists in no other way */
	union {
		uint64_t align;
		char bytes[96];
	} memory;
};

/* .fields = …, .n_fields = … */
#define FIELDS(table) .fields = (table), .n_fields = COUNT(table)

/* A member of the record as the value: .name = STR("pmu"), MEMBER(struct pmuq_encoding, pmu) */
#define MEMBER(type, name)                                                                         \
	.offset = offsetof(type, name), .member = MEMBER_TYPE(((const type *)NULL)->name)
/* All values of a text, an array up to NULL. */
#define WORDS(array) .words = (array), .has_words = true
/* A struct within the record, which is the value itself. */
#define INSIDE(type, name) .offset = offsetof(type, name), .member = MEMBER_RECORD
/* A list: the member is an array of `n` values or of `n` records. */
#define ITEMS(type, array, n)                                                                      \
	.offset = offsetof(type, array), .member = MEMBER_TYPE(*((const type *)NULL)->array),      \
	LENGTH(type, array, n)
#define RECORDS(type, array, n)                                                                    \
	.offset = offsetof(type, array), .member = MEMBER_RECORD, LENGTH(type, array, n)
#define LENGTH(type, array, n)                                                                     \
	.n_items = 1 + offsetof(type, n), .item_bytes = sizeof(*((const type *)NULL)->array)
/* Added to one of the above: there is a value only if that bool is true. */
#define ONLY_IF(type, name) .only_if = 1 + offsetof(type, name)
/* Added to one of the above, of type `pointed`: the member is in the object that the pointer refers
 * to. */
#define VIA(type, pointer) .via = { 1 + offsetof(type, pointer) }
/* A member of the object that a pointer in the record refers to; without the object there is no
 * value. */
#define MEMBER_OF(type, pointer, pointed, name) VIA(type, pointer), MEMBER(pointed, name)
/* The same through two pointers. */
#define MEMBER_OF_OF(type, pointer, pointed, further, last, name)                                  \
	.via = { 1 + offsetof(type, pointer), 1 + offsetof(pointed, further) }, MEMBER(last, name)
#define MEMBER_TYPE(m)                                                                             \
	_Generic((m),                                                                              \
		struct pmuq_str: MEMBER_STR,                                                       \
		const char *: MEMBER_CSTR,                                                         \
		char *: MEMBER_CSTR,                                                               \
		bool: MEMBER_BOOL,                                                                 \
		unsigned char: MEMBER_U8,                                                          \
		unsigned short: MEMBER_U16,                                                        \
		int: MEMBER_I32,                                                                   \
		unsigned: MEMBER_U32,                                                              \
		long: sizeof(long) == 8 ? MEMBER_I64 : MEMBER_I32,                                 \
		unsigned long: sizeof(long) == 8 ? MEMBER_U64 : MEMBER_U32,                        \
		long long: MEMBER_I64,                                                             \
		unsigned long long: MEMBER_U64,                                                    \
		default: MEMBER_POINTER)

/* For getters: sets a text that was made for this cell; returns true. */
bool cell_print(struct cell *cell, const char *format, ...) PQ_PRINTF(2, 3);
/* An empty text is not a value, as for members. */
static inline bool cell_set_text(struct cell *cell, const char *text)
{
	cell->text = str_of(text);
	return cell->text.n > 0;
}

/* The fields in their order, without those of the base; NULL past the last. */
static inline const struct field *record_field(const struct record_type *type, size_t index)
{
	if (index < type->n_fields)
		return &type->fields[index];
	return type->more_fields ? type->more_fields(index - type->n_fields) : NULL;
}

/* What its values are, if they are records; otherwise NULL. */
static inline const struct record_type *field_record(const struct field *field)
{
	return field->type == FIELD_RECORD || field->type == FIELD_JSON ? field->record : NULL;
}

/*
 * The value of a text with that index; NULL past the last, and if the text can have any value. If
 * the member is a number it is the index. If the first is NULL the numbers are not consecutive
 * (such as flags), and the schema does not list the words.
 */
static inline const char *field_word(const struct field *field, size_t index)
{
	if (field->has_words)
		return field->words[index];
	return field->word && !field_record(field) ? field->word((unsigned)index) : NULL;
}

#define ALL_VARIANTS SIZE_MAX

/* The flags of fields that documents with records of that type do not have. */
static inline unsigned record_without_flags(const struct record_type *type)
{
	return FIELD_TABLE | (type->is_compact ? FIELD_FULL : 0u);
}

/* Whether documents have the field in records of that type, and of that variant. */
static inline bool record_has_field(const struct record_type *type, const struct field *field,
				    size_t variant)
{
	return !(field->flags & record_without_flags(type)) &&
	       (!field->in || variant == ALL_VARIANTS || field->in & IN_VARIANT(variant));
}

/* The flags of fields that are left out without a value. */
static inline unsigned record_optional_flags(const struct record_type *type)
{
	return FIELD_OPTIONAL | (type->is_compact ? FIELD_BRIEF : 0u);
}

/* Whether the field distinguishes the variants of the record. */
static inline bool record_is_tag(const struct record_type *type, const struct field *field)
{
	return type->tag.n && str_eq(field->name, type->tag);
}

/* A record that exists only as long as it is printed: cell_set_record(cell, (struct x){ … }). */
#define cell_set_record(cell, ...) cell_keep(cell, &(__VA_ARGS__), sizeof(__VA_ARGS__))
static inline bool cell_keep(struct cell *cell, const void *record, size_t n_bytes)
{
	assert(n_bytes <= sizeof(cell->memory));
	cell->record = memcpy(cell->memory.bytes, record, n_bytes);
	return true;
}

/* Gets the record's value of the field; false if it has none. Empties `scratch`. */
bool field_get(const struct field *field, const void *record, struct cell *cell,
	       struct pq_buf *scratch);
/* Appends the same as text to `to`; a list is separated by commas. `is_raw`: times are printed as
 * in documents, otherwise for people. */
void field_print(const struct field *field, const void *record, bool is_raw, struct pq_buf *scratch,
		 struct pq_buf *to);
/* Two hex digits a byte, as `pmuq encode --hex` prints an attr. */
void hex_print(struct pmuq_str bytes, struct pq_buf *to);
/* Whether the field can be a column. */
bool field_is_column(const struct field *field);

/* Writes the record as keys and values. `scratch` is memory for its texts. */
void record_write(struct pq_sink *sink, const struct record_type *type, const void *record,
		  struct pq_buf *scratch);
/* Writes its members alone, or one of them. */
void record_write_members(struct pq_sink *sink, const struct record_type *type, const void *record,
			  struct pq_buf *scratch);
void field_write(struct pq_sink *sink, const struct record_type *type, const struct field *field,
		 const void *record, struct pq_buf *scratch);
/* Writes existing JSON in the form of the sink; fails if the text is not valid JSON. */
void json_write(struct pq_sink *sink, struct pmuq_str json);
