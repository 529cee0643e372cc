// An app for the tests of the supervisor. SUPERVISED_PROGRAM says what it does; it prints a line "ready" with the
// numbers of all its processes once they are there.
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static void spin(void) {
  for (volatile unsigned long count = 0;; count++) {}
}

static pid_t make_child(void) {
  pid_t child = fork();
  if (child < 0) exit(70);
  return child;
}

// A grandchild in a session of its own, whose parent has ended: what daemons do.
static pid_t make_orphan(void) {
  int ends[2];
  if (pipe(ends) != 0) exit(70);
  if (make_child() == 0) {
    setsid();
    pid_t orphan = make_child();
    if (orphan == 0) spin();
    _exit(write(ends[1], &orphan, sizeof orphan) == sizeof orphan ? 0 : 70);
  }
  pid_t orphan = 0;
  if (read(ends[0], &orphan, sizeof orphan) != sizeof orphan) exit(70);
  close(ends[0]);
  close(ends[1]);
  wait(0);
  return orphan;
}

static void be_family(void) {
  pid_t child = make_child();
  if (child == 0) spin();
  printf("ready %d %d %d\n", getpid(), child, make_orphan());
  fflush(stdout);
  spin();
}

// Makes a child again and again, and each child makes one too, to the limit of what a test wants to have around.
static void breed(void) {
  printf("ready %d\n", getpid());
  fflush(stdout);
  for (int made = 0; made < 40; made++) {
    if (make_child() == 0) {
      if (make_child() == 0) spin();
      spin();
    }
    for (volatile int pause = 0; pause < 200000; pause++) {}
  }
  spin();
}

// Connects to the service and says what is no word of its protocol, so that the service names whom it lets go.
static void meet_service(void) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  const char *path = getenv("CORELOCATION_SOCKET");
  if (!path || strlen(path) >= sizeof address.sun_path) exit(70);
  strcpy(address.sun_path, path);
  int made = socket(AF_UNIX, SOCK_STREAM, 0);
  if (made < 0 || connect(made, (struct sockaddr *)&address, sizeof address) != 0) exit(70);
  unsigned char nonsense[64];
  memset(nonsense, 0xFF, sizeof nonsense);
  if (write(made, nonsense, sizeof nonsense) != sizeof nonsense) exit(70);
  while (read(made, nonsense, sizeof nonsense) > 0) {}
}

static void say_goodbye(int number) {
  (void)number;
  if (write(1, "goodbye\n", 8) == 8) _exit(7);
  _exit(70);
}

static void tell_surroundings(void) {
  char folder[4096];
  printf("folder %s\n", getcwd(folder, sizeof folder));
  printf("leads %d\n", getsid(0) == getpid() && getpgrp() == getpid());
  for (char **line = environ; *line; line++) printf("variable %s\n", *line);
  FILE *status = fopen("/proc/self/status", "r");
  char line[256];
  while (status && fgets(line, sizeof line, status)) {
    if (!strncmp(line, "SigBlk", 6) || !strncmp(line, "SigIgn", 6)) printf("%s", line);
  }
  if (status) fclose(status);
  DIR *files = opendir("/proc/self/fd");
  for (struct dirent *entry; files && (entry = readdir(files));) {
    int number = atoi(entry->d_name);
    if (entry->d_name[0] != '.' && number != dirfd(files)) printf("file %d\n", number);
  }
  printf("end\n");
}

static unsigned long long now_seconds(void) {
  struct timespec now = {0, 0};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (unsigned long long)now.tv_sec;
}

// A chain of processes of which each makes the next one and ends at once, in a session of its own, so that only the
// mark in their environment tells whose they are. It ends by itself after a while, whatever the test does.
static void run_away(void) {
  unsigned long long end = now_seconds() + 60;
  if (make_child() == 0) {
    setsid();
    while (now_seconds() < end) {
      if (make_child() != 0) _exit(0);
      setsid();
    }
    _exit(0);
  }
  printf("ready %d\n", getpid());
  fflush(stdout);
  spin();
}

int main(int count, char **arguments) {
  const char *role = getenv("SUPERVISED_PROGRAM");
  if (!role) role = "spin";
  setvbuf(stdout, 0, _IOLBF, 0);
  if (!strcmp(role, "family")) be_family();
  if (!strcmp(role, "breed")) breed();
  if (!strcmp(role, "run away")) run_away();
  if (!strcmp(role, "arguments")) {
    for (int number = 1; number < count; number++) printf("argument %s\n", arguments[number]);
  }
  if (!strcmp(role, "status")) return 3;
  if (!strcmp(role, "client")) {
    meet_service();
    for (;;) pause();
  }
  if (!strcmp(role, "surroundings")) {
    tell_surroundings();
    return 0;
  }
  if (!strcmp(role, "crash")) {
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    // The runtime of the build's language would catch it.
    signal(SIGSEGV, SIG_DFL);
    raise(SIGSEGV);
  }
  if (!strcmp(role, "deaf")) signal(SIGTERM, SIG_IGN);
  if (!strcmp(role, "polite")) signal(SIGTERM, say_goodbye);
  printf("ready %d\n", getpid());
  if (!strcmp(role, "leaves")) {
    // Ends and leaves an orphan.
    printf("left %d\n", make_orphan());
    return 0;
  }
  if (!strcmp(role, "deaf") || !strcmp(role, "polite")) {
    for (;;) pause();
  }
  spin();
}
