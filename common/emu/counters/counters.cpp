#include "counters.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "options.hpp"

namespace cuemu::counters {

namespace {

constexpr std::uint32_t no_place = ~std::uint32_t{0};
constexpr std::uint64_t most_events = std::uint64_t{1}
                                      << 26;  ///< events of a block between two barriers: 512 MiB

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  a = (a ^ b) * 0x9e3779b97f4a7c15u;
  return a ^ (a >> 29);
}

thread_local Tally last_launch;

/// Returns the calling thread's block; null for host code.
BlockPaths* running_block() {
  return this_block().data<BlockPaths>(counters_slot);
}

/// Code that is built for the counters refers to this symbol (cuemu/watched.hpp). So the linker includes this object,
/// and with it the counters.
extern "C" const char cuemu_counters_are_linked = 1;

/// Runs before the program's initialisers, which register variables and may allocate.
__attribute__((constructor(101))) void begin_to_observe() {
  watch_with(Counters::get(), counters_slot);
  listen(Counters::get(), counters_slot, hot_events<Counters>());
}

/// The counters that count one kind of request.
struct RequestCounters {
  Counter shared, shared_wavefronts, shared_conflicts, global, global_sectors, global_turns, global_firsts,
      global_bytes, uncoalesced;
};
constexpr RequestCounters of_loads = {
    Counter::shared_loads,       Counter::shared_load_wavefronts, Counter::shared_load_conflicts,
    Counter::global_loads,       Counter::global_load_sectors,    Counter::global_load_turns,
    Counter::global_load_firsts, Counter::global_load_bytes,      Counter::uncoalesced_loads,
};
constexpr RequestCounters of_stores = {
    Counter::shared_stores,       Counter::shared_store_wavefronts, Counter::shared_store_conflicts,
    Counter::global_stores,       Counter::global_store_sectors,    Counter::global_store_turns,
    Counter::global_store_firsts, Counter::global_store_bytes,      Counter::uncoalesced_stores,
};

/// Returns the number of the request's sectors that the block had not accessed before.
unsigned first_sectors(const Request& request, std::unordered_set<std::uint64_t>& known) {
  unsigned fresh = 0;
  std::uint64_t last = ~std::uint64_t{0};
  for (std::uint32_t rest = request.lanes; rest != 0; rest &= rest - 1) {
    const std::uint64_t begin = request.address[static_cast<unsigned>(__builtin_ctz(rest))];
    for (std::uint64_t sector = begin / sector_bytes; sector <= (begin + request.bytes - 1) / sector_bytes;
         ++sector) {
      if (sector == last) continue;
      last = sector;
      fresh += known.insert(sector).second ? 1 : 0;
    }
  }
  return fresh;
}

/// Adds up the cost of one warp's steps.
class Pricing final : public Steps {
 public:
  Pricing(BlockPaths& block, const Paths& paths)
      : kernel_(*block.kernel),
        launch_(kernel_.launches.back().tally),
        block_(block),
        paths_(paths),
        banks_(banks_of(device_major())) {}

  void step(const Step& step) override {
    Place& place = kernel_.places[step.place];
    if (place.bytes == 0 && !place.is_condition) {  // a branch's target
      ++place.entered;
      return;
    }
    Tally tally;
    tally[Counter::steps] = 1;
    tally[Counter::lanes] = static_cast<unsigned>(__builtin_popcount(step.lanes));
    if (place.bytes != 0) price(place, step, tally);
    place.tally += tally;
    launch_ += tally;
  }
  void diverged(std::uint32_t place, std::uint32_t) override {
    ++kernel_.places[place].tally[Counter::divergent_branches];
    ++launch_[Counter::divergent_branches];
  }

 private:
  void price(const Place& place, const Step& step, Tally& tally);

