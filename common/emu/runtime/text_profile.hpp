// The log of CUDA's old text profiler (CUDA_PROFILE=1); common/profile/src/text_log.hpp describes the format. The calls
// that write the profile also write this log. If the program was built with a tool that counts, the tool provides the
// log's counters.
#pragma once

#include <cstddef>
#include <cstdint>

#include "driver_types.h"
#include "launch_state.hpp"

namespace cuemu {

void begin_text_profile();
void text_profile_kernel(const Launch& launch, std::int64_t start_ns, std::int64_t end_ns);
/// @param host_ns duration of the host's call; -1: unknown
void text_profile_copy(const char* direction, std::size_t bytes, std::int64_t start_ns, std::int64_t end_ns,
                       std::int64_t host_ns);
void text_profile_fill(std::size_t bytes, std::int64_t start_ns, std::int64_t end_ns);

}  // namespace cuemu
