/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Attrs: the layout of struct perf_event_attr up to PERF_ATTR_SIZE_VER9 (144 bytes), as in
 * perf_event_open(2) and the kernel's uapi header. It is declared here because the system's header
 * is often older than the running kernel. A program may pass a pointer to it to the system call, or
 * copy it into the system's struct with pmuq_attr_copy(). `size` is the number of bytes that the
 * kernel reads, and the others must be zero: a program that writes a member after byte 64 itself
 * must set `size`, too. pmuq_attr_set() does that.
 */
#ifndef PMUQ_ATTR_H
#define PMUQ_ATTR_H

#include <pmuq/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The event to open; perf_event_open(2) describes the fields. */
struct pmuq_attr {
	uint32_t type;
	uint32_t size; /* bytes */
	uint64_t config;
	uint64_t sample_period; /* sample_freq, in Hz, if freq is set */
	uint64_t sample_type;
	uint64_t read_format;
	uint64_t disabled : 1;
	uint64_t inherit : 1;
	uint64_t pinned : 1;
	uint64_t exclusive : 1;
	uint64_t exclude_user : 1;
	uint64_t exclude_kernel : 1;
	uint64_t exclude_hv : 1;
	uint64_t exclude_idle : 1;
	uint64_t mmap : 1;
	uint64_t comm : 1;
	uint64_t freq : 1;
	uint64_t inherit_stat : 1;
	uint64_t enable_on_exec : 1;
	uint64_t task : 1;
	uint64_t watermark : 1;
	uint64_t precise_ip : 2;
	uint64_t mmap_data : 1;
	uint64_t sample_id_all : 1;
	uint64_t exclude_host : 1;
	uint64_t exclude_guest : 1;
	uint64_t exclude_callchain_kernel : 1;
	uint64_t exclude_callchain_user : 1;
	uint64_t mmap2 : 1;
	uint64_t comm_exec : 1;
	uint64_t use_clockid : 1;
	uint64_t context_switch : 1;
	uint64_t write_backward : 1;
	uint64_t namespaces : 1;
	uint64_t ksymbol : 1;
	uint64_t bpf_event : 1;
	uint64_t aux_output : 1;
	uint64_t cgroup : 1;
	uint64_t text_poke : 1;
	uint64_t build_id : 1;
	uint64_t inherit_thread : 1;
	uint64_t remove_on_exec : 1;
	uint64_t sigtrap : 1;
	uint64_t defer_callchain : 1;
	uint64_t defer_output : 1;
	uint64_t reserved_flags : 24;
	uint32_t wakeup_events; /* wakeup_watermark, in bytes, if watermark is set */
	uint32_t bp_type;
	uint64_t config1; /* bp_addr of a breakpoint; a pointer for kprobe and uprobe */
	uint64_t config2; /* bp_len of a breakpoint, in bytes */
	uint64_t branch_sample_type;
	uint64_t sample_regs_user;
	uint32_t sample_stack_user; /* bytes */
	int32_t clockid;
	uint64_t sample_regs_intr;
	uint32_t aux_watermark; /* bytes */
	uint16_t sample_max_stack;
	uint16_t reserved_2;
	uint32_t aux_sample_size; /* bytes */
	uint32_t aux_action;	  /* bitfields in this order: start paused, pause, resume */
	uint64_t sig_data;
	uint64_t config3;
	uint64_t config4;
};

/** The size of this layout, in bytes. */
#define PMUQ_ATTR_SIZE_MAX 144

/** How to print a field. */
enum pmuq_field_format {
	PMUQ_FIELD_NUMBER = 0, /**< a small number or a flag */
	PMUQ_FIELD_WORD = 1,   /**< 64 bits, shown in hex */
};

/**
 * The numbers of the fields, for languages without bit-fields. The number of a field never changes:
 * one that a later kernel adds gets the next number, wherever it is in the layout.
 */
