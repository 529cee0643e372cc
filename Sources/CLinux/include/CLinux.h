#pragma once
// What Glibc's Swift module does not show: macros, GNU extensions, and libdispatch's label of the current queue, and
// the calls that tell who is at the other end of a socket.
#include <getopt.h>
#include <stdbool.h>

/// The label of the dispatch queue that runs the caller; that of the default overcommit queue on a plain thread.
const char *linux_current_queue_label(void);

/// accept4(2).
int linux_accept(int listener, int flags);

/// Gives memory that is not in use back to the system (malloc_trim(3)).
void linux_give_back_memory(void);

/// All threads take memory from one place (mallopt(3), M_ARENA_MAX). Before the first thread is made.
void linux_keep_memory_together(void);

/// The value of the option that getopt_long(3) has just found; null where it has none.
const char *linux_option_value(void);

/// Where the operands begin, once getopt_long(3) has found all options.
int linux_operand_index(void);
// The other end of a Unix socket. All give -1 and `errno`, or false, where the kernel says no.

/// What the kernel noted of the process that connected, or that began to listen.
bool linux_peer_credentials(int socket, int *process, unsigned *user, unsigned *group);

/// A descriptor of that process, which no other process of the same number can take the place of; Linux 6.5.
int linux_peer_process(int socket);

/// A descriptor of the process that has this number now.
int linux_open_process(int process);

/// Reads what is there. `process` is the number of the process that sent it, where the socket tells senders and as far
/// as this process may see it, else 0. Descriptors that were sent along are closed.
long linux_receive_with_sender(int socket, void *buffer, unsigned long size, int *process, unsigned *user);

// The bytes that are there, and the file that came along, closed on exec; -1 where none did. More than one are closed.
long linux_receive_with_file(int socket, void *buffer, unsigned long size, int *file);

// As much as there is room for, and the file with the first byte.
long linux_send_with_file(int socket, const void *bytes, unsigned long size, int file);

// Both ends never wait and are closed on exec.
bool linux_make_pipe(int ends[2]);

/// True where rights beside those of owner, group and others are given to a file.
bool linux_has_access_list(const char *path);

// Processes.

/// Runs a program in a session of its own, in "/", with the given standard output and error, no other open files, no
/// signal blocked or ignored, and in the control group whose cgroup.procs is open as `group` (-1 for none). The number
/// of the process; -1 where it cannot be run, with the reason in `failure`.
int linux_start_process(const char *path, char *const arguments[], char *const environment[], int output, int errors,
                        int group, int *failure);

/// prctl(PR_SET_CHILD_SUBREAPER).
bool linux_adopt_orphans(void);

/// The number of a child that has ended and is not reaped; 0 or -1 where there is none.
int linux_ended_child(void);

// Waiting for many files, epoll(7).

/// A descriptor that can be read while one of its files is ready; -1 where there is none.
int linux_make_poll(void);

/// Waits for input, for room, for both or nothing of a file. `number` is told when it is ready. Only a new file can be
/// refused.
bool linux_poll_set(int poll, int file, unsigned long long number, bool is_new, bool reads, bool writes);

void linux_poll_remove(int poll, int file);

/// A file that has hung up or failed can be read and written: both tell of it.
struct linux_ready_file {
  unsigned long long number;
  bool can_be_read;
  bool can_be_written;
};

/// Which files are ready now, `count` at most; -1 where the poll is none. Does not wait.
int linux_poll_take(int poll, struct linux_ready_file *files, int count);
