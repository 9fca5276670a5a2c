/* SPDX-License-Identifier: MIT */
/*
 * Where in an event string the cursor is, and what goes on from there outside of a PMU's slashes:
 * names, tracepoints, modifiers. Wrong strings are not told: they are for encode to refuse.
 */
#include "cli/complete/complete.h"
#include <ctype.h>
#include <string.h>

enum place {
	PLACE_NAME,
	PLACE_TERMS,	 /* between slashes */
	PLACE_TAIL,	 /* behind a colon of a name: a tracepoint's, or modifiers */
	PLACE_MODIFIERS, /* of an event */
	PLACE_GROUP,	 /* behind a closing brace, and its modifiers behind a colon */
};

struct spot {
	enum place place;
	size_t event; /* where the event begins */
	size_t slash; /* that in front of the terms */
	size_t part;  /* where the name, term or letters at the cursor begin */
	bool is_in_group;
};

static void begin_event(struct spot *spot, size_t at)
{
	spot->place = PLACE_NAME;
	spot->event = spot->part = at;
}

static void step_in_terms(struct spot *spot, char c, size_t at)
{
	if (c == '/')
		spot->place = PLACE_MODIFIERS;
	if (c == '/' || c == ',')
		spot->part = at + 1;
}

static void step_colon(struct spot *spot, size_t at)
{
	if (spot->place == PLACE_NAME)
		spot->place = PLACE_TAIL;
	else if (spot->place == PLACE_TAIL)
		spot->place = PLACE_MODIFIERS;
	spot->part = at + 1;
}

static void step_slash(struct spot *spot, size_t at)
{
	if (spot->place != PLACE_NAME && spot->place != PLACE_TAIL)
		return;
	spot->place = PLACE_TERMS;
	spot->slash = at;
	spot->part = at + 1;
}

static void step(struct spot *spot, char c, size_t at)
{
	switch (c) {
	case '{':
		spot->is_in_group = true;
		begin_event(spot, at + 1);
		break;
	case '}':
		spot->is_in_group = false;
		spot->place = PLACE_GROUP;
		spot->part = at + 1;
		break;
	case ',':
		begin_event(spot, at + 1);
		break;
	case ':':
		step_colon(spot, at);
		break;
	case '/':
		step_slash(spot, at);
		break;
	default:
		break;
	}
}

static struct spot find_spot(const char *word)
{
	struct spot spot = { .place = PLACE_NAME };

	for (size_t i = 0; word[i]; i++) {
		if (spot.place == PLACE_TERMS)
			step_in_terms(&spot, word[i], i);
		else
			step(&spot, word[i], i);
	}
	return spot;
}

/* What has to follow a name: in a group there is more to come. */
static const char *open_end(const struct spot *spot)
{
	return spot->is_in_group ? ",}" : NULL;
}

/* ---------------------------------------------------------------------------------------- names */

/* Bytes of the name without the number of its box, 0 where it has none. */
static size_t family_bytes(const char *name)
{
	size_t n = strlen(name), end = n;

	while (n && isdigit((unsigned char)name[n - 1]))
		n--;
	return n < end && n > 1 && name[n - 1] == '_' ? n - 1 : 0;
}

static bool is_same_family(const char *a, const char *b)
{
	size_t n = family_bytes(a);

	return n && family_bytes(b) == n && memcmp(a, b, n) == 0;
}

/* Boxes stand next to each other, and one name means all: their numbers are offered to who has
 * begun one. */
static void offer_boxes(struct completion *completion, size_t event, const struct pmuq_names *names)
{
	size_t n_head = strlen(completion->word + event), count = pmuq_names_count(names);
	const char *offered = "";

	for (size_t i = 0; i < count; i++) {
		const char *name = pmuq_names_get(names, i);
		const char *next = i + 1 < count ? pmuq_names_get(names, i + 1) : "";
		size_t n = family_bytes(name);
		auto_free char *family = strndup(name, n);

		if (n_head <= n && is_same_family(name, offered))
			continue;
		offered = name;
		if (n_head <= n && is_same_family(name, next) && family)
			complete_offer(completion, event, family, "/", NULL, "PMUs of one kind");
		else
			complete_offer(completion, event, name, "/", NULL, "PMU");
	}
}

static void offer_pmus(struct completion *completion, size_t event)
{
	struct pmuq_source *source = complete_source(completion);
	struct pmuq_names *names = NULL;

	if (!source || pmuq_source_list_pmus(source, completion->word + event, &names, NULL) < 0)
		return;
	offer_boxes(completion, event, names);
	pmuq_names_free(names);
}

void complete_pmus(struct completion *completion)
{
	struct pmuq_source *source = complete_source(completion);
	struct pmuq_names *names = NULL;

	if (!source || pmuq_source_list_pmus(source, completion->word, &names, NULL) < 0)
		return;
	for (size_t i = 0; i < pmuq_names_count(names); i++)
		complete_offer(completion, 0, pmuq_names_get(names, i), "", NULL, "PMU");
	pmuq_names_free(names);
}

static void offer_generic(struct completion *completion, const struct spot *spot)
{
	char name[PMUQ_GENERIC_NAME_MAX];

	for (size_t i = 0; pmuq_generic_name(i, name); i++)
		complete_offer(completion, spot->event, name, "", open_end(spot), "generic event");
}

