// Leaks: memory that the program never freed.
#include <map>
#include <mutex>
#include <utility>

#include "checker.hpp"
#include "memory_map.hpp"
#include "pointer_names.hpp"

namespace cuemu::check {

namespace {

class LeakRule final : public RuleObserver {
 public:
  explicit LeakRule(MemoryMap& map) : map_(map) {}
  void program_stops() override { stopped_ = true; }
  void program_ends() override;

 private:
  MemoryMap& map_;
  bool stopped_ = false;  ///< before it could free anything
};

void LeakRule::program_ends() {
  if (stopped_ || context_destroyed(0)) return;  // nothing can be freed any more
  std::map<std::pair<Line, const void*>, Finding> by_call;
  const std::lock_guard<std::mutex> lock(map_.mutex);
  map_.each([&](const Region& region) {
    if (region.retired() || region.of_runtime || region.kind == RegionKind::symbol ||
        region.kind == RegionKind::registered)
      return;
    const Line line = line_of(region.made_at);
    if (!line.known()) return;
    Finding& finding = by_call[{line, users_address(region.made_at)}];
    if (finding.parties.empty()) {
      finding.rule = Rule::leak;
      finding.array = pointer_filled_by(region.made_at);
      finding.parties = {{"allocation", line}};
      finding.headline = (finding.array.empty() ? std::string("memory") : finding.array) + " (" +
                         grouped(region.bytes) + " bytes) is never freed";
      finding.hint = "call cudaFree (cudaFreeHost for pinned memory) when it is no longer needed";
    } else {
      ++finding.count;
    }
  });
  for (auto& [call, finding] : by_call) Findings::get().add(std::move(finding), 0);
}

}  // namespace

RulePtr make_leak_rule(MemoryMap& map) {
  return std::make_unique<LeakRule>(map);
}

}  // namespace cuemu::check
