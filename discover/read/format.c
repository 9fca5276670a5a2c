/* SPDX-License-Identifier: MIT */
/*
 * format/NAME, "config1:0-7,32": where a term's value goes. One that cannot be understood stays,
 * with no bits, and hides nothing else. Of several lines the last counts, as in perf.
 */
#include "discover/discover.h"

static struct pmuq_str last_line(struct pmuq_str text, bool *ret_has_more)
{
	struct pmuq_str line, rest = str_trim(text);

	for (*ret_has_more = false; str_cut(rest, '\n', &line, &rest);)
		*ret_has_more = true;
	return line;
}

bool pq_format_read(struct pq_reader *reader, const struct pq_dir *dir, struct pmuq_str name,
		    struct pmuq_format *ret)
{
	struct pmuq_str text = STR("");
	const char *problem;
	bool has_more = false;
	int r = pq_dir_read(reader, dir, name, &text);

	if (r == PQ_NONE || r == -PMUQ_E_REFUSED_FILE)
		return false;
	text = r == 0 ? last_line(pq_text_clean(text), &has_more) : STR("");
	*ret = (struct pmuq_format){
		.name = pq_reader_copy(reader, name),
		.text = pq_reader_copy(reader, text),
	};
	ret->bits = pq_bits_parse(ret->text, &problem);
	if (r == 0 && problem)
		pq_note_file(reader, dir, name, PMUQ_E_BAD_FORMAT, 0, problem);
	if (has_more)
		pq_note_file(reader, dir, name, PMUQ_E_BAD_FORMAT, 0,
			     "only the last of its lines is used");
	return true;
}

void pq_formats_read(struct pq_reader *reader, struct pq_handle at, struct pq_pmu_draft *draft)
{
	struct pq_entries entries;
	struct pq_dir dir;

	if (!pq_dir_list(reader, at, draft->name, "format", &dir, &entries))
		return;
	draft->formats = pq_reader_array(reader, entries.n, sizeof(*draft->formats));
	for (size_t i = 0; draft->formats && i < entries.n; i++)
		draft->n_formats += pq_format_read(reader, &dir, entries.v[i].name,
						   &draft->formats[draft->n_formats]);
	pq_handle_close(&dir.at);
}
