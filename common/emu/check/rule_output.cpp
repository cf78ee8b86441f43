// Reports kernels whose output never appears. Output appears when the host waits for the kernel, so a program
// that ends before that shows none.
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "checker.hpp"
#include "timeline.hpp"

namespace cuemu::check {

namespace {

class OutputRule final : public RuleObserver {
 public:
  void launch_begins(const LaunchView& launch) override;
  void output_lost(const char* kernel) override;

 private:
  std::mutex mutex_;
  std::map<std::string, std::vector<void*>> launched_;  ///< the location of each kernel's last launch
};

void OutputRule::launch_begins(const LaunchView& launch) {
  if (launch.is_child) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  launched_[launch.kernel->info.name] = Timeline::get().now().stack;
}

void OutputRule::output_lost(const char* kernel) {
  Finding finding;
  finding.rule = Rule::lost_output;
  finding.kernel = kernel;
  finding.headline = "nothing shows what kernel " + finding.kernel +
                     " printed: the program ended before it waited for the kernel";
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (const auto known = launched_.find(kernel); known != launched_.end())
      finding.parties = {{"launch", launch_line_of(known->second)}};
  }
  finding.hint =
      "a launch returns at once, and what the kernel prints appears when the host waits for it: call "
      "cudaDeviceSynchronize() before the program ends";
  Findings::get().add(std::move(finding), 0);
}

}  // namespace

RulePtr make_output_rule() {
  return std::make_unique<OutputRule>();
}

}  // namespace cuemu::check
