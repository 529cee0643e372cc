// A client of a Unix socket that does what its standard input says, a line a time, and answers "ok" or "failed" with
// the system's text. It answers "ok" at its start too. See PeerProcessTests.
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

// The same number in every program that this one becomes.
enum { peer_socket = 9 };

static int connect_to(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  strcpy(address.sun_path, path);
  int made = socket(AF_UNIX, SOCK_STREAM, 0);
  if (made < 0 || dup2(made, peer_socket) < 0) return -1;
  close(made);
  return connect(peer_socket, (struct sockaddr *)&address, sizeof address);
}

static int say(const char *text) { return send(peer_socket, text, strlen(text), MSG_NOSIGNAL) < 0 ? -1 : 0; }

static int say_in_child(const char *text) {
  pid_t child = fork();
  if (child < 0) return -1;
  if (child == 0) _exit(say(text) == 0 ? 0 : 1);
  int status = 0;
  return waitpid(child, &status, 0) == child && status == 0 ? 0 : -1;
}

// The child goes on with the socket and the orders, once this process has ended.
static int leave_child(void) {
  pid_t parent = getpid();
  pid_t child = fork();
  if (child > 0) _exit(0);
  while (child == 0 && getppid() == parent) sched_yield();
  return child < 0 ? -1 : 0;
}

static int become_program(const char *path) {
  execl(path, path, (char *)0);
  return -1;
}

// Runs a copy of the program that was never a file.
static int become_memory(const char *path) {
  char bytes[65536];
  int memory = memfd_create("usr/bin/maps", MFD_CLOEXEC);
  FILE *source = fopen(path, "re");
  if (memory < 0 || !source) return -1;
  size_t count;
  while ((count = fread(bytes, 1, sizeof bytes, source)) > 0) {
    if (write(memory, bytes, count) != (ssize_t)count) return -1;
  }
  char *arguments[] = {(char *)path, 0};
  fexecve(memory, arguments, environ);
  return -1;
}

static int enter_container(const char *folder) {
  if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0 || chroot(folder) != 0) return -1;
  return chdir("/");
}

static int set_filter(void) {
  struct sock_filter allow_all[] = {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  struct sock_fprog program = {1, allow_all};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static int become_user(const char *number) {
  uid_t user = (uid_t)strtoul(number, 0, 10);
  return setresuid(user, user, user);
}

static int obey(const char *order, const char *operand) {
  if (strcmp(order, "connect") == 0) return connect_to(operand);
  if (strcmp(order, "say") == 0) return say(operand);
  if (strcmp(order, "say-in-child") == 0) return say_in_child(operand);
  if (strcmp(order, "leave-child") == 0) return leave_child();
  if (strcmp(order, "become-program") == 0) return become_program(operand);
  if (strcmp(order, "become-memory") == 0) return become_memory(operand);
  if (strcmp(order, "become-user") == 0) return become_user(operand);
  if (strcmp(order, "enter-container") == 0) return enter_container(operand);
  if (strcmp(order, "set-filter") == 0) return set_filter();
  errno = EINVAL;
  return -1;
}

static void answer(int result) {
  if (result == 0) {
    puts("ok");
  } else {
    printf("failed: %s\n", strerror(errno));
  }
  fflush(stdout);
}

// Orders are read byte by byte, so that none is lost when the program is replaced.
static int read_order(char *line, size_t size) {
  size_t length = 0;
  char byte;
  while (read(STDIN_FILENO, &byte, 1) == 1) {
    if (byte == '\n') {
      line[length] = 0;
      return 1;
    }
    if (length + 1 < size) line[length++] = byte;
  }
  return 0;
}

static void obey_orders(void);

static void *obey_in_thread(void *unused) {
  (void)unused;
  answer(0);
  obey_orders();
  exit(0);
}

// Another thread goes on with the orders. It answers while the first may still be ending.
static int end_first_thread(void) {
  pthread_t thread;
  errno = pthread_create(&thread, 0, obey_in_thread, 0);
  if (errno != 0) return -1;
  pthread_exit(0);
}

static void obey_orders(void) {
  char line[4096];
  while (read_order(line, sizeof line)) {
    char *operand = strchr(line, ' ');
    if (operand) *operand++ = 0;
    answer(strcmp(line, "end-first-thread") == 0 ? end_first_thread() : obey(line, operand ? operand : ""));
  }
}

int main(void) {
  answer(0);
  obey_orders();
  return 0;
}
