/* SPDX-License-Identifier: MIT */
#include "tests/kernel/situation.h"
#include "core/base.h"
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NOBODY 65534
#define TRACING "/sys/kernel/tracing"

#ifndef CAP_PERFMON
#define CAP_PERFMON 38
#endif

/* ------------------------------------------------------------------------ users, capabilities */

static bool set_caps(uint64_t caps, uint64_t inheritable)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2];

	for (unsigned i = 0; i < 2; i++) {
		data[i].effective = data[i].permitted = (uint32_t)(caps >> 32 * i);
		data[i].inheritable = (uint32_t)(inheritable >> 32 * i);
	}
	return syscall(SYS_capset, &header, data) == 0;
}

/* What is ambient survives an exec. */
static bool keep_over_exec(uint64_t caps)
{
	for (unsigned long cap = 0; cap < 64; cap++)
		if (caps >> cap & 1 &&
		    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, cap, 0ul, 0ul) != 0)
			return false;
	return true;
}

/* The kernel makes a process that changed its user undumpable, which closes parts of /proc/self to
 * it: PR_SET_DUMPABLE undoes that. */
static bool become_nobody(uint64_t caps)
{
	if (geteuid() != 0)
		return !caps;
	return prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) == 0 && setgroups(0, NULL) == 0 &&
	       setresgid(NOBODY, NOBODY, NOBODY) == 0 && setresuid(NOBODY, NOBODY, NOBODY) == 0 &&
	       set_caps(caps, caps) && keep_over_exec(caps) &&
	       prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) == 0;
}

static bool be_user(const char *value)
{
	(void)value;
	return become_nobody(0);
}

static bool be_perfmon(const char *value)
{
	(void)value;
	return become_nobody(UINT64_C(1) << CAP_PERFMON);
}

static bool be_admin(const char *value)
{
	(void)value;
	return become_nobody(UINT64_C(1) << CAP_SYS_ADMIN);
}

static bool be_bare_root(const char *value)
{
	(void)value;
	if (geteuid() != 0)
		return false;
	for (unsigned long cap = 0; cap < 64; cap++)
		if (prctl(PR_CAPBSET_READ, cap, 0ul, 0ul, 0ul) == 1 &&
		    prctl(PR_CAPBSET_DROP, cap, 0ul, 0ul, 0ul) != 0)
			return false;
	return set_caps(0, 0);
}

/* A user namespace that maps root only has no other user: the process drops capabilities. */
static bool be_user_inside(const char *value)
{
	(void)value;
	return set_caps(0, 0);
}

static bool set_no_new_privs(const char *value)
{
	(void)value;
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
}

static bool write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool is_written = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	if (fd >= 0)
		close(fd);
	return is_written;
}

static bool be_root_of_namespace(const char *value)
{
	char map[64];

	(void)value;
	snprintf(map, sizeof(map), "0 %u 1\n", (unsigned)geteuid());
	return unshare(CLONE_NEWUSER) == 0 && write_file("/proc/self/setgroups", "deny") &&
	       write_file("/proc/self/uid_map", map);
}

/* ----------------------------------------------------------------------------- filters, limits */

static int errno_of(const char *name)
{
	static const struct {
		const char *name;
		int errnum;
	} rows[] = { { "EPERM", EPERM }, { "EACCES", EACCES }, { "ENOSYS", ENOSYS } };

	for (size_t i = 0; i < COUNT(rows); i++)
		if (strcmp(rows[i].name, name) == 0)
			return rows[i].errnum;
	return 0;
}

static bool filter_calls(const char *name)
{
	int errnum = errno_of(name);
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (uint32_t)errnum),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { .len = COUNT(code), .filter = code };

	return errnum && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

/* Files that the parent left open would count. */
static bool limit_files(const char *number)
{
	rlim_t n = 0;

	for (int fd = STDERR_FILENO + 1; fd < 1024; fd++)
		close(fd);
	for (; *number >= '0' && *number <= '9'; number++)
		n = n * 10 + (rlim_t)(*number - '0');
	return !*number &&
	       setrlimit(RLIMIT_NOFILE, &(struct rlimit){ .rlim_cur = n, .rlim_max = n }) == 0;
}

/* ---------------------------------------------------------------------------------- directories */

/* For this process alone. Makes the covered mount private, not the root, which is not a mount in a
 * chroot. */
static bool mount_over(const char *dir, const char *parent, const char *type)
{
	return unshare(CLONE_NEWNS) == 0 &&
	       mount(NULL, parent, NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
	       mount("none", dir, type, MS_NOSUID | MS_NODEV, NULL) == 0;
}

static bool hide_proc(const char *value)
{
	(void)value;
	return mount_over("/proc", "/proc", "tmpfs");
}

static bool hide_sys(const char *value)
{
	(void)value;
	return mount_over("/sys", "/sys", "tmpfs");
}

static bool find_tracefs(const char *value)
{
	(void)value;
	return access(TRACING "/events", F_OK) == 0 || mount_over(TRACING, "/sys", "tracefs");
}

/* --------------------------------------------------------------------------------------- words */

// clang-format off
static const struct situation_step {
	const char *word;
	bool (*enter)(const char *value); /* the text after '=', or "" */
	const char *why_not;
} steps[] = {
	{ "user",      be_user,              "this process cannot become another user" },
	{ "perfmon",   be_perfmon,           "this process has no CAP_PERFMON to keep" },
	{ "admin",     be_admin,             "this process has no CAP_SYS_ADMIN to keep" },
	{ "bare-root", be_bare_root,         "this process is not root" },
	{ "userns",    be_root_of_namespace, "this process may not create a user namespace" },
	{ "user-inside",  be_user_inside,    "capabilities cannot be dropped" },
	{ "no-new-privs", set_no_new_privs,      "this kernel has no no_new_privs" },
	{ "seccomp",   filter_calls,         "this kernel does not accept seccomp filters" },
	{ "files",     limit_files,          "RLIMIT_NOFILE cannot be set" },
	{ "no-proc",   hide_proc,            "nothing can be mounted over /proc" },
	{ "no-sys",    hide_sys,             "nothing can be mounted over /sys" },
	{ "tracefs",   find_tracefs,         "tracefs is not mounted and cannot be" },
};
// clang-format on

static bool enter(const char *word, size_t n, const char **ret_why)
{
	char *copy = strndupa(word, n), *value = strchr(copy, '=');

	if (value)
		*value++ = '\0';
	for (size_t i = 0; i < COUNT(steps); i++) {
		if (strcmp(steps[i].word, copy) != 0)
			continue;
		*ret_why = steps[i].why_not;
		return steps[i].enter(value ? value : "");
	}
	fprintf(stderr, "no such situation: '%s'\n", copy);
	abort();
}

bool situation_enter(const char *words, const char **ret_why)
{
	size_t n;

	for (words += strspn(words, " "); *words; words += n + strspn(words + n, " ")) {
		n = strcspn(words, " ");
		if (!enter(words, n, ret_why))
			return false;
	}
	return true;
}

bool situation_is_privileged(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2];

	return geteuid() == 0 && syscall(SYS_capget, &header, data) == 0 &&
	       data[0].effective >> CAP_SYS_ADMIN & 1;
}
