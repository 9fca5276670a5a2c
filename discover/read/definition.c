/* SPDX-License-Identifier: MIT */
/* format/ and caps/ of a PMU; events.c reads events/. */
#include "discover/read/definition.h"

/* If there are several lines the last one is used, as in perf. */
static struct pmuq_str last_line(struct pmuq_str text, bool *ret_has_more)
{
	struct pmuq_str line, rest = str_trim(text);

	for (*ret_has_more = false; str_cut(rest, '\n', &line, &rest);)
		*ret_has_more = true;
	return line;
}

/* "config1:0-7,32": the bits for a term's value. A format that pmuq cannot parse is kept, with no
 * bits. */
bool pq_format_read(struct pq_reader *reader, const struct pq_dir *dir, struct pmuq_str name,
		    struct pmuq_format *ret)
{
	struct pmuq_str text = STR("");
	const char *problem;
	bool has_more = false;
	int r = pq_dir_read(reader, dir, name, &text);

	if (r == PQ_NONE || r == -PMUQ_E_REFUSED_FILE)
		return false;
	text = r == 0 ? last_line(pq_content_text(text), &has_more) : STR("");
	*ret = (struct pmuq_format){
		.name = pq_reader_copy(reader, name),
		.text = pq_reader_copy(reader, text),
	};
	ret->bits = pq_bits_parse(ret->text, &problem);
	ret->max = pq_bits_max(ret->bits);
	if (r == 0 && problem)
		pq_reader_note_file(reader, dir, name, PMUQ_E_BAD_FORMAT, problem);
	if (has_more)
		pq_reader_note_file(reader, dir, name, PMUQ_E_BAD_FORMAT,
				    "only the last of its lines is used");
	return true;
}

/* Drivers choose the notation of a cap. */
bool pq_cap_read(struct pq_reader *reader, const struct pq_dir *dir, struct pmuq_str name,
		 struct pmuq_pair *ret)
{
	struct pmuq_str text;

	if (pq_dir_read(reader, dir, name, &text) != 0)
		return false;
	*ret = (struct pmuq_pair){
		.name = pq_reader_copy(reader, name),
		.text = pq_reader_copy(reader, pq_content_text(text)),
	};
	return true;
}

void pq_formats_read(struct pq_reader *reader, const struct pq_dir *dir, struct pq_entries entries,
		     struct pq_pmu_draft *draft)
{
	draft->formats = pq_reader_array(reader, entries.n, sizeof(*draft->formats));
	for (size_t i = 0; draft->formats && i < entries.n; i++)
		draft->n_formats += pq_format_read(reader, dir, entries.v[i].name,
						   &draft->formats[draft->n_formats]);
}

void pq_caps_read(struct pq_reader *reader, const struct pq_dir *dir, struct pq_entries entries,
		  struct pq_pmu_draft *draft)
{
	draft->caps = pq_reader_array(reader, entries.n, sizeof(*draft->caps));
	for (size_t i = 0; draft->caps && i < entries.n; i++)
		draft->n_caps +=
			pq_cap_read(reader, dir, entries.v[i].name, &draft->caps[draft->n_caps]);
}