  KernelTally& kernel_;
  Tally& launch_;
  BlockPaths& block_;
  const Paths& paths_;
  const Banks banks_;
};

/// The upper bits of an event's address give its memory space. Addresses in shared memory count from 0 and sort first.
constexpr std::uint64_t space_shift = 45;
constexpr std::uint64_t address_mask = (std::uint64_t{1} << space_shift) - 1;
std::uint64_t packed_address(Space space, std::uint64_t address) {
  return (static_cast<std::uint64_t>(space) - 1) << space_shift | (address & address_mask);
}
Space space_in(std::uint64_t packed) {
  return static_cast<Space>((packed >> space_shift) + 1);
}

void Pricing::price(const Place& place, const Step& step, Tally& tally) {
  Request request;
  request.bytes = place.bytes;
  Space space = Space::none;
  // The lanes at one place may access different memories through a generic pointer: the lanes of each memory form a
  // request.
  for (std::uint32_t rest = step.lanes; rest != 0;) {
    request.lanes = 0;
    for (std::uint32_t left = rest; left != 0; left &= left - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(left));
      const std::uint64_t packed = (*paths_[lane])[step.at[lane]].address();
      if (request.lanes == 0) space = space_in(packed);
      if (space_in(packed) != space) continue;
      request.lanes |= 1u << lane;
      request.address[lane] = packed & address_mask;
    }
    rest &= ~request.lanes;
    const bool stores = (place.kind & writes) != 0;
    const RequestCounters& counters = stores ? of_stores : of_loads;
    if ((place.kind & is_atomic) != 0 && stores) {
      ++tally[Counter::atomics];
      if (space == Space::shared) ++tally[Counter::shared_atomics];
      tally[Counter::atomic_turns] += contended_turns(request);
    } else if (space == Space::shared) {
      const SharedCost cost = shared_cost(request, banks_);
      ++tally[counters.shared];
      tally[counters.shared_wavefronts] += cost.wavefronts;
      tally[counters.shared_conflicts] += cost.conflicts;
    } else if (space == Space::constant) {
      ++tally[Counter::constant_loads];
      tally[Counter::constant_turns] += distinct_turns(request);
    } else {
      const GlobalCost cost = global_cost(request);
      ++tally[counters.global];
      tally[counters.global_sectors] += cost.sectors;
      tally[counters.global_turns] += cost.turns;
      tally[counters.global_bytes] += cost.bytes;
      tally[counters.global_firsts] += first_sectors(request, stores ? block_.stored : block_.loaded);
      if (cost.sectors > (cost.bytes + sector_bytes - 1) / sector_bytes) ++tally[counters.uncoalesced];
    }
  }
}

}  // namespace

Counters& Counters::get() {
  static auto* const counters = new Counters;
  return *counters;
}

Counters::Counters() = default;

std::size_t Counters::Hash::operator()(const Key& key) const {
  return mixed(mixed(reinterpret_cast<std::uintptr_t>(key.pc), key.chain), key.what);
}

// ---- events of threads

Space Counters::space_of(std::uintptr_t address) const {
  const BlockPaths& state = *running_block();
  if (address - state.shared_begin < state.shared_bytes) return Space::shared;
  if (address - device_.begin < device_.bytes) return Space::global;
  const std::lock_guard<std::mutex> lock(mutex_);
  auto after = others_.upper_bound(address);
  if (after == others_.begin()) return Space::none;
  --after;
  return address < after->second.end ? after->second.space : Space::none;
}

/// Returns the source line of `pc`. Code of the emulation's headers that was not inlined has the line of the user's
/// call.
Line Counters::line_at(const void* pc) const {
  if (const Line line = line_of(pc); line.known()) return line;
  const auto* const chain = thread_data<CallChain>(counters_slot);
  for (std::uint32_t depth = chain != nullptr ? std::min(chain->depth, CallChain::most) : 0; depth > 0;
       --depth)
    if (const Line line = line_of(chain->callers[depth - 1]); line.known()) return line;
  return {};
}

std::uint32_t Counters::place_of(const Key& key, bool is_access, unsigned bytes, unsigned kind,
                                 bool is_condition) {
  Known& near = cache_[Hash()(key) % cache_.size()];
  if (near.key == key) return near.place;
  const auto [at, fresh] = running_places_->try_emplace(key, no_place);
  if (fresh) {
    const Busy busy;
    Place place;
    // Branches in the emulation's code are not branches of the kernel.
    if (is_access || is_direct(key.pc)) place.line = line_at(key.pc);
    place.bytes = static_cast<std::uint8_t>(bytes);
    place.kind = kind;
    place.is_condition = is_condition;
    if (!is_access && !is_condition) place.code = reinterpret_cast<std::uintptr_t>(key.pc);
    if (place.line.known() && running_->places.size() < Event::most_places) {
      at->second = static_cast<std::uint32_t>(running_->places.size());
      running_->places.push_back(std::move(place));
    }
  }
  near = {key, at->second};
  return at->second;
}

