// Times that are not what they seem: the host's clock around a launch that it does not wait for, and events
// that may not have come yet.
#include <mutex>

#include "checker.hpp"
#include "timeline.hpp"

namespace cuemu::check {

namespace {

class TimingRule final : public RuleObserver {
 public:
  void launch_begins(const LaunchView& launch) override;
  void clock_read(Site site) override;
  void events_compared(const Marker& start, const Marker& end) override;
  void program_ends() override;

 private:
  struct Queued {
    std::string kernel;
    Line line;
    std::uint32_t queue, number;
  };

  std::mutex mutex_;
  Site last_clock_ = 0;         ///< where the host read a clock last; 0: nowhere yet
  std::vector<Queued> queued_;  ///< launches since then
  std::vector<Finding> found_;
  bool uses_events_ = false;  ///< then the host's clock is there for something else
};

void TimingRule::launch_begins(const LaunchView& launch) {
  if (launch.is_child) return;
  const Operation& now = Timeline::get().now();
  const std::lock_guard<std::mutex> lock(mutex_);
  if (last_clock_ == 0) return;
  constexpr std::size_t enough = 64;
  if (queued_.size() < enough)
    queued_.push_back({launch.kernel->info.name, launch_line_of(now.stack), now.queue, now.number});
}

void TimingRule::clock_read(Site site) {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const Queued& launch : queued_) {
    if (Timeline::get().host_knows(launch.queue, launch.number)) continue;
    Finding finding;
    finding.rule = Rule::timing;
    finding.kernel = launch.kernel;
    finding.headline = "the clock is read while kernel " + launch.kernel +
                       " may still run: the time is that of its launch alone";
    const Line end = line_of(address_of(site));
    finding.parties = {
        {"clock read", line_of(address_of(last_clock_))}, {"launch", launch.line}, {"clock read", end}};
    finding.hint = "a launch returns at once: call cudaDeviceSynchronize() before line " +
                   std::to_string(end.line) + ", or measure with cudaEventRecord and cudaEventElapsedTime";
    found_.push_back(std::move(finding));
    break;
  }
  queued_.clear();
  last_clock_ = site;
}

void TimingRule::events_compared(const Marker& start, const Marker& end) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    uses_events_ = true;
  }
  if (Timeline::get().host_knows(start) && Timeline::get().host_knows(end)) return;
  Finding finding;
  finding.rule = Rule::early_event;
  finding.headline = "the time between two events is asked for before the host has waited for them";
  finding.parties = {{"call", line_of(call_stack())}};
  finding.hint =
      "cudaEventElapsedTime fails with cudaErrorNotReady while the work before an event still runs: call "
      "cudaEventSynchronize(stop) first";
  Findings::get().add(std::move(finding), 0);
}

void TimingRule::program_ends() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (uses_events_) return;
  for (Finding& finding : found_) Findings::get().add(std::move(finding), 0);
  found_.clear();
}

}  // namespace

RulePtr make_timing_rule() {
  return std::make_unique<TimingRule>();
}

}  // namespace cuemu::check
