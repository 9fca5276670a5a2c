/* SPDX-License-Identifier: MIT */
/* Sorts the events of groups by PMU, and starts a new group where the PMU changes, exactly as perf
 * does. */
#include "encode/group/regroup.h"
#include "encode/encode_lookup.h"

#define NOWHERE SIZE_MAX

/* An encoding while it is sorted. Indexes are positions in the list as it was written. */
struct member {
	const struct pq_encoding *encoding; /* a copy of the one in the result */
	struct pmuq_str pmu;		    /* in groups of this PMU it can be */
	size_t index, written_leader, leader;
	size_t position,
		leader_position;  /* positions in the new order, before groups are gathered */
	struct pmuq_str hardware; /* of a leader as written: see find_hardware() */
	bool has_hardware;
	bool stays, cannot_lead; /* by its modifiers */
	bool is_grouped, is_topdown, is_slots, is_metric;
};

struct regrouping {
	struct member *v;
	size_t n;
	struct pmuq_str core;
	size_t topdown_at; /* position at which topdown events gather, or NOWHERE */
};

/* PMUs that count software events: these can be in any group. */
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

bool pq_writes_trace(const struct pmuq_pmu *pmu)
{
	static const struct pmuq_str names[] = { STR("intel_pt"), STR("intel_bts"), STR("cs_etm") };

	for (size_t i = 0; pmu && i < COUNT(names); i++)
		if (str_eq(pmu->name, names[i]))
			return true;
	return pmu && str_starts(pmu->name, STR("arm_spe_"));
}

/* Events of a type that no PMU has are grouped with the first core PMU's. */
static struct pmuq_str pmu_name(const struct regrouping *g, const struct pmuq_pmu *pmu)
{
	return pmu ? pmu->name : g->core;
}

/* NULL for a placeholder. */
static const struct pmuq_pmu *pmu_of(const struct member *member)
{
	const struct pmuq_pmu *pmu = member->encoding->on;

	return pmu && pq_is_placeholder(pmu) ? NULL : pmu;
}

/* For the leader of each group as written: the PMU of the first event that is not a software event.
 */
static void find_hardware(struct regrouping *g)
{
	for (size_t i = 0; i < g->n; i++) {
		struct member *leader = &g->v[g->v[i].written_leader];

		if (leader->has_hardware || is_software(pmu_of(&g->v[i])))
			continue;
		leader->has_hardware = true;
		leader->hardware = pmu_name(g, pmu_of(&g->v[i]));
	}
}

/* The PMU in whose group an event belongs: its own; for a software event, the PMU of the group's
 * first hardware event; for all members, the PMU of a leader that writes a trace. */
static struct pmuq_str group_pmu(const struct regrouping *g, const struct member *member)
{
	const struct pmuq_pmu *leader = pmu_of(&g->v[member->written_leader]);
	const struct pmuq_pmu *own = pmu_of(member);

	if (pq_writes_trace(leader))
		return leader->name;
	if (is_software(own) && g->v[member->written_leader].has_hardware)
		return g->v[member->written_leader].hardware;
	return pmu_name(g, own);
}

/* Members of a group sort to the position of their leader, topdown events to that of the first
 * topdown event. */
static size_t sort_index(const struct member *member, size_t topdown_at)
{
	if (member->stays)
		return member->index;
	if (topdown_at != NOWHERE && member->is_topdown)
		return topdown_at;
	return member->is_grouped ? member->written_leader : member->index;
}

/* Within a group and PMU: slots first (of two, the first argument), then metrics of other groups,
 * then other events; events that measure retire latency last, since they cannot lead. Equal ones
 * keep their order. */
