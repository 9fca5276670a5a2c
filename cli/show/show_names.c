/* SPDX-License-Identifier: MIT */
/*
 * The names of an event in other sources: those that set the same bits on the same PMU. The bits of
 * a generic event are those of the PMU's file of that name; without such a file only the kernel
 * knows them.
 */
#include "cli/events/fold_encodings.h"
#include "cli/or_die.h"
#include "cli/show/show.h"
#include "core/attr/attr.h"
#include <string.h>

/* Words of an event string end at its delimiters; a name may be part of a longer word. */
bool show_names_event(const char *string, const char *name)
{
	static const char ends[] = "/,:{} \t\n";
	size_t n = strlen(name);

	for (const char *at = string; n > 0 && (at = strcasestr(at, name)); at++)
		if ((at == string || strchr(ends, at[-1])) && (!at[n] || strchr(ends, at[n])))
			return true;
	return false;
}

struct name_search {
	struct shown_event *event;
	struct pmuq_attr bits, generic; /* as terms of the PMU; as a generic event */
	bool has_bits, has_generic;
};

/* Modifiers and sampling are not part of the event, so the other fields may differ. */
static bool same_bits(const struct pmuq_attr *a, const struct pmuq_attr *b)
{
	return a->type == b->type && a->config == b->config && a->config1 == b->config1 &&
	       a->config2 == b->config2 && a->config3 == b->config3 && a->config4 == b->config4;
}

/* The attr of the text on the PMU, without an event that encoding adds ("slots"). */
static bool encode_here(const struct name_search *search, const char *text, unsigned from,
			struct pmuq_attr *ret)
{
	cleanup(pmuq_encodings_freep) struct pmuq_encodings *encodings = NULL;
	const struct pmuq_encode_options options = {
		.size = sizeof(options),
		.from = from,
		.vendor = search->event->machine->vendor,
	};

	if (optional_or_die(pmuq_catalog_encode(search->event->machine->catalog, text, &options,
						&encodings, NULL)) < 0)
		return false;
	for (size_t i = 0; i < pmuq_encodings_count(encodings); i++) {
		const struct pmuq_encoding *encoding = pmuq_encodings_get(encodings, i);
		const struct pmuq_attr *attr = encoding->attr;
		const char *pmu = encoding->pmu.p;

		if (!pmu || strcmp(pmu, search->event->pmu->name.p) != 0 ||
		    strcmp(encoding->name.p, text) != 0)
			continue;
		*ret = (struct pmuq_attr){ 0 };
		memcpy(ret, attr, attr->size);
		return true;
	}
	return false;
}

/* An event of the PMU by its name, from one source only. */
static bool encode_event(const struct name_search *search, const char *name,
			 enum pmuq_origin origin, struct pmuq_attr *ret)
{
	auto_free char *text = print_or_die("%s/%s/", search->event->pmu->name.p, name);

	return encode_here(search, text, origin | PMUQ_FROM_FORMAT, ret);
}

/* By the type alone: the kernel translates these events itself. */
static bool is_generic(const struct pmuq_attr *attr)
{
	return attr->type == PQ_TYPE_HARDWARE || attr->type == PQ_TYPE_SOFTWARE ||
	       attr->type == PQ_TYPE_HW_CACHE;
}

/* The event's bits as terms of its PMU, and as a generic event: a file with the name of a generic
 * event connects both. */
static void find_bits(struct name_search *search)
{
	const struct pmuq_attr *attr = search->event->encoding->attr;
	struct pmuq_attr own = { 0 }, generic, file;

	memcpy(&own, attr, attr->size);
	search->has_generic = is_generic(&own);
	search->has_bits = !search->has_generic;
	search->bits = search->generic = own;
	for (size_t i = 0; i < search->event->pmu->definition->n_events; i++) {
		const char *name = pmuq_pmu_event(search->event->pmu, i)->name.p;

		if (!encode_here(search, name, PMUQ_FROM_GENERIC, &generic) ||
		    !encode_event(search, name, PMUQ_FROM_SYSFS, &file))
			continue;
		if (!same_bits(is_generic(&own) ? &generic : &file, &own))
			continue;
		search->bits = file;
		search->generic = generic;
		search->has_bits = search->has_generic = true;
		return;
	}
}

/* Another name in the source of the name that the user wrote is not useful. */
static void add_name(struct name_search *search, const char *name, enum pmuq_origin origin)
{
	const char *own = search->event->own;
	struct shown_name found = { .origin = origin };

	if (search->event->encoding->origin == origin &&
	    (show_names_event(own, name) || strcmp(own, name) == 0))
		return;
	found.text = or_die(strdup(name));
	push_or_die(&search->event->names, found);
}

