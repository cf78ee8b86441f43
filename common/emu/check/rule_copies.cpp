// Copies and sets that CUDA refused: their size does not fit, or their direction.
#include <utility>

#include "checker.hpp"
#include "cuda_runtime_api.h"
#include "memory_map.hpp"

namespace cuemu::check {

namespace {

class CopyRule final : public RuleObserver {
 public:
  explicit CopyRule(MemoryMap& map) : map_(map) {}

  void copy_refused(const CopyView& plan, cudaError_t error) override;
  void fill_refused(const FillView& plan, cudaError_t error) override;

 private:
  MemoryMap& map_;
};

void CopyRule::copy_refused(const CopyView& plan, cudaError_t error) {
  const Line line = line_of(call_stack());
  if (!line.known()) return;
  Finding finding;
  finding.rule = Rule::copy;
  finding.parties = {{"copy", line}};
  for (const auto& [place, to] : {std::pair(plan.to.at, true), std::pair(plan.from.at, false)}) {
    Region* const region = map_.at(reinterpret_cast<std::uintptr_t>(place));
    const Place& side_of_plan = to ? plan.to : plan.from;
    // From the first byte to behind the last one, with what lies between rows.
    const std::size_t bytes = plan.box.bytes() == 0
                                  ? 0
                                  : (plan.box.depth - 1) * side_of_plan.slice +
                                        (plan.box.height - 1) * side_of_plan.row + plan.box.width;
    const bool device_side =
        plan.direction == cudaMemcpyDeviceToDevice ||
        (to ? plan.direction == cudaMemcpyHostToDevice : plan.direction == cudaMemcpyDeviceToHost);
    const bool is_device =
        region != nullptr && (region->kind == RegionKind::device || region->kind == RegionKind::symbol);
    const std::string side = to ? "destination" : "source";
    if (is_device && !device_side && plan.direction != cudaMemcpyDefault) {
      finding.headline = "the " + side + " of a copy is device memory, but its direction says host";
      finding.hint =
          "cudaMemcpy(to, from, bytes, kind): the kind names the source first, as in cudaMemcpyHostToDevice";
    } else if (region == nullptr && device_side) {
      finding.headline = "the " + side + " of a copy should be device memory by its direction, but is not";
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
    finding.headline = std::string("CUDA refused a copy: ") + cudaGetErrorString(error);
  Findings::get().add(std::move(finding), 0);
}

void CopyRule::fill_refused(const FillView& plan, cudaError_t error) {
  const Line line = line_of(call_stack());
  if (!line.known()) return;
  Finding finding;
  finding.rule = Rule::copy;
  finding.parties = {{"set", line}};
  const auto begin = reinterpret_cast<std::uintptr_t>(plan.to.at);
  const Region* const region = map_.at(begin);
  if (region != nullptr && plan.box.height == 1 && begin - region->begin + plan.box.width > region->bytes) {
    finding.headline = "a cudaMemset of " + grouped(plan.box.width) +
                       " bytes does not fit its memory, which has " +
                       grouped(region->bytes - (begin - region->begin));
    finding.hint = "sizes are in bytes: count * sizeof(type), the same at the allocation and here";
  } else if (region == nullptr) {
    finding.headline = "cudaMemset is given a pointer that is not device memory";
    finding.hint = "host memory is set with memset()";
  } else {
    finding.headline = std::string("CUDA refused a cudaMemset: ") + cudaGetErrorString(error);
  }
  Findings::get().add(std::move(finding), 0);
}

}  // namespace

RulePtr make_copy_rule(MemoryMap& map) {
  return std::make_unique<CopyRule>(map);
}

}  // namespace cuemu::check
