// Asynchronous copies run immediately, and headers implement barrier objects (cuemu/async_barrier.hpp). These
// functions tell the tools where a GPU would have to wait, and where threads meet.
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

void mbarrier_made(const void* barrier) {
  if (is_observed() && in_kernel()) notify(&Observer::mbarrier_made, this_block(), barrier);
}

void mbarrier_arrived(const void* barrier) {
  if (is_observed() && in_kernel()) notify(&Observer::mbarrier_arrived, this_block(), barrier);
}

void mbarrier_filled(const void* barrier) {
  if (is_observed() && in_kernel()) notify(&Observer::mbarrier_filled, this_block(), barrier);
}

void mbarrier_phase_ends(const void* barrier) {
  if (is_observed() && in_kernel()) notify(&Observer::mbarrier_phase_ends, this_block(), barrier);
}

void mbarrier_counts(bool on) {
  if (is_observed() && in_kernel()) notify(&Observer::mbarrier_counts, this_block(), on);
}

void mbarrier_waited(const void* barrier) {
  if (is_observed() && in_kernel()) notify(&Observer::mbarrier_waited, this_block(), barrier);
}

}  // namespace cuemu
