/* SPDX-License-Identifier: MIT */
/*
 * Events and their attributes. An index is the PMU's number and the position of the event in its
 * list, in libpfm4's order, or for a PMU of sysfs in the order of the names. Events that a string
 * made have positions after all lists.
 */
#include "compat/compat.h"
#include <stdlib.h>

#define POSITION_MASK ((1 << COMPAT_INDEX_SHIFT) - 1)
#define MADE_FIRST (1 << (COMPAT_INDEX_SHIFT - 1))

/* ---- what an index means */

struct compat_found {
	struct compat_pmu *pmu;
	pfm_pmu_t id;
	const struct pmuq_pfm_event *library; /* of libpfm4, with attributes; or NULL */
	const char *name;	 /* of an own event, also of one that a string made; or NULL */
	const char *description; /* of it */
	const struct compat_subsystem *subsystem; /* of tracepoints, or NULL */
	bool is_made;
};

/* The events of a PMU of libpfm4 with the attributes of a layer. */
static int load_events(struct compat *c, struct compat_pmu *pmu, pfm_os_t os)
{
	return pmu->events[os] ? PFM_SUCCESS
			       : compat_error(pmuq_pfm_list_events_of(c->pfm, pmu->library->name.p,
								      (enum pmuq_pfm_layer)os,
								      &pmu->events[os], NULL));
}

static void find_made(const struct compat *c, size_t position, struct compat_found *ret)
{
	if (position < c->n_made && c->made[position].pmu == ret->id)
		ret->name = ret->description = c->made[position].name;
	ret->is_made = true;
}

static void find_own(size_t position, struct compat_found *ret)
{
	const struct pmuq_event *event = pmuq_pmu_event(ret->pmu->own, position);

	if (!event)
		return;
	ret->name = event->name.p;
	ret->description = event->terms.p;
}

static void find_subsystem(const struct compat *c, size_t position, struct compat_found *ret)
{
	if (position >= ret->pmu->n_subsystems)
		return;
	ret->subsystem = &c->subsystems[position];
	ret->name = ret->subsystem->name;
	ret->description = "tracepoints";
}

static int find_library(struct compat *c, size_t position, pfm_os_t os, struct compat_found *ret)
{
	int r = load_events(c, ret->pmu, os);

	if (r == PFM_SUCCESS)
		ret->library = pmuq_pfm_events_get(ret->pmu->events[os], position);
	return r;
}

/* PFM_ERR_INVAL if no event has the index. */
static int find(struct compat *c, int index, pfm_os_t os, struct compat_found *ret)
{
	size_t position = (size_t)(index & POSITION_MASK);
	int r = PFM_SUCCESS;

	*ret = (struct compat_found){ .id = (pfm_pmu_t)(index >> COMPAT_INDEX_SHIFT) };
	if (index >= 0)
		ret->pmu = compat_pmu(c, ret->id);
	if (!ret->pmu)
		return PFM_ERR_INVAL;
	if (position >= MADE_FIRST)
		find_made(c, position - MADE_FIRST, ret);
	else if (ret->pmu->own)
		find_own(position, ret);
	else if (position >= ret->pmu->library->n_events)
		find_subsystem(c, position - ret->pmu->library->n_events, ret);
	else
		r = find_library(c, position, os, ret);
	return r != PFM_SUCCESS || ret->library || ret->name ? r : PFM_ERR_INVAL;
}

int compat_index_of(struct compat *c, unsigned id, unsigned event)
{
	struct compat_pmu *pmu = compat_pmu(c, id);
	int r = pmu && pmu->library ? load_events(c, pmu, PFM_OS_NONE) : PFM_ERR_NOTFOUND;
	const struct pmuq_pfm_events *events = r == PFM_SUCCESS ? pmu->events[PFM_OS_NONE] : NULL;

	for (size_t i = 0; events && i < pmuq_pfm_events_count(events); i++)
		if (pmuq_pfm_events_get(events, i)->index == event)
			return compat_index((pfm_pmu_t)id, i);
	return events ? PFM_ERR_NOTFOUND : r;
}

int compat_index_of_subsystem(struct compat *c, int position)
{
	const struct compat_pmu *perf = compat_pmu(c, PFM_PMU_PERF_EVENT);

	if (position < 0 || !perf || !perf->library)
		return PFM_ERR_NOTFOUND;
	return compat_index(PFM_PMU_PERF_EVENT, perf->library->n_events + (size_t)position);
}

