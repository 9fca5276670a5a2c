/* SPDX-License-Identifier: MIT */
/*
 * An attr as a name of libpfm4. libpfm4 only encodes, so decode_pfm.c encodes candidates, in three
 * batches: one name of each event, which shows the events that have the attr's event code; every
 * umask of those events; and combinations of umasks (chosen by decode_umasks.c).
 */
#include "core/freep.h"
#include "decode/decode.h"

/* libpfm4's modifiers for formats that change how an event is counted: Intel's, of which AMD has
 * some. */
static const struct {
	const char *modifier;
	struct pmuq_str format;
} count_terms[] = {
	{ .modifier = "e", .format = STR("edge") },	 { .modifier = "i", .format = STR("inv") },
	{ .modifier = "c", .format = STR("cmask") },	 { .modifier = "t", .format = STR("any") },
	{ .modifier = "ldlat", .format = STR("ldlat") },
};

/* Names that are encoded in one call. */
struct batch {
	PQ_VEC(const char *) names;
	PQ_VEC(const struct pmuq_pfm_event *) events; /* of each name */
	struct pmuq_pfm_encodings *encodings;	      /* in the order of the names */
};

/* The events of one of libpfm4's PMUs, and the machine's PMU that counts them. */
struct search {
	struct pq_decoder *d;
	const struct pmuq_pmu *pmu;
	const char *pfm_pmu;
	size_t n_offered;
};

static void clear_batch(struct batch *batch)
{
	pmuq_pfm_encodings_free(batch->encodings);
}

/* ------------------------------------------------------------------------------------- batches */

static bool is_umask(const struct pmuq_pfm_event *event, size_t index)
{
	return pmuq_pfm_event_attribute(event, index)->type == PMUQ_PFM_UMASK;
}

/* Takes the text of the name, which is in the decoder's arena. */
static int add_name(struct search *search, struct batch *batch, const struct pmuq_pfm_event *event,
		    struct pq_buf *name)
{
	struct pq_arena *arena = &search->d->arena;
	const char *text = pq_buf_take(name);

	if (!text || !pq_vec_push_in(arena, &batch->names, text) ||
	    !pq_vec_push_in(arena, &batch->events, event))
		return pq_fail_memory(search->d->reterr);
	return 0;
}

static int add(struct search *search, struct batch *batch, const struct pmuq_pfm_event *event,
	       const char *umask)
{
	struct pq_buf name = PQ_BUF_IN(&search->d->arena);

	pq_buf_print(&name, "%s::%s%s%s", search->pfm_pmu, event->name.p, umask ? ":" : "",
		     umask ? umask : "");
	return add_name(search, batch, event, &name);
}

/* The event with each of its umasks, or the first `max` of them. */
static int add_umasks(struct search *search, struct batch *batch,
		      const struct pmuq_pfm_event *event, size_t max)
{
	size_t n = 0;
	int r = 0;

	for (size_t i = 0; r == 0 && n < max && i < event->n_attributes; i++) {
		if (!is_umask(event, i))
			continue;
		r = add(search, batch, event, pmuq_pfm_event_attribute(event, i)->name.p);
		n++;
	}
	return r < 0 || n ? r : add(search, batch, event, NULL);
}

static int encode_batch(struct search *search, struct batch *batch)
{
	struct pq_decoder *d = search->d;

	return batch->names.n ? pmuq_pfm_encode(d->pfm, NULL, batch->names.v, batch->names.n,
						&batch->encodings, d->reterr)
			      : 0;
}

/* The code of a name of the batch; NULL if libpfm4 rejected the name. */
static const struct pmuq_pfm_code *code_of(const struct batch *batch, size_t index)
{
	const struct pmuq_pfm_encoding *encoding = pmuq_pfm_encodings_get(batch->encodings, index);
	const struct pmuq_pfm_code *code;

	if (!encoding || encoding->error || !encoding->n_codes)
		return NULL;
	code = pmuq_pfm_encoding_code(encoding, 0);
	return code->scope == PMUQ_PFM_GENERIC ? NULL : code;
}

/* -------------------------------------------------------------------------------------- events */

static const struct pmuq_format *find_format(const struct pmuq_pmu *pmu, struct pmuq_str name)
{
	const struct pmuq_format *format = pq_def_format(pq_def_of(pmu), name);

	return format && format->bits.word >= 0 ? format : NULL;
}

