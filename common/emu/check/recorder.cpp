// Records how an element of a global array got its value (CUEMU_CHECK=record=P:19:4). For each write to the
// element, the record has the thread, the line, and the reads that the thread made since its previous write
// or its block's beginning. If a value was read from shared memory, the record also has the thread that wrote
// it there, and the element of global memory that it was copied from.
//
// An access is reported before it is done. So a written value is read later, at the next access or the
// block's end. A thread's reads are kept until its block ends, since any thread may write the element later.
// All lists are bounded; what exceeds a bound is only counted.
#include <deque>
#include <fstream>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>

#include "checker.hpp"
#include "memory_map.hpp"
#include "naming.hpp"
#include "options.hpp"
#include "recorded.hpp"
#include "services.hpp"
#include "timeline.hpp"

namespace cuemu::check {

namespace {

constexpr std::size_t most_reads_of_thread = 4096;
constexpr std::size_t most_reads_alive = std::size_t{1} << 19;  ///< for all running blocks: about 64 MB
constexpr std::size_t most_writes = 64;                         ///< the last writes are kept
constexpr std::size_t most_reads_kept = 8192;                   ///< for all writes together

/// The thread that wrote a word of shared memory, and the element of global memory that the word was copied from, if
/// any.
struct Origin {
  std::uint32_t thread = 0;
  Site site = 0;
  const Region* copied = nullptr;
  std::uintptr_t address = 0;
  std::size_t size = 0;
};

struct Read {
  Region* region = nullptr;
  std::uintptr_t address = 0;
  std::size_t size = 0;
  Site site = 0;
  Value value;
  std::optional<Origin> origin;  ///< in shared memory, if a thread of the block wrote it
};

/// The reads of a thread since it wrote the element, or since its block began.
struct ThreadLog {
  std::vector<Read> reads;
  std::size_t left_out = 0;
  std::optional<Read> latest;  ///< the last read, if the thread has not written since
};

struct BlockLog {
  std::vector<ThreadLog> threads;
  std::unordered_map<std::uintptr_t, Origin> shared;  ///< by address
};

/// A write that is not done yet.
struct Pending {
  BlockState* block = nullptr;
  BlockState* home = nullptr;  ///< the block that owns the shared memory
  Region* region = nullptr;
  std::uintptr_t address = 0;
  std::size_t size = 0;
  unsigned kind = 0;
  Site site = 0;
  unsigned thread = 0;
  std::uintptr_t element = 0;  ///< the recorded element, if this write covers it
};

using kit_wire::Object;

Object& add_element(Object& to, const ElementPlace& place) {
  return to.add("array", place.array)
      .add("name", bare_name(place.array))
      .json("indices", kit_wire::json_numbers(place.indices));
}

class Recorder final : public RuleObserver {
 public:
  explicit Recorder(MemoryMap& map) : map_(map) {}

  bool wants_accesses() const override { return true; }
  bool wants_every_access(BlockView) const override { return true; }
  void accessed(const Access& access) override;
  void launch_begins(const LaunchView& launch) override;
  void launch_ends(const LaunchView& launch) override;
  void block_begins(BlockView block) override;
  void block_ends(BlockView block) override;
  void kernel_stopped(const char* why) override;
  void copied(const CopyView& plan) override;
  void filled(const FillView& plan) override;
  void program_ends() override;

 private:
  struct WriteRecord {
    std::uint64_t number;
    std::vector<std::string> reads;  ///< as JSON
    std::size_t left_out;
    kit_wire::Object head;  ///< everything but the reads
  };

  ThreadLog& log_of(const BlockState& block, unsigned thread);
  void note_read(const Access& access, ThreadLog& log);
  void settle();
  void record_write(const Pending& write, ThreadLog& log);
  template <class ValueAt>
  void record_host_write(const char* by, const Place& to, const Box& box, std::uint32_t asked_at,
                         const ValueAt& value_at);
  void keep(WriteRecord record);
  std::string json_of_read(const BlockState& block, const Read& read);
  std::string json_of_origin(const BlockState& block, const Origin& origin);
  std::uintptr_t element_in(std::uintptr_t address, std::size_t size) const;
  void find_element();
  void look_at_neighbours();
  const Line& line_at(Site site);
  void forget(BlockLog& log);

