/* SPDX-License-Identifier: MIT */
#include "encode/words/modifier.h"
#include <pmuq/names.h>

#define PRECISE_MAX 3u

struct modifier {
	char letter;
	const char *meaning;
	size_t offset; /* of its flag */
};

#define FLAG(field) offsetof(struct pq_modifiers, field)
// clang-format off
static const struct modifier modifiers[] = {
	{ .letter = 'u', .meaning = "user",                 .offset = FLAG(user) },
	{ .letter = 'k', .meaning = "kernel",               .offset = FLAG(kernel) },
	{ .letter = 'h', .meaning = "hypervisor",           .offset = FLAG(hypervisor) },
	{ .letter = 'G', .meaning = "guest",                .offset = FLAG(guest) },
	{ .letter = 'H', .meaning = "host",                 .offset = FLAG(host) },
	{ .letter = 'I', .meaning = "not when idle",        .offset = FLAG(idle) },
	{ .letter = 'P', .meaning = "as precise as can be", .offset = FLAG(precise_max) },
	{ .letter = 'S', .meaning = "read the whole group", .offset = FLAG(sample_read) },
	{ .letter = 'D', .meaning = "pinned",               .offset = FLAG(pinned) },
	{ .letter = 'W', .meaning = "weak group",           .offset = FLAG(weak) },
	{ .letter = 'e', .meaning = "exclusive",            .offset = FLAG(exclusive) },
	{ .letter = 'b', .meaning = "counted by BPF",       .offset = FLAG(bpf) },
	{ .letter = 'R', .meaning = "retire latency",       .offset = FLAG(retire_latency) },
	{ .letter = 'X', .meaning = "do not regroup",       .offset = FLAG(dont_regroup) },
};
// clang-format on

static const struct modifier *find_modifier(char c)
{
	for (size_t i = 0; i < COUNT(modifiers); i++)
		if (modifiers[i].letter == c)
			return &modifiers[i];
	return NULL;
}

/* Asked of the first letters of every word: the table's letters as bits from 'A' on. */
#define LETTER(c) (UINT64_C(1) << ((c) - 'A'))
static const uint64_t letter_bits = LETTER('u') | LETTER('k') | LETTER('h') | LETTER('G') |
				    LETTER('H') | LETTER('I') | LETTER('P') | LETTER('S') |
				    LETTER('D') | LETTER('W') | LETTER('e') | LETTER('b') |
				    LETTER('R') | LETTER('X') | LETTER('p');

bool pq_modifier_is_letter(char c)
{
	unsigned bit = (unsigned char)c - (unsigned)'A';

	return bit < 64 && letter_bits >> bit & 1;
}

static struct pq_span letter_span(struct pq_span at, size_t index)
{
	return (struct pq_span){ .offset = at.offset + (uint32_t)index, .length = 1 };
}

static int fail_letter(struct pmuq_error **reterr, enum pmuq_code code, struct pq_span at,
		       char letter, const char *why)
{
	int r = pq_fail(reterr, code, "'%c' %s", letter, why);

	pq_error_at(reterr, at);
	return r;
}

static int bad_letter(struct pmuq_error **reterr, struct pq_span at, char letter)
{
	struct pq_buf list = PQ_BUF_NULL;
	int r = fail_letter(reterr, PMUQ_E_BAD_MODIFIER, at, letter, "is no modifier");

	if (!reterr)
		return r;
	pq_buf_add(&list, STR("modifiers: p (more precise, up to ppp)"));
	for (size_t i = 0; i < COUNT(modifiers); i++)
		pq_buf_print(&list, ", %c (%s)", modifiers[i].letter, modifiers[i].meaning);
	pq_error_hint_buf(reterr, &list);
	return r;
}

static int parse_letter(char letter, struct pq_span at, bool is_group, struct pq_modifiers *ret,
			struct pmuq_error **reterr)
{
	const struct modifier *modifier = find_modifier(letter);
	bool *flag;

