/* SPDX-License-Identifier: MIT */
/*
 * The assignments of modifiers: what modifier.c did to the attr, letter by letter. Of a set of
 * letters the first excludes all others, and each that follows lets its own back in.
 */
#include "encode/attr/assign.h"
#include "encode/encoder.h"

struct letters {
	struct pmuq_str text;
	struct pq_span at;
};

/* What letters of a set count, and the fields that exclude it. */
struct exclusion {
	char letter;
	const char *field;
};

static const struct exclusion privileges[] = {
	{ .letter = 'u', .field = "exclude_user" },
	{ .letter = 'k', .field = "exclude_kernel" },
	{ .letter = 'h', .field = "exclude_hv" },
};

static const struct exclusion worlds[] = {
	{ .letter = 'G', .field = "exclude_guest" },
	{ .letter = 'H', .field = "exclude_host" },
};

static const struct {
	char letter;
	const char *field;
	bool is_leaders; /* of a group's, only the leader has it */
} flags[] = {
	{ .letter = 'I', .field = "exclude_idle" },
	{ .letter = 'D', .field = "pinned", .is_leaders = true },
	{ .letter = 'e', .field = "exclusive", .is_leaders = true },
};

static int assign_letter(struct pq_encoder *e, struct pmuq_encoding *encoding,
			 const struct letters *letters, size_t index, const char *field,
			 uint64_t value)
{
	struct pq_span at = { .offset = letters->at.offset + (uint32_t)index, .length = 1 };

	return pq_assign_field(e, encoding, field, value, str_part(letters->text, index, index + 1),
			       at);
}

static int exclude(struct pq_encoder *e, struct pmuq_encoding *encoding,
		   const struct letters *letters, const struct exclusion *set, size_t n)
{
	bool is_said = false;
	int r = 0;

	for (size_t i = 0; i < n; i++)
		is_said |= pq_assigned(encoding, set[i].field) != 0;
	for (size_t at = 0; at < letters->text.n; at++) {
		size_t own = 0;

		while (own < n && set[own].letter != letters->text.p[at])
			own++;
		if (own == n)
			continue;
		for (size_t i = 0; r == 0 && !is_said && i < n; i++)
			if (i != own)
				r = assign_letter(e, encoding, letters, at, set[i].field, 1);
		is_said = true;
		if (r == 0 && pq_assigned(encoding, set[own].field))
			r = assign_letter(e, encoding, letters, at, set[own].field, 0);
	}
	return r;
}

/* The p's of an event and its group add up. They stand together, or all between count as one. */
static int assign_precision(struct pq_encoder *e, struct pmuq_encoding *encoding,
			    const struct letters *letters)
{
	size_t first = 0, end = 0;
	uint64_t n = 0;
	struct pq_span at;

	for (size_t i = 0; i < letters->text.n; i++) {
		if (letters->text.p[i] != 'p')
			continue;
		first = n++ ? first : i;
		end = i + 1;
	}
	if (!n)
		return 0;
	at.offset = letters->at.offset + (uint32_t)first;
	at.length = (uint32_t)(end - first);
	return pq_assign_field(e, encoding, "precise_ip", pq_assigned(encoding, "precise_ip") + n,
			       str_part(letters->text, first, end), at);
}

int pq_assign_modifiers(struct pq_encoder *e, struct pmuq_encoding *encoding, struct pmuq_str text,
			struct pq_span at, bool reaches_leader)
{
	struct letters letters = { .text = text, .at = at };
	int r = exclude(e, encoding, &letters, privileges, COUNT(privileges));

	if (r == 0)
		r = exclude(e, encoding, &letters, worlds, COUNT(worlds));
	for (size_t at_letter = 0; at_letter < text.n; at_letter++)
		for (size_t i = 0; r == 0 && i < COUNT(flags); i++)
			if (flags[i].letter == text.p[at_letter] &&
			    (reaches_leader || !flags[i].is_leaders))
				r = assign_letter(e, encoding, &letters, at_letter, flags[i].field,
						  1);
	return r < 0 ? r : assign_precision(e, encoding, &letters);
}
