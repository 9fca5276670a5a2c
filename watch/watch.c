/* SPDX-License-Identifier: MIT */
/*
 * The public functions. An epoll descriptor joins the socket and a timer, so that a program polls
 * one descriptor; it may be readable without a change, since announcements are collected until it
 * is quiet.
 */
#include "core/arena.h"
#include "core/error.h"
#include "core/freep.h"
#include "core/limits.h"
#include "core/sized.h"
#include "core/vec.h"
#include "watch/debounce.h"
#include "watch/uevent.h"
#include "watch/uevent_socket.h"
#include <errno.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <time.h>

#define QUIET_MS 50u
#define TIMER_MS 30000u
/* Where announcements do not arrive, the timer is all there is. */
#define LONELY_TIMER_MS 1000u
/* Of one call, so that a flood does not keep the caller busy; the rest stays in the socket. */
#define MESSAGES_MAX 4096u
#define ANNOUNCEMENTS_MAX 64u
#define NAMES_MAX_BYTES ((size_t)64 * 1024)

struct pmuq_watch {
	int epoll, socket, timer;
	bool is_announced;
	struct pq_debounce debounce;
	unsigned causes; /* not reported yet */
	struct pmuq_watch_change change;
	/* Two lists: of the last change, and since then. */
	struct announced {
		struct pq_arena arena;
		PQ_VEC(struct pmuq_announcement);
	} lists[2];
	unsigned filling; /* which one is filled now */
};

static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_BOOTTIME, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* A time in the past makes the descriptor readable at once. */
static void arm(const struct pmuq_watch *watch)
{
	uint64_t at = pq_debounce_next(&watch->debounce);
	struct itimerspec when = { 0 };

	if (at != PQ_DEBOUNCE_NEVER) {
		when.it_value.tv_sec = (time_t)(at / 1000);
		when.it_value.tv_nsec = (long)(at % 1000) * 1000000 + 1;
	}
	timerfd_settime(watch->timer, TFD_TIMER_ABSTIME, &when, NULL);
}

static int join(const struct pmuq_watch *watch, int fd)
{
	struct epoll_event event = { .events = EPOLLIN };

	return epoll_ctl(watch->epoll, EPOLL_CTL_ADD, fd, &event);
}

/* Fails only if the process is out of descriptors or memory. */
static int open_descriptors(struct pmuq_watch *watch, struct pmuq_error **reterr)
{
	watch->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (watch->epoll >= 0)
		watch->timer = timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK);
	if (watch->timer >= 0)
		watch->socket = pq_uevent_socket_open();
	if (watch->timer < 0 || watch->socket == -EMFILE || watch->socket == -ENFILE ||
	    join(watch, watch->timer) < 0 || (watch->socket >= 0 && join(watch, watch->socket) < 0))
		return pq_fail(reterr, PMUQ_E_TOO_MANY_FILES, "cannot watch the machine: %s",
			       pq_errno_text(watch->socket < -1 ? -watch->socket : errno));
	watch->is_announced = watch->socket >= 0 && pq_uevent_socket_is_reached();
	return 0;
}

PQ_API int pmuq_watch_open(const struct pmuq_watch_options *options, struct pmuq_watch **ret,
			   struct pmuq_error **reterr)
{
	struct pmuq_watch_options taken = { .size = sizeof(taken) };
	cleanup(pmuq_watch_freep) struct pmuq_watch *watch = NULL;
	uint64_t timer_ms;
	int r = options ? pq_sized_take(options, &taken, sizeof(taken), reterr) : 0;

	if (r < 0)
		return r;
	watch = calloc(1, sizeof(*watch));
	if (!watch)
		return pq_fail_memory(reterr);
	watch->epoll = watch->socket = watch->timer = -1;
	for (size_t i = 0; i < COUNT(watch->lists); i++)
		pq_arena_init(&watch->lists[i].arena, NULL, 0, NAMES_MAX_BYTES);
	r = open_descriptors(watch, reterr);
	if (r < 0)
		return r;
	timer_ms = taken.timer_ms == UINT32_MAX ? PQ_DEBOUNCE_NEVER
		   : taken.timer_ms		? taken.timer_ms
		   : watch->is_announced	? TIMER_MS
						: LONELY_TIMER_MS;
	pq_debounce_init(&watch->debounce, taken.quiet_ms ? taken.quiet_ms : QUIET_MS, timer_ms,
			 now_ms());
	arm(watch);
	*ret = move(watch);
	return 0;
}

