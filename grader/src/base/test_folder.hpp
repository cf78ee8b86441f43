/// @file
/// Helpers for tests: a temporary folder, and a matcher for thrown Errors.
#pragma once
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <vector>

#include "base/error.hpp"
#include "base/filesystem.hpp"
#include "base/removal.hpp"

namespace grader {

/// A new empty folder, which the destructor removes with its content.
struct TestFolder {
  fs::path path;

  TestFolder() {
    std::string pattern = (fs::path(::testing::TempDir()) / "grader-test-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path = fs::canonical(pattern);
  }
  ~TestFolder() { remove_tree(path); }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  void write(const fs::path& name, const std::string& text) const {
    fs::create_directories((path / name).parent_path());
    std::ofstream(path / name, std::ios::binary) << text;
  }
  std::string read(const fs::path& name) const {
    std::ostringstream text;
    text << std::ifstream(path / name, std::ios::binary).rdbuf();
    return text.str();
  }
  /// The sorted names of the entries of one of its folders.
  std::vector<std::string> names(const fs::path& below = {}) const {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(path / below))
      found.push_back(entry.path().filename().string());
    std::sort(found.begin(), found.end());
    return found;
  }
};

/// Calls the lambda, and matches the kind of the Error that it throws and a part of the Error's sentence or next
/// step.
MATCHER_P2(throws_error, kind, piece,
           "throws an Error of that kind that says \"" + std::string(piece) + "\"") {
  try {
    arg();
  } catch (const Error& error) {
    const std::string said = std::string(error.what()) + "\n" + error.next_step();
    *result_listener << "which says: " << said;
    return error.kind() == kind && said.find(piece) != std::string::npos;
  }
  *result_listener << "which throws nothing";
  return false;
}

}  // namespace grader
