// Tests that a submission may include all headers of the language, and no header that solves the exercise.
#include "workspace/allowed.hpp"

#include <gmock/gmock.h>

namespace grader {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

std::string said_of(const std::string& text, const std::vector<std::string>& allowed = {},
                    std::vector<SubmissionFile> others = {}) {
  static Lab lab;
  lab.id = "lab1.2";
  Submission submission;
  submission.lab = &lab;
  submission.files = std::move(others);
  submission.files.push_back({"sum.cu", text});
  return forbidden_include(submission, allowed);
}

TEST(AllowedHeaders, AreThoseOfTheLanguageTheKitAndTheSubmission) {
  EXPECT_THAT(said_of("#include <lab/lab.hpp>\n#include <cstdio>\n  #  include <vector>\n#include <math.h>\n"
                      "#include <sys/time.h>\n#include <cuda_runtime.h>\n#include \"sum.h\"\n",
                      {}, {{"sum.h", "#include <limits>\n"}}),
              IsEmpty());
}

TEST(AllowedHeaders, ALibrarysIsNamedWithFileLineAndWhatIsAllowed) {
  const std::string said =
      said_of("#include <cstdio>\n#include <thrust/reduce.h>\n", {"cooperative_groups.h"});
  EXPECT_THAT(said, HasSubstr("sum.cu:2 includes <thrust/reduce.h>, which lab1.2 does not allow"));
  EXPECT_THAT(said, HasSubstr("and cooperative_groups.h."));
  EXPECT_THAT(said_of("#include <cooperative_groups.h>\n", {"cooperative_groups.h"}), IsEmpty());
  EXPECT_THAT(said_of("#include <cooperative_groups/reduce.h>\n", {"cooperative_groups.h"}),
              HasSubstr("reduce"));
}

TEST(AllowedHeaders, HeadersThatAreNotIncludedAreNotBlamed) {
  EXPECT_THAT(said_of("// #include <cub/cub.cuh>\n/* so:\n#include <thrust/reduce.h>\n*/\n"
                      "const char* text = R\"(\n#include <thrust/scan.h>\n)\";\n"),
              IsEmpty());
}

TEST(AllowedHeaders, AreFoundHoweverTheyAreWritten) {
  for (const char* const written : {"#include\"thrust/reduce.h\"", "# include/* quietly */<thrust/reduce.h>",
                                    "%:include <thrust/reduce.h>", "#include_next <cub/cub.cuh>",
                                    "#import <cub/cub.cuh>", "#include <lab/../thrust/reduce.h>"})
    EXPECT_THAT(said_of(written), HasSubstr("does not allow")) << written;
  EXPECT_THAT(said_of("#define SUM <thrust/reduce.h>\n#include SUM\n"),
              HasSubstr("sum.cu:2 includes SUM, a macro"));
  EXPECT_THAT(said_of("#include \"sum.inc\"\n", {}, {{"sum.inc", "\n#include <cub/cub.cuh>\n"}}),
              HasSubstr("sum.inc:2"));
}

}  // namespace
}  // namespace grader
