// The records' JSON, and the examples of the page README.md.
#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

#include "wire/profile.hpp"
#include "wire/stop.hpp"
#include "wire/todo.hpp"

namespace kit_wire {
namespace {

using testing::HasSubstr;

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
}

TEST(Records, NameEveryReasonAndEveryDoingOnThePage) {
  for (const char* const name : reason_names) EXPECT_THAT(page(), HasSubstr("`" + std::string(name) + "`"));
  for (const char* const name : doing_names) EXPECT_THAT(page(), HasSubstr("`" + std::string(name) + "`"));
  EXPECT_EQ(std::size(reason_names), static_cast<std::size_t>(Reason::no_memory) + 1);
  EXPECT_EQ(std::size(doing_names), static_cast<std::size_t>(Doing::computing) + 1);
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
