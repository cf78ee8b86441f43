#include "driver/messages.hpp"

#include <gtest/gtest.h>

namespace emucc {
namespace messages_test {

TEST(Messages, SaidTwiceIsSaidOnceWithTheColumnOfTheUser) {
  EXPECT_EQ(
      tidy_messages("a.cu: In lambda function:\n"
                    "a.cu:3:162: error: 'N' was not declared in this scope\n"
                    "    3 |   if (i < N) a[i] = i;\n"
                    "      |                                   ^\n"
                    "a.cu: In lambda function:\n"
                    "\033[1ma.cu:3:11:\033[0m \033[31merror: \033[0m'N' was not declared in this scope\n"
                    "    3 |   if (i < N) a[i] = i;\n"
                    "      |           ^\n"
                    "a.cu:4:1: note: later\n"),
      "\033[1ma.cu:3:11:\033[0m \033[31merror: \033[0m'N' was not declared in this scope\n"
      "    3 |   if (i < N) a[i] = i;\n"
      "      |           ^\n"
      "a.cu:4:1: note: later\n");
}

TEST(Messages, OthersStayAsTheyAre) {
  const std::string text =
      "In file included from b.h:1,\n                 from a.cu:2:\nc.h: In function 'int f()':\n"
      "c.h:3:4: error: one\n  3 | x\nc.h:3:4: error: two\nc.h:4:4: error: two\ncc1plus: all warnings\n";
  EXPECT_EQ(tidy_messages(text), text);
  EXPECT_EQ(tidy_messages(""), "");
  EXPECT_EQ(tidy_messages("no newline"), "no newline");
}

TEST(Messages, PartsThatAreMissingAreNamedOnce) {
  const std::string undeclared = " was not declared in this scope\n";
  const std::string text = tidy_messages(
      "a.cu:2:1: error: ‘cuInit’" + undeclared + "a.cu:3:1: error: ‘CU_X’" + undeclared +
      "a.cu:4:1: error: 'cudaIpcOpenMemHandle'" + undeclared + "a.cu:5:1: error: 'custom'" + undeclared);
  EXPECT_EQ(text.find("a.cu:2: error: 'cuInit' belongs to the driver API, which"), 0u);
  EXPECT_EQ(text.find("a.cu:3"), text.npos);
  EXPECT_NE(text.find("a.cu:4: error: 'cudaIpcOpenMemHandle' belongs to a part of the runtime API"),
            text.npos);
  EXPECT_NE(text.find("a.cu:5:1: error: 'custom' was"), text.npos);
  EXPECT_EQ(tidy_messages("a.cpp:1:10: fatal error: nccl.h: No such file or directory\n 1 | x\n")
                .find("a.cpp:1: error: 'nccl.h' belongs to NCCL"),
            0u);
}

TEST(Messages, ASharedArrayOfNoConstantSize) {
  const std::string text = tidy_messages(
      "a.cu:2:50: error: no matching function for call to 'shared<float [n], "
      "k(float*, int)::<lambda(uint3)> mutable::cuemu_shared_my_tile_1>()'\n  2 | x\nz.hpp:1:1: note: "
      "candidate\n");
  EXPECT_EQ(text.find("a.cu:2: error: the size of the __shared__ array 'my_tile' must be a constant"), 0u);
  EXPECT_EQ(text.find('\n'), text.size() - 1);
}

}  // namespace messages_test
}  // namespace emucc
