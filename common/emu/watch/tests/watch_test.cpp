// Tests two tools on hand-written kernels: the events that each tool receives, their order, and the values of the
// views.
#include <gmock/gmock.h>

#include <cstring>
#include <string>
#include <vector>

#include "../../tests/runtime_test_support.hpp"
#include "access_listener.hpp"
#include "observer.hpp"

// Entry points that instrumented code calls.
extern "C" {
void __tsan_read4(void*);
void __tsan_write4(void*);
void __tsan_write_range(void*, std::size_t);
void __tsan_func_entry(void*);
void __tsan_vptr_update(void**, void*);
void __tsan_vptr_read(void**);
unsigned __tsan_atomic32_fetch_add(volatile unsigned*, unsigned, int);
}

namespace {

using namespace cuemu;
using testing::ElementsAre;

const char unreadable[] = "secret";  ///< the tools report this text as unreadable

std::string text(const uint3& at) {
  return std::to_string(at.x) + "," + std::to_string(at.y) + "," + std::to_string(at.z);
}

/// Records its events as lines.
class Diary final : public Observer, public AccessListener {
 public:
  explicit Diary(ToolSlot slot) : slot_(slot) {}
  static Diary& of(ToolSlot slot) {
    static auto* const first = new Diary(ToolSlot::checker);
    static auto* const second = new Diary(ToolSlot::counters);
    return slot == ToolSlot::checker ? *first : *second;
  }
  std::vector<std::string> lines;
  std::uintptr_t base = 0;         ///< subtracted from addresses
  unsigned* host_block = nullptr;  ///< a block of 12 bytes, as host_block_end() returns

  void launch_begins(const LaunchView& launch) override {
    note(std::string("launch ") + launch.kernel->info.name + " of " +
         text({launch.grid.x, launch.grid.y, launch.grid.z}) + " blocks of " +
         text({launch.block.x, launch.block.y, launch.block.z}));
  }
  void launch_ends(const LaunchView&) override { note("launch ends"); }
  void block_begins(BlockView block) override {
    block.set_data(slot_, this);
    note("block " + std::to_string(block.number()) + " at " + text(block.index()) + " of " +
         std::to_string(block.threads()) + " threads, " + std::to_string(block.warps()) + " warps, " +
         std::to_string(block.shared().dynamic_bytes) + " bytes");
  }
  void block_ends(BlockView block) override {
    EXPECT_EQ(block.data<Diary>(slot_), this);
    EXPECT_EQ(block.returned(), block.threads());
    block.set_data(slot_, nullptr);
    note("block ends");
  }
  void cluster_begins(const std::vector<BlockView>& blocks) override {
    for (const BlockView& block : blocks)
      EXPECT_EQ(block.cluster_barrier(), blocks.front().cluster_barrier());
    note("cluster of" + numbers(blocks) + " begins");
  }
  void cluster_synchronised(const std::vector<BlockView>& blocks, unsigned gone, bool by_halves) override {
    note("cluster of" + numbers(blocks) + " meets, without " + std::to_string(gone) +
         (by_halves ? ", by halves" : ""));
  }
  void barrier_arrived(BlockView block, const void* barrier, std::uint32_t thread) override {
    EXPECT_EQ(barrier, block.cluster_barrier());
    note("thread " + std::to_string(thread) + " of block " + std::to_string(block.number()) + " arrives");
  }
  void barrier_passed(BlockView block, const void* barrier) override {
    EXPECT_EQ(barrier, block.cluster_barrier());
    note("thread " + std::to_string(current_fiber->linear) + " of block " + std::to_string(block.number()) +
         " goes on");
  }
  void fill_asked(const FillView& fill, int value) override {
    note(fill_text(fill) + " are to be " + std::to_string(value));
  }
  void filled(const FillView& fill) override { note(fill_text(fill) + " are " + std::to_string(fill.value)); }
  void block_synchronised(BlockView block) override {
    std::string threads;
    block.each_at_barrier(
        [&](std::uint32_t thread, const SourceLine&) { threads += " " + std::to_string(thread); });
    note("barrier of" + threads);
  }
  void warp_synchronised(BlockView block, unsigned warp, std::uint32_t lanes) override {
    EXPECT_EQ(block.lanes(warp).active(), lanes);
    note("warp " + std::to_string(warp));
  }
  void block_deadlocked(BlockView block) override {
    for (const WaitingThread& one : block.waiting())
      note("thread " + std::to_string(one.thread) + " waits for " +
           (one.what == WaitingThread::For::lanes ? "lanes " + std::to_string(one.mask) : "the block"));
  }
  void operation_queued(const StreamView& stream, Marker& end, const std::vector<MarkerPtr>&) override {
    EXPECT_TRUE(stream.is_legacy);
    EXPECT_EQ(end.observed[slot_], nullptr);  // the other tool has other data
    end.observed[slot_] = std::make_shared<int>(1);
  }
  void host_function_begins() override { note("a host function begins"); }
  bool text_printed(const char* text, std::size_t most, const void*) override {
    const Uninterrupted whole(*current_fiber);
    note("prints " + std::string(text, strnlen(text, most)));
    return text != unreadable;
  }
  void symbol_named_on_host(const char* name, const void* copy, std::size_t) override {
    EXPECT_NE(copy, nullptr);
    note(std::string("the host names ") + name);
  }
  void copy_planned(const CopyView& plan) override { note("a copy of " + std::to_string(plan.box.bytes())); }
  std::uintptr_t host_block_end(const void* address) const override {
    return address == host_block ? reinterpret_cast<std::uintptr_t>(host_block) + 12 : 0;
  }
  void allocated(const Allocation& made) override { note("allocated " + std::to_string(made.bytes)); }

