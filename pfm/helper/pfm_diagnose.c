/* SPDX-License-Identifier: MIT */
/*
 * Finds out which token of a name libpfm4 rejects. It returns one error number for the whole name,
 * so each token is looked up in the tables; if all are valid, the name is tried without each token.
 */
#include "core/near.h"
#include "pfm/helper/helper.h"
#include <stdio.h>

/* Names in a list, before "and N more". */
#define LISTED_MAX 24u
#define OWNERS_MAX 6u

struct inquiry {
	struct pq_pfm_tables *tables;
	const struct pq_pfm_target *target;
	const struct pq_pfm_name *name;
	struct pq_pfm_event *event;
};

/* The name that errors show: all instances have one. */
static struct pmuq_str shown_name(const struct pq_pfm_pmu *pmu)
{
	return pmu->stem.n ? pmu->stem : pmu->name;
}

/* The word may be part of the PMU's name: "zen3" in "amd64_fam19h_zen3". */
static void print_longer(const struct pq_pfm_tables *tables, struct pmuq_str word,
			 struct pq_buf *hint)
{
	size_t start = 0, n = 0;

	for (size_t i = 0; i < tables->n_pmus && word.n > 2; i++) {
		const struct pq_pfm_pmu *pmu = &tables->pmus[i];

		if ((pmu->stem.n && pmu->instance) || n == OWNERS_MAX ||
		    !memmem(pmu->key.p, pmu->key.n, word.p, word.n))
			continue;
		if (!n++)
			start = pq_hint_begin(hint, "there are: ");
		pq_buf_list(hint, start, shown_name(pmu));
	}
}

void pq_diagnose_pmu(const struct pq_pfm_tables *tables, const struct pq_pfm_name *name)
{
	struct pq_near near = { .word = name->pmu, .ignores_case = true };

	pq_pfm_report(name, name->pmu, PQ_PFM_UNKNOWN_PMU, "libpfm4 has no PMU '%.*s'",
		      STR_ARG(name->pmu));
	for (size_t i = 0; i < tables->n_pmus; i++)
		pq_near_consider(&near, shown_name(&tables->pmus[i]));
	pq_near_print(&near, &name->wrong->hint);
	print_longer(tables, name->pmu, &name->wrong->hint);
}

/* "known to bdx, hsw_ep and 3 more". Instances, which follow one another, have the same events. */
static void print_owners(struct pq_pfm_tables *tables, struct pmuq_str event, struct pq_buf *hint)
{
	struct pmuq_str last = STR("");
	size_t n = 0, start = 0;

	for (size_t i = 0; i < tables->n_pmus; i++) {
		struct pq_pfm_pmu *pmu = &tables->pmus[i];
		struct pmuq_str shown = shown_name(pmu);
		bool is_instance = str_eq(shown, last);

		last = shown;
		if (is_instance || !pq_pfm_tables_find_event(tables, pmu, event))
			continue;
		if (!n)
			start = pq_hint_begin(hint, "known to ");
		if (n++ < OWNERS_MAX)
			pq_buf_list(hint, start, shown);
	}
	if (n > OWNERS_MAX)
		pq_buf_print(hint, " and %zu more", n - OWNERS_MAX);
}

void pq_diagnose_event(struct pq_pfm_tables *tables, struct pq_pfm_pmu *const *pmus, size_t n,
		       const struct pq_pfm_name *name)
{
	struct pq_near near = { .word = name->event, .ignores_case = true };
	struct pmuq_str pmu = shown_name(pmus[0]);

	pq_pfm_report(name, name->event, PQ_PFM_UNKNOWN_EVENT, "libpfm4's %.*s has no event '%.*s'",
		      STR_ARG(pmu), STR_ARG(name->event));
	for (size_t i = 0; i < n; i++) {
		if (!pq_pfm_tables_load(tables, pmus[i]))
			return;
		for (size_t e = 0; e < pmus[i]->n_events; e++)
			pq_near_consider(&near, pmus[i]->events[e].name);
	}
	pq_near_print(&near, &name->wrong->hint);
	print_owners(tables, name->event, &name->wrong->hint);
}

static void print_attributes(const struct inquiry *inquiry, bool umasks, struct pq_buf *hint)
{
	const struct pq_pfm_event *event = inquiry->event;
	size_t n = 0, start = 0;

	for (size_t i = 0; i < event->n_attributes; i++) {
		if ((event->attributes[i].type == PMUQ_PFM_UMASK) != umasks)
			continue;
		if (!n)
			start = pq_hint_begin(hint, "%s of %s: ", umasks ? "umasks" : "modifiers",
					      event->name.p);
		if (n++ < LISTED_MAX)
			pq_buf_list(hint, start, event->attributes[i].name);
	}
	if (n > LISTED_MAX)
		pq_buf_print(hint, " and %zu more", n - LISTED_MAX);
}

