// Reports reads of memory that was never written: device memory, shared memory, and local variables whose
// value is stored.
#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>

#include "checker.hpp"
#include "cuda_runtime_api.h"
#include "memory_map.hpp"
#include "naming.hpp"
#include "options.hpp"
#include "timeline.hpp"

namespace cuemu::check {

namespace {

class UninitialisedRule final : public RuleObserver {
 public:
  explicit UninitialisedRule(MemoryMap& map) : map_(map) {}

  bool wants_accesses() const override { return true; }
  void accessed(const Access& access) override;
  void wrote_unset(const Written& write) override;
  void lanes_found(std::uint32_t lanes) override { known_value_ |= lanes == unset_; }
  void copied(const CopyView& plan) override;
  void filled(const FillView& plan) override;

 private:
  void report_unwritten(const Access& access);
  void note_part(const Place& to, const Box& box, std::uint32_t asked_at);
  void report_copy_of_nothing(const Region& region, const CopyView& plan);
  void look_for_ends(Region& region, const CopyView& plan);
  void look_for_rest(Region& region, const CopyView& plan);

  MemoryMap& map_;
  const std::uint32_t unset_ = options().unset_bytes;
  bool known_value_ = false;  ///< the program computed or read the fill value itself, which proves nothing
  /// By the allocation's address: the last copies or sets that wrote only the beginning of an allocation, or
  /// of each of its rows.
  struct Part {
    std::size_t bytes;
    std::size_t all;  ///< the bytes of the allocation, or of a row
    bool by_rows;
    std::uint32_t asked_at;
  };
  std::map<std::uintptr_t, Part> parts_;  ///< protected by the map's mutex
};

/// Returns whether the number of bytes equals the allocation's number of elements, for one of the usual
/// element sizes.
bool looks_like_elements(std::size_t bytes, std::size_t all) {
  return bytes * 2 == all || bytes * 4 == all || bytes * 8 == all || bytes * 16 == all;
}

/// Memory that an earlier launch filled: the beginning of a region, and nothing after it.
struct Filled {
  std::size_t bytes;
  Stamp last;  ///< the write at the end of the filled part
};

/// Finds out whether an earlier launch filled the beginning of a region.
/// @param before the first era of the reader; ~0u if all launches have ended
/// @return none if the region is filled in another way, or if the reading launch also writes to it, and so
/// has not filled it completely yet
std::optional<Filled> filled_beginning(Region& region, std::uint32_t before) {
  if (region.kind != RegionKind::device || region.retired()) return std::nullopt;
  std::uintptr_t end = 0;  // the end of the filled part
  bool more = false;       // memory after the filled part was written, too
  Mark last;
  region.each_cell(region.begin, region.bytes, [&](std::uintptr_t at, const Cell& cell) {
    if (cell.write.empty() && end == 0) end = at;
    if (!cell.write.empty() && end == 0) last = cell.write;
    more = !cell.write.empty() && end != 0;
    return !more;
  });
  if (last.empty() || end == 0 || more) return std::nullopt;
  const Stamp stamp = last.stamp();
  if (stamp.era >= before) return std::nullopt;
  return Filled{end - region.begin, stamp};
}

void UninitialisedRule::accessed(const Access& access) {
  if ((access.kind & writes) != 0 && (access.kind & keeps_old) == 0) return;
  if (access.region.initialised) return;
  const bool written = std::any_of(access.cells, access.cells + access.cell_count,
                                   [](const Cell& cell) { return !cell.write.empty(); });
  if (!written) report_unwritten(access);
}

void UninitialisedRule::report_unwritten(const Access& access) {
  const BlockState& state = access.block;
  Findings::get().add(
      {static_cast<std::uint64_t>(Rule::uninitialised), access.site,
       array_key(state, access.region, access.address)},
      state.id(), [&] {
        Finding finding;
        finding.rule = Rule::uninitialised;
        finding.kernel = state.launch->kernel->info.name;
        const bool remote = &access.home != &access.block;
        finding.headline = element_name(state, access.region, access.address, access.size, finding) +
                           whose(state, access.home.clocks.block) + " is read, but nothing has written to it";
        finding.parties = {party_now(state, access.kind, access.site)};
        const std::lock_guard<std::mutex> lock(map_.mutex);
        if (const auto part = parts_.find(access.region.begin); part != parts_.end()) {
          const Line line = line_of_place(part->second.asked_at);
          finding.parties.insert(finding.parties.begin(), {"sets " + grouped(part->second.bytes) + " of " +
                                                               bytes_text(part->second.all) +
                                                               (part->second.by_rows ? " of each row" : ""),
                                                           line});
          finding.hint = access.region.width != 0 && !part->second.by_rows
                             ? "each row of pitched memory ends with padding, which the "
                               "host's rows lack: copy them with cudaMemcpy2D"
                         : looks_like_elements(part->second.bytes, part->second.all)
                             ? (part->second.by_rows
                                    ? "widths and pitches are in bytes, not in elements: width * sizeof(type)"
                                    : "sizes are in bytes, not in elements: count * sizeof(type)")
                         : part->second.by_rows
                             ? "only the first " + bytes_text(part->second.bytes) +
                                   " of each row were set: is the width that of the whole row?"
                             : "only the first " + bytes_text(part->second.bytes) +
                                   " were set: is the size that of the whole array?";
          return finding;
        }
        if (const auto filled = filled_beginning(access.region, state.first_era)) {
          const Era writer = Timeline::get().era(filled->last.era);
          if (writer.doing == Doing::kernel) {
            finding.parties.insert(
                finding.parties.begin(),
                {"last written before it by thread " + point(writer.block, filled->last.thread) +
                     " of block " + point(writer.grid, filled->last.block),
                 line_of(address_of(filled->last.site))});
            finding.hint = "kernel " + writer.kernel + " has filled the first " + bytes_text(filled->bytes) +
                           " of " + grouped(access.region.bytes) +
                           ", and nothing has filled the rest: are enough blocks launched, their number "
                           "rounded up, (n + "
                           "block - 1) / block, and does the guard let the last threads through?";
            return finding;
          }
        }
        finding.hint =
            remote
                ? "shared memory is not cleared when a block begins: let the threads of each block fill it, "
                  "then cluster.sync(), so that the others find it filled"
            : access.in_shared
                ? "shared memory is not cleared when a block begins: let the threads fill it, then "
                  "__syncthreads()"
                : "cudaMalloc does not clear memory: copy data there, set it by cudaMemset(pointer, 0, "
                  "bytes), or let a sum begin at 0 instead of what is there";
        return finding;
      });
}

/// Called when a thread writes only bytes of the initial content of local variables. The thread has then
/// copied an uninitialised value.
void UninitialisedRule::wrote_unset(const Written& write) {
  if (known_value_) return;
  const BlockState& state = *write.block;
  Findings::get().add(
      {static_cast<std::uint64_t>(Rule::uninitialised), write.by.site(),
       array_key(state, *write.region, write.address), 1},
      state.id(), [&] {
        Finding finding;
        finding.rule = Rule::uninitialised;
        finding.kernel = state.launch->kernel->info.name;
        finding.headline = element_name(state, *write.region, write.address, write.size, finding) +
                           " gets the value of a local variable that was never set";
        finding.parties = {
            party(state, writes, write.by.site(), write.by.thread(), state.clocks.block, true)};
        finding.hint =
            "local variables and arrays hold anything when a function begins: is each element set before it "
            "is "
            "read, for every thread?";
        return finding;
      });
}

/// Records that host code set the beginning of an allocation or of its rows, or all of it.
void UninitialisedRule::note_part(const Place& to, const Box& box, std::uint32_t asked_at) {
  const auto begin = reinterpret_cast<std::uintptr_t>(to.at);
  const Region* const region = map_.at(begin);
  if (region == nullptr || region->kind != RegionKind::device || region->initialised ||
      region->begin != begin)
    return;
  const bool by_rows = box.height != 1;
  const std::size_t all = !by_rows ? region->bytes : region->width != 0 ? region->width : to.row;
  const std::lock_guard<std::mutex> lock(map_.mutex);
  if (box.width < all)
    parts_[begin] = {box.width, all, by_rows, asked_at};
  else
    parts_.erase(begin);
}

/// Returns whether the number is in a box that is copied from the host.
bool holds(const CopyView& plan, std::uint32_t number) {
  const std::uintptr_t end = host_block_at(plan.from.at).end();
  for (std::size_t z = 0; z < plan.box.depth; ++z)
    for (std::size_t y = 0; y < plan.box.height; ++y) {
      const unsigned char* const row = plan.from.at + z * plan.from.slice + y * plan.from.row;
      const std::size_t bytes = bytes_before(end, row, plan.box.width);
      if (memmem(row, bytes, &number, sizeof number) != nullptr) return true;
    }
  return false;
}

void UninitialisedRule::copied(const CopyView& plan) {
  if (!known_value_ && plan.direction == cudaMemcpyHostToDevice) known_value_ = holds(plan, unset_);
  if (plan.box.depth != 1) return;
  const bool rows = plan.box.height != 1;
  note_part(plan.to, plan.box, plan.asked_at);
  if (plan.direction != cudaMemcpyDeviceToHost && plan.direction != cudaMemcpyDefault) return;
  const auto from = reinterpret_cast<std::uintptr_t>(plan.from.at);
  Region* const region = map_.at(from);
  if (region == nullptr || region->kind != RegionKind::device || region->initialised || region->retired() ||
      !region->contains(from, (plan.box.height - 1) * plan.from.row + plan.box.width))
    return;
  if (rows)
    look_for_ends(*region, plan);
  else if (region->is_unwritten(from, plan.box.width))
    report_copy_of_nothing(*region, plan);
  else
    look_for_rest(*region, plan);
}

void UninitialisedRule::filled(const FillView& plan) {
  known_value_ |= (plan.value & 0xffu) == (unset_ & 0xffu);  // all bytes of such a value are the same
  if (plan.box.depth == 1) note_part(plan.to, plan.box, plan.asked_at);
}

void UninitialisedRule::report_copy_of_nothing(const Region& region, const CopyView& plan) {
  const Line line = line_of_place(plan.asked_at);
  if (!line.known()) return;
  const std::size_t bytes = plan.box.width;
  Finding finding;
  finding.rule = Rule::uninitialised;
  finding.array = name_of_region(region);
  const std::string name = finding.array.empty() ? described(region) : finding.array;
  finding.headline = (reinterpret_cast<std::uintptr_t>(plan.from.at) == region.begin && bytes == region.bytes
                          ? name
                          : bytes_text(bytes) + " of " + name) +
                     " is copied to the host, but nothing has written to it";
  finding.parties = {{"copy", line}};
  finding.hint =
      "did the kernel run (cudaGetLastError), does it get this pointer, and does its guard let the right "
      "threads through?";
  Findings::get().add(std::move(finding), 0);
}

/// Examines a copy of rows whose ends were never written because an earlier copy had a smaller width.
void UninitialisedRule::look_for_ends(Region& region, const CopyView& plan) {
  const auto written = [&](std::size_t row) {
    const std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(plan.from.at) + row * plan.from.row;
    std::size_t bytes = plan.box.width;
    region.each_cell(begin, plan.box.width, [&](std::uintptr_t at, const Cell& cell) {
      if (cell.write.empty()) bytes = at > begin ? at - begin : 0;
      return !cell.write.empty();
    });
    return bytes;
  };
  const std::size_t bytes = written(0);
  if (bytes == 0 || bytes == plan.box.width) return;
  for (std::size_t row = 1; row < plan.box.height; ++row)
    if (written(row) != bytes) return;
  const Line line = line_of_place(plan.asked_at);
  if (!line.known()) return;
  Finding finding;
  finding.rule = Rule::uninitialised;
  finding.array = name_of_region(region);
  finding.headline = "the ends of the rows of " +
                     (finding.array.empty() ? described(region) : finding.array) +
                     " are copied to the host, but nothing has written to them";
  finding.parties = {{"copy", line}};
  finding.notes.push_back("of the " + bytes_text(plan.box.width) + " of each row only the first " +
                          bytes_text(bytes) + " were written");
  finding.hint =
      "the width of cudaMemcpy2D is in bytes, not in elements: count * sizeof(type), the same in each copy";
  Findings::get().add(std::move(finding), 0);
}

/// Examines a copy of an array whose last elements were never written. A launch had one thread for each other
/// element, and one more block would have covered the rest.
void UninitialisedRule::look_for_rest(Region& region, const CopyView& plan) {
  const auto from = reinterpret_cast<std::uintptr_t>(plan.from.at);
  const std::uintptr_t end = from + plan.box.width;
  if (end % 4 != 0 || !region.at(end - 4).write.empty()) return;  // the usual case
  const auto filled = filled_beginning(region, ~0u);
  if (!filled) return;
  const Era writer = Timeline::get().era(filled->last.era);
  if (writer.doing != Doing::kernel) return;
  const std::uint64_t block = volume(writer.block), threads = volume(writer.grid) * block;
  const std::size_t rest = end - region.begin - filled->bytes, element = filled->bytes / threads;
  const bool by_last_thread =
      filled->last.block + 1 == volume(writer.grid) && filled->last.thread + 1 == block;
  if (element == 0 || filled->bytes % threads != 0 || rest % element != 0 || rest >= block * element ||
      !by_last_thread)
    return;
  const Line line = line_of_place(plan.asked_at);
  if (!line.known()) return;
  Finding finding;
  finding.rule = Rule::uninitialised;
  finding.kernel = writer.kernel;
  finding.array = name_of_region(region);
  const std::string name = finding.array.empty() ? described(region) : finding.array;
  finding.headline = "the last " + bytes_text(rest) + " of " + name +
                     " are copied to the host, but nothing has written to them";
  finding.parties = {{"launch of kernel " + writer.kernel, launch_line_of(writer.stack)}, {"copy", line}};
  finding.notes.push_back("kernel " + writer.kernel + " ran with " + grouped(threads) +
                          " threads, in blocks of " + grouped(block) + ", and has written " +
                          bytes_text(filled->bytes) + ": " + grouped(element) + " by each");
  finding.hint =
      "round the number of blocks up, (n + block - 1) / block: n / block is an integer already, and has lost "
      "the "
      "rest. The kernel then needs its guard, if (i < n)";
  Findings::get().add(std::move(finding), 0);
}

}  // namespace

RulePtr make_uninitialised_rule(MemoryMap& map) {
  return std::make_unique<UninitialisedRule>(map);
}

}  // namespace cuemu::check