	if (letter == 'p') {
		if (++ret->precise <= PRECISE_MAX)
			return 0;
		return fail_letter(reterr, PMUQ_E_TOO_PRECISE, at, letter,
				   "may be written three times at most");
	}
	if (!modifier)
		return bad_letter(reterr, at, letter);
	flag = (bool *)((char *)ret + modifier->offset);
	if (*flag)
		return fail_letter(reterr, PMUQ_E_REPEATED_MODIFIER, at, letter,
				   "is written twice");
	if (letter == 'W' && !is_group)
		return fail_letter(reterr, PMUQ_E_WEAK_ALONE, at, letter,
				   "is a modifier of groups, not of events");
	*flag = true;
	return 0;
}

int pq_modifiers_parse(struct pmuq_str letters, struct pq_span at, bool is_group,
		       struct pq_modifiers *ret, struct pmuq_error **reterr)
{
	*ret = (struct pq_modifiers){ .at = at };
	for (size_t i = 0; i < letters.n; i++) {
		int r = parse_letter(letters.p[i], letter_span(at, i), is_group, ret, reterr);

		if (r < 0)
			return r;
	}
	return 0;
}

/* The first of a set of letters excludes all that the set covers, and each lets its own back in. */
static void apply_privilege(const struct pq_modifiers *m, struct pmuq_attr *attr)
{
	bool is_said = attr->exclude_user || attr->exclude_kernel || attr->exclude_hv;

	if (!m->user && !m->kernel && !m->hypervisor)
		return;
	if (!is_said)
		attr->exclude_user = attr->exclude_kernel = attr->exclude_hv = 1;
	if (m->user)
		attr->exclude_user = 0;
	if (m->kernel)
		attr->exclude_kernel = 0;
	if (m->hypervisor)
		attr->exclude_hv = 0;
}

static void apply_guest(const struct pq_modifiers *m, struct pmuq_attr *attr)
{
	if (!m->guest && !m->host)
		return;
	if (!attr->exclude_guest && !attr->exclude_host)
		attr->exclude_guest = attr->exclude_host = 1;
	if (m->guest)
		attr->exclude_guest = 0;
	if (m->host)
		attr->exclude_host = 0;
}

void pq_modifiers_apply(const struct pq_modifiers *m, struct pmuq_attr *attr)
{
	apply_privilege(m, attr);
	apply_guest(m, attr);
	attr->exclude_idle = m->idle;
	attr->pinned = m->pinned;
	attr->exclusive = m->exclusive;
	attr->precise_ip = m->precise & 3;
}

int pq_modifiers_apply_group(const struct pq_modifiers *m, bool is_leader, struct pmuq_attr *attr,
			     struct pmuq_error **reterr)
{
	unsigned precise = attr->precise_ip + m->precise;
	int r;

	apply_privilege(m, attr);
	apply_guest(m, attr);
	if (m->idle)
		attr->exclude_idle = 1;
	if (m->pinned && is_leader)
		attr->pinned = 1;
	if (m->exclusive && is_leader)
		attr->exclusive = 1;
	if (precise > PRECISE_MAX) {
		r = pq_fail(
			reterr, PMUQ_E_TOO_PRECISE,
			"the group's p and the event's make %u levels of precision; there are %u",
			precise, PRECISE_MAX);
		pq_error_at(reterr, m->at);
		return r;
	}
	attr->precise_ip = precise & 3;
	return 0;
}

PQ_API const char *pmuq_modifier_meaning(size_t index, char *ret_letter)
{
	/* The one that counts how often it is written. */
	static const struct modifier precise = { .letter = 'p', .meaning = "precise" };
	const struct modifier *modifier = index < COUNT(modifiers) ? &modifiers[index] : &precise;

	if (index > COUNT(modifiers))
		return NULL;
	if (ret_letter)
		*ret_letter = modifier->letter;
	return modifier->meaning;
}
