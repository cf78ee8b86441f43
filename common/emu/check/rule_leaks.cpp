// Reports leaks: memory that the host or a kernel has allocated, and that the program has not freed.
#include <map>
#include <mutex>
#include <utility>

#include "checker.hpp"
#include "memory_map.hpp"
#include "naming.hpp"
#include "pointer_names.hpp"

namespace cuemu::check {

namespace {

class LeakRule final : public RuleObserver {
 public:
  explicit LeakRule(MemoryMap& map) : map_(map) {}
  void program_stops(int) override { stopped_ = true; }
  void program_ends() override;

 private:
  void find_allocations();
  void find_heap_pieces();

  MemoryMap& map_;
  bool stopped_ = false;  ///< a kernel was stopped before the program could free anything
};

void LeakRule::program_ends() {
  if (stopped_ || context_destroyed(0)) return;  // nothing can be freed after that
  const std::lock_guard<std::mutex> lock(map_.mutex);
  find_allocations();
  find_heap_pieces();
}

void LeakRule::find_allocations() {
  std::map<std::pair<Line, const void*>, Finding> by_call;
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
      const std::string call = text_of_call(line, "cudaMalloc");
      finding.hint = call.substr(0, call.find('(')).find("Array") != call.npos
                         ? "call cudaFreeArray when it is no longer needed"
                         : "call cudaFree (cudaFreeHost for pinned memory) when it is no longer needed";
    } else {
      ++finding.count;
    }
  });
  for (auto& [call, finding] : by_call) Findings::get().add(std::move(finding), 0);
}

/// Reports memory of the device's heap that kernels have not freed, as one finding for each line.
void LeakRule::find_heap_pieces() {
  std::map<Line, std::pair<Finding, std::uint64_t>> by_line;
  map_.each([&](const Region& region) {
    if (region.retired()) return;
    for (const auto& [begin, piece] : region.pieces) {
      const Line line = line_of(piece.made_at);
      if (piece.freed || !line.known()) continue;
      auto& [finding, bytes] = by_line[line];
      bytes += piece.bytes;
      if (finding.parties.empty())
        finding.parties = {{"malloc() or new", line}};
      else
        ++finding.count;
    }
  });
  for (auto& [line, leak] : by_line) {
    auto& [finding, bytes] = leak;
    finding.rule = Rule::leak;
    finding.headline =
        "memory that a kernel got by malloc() or new (" + bytes_text(bytes) + ") is never freed";
    finding.hint = "call free() or delete in a kernel, which may be another one, when it is no longer needed";
    Findings::get().add(std::move(finding), 0);
  }
}

}  // namespace

RulePtr make_leak_rule(MemoryMap& map) {
  return std::make_unique<LeakRule>(map);
}

}  // namespace cuemu::check
