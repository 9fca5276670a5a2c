/* SPDX-License-Identifier: MIT */
#include "tests/harness/outcome.h"
#include "core/buf.h"

static void print_marked(struct pq_buf *buf, char mark, const char *text)
{
	for (struct pmuq_str rest = str_of(text), line; rest.n;) {
		str_cut(rest, '\n', &line, &rest);
		pq_buf_print(buf, "%c %.*s\n", mark, STR_ARG(line));
	}
}

/* The kernel's flags in aux_action begin at the byte order's own end; a case has them from the low
 * one. */
static uint64_t in_case_order(const char *field, uint64_t value)
{
	uint64_t flags = 0;

	if (__BYTE_ORDER__ != __ORDER_BIG_ENDIAN__ || strcmp(field, "aux_action"))
		return value;
	for (unsigned bit = 0; bit < 32; bit++)
		flags |= (value >> bit & 1) << (31 - bit);
	return flags;
}

static void print_attr(struct pq_buf *buf, const struct pmuq_attr *attr)
{
	for (unsigned i = 0; pmuq_attr_field(i); i++) {
		uint64_t value = in_case_order(pmuq_attr_field(i)->name.p, pmuq_attr_get(attr, i));
		bool is_word = pmuq_attr_field(i)->format == PMUQ_FIELD_WORD;

		if (value || !strcmp(pmuq_attr_field(i)->name.p, "type"))
			pq_buf_print(buf, is_word ? " %s=0x%llx" : " %s=%llu",
				     pmuq_attr_field(i)->name.p, (unsigned long long)value);
	}
}

static void print_group(struct pq_buf *buf, const struct pmuq_encoding *encoding)
{
	if (encoding->n_members)
		pq_buf_print(buf, " leader=%zu members=%zu%s%s", encoding->leader,
			     encoding->n_members, encoding->group_name.n ? " group=" : "",
			     encoding->group_name.p);
}

static void print_encoding(struct pq_buf *buf, const struct pmuq_encoding *encoding,
			   const char *event)
{
	const char *pmu = encoding->pmu.p;

	pq_buf_print(buf, "= %s:", pmu ? pmu : "-");
	print_attr(buf, encoding->attr);
	pq_buf_print(buf, " from=%s cpus=%s", pmuq_origin_name(encoding->origin), encoding->cpus.p);
	if (encoding->probe_text.p)
		pq_buf_print(buf, " %s=%s", encoding->probe_field.p, encoding->probe_text.p);
	if (*encoding->unit.p)
		pq_buf_print(buf, " unit=%s", encoding->unit.p);
	if (strcmp(encoding->scale.p, "1"))
		pq_buf_print(buf, " scale=%s", encoding->scale.p);
	pq_buf_add(buf, encoding->is_added ? STR(" added") : STR(""));
	if (encoding->event)
		pq_buf_print(buf, " event=%zu", encoding->event);
	pq_buf_add(buf, encoding->is_per_pkg ? STR(" per-pkg") : STR(""));
	pq_buf_add(buf, encoding->is_snapshot ? STR(" snapshot") : STR(""));
	if (strcmp(encoding->name.p, event))
		pq_buf_print(buf, " name=%s", encoding->name.p);
	print_group(buf, encoding);
	for (size_t i = 0; i < encoding->n_tool_terms; i++)
		pq_buf_print(buf, " defer.%s=%s", pmuq_encoding_tool_term(encoding, i)->name.p,
			     pmuq_encoding_tool_term(encoding, i)->text.p);
	pq_buf_char(buf, '\n', 1);
	for (size_t i = 0; i < encoding->n_warnings; i++) {
		auto_free char *text = pmuq_error_format(pmuq_encoding_warning(encoding, i));

		print_marked(buf, '~', text);
	}
}

char *outcome_text(const struct pmuq_encodings *encodings, const struct pmuq_error *error,
		   const char *event)
{
	struct pq_buf buf = PQ_BUF_NULL;

	if (error) {
		auto_free char *text = pmuq_error_format(error);

		print_marked(&buf, '!', text);
	}
	for (size_t i = 0; encodings && i < pmuq_encodings_count(encodings); i++)
		print_encoding(&buf, pmuq_encodings_get(encodings, i), event);
	return pq_buf_take(&buf);
}

static char *take_text(struct pmuq_encodings *encodings, struct pmuq_error *error,
		       const char *event)
{
	char *text = outcome_text(encodings, error, event);

	pmuq_encodings_free(encodings);
	pmuq_error_free(error);
	return text;
}

char *outcome_of_source(struct pmuq_source *source, const char *event,
			const struct pmuq_encode_options *options)
{
	struct pmuq_encodings *encodings = NULL;
	struct pmuq_error *error = NULL;

	pmuq_source_encode(source, event, options, &encodings, &error);
	return take_text(encodings, error, event);
}

char *outcome_of_catalog(const struct pmuq_catalog *catalog, const char *event,
			 const struct pmuq_encode_options *options)
{
	struct pmuq_encodings *encodings = NULL;
	struct pmuq_error *error = NULL;

	pmuq_catalog_encode(catalog, event, options, &encodings, &error);
	return take_text(encodings, error, event);
}
