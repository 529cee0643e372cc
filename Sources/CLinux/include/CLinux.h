#pragma once
// What Glibc's Swift module does not show: macros, GNU extensions, and libdispatch's label of the current queue.
#include <getopt.h>
#include <stdbool.h>

/// The label of the dispatch queue that runs the caller; that of the default overcommit queue on a plain thread.
const char *linux_current_queue_label(void);

/// accept4(2).
int linux_accept(int listener, int flags);

/// The value of the option that getopt_long(3) has just found; null where it has none.
const char *linux_option_value(void);

/// Where the operands begin, once getopt_long(3) has found all options.
int linux_operand_index(void);
