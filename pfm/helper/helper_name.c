/* SPDX-License-Identifier: MIT */
/*
 * Encodes one name: finds the PMUs that it may belong to, has libpfm4 encode it on each, and writes
 * the codes as a record. pfm_diagnose.c finds out why libpfm4 rejects a name.
 */
#include "pfm/helper/helper.h"

/* PMUs in which similar names are searched for. */
#define TRIED_MAX 16u
/* The kernel's own events, which every CPU has. */
#define GENERIC_PMU "perf"

struct name_coding {
	struct pq_pfm_tables *tables;
	const struct pq_pfm_name *name;
	struct pq_buf codes;
	size_t n_codes;
	char *canonical; /* of the first code, in libpfm4's spelling */
	struct pq_pfm_pmu *tried[TRIED_MAX];
	size_t n_tried;
};

/* The event's name in "skx::EVENT:umask:e=0"; the canonical name of perf_raw does not have it. */
static struct pmuq_str canonical_event(const char *canonical, const struct pq_pfm_name *name)
{
	const char *event = canonical ? strstr(canonical, "::") : NULL;
	struct pmuq_str rest = str_of(event ? event + 2 : ""), tail;

	str_cut(rest, ':', &rest, &tail);
	return rest.n ? rest : name->event;
}

static struct pmuq_str canonical_rest(const char *canonical, const struct pq_pfm_name *name)
{
	struct pmuq_str event = canonical_event(canonical, name);

	return event.p == name->event.p ? name->rest : str_of(event.p);
}

static void add_code(struct name_coding *coding, const struct pq_pfm_target *target,
		     const struct pq_pfm_coded *coded)
{
	cleanup(pq_buf_free) struct pq_buf sysfs = PQ_BUF_NULL;
	cleanup(pq_buf_free) struct pq_buf pmu = PQ_BUF_NULL;
	struct pq_buf *out = &coding->codes;
	enum pmuq_pfm_scope position = pq_pfm_target_scope(target, coded, &sysfs);

	pq_pfm_target_print(target, &pmu);
	pq_wire_u8(out, position);
	pq_wire_u32(out, coded->type);
	for (size_t i = 0; i < COUNT(coded->config); i++)
		pq_wire_u64(out, coded->config[i]);
	pq_wire_text(out, pq_buf_str(&sysfs));
	pq_wire_text(out, pq_buf_str(&pmu));
	pq_wire_text(out, canonical_event(coded->canonical, coding->name));
	pq_buf_add(&pmu, STR("::"));
	pq_buf_add(&pmu, canonical_rest(coded->canonical, coding->name));
	pq_wire_text(out, pq_buf_str(&pmu));
	out->failed |= sysfs.failed || pmu.failed;
	coding->n_codes++;
}

/* The event and its tokens without the only "h"; false if there is not exactly one. */
static bool without_h(const struct pq_pfm_name *name, struct pq_buf *ret)
{
	size_t n = 0;

	pq_buf_add(ret, name->event);
	for (size_t i = 0; i < name->n_tokens; i++) {
		const struct pq_pfm_token *token = &name->tokens[i];

		if (str_eq_nocase(token->word, STR("h")) &&
		    (!token->has_value || pq_pfm_is_flag(token->value)))
			n++;
		else
			pq_buf_print(ret, ":%.*s", STR_ARG(token->all));
	}
	return n == 1 && !ret->failed;
}

/* For the kernel's own events, libpfm4 accepts the modifiers of the CPU that it runs on. The result
 * must be the same on every CPU: if "h" is rejected, encode without it, and report it like every
 * other modifier. */
static enum pq_pfm_refusal encode(const struct name_coding *coding,
				  const struct pq_pfm_target *target, char *full,
				  struct pq_pfm_coded *ret)
{
	cleanup(pq_buf_free) struct pq_buf rest = PQ_BUF_NULL;
	enum pq_pfm_refusal refusal = pq_pfm_encode(full, ret);

	if (refusal == PQ_PFM_REFUSED_ATTRIBUTE && target->pmu->type == PMUQ_PFM_PMU_GENERIC &&
	    without_h(coding->name, &rest) && pq_pfm_target_full(target, pq_buf_str(&rest), full))
		refusal = pq_pfm_encode(full, ret);
	return refusal;
}

/* ---- capacity */

