/* SPDX-License-Identifier: MIT */
/* How much one event string may ask for. Documented in docs/grammar.md; beyond them: PMUQ-014. */
#ifndef PQ_LIMITS_H
#define PQ_LIMITS_H

#define PQ_INPUT_MAX_BYTES ((size_t)1 << 20)
#define PQ_ENCODINGS_MAX 65536u
#define PQ_TERMS_MAX 256u /* of one event, an alias's own included */
/* No name is longer; what a pattern costs grows with its length and with all PMUs. */
#define PQ_GLOB_MAX_BYTES 1024u
/* What parsing and resolving one string may take, the result included. */
#define PQ_ENCODE_MAX_BYTES ((size_t)256 << 20)

#endif
