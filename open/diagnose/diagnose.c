/* SPDX-License-Identifier: MIT */
/*
 * Why: looks at the host, makes the experiments, lets the table of reasons speak, and writes the
 * verdict. Holds no reason itself.
 */
#include "open/diagnose/open_probe.h"
#include "open/diagnose/reason_text.h"
#include "open/diagnose/reasons.h"
#include "open/diagnose/refusal.h"
#include "open/opening.h"
#include <assert.h>
#include <errno.h>

/* A look at the host needs a descriptor: out of them, nothing is known, and nothing kept. */
void pq_opening_look(struct pq_opening *opening, int errnum)
{
	const struct pq_host *host = &opening->opener->host;

	if (opening->has_view)
		return;
	host->read_view(host->self, &opening->scratch, &opening->view);
	opening->has_view = errnum != EMFILE && errnum != ENFILE;
}

static bool is_everything_refused(struct pq_opening *opening, int errnum)
{
	struct pq_trial plainest = pq_experiment_plainest();

	if (errnum != EPERM && errnum != EACCES && errnum != ENOSYS)
		return false;
	if (!opening->has_plainest) {
		opening->plainest_errnum =
			-pq_kernel_try(&opening->opener->kernel, &plainest, NULL);
		opening->has_plainest = true;
	}
	return opening->plainest_errnum == errnum;
}

/* Then whatever is changed opens, too, and proves nothing. */
static bool opens_again(const struct pq_opening *opening, const struct pq_case *c)
{
	return pq_case_is(c, PQ_OPENED_BEFORE) &&
	       pq_kernel_try(&opening->opener->kernel, &c->trial, NULL) == 0;
}

static void experiment(struct pq_opening *opening, struct pq_case *c)
{
	if (is_everything_refused(opening, c->errnum)) {
		pq_claims_add(&c->claims, PQ_NOTHING_OPENS);
		return;
	}
	if (!pq_reason_is_about_event(c->errnum) || opens_again(opening, c))
		return;
	pq_experiment_find(&opening->opener->kernel, &opening->scratch, c);
	for (size_t i = 0; i < COUNT(c->claims.words); i++)
		c->claims.words[i] |= c->finding.proved.words[i];
}

static void fill_change(const struct pq_case *c, struct pq_buf *ret)
{
	const struct pq_finding *finding = &c->finding;
	struct pq_case step = *c;

	for (size_t i = 0; i < finding->n_changes; i++) {
		if (i)
			pq_buf_add(ret, STR(" and "));
		step.varied = &finding->steps[i];
		pq_text_fill(finding->changes[i]->change, &step, ret);
		step.trial = finding->steps[i];
	}
	if (!finding->n_changes && finding->cpus.n)
		pq_text_fill("on CPU {cpus} only", c, ret);
}

/* Often the missing privilege hides a second refusal, which would show only after it was granted.
 */
static bool hides_more(const struct pq_case *c)
{
	const struct pq_finding *finding = &c->finding;

	if (c->errnum != EACCES && c->errnum != EPERM)
		return false;
	return !finding->n_changes && !finding->cpus.n && finding->user_only_errnum &&
	       finding->user_only_errnum != c->errnum && !pq_case_is(c, PQ_TAKES_ADMIN);
}

/* What privilege does not mend (ENOENT) has its remedy told, too. */
static void fill_second(const struct pq_case *c, struct pq_buf *reason, struct pq_buf *hint)
{
	struct pq_case second = *c;
	const struct pq_reason *row;

	if (!hides_more(c))
		return;
	second.trial = c->finding.user_only;
	second.errnum = c->finding.user_only_errnum;
	second.finding = (struct pq_finding){ 0 };
	second.claims = pq_case_claims(&second);
	row = pq_reason_find(&second);
	pq_text_fill("; with ':u' it is refused, too ({errno}): ", &second, reason);
	pq_text_fill(row->reason, &second, reason);
	if (second.errnum != ENOENT || !row->hint)
		return;
	pq_text_fill("; and for the second: ", &second, hint);
	pq_text_fill(row->hint, &second, hint);
}