/* libpfm4 has an array of 64 attributes for an event, and writes beyond its end. Umasks that are
 * aliases of several others fill it quickly. They are counted here; the count may be too high,
 * never too low. libpfm4 adds some default attributes to its limit. */
#define CAPACITY 48u
/* No umask in any table expands to more than 16 attributes, so two tokens always fit. */
#define TOKENS_THAT_FIT 2u
/* An alias of umasks may contain aliases; no table nests them deeper. */
#define DEPTH_MAX 4u

static size_t attributes_of(const struct pq_pfm_event *event, struct pmuq_str word, unsigned depth);

/* "PORT_0:PORT_1:c=1" */
static size_t attributes_of_all(const struct pq_pfm_event *event, struct pmuq_str words,
				unsigned depth)
{
	size_t n = 0;

	while (words.n && n <= CAPACITY) {
		struct pmuq_str word;

		str_cut(words, ':', &word, &words);
		n += attributes_of(event, word, depth);
	}
	return n;
}

static size_t attributes_of(const struct pq_pfm_event *event, struct pmuq_str word, unsigned depth)
{
	for (size_t i = 0; i < event->n_attributes; i++)
		if (str_eq_nocase(event->attributes[i].name, word) &&
		    event->attributes[i].same_as.n)
			return depth < DEPTH_MAX
				       ? attributes_of_all(event, event->attributes[i].same_as,
							   depth + 1)
				       : CAPACITY + 1;
	return 1;
}

bool pq_helper_fits(struct pq_pfm_tables *tables, struct pq_pfm_pmu *pmu,
		    const struct pq_pfm_name *name)
{
	struct pq_pfm_event *event;
	struct pmuq_str same, rest = STR("");
	size_t n;

	if (name->n_tokens <= TOKENS_THAT_FIT)
		return true;
	event = pq_pfm_tables_find_event(tables, pmu, name->event);
	if (event && event->same.n) {
		str_cut(event->same, ':', &same, &rest);
		event = pq_pfm_tables_find_event(tables, pmu, same);
	}
	if (!event)
		return pmu->has_events;
	if (!pq_pfm_tables_load_event(tables, event))
		return false;
	n = attributes_of_all(event, rest, 0);
	for (size_t i = 0; i < name->n_tokens && n <= CAPACITY; i++)
		n += attributes_of(event, name->tokens[i].word, 0);
	return n <= CAPACITY;
}

/* ---- one target */

static enum pq_pfm_refusal encode_target(struct name_coding *coding,
					 const struct pq_pfm_target *target)
{
	struct pq_pfm_coded coded = { 0 };
	char full[PQ_PFM_FULL_MAX_BYTES];
	enum pq_pfm_refusal refusal;

	if (!pq_pfm_target_full(target, coding->name->rest, full))
		return PQ_PFM_REFUSED_ALL;
	if (target->pmu->is_fitted && !pq_pfm_tables_detect(coding->tables))
		return PQ_PFM_REFUSED_ALL;
	if (!pq_helper_fits(coding->tables, target->pmu, coding->name))
		return PQ_PFM_REFUSED_MANY;
	if (target->pmu->type == PMUQ_PFM_PMU_CORE &&
	    !pq_pfm_tables_find_sysfs(coding->tables, target->pmu))
		return PQ_PFM_REFUSED_ALL;
	refusal = encode(coding, target, full, &coded);
	if (!refusal)
		add_code(coding, target, &coded);
	if (coding->canonical)
		free(coded.canonical);
	else
		coding->canonical = coded.canonical;
	return refusal;
}

static const struct {
	struct pmuq_str word;
	enum pmuq_pfm_modifier modifier;
} modifiers[] = {
	{ .word = { "u", 1 }, .modifier = PMUQ_PFM_U },
	{ .word = { "k", 1 }, .modifier = PMUQ_PFM_K },
	{ .word = { "h", 1 }, .modifier = PMUQ_PFM_H },
	{ .word = { "mg", 2 }, .modifier = PMUQ_PFM_MG },
	{ .word = { "mh", 2 }, .modifier = PMUQ_PFM_MH },
	{ .word = { "excl", 4 }, .modifier = PMUQ_PFM_EXCL },
	{ .word = { "pinned", 6 }, .modifier = PMUQ_PFM_PINNED },
	{ .word = { "hw_smpl", 7 }, .modifier = PMUQ_PFM_HW_SMPL },
	{ .word = { "precise", 7 }, .modifier = PMUQ_PFM_PRECISE },
	{ .word = { "freq", 4 }, .modifier = PMUQ_PFM_FREQ },
	{ .word = { "period", 6 }, .modifier = PMUQ_PFM_PERIOD },
	{ .word = { "cpu", 3 }, .modifier = PMUQ_PFM_CPU },
};

