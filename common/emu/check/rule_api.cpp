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
  void error_returned(cudaError_t error) override;
  void error_asked() override;
  void copy_refused(const CopyPlan& plan, cudaError_t error) override;
  void program_ends() override;

 private:
  void report_failed();

  struct Refused {
    std::string kernel;
    cudaError_t error;
    std::vector<void*> stack;
  };

  MemoryMap& map_;
  std::mutex mutex_;
  struct Failed {
    std::string call;
    cudaError_t error;
    Line line;
  };
  std::vector<Failed> failed_;    ///< calls whose answer is dropped, since then
  std::vector<Refused> refused_;  ///< launches, since the host asked for the last error
};

void ApiRule::launch_refused(const Kernel& kernel, cudaError_t error) {
  const std::lock_guard<std::mutex> lock(mutex_);
  refused_.push_back({kernel.info.name, error, call_stack()});
}

void ApiRule::error_asked() {
  const std::lock_guard<std::mutex> lock(mutex_);
  refused_.clear();
  failed_.clear();
}

/// The call that a line drops the answer of: "cudaMalloc" for `cudaMalloc(&p, bytes);`. Empty where the line
/// does something with the answer, or can't be read.
std::string dropped_call(const Line& line) {
  const std::string text = text_of(line);
  const std::size_t end = text.find('(');
  if (text.rfind("cuda", 0) != 0 || end == text.npos) return "";
  const std::string name = text.substr(0, end);
  return name.find_first_of(" .=<") == name.npos ? name : "";
}

void ApiRule::error_returned(cudaError_t error) {
  // What a kernel did wrong, other rules tell; what is not done yet is no error.
  if (error >= cudaErrorIllegalAddress || error == cudaErrorNotReady) return;
  const Line line = line_of(call_stack());
  if (!line.known()) return;
  const std::string call = dropped_call(line);
  // So they do of copies and of pointers that can't be freed.
  if (call.empty() || call.rfind("cudaMemcpy", 0) == 0 || call.rfind("cudaFree", 0) == 0) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  if (failed_.empty() || !(failed_.back().line == line)) failed_.push_back({call, error, line});
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

/// The first call that failed: what came behind it may have failed for that reason.
void ApiRule::report_failed() {
  if (failed_.empty()) return;
  const Failed& first = failed_.front();
  Finding finding;
  finding.rule = Rule::unchecked;
  finding.headline = first.call + " failed (" + cudaGetErrorName(first.error) + ": " +
                     cudaGetErrorString(first.error) + "), and the program did not look";
  finding.parties = {{"call", first.line}};
  constexpr std::size_t shown = 3;
  for (std::size_t i = 1; i < failed_.size() && i <= shown; ++i)
    finding.notes.push_back("behind it failed " + failed_[i].call + " at line " +
                            std::to_string(failed_[i].line.line) + " (" + cudaGetErrorName(failed_[i].error) +
                            ")");
  finding.hint = "look at what every call returns: results behind the first failure mean nothing";
  Findings::get().add(std::move(finding), 0);
}

void ApiRule::program_ends() {
  const std::lock_guard<std::mutex> lock(mutex_);
  report_failed();
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
