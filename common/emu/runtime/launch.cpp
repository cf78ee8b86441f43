// Launches, from the launch syntax to the queue of a stream.
#include "cuemu/launch.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <string>

#include "capture.hpp"
#include "clock.hpp"
#include "clusters.hpp"
#include "contents.hpp"
#include "cuda_runtime.h"
#include "device.hpp"
#include "device_launch.hpp"
#include "errors.hpp"
#include "launch_state.hpp"
#include "object_tables.hpp"
#include "observer.hpp"
#include "plan.hpp"
#include "profile.hpp"
#include "report.hpp"
#include "runtime.hpp"
#include "stream.hpp"
#include "worker.hpp"

namespace cuemu {

namespace {

thread_local PendingLaunch* pending_of_host = nullptr;
/// Returns the pending configurations of a host thread or of a CUDA thread. Each CUDA thread has its own list, because
/// other CUDA threads may run between its configuration and its launch.
PendingLaunch*& pending() {
  return in_kernel() ? current_fiber->pending : pending_of_host;
}

/// If this is set, a launch stores its plan there and is not queued.
thread_local KernelPlan* plan_wanted = nullptr;

std::uint64_t volume(const dim3& d) {
  return std::uint64_t{d.x} * d.y * d.z;
}

std::string text_of(const dim3& size) {
  if (size.y == 1 && size.z == 1) return std::to_string(size.x);
  return std::to_string(size.x) + " x " + std::to_string(size.y) +
         (size.z != 1 ? " x " + std::to_string(size.z) : "") + " = " + std::to_string(volume(size));
}

/// Describes which size of a grid or block is 0 or exceeds its limit; empty if all sizes are valid.
std::string unfit_size(const char* whose, const char* of_what, const dim3& size, const int (&limits)[3]) {
  if (volume(size) == 0)
    return std::string("the ") + whose + " has no " + of_what + ", " + std::to_string(size.x) + " x " +
           std::to_string(size.y) + " x " + std::to_string(size.z);
  const unsigned sizes[] = {size.x, size.y, size.z};
  for (std::size_t i = 0; i < 3; ++i)
    if (sizes[i] > static_cast<unsigned>(limits[i]))
      return std::string("the ") + whose + " has " + std::to_string(sizes[i]) + " " + of_what + " in " +
             "xyz"[i] + ", but at most " + std::to_string(limits[i]) + " are allowed";
  return "";
}

/// Returns the number of the launch's blocks that the device can hold at a time.
std::uint64_t resident_blocks(const KernelPlan& plan) {
  int blocks = 0;
  detail::max_active_blocks(&blocks, plan.kernel, static_cast<int>(volume(plan.block)), plan.dynamic_shared);
  return static_cast<std::uint64_t>(blocks) * static_cast<unsigned>(device_profile().multiprocessors);
}

cudaError_t queue_launch(Kernel& kernel, const void* closure, const PendingLaunch& config) {
  start_runtime();
  const std::int64_t begin = now_ns();
  if (const cudaError_t error = context_error(); error != cudaSuccess) return error;
  KernelPlan plan = plan_kernel(kernel, closure, config);
  if (const cudaError_t error = plan.check(); error != cudaSuccess) {
    notify(&Observer::launch_refused,
           LaunchView{plan.kernel, plan.grid, plan.block, plan.dynamic_shared, nullptr, volume(plan.grid)},
           error, plan.refusal(error));
    note_refused(plan);
    return error;
  }
  Stream* const stream = stream_of(config.stream);
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  if (device_of(*stream) != current_device()) return cudaErrorInvalidResourceHandle;
  if (!is_capturing(*stream)) plan.host_ns = now_ns() - begin;
  return submit(*stream, plan);
}

}  // namespace

std::string KernelPlan::unfit() const {
  const DeviceProfile& device = device_profile();
  const cudaDeviceProp limits = device_properties();
  const std::uint64_t threads = volume(block);
  const auto most_threads = static_cast<unsigned>(device.threads_per_block);
  const auto has_threads = [&] { return "the block has " + text_of(block) + " threads, but "; };
  if (threads > most_threads)
    return has_threads() + "a block may have at most " + std::to_string(most_threads);
  if (std::string why = unfit_size("block", "threads", block, limits.maxThreadsDim); !why.empty()) return why;
  if (std::string why = unfit_size("grid", "blocks", grid, limits.maxGridSize); !why.empty()) return why;
  const unsigned bound = kernel->info.max_threads;
  if (bound != 0 && threads > bound)
    return has_threads() + "__launch_bounds__ of the kernel allows " + std::to_string(bound);
  const std::size_t most_shared = device.shared_per_block;
  const std::size_t most_dynamic = device.shared_per_block_optin;
  const auto allowed = static_cast<std::size_t>(std::max(state_of(*kernel).max_dynamic_shared.load(), 0));
  const std::size_t own = static_shared_bytes(*kernel);
  const std::size_t limit = allowed > 0 ? std::max(most_shared, own + allowed) : most_shared;
  if (dynamic_shared <= most_dynamic && dynamic_shared + own <= limit) return "";
  return "the launch asks for " + std::to_string(dynamic_shared) + " bytes of dynamic shared memory" +
         (own != 0 ? " besides " + std::to_string(own) + " of the kernel's __shared__ variables" : "") +
         ", and a block may have " + std::to_string(std::min(limit, most_dynamic + own)) + " bytes" +
         (allowed == 0 && most_dynamic > most_shared
              ? ", or with cudaFuncSetAttribute up to " + std::to_string(most_dynamic) +
                    " of dynamic shared memory"
              : "");
}

std::string KernelPlan::refusal(cudaError_t error) const {
  if (error != cudaErrorCooperativeLaunchTooLarge) return unfit();
  return "the grid has " + text_of(grid) +
         " blocks, but of a cooperative launch all must run at a time, and " +
         std::to_string(resident_blocks(*this)) + " can";
}

cudaError_t KernelPlan::check() const {
  fit_offsets(state_of(*kernel));
  if (!unfit().empty()) return cudaErrorInvalidValue;
  if (const cudaError_t error = check_cluster(*this); error != cudaSuccess) return error;
  if (!cooperative) return cudaSuccess;
  return volume(grid) > resident_blocks(*this) ? cudaErrorCooperativeLaunchTooLarge : cudaSuccess;
}

int KernelPlan::run_below(int device, Launch* parent) const {
  Launch launch;
  launch.kernel = kernel;
  launch.closure = closure.get();
  launch.host_ns = host_ns;
  launch.grid = grid;
  launch.block = block;
  launch.dynamic_shared = dynamic_shared;
  launch.cooperative = cooperative;
  launch.cluster = cluster;
  launch.cluster_blocks = static_cast<unsigned>(volume(cluster));
  launch.block_count = launch.grid_barrier.blocks = volume(grid);
  launch.device = device;
  launch.parent = parent;
  launch.is_child = parent != nullptr;
  launch.depth = parent != nullptr ? parent->depth + 1 : 0;
  if (!cooperative && launch.cluster_blocks == 1) launch.chosen = chosen_blocks(launch);
  if (!launch.chosen.empty()) launch.block_count = launch.chosen.size();
  const HostMemoryWatch watch;
  const std::int64_t begin = now_ns();
  int error = run_launch(launch);
  profile_kernel(launch, begin, now_ns());
  watch.report();
  if (error == 0) error = run_children(launch);
  if (error != 0) destroy_context(static_cast<cudaError_t>(error), device);
  return error;
}

KernelPlan plan_kernel(Kernel& kernel, const void* closure, const PendingLaunch& config) {
  KernelPlan plan;
  plan.kernel = &kernel;
  plan.grid = config.grid;
  plan.block = config.block;
  plan.dynamic_shared = config.dynamic_shared;
  plan.cooperative = config.cooperative;
  plan.cluster = volume(config.cluster) > 1 ? config.cluster : kernel.info.cluster;
  void* const memory = ::operator new(kernel.closure_bytes, std::align_val_t(kernel.closure_alignment));
  if (kernel.copy != nullptr)
    kernel.copy(memory, closure);
  else
    std::memcpy(memory, closure, kernel.closure_bytes);
  if (!in_kernel()) turn_object_tables(static_cast<unsigned char*>(memory), kernel.closure_bytes);
  plan.closure = std::shared_ptr<void>(memory, [&kernel](void* made) {
    if (kernel.destroy != nullptr) kernel.destroy(made);
    ::operator delete(made, std::align_val_t(kernel.closure_alignment));
  });
  return plan;
}

cudaError_t plan_kernel(const void* function, dim3 grid, dim3 block, void** arguments,
                        std::size_t dynamic_shared, KernelPlan& plan) {
  detail::KernelFunction how{};
  if (registered_kernel(function, &how) == nullptr) return no_such_kernel;
  const PendingLaunch config(grid, block, dynamic_shared, nullptr);
  plan_wanted = &plan;
  how.call(function, arguments);
  plan_wanted = nullptr;
  return plan.check();
}

PendingLaunch::PendingLaunch(dim3 grid_, dim3 block_, std::size_t dynamic_shared_, cudaStream_t stream_,
                             bool cooperative_)
    : grid(grid_),
      block(block_),
      dynamic_shared(dynamic_shared_),
      stream(stream_),
      cooperative(cooperative_),
      previous(cuemu::pending()) {
  cuemu::pending() = this;
}

PendingLaunch::~PendingLaunch() {
  PendingLaunch*& top = pending();
  if (top == this) top = previous;
}

namespace detail {

void launch(const KernelCode& code, const KernelInfo& info, const void* closure) {
  const Uninterrupted whole(*current_fiber);  // kernels may launch kernels
  Kernel& kernel = kernel_of(code, info);
  if (answer_question(kernel)) return;
  PendingLaunch* const config = pending();
  if (config == nullptr || config->taken)
    fatal(("kernel " + std::string(kernel.info.name) +
           " was called like a function; launch it with kernel<<<grid, block>>>(arguments)")
              .c_str());
  config->taken = true;
  pending() = config->previous;
  if (plan_wanted != nullptr)
    *plan_wanted = plan_kernel(kernel, closure, *config);
  else if (in_kernel())
    remember(launch_from_kernel(kernel, closure, *config));
  else
    remember(queue_launch(kernel, closure, *config));
}

cudaError_t launch_kernel(const void* function, KernelFunction how, dim3 grid, dim3 block, void** arguments,
                          std::size_t dynamic_shared, cudaStream_t stream, bool cooperative, dim3 cluster) {
  if (function == nullptr) return remember(no_such_kernel);
  const cudaError_t before = cudaGetLastError();
  {
    PendingLaunch config(grid, block, dynamic_shared, stream, cooperative);
    config.cluster = cluster;
    how.call(function, arguments);
  }
  const cudaError_t error = cudaPeekAtLastError();
  if (error == cudaSuccess) remember(before);
  return error;
}

cudaError_t launch_kernel(const void* function, KernelFunction how, const cudaLaunchConfig_t& config,
                          void** arguments) {
  bool cooperative = false;
  dim3 cluster(1, 1, 1);
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    const cudaLaunchAttribute& attribute = config.attrs[i];
    if (attribute.id == cudaLaunchAttributeCooperative) cooperative = attribute.val.cooperative != 0;
    if (attribute.id == cudaLaunchAttributeClusterDimension) {
      const auto& size = attribute.val.clusterDim;
      if (size.x == 0 || size.y == 0 || size.z == 0) return remember(cudaErrorInvalidClusterSize);
      cluster = dim3(size.x, size.y, size.z);
    }
  }
  return launch_kernel(function, how, config.gridDim, config.blockDim, arguments, config.dynamicSmemBytes,
                       config.stream, cooperative, cluster);
}

}  // namespace detail

}  // namespace cuemu
