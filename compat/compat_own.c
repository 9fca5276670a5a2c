/* SPDX-License-Identifier: MIT */
/*
 * Events that libpfm4 does not have: any event string of pmuq, and the aliases of PMUs of sysfs as
 * libpfm4's programs write them. The attr gets the defaults of libpfm4: the privilege of the call,
 * and no guests.
 */
#include "compat/compat.h"
#include <stdio.h>
#include <stdlib.h>

/* Who assigned the fields that libpfm4 sets by default. */
struct exclusions {
	bool has_privilege;    /* the event has one, or could have one */
	bool writes_privilege; /* with u, k or h */
	bool writes_guests;    /* with mg, mh, G or H */
};

static bool is_of(const char *field, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(field, names[i]) == 0)
			return true;
	return false;
}

/* The encoding was made for PMUQ_PRIVILEGE_USER, so that the default is an assignment. */
static struct exclusions exclusions_of(const struct pmuq_encoding *encoding)
{
	static const char *const privilege[] = { "exclude_user", "exclude_kernel", "exclude_hv" };
	static const char *const guests[] = { "exclude_guest", "exclude_host" };
	struct exclusions ret = { 0 };

	for (size_t i = 0; i < encoding->n_assignments; i++) {
		const struct pmuq_assignment *a = pmuq_encoding_assignment(encoding, i);
		bool is_written = a->cause == PMUQ_CAUSE_TEXT;

		if (is_of(a->field.p, privilege, COUNT(privilege))) {
			ret.has_privilege = true;
			ret.writes_privilege |= is_written;
		} else if (is_of(a->field.p, guests, COUNT(guests))) {
			ret.writes_guests |= is_written;
		}
	}
	return ret;
}

static void set_levels(struct pmuq_attr *attr, unsigned levels)
{
	attr->exclude_user = !(levels & PFM_PLM3);
	attr->exclude_kernel = !(levels & PFM_PLM0);
	attr->exclude_hv = !(levels & PFM_PLMH);
}

static void set_defaults(const struct exclusions *exclusions, unsigned levels,
			 struct pmuq_attr *attr)
{
	if (!exclusions->has_privilege)
		return;
	if (!exclusions->writes_privilege)
		set_levels(attr, levels);
	if (!exclusions->writes_guests)
		attr->exclude_guest = 1;
}

/* Core PMUs that count one event are alternatives: the first, like libpfm4. */
static const struct pmuq_encoding *choose(struct compat *c, const struct pmuq_encodings *encodings)
{
	const struct pmuq_encoding *first = pmuq_encodings_get(encodings, 0);

	for (size_t i = 0; i < pmuq_encodings_count(encodings); i++) {
		const struct pmuq_encoding *encoding = pmuq_encodings_get(encodings, i);
		const struct pmuq_pmu *pmu = NULL;

		if (i && (encoding->event != first->event || !encoding->pmu.p ||
			  pmuq_source_find_pmu(c->source, encoding->pmu.p, &pmu, NULL) < 0 ||
			  !pmu->is_core))
			return NULL;
	}
	return first;
}

/* The CPU of the term cpu=, which is the only one then. */
static int written_cpu(const char *text, const struct pmuq_encoding *encoding)
{
	struct pmuq_cpu_list *cpus = NULL;
	int cpu = -1;

	if (!strstr(text, "cpu=") || pmuq_cpu_list_from_text(encoding->cpus.p, &cpus, NULL) < 0)
		return -1;
	if (cpus->n_numbers == 1)
		cpu = (int)cpus->numbers[0];
	pmuq_cpu_list_free(cpus);
	return cpu;
}

/* The event of a list, or a new one. */
static int index_of(struct compat *c, const char *sysfs, const char *name)
{
	pfm_pmu_t id = compat_number(c, sysfs);
	const struct compat_pmu *pmu = compat_pmu(c, id);
	const struct pmuq_event *event;

	for (size_t i = 0; pmu && pmu->own && (event = pmuq_pmu_event(pmu->own, i)); i++)
		if (strcmp(event->name.p, name) == 0)
			return compat_index(id, i);
	return compat_make(c, id, name);
}

static int finish_text(struct compat *c, const char *text, const struct pmuq_encoding *encoding,
		       unsigned levels, struct compat_own *ret)
{
	struct exclusions exclusions = exclusions_of(encoding);

	/* libpfm4's interface has no pointer for config1. */
	if (encoding->probe_text.p)
		return PFM_ERR_NOTSUPP;
	ret->attr = *encoding->attr;
	set_defaults(&exclusions, levels, &ret->attr);
	ret->cpu = written_cpu(text, encoding);
	ret->index = index_of(c, encoding->pmu.p ? encoding->pmu.p : "tracepoint", text);
	if (ret->index < 0)
		return ret->index;
	ret->name = strdup(text);
	return ret->name ? PFM_SUCCESS : PFM_ERR_NOMEM;
}

