// Records the first blocks of each launch, access by access (CUEMU_CHECK=trace=8). For each step between
// barriers, the record has the warps, lanes, elements, arrays, lines and values; after the steps, it has the
// threads that wait, with their places, and the threads that have returned. `grader view` draws the record.
//
// The emulation runs a block's threads one after another between barriers. Each thread's work is kept until
// the barrier is passed, and then written as steps of each warp (lockstep.hpp). The values are those of this
// run; if there are races, another order would give other values. An access is reported before it is done. So
// a written value is read when the next write, another thread's access, or the barrier is reported. For a
// copied structure, compilers report the write before the read.
#include <array>
#include <fstream>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "checker.hpp"
#include "findings.hpp"
#include "memory_map.hpp"
#include "naming.hpp"
#include "options.hpp"
#include "pointer_names.hpp"
#include "record.hpp"
#include "recorded.hpp"
#include "services.hpp"
#include "trace_log.hpp"
#include "wire/trace.hpp"

namespace cuemu::check {

namespace {

constexpr std::size_t most_json = std::size_t{12} << 20;  ///< bytes of the whole trace
constexpr std::size_t most_of_launch =
    std::size_t{3} << 20;  ///< bytes of one launch, so that other launches have their share
constexpr std::size_t most_alive = std::size_t{1} << 20;  ///< accesses between two barriers: 32 MB
constexpr std::uint64_t most_launches = 32;
constexpr std::uintptr_t line_bytes = 128;  ///< sectors and banks depend on the address within such a line
constexpr std::uint64_t count_interval = 1000;  ///< number of further launches between two written counts

using kit_wire::TraceArray;

/// A recorded block, up to its current state.
struct Trace {
  TraceLog log;      ///< the log since the last barrier
  std::string text;  ///< its record up to that barrier
  bool has_phase = false;
  bool cut = false;
  // These facts are needed if the block is dropped because its kernel was stopped.
  std::size_t launch = 0;  ///< the index of its launch among the recorded launches
  const LaunchView* of = nullptr;
};

struct LaunchTrace {
  std::uint64_t blocks = 0;
  std::size_t bytes = 0;  ///< bytes written for it
};

/// A write that is not done yet.
struct Pending {
  Trace* trace = nullptr;
  std::size_t position = 0;
  std::uintptr_t address = 0;
  unsigned thread = 0;
};

class Tracer final : public RuleObserver {
 public:
  explicit Tracer(MemoryMap& map) : map_(map) {}

  bool wants_accesses() const override { return true; }
  bool wants_every_access(BlockView block) const override { return open_.count(block) != 0; }
  void accessed(const Access& access) override;
  void strayed(const Stray& stray) override;
  void launch_begins(const LaunchView& launch) override;
  void launch_ends(const LaunchView& launch) override;
  void block_begins(BlockView block) override;
  void block_ends(BlockView block) override;
  void block_synchronised(BlockView block) override;
  void grid_synchronised(const LaunchView& launch, std::uint64_t gone) override;
  void cluster_synchronised(const std::vector<BlockView>& blocks, unsigned gone, bool by_halves) override;
  void warp_synchronised(BlockView block, unsigned warp, std::uint32_t lanes) override;
  void group_synchronised(BlockView block, const std::vector<WaitingThread>& members) override;
  void block_deadlocked(BlockView block) override;
  void kernel_stopped(const char* why) override;
  void program_ends() override;

 private:
  using Waiting = std::map<std::uint32_t, std::vector<std::uint32_t>>;  ///< threads by place

  Trace* trace_of(BlockView block);
  bool is_full(std::size_t launch) const {
    return json_bytes_ >= most_json || launches_[launch].bytes >= most_of_launch;
  }
  void add_bytes(std::size_t launch, std::size_t bytes) {
    json_bytes_ += bytes;
    launches_[launch].bytes += bytes;
  }
  void write(std::string line);
  std::uint32_t number_of(const TraceArray& array);
  void write_launch_count();
  static bool has_room(Trace& trace);
  void settle();
  std::uint32_t array_of(const BlockState& state, const Region& region, std::uintptr_t address,
                         std::uintptr_t& begin);
  std::uint32_t shared_array(const BlockState& state, const Region& region, std::uintptr_t address,
                             std::uintptr_t& begin);
  std::uint32_t place_at(const Line& line);
  std::uint32_t place_of(Site site);
  void meet(Trace& trace, unsigned thread, const SourceLine& where, Does does);
  void end_phase(Trace& trace, const char* how, const Waiting& waiting);
  void close(BlockView block, const char* how, const Waiting& waiting);
  void finish(BlockView block, Trace& trace);
  Waiting waiting_in(BlockView block);