  MemoryMap& map_;
  const RecordedElement& asked_ = options().record;
  std::recursive_mutex mutex_;
  std::set<std::tuple<std::uint64_t, std::string, std::size_t>> arrays_;  ///< number, name, bytes
  std::string found_;                                                     ///< the array's name
  std::size_t array_bytes_ = 0;
  std::vector<Region*> regions_;  ///< regions of that name
  std::unordered_map<const BlockState*, BlockLog> logs_;
  std::size_t alive_ = 0;  ///< the number of reads in logs_
  std::optional<Pending> pending_;
  std::uint64_t launches_ = 0, writes_ = 0;
  std::deque<WriteRecord> records_;
  std::size_t reads_kept_ = 0;
  std::map<int, std::string> neighbours_;  ///< JSON, by distance from the element
  std::map<Site, Line> lines_;
};

const Line& Recorder::line_at(Site site) {
  const auto known = lines_.find(site);
  return known != lines_.end() ? known->second
                               : lines_.emplace(site, line_of(address_of(site))).first->second;
}

void Recorder::forget(BlockLog& log) {
  for (const ThreadLog& thread : log.threads) alive_ -= thread.reads.size();
  log = BlockLog();
}

ThreadLog& Recorder::log_of(const BlockState& block, unsigned thread) {
  BlockLog& log = logs_[&block];
  if (log.threads.size() <= thread) log.threads.resize(thread + 1);
  return log.threads[thread];
}

/// Returns the address of the recorded element if an access touches it; otherwise 0.
std::uintptr_t Recorder::element_in(std::uintptr_t address, std::size_t size) const {
  for (const Region* const region : regions_) {
    const std::uintptr_t element = region->begin + asked_.index * asked_.bytes;
    if (region->contains(element, asked_.bytes) && address < element + asked_.bytes &&
        element < address + size)
      return element;
  }
  return 0;
}

/// Finds the element's allocation by the name of its pointer in the source. An exact name takes precedence
/// over a similar one.
void Recorder::find_element() {
  std::vector<Region*> exact, alike;
  {
    const std::lock_guard<std::mutex> lock(map_.mutex);
    map_.each([&](Region& region) {
      if (region.retired() || region.kind == RegionKind::shared || region.kind == RegionKind::heap) return;
      const std::string name = name_of_region(region);
      if (name.empty()) return;
      if (!region.for_host()) arrays_.insert({region.number, name, region.bytes});
      if (name == asked_.array) exact.push_back(&region);
      if (bare_name(name) == bare_name(asked_.array)) alike.push_back(&region);
    });
  }
  regions_ = exact.empty() ? alike : exact;
  if (regions_.empty()) return;
  found_ = name_of_region(*regions_.front());
  array_bytes_ = regions_.front()->bytes;
}

void Recorder::launch_begins(const LaunchView&) {
  const Busy busy;
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  ++launches_;
  find_element();
}

void Recorder::block_begins(BlockView block) {
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  forget(logs_[block.data<BlockState>(checker_slot)]);
}

void Recorder::block_ends(BlockView block) {
  const Busy busy;
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  settle();
  forget(logs_[block.data<BlockState>(checker_slot)]);
}

void Recorder::kernel_stopped(const char*) {
  const Busy busy;
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  settle();
}

void Recorder::launch_ends(const LaunchView&) {
  const Busy busy;
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  pending_.reset();
  if (writes_ == 0) look_at_neighbours();
}

void Recorder::accessed(const Access& access) {
  const Busy busy;
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  settle();
  ThreadLog& log = log_of(access.block, access.thread);
  const bool only_writes = (access.kind & writes) != 0 && (access.kind & keeps_old) == 0;
  if (!only_writes) note_read(access, log);
  if ((access.kind & writes) != 0)
    pending_ = Pending{
        &access.block,  &access.home,  &access.region,
        access.address, access.size,   access.kind,
        access.site,    access.thread, access.in_shared ? 0 : element_in(access.address, access.size)};
}

void Recorder::note_read(const Access& access, ThreadLog& log) {
  Read read{&access.region, access.address, access.size, access.site, Value(access.address, access.size), {}};
  if (access.in_shared && &access.home == &access.block) {
    const BlockLog& block = logs_[&access.block];
    if (const auto known = block.shared.find(access.address); known != block.shared.end())
      read.origin = known->second;
  }
  log.latest = read;
  if (log.reads.size() >= most_reads_of_thread || alive_ >= most_reads_alive) {
    ++log.left_out;
    return;
  }
  log.reads.push_back(read);
  ++alive_;
}

/// Called when the last write is done.
void Recorder::settle() {
  if (!pending_) return;
  const Pending write = *pending_;
  pending_.reset();
  ThreadLog& log = log_of(*write.block, write.thread);
  if (write.home != write.block) {
    logs_[write.home].shared.erase(write.address);  // of another block's thread: origins store no block
  } else if (write.region->kind == RegionKind::shared) {
    Origin origin{write.thread, write.site, nullptr, 0, 0};
    if (log.latest && log.latest->region->kind != RegionKind::shared &&
        log.latest->value == Value(write.address, write.size)) {
      origin.copied = log.latest->region;
      origin.address = log.latest->address;
      origin.size = log.latest->size;
    }
    logs_[write.block].shared[write.address] = origin;
  } else if (write.element != 0) {
    record_write(write, log);
    alive_ -= log.reads.size();
    log = ThreadLog();
  }
  log.latest.reset();
}

std::string Recorder::json_of_origin(const BlockState& block, const Origin& origin) {
  Object object;
  object.json("thread", json_of(index_of(block.launch->block, origin.thread)));
  add_line(object, line_at(origin.site));
  if (origin.copied != nullptr)
    add_element(object, place_of(block, *origin.copied, origin.address, origin.size));
  return object.text();
}

std::string Recorder::json_of_read(const BlockState& block, const Read& read) {
  const ElementPlace place = place_of(block, *read.region, read.address, read.size);
  Object object;
  add_element(object, place)
      .add("type", place.type)
      .add("shared", read.region->kind == RegionKind::shared)
      .add("value", read.value.hex());
  add_line(object, line_at(read.site));
  if (read.origin) object.json("from", json_of_origin(block, *read.origin));
  return object.text();
}

void Recorder::record_write(const Pending& write, ThreadLog& log) {
  const BlockState& block = *write.block;
  const LaunchView& launch = *block.launch;
  WriteRecord record{++writes_, {}, log.left_out, {}};
  for (const Read& read : log.reads) record.reads.push_back(json_of_read(block, read));
  record.head.add("number", writes_)
      .add("by", (write.kind & is_atomic) != 0 ? "atomic" : "thread")
      .add("launch", launches_)
      .add("kernel", launch.kernel->info.name)
      .json("grid_dim", json_of(launch.grid))
      .json("block_dim", json_of(launch.block))
      .json("block", json_of(index_of(launch.grid, block.clocks.block)))
      .json("thread", json_of(index_of(launch.block, write.thread)));
  add_line(record.head, line_at(write.site)).add("value", Value(write.element, asked_.bytes).hex());
  keep(std::move(record));
}

void Recorder::keep(WriteRecord record) {
  reads_kept_ += record.reads.size();
  records_.push_back(std::move(record));
  if (records_.size() > most_writes) {
    reads_kept_ -= records_.front().reads.size();
    records_.pop_front();
  }
  for (WriteRecord& old : records_) {  // drops reads of older writes: the last write is the most useful
    if (reads_kept_ <= most_reads_kept || &old == &records_.back()) break;
    reads_kept_ -= old.reads.size();
    old.left_out += old.reads.size();
    old.reads.clear();
  }
}

/// Records a copy or a fill by the host. It is reported before it is done, and host code can't read device
/// memory. So the value is read from the source.
template <class ValueAt>
void Recorder::record_host_write(const char* by, const Place& to, const Box& box, std::uint32_t asked_at,
                                 const ValueAt& value_at) {
  const Busy busy;
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  if (in_kernel()) return;
  find_element();
  for (std::size_t z = 0; z < box.depth; ++z)
    for (std::size_t y = 0; y < box.height; ++y) {
      const auto row = reinterpret_cast<std::uintptr_t>(to.at + z * to.slice + y * to.row);
      const std::uintptr_t element = element_in(row, box.width);
      if (element < row || element + asked_.bytes > row + box.width) continue;
      const Value value = value_at(z, y, element - row);
      WriteRecord record{++writes_, {}, 0, {}};
      record.head.add("number", writes_).add("by", by).add("launch", launches_);
      add_line(record.head, line_of_place(asked_at)).add("value", value.hex());
      keep(std::move(record));
    }
}

void Recorder::copied(const CopyView& plan) {
  record_host_write(
      "copy", plan.to, plan.box, plan.asked_at, [&](std::size_t z, std::size_t y, std::size_t at) {
        if (plan.direction != cudaMemcpyHostToDevice) return Value();
        return Value(
            reinterpret_cast<std::uintptr_t>(plan.from.at + z * plan.from.slice + y * plan.from.row) + at,
            asked_.bytes);
      });
}

void Recorder::filled(const FillView& plan) {
  record_host_write("fill", plan.to, plan.box, plan.asked_at, [&](std::size_t, std::size_t, std::size_t at) {
    Value value;
    value.size = static_cast<std::uint32_t>(asked_.bytes);
    for (std::size_t i = 0; i < asked_.bytes; ++i)
      value.bytes[i] = static_cast<unsigned char>(plan.value >> 8 * ((at + i) % plan.element));
    return value;
  });
}

/// If the element was never written, records which threads wrote the elements beside it.
void Recorder::look_at_neighbours() {
  for (Region* const region : regions_)
    for (const int step : {-1, 1}) {
      if ((step < 0 && asked_.index == 0) || region->retired()) continue;
      const std::size_t index = step < 0 ? asked_.index - 1 : asked_.index + 1;
      const std::uintptr_t address = region->begin + index * asked_.bytes;
      if (!region->contains(address, asked_.bytes)) continue;
      const Mark last = region->at(address).write;
      if (last.empty() || last.epoch() == Epochs::outside_kernels) continue;
      const Stamp stamp = last.stamp();
      const Era era = Timeline::get().era(stamp.era);
      if (era.doing != Doing::kernel) continue;
      Object neighbour;
      neighbour.add("index", index)
          .add("kernel", era.kernel)
          .json("block", json_of(index_of(era.grid, stamp.block)))
          .json("thread", json_of(index_of(era.block, stamp.thread)));
      neighbours_[step] = add_line(neighbour, line_at(stamp.site)).text();
    }
}

void Recorder::program_ends() {
  const Busy busy;
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  const auto array = [](const auto& one) {
    return Object().add("name", std::get<1>(one)).add("bytes", std::get<2>(one)).text();
  };
  const auto write = [](const WriteRecord& one) {
    const auto as_it_is = [](const std::string& read) { return read; };
    Object object = one.head;
    return object.add("left_out", one.left_out)
        .json("reads", kit_wire::json_array(one.reads, as_it_is))
        .text();
  };
  const std::string json =
      Object()
          .add("version", kit_wire::format)
          .add("array", found_)
          .add("array_bytes", array_bytes_)
          .add("index", asked_.index)
          .add("bytes", asked_.bytes)
          .add("launches", launches_)
          .add("count", writes_)
          .json("arrays", kit_wire::json_array(arrays_, array))
          .json("neighbours", kit_wire::json_array(neighbours_, [](const auto& one) { return one.second; }))
          .json("writes", kit_wire::json_array(records_, write))
          .text();
  send_report("record", json);
  if (!options().record_json.empty()) std::ofstream(options().record_json) << json;
}

}  // namespace

RulePtr make_recorder(MemoryMap& map) {
  return std::make_unique<Recorder>(map);
}

}  // namespace cuemu::check