static struct pmuq_encode_options options_of(struct compat *c)
{
	return (struct pmuq_encode_options){
		.size = sizeof(struct pmuq_encode_options),
		.is_as_written = true,
		.with_assignments = true,
		.privilege = PMUQ_PRIVILEGE_USER,
		.accepts_other_cpus = c->encodes_inactive,
	};
}

static int encode_with(struct compat *c, const char *text, unsigned levels, struct pmuq_pfm *pfm,
		       struct compat_own *ret)
{
	struct pmuq_encode_options options = options_of(c);
	struct pmuq_encodings *encodings = NULL;
	const struct pmuq_encoding *encoding;
	int r;

	options.pfm = pfm;
	r = compat_error(pmuq_source_encode(c->source, text, &options, &encodings, NULL));
	if (r != PFM_SUCCESS)
		return r;
	encoding = choose(c, encodings);
	r = encoding ? finish_text(c, text, encoding, levels, ret) : PFM_ERR_INVAL;
	pmuq_encodings_free(encodings);
	return r;
}

/* With libpfm4, pmuq also has names that libpfm4 itself does not take: "pfm:EVENT", instances above
 * those in its tables. */
static int encode_text(struct compat *c, const char *text, unsigned levels, struct compat_own *ret)
{
	int r = encode_with(c, text, levels, NULL, ret);

	return r == PFM_ERR_NOTFOUND ? encode_with(c, text, levels, c->pfm, ret) : r;
}

/* ---- "PMU::EVENT" */

static bool is_set(const struct compat_written *written, enum compat_word_number word)
{
	return written->set & 1u << word;
}

static unsigned written_levels(const struct compat_written *written, unsigned levels)
{
	if (!is_set(written, COMPAT_U) && !is_set(written, COMPAT_K) && !is_set(written, COMPAT_H))
		return levels;
	return (written->values[COMPAT_U] ? PFM_PLM3 : 0) |
	       (written->values[COMPAT_K] ? PFM_PLM0 : 0) |
	       (written->values[COMPAT_H] ? PFM_PLMH : 0);
}

/* Other PMUs do not know who causes an event. */
static bool fits(const struct compat_written *written, enum compat_type type)
{
	for (size_t i = 0; i < COMPAT_WORDS; i++)
		if (is_set(written, (enum compat_word_number)i) &&
		    !compat_has_word(&compat_words[i], type, PFM_OS_PERF_EVENT_EXT))
			return false;
	return true;
}

static int check(const struct compat_written *written, enum compat_type type)
{
	if (!fits(written, type))
		return PFM_ERR_ATTR;
	return is_set(written, COMPAT_PERIOD) && is_set(written, COMPAT_FREQ) ? PFM_ERR_ATTR_VAL
									      : PFM_SUCCESS;
}

static void apply_words(const struct compat_written *written, struct pmuq_attr *attr)
{
	const uint64_t *values = written->values;

	if (is_set(written, COMPAT_MG) || is_set(written, COMPAT_MH)) {
		attr->exclude_guest = !values[COMPAT_MG];
		attr->exclude_host = !values[COMPAT_MH];
	}
	if (is_set(written, COMPAT_PERIOD))
		attr->sample_period = values[COMPAT_PERIOD];
	if (is_set(written, COMPAT_FREQ)) {
		attr->sample_period = values[COMPAT_FREQ];
		attr->freq = 1;
	}
	attr->precise_ip |= values[COMPAT_PRECISE] & 3;
	attr->exclusive |= values[COMPAT_EXCL] & 1;
	attr->pinned |= values[COMPAT_PINNED] & 1;
}

/* Closes the text of the stream; NULL if memory ran out. */
static char *close_text(FILE *out, char **text)
{
	bool has_failed = ferror(out);

	if (fclose(out) == 0 && !has_failed)
		return *text;
	free(*text);
	return NULL;
}

/* The complete name, with the defaults. */
static char *print_name(const struct compat_written *written, const char *pmu,
			const struct pmuq_attr *attr, bool has_privilege)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	if (!out)
		return NULL;
	fprintf(out, "%s::%s", pmu, written->event);
	for (size_t i = 0; i < written->n_terms; i++)
		fprintf(out, ":%s=0x%llx", written->terms[i].name,
			(unsigned long long)written->terms[i].value);
	if (has_privilege)
		fprintf(out, ":u=%d:k=%d:h=%d", !attr->exclude_user, !attr->exclude_kernel,
			!attr->exclude_hv);
	if (attr->sample_period)
		fprintf(out, ":%s=%llu", attr->freq ? "freq" : "period",
			(unsigned long long)attr->sample_period);
	if (attr->precise_ip)
		fprintf(out, ":precise=%d", (int)attr->precise_ip);
	if (attr->exclusive)
		fprintf(out, ":excl=1");
	if (has_privilege)
		fprintf(out, ":mg=%d:mh=%d", !attr->exclude_guest, !attr->exclude_host);
	return close_text(out, &text);
}

