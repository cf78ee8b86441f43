#include "device_launch.hpp"

#include <atomic>
#include <map>
#include <set>
#include <tuple>

#include "device.hpp"
#include "errors.hpp"
#include "launch_state.hpp"
#include "observer.hpp"
#include "report.hpp"
#include "worker.hpp"

namespace cuemu {

namespace {

constexpr int deepest_nesting = 24;

std::atomic<std::size_t> pending_limit{2048};
std::atomic<std::size_t> pending_count{0};

/// Handles created by kernels. The handles live as long as the grid that created them.
DeviceHandles& handles() {
  return current_fiber->block->launch->handles;
}

cudaError_t refuse_pending() {
  static std::atomic<bool> said{false};
  if (!said.exchange(true))
    std::fprintf(stderr,
                 "cuemu: more than %zu launches from kernels wait at a time; further ones fail with "
                 "cudaErrorLaunchPendingCountExceeded\n"
                 "  cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, n) allows more\n",
                 pending_limit.load());
  return cudaErrorLaunchPendingCountExceeded;
}

/// Adds `run` to the calling thread's grid as a child.
cudaError_t keep(cudaStream_t stream, std::function<int(Launch& parent)> run) {
  Launch& parent = *current_fiber->block->launch;
  if (pending_count.fetch_add(1) >= pending_limit.load()) {
    pending_count.fetch_sub(1);
    return refuse_pending();
  }
  if (is_observed()) {
    ToolData kept;
    notify(&Observer::child_launched, stream, kept);
    run = [run = std::move(run), kept = std::move(kept)](Launch& above) {
      notify(&Observer::child_begins, kept);
      const int error = run(above);
      notify(&Observer::child_ends);
      return error;
    };
  }
  const std::lock_guard<std::mutex> lock(parent.children_mutex);
  (stream == cudaStreamTailLaunch ? parent.tails : parent.children).push_back(std::move(run));
  return cudaSuccess;
}

int run_all(Launch& launch, std::vector<std::function<int(Launch&)>>& grids) {
  int error = 0;
  for (const auto& grid : grids) {
    pending_count.fetch_sub(1);
    if (error == 0) error = grid(launch);
  }
  grids.clear();
  return error;
}

}  // namespace

std::size_t pending_launch_limit() {
  return pending_limit.load();
}
void set_pending_launch_limit(std::size_t count) {
  pending_limit.store(count);
}

cudaError_t launch_from_kernel(Kernel& kernel, const void* closure, const PendingLaunch& config) {
  const RuntimeSection section;
  const Launch& parent = *current_fiber->block->launch;
  if (!is_device_stream(config.stream)) return cudaErrorInvalidResourceHandle;
  if (parent.depth + 1 > deepest_nesting) return cudaErrorLaunchMaxDepthExceeded;
  if (config.cooperative) return cudaErrorNotSupported;
  const KernelPlan plan = plan_kernel(kernel, closure, config);
  if (const cudaError_t error = plan.check(); error != cudaSuccess) return error;
  const int device = parent.device;
  if (is_observed())
    notify(&Observer::child_given,
           LaunchView{plan.kernel, plan.grid, plan.block, plan.dynamic_shared, plan.closure.get()});
  return keep(config.stream, [plan, device](Launch& above) { return plan.run_below(device, &above); });
}

cudaError_t queue_from_kernel(std::function<void(int device)> work, cudaStream_t stream) {
  const RuntimeSection section;
  if (!is_device_stream(stream)) return cudaErrorInvalidResourceHandle;
  return keep(stream, [work = std::move(work)](Launch& above) {
    work(above.device);
    return 0;
  });
}

int run_children(Launch& launch) {
  const bool any = !launch.children.empty() || !launch.tails.empty();
  int error = run_all(launch, launch.children);
  if (error != 0)
    pending_count.fetch_sub(launch.tails.size());
  else
    error = run_all(launch, launch.tails);
  if (any) notify(&Observer::children_ended);
  return error;
}

cudaError_t& device_last_error() {
  return Worker::current()->errors[{current_fiber->block, current_fiber->linear}];
}

bool is_device_stream(cudaStream_t stream) {
  if (stream == nullptr || stream == cudaStreamTailLaunch || stream == cudaStreamFireAndForget) return true;
  const RuntimeSection section;
  DeviceHandles& made = handles();
  const std::lock_guard<std::mutex> lock(made.mutex);
  return made.streams.count(stream) > 0;
}

cudaError_t create_device_stream(cudaStream_t* stream, unsigned flags) {
  if (stream == nullptr || flags > cudaStreamNonBlocking) return cudaErrorInvalidValue;
  const RuntimeSection section;
  DeviceHandles& made = handles();
  const std::lock_guard<std::mutex> lock(made.mutex);
  *stream = reinterpret_cast<cudaStream_t>(made.next());
  made.streams.insert(*stream);
  return cudaSuccess;
}

cudaError_t destroy_device_stream(cudaStream_t stream) {
  const RuntimeSection section;
  DeviceHandles& made = handles();
  const std::lock_guard<std::mutex> lock(made.mutex);
  return made.streams.erase(stream) > 0 ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

cudaError_t create_device_event(cudaEvent_t* event, unsigned flags) {
  if (event == nullptr || flags != cudaEventDisableTiming) return cudaErrorInvalidValue;
  const RuntimeSection section;
  DeviceHandles& made = handles();
  const std::lock_guard<std::mutex> lock(made.mutex);
  *event = reinterpret_cast<cudaEvent_t>(made.next());
  made.events.insert(*event);
  return cudaSuccess;
}

cudaError_t destroy_device_event(cudaEvent_t event) {
  const RuntimeSection section;
  DeviceHandles& made = handles();
  const std::lock_guard<std::mutex> lock(made.mutex);
  return made.events.erase(event) > 0 ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

bool is_device_event(cudaEvent_t event) {
  const RuntimeSection section;
  DeviceHandles& made = handles();
  const std::lock_guard<std::mutex> lock(made.mutex);
  return made.events.count(event) > 0;
}

}  // namespace cuemu
