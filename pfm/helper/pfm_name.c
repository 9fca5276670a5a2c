/* SPDX-License-Identifier: MIT */
/*
 * Splits names, and reports errors in them. It splits like libpfm4, so that an error has the span
 * of the token that libpfm4 rejects.
 */
#include "pfm/helper/pfm_name.h"
#include "core/num.h"

void pq_pfm_wrong_free(struct pq_pfm_wrong *wrong)
{
	pq_buf_free(&wrong->message);
	pq_buf_free(&wrong->hint);
}

bool pq_pfm_report(const struct pq_pfm_name *name, struct pmuq_str part, enum pq_pfm_error type,
		   const char *format, ...)
{
	struct pq_pfm_wrong *wrong = name->wrong;
	va_list args;

	wrong->type = type;
	wrong->at.offset = (uint32_t)(part.p - name->text.p);
	wrong->at.length = (uint32_t)part.n;
	va_start(args, format);
	pq_buf_print_args(&wrong->message, format, args);
	va_end(args);
	return false;
}

static bool is_plain(char c)
{
	return char_is_digit(c) || char_is_alpha(c) || (c && strchr("_-:.=*", c));
}

static bool check_bytes(const struct pq_pfm_name *name)
{
	struct pmuq_str text = name->text;

	if (!text.n)
		return pq_pfm_report(name, text, PQ_PFM_BAD_NAME, "the name is missing");
	if (text.n > PQ_PFM_NAME_MAX_BYTES)
		return pq_pfm_report(name, text, PQ_PFM_BAD_NAME, "a name has at most %u bytes",
				     PQ_PFM_NAME_MAX_BYTES);
	for (size_t i = 0; i < text.n; i++)
		if (!is_plain(text.p[i]))
			return pq_pfm_report(name, str_part(text, i, i + 1), PQ_PFM_BAD_NAME,
					     "names of libpfm4 do not contain '%c'",
					     char_is(text.p[i], CHAR_SPACE) ? ' ' : text.p[i]);
	return true;
}

static size_t find_delimiter(struct pmuq_str s)
{
	size_t i = 0;

	while (i < s.n && s.p[i] != ':' && s.p[i] != '.')
		i++;
	return i;
}

static void cut_pmu(struct pq_pfm_name *name)
{
	const char *colons = memmem(name->text.p, name->text.n, "::", 2);
	size_t at = colons ? (size_t)(colons - name->text.p) : 0;

	name->rest = name->text;
	if (!colons)
		return;
	name->pmu = str_part(name->text, 0, at);
	name->rest = str_part(name->text, at + 2, name->text.n);
}

static bool add_token(struct pq_pfm_name *name, struct pmuq_str all)
{
	struct pq_pfm_token token = { .all = all };

	token.has_value = str_cut(all, '=', &token.word, &token.value);
	if (!token.word.n)
		return pq_pfm_report(name, all, PQ_PFM_BAD_NAME,
				     "a umask or modifier is missing here");
	if (name->n_tokens == PQ_PFM_TOKENS_MAX)
		return pq_pfm_report(name, all, PQ_PFM_BAD_NAME,
				     "more than %u umasks and modifiers", PQ_PFM_TOKENS_MAX);
	name->tokens[name->n_tokens++] = token;
	return true;
}

bool pq_pfm_name_parse(struct pmuq_str text, struct pq_pfm_wrong *wrong, struct pq_pfm_name *ret)
{
	struct pmuq_str rest;
	size_t end;

	*ret = (struct pq_pfm_name){ .text = text, .wrong = wrong };
	if (!check_bytes(ret))
		return false;
	cut_pmu(ret);
	end = find_delimiter(ret->rest);
	ret->event = str_part(ret->rest, 0, end);
	if (!ret->event.n)
		return pq_pfm_report(ret, ret->event, PQ_PFM_BAD_NAME, "there is no event");
	for (rest = str_part(ret->rest, end, ret->rest.n); rest.n;
	     rest = str_part(rest, end, rest.n)) {
		rest = str_part(rest, 1, rest.n);
		end = find_delimiter(rest);
		if (!add_token(ret, str_part(rest, 0, end)))
			return false;
	}
	return true;
}

static bool octal(struct pmuq_str s, uint64_t *ret)
{
	uint64_t n = 0;

	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] < '0' || s.p[i] > '7' || n >> 61)
			return false;
		n = n << 3 | (uint64_t)(s.p[i] - '0');
	}
	*ret = n;
	return true;
}

bool pq_pfm_number(struct pmuq_str s, uint64_t *ret)
{
	if (s.n > 2 && s.p[0] == '0' && char_lower(s.p[1]) == 'x')
		return pq_num_hex(str_part(s, 2, s.n), ret) == PQ_NUM_OK;
	if (s.n > 1 && s.p[0] == '0')
		return octal(s, ret);
	return pq_num_decimal(s, ret) == PQ_NUM_OK;
}

bool pq_pfm_is_flag(struct pmuq_str s)
{
	return s.n == 1 && strchr("ynft01", char_lower(s.p[0]));
}
