/* SPDX-License-Identifier: MIT */
/*
 * The public functions. An epoll descriptor joins a socket, of the kernel or of a daemon, and a
 * timer, so that a program polls one descriptor; it may be readable without a change, since
 * announcements are collected until it is quiet.
 */
#include "core/error.h"
#include "core/freep.h"
#include "core/limits.h"
#include "core/sized.h"
#include "watch/debounce.h"
#include "watch/subscription.h"
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
#define STATES_MAX 64u

struct pmuq_watch {
	int epoll, timer;
	int socket; /* of the kernel; -1: none */
	bool is_announced;
	bool is_served; /* by a daemon */
	bool is_behind; /* a message was received and not read */
	struct pq_subscription subscription;
	struct pq_debounce debounce;
	unsigned causes; /* not reported yet */
	struct pmuq_watch_change change;
	/* Two lists: of the last change, and since then. */
	struct pq_announcements lists[2];
	unsigned filling; /* which one is filled now */
};

static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_BOOTTIME, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static uint64_t next_ms(const struct pmuq_watch *watch)
{
	uint64_t at = pq_debounce_next(&watch->debounce);
	uint64_t retry = watch->is_served ? pq_subscription_retry_ms(&watch->subscription) : at;

	if (watch->is_behind)
		return 0;
	return retry < at ? retry : at;
}

/* A time in the past makes the descriptor readable at once. */
static void arm(const struct pmuq_watch *watch)
{
	uint64_t at = next_ms(watch);
	struct itimerspec when = { 0 };

	if (at != PQ_DEBOUNCE_NEVER) {
		when.it_value.tv_sec = (time_t)(at / 1000);
		when.it_value.tv_nsec = (long)(at % 1000) * 1000000 + 1;
	}
	timerfd_settime(watch->timer, TFD_TIMER_ABSTIME, &when, NULL);
}

static bool join(const struct pmuq_watch *watch, int fd)
{
	struct epoll_event event = { .events = EPOLLIN };

	return fd >= 0 && epoll_ctl(watch->epoll, EPOLL_CTL_ADD, fd, &event) == 0;
}

static int fail_errno(int errnum, struct pmuq_error **reterr)
{
	return pq_fail(reterr, PMUQ_E_TOO_MANY_FILES, "cannot watch the machine: %s",
		       pq_errno_text(errnum));
}

static int open_kernel(struct pmuq_watch *watch, struct pmuq_error **reterr)
{
	watch->socket = pq_uevent_socket_open();
	if (watch->socket == -EMFILE || watch->socket == -ENFILE)
		return fail_errno(-watch->socket, reterr);
	if (watch->socket >= 0 && !join(watch, watch->socket))
		return fail_errno(errno, reterr);
	watch->is_announced = watch->socket >= 0 && pq_uevent_socket_is_reached();
	return 0;
}

static int open_service(struct pmuq_watch *watch, const char *path, struct pmuq_error **reterr)
{
	int r;

	watch->is_served = true;
	r = pq_subscription_open(&watch->subscription, path, now_ms(), reterr);
	if (r == 0 && !join(watch, watch->subscription.remote.fd))
		return fail_errno(errno, reterr);
	return r;
}

/* Fails for the kernel only if the process is out of descriptors or memory. */
static int open_descriptors(struct pmuq_watch *watch, const char *service,
			    struct pmuq_error **reterr)
{
	watch->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (watch->epoll >= 0)
		watch->timer = timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK);
	if (!join(watch, watch->timer))
		return fail_errno(errno, reterr);
	return service ? open_service(watch, service, reterr) : open_kernel(watch, reterr);
}

/* A daemon has a timer, and waits until the kernel is quiet. */
static void begin_debounce(struct pmuq_watch *watch, const struct pmuq_watch_options *options)
{
	uint64_t timer_ms = options->timer_ms	  ? options->timer_ms
			    : watch->is_served	  ? UINT32_MAX
			    : watch->is_announced ? TIMER_MS
						  : LONELY_TIMER_MS;

	pq_debounce_init(&watch->debounce,
			 options->quiet_ms || watch->is_served ? options->quiet_ms : QUIET_MS,
			 timer_ms == UINT32_MAX ? PQ_DEBOUNCE_NEVER : timer_ms, now_ms());
}

