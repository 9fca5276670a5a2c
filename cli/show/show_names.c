/* SPDX-License-Identifier: MIT */
/*
 * By which names the other sources know an event: those that put the same bits on the same PMU. To
 * the kernel, a generic event is what the PMU's own file of that name says; where there is no such
 * file, nobody outside of the kernel can tell.
 */
#include "cli/events/fold_encodings.h"
#include "cli/show/show.h"
#include <string.h>

/* The kernel's types of generic events. */
enum {
	TYPE_HARDWARE = 0,
	TYPE_SOFTWARE = 1,
	TYPE_CACHE = 3,
};

struct search {
	const struct shown_machine *machine;
	const struct pmuq_encoding *encoding;
	const char *string; /* as it was asked for */
	const struct pmuq_pmu *pmu;
	struct pmuq_attr bits, generic; /* of the PMU's own terms; as a generic event */
	bool has_bits, has_generic;
	bool is_family; /* all instances of a kind were asked for */
	size_t n_shown;
};

static bool same_bits(const struct pmuq_attr *a, const struct pmuq_attr *b)
{
	return a->type == b->type && a->config == b->config && a->config1 == b->config1 &&
	       a->config2 == b->config2 && a->config3 == b->config3 && a->config4 == b->config4;
}

/* What the text is on the PMU at hand, without what encoding sets beside it ("slots"). */
static bool encode_here(const struct search *search, const char *text, unsigned from,
			struct pmuq_attr *ret)
{
	cleanup(encodings_freep) struct pmuq_encodings *encodings = NULL;
	const struct pmuq_encode_options options = {
		.size = sizeof(options),
		.from = from,
		.vendor = search->machine->vendor,
	};

	if (pmuq_catalog_encode(search->machine->catalog, text, &options, &encodings, NULL) < 0)
		return false;
	for (size_t i = 0; i < pmuq_encodings_count(encodings); i++) {
		const struct pmuq_encoding *encoding = pmuq_encodings_get(encodings, i);
		const struct pmuq_attr *attr = encoding->attr;
		const char *pmu = encoding->pmu.p;

		if (!pmu || strcmp(pmu, search->pmu->name.p) != 0 ||
		    strcmp(encoding->name.p, text) != 0)
			continue;
		*ret = (struct pmuq_attr){ 0 };
		memcpy(ret, attr, attr->size);
		return true;
	}
	return false;
}

static bool encode_event(const struct search *search, const char *name, enum pmuq_origin origin,
			 struct pmuq_attr *ret)
{
	auto_free char *text = NULL;

	return asprintf(&text, "%s/%s/", search->pmu->name.p, name) >= 0 &&
	       encode_here(search, text, origin | PMUQ_FROM_FORMAT, ret);
}

static bool is_generic(const struct pmuq_attr *attr)
{
	return attr->type == TYPE_HARDWARE || attr->type == TYPE_SOFTWARE ||
	       attr->type == TYPE_CACHE;
}

/* What the event is as terms of its PMU, and as a generic one: a file that has the name of a
 * generic event leads from one to the other. */
