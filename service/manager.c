/* SPDX-License-Identifier: MIT */
#include "service/manager.h"
#include "core/num.h"
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define FIRST_SOCKET 3

static bool is_number(const char *name, uint64_t *ret)
{
	return pq_num_decimal(str_of(getenv(name)), ret) == PQ_NUM_OK;
}

/* Whether it is a stream socket that listens or is connected. */
static bool is_usable(int fd, bool *ret_listens)
{
	int listens = 0, type = 0;
	socklen_t bytes = sizeof(listens);
	struct sockaddr_storage peer;
	socklen_t peer_bytes = sizeof(peer);

	if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &bytes) < 0 || type != SOCK_STREAM ||
	    getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &bytes) < 0)
		return false;
	*ret_listens = listens;
	return listens || getpeername(fd, (struct sockaddr *)&peer, &peer_bytes) == 0;
}

int manager_socket(bool *ret_listens)
{
	uint64_t process, n;

	if (!is_number("LISTEN_PID", &process) || process != (uint64_t)getpid() ||
	    !is_number("LISTEN_FDS", &n) || !n)
		return -1;
	if (!is_usable(FIRST_SOCKET, ret_listens))
		return -1;
	/* The helper of libpfm4 must not inherit it. */
	fcntl(FIRST_SOCKET, F_SETFD, FD_CLOEXEC);
	fcntl(FIRST_SOCKET, F_SETFL, O_NONBLOCK);
	return FIRST_SOCKET;
}

/* A path, or "@…" for a name without a file. A manager that is gone loses nothing. */
static void send_to(const char *path, const char *state)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	size_t n = strlen(path);
	int fd;

	if (n >= sizeof(address.sun_path))
		return;
	memcpy(address.sun_path, path, n);
	if (*path == '@')
		address.sun_path[0] = 0;
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return;
	sendto(fd, state, strlen(state), MSG_NOSIGNAL, (const struct sockaddr *)&address,
	       (socklen_t)(offsetof(struct sockaddr_un, sun_path) + n));
	close(fd);
}

void manager_notify(const char *state)
{
	const char *path = getenv("NOTIFY_SOCKET");

	if (path && (*path == '/' || *path == '@'))
		send_to(path, state);
}

void manager_notify_reload(void)
{
	struct timespec now;
	char state[64];

	clock_gettime(CLOCK_MONOTONIC, &now);
	snprintf(state, sizeof(state), "RELOADING=1\nMONOTONIC_USEC=%lld",
		 (long long)now.tv_sec * 1000000 + now.tv_nsec / 1000);
	manager_notify(state);
}
