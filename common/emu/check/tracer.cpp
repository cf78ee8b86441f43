// What the first blocks of each launch do, access by access (CUEMU_CHECK=trace=8): which lanes of which warp touch which
// elements of which arrays, at which line, with which values, from barrier to barrier, and who then waits where or has
// returned. `grader view` draws it.
//
// The emulation runs a block's threads one after the other from barrier to barrier. What each does is kept until the
// barrier is passed, and then told for each warp in steps, as lockstep.hpp puts lanes together. So the values are those of this
// run; where threads race, another order of them would have seen others. Accesses are told before they are done: a value
// that is written is looked at when the next access, or the barrier, is told.
#include <fstream>
#include <map>
#include <mutex>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "channel.hpp"
#include "checker.hpp"
#include "lockstep.hpp"
#include "memory_map.hpp"
#include "naming.hpp"
#include "findings.hpp"
#include "options.hpp"
#include "record.hpp"
#include "recorded.hpp"
#include "worker.hpp"

namespace cuemu::check {

namespace {

constexpr std::size_t most_json = std::size_t{12} << 20;         ///< bytes, of all that is told
constexpr std::size_t most_of_launch = std::size_t{3} << 20;  ///< and of one launch, so that others have their share
constexpr std::size_t most_alive = std::size_t{1} << 20;  ///< accesses between two barriers: about 64 MB
constexpr std::uint64_t most_launches = 32;
constexpr std::uint64_t told_at_times = 1000;  ///< of those beyond them

/// How an event is told.
enum class Doing : unsigned { read, write, atomic, warp_meets, group_meets };

struct Event {
  Site site = 0;  ///< 0: lanes meet at `place`
  std::uint32_t place = 0;
  std::uint32_t array = 0;
  Doing doing = Doing::read;
  bool is_atomic = false;
  std::uint32_t size = 0;
  std::int64_t at = 0;  ///< bytes from the array's beginning; outside of it where it strays
  Value value;
};

struct Array {
  std::string name, type;
  bool shared = false, dynamic = false;
  std::size_t bytes = 0, element = 0;  ///< element 0: not known
  std::vector<std::size_t> extents;    ///< as declared
  std::uintptr_t at = 0;               ///< its address, as far as it counts for sectors and banks
};

/// A block that is recorded, as far as it came.
struct Trace {
  std::vector<std::vector<Event>> threads;  ///< since the last barrier
  std::string phases;                       ///< JSON of those before
  std::size_t alive = 0;
  bool cut = false;
  // What there is to know of a block that is gone when its kernel was stopped.
  std::size_t launch = 0;  ///< index of its launch among those that are told
  const Launch* of = nullptr;
  dim3 block;
};

struct LaunchTrace {
  std::string head;
  std::uint64_t blocks = 0;
  std::size_t bytes = 0;          ///< that are told of it
  std::vector<std::string> told;  ///< JSON of blocks; those of a record are with their reader
};

/// A write whose value is not there yet.
struct Pending {
  Trace* trace = nullptr;
  std::uint32_t thread = 0;
  std::size_t position = 0;
  std::uintptr_t address = 0;
};

class Tracer final : public RuleObserver {
 public:
  explicit Tracer(MemoryMap& map) : map_(map) {}

  bool wants_accesses() const override { return true; }
  bool wants_every_access(const Block& block) const override { return open_.count(&block) != 0; }
  void accessed(const Access& access) override;
  void strayed(const Stray& stray) override;
  void launch_begins(Launch& launch) override;
  void launch_ends(Launch& launch) override;
  void block_begins(Block& block) override;
  void block_ends(Block& block) override;
  void block_synchronised(Block& block) override;
  void grid_synchronised(Launch& launch) override;
  void warp_synchronised(Block& block, unsigned warp, std::uint32_t lanes) override;
  void group_synchronised(Block& block, const FiberList& members) override;
  void block_deadlocked(Block& block) override;
  void kernel_stopped(const char* why) override;
  void program_ends() override;

 private:
  using Waiting = std::map<std::uint32_t, std::vector<std::uint32_t>>;  ///< threads by place

