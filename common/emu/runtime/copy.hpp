// Copies and fills of boxes; all memory calls of the API use them.
#pragma once

#include <cstddef>

#include "cuda_runtime_api.h"
#include "views.hpp"

namespace cuemu {

/// How long the call blocks: until the work is done (wait), not at all (queue), or until the source has been read
/// (read).
enum class Pace { wait, queue, read };

struct CopyPlan;
struct FillPlan;
/// Checks a copy or a fill as the API does, and writes it to `plan`.
cudaError_t plan_copy(const Place& to, const Place& from, const Box& box, cudaMemcpyKind kind,
                      CopyPlan& plan);
cudaError_t plan_fill(const Place& to, unsigned value, unsigned element, const Box& box, FillPlan& plan);

cudaError_t copy_box(const Place& to, const Place& from, const Box& box, cudaMemcpyKind kind,
                     cudaStream_t stream, Pace pace);
cudaError_t fill_box(const Place& to, int value, const Box& box, cudaStream_t stream, Pace pace);

}  // namespace cuemu