void Counters::record(std::uint32_t place, std::uintptr_t address) {
  const Fiber& fiber = *current_fiber;
  BlockPaths& state = *running_block();
  if (state.events >= most_events) {
    ++running_->unseen;
    return;
  }
  ++state.events;
  const unsigned warp = fiber.linear / warp_width;
  if (warp != state.last_warp) {
    // The previous warp has usually ended, so its paths are no longer needed.
    if (this_block().lanes(state.last_warp).active() == 0) settle(this_block(), state, state.last_warp);
    state.last_warp = warp;
  }
  state.paths[fiber.linear].emplace_back(place, address);
}

/// Some atomic functions of the emulation first read the memory, and then may compare and swap. Only the read is
/// counted; it represents the whole atomic operation.
bool Counters::is_half_of_atomic(std::uintptr_t address, unsigned& kind, const void* pc) {
  BlockPaths& state = *running_block();
  const bool looks = (kind & writes) == 0 && !is_direct(pc);
  const bool second =
      (kind & compares) != 0 && state.looked_at == address && state.looking_thread == current_fiber->linear;
  state.looked_at = looks ? address : 0;
  state.looking_thread = current_fiber->linear;
  if (looks) kind |= writes;
  return second;
}

void Counters::access(std::uintptr_t address, std::size_t bytes, unsigned kind, const void* pc) {
  Fiber& fiber = *current_fiber;
  if (running_block() == nullptr || bytes == 0) return;
  // The addresses of the thread's stack, and of the fiber above it.
  if (address - reinterpret_cast<std::uintptr_t>(fiber.stack_low) <
      reinterpret_cast<std::uintptr_t>(&fiber + 1) - reinterpret_cast<std::uintptr_t>(fiber.stack_low))
    return;
  const Uninterrupted whole(fiber);
  const Space space = space_of(address);
  if (space == Space::none) return;
  if ((kind & is_atomic) != 0 && is_half_of_atomic(address, kind, pc)) return;
  const auto* const chain = thread_data<CallChain>(counters_slot);
  // An unaligned access is split into the widest pieces that its alignment allows. So is an access whose size is above
  // 16 bytes or is no power of two.
  std::size_t piece = bytes;
  if ((kind & unaligned) != 0 || bytes > 16 || (bytes & (bytes - 1)) != 0)
    piece = std::min<std::size_t>(16, (bytes | address) & -(bytes | address));
  if (space == Space::shared) address -= running_block()->shared_begin;
  for (std::size_t done = 0; done < bytes; done += piece) {
    const Key key{pc, chain != nullptr ? chain->hash[std::min(chain->depth, CallChain::most)] : 0,
                  static_cast<std::uint32_t>(1 + (done << 16 | piece << 10 | (kind & 0xffu)))};
    const std::uint32_t place = place_of(key, true, static_cast<unsigned>(piece), kind, false);
    if (place != no_place) record(place, packed_address(space, address + done));
  }
}

void Counters::control(bool is_condition, const void* pc) {
  Fiber& fiber = *current_fiber;
  if (running_block() == nullptr) return;
  const Uninterrupted whole(fiber);
  const auto* const chain = thread_data<CallChain>(counters_slot);
  const Key key{pc, chain != nullptr ? chain->hash[std::min(chain->depth, CallChain::most)] : 0, 0};
  const std::uint32_t place = place_of(key, false, 0, 0, is_condition);
  if (place != no_place) record(place, 0);
}

void Counters::enter(const void* caller) {
  if (running_block() == nullptr) return;
  auto* chain = thread_data<CallChain>(counters_slot);
  if (chain == nullptr) {
    const Uninterrupted whole(*current_fiber);
    chain = get().chains_.emplace_back(std::make_unique<CallChain>()).get();
    set_thread_data(counters_slot, chain);
  }
  const std::uint32_t depth = chain->depth++;
  if (depth >= CallChain::most) return;
  chain->callers[depth] = caller;
  chain->hash[depth + 1] = mixed(chain->hash[depth], reinterpret_cast<std::uintptr_t>(caller));
}