/* Whether the word names a umask; libpfm4 then prints it without a value. */
static bool is_umask(const char *canonical, struct pmuq_str word)
{
	struct pmuq_str rest = str_of(canonical ? canonical : ""), item;

	while (rest.n) {
		str_cut(rest, ':', &item, &rest);
		if (str_eq_nocase(item, word))
			return true;
	}
	return false;
}

static bool find_modifier(const struct name_coding *coding, const struct pq_pfm_token *token,
			  enum pmuq_pfm_modifier *ret)
{
	for (size_t i = 0; i < COUNT(modifiers); i++) {
		if (!str_eq_nocase(modifiers[i].word, token->word))
			continue;
		*ret = modifiers[i].modifier;
		return token->has_value || !is_umask(coding->canonical, token->word);
	}
	return false;
}

/* The value of a token that libpfm4 accepted. */
static bool read_value(const struct pq_pfm_token *token, uint64_t *ret)
{
	*ret = 1;
	if (!token->has_value)
		return true;
	if (token->value.n == 1 && char_is_alpha(token->value.p[0])) {
		char c = char_lower(token->value.p[0]);

		*ret = c == 'y' || c == 't';
		return true;
	}
	return pq_pfm_number(token->value, ret);
}

static bool read_modifiers(const struct name_coding *coding, uint32_t *ret_set,
			   uint64_t *ret_values)
{
	const struct pq_pfm_name *name = coding->name;

	*ret_set = 0;
	for (size_t i = 0; i < name->n_tokens; i++) {
		enum pmuq_pfm_modifier modifier;

		if (!find_modifier(coding, &name->tokens[i], &modifier))
			continue;
		if (!read_value(&name->tokens[i], &ret_values[modifier]))
			return pq_pfm_report(name, name->tokens[i].value, PQ_PFM_BAD_VALUE,
					     "'%.*s' is not a number",
					     STR_ARG(name->tokens[i].value));
		*ret_set |= 1u << modifier;
	}
	return true;
}

enum found {
	FOUND,
	FOUND_NOTHING,
	FOUND_WRONG, /* the event exists, but it cannot be encoded */
};

static enum found try_target(struct name_coding *coding, const struct pq_pfm_target *target)
{
	enum pq_pfm_refusal refusal = encode_target(coding, target);

	if (coding->n_tried < TRIED_MAX)
		coding->tried[coding->n_tried++] = target->pmu;
	if (refusal == PQ_PFM_REFUSED_NAME)
		return FOUND_NOTHING;
	if (!refusal)
		return FOUND;
	if (!coding->name->wrong->message.n)
		pq_diagnose(coding->tables, target, coding->name, refusal);
	return FOUND_WRONG;
}

/* "skx_unc_*": each PMU of that prefix, all instances as one, in libpfm4's order. */
static enum found try_prefix(struct name_coding *coding, struct pmuq_str prefix)
{
	struct pq_pfm_tables *tables = coding->tables;
	struct pmuq_str last = STR("");

	for (size_t i = 0; i < tables->n_pmus; i++) {
		struct pq_pfm_target target = { .pmu = &tables->pmus[i] };
		enum found found;

		if (!str_starts(target.pmu->key, prefix) ||
		    (target.pmu->stem.n && str_eq(target.pmu->stem, last)))
			continue;
		last = target.pmu->stem;
		target.is_family = last.n != 0;
		found = try_target(coding, &target);
		if (found != FOUND_NOTHING)
			return found;
	}
	return FOUND_NOTHING;
}

/* "skx::UNC_M_CAS_COUNT": manuals use one name for a CPU and its uncore, libpfm4 "skx_unc_imc". */
static enum found try_uncore(struct name_coding *coding, const struct pq_pfm_target *core)
{
	cleanup(pq_buf_free) struct pq_buf prefix = PQ_BUF_NULL;