/* Whether the code has the attr's event number. True if the number is unknown. */
static bool has_event_code(const struct search *search, const struct pmuq_pfm_code *code)
{
	const struct pmuq_format *format = find_format(search->pmu, STR("event"));
	struct pmuq_bits bits;

	if (!code || !format)
		return true;
	bits = format->bits;
	return !((code->config[(size_t)bits.word] ^ search->d->words.v[bits.word]) & bits.mask);
}

static int encode_events(struct search *search, const struct pmuq_pfm_events *events,
			 struct batch *batch)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < pmuq_pfm_events_count(events); i++)
		r = add_umasks(search, batch, pmuq_pfm_events_get(events, i), 1);
	return r < 0 ? r : encode_batch(search, batch);
}

/* All umasks of those events of `first` that can be the attr's. */
static int encode_umasks(struct search *search, const struct batch *first, struct batch *batch)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < first->names.n; i++)
		if (has_event_code(search, code_of(first, i)))
			r = add_umasks(search, batch, first->events.v[i], SIZE_MAX);
	return r < 0 ? r : encode_batch(search, batch);
}

/* ------------------------------------------------------------------------------------- matches */

static bool has_modifier(const struct pmuq_pfm_event *event, const char *modifier)
{
	for (size_t i = 0; i < event->n_attributes; i++)
		if (!is_umask(event, i) &&
		    strcmp(pmuq_pfm_event_attribute(event, i)->name.p, modifier) == 0)
			return true;
	return false;
}

/* Bits of the attr that the code does not have, as modifiers of the event. False if there are no
 * modifiers for some of them. */
static bool write_rest(const struct search *search, const struct pmuq_pfm_event *event,
		       const struct pmuq_pfm_code *code, struct pq_buf *text)
{
	const struct pq_words *words = &search->d->words;
	struct pq_words rest;
	uint64_t any = 0;

	for (unsigned word = 0; word < PQ_CONFIG_WORDS; word++)
		rest.v[word] = words->v[word] ^ code->config[word];
	for (size_t i = 0; i < COUNT(count_terms); i++) {
		const struct pmuq_format *format = find_format(search->pmu, count_terms[i].format);

		if (!format || !(rest.v[format->bits.word] & format->bits.mask) ||
		    !has_modifier(event, count_terms[i].modifier))
			continue;
		pq_buf_print(text, ":%s=%llu", count_terms[i].modifier,
			     (unsigned long long)pq_bits_gather(format->bits.mask,
								words->v[format->bits.word]));
		rest.v[format->bits.word] &= ~format->bits.mask;
	}
	for (unsigned word = 0; word < PQ_CONFIG_WORDS; word++)
		any |= rest.v[word];
	return !any;
}

/* The modifiers as libpfm4 writes them; false if it has none for a letter. */
static bool write_letters(const char *letters, struct pq_buf *text)
{
	const struct pq_modifier *m;

	for (; *letters; letters++) {
		unsigned times = 1;

		m = pq_modifier_of(*letters);
		if (!*m->in_libpfm4)
			return false;
		for (; letters[1] == m->letter; letters++)
			times++;
		pq_buf_print(text, ":%s", m->in_libpfm4);
		if (m->effect == PQ_MODIFIER_COUNTS)
			pq_buf_print(text, "%u", times);
	}
	return true;
}

static bool is_exact(const struct search *search, const struct pmuq_pfm_code *code)
{
	for (unsigned word = 0; word < PQ_CONFIG_WORDS; word++)
		if (code->config[word] != search->d->words.v[word])
			return false;
	return true;
}

/* Names whose bits are exactly the attr's are offered before names that need modifiers. */
static int offer_matches(struct search *search, const struct batch *batch, bool with_exact)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < batch->names.n; i++) {
		cleanup(pq_buf_free) struct pq_buf text = PQ_BUF_NULL;
		const struct pmuq_pfm_code *code = code_of(batch, i);

		if (!code || is_exact(search, code) != with_exact)
			continue;
		pq_buf_add(&text, str_of(batch->names.v[i]));
		if (!write_rest(search, batch->events.v[i], code, &text) ||
		    !write_letters(search->d->modifiers, &text))
			continue;
		if (text.failed)
			return pq_fail_memory(search->d->reterr);
		search->n_offered++;
		r = pq_offer_text(search->d, PQ_RANK_PFM, pq_buf_str(&text));
	}
	return r;
}

