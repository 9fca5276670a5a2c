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
 * exclude_kernel=1", behind blanks or commas). Needs no machine.
 *
 * @param ret  with the size that the text says, else the smallest published one that holds the rest
 * @return 0, -PMUQ_E_BAD_ATTR, -PMUQ_E_BAD_HEX, -PMUQ_E_ATTR_SIZE, -PMUQ_E_UNKNOWN_FIELD,
 *         -PMUQ_E_FIELD_RANGE, -PMUQ_E_REPEATED_FIELD, -PMUQ_E_MEMORY; with a span of the text
 */
int pmuq_attr_parse(const char *text, struct pmuq_attr *ret, struct pmuq_error **reterr);

/** For whom strings are, and what they may be made of. Zeroed but for its size: all defaults. */
struct pmuq_decode_options {
	size_t size;		   /**< sizeof(struct pmuq_decode_options) */
	enum pmuq_dialect dialect; /**< of whose parser the strings are */
	unsigned from; /**< enum pmuq_origin values that names may be taken from; 0 means all */
	/** What config1 of a kprobe or uprobe would point to (pmuq_encoding_probe_text()); NULL:
	 *  unknown. Not kept. */
	const char *probe_text;
	/**
	 * The CPU's imported events, whose names stand behind the machine's own and before all that
	 * is spelt out; NULL: none. Encode the string with the same ones. Not kept.
	 */
	const struct pmuq_vendor *vendor;
	/**
	 * Who is asked for a name of libpfm4 where nothing else has a name for the attr, in the
	 * pmuq dialect; NULL: nobody. Of a CPU that libpfm4 is not known to have, none is offered.
	 * Not shared by threads.
	 */
	struct pmuq_pfm *pfm;
};

/**
 * Turn an attr into the event string that a person would have written for it on this machine.
 * Encoding that string (in the same dialect, from the same sources of names) has been tried: it
 * gives the attr again, but for the fields that are reported as left.
 *
 * @param attr     any; all of it is looked at, whatever its size says
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

/** The event string. */
const char *pmuq_decoding_text(const struct pmuq_decoding *decoding);
/** The PMU that counts it; NULL when the machine has none of that type. */
const char *pmuq_decoding_pmu(const struct pmuq_decoding *decoding);
/** Where the name in it came from. */
enum pmuq_origin pmuq_decoding_origin(const struct pmuq_decoding *decoding);
/** Whether the string says the event whole, so that what is left is a tool's business. */
bool pmuq_decoding_is_exact(const struct pmuq_decoding *decoding);
/** Fields of the attr that the string does not say, with the attr's values: what a tool sets
 *  (inherit, read_format, sample_period …), and where the string is not exact, the event's own. */
size_t pmuq_decoding_left_count(const struct pmuq_decoding *decoding);
/** As the kernel calls it. Static. */
const char *pmuq_decoding_left_name(const struct pmuq_decoding *decoding, size_t index);
uint64_t pmuq_decoding_left_value(const struct pmuq_decoding *decoding, size_t index);
/** Whether it is a word, to be shown in hex. */
enum pmuq_field_kind pmuq_decoding_left_kind(const struct pmuq_decoding *decoding, size_t index);
/** Whether it is a part of the event itself; no string can say it, then. */
bool pmuq_decoding_left_is_event(const struct pmuq_decoding *decoding, size_t index);
/** Other strings that give the same attr, the likeliest first, not all there may be. */
size_t pmuq_decoding_reading_count(const struct pmuq_decoding *decoding);
const char *pmuq_decoding_reading(const struct pmuq_decoding *decoding, size_t index);

#ifdef __cplusplus
}
#endif
#endif