static void offer_bare(struct completion *completion, const struct spot *spot)
{
	struct pmuq_source *source = complete_source(completion);
	struct pmuq_names *names = NULL;

	if (!source ||
	    pmuq_source_list_events(source, completion->word + spot->event, &names, NULL) < 0)
		return;
	for (size_t i = 0; i < pmuq_names_count(names); i++)
		complete_offer(completion, spot->event, pmuq_names_get(names, i), "",
			       open_end(spot), "event");
	pmuq_names_free(names);
}

/* Thousands, so that something has to be there to go by. */
static void offer_vendor(struct completion *completion, const struct spot *spot)
{
	cleanup(vendor_freep) struct pmuq_vendor *vendor =
		completion->word[spot->event] ? complete_vendor(completion) : NULL;

	for (size_t i = 0; vendor && i < pmuq_vendor_content(vendor)->n_events; i++) {
		const struct pmuq_vendor_event *event = pmuq_vendor_get(vendor, i);

		complete_offer(completion, spot->event, event->event->name.p, "", open_end(spot),
			       event->description.p);
	}
}

/* Subsystems, until there is a colon. False: there is no such tracepoint. */
static bool offer_tracepoints(struct completion *completion, const struct spot *spot)
{
	struct pmuq_source *source = complete_source(completion);
	const char *head = completion->word + spot->event;
	struct pmuq_names *names = NULL;
	bool is_subsystem = !strchr(head, ':'), has_any;

	if (!source || !*head || pmuq_source_list_tracepoints(source, head, &names, NULL) < 0)
		return false;
	has_any = pmuq_names_count(names) > 0;
	for (size_t i = 0; i < pmuq_names_count(names); i++) {
		const char *name = pmuq_names_get(names, i);
		auto_free char *subsystem = strndup(name, strcspn(name, ":"));

		if (!is_subsystem)
			complete_offer(completion, spot->event, name, "", open_end(spot),
				       "tracepoint");
		else if (subsystem)
			complete_offer(completion, spot->event, subsystem, ":", NULL,
				       "tracepoints");
	}
	pmuq_names_free(names);
	return has_any;
}

/* ------------------------------------------------------------------------------------ modifiers */

/* How often a letter may be written. */
static size_t times_allowed(char letter, bool is_group)
{
	if (letter == 'W' && !is_group)
		return 0;
	return letter == 'p' ? 3 : 1;
}

static size_t times_written(const char *letters, char letter)
{
	size_t n = 0;

	for (; *letters; letters++)
		n += *letters == letter;
	return n;
}

static bool are_modifiers(const char *letters)
{
	for (; *letters; letters++) {
		bool is_one = false;
		char letter;

		for (size_t i = 0; !is_one && pmuq_modifier_meaning(i, &letter); i++)
			is_one = letter == *letters;
		if (!is_one)
			return false;
	}
	return true;
}

/* Whether there is an event of the name in front of the colon. Names of libpfm4 are not asked for:
 * what comes first behind those is their own. */
static bool has_event(struct completion *completion, const struct spot *spot)
{
	struct pmuq_source *source = complete_source(completion);
	cleanup(vendor_freep) struct pmuq_vendor *vendor = complete_vendor(completion);
	struct pmuq_encode_options options = { .size = sizeof(options), .vendor = vendor };
	auto_free char *name =
		strndup(completion->word + spot->event, spot->part - 1 - spot->event);
	struct pmuq_encodings *encodings = NULL;
	bool ret =
		source && name && pmuq_source_encode(source, name, &options, &encodings, NULL) >= 0;

	pmuq_encodings_free(encodings);
	return ret;
}

static void offer_modifiers(struct completion *completion, const struct spot *spot)
{
	bool is_group = spot->place == PLACE_GROUP;
	const char *letters = completion->word + spot->part, *meaning;
	char letter;

	if (!are_modifiers(letters))
		return;
	for (size_t i = 0; (meaning = pmuq_modifier_meaning(i, &letter)); i++)
		if (times_written(letters, letter) < times_allowed(letter, is_group))
			complete_offer(completion, strlen(completion->word), (char[]){ letter, 0 },
				       "", open_end(spot), meaning);
}

static void offer_group_end(struct completion *completion, const struct spot *spot)
{
	complete_offer(completion, spot->part, "", "", NULL, NULL);
	complete_offer(completion, spot->part, "", ":", NULL, "modifiers");
}

void complete_event(struct completion *completion)
{
	struct spot spot = find_spot(completion->word);

	switch (spot.place) {
	case PLACE_NAME:
		offer_pmus(completion, spot.event);
		offer_generic(completion, &spot);
		offer_bare(completion, &spot);
		offer_tracepoints(completion, &spot);
		offer_vendor(completion, &spot);
		break;
	case PLACE_TERMS:
		complete_terms(completion, spot.event, spot.slash, spot.part);
		break;
	case PLACE_TAIL:
		if (!offer_tracepoints(completion, &spot) && has_event(completion, &spot))
			offer_modifiers(completion, &spot);
		break;
	case PLACE_MODIFIERS:
		offer_modifiers(completion, &spot);
		break;
	case PLACE_GROUP:
		if (completion->word[spot.part - 1] == ':')
			offer_modifiers(completion, &spot);
		else
			offer_group_end(completion, &spot);
		break;
	}
}
