#include "build/read_files.hpp"

#include <gmock/gmock.h>

namespace grader {
namespace {

using testing::ElementsAre;

TEST(ReadFiles, AreThoseOfTheRuleWithoutItsTarget) {
  EXPECT_THAT(files_of_rule(".object.o: ./a.cu /usr/include/stdio.h \\\n /usr/include/c++/12/vector \\\n"
                            " sub/b\\ c.h $$d.h \\#e.h\n"),
              ElementsAre("./a.cu", "/usr/include/stdio.h", "/usr/include/c++/12/vector", "sub/b c.h", "$d.h",
                          "#e.h"));
  EXPECT_THAT(files_of_rule(""), ElementsAre());
  EXPECT_THAT(files_of_rule("a.o:"), ElementsAre());
}

}  // namespace
}  // namespace grader
