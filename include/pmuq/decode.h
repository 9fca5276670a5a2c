/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Decodings: from an attr back to the event string. One thread at a time.
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
 * @param ret  its size is the one in the text, else the smallest published size that fits
 * @return 0, -PMUQ_E_BAD_ATTR, -PMUQ_E_BAD_HEX, -PMUQ_E_ATTR_SIZE, -PMUQ_E_UNKNOWN_FIELD,
 *         -PMUQ_E_FIELD_RANGE, -PMUQ_E_REPEATED_FIELD, -PMUQ_E_MEMORY; the span is in the text
 */
int pmuq_attr_parse(const char *text, struct pmuq_attr *ret, struct pmuq_error **reterr);

/** Decode options: target dialect and allowed name sources. Zeroed except for its size:
 *  the defaults. */
struct pmuq_decode_options {
	size_t size;		   /**< sizeof(struct pmuq_decode_options) */
	enum pmuq_dialect dialect; /**< the dialect of the event strings */
	unsigned from; /**< bits of enum pmuq_origin: the allowed sources of names; 0: all */
	/** The text that config1 of a kprobe or uprobe points to (pmuq_encoding.probe_text); NULL:
	 *  unknown. Not kept. */
	const char *probe_text;
	/**
	 * The CPU's imported events; NULL: none. Their names rank after the machine's own names and
	 * before strings of terms. Encode the string with the same table. Not kept.
	 */
	const struct pmuq_vendor *vendor;
	/**
	 * libpfm4, for attrs that have no other name, in the pmuq dialect; NULL: not used. pmuq
	 * uses it only for a CPU that libpfm4 is known to support. Not shared by threads.
	 */
	struct pmuq_pfm *pfm;
};

/** What an attr means. */
struct pmuq_decoding {
	size_t size;
	struct pmuq_str text; /**< the event string */
	struct pmuq_str pmu;  /**< the PMU that counts it, or none if no PMU has its type */
	size_t n_left;	      /**< fields that the string does not set: pmuq_decoding_left() */
	/** Some other strings with the same attr; the likeliest comes first. */
	const struct pmuq_str *alternatives;
	size_t n_alternatives;
	enum pmuq_origin origin; /**< the source of the name in it */
	/** The string describes the event completely; only a tool sets the fields that are left. */
	bool is_exact;
};

/**
 * Turn an attr into the event string that a person would write for it on this machine. pmuq has
 * encoded the string again (in the same dialect, with the same sources of names): the result is the
 * attr, except for the fields that are reported as left.
 *
 * @param attr     all bytes count, whatever its size member is
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
	struct pmuq_str name;	       /**< the kernel's name */
	uint64_t value;		       /**< in the attr */
	enum pmuq_field_format format; /**< how to print it */
	bool is_event; /**< it is part of the event itself: no string gives this attr */
};
/** The fields that the string does not set: those of a tool (inherit, read_format, sample_period
 *  …), and, if the string is not exact, some of the event. NULL past the last. */
const struct pmuq_left_field *pmuq_decoding_left(const struct pmuq_decoding *decoding,
						 size_t index);

#ifdef __cplusplus
}
#endif
#endif
