/* SPDX-License-Identifier: MIT */
/*
 * THE table of the attr's fields, in the order of the layout: X(name, format, number of bytes of
 * the smallest attr with this field). All code that prints, reads, compares or sizes an attr uses
 * this list.
 */
#pragma once

// clang-format off
#define PQ_ATTR_FIELDS(X) \
	X(type,                     NUMBER,   4) \
	X(size,                     NUMBER,   8) \
	X(config,                   WORD,    16) \
	X(sample_period,            WORD,    24) \
	X(sample_type,              WORD,    32) \
	X(read_format,              WORD,    40) \
	X(disabled,                 NUMBER,  48) \
	X(inherit,                  NUMBER,  48) \
	X(pinned,                   NUMBER,  48) \
	X(exclusive,                NUMBER,  48) \
	X(exclude_user,             NUMBER,  48) \
	X(exclude_kernel,           NUMBER,  48) \
	X(exclude_hv,               NUMBER,  48) \
	X(exclude_idle,             NUMBER,  48) \
	X(mmap,                     NUMBER,  48) \
	X(comm,                     NUMBER,  48) \
	X(freq,                     NUMBER,  48) \
	X(inherit_stat,             NUMBER,  48) \
	X(enable_on_exec,           NUMBER,  48) \
	X(task,                     NUMBER,  48) \
	X(watermark,                NUMBER,  48) \
	X(precise_ip,               NUMBER,  48) \
	X(mmap_data,                NUMBER,  48) \
	X(sample_id_all,            NUMBER,  48) \
	X(exclude_host,             NUMBER,  48) \
	X(exclude_guest,            NUMBER,  48) \
	X(exclude_callchain_kernel, NUMBER,  48) \
	X(exclude_callchain_user,   NUMBER,  48) \
	X(mmap2,                    NUMBER,  48) \
	X(comm_exec,                NUMBER,  48) \
	X(use_clockid,              NUMBER,  48) \
	X(context_switch,           NUMBER,  48) \
	X(write_backward,           NUMBER,  48) \
	X(namespaces,               NUMBER,  48) \
	X(ksymbol,                  NUMBER,  48) \
	X(bpf_event,                NUMBER,  48) \
	X(aux_output,               NUMBER,  48) \
	X(cgroup,                   NUMBER,  48) \
	X(text_poke,                NUMBER,  48) \
	X(build_id,                 NUMBER,  48) \
	X(inherit_thread,           NUMBER,  48) \
	X(remove_on_exec,           NUMBER,  48) \
	X(sigtrap,                  NUMBER,  48) \
	X(defer_callchain,          NUMBER,  48) \
	X(defer_output,             NUMBER,  48) \
	X(wakeup_events,            NUMBER,  52) \
	X(bp_type,                  NUMBER,  56) \
	X(config1,                  WORD,    64) \
	X(config2,                  WORD,    72) \
	X(branch_sample_type,       WORD,    80) \
	X(sample_regs_user,         WORD,    88) \
	X(sample_stack_user,        NUMBER,  92) \
	X(clockid,                  NUMBER,  96) \
	X(sample_regs_intr,         WORD,   104) \
	X(aux_watermark,            NUMBER, 108) \
	X(sample_max_stack,         NUMBER, 110) \
	X(aux_sample_size,          NUMBER, 116) \
	X(aux_action,               NUMBER, 120) \
	X(sig_data,                 WORD,   128) \
	X(config3,                  WORD,   136) \
	X(config4,                  WORD,   144)
// clang-format on
