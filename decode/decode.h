/* SPDX-License-Identifier: MIT */
/*
 * One call of decode: everything that a person might have written for an attr is offered with its
 * rank, and encoded again, best first, until one gives the attr back. So what is offered need not
 * be right, and nothing that is not right goes out. The stages: decode_direct.c (events that carry
 * their type), decode_pmu.c (terms of a PMU), decode_alias.c (names of its events),
 * decode_vendor.c (names of a vendor's tables), decode_pfm.c (names of libpfm4), decode.c (what is
 * tried, and what is left).
 */
#ifndef PQ_DECODE_H
#define PQ_DECODE_H

#include "core/buf.h"
#include "core/vec.h"
#include "encode/resolve/bindings.h"

/* What is tried first. */
enum pq_rank {
	PQ_RANK_EVENT, /* an event's name says all: cpu/mem-stores/, cycles, mem:…, sched:… */
	PQ_RANK_PARAMETERS, /* with values for its parameters */
	PQ_RANK_PROBE,
	PQ_RANK_VENDOR,	 /* a name of the vendor's tables: mem_load_retired.l3_miss */
	PQ_RANK_VARIANT, /* an event's name and no more terms than spelt out: cpu/mem-loads,ldlat=5/
			  */
	PQ_RANK_VENDOR_VARIANT,
	PQ_RANK_DEPRECATED,  /* names that the vendor would rather not see */
	PQ_RANK_PFM,	     /* offered once nothing above this was right: skx::EVENT:UMASK */
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
	const char *probe_text;
	struct pmuq_pfm *pfm;	     /* the encoder gets it with the first name of libpfm4 */
	struct pmuq_attr asked;	     /* as it was handed in */
	struct pmuq_attr event_bits; /* which bits event strings express */
	struct pmuq_attr wanted;     /* the part of it that some string can say */
	struct pmuq_attr made;	     /* what the string that was found gives */
	struct pq_words words;	     /* config … config4 of it */
	char modifiers[PQ_MODIFIERS_MAX + 1];
	struct pq_buf branch; /* branch_type= terms */
	struct pq_arena arena;
	struct {
		PQ_VEC(struct pq_offer);
	} offers;
	struct pmuq_error **reterr;
};

/* An event string in the making: HEAD, HEAD/terms/, with the decoder's modifiers behind. */
struct pq_phrase {
	struct pmuq_str head;
	struct pq_buf terms;
	bool is_pmu; /* the slashes stand, terms or not */
};

/* KEY, where `is_flag` is set and the value 1, else KEY=0x…; with its comma. */
void pq_say_term(struct pq_buf *terms, struct pmuq_str key, uint64_t value, bool is_flag);
/* config1=… for each word from `first` on that is not zero. */
void pq_say_words(struct pq_buf *terms, const struct pq_words *words, unsigned first);
/* Keeps the string, and frees the phrase's text. 0 or out of memory. */
int pq_offer(struct pq_decoder *d, enum pq_rank rank, struct pq_phrase *phrase);
/* A string that is whole, modifiers and all. */
int pq_offer_text(struct pq_decoder *d, enum pq_rank rank, struct pmuq_str text);

/* What modifiers and branch_type= can express of the attr; the rest is taken out of `wanted`. */
void pq_decode_flags(struct pq_decoder *d);

/* decode_direct.c: offers that need no PMU's formats. */
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
 * decode_pmu.c. pq_choose_formats() adds formats, none over another nor over `taken`, until the
 * bits `need` are covered as far as they can be, and takes those bits out of `need`.
 */
int pq_decode_pmu(struct pq_decoder *d, const struct pmuq_pmu *pmu);
void pq_choose_formats(const struct pq_decoder *d, const struct pmuq_pmu *pmu,
		       struct pq_words *need, struct pq_words *taken, struct pq_choices *choices);
void pq_say_choices(struct pq_buf *terms, struct pq_choices *choices);
/* event, umask and their like: they say which event it is, and the others how it is counted. */
bool pq_format_is_selector(const struct pmuq_format *format);
/* The PMU's config before any term. */
int pq_decode_default(struct pq_decoder *d, const struct pmuq_pmu *pmu, uint64_t *ret);

/* decode_alias.c: an event as the name of the attr. What its own terms give, on which the user's
 * terms are laid. */
struct pq_alias {
	const struct pmuq_event *event;
	const struct pmuq_vendor_event *vendor; /* whose event that is, or NULL */
	struct pq_bindings *bindings;		/* while it is considered */
	struct pq_words words, taken;		/* values; the bits that its terms set */
	size_t n_parameters;
	unsigned cost;	  /* number of terms, and one more for each that sets a value to 0 */
	unsigned covered; /* bits of the attr that the event sets itself */
	struct pq_choices user;
};

/* Offers the event if its name and parameters are enough; else stores it in `best` if it is better
 * than what `best` holds. `vendor` is NULL for an event of the PMU's own. */
int pq_decode_event(struct pq_decoder *d, const struct pmuq_pmu *pmu, uint64_t before,
		    const struct pmuq_event *event, const struct pmuq_vendor_event *vendor,
		    struct pq_alias *best);
int pq_offer_alias(struct pq_decoder *d, const struct pmuq_pmu *pmu, struct pq_alias *alias,
		   enum pq_rank rank);
/* `n_terms`: how many terms the event takes when it is spelt out. */
int pq_decode_aliases(struct pq_decoder *d, const struct pmuq_pmu *pmu, uint64_t before,
		      size_t n_terms);
/* decode_vendor.c: the same of the vendor's tables. */
int pq_decode_vendor(struct pq_decoder *d, const struct pmuq_pmu *pmu, uint64_t before,
		     size_t n_terms);
/* decode_pfm.c: asks libpfm4, if it may be asked. */
int pq_decode_pfm(struct pq_decoder *d);

/* decode_umasks.c: of umasks with the bits that are each one's own, two or more that may give the
 * words together, or none: their number. */
#define PQ_PICKED_MAX 16u
size_t pq_pick_umasks(const struct pq_words *own, size_t n_umasks, const struct pq_words *wanted,
		      size_t ret[PQ_PICKED_MAX]);

/* decode_result.c: what is handed out, and where its texts and arrays live. */
struct pq_decoding {
	struct pmuq_decoding record; /* first: what is handed out is this */
	struct pq_arena arena;
	struct pmuq_str *alternatives; /* the record's */
	struct pmuq_left_field *left;
};

#endif