	if (core->pmu->type != PMUQ_PFM_PMU_CORE)
		return FOUND_NOTHING;
	pq_buf_print(&prefix, "%.*s_unc_", STR_ARG(core->pmu->key));
	return prefix.failed ? FOUND_NOTHING : try_prefix(coding, pq_buf_str(&prefix));
}

/* On the PMU in the name: all instances, one, or an uncore PMU of that core PMU. */
static bool encode_named(struct name_coding *coding)
{
	enum found found = FOUND_NOTHING;
	struct pq_pfm_target target;
	enum pq_pfm_refusal refusal;

	if (!pq_pfm_target_find(coding->tables, coding->name->pmu, &target)) {
		pq_diagnose_pmu(coding->tables, coding->name);
		return false;
	}
	refusal = encode_target(coding, &target);
	if (refusal == PQ_PFM_REFUSED_NAME)
		found = try_uncore(coding, &target);
	if (refusal && found == FOUND_NOTHING)
		pq_diagnose(coding->tables, &target, coding->name, refusal);
	return !refusal || found == FOUND;
}

/* "adl_glc+adl_grt": one code for each of these PMUs that has the event. It is enough if one of
 * them accepts the umasks. */
static enum found try_together(struct name_coding *coding, struct pmuq_str pmus)
{
	enum found result = FOUND_NOTHING;

	while (pmus.n && coding->n_codes < PQ_PFM_CODES_MAX) {
		struct pq_pfm_target target;
		enum found found;
		struct pmuq_str pmu;

		str_cut(pmus, '+', &pmu, &pmus);
		if (!pq_pfm_target_find(coding->tables, pmu, &target))
			continue;
		found = try_target(coding, &target);
		if (found != FOUND_NOTHING && result != FOUND)
			result = found;
	}
	if (result == FOUND)
		pq_pfm_wrong_free(coding->name->wrong);
	return result;
}

/* The PMUs of the CPU come first, then the kernel's own events. */
static bool encode_by_defaults(struct name_coding *coding, struct pmuq_str defaults)
{
	bool has_cpu = defaults.n;
	enum found found = FOUND_NOTHING;
	struct pmuq_str item;

	while (defaults.n && found == FOUND_NOTHING) {
		str_cut(defaults, ' ', &item, &defaults);
		found = str_ends(item, STR("*")) ? try_prefix(coding, str_part(item, 0, item.n - 1))
						 : try_together(coding, item);
	}
	if (found == FOUND_NOTHING)
		found = try_together(coding, STR(GENERIC_PMU));
	if (found != FOUND_NOTHING)
		return found == FOUND;
	if (!has_cpu)
		return pq_pfm_report(coding->name, coding->name->event, PQ_PFM_NO_CPU,
				     "libpfm4 has no tables of that CPU");
	pq_diagnose_event(coding->tables, coding->tried, coding->n_tried, coding->name);
	return false;
}

static void put_codes(const struct name_coding *coding, uint32_t set, const uint64_t *values,
		      struct pq_buf *out)
{
	pq_wire_u8(out, (unsigned)coding->n_codes);
	pq_buf_add(out, pq_buf_str(&coding->codes));
	out->failed |= coding->codes.failed;
	pq_wire_u32(out, set);
	for (size_t i = 0; i < PMUQ_PFM_MODIFIERS; i++)
		if (set & 1u << i)
			pq_wire_u64(out, values[i]);
}

void pq_helper_encode(struct pq_pfm_tables *tables, struct pmuq_str defaults, struct pmuq_str text,
		      struct pq_buf *out)
{
	cleanup(pq_pfm_wrong_free) struct pq_pfm_wrong wrong = { 0 };
	uint64_t values[PMUQ_PFM_MODIFIERS] = { 0 };
	struct pq_pfm_name name;
	struct name_coding coding = { .tables = tables, .name = &name };
	uint32_t set = 0;

	if (pq_pfm_name_parse(text, &wrong, &name) &&
	    (name.pmu.p ? encode_named(&coding) : encode_by_defaults(&coding, defaults)) &&
	    read_modifiers(&coding, &set, values)) {
		put_codes(&coding, set, values, out);
	} else {
		pq_wire_u8(out, 0);
		pq_helper_put_error(&wrong, out);
	}
	pq_buf_free(&coding.codes);
	free(coding.canonical);
}