PQ_API void pmuq_watch_free(struct pmuq_watch *watch)
{
	if (!watch)
		return;
	pq_closep(&watch->epoll);
	pq_closep(&watch->socket);
	pq_closep(&watch->timer);
	for (size_t i = 0; i < COUNT(watch->lists); i++)
		pq_arena_clear(&watch->lists[i].arena);
	free(watch);
}

PQ_API int pmuq_watch_fd(const struct pmuq_watch *watch)
{
	return watch->epoll;
}

PQ_API bool pmuq_watch_is_announced(const struct pmuq_watch *watch)
{
	return watch->is_announced;
}

static bool is_noted(const struct announced *list, const struct pq_uevent *uevent)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->v[i].cause == uevent->cause && str_eq(list->v[i].name, uevent->name) &&
		    str_eq(list->v[i].action, uevent->action))
			return true;
	return false;
}

/* Without memory the name is missing, but not the change. */
static void note_name(struct announced *list, const struct pq_uevent *uevent)
{
	struct pmuq_announcement *announcement;
	struct pmuq_str name, action;

	if (list->n == ANNOUNCEMENTS_MAX || is_noted(list, uevent))
		return;
	name = pq_arena_str(&list->arena, uevent->name);
	action = pq_arena_str(&list->arena, uevent->action);
	announcement = name.p && action.p ? pq_vec_add_in(&list->arena, list) : NULL;
	if (announcement)
		*announcement = (struct pmuq_announcement){
			.size = sizeof(*announcement),
			.cause = uevent->cause,
			.action = action,
			.name = name,
		};
}

static void note(struct pmuq_watch *watch, uint64_t now, enum pmuq_watch_cause cause)
{
	watch->causes |= cause;
	pq_debounce_note(&watch->debounce, now, cause == PMUQ_WATCH_MODULE);
}

static void read_messages(struct pmuq_watch *watch, uint64_t now)
{
	char buffer[PQ_UEVENT_BYTES];
	struct pmuq_str message;
	struct pq_uevent uevent;

	for (unsigned i = 0; i < MESSAGES_MAX; i++)
		switch (pq_uevent_socket_read(watch->socket, buffer, &message)) {
		case PQ_UEVENT_NOTHING:
			return;
		case PQ_UEVENT_LOST:
			note(watch, now, PMUQ_WATCH_LOST);
			break;
		case PQ_UEVENT_FOREIGN:
			break;
		case PQ_UEVENT_READ:
			if (!pq_uevent_parse(message, &uevent))
				break;
			note_name(&watch->lists[watch->filling], &uevent);
			note(watch, now, uevent.cause);
		}
}

/* Makes the list that was filled the one that pmuq_watch_get() reads. */
static void swap_lists(struct pmuq_watch *watch)
{
	struct announced *next;

	watch->filling = !watch->filling;
	next = &watch->lists[watch->filling];
	pq_arena_clear(&next->arena);
	pq_arena_init(&next->arena, NULL, 0, NAMES_MAX_BYTES);
	next->v = NULL;
	next->n = next->capacity = 0;
}

PQ_API const struct pmuq_watch_change *pmuq_watch_next(struct pmuq_watch *watch)
{
	uint64_t now = now_ms();
	enum pq_debounced debounced;

	/* Setting the timer again also makes it unreadable. */
	if (watch->socket >= 0)
		read_messages(watch, now);
	debounced = pq_debounce_take(&watch->debounce, now);
	arm(watch);
	if (debounced == PQ_DEBOUNCED_NOTHING)
		return NULL;
	swap_lists(watch);
	watch->change = (struct pmuq_watch_change){
		.size = sizeof(watch->change),
		.causes = debounced == PQ_DEBOUNCED_TIMER ? PMUQ_WATCH_TIMER : watch->causes,
		.n_announcements = watch->lists[!watch->filling].n,
	};
	watch->causes = 0;
	return &watch->change;
}

PQ_API const struct pmuq_announcement *pmuq_watch_get(const struct pmuq_watch *watch, size_t index)
{
	const struct announced *list = &watch->lists[!watch->filling];

	return index < list->n ? &list->v[index] : NULL;
}

PQ_API const char *pmuq_watch_cause_name(enum pmuq_watch_cause cause)
{
	static const char *const names[] = { "pmu", "module", "cpu", "lost", "timer" };

	for (size_t i = 0; i < COUNT(names); i++)
		if (cause == (enum pmuq_watch_cause)(1 << i))
			return names[i];
	return NULL;
}
