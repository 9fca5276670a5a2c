/* SPDX-License-Identifier: MIT */
/*
 * THE table of the statements: X(name, text). Everything that is asked of the store or told to it
 * stands here, but for the migrations and the pragmas of opening. Parameters are bound in the order
 * of the text.
 */
#ifndef PQ_SQL_H
#define PQ_SQL_H

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
		" first_seen, last_seen) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7)") \
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
	X(LIST_HOSTS, "SELECT host.id, host.name, snapshot.id, first_seen, last_seen," \
		" (SELECT text FROM fact" \
		" WHERE fact.fact_set = snapshot.fact_set AND fact.name = 'kernel')" \
		" FROM host JOIN snapshot ON snapshot.host = host.id ORDER BY host.name, snapshot.id") \
	\
	X(ADD_VENDOR, "INSERT INTO vendor (name, directory, layout, imported) VALUES (?, ?, ?, ?)") \
	X(FIND_VENDOR, "SELECT id FROM vendor WHERE name = ?") \
	X(DROP_VENDOR, "DELETE FROM vendor WHERE id = ?") \
	X(DROP_VENDOR_SETS, "DELETE FROM vendor_set" \
		" WHERE NOT EXISTS (SELECT 1 FROM vendor_folder WHERE vendor_set = vendor_set.id)") \
	X(DROP_VENDOR_TEXTS, "DELETE FROM vendor_text" \
		" WHERE NOT EXISTS (SELECT 1 FROM vendor_event WHERE text = vendor_text.id)") \
	X(UNINDEX_TEXTS, "INSERT INTO vendor_search (vendor_search, rowid, name, description," \
		" long_description) SELECT 'delete', id, name, description, long_description" \
		" FROM vendor_text WHERE id IN (SELECT id FROM vendor_search_docsize)" \
		" AND NOT EXISTS (SELECT 1 FROM vendor_event WHERE text = vendor_text.id)") \
	X(FIND_VENDOR_SET, "SELECT id FROM vendor_set WHERE hash = ?") \
	X(ADD_VENDOR_SET, "INSERT INTO vendor_set (hash) VALUES (?)") \
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
	X(LIST_VENDORS, "SELECT id, name, directory, layout, imported," \
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
	X(COUNT_VENDOR_EVENTS, "SELECT count(*) FROM vendor_event WHERE vendor_set = ?1 OR vendor_set IN" \
		" (SELECT vendor_set FROM vendor_folder" \
		" WHERE vendor = ?2 AND arch = ?3 AND is_system)") \
	X(LOAD_VENDOR_EVENTS, "SELECT name, pmu, topic, description, long_description, terms, unit," \
		" scale, compat, is_per_pkg, is_deprecated FROM vendor_event" \
		" JOIN vendor_text ON vendor_text.id = text WHERE vendor_set = ?1 OR vendor_set IN" \
		" (SELECT vendor_set FROM vendor_folder" \
		" WHERE vendor = ?2 AND arch = ?3 AND is_system) ORDER BY vendor_set, position") \
	X(HAS_FTS5, "SELECT 1 FROM pragma_module_list WHERE name = 'fts5'") \
	X(HAS_INDEX, "SELECT 1 FROM sqlite_schema WHERE name = 'vendor_search'") \
	X(HAS_UNINDEXED, "SELECT 1 FROM vendor_text WHERE id >" \
		" (SELECT coalesce(max(id), 0) FROM vendor_search_docsize)") \
	X(INDEX_NEW_TEXTS, "INSERT INTO vendor_search (rowid, name, description, long_description)" \
		" SELECT id, name, description, long_description FROM vendor_text WHERE id >" \
		" (SELECT coalesce(max(id), 0) FROM vendor_search_docsize)") \
	X(SEARCH_VENDORS, "SELECT id FROM vendor_search JOIN vendor_text ON id = vendor_search.rowid" \
		" WHERE vendor_search MATCH ? ORDER BY rank LIMIT ?") \
	X(LOAD_FOUND, "SELECT pmu, name, topic, description, long_description FROM vendor_text" \
		" WHERE id = ?") \
	X(LIST_FOUND_FOLDERS, "SELECT DISTINCT arch, path FROM vendor_event" \
		" JOIN vendor_folder USING (vendor_set) WHERE text = ? ORDER BY arch, path") \
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