  MemoryMap& map_;
  std::recursive_mutex mutex_;
  std::string records_;  ///< so far, for the report at the end
  std::uint32_t arrays_ = 0;
  std::map<const Region*, std::uint32_t> by_region_;
  std::map<std::pair<const Kernel*, unsigned>, std::uint32_t> by_owner_;
  std::map<Line, std::uint32_t> place_of_line_;
  std::vector<std::uint32_t> place_of_site_;  ///< 1 + the place; 0: unknown
  std::vector<LaunchTrace> launches_;
  std::uint64_t launch_count_ = 0;
  std::map<const LaunchView*, std::size_t> running_;  ///< recorded launches, by index
  std::map<BlockView, Trace> open_;
  std::optional<BlockView> asked_for_;  ///< the last block that was looked up; found_ is its trace
  Trace* found_ = nullptr;
  const Region* last_region_ = nullptr;  ///< the last region of device memory; last_array_ is its number
  std::uint32_t last_array_ = 0;
  const Kernel* last_kernel_ = nullptr;  ///< the last kernel; last_shared_ has 1 + the numbers of its shared
                                         ///< arrays, by owner
  std::array<std::uint32_t, 256> last_shared_{};
  std::vector<TraceLog> spare_;  ///< logs of ended blocks, whose memory is reused
  Pending pending_;
  std::size_t json_bytes_ = 0;  ///< the length of the trace so far
  std::size_t findings_written_ = 0;
  const bool recorded_ = is_recorded();  ///< true: records are written at once, line by line
};

void Tracer::write(std::string line) {
  if (recorded_) return send_record(std::move(line));
  records_ += records_.empty() ? '[' : ',';
  records_ += line;
}

/// Writes a new array, place or launch before any block refers to it.
std::uint32_t Tracer::number_of(const TraceArray& array) {
  write(kit_wire::trace_array_line(array));
  return arrays_++;
}

std::uint32_t Tracer::place_at(const Line& line) {
  const auto [known, added] = place_of_line_.emplace(line, static_cast<std::uint32_t>(place_of_line_.size()));
  if (!added) return known->second;
  if (recorded_) send_source(line.file);
  write(kit_wire::trace_place_line({line.file, line.line}));
  return known->second;
}

std::uint32_t Tracer::place_of(Site site) {
  if (site >= place_of_site_.size()) place_of_site_.resize(std::size_t{site} + 1);
  std::uint32_t& place = place_of_site_[site];
  if (place == 0) place = place_at(line_of(address_of(site))) + 1;
  return place - 1;
}

Trace* Tracer::trace_of(BlockView block) {
  if (block == asked_for_) return found_;
  const auto found = open_.find(block);
  asked_for_ = block;
  return found_ = found != open_.end() ? &found->second : nullptr;
}

// ---- launches and blocks

void Tracer::launch_begins(const LaunchView& launch) {
  const Busy busy;
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  ++launch_count_;
  if (launch_count_ < options().trace_from || launches_.size() >= most_launches || json_bytes_ >= most_json) {
    if (launch_count_ % count_interval == 0) write_launch_count();
    return;
  }
  const dim3 &grid = launch.grid, &block = launch.block;
  write(kit_wire::trace_launch_line(
      {launch_count_, launch.kernel->info.name, {grid.x, grid.y, grid.z}, {block.x, block.y, block.z}}));
  running_[&launch] = launches_.size();
  launches_.emplace_back();
}

void Tracer::block_begins(BlockView block) {
  const Busy busy;
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  const auto launch = running_.find(&block.launch());
  if (launch == running_.end()) return;
  if (++launches_[launch->second].blocks > options().trace || is_full(launch->second)) return;
  asked_for_.reset();
  Trace& trace = open_[block];
  trace = Trace();
  if (!spare_.empty()) {
    trace.log = std::move(spare_.back());
    spare_.pop_back();
  }
  trace.launch = launch->second;
  trace.of = &block.launch();
  trace.log.begin(block.threads());
  const uint3& index = block.index();
  trace.text = kit_wire::trace_block_begin(trace.launch, {index.x, index.y, index.z});
}

void Tracer::block_ends(BlockView block) {
  close(block, "end", {});
}

void Tracer::launch_ends(const LaunchView& launch) {
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  std::vector<BlockView> left;
  for (const auto& [block, trace] : open_)
    if (trace.of == &launch) left.push_back(block);
  for (const BlockView block : left) close(block, "stopped", {});
  running_.erase(&launch);
  // Findings are written as soon as possible, since the program may end at any time.
  if (!recorded_ || Findings::get().count() == findings_written_) return;
  const Busy busy;
  findings_written_ = Findings::get().count();
  send_findings(Findings::get().merged(), {});  // the report at the end names unchecked kernels
}

void Tracer::close(BlockView block, const char* how, const Waiting& waiting) {
  const Busy busy;
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  settle();
  Trace* const trace = trace_of(block);
  if (trace == nullptr) return;
  end_phase(*trace, how, waiting);
  finish(block, *trace);
}

/// Ends the record of a block, and writes or stores it.
void Tracer::finish(BlockView block, Trace& trace) {
  trace.text += kit_wire::trace_block_end(trace.cut);
  write(std::move(trace.text));
  spare_.push_back(std::move(trace.log));
  asked_for_.reset();
  open_.erase(block);
}

// ---- accesses

std::uint32_t Tracer::shared_array(const BlockState& state, const Region& region, std::uintptr_t address,
                                   std::uintptr_t& begin) {
  const std::size_t at = address - region.begin;
  std::uint8_t owner =
      at / 4 < state.layout->owner.size() ? state.layout->owner[at / 4] : SharedLayout::dynamic;
  if (owner == 0) owner = SharedLayout::dynamic;
  const bool dynamic = owner == SharedLayout::dynamic || owner > state.layout->arrays.size();
  const SharedArray* const declared = dynamic ? nullptr : &state.layout->arrays[owner - 1u];
  begin = declared != nullptr ? region.begin + declared->offset : state.dynamic_begin;
  if (state.launch->kernel != last_kernel_) {
    last_kernel_ = state.launch->kernel;
    last_shared_.fill(0);
  }
  if (last_shared_[owner] != 0) return last_shared_[owner] - 1;
  const auto [known, added] = by_owner_.emplace(std::make_pair(state.launch->kernel, unsigned{owner}), 0);
  if (!added) {
    last_shared_[owner] = known->second + 1;
    return known->second;
  }
  TraceArray array;
  array.shared = true;
  array.dynamic = dynamic;
  array.at = (begin - region.begin) % line_bytes;
  if (declared != nullptr) {
    array.array = declared->name;
    array.type = declared->type;
    array.extents = declared->extents;
    array.bytes = declared->bytes;
    std::size_t elements = 1;
    for (const std::size_t extent : declared->extents) elements *= extent;
    array.element = declared->bytes / std::max<std::size_t>(elements, 1);
  } else {
    array.array = dynamic_array(state).name;
    array.bytes = state.dynamic_end - state.dynamic_begin;
  }
  array.name = bare_name(array.array);
  return known->second = number_of(array);
}

std::uint32_t Tracer::array_of(const BlockState& state, const Region& region, std::uintptr_t address,
                               std::uintptr_t& begin) {
  if (region.kind == RegionKind::shared) return shared_array(state, region, address, begin);
  begin = region.begin;
  if (last_region_ == &region) return last_array_;
  last_region_ = &region;
  const auto [known, added] = by_region_.emplace(&region, 0);
  if (!added) return last_array_ = known->second;
  TraceArray array;
  array.array = name_of_region(region);
  array.name = bare_name(array.array);
  array.type = type_filled_by(region.made_at);
  array.bytes = region.bytes;
  array.at = region.begin % line_bytes;
  return last_array_ = known->second = number_of(array);
}

bool Tracer::has_room(Trace& trace) {
  trace.cut |= trace.log.size() >= most_alive;
  return !trace.cut;
}

void Tracer::accessed(const Access& access) {
  const Busy busy;
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  Trace* const trace = trace_of(this_block());
  const bool is_write = (access.kind & writes) != 0;
  if (is_write || pending_.thread != access.thread || pending_.trace != trace) settle();
  // A block's drawing shows the block's own arrays; accesses to arrays of other blocks are left out.
  if (trace == nullptr || &access.home != &access.block) return;
  DeedKind kind;
  kind.site = access.site;
  kind.place = place_of(access.site);
  std::uintptr_t begin = 0;
  kind.array = array_of(access.block, access.region, access.address, begin);
  kind.size = static_cast<std::uint32_t>(access.size);
  kind.does = !is_write                                      ? Does::read
              : (access.kind & (is_atomic | keeps_old)) != 0 ? Does::atomic
                                                             : Does::write;
  kind.is_atomic = (access.kind & is_atomic) != 0;
  const auto at = static_cast<std::int64_t>(access.address - begin);
  // An atomic function of the emulation may consist of a load and a compare-and-swap. The two count as one
  // access.
  if (kind.does == Does::atomic && (access.kind & compares) == 0)
    if (const Deed* const last = trace->log.last_of(access.thread); last != nullptr && last->at == at)
      if (const DeedKind& before = trace->log.kind_of(*last); before.is_atomic && before.does == Does::read &&
                                                              before.array == kind.array &&
                                                              before.place == kind.place)
        trace->log.drop_last_of(access.thread);
  // The kernel may never end, so the record so far is written now.
  if (!has_room(*trace)) return close(this_block(), "cut", {});
  trace->log.add(access.thread, kind, at, access.address);
  if (is_write) pending_ = {trace, trace->log.size() - 1, access.address, access.thread};
}

/// Called when the last write is done. Reads the written value.
void Tracer::settle() {
  if (pending_.trace == nullptr) return;
  pending_.trace->log.renew(pending_.position, pending_.address);
  pending_.trace = nullptr;
}

void Tracer::strayed(const Stray& stray) {
  const Busy busy;
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  settle();
  Trace* const trace = trace_of(this_block());
  if (trace == nullptr || stray.site == 0 || stray.where == Stray::Where::host ||
      stray.where == Stray::Where::constant || stray.where == Stray::Where::ended ||
      stray.home != stray.block.clocks.block)
    return;
  DeedKind kind;
  kind.site = stray.site;
  kind.place = place_of(stray.site);
  kind.size = static_cast<std::uint32_t>(stray.size);
  kind.does = (stray.kind & writes) != 0 ? Does::write : Does::read;
  kind.strays = true;
  std::uintptr_t begin = 0;
  if (stray.where == Stray::Where::shared) {
    // The nearest array before the accessed place is assumed to be the intended one.
    const Region& arena = *stray.block.arena;
    const SharedArray* before = nullptr;
    for (const SharedArray& array : stray.block.layout->arrays)
      if (arena.begin + array.offset <= stray.address && (before == nullptr || before->offset < array.offset))
        before = &array;
    if (before == nullptr) return;
    kind.array = shared_array(stray.block, arena, arena.begin + before->offset, begin);
  } else {
    const std::lock_guard<std::mutex> map_lock(map_.mutex);
    Region* const below = map_.nearest_below(stray.address);
    Region* const above = map_.nearest_above(stray.address);
    const std::uintptr_t behind = below != nullptr ? stray.address - below->begin : UINTPTR_MAX;
    const std::uintptr_t ahead = above != nullptr ? above->begin - stray.address : UINTPTR_MAX;
    Region* const near =
        below != nullptr && behind - std::min<std::uintptr_t>(behind, below->bytes) <= ahead ? below : above;
    if (near == nullptr || stray.address < near_null) return;
    kind.array = array_of(stray.block, *near, near->begin, begin);
  }
  if (has_room(*trace))
    trace->log.add(current_fiber->linear, kind, static_cast<std::int64_t>(stray.address - begin), 0);
}

// ---- meeting

void Tracer::meet(Trace& trace, unsigned thread, const SourceLine& where, Does does) {
  DeedKind kind;
  kind.does = does;
  kind.place = place_at(line_of(where));
  if (has_room(trace)) trace.log.add(thread, kind, 0, 0);
}

void Tracer::warp_synchronised(BlockView block, unsigned warp, std::uint32_t lanes) {
  const Busy busy;
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  settle();
  Trace* const trace = trace_of(block);
  if (trace == nullptr) return;
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
    if (const SourceLine* const where = block.at_warp_barrier(warp, lane); where != nullptr)
      meet(*trace, warp * warp_width + lane, *where, Does::warp_meets);
  }
}

void Tracer::group_synchronised(BlockView block, const std::vector<WaitingThread>& members) {
  const Busy busy;
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  settle();
  Trace* const trace = trace_of(block);
  if (trace == nullptr) return;
  for (const WaitingThread& each : members) meet(*trace, each.thread, each.where, Does::group_meets);
}

/// Returns the waiting threads by their locations.
Tracer::Waiting Tracer::waiting_in(BlockView block) {
  Waiting waiting;
  for (const WaitingThread& one : block.waiting())
    waiting[place_at(line_of(one.where))].push_back(one.thread);
  return waiting;
}

void Tracer::block_synchronised(BlockView block) {
  const Busy busy;
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  settle();
  Trace* const trace = trace_of(block);
  if (trace == nullptr) return;
  end_phase(*trace, "barrier", waiting_in(block));
  if (trace->cut) finish(block, *trace);
}

void Tracer::grid_synchronised(const LaunchView& launch, std::uint64_t) {
  const Busy busy;
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  settle();
  for (auto next = open_.begin(); next != open_.end();) {
    const BlockView block = next->first;
    Trace& trace = (next++)->second;
    if (trace.of != &launch) continue;
    end_phase(trace, "grid", waiting_in(block));
    if (trace.cut) finish(block, trace);
  }
}

void Tracer::cluster_synchronised(const std::vector<BlockView>& blocks, unsigned, bool by_halves) {
  if (by_halves) return;  // the threads of a barrier in halves have no common time
  const Busy busy;
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  settle();
  for (const BlockView& block : blocks) {
    Trace* const trace = trace_of(block);
    if (trace == nullptr) continue;
    end_phase(*trace, "cluster", waiting_in(block));
    if (trace->cut) finish(block, *trace);
  }
}

void Tracer::block_deadlocked(BlockView block) {
  const Busy busy;
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  close(block, "deadlock", waiting_in(block));
}

void Tracer::kernel_stopped(const char*) {
  const Busy busy;
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  close(this_block(), "stopped", waiting_in(this_block()));
}

// ---- writing

void Tracer::end_phase(Trace& trace, const char* how, const Waiting& waiting) {
  std::vector<kit_wire::TraceWait> waits;
  for (const auto& [place, threads] : waiting) waits.push_back({place, ranges_text(threads)});
  std::string& text = trace.text;
  const std::string head = kit_wire::trace_phase_begin(!std::exchange(trace.has_phase, true), how, waits);
  text += head;
  add_bytes(trace.launch, head.size());
  trace.cut |= !trace.log.write_to(text, [&](std::size_t bytes) {
    add_bytes(trace.launch, bytes);
    return !is_full(trace.launch);
  });
  text += kit_wire::trace_phase_end;
  trace.log.clear();
}

void Tracer::write_launch_count() {
  write(kit_wire::trace_launches_line(launch_count_));
}

void Tracer::program_ends() {
  const Busy busy;
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  write_launch_count();
  if (recorded_) return;
  records_ += ']';
  if (!options().trace_json.empty()) std::ofstream(options().trace_json) << records_;
  send_report("trace", std::move(records_));
}

}  // namespace

RulePtr make_tracer(MemoryMap& map) {
  return std::make_unique<Tracer>(map);
}

}  // namespace cuemu::check