/* The PMU's files in sysfs. */
static void add_files(struct name_search *search)
{
	struct pmuq_attr attr;

	for (size_t i = 0; i < search->event->pmu->definition->n_events; i++) {
		const char *name = pmuq_pmu_event(search->event->pmu, i)->name.p;

		if (encode_event(search, name, PMUQ_FROM_SYSFS, &attr) &&
		    same_bits(&attr, &search->bits))
			add_name(search, name, PMUQ_FROM_SYSFS);
	}
}

/* The kernel's generic events (cycles, L1-dcache-loads …). */
static void add_generic(struct name_search *search)
{
	char name[PMUQ_GENERIC_NAME_MAX];
	struct pmuq_attr attr;

	for (size_t i = 0; pmuq_generic_name(i, name); i++)
		if (encode_here(search, name, PMUQ_FROM_GENERIC, &attr) &&
		    same_bits(&attr, &search->generic))
			add_name(search, name, PMUQ_FROM_GENERIC);
}

/* If a name means several events of the table, only the one that it means on this PMU. */
static void add_table(struct name_search *search)
{
	const struct pmuq_vendor *vendor = search->event->machine->vendor;
	struct pmuq_attr attr;

	for (size_t i = 0; vendor && i < pmuq_vendor_content(vendor)->n_events; i++) {
		const struct pmuq_vendor_event *event = pmuq_vendor_get(vendor, i);
		const char *name = event->event->name.p;

		if (pmuq_vendor_find_event(vendor, search->event->pmu, name) == event &&
		    encode_event(search, name, PMUQ_FROM_JSON, &attr) &&
		    same_bits(&attr, &search->bits))
			add_name(search, name, PMUQ_FROM_JSON);
	}
}

/* libpfm4's name for all instances, such as "skx_unc_imc" for "skx_unc_imc0"; NULL if it has
 * none. */
static char *family_name(const struct name_search *search, const char *name)
{
	const char *rest = strstr(name, "::");
	struct pmuq_pfm_pmus *pmus = NULL;
	char *text = NULL;

	if (!rest ||
	    optional_or_die(pmuq_pfm_list_pmus(search->event->machine->pfm, &pmus, NULL)) < 0)
		return NULL;
	for (size_t i = 0; !text && i < pmuq_pfm_pmus_count(pmus); i++) {
		const struct pmuq_pfm_pmu *pmu = pmuq_pfm_pmus_get(pmus, i);
		const char *own = pmu->name.p, *family = pmu->family.p;
		size_t n = strlen(own);

		if (n == (size_t)(rest - name) && memcmp(own, name, n) == 0 && *family)
			text = print_or_die("%s%s", family, rest);
	}
	pmuq_pfm_pmus_free(pmus);
	return text;
}

static void add_pfm_name(struct name_search *search, const char *name)
{
	auto_free char *family = search->event->fold->n > 1 ? family_name(search, name) : NULL;

	add_name(search, family ? family : name, PMUQ_FROM_PFM);
}

/* Further names would be names of the same event in libpfm4 itself. */
#define PFM_NAMES_MAX 4u

/* Compares the bits of the event only, without its modifiers. */
static void add_pfm(struct name_search *search)
{
	const struct pmuq_decode_options options = {
		.size = sizeof(options),
		.from = PMUQ_FROM_PFM,
		.pfm = search->event->machine->pfm,
	};
	struct pmuq_attr bits = {
		.type = search->bits.type,
		.size = sizeof(bits),
		.config = search->bits.config,
		.config1 = search->bits.config1,
		.config2 = search->bits.config2,
	};
	struct pmuq_decoding *decoding = NULL;

	if (!search->event->machine->pfm ||
	    optional_or_die(pmuq_catalog_decode(search->event->machine->catalog, &bits, &options,
						&decoding, NULL)) < 0)
		return;
	if (decoding->origin == PMUQ_FROM_PFM && decoding->is_exact)
		add_pfm_name(search, decoding->text.p);
	for (size_t i = 0; i < decoding->n_alternatives && i < PFM_NAMES_MAX; i++)
		if (strstr(decoding->alternatives[i].p, "::"))
			add_pfm_name(search, decoding->alternatives[i].p);
	pmuq_decoding_free(decoding);
}

void show_find_names(struct shown_event *event)
{
	struct name_search search = { .event = event };

	if (!event->pmu)
		return;
	find_bits(&search);
	if (search.has_bits)
		add_files(&search);
	if (search.has_generic)
		add_generic(&search);
	if (search.has_bits) {
		add_table(&search);
		add_pfm(&search);
	}
}
