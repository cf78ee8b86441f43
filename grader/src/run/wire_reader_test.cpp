// Tests that the reader returns the records that common/wire writes, and tolerates any other text of a
// student's program.
#include "run/wire_reader.hpp"

#include <gmock/gmock.h>

namespace grader {
namespace wire_reader_test {

using kit_wire::Doing;

TEST(WireReader, ReadsWhatTheWriterWrites) {
  kit_wire::Stop stop;
  stop.kernel = "product";
  stop.reason = kit_wire::Reason::deadlock;
  stop.why = "threads \"wait\"";
  stop.error = 702;
  stop.grid[0] = 2;
  stop.who = kit_wire::Who::thread;
  stop.block[1] = 1;
  stop.thread[2] = 3;
  stop.was_running = stop.thread_hidden = true;
  stop.place = {"k.cu", 41};
  stop.blocks = {{{1, 0, 0}, 8, 1, 2, {{5, Doing::tile, 255, {4, 0, 0}, {"k.cu", 45}}}},
                 {{2, 0, 0}, 8, 8, 0, {}}};
  stop.more_blocks = 9;
  stop.children = 1;
  const auto read = read_stop(stop_line(stop));
  ASSERT_TRUE(read);
  EXPECT_EQ(stop_line(*read), stop_line(stop));

  const kit_wire::CudaError error{700, "an access", "cudaFree(p)", {"a.cu", 3}, "a cause."};
  ASSERT_TRUE(read_cuda_error(cuda_error_line(error)));
  EXPECT_EQ(cuda_error_line(*read_cuda_error(cuda_error_line(error))), cuda_error_line(error));
}

TEST(WireReader, ReadsABlank) {
  const auto todo = read_todo(kit_wire::todo_line({2, {"a.cu", 30}}));
  ASSERT_TRUE(todo);
  EXPECT_EQ(todo->part, 2);
  EXPECT_EQ(kit_wire::words_of(todo->place), "a.cu:30");
  EXPECT_FALSE(read_todo("{}"));
}

TEST(WireReader, KnowsEveryName) {
  for (const char* const name : kit_wire::reason_names) {
    const auto stop = read_stop(R"({"kind":"stop","reason":")" + std::string(name) + R"("})");
    EXPECT_STREQ(name_in(kit_wire::reason_names, stop->reason), name);
  }
}

TEST(WireReader, SurvivesAnyContent) {
  EXPECT_FALSE(read_stop("[]"));
  EXPECT_FALSE(read_stop("{"));
  EXPECT_FALSE(read_stop(R"({"kind":"end"})"));
  const auto stop = read_stop(
      R"({"kind":"stop","kernel":7,"error":-1,"line":1e99,"grid":[1,"x",99999999999],"blocks":[1,{"groups":{}}]})");
  ASSERT_TRUE(stop);
  EXPECT_EQ(stop->kernel, "");
  EXPECT_EQ(stop->error, 0);
  EXPECT_EQ(stop->blocks.size(), 2u);
  EXPECT_EQ(read_stop(R"({"kind":"stop","kernel":")" + std::string(5000, 'k') + R"("})")->kernel.size(),
            1024u);
}

TEST(WireReader, SeesALinesKind) {
  EXPECT_EQ(kind_of_line(R"({"kind":"stop","kernel":"k"})"), "stop");
  EXPECT_EQ(kind_of_line(R"({"kind":"stop)"), "stop");
  EXPECT_EQ(kind_of_line("kind"), "");
}

}  // namespace wire_reader_test
}  // namespace grader
