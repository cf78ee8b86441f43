// Words that comments and pages have retired: each has a plainer one.
//
// The test reads the text after `//` in C++ sources, the text after `#` in CMake files, and pages without their code
// and tables. It leaves out labs and solutions. Where a retired word means what it says, the list of exceptions below
// has the place.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <regex>
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
};
const std::array<Retired, 11> retired = {{
    {R"(\b(nobody|somebody|anybody|whoever|whomever)\b)", "name the thread, the program or the reader"},
    {R"(\bstands?\b(?! for\b))", "is, or lies"},
    {R"(\bso many\b)", "n, or the number itself"},
    {R"(\b(behind|in front of)\b)", "after and before"},
    {R"(\b(is|are|be|was|were) told\b|\btells? of\b)", "reports, is reported"},
    {R"(\b(is|are) asked\b)", "reads, needs or calls"},
    {R"(\b(lest|whence|thereof)\b)", "the word of today"},
    {R"(\b(go|goes|went) on\b)", "continue, resume"},
    {R"(\b(ask|asks|asking) for\b)", "request, require"},
    {R"(\bmostly\b|\bnow and then\b)", "usually, sometimes"},
    {R"(\b(anew|in vain|all the same|but for|held against)\b)",
     "again, without effect, still, except for, compared with"},
}};

/// Places where a retired word means what it says: a part of the line.
const std::vector<std::pair<std::string, std::string>> exceptions = {
    {"common/emu/runtime/worker.cpp", "Stand-ins for host code"},
    {"common/emu/watch/views.hpp", "a stand-in block"},
    {"grader/src/process/process_test.cpp", "leaves no process behind"},
    {"grader/src/verify/hypotheses.hpp", "The tests behind the patterns"},
};

bool begins_with(const std::string& text, const char* start) {
  return text.rfind(start, 0) == 0;
}

/// Whether the test reads the words of a file. Rows of docs/cheats.md quote the first lines of attacks.
bool is_read(const std::string& file) {
  for (const char* folder :
       {"labs/", "solutions/", "common/emu/check/tests/programs/", "common/emu/tests/programs/",
        "common/emu/tests/projects/", "common/emu/tests/refused/", "grader/tests/attacks/"})
    if (begins_with(file, folder)) return false;
  static const std::regex of_extras("common/emu/extras/[^/]+/tests/pro(grams|jects)/.*");
  if (std::regex_match(file, of_extras)) return false;
  return file != "docs/cheats.md" && file != "docs/tests/words_test.cpp";
}

std::string without_code(const std::string& line) {
  static const std::regex code("`[^`]*`");
  return std::regex_replace(line, code, "");
}

/// The prose of a line: a comment, or a page's text; empty: none.
std::string prose_of(const std::string& extension, const std::string& line) {
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
  std::vector<std::pair<std::regex, const char*>> patterns;
  for (const Retired& word : retired)
    patterns.emplace_back(std::regex(word.pattern, std::regex::icase), word.instead);
  std::size_t comments = 0;
  std::vector<bool> used(exceptions.size());
  for (const std::string& file : kit_tree::files()) {
    const std::string extension = fs::path(file).extension();
    const bool known = extension == ".cpp" || extension == ".hpp" || extension == ".h" ||
                       extension == ".md" || extension == ".cmake" ||
                       fs::path(file).filename() == "CMakeLists.txt";
    if (!known || !is_read(file)) continue;
    int number = 0;
    for (const std::string& line : lines_of(read(root / file))) {
      ++number;
      const std::string prose = prose_of(extension, line);
      if (prose.empty()) continue;
      ++comments;
      for (const auto& [pattern, instead] : patterns) {
        if (!std::regex_search(prose, pattern)) continue;
        const auto excepted = std::find_if(exceptions.begin(), exceptions.end(), [&](const auto& one) {
          return one.first == file && line.find(one.second) != line.npos;
        });
        if (excepted != exceptions.end())
          used[static_cast<std::size_t>(excepted - exceptions.begin())] = true;
        else
          ADD_FAILURE() << file << ":" << number << ": " << line << "\n  Say it in plain words: " << instead;
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
