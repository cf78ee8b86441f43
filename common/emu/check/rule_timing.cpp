// Reports misleading times: the host's clock around a launch without a wait, events that may not have been
// reached yet, and pairs of events with no kernel between them.
#include <algorithm>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>

#include "checker.hpp"
#include "timeline.hpp"

namespace cuemu::check {

namespace {

/// The latest operations of the host in their order, with their callers. They suffice to find the launches
/// around two events.
class Queued {
 public:
  struct Entry {
    OperationPtr operation;
    std::thread::id by;
    bool is_event = false;
    std::string kernel;  ///< the kernel of a launch that has begun
  };
  using EntryPtr = std::shared_ptr<Entry>;

  void add(const Marker& end) {
    constexpr std::size_t most = 4096;
    entries_.push_back(std::make_shared<Entry>());
    entries_.back()->operation = std::static_pointer_cast<Operation>(end.observed[ToolSlot::checker]);
    entries_.back()->by = std::this_thread::get_id();
    if (entries_.size() > most) entries_.pop_front(), ++gone_;
  }
  /// Returns the operation's position in the host's order; `none` if it is unknown or no longer stored.
  std::size_t place_of(const Operation* operation) const {
    for (std::size_t at = entries_.size(); at-- > 0;)
      if (entries_[at]->operation.get() == operation) return gone_ + at;
    return none;
  }
  const EntryPtr& at(std::size_t place) const { return entries_[place - gone_]; }
  std::size_t end() const { return gone_ + entries_.size(); }
  static constexpr std::size_t none = ~std::size_t{0};

 private:
  std::deque<EntryPtr> entries_;
  std::size_t gone_ = 0;
};

class TimingRule final : public RuleObserver {
 public:
  void operation_queued(const StreamView& stream, Marker& end, const std::vector<MarkerPtr>& after) override;
  void event_queued(const Marker& end) override;
  void launch_begins(const LaunchView& launch) override;
  void clock_read(Site site) override;
  void events_compared(const Marker& start, const Marker& end) override;
  void program_ends() override;

 private:
  struct Launched {
    std::string kernel;
    Line line;
    std::uint32_t queue, number;
  };
  /// Two events with no kernel between them, and an operation that was perhaps meant to be measured. Only
  /// when that operation runs, it shows whether it is a kernel.
  struct Empty {
    Finding finding;
    std::vector<Queued::EntryPtr> meant;
    bool is_beside = false;  ///< the intended operation is between the two events, in another stream
  };
  void compare(const Operation& start, const Operation& end, const Line& call);
  static void report(Empty& empty);

