/* SPDX-License-Identifier: MIT */
/*
 * Starts the helper with posix_spawn(3), which is safe in programs with threads, and stops it.
 * client.c exchanges frames with it.
 */
#include "pfm/helper_process.h"
#include "core/num.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

/* No signal is blocked or ignored, and the process has a group of its own. */
static int set_attributes(posix_spawnattr_t *attr)
{
	sigset_t none, all;
	int r;

	sigemptyset(&none);
	sigfillset(&all);
	r = posix_spawnattr_setsigmask(attr, &none);
	if (!r)
		r = posix_spawnattr_setsigdefault(attr, &all);
	if (!r)
		r = posix_spawnattr_setpgroup(attr, 0);
	if (!r)
		r = posix_spawnattr_setflags(attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
							   POSIX_SPAWN_SETPGROUP);
	return r;
}

/* The new process closes everything before the helper runs: a helper that misbehaves has nothing.
 */
#ifdef PQ_HAS_CLOSEFROM
static int close_others(posix_spawn_file_actions_t *files)
{
	return posix_spawn_file_actions_addclosefrom_np(files, STDERR_FILENO + 1);
}
#else
/* If another thread opens a descriptor after this without O_CLOEXEC, it is not in the list. */
static int close_others(posix_spawn_file_actions_t *files)
{
	DIR *directory = opendir("/proc/self/fd");
	struct dirent *entry;
	uint64_t number;
	int r = directory ? 0 : errno;

	while (!r && (entry = readdir(directory)))
		if (pq_num_decimal(str_of(entry->d_name), &number) == PQ_NUM_OK &&
		    number > STDERR_FILENO)
			r = posix_spawn_file_actions_addclose(files, (int)number);
	if (directory)
		closedir(directory);
	return r;
}
#endif

static int set_files(posix_spawn_file_actions_t *files, int socket)
{
	int r = posix_spawn_file_actions_adddup2(files, socket, STDIN_FILENO);

	if (!r)
		r = posix_spawn_file_actions_adddup2(files, socket, STDOUT_FILENO);
	if (!r)
		r = posix_spawn_file_actions_addopen(files, STDERR_FILENO, "/dev/null", O_WRONLY,
						     0);
	if (!r)
		r = close_others(files);
	return r;
}

static int spawn(const char *path, int socket, pid_t *ret)
{
	/* posix_spawn(3) takes strings that are not const, and does not write to them. */
	char *argv[] = { pq_boundary_cast(path), NULL }, *environment[] = { NULL };
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	int r = posix_spawn_file_actions_init(&files);

	if (r)
		return r;
	r = posix_spawnattr_init(&attr);
	if (!r) {
		r = set_files(&files, socket);
		if (!r)
			r = set_attributes(&attr);
		if (!r)
			r = posix_spawn(ret, path, &files, &attr, argv, environment);
		posix_spawnattr_destroy(&attr);
	}
	posix_spawn_file_actions_destroy(&files);
	return r;
}

static int open_pid(pid_t pid)
{
#ifdef SYS_pidfd_open
	return (int)syscall(SYS_pidfd_open, pid, 0);
#else
	return -1;
#endif
}

int pq_process_start(const char *path, struct pq_process *ret)
{
	int ends[2], r;
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		return -errno;
	r = spawn(path, ends[1], &pid);
	close(ends[1]);
	if (r) {
		close(ends[0]);
		return -r;
	}
	*ret = (struct pq_process){
		.fd = ends[0], .pid_fd = open_pid(pid), .pid = pid, .owner = getpid()
	};
	return 0;
}

bool pq_process_is_mine(const struct pq_process *process)
{
	return process->fd >= 0 && process->owner == getpid();
}

/* By its descriptor if there is one: if the caller has reaped it, its number may belong to another
 * process. */
static void kill_it(const struct pq_process *process)
{
#ifdef SYS_pidfd_send_signal
	if (process->pid_fd >= 0) {
		syscall(SYS_pidfd_send_signal, process->pid_fd, SIGKILL, NULL, 0);
		return;
	}
#endif
	kill(process->pid, SIGKILL);
}

int pq_process_stop(struct pq_process *process)
{
	int status = -1;

	if (process->fd < 0)
		return -1;
	close(process->fd);
	if (process->owner == getpid()) {
		kill_it(process);
		while (waitpid(process->pid, &status, 0) < 0)
			if (errno != EINTR) {
				status = -1;
				break;
			}
	}
	if (process->pid_fd >= 0)
		close(process->pid_fd);
	*process = PQ_PROCESS_NONE;
	return status;
}
