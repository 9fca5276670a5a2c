/* SPDX-License-Identifier: MIT */
/*
 * THE table of the statements: X(name, text). Everything that is asked of the store or told to it
 * stands here, but for the migrations and the pragmas of opening. Parameters are bound in the order
 * of the text.
 */
#ifndef PQ_SQL_H
#define PQ_SQL_H

/* A text's row in the index: short names first (schema.sql). Rows go in and out in their order:
 * FTS5 writes all that it has in memory whenever one is below the last. A PMU that nearly all have
 * says nothing. */
#define PQ_SQL_WORDS_PMU "iif(pmu IN ('default_core', 'cpu_core'), '', pmu)"
#define PQ_SQL_WORDS_ROW "((min(length(CAST(name AS BLOB)), 1023) << 40) | id)"

// clang-format off
#define PQ_STATEMENTS(X) \
	X(BEGIN_READ, "BEGIN") \
	X(BEGIN_WRITE, "BEGIN IMMEDIATE") \
	X(COMMIT, "COMMIT") \
	X(ROLLBACK, "ROLLBACK") \
	\
	X(FIND_DEFINITION, "SELECT id FROM definition WHERE hash = ?") \
	X(FIND_ATTRIBUTES, "SELECT id FROM attribute_set WHERE hash = ?") \
	X(FIND_LAYOUT, "SELECT id FROM layout WHERE hash = ?") \
	X(FIND_FACTS, "SELECT id FROM fact_set WHERE hash = ?") \
	X(FIND_TRACEPOINTS, "SELECT id FROM tracepoint_set WHERE hash = ?") \
	X(FIND_PROBLEMS, "SELECT id FROM problem_set WHERE hash = ?") \
	X(FIND_REPLY, "SELECT id FROM reply WHERE hash = ?") \
	X(FIND_ANSWERS, "SELECT id FROM answer_set WHERE hash = ?") \
	X(ADD_DEFINITION, "INSERT INTO definition (hash) VALUES (?)") \
	X(ADD_ATTRIBUTES, "INSERT INTO attribute_set (hash) VALUES (?)") \
	X(ADD_LAYOUT, "INSERT INTO layout (hash) VALUES (?)") \
	X(ADD_FACTS, "INSERT INTO fact_set (hash) VALUES (?)") \
	X(ADD_TRACEPOINTS, "INSERT INTO tracepoint_set (hash) VALUES (?)") \
	X(ADD_PROBLEMS, "INSERT INTO problem_set (hash) VALUES (?)") \
	X(ADD_ANSWERS, "INSERT INTO answer_set (hash) VALUES (?)") \
	\
	X(ADD_FORMAT, "INSERT INTO definition_format (definition, position, name, text)" \
		" VALUES (?, ?, ?, ?)") \
	X(ADD_EVENT, "INSERT INTO definition_event (definition, position, name, terms, unit, scale," \
		" is_per_pkg, is_snapshot, has_unit_file, has_scale_file)" \
		" VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)") \
	X(ADD_CAP, "INSERT INTO definition_cap (definition, position, name, text)" \
		" VALUES (?, ?, ?, ?)") \
	X(ADD_ATTRIBUTE, "INSERT INTO attribute (attribute_set, position, name, text)" \
		" VALUES (?, ?, ?, ?)") \
	X(ADD_PMU, "INSERT INTO layout_pmu (layout, position, name, type, alias, cpumask, cpus," \
		" definition, attribute_set) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)") \
	X(ADD_FACT, "INSERT INTO fact (fact_set, position, name, text) VALUES (?, ?, ?, ?)") \
	X(ADD_TRACEPOINT, "INSERT INTO tracepoint (tracepoint_set, position, subsystem, name, number)" \
		" VALUES (?, ?, ?, ?, ?)") \
	X(ADD_PROBLEM, "INSERT INTO problem (problem_set, position, path, message, code, errnum)" \
		" VALUES (?, ?, ?, ?, ?, ?)") \
	\
	X(ADD_REPLY, "INSERT INTO reply (hash, status, errnum, cpus, name, reason, hint, change)" \
		" VALUES (?, ?, ?, ?, ?, ?, ?, ?)") \
	X(ADD_ANSWER, "INSERT INTO answer (answer_set, position, pmu, event, is_generic, reply)" \
		" VALUES (?, ?, ?, ?, ?, ?)") \
	\
	X(FIND_HOST, "SELECT id FROM host WHERE name = ?") \
	X(ADD_HOST, "INSERT INTO host (name) VALUES (?)") \
	X(NAME_MACHINE, "UPDATE host SET machine_id = ? WHERE id = ?") \
	X(NEWEST_HASH, "SELECT id, hash FROM snapshot WHERE host = ? ORDER BY id DESC LIMIT 1") \
	X(ADD_SNAPSHOT, "INSERT INTO snapshot (host, hash, layout, fact_set, tracepoint_set, problem_set," \
		" first_seen, last_seen, kind) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7, ?8)") \
	X(FIND_KIND, "SELECT id FROM kind WHERE hash = ?") \
	X(ADD_KIND, "INSERT INTO kind (hash) VALUES (?)") \
	X(NEXT_WITHOUT_KIND, "SELECT layout, tracepoint_set, fact_set FROM snapshot" \
		" WHERE kind IS NULL LIMIT 1") \
	X(SET_KIND, "UPDATE snapshot SET kind = ?1" \
		" WHERE layout = ?2 AND tracepoint_set = ?3 AND fact_set = ?4 AND kind IS NULL") \
	X(ADD_SNAPSHOT_FACT, "INSERT INTO snapshot_fact (snapshot, position, name, text, is_passing)" \
		" VALUES (?, ?, ?, ?, ?)") \
	X(SEE_SNAPSHOT, "UPDATE snapshot SET last_seen = max(last_seen, ?) WHERE id = ?") \
	X(HAS_WHOLE_CHECK, "SELECT 1 FROM snapshot_check WHERE snapshot = ?1 AND total =" \
		" (SELECT count(*) FROM answer WHERE answer.answer_set = snapshot_check.answer_set)") \
	X(SET_CHECK, "INSERT OR REPLACE INTO snapshot_check (snapshot, answer_set, checked, total)" \
		" VALUES (?, ?, ?, ?)") \
	X(CHECKED_ANSWERS, "SELECT answer_set FROM snapshot_check WHERE snapshot = ?") \
	X(DROP_ANSWERS, "DELETE FROM answer_set WHERE id = ?1" \
		" AND NOT EXISTS (SELECT 1 FROM snapshot_check WHERE answer_set = ?1)") \
	X(PASS_FACT, "UPDATE snapshot_fact SET text = ?1" \
		" WHERE snapshot = ?2 AND position = ?3 AND text IS NOT ?1") \
	\
	X(LOAD_SNAPSHOT, "SELECT id, hash, layout, fact_set, tracepoint_set, problem_set FROM snapshot" \
		" WHERE host = ?1 AND (id = ?2 OR ?2 = 0) ORDER BY id DESC LIMIT 1") \
	X(LOAD_PMUS, "SELECT name, type, alias, cpumask, cpus, definition, attribute_set FROM layout_pmu" \
		" WHERE layout = ? ORDER BY position") \
	X(LOAD_FORMATS, "SELECT name, text FROM definition_format WHERE definition = ? ORDER BY position") \
	X(LOAD_EVENTS, "SELECT name, terms, unit, scale, is_per_pkg, is_snapshot, has_unit_file," \
		" has_scale_file FROM definition_event WHERE definition = ? ORDER BY position") \
	X(LOAD_CAPS, "SELECT name, text FROM definition_cap WHERE definition = ? ORDER BY position") \
	X(LOAD_ATTRIBUTES, "SELECT name, text FROM attribute WHERE attribute_set = ? ORDER BY position") \
	X(LOAD_FACTS, "SELECT position, name, text, 0, 0 FROM fact WHERE fact_set = ?" \
		" UNION ALL SELECT position, name, text, 1, is_passing FROM snapshot_fact" \
		" WHERE snapshot = ? ORDER BY 1") \
	X(LOAD_TRACEPOINTS, "SELECT subsystem, name, number FROM tracepoint" \
		" WHERE tracepoint_set = ? ORDER BY position") \
	X(LOAD_PROBLEMS, "SELECT path, message, code, errnum FROM problem" \
		" WHERE problem_set = ? ORDER BY position") \
	X(LOAD_CHECK, "SELECT answer_set, checked, total FROM snapshot_check WHERE snapshot = ?") \
	X(FIND_CHECKED, "SELECT id FROM snapshot_check JOIN snapshot ON snapshot.id = snapshot" \
		" WHERE hash = ? ORDER BY id DESC LIMIT 1") \
	X(LOAD_ANSWERS, "SELECT pmu, event, is_generic, reply FROM answer" \
		" WHERE answer_set = ? ORDER BY position") \
	X(LOAD_REPLY, "SELECT status, errnum, cpus, name, reason, hint, change FROM reply WHERE id = ?") \
	X(HASH_OF_REPLY, "SELECT hash FROM reply WHERE id = ?") \
	X(HASH_OF_ANSWERS, "SELECT hash FROM answer_set WHERE id = ?") \
	X(HASH_OF_DEFINITION, "SELECT hash FROM definition WHERE id = ?") \
	X(HASH_OF_ATTRIBUTES, "SELECT hash FROM attribute_set WHERE id = ?") \
	X(HASH_OF_LAYOUT, "SELECT hash FROM layout WHERE id = ?") \
	X(HASH_OF_FACTS, "SELECT hash FROM fact_set WHERE id = ?") \
	X(HASH_OF_TRACEPOINTS, "SELECT hash FROM tracepoint_set WHERE id = ?") \
	X(HASH_OF_PROBLEMS, "SELECT hash FROM problem_set WHERE id = ?") \
	\
	X(LIST_NAMES, "SELECT name FROM host ORDER BY name") \
	X(LIST_SNAPSHOTS, "SELECT id FROM snapshot WHERE host = ? ORDER BY id DESC") \
	X(LIST_HOSTS, "SELECT host.id, host.name, host.machine_id, snapshot.id, first_seen, last_seen," \
		" fact_set, coalesce(kind, 0), answer_set," \
		" (SELECT count(*) FROM snapshot AS other WHERE other.host = host.id)" \
		" FROM host JOIN snapshot ON snapshot.host = host.id" \
		" LEFT JOIN snapshot_check ON snapshot_check.snapshot = snapshot.id" \
		" ORDER BY host.name, snapshot.id") \
	X(LIST_NEWEST, "SELECT host.id, host.name, host.machine_id, snapshot.id, first_seen, last_seen," \
		" fact_set, coalesce(kind, 0), answer_set, n_kept" \
		" FROM (SELECT host, max(id) AS newest, count(*) AS n_kept FROM snapshot GROUP BY host)" \
		" AS kept CROSS JOIN host ON host.id = kept.host" \
		" CROSS JOIN snapshot ON snapshot.id = newest" \
		" LEFT JOIN snapshot_check ON snapshot_check.snapshot = newest" \
		" ORDER BY host.name") \
	X(HOSTNAME_OF, "SELECT text FROM snapshot_fact WHERE name = 'hostname' AND snapshot =" \
		" (SELECT max(id) FROM snapshot WHERE host = ?)") \
	X(LIST_FACTS, "SELECT name, text FROM fact WHERE fact_set = ? ORDER BY position") \
	X(COUNT_FACTS, "SELECT count(*) FROM fact WHERE fact_set = ?") \
	X(FIND_SNAPSHOT, "SELECT id FROM snapshot WHERE host = ? AND id = ?") \
	X(FIND_AT_TIME, "SELECT id FROM snapshot WHERE host = ? AND first_seen <= ?" \
		" ORDER BY id DESC LIMIT 1") \
	X(LIST_KERNELS, "SELECT id, first_seen, (SELECT text FROM fact" \
		" WHERE fact.fact_set = snapshot.fact_set AND name = 'kernel')" \
		" FROM snapshot WHERE host = ? ORDER BY id DESC") \
	X(RENAME_HOST, "UPDATE host SET name = ? WHERE id = ?") \
	\
	X(DROP_SNAPSHOTS, "DELETE FROM snapshot WHERE (?1 = 0 OR host = ?1) AND (?2 = 0 OR id = ?2)" \
		" AND (?3 = 0 OR last_seen < ?3) AND (?4 = 0 OR (SELECT count(*) FROM snapshot AS later" \
		" WHERE later.host = snapshot.host AND later.id > snapshot.id) >= ?4)") \
	X(DROP_HOSTS, "DELETE FROM host WHERE id NOT IN (SELECT host FROM snapshot)") \
	X(NAME_HOSTS, "UPDATE host SET machine_id = (SELECT text FROM snapshot_fact" \
		" WHERE name = 'machine_id' AND snapshot =" \
		" (SELECT max(id) FROM snapshot WHERE snapshot.host = host.id))" \
		" WHERE machine_id IS NOT (SELECT text FROM snapshot_fact" \
		" WHERE name = 'machine_id' AND snapshot =" \
		" (SELECT max(id) FROM snapshot WHERE snapshot.host = host.id))") \
	X(DROP_KINDS, "DELETE FROM kind" \
		" WHERE id NOT IN (SELECT kind FROM snapshot WHERE kind IS NOT NULL)") \
	X(DROP_LAYOUTS, "DELETE FROM layout WHERE id NOT IN (SELECT layout FROM snapshot)") \
	X(DROP_DEFINITIONS, "DELETE FROM definition" \
		" WHERE id NOT IN (SELECT definition FROM layout_pmu)") \
	X(DROP_ATTRIBUTES, "DELETE FROM attribute_set" \
		" WHERE id NOT IN (SELECT attribute_set FROM layout_pmu)") \
	X(DROP_FACTS, "DELETE FROM fact_set WHERE id NOT IN (SELECT fact_set FROM snapshot)") \
	X(DROP_TRACEPOINTS, "DELETE FROM tracepoint_set" \
		" WHERE id NOT IN (SELECT tracepoint_set FROM snapshot)") \
	X(DROP_PROBLEMS, "DELETE FROM problem_set" \
		" WHERE id NOT IN (SELECT problem_set FROM snapshot)") \
	X(DROP_ALL_ANSWERS, "DELETE FROM answer_set" \
		" WHERE id NOT IN (SELECT answer_set FROM snapshot_check)") \
	X(DROP_REPLIES, "DELETE FROM reply WHERE id NOT IN (SELECT reply FROM answer)") \
	\
	X(HASH_OF_KIND, "SELECT hash FROM kind WHERE id = ?") \
	\
	X(ADD_VENDOR, "INSERT INTO vendor (name, directory, layout, is_libpfm4, imported)" \
		" VALUES (?, ?, ?, ?, ?)") \
	X(FIND_VENDOR, "SELECT id FROM vendor WHERE name = ?") \
	X(DROP_VENDOR, "DELETE FROM vendor WHERE id = ?") \
	X(DROP_VENDOR_SETS, "DELETE FROM vendor_set" \
		" WHERE NOT EXISTS (SELECT 1 FROM vendor_folder WHERE vendor_set = vendor_set.id)") \
	X(DROP_VENDOR_TEXTS, "DELETE FROM vendor_text" \
		" WHERE NOT EXISTS (SELECT 1 FROM vendor_event WHERE text = vendor_text.id)") \
	X(UNINDEX_TEXTS, "INSERT INTO vendor_words (vendor_words, rowid, name, pmu, description," \
		" long_description) SELECT 'delete', " PQ_SQL_WORDS_ROW ", name, " PQ_SQL_WORDS_PMU "," \
		" description, long_description" \
		" FROM vendor_text WHERE " PQ_SQL_WORDS_ROW " IN (SELECT id FROM vendor_words_docsize)" \
		" AND NOT EXISTS (SELECT 1 FROM vendor_event WHERE text = vendor_text.id) ORDER BY 2") \
	X(FIND_VENDOR_SET, "SELECT id FROM vendor_set WHERE hash = ?") \
	X(ADD_VENDOR_SET, "INSERT INTO vendor_set (hash) VALUES (?)") \
	X(KEEP_VENDOR_SET, "UPDATE vendor_set SET kept = ? WHERE id = ?") \
	X(FIND_VENDOR_TEXT, "SELECT id FROM vendor_text WHERE hash = ?") \
	X(ADD_VENDOR_TEXT, "INSERT INTO vendor_text (hash, pmu, name, topic, description," \
		" long_description) VALUES (?, ?, ?, ?, ?, ?)") \
	X(ADD_VENDOR_EVENT, "INSERT INTO vendor_event (vendor_set, position, text, terms, unit, scale," \
		" compat, is_per_pkg, is_deprecated) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)") \
	X(ADD_VENDOR_METRIC, "INSERT INTO vendor_metric (vendor_set, position, pmu, name, expression," \
		" groups, scale_unit, threshold, description, long_description)" \
		" VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)") \
	X(ADD_VENDOR_FOLDER, "INSERT INTO vendor_folder (vendor, position, arch, path, is_system," \
		" vendor_set) VALUES (?, ?, ?, ?, ?, ?)") \
	X(ADD_VENDOR_CPU, "INSERT INTO vendor_cpu (vendor, position, arch, pattern, version, type," \
		" folder) VALUES (?, ?, ?, ?, ?, ?, ?)") \
	X(ADD_VENDOR_PROBLEM, "INSERT INTO vendor_problem (vendor, position, path, line, message, code)" \
		" VALUES (?, ?, ?, ?, ?, ?)") \
	X(LIST_VENDORS, "SELECT id, name, directory, layout, is_libpfm4, imported," \
		" (SELECT count(*) FROM vendor_folder WHERE vendor = vendor.id)," \
		" (SELECT count(*) FROM vendor_cpu WHERE vendor = vendor.id)," \
		" (SELECT count(*) FROM vendor_folder JOIN vendor_event USING (vendor_set)" \
		" WHERE vendor_folder.vendor = vendor.id)," \
		" (SELECT count(*) FROM vendor_folder JOIN vendor_metric USING (vendor_set)" \
		" WHERE vendor_folder.vendor = vendor.id)" \
		" FROM vendor WHERE id = ?1 OR ?1 = 0 ORDER BY name") \
	X(LIST_VENDOR_NAMES, "SELECT name FROM vendor ORDER BY name") \
	X(LIST_VENDOR_PROBLEMS, "SELECT path, line, message, code FROM vendor_problem" \
		" WHERE vendor = ? ORDER BY position") \
	X(LIST_VENDOR_CPUS, "SELECT vendor_cpu.vendor, vendor_cpu.arch, pattern, version, vendor.name," \
		" vendor_folder.path, vendor_set, vendor_set.hash FROM vendor_cpu" \
		" JOIN vendor ON vendor.id = vendor_cpu.vendor" \
		" JOIN vendor_folder ON vendor_folder.vendor = vendor_cpu.vendor" \
		" AND vendor_folder.position = folder" \
		" JOIN vendor_set ON vendor_set.id = vendor_set" \
		" ORDER BY vendor_cpu.vendor DESC, vendor_cpu.position") \
	X(LIST_VENDOR_SETS, "SELECT id, kept, (SELECT count(*) FROM vendor_event" \
		" WHERE vendor_set = vendor_set.id) FROM vendor_set WHERE id = ?1 OR id IN" \
		" (SELECT vendor_set FROM vendor_folder" \
		" WHERE vendor = ?2 AND arch = ?3 AND is_system) ORDER BY id") \
	X(LOAD_VENDOR_EVENTS, "SELECT name, pmu, topic, description, long_description, terms, unit," \
		" scale, compat, is_per_pkg, is_deprecated FROM vendor_event" \
		" JOIN vendor_text ON vendor_text.id = text WHERE vendor_set = ? ORDER BY position") \
	X(HAS_FTS5, "SELECT 1 FROM pragma_module_list WHERE name = 'fts5'") \
	X(HAS_INDEX, "SELECT 1 FROM sqlite_schema WHERE name = 'vendor_words'") \
	X(HAS_UNINDEXED, "SELECT 1 FROM vendor WHERE NOT is_indexed") \
	X(SET_INDEXED, "UPDATE vendor SET is_indexed = 1 WHERE NOT is_indexed") \
	X(INDEX_NEW_TEXTS, "INSERT INTO vendor_words (rowid, name, pmu, description, long_description)" \
		" SELECT " PQ_SQL_WORDS_ROW ", name, " PQ_SQL_WORDS_PMU ", description, long_description" \
		" FROM vendor_text" \
		" WHERE id > (SELECT coalesce(max(id & 0xffffffffff), 0) FROM vendor_words_docsize)" \
		" ORDER BY 1") \
	X(WORDS_END, "SELECT rowid FROM vendor_words WHERE vendor_words MATCH ? ORDER BY rowid" \
		" LIMIT 1 OFFSET ?") \
	X(SEARCH_VENDORS, "SELECT rowid & 0xffffffffff FROM vendor_words WHERE vendor_words MATCH ?" \
		" AND rowid <= ? ORDER BY rank LIMIT ?") \
	X(LOAD_FOUND, "SELECT pmu, name, topic, description, long_description FROM vendor_text" \
		" WHERE id = ?") \
	X(LIST_FOUND_FOLDERS, "SELECT DISTINCT arch, path, is_libpfm4 FROM vendor_event" \
		" JOIN vendor_folder USING (vendor_set)" \
		" JOIN vendor ON vendor.id = vendor_folder.vendor" \
		" WHERE text = ? ORDER BY arch, path") \
	X(IS_FOUND_DEPRECATED, "SELECT min(is_deprecated), min(terms), max(terms) FROM vendor_event" \
		" WHERE text = ?")
// clang-format on

enum pq_sql {
#define X(name, text) PQ_SQL_##name,
	PQ_STATEMENTS(X)
#undef X
		PQ_SQL_COUNT,
};

#endif
