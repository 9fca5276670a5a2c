/* SPDX-License-Identifier: MIT */
/*
 * One call of decode. The stages offer strings that a person may have written for the attr, each
 * with a rank. decode.c encodes them, best rank first, and accepts those that give the attr again:
 * an offer may be wrong, a result cannot. README.md lists the stages.
 */
#pragma once

#include "core/buf.h"
#include "core/vec.h"
#include "encode/resolve/bindings.h"

/* In the order in which offers are tried. */
enum pq_rank {
	PQ_RANK_EVENT, /* the name of an event alone: cpu/mem-stores/, cycles, mem:…, sched:… */
	PQ_RANK_PARAMETERS, /* with values for its parameters */
	PQ_RANK_PROBE,
	PQ_RANK_VENDOR,	 /* a name of the vendor's tables: mem_load_retired.l3_miss */
	PQ_RANK_VARIANT, /* a name and not more terms than without: cpu/mem-loads,ldlat=5 */
	PQ_RANK_VENDOR_VARIANT,
	PQ_RANK_DEPRECATED,  /* names that the vendor has deprecated */
	PQ_RANK_PFM,	     /* offered only if nothing above matched: skx::EVENT:UMASK */
	PQ_RANK_TERMS,	     /* cpu/event=0x3c,umask=0x1/ */
	PQ_RANK_PATCHED,     /* config= for bits of no format, and terms */
	PQ_RANK_RAW,	     /* r13c */
	PQ_RANK_FAR_VARIANT, /* an event's name and many terms */
	PQ_RANK_CONFIG,	     /* cpu/config=0x13c/ */
	PQ_RANK_NUMERIC,     /* 4:0x13c */
};

struct pq_words {
	uint64_t v[PQ_CONFIG_WORDS];
};

struct pq_offer {
	struct pmuq_str text;
	enum pq_rank rank;
};

struct pq_decoder {
	struct pq_lookup lookup;
	struct pmuq_encode_options options; /* of the encoder that tries */
	/* The same in pmuq's dialect, for names of events: perf prefers a format of that name. */
	struct pmuq_encode_options event_options;
	const char *probe_text;	     /* of a probe, from the caller; NULL: unknown */
	struct pmuq_pfm *pfm;	     /* copied into `options` with the first name of libpfm4 */
	struct pmuq_attr attr;	     /* the input */
	struct pmuq_attr event_bits; /* bits that event strings express */
	struct pmuq_attr wanted;     /* the part of it that strings can express */
	struct pmuq_attr made;	     /* the attr of the accepted string */
	struct pq_words words;	     /* config … config4 of `wanted` */
	char modifiers[PQ_MODIFIERS_MAX + 1];
	struct pq_buf branch; /* branch_type= terms */
	struct pq_arena arena;
	PQ_VEC(struct pq_offer) offers;
	struct pmuq_error **reterr;
};

/* Whether the caller allows names of that origin. */
static inline bool pq_decode_allows(const struct pq_decoder *d, enum pmuq_origin origin)
{
	return !d->options.from || d->options.from & origin;
}

/* An event string that is being made: HEAD or HEAD/terms/; the decoder's modifiers follow. It lives
 * in the decoder's arena. */
struct pq_phrase {
	struct pq_buf head, terms;
	bool is_pmu; /* slashes even without terms */
};

/* Without a head; or, unless the PMU is NULL, with its name as head. The head is empty if no event
 * string can contain that name. */
struct pq_phrase pq_phrase_new(struct pq_decoder *d, const struct pmuq_pmu *pmu);

/* KEY=0x…; after a comma if it is not the first. */
void pq_write_term(struct pq_buf *terms, struct pmuq_str key, uint64_t value);
/* The same for a term of one bit: KEY alone if the value is 1. */
void pq_write_flag(struct pq_buf *terms, struct pmuq_str key, uint64_t value);
/* config1=… for each word from `first` on that is not zero. */
void pq_write_words(struct pq_buf *terms, const struct pq_words *words, unsigned first);
/* Adds the string to the offers, which ends the phrase. 0 or out of memory. */
int pq_offer(struct pq_decoder *d, enum pq_rank rank, struct pq_phrase *phrase);
/* The same for a complete string, with its modifiers. */
int pq_offer_text(struct pq_decoder *d, enum pq_rank rank, struct pmuq_str text);

