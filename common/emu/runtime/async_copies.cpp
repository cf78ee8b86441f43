// Asynchronous copies are done at once; what a thread would have to wait for is told to a tool.
#include "cuemu/async_copy.hpp"

#include "observer.hpp"

namespace cuemu {

void async_copied(const void* destination, size_t bytes) {
  if (is_observed() && in_kernel())
    notify(&Observer::async_copied, this_block(), destination, bytes, __builtin_return_address(0));
}

void async_committed() {
  if (is_observed() && in_kernel()) notify(&Observer::async_committed, this_block());
}

void async_waited(size_t prior) {
  if (is_observed() && in_kernel()) notify(&Observer::async_waited, this_block(), prior);
}

}  // namespace cuemu
