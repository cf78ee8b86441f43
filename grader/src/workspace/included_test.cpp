// Tests each way in which a source can depend on a file or a macro, and texts that only look like a
// dependency.
#include "workspace/included.hpp"

#include <chrono>

#include "base/test_folder.hpp"
#include "workspace/source_scan.hpp"

namespace grader {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAre;

class IncludedTest : public testing::Test {
 protected:
  /// The names of the files that may become part of a source with this text. a.h, b.h and x.cpp are in its folder.
  std::vector<std::string> files(const std::string& text) {
    submission.files = {
        {"a.h", "#include \"b.h\"\n"}, {"b.h", ""}, {"main.cu", text}, {"sub/c.h", ""}, {"x.cpp", ""}};
    const Included included(submission, {folder.path});
    std::vector<std::string> names;
    for (const SubmissionFile* file : included.files_of(submission.files[2]))
      names.push_back(file->name.string());
    return names;
  }
  bool counts(const std::string& text, const std::string& macro = "BLOCK_SIZE") {
    submission.files = {{"a.h", "int a;\n"}, {"main.cu", text}};
    const Included included(submission, {folder.path});
    return included.macro_counts(macro, submission.files[1]);
  }
  static std::vector<std::string> all() { return {"a.h", "b.h", "main.cu", "sub/c.h", "x.cpp"}; }