static int finish_parts(struct compat *c, const struct compat_written *written,
			const struct pmuq_pmu *pmu, const struct pmuq_encoding *encoding,
			unsigned levels, struct compat_own *ret)
{
	struct exclusions exclusions = exclusions_of(encoding);
	int r = check(written, exclusions.has_privilege ? COMPAT_CORE : COMPAT_UNCORE);

	if (r != PFM_SUCCESS)
		return r;
	ret->attr = *encoding->attr;
	set_defaults(&exclusions, written_levels(written, levels), &ret->attr);
	apply_words(written, &ret->attr);
	ret->cpu = is_set(written, COMPAT_CPU) ? (int)written->values[COMPAT_CPU] : -1;
	ret->index = index_of(c, pmu->name.p, written->event);
	if (ret->index < 0)
		return ret->index;
	ret->name = print_name(written, written->pmu, &ret->attr, exclusions.has_privilege);
	return ret->name ? PFM_SUCCESS : PFM_ERR_NOMEM;
}

static int encode_written(struct compat *c, const struct compat_written *written, unsigned levels,
			  struct compat_own *ret)
{
	struct pmuq_event_parts parts = { .size = sizeof(parts),
					  .pmu = written->pmu,
					  .event = written->event,
					  .terms = written->terms,
					  .n_terms = written->n_terms };
	struct pmuq_encode_options options = options_of(c);
	struct pmuq_encodings *encodings = NULL;
	const struct pmuq_encoding *encoding;
	const struct pmuq_pmu *pmu;
	int r = compat_error(pmuq_source_find_pmu(c->source, written->pmu, &pmu, NULL));

	if (r != PFM_SUCCESS)
		return r;
	r = compat_error(pmuq_source_encode_parts(c->source, &parts, &options, &encodings, NULL));
	if (r != PFM_SUCCESS)
		return r == PFM_ERR_ATTR && !written->n_terms ? PFM_ERR_NOTFOUND : r;
	encoding = choose(c, encodings);
	r = encoding ? finish_parts(c, written, pmu, encoding, levels, ret) : PFM_ERR_INVAL;
	pmuq_encodings_free(encodings);
	return r;
}

/* ---- tracepoints */

/* A tracepoint is in the kernel: the privilege of the call does not apply, only one that is
 * written. */
static int finish_tracepoint(struct compat *c, const struct compat_written *written,
			     struct compat_own *ret)
{
	bool has_privilege = is_set(written, COMPAT_U) || is_set(written, COMPAT_K);
	uint64_t id;
	int r = compat_tracepoint_id(c, written->event, &id);

	if (r != PFM_SUCCESS)
		return r;
	ret->attr = (struct pmuq_attr){ .type = PERF_TYPE_TRACEPOINT, .config = id };
	if (has_privilege) {
		set_levels(&ret->attr, written_levels(written, 0));
		ret->attr.exclude_guest = 1;
	}
	apply_words(written, &ret->attr);
	ret->cpu = is_set(written, COMPAT_CPU) ? (int)written->values[COMPAT_CPU] : -1;
	ret->name = print_name(written, "perf", &ret->attr, has_privilege);
	return ret->name ? PFM_SUCCESS : PFM_ERR_NOMEM;
}

/* PFM_ERR_NOTFOUND if it is not a tracepoint; any other error is about its attributes. */
static int encode_tracepoint(struct compat *c, const char *text, pfm_os_t os,
			     struct compat_own *ret)
{
	struct compat_written written;
	int r;

	text = compat_tracepoint_text(text);
	ret->index = compat_index_of_subsystem(c, compat_subsystem_of(c, text));
	if (ret->index < 0)
		return ret->index;
	r = compat_split_tracepoint(text, os, &written);
	if (r != PFM_SUCCESS)
		return r;
	r = written.n_terms ? PFM_ERR_ATTR : check(&written, COMPAT_TRACEPOINT);
	if (r == PFM_SUCCESS)
		r = finish_tracepoint(c, &written, ret);
	free(written.pmu);
	return r;
}

int compat_encode_own(struct compat *c, const char *text, int levels, pfm_os_t os,
		      struct compat_own *ret)
{
	struct compat_written written;
	int r;

	*ret = (struct compat_own){ .index = -1, .cpu = -1 };
	if (compat_is_inactive(c, text))
		return PFM_ERR_NOTFOUND;
	r = encode_tracepoint(c, text, os, ret);
	if (r != PFM_ERR_NOTFOUND)
		return r;
	r = compat_split(text, os, &written);
	if (r == PFM_SUCCESS) {
		r = encode_written(c, &written, (unsigned)levels, ret);
		free(written.pmu);
	}
	return r == PFM_ERR_NOTFOUND ? encode_text(c, text, (unsigned)levels, ret) : r;
}
