// Tests that the grader searches no sentence of the emulation or of the labs' headers. So a better sentence can't
// change a verdict.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

namespace {

namespace fs = std::filesystem;

const fs::path root = KIT_SOURCE_DIR;

/// Sources that read the text of other programs: of lab programs on a GPU, compute-sanitizer, ncu, and the compilers.
const std::vector<std::string> readers = {"run/lab_text.cpp", "check/sanitizer.cpp", "run/ncu.cpp", "build/"};

std::string read(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

/// Returns the string literals in C++ code; adjacent literals are joined.
std::vector<std::string> literals(const std::string& code) {
  std::vector<std::string> found;
  std::size_t last = 0;  // end of the previous literal
  for (std::size_t begin = code.find('"'); begin != code.npos; begin = code.find('"', last)) {
    std::size_t end = begin + 1;
    while (end < code.size() && code[end] != '"' && code[end] != '\n') end += code[end] == '\\' ? 2 : 1;
    const std::string text = code.substr(begin + 1, end - begin - 1);
    const bool goes_on = !found.empty() && code.find_first_not_of(" \n", last) == begin;
    if (goes_on)
      found.back() += text;
    else
      found.push_back(text);
    last = std::min(end + 1, code.size());
  }
  return found;
}

std::vector<fs::path> sources(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
    const std::string name = entry.path().filename();
    const bool is_code = entry.path().extension() == ".cpp" || entry.path().extension() == ".hpp";
    const bool is_test =
        name.ends_with("_test.cpp") || entry.path().string().find("/tests/") != std::string::npos;
    if (is_code && !is_test) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// Returns all texts that programs print for people, with one literal in each line.
std::string sentences() {
  std::string all;
  for (const char* const folder : {"common/emu/runtime", "common/emu/watch", "common/emu/check",
                                   "common/emu/counters", "common/emu/extras", "common/emu/include",
                                   "common/profile/src", "common/lab/include", "common/wire/include"})
    for (const fs::path& file : sources(folder))
      for (const std::string& literal : literals(read(file))) all += literal + "\n";
  return all;
}

/// Returns the literals in lines of code that search text or name a constant for a search.
std::vector<std::string> searched_in(const std::string& code) {
  static const std::regex search(
      R"re((\.r?find\w*\(|starts_with\(|ends_with\(|\.contains\(|\.compare\(|Regex |search\(|match\(|constexpr (const char\*|std::string_view)))re");
  std::vector<std::string> found;
  std::istringstream lines(code);
  for (std::string line; std::getline(lines, line);) {
    if (line.find('"') == line.npos || !std::regex_search(line, search)) continue;
    for (const std::string& literal : literals(line)) found.push_back(literal);
  }
  return found;
}

/// Returns whether a literal consists of words, and is not a mark, a name or JSON.
bool is_words(const std::string& literal) {
  const auto begin = literal.find_first_not_of(' '), end = literal.find_last_not_of(' ');
  if (begin == std::string::npos || literal[0] == '{') return false;
  const std::string trimmed = literal.substr(begin, end - begin + 1);
  return trimmed.size() >= 6 && (trimmed.find(' ') != std::string::npos || trimmed.ends_with(':'));
}

TEST(Searched, IsNoSentenceOfAnotherProgram) {
  const std::string said = sentences();
  ASSERT_NE(said.find("was stopped: "), std::string::npos);
  for (const fs::path& file : sources("grader/src")) {
    const std::string name = fs::relative(file, root / "grader/src");
    if (std::any_of(readers.begin(), readers.end(),
                    [&](const auto& reader) { return name.starts_with(reader); }))
      continue;
    for (const std::string& literal : searched_in(read(file)))
      EXPECT_FALSE(is_words(literal) && said.find(literal) != std::string::npos)
          << name << " searches \"" << literal
          << "\", which is a sentence of the program that it reads: send the fact as a record of common/wire";
  }
}

/// Matches a search in a sentence of a finding; group 1 or 2 is the sentence's name.
const std::regex& search_in_finding() {
  static const std::regex search(
      R"re([.>](headline|hint|what|first|notes)(?:\.front\(\))?\.(?:r?find\w*|substr|starts_with|ends_with|contains|compare)\(|(?:search|match|\w+_in)\([^;{]*[.>](headline|hint|what)\b)re");
  return search;
}

TEST(Searched, IsNoSentenceOfAFinding) {
  for (const fs::path& file : sources("grader/src")) {
    const std::string name = fs::relative(file, root / "grader/src");
    if (name == "author/mistakes.cpp") continue;  // wrong.toml approves parts of sentences: `says`
    std::istringstream lines(read(file));
    for (std::string line; std::getline(lines, line);) {
      static const std::vector<std::string> names = {"headline", "hint", "what", "first", "notes"};
      const auto is_named = [&](const std::string& one) { return line.find(one) != line.npos; };
      const bool may_search =
          line.find('(') != line.npos && std::any_of(names.begin(), names.end(), is_named);
      EXPECT_FALSE(may_search && std::regex_search(line, search_in_finding()))
          << name << " searches a finding's sentence: " << line << "\nUse the facts of model/finding.hpp.";
    }
  }
}

TEST(Searched, ASearchInAFindingIsSeen) {
  for (const char* const line :
       {"  if (finding.hint.find(\"belongs\") == npos) return out;", "index.search(finding.headline)",
        "thread_in(finding.parties[0].what, block)", "other->headline.substr(4)"})
    EXPECT_TRUE(std::regex_search(line, search_in_finding())) << line;
  EXPECT_FALSE(std::regex_search("hanging(\"  hint: \", printable(finding.hint))", search_in_finding()));
}

TEST(Searched, ASearchIsSeen) {
  EXPECT_THAT(searched_in("  if (text.find(\"ran longer than\") != npos) return;\n"),
              testing::ElementsAre("ran longer than"));
  EXPECT_THAT(
      searched_in("constexpr std::string_view before = \"cuemu: kernel \", behind = \" was stopped\";\n"),
      testing::ElementsAre("cuemu: kernel ", " was stopped"));
  EXPECT_TRUE(is_words("Likely cause:"));
  EXPECT_FALSE(is_words("::"));
}

TEST(Searched, TheReadersAreThere) {
  for (const std::string& reader : readers) EXPECT_TRUE(fs::exists(root / "grader/src" / reader)) << reader;
}

}  // namespace