static int compare_within(const struct member *a, const struct member *b)
{
	bool same_group = a->written_leader == b->written_leader;

	if (a->is_slots || b->is_slots)
		return a->is_slots ? -1 : 1;
	if (a->is_metric != b->is_metric && !same_group)
		return a->is_metric ? -1 : 1;
	if (a->cannot_lead != b->cannot_lead)
		return a->cannot_lead ? 1 : -1;
	return 0;
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

/* Merges two adjacent sorted runs, v[from…) and v[middle…to); equal elements of the first run come
 * first. */
static void merge_runs(struct regrouping *g, size_t from, size_t middle, size_t to,
		       struct member *buffer)
{
	size_t n = middle - from, left = 0, right = middle, at = from;

	memcpy(buffer, g->v + from, n * sizeof(*buffer));
	while (left < n && right < to)
		g->v[at++] = may_precede(g, &buffer[left], &g->v[right]) ? buffer[left++]
									 : g->v[right++];
	memcpy(g->v + at, buffer + left, (n - left) * sizeof(*buffer));
}

/* Each run is at most twice as long as the one above it. */
#define RUNS_MAX 64u

/* A bottom-up merge sort, as in perf: two runs of one length are merged when as many elements
 * follow them. The order of metrics is not always transitive, so the result depends on the
 * algorithm, and qsort() differs between C libraries. */
static void sort_members(struct regrouping *g, struct member *buffer)
{
	size_t starts[RUNS_MAX], n = 0;

	for (size_t count = 0; count < g->n; count++) {
		size_t bits = count, depth = 0;

		for (; bits & 1; bits >>= 1)
			depth++;
		if (bits) {
			size_t upper = n - 1 - depth;

			merge_runs(g, starts[upper - 1], starts[upper],
				   depth ? starts[upper + 1] : count, buffer);
			memmove(starts + upper, starts + upper + 1, depth * sizeof(*starts));
			n--;
		}
		starts[n++] = count;
	}
	for (; n > 1; n--)
		merge_runs(g, starts[n - 2], starts[n - 1], g->n, buffer);
}

/* Copies the encodings, so that write_back() can put them in a new order. */
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
			.written_leader = encoding->record.n_members ? encoding->record.leader : i,
			.is_grouped = encoding->record.n_members > 1,
			.is_slots = has_topdown && pq_topdown_is_slots(encoding),
			.is_metric = has_topdown && pq_topdown_is_metric(encoding),
		};
		v[i].is_topdown = v[i].is_slots || v[i].is_metric;
		for (uint64_t left = encoding->modifiers; left;) {
			const struct pq_modifier *modifier = pq_modifier_take(&left);

			v[i].stays |= modifier->stays;
			v[i].cannot_lead |= modifier->cannot_lead;
		}
		if (v[i].is_topdown && ret->topdown_at == NOWHERE)
			ret->topdown_at = v[i].written_leader;
	}
	find_hardware(ret);
	for (size_t i = 0; i < ret->n; i++)
		v[i].pmu = group_pmu(ret, &v[i]);
	return 0;
}

/* The group that is being filled, in a walk over the sorted members. */
struct filling {
	const struct member *leader;  /* of the new group */
	const struct member *topdown; /* the leader that all topdown events share */
	size_t written;		      /* the group, as written, that it continues */
	bool is_after_topdown;	      /* the member before this one is that leader */
};

/* Whether another topdown event of the same written group comes later. */
static bool topdown_follows(const struct regrouping *g, size_t from)
{
	for (size_t i = from + 1; i < g->n; i++)
		if (g->v[i].written_leader == g->v[from].written_leader && g->v[i].is_topdown)
			return true;
	return false;
}

static void begin_group(struct filling *f, const struct member *member, size_t written)
{
	f->leader = member;
	f->written = written;
}

/* A member of the same PMU that was written in another group than the one being filled. */
static void enter_from_elsewhere(const struct regrouping *g, struct filling *f, size_t at,
				 bool is_forced)
{
	const struct member *member = &g->v[at];

	if (f->is_after_topdown && topdown_follows(g, at))
		return;
	if (!is_forced) {
		begin_group(f, member, member->written_leader);
	} else if (f->topdown) {
		/* If the walk has passed that leader, the member has a new leader; otherwise the
		 * written one is right. */
		begin_group(f, f->topdown,
			    f->topdown == member ? member->written_leader : f->topdown->leader);
	} else {
		begin_group(f, member, member->index);
		f->topdown = member;
	}
}

/* `position` maps the index of a member as written to its position. */
static void assign_leaders(struct regrouping *g, size_t *position)
{
	struct filling f = { 0 };

	for (size_t i = 0; i < g->n; i++)
		position[g->v[i].index] = g->v[i].position = i;
	for (size_t i = 0; i < g->n; i++) {
		struct member *member = &g->v[i];
		bool stays = member->stays;
		bool is_forced = g->topdown_at != NOWHERE && !stays && member->is_topdown;

		if (!f.leader || stays) {
			const struct member *first =
				stays ? &g->v[position[member->written_leader]] : member;

			begin_group(&f, first, first->index);
			if (is_forced)
				f.topdown = member;
		}
		if (!str_eq(f.leader->pmu, member->pmu)) {
			begin_group(&f, member, member->written_leader);
			if (is_forced && !f.topdown)
				f.topdown = member;
		} else if (f.written != member->written_leader) {
			enter_from_elsewhere(g, &f, i, is_forced);
		}
		member->leader = f.leader->index;
		f.is_after_topdown = f.topdown == member;
	}
}

