/* SPDX-License-Identifier: MIT */
/* Follows a machine: pmuq_watch reports when to read it, and two equal catalogs are the new one. A
 * daemon reports changes that are complete. */
#include "cli/follower.h"
#include "cli/clock.h"
#include "cli/machine_word.h"
#include "cli/or_die.h"
#include "cli/report.h"
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <string.h>

/* A refresh takes at most a twentieth of the time, unless the catalog would become older than this.
 */
#define COST_FACTOR 20
#define OLD_MAX_MS 2000
/* Between two reads that must agree. */
#define CONFIRM_MS 50
/* A machine that differs each time it is read is taken as it is. */
#define READS_MAX 20u
/* Nobody announces changes of a captured tree. */
#define TREE_TIMER_MS 1000u
/* The causes of one change; there may be thousands of announcements. */
#define CAUSES_MAX 64u

static void clear_causes(struct follower_causes *causes)
{
	for (size_t i = 0; i < causes->n; i++) {
		free(causes->v[i].action);
		free(causes->v[i].name);
	}
	pq_vec_free(causes);
}

static void add_cause(struct follower_causes *causes, enum pmuq_watch_cause cause,
		      const char *action, const char *name)
{
	struct follower_cause added = { .cause = cause };

	if (causes->n == CAUSES_MAX)
		return;
	if (name) {
		added.action = or_die(strdup(action));
		added.name = or_die(strdup(name));
	}
	push_or_die(causes, added);
}

/* What was announced, and causes without a name. */
static void add_causes(struct follower_causes *causes, const struct pmuq_watch *watch,
		       const struct pmuq_watch_change *change)
{
	const struct pmuq_announcement *announcement;

	for (size_t i = 0; (announcement = pmuq_watch_get(watch, i)); i++)
		add_cause(causes, announcement->cause, announcement->action.p,
			  announcement->name.p);
	if (change->causes & PMUQ_WATCH_LOST)
		add_cause(causes, PMUQ_WATCH_LOST, NULL, NULL);
	if (change->causes & PMUQ_WATCH_TIMER)
		add_cause(causes, PMUQ_WATCH_TIMER, NULL, NULL);
}

/* --------------------------------------------------------------------------------------- reads */

/* A failure is reported once, until a read succeeds: the timer of a daemon tries again. */
static enum status fail(struct follower *follower, const struct pmuq_error *error,
			const char *where)
{
	enum status status = follower->is_unreadable ? STATUS_FAILED : report_error(error, where);

	follower->is_unreadable = true;
	return status;
}

/* A directory that was moved stays open, and would be read as it was for ever. */
static bool has_lost_tree(const struct follower *follower)
{
	struct stat now;

	return follower->tree &&
	       (stat(follower->tree, &now) < 0 || now.st_dev != follower->tree_info.st_dev ||
		now.st_ino != follower->tree_info.st_ino);
}

static enum status refresh(struct follower *follower, bool *ret_changed)
{
	const struct pmuq_error lost =
		error_of(PMUQ_E_STALE_SOURCE, "the captured machine was moved or removed", NULL);
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;

	if (has_lost_tree(follower))
		return fail(follower, &lost, follower->tree);
	if (pmuq_source_refresh(follower->source, ret_changed, &error) < 0)
		return fail(follower, error, NULL);
	follower->is_unreadable = false;
	return STATUS_OK;
}

static enum status read_machine(struct follower *follower, struct pmuq_catalog **ret)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	bool is_changed;
	enum status status = refresh(follower, &is_changed);

	if (status != STATUS_OK)
		return status;
	return pmuq_source_read_catalog(follower->source, ret, &error) < 0
		       ? fail(follower, error, NULL)
		       : STATUS_OK;
}

/* ------------------------------------------------------------------------------- begin and end */

