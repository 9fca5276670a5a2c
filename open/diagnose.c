/* SPDX-License-Identifier: MIT */
/*
 * Why: looks at the host, makes the experiments, lets the table of reasons speak, and writes the
 * verdict. Holds no reason itself.
 */
#include "open/case.h"
#include "open/experiment.h"
#include "open/opening.h"
#include "open/reasons.h"
#include "open/text.h"
#include <errno.h>

/* A look at the host needs a descriptor: out of them, nothing is known, and nothing kept. */
static void look_at_host(struct pq_opening *opening, int errnum)
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

static void experiment(struct pq_opening *opening, struct pq_case *c)
{
	if (is_everything_refused(opening, c->errnum)) {
		c->claims |= PQ_CLAIM(PQ_NOTHING_OPENS);
		return;
	}
	if (!pq_reason_is_about_event(c->errnum))
		return;
	pq_experiment_find(&opening->opener->kernel, &opening->scratch, c);
	c->claims |= c->finding.proved;
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
static void fill_second_reason(const struct pq_case *c, struct pq_buf *ret)
{
	struct pq_case second = *c;

	if (c->finding.n_changes || c->finding.cpus.n || !c->finding.user_only_errnum ||
	    c->finding.user_only_errnum == c->errnum)
		return;
	second.trial = c->finding.user_only;
	second.errnum = c->finding.user_only_errnum;
	second.finding = (struct pq_finding){ 0 };
	second.claims = pq_case_claims(&second);
	pq_text_fill("; with ':u' it is refused, too ({errno}): ", &second, ret);
	pq_text_fill(pq_reason_find(&second)->reason, &second, ret);
}

static bool keep(struct pq_opening *opening, struct pq_buf *text, const char **ret)
{
	const char *kept = pq_verdict_keep(opening->verdicts, text);

	if (!kept)
		return false;
	*ret = *kept ? kept : NULL;
	return true;
}

static int write_verdict(struct pq_opening *opening, size_t index, struct pq_case *c)
{
	const struct pq_reason *row = pq_reason_find(c);
	struct pq_buf reason = PQ_BUF_NULL, hint = PQ_BUF_NULL, change = PQ_BUF_NULL;
	struct pq_verdict verdict = {
		.status = PMUQ_REFUSED,
		.is_settled = true,
		.pid = c->trial.pid,
		.errnum = c->errnum,
		.row = row->name,
	};
	struct pq_buf cpus = PQ_BUF_NULL;
	bool kept;

	fill_change(c, &change);
	if (c->finding.n_changes)
		c->varied = &c->finding.steps[c->finding.n_changes - 1];
	pq_text_fill(row->reason, c, &reason);
	fill_second_reason(c, &reason);
	pq_text_fill(row->hint ? row->hint : "", c, &hint);
	pq_buf_print(&cpus, "%d", c->trial.cpu);
	kept = keep(opening, &change, &verdict.change);
	kept = keep(opening, &reason, &verdict.reason) && kept;
	kept = keep(opening, &hint, &verdict.hint) && kept;
	kept = keep(opening, &cpus, &verdict.cpus) && kept;
	if (!kept)
		return -PMUQ_E_MEMORY;
	opening->verdicts->v[index] = verdict;
	return 0;
}

int pq_diagnose(struct pq_opening *opening, size_t index, const struct pq_trial *trial, int errnum,
		uint32_t kernel_size)
{
	const struct pq_host *host = &opening->opener->host;
	struct pq_case c = {
		.request = &opening->requests[index],
		.trial = *trial,
		.errnum = errnum,
		.kernel_size = kernel_size,
		.host = &opening->view,
	};

	look_at_host(opening, errnum);
	if (c.request->pmu)
		host->read_pmu(host->self, c.request->pmu, &c.pmu);
	c.claims = pq_case_claims(&c);
	experiment(opening, &c);
	return write_verdict(opening, index, &c);
}