  void access(std::uintptr_t address, std::size_t bytes, unsigned kind, const void*) override {
    if (block() == nullptr) return;
    const Uninterrupted whole(*current_fiber);  // allocations here are not the kernel's
    EXPECT_EQ(block(), this);
    note(std::string((kind & is_atomic) != 0 ? "atomic " : "") + ((kind & writes) != 0 ? "write " : "read ") +
         std::to_string(bytes) + " at " + std::to_string(address - base));
  }
  void object_made(std::uintptr_t table) override {
    const Uninterrupted whole(*current_fiber);
    if (block() != nullptr) note("an object of the table at " + std::to_string(table - base));
  }
  void table_asked_for(std::uintptr_t object, const void*) override {
    const Uninterrupted whole(*current_fiber);
    if (block() != nullptr) note("the table of the object at " + std::to_string(object - base));
  }
  std::size_t copied_by_function(std::uintptr_t, std::size_t bytes, unsigned, const void*) override {
    return bytes;
  }
  void atomic_done(std::uintptr_t, bool changed) override {
    const Uninterrupted whole(*current_fiber);
    if (block() != nullptr) note(changed ? "changed" : "not changed");
  }
  void call() {
    const Uninterrupted whole(*current_fiber);
    if (block() != nullptr) note("call");
  }
  static void enter(const void*) { of(ToolSlot::checker).call(); }
  static void leave() {}
  template <std::size_t size, bool write>
  static void plain_access(std::uintptr_t address, const void* pc) {
    Diary* const me = this_block().data<Diary>(ToolSlot::checker);
    if (me != nullptr) me->access(address, size, write ? writes : reads, pc);
  }

  std::vector<std::string> take() { return std::exchange(lines, {}); }

 private:
  static std::string numbers(const std::vector<BlockView>& blocks) {
    std::string all;
    for (const BlockView& block : blocks) all += " " + std::to_string(block.number());
    return all;
  }
  std::string fill_text(const FillView& fill) const {
    return std::to_string(fill.box.bytes()) + " bytes at " +
           std::to_string(reinterpret_cast<std::uintptr_t>(fill.to.at) - base);
  }
  Diary* block() const { return this_block().data<Diary>(slot_); }
  void note(std::string line) { lines.push_back(std::move(line)); }

