/* SPDX-License-Identifier: MIT */
/* Sorts what stands in a group by PMU, and makes groups anew where the PMU changes. */
#include "encode/group/regroup.h"
#include "encode/encode_error.h"
#include "encode/encode_lookup.h"

#define NOWHERE SIZE_MAX

/* An encoding while it is sorted. Indexes are places in the list as it was written. */
struct member {
	const struct pq_encoding *encoding; /* a copy of the one in the result */
	struct pmuq_str pmu;		    /* whose group it can be in */
	size_t index, given_leader, leader;
	size_t place, leader_place; /* in the new order, before groups are gathered */
	struct pmuq_str hardware;   /* of a given leader: see find_hardware() */
	bool has_hardware;
	bool is_grouped, is_topdown, is_slots, is_metric;
};

struct regrouping {
	struct member *v;
	size_t n;
	struct pmuq_str core;
	size_t topdown_at; /* where topdown events gather, or NOWHERE */
};

/* X: it is not moved. R: it measures retire latency. */
static bool has_modifier(const struct member *member, char letter)
{
	return member->encoding->modifiers & PQ_MODIFIER_BIT(letter);
}

/* PMUs that count what the kernel's software does: they can be in any group. */
static bool is_software(const struct pmuq_pmu *pmu)
{
	static const struct pmuq_str names[] = { STR("kprobe"), STR("uprobe"), STR("msr") };

	if (!pmu || pmu->is_core || pmu->is_uncore)
		return false;
	if (pmu->type == PQ_TYPE_SOFTWARE || pmu->type == PQ_TYPE_TRACEPOINT ||
	    pmu->type == PQ_TYPE_BREAKPOINT)
		return true;
	for (size_t i = 0; i < COUNT(names); i++)
		if (str_eq(pmu->name, names[i]))
			return true;
	return false;
}

/* Traces that events of other PMUs may be written into. */
static bool writes_trace(const struct pmuq_pmu *pmu)
{
	static const struct pmuq_str names[] = { STR("intel_pt"), STR("intel_bts"), STR("cs_etm") };

	for (size_t i = 0; pmu && i < COUNT(names); i++)
		if (str_eq(pmu->name, names[i]))
			return true;
	return pmu && str_starts(pmu->name, STR("arm_spe_"));
}

/* Events of types that no PMU has stand with the first core PMU's. */
static struct pmuq_str pmu_name(const struct regrouping *g, const struct pmuq_pmu *pmu)
{
	return pmu ? pmu->name : g->core;
}

/* A PMU that the machine does not show is none. */
static const struct pmuq_pmu *pmu_of(const struct member *member)
{
	const struct pmuq_pmu *pmu = member->encoding->on;

	return pmu && pq_is_placeholder(pmu) ? NULL : pmu;
}

/* For the leader of each group as written: the PMU of the first event that is no software's. */
static void find_hardware(struct regrouping *g)
{
	for (size_t i = 0; i < g->n; i++) {
		struct member *leader = &g->v[g->v[i].given_leader];

		if (leader->has_hardware || is_software(pmu_of(&g->v[i])))
			continue;
		leader->has_hardware = true;
		leader->hardware = pmu_name(g, pmu_of(&g->v[i]));
	}
}

/* The PMU whose group an event belongs to: its own; a software event goes with the first event of
 * its group that is none; and all go with a leader that writes a trace. */
static struct pmuq_str group_pmu(const struct regrouping *g, const struct member *member)
{
	const struct pmuq_pmu *leader = pmu_of(&g->v[member->given_leader]);
	const struct pmuq_pmu *own = pmu_of(member);

	if (writes_trace(leader))
		return leader->name;
	if (is_software(own) && g->v[member->given_leader].has_hardware)
		return g->v[member->given_leader].hardware;
	return pmu_name(g, own);
}

static size_t sort_index(const struct member *member, size_t topdown_at)
{
	if (has_modifier(member, 'X'))
		return member->index;
	if (topdown_at != NOWHERE && member->is_topdown)
		return topdown_at;
	return member->is_grouped ? member->given_leader : member->index;
}

/* Within a group and PMU: slots first (of two, the one that is asked about first), metrics of other
 * groups before what is none, and what measures retire latency last, since it cannot lead. */
static int compare_within(const struct member *a, const struct member *b)
{
	bool same_group = a->given_leader == b->given_leader;

	if (a->is_slots || b->is_slots)
		return a->is_slots ? -1 : 1;
	if (a->is_metric != b->is_metric && !same_group)
		return a->is_metric ? -1 : 1;
	if (has_modifier(a, 'R') != has_modifier(b, 'R'))
		return has_modifier(a, 'R') ? 1 : -1;
	return a->index < b->index ? -1 : a->index > b->index;
}

