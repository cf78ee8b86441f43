// Events: an event marks a position in a stream's order and stores the time when the stream reached it.
#pragma once

#include <memory>
#include <vector>

#include "driver_types.h"
#include "stream.hpp"

namespace cuemu {
struct Capture;
}

/// The object of a cudaEvent_t.
struct CUevent_st {
  unsigned flags = 0;
  int device = 0;
  cuemu::MarkerPtr marker;
  /// The capture in which the event was last recorded. Null: the event was not recorded in a capture.
  std::shared_ptr<cuemu::Capture> capture;
  std::vector<cudaGraphNode_t> nodes;
};

namespace cuemu {

/// Returns the event of a handle; null if there is no such event, for example after its destruction.
std::shared_ptr<CUevent_st> event_of(cudaEvent_t handle);
cudaEvent_t create_event(unsigned flags);
bool destroy_event(cudaEvent_t handle);
void destroy_events(int device);

}  // namespace cuemu