/* Writes the modifiers and branch_type= terms of the attr, and clears in `wanted` what they cannot
 * express. */
void pq_decode_flags(struct pq_decoder *d);

/* decode_raw.c: offers that need no formats of a PMU. */
int pq_decode_generic(struct pq_decoder *d);
int pq_decode_breakpoint(struct pq_decoder *d);
int pq_decode_tracepoint(struct pq_decoder *d);
int pq_decode_raw(struct pq_decoder *d);
int pq_decode_numeric(struct pq_decoder *d);
int pq_decode_probe(struct pq_decoder *d, const struct pmuq_pmu *pmu);

/* A format of the PMU with its value, as a user's term. */
struct pq_choice {
	const struct pmuq_format *format;
	uint64_t value;
};

struct pq_choices {
	size_t n;
	struct pq_choice v[PQ_TERMS_MAX]; /* last: it need not be cleared */
};

/*
 * decode_pmu.c. pq_choose_formats() adds formats that overlap neither each other nor `taken`, to
 * cover as many of the bits `need` as possible, and removes these bits from `need`.
 */
int pq_decode_pmu(struct pq_decoder *d, const struct pmuq_pmu *pmu);
void pq_choose_formats(const struct pq_decoder *d, const struct pmuq_pmu *pmu,
		       struct pq_words *need, struct pq_words *taken, struct pq_choices *choices);
void pq_write_choices(struct pq_buf *terms, struct pq_choices *choices);
/* event and umask: they select the event; other formats change how it is counted. */
bool pq_format_is_selector(const struct pmuq_format *format);

/* decode_alias.c: an event of the PMU as a name for the attr: the bits of its own terms, and the
 * user's terms that are added. */
struct pq_alias {
	const struct pmuq_event *event;
	const struct pmuq_vendor_event *vendor; /* whose event that is, or NULL */
	struct pq_bindings *bindings;		/* while it is examined */
	struct pq_words words, taken;		/* values; the bits that its terms set */
	size_t n_parameters;
	unsigned cost;	  /* number of terms, and one more for each that sets a value to 0 */
	unsigned covered; /* bits of the attr that the event sets itself */
	struct pq_choices user;
};

/* Offers the event if its name and parameters are enough; otherwise stores it in `best` if it is
 * better than the event there. `vendor` is NULL for an event of the PMU's own. */
int pq_decode_event(struct pq_decoder *d, const struct pmuq_pmu *pmu, uint64_t before,
		    const struct pmuq_event *event, const struct pmuq_vendor_event *vendor,
		    struct pq_alias *best);
int pq_offer_alias(struct pq_decoder *d, const struct pmuq_pmu *pmu, struct pq_alias *alias,
		   enum pq_rank rank);
/* `n_terms`: how many terms express the event without its name. */
int pq_decode_aliases(struct pq_decoder *d, const struct pmuq_pmu *pmu, uint64_t before,
		      size_t n_terms);
/* decode_vendor.c: the same of the vendor's tables. */
int pq_decode_vendor(struct pq_decoder *d, const struct pmuq_pmu *pmu, uint64_t before,
		     size_t n_terms);
/* decode_pfm.c: names of libpfm4, if it may be used. */
int pq_decode_pfm(struct pq_decoder *d);

/* decode_umasks.c: guesses two or more umasks that give the words together, from each umask's own
 * bits. Returns their number, or 0. */
#define PQ_PICKED_MAX 16u
size_t pq_pick_umasks(const struct pq_words *own, size_t n_umasks, const struct pq_words *wanted,
		      size_t ret[PQ_PICKED_MAX]);

/* A result: the public record, and the memory of its texts and arrays. */
struct pq_decoding {
	struct pmuq_decoding record; /* first: callers get a pointer to this */
	struct pq_arena arena;
	struct pmuq_str *alternatives; /* the record's */
	struct pmuq_left_field *left;
};