static bool may_precede(const struct regrouping *g, const struct member *a, const struct member *b)
{
	size_t at_a = sort_index(a, g->topdown_at), at_b = sort_index(b, g->topdown_at);
	int r;

	if (at_a != at_b)
		return at_a < at_b;
	r = str_cmp(a->pmu, b->pmu);
	return (r ? r : compare_within(a, b)) <= 0;
}

/* Two neighbouring sorted runs, v[from…) and v[middle…to), into one; of equals, the first run's
 * first.
 */
static void merge_runs(struct regrouping *g, size_t from, size_t middle, size_t to,
		       struct member *room)
{
	size_t n = middle - from, left = 0, right = middle, at = from;

	memcpy(room, g->v + from, n * sizeof(*room));
	while (left < n && right < to)
		g->v[at++] =
			may_precede(g, &room[left], &g->v[right]) ? room[left++] : g->v[right++];
	memcpy(g->v + at, room + left, (n - left) * sizeof(*room));
}

/* Each run is twice as long as the one above it, at most. */
#define RUNS_MAX 64u

/* A merge sort from the bottom up, as perf does it, two runs of one length when as many elements
 * have come behind them. The order of metrics is not always transitive, so how it is sorted is part
 * of the answer, and the C library's qsort() would give each its own. */
static void sort_members(struct regrouping *g, struct member *room)
{
	size_t starts[RUNS_MAX], n = 0;

	for (size_t count = 0; count < g->n; count++) {
		size_t bits = count, depth = 0;

		for (; bits & 1; bits >>= 1)
			depth++;
		if (bits) {
			size_t upper = n - 1 - depth;

			merge_runs(g, starts[upper - 1], starts[upper],
				   depth ? starts[upper + 1] : count, room);
			memmove(starts + upper, starts + upper + 1, depth * sizeof(*starts));
			n--;
		}
		starts[n++] = count;
	}
	for (; n > 1; n--)
		merge_runs(g, starts[n - 2], starts[n - 1], g->n, room);
}

static int collect(const struct pq_encoder *e, bool has_topdown, struct regrouping *ret)
{
	struct member *v = pq_arena_array(e->scratch, e->result->n, sizeof(*v));
	struct pq_encoding *written = pq_arena_take(e->scratch, e->result->n * sizeof(*written));
	struct pq_pmu_list core;
	int r = pq_core_pmus(e, &core);

	if (r < 0)
		return r;
	if (!v || !written)
		return pq_fail_memory(e->reterr);
	*ret = (struct regrouping){
		.v = v,
		.n = e->result->n,
		.core = core.n ? core.v[0]->name : STR("cpu"),
		.topdown_at = NOWHERE,
	};
	for (size_t i = 0; i < ret->n; i++) {
		const struct pq_encoding *encoding = &written[i];

		written[i] = e->result->v[i];
		v[i] = (struct member){
			.encoding = encoding,
			.index = i,
			.given_leader = encoding->record.n_members ? encoding->record.leader : i,
			.is_grouped = encoding->record.n_members > 1,
			.is_slots = has_topdown && pq_topdown_is_slots(encoding),
			.is_metric = has_topdown && pq_topdown_is_metric(encoding),
		};
		v[i].is_topdown = v[i].is_slots || v[i].is_metric;
		if (v[i].is_topdown && ret->topdown_at == NOWHERE)
			ret->topdown_at = v[i].given_leader;
	}
	find_hardware(ret);
	for (size_t i = 0; i < ret->n; i++)
		v[i].pmu = group_pmu(ret, &v[i]);
	return 0;
}

/* The group that is being filled while the sorted members pass by. */
struct filling {
	const struct member *leader;  /* of the new group */
	const struct member *topdown; /* the leader that all topdown events share */
	size_t given;		      /* the group, as written, that it continues */
	bool is_behind_topdown;	      /* the member before this one is that leader */
};

static bool topdown_follows(const struct regrouping *g, size_t from)
{
	for (size_t i = from + 1; i < g->n; i++)
		if (g->v[i].given_leader == g->v[from].given_leader && g->v[i].is_topdown)
			return true;
	return false;
}

static void begin_group(struct filling *f, const struct member *member, size_t given)
{
	f->leader = member;
	f->given = given;
}

/* A member of the PMU at hand that was written in another group than the one being filled. */
static void enter_from_elsewhere(const struct regrouping *g, struct filling *f, size_t at,
				 bool is_forced)
{
	const struct member *member = &g->v[at];

	if (f->is_behind_topdown && topdown_follows(g, at))
		return;
	if (!is_forced) {
		begin_group(f, member, member->given_leader);
	} else if (f->topdown) {
		/* It was given a leader when it passed by; until then, its own counts. */
		begin_group(f, f->topdown,
			    f->topdown == member ? member->given_leader : f->topdown->leader);
	} else {
		begin_group(f, member, member->index);
		f->topdown = member;
	}
}