  const ToolSlot slot_;
};

Diary& first() {
  return Diary::of(ToolSlot::checker);
}
Diary& second() {
  return Diary::of(ToolSlot::counters);
}

/// The second tool receives plain accesses through static functions.
void second_reads(std::uintptr_t address, const void* pc) {
  second().access(address, 4, reads, pc);
}
void second_writes(std::uintptr_t address, const void* pc) {
  second().access(address, 4, writes, pc);
}
void second_enters(const void*) {
  second().call();
}
void nothing(std::uintptr_t, const void*) {}

__attribute__((constructor(101))) void begin() {
  // Tools may register in any order, since the slots determine the order of calls.
  watch_with(second(), ToolSlot::counters);
  listen(second(), ToolSlot::counters,
         {{nothing, nothing, second_reads, nothing, nothing},
          {nothing, nothing, second_writes, nothing, nothing},
          second_enters,
          Diary::leave});
  watch_with(first(), ToolSlot::checker);
  listen(first(), ToolSlot::checker, hot_events<Diary>());
}

void exchange(unsigned* out) {
  KERNEL("exchange", {
    __tsan_write4(out + threadIdx.x);
    __syncthreads();
    __tsan_read4(out + 1 - threadIdx.x);
  });
}

TEST(Tools, AllGetALaunchInItsOrder) {
  DeviceArray<unsigned> out(2);
  for (Diary* const each : {&first(), &second()}) {
    EXPECT_THAT(each->take(), ElementsAre("allocated 8"));
    each->base = reinterpret_cast<std::uintptr_t>(out.get());
  }
  LAUNCH(exchange, (2, 2, 16), out.get());
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  const std::vector<std::string> reports = first().take();
  EXPECT_THAT(reports,
              ElementsAre("launch exchange of 2,1,1 blocks of 2,1,1",
                          "block 0 at 0,0,0 of 2 threads, 1 warps, 16 bytes", "write 4 at 0", "write 4 at 4",
                          "barrier of 0 1", "read 4 at 4", "read 4 at 0", "block ends",
                          "block 1 at 1,0,0 of 2 threads, 1 warps, 16 bytes", "write 4 at 0", "write 4 at 4",
                          "barrier of 0 1", "read 4 at 4", "read 4 at 0", "block ends", "launch ends"));
  EXPECT_EQ(second().take(), reports);
}

void other_accesses(unsigned* out) {
  KERNEL("other_accesses", {
    __tsan_func_entry(nullptr);
    __tsan_write_range(out, 12);
    __tsan_atomic32_fetch_add(out, threadIdx.x, __ATOMIC_RELAXED);
    __syncwarp();
  });
}

TEST(Tools, GetTheEventsOfCode) {
  DeviceArray<unsigned> out(3);
  first().base = second().base = reinterpret_cast<std::uintptr_t>(out.get());
  first().take();
  second().take();
  LAUNCH(other_accesses, (1, 2), out.get());
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  const std::vector<std::string> reports = first().take();
  EXPECT_THAT(reports, ElementsAre("launch other_accesses of 1,1,1 blocks of 2,1,1",
                                   "block 0 at 0,0,0 of 2 threads, 1 warps, 0 bytes", "call", "write 12 at 0",
                                   "atomic write 4 at 0", "not changed", "call", "write 12 at 0",
                                   "atomic write 4 at 0", "changed", "warp 0", "block ends", "launch ends"));
  EXPECT_EQ(second().take(), reports);
}

void virtual_calls(void** out) {
  KERNEL("virtual_calls", {
    __tsan_vptr_update(out, out + 1);
    __tsan_vptr_read(out);
  });
}

TEST(Tools, GetTablesOfVirtualFunctions) {
  DeviceArray<void*> out(2);
  first().base = second().base = reinterpret_cast<std::uintptr_t>(out.get());
  first().take();
  second().take();
  LAUNCH(virtual_calls, (1, 1), out.get());
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  const std::vector<std::string> reports = first().take();
  EXPECT_THAT(reports, ElementsAre("launch virtual_calls of 1,1,1 blocks of 1,1,1",
                                   "block 0 at 0,0,0 of 1 threads, 1 warps, 0 bytes", "write 8 at 0",
                                   "an object of the table at 8", "read 8 at 0",
                                   "the table of the object at 0", "block ends", "launch ends"));
  EXPECT_EQ(second().take(), reports);
}

void texts(int* out) {
  KERNEL("texts", {
    char unfinished[] = {'n', 'o', 'w'};
    out[0] = device_printf("%-*d%% %5.2f %Lf %hhd %lld %.2s%.*s %p%s|", 4, 1, 2.5, 1.0L, 3, 4LL, unfinished,
                           3, unfinished, nullptr, "end");
    out[1] = device_printf("%s%s", unreadable, "more");
  });
}

TEST(Tools, ReceiveTextsThatAKernelPrints) {
  int* out = nullptr;
  ASSERT_EQ(cudaMallocManaged(reinterpret_cast<void**>(&out), 2 * sizeof *out), cudaSuccess);
  first().take();
  second().take();
  testing::internal::CaptureStdout();
  LAUNCH(texts, (1, 1), out);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "1   %  2.50 1.000000 3 4 nonow (nil)end|");
  const std::vector<std::string> reports = first().take();
  EXPECT_THAT(
      reports,
      ElementsAre("launch texts of 1,1,1 blocks of 1,1,1", "block 0 at 0,0,0 of 1 threads, 1 warps, 0 bytes",
                  "prints %-*d%% %5.2f %Lf %hhd %lld %.2s%.*s %p%s|", "prints no", "prints now", "prints end",
                  "prints %s%s", "prints secret", "block ends", "launch ends"));
  EXPECT_EQ(second().take(), reports);
  EXPECT_EQ(out[1], -1) << "it prints nothing";
  cudaFree(out);
}

TEST(Tools, GetAVariableThatHostCodeNamesOnce) {
  static int limit = 5;
  static const RegisterVariable known("limit", &limit, sizeof limit);
  first().take();
  EXPECT_EQ(on_host(limit), 0) << "the host's copy begins with zeros";
  on_host(limit) = 4;
  EXPECT_THAT(first().take(), ElementsAre("the host names limit"));
  int of_device = 0;
  EXPECT_EQ(cudaMemcpyFromSymbol(&of_device, on_host(limit), sizeof limit), cudaSuccess);
  EXPECT_EQ(of_device, 5);
  EXPECT_EQ(on_host(limit), 4);
  int other = 3;
  EXPECT_EQ(&on_host(other), &other) << "it is no variable of the device";
  first().take();
  second().take();
}