static bool unknown_attribute(const struct inquiry *inquiry, const struct pq_pfm_token *token)
{
	struct pq_buf *hint = &inquiry->name->wrong->hint;
	struct pq_near near = { .word = token->word, .ignores_case = true };

	/* Any letter is similar to any other. */
	for (size_t i = 0; token->word.n > 1 && i < inquiry->event->n_attributes; i++)
		pq_near_consider(&near, inquiry->event->attributes[i].name);
	pq_near_print(&near, hint);
	print_attributes(inquiry, true, hint);
	print_attributes(inquiry, false, hint);
	return pq_pfm_report(inquiry->name, token->word, PQ_PFM_UNKNOWN_ATTRIBUTE,
			     "%s has no umask or modifier '%.*s'", inquiry->event->name.p,
			     STR_ARG(token->word));
}

/* Like libpfm4: if a umask and a modifier have this name, one with a value is the modifier. */
static const struct pmuq_pfm_attribute *find_attribute(const struct pq_pfm_event *event,
						       const struct pq_pfm_token *token)
{
	const struct pmuq_pfm_attribute *umask = NULL;

	for (size_t i = 0; i < event->n_attributes; i++) {
		const struct pmuq_pfm_attribute *attribute = &event->attributes[i];

		if (!str_eq_nocase(attribute->name, token->word))
			continue;
		if (attribute->type != PMUQ_PFM_UMASK || !token->has_value)
			return attribute;
		umask = attribute;
	}
	return umask;
}

static bool check_value(const struct inquiry *inquiry, const struct pq_pfm_token *token,
			const struct pmuq_pfm_attribute *attribute)
{
	struct pmuq_str word = token->word, value = token->value;
	uint64_t number;

	if (attribute->type == PMUQ_PFM_UMASK && token->has_value)
		return pq_pfm_report(inquiry->name, token->all, PQ_PFM_BAD_VALUE,
				     "'%.*s' is a umask, which takes no value", STR_ARG(word));
	if (attribute->type == PMUQ_PFM_NUMBER && !value.n)
		return pq_pfm_report(inquiry->name, token->all, PQ_PFM_BAD_VALUE,
				     "'%.*s' wants a value: %.*s=1", STR_ARG(word), STR_ARG(word));
	if (attribute->type == PMUQ_PFM_NUMBER && !pq_pfm_number(value, &number))
		return pq_pfm_report(inquiry->name, value, PQ_PFM_BAD_VALUE,
				     "'%.*s' is not a number", STR_ARG(value));
	if (attribute->type == PMUQ_PFM_FLAG && token->has_value && !pq_pfm_is_flag(value))
		return pq_pfm_report(inquiry->name, value.n ? value : token->all, PQ_PFM_BAD_VALUE,
				     "'%.*s' is a flag, which is y, n, 1 or 0", STR_ARG(word));
	return true;
}

static bool is_raw_umask(const struct pq_pfm_token *token)
{
	uint64_t number;

	return !token->has_value && token->word.n > 2 && char_lower(token->word.p[1]) == 'x' &&
	       pq_pfm_number(token->word, &number);
}

static bool check_tokens(const struct inquiry *inquiry)
{
	for (size_t i = 0; i < inquiry->name->n_tokens; i++) {
		const struct pq_pfm_token *token = &inquiry->name->tokens[i];
		const struct pmuq_pfm_attribute *attribute = find_attribute(inquiry->event, token);

		if (!attribute && !is_raw_umask(token))
			return unknown_attribute(inquiry, token);
		if (attribute && !check_value(inquiry, token, attribute))
			return false;
	}
	return true;
}

/* Has libpfm4 encode the event with these tokens only; one of them may get another value. */
static enum pq_pfm_refusal attempt(const struct inquiry *inquiry, uint32_t tokens, size_t changed,
				   uint64_t value)
{
	cleanup(pq_buf_free) struct pq_buf text = PQ_BUF_NULL;
	struct pq_pfm_coded coded = { 0 };
	enum pq_pfm_refusal refusal;

	pq_buf_print(&text, "%s::%.*s", inquiry->target->pmu->name.p,
		     STR_ARG(inquiry->name->event));
	for (size_t i = 0; i < inquiry->name->n_tokens; i++) {
		const struct pq_pfm_token *token = &inquiry->name->tokens[i];

		if (!(tokens & 1u << i))
			continue;
		if (i == changed)
			pq_buf_print(&text, ":%.*s=%llu", STR_ARG(token->word),
				     (unsigned long long)value);
		else
			pq_buf_print(&text, ":%.*s", STR_ARG(token->all));
	}
	pq_buf_char(&text, '\0', 1);
	if (text.failed)
		return PQ_PFM_REFUSED_ALL;
	refusal = pq_pfm_encode(text.p, &coded);
	free(coded.canonical);
	return refusal;
}

