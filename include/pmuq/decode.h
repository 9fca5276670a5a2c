/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Decodings: the event string that an attr means on a machine. One thread at a time.
 */
#ifndef PMUQ_DECODE_H
#define PMUQ_DECODE_H

#include <pmuq/encode.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Read an attr from text: the bytes of the struct in hex ("04000000 40000000 …", of any published
 * size, of either byte order), or its fields by the kernel's names ("type=4 config=0x800002
 * exclude_kernel=1", separated by blanks or commas). Needs no machine.
 *
 * @param ret  with the size that the text has, else the smallest published one that holds the rest
 * @return 0, -PMUQ_E_BAD_ATTR, -PMUQ_E_BAD_HEX, -PMUQ_E_ATTR_SIZE, -PMUQ_E_UNKNOWN_FIELD,
 *         -PMUQ_E_FIELD_RANGE, -PMUQ_E_REPEATED_FIELD, -PMUQ_E_MEMORY; with a span of the text
 */
int pmuq_attr_parse(const char *text, struct pmuq_attr *ret, struct pmuq_error **reterr);

/** Decode options: target dialect and allowed name sources. Zeroed but for its size: defaults. */
struct pmuq_decode_options {
	size_t size;		   /**< sizeof(struct pmuq_decode_options) */
	enum pmuq_dialect dialect; /**< whose parser takes the strings */
	unsigned from; /**< enum pmuq_origin values that names may be taken from; 0 means all */
	/** What config1 of a kprobe or uprobe would point to (pmuq_encoding.probe_text); NULL:
	 *  unknown. Not kept. */
	const char *probe_text;
	/**
	 * The CPU's imported events. Their names rank after the machine's own and before all that
	 * is spelt out; NULL: none. Encode the string with the same ones. Not kept.
	 */
	const struct pmuq_vendor *vendor;
	/**
	 * libpfm4, for an attr that nothing else has a name for, in the pmuq dialect; NULL: not
	 * used. It offers names only for a CPU that it is known to have. Not shared by threads.
	 */
	struct pmuq_pfm *pfm;
};

/** What an attr means. */
struct pmuq_decoding {
	size_t size;
	struct pmuq_str text; /**< the event string */
	struct pmuq_str pmu;  /**< the PMU that counts it; none if no PMU has that type */
	size_t n_left;	      /**< fields that the string does not set, see pmuq_decoding_left() */
	/** Other strings that give the same attr, the likeliest first, not all there may be. */
	const struct pmuq_str *alternatives;
	size_t n_alternatives;
	enum pmuq_origin origin; /**< where the name in it came from */
	/** The string is the whole event, so that the fields that are left belong to a tool. */
	bool is_exact;
};

/**
 * Turn an attr into the event string that a person would have written for it on this machine.
 * Encoding that string (in the same dialect, from the same sources of names) has been tried: it
 * gives the attr again, but for the fields that are reported as left.
 *
 * @param attr     any; all of it counts, whatever its size is
 * @param options  NULL for the defaults
 * @param ret      free with pmuq_decoding_free(); needs neither source nor catalog afterwards
 * @return 0, -PMUQ_E_BAD_CALL, -PMUQ_E_STALE_SOURCE, -PMUQ_E_TOO_MANY_FILES, -PMUQ_E_MEMORY; with
 *         options.pfm also -PMUQ_E_PFM_UNAVAILABLE, -PMUQ_E_PFM_FAILED
 */
int pmuq_source_decode(struct pmuq_source *source, const struct pmuq_attr *attr,
		       const struct pmuq_decode_options *options, struct pmuq_decoding **ret,
		       struct pmuq_error **reterr);
/** The same from memory; safe to call from many threads on one catalog. */
int pmuq_catalog_decode(const struct pmuq_catalog *catalog, const struct pmuq_attr *attr,
			const struct pmuq_decode_options *options, struct pmuq_decoding **ret,
			struct pmuq_error **reterr);
void pmuq_decoding_free(struct pmuq_decoding *decoding);

/** A field of the attr that the string does not set. */
struct pmuq_left_field {
	size_t size;
	struct pmuq_str name;	       /**< the kernel's */
	uint64_t value;		       /**< in the attr */
	enum pmuq_field_format format; /**< how to write it */
	bool is_event; /**< it is part of the event itself: then no string gives this attr */
};
/** What a tool sets (inherit, read_format, sample_period …), and, if the string is not exact, the
 *  event's own. */
const struct pmuq_left_field *pmuq_decoding_left(const struct pmuq_decoding *decoding,
						 size_t index);

#ifdef __cplusplus
}
#endif
#endif