int compat_make(struct compat *c, pfm_pmu_t pmu, const char *name)
{
	struct compat_made *made;
	size_t i = 0;

	while (i < c->n_made && (c->made[i].pmu != pmu || strcmp(c->made[i].name, name) != 0))
		i++;
	if (i < c->n_made)
		return compat_index(pmu, MADE_FIRST + i);
	made = i < MADE_FIRST ? realloc(c->made, (i + 1) * sizeof(*made)) : NULL;
	if (!made)
		return PFM_ERR_NOMEM;
	c->made = made;
	made[i] = (struct compat_made){ .pmu = pmu, .name = strdup(name) };
	if (!made[i].name)
		return PFM_ERR_NOMEM;
	c->n_made++;
	return compat_index(pmu, MADE_FIRST + i);
}

static int next_of(struct compat *c, int index)
{
	struct compat_found event;

	if (find(c, index, PFM_OS_NONE, &event) != PFM_SUCCESS || event.is_made)
		return -1;
	return find(c, index + 1, PFM_OS_NONE, &event) == PFM_SUCCESS ? index + 1 : -1;
}

int pfm_get_event_next(int index)
{
	COMPAT_LOCK(c);

	return compat_load(c) == PFM_SUCCESS ? next_of(c, index) : -1;
}

/* ---- the attributes of an own event: the PMU's formats, then the modifiers */

static enum compat_type type_of_event(const struct compat_found *event)
{
	if (event->subsystem)
		return COMPAT_TRACEPOINT;
	return event->pmu->own && event->pmu->own->is_core ? COMPAT_CORE : COMPAT_UNCORE;
}

/* The attributes before the modifiers. */
static size_t count_own(const struct compat_found *event)
{
	if (event->subsystem)
		return event->subsystem->n;
	return event->pmu->own ? event->pmu->own->definition->n_formats : 0;
}

static size_t count_words(const struct compat_found *event, pfm_os_t os)
{
	size_t n = 0;

	for (size_t i = 0; i < COMPAT_WORDS; i++)
		n += compat_has_word(&compat_words[i], type_of_event(event), os);
	return n;
}

static const struct compat_word *word_at(const struct compat_found *event, pfm_os_t os,
					 size_t index)
{
	for (size_t i = 0; i < COMPAT_WORDS; i++)
		if (compat_has_word(&compat_words[i], type_of_event(event), os) && !index--)
			return &compat_words[i];
	return NULL;
}

static void fill_tracepoint(struct compat *c, const struct compat_found *event, size_t index,
			    pfm_event_attr_info_t *ret)
{
	const char *name = compat_tracepoint(c, event->subsystem, index);

	/* Without a readable id it is listed, and cannot be encoded. */
	compat_tracepoint_id(c, name, &ret->code);
	ret->name = ret->desc = strchr(name, ':') + 1;
	ret->type = PFM_ATTR_UMASK;
	ret->ctrl = PFM_ATTR_CTRL_PMU;
}

static void fill_format(const struct pmuq_format *format, pfm_event_attr_info_t *ret)
{
	ret->name = format->name.p;
	ret->desc = format->text.p;
	ret->code = format->bits.mask;
	ret->type = PFM_ATTR_MOD_INTEGER;
	ret->ctrl = PFM_ATTR_CTRL_PMU;
}

static void fill_word(const struct compat_word *word, pfm_event_attr_info_t *ret)
{
	ret->name = word->name;
	ret->desc = word->description;
	ret->code = (uint64_t)(word - compat_words);
	ret->type = word->is_number ? PFM_ATTR_MOD_INTEGER : PFM_ATTR_MOD_BOOL;
	ret->ctrl = PFM_ATTR_CTRL_PERF_EVENT;
}

static bool own_attribute(struct compat *c, const struct compat_found *event, size_t index,
			  pfm_os_t os, pfm_event_attr_info_t *ret)
{
	size_t n = count_own(event);
	const struct compat_word *word;

	if (index < n && event->subsystem) {
		fill_tracepoint(c, event, index, ret);
		return true;
	}
	if (index < n) {
		fill_format(pmuq_pmu_format(event->pmu->own, index), ret);
		return true;
	}
	word = word_at(event, os, index - n);
	if (word)
		fill_word(word, ret);
	return word != NULL;
}

