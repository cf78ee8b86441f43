// The API: launches and copies that CUDA refused, and whose errors nobody looked at.
#include <mutex>

#include "checker.hpp"
#include "copy.hpp"
#include "cuda_runtime_api.h"
#include "launch_state.hpp"
#include "memory_map.hpp"
#include "plan.hpp"

namespace cuemu::check {

namespace {

class ApiRule final : public RuleObserver {
 public:
  explicit ApiRule(MemoryMap& map) : map_(map) {}

  void launch_refused(const Kernel& kernel, cudaError_t error) override;
  void error_asked() override;
  void copy_refused(const CopyPlan& plan, cudaError_t error) override;
  void program_ends() override;

 private:
  struct Refused {
    std::string kernel;
    cudaError_t error;
    std::vector<void*> stack;
  };

  MemoryMap& map_;
  std::mutex mutex_;
  std::vector<Refused> refused_;  ///< launches, since the host asked for the last error
};

void ApiRule::launch_refused(const Kernel& kernel, cudaError_t error) {
  const std::lock_guard<std::mutex> lock(mutex_);
  refused_.push_back({kernel.info.name, error, call_stack()});
}

void ApiRule::error_asked() {
  const std::lock_guard<std::mutex> lock(mutex_);
  refused_.clear();
}

void ApiRule::copy_refused(const CopyPlan& plan, cudaError_t error) {
  const Line line = line_of(call_stack());
  if (!line.known()) return;
  Finding finding;
  finding.rule = Rule::copy;
  finding.parties = {{"copy", line}};
  const std::size_t bytes = plan.box.bytes();
  for (const auto& [place, to] : {std::pair(plan.to.at, true), std::pair(plan.from.at, false)}) {
    Region* const region = map_.at(reinterpret_cast<std::uintptr_t>(place));
    const bool device_side =
        plan.direction == cudaMemcpyDeviceToDevice ||
        (to ? plan.direction == cudaMemcpyHostToDevice : plan.direction == cudaMemcpyDeviceToHost);
    const bool is_device = region != nullptr && region->kind == RegionKind::device;
    const std::string side = to ? "destination" : "source";
    if (is_device && !device_side && plan.direction != cudaMemcpyDefault) {
      finding.headline = "the " + side + " of a copy is memory of the device, but its direction says host";
      finding.hint =
          "cudaMemcpy(to, from, bytes, kind): the kind names the source first, as in cudaMemcpyHostToDevice";
    } else if (region == nullptr && device_side) {
      finding.headline =
          "the " + side + " of a copy should be memory of the device by its direction, but is not";
      finding.hint =
          "are the pointers in the right order (destination first), and is the direction the right one?";
    } else if (is_device && reinterpret_cast<std::uintptr_t>(place) - region->begin + bytes > region->bytes) {
      finding.headline = "a copy of " + grouped(bytes) + " bytes does not fit its " + side + ", which has " +
                         grouped(region->bytes - (reinterpret_cast<std::uintptr_t>(place) - region->begin));
      finding.hint = "sizes are in bytes: count * sizeof(type), the same at the allocation and at the copy";
    } else {
      continue;
    }
    break;
  }
  if (finding.headline.empty())
    finding.headline = std::string("a copy was refused: ") + cudaGetErrorString(error);
  Findings::get().add(std::move(finding), 0);
}

void ApiRule::program_ends() {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const Refused& refused : refused_) {
    Finding finding;
    finding.rule = Rule::launch;
    finding.kernel = refused.kernel;
    finding.headline = "kernel " + refused.kernel + " never ran (" + cudaGetErrorName(refused.error) +
                       "), and the program did not ask";
    finding.parties = {{"launch", launch_line_of(refused.stack)}};
    finding.hint = "a launch returns nothing: call cudaGetLastError() behind it and look at the answer";
    Findings::get().add(std::move(finding), 0);
  }
}

}  // namespace

RulePtr make_api_rule(MemoryMap& map) {
  return std::make_unique<ApiRule>(map);
}

}  // namespace cuemu::check
