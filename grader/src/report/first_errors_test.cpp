#include "report/first_errors.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace grader {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(FirstErrors, AreBoundedAndSkipWarningsOfNvccToo) {
  std::string text =
      "a.cu(3): warning #177-D: variable \"x\" was declared but never referenced\n    int x;\n        ^\n\n";
  for (int i = 0; i < 5; ++i)
    text +=
        "a.cu(" + std::to_string(10 + i) + "): error: identifier \"y\" is undefined\n    y = 1;\n    ^\n\n";
  text += "5 errors detected in the compilation of \"a.cu\".\n";
  int left_out = 0;
  const std::string out = first_errors(text, 3, left_out);
  EXPECT_EQ(left_out, 2);
  EXPECT_THAT(out, HasSubstr("a.cu(12): error"));
  EXPECT_THAT(out, Not(HasSubstr("a.cu(13)")));
  EXPECT_THAT(out, Not(HasSubstr("never referenced")));
  EXPECT_THAT(out, Not(HasSubstr("errors detected")));
}

TEST(FirstWarnings, AreOfTheSubmissionEachOnceAndCounted) {
  std::string text =
      "a.cu(3): warning #177-D: variable \"x\" was declared but never referenced\n    int x;\n        ^\n\n"
      "a.cu(5): warning #20091-D: a __device__ variable \"t\" cannot be directly read in a host function\n\n"
      "a.cu(5): warning #20091-D: a __device__ variable \"t\" cannot be directly read in a host function\n\n"
      "/usr/local/cuda/include/x.h(5): warning #20012-D: of the toolkit\n"
      "b.cu:7:3: warning: format '%d' expects argument of type 'int' [-Wformat=]\n";
  int left_out = 7;
  EXPECT_THAT(first_warnings(text, 3, left_out),
              testing::ElementsAre(HasSubstr("a.cu(5): warning #20091-D"), HasSubstr("b.cu:7:3: warning")));
  EXPECT_EQ(left_out, 0);
  EXPECT_THAT(first_warnings(text, 1, left_out), testing::SizeIs(1));
  EXPECT_EQ(left_out, 1);
  EXPECT_THAT(first_warnings("", 3, left_out), testing::IsEmpty());
}

TEST(FirstErrors, OfTheLinker) {
  int left_out = 0;
  EXPECT_THAT(first_errors("/usr/bin/ld: a.o: in function `main':\na.cu:9: undefined reference to `f()'\n"
                           "collect2: error: ld returned 1 exit status\n",
                           3, left_out),
              testing::StrEq("a.cu:9: undefined reference to `f()'\n"));
}

TEST(FirstErrors, UnknownOutputIsShownFromItsBeginning) {
  int left_out = 7;
  EXPECT_EQ(first_errors("Segmentation fault in the compiler\n", 3, left_out),
            "Segmentation fault in the compiler\n");
  EXPECT_EQ(left_out, 0);
}

// The compiler reports a missing ; before an #include in the header, where the student can't repair it.
TEST(FirstErrors, InAHeaderHaveTheirCauseInTheLineThatIncludesIt) {
  const std::string error =
      "/usr/include/errno.h:34:8: error: expected unqualified-id before string constant\n   34 | "
      "__BEGIN_DECLS\n";
  EXPECT_THAT(cause_of_error_in_header("In file included from /usr/include/c++/12/cerrno:42,\n"
                                       "                 from /kit/lab/lab.hpp:21,\n"
                                       "                 from sizes.h:3,\n"
                                       "                 from a.cu:20:\n" +
                                       error),
              HasSubstr("before its #include, sizes.h:3:"));
  EXPECT_THAT(cause_of_error_in_header("In file included from a.cu:20:\n"
                                       "In file included from sizes.h:3:\n"
                                       "In file included from /kit/lab/lab.hpp:21:\n" +
                                       error),
              HasSubstr("before its #include, sizes.h:3:"))
      << "as clang++ says it";
  EXPECT_EQ(cause_of_error_in_header(error), "");
}

TEST(FirstErrors, OfATemplatePointToItsInstantiation) {
  EXPECT_EQ(cause_of_error_in_header(
                "In file included from /usr/include/c++/12/vector:64,\n                 from a.cu:2:\n"
                "/usr/include/c++/12/ext/alloc_traits.h: In instantiation of 'struct A<void>':\n"
                "/usr/include/c++/12/bits/stl_vector.h:423:11:   required from 'class std::vector<void>'\n"
                "a.cu:97:21:   required from here\n"
                "/usr/include/c++/12/ext/alloc_traits.h:62:53: error: forming reference to void\n"),
            "look at a.cu:97: what it asks for, the header with the first error can't do");
}

TEST(FirstErrors, OfTheStudentsOwnFilesAreTheirOwnCause) {
  const std::string stack = "In file included from /kit/lab/lab.hpp:21,\n                 from a.cu:20:\n";
  EXPECT_EQ(cause_of_error_in_header(stack + "/kit/lab/lab.hpp:30:2: warning: no newline\n"
                                             "a.cu:41:13: error: 'blockdim' was not declared\n"),
            "");
  EXPECT_EQ(cause_of_error_in_header("a.cu:9: undefined reference to `f()'\n"), "");
  EXPECT_EQ(cause_of_error_in_header(
                stack + "/kit/lab/lab.hpp:22:10: fatal error: lab/impl/args.hpp: No such file\n"),
            "")
      << "no line of theirs can be at fault";
}

}  // namespace
}  // namespace grader