static void find_bits(struct search *search)
{
	const struct pmuq_attr *attr = search->encoding->attr;
	struct pmuq_attr own = { 0 }, generic, file;

	memcpy(&own, attr, attr->size);
	search->has_generic = is_generic(&own);
	search->has_bits = !search->has_generic;
	search->bits = search->generic = own;
	for (size_t i = 0; i < search->pmu->definition->n_events; i++) {
		const char *name = pmuq_pmu_event(search->pmu, i)->name.p;

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

static void show_name(struct search *search, const char *name, enum pmuq_origin origin)
{
	if (search->encoding->origin == origin &&
	    (show_names_event(search->string, name) || strcmp(search->string, name) == 0))
		return;
	show_print(search->n_shown++ ? "" : "same as", "%s (%s)", name, pmuq_origin_name(origin));
}

static void show_files(struct search *search)
{
	struct pmuq_attr attr;

	for (size_t i = 0; i < search->pmu->definition->n_events; i++) {
		const char *name = pmuq_pmu_event(search->pmu, i)->name.p;

		if (encode_event(search, name, PMUQ_FROM_SYSFS, &attr) &&
		    same_bits(&attr, &search->bits))
			show_name(search, name, PMUQ_FROM_SYSFS);
	}
}

static void show_generic(struct search *search)
{
	char name[PMUQ_GENERIC_NAME_MAX];
	struct pmuq_attr attr;

	for (size_t i = 0; pmuq_generic_name(i, name); i++)
		if (encode_here(search, name, PMUQ_FROM_GENERIC, &attr) &&
		    same_bits(&attr, &search->generic))
			show_name(search, name, PMUQ_FROM_GENERIC);
}

static void show_table(struct search *search)
{
	const struct pmuq_vendor *vendor = search->machine->vendor;
	struct pmuq_attr attr;

	for (size_t i = 0; vendor && i < pmuq_vendor_content(vendor)->n_events; i++) {
		const struct pmuq_vendor_event *event = pmuq_vendor_get(vendor, i);
		const char *name = event->event->name.p;

		if (pmuq_vendor_find_event(vendor, search->pmu, name) == event &&
		    encode_event(search, name, PMUQ_FROM_JSON, &attr) &&
		    same_bits(&attr, &search->bits))
			show_name(search, name, PMUQ_FROM_JSON);
	}
}

/* The name as libpfm4 has it for all instances of the kind, as "skx_unc_imc" is for "skx_unc_imc0";
 * NULL where it has none. */
static char *family_name(const struct search *search, const char *name)
{
	const char *rest = strstr(name, "::");
	struct pmuq_pfm_pmus *pmus = NULL;
	char *text = NULL;

	if (!rest || pmuq_pfm_list_pmus(search->machine->pfm, &pmus, NULL) < 0)
		return NULL;
	for (size_t i = 0; !text && i < pmuq_pfm_pmus_count(pmus); i++) {
		const struct pmuq_pfm_pmu *pmu = pmuq_pfm_pmus_get(pmus, i);
		const char *own = pmu->name.p, *family = pmu->family.p;
		size_t n = strlen(own);

		if (n == (size_t)(rest - name) && memcmp(own, name, n) == 0 && *family &&
		    asprintf(&text, "%s%s", family, rest) < 0)
			text = NULL;
	}
	pmuq_pfm_pmus_free(pmus);
	return text;
}

static void show_pfm_name(struct search *search, const char *name)
{
	auto_free char *family = search->is_family ? family_name(search, name) : NULL;

	show_name(search, family ? family : name, PMUQ_FROM_PFM);
}

/* More would be names of the same event in libpfm4 itself. */
#define PFM_NAMES_MAX 4u

/* It is asked by the bits alone, without what is no part of the event. */
static void show_pfm(struct search *search)
{
	const struct pmuq_decode_options options = {
		.size = sizeof(options),
		.from = PMUQ_FROM_PFM,
		.pfm = search->machine->pfm,
	};
	struct pmuq_attr bits = {
		.type = search->bits.type,
		.size = sizeof(bits),
		.config = search->bits.config,
		.config1 = search->bits.config1,
		.config2 = search->bits.config2,
	};
	struct pmuq_decoding *decoding = NULL;

	if (!search->machine->pfm ||
	    pmuq_catalog_decode(search->machine->catalog, &bits, &options, &decoding, NULL) < 0)
		return;
	if (decoding->origin == PMUQ_FROM_PFM && decoding->is_exact)
		show_pfm_name(search, decoding->text.p);
	for (size_t i = 0; i < decoding->n_alternatives && i < PFM_NAMES_MAX; i++)
		if (strstr(decoding->alternatives[i].p, "::"))
			show_pfm_name(search, decoding->alternatives[i].p);
	pmuq_decoding_free(decoding);
}

void show_names(const struct shown_machine *machine, const char *string, const struct fold *fold)
{
	const struct pmuq_encoding *encoding = fold_get(fold, 0);
	const char *pmu = encoding->pmu.p;
	struct search search = {
		.machine = machine,
		.encoding = encoding,
		.string = string,
		.is_family = fold->n > 1,
		.pmu = pmu ? pmuq_catalog_find_pmu(machine->catalog, pmu) : NULL,
	};

	if (!search.pmu)
		return;
	find_bits(&search);
	if (search.has_bits)
		show_files(&search);
	if (search.has_generic)
		show_generic(&search);
	if (search.has_bits)
		show_table(&search);
	if (search.has_bits)
		show_pfm(&search);
}
