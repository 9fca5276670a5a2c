/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Formulas: the expressions of metrics, as in the tables of the kernel. A formula never changes:
 * any number of threads may use one. Evaluating needs no memory, no file and no machine.
 *
 *     pmuq_formula_parse("instructions / cycles", NULL, &formula, &error);
 *     for (size_t i = 0; i < pmuq_formula_operand_count(formula); i++)
 *             inputs[i].value = count_of(pmuq_formula_operand(formula, i));
 *     pmuq_formula_evaluate(formula, inputs, n, &result, &error);
 */
#ifndef PMUQ_FORMULA_H
#define PMUQ_FORMULA_H

#include <pmuq/encode.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What an operand of a formula is. In the name of an event each at sign is for a slash. */
enum pmuq_operand_type {
	PMUQ_OPERAND_EVENT = 0,	    /**< an event, or another metric */
	PMUQ_OPERAND_LITERAL = 1,   /**< a fact of the machine: "#num_cpus" */
	PMUQ_OPERAND_HAS_EVENT = 2, /**< whether the machine has that event: has_event(NAME) */
	PMUQ_OPERAND_CPU = 3,	    /**< whether it is that CPU: strcmp_cpuid_str(NAME) */
};

/** An operand of a formula: a name to which the caller gives a value. */
struct pmuq_operand {
	size_t size;
	struct pmuq_str name; /**< without backslashes; a literal: in lower case, without # */
	enum pmuq_operand_type type; /**< what it is */
	uint32_t offset;	     /**< in the formula, of its first occurrence, in bytes */
	uint32_t length;	     /**< in the formula, in bytes */
};

/** How to read a formula. Zeroed except for its size: all defaults. */
struct pmuq_formula_options {
	size_t size; /**< sizeof(struct pmuq_formula_options), set by the caller */
	/**
	 * pmuq's: what perf skips or misreads is an error, and a value that is not known stays
	 * unknown. perf's: the same results as perf 7.2 (docs/metrics.md).
	 */
	enum pmuq_dialect dialect;
	unsigned parameter; /**< the number that ? in a name stands for */
};

/**
 * Parse a formula.
 *
 * @param text     up to 128 KiB; not kept
 * @param options  NULL for all defaults
 * @param ret      free with pmuq_formula_free()
 * @return 0, -PMUQ_E_BAD_FORMULA (the span is in the text), -PMUQ_E_UNKNOWN_LITERAL,
 *         -PMUQ_E_BAD_CALL (options of a later version), -PMUQ_E_MEMORY
 */
int pmuq_formula_parse(const char *text, const struct pmuq_formula_options *options,
		       struct pmuq_formula **ret, struct pmuq_error **reterr);
void pmuq_formula_free(struct pmuq_formula *formula);

/** The operands, each once, in the order of their first occurrence. */
size_t pmuq_formula_operand_count(const struct pmuq_formula *formula);
const struct pmuq_operand *pmuq_formula_operand(const struct pmuq_formula *formula, size_t index);

/** The value of an operand. The layout of this struct never changes. */
struct pmuq_formula_input {
	/** A count, a fact, 0 or 1; NaN: not known (an event that was not counted). */
	double value;
	/** source_count(): on how many PMUs the event was counted; NaN: not known. */
	double source_count;
	/** aggr_nr(): how many counts the value is the sum of; NaN: not known. */
	double aggr_nr;
};

/** Why a result is not known. */
enum pmuq_formula_reason {
	PMUQ_FORMULA_KNOWN = 0,		/**< it is a number */
	PMUQ_FORMULA_NOT_COUNTED = 1,	/**< the value of an operand is not known */
	PMUQ_FORMULA_DIVIDED_BY_0 = 2,	/**< a divisor is 0 */
	PMUQ_FORMULA_TOO_LARGE = 3,	/**< a value is too large for a double */
	PMUQ_FORMULA_BAD_REMAINDER = 4, /**< a side of % is above 2^63, or the right below 1 */
	PMUQ_FORMULA_NAN = 5,		/**< the formula contains NaN */
};

/** What a formula gives. The layout of this struct never changes. */
struct pmuq_formula_result {
	double value;			 /**< NaN if it is not known */
	enum pmuq_formula_reason reason; /**< why it is not known */
	uint32_t offset;		 /**< in the formula, of what made it unknown, in bytes */
	uint32_t length;		 /**< in the formula, in bytes */
};

/**
 * Evaluate a formula.
 *
 * @param inputs  of each operand, by its index; not kept
 * @param n       the number of inputs, the number of operands
 * @return 0 (also if the result is not known), -PMUQ_E_BAD_CALL, -PMUQ_E_BAD_FORMULA (perf's
 *         dialect: perf refuses a formula in which a right side of % is 0, and crashes of one
 *         below 1)
 */
int pmuq_formula_evaluate(const struct pmuq_formula *formula,
			  const struct pmuq_formula_input *inputs, size_t n,
			  struct pmuq_formula_result *ret, struct pmuq_error **reterr);
/**
 * List the events that must be counted: those that can change the result. The literals, CPUs and
 * events of the machine are known before anything is counted, so that "a if #smt_on else b" needs
 * one of the two. The events are sorted by bytes, each once.
 *
 * @param inputs  of each operand, by its index: the values of events are not used; not kept
 * @param n       the number of inputs, the number of operands
 * @param ret     free with pmuq_names_free(); it does not need the formula afterwards
 * @return 0, -PMUQ_E_BAD_CALL, -PMUQ_E_BAD_FORMULA as above, -PMUQ_E_MEMORY
 */
int pmuq_formula_list_events(const struct pmuq_formula *formula,
			     const struct pmuq_formula_input *inputs, size_t n,
			     struct pmuq_names **ret, struct pmuq_error **reterr);

/**
 * Whether strcmp_cpuid_str() of that name is 1 on a CPU: the name is a regular expression for the
 * whole CPUID ("GenuineIntel-6-55-[01234]"). With fewer than three `-` it is one for a CPUID of x86
 * without its stepping.
 *
 * @param name   not kept
 * @param cpuid  the fact cpuid of a machine; not kept
 * @return 0, -PMUQ_E_BAD_REGEX, -PMUQ_E_MEMORY
 */
int pmuq_formula_matches_cpu(const char *name, const char *cpuid, bool *ret,
			     struct pmuq_error **reterr);

#ifdef __cplusplus
}
#endif
#endif
