/* SPDX-License-Identifier: MIT */
/*
 * The floor of `pmuq search`, as a process: SQLite opens the database without locks, as pmuq does,
 * reads the schema, and FTS5 finds the texts. Nothing is checked, read or printed.
 *
 *     find_words DATABASE QUERY
 */
#include <sqlite3.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	sqlite3_stmt *stmt = NULL;
	sqlite3 *db = NULL;
	char uri[512];
	size_t n = 0;

	if (argc != 3)
		return 2;
	snprintf(uri, sizeof(uri), "file:%s?immutable=1", argv[1]);
	if (sqlite3_open_v2(uri, &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL) != SQLITE_OK ||
	    sqlite3_prepare_v2(db, "SELECT rowid FROM vendor_words WHERE vendor_words MATCH ?", -1,
			       &stmt, NULL) != SQLITE_OK ||
	    sqlite3_bind_text(stmt, 1, argv[2], -1, SQLITE_STATIC) != SQLITE_OK)
		return 1;
	while (sqlite3_step(stmt) == SQLITE_ROW)
		n++;
	printf("%zu\n", n);
	sqlite3_finalize(stmt);
	sqlite3_close(db);
	return n == 0;
}
