// Tests the records' JSON, and the examples of the page README.md.
#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

#include "wire/finding.hpp"
#include "wire/profile.hpp"
#include "wire/stop.hpp"
#include "wire/todo.hpp"
#include "wire/trace.hpp"

namespace kit_wire {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string page() {
  std::stringstream text;
  text << std::ifstream(KIT_SOURCE_DIR "/common/wire/README.md").rdbuf();
  return text.str();
}

/// A line of the page's examples.
auto on_the_page(const std::string& line) {
  return testing::ResultOf(
      [line](const std::string& text) { return text.find("    " + line + "\n") != text.npos; },
      testing::IsTrue());
}

Stop a_stop() {
  Stop stop;
  stop.kernel = "product";
  stop.reason = Reason::time_limit;
  stop.why = "it ran longer than CUEMU_TIMEOUT allows";
  stop.error = 702;
  stop.grid[0] = 2, stop.grid[1] = stop.grid[2] = 1;
  stop.block_dim[0] = 8, stop.block_dim[1] = stop.block_dim[2] = 1;
  stop.who = Who::thread;
  stop.block[0] = 1;
  stop.thread[0] = 3;
  stop.was_running = true;
  stop.place = {"k.cu", 41};
  BlockState state;
  state.block[0] = 1;
  state.threads = 8;
  state.groups.push_back({7, Doing::block_barrier, 0, {0, 0, 0}, {"k.cu", 45}});
  stop.blocks.push_back(state);
  return stop;
}

Finding a_finding() {
  Finding finding;
  finding.rule = "race";
  finding.group = "races";
  finding.kernel = "product";
  finding.array = "tile";
  finding.element = {"shared", {1, 2}, 18, 4};
  finding.headline =
      "two threads of block (0,0,0) touch tile[1][2] (shared float[16][16]) with no barrier between them";
  finding.parties = {{"write by thread (2,1,0)",
                      {"k.cu", 12},
                      5,
                      17,
                      "tile[ty][tx] = a[i];",
                      Access::write,
                      Index{2, 1, 0},
                      Index{0, 0, 0}},
                     {"read by thread (3,1,0)",
                      {"k.cu", 13},
                      12,
                      23,
                      "sum += tile[ty][k];",
                      Access::read,
                      Index{3, 1, 0},
                      Index{0, 0, 0}}};
  finding.hint = "a __syncthreads() belongs between lines 12 and 13";
  finding.count = 64;
  finding.blocks = 1;
  finding.between = finding.within = "block";
  finding.missing = "block-barrier";
  finding.barrier_lines = {12, 13};
  return finding;
}

TEST(JsonString, EscapesWhatItMust) {
  EXPECT_EQ(json_string("a\"b\\c\nd"), "\"a\\\"b\\\\c\\u000ad\"");
}

TEST(Object, HoldsMembersInTheirOrder) {
  const unsigned sizes[3] = {1, 2, 3};
  EXPECT_EQ(Object().add("a", "to").add("b", true).add("c", -4).add("d", sizes).json("e", "[]").text(),
            R"({"a":"to","b":true,"c":-4,"d":[1,2,3],"e":[]})");
  EXPECT_EQ(Object().text(), "{}");
}

TEST(Records, AreThoseOfThePage) {
  EXPECT_THAT(page(), on_the_page(header_line({"emulation", "NVIDIA H200 (emulated)", "cuemu", true})));
  KernelRun run{"matrixMul", {1, 3}, {1, 1, 1}, {8, 8, 1}};
  run.registers = 32;
  EXPECT_THAT(page(), on_the_page(kernel_line(run)));
  EXPECT_THAT(page(), on_the_page(copy_line("h2d", 256, {1, 3})));
  EXPECT_THAT(page(), on_the_page(fill_line(256, {1, 3})));
  EXPECT_THAT(page(), on_the_page(allocation_line(140000, 256)));
  EXPECT_THAT(page(), on_the_page(release_line(140000)));
  EXPECT_THAT(page(), on_the_page(content_line({"d2h", 256, 7, 5, false})));
  EXPECT_THAT(page(), on_the_page(timer_line("kernel", 3)));
  EXPECT_THAT(page(), on_the_page(note_line("16 activities were lost")));
  for (const char* const event : {"host_visible", "fork", "end"})
    EXPECT_THAT(page(), on_the_page(event_line(event)));
  EXPECT_THAT(page(), on_the_page(stop_line(a_stop())));
  EXPECT_THAT(page(), on_the_page(cuda_error_line({700,
                                                   "an illegal memory access was encountered",
                                                   "cudaDeviceSynchronize()",
                                                   {"matrixmul.cu", 80},
                                                   "kernel product, thread (3, 0, 0) of block (1, 0, 0): a "
                                                   "read at k.cu:41 through a null pointer."})));
  EXPECT_THAT(page(), on_the_page(todo_line({2, {"matrixmul.cu", 30}})));
  EXPECT_THAT(page(),
              on_the_page(report_line("counters_table", json_string("counters of product: 1 launch"))));
  EXPECT_THAT(page(), on_the_page(report_line(
                          "findings", findings_json(std::vector{a_finding()}, std::vector<std::string>{}))));
}

TEST(Records, OfATraceAreThoseOfThePage) {
  TraceArray array;
  array.array = "d_P";
  array.name = "P";
  array.type = "float";
  array.bytes = 256;
  EXPECT_THAT(page(), on_the_page(trace_array_line(array)));
  EXPECT_THAT(page(), on_the_page(trace_place_line({"k.cu", 12})));
  EXPECT_THAT(page(), on_the_page(trace_launch_line({1, "product", {1, 1, 1}, {8, 1, 1}})));
  const std::string step = R"([0,0,0,1,255,4,[0,4],1,"0000803f"])";
  EXPECT_THAT(page(), on_the_page(trace_block_begin(0, {0, 0, 0}) + trace_phase_begin(true, "end", {}) +
                                  step + trace_phase_end + trace_block_end(false)));
  EXPECT_EQ(trace_phase_begin(false, "barrier", {{3, "[0,7]"}}),
            R"(,{"end":"barrier","waiting":[{"place":3,"threads":[0,7]}],"steps":[)");
  EXPECT_THAT(page(), on_the_page(trace_launches_line(1)));
  EXPECT_THAT(page(), on_the_page(program_line("a.out", {"8"})));
  EXPECT_THAT(page(), on_the_page(source_line("k.cu", "int main() {}")));
  EXPECT_THAT(page(), on_the_page(program_end_line(0)));
  EXPECT_THAT(page(), on_the_page(program_end_line(-11)));
}

TEST(Records, NameEveryReasonAndEveryDoingOnThePage) {
  for (const char* const name : reason_names) EXPECT_THAT(page(), HasSubstr("`" + std::string(name) + "`"));
  for (const char* const name : doing_names) EXPECT_THAT(page(), HasSubstr("`" + std::string(name) + "`"));
  EXPECT_STREQ(access_names[0], "") << "none is left out";
  for (std::size_t i = 1; i < std::size(access_names); ++i)
    EXPECT_THAT(page(), HasSubstr("`" + std::string(access_names[i]) + "`"));
  EXPECT_EQ(std::size(access_names), static_cast<std::size_t>(Access::atomic_update) + 1);
  EXPECT_EQ(std::size(reason_names), static_cast<std::size_t>(Reason::no_memory) + 1);
  EXPECT_EQ(std::size(doing_names), static_cast<std::size_t>(Doing::computing) + 1);
}

TEST(Finding, LeavesOutWhatIsUnknown) {
  Finding finding;
  finding.rule = "leak";
  finding.parties.emplace_back().what = "allocation";
  const std::string json = findings_json(std::vector{finding}, std::vector<std::string>{"other"});
  for (const char* const fact : {"space", "indices", "element", "bytes", "barrier_lines", "access", "thread"})
    EXPECT_THAT(json, Not(HasSubstr("\"" + std::string(fact) + "\":")));
  EXPECT_THAT(json, HasSubstr(R"("not_checked":["other"])"));
}

TEST(Stop, LeavesOutWhatIsUnknown) {
  Stop stop;
  stop.kernel = "k";
  stop.reason = Reason::no_memory;
  EXPECT_EQ(
      stop_line(stop),
      R"({"kind":"stop","kernel":"k","reason":"no_memory","why":"","error":0,"grid":[0,0,0],"block_dim":[0,0,0]})");
}

TEST(Lines, ATimeThatRunsBackwardsIsZero) {
  EXPECT_THAT(fill_line(4, {9, 5}), HasSubstr("\"duration_ns\":0"));
}

}  // namespace
}  // namespace kit_wire
