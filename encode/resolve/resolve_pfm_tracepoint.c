/* SPDX-License-Identifier: MIT */
/*
 * Tracepoints in libpfm4's spelling: perf::SUBSYSTEM:EVENT:u:k=1. libpfm4 lists those of the
 * kernel; its helper sees no kernel, so that its modifiers are read here.
 */
#include "encode/encoder.h"
#include "encode/parse/parse.h"
#include "encode/resolve/resolve.h"

static struct pq_span span_of(const struct pq_encoder *written, struct pmuq_str text)
{
	size_t at = written->node->name_at.offset + (size_t)(text.p - written->node->name.p);

	return pq_scan_span(at, at + text.n);
}

static struct pmuq_str spelling_of(const struct pq_modifier *modifier)
{
	struct pmuq_str name = str_of(modifier->in_libpfm4), value;

	str_cut(name, '=', &name, &value);
	return name;
}

static int refuse(const struct pq_encoder *written, struct pmuq_str name)
{
	struct pq_buf list = PQ_BUF_NULL;
	const struct pq_modifier *modifier;
	int r = pq_fail_at(written, span_of(written, name), PMUQ_E_PFM_UNKNOWN_ATTRIBUTE,
			   "a tracepoint has no modifier '%.*s' in libpfm4's spelling",
			   STR_ARG(name));

	pq_buf_add(&list, STR("modifiers of a tracepoint: "));
	for (size_t i = 0, start = list.n; (modifier = pq_modifier_at(i)); i++)
		if (*modifier->in_libpfm4)
			pq_buf_list(&list, start, spelling_of(modifier));
	pq_error_hint_buf(written->reterr, &list);
	return r;
}

/* How often the letter would be written. A flag without a value (NULL) is set. */
static bool read_times(const struct pq_modifier *modifier, struct pmuq_str value, unsigned *ret)
{
	if (!value.p)
		*ret = 1;
	else if (value.n == 1 && *value.p >= '0' && *value.p <= '0' + (int)modifier->max_times)
		*ret = (unsigned)(*value.p - '0');
	else if (modifier->max_times == 1 && (str_eq(value, STR("y")) || str_eq(value, STR("n"))))
		*ret = *value.p == 'y';
	else
		return false;
	return true;
}

/* The letters of u, k=1, precise=2, h=0. A modifier that is written twice has its last value. If
 * attributes.p is NULL, there are none. */
static int read_modifiers(const struct pq_encoder *written, struct pmuq_str attributes,
			  char (*letters)[PQ_MODIFIERS_MAX], size_t *ret_n)
{
	unsigned times[PQ_MODIFIERS_MAX] = { 0 };
	const struct pq_modifier *modifier;
	struct pmuq_str one;

	while (str_next(&attributes, ':', &one)) {
		struct pmuq_str name, value;
		size_t i = 0;

		if (!str_cut(one, '=', &name, &value))
			value.p = NULL;
		while ((modifier = pq_modifier_at(i)) &&
		       !(*modifier->in_libpfm4 && str_eq(spelling_of(modifier), name)))
			i++;
		if (!modifier)
			return refuse(written, name);
		if (!read_times(modifier, value, &times[i]))
			return pq_fail_at(written, span_of(written, one), PMUQ_E_PFM_BAD_VALUE,
					  "'%.*s' is a number from 0 to %u", STR_ARG(name),
					  modifier->max_times);
	}
	*ret_n = 0;
	for (size_t i = 0; (modifier = pq_modifier_at(i)); i++)
		for (unsigned k = 0; k < times[i]; k++)
			(*letters)[(*ret_n)++] = modifier->letter;
	return 0;
}

int pq_encode_pfm_tracepoint(const struct pq_encoder *written, const struct pmuq_error *error)
{
	struct pq_node node = *written->node;
	struct pq_encoder e = *written;
	struct pmuq_str name = node.name, pmu = STR("perf::"), attributes;
	char letters[PQ_MODIFIERS_MAX];
	struct pq_modifiers modifiers;
	size_t n = 0;
	int r;

	if (error->code != PMUQ_E_PFM_UNKNOWN_EVENT || !str_starts(name, pmu) ||
	    !str_cut(str_part(name, pmu.n, name.n), ':', &node.name, &node.tracepoint))
		return PQ_UNKNOWN_NAME;
	if (!str_cut(node.tracepoint, ':', &node.tracepoint, &attributes))
		attributes.p = NULL;
	node.type = PQ_NODE_TRACEPOINT;
	node.name_at = span_of(written, node.name);
	node.tracepoint_at = span_of(written, node.tracepoint);
	r = read_modifiers(written, attributes, &letters, &n);
	if (r < 0)
		return r;
	node.modifiers = (struct pmuq_str){ .p = letters, .n = n };
	e.node = &node;
	e.modifiers = &modifiers;
	r = pq_modifiers_parse(node.modifiers, written->node->name_at, false, &modifiers, e.reterr);
	return r < 0 ? r : pq_encode_tracepoint(&e);
}
