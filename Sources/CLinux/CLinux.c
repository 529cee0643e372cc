#include "CLinux.h"

// libdispatch's own symbol; the C header of Dispatch is not needed for one function.
extern const char *dispatch_queue_get_label(void *queue);

const char *linux_current_queue_label(void) {
  const char *label = dispatch_queue_get_label(0);
  return label ? label : "";
}

#include <sys/socket.h>

int linux_accept(int listener, int flags) { return accept4(listener, 0, 0, flags); }

const char *linux_option_value(void) { return optarg; }

int linux_operand_index(void) { return optind; }
