// Reports copies and sets that CUDA refuses because of their size or direction. Also reports copies that
// exceed a block of the host's heap, which CUDA does not notice.
#include <algorithm>
#include <mutex>
#include <utility>

#include "checker.hpp"
#include "cuda_runtime_api.h"
#include "host_memory.hpp"
#include "memory_map.hpp"
#include "naming.hpp"
#include "options.hpp"
#include "pointer_names.hpp"

namespace cuemu::check {

namespace {

class CopyRule final : public RuleObserver {
 public:
  explicit CopyRule(MemoryMap& map) : map_(map) {}

  void copy_planned(const CopyView& plan) override;
  void copy_refused(const CopyView& plan, cudaError_t error) override;
  void fill_refused(const FillView& plan, cudaError_t error) override;

 private:
  bool report_outside_of(Finding& finding, const std::string& side, const Place& place, const Box& box);

  MemoryMap& map_;
};

/// Returns the number of bytes from the first to the last one, including the gaps between rows.
std::size_t extent(const Place& place, const Box& box) {
  if (box.bytes() == 0) return 0;
  return (box.depth - 1) * place.slice + (box.height - 1) * place.row + box.width;
}

/// Reports a copy that exceeds a block of the host's heap. The runtime copies only the bytes up to the
/// block's end.
void report_overrun(const Place& place, const Box& box, bool write) {
  const HostBlock block = host_memory_at(place.at);
  const std::size_t bytes = extent(place, box);
  const std::size_t before = reinterpret_cast<std::uintptr_t>(place.at) - block.begin;
  if (!block.known() || before + bytes <= block.bytes) return;
  const Line line = line_of(call_stack());
  if (!line.known()) return;
  Finding finding;
  finding.rule = Rule::copy;
  finding.array = pointer_copied(line, write);
  finding.parties = {{"copy", line}};
  finding.headline = "a copy of " + bytes_text(bytes) + (write ? " writes" : " reads") + " past the end of " +
                     (!finding.array.empty() ? finding.array
                      : write                ? "its destination"
                                             : "its source") +
                     ", " + host_memory_text(block);
  finding.hint =
      "sizes are in bytes: count * sizeof(type), the same at the allocation and at the copy, with a count "
      "that is no larger than the number of the host's elements";
  if (const std::string name = variable_copied(line, write); !name.empty())
    finding.hint = "&" + name + " is where the variable itself is: the elements of a std::vector are at " +
                   name + ".data(), and those of a pointer at " + name +
                   ". If it is right, is the size too large?";
  if (before != 0) {
    finding.notes.push_back("the copy begins " + bytes_text(before) +
                            " after the beginning of that memory: " + grouped(block.bytes - before) +
                            " are left");
    finding.hint = "a copy that begins at element i of n has room for n - i elements: (n - i) * sizeof(type)";
  }
  Findings::get().add(std::move(finding), 0);
}

/// Reports an address in the device's range that is outside all allocations. Returns false for any other
/// address.
bool CopyRule::report_outside_of(Finding& finding, const std::string& side, const Place& place,
                                 const Box& box) {
  const auto address = reinterpret_cast<std::uintptr_t>(place.at);
  if (!map_.in_device_range(address)) return false;
  const std::lock_guard<std::mutex> lock(map_.mutex);
  const Region* const near = map_.nearest_below(address);
  if (near == nullptr || near->retired() || !map_.in_device_range(near->begin)) return false;
  const std::size_t offset = address - near->begin;
  finding.array = name_of_region(*near);
  const std::string name = finding.array.empty() ? described(*near) : finding.array;
  finding.headline =
      "the " + side + " of a copy begins " +
      (offset == near->bytes ? "just past the end" : bytes_text(offset - near->bytes) + " past the end") +
      " of " + name;
  finding.notes.push_back(allocated_note(*near));
  const bool by_rows =
      box.height > 1 && near->width != 0 && place.row == near->pitch && offset % near->pitch == 0;
  finding.hint = by_rows ? "the pitch is counted in bytes, and `p + n` in elements of what p points to: "
                           "`(T*)((char*)p + y * "
                           "pitch)` is row y"
                         : "`p + n` counts elements of what p points to, not bytes: is n below their number?";
  return true;
}

void CopyRule::copy_planned(const CopyView& plan) {
  report_overrun(plan.to, plan.box, true);
  report_overrun(plan.from, plan.box, false);
}

void CopyRule::copy_refused(const CopyView& plan, cudaError_t error) {
  const Line line = line_of(call_stack());
  if (!line.known()) return;
  Finding finding;
  finding.rule = Rule::copy;
  finding.parties = {{"copy", line}};
  const auto is_on_device = [&](const unsigned char* place) {
    const Region* const region = map_.at(reinterpret_cast<std::uintptr_t>(place));
    return region != nullptr && (region->kind == RegionKind::device || region->kind == RegionKind::symbol);
  };
  for (const auto& [place, to] : {std::pair(plan.to.at, true), std::pair(plan.from.at, false)}) {
    Region* const region = map_.at(reinterpret_cast<std::uintptr_t>(place));
    const Place& side_of_plan = to ? plan.to : plan.from;
    const std::size_t bytes = extent(side_of_plan, plan.box);
    const bool device_side =
        plan.direction == cudaMemcpyDeviceToDevice ||
        (to ? plan.direction == cudaMemcpyHostToDevice : plan.direction == cudaMemcpyDeviceToHost);
    const bool is_device = is_on_device(place);
    // The other side contradicts the direction, too: it is turned, or the pointers are.
    const bool turned =
        plan.direction != cudaMemcpyDeviceToDevice && is_on_device(to ? plan.from.at : plan.to.at);
    const std::string side = to ? "destination" : "source";
    if (is_device && !device_side && plan.direction != cudaMemcpyDefault) {
      finding.headline = "the " + side + " of a copy is device memory, but its direction says host";
      finding.hint =
          "cudaMemcpy(to, from, bytes, kind): the kind names the source first, as in cudaMemcpyHostToDevice";
    } else if (region != nullptr && region->is_heap) {
      finding.headline = "the " + side + " of a copy is memory that a kernel got by malloc() or new";
      finding.hint =
          "no call of CUDA reaches that heap: let a kernel copy the data to memory from cudaMalloc";
    } else if (region != nullptr && region->retired()) {
      finding.array = name_of_region(*region);
      finding.headline = "the " + side + " of a copy is " +
                         (finding.array.empty() ? described(*region) : finding.array) +
                         ", which was freed before";
      if (const Line freed = line_of(region->freed_at); freed.known())
        finding.parties.insert(finding.parties.begin(), {"free", freed});
      finding.hint = hint_of_free(*region, "free memory only when the last copy of it is done");
    } else if (device_side && reinterpret_cast<std::uintptr_t>(place) < near_null) {
      finding.headline = "the " + side + " of a copy is a null pointer";
      finding.hint = "does cudaMalloc give it memory before this, and succeed?";
    } else if (region == nullptr && was_never_set(reinterpret_cast<std::uintptr_t>(place))) {
      finding.array = pointer_copied(line, to);
      finding.headline = "the " + side + " of a copy is a pointer that was never set";
      finding.hint = "does cudaMalloc get its address before this, and succeed?";
    } else if (device_side && region == nullptr && report_outside_of(finding, side, side_of_plan, plan.box)) {
    } else if (const std::string variable = map_.host_copy_at(reinterpret_cast<std::uintptr_t>(place));
               device_side && !variable.empty()) {
      finding.array = variable;
      finding.headline = "the " + side + " of a copy is the host's copy of " + variable;
      finding.hint = std::string(to ? "cudaMemcpyToSymbol" : "cudaMemcpyFromSymbol") +
                     " takes the variable on the device; cudaMemcpy takes the address that "
                     "cudaGetSymbolAddress gives";
    } else if (const std::string name = variable_copied(line, to);
               region == nullptr && device_side && !turned && !name.empty()) {
      finding.array = name;
      finding.headline =
          "the " + side + " of a copy is the address of the host's variable " + name + ", not device memory";
      finding.hint = "a pointer from cudaMalloc is passed as it is: write " + name + " without the &";
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
  if (finding.headline.empty()) {
    finding.headline = std::string("CUDA refused a copy: ") + cudaGetErrorString(error);
    if (error == cudaErrorInvalidPitchValue)
      finding.hint = "each row has " + bytes_text(plan.box.width) + ", but the rows begin every " +
                     bytes_text(std::min(plan.to.row, plan.from.row)) +
                     " on one side: widths and pitches are in bytes, and no width is larger than a pitch";
  }
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
  if (region != nullptr && region->is_heap) {
    finding.headline = "cudaMemset is given memory that a kernel got by malloc() or new";
    finding.hint = "no call of CUDA reaches that heap: let a kernel set the memory";
  } else if (region != nullptr && plan.box.height == 1 &&
             begin - region->begin + plan.box.width > region->bytes) {
    finding.headline = "a cudaMemset of " + grouped(plan.box.width) +
                       " bytes does not fit its memory, which has " +
                       grouped(region->bytes - (begin - region->begin));
    finding.hint = "sizes are in bytes: count * sizeof(type), the same at the allocation and here";
  } else if (const std::string variable = map_.host_copy_at(begin); !variable.empty()) {
    finding.array = variable;
    finding.headline = "cudaMemset is given the host's copy of " + variable;
    finding.hint = "cudaMemset takes the address that cudaGetSymbolAddress gives";
  } else if (region == nullptr && was_never_set(begin)) {
    finding.headline = "cudaMemset is given a pointer that was never set";
    finding.hint = "does cudaMalloc get its address before this, and succeed?";
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
