/* SPDX-License-Identifier: MIT */
/*
 * The functions of libpq, PostgreSQL's client library, which only pg_lib.c loads. Their names here
 * are without "PQ". They are declared here and not by libpq's header, so that a build needs no
 * package for an engine that few use: libpq has kept them unchanged since they exist.
 * tests/unit/test_pg_lib.c compares them with the header.
 */
#pragma once

#include "core/error.h"

struct pg_conn;
struct pg_result;

/* The values of libpq's enums that pmuq uses. */
#define PQ_PG_CONNECTION_OK 0	  /* CONNECTION_OK */
#define PQ_PG_IDLE 0		  /* PQTRANS_IDLE */
#define PQ_PG_COMMAND_OK 1	  /* PGRES_COMMAND_OK */
#define PQ_PG_TUPLES_OK 2	  /* PGRES_TUPLES_OK */
#define PQ_PG_COPY_OUT 3	  /* PGRES_COPY_OUT */
#define PQ_PG_PIPELINE_SYNC 10	  /* PGRES_PIPELINE_SYNC */
#define PQ_PG_PIPELINE_ABORTED 11 /* PGRES_PIPELINE_ABORTED */
#define PQ_PG_DIAG_SQLSTATE 'C'	  /* PG_DIAG_SQLSTATE */
#define PQ_PG_DIAG_MESSAGE 'M'	  /* PG_DIAG_MESSAGE_PRIMARY */

struct pq_pg_option { /* PQconninfoOption */
	char *keyword, *envvar, *compiled, *val, *label, *dispchar;
	int dispsize;
};

typedef void pq_pg_notice(void *arg, const char *message); /* PQnoticeProcessor, without the * */

// clang-format off
#define PQ_LIBPQ_FUNCTIONS(X) \
	X(struct pg_conn *, connectdbParams, (const char *const *keywords, const char *const *values, int expand_dbname)) \
	X(void, finish, (struct pg_conn *)) \
	X(unsigned, status, (const struct pg_conn *)) \
	X(unsigned, transactionStatus, (const struct pg_conn *)) \
	X(const char *, parameterStatus, (const struct pg_conn *, const char *name)) \
	X(int, serverVersion, (const struct pg_conn *)) \
	X(char *, errorMessage, (const struct pg_conn *)) \
	X(int, connectionNeedsPassword, (const struct pg_conn *)) \
	X(int, connectionUsedPassword, (const struct pg_conn *)) \
	X(pq_pg_notice *, setNoticeProcessor, (struct pg_conn *, pq_pg_notice *, void *arg)) \
	X(struct pq_pg_option *, conninfoParse, (const char *info, char **error)) \
	X(void, conninfoFree, (struct pq_pg_option *)) \
	X(void, freemem, (void *)) \
	X(int, libVersion, (void)) \
	X(struct pg_result *, exec, (struct pg_conn *, const char *sql)) \
	X(int, enterPipelineMode, (struct pg_conn *)) \
	X(int, exitPipelineMode, (struct pg_conn *)) \
	X(int, pipelineSync, (struct pg_conn *)) \
	X(int, sendPrepare, (struct pg_conn *, const char *name, const char *sql, int n, const unsigned *types)) \
	X(int, sendQueryParams, (struct pg_conn *, const char *sql, int n, const unsigned *types, const char *const *values, \
		const int *lengths, const int *formats, int result_format)) \
	X(int, sendQueryPrepared, (struct pg_conn *, const char *name, int n, const char *const *values, const int *lengths, \
		const int *formats, int result_format)) \
	X(int, socket, (const struct pg_conn *)) \
	X(int, sslInUse, (struct pg_conn *)) \
	X(int, gssEncInUse, (struct pg_conn *)) \
	X(int, isBusy, (struct pg_conn *)) \
	X(int, consumeInput, (struct pg_conn *)) \
	X(struct pg_result *, getResult, (struct pg_conn *)) \
	X(int, getCopyData, (struct pg_conn *, char **bytes, int is_async)) \
	X(void, clear, (struct pg_result *)) \
	X(unsigned, resultStatus, (const struct pg_result *)) \
	X(char *, resultErrorField, (const struct pg_result *, int field)) \
	X(int, ntuples, (const struct pg_result *)) \
	X(int, nfields, (const struct pg_result *)) \
	X(unsigned, ftype, (const struct pg_result *, int column)) \
	X(int, getisnull, (const struct pg_result *, int row, int column)) \
	X(int, getlength, (const struct pg_result *, int row, int column)) \
	X(char *, getvalue, (const struct pg_result *, int row, int column))
// clang-format on

struct pq_libpq {
#define X(type, name, args) type(*name) args;
	PQ_LIBPQ_FUNCTIONS(X)
#undef X
};

struct pq_buf;

/* 0, -PMUQ_E_NO_LIBRARY (missing, or too old), -PMUQ_E_MEMORY. */
int pq_libpq_load(struct pq_libpq *ret, struct pmuq_error **reterr);
/* Adds the version ("15.8"); the same results. */
int pq_libpq_version(struct pq_buf *ret);
