// Finds words that comments and pages have retired; each has a plainer replacement.
//
// The test reads the text after `//` in sources, the text after `#` in CMake files, the lines of TOML files that are
// not code, and pages without their code and tables. Labs, and programs that tests run, may use the words of everyday
// English. The list of exceptions below names the places where a retired word is the right word.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "kit_tree.hpp"

namespace words_test {
namespace {

namespace fs = std::filesystem;

using kit_tree::lines_of;
using kit_tree::read;
using kit_tree::root;

struct Retired {
  const char* pattern;
  const char* instead;
  bool is_everyday = false;  // allowed in labs and in programs
};
const std::array<Retired, 11> retired = {{
    {R"(\b(nobody|somebody|anybody|whoever|whomever)\b)", "name the thread, the program or the reader"},
    {R"(\bstands?\b(?! for\b))", "is, or lies"},
    {R"(\bso many\b)", "n, or the number itself"},
    {R"(\b(behind|in front of)\b)", "after and before"},
    {R"(\b(is|are|be|was|were) told\b|\btells? of\b)", "reports, is reported"},
    {R"(\b(is|are) asked\b)", "reads, needs or calls", true},
    {R"(\b(lest|whence|thereof)\b)", "the word of today"},
    {R"(\b(go|goes|went) on\b)", "continue, resume", true},
    {R"(\b(ask|asks|asking) for\b)", "request, require", true},
    {R"(\bmostly\b|\bnow and then\b)", "usually, sometimes", true},
    {R"(\b(anew|in vain|all the same|but for|held against)\b)",
     "again, without effect, still, except for, compared with", true},
}};

/// Places where a retired word is the right word: a file, and a part of the line.
const std::vector<std::pair<std::string, std::string>> exceptions = {
    {"common/emu/check/tests/programs/memory/going_on.cu", "@behind"},
    {"common/emu/check/tests/programs/memory/lifetime.cu", "@behind"},
    {"common/emu/runtime/worker.cpp", "Stand-ins for host code"},
    {"common/emu/tests/projects/stencil3d/stencil.cu", "\"behind\" data"},
    {"common/emu/watch/views.hpp", "a stand-in block"},
    {"grader/src/process/process_test.cpp", "leaves no process behind"},
    {"grader/src/verify/hypotheses.hpp", "The tests behind the patterns"},
    {"labs/lab5.1-nbody/lab.toml", "behind[i] = "},
    {"labs/lab5.1-nbody/level3/grid.cu", "behind[ball]"},
    {"labs/lab5.1-nbody/level3/grid.cu", "behind[i] = "},
    {"labs/lab5.1-nbody/level3/grid.cu", "behind   (N)"},
    {"solutions/lab5.1-nbody/grid.cu", "behind[ball]"},
    {"solutions/lab5.1-nbody/grid.cu", "behind[i] = "},
    {"solutions/lab5.1-nbody/grid.cu", "behind   (N)"},
};

/// Whether everyday words are allowed in a file: in a lab's file, or in a program that tests run.
bool may_be_everyday(const std::string& file) {
  static const std::regex program(
      "(labs|solutions|grader/tests/(attacks|programs))/.*|common/emu/.*tests/"
      "(programs|projects|refused|mistakes)/.*");
  return std::regex_match(file, program);
}

std::string without_code(const std::string& line) {
  static const std::regex code("`[^`]*`");
  return std::regex_replace(line, code, "");
}

/// Returns the prose of a line: a comment, or a page's text. Empty: the line has no prose.
std::string prose_of(const std::string& extension, const std::string& line) {
  static const std::regex code_of_toml("(find|replace|name|names|says) = .*");
  if (extension == ".toml") return std::regex_match(line, code_of_toml) ? "" : without_code(line);
  if (extension == ".md") return line.empty() || line[0] == '|' ? "" : without_code(line);
  const bool cmake = extension == ".cmake" || extension == ".txt";
  const std::string mark = cmake ? "# " : "//";
  for (std::size_t at = line.find(mark); at != line.npos; at = line.find(mark, at + 1)) {
    const bool quoted =
        std::count(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(at), '"') % 2 != 0;
    const bool address = at > 0 && line[at - 1] == ':';
    if (!quoted && !address) return without_code(line.substr(at + mark.size()));
  }
  return "";
}

TEST(Words, RetiredOnesDoNotComeBack) {
  std::vector<std::pair<std::regex, const Retired*>> patterns;
  for (const Retired& word : retired)
    patterns.emplace_back(std::regex(word.pattern, std::regex::icase), &word);
  std::size_t comments = 0;
  std::vector<bool> used(exceptions.size());
  for (const std::string& file : kit_tree::files()) {
    const std::string extension = fs::path(file).extension();
    static const std::set<std::string> known = {".cpp", ".hpp", ".h",     ".cu",  ".cuh",
                                                ".md",  ".js",  ".cmake", ".toml"};
    const bool is_cmake = fs::path(file).filename() == "CMakeLists.txt";
    if (!is_cmake && known.count(extension) == 0) continue;
    // Rows of docs/cheats.md quote the first lines of attacks.
    if (file == "docs/cheats.md" || file == "docs/tests/words_test.cpp") continue;
    const bool everyday = may_be_everyday(file);
    int number = 0;
    for (const std::string& line : lines_of(read(root / file))) {
      ++number;
      const std::string prose = prose_of(extension, line);
      if (prose.empty()) continue;
      ++comments;
      for (const auto& [pattern, word] : patterns) {
        if ((everyday && word->is_everyday) || !std::regex_search(prose, pattern)) continue;
        const auto excepted = std::find_if(exceptions.begin(), exceptions.end(), [&](const auto& one) {
          return one.first == file && line.find(one.second) != line.npos;
        });
        if (excepted != exceptions.end())
          used[static_cast<std::size_t>(excepted - exceptions.begin())] = true;
        else
          ADD_FAILURE() << file << ":" << number << ": " << line
                        << "\n  Say it in plain words: " << word->instead;
      }
    }
  }
  EXPECT_GT(comments, 20000U) << "the files of the kit were not found";
  for (std::size_t i = 0; i < used.size(); ++i)
    EXPECT_TRUE(used[i]) << "needless exception: " << exceptions[i].first << ": " << exceptions[i].second;
}

TEST(Words, ProseIsWhatACommentSays) {
  EXPECT_EQ(prose_of(".cpp", "int a;  // the block"), " the block");
  EXPECT_EQ(prose_of(".cpp", R"(say("https://x"); f("//");)"), "");
  EXPECT_EQ(prose_of(".cmake", "set(a 1)  # why"), "why");
  EXPECT_EQ(prose_of(".md", "| a | behind |"), "");
  EXPECT_EQ(prose_of(".md", "The `behind` of it"), "The  of it");
}

}  // namespace
}  // namespace words_test