enum pmuq_attr_field {
	PMUQ_ATTR_TYPE = 0,
	PMUQ_ATTR_SIZE = 1,
	PMUQ_ATTR_CONFIG = 2,
	PMUQ_ATTR_SAMPLE_PERIOD = 3,
	PMUQ_ATTR_SAMPLE_TYPE = 4,
	PMUQ_ATTR_READ_FORMAT = 5,
	PMUQ_ATTR_DISABLED = 6,
	PMUQ_ATTR_INHERIT = 7,
	PMUQ_ATTR_PINNED = 8,
	PMUQ_ATTR_EXCLUSIVE = 9,
	PMUQ_ATTR_EXCLUDE_USER = 10,
	PMUQ_ATTR_EXCLUDE_KERNEL = 11,
	PMUQ_ATTR_EXCLUDE_HV = 12,
	PMUQ_ATTR_EXCLUDE_IDLE = 13,
	PMUQ_ATTR_MMAP = 14,
	PMUQ_ATTR_COMM = 15,
	PMUQ_ATTR_FREQ = 16,
	PMUQ_ATTR_INHERIT_STAT = 17,
	PMUQ_ATTR_ENABLE_ON_EXEC = 18,
	PMUQ_ATTR_TASK = 19,
	PMUQ_ATTR_WATERMARK = 20,
	PMUQ_ATTR_PRECISE_IP = 21,
	PMUQ_ATTR_MMAP_DATA = 22,
	PMUQ_ATTR_SAMPLE_ID_ALL = 23,
	PMUQ_ATTR_EXCLUDE_HOST = 24,
	PMUQ_ATTR_EXCLUDE_GUEST = 25,
	PMUQ_ATTR_EXCLUDE_CALLCHAIN_KERNEL = 26,
	PMUQ_ATTR_EXCLUDE_CALLCHAIN_USER = 27,
	PMUQ_ATTR_MMAP2 = 28,
	PMUQ_ATTR_COMM_EXEC = 29,
	PMUQ_ATTR_USE_CLOCKID = 30,
	PMUQ_ATTR_CONTEXT_SWITCH = 31,
	PMUQ_ATTR_WRITE_BACKWARD = 32,
	PMUQ_ATTR_NAMESPACES = 33,
	PMUQ_ATTR_KSYMBOL = 34,
	PMUQ_ATTR_BPF_EVENT = 35,
	PMUQ_ATTR_AUX_OUTPUT = 36,
	PMUQ_ATTR_CGROUP = 37,
	PMUQ_ATTR_TEXT_POKE = 38,
	PMUQ_ATTR_BUILD_ID = 39,
	PMUQ_ATTR_INHERIT_THREAD = 40,
	PMUQ_ATTR_REMOVE_ON_EXEC = 41,
	PMUQ_ATTR_SIGTRAP = 42,
	PMUQ_ATTR_DEFER_CALLCHAIN = 43,
	PMUQ_ATTR_DEFER_OUTPUT = 44,
	PMUQ_ATTR_WAKEUP_EVENTS = 45,
	PMUQ_ATTR_BP_TYPE = 46,
	PMUQ_ATTR_CONFIG1 = 47,
	PMUQ_ATTR_CONFIG2 = 48,
	PMUQ_ATTR_BRANCH_SAMPLE_TYPE = 49,
	PMUQ_ATTR_SAMPLE_REGS_USER = 50,
	PMUQ_ATTR_SAMPLE_STACK_USER = 51,
	PMUQ_ATTR_CLOCKID = 52,
	PMUQ_ATTR_SAMPLE_REGS_INTR = 53,
	PMUQ_ATTR_AUX_WATERMARK = 54,
	PMUQ_ATTR_SAMPLE_MAX_STACK = 55,
	PMUQ_ATTR_AUX_SAMPLE_SIZE = 56,
	PMUQ_ATTR_AUX_ACTION = 57,
	PMUQ_ATTR_SIG_DATA = 58,
	PMUQ_ATTR_CONFIG3 = 59,
	PMUQ_ATTR_CONFIG4 = 60,
};

/** A field of the layout. Static. */
struct pmuq_field {
	size_t size;
	struct pmuq_str name;	       /**< the kernel's name */
	enum pmuq_field_format format; /**< how to print it */
	unsigned end_bytes;	       /**< the smallest attr.size that contains the field */
};

/** A field by its number, enum pmuq_attr_field; NULL past the last. */
const struct pmuq_field *pmuq_attr_field(unsigned field);
/**
 * Find a field by the kernel's name, "clockid", or by the name of another member of its union:
 * "sample_freq", "wakeup_watermark", "bp_addr" …
 *
 * @param ret  its number
 * @return false if there is no such field
 */
bool pmuq_attr_find_field(const char *name, unsigned *ret);
/** The value of a field; 0 past the last. */
uint64_t pmuq_attr_get(const struct pmuq_attr *attr, unsigned field);
/**
 * Set a field. If `size` is smaller than the smallest published size that contains all fields that
 * are not 0, it becomes that size: the kernel ignores the bytes after it.
 *
 * @return false, and the attr is unchanged, if the field cannot hold the value; for `size`, if no
 *         kernel published it or another field that is not 0 is after it
 */
bool pmuq_attr_set(struct pmuq_attr *attr, unsigned field, uint64_t value);

/**
 * Copy an attr into a struct perf_event_attr of any version, such as the one of the system's
 * header. The bytes after the last field are zeroed, and its `size` is that of the attr, but not
 * more than `bytes`, and not too small for a field that is not 0.
 *
 * @param ret    the struct
 * @param bytes  its sizeof
 * @return 0; -PMUQ_E_ATTR_SIZE if the struct ends before a field that is not 0, which the message
 *         names; -PMUQ_E_BAD_CALL if it has less than 64 bytes
 */
int pmuq_attr_copy(const struct pmuq_attr *attr, void *ret, size_t bytes,
		   struct pmuq_error **reterr);

#ifdef __cplusplus
}
#endif
#endif
