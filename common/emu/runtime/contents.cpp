#include "contents.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "memory.hpp"
#include "plan.hpp"
#include "profile.hpp"
#include "symbols.hpp"
#include "wire/content_hash.hpp"

namespace cuemu {

namespace {

using kit_wire::content_hash;

/// Returns whether the host may write to this memory. Bytes copied from such memory need not come from a kernel.
bool may_be_written_by_host(const void* address) {
  Allocation found;
  if (find_allocation(address, found)) return found.kind != MemoryKind::device;
  return symbol_kind(address) == SymbolKind::managed;
}

void report_piece(const CopyPlan& plan, const unsigned char* at, std::size_t bytes) {
  std::uint64_t head = 0;
  std::memcpy(&head, at, std::min(bytes, sizeof head));
  const bool shared = plan.direction == cudaMemcpyDeviceToHost && may_be_written_by_host(plan.from.at);
  profile_content({plan.direction, bytes, content_hash(at, bytes), head, shared});
}

std::atomic<bool> reported_host_visible{false};

}  // namespace

void profile_contents(const CopyPlan& plan) {
  if (!profiles_content()) return;
  if (plan.direction != cudaMemcpyHostToDevice && plan.direction != cudaMemcpyDeviceToHost) return;
  const DeviceAccess access;  // needed since the host's side may be managed memory
  const Place& host = plan.direction == cudaMemcpyDeviceToHost ? plan.to : plan.from;
  const Box& box = plan.box;
  const bool whole_rows = box.height == 1 || host.row == box.width;
  const std::size_t piece = whole_rows ? box.width * box.height : box.width;
  for (std::size_t z = 0; z < box.depth; ++z)
    for (std::size_t y = 0; y < (whole_rows ? 1 : box.height); ++y)
      report_piece(plan, host.at + z * host.slice + y * host.row, piece);
}

HostMemoryWatch::HostMemoryWatch() {
  if (!profiles_content() || reported_host_visible.load()) return;
  for (const Allocation& allocation : allocations_of_the_host()) {
    const auto* const at = reinterpret_cast<const void*>(allocation.begin);
    if (allocation.kind == MemoryKind::registered)
      unknown_ = true;
    else
      ranges_.push_back({at, allocation.bytes, content_hash(at, allocation.bytes)});
  }
  for (const auto& [at, bytes] : managed_variables()) ranges_.push_back({at, bytes, content_hash(at, bytes)});
}

void HostMemoryWatch::report() const {
  const bool changed = unknown_ || std::any_of(ranges_.begin(), ranges_.end(), [](const Range& range) {
                         return content_hash(range.at, range.bytes) != range.hash;
                       });
  if (changed && !reported_host_visible.exchange(true)) profile_host_visible();
}

}  // namespace cuemu