TEST(Tools, GetFillsWhenTheyAreQueuedAndWhenTheyAreMade) {
  DeviceArray<unsigned> out(4);
  first().base = second().base = reinterpret_cast<std::uintptr_t>(out.get());
  first().take();
  second().take();
  ASSERT_EQ(cudaMemset(out.get() + 1, 0x102, 8), cudaSuccess);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  const std::vector<std::string> reports = first().take();
  EXPECT_THAT(reports, ElementsAre("8 bytes at 4 are to be 258", "8 bytes at 4 are 2"));
  EXPECT_EQ(second().take(), reports);
}

TEST(Tools, EndCopiesWhereTheyKnowTheEndOfAHostsBlock) {
  DeviceArray<unsigned> zeros(4);
  ASSERT_EQ(cudaMemset(zeros.get(), 0, 16), cudaSuccess);
  unsigned linear[] = {1, 2, 3, 4}, rows[] = {1, 2, 3, 4};
  first().take();
  second().host_block = linear;
  ASSERT_EQ(cudaMemcpy(linear, zeros.get(), 16, cudaMemcpyDeviceToHost), cudaSuccess);
  second().host_block = rows;
  ASSERT_EQ(cudaMemcpy2D(rows, 8, zeros.get(), 6, 6, 2, cudaMemcpyDeviceToHost), cudaSuccess);
  second().host_block = nullptr;
  EXPECT_THAT(first().take(), ElementsAre("a copy of 16", "a copy of 12"));
  EXPECT_THAT(linear, ElementsAre(0, 0, 0, 4));
  EXPECT_THAT(rows, ElementsAre(0, 0, 0, 4));
}

void cluster_meets(int) {
  // Block 1 waits first, before any split arrival.
  ::cuemu::kernel_entry(::cuemu::KernelInfo{"cluster_meets", nullptr, 0, {}, dim3(2)},
                        [=](CUEMU_KERNEL_PARAMS) mutable -> void {
                          cuemu::cluster_barrier();
                          if (blockIdx.x == 1) {
                            cuemu::cluster_barrier();
                          } else {
                            cuemu::cluster_barrier_arrive();
                            cuemu::cluster_barrier_wait();
                            return;
                          }
                          cuemu::cluster_barrier();
                        });
}

TEST(Tools, GetAClusterAsAWholeUnlessItsBarrierComesInHalves) {
  first().take();
  second().take();
  LAUNCH(cluster_meets, (2, 1), 0);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  const std::vector<std::string> reports = first().take();
  EXPECT_THAT(reports,
              ElementsAre("launch cluster_meets of 2,1,1 blocks of 1,1,1",
                          "block 0 at 0,0,0 of 1 threads, 1 warps, 0 bytes",
                          "block 1 at 1,0,0 of 1 threads, 1 warps, 0 bytes", "cluster of 0 1 begins",
                          "cluster of 0 1 meets, without 0", "thread 0 of block 1 arrives",
                          "thread 0 of block 0 arrives", "cluster of 0 1 meets, without 0, by halves",
                          "thread 0 of block 0 goes on", "block ends", "thread 0 of block 1 goes on",
                          "cluster of 1 meets, without 1", "block ends", "launch ends"));
  EXPECT_EQ(second().take(), reports);
}

TEST(Tools, GetFunctionsOfTheHostInStreams) {
  first().take();
  cudaLaunchHostFunc(
      nullptr, [](void*) { EXPECT_THAT(first().take(), ElementsAre("a host function begins")); }, nullptr);
  cudaStreamAddCallback(
      nullptr,
      [](cudaStream_t, cudaError_t, void*) {
        EXPECT_THAT(first().take(), ElementsAre("a host function begins"));
      },
      nullptr, 0);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_THAT(first().take(), ElementsAre());  // each of the launches has run
}

void never_meets(int) {
  KERNEL("never_meets", {
    if (threadIdx.x == 0)
      __syncwarp(3);
    else
      __syncthreads();
  });
}

TEST(Views, SayWhoWaitsForWhat) {
  first().take();
  testing::internal::CaptureStderr();
  LAUNCH(never_meets, (1, 2), 0);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorLaunchTimeout);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("deadlock"), std::string::npos);
  EXPECT_THAT(first().take(),
              testing::IsSupersetOf({"thread 1 waits for the block", "thread 0 waits for lanes 3"}));
}

}  // namespace
