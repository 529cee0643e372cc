#pragma once
// Memory for tables that are read at random places.

#include <stddef.h>

/// Memory of at least so many bytes, aligned to a cache line; NULL where there is none. Of large blocks the kernel is
/// asked for huge pages: a table of tens of megabytes in pages of 4 KiB costs a walk through the page tables at nearly
/// every read. Where the kernel has none to give, the memory is as good but slower. Freed with `index_memory_free`.
void *index_memory_allocate(size_t bytes);

void index_memory_free(void *memory);

/// The same advice for memory that was allocated elsewhere and not yet written to; what is no whole huge page of it
/// stays as it is.
void index_memory_advise(void *memory, size_t bytes);

/// Asks for a cache line that will be read soon. Any address is fine.
static inline void index_memory_prefetch(const void *address) { __builtin_prefetch(address); }
