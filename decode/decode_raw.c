/* SPDX-License-Identifier: MIT */
/*
 * Attrs whose meaning does not depend on a PMU's formats: generic events, breakpoints, tracepoints,
 * raw events and the locations of probes; and any attr as type:config.
 */
#include "decode/decode.h"
#include "encode/parse/parse.h"

/* PMU/NAME/, or NAME if the PMU is NULL. */
static int offer_generic(struct pq_decoder *d, const struct pmuq_pmu *pmu, struct pmuq_str name)
{
	struct pq_phrase phrase = pq_phrase_new(d, pmu);

	if (pmu && !phrase.head.n)
		return 0;
	pq_buf_add(pmu ? &phrase.terms : &phrase.head, name);
	pq_write_words(&phrase.terms, &d->words, 1);
	return pq_offer(d, PQ_RANK_EVENT, &phrase);
}

/* With several core PMUs, the upper half of config can be the type of one of them: the strings of
 * the others give another attr, and are dropped. */
static int offer_on_core(struct pq_decoder *d, struct pmuq_str name)
{
	struct pq_pmu_list core;
	int r = pq_query(d, core_pmus, &core);

	for (size_t i = 0; r == 0 && i < core.n; i++) {
		r = pq_query(d, fill, core.v[i]);
		if (r == 0)
			r = offer_generic(d, core.v[i], name);
	}
	return r;
}

static int offer_software(struct pq_decoder *d, struct pmuq_str name)
{
	const struct pmuq_pmu *pmu;
	int r = pq_query(d, find_pmu, STR("software"), &pmu);

	return r == 0 ? offer_generic(d, pmu, name) : r < 0 ? r : 0;
}

int pq_decode_generic(struct pq_decoder *d)
{
	bool is_software = d->wanted.type == PQ_TYPE_SOFTWARE;
	struct pq_generic generic = { .config = d->wanted.config };
	char buffer[PMUQ_GENERIC_NAME_MAX];
	struct pmuq_str name;
	int r = 0;

	generic.type = is_software			    ? PQ_GENERIC_SOFTWARE
		       : d->wanted.type == PQ_TYPE_HW_CACHE ? PQ_GENERIC_CACHE
							    : PQ_GENERIC_HARDWARE;
	if (!pq_decode_allows(d, PMUQ_FROM_GENERIC))
		return 0;
	if (!is_software)
		generic.config &= UINT32_MAX;
	for (size_t i = 0; r == 0 && (name = pq_generic_name(generic, i, buffer)).n; i++) {
		r = offer_generic(d, NULL, name);
		if (r == 0)
			r = is_software ? offer_software(d, name) : offer_on_core(d, name);
	}
	return r;
}

int pq_decode_breakpoint(struct pq_decoder *d)
{
	struct pq_phrase phrase = pq_phrase_new(d, NULL);
	struct pq_buf *head = &phrase.head;
	struct pmuq_attr *attr = &d->wanted;
	static const char letters[] = "rwx";

	if (attr->bp_type >= 1u << strlen(letters) || !pq_decode_allows(d, PMUQ_FROM_BREAKPOINT)) {
		attr->bp_type = 0;
		return 0;
	}
	if (!attr->bp_type)
		return 0;
	pq_buf_print(head, "mem:0x%llx", (unsigned long long)attr->config1);
	if (attr->config2)
		pq_buf_print(head, "/%llu", (unsigned long long)attr->config2);
	else
		pq_write_term(&phrase.terms, STR("config2"), 0);
	pq_buf_char(head, ':', 1);
	for (size_t i = 0; letters[i]; i++)
		pq_buf_char(head, letters[i], attr->bp_type >> i & 1);
	if (attr->config)
		pq_write_term(&phrase.terms, STR("config"), attr->config);
	pq_write_words(&phrase.terms, &d->words, 3);
	return pq_offer(d, PQ_RANK_EVENT, &phrase);
}

static int offer_tracepoint(struct pq_decoder *d, const struct pmuq_tracepoint *tracepoint)
{
	struct pq_phrase phrase = pq_phrase_new(d, NULL);

	if (!pq_write_name(&phrase.head, tracepoint->subsystem))
		return 0;
	pq_buf_char(&phrase.head, ':', 1);
	return pq_write_name(&phrase.head, tracepoint->name) ? pq_offer(d, PQ_RANK_EVENT, &phrase)
							     : 0;
}

int pq_decode_tracepoint(struct pq_decoder *d)
{
	struct pq_tracepoint_list list;
	int r;

	if (!pq_decode_allows(d, PMUQ_FROM_TRACEPOINT))
		return 0;
	r = pq_query(d, list_tracepoints, &d->arena, STR("*"), STR("*"), &list);
	for (size_t i = 0; r == 0 && i < list.n; i++)
		if (list.v[i]->id == d->wanted.config)
			r = offer_tracepoint(d, list.v[i]);
	return r;
}

static int offer_numbers(struct pq_decoder *d, enum pq_rank rank, struct pq_phrase *phrase)
{
	pq_write_words(&phrase->terms, &d->words, 1);
	return pq_offer(d, rank, phrase);
}

int pq_decode_raw(struct pq_decoder *d)
{
	struct pq_phrase phrase = pq_phrase_new(d, NULL);

	if (d->wanted.type != PQ_TYPE_RAW)
		return 0;
	pq_buf_print(&phrase.head, "r%llx", (unsigned long long)d->wanted.config);
	return offer_numbers(d, PQ_RANK_RAW, &phrase);
}

int pq_decode_numeric(struct pq_decoder *d)
{
	struct pq_phrase phrase = pq_phrase_new(d, NULL);

	/* tracefs shows the ids of tracepoints in decimal. */
	pq_buf_print(&phrase.head, d->wanted.type == PQ_TYPE_TRACEPOINT ? "%u:%llu" : "%u:0x%llx",
		     d->wanted.type, (unsigned long long)d->wanted.config);
	return offer_numbers(d, PQ_RANK_NUMERIC, &phrase);
}

/* The location of a kprobe or uprobe; its flags are formats. */
int pq_decode_probe(struct pq_decoder *d, const struct pmuq_pmu *pmu)
{
	const struct pq_probe_term *text = NULL, *location = NULL, *probe;
	struct pq_words need = d->words, taken = { 0 };
	struct pq_choices choices = { 0 };
	struct pq_phrase phrase = pq_phrase_new(d, pmu);

	for (size_t i = 0; (probe = pq_probe_term_at(pmu, i)); i++) {
		bool is_offset = str_eq(probe->key, STR("offset"));

		if (probe->max_bytes)
			text = probe;
		else if (is_offset == (d->probe_text != NULL))
			location = probe;
	}
	if (!location || d->words.v[1] || (!d->probe_text && !d->words.v[2]) ||
	    d->options.dialect == PMUQ_DIALECT_PERF)
		return 0;
	if (d->probe_text && text)
		pq_buf_print(&phrase.terms, "%s='%s'", text->key.p, d->probe_text);
	/* An uprobe must have an offset; the offset of a function defaults to 0. */
	if (d->words.v[2] || str_eq(pmu->name, STR("uprobe")))
		pq_write_term(&phrase.terms, location->key, d->words.v[2]);
	need.v[1] = need.v[2] = 0;
	pq_choose_formats(d, pmu, &need, &taken, &choices);
	pq_write_choices(&phrase.terms, &choices);
	pq_write_words(&phrase.terms, &need, 0);
	return pq_offer(d, PQ_RANK_PROBE, &phrase);
}
