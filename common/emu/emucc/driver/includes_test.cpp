#include "driver/includes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace emucc {
namespace includes_test {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> found(const std::map<std::string, std::string>& files) {
  IncludeSearch search;
  search.folders = {"lib"};
  search.is_precompilable = [](const std::string& name) { return name != "unknown"; };
  search.load = [&](const std::string& path) {
    const auto file = files.find(path);
    return file == files.end() ? std::nullopt : std::optional(file->second);
  };
  return sure_includes("a.cu", search);
}

TEST(Includes, LeadingOnesOfTheSource) {
  EXPECT_THAT(found({{"a.cu",
                      "// x\n/* y\n*/ #include <b>\n\n# include <c.h> // z\n#include <unknown>\n#include "
                      "<b>\nint x;\n#include <d>\n"}}),
              ElementsAre("b", "c.h"));
}

TEST(Includes, AConditionOrAMacroEndsTheSearch) {
  EXPECT_THAT(found({{"a.cu", "#include <b>\n#define X 1\n#include <c>\n"}}), ElementsAre("b"));
  EXPECT_THAT(found({{"a.cu", "#include <b>\n#if X\n#include <c>\n#endif\n#include <d>\n"}}),
              ElementsAre("b"));
  EXPECT_THAT(found({{"a.cu", "#pragma once\n#include <b>"}}), ElementsAre("b"));
}

TEST(Includes, ThoseOfTheUsersHeaders) {
  EXPECT_THAT(found({{"a.cu", "#include \"x.h\"\n#include <y.h>\n#include <e>\n"},
                     {"x.h",
                      "#ifndef X_H\n#define X_H\n#include <b>\nint x;\n#include <c>\n#if Q\n#include "
                      "<no>\n#endif\n#endif\n"},
                     {"lib/y.h", "#pragma once\n#define LOCAL 1\n#include \"z.h\"\n"},
                     {"lib/z.h", "#include <d>\n#include \"y.h\"\n"}}),
              ElementsAre("b", "c", "d", "e"));
}

TEST(Includes, MacrosThatTheLibraryLooksAtEndTheSearch) {
  EXPECT_THAT(
      found({{"a.cu", "#include \"x.h\"\n#include <e>\n"}, {"x.h", "#define _GNU_SOURCE\n#include <b>\n"}}),
      IsEmpty());
  EXPECT_THAT(
      found({{"a.cu", "#include \"x.h\"\n#include <e>\n"}, {"x.h", "#define NDEBUG\n#include <b>\n"}}),
      IsEmpty());
}

TEST(Includes, BrokenFilesGiveWhatCanBeRead) {
  EXPECT_THAT(found({}), IsEmpty());
  EXPECT_THAT(found({{"a.cu", "#include\n#include <\n#include \"\n#include <b>\n/* open"}}),
              ElementsAre("b"));
  EXPECT_THAT(found({{"a.cu", "#include \"a.cu\"\n#include <b>\n"}}), ElementsAre("b"));
}

TEST(Includes, SpecialFunctionsAreFoundByACallOrTheirNamespace) {
  for (const char* used :
       {"y = std::beta(1.0, 2.0);", "beta (x, y)", "__gnu_cxx::airy_ai(x)", "hyperg(1, 2, 3, x)",
        "using std::riemann_zeta;", "p = &std :: hermitef;", "expintl(1.0L)", "legendre("})
    EXPECT_TRUE(uses_special_function(used)) << used;
  for (const char* other :
       {"", "float alpha = 1, beta = 0;", "my_beta(x)", "betas(x)", "beta", "c = alpha * ab + beta * c;"})
    EXPECT_FALSE(uses_special_function(other)) << other;
}

}  // namespace includes_test
}  // namespace emucc