  Trace* trace_of(const Block* block);
  bool is_full(std::size_t launch) const {
    return told_ >= most_json || launches_[launch].bytes >= most_of_launch;
  }
  void add_bytes(std::size_t launch, std::size_t bytes) {
    told_ += bytes;
    launches_[launch].bytes += bytes;
  }
  std::uint32_t number_of(Array array);
  void tell_launch_count() const;
  bool add(Trace& trace, unsigned thread, Event event);
  void settle();
  std::uint32_t array_of(const BlockState& state, const Region& region, std::uintptr_t address,
                         std::uintptr_t& begin);
  std::uint32_t shared_array(const BlockState& state, const Region& region, std::uintptr_t address,
                             std::uintptr_t& begin);
  std::uint32_t place_at(const Line& line);
  std::uint32_t place_of(Site site);
  void meet(Trace& trace, const Fiber& fiber, Doing doing);
  void end_phase(Trace& trace, const char* how, const Waiting& waiting);
  void tell_steps(Trace& trace, std::size_t warp, std::string& text);
  std::string step_text(const Trace& trace, std::size_t warp, const LockStep& step);
  void close(const Block* block, const char* how, const Waiting& waiting);
  Waiting waiting_in(const Block& block);

  MemoryMap& map_;
  std::recursive_mutex mutex_;
  std::vector<Array> arrays_;
  std::map<const Region*, std::uint32_t> by_region_;
  std::map<std::pair<const Kernel*, unsigned>, std::uint32_t> by_owner_;
  std::map<Line, std::uint32_t> place_of_line_;
  std::vector<Line> places_;
  std::unordered_map<Site, std::uint32_t> place_of_site_;
  std::vector<LaunchTrace> launches_;
  std::uint64_t launch_count_ = 0;
  std::map<const Launch*, std::size_t> running_;  ///< launches that are told, by index
  std::map<const Block*, Trace> open_;
  Pending pending_;
  std::size_t told_ = 0;            ///< bytes
  std::size_t findings_told_ = 0;
  const bool recorded_ = is_recorded();  ///< told line by line
};

std::string json_of(const Array& one) {
  constexpr std::uintptr_t line = 128;
  return member("array", one.name) + ", " + member("name", bare_name(one.name)) + ", " +
         member("type", one.type) + ", \"shared\": " + (one.shared ? "true" : "false") +
         ", \"dynamic\": " + (one.dynamic ? "true" : "false") + ", " + number("bytes", one.bytes) + ", " +
         number("element", one.element) +
         ", \"extents\": " + list(one.extents, [](std::size_t i) { return std::to_string(i); }) + ", " +
         number("at", one.at % line);
}

/// Arrays, places and launches are told when they are new; so a block that is told names none that is not known.
std::uint32_t Tracer::number_of(Array array) {
  if (recorded_) tell_record("{\"kind\": \"array\", " + json_of(array) + "}");
  arrays_.push_back(std::move(array));
  return static_cast<std::uint32_t>(arrays_.size() - 1);
}

std::uint32_t Tracer::place_at(const Line& line) {
  const auto [known, added] = place_of_line_.emplace(line, static_cast<std::uint32_t>(places_.size()));
  if (!added) return known->second;
  places_.push_back(line);
  if (recorded_) {
    tell_source(line.file);
    tell_record("{\"kind\": \"place\", " + json_of(line) + "}");
  }
  return known->second;
}

std::uint32_t Tracer::place_of(Site site) {
  const auto known = place_of_site_.find(site);
  return known != place_of_site_.end()
             ? known->second
             : place_of_site_.emplace(site, place_at(line_of(address_of(site)))).first->second;
}

Trace* Tracer::trace_of(const Block* block) {
  const auto found = open_.find(block);
  return found != open_.end() ? &found->second : nullptr;
}

// ---- launches and blocks

void Tracer::launch_begins(Launch& launch) {
  const Busy busy;
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  ++launch_count_;
  if (launch_count_ < options().trace_from || launches_.size() >= most_launches || told_ >= most_json) {
    if (launch_count_ % told_at_times == 0) tell_launch_count();
    return;
  }
  LaunchTrace trace;
  trace.head = number("launch", launch_count_) + ", " + member("kernel", launch.kernel->info.name) + ", " +
               three("grid", launch.grid) + ", " + three("block", launch.block);
  if (recorded_) tell_record("{\"kind\": \"launch\", " + trace.head + "}");
  running_[&launch] = launches_.size();
  launches_.push_back(std::move(trace));
}

void Tracer::block_begins(Block& block) {
  const Busy busy;
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  const auto launch = running_.find(block.launch);
  if (launch == running_.end()) return;
  if (++launches_[launch->second].blocks > options().trace || is_full(launch->second)) return;
  Trace& trace = open_[&block];
  trace = Trace();
  trace.launch = launch->second;
  trace.of = block.launch;
  trace.block = {block.block_index.x, block.block_index.y, block.block_index.z};
  trace.threads.resize(block.thread_count);
}

void Tracer::block_ends(Block& block) {
  close(&block, "end", {});
}

void Tracer::launch_ends(Launch& launch) {
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  std::vector<const Block*> left;
  for (const auto& [block, trace] : open_)
    if (trace.of == &launch) left.push_back(block);
  for (const Block* const block : left) close(block, "stopped", {});
  running_.erase(&launch);
  // What is found is told as soon as may be: the program may end at any time.
  if (!recorded_ || Findings::get().count() == findings_told_) return;
  const Busy busy;
  findings_told_ = Findings::get().count();
  tell_findings(Findings::get().merged());
}

void Tracer::close(const Block* block, const char* how, const Waiting& waiting) {
  const Busy busy;
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  settle();
  Trace* const trace = trace_of(block);
  if (trace == nullptr) return;
  end_phase(*trace, how, waiting);
  std::string text = three("block", trace->block) + ", \"cut\": " + (trace->cut ? "true" : "false") +
                     ", \"phases\": [" + trace->phases + "]}";
  if (recorded_)
    tell_record("{\"kind\": \"block\", " + number("of", trace->launch) + ", " + text);
  else
    launches_[trace->launch].told.push_back("{" + text);
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
  const auto [known, added] = by_owner_.emplace(std::make_pair(state.launch->kernel, unsigned{owner}), 0);
  if (!added) return known->second;
  Array array;
  array.shared = true;
  array.dynamic = dynamic;
  array.at = begin - region.begin;
  if (declared != nullptr) {
    array.name = declared->name;
    array.type = declared->type;
    array.extents = declared->extents;
    array.bytes = declared->bytes;
    std::size_t elements = 1;
    for (const std::size_t extent : declared->extents) elements *= extent;
    array.element = declared->bytes / std::max<std::size_t>(elements, 1);
  } else {
    array.name = dynamic_array(state);
    array.bytes = state.dynamic_end - state.dynamic_begin;
  }
  return known->second = number_of(std::move(array));
}

std::uint32_t Tracer::array_of(const BlockState& state, const Region& region, std::uintptr_t address,
                               std::uintptr_t& begin) {
  if (region.kind == RegionKind::shared) return shared_array(state, region, address, begin);
  begin = region.begin;
  const auto [known, added] = by_region_.emplace(&region, 0);
  if (!added) return known->second;
  Array array;
  array.name = name_of_region(region);
  array.bytes = region.bytes;
  array.at = region.begin;
  return known->second = number_of(std::move(array));
}

bool Tracer::add(Trace& trace, unsigned thread, Event event) {
  if (trace.cut || trace.alive >= most_alive) {
    trace.cut = true;
    return false;
  }
  ++trace.alive;
  trace.threads[thread].push_back(event);
  return true;
}

void Tracer::accessed(const Access& access) {
  const Busy busy;
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  settle();
  Trace* const trace = trace_of(current_fiber->block);
  if (trace == nullptr) return;
  Event event;
  event.site = access.site;
  std::uintptr_t begin = 0;
  event.array = array_of(access.block, access.region, access.address, begin);
  event.at = static_cast<std::int64_t>(access.address - begin);
  event.size = static_cast<std::uint32_t>(access.size);
  event.value = Value(access.address, access.size);
  const bool is_write = (access.kind & writes) != 0;
  event.doing = !is_write                                      ? Doing::read
                : (access.kind & (is_atomic | keeps_old)) != 0 ? Doing::atomic
                                                               : Doing::write;
  event.is_atomic = (access.kind & is_atomic) != 0;
  // An atomic function of the emulation that is made of a load and a compare-and-swap is one access.
  std::vector<Event>& its = trace->threads[access.thread];
  if (event.doing == Doing::atomic && (access.kind & compares) == 0 && !its.empty() && its.back().is_atomic &&
      its.back().doing == Doing::read && its.back().array == event.array && its.back().at == event.at &&
      place_of(its.back().site) == place_of(event.site)) {
    its.pop_back();
    --trace->alive;
  }
  if (add(*trace, access.thread, event) && is_write)
    pending_ = {trace, access.thread, trace->threads[access.thread].size() - 1, access.address};
}

/// The last write is done.
void Tracer::settle() {
  if (pending_.trace == nullptr) return;
  Event& event = pending_.trace->threads[pending_.thread][pending_.position];
  event.value = Value(pending_.address, event.size);
  pending_.trace = nullptr;
}

void Tracer::strayed(const Stray& stray) {
  const Busy busy;
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  settle();
  Trace* const trace = trace_of(current_fiber->block);
  if (trace == nullptr || stray.site == 0 || stray.where == Stray::Where::host) return;
  Event event;
  event.site = stray.site;
  event.size = static_cast<std::uint32_t>(stray.size);
  event.doing = (stray.kind & writes) != 0 ? Doing::write : Doing::read;
  std::uintptr_t begin = 0;
  if (stray.where == Stray::Where::shared) {
    // What lies before it is the array that it is meant to be in.
    const Region& arena = *stray.block.arena;
    const SharedArray* before = nullptr;
    for (const SharedArray& array : stray.block.layout->arrays)
      if (arena.begin + array.offset <= stray.address && (before == nullptr || before->offset < array.offset))
        before = &array;
    if (before == nullptr) return;
    event.array = shared_array(stray.block, arena, arena.begin + before->offset, begin);
  } else {
    const std::lock_guard<std::mutex> map_lock(map_.mutex);
    Region* const below = map_.nearest_below(stray.address);
    Region* const above = map_.nearest_above(stray.address);
    const std::uintptr_t behind = below != nullptr ? stray.address - below->begin : UINTPTR_MAX;
    const std::uintptr_t ahead = above != nullptr ? above->begin - stray.address : UINTPTR_MAX;
    Region* const near =
        below != nullptr && behind - std::min<std::uintptr_t>(behind, below->bytes) <= ahead ? below : above;
    if (near == nullptr || stray.address < near_null) return;
    event.array = array_of(stray.block, *near, near->begin, begin);
  }
  event.at = static_cast<std::int64_t>(stray.address - begin);
  add(*trace, current_fiber->linear, event);
}

// ---- meeting

void Tracer::meet(Trace& trace, const Fiber& fiber, Doing doing) {
  Event event;
  event.doing = doing;
  event.place = place_at(fiber.where.file != nullptr ? Line{fiber.where.file, fiber.where.line} : Line{});
  add(trace, fiber.linear, event);
}

void Tracer::warp_synchronised(Block& block, unsigned warp, std::uint32_t lanes) {
  const Busy busy;
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  settle();
  Trace* const trace = trace_of(&block);
  if (trace == nullptr) return;
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1)
    if (const Fiber* const fiber = block.warps[warp].waiting[__builtin_ctz(rest)]; fiber != nullptr)
      meet(*trace, *fiber, Doing::warp_meets);
}

void Tracer::group_synchronised(Block& block, const FiberList& members) {
  const Busy busy;
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  settle();
  Trace* const trace = trace_of(&block);
  if (trace == nullptr) return;
  for (const Fiber* fiber = members.head; fiber != nullptr; fiber = fiber->next)
    meet(*trace, *fiber, Doing::group_meets);
}

/// Who waits, and where.
Tracer::Waiting Tracer::waiting_in(const Block& block) {
  Waiting waiting;
  const auto add = [&](const Fiber& fiber) {
    waiting[place_at(fiber.where.file != nullptr ? Line{fiber.where.file, fiber.where.line} : Line{})]
        .push_back(fiber.linear);
  };
  for (const Fiber* fiber = block.barrier.waiting.head; fiber != nullptr; fiber = fiber->next) add(*fiber);
  for (unsigned warp = 0; warp * warp_width < block.thread_count; ++warp)
    for (std::uint32_t rest = block.warps[warp].arrived; rest != 0; rest &= rest - 1)
      add(*block.warps[warp].waiting[__builtin_ctz(rest)]);
  const auto& resident = reinterpret_cast<const Resident&>(block);
  for (const NamedBarrier& barrier : resident.named)
    for (const Fiber* fiber = barrier.waiting.head; fiber != nullptr; fiber = fiber->next) add(*fiber);
  for (const Fiber* fiber = resident.outer_waiting.head; fiber != nullptr; fiber = fiber->next) add(*fiber);
  return waiting;
}

void Tracer::block_synchronised(Block& block) {
  const Busy busy;
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  settle();
  if (Trace* const trace = trace_of(&block)) end_phase(*trace, "barrier", waiting_in(block));
}

void Tracer::grid_synchronised(Launch& launch) {
  const Busy busy;
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  settle();
  for (auto& [block, trace] : open_)
    if (trace.of == &launch) end_phase(trace, "grid", waiting_in(*block));
}

void Tracer::block_deadlocked(Block& block) {
  const Busy busy;
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  close(&block, "deadlock", waiting_in(block));
}

void Tracer::kernel_stopped(const char*) {
  const Busy busy;
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  close(current_fiber->block, "stopped", waiting_in(*current_fiber->block));
}

// ---- telling

/// [5, 4] for 5, 9, 13 …: the first and the way to the next; a list where there is no such way.
template <class Numbers>
std::string row_text(const Numbers& numbers) {
  const auto step = numbers.size() > 1 ? numbers[1] - numbers[0] : 0;
  bool even = true;
  for (std::size_t i = 1; i < numbers.size(); ++i) even &= numbers[i] - numbers[i - 1] == step;
  if (even && numbers.size() > 2)
    return "[" + std::to_string(numbers[0]) + "," + std::to_string(step) + "],1";
  std::string text = "[";
  for (const auto each : numbers) text += (text.size() > 1 ? "," : "") + std::to_string(each);
  return text + "],0";
}

/// Threads as ranges, both ends included: [0,31,40,40].
std::string ranges_text(std::vector<std::uint32_t> threads) {
  std::sort(threads.begin(), threads.end());
  std::string text = "[";
  for (std::size_t i = 0; i < threads.size();) {
    std::size_t end = i + 1;
    while (end < threads.size() && threads[end] == threads[end - 1] + 1) ++end;
    text +=
        (text.size() > 1 ? "," : "") + std::to_string(threads[i]) + "," + std::to_string(threads[end - 1]);
    i = end;
  }
  return text + "]";
}

/// [warp, place, array, what is done, mask of lanes, bytes of each, where in the array, 1 if in even steps, values].
std::string Tracer::step_text(const Trace& trace, std::size_t warp, const LockStep& step) {
  std::vector<std::int64_t> where;
  std::string values, first;
  bool same = true;
  const Event* event = nullptr;
  std::size_t i = 0;
  for (std::uint32_t rest = step.lanes; rest != 0; rest &= rest - 1, ++i) {
    event =
        &trace.threads[warp * warp_width + static_cast<std::size_t>(__builtin_ctz(rest))][step.positions[i]];
    where.push_back(event->at);
    std::string hex = event->value.hex();
    if (hex.empty()) hex.assign(2 * std::min<std::size_t>(event->size, 16), 'x');  // it strays
    if (i == 0) first = hex;
    same &= hex == first;
    values += hex;
  }
  if (same) values = first;
  const std::uint32_t place = event->site != 0 ? place_of(event->site) : event->place;
  std::string text = "[" + std::to_string(warp) + "," + std::to_string(place) + "," +
                     std::to_string(event->array) + "," +
                     std::to_string(static_cast<unsigned>(event->doing)) + "," + std::to_string(step.lanes);
  if (event->site == 0) return text + "]";
  return text + "," + std::to_string(event->size) + "," + row_text(where) + ",\"" + values + "\"]";
}

void Tracer::tell_steps(Trace& trace, std::size_t warp, std::string& text) {
  const std::size_t first = warp * warp_width;
  const std::size_t count = std::min<std::size_t>(warp_width, trace.threads.size() - first);
  // What lanes do at once is one kind of access of one array, from one place in the code. Numbers follow the code, not
  // the order in which lanes come.
  const auto key = [](const Event& event) {
    return std::make_tuple(event.site, event.place, event.array, event.doing, event.size);
  };
  using Key = decltype(key(Event()));
  std::vector<Key> keys;
  const auto position_of = [&](const Key& one) { return std::lower_bound(keys.begin(), keys.end(), one); };
  for (std::size_t lane = 0; lane < count; ++lane)
    for (const Event& event : trace.threads[first + lane]) {
      const Key its = key(event);
      if (const auto at = position_of(its); at == keys.end() || *at != its) keys.insert(at, its);
    }
  std::vector<std::vector<std::uint32_t>> lanes(count);
  for (std::size_t lane = 0; lane < count; ++lane)
    for (const Event& event : trace.threads[first + lane])
      lanes[lane].push_back(static_cast<std::uint32_t>(position_of(key(event)) - keys.begin()));
  for (const LockStep& step : in_lockstep(lanes)) {
    if (is_full(trace.launch)) {
      trace.cut = true;
      return;
    }
    const std::string told = (text.empty() ? "" : ",") + step_text(trace, warp, step);
    add_bytes(trace.launch, told.size());
    text += told;
  }
}

void Tracer::end_phase(Trace& trace, const char* how, const Waiting& waiting) {
  std::string steps;
  for (std::size_t warp = 0; warp * warp_width < trace.threads.size(); ++warp) tell_steps(trace, warp, steps);
  const auto told = [](const auto& group) {
    return "{" + number("place", group.first) + ", \"threads\": " + ranges_text(group.second) + "}";
  };
  const std::string text = std::string(trace.phases.empty() ? "" : ",") + "\n   {" + member("end", how) +
                           ", \"waiting\": " + list(waiting, told) + ", \"steps\": [" + steps + "]}";
  add_bytes(trace.launch, text.size() - steps.size());
  trace.phases += text;
  for (std::vector<Event>& thread : trace.threads) thread.clear();
  trace.alive = 0;
}

void Tracer::tell_launch_count() const {
  if (recorded_) tell_record("{\"kind\": \"launches\", " + number("count", launch_count_) + "}");
}

void Tracer::program_ends() {
  const Busy busy;
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  if (recorded_) return tell_launch_count();
  const auto array = [](const Array& one) { return "{" + json_of(one) + "}"; };
  const auto launch = [](const LaunchTrace& one) {
    return "\n  {" + one.head + ", " + number("blocks_begun", one.blocks) +
           ", \"blocks\": " + list(one.told, [](const std::string& block) { return "\n  " + block; }) + "}";
  };
  const std::string json = "{\"version\": 1, " + number("launches_in_all", launch_count_) +
                           ",\n \"arrays\": " + list(arrays_, array) + ",\n \"places\": " +
                           list(places_, [](const Line& line) { return "{" + json_of(line) + "}"; }) +
                           ",\n \"launches\": " + list(launches_, launch) + "}\n";
  tell_report("trace", json);
  if (!options().trace_json.empty()) std::ofstream(options().trace_json) << json;
}

}  // namespace

RulePtr make_tracer(MemoryMap& map) {
  return std::make_unique<Tracer>(map);
}

}  // namespace cuemu::check