static uint32_t all_tokens(const struct inquiry *inquiry)
{
	return (1u << inquiry->name->n_tokens) - 1;
}

#define UNCHANGED SIZE_MAX

/* The largest accepted value below the rejected one, if the smallest is accepted: 0 or 1. Assumes
 * that accepted values have no gaps, and so needs at most 66 attempts. */
static void hint_range(const struct inquiry *inquiry, size_t token)
{
	struct pmuq_str word = inquiry->name->tokens[token].word;
	uint64_t least = 0, low, high = 0;

	pq_pfm_number(inquiry->name->tokens[token].value, &high);
	while (least < 2 && attempt(inquiry, all_tokens(inquiry), token, least))
		least++;
	if (least == 2 || high <= least)
		return;
	for (low = least; high - low > 1;) {
		uint64_t middle = low + (high - low) / 2;

		if (attempt(inquiry, all_tokens(inquiry), token, middle))
			high = middle;
		else
			low = middle;
	}
	pq_buf_print(&inquiry->name->wrong->hint, "%.*s takes %llu to %llu", STR_ARG(word),
		     (unsigned long long)least, (unsigned long long)low);
}

/* The first two tokens that libpfm4 rejects together and accepts alone. */
static bool find_pair(const struct inquiry *inquiry, size_t *ret_a, size_t *ret_b)
{
	for (size_t b = 1; b < inquiry->name->n_tokens; b++)
		for (size_t a = 0; a < b; a++) {
			enum pq_pfm_refusal refusal =
				attempt(inquiry, 1u << a | 1u << b, UNCHANGED, 0);

			*ret_a = a;
			*ret_b = b;
			if (refusal && refusal != PQ_PFM_REFUSED_UMASK &&
			    attempt(inquiry, 1u << a, UNCHANGED, 0) != refusal &&
			    attempt(inquiry, 1u << b, UNCHANGED, 0) != refusal)
				return true;
		}
	return false;
}

/* Whether libpfm4 accepts the token together with that attribute. */
static bool goes_with(const struct inquiry *inquiry, struct pmuq_str word,
		      const struct pmuq_pfm_attribute *other)
{
	struct pq_pfm_coded coded = { 0 };
	auto_free char *text = NULL;
	enum pq_pfm_refusal refusal;

	if (asprintf(&text, "%s::%s:%.*s:%s%s", inquiry->target->pmu->name.p,
		     inquiry->event->name.p, STR_ARG(word), other->name.p,
		     other->type == PMUQ_PFM_NUMBER ? "=1" : "") < 0)
		return false;
	refusal = pq_pfm_encode(text, &coded);
	free(coded.canonical);
	return !refusal;
}

/* Lists the attributes with which libpfm4 accepts a umask that it rejects alone. */
static void hint_companions(const struct inquiry *inquiry, struct pmuq_str word)
{
	const struct pq_pfm_event *event = inquiry->event;
	struct pq_buf *hint = &inquiry->name->wrong->hint;
	size_t n = 0, start = 0;

	if (!inquiry->tables->companions_left)
		return;
	inquiry->tables->companions_left--;
	for (size_t i = 0; i < event->n_attributes && n < OWNERS_MAX; i++) {
		const struct pmuq_pfm_attribute *other = &event->attributes[i];

		if (!goes_with(inquiry, word, other))
			continue;
		if (!n++)
			start = pq_hint_begin(hint, "%.*s goes with ", STR_ARG(word));
		pq_buf_list(hint, start, other->name);
		pq_buf_add(hint, other->type == PMUQ_PFM_NUMBER ? STR("=") : STR(""));
	}
}

/* The first token that is a umask, or NULL. */
static const struct pq_pfm_token *first_umask(const struct inquiry *inquiry)
{
	for (size_t i = 0; i < inquiry->name->n_tokens; i++) {
		const struct pq_pfm_token *token = &inquiry->name->tokens[i];
		const struct pmuq_pfm_attribute *found = find_attribute(inquiry->event, token);

		if (found && found->type == PMUQ_PFM_UMASK)
			return token;
	}
	return NULL;
}

static bool missing_umask(const struct inquiry *inquiry)
{
	const struct pq_pfm_token *umask = first_umask(inquiry);

	if (umask) {
		hint_companions(inquiry, umask->word);
		return pq_pfm_report(inquiry->name, umask->all, PQ_PFM_MISSING_UMASK,
				     "'%.*s' needs another umask next to it", STR_ARG(umask->word));
	}
	print_attributes(inquiry, true, &inquiry->name->wrong->hint);
	return pq_pfm_report(inquiry->name, inquiry->name->event, PQ_PFM_MISSING_UMASK,
			     "%s needs a umask", inquiry->event->name.p);
}