/* ----------------------------------------------------------------------- several umasks together
 */

/*
 * The umasks of one event: `n` names of the batch `all`, from `at` on. Each pair of them is a name
 * of the batch `pairs`, from `pairs_at` on, in the order of the first and then the second umask.
 */
struct run {
	const struct batch *all;
	struct batch *pairs;
	size_t at, n, pairs_at;
};

/* With more, the user would wait too long. */
#define PAIRS_MAX 8192u

static size_t count_pairs(const struct run *run)
{
	return run->n * (run->n - 1) / 2;
}

/* The next event of the batch; false after the last, or if its pairs would exceed PAIRS_MAX. */
static bool next_run(struct run *run)
{
	run->pairs_at += run->n ? count_pairs(run) : 0;
	run->at += run->n;
	run->n = 0;
	while (run->at + run->n < run->all->names.n && run->n < PAIRS_MAX &&
	       run->all->events.v[run->at + run->n] == run->all->events.v[run->at])
		run->n++;
	return run->n > 0 && run->pairs_at + count_pairs(run) <= PAIRS_MAX;
}

/* One name with all umasks of `picked`. */
static int add_picked(struct search *search, const struct batch *all, const size_t *picked,
		      size_t n, struct batch *ret)
{
	struct pq_buf name = PQ_BUF_IN(&search->d->arena);
	const struct pmuq_pfm_event *event = all->events.v[picked[0]];
	size_t before = strlen(search->pfm_pmu) + 2 + strlen(event->name.p);

	pq_buf_add(&name, str_of(all->names.v[picked[0]]));
	for (size_t i = 1; i < n; i++)
		pq_buf_add(&name, str_of(all->names.v[picked[i]] + before));
	return add_name(search, ret, event, &name);
}

static int add_pairs(struct search *search, const struct run *run)
{
	int r = 0;

	for (size_t i = run->at; r == 0 && i < run->at + run->n; i++)
		for (size_t k = i + 1; r == 0 && k < run->at + run->n; k++)
			r = add_picked(search, run->all, (const size_t[]){ i, k }, 2, run->pairs);
	return r;
}

static void intersect(struct pq_words *own, const struct pmuq_pfm_code *code)
{
	for (unsigned word = 0; code && word < PQ_CONFIG_WORDS; word++)
		own->v[word] &= code->config[word];
}

/* A umask's own bits are those set in every combination; the rest are libpfm4's defaults for groups
 * that were not named. */
static void find_own(const struct run *run, struct pq_words *own)
{
	size_t pair = run->pairs_at;

	for (size_t i = 0; i < run->n; i++) {
		memset(&own[i], 0xff, sizeof(own[i]));
		intersect(&own[i], code_of(run->all, run->at + i));
	}
	for (size_t i = 0; i < run->n; i++)
		for (size_t k = i + 1; k < run->n; k++, pair++) {
			intersect(&own[i], code_of(run->pairs, pair));
			intersect(&own[k], code_of(run->pairs, pair));
		}
}

static int add_together(struct search *search, const struct run *run, struct batch *ret)
{
	struct pq_words *own = pq_arena_array(&search->d->arena, run->n, sizeof(*own));
	size_t picked[PQ_PICKED_MAX], n;

	if (!own)
		return pq_fail_memory(search->d->reterr);
	find_own(run, own);
	n = pq_pick_umasks(own, run->n, &search->d->words, picked);
	for (size_t i = 0; i < n; i++)
		picked[i] += run->at;
	return n ? add_picked(search, run->all, picked, n, ret) : 0;
}

/* The last step, because it encodes thousands of names: each pair of umasks, then the combinations
 * that the pairs suggest. */
static int search_together(struct search *search, const struct batch *all)
{
	cleanup(clear_batch) struct batch pairs = { 0 }, batch = { 0 };
	struct run run = { .all = all, .pairs = &pairs };
	int r = 0;

	while (r == 0 && next_run(&run))
		r = add_pairs(search, &run);
	if (r == 0)
		r = encode_batch(search, &pairs);
	run = (struct run){ .all = all, .pairs = &pairs };
	while (r == 0 && next_run(&run))
		r = add_together(search, &run, &batch);
	if (r == 0)
		r = encode_batch(search, &batch);
	if (r == 0)
		r = offer_matches(search, &batch, true);
	return r < 0 || search->n_offered ? r : offer_matches(search, &batch, false);
}

