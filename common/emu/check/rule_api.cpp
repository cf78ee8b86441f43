// The API: launches and calls that CUDA refused, and whose errors nobody looked at.
#include <mutex>

#include "checker.hpp"
#include "cuda_runtime_api.h"
#include "memory_map.hpp"

namespace cuemu::check {

namespace {

class ApiRule final : public RuleObserver {
 public:
  void launch_refused(const Kernel& kernel, cudaError_t error, const std::string& why) override;
  void error_returned(cudaError_t error) override;
  void error_asked() override;
  void program_ends() override;

 private:
  void report_failed();

  struct Refused {
    std::string kernel;
    cudaError_t error;
    std::string why;
    std::vector<void*> stack;
  };

  std::mutex mutex_;
  struct Failed {
    std::string call;
    cudaError_t error;
    Line line;
  };
  std::vector<Failed> failed_;    ///< calls whose answer is dropped, since then
  std::vector<Refused> refused_;  ///< launches, since the host asked for the last error
};

void ApiRule::launch_refused(const Kernel& kernel, cudaError_t error, const std::string& why) {
  const std::lock_guard<std::mutex> lock(mutex_);
  refused_.push_back({kernel.info.name, error, why, call_stack()});
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
  const std::string call = text_of_call(line, "cuda");
  const std::size_t begin = text.find(call);
  if (call.empty() || begin == text.npos) return "";
  const std::size_t before = begin != 0 ? text.find_last_not_of(' ', begin - 1) : text.npos;
  if (before != text.npos && std::string(";{}").find(text[before]) == text.npos) return "";
  return call.substr(0, call.find_first_of(" ("));
}

void ApiRule::error_returned(cudaError_t error) {
  // What a kernel did wrong, other rules tell; what is not done yet is no error.
  if (error >= cudaErrorIllegalAddress || error == cudaErrorNotReady) return;
  const Line line = line_of(call_stack());
  if (!line.known()) return;
  const std::string call = dropped_call(line);
  // So they do of copies and of pointers that can't be freed.
  if (call.empty() || call.rfind("cudaMemcpy", 0) == 0 || call.rfind("cudaMemset", 0) == 0 ||
      call.rfind("cudaFree", 0) == 0)
    return;
  const std::lock_guard<std::mutex> lock(mutex_);
  if (failed_.empty() || !(failed_.back().line == line)) failed_.push_back({call, error, line});
}

/// The first call that failed: what came behind it may have failed for that reason.
void ApiRule::report_failed() {
  if (failed_.empty()) return;
  const Failed& first = failed_.front();
  Finding finding;
  finding.rule = Rule::unchecked;
  finding.headline = first.call + " failed (" + cudaGetErrorName(first.error) + ": " +
                     cudaGetErrorString(first.error) + "), and the program did not check";
  finding.parties = {{"call", first.line}};
  constexpr std::size_t shown = 3;
  for (std::size_t i = 1; i < failed_.size() && i <= shown; ++i)
    finding.notes.push_back(failed_[i].call + " failed later, at line " +
                            std::to_string(failed_[i].line.line) + " (" + cudaGetErrorName(failed_[i].error) +
                            ")");
  finding.hint = "check what every call returns: results after the first failure mean nothing";
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
                       "), and the program did not check";
    finding.parties = {{"launch", launch_line_of(refused.stack)}};
    if (!refused.why.empty()) finding.notes.push_back(refused.why);
    finding.hint = "a launch returns nothing: call cudaGetLastError() after it and check what it returns";
    Findings::get().add(std::move(finding), 0);
  }
}

}  // namespace

RulePtr make_api_rule() {
  return std::make_unique<ApiRule>();
}

}  // namespace cuemu::check