/* The last token without which libpfm4 no longer returns that error. */
static bool find_culprit(const struct inquiry *inquiry, enum pq_pfm_refusal refusal, size_t *ret)
{
	for (*ret = inquiry->name->n_tokens; (*ret)--;)
		if (attempt(inquiry, all_tokens(inquiry) & ~(1u << *ret), UNCHANGED, 0) != refusal)
			return true;
	return false;
}

static bool conflict(const struct inquiry *inquiry, enum pq_pfm_refusal refusal)
{
	const struct pq_pfm_name *name = inquiry->name;
	size_t a, b;

	if (find_pair(inquiry, &a, &b))
		return pq_pfm_report(name, name->tokens[b].all, PQ_PFM_CONFLICT,
				     "'%.*s' and '%.*s' exclude each other",
				     STR_ARG(name->tokens[a].all), STR_ARG(name->tokens[b].all));
	if (find_culprit(inquiry, refusal, &a)) {
		hint_companions(inquiry, name->tokens[a].all);
		return pq_pfm_report(name, name->tokens[a].all, PQ_PFM_CONFLICT,
				     "libpfm4 does not take '%.*s' here",
				     STR_ARG(name->tokens[a].all));
	}
	print_attributes(inquiry, true, &inquiry->name->wrong->hint);
	return pq_pfm_report(name, name->event, PQ_PFM_CONFLICT,
			     "libpfm4 does not take this combination for %s",
			     inquiry->event->name.p);
}

/* The value is too large if libpfm4 returns another error without its token. */
static bool bad_value(const struct inquiry *inquiry, enum pq_pfm_refusal refusal)
{
	for (size_t i = 0; i < inquiry->name->n_tokens; i++) {
		const struct pq_pfm_token *token = &inquiry->name->tokens[i];

		if (!token->has_value ||
		    attempt(inquiry, all_tokens(inquiry) & ~(1u << i), UNCHANGED, 0) == refusal)
			continue;
		if (attempt(inquiry, 1u << i, UNCHANGED, 0) != refusal)
			return conflict(inquiry, refusal);
		hint_range(inquiry, i);
		return pq_pfm_report(inquiry->name, token->value, PQ_PFM_BAD_VALUE,
				     "%.*s does not take the value %.*s", STR_ARG(token->word),
				     STR_ARG(token->value));
	}
	return pq_pfm_report(inquiry->name, inquiry->name->event, PQ_PFM_BAD_VALUE,
			     "libpfm4 refuses a value of %s", inquiry->event->name.p);
}

static bool twice(const struct inquiry *inquiry)
{
	const struct pq_pfm_name *name = inquiry->name;

	for (size_t b = 1; b < name->n_tokens; b++)
		for (size_t a = 0; a < b; a++)
			if (str_eq_nocase(name->tokens[a].word, name->tokens[b].word) &&
			    !str_eq(name->tokens[a].value, name->tokens[b].value))
				return pq_pfm_report(name, name->tokens[b].all, PQ_PFM_CONFLICT,
						     "%.*s occurs twice, as %.*s too",
						     STR_ARG(name->tokens[b].word),
						     STR_ARG(name->tokens[a].all));
	return conflict(inquiry, PQ_PFM_REFUSED_TWICE);
}

static void explain(const struct inquiry *inquiry, enum pq_pfm_refusal refusal)
{
	if (!check_tokens(inquiry))
		return;
	if (refusal == PQ_PFM_REFUSED_UMASK)
		missing_umask(inquiry);
	else if (refusal == PQ_PFM_REFUSED_VALUE)
		bad_value(inquiry, refusal);
	else if (refusal == PQ_PFM_REFUSED_TWICE)
		twice(inquiry);
	else
		conflict(inquiry, refusal);
}

void pq_diagnose(struct pq_pfm_tables *tables, const struct pq_pfm_target *target,
		 const struct pq_pfm_name *name, enum pq_pfm_refusal refusal)
{
	struct inquiry inquiry = { .tables = tables, .target = target, .name = name };

	if (refusal == PQ_PFM_REFUSED_NAME) {
		pq_diagnose_event(tables, &target->pmu, 1, name);
		return;
	}
	if (refusal == PQ_PFM_REFUSED_MANY) {
		pq_pfm_report(name, name->rest, PQ_PFM_BAD_NAME,
			      "these are more umasks and modifiers than libpfm4 takes");
		return;
	}
	inquiry.event = pq_pfm_tables_find_event(tables, target->pmu, name->event);
	if (inquiry.event && pq_pfm_tables_load_event(tables, inquiry.event))
		explain(&inquiry, refusal);
	else
		pq_pfm_report(name, name->event, PQ_PFM_BAD_NAME, "libpfm4's %s cannot encode this",
			      target->pmu->name.p);
}