enum status follower_begin(struct follower *follower, const struct cli *cli)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	struct pmuq_watch_options options = { .size = sizeof(options), .service = cli->via };
	enum status status;

	*follower = (struct follower){ .generation = 1, .is_served = cli->via };
	status = source_open(cli, &follower->source);
	if (status != STATUS_OK)
		return status;
	if (cli->sysroot && stat(cli->sysroot, &follower->tree_info) == 0 &&
	    S_ISDIR(follower->tree_info.st_mode))
		follower->tree = cli->sysroot;
	if (!pmuq_source_is_live(follower->source) && !cli->via)
		options.timer_ms = TREE_TIMER_MS;
	/* First the watch, so that no change is missed. */
	if (pmuq_watch_open(&options, &follower->watch, &error) < 0)
		return report_error(error, NULL);
	status = read_machine(follower, &follower->catalog);
	if (status != STATUS_OK)
		return status;
	follower->read_ms = clock_running_ms();
	follower->is_announced = (pmuq_source_is_live(follower->source) || cli->via) &&
				 pmuq_watch_is_announced(follower->watch);
	return STATUS_OK;
}

void follower_clear(struct follower *follower)
{
	clear_causes(&follower->causes);
	pmuq_catalog_free(follower->candidate);
	pmuq_catalog_free(follower->catalog);
	pmuq_watch_free(follower->watch);
	pmuq_source_free(follower->source);
}

/* --------------------------------------------------------------------------------------- steps */

/* Whether users of the machine would notice a difference: samples per second and the like do not
 * count. */
static enum status compare(const struct pmuq_catalog *before, const struct pmuq_catalog *after,
			   struct pmuq_diff **ret, bool *ret_differ)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;

	if (pmuq_catalog_diff(before, after, NULL, ret, &error) < 0)
		return report_error(error, NULL);
	*ret_differ = pmuq_diff_count(*ret) > pmuq_diff_weight_count(*ret, PMUQ_WEIGHT_PASSING);
	return STATUS_OK;
}

/* Replaces the candidate; it has to be confirmed. */
static enum status read_candidate(struct follower *follower)
{
	enum status status;

	pmuq_catalog_free(move(follower->candidate));
	status = read_machine(follower, &follower->candidate);
	if (status != STATUS_OK)
		return status;
	follower->confirm_ms = clock_running_ms() + CONFIRM_MS;
	follower->n_reads++;
	return STATUS_OK;
}

/* By the candidate, which may differ in what does not count. */
static void replace_catalog(struct follower *follower)
{
	pmuq_catalog_free(follower->catalog);
	follower->catalog = move(follower->candidate);
	follower->read_ms = clock_running_ms();
}

/* The candidate is the newest catalog, and a change unless nothing has changed in the end. */
static enum status publish(struct follower *follower, struct follower_change *ret)
{
	cleanup(pmuq_diff_freep) struct pmuq_diff *diff = NULL;
	bool differ = false;
	enum status status = compare(follower->catalog, follower->candidate, &diff, &differ);

	if (status != STATUS_OK)
		return status;
	follower->n_reads = 0;
	if (!differ) {
		replace_catalog(follower);
		clear_causes(&follower->causes);
		return STATUS_OK;
	}
	/* A caller found it before an announcement came. */
	if (!follower->causes.n)
		add_cause(&follower->causes, PMUQ_WATCH_TIMER, NULL, NULL);
	*ret = (struct follower_change){
		.before = move(follower->catalog),
		.diff = move(diff),
		.causes = follower->causes,
		.time_s = clock_now_s(),
	};
	follower->causes = (struct follower_causes){ 0 };
	replace_catalog(follower);
	follower->generation++;
	return STATUS_OK;
}

static enum status confirm(struct follower *follower, struct follower_change *ret)
{
	cleanup(pmuq_catalog_freep) struct pmuq_catalog *before = move(follower->candidate);
	cleanup(pmuq_diff_freep) struct pmuq_diff *diff = NULL;
	bool differ = false;
	enum status status = read_candidate(follower);

	if (status == STATUS_OK)
		status = compare(before, follower->candidate, &diff, &differ);
	if (status != STATUS_OK || (differ && follower->n_reads < READS_MAX))
		return status;
	return publish(follower, ret);
}