static int search_events(struct search *search)
{
	cleanup(pmuq_pfm_events_freep) struct pmuq_pfm_events *events = NULL;
	cleanup(clear_batch) struct batch first = { 0 }, all = { 0 };
	struct pq_decoder *d = search->d;
	int r = pmuq_pfm_list_events(d->pfm, search->pfm_pmu, true, &events, d->reterr);

	if (r == 0)
		r = encode_events(search, events, &first);
	if (r == 0)
		r = encode_umasks(search, &first, &all);
	if (r == 0)
		r = offer_matches(search, &all, true);
	if (r == 0 && !search->n_offered)
		r = offer_matches(search, &all, false);
	return r < 0 || search->n_offered ? r : search_together(search, &all);
}

/* ---------------------------------------------------------------------------------------- PMUs */

static bool is_of_cpu(const struct pmuq_pfm_pmu *pmu, const char *cpuid)
{
	return pmu->type != PMUQ_PFM_PMU_GENERIC && pmuq_pfm_is_of_cpu(pmu->name.p, cpuid);
}

/* For libpfm4 an unknown CPU has every PMU; names would then be guesses. */
static bool is_known_cpu(const struct pmuq_pfm_pmus *pmus, const char *cpuid)
{
	for (size_t i = 0; i < pmuq_pfm_pmus_count(pmus); i++) {
		const struct pmuq_pfm_pmu *pmu = pmuq_pfm_pmus_get(pmus, i);

		if (pmu->type == PMUQ_PFM_PMU_CORE && !is_of_cpu(pmu, cpuid))
			return true;
	}
	return false;
}

/* Whether its events count on the machine's PMU. */
static bool counts_on(const struct pmuq_pfm_pmu *of, const struct pmuq_pmu *pmu)
{
	if (str_eq(of->sysfs, pmu->name))
		return true;
	return pmu->is_core && of->type == PMUQ_PFM_PMU_CORE;
}

static int search_pmus(struct pq_decoder *d, const struct pmuq_pmu *pmu, const char *cpuid)
{
	cleanup(pmuq_pfm_pmus_freep) struct pmuq_pfm_pmus *pmus = NULL;
	int r = pmuq_pfm_list_pmus(d->pfm, &pmus, d->reterr);

	if (r < 0 || !is_known_cpu(pmus, cpuid))
		return r;
	for (size_t i = 0; r == 0 && i < pmuq_pfm_pmus_count(pmus); i++) {
		const struct pmuq_pfm_pmu *of = pmuq_pfm_pmus_get(pmus, i);
		struct search search = { .d = d, .pmu = pmu, .pfm_pmu = of->name.p };

		if (is_of_cpu(of, cpuid) && counts_on(of, pmu))
			r = search_events(&search);
	}
	return r;
}

static bool may_use_pfm(const struct pq_decoder *d)
{
	return d->pfm && !d->options.pfm && d->options.dialect != PMUQ_DIALECT_PERF &&
	       pq_decode_allows(d, PMUQ_FROM_PFM) && !d->branch.n;
}

int pq_decode_pfm(struct pq_decoder *d)
{
	struct pq_lookup lookup = d->lookup;
	struct pq_pmu_list all;
	struct pmuq_str cpuid;
	int r;

	if (!may_use_pfm(d))
		return 0;
	r = lookup.ops->fact(lookup.self, PQ_CLASS_CPUID, &cpuid, d->reterr);
	if (r != 0)
		return r == PQ_NONE ? 0 : r;
	d->options.pfm = d->pfm;
	r = lookup.ops->list_pmus(lookup.self, &all, d->reterr);
	for (size_t i = 0; r == 0 && i < all.n; i++) {
		r = lookup.ops->fill(lookup.self, all.v[i], d->reterr);
		if (r != 0 || !all.v[i]->has_type || all.v[i]->type != d->wanted.type)
			continue;
		r = lookup.ops->load(lookup.self, all.v[i], d->reterr);
		if (r == 0)
			r = search_pmus(d, all.v[i], cpuid.p);
	}
	return r;
}
