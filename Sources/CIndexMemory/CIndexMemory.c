#include "CIndexMemory.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

static const size_t cache_line = 64;
static const size_t huge_page = (size_t)2 << 20;

void *index_memory_allocate(size_t bytes) {
  // Whole huge pages for what has at least one, so that no part of it is left in small ones.
  const size_t unit = bytes >= huge_page ? huge_page : cache_line;
  const size_t size = (bytes + unit - 1) / unit * unit;
  void *memory = aligned_alloc(unit, size ? size : unit);
  // An advice that the kernel does not follow changes nothing but the speed.
  if (memory && unit == huge_page) (void)madvise(memory, size, MADV_HUGEPAGE);
  return memory;
}

void index_memory_advise(void *memory, size_t bytes) {
  const uintptr_t first = ((uintptr_t)memory + huge_page - 1) / huge_page * huge_page;
  const uintptr_t end = ((uintptr_t)memory + bytes) / huge_page * huge_page;
  if (first < end) (void)madvise((void *)first, end - first, MADV_HUGEPAGE);
}

void index_memory_free(void *memory) { free(memory); }