  std::mutex mutex_;
  Queued all_queued_;
  std::vector<Empty> empty_;
  Site last_clock_ = 0;           ///< where the host last read a clock; 0: nowhere yet
  std::vector<Launched> queued_;  ///< the launches since then
  std::vector<Finding> found_;
  bool uses_events_ = false;  ///< the host's clock then serves another purpose
};

void TimingRule::operation_queued(const StreamView&, Marker& end, const std::vector<MarkerPtr>&) {
  const std::lock_guard<std::mutex> lock(mutex_);
  all_queued_.add(end);
}

void TimingRule::event_queued(const Marker& end) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (const std::size_t place = all_queued_.place_of(operation_of(end)); place != Queued::none)
    all_queued_.at(place)->is_event = true;
}

void TimingRule::launch_begins(const LaunchView& launch) {
  if (launch.is_child) return;
  const Operation& now = Timeline::get().now();
  const std::lock_guard<std::mutex> lock(mutex_);
  if (const std::size_t place = all_queued_.place_of(&now); place != Queued::none)
    all_queued_.at(place)->kernel = launch.kernel->info.name;
  if (last_clock_ == 0) return;
  constexpr std::size_t enough = 64;
  if (queued_.size() < enough)
    queued_.push_back({launch.kernel->info.name, launch_line_of(now.stack), now.queue, now.number});
}

void TimingRule::clock_read(Site site) {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const Launched& launch : queued_) {
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
  if (Timeline::get().host_knows(start) && Timeline::get().host_knows(end)) {
    if (operation_of(start) != nullptr && operation_of(end) != nullptr)
      compare(*operation_of(start), *operation_of(end), line_of(call_stack()));
    return;
  }
  Finding finding;
  finding.rule = Rule::early_event;
  finding.headline = "the time between two events is read before the host has waited for them";
  finding.parties = {{"call", line_of(call_stack())}};
  finding.hint =
      "cudaEventElapsedTime fails with cudaErrorNotReady while the work before an event still runs: call "
      "cudaEventSynchronize(stop) first";
  Findings::get().add(std::move(finding), 0);
}

/// Reports two events with no kernel between them. Programs may measure nothing on purpose, for example the
/// cost of events. So the finding needs a launch that the program meant to measure. Either the launch follows
/// the second event and has no later event of its own. Or it is between the two events, in a stream that the
/// second event does not wait for.
void TimingRule::compare(const Operation& start, const Operation& end, const Line& call) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const std::size_t first = all_queued_.place_of(&start), second = all_queued_.place_of(&end);
  constexpr std::size_t most = 256;
  if (first == Queued::none || second == Queued::none || empty_.size() >= most) return;
  Empty empty;
  Finding& finding = empty.finding;
  finding.rule = Rule::timing;
  finding.parties = {{"first event", line_of(start.stack)}, {"second event", line_of(end.stack)}};
  if (second < first) {
    if (start.queue != end.queue) return;
    finding.headline = "the second event was recorded before the first: the time between them is negative";
    finding.parties.push_back({"time asked for", call});
    finding.hint =
        "record the second event after the timed work, and the first one before it; or exchange the two in "
        "the call of cudaEventElapsedTime";
    empty_.push_back(std::move(empty));
    return;
  }
  for (std::size_t at = first + 1; at < second; ++at) {
    const Queued::EntryPtr& between = all_queued_.at(at);
    if (between->is_event) continue;
    if (between->by != std::this_thread::get_id() || Timeline::get().knows(end, *between->operation)) return;
    empty.meant.push_back(between);
  }
  empty.is_beside = !empty.meant.empty();
  for (std::size_t at = second + 1; at < all_queued_.end() && !empty.is_beside; ++at) {
    if (all_queued_.at(at)->is_event) return;
    empty.meant.push_back(all_queued_.at(at));
  }
  if (!empty.meant.empty()) empty_.push_back(std::move(empty));
}

void TimingRule::report(Empty& empty) {
  Finding& finding = empty.finding;
  if (finding.headline.empty()) {
    const auto launch = std::find_if(empty.meant.begin(), empty.meant.end(),
                                     [](const Queued::EntryPtr& entry) { return !entry->kernel.empty(); });
    if (launch == empty.meant.end()) return;
    finding.kernel = (*launch)->kernel;
    const Line line = launch_line_of((*launch)->operation->stack);
    const std::string at = "the launch at line " + std::to_string(line.line);
    if (empty.is_beside) {
      finding.headline = "the second event does not wait for kernel " + finding.kernel +
                         ", which runs in another stream: the time between the events is not the kernel's";
      finding.parties.insert(finding.parties.begin() + 1, {"launch", line});
      finding.hint = "record both events in the stream of " + at;
    } else {
      finding.headline = "there is nothing between the two events: kernel " + finding.kernel +
                         " is launched after both, and is not in the time";
      finding.parties.push_back({"launch", line});
      finding.hint = "record the second event after " + at;
    }
  }
  Findings::get().add(std::move(finding), 0);
}

void TimingRule::program_ends() {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (Empty& empty : empty_) report(empty);
  empty_.clear();
  if (uses_events_) return;
  for (Finding& finding : found_) Findings::get().add(std::move(finding), 0);
  found_.clear();
}

}  // namespace

RulePtr make_timing_rule() {
  return std::make_unique<TimingRule>();
}

}  // namespace cuemu::check