PQ_API int pmuq_watch_open(const struct pmuq_watch_options *options, struct pmuq_watch **ret,
			   struct pmuq_error **reterr)
{
	struct pmuq_watch_options taken = { .size = sizeof(taken) };
	cleanup(pmuq_watch_freep) struct pmuq_watch *watch = NULL;
	int r = options ? pq_sized_take(options, &taken, sizeof(taken), reterr) : 0;

	if (r < 0)
		return r;
	watch = calloc(1, sizeof(*watch));
	if (!watch)
		return pq_fail_memory(reterr);
	watch->epoll = watch->socket = watch->timer = watch->subscription.remote.fd = -1;
	for (size_t i = 0; i < COUNT(watch->lists); i++)
		pq_announcements_init(&watch->lists[i]);
	r = open_descriptors(watch, taken.service, reterr);
	if (r < 0)
		return r;
	begin_debounce(watch, &taken);
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
	pq_subscription_clear(&watch->subscription);
	for (size_t i = 0; i < COUNT(watch->lists); i++)
		pq_announcements_clear(&watch->lists[i]);
	free(watch);
}

PQ_API int pmuq_watch_fd(const struct pmuq_watch *watch)
{
	return watch->epoll;
}

PQ_API bool pmuq_watch_is_announced(const struct pmuq_watch *watch)
{
	return watch->is_served ? pq_subscription_is_announced(&watch->subscription)
				: watch->is_announced;
}

/* `cause` 0: nothing announced the change. */
static void note(struct pmuq_watch *watch, uint64_t now, unsigned cause)
{
	watch->causes |= cause;
	pq_debounce_note(&watch->debounce, now, cause == PMUQ_WATCH_MODULE);
}

static void read_kernel(struct pmuq_watch *watch, uint64_t now)
{
	char buffer[PQ_UEVENT_BYTES];
	struct pmuq_str message;
	struct pq_announced announced;

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
			if (!pq_uevent_parse(message, &announced))
				break;
			pq_announcements_add(&watch->lists[watch->filling], &announced);
			note(watch, now, announced.cause);
		}
}

static void note_causes(struct pmuq_watch *watch, uint64_t now, const struct pq_json_value *causes)
{
	struct pq_announced announced;

	note(watch, now, 0);
	for (const struct pq_json_value *record = causes->first; record; record = record->next) {
		if (!pq_subscription_cause(record, &announced))
			continue;
		if (announced.action.n && announced.name.n)
			pq_announcements_add(&watch->lists[watch->filling], &announced);
		note(watch, now, announced.cause);
	}
}

/* False: there is no further one. */
static bool read_state(struct pmuq_watch *watch, uint64_t now)
{
	auto_arena struct pq_arena arena = PQ_ARENA(PQ_SERVICE_CAUSES_MAX_BYTES);
	const struct pq_json_value *causes = NULL;

	switch (pq_subscription_next(&watch->subscription, &arena, &causes)) {
	case PQ_SUBSCRIPTION_NOTHING:
		return false;
	case PQ_SUBSCRIPTION_RESUMED:
		note(watch, now, PMUQ_WATCH_LOST);
		break;
	case PQ_SUBSCRIPTION_CHANGED:
		note_causes(watch, now, causes);
	}
	return true;
}

static void read_service(struct pmuq_watch *watch, uint64_t now)
{
	struct pq_subscription *subscription = &watch->subscription;
	unsigned n = 0;

	if (now >= pq_subscription_retry_ms(subscription) &&
	    pq_subscription_connect(subscription, now) && !join(watch, subscription->remote.fd))
		pq_remote_end(&subscription->remote);
	while (n < STATES_MAX && read_state(watch, now))
		n++;
	watch->is_behind = n == STATES_MAX;
}

/* Makes the list that was filled the one that pmuq_watch_get() reads. */
static void swap_lists(struct pmuq_watch *watch)
{
	watch->filling = !watch->filling;
	pq_announcements_clear(&watch->lists[watch->filling]);
}

PQ_API const struct pmuq_watch_change *pmuq_watch_next(struct pmuq_watch *watch)
{
	uint64_t now = now_ms();
	enum pq_debounced debounced;

	if (watch->is_served)
		read_service(watch, now);
	else if (watch->socket >= 0)
		read_kernel(watch, now);
	debounced = pq_debounce_take(&watch->debounce, now);
	/* Setting the timer again also makes it unreadable. */
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
	const struct pq_announcements *list = &watch->lists[!watch->filling];

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
