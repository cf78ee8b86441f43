// Words that comments and pages have retired: each has a plainer one.
//
// A comment is the text after `//` in C++ sources and after `#` in CMake's; of a page, what is outside of code and tables.
// Labs and solutions are read by students and have tests of their own. A real use of a retired word is an exception below,
// with its place.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace words_test {
namespace {

namespace fs = std::filesystem;

const fs::path root = KIT_SOURCE_DIR;

struct Retired {
  const char* pattern;
  const char* instead;
};
const std::array<Retired, 7> retired = {{
    {R"(\b(nobody|somebody|anybody|whoever|whomever)\b)", "name the thread, the program or the reader"},
    {R"(\bstands?\b(?! for\b))", "is, or lies"},
    {R"(\bso many\b)", "n, or the number itself"},
    {R"(\b(behind|in front of)\b)", "after and before"},
    {R"(\b(is|are|be|was|were) told\b|\btells? of\b)", "reports, is reported"},
    {R"(\b(is|are) asked\b)", "reads, needs or calls"},
    {R"(\b(lest|whence|thereof)\b)", "the word of today"},
}};

/// Places where a retired word means what it says: a part of the line.
const std::vector<std::pair<std::string, std::string>> exceptions = {
    {"common/emu/runtime/worker.cpp", "Stand-ins for host code"},
    {"common/emu/watch/views.hpp", "a stand-in block"},
    {"grader/src/process/process_test.cpp", "leaves no process behind"},
    {"grader/src/verify/hypotheses.hpp", "The tests behind the patterns"},
};

std::vector<std::string> tracked_files() {
  std::vector<std::string> files;
  FILE* const pipe =
      popen(("git -C '" + root.string() + "' ls-files --cached --others --exclude-standard").c_str(), "r");
  if (pipe == nullptr) return files;
  std::string text;
  std::array<char, 4096> buffer;
  while (const std::size_t n = fread(buffer.data(), 1, buffer.size(), pipe)) text.append(buffer.data(), n);
  pclose(pipe);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) files.push_back(line);
  return files;
}

bool begins_with(const std::string& text, const char* start) {
  return text.rfind(start, 0) == 0;
}

/// Whether the words of a file are held to the list. Rows of docs/cheats.md quote the first lines of attacks.
bool is_read(const std::string& file) {
  for (const char* folder :
       {"labs/", "solutions/", "common/emu/check/tests/programs/", "common/emu/tests/programs/",
        "common/emu/tests/projects/", "common/emu/tests/refused/", "grader/tests/attacks/"})
    if (begins_with(file, folder)) return false;
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
  for (const std::string& file : tracked_files()) {
    const std::string extension = fs::path(file).extension();
    const bool known = extension == ".cpp" || extension == ".hpp" || extension == ".h" ||
                       extension == ".md" || extension == ".cmake" ||
                       fs::path(file).filename() == "CMakeLists.txt";
    if (!known || !is_read(file)) continue;
    std::ifstream in(root / file);
    int number = 0;
    for (std::string line; std::getline(in, line);) {
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
