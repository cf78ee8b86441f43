// Tests that a source gets the same declarations from the headers in both cases: if their functions are compiled with
// the source, and if they are linked.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <set>
#include <sstream>
#include <string>

namespace {

namespace fs = std::filesystem;
const fs::path headers = KIT_SOURCE_DIR "/common/lab/include/lab";

/// The headers of the system and of CUDA that a source includes if it includes only `header`.
std::set<std::string> included(const fs::path& header, const std::string& options) {
  const std::string command =
      "echo '#include \"" + header.string() + "\"' | c++ -std=c++17 -M -x c++ " + options +
      " -I" KIT_SOURCE_DIR "/common/lab/include -isystem " KIT_BINARY_DIR "/include/emu -";
  std::string rule;
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return {};
  char part[4096];
  while (const std::size_t got = fread(part, 1, sizeof part, pipe)) rule.append(part, got);
  EXPECT_EQ(pclose(pipe), 0) << command;
  std::set<std::string> files;
  std::istringstream words(rule);
  for (std::string word; words >> word;)
    if (word != "\\" && word.find("common/lab/include") == word.npos) files.insert(word);
  return files;
}

TEST(Library, SourcesSeeTheSameHeadersOfTheSystem) {
  std::size_t seen = 0;
  for (const auto& entry : fs::directory_iterator(headers)) {
    if (entry.path().extension() != ".hpp") continue;
    const std::set<std::string> linked = included(entry, "-DLAB_LIBRARY");
    EXPECT_EQ(included(entry, ""), linked) << entry.path();
    seen += linked.empty() ? 0 : 1;
  }
  EXPECT_GT(seen, 20u);
}

TEST(Library, HasEveryImplementation) {
  std::set<std::string> all;
  std::FILE* const file = std::fopen((headers / "impl/all.hpp").c_str(), "r");
  ASSERT_NE(file, nullptr);
  char line[200], name[100];
  while (std::fgets(line, sizeof line, file) != nullptr)
    if (std::sscanf(line, "#include \"%99[^\"]", name) == 1) all.insert(name);
  std::fclose(file);
  std::set<std::string> there;
  for (const auto& entry : fs::directory_iterator(headers / "impl")) there.insert(entry.path().filename());
  there.erase("all.hpp");
  EXPECT_EQ(all, there);
}

}  // namespace