/* ---- libpfm4's */

static void fill_event(const struct pmuq_pfm_event *event, pfm_event_info_t *ret)
{
	ret->name = event->name.p;
	ret->desc = event->description.p;
	ret->equiv = event->same_as.n ? event->same_as.p : NULL;
	ret->code = event->code;
	ret->dtype = (pfm_dtype_t)event->data_type;
	ret->nattrs = (int)event->n_attributes;
	ret->is_precise = event->is_precise;
	ret->is_speculative = event->speculation;
	ret->support_hw_smpl = event->has_hw_sample;
}

static bool library_attribute(const struct pmuq_pfm_event *event, size_t index,
			      pfm_event_attr_info_t *ret)
{
	const struct pmuq_pfm_attribute *attribute = pmuq_pfm_event_attribute(event, index);

	if (!attribute)
		return false;
	ret->name = attribute->name.p;
	ret->desc = attribute->description.p;
	ret->equiv = attribute->same_as.n ? attribute->same_as.p : NULL;
	ret->code = attribute->code;
	ret->type = attribute->type == PMUQ_PFM_UMASK  ? PFM_ATTR_UMASK
		    : attribute->type == PMUQ_PFM_FLAG ? PFM_ATTR_MOD_BOOL
						       : PFM_ATTR_MOD_INTEGER;
	ret->ctrl = attribute->is_of_perf ? PFM_ATTR_CTRL_PERF_EVENT : PFM_ATTR_CTRL_PMU;
	ret->is_dfl = attribute->is_default;
	ret->is_precise = attribute->is_precise;
	ret->is_speculative = attribute->speculation;
	ret->support_hw_smpl = attribute->has_hw_sample;
	ret->dfl_val64 = attribute->default_value;
	return true;
}

/* ---- the calls */

static void fill_own(const struct compat_found *event, pfm_os_t os, pfm_event_info_t *ret)
{
	ret->name = event->name;
	ret->desc = event->description;
	ret->dtype = PFM_DTYPE_UINT64;
	ret->nattrs = (int)(count_own(event) + count_words(event, os));
}

pfm_err_t pfm_get_event_info(int index, pfm_os_t os, pfm_event_info_t *output)
{
	COMPAT_LOCK(c);
	pfm_event_info_t info = { .size = sizeof(info), .idx = index };
	struct compat_found event;
	size_t bytes;
	int r = compat_load(c);

	if (r != PFM_SUCCESS)
		return r;
	if ((unsigned)os >= PFM_OS_MAX || !output)
		return PFM_ERR_INVAL;
	r = find(c, index, os, &event);
	if (r != PFM_SUCCESS)
		return r;
	bytes = compat_size(output, output->size, PFM_EVENT_INFO_ABI0, sizeof(info));
	if (!bytes)
		return PFM_ERR_INVAL;
	info.pmu = event.id;
	if (event.library)
		fill_event(event.library, &info);
	else
		fill_own(&event, os, &info);
	memcpy(output, &info, bytes);
	return PFM_SUCCESS;
}

pfm_err_t pfm_get_event_attr_info(int index, int attribute, pfm_os_t os,
				  pfm_event_attr_info_t *output)
{
	COMPAT_LOCK(c);
	pfm_event_attr_info_t info = { .size = sizeof(info), .idx = attribute };
	struct compat_found event;
	size_t bytes;
	int r = compat_load(c);

	if (r != PFM_SUCCESS)
		return r;
	if (attribute < 0 || (unsigned)os >= PFM_OS_MAX || !output)
		return PFM_ERR_INVAL;
	r = find(c, index, os, &event);
	if (r != PFM_SUCCESS)
		return r;
	bytes = compat_size(output, output->size, PFM_ATTR_INFO_ABI0, sizeof(info));
	if (!bytes || !(event.library ? library_attribute(event.library, (size_t)attribute, &info)
				      : own_attribute(c, &event, (size_t)attribute, os, &info)))
		return PFM_ERR_INVAL;
	memcpy(output, &info, bytes);
	return PFM_SUCCESS;
}
