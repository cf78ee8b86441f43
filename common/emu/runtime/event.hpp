// Events: a place in a stream's order, and the time at which it was reached.
#pragma once

#include <memory>
#include <vector>

#include "driver_types.h"
#include "stream.hpp"

namespace cuemu {
struct Capture;
}

/// What cudaEvent_t points to.
struct CUevent_st {
  unsigned flags = 0;
  int device = 0;
  cuemu::MarkerPtr marker;
  /// Of an event that was last recorded in a capture: that capture, and the nodes that came before.
  std::shared_ptr<cuemu::Capture> capture;
  std::vector<cudaGraphNode_t> nodes;
};

namespace cuemu {

/// The event of a handle; null where there is none, as after its destruction.
std::shared_ptr<CUevent_st> event_of(cudaEvent_t handle);
cudaEvent_t create_event(unsigned flags);
bool destroy_event(cudaEvent_t handle);
void destroy_events(int device);

}  // namespace cuemu