static bool keep(struct pq_opening *opening, struct pq_buf *text, const char **ret)
{
	const char *kept = pq_verdict_keep(opening->verdicts, text);

	if (!kept)
		return false;
	*ret = *kept ? kept : NULL;
	return true;
}

/* The change as data. False: out of memory. */
static bool keep_steps(struct pq_opening *opening, const struct pq_case *c,
		       struct pq_verdict *verdict)
{
	const struct pq_finding *finding = &c->finding;
	struct pmuq_attr *attr;

	static_assert(COUNT(verdict->steps) == PQ_CHANGES_MAX, "a step for each change");
	if (!finding->n_changes && !finding->cpus.n)
		return true;
	if (!finding->n_changes)
		verdict->steps[verdict->n_steps++] = "elsewhere";
	for (size_t i = 0; i < finding->n_changes; i++)
		verdict->steps[verdict->n_steps++] = finding->changes[i]->name;
	attr = pq_arena_take(&opening->verdicts->arena, sizeof(*attr));
	if (!attr)
		return false;
	*attr = finding->n_changes ? finding->steps[finding->n_changes - 1].attr : c->trial.attr;
	if (c->request->text)
		attr->config1 = 0;
	verdict->changed = attr;
	return true;
}

static int write_verdict(struct pq_opening *opening, size_t index, struct pq_case *c)
{
	const struct pq_reason *row = pq_reason_find(c);
	struct pq_buf reason = PQ_BUF_NULL, hint = PQ_BUF_NULL, change = PQ_BUF_NULL;
	struct pq_verdict verdict = {
		.status = PMUQ_REFUSED,
		.is_settled = true,
		.pid = c->trial.is_cgroup ? -1 : c->trial.pid,
		.errnum = c->errnum,
		.row = row->name,
	};
	struct pq_buf cpus = PQ_BUF_NULL;
	bool kept;

	fill_change(c, &change);
	if (c->finding.n_changes)
		c->varied = &c->finding.steps[c->finding.n_changes - 1];
	pq_text_fill(row->reason, c, &reason);
	pq_text_fill(row->hint ? row->hint : "", c, &hint);
	fill_second(c, &reason, &hint);
	pq_buf_print(&cpus, "%d", c->trial.cpu);
	kept = keep(opening, &change, &verdict.change);
	kept = keep(opening, &reason, &verdict.reason) && kept;
	kept = keep(opening, &hint, &verdict.hint) && kept;
	kept = keep(opening, &cpus, &verdict.cpus) && kept;
	kept = keep_steps(opening, c, &verdict) && kept;
	if (!kept)
		return -PMUQ_E_MEMORY;
	opening->verdicts->v[index] = verdict;
	return 0;
}

int pq_diagnose(struct pq_opening *opening, size_t index, const struct pq_trial *trial, int errnum,
		uint32_t kernel_size)
{
	const struct pq_host *host = &opening->opener->host;
	const struct pq_verdict *before = &opening->verdicts->v[index];
	struct pq_case c = {
		.request = &opening->requests[index],
		.trial = *trial,
		.errnum = errnum,
		.kernel_size = kernel_size,
		.host = &opening->view,
		.target = &opening->opener->target,
	};

	pq_opening_look(opening, errnum);
	if (c.request->pmu)
		host->read_pmu(host->self, c.request->pmu, &c.pmu);
	if (trial->pid > 0 && !trial->is_cgroup)
		host->read_task(host->self, trial->pid, &c.task);
	c.claims = pq_case_claims(&c);
	if (before->is_settled && before->status == PMUQ_OPENED)
		pq_claims_add(&c.claims, PQ_OPENED_BEFORE);
	experiment(opening, &c);
	return write_verdict(opening, index, &c);
}
