/* SPDX-License-Identifier: MIT */
/*
 * Connection strings of PostgreSQL: whether the name of a store is one, and what messages may show
 * of it. A password can be in it, so no message contains the string itself, nor libpq's complaint
 * about it, which quotes parts.
 */
#include "core/buf.h"
#include "db/postgres/pg_server.h"

static const char *const schemes[] = { "postgresql://", "postgres://" };

/* The keywords that a string in libpq's other form, "host=… dbname=…", may begin with, with blanks
 * around the keyword. A file with such a name is named with a directory: ./host=x */
static const char *const keywords[] = {
	"host",	   "hostaddr", "port",	   "dbname",	      "user",	 "password",
	"service", "sslmode",  "passfile", "connect_timeout", "options",
};

/* The blanks of libpq. */
static struct pmuq_str skip_blanks(struct pmuq_str text)
{
	size_t n = 0;

	while (n < text.n && strchr(" \t\n\v\f\r", text.p[n]))
		n++;
	return str_part(text, n, text.n);
}

static bool starts_with_keyword(struct pmuq_str text)
{
	struct pmuq_str rest;

	text = skip_blanks(text);
	for (size_t i = 0; i < COUNT(keywords); i++) {
		if (!str_starts(text, str_of(keywords[i])))
			continue;
		rest = skip_blanks(str_part(text, strlen(keywords[i]), text.n));
		if (str_starts(rest, STR("=")))
			return true;
	}
	return false;
}

static bool starts_with_scheme(const char *text)
{
	for (size_t i = 0; i < COUNT(schemes); i++)
		if (str_starts(str_of(text), str_of(schemes[i])))
			return true;
	return false;
}

bool pq_pg_is_named(const char *path)
{
	return starts_with_scheme(path) || starts_with_keyword(str_of(path));
}

/* A password with an @ or a / that is not encoded makes libpq take the rest of it for a host, and
 * quote that. */
static bool has_plain_password(const char *info)
{
	struct pmuq_str rest = str_of(info), authority, path;

	if (!starts_with_scheme(info))
		return false;
	rest = str_part(rest, (size_t)(strstr(info, "//") + 2 - info), rest.n);
	str_cut(rest, '?', &rest, &path);
	str_cut(rest, '/', &authority, &path);
	if (memchr(path.p ? path.p : "", '@', path.n))
		return true;
	return str_cut(authority, '@', &rest, &path) && memchr(path.p, '@', path.n);
}

static int fail_string(const char *reason, struct pmuq_error **reterr)
{
	int r = pq_fail(reterr, PMUQ_E_STORE_OPEN, "cannot open the database: %s", reason);

	pq_error_hint(reterr, "for example: postgresql://user@host/database, or service=name; "
			      "write @ / : ? %% in a password as %%40 %%2F %%3A %%3F %%25");
	return r;
}

static const char *get(const struct pq_pg_option *options, const char *keyword)
{
	for (; options->keyword; options++)
		if (strcmp(options->keyword, keyword) == 0)
			return options->val ? options->val : "";
	return "";
}

static void print_name(const struct pq_pg_option *options, struct pq_buf *ret)
{
	const char *user = get(options, "user"), *host = get(options, "host");
	const char *port = get(options, "port"), *service = get(options, "service");
	bool is_socket = *host == '/' || *host == '@';

	pq_buf_print(ret, "postgresql://%s%s%s%s%s/%s", user, *user ? "@" : "",
		     is_socket ? "" : host, *port ? ":" : "", port, get(options, "dbname"));
	if (is_socket)
		pq_buf_print(ret, "?host=%s", host);
	if (*service)
		pq_buf_print(ret, "%sservice=%s", is_socket ? "&" : "?", service);
}

int pq_pg_name(const struct pq_libpq *lib, const char *info, char **ret, struct pmuq_error **reterr)
{
	struct pq_buf name = PQ_BUF_NULL;
	struct pq_pg_option *options;
	char *error = NULL;
	bool is_memory_error;

	if (has_plain_password(info))
		return fail_string("its password must be encoded", reterr);
	options = lib->conninfoParse(info, &error);
	is_memory_error = !options && (!error || pq_pg_is_memory_error(error));
	lib->freemem(error);
	if (is_memory_error)
		return pq_fail_memory(reterr);
	if (!options)
		return fail_string("this is not a connection string of PostgreSQL", reterr);
	print_name(options, &name);
	lib->conninfoFree(options);
	*ret = pq_buf_take(&name);
	return *ret ? 0 : pq_fail_memory(reterr);
}
