/* SPDX-License-Identifier: MIT */
/*
 * netlink(7): NETLINK_KOBJECT_UEVENT. Any process may send to this socket, so the port of the
 * sender is checked: only the kernel has port 0.
 */
#include "watch/uevent_socket.h"
#include "core/base.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <linux/nsfs.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>

/* The multicast group of the kernel's own messages; udevd has another. */
#define KERNEL_GROUP 1u
/* Enough for some thousand messages. Without privilege the kernel grants less. */
#define RECEIVE_BYTES (4 * 1024 * 1024)
/* The inode of the first user namespace (PROC_USER_INIT_INO of the kernel). */
#define FIRST_USER_NAMESPACE 0xEFFFFFFDu

int pq_uevent_socket_open(void)
{
	const struct sockaddr_nl address = { .nl_family = AF_NETLINK, .nl_groups = KERNEL_GROUP };
	const int bytes = RECEIVE_BYTES;
	int fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK,
			NETLINK_KOBJECT_UEVENT);

	if (fd < 0)
		return -errno;
	if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof(bytes)) < 0)
		setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof(bytes));
	if (bind(fd, (const struct sockaddr *)&address, sizeof(address)) < 0) {
		int r = -errno;

		close(fd);
		return r;
	}
	return fd;
}

bool pq_uevent_socket_is_reached(void)
{
	auto_close int network = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
	auto_close int user = network < 0 ? -1 : ioctl(network, NS_GET_USERNS);
	struct stat info;

	/* If the owner is unknown, as on old kernels, or out of reach, as a namespace above this
	 * one is, announcements may arrive. */
	return user < 0 || fstat(user, &info) < 0 || info.st_ino == FIRST_USER_NAMESPACE;
}

enum pq_uevent_read pq_uevent_socket_read(int fd, char buffer[PQ_UEVENT_BYTES],
					  struct pmuq_str *ret)
{
	struct sockaddr_nl sender = { 0 };
	struct iovec part = { .iov_base = buffer, .iov_len = PQ_UEVENT_BYTES };
	struct msghdr message = {
		.msg_name = &sender,
		.msg_namelen = sizeof(sender),
		.msg_iov = &part,
		.msg_iovlen = 1,
	};
	ssize_t n;

	do
		n = recvmsg(fd, &message, MSG_DONTWAIT);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return errno == ENOBUFS ? PQ_UEVENT_LOST : PQ_UEVENT_NOTHING;
	if (message.msg_namelen != sizeof(sender) || sender.nl_pid != 0 ||
	    message.msg_flags & MSG_TRUNC)
		return PQ_UEVENT_FOREIGN;
	*ret = (struct pmuq_str){ .p = buffer, .n = (size_t)n };
	return PQ_UEVENT_READ;
}
