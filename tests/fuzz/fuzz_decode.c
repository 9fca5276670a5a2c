/* SPDX-License-Identifier: MIT */
/*
 * An attr to decode. The first byte selects the machine and the dialect, as in fuzz_event.c the
 * machine and strictness; the rest is an attr as text, or, if it is not valid text, the bytes of
 * one. A source and a catalog agree, and the decoded string gives the attr again, but for the
 * fields that are reported as left.
 */
#include "core/buf.h"
#include "tests/fuzz/fuzz.h"
#include <string.h>

#define MACHINE_BITS 7
#define DIALECT_BIT 8

static bool is_same_attr(const struct pmuq_attr *a, const struct pmuq_attr *b)
{
	return memcmp(a, b, sizeof(*a)) == 0;
}

static void print_value(struct pq_buf *buf, const char *name, enum pmuq_field_format type,
			uint64_t value)
{
	pq_buf_print(buf, type == PMUQ_FIELD_WORD ? " %s=%#llx" : " %s=%llu", name,
		     (unsigned long long)value);
}

static void print_fields(struct pq_buf *buf, const struct pmuq_attr *attr)
{
	for (unsigned i = 0; pmuq_attr_field(i); i++)
		print_value(buf, pmuq_attr_field(i)->name.p, pmuq_attr_field(i)->format,
			    pmuq_attr_get(attr, i));
}

static void print_hex(struct pq_buf *buf, const struct pmuq_attr *attr)
{
	const unsigned char *bytes = (const unsigned char *)attr;

	for (size_t i = 0; i < attr->size; i++)
		pq_buf_print(buf, "%02x", bytes[i]);
}

/* A printed attr is read as the same attr. */
static void law_of_text(const struct pmuq_attr *attr,
			void (*print)(struct pq_buf *buf, const struct pmuq_attr *attr))
{
	struct pq_buf buf = PQ_BUF_NULL;
	struct pmuq_attr read;
	struct pmuq_error *error = NULL;
	auto_free char *text = NULL;

	print(&buf, attr);
	text = pq_buf_take(&buf);
	FUZZ_LAW(text);
	FUZZ_LAW(pmuq_attr_parse(text, &read, &error) == 0);
	FUZZ_LAW(is_same_attr(attr, &read));
}

static bool take_text(const uint8_t *data, size_t size, struct pmuq_attr *ret)
{
	auto_free char *text = fuzz_cstr(data, size);
	struct pmuq_error *error = NULL;
	int r = pmuq_attr_parse(text, ret, &error);

	if (r < 0) {
		fuzz_error(r, error);
		pmuq_error_free(error);
		return false;
	}
	FUZZ_LAW(!error);
	law_of_text(ret, print_hex);
	if (!ret->reserved_flags && !ret->reserved_2)
		law_of_text(ret, print_fields);
	return true;
}

static void print_left(struct pq_buf *buf, const struct pmuq_decoding *decoding)
{
	for (size_t i = 0; i < decoding->n_left; i++)
		print_value(buf, pmuq_decoding_left(decoding, i)->name.p,
			    pmuq_decoding_left(decoding, i)->format,
			    pmuq_decoding_left(decoding, i)->value);
}

static char *decoding(const struct pmuq_decoding *decoding)
{
	const char *pmu = decoding->pmu.p;
	struct pq_buf buf = PQ_BUF_NULL;

	pq_buf_print(&buf, "%s of %s from %s, %sexact\nleft", decoding->text.p,
		     pmu ? pmu : "no PMU", pmuq_origin_name(decoding->origin),
		     decoding->is_exact ? "" : "not ");
	print_left(&buf, decoding);
	for (size_t i = 0; i < decoding->n_alternatives; i++)
		pq_buf_print(&buf, "\n%s", decoding->alternatives[i].p);
	pq_buf_char(&buf, '\n', 1);
	return pq_buf_take(&buf);
}

static bool is_left(const struct pmuq_decoding *decoding, const char *name, uint64_t *ret)
{
	for (size_t i = 0; i < decoding->n_left; i++)
		if (!strcmp(pmuq_decoding_left(decoding, i)->name.p, name)) {
			*ret = pmuq_decoding_left(decoding, i)->value;
			return true;
		}
	return false;
}

