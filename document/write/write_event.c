/* SPDX-License-Identifier: MIT */
/* Writes an event as one line, or as a mapping if its texts would be ambiguous there. */
#include "core/text/utf8.h"
#include "document/write/write.h"

static bool is_trimmed(struct pmuq_str s)
{
	return s.n && str_trim(s).n == s.n;
}

static bool fits_in_line(struct pmuq_str s)
{
	return pq_utf8_is_text(s) && is_trimmed(s) && !memchr(s.p, '|', s.n) &&
	       !memchr(s.p, '\n', s.n);
}

static bool is_line(const struct pmuq_event *event)
{
	bool is_bare = !event->has_unit_file && !event->has_scale_file && !event->is_per_pkg &&
		       !event->is_snapshot;

	if (is_bare && !event->terms.n)
		return true;
	return fits_in_line(event->terms) && (!event->has_unit_file || fits_in_line(event->unit));
}

static void write_line(struct pq_sink *sink, const struct pmuq_event *event)
{
	cleanup(pq_buf_free) struct pq_buf line = PQ_BUF_NULL;

	pq_buf_add(&line, event->terms);
	if (event->has_unit_file) {
		pq_buf_add(&line, STR(" | unit "));
		pq_buf_add(&line, event->unit);
	}
	if (event->has_scale_file) {
		pq_buf_add(&line, STR(" | scale "));
		pq_buf_add(&line, event->scale);
	}
	pq_buf_add(&line, event->is_per_pkg ? STR(" | per-pkg") : STR(""));
	pq_buf_add(&line, event->is_snapshot ? STR(" | snapshot") : STR(""));
	sink->failed |= line.failed;
	pq_sink_text(sink, pq_buf_str(&line));
}

static void write_flag(struct pq_sink *sink, struct pmuq_str name, bool is_set)
{
	if (!is_set)
		return;
	pq_sink_key(sink, name);
	pq_sink_bare(sink, STR("true"));
}

static void write_mapping(struct pq_sink *sink, const struct pmuq_event *event)
{
	pq_sink_open(sink, '{');
	pq_doc_write_pair(sink, STR("terms"), event->terms);
	if (event->has_unit_file)
		pq_doc_write_pair(sink, STR("unit"), event->unit);
	if (event->has_scale_file)
		pq_doc_write_pair(sink, STR("scale"), event->scale);
	write_flag(sink, STR("per_pkg"), event->is_per_pkg);
	write_flag(sink, STR("snapshot"), event->is_snapshot);
	pq_sink_close(sink, '}');
}

void pq_doc_write_event(struct pq_sink *sink, const struct pmuq_event *event)
{
	pq_doc_write_name(sink, event->name);
	if (is_line(event))
		write_line(sink, event);
	else
		write_mapping(sink, event);
}
