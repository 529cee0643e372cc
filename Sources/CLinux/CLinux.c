#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

// libdispatch's own symbol; the C header of Dispatch is not needed for one function.
extern const char *dispatch_queue_get_label(void *queue);

const char *linux_current_queue_label(void) {
  const char *label = dispatch_queue_get_label(0);
  return label ? label : "";
}



void linux_give_back_memory(void) { malloc_trim(0); }

void linux_keep_memory_together(void) { mallopt(M_ARENA_MAX, 1); }

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

// What comes along finds the first header in `control`; what there is no room for, files included, is closed.
static long receive(int socket, void *buffer, unsigned long size, void *control, unsigned long room,
                    struct cmsghdr **header) {
  struct iovec piece = {buffer, size};
  struct msghdr message = {0};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = room;
  long count = recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  *header = count < 0 ? 0 : CMSG_FIRSTHDR(&message);
  return count;
}

long linux_receive_with_sender(int socket, void *buffer, unsigned long size, int *process, unsigned *user) {
  // Room for the sender and nothing else.
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(struct ucred))];
  } control;
  struct cmsghdr *header;
  *process = 0;
  *user = 0;
  long count = receive(socket, buffer, size, &control, sizeof control, &header);
  if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_CREDENTIALS) {
    struct ucred credentials;
    memcpy(&credentials, CMSG_DATA(header), sizeof credentials);
    *process = credentials.pid;
    *user = credentials.uid;
  }
  return count;
}

long linux_receive_with_file(int socket, void *buffer, unsigned long size, int *file) {
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
  } control;
  struct cmsghdr *header;
  *file = -1;
  // The padding would be room for a second one.
  long count = receive(socket, buffer, size, &control, CMSG_LEN(sizeof(int)), &header);
  if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS &&
      header->cmsg_len >= CMSG_LEN(sizeof(int))) {
    memcpy(file, CMSG_DATA(header), sizeof(int));
  }
  return count;
}

long linux_send_with_file(int socket, const void *bytes, unsigned long size, int file) {
  struct iovec piece = {(void *)bytes, size};
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
  } control = {0};
  struct msghdr message = {0};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  message.msg_control = &control;
  message.msg_controllen = sizeof control;
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  memcpy(CMSG_DATA(header), &file, sizeof file);
  return sendmsg(socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
}

bool linux_make_pipe(int ends[2]) { return pipe2(ends, O_NONBLOCK | O_CLOEXEC) == 0; }

bool linux_has_access_list(const char *path) { return getxattr(path, "system.posix_acl_access", 0, 0) > 0; }

// What the child does between fork and exec is safe after a fork of a process with several threads: system calls only.
static void become(const char *path, char *const arguments[], char *const environment[], int output, int errors,
                   int group) {
  if (group >= 0 && write(group, "0", 1) != 1) return;
  if (setsid() < 0 || chdir("/") != 0) return;
  int empty = open("/dev/null", O_RDONLY);
  // Copies that are out of the way of the three.
  int output_copy = fcntl(output, F_DUPFD, 3);
  int errors_copy = fcntl(errors, F_DUPFD, 3);
  if (empty < 0 || output_copy < 0 || errors_copy < 0) return;
  if (dup2(empty, 0) < 0 || dup2(output_copy, 1) < 0 || dup2(errors_copy, 2) < 0) return;
  // Closed by the exec, and not before: the pipe that tells of failure is among them.
  if (close_range(3, ~0U, CLOSE_RANGE_CLOEXEC) != 0) return;
  struct sigaction standard = {.sa_handler = SIG_DFL};
  for (int number = 1; number < NSIG; number++) sigaction(number, &standard, 0);
  sigset_t none;
  sigemptyset(&none);
  if (sigprocmask(SIG_SETMASK, &none, 0) != 0) return;
  execve(path, arguments, environment);
}

int linux_start_process(const char *path, char *const arguments[], char *const environment[], int output, int errors,
                        int group, int *failure) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    *failure = errno;
    return -1;
  }
  // No handler of this process may run in the child.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t child = fork();
  if (child == 0) {
    become(path, arguments, environment, output, errors, group);
    int number = errno;
    long told = write(ends[1], &number, sizeof number);
    _exit(told == sizeof number ? 127 : 126);
  }
  int number = errno;
  pthread_sigmask(SIG_SETMASK, &before, 0);
  close(ends[1]);
  long heard = 0;
  // The end of the pipe is the exec.
  if (child > 0) do heard = read(ends[0], &number, sizeof number); while (heard < 0 && errno == EINTR);
  close(ends[0]);
  if (child > 0 && heard != sizeof number) return child;
  if (child > 0) {
    while (waitpid(child, 0, 0) < 0 && errno == EINTR) {}
  }
  *failure = number;
  return -1;
}

bool linux_adopt_orphans(void) { return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0; }

int linux_ended_child(void) {
  siginfo_t found = {0};
  return waitid(P_ALL, 0, &found, WEXITED | WNOHANG | WNOWAIT) == 0 ? found.si_pid : -1;
}

int linux_make_poll(void) { return epoll_create1(EPOLL_CLOEXEC); }

bool linux_poll_set(int poll, int file, unsigned long long number, bool is_new, bool reads, bool writes) {
  struct epoll_event event = {.data.u64 = number};
  if (reads) event.events |= EPOLLIN;
  if (writes) event.events |= EPOLLOUT;
  // A file that hangs up tells so whatever is asked of it: once, where nothing is.
  if (!event.events) event.events = EPOLLET;
  return epoll_ctl(poll, is_new ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, file, &event) == 0;
}

void linux_poll_remove(int poll, int file) { epoll_ctl(poll, EPOLL_CTL_DEL, file, 0); }

int linux_poll_take(int poll, struct linux_ready_file *files, int count) {
  struct epoll_event events[count];
  int found = epoll_wait(poll, events, count, 0);
  for (int index = 0; index < found; index++) {
    unsigned both = events[index].events & (EPOLLHUP | EPOLLERR);
    files[index].number = events[index].data.u64;
    files[index].can_be_read = both || events[index].events & EPOLLIN;
    files[index].can_be_written = both || events[index].events & EPOLLOUT;
  }
  return found;
}
