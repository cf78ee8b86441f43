#include "workspace/annotate.hpp"

#include <gtest/gtest.h>

#include "base/test_folder.hpp"
#include "workspace/source_scan.hpp"

namespace grader {
namespace {

Lab lab_of(int levels = 3, int parts = 2) {
  Lab lab;
  lab.levels = levels;
  for (int id = 1; id <= parts; ++id) lab.parts.push_back({id, "t", 1, {}});
  return lab;
}

std::string skeleton_of(const std::string& text, int level) {
  return skeleton(lab_of(), "x.cu", text, level);
}

const char* const product = R"(before();
  //@part 2 "Inner product" levels=1-2
  sum += a[k] * b[k];
  //@stub 1
  //| // TODO part 2: add one product
  //|
  //| LAB_TODO(2);
	//@stub 2
	//| LAB_TODO(2);
  //@end
//@text 1,3
//| // guided
//@end
after();
)";

TEST(SkeletonTest, EachLevelSeesItsOwn) {
  EXPECT_EQ(skeleton_of(product, 0), "before();\n  sum += a[k] * b[k];\nafter();\n");
  EXPECT_EQ(skeleton_of(product, 1),
            "before();\n  // TODO part 2: add one product\n\n  LAB_TODO(2);\n// guided\nafter();\n");
  EXPECT_EQ(skeleton_of(product, 2), "before();\n\tLAB_TODO(2);\nafter();\n");
  EXPECT_EQ(skeleton_of(product, 3), "before();\n  sum += a[k] * b[k];\n// guided\nafter();\n");
}

TEST(SkeletonTest, LevelsDefaultToAll) {
  const std::string text = "//@part 1 \"t\"\nx\n//@stub 1,3\n//| a\n//@stub 2\n//| b\n//@end\n";
  EXPECT_EQ(skeleton_of(text, 1), "a\n");
  EXPECT_EQ(skeleton_of(text, 2), "b\n");
  EXPECT_EQ(skeleton_of(text, 3), "a\n");
}

TEST(SkeletonTest, APartMayHaveSeveralPlacesAndEmptyStubs) {
  const std::string block = "//@part 1 \"t\" levels=1\nx\n//@stub 1\n//@end\n";
  EXPECT_EQ(skeleton_of(block + block, 1), "");
  EXPECT_EQ(skeleton_of(block + block, 2), "x\nx\n");
}

TEST(SkeletonTest, LineEndsBecomeLfAndTheLastLineIsClosed) {
  EXPECT_EQ(skeleton_of("a\r\n//@part 1 \"t\" levels=1\r\nx\r\n//@stub 1\r\n//| y\r\n//@end\r\nb", 1),
            "a\ny\nb\n");
  EXPECT_EQ(skeleton_of("//@text 1\n//| t\n//@end", 1), "t\n");
  EXPECT_EQ(skeleton_of("", 1), "");
}

TEST(SkeletonTest, WhatOnlyLooksLikeAMarkerStays) {
  const std::string text = "const char* s = \"//@part 1\";\nR\"(\n//@end\n)\";\n///@param x\n//@{\n//@}\n";
  EXPECT_EQ(skeleton_of(text, 1), text);
}

TEST(SkeletonTest, AStubMayEndWithABackslash) {
  EXPECT_EQ(skeleton_of("//@text 1\n//| #define A \\\n//|   1\n//@end\n", 1), "#define A \\\n  1\n");
}

TEST(SkeletonTest, TenThousandLines) {
  std::string text, expected;
  for (int i = 0; i < 2000; ++i) {
    text += "//@part 1 \"t\" levels=1\nx\n//@stub 1\n//| y\n//@end\n";
    expected += "y\n";
  }
  EXPECT_EQ(skeleton_of(text, 1), expected);
}

TEST(SkeletonTest, NoLevelContainsAMarker) {
  for (int level = 0; level <= 3; ++level) {
    EXPECT_EQ(skeleton_of(product, level).find("//@"), std::string::npos);
    EXPECT_EQ(skeleton_of(product, level).find("//|"), std::string::npos);
  }
}

TEST(MarkedPartsTest, ListsEachOnce) {
  const std::string block = "//@part 2 \"t\" levels=1\n//@stub 1\n//@end\n";
  EXPECT_EQ(marked_parts(lab_of(), "x.cu", block + block), std::vector<int>{2});
  EXPECT_TRUE(marked_parts(lab_of(), "x.cu", "int x;\n").empty());
}

TEST(BlankPartsTest, ListsThoseOfTheLevel) {
  EXPECT_EQ(blank_parts(lab_of(), "x.cu", product, 1), std::vector<int>{2});
  EXPECT_TRUE(blank_parts(lab_of(), "x.cu", product, 3).empty());
}

struct Broken {
  const char* text;
  const char* says;
};
struct BrokenMarkerTest : testing::TestWithParam<Broken> {};

TEST_P(BrokenMarkerTest, IsOneLineWithPlaceAndWhatWasExpected) {
  try {
    skeleton_of(GetParam().text, 1);
    FAIL() << "no error";
  } catch (const Error& error) {
    const std::string said = error.what();
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_EQ(said.find(GetParam().says), 0u) << "said: " << said;
    EXPECT_EQ(said.find('\n'), std::string::npos);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Markers, BrokenMarkerTest,
    testing::Values(
        Broken{"\n//@part 1 \"t\" levels=1\n//@stub 1\n", "x.cu:2: //@part 1 is never closed"},
        Broken{"//@text 1\n//| a\n", "x.cu:1: //@text is never closed"},
        Broken{"//@part 1 \"t\" levels=1\n//@part 2 \"t\"\n", "x.cu:2: //@part inside //@part 1 of line 1"},
        Broken{"//@part 1 \"t\" levels=1\n//@stub 1\n//@text 1\n", "x.cu:3: //@text inside //@part 1"},
        Broken{"//@text 1\n//@stub 1\n", "x.cu:2: //@stub outside a part"},
        Broken{"//@end\n", "x.cu:1: //@end closes nothing"},
        Broken{"//@text 1\n//@end now\n", "x.cu:2: \"now\" behind //@end"},
        Broken{"//@prat 1 \"t\"\n", "x.cu:1: unknown marker \"//@prat\""},
        Broken{"//@ part 1 \"t\"\n", "x.cu:1: unknown marker \"//@\""},
        Broken{"//@part 1\n", "x.cu:1: expected //@part N"},
        Broken{"//@part \"t\"\n", "x.cu:1: expected a part's number"},
        Broken{"//@part 1 \"t\n", "x.cu:1: expected //@part N"},
        Broken{"//@part one \"t\"\n", "x.cu:1: expected a part's number"},
        Broken{"//@part 1 \"\"\n", "x.cu:1: expected a part's number"},
        Broken{"//@part 1 \"t\" level=1\n", "x.cu:1: \"level=1\" behind the title"},
        Broken{"//@part 3 \"t\"\n", "x.cu:1: part 3 is not in lab.toml; expected 1 to 2"},
        Broken{"//@part 0 \"t\"\n", "x.cu:1: part 0 is not in lab.toml"}));

INSTANTIATE_TEST_SUITE_P(
    Levels, BrokenMarkerTest,
    testing::Values(
        Broken{"//@part 1 \"t\" levels=\n", "x.cu:1: \"\" is no list of levels"},
        Broken{"//@part 1 \"t\" levels=1-4\n", "x.cu:1: level 4 is not"},
        Broken{"//@part 1 \"t\" levels=0\n", "x.cu:1: level 0 is not"},
        Broken{"//@part 1 \"t\" levels=2-1\n", "x.cu:1: levels \"2-1\" run backwards"},
        Broken{"//@part 1 \"t\" levels=1,1-2\n", "x.cu:1: level 1 stands twice"},
        Broken{"//@part 1 \"t\" levels=1,\n", "x.cu:1: \"1,\" is no list"},
        Broken{"//@text\n", "x.cu:1: \"\" is no list of levels"},
        Broken{"//@part 1 \"t\" levels=1\n//@stub 2\n",
               "x.cu:2: a stub for level 2, at which part 1 is not blank"},
        Broken{"//@part 1 \"t\" levels=1\n//@stub 1\n//@stub 1\n", "x.cu:3: a second stub for level 1"},
        Broken{"//@part 1 \"t\" levels=1-2\n//@stub 1\n//@end\n", "x.cu:1: part 1 has no stub for level 2"},
        Broken{"//@part 1 \"t\"\nx\n//@end\n", "x.cu:1: part 1 has no stub for level 1"}));

INSTANTIATE_TEST_SUITE_P(Lines, BrokenMarkerTest,
                         testing::Values(Broken{"//| a\n", "x.cu:1: //| outside"},
                                         Broken{"//@part 1 \"t\"\n//| a\n", "x.cu:2: //| outside"},
                                         Broken{"//@text 1\n//|a\n", "x.cu:2: expected a blank behind //|"},
                                         Broken{"//@text 1\nx\n", "x.cu:2: code inside //@text"},
                                         Broken{"//@part 1 \"t\" levels=1\n//@stub 1\nx\n",
                                                "x.cu:3: code inside //@stub"},
                                         Broken{"//@text 1\n//| //@end\n", "x.cu:2: a marker behind //|"},
                                         Broken{"x; //@end\n", "x.cu:1: a marker inside other text"},
                                         Broken{"/*\n//@end\n*/\n", "x.cu:2: a marker inside other text"}));

std::vector<std::pair<int, unsigned>> todos_of(const std::string& text) {
  std::vector<std::pair<int, unsigned>> found;
  for (const Todo& todo : find_todos("x.cu", text)) found.emplace_back(todo.part, todo.line);
  return found;
}
using Found = std::vector<std::pair<int, unsigned>>;

TEST(FindTodosTest, FindsCalls) {
  EXPECT_EQ(todos_of("LAB_TODO(2);\n  x; LAB_TODO ( 13 ) ;\nLAB_TODO(\n 3)"),
            (Found{{2, 1}, {13, 2}, {3, 3}}));
  EXPECT_EQ(todos_of("int n = 1'000; LAB_TODO(1); char c = 'a';"), (Found{{1, 1}}));
  EXPECT_EQ(todos_of("char c = '\"'; LAB_TODO(1); // \""), (Found{{1, 1}}));
  EXPECT_EQ(todos_of("/* it's */ LAB_TODO(1);"), (Found{{1, 1}}));
  EXPECT_EQ(todos_of("#define A \\\n  b\nLAB_TODO(1);"), (Found{{1, 3}}));
  EXPECT_EQ(todos_of("#include \"x\"\n#define_not\nLAB_TODO(1);"), (Found{{1, 3}}));
  EXPECT_EQ(todos_of("auto s = R\"x(\" )\" )x\"; LAB_TODO(1);"), (Found{{1, 1}}));
  EXPECT_EQ(todos_of("bad = \"open\nLAB_TODO(1);"), (Found{{1, 2}}));
}

TEST(FindTodosTest, IgnoresWhatIsNoCall) {
  for (const char* text : {"// LAB_TODO(1)", "// a \\\nLAB_TODO(1)", "/* LAB_TODO(1) */", "\"LAB_TODO(1)\"",
                           "\"a\\\"LAB_TODO(1)\"", "R\"(\nLAB_TODO(1))\"", "#define X LAB_TODO(1)",
                           "#  define X \\\n  LAB_TODO(1)", "#define LAB_TODO(1)", "MY_LAB_TODO(1)",
                           "LAB_TODO", "LAB_TODO(n)", "LAB_TODO(1", "LAB_TODO(", "LAB_TODOS(1)",
                           "LAB_TODO(99999999999)", "LAB_TODO(1 + 1)", "/* LAB_TODO(1)", ""}) {
    EXPECT_TRUE(todos_of(text).empty()) << text;
  }
}

TEST(ClassifyTest, OneKindForEachByte) {
  const std::string text = "a /*b*/ \"c\" // d\n#define E 1\nf";
  const std::vector<TextKind> kinds = classify(text);
  ASSERT_EQ(kinds.size(), text.size());
  EXPECT_EQ(kinds[0], TextKind::code);
  EXPECT_EQ(kinds[2], TextKind::comment_start);
  EXPECT_EQ(kinds[4], TextKind::comment);
  EXPECT_EQ(kinds[9], TextKind::string);
  EXPECT_EQ(kinds[text.find('d')], TextKind::comment);
  EXPECT_EQ(kinds[text.find('E')], TextKind::macro);
  EXPECT_EQ(kinds.back(), TextKind::code);
}

}  // namespace
}  // namespace grader
