-- SPDX-License-Identifier: MIT
-- What kind of machine a snapshot is of, which pmuq fills in for those that are there; and views that answer the
-- common questions.
CREATE TABLE kind (
	id INTEGER PRIMARY KEY,
	hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32)
) STRICT;

ALTER TABLE snapshot ADD COLUMN kind INTEGER REFERENCES kind (id);
CREATE INDEX snapshot_by_kind ON snapshot (kind);

DROP VIEW v_host_answer;
DROP VIEW v_host_event;
DROP VIEW v_host_pmu;
DROP VIEW v_host;

CREATE VIEW v_snapshot AS
	SELECT host.name AS host, snapshot.id AS snapshot,
		snapshot.id = (SELECT max(id) FROM snapshot AS other WHERE other.host = host.id)
			AS is_newest,
		(SELECT lower(hex(substr(hash, 1, 4))) FROM kind WHERE kind.id = snapshot.kind) AS kind,
		(SELECT text FROM fact
			WHERE fact.fact_set = snapshot.fact_set AND fact.name = 'kernel') AS kernel,
		(SELECT text FROM fact
			WHERE fact.fact_set = snapshot.fact_set AND fact.name = 'arch') AS arch,
		(SELECT text FROM fact
			WHERE fact.fact_set = snapshot.fact_set AND fact.name = 'cpuid') AS cpuid,
		snapshot.first_seen, snapshot.last_seen,
		(SELECT checked FROM snapshot_check WHERE snapshot_check.snapshot = snapshot.id)
			AS checked,
		snapshot.layout, snapshot.fact_set, snapshot.tracepoint_set, snapshot.problem_set
	FROM host JOIN snapshot ON snapshot.host = host.id;

CREATE VIEW v_host AS
	SELECT host.name AS host, snapshot.id AS snapshot, snapshot.first_seen, snapshot.last_seen,
		(SELECT text FROM fact
			WHERE fact.fact_set = snapshot.fact_set AND fact.name = 'kernel') AS kernel,
		(SELECT text FROM fact
			WHERE fact.fact_set = snapshot.fact_set AND fact.name = 'arch') AS arch,
		(SELECT text FROM fact
			WHERE fact.fact_set = snapshot.fact_set AND fact.name = 'cpuid') AS cpuid,
		(SELECT lower(hex(substr(hash, 1, 4))) FROM kind WHERE kind.id = snapshot.kind) AS kind,
		(SELECT count(*) FROM snapshot AS other WHERE other.host = host.id) AS snapshots,
		host.machine_id,
		(SELECT checked FROM snapshot_check WHERE snapshot_check.snapshot = snapshot.id)
			AS checked,
		snapshot.layout, snapshot.fact_set, snapshot.tracepoint_set, snapshot.problem_set
	FROM host JOIN snapshot
		ON snapshot.id = (SELECT max(id) FROM snapshot WHERE snapshot.host = host.id);

CREATE VIEW v_host_pmu AS
	SELECT v_host.host, v_host.snapshot, layout_pmu.name AS pmu, layout_pmu.type, layout_pmu.alias,
		layout_pmu.cpumask, layout_pmu.cpus, layout_pmu.definition
	FROM v_host JOIN layout_pmu ON layout_pmu.layout = v_host.layout;

CREATE VIEW v_host_event AS
	SELECT v_host_pmu.host, v_host_pmu.snapshot, v_host_pmu.pmu, definition_event.name AS event,
		definition_event.terms, definition_event.unit, definition_event.scale,
		definition_event.is_per_pkg, definition_event.is_snapshot
	FROM v_host_pmu JOIN definition_event
		ON definition_event.definition = v_host_pmu.definition;

CREATE VIEW v_host_answer AS
	SELECT v_host.host, v_host.snapshot, v_host.kernel, snapshot_check.checked, answer.pmu,
		answer.event, answer.is_generic, reply.status, reply.errnum, reply.cpus, reply.name,
		reply.reason, reply.hint, reply.change
	FROM v_host
		JOIN snapshot_check ON snapshot_check.snapshot = v_host.snapshot
		JOIN answer ON answer.answer_set = snapshot_check.answer_set
		JOIN reply ON reply.id = answer.reply;

CREATE VIEW v_kind AS
	SELECT kind, hosts, example, first_seen, last_seen, layout, tracepoint_set,
		(SELECT text FROM fact
			WHERE fact.fact_set = alike.fact_set AND fact.name = 'arch') AS arch,
		(SELECT text FROM fact
			WHERE fact.fact_set = alike.fact_set AND fact.name = 'cpuid') AS cpuid
	FROM (SELECT lower(hex(substr(kind.hash, 1, 4))) AS kind, count(*) AS hosts,
			min(host.name) AS example, min(first_seen) AS first_seen,
			max(last_seen) AS last_seen, min(layout) AS layout,
			min(tracepoint_set) AS tracepoint_set, min(fact_set) AS fact_set
		FROM host
			JOIN snapshot ON snapshot.id =
				(SELECT max(id) FROM snapshot WHERE snapshot.host = host.id)
			JOIN kind ON kind.id = snapshot.kind
		GROUP BY kind.id) AS alike;

CREATE VIEW v_kind_pmu AS
	SELECT v_kind.kind, v_kind.hosts, layout_pmu.name AS pmu, layout_pmu.type, layout_pmu.alias,
		layout_pmu.cpumask, layout_pmu.cpus, layout_pmu.definition
	FROM v_kind JOIN layout_pmu ON layout_pmu.layout = v_kind.layout;

CREATE VIEW v_kind_format AS
	SELECT v_kind_pmu.kind, v_kind_pmu.hosts, v_kind_pmu.pmu, definition_format.name AS format,
		definition_format.text
	FROM v_kind_pmu JOIN definition_format
		ON definition_format.definition = v_kind_pmu.definition;

CREATE VIEW v_kind_event AS
	SELECT v_kind_pmu.kind, v_kind_pmu.hosts, v_kind_pmu.pmu, definition_event.name AS event,
		definition_event.terms, definition_event.unit, definition_event.scale,
		definition_event.is_per_pkg, definition_event.is_snapshot
	FROM v_kind_pmu JOIN definition_event
		ON definition_event.definition = v_kind_pmu.definition;
