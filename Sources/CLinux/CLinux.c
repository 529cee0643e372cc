#include "CLinux.h"

#include <malloc.h>
#include <string.h>
#include <sys/socket.h>

#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

// libdispatch's own symbol; the C header of Dispatch is not needed for one function.
extern const char *dispatch_queue_get_label(void *queue);

const char *linux_current_queue_label(void) {
  const char *label = dispatch_queue_get_label(0);
  return label ? label : "";
}



void linux_give_back_memory(void) { malloc_trim(0); }

int linux_accept(int listener, int flags) { return accept4(listener, 0, 0, flags); }

const char *linux_option_value(void) { return optarg; }

int linux_operand_index(void) { return optind; }
// Newer than the headers of Debian 12; the number is the kernel's (include/uapi/asm-generic/socket.h).
#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif

bool linux_peer_credentials(int socket, int *process, unsigned *user, unsigned *group) {
  struct ucred credentials;
  socklen_t size = sizeof credentials;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0) return false;
  *process = credentials.pid;
  *user = credentials.uid;
  *group = credentials.gid;
  return true;
}

int linux_peer_process(int socket) {
  int descriptor = -1;
  socklen_t size = sizeof descriptor;
  return getsockopt(socket, SOL_SOCKET, SO_PEERPIDFD, &descriptor, &size) == 0 ? descriptor : -1;
}

int linux_open_process(int process) { return (int)syscall(SYS_pidfd_open, process, 0); }

long linux_receive_with_sender(int socket, void *buffer, unsigned long size, int *process, unsigned *user) {
  struct iovec piece = {buffer, size};
  // Room for the sender and nothing else, so that the kernel closes descriptors that come along.
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(struct ucred))];
  } control;
  struct msghdr message = {0};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  message.msg_control = &control;
  message.msg_controllen = sizeof control;
  *process = 0;
  *user = 0;
  long count = recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  if (count < 0) return count;
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_CREDENTIALS) {
    struct ucred credentials;
    memcpy(&credentials, CMSG_DATA(header), sizeof credentials);
    *process = credentials.pid;
    *user = credentials.uid;
  }
  return count;
}

bool linux_has_access_list(const char *path) { return getxattr(path, "system.posix_acl_access", 0, 0) > 0; }
