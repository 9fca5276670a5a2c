/* SPDX-License-Identifier: MIT */
/* Names as an event string contains them: the reverse of parsing one. */
#include "encode/parse/parse.h"
#include <pmuq/names.h>

bool pq_write_name(struct pq_buf *to, struct pmuq_str name)
{
	if (pq_word_is_name(name)) {
		pq_buf_add(to, name);
		return true;
	}
	if (!name.n || !char_is(name.p[0], CHAR_WORD_START))
		return false;
	for (size_t i = 0; i < name.n; i++)
		if (!char_is(name.p[i], CHAR_QUOTED))
			return false;
	pq_buf_print(to, "'%.*s'", STR_ARG(name));
	return true;
}

PQ_API int pmuq_name_in_event(const char *name, char **ret, struct pmuq_error **reterr)
{
	struct pq_buf text = PQ_BUF_NULL;

	*ret = NULL;
	if (!pq_write_name(&text, str_of(name)))
		return 0;
	*ret = pq_buf_take(&text);
	return *ret ? 0 : pq_fail_memory(reterr);
}
