// Lists the kit's files, as git knows them, for the tests of pages and words.
#pragma once
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace kit_tree {

namespace fs = std::filesystem;

inline const fs::path root = KIT_SOURCE_DIR;

inline std::string output_of(const std::string& command) {
  std::string text;
  FILE* const pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return text;
  std::array<char, 4096> buffer;
  while (const std::size_t n = fread(buffer.data(), 1, buffer.size(), pipe)) text.append(buffer.data(), n);
  pclose(pipe);
  return text;
}

inline std::string read(const fs::path& path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// Files that git tracks or would add; the paths begin at the kit's root.
inline const std::set<std::string>& files() {
  static const std::set<std::string> all = [] {
    std::set<std::string> found;
    for (const std::string& line :
         lines_of(output_of("git -C '" + root.string() + "' ls-files --cached --others --exclude-standard")))
      if (fs::exists(root / line)) found.insert(line);
    return found;
  }();
  return all;
}

}  // namespace kit_tree
