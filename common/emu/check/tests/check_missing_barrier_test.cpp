// Tests that the place of a missing barrier is found from the source around two lines.
#include "missing_barrier.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

namespace {

using namespace cuemu;
using namespace cuemu::check;

/// A file with these lines, which is removed with the object.
class SourceFile {
 public:
  explicit SourceFile(const std::vector<std::string>& lines) {
    static int files = 0;  // source_lines() caches files by name
    path_ = testing::TempDir() + "missing_barrier_" + std::to_string(getpid()) + "_" +
            std::to_string(++files) + ".cu";
    std::ofstream out(path_);
    for (const std::string& line : lines) out << line << "\n";
  }
  ~SourceFile() { std::remove(path_.c_str()); }
  SourceFile(const SourceFile&) = delete;
  SourceFile& operator=(const SourceFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// A race between a write and a later read by threads of a block with several warps.
struct Race {
  BarrierCounts barriers;  ///< passed barriers
  RaceFacts facts{Spread::block, false, true,  false, false,    false, true,
                  false,         false, false, {},    barriers, 'x'};
  Finding finding;
  Race(const SourceFile& source, int write, int read) {
    finding.parties = {{"write", {source.path(), write, 0}}, {"read", {source.path(), read, 0}}};
  }
  Race(const Race&) = delete;
  Race& operator=(const Race&) = delete;
  MissingBarrier missing() const { return {facts, finding}; }
};

TEST(MissingBarrier, BetweenTwoLines) {
  const SourceFile source({"__global__ void k(int* out) {", "  s[t] = 1;", "  out[t] = s[t + 1];", "}"});
  const Race race(source, 2, 3);
  EXPECT_EQ(race.missing().lack(), Lack::block_barrier);
  EXPECT_EQ(race.missing().text(), "a __syncthreads() belongs between lines 2 and 3");
  EXPECT_EQ(race.missing().call(), "__syncthreads()");
  EXPECT_EQ(race.missing().line_behind(), 3);
}

TEST(MissingBarrier, OutsideOfAnIf) {
  const SourceFile source(
      {"__global__ void k(int* out) {", "  if (t == 0)", "    s[t] = 1;", "  out[t] = s[t + 1];", "}"});
  EXPECT_EQ(Race(source, 3, 4).missing().text(),
            "a __syncthreads() belongs between lines 3 and 4, outside the if at line 2");
}

TEST(MissingBarrier, TwiceInALoopWithout) {
  const SourceFile source({"__global__ void k(int* out) {", "  for (int i = 0; i < 4; ++i) {",
                           "    s[t] = i;", "    out[t] += s[t + 1];", "  }", "}"});
  EXPECT_EQ(Race(source, 3, 4).missing().text(),
            "a __syncthreads() belongs between lines 3 and 4, and another one after line 4, before the next "
            "iteration of the loop at line 2 comes to line 3");
}

TEST(MissingBarrier, AtTheTurnOfALoop) {
  const SourceFile source({"__global__ void k(int* out) {", "  for (int i = 0; i < 4; ++i) {",
                           "    s[t] = i;", "    __syncthreads();", "    out[t] += s[t + 1];", "  }", "}"});
  Race race(source, 3, 5);
  race.barriers.passed(source.path().c_str(), 4);
  EXPECT_TRUE(race.missing().comes_before_next_turn());
  EXPECT_EQ(
      race.missing().text(),
      "a __syncthreads() belongs after line 5, before the next iteration of the loop at line 2 comes to "
      "line 3");
  EXPECT_EQ(race.missing().line_behind(), 0);
}

TEST(MissingBarrier, OneThatNotEveryTurnComesTo) {
  const SourceFile source({"__global__ void k(int* out) {", "  for (int i = 0; i < 4; ++i) {",
                           "    s[t] += s[t + 1];", "    if (i < 3) __syncthreads();", "  }", "}"});
  EXPECT_EQ(Race(source, 3, 3).missing().text(),
            "the barrier at line 4 is in the if at line 4, so not every iteration of the loop at line 2 "
            "comes to it: move it out of there");
}

TEST(MissingBarrier, BetweenTheCallsOfAFunction) {
  const SourceFile source({"__device__ void put(int v) {", "  s[t] = v;", "}", "__global__ void k() {",
                           "  put(1);", "  put(2);", "}"});
  const Race race(source, 2, 2);
  EXPECT_TRUE(race.missing().is_of_two_calls());
  EXPECT_EQ(race.missing().text(),
            "a __syncthreads() belongs between the calls of put() at lines 5 and 6, where all threads of the "
            "block reach it");
}

TEST(MissingBarrier, OfAWarp) {
  const SourceFile source({"__global__ void k(int* out) {", "  if (t < 32) {", "    s[t] = 1;",
                           "    out[t] = s[t + 1];", "  }", "}"});
  Race race(source, 3, 4);
  race.facts.spread = Spread::warp;
  EXPECT_EQ(race.missing().lack(), Lack::warp_barrier) << "the if lets no other warp in";
  EXPECT_EQ(race.missing().text(), "a __syncwarp() belongs between lines 3 and 4");
}

TEST(MissingBarrier, OfACluster) {
  const SourceFile source({"__global__ void k(int* out) {", "  s[t] = 1;", "  out[t] = other[t];", "}"});
  Race race(source, 2, 3);
  race.facts.spread = Spread::grid;
  EXPECT_EQ(race.missing().lack(), Lack::cluster_barrier);
  EXPECT_EQ(race.missing().text(), "a cluster.sync() belongs between lines 2 and 3");
}

/// A race between two blocks of a cooperative launch.
std::string between_blocks(const std::vector<std::string>& lines, int write, int read, int passed = 0) {
  const SourceFile source(lines);
  Race race(source, write, read);
  race.facts.spread = Spread::grid;
  race.facts.in_shared = false;
  race.facts.cooperative = true;
  if (passed != 0) race.barriers.passed(source.path().c_str(), passed);
  EXPECT_EQ(race.missing().lack(), Lack::grid_barrier);
  return race.missing().text();
}
TEST(MissingBarrier, OfTheGrid) {
  EXPECT_EQ(between_blocks({"__global__ void k() {", "  if (blockIdx.x == 0)", "    a[t] = 1;",
                            "  b[t] = a[n - t];", "}"},
                           3, 4),
            "a grid.sync() belongs between lines 3 and 4, outside the if at line 2")
      << "other blocks do not come there";
}
TEST(MissingBarrier, OfTheGridInALoop) {
  std::vector<std::string> lines = {"__global__ void k() {",
                                    "  auto all = cg::this_grid();",
                                    "  for (int i = 0; i < 4; ++i) {",
                                    "    a[t] = i;",
                                    "    __syncthreads();",
                                    "    b[t] += a[n - t];",
                                    "    __syncthreads();",
                                    "  }",
                                    "}"};
  const std::string between = "a grid.sync() belongs between lines 4 and 6";
  const std::string next = "before the next iteration of the loop at line 3 comes to line 4";
  EXPECT_EQ(between_blocks(lines, 4, 6), between + ", and another one after line 6, " + next)
      << "those of the block are for none of both";
  lines[6] = "    all.sync();";
  EXPECT_EQ(between_blocks(lines, 4, 6), between);
  lines[4] = "    cg::sync(all);";
  lines[6] = "";
  EXPECT_EQ(between_blocks(lines, 4, 6, 5), "a grid.sync() belongs after line 6, " + next);
}
TEST(MissingBarrier, OfTheGridOutsideOfTheSharesOfThreads) {
  const auto text = [](const std::string& head) {
    return between_blocks(
        {"__global__ void k() {", head, "    a[i] = i;", "    b[i] = a[n - i];", "  }", "}"}, 3, 4);
  };
  const std::string between = "a grid.sync() belongs between lines 3 and 4, ";
  const std::string outside =
      between + "outside the loop at line 2 (end it before the barrier, and begin another one after it)";
  EXPECT_EQ(text("  for (int i = t; i < n; i += stride) {"), outside);
  EXPECT_EQ(text("  for (; i < n; i += grid.size()) {"), outside);
  EXPECT_EQ(text("  for (int i = 0; i < n; i += step) {").rfind(between + "and another one", 0), 0u);
  EXPECT_EQ(text("  for (int i = t; i < n; i += 2) {").rfind(between + "and another one", 0), 0u);
}
TEST(MissingBarrier, LinesBetweenTheHalves) {
  const std::vector<std::string> lines = {"__global__ void k(cg::grid_group g) {",
                                          "  a[t] = 1;",
                                          "  auto token = g.barrier_arrive();",
                                          "  b[t] = a[n - t];",
                                          "  g.barrier_wait(std::move(token));",
                                          "  c[t] = b[n - t];",
                                          "}"};
  EXPECT_EQ(between_blocks(lines, 2, 4), "line 4 belongs after the barrier_wait() at line 5");
  EXPECT_EQ(between_blocks(lines, 4, 6), "line 4 belongs before the barrier_arrive() at line 3");
}

TEST(MissingBarrier, AtAnMbarrier) {
  const SourceFile source({"__global__ void k(int* out) {", "  s[t] = 1;", "  out[t] = s[t + 1];", "}"});
  Race race(source, 2, 3);
  race.facts.meeting = MeetingPlace{"full", false, false};
  EXPECT_EQ(race.missing().lack(), Lack::mbarrier);
  EXPECT_EQ(race.missing().text(),
            "arrive at the barrier full after line 2, and wait there for that before line 3");
}

TEST(MissingBarrier, WhereLinesAreNotKnown) {
  const SourceFile source({"int x;"});
  EXPECT_EQ(Race(source, 7, 9).missing().text(), "a __syncthreads() belongs between the two");
}

TEST(MissingBarrier, BarriersOfABlockInALine) {
  const SourceFile source({"  __syncthreads();  // all", "  // __syncthreads();", "  __syncwarp();",
                           "  block.sync();", "  tile.sync();", "  cp_async(a, b);",
                           "  v = __shfl_sync(~0u, v, 0);", "  if (__syncthreads_or(v)) return;"});
  std::string found;
  for (int line = 1; line <= 8; ++line) found += has_block_barrier({source.path(), line, 0}) ? 'x' : '.';
  EXPECT_EQ(found, "x..x...x");
}

}  // namespace