/* A stable counting sort by the position of the leader. `starts` is zeroed and has one element more
 * than there are members. */
static void sort_by_leader(struct regrouping *g, size_t *starts, struct member *buffer)
{
	for (size_t i = 0; i < g->n; i++)
		starts[g->v[i].leader_position + 1]++;
	for (size_t i = 1; i < g->n; i++)
		starts[i] += starts[i - 1];
	for (size_t i = 0; i < g->n; i++)
		buffer[starts[g->v[i].leader_position]++] = g->v[i];
	memcpy(g->v, buffer, g->n * sizeof(*buffer));
}

/* Members that keep their position may be apart from their group: they are moved to it, unless
 * their leader has left it. */
static void gather_groups(struct regrouping *g, const size_t *position, size_t *starts,
			  struct member *buffer)
{
	bool is_apart = false;

	for (size_t i = 0; i < g->n; i++)
		is_apart |= g->v[i].stays;
	for (size_t i = 0; i < g->n; i++) {
		size_t at = position[g->v[i].leader];
		bool leads_itself = g->v[at].leader == g->v[at].index;

		g->v[i].leader_position = leads_itself ? at : i;
	}
	if (is_apart)
		sort_by_leader(g, starts, buffer);
}

/* Writes the new order back into the result, with leaders as positions in it. */
static bool write_back(const struct pq_encoder *e, const struct regrouping *g, size_t *position,
		       size_t *members)
{
	bool is_changed = false;

	for (size_t i = 0; i < g->n; i++) {
		position[g->v[i].index] = i;
		members[g->v[i].leader]++;
	}
	for (size_t i = 0; i < g->n; i++) {
		const struct member *member = &g->v[i];
		struct pq_encoding *to = &e->result->v[i];
		size_t n = members[member->leader];

		is_changed |= member->index != i || member->leader != member->written_leader;
		*to = *member->encoding;
		to->record.leader = position[member->leader];
		to->record.n_members = n > 1 ? n : 0;
		if (member->leader != member->written_leader)
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

/* Whether the event may not be sorted as others are. */
static bool is_ordered_apart(const struct pq_encoding *encoding)
{
	bool has = false;

	for (uint64_t left = encoding->modifiers; left;) {
		const struct pq_modifier *modifier = pq_modifier_take(&left);

		has |= modifier->stays | modifier->cannot_lead;
	}
	return has;
}

/* The usual result: each group is on one PMU, so that sorting and splitting it would change
 * nothing, and any other event leads itself. False if that is not so. */
static bool keep_order(struct pmuq_encodings *result)
{
	for (size_t i = 0; i < result->n; i++) {
		struct pq_encoding *encoding = &result->v[i];

		if (!encoding->record.n_members)
			encoding->record.leader = i;
		else if (encoding->on != result->v[encoding->record.leader].on ||
			 is_ordered_apart(encoding))
			return false;
	}
	return true;
}

int pq_regroup(const struct pq_encoder *e, const struct pq_item *group)
{
	struct regrouping g;
	struct member *buffer;
	size_t *position, *starts, *members;
	bool has_topdown;
	int r = pq_topdown_complete(e, &has_topdown);

	if (r < 0 || (!has_topdown && (!group || !has_groups(e->result))))
		return r;
	if (!has_topdown && keep_order(e->result))
		return 0;
	r = collect(e, has_topdown, &g);
	if (r < 0)
		return r;
	buffer = pq_arena_array(e->scratch, g.n, sizeof(*buffer));
	position = pq_arena_array(e->scratch, 3 * g.n + 1, sizeof(*position));
	if (!buffer || !position)
		return pq_fail_memory(e->reterr);
	members = position + g.n;
	starts = members + g.n;
	sort_members(&g, buffer);
	assign_leaders(&g, position);
	gather_groups(&g, position, starts, buffer);
	if (!write_back(e, &g, position, members) || !group)
		return 0;
	return pq_warn_at(e, &e->result->v[0], group->at, PMUQ_E_REGROUPED,
			  "the group was split or sorted: a group's events count on one PMU");
}
