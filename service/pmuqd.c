/* SPDX-License-Identifier: MIT */
/* pmuqd: the daemon for this machine. Its options and its socket; server.c has the loop. */
#include "cli/database.h"
#include "cli/options.h"
#include "cli/or_die.h"
#include "cli/report.h"
#include "service/interface.h"
#include "service/log.h"
#include "service/manager.h"
#include "service/server.h"
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

/* Where the units of systemd put it. */
#define SOCKET_PATH "/run/pmuq/io.pmuq"
/* After a manager started it, which starts it again for the next client. */
#define IDLE_SECONDS 30

const struct command cmd_pmuqd = {
	.name = "pmuqd",
	.is_program = true,
	.summary = "serve this machine over a socket",
	.text = "The protocol is varlink, the interface " INTERFACE_NAME
		". Without --socket it uses the socket that the\n"
		"service manager passes, or " SOCKET_PATH ". It runs in the foreground, and ends\n"
		"after SIGTERM or SIGINT; SIGHUP makes it read everything again.\n\n"
		"Examples:\n"
		"  pmuqd --socket /tmp/pmuq &\n"
		"  varlinkctl call /tmp/pmuq io.pmuq.Encode '{\"events\": [\"cycles:u\"]}'\n",
	.options = OPTION_LIST(OPTION_SOCKET, OPTION_IDLE, OPTION_LOG_LEVEL, OPTION_INTERFACE,
			       OPTION_VERSION),
};

/* ------------------------------------------------------------------------------------- socket */

/* Removes the socket of a daemon that was killed. A socket in use, and any other file, remains. */
static bool remove_left(const struct sockaddr_un *address)
{
	struct stat info;
	int fd, r;

	if (lstat(address->sun_path, &info) < 0)
		return errno == ENOENT;
	errno = EEXIST;
	if (!S_ISSOCK(info.st_mode))
		return false;
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	r = fd < 0 ? -1 : connect(fd, (const struct sockaddr *)address, sizeof(*address));
	if (fd >= 0)
		close(fd);
	errno = EADDRINUSE;
	return r < 0 && unlink(address->sun_path) == 0;
}

/* A socket of this process. */
struct own_socket {
	const char *path;
	struct stat info;
};

/* Everybody may connect: what the daemon sends, any user may read in sysfs. */
static int listen_at(const char *path, struct own_socket *ret)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd;

	if (strlen(path) >= sizeof(address.sun_path)) {
		report(REPORT_ERROR, "the path of a socket may have %zu bytes: %s",
		       sizeof(address.sun_path) - 1, path);
		return -1;
	}
	memcpy(address.sun_path, path, strlen(path));
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd >= 0 && remove_left(&address) &&
	    bind(fd, (const struct sockaddr *)&address, sizeof(address)) == 0 &&
	    chmod(path, 0666) == 0 && lstat(path, &ret->info) == 0 && listen(fd, SOMAXCONN) == 0) {
		ret->path = path;
		return fd;
	}
	report(REPORT_ERROR, "%s: %s", path,
	       errno == EADDRINUSE ? "another daemon listens there" : strerror(errno));
	if (fd >= 0)
		close(fd);
	return -1;
}

/* Its path may belong to another daemon by now. The descriptor still has the inode, so no other
 * file has its number. */
static void remove_socket(const struct own_socket *own)
{
	struct stat info;

	if (lstat(own->path, &info) == 0 && info.st_dev == own->info.st_dev &&
	    info.st_ino == own->info.st_ino)
		unlink(own->path);
}

/* ------------------------------------------------------------------------------------- options */

/* The only client of a server without a listener may be silent: its end is the server's. */
static enum status serve(const struct options *options)
{
	const char *path = option_value(options, OPTION_SOCKET);
	bool listens = true;
	int passed = path ? -1 : manager_socket(&listens);
	bool is_own = passed < 0;
	struct server server = { .listener = listens ? passed : -1, .client = passed };
	struct own_socket own;
	enum status status;

	if (is_own)
		server.listener = listen_at(path ? path : SOCKET_PATH, &own);
	if (is_own && server.listener < 0)
		return STATUS_FAILED;
	server.idle_ms = (int64_t)option_number(options, OPTION_IDLE,
						is_own || !listens ? -1 : IDLE_SECONDS);
	if (server.idle_ms > 0)
		server.idle_ms *= 1000;
	status = service_begin(&server.service, &options->cli);
	if (status == STATUS_OK)
		status = server_run(&server);
	service_clear(&server.service);
	/* A socket of the manager stays, for the next client. */
	if (is_own)
		remove_socket(&own);
	if (server.listener >= 0)
		close(server.listener);
	return status;
}

static void print_interface(void)
{
	cleanup(pq_buf_free) struct pq_buf text = PQ_BUF_NULL;

	interface_print(&text);
	fwrite(text.p, 1, text.n, stdout);
}

static enum status run(struct options *options, size_t n, char **words)
{
	enum status status = options_read(options, &cmd_pmuqd, n, words);

	if (status != STATUS_OK)
		return status;
	if (options->wants_help) {
		command_print_help(stdout, &cmd_pmuqd);
		return STATUS_OK;
	}
	if (option_is_set(options, OPTION_VERSION)) {
		printf("pmuqd %s\n", pmuq_version());
		return STATUS_OK;
	}
	if (options->n_operands)
		return usage_error("pmuqd takes no argument '%s'", options->operands[0]);
	if (option_is_set(options, OPTION_INTERFACE)) {
		print_interface();
		return STATUS_OK;
	}
	if (option_is_set(options, OPTION_LOG_LEVEL))
		log_set_level(option_value(options, OPTION_LOG_LEVEL));
	return serve(options);
}

int main(int argc, char **argv)
{
	cleanup(options_clear) struct options options = { 0 };
	enum status status;

	report_set_program("pmuqd");
	server_block_signals();
	signal(SIGPIPE, SIG_IGN);
	status = run(&options, argc > 0 ? (size_t)argc - 1 : 0, argv + (argc > 0));
	database_end();
	if (fflush(stdout) != 0)
		status = status_worse(status, report_failed("writing to stdout failed"));
	return status;
}