void Counters::leave() {
  auto* const chain = thread_data<CallChain>(counters_slot);
  if (running_block() != nullptr && chain != nullptr && chain->depth > 0) --chain->depth;
}

// ---- settling

void Counters::settle(BlockView block, BlockPaths& state, unsigned warp) {
  const LaneMasks lanes = block.lanes(warp);
  const std::uint32_t present = lanes.populated & ~state.gone[warp];
  state.gone[warp] = lanes.returned;
  Paths paths{};
  std::uint64_t events = 0;
  for (unsigned lane = 0; lane < warp_width; ++lane) {
    const unsigned thread = warp * warp_width + lane;
    if (thread >= state.paths.size()) break;
    paths[lane] = &state.paths[thread];
    events += state.paths[thread].size();
  }
  if (events == 0) return;
  Pricing pricing(state, paths);
  replay(paths, present, pricing);
  for (unsigned lane = 0; lane < warp_width && paths[lane] != nullptr; ++lane)
    state.paths[warp * warp_width + lane].clear();
  state.events -= events;
}

void Counters::settle_all(BlockView block, BlockPaths& state) {
  for (unsigned warp = 0; warp < state.gone.size(); ++warp) settle(block, state, warp);
}

void Counters::block_begins(BlockView block) {
  auto& known = blocks_[block];
  if (known == nullptr) known = std::make_unique<BlockPaths>();
  BlockPaths& state = *known;
  state.kernel = running_;
  const SharedRange shared = block.shared();
  state.shared_begin = shared.begin;
  state.shared_bytes = shared.bytes;
  state.paths.resize(block.threads());
  for (Path& path : state.paths) path.clear();
  state.gone.assign(block.warps(), 0);
  state.events = 0;
  state.last_warp = 0;
  state.loaded.clear();
  state.stored.clear();
  block.set_data(counters_slot, &state);
  Tally& tally = running_->launches.back().tally;
  ++tally[Counter::blocks];
  tally[Counter::warps] += state.gone.size();
}

void Counters::block_ends(BlockView block) {
  BlockPaths& state = *block.data<BlockPaths>(counters_slot);
  settle_all(block, state);
  LaunchTally& launch = running_->launches.back();
  touch(state.loaded, loaded_, launch.loaded);
  touch(state.stored, stored_, launch.stored);
  block.set_data(counters_slot, nullptr);
}

void Counters::block_synchronised(BlockView block) {
  auto& state = *block.data<BlockPaths>(counters_slot);
  settle_all(block, state);
  Tally& tally = running_->launches.back().tally;
  ++tally[Counter::barriers];
  for (unsigned warp = 0; warp < state.gone.size(); ++warp)
    if (block.lanes(warp).active() != 0) ++tally[Counter::warp_barriers];
  const SourceLine* const first = block.first_at_barrier();
  if (first != nullptr && first->file != nullptr) ++running_->barriers[line_of(*first)];
}

// ---- launches

std::vector<std::uint64_t> Counters::chosen_blocks(const LaunchView& launch) {
  const std::uint64_t all = launch.block_count, most = options().blocks;
  std::vector<std::uint64_t> chosen;
  if (most == 0 || all <= most) return chosen;
  // The first block, the last, and others at equal distances; an odd number of blocks includes the middle one.
  for (std::uint64_t i = 0; i < most; ++i)
    chosen.push_back(most == 1 ? all / 2
                               : (all - 1) / (most - 1) * i + (all - 1) % (most - 1) * i / (most - 1));
  return chosen;
}

void Counters::launch_begins(const LaunchView& launch) {
  launches_.lock();
  KernelTally*& kernel = by_kernel_[launch.kernel];
  if (kernel == nullptr) {
    kernels_.push_back(std::make_unique<KernelTally>());
    kernel = kernels_.back().get();
    kernel->name = launch.kernel->info.name;
  }
  running_ = kernel;
  running_places_ = &places_[launch.kernel];
  cache_.fill({});
  kernel->launches.push_back({launch.grid, launch.block, launch.dynamic_shared, 0, {}, {}});
  loaded_.clear();
  stored_.clear();
}

