/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Notices that this machine changes: a module adds or removes PMUs, a CPU goes online or offline.
 * The kernel announces such changes as uevents (netlink(7), NETLINK_KOBJECT_UEVENT), which need no
 * privilege. Instead of the kernel, a daemon can report the changes of its machine: pmuqd(8). A
 * watch reads no file of the machine: after a change, call pmuq_source_refresh() or read a new
 * catalog. One thread at a time.
 */
#ifndef PMUQ_WATCH_H
#define PMUQ_WATCH_H

#include <pmuq/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct pmuq_watch;

/** Why the machine may have changed; bits. */
enum pmuq_watch_cause {
	PMUQ_WATCH_PMU = 1 << 0,    /**< a PMU was added or removed */
	PMUQ_WATCH_MODULE = 1 << 1, /**< a kernel module was loaded or unloaded */
	PMUQ_WATCH_CPU = 1 << 2,    /**< a CPU went online or offline, which changes cpumasks */
	PMUQ_WATCH_LOST = 1 << 3,   /**< announcements were lost: anything may have changed */
	PMUQ_WATCH_TIMER = 1 << 4,  /**< nothing was announced for timer_ms, here or in a daemon */
};

/** Zeroed except for its size: the defaults. */
struct pmuq_watch_options {
	size_t size; /**< sizeof(struct pmuq_watch_options) */
	/** Report a change when nothing was announced for this time: the kernel announces a PMU
	 *  before all of its files exist. 0: 50 ms. The announcement of a module, which follows
	 *  those of its PMUs, ends the wait; a flood makes it at most 20 times as long. With
	 *  `service`, 0 means at once, because the daemon has waited. */
	uint32_t quiet_ms;
	/** Report a change at least this often, for changes that are not announced. 0: every 30 s,
	 *  or every second where announcements do not arrive; with `service` never, because the
	 *  daemon has such a timer. UINT32_MAX: never. */
	uint32_t timer_ms;
	/** Watch the machine of a daemon: the path of its socket, as for
	 *  pmuq_source_open_service(). Not kept. NULL: watch this machine. */
	const char *service;
};

/**
 * Begin to watch. Without the right or the means to receive announcements the watch has its timer
 * alone: see pmuq_watch_is_announced(). With `service` it subscribes to the changes of the daemon,
 * and waits for its replies, which take milliseconds, for at most 30 seconds each. Open the watch
 * first and then the source, or refresh the source once: no change is missed then.
 *
 * If the connection to the daemon ends, the watch connects again, at once and then every second.
 * Then it reports a change with the cause PMUQ_WATCH_LOST.
 *
 * @param options  NULL for the defaults
 * @param ret      free with pmuq_watch_free()
 * @return 0, -PMUQ_E_BAD_CALL, -PMUQ_E_TOO_MANY_FILES, -PMUQ_E_MEMORY; with `service` also
 *	   -PMUQ_E_NO_SERVICE and -PMUQ_E_BAD_SERVICE
 */
int pmuq_watch_open(const struct pmuq_watch_options *options, struct pmuq_watch **ret,
		    struct pmuq_error **reterr);
void pmuq_watch_free(struct pmuq_watch *watch);

/** Poll this file descriptor (poll(2), POLLIN), then call pmuq_watch_next(). It belongs to the
 *  watch. */
int pmuq_watch_fd(const struct pmuq_watch *watch);
/** Whether the kernel's announcements arrive: not in a network namespace that belongs to a user
 *  namespace, and not where sockets of netlink are forbidden. Of a daemon: whether they arrive
 *  there, and the watch is connected. A daemon without them reads its machine every second. */
bool pmuq_watch_is_announced(const struct pmuq_watch *watch);

/** What may have changed since the last change. */
struct pmuq_watch_change {
	size_t size;
	/** Bits of enum pmuq_watch_cause. 0: a daemon found what nothing had announced. */
	unsigned causes;
	/** Announcements that pmuq_watch_get() returns: the first 64, each once. */
	size_t n_announcements;
};

/** Take the next change, which lives until the next call. NULL: nothing yet, poll again. Never
 *  waits. */
const struct pmuq_watch_change *pmuq_watch_next(struct pmuq_watch *watch);

/** What the kernel announced, to this process or to the daemon. */
struct pmuq_announcement {
	size_t size;
	enum pmuq_watch_cause cause; /**< PMU, MODULE or CPU */
	struct pmuq_str action;	     /**< "add", "remove", "online", "offline" */
	struct pmuq_str name;	     /**< of the PMU, the module or the CPU ("cpu2") */
};
/** An announcement of the last change; NULL past the last. */
const struct pmuq_announcement *pmuq_watch_get(const struct pmuq_watch *watch, size_t index);

/** "pmu", "module", "cpu", "lost", "timer". Static; NULL if the number is not a cause. */
const char *pmuq_watch_cause_name(enum pmuq_watch_cause cause);

#ifdef __cplusplus
}
#endif
#endif