  TestFolder folder;
  Submission submission;
};

TEST_F(IncludedTest, ASourceAloneIsMadeOfItself) {
  EXPECT_THAT(files("#include <vector>\n#include <stdio.h>\nint main() {}\n"), ElementsAre("main.cu"));
}

TEST_F(IncludedTest, FollowsIncludes) {
  EXPECT_THAT(files("#include \"b.h\"\n"), ElementsAre("b.h", "main.cu"));
  EXPECT_THAT(files("#include \"a.h\"\n"), ElementsAre("a.h", "b.h", "main.cu"));
  EXPECT_THAT(files("#include <b.h>\n"), ElementsAre("b.h", "main.cu"));
  EXPECT_THAT(files("#include \"x.cpp\"\n"), ElementsAre("main.cu", "x.cpp"));
}

TEST_F(IncludedTest, FoldersOfANameAreNotMinded) {
  EXPECT_THAT(files("#include \"sub/../sub/c.h\"\n"), ElementsAre("main.cu", "sub/c.h"));
  EXPECT_THAT(files("#include \"c.h\"\n"), ElementsAre("main.cu", "sub/c.h"));
}

TEST_F(IncludedTest, DirectivesInAnyDress) {
  for (const char* text :
       {"#include\"b.h\"\n", " # \t include /* why */ \"b.h\" // so\n", "#/**/include \"b.h\"",
        "#inc\\\nlude \\\n\"b.h\"\n", "#if 0\n#include \"b.h\"\n#endif\n", "// #include \"b.h\"\n",
        "#include_next <b.h>\n", "#import \"b.h\"\n", "#if __has_include(\"b.h\")\n#endif\n",
        "#if __has_include ( <b.h> )\n", "/* \"*/\n#include \"b.h\"\n", "x##y\n#include \"b.h\"\n"})
    EXPECT_THAT(files(text), ElementsAre("b.h", "main.cu")) << text;
}

TEST_F(IncludedTest, OtherLinesNameNothing) {
  for (const char* text : {"include \"b.h\"\n", "const char* s = \"b.h\";\n", "#define N \"b.h\"\n",
                           "#ifdef __has_include\n#endif\n", "#if __has_cpp_attribute(likely)\n#endif\n"})
    EXPECT_THAT(files(text), ElementsAre("main.cu")) << text;
}

TEST_F(IncludedTest, WhereANameIsNotWrittenOutAllFilesCount) {
  for (const char* text :
       {"#include HEADER\n", "#include\n", "%:include \"b.h\"\n", "#embed \"b.h\"\n",
        "#if __has_include(HEADER)\n#endif\n", "asm(\".incbin \\\"b.h\\\"\");\n",
        "asm(\".include \\\"b.h\\\"\");\n", "#include \"b.h\n", "#define I(x) <x>\n#include I(b.h)\n"})
    EXPECT_EQ(files(text), all()) << text;
  submission.files = {{"a.h", "#include HEADER\n"}, {"main.cu", "#include \"a.h\""}, {"other.h", ""}};
  const Included included(submission, {});
  EXPECT_EQ(included.files_of(submission.files[1]).size(), 3u) << "in a header";
}

TEST_F(IncludedTest, CyclesEnd) {
  submission.files = {{"a.h", "#include \"main.cu\"\n"}, {"main.cu", "#include \"a.h\""}};
  EXPECT_EQ(Included(submission, {}).files_of(submission.files[1]).size(), 2u);
}

TEST_F(IncludedTest, AMacroCountsWhereItsNameOccurs) {
  EXPECT_FALSE(counts("int main() {}\n"));
  EXPECT_FALSE(counts("int BLOCK_SIZES, MY_BLOCK_SIZE;\n"));
  EXPECT_FALSE(counts("#include <vector>\n#include <sys/time.h>\n#include \"a.h\"\n"));
  for (const char* text : {"int x = BLOCK_SIZE;\n", "#ifdef BLOCK_SIZE\n#endif\n", "BLOCK_\\\nSIZE\n",
                           "#if 0\nBLOCK_SIZE\n#endif\n", "#define SIDE BLOCK_SIZE\n", "1'000; BLOCK_SIZE;\n",
                           "don't\nBLOCK_SIZE\n", "\"\\\"\" BLOCK_SIZE \"\"\n", "/* */ BLOCK_SIZE // x\n"})
    EXPECT_TRUE(counts(text)) << text;
}

TEST_F(IncludedTest, CommentsAndStringsUseNoMacro) {
  for (const char* text :
       {"// BLOCK_SIZE\n", "/* BLOCK_SIZE\n BLOCK_SIZE */\n", "// here \\\n BLOCK_SIZE\n",
        "const char* s = \"BLOCK_SIZE 32\";\n", "const char* s = R\"(\n// \" BLOCK_SIZE)\";\n",
        "# /* \" BLOCK_SIZE \" */ define X\n"})
    EXPECT_FALSE(counts(text)) << text;
}

TEST_F(IncludedTest, TextThatOnlyLooksLikeACommentOrAStringIsCode) {
  for (const char* text : {"#include <x/*y>\nBLOCK_SIZE // */\n", "#include <x//y> \\\nBLOCK_SIZE\n",
                           "_Pragma(\"omp parallel num_threads(BLOCK_SIZE)\")\n",
                           "R\\\n\"x(/*)x\" BLOCK_SIZE // */\n", "\u00e4R\"x(\" BLOCK_SIZE \")x\"\n"})
    EXPECT_TRUE(counts(text)) << text;
}

TEST_F(IncludedTest, AMacroCountsInAHeader) {
  folder.write("kit.hpp", "#include \"deep.hpp\"\n");
  folder.write("deep.hpp", "constexpr int size = BLOCK_SIZE;\n");
  EXPECT_TRUE(counts("#include <kit.hpp>\n"));
  EXPECT_FALSE(counts("#include <vector>\n"));
  folder.write("cuda_runtime.h", "#ifdef BLOCK_SIZE\n#endif\n");
  EXPECT_TRUE(counts("#include <vector>\n")) << "which every .cu file includes";
  submission.files[1].text = "#include \"a.h\"\n";
  submission.files[0].text = "int a = UNROLL;\n";
  EXPECT_TRUE(Included(submission, {}).macro_counts("UNROLL", submission.files[1])) << "the student's";
}

TEST_F(IncludedTest, ANameThatIsPutTogetherCounts) {
  EXPECT_TRUE(counts("#define JOIN(a, b) a##b\nint x = JOIN(BLOCK_, SIZE);\n"));
  EXPECT_TRUE(counts("#define SIZE(a) a##_SIZE\nint x = SIZE(BLOCK);\n"));
  EXPECT_FALSE(counts("#define JOIN(a, b) a##b\nint x = JOIN(BLOCK_, COUNT);\n"));
  folder.write("join.hpp", "#define SIZE_OF(a) a##_SIZE\n");
  EXPECT_TRUE(counts("#include <join.hpp>\nint x = SIZE_OF(BLOCK);\n"));
}

TEST_F(IncludedTest, AMacroCountsInDoubt) {
  EXPECT_TRUE(counts("#include HEADER\n"));
  EXPECT_TRUE(counts("#include <Eigen/Dense>\n")) << "somebody else's library";
  folder.write("kit.hpp", "#include HEADER\n");
  EXPECT_TRUE(counts("#include <kit.hpp>\n"));
  for (const char* macro : {"NDEBUG", "_GNU_SOURCE", "size", "N", "maxThreads"})
    EXPECT_TRUE(counts("int main() {}\n", macro)) << macro << ": a header of the system may look at it";
}

TEST(ScanText, FindsWordsAndNames) {
  const ScannedText text = scan_text("#include <a>\nint x1 = 0x2f; // y\n\"z\"");
  EXPECT_THAT(text.included, ElementsAre("a"));
  EXPECT_THAT(text.words, UnorderedElementsAre("include", "a", "int", "x1", "0x2f"));
  EXPECT_FALSE(text.unclear);
}

TEST(ScanText, EndsWithAnyText) {
  for (const char* text : {"", "#", "\\", "#include", "#include <", "# /*", "__has_include(", "\\\n", "/*"})
    scan_text(text);
}

// These texts are made to slow the scanner down. With unlimited lookahead, each of them took minutes.
TEST_F(IncludedTest, TakesATimeInProportionToTheText) {
  const auto repeated = [](const std::string& piece, std::size_t bytes) {
    std::string text;
    while (text.size() < bytes) text += piece;
    return text;
  };
  constexpr std::size_t size = 1 << 20;
  std::string different;
  for (int i = 0; i < 100'000; ++i) different += "#include <x" + std::to_string(i) + ".h>\n";
  for (const std::string& text :
       {repeated("#/* ", size), repeated("/*#/* */ ", size), repeated("#include<", size),
        repeated("#include \"", size), repeated("__has_include(", size), repeated("#include \"b.h\"\n", size),
        repeated("R\"x", size), different}) {
    const auto begin = std::chrono::steady_clock::now();
    files(text);
    counts(text);
    classify(text);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    EXPECT_LT(taken.count(), 8) << text.substr(0, 20);
  }
  EXPECT_EQ(files(different), all()) << "so many names count as all";
  EXPECT_EQ(files(repeated("#/* ", size)), all()) << "too long to be followed counts as all";
}

}  // namespace
}  // namespace grader