void Counters::launch_ends(const LaunchView& launch) {
  LaunchTally& done = running_->launches.back();
  done.occupancy = occupancy_of(launch);
  done.shared = shared_bytes_of(launch);
  last_launch = done.tally;
  for (auto& [block, state] : blocks_) block.set_data(counters_slot, nullptr);
  running_ = nullptr;
  launches_.unlock();
}

std::int64_t Counters::counted(const char* counter) const {
  const Tally& t = last_launch;
  const auto of = [&t](Counter which) { return static_cast<std::int64_t>(t[which]); };
  const struct {
    const char* name;
    std::int64_t value;
  } known[] = {
      {"warp_serialize", static_cast<std::int64_t>(t.conflicts()) + of(Counter::constant_turns)},
      {"divergent_branch", of(Counter::divergent_branches)},
      {"gld_request", of(Counter::global_loads)},
      {"gst_request", of(Counter::global_stores)},
      {"gld_coherent", of(Counter::global_loads) - of(Counter::uncoalesced_loads)},
      {"gld_incoherent", of(Counter::uncoalesced_loads)},
      {"gst_coherent", of(Counter::global_stores) - of(Counter::uncoalesced_stores)},
      {"gst_incoherent", of(Counter::uncoalesced_stores)},
      {"shared_load", of(Counter::shared_loads)},
      {"shared_store", of(Counter::shared_stores)},
      {"l1_shared_bank_conflict", static_cast<std::int64_t>(t.conflicts())},
      {"cta_launched", of(Counter::blocks)},
      {"warps_launched", of(Counter::warps)},
      {"atom_count", of(Counter::atomics)},
  };
  for (const auto& each : known)
    if (std::strcmp(each.name, counter) == 0) return each.value;
  return -1;
}

// ---- memory

void Counters::know(std::uintptr_t begin, std::size_t bytes, Space space) {
  const std::lock_guard<std::mutex> lock(mutex_);
  others_[begin] = {begin + bytes, space};
}
void Counters::allocated(const Allocation& made) {
  if (device_.bytes == 0) device_ = device_space();
  if (!in_device_space(made.begin)) know(made.begin, made.bytes, Space::global);
  const std::lock_guard<std::mutex> lock(mutex_);
  allocations_[made.begin & address_mask] = (made.begin & address_mask) + made.bytes;
}
void Counters::freed(const Allocation& allocation) {
  const std::lock_guard<std::mutex> lock(mutex_);
  allocations_.erase(allocation.begin & address_mask);
  others_.erase(allocation.begin);
}
void Counters::touch(const std::unordered_set<std::uint64_t>& sectors, std::set<std::uintptr_t>& touched,
                     std::uint64_t& bytes) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const std::uint64_t sector : sectors) {
    auto after = allocations_.upper_bound((sector + 1) * sector_bytes - 1);
    if (after == allocations_.begin()) continue;
    --after;
    if (sector * sector_bytes < after->second && touched.insert(after->first).second)
      bytes += after->second - after->first;
  }
}
void Counters::symbol_known(const char*, VariableKind kind, const volatile void* address, std::size_t bytes) {
  know(reinterpret_cast<std::uintptr_t>(address), bytes,
       kind == VariableKind::constant ? Space::constant : Space::global);
}

void Counters::program_stops(int) {
  report();
}

int Counters::program_exits(int) {
  report();
  return 0;
}

// ---- sums

namespace {
std::string base_name(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}
}  // namespace

Tally KernelTally::total() const {
  Tally sum;
  for (const LaunchTally& launch : launches) sum += launch.tally;
  return sum;
}

std::map<Line, Tally> KernelTally::by_line() const {
  std::map<Line, Tally> lines;
  for (const Place& place : places) lines[place.line] += place.tally;
  for (const auto& [line, count] : barriers) {
    // A barrier's file has the name from the compiler's command line; places have the paths of the debug information.
    Line whole = line;
    for (const Place& place : places)
      if (base_name(place.line.file) == base_name(line.file)) whole.file = place.line.file;
    lines[whole][Counter::barriers] += count;
  }
  return lines;
}

}  // namespace cuemu::counters
