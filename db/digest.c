/* SPDX-License-Identifier: MIT */
#include "db/digest.h"

void pq_digest_begin(struct pq_digest *digest, struct pmuq_str kind)
{
	pq_sha256_begin(&digest->sha);
	pq_digest_str(digest, kind);
}

/* Seven bits a byte, lowest first, the top bit on all but the last: most numbers are small. */
void pq_digest_number(struct pq_digest *digest, uint64_t number)
{
	uint8_t bytes[10];
	size_t n = 0;

	for (; number >= 0x80; number >>= 7)
		bytes[n++] = (uint8_t)(number | 0x80);
	bytes[n++] = (uint8_t)number;
	pq_sha256_add(&digest->sha, bytes, n);
}

/* Its length plus one, and 0 for a text that is not there. */
void pq_digest_str(struct pq_digest *digest, struct pmuq_str text)
{
	pq_digest_number(digest, text.p ? (uint64_t)text.n + 1 : 0);
	if (text.n)
		pq_sha256_add(&digest->sha, text.p, text.n);
}

void pq_digest_hash(struct pq_digest *digest, const struct pq_hash *hash)
{
	pq_sha256_add(&digest->sha, hash->bytes, sizeof(hash->bytes));
}

struct pq_hash pq_digest_end(struct pq_digest *digest)
{
	struct pq_hash hash;

	pq_sha256_end(&digest->sha, hash.bytes);
	return hash;
}

bool pq_hash_eq(const struct pq_hash *a, const struct pq_hash *b)
{
	return memcmp(a->bytes, b->bytes, sizeof(a->bytes)) == 0;
}

static void add_pairs(struct pq_digest *digest, const struct pmuq_pair *pairs, size_t n)
{
	pq_digest_number(digest, n);
	for (size_t i = 0; i < n; i++) {
		pq_digest_str(digest, pairs[i].name);
		pq_digest_str(digest, pairs[i].text);
	}
}

static void add_event(struct pq_digest *digest, const struct pmuq_event *event)
{
	pq_digest_str(digest, event->name);
	pq_digest_str(digest, event->terms);
	pq_digest_str(digest, event->unit);
	pq_digest_str(digest, event->scale);
	pq_digest_number(digest, event->is_per_pkg);
	pq_digest_number(digest, event->is_snapshot);
	pq_digest_number(digest, event->has_unit_file);
	pq_digest_number(digest, event->has_scale_file);
}

struct pq_hash pq_digest_definition(const struct pq_def *def)
{
	struct pq_digest digest;

	pq_digest_begin(&digest, STR("pmuq.definition/1"));
	pq_digest_number(&digest, def->record.n_formats);
	for (size_t i = 0; i < def->record.n_formats; i++) {
		pq_digest_str(&digest, def->formats[i].name);
		pq_digest_str(&digest, def->formats[i].text);
	}
	pq_digest_number(&digest, def->record.n_events);
	for (size_t i = 0; i < def->record.n_events; i++)
		add_event(&digest, &def->events[i]);
	add_pairs(&digest, def->record.caps, def->record.n_caps);
	return pq_digest_end(&digest);
}

struct pq_hash pq_digest_attributes(const struct pmuq_pair *attributes, size_t n)
{
	struct pq_digest digest;

	pq_digest_begin(&digest, STR("pmuq.attributes/1"));
	add_pairs(&digest, attributes, n);
	return pq_digest_end(&digest);
}

struct pq_hash pq_digest_reply(const struct pmuq_open_result *reply)
{
	struct pq_digest digest;

	pq_digest_begin(&digest, STR("pmuq.reply/1"));
	pq_digest_number(&digest, (uint64_t)reply->status);
	pq_digest_number(&digest, (uint64_t)reply->errnum);
	pq_digest_str(&digest, reply->cpus);
	pq_digest_str(&digest, reply->name);
	pq_digest_str(&digest, reply->reason);
	pq_digest_str(&digest, reply->hint);
	pq_digest_str(&digest, reply->change);
	return pq_digest_end(&digest);
}

void pq_digest_answer(struct pq_digest *digest, const struct pmuq_check_result *answer,
		      const struct pq_hash *reply)
{
	pq_digest_str(digest, answer->pmu);
	pq_digest_str(digest, answer->event);
	pq_digest_number(digest, answer->is_generic);
	pq_digest_hash(digest, reply);
}

void pq_digest_pmu(struct pq_digest *digest, const struct pmuq_pmu *pmu,
		   const struct pq_hash *definition, const struct pq_hash *attributes)
{
	pq_digest_str(digest, pmu->name);
	pq_digest_number(digest, pmu->has_type ? (uint64_t)pmu->type + 1 : 0);
	pq_digest_str(digest, pmu->alias);
	pq_digest_str(digest, pmu->cpumask);
	pq_digest_str(digest, pmu->cpus_file);
	pq_digest_hash(digest, definition);
	pq_digest_hash(digest, attributes);
}

void pq_digest_tracepoint(struct pq_digest *digest, const struct pq_tracepoint *tracepoint)
{
	pq_digest_str(digest, tracepoint->subsystem);
	pq_digest_str(digest, tracepoint->name);
	pq_digest_number(digest, tracepoint->id);
}

void pq_digest_problem(struct pq_digest *digest, const struct pmuq_problem *problem)
{
	pq_digest_str(digest, problem->path);
	pq_digest_str(digest, problem->message);
	pq_digest_number(digest, (uint64_t)problem->code);
	pq_digest_number(digest, (uint64_t)problem->errnum);
}

/* Descriptions are for reading, and most of the bytes. */
void pq_digest_vendor_event(struct pq_digest *digest, const struct pq_vendor_event *event)
{
	pq_digest_str(digest, event->event.name);
	pq_digest_str(digest, event->record.pmu);
	pq_digest_str(digest, event->event.terms);
	pq_digest_str(digest,
		      event->event.has_unit_file ? event->event.unit : (struct pmuq_str){ 0 });
	pq_digest_str(digest,
		      event->event.has_scale_file ? event->event.scale : (struct pmuq_str){ 0 });
	pq_digest_str(digest, event->record.compat);
	pq_digest_number(digest, event->event.is_per_pkg);
	pq_digest_number(digest, event->record.is_deprecated);
}

void pq_digest_fact(struct pq_digest *digest, enum pq_fact_owner owner, size_t position,
		    const struct pmuq_pair *fact)
{
	pq_digest_number(digest, position);
	pq_digest_str(digest, fact->name);
	if (owner != PQ_FACT_VOLATILE)
		pq_digest_str(digest, fact->text);
}

struct pq_hash pq_digest_snapshot(struct pq_digest *digest, const struct pq_hash *layout,
				  const struct pq_hash *facts, const struct pq_hash *tracepoints,
				  const struct pq_hash *problems)
{
	pq_digest_hash(digest, layout);
	pq_digest_hash(digest, facts);
	pq_digest_hash(digest, tracepoints);
	pq_digest_hash(digest, problems);
	return pq_digest_end(digest);
}