static enum status read_served(struct follower *follower, struct follower_change *ret)
{
	enum status status = read_candidate(follower);

	return status == STATUS_OK ? publish(follower, ret) : status;
}

/* After an announcement: whether there is anything to read. */
static enum status note(struct follower *follower, const struct pmuq_watch_change *change,
			struct follower_change *ret)
{
	bool is_changed = false;
	enum status status;

	add_causes(&follower->causes, follower->watch, change);
	if (follower->is_served)
		return read_served(follower, ret);
	status = refresh(follower, &is_changed);
	if (status != STATUS_OK)
		return status;
	/* A refresh does not read tracepoints, which a module brings, too. */
	if (is_changed || follower->candidate ||
	    change->causes & (PMUQ_WATCH_MODULE | PMUQ_WATCH_LOST))
		return read_candidate(follower);
	clear_causes(&follower->causes);
	return STATUS_OK;
}

int follower_fd(const struct follower *follower)
{
	return pmuq_watch_fd(follower->watch);
}

/* Until the confirmation of a candidate. */
int follower_timeout_ms(const struct follower *follower)
{
	int64_t left = follower->confirm_ms - clock_running_ms();

	if (!follower->candidate)
		return -1;
	return left > 0 ? (int)left : 0;
}

/* Reports the end of a connection, unless no change was announced on it anyway. */
static void note_connection(struct follower *follower)
{
	bool was_announced = follower->is_announced;

	if (!follower->is_served)
		return;
	follower->is_announced = pmuq_watch_is_announced(follower->watch);
	if (was_announced && !follower->is_announced)
		report(REPORT_NOTE, "the daemon ended the connection; pmuq connects again");
}

enum status follower_step(struct follower *follower, struct follower_change *ret)
{
	const struct pmuq_watch_change *change;

	*ret = (struct follower_change){ 0 };
	change = pmuq_watch_next(follower->watch);
	note_connection(follower);
	if (change)
		return note(follower, change, ret);
	if (follower->candidate && clock_running_ms() >= follower->confirm_ms)
		return confirm(follower, ret);
	return STATUS_OK;
}

enum status follower_wait(struct follower *follower, int64_t most_ms, struct follower_change *ret)
{
	struct pollfd fd = { .fd = follower_fd(follower), .events = POLLIN };
	int timeout_ms = follower_timeout_ms(follower);

	*ret = (struct follower_change){ 0 };
	if (most_ms >= 0 && (timeout_ms < 0 || most_ms < timeout_ms))
		timeout_ms = most_ms < INT_MAX ? (int)most_ms : INT_MAX;
	if (poll(&fd, 1, timeout_ms) < 0 && errno != EINTR)
		return report_failed("poll: %s", strerror(errno));
	return follower_step(follower, ret);
}

enum status follower_refresh(struct follower *follower, int64_t most_ms)
{
	cleanup(pmuq_diff_freep) struct pmuq_diff *diff = NULL;
	int64_t begun = clock_running_ms(), old_ms = begun - follower->read_ms;
	int64_t share_ms = COST_FACTOR * follower->cost_ms;
	bool differ = false;
	enum status status;

	if (follower->candidate || old_ms < most_ms ||
	    (most_ms && old_ms < (share_ms < OLD_MAX_MS ? share_ms : OLD_MAX_MS)))
		return STATUS_OK;
	status = read_candidate(follower);
	if (status == STATUS_OK)
		status = compare(follower->catalog, follower->candidate, &diff, &differ);
	if (status != STATUS_OK || differ)
		return status;
	follower->n_reads = 0;
	replace_catalog(follower);
	follower->cost_ms = follower->read_ms - begun;
	return STATUS_OK;
}

void follower_change_clear(struct follower_change *change)
{
	clear_causes(&change->causes);
	pmuq_diff_free(change->diff);
	pmuq_catalog_free(change->before);
}