/* Field by field: the value of the string, or of the fields that are left. The size follows from
 * them. */
static void law_of_fields(const struct pmuq_decoding *decoding, const struct pmuq_attr *wanted,
			  const struct pmuq_attr *made)
{
	for (unsigned i = 0; pmuq_attr_field(i); i++) {
		const char *name = pmuq_attr_field(i)->name.p;
		uint64_t left = 0, want = pmuq_attr_get(wanted, i);

		if (!strcmp(name, "size"))
			FUZZ_LAW(!is_left(decoding, name, &left));
		else if (is_left(decoding, name, &left))
			FUZZ_LAW(left == want && left != pmuq_attr_get(made, i));
		else
			FUZZ_LAW(pmuq_attr_get(made, i) == want);
	}
}

/* A topdown metric comes after its slots event, every other event alone. */
static void law_of_string(const struct fuzz_machine *machine, const struct pmuq_decoding *decoding,
			  const char *string, const struct pmuq_attr *wanted,
			  enum pmuq_dialect dialect)
{
	struct pmuq_encode_options options = { .size = sizeof(options), .dialect = dialect };
	struct pmuq_encodings *encodings;
	struct pmuq_error *error;
	size_t n;

	fuzz_encode(machine, string, &options, &encodings, &error);
	FUZZ_LAW(encodings);
	n = pmuq_encodings_count(encodings);
	FUZZ_LAW(n == 1 || n == 2);
	law_of_fields(decoding, wanted, pmuq_encodings_get(encodings, n - 1)->attr);
	pmuq_encodings_free(encodings);
}

static void law_of_decoding(const struct fuzz_machine *machine,
			    const struct pmuq_decoding *decoding, const struct pmuq_attr *wanted,
			    enum pmuq_dialect dialect)
{
	bool is_event_left = false;

	for (size_t i = 0; i < decoding->n_left; i++)
		is_event_left |= pmuq_decoding_left(decoding, i)->is_event;
	FUZZ_LAW(decoding->is_exact == !is_event_left);
	law_of_string(machine, decoding, decoding->text.p, wanted, dialect);
	for (size_t i = 0; i < decoding->n_alternatives; i++)
		law_of_string(machine, decoding, decoding->alternatives[i].p, wanted, dialect);
}

static void law_of_attr(const struct fuzz_machine *machine, const struct pmuq_attr *attr,
			enum pmuq_dialect dialect)
{
	struct pmuq_decode_options options = { .size = sizeof(options), .dialect = dialect };
	struct pmuq_decoding *loaded = NULL, *lazy = NULL;
	auto_free char *loaded_text = NULL, *lazy_text = NULL;
	struct pmuq_source *source = NULL;

	FUZZ_LAW(pmuq_source_open_tree(machine->dir, &source, NULL) == 0);
	/* There is a string for every attr. */
	FUZZ_LAW(pmuq_catalog_decode(machine->catalog, attr, &options, &loaded, NULL) == 0);
	FUZZ_LAW(pmuq_source_decode(source, attr, &options, &lazy, NULL) == 0);
	loaded_text = decoding(loaded);
	lazy_text = decoding(lazy);
	fuzz_same("loaded", loaded_text, "lazy", lazy_text);
	law_of_decoding(machine, loaded, attr, dialect);
	pmuq_decoding_free(loaded);
	pmuq_decoding_free(lazy);
	pmuq_source_free(source);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pmuq_attr attr = { 0 };
	enum pmuq_dialect dialect;

	if (!size)
		return -1;
	dialect = data[0] & DIALECT_BIT ? PMUQ_DIALECT_PERF : PMUQ_DIALECT_PMUQ;
	if (!take_text(data + 1, size - 1, &attr))
		memcpy(&attr, data + 1, size - 1 < sizeof(attr) ? size - 1 : sizeof(attr));
	law_of_attr(fuzz_machine_listed(data[0] & MACHINE_BITS), &attr, dialect);
	return 0;
}