/* `place` is for looking up members by the index that they were given. */
static void assign_leaders(struct regrouping *g, size_t *place)
{
	struct filling f = { 0 };

	for (size_t i = 0; i < g->n; i++)
		place[g->v[i].index] = g->v[i].place = i;
	for (size_t i = 0; i < g->n; i++) {
		struct member *member = &g->v[i];
		bool stays = has_modifier(member, 'X');
		bool is_forced = g->topdown_at != NOWHERE && !stays && member->is_topdown;

		if (!f.leader || stays) {
			const struct member *first =
				stays ? &g->v[place[member->given_leader]] : member;

			begin_group(&f, first, first->index);
			if (is_forced)
				f.topdown = member;
		}
		if (!str_eq(f.leader->pmu, member->pmu)) {
			begin_group(&f, member, member->given_leader);
			if (is_forced && !f.topdown)
				f.topdown = member;
		} else if (f.given != member->given_leader) {
			enter_from_elsewhere(g, &f, i, is_forced);
		}
		member->leader = f.leader->index;
		f.is_behind_topdown = f.topdown == member;
	}
}

/* By the place of the leader, otherwise as they stand: counted, then dealt out. `starts` is zeroed
 * and has room for one more. */
static void sort_by_leader(struct regrouping *g, size_t *starts, struct member *room)
{
	for (size_t i = 0; i < g->n; i++)
		starts[g->v[i].leader_place + 1]++;
	for (size_t i = 1; i < g->n; i++)
		starts[i] += starts[i - 1];
	for (size_t i = 0; i < g->n; i++)
		room[starts[g->v[i].leader_place]++] = g->v[i];
	memcpy(g->v, room, g->n * sizeof(*room));
}

/* What stays put may stand apart from the group that it is of: it follows the group's others,
 * unless its leader has left. */
static void gather_groups(struct regrouping *g, const size_t *place, size_t *starts,
			  struct member *room)
{
	bool is_apart = false;

	for (size_t i = 0; i < g->n; i++)
		is_apart |= has_modifier(&g->v[i], 'X');
	for (size_t i = 0; i < g->n; i++) {
		size_t at = place[g->v[i].leader];
		bool leads_itself = g->v[at].leader == g->v[at].index;

		g->v[i].leader_place = leads_itself ? at : i;
	}
	if (is_apart)
		sort_by_leader(g, starts, room);
}

/* Back into the result, with leaders as places in the new order. */
static bool write_back(const struct pq_encoder *e, const struct regrouping *g, size_t *place,
		       uint32_t *members)
{
	bool is_changed = false;

	for (size_t i = 0; i < g->n; i++) {
		place[g->v[i].index] = i;
		members[g->v[i].leader]++;
	}
	for (size_t i = 0; i < g->n; i++) {
		const struct member *member = &g->v[i];
		struct pq_encoding *to = &e->result->v[i];
		uint32_t n = members[member->leader];

		is_changed |= member->index != i || member->leader != member->given_leader;
		*to = *member->encoding;
		to->record.leader = place[member->leader];
		to->record.n_members = n > 1 ? n : 0;
		if (member->leader != member->given_leader)
			to->record.group_name = STR("");
	}
	return is_changed;
}

static bool has_groups(const struct pmuq_encodings *result)
{
	for (size_t i = 0; i < result->n; i++)
		if (result->v[i].record.n_members)
			return true;
	return false;
}

int pq_regroup(const struct pq_encoder *e, const struct pq_item *group)
{
	struct regrouping g;
	struct member *room;
	uint32_t *members;
	size_t *place, *starts;
	bool has_topdown;
	int r = pq_topdown_complete(e, &has_topdown);

	if (r < 0 || (!has_topdown && !has_groups(e->result)))
		return r;
	r = collect(e, has_topdown, &g);
	if (r < 0)
		return r;
	place = pq_arena_array(e->scratch, g.n, sizeof(*place));
	members = pq_arena_array(e->scratch, g.n, sizeof(*members));
	room = pq_arena_array(e->scratch, g.n, sizeof(*room));
	starts = pq_arena_array(e->scratch, g.n + 1, sizeof(*starts));
	if (!place || !members || !room || !starts)
		return pq_fail_memory(e->reterr);
	sort_members(&g, room);
	assign_leaders(&g, place);
	gather_groups(&g, place, starts, room);
	if (!write_back(e, &g, place, members) || !group)
		return 0;
	return pq_warn_at(e, &e->result->v[0], group->at, PMUQ_E_REGROUPED,
			  "the group was split or sorted: a group's events count on one PMU");
}
