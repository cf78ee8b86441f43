// The conformance programs and projects of the core and of the extras in this build. CMake gives their folders, with colons
// between them.
#pragma once
#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

/// Everything in the folders, by name.
inline std::vector<std::filesystem::path> items_in(const std::string& folders) {
  std::vector<std::filesystem::path> items;
  std::istringstream list(folders);
  for (std::string folder; std::getline(list, folder, ':');)
    for (const auto& item : std::filesystem::directory_iterator(folder)) items.push_back(item.path());
  std::sort(items.begin(), items.end(),
            [](const auto& a, const auto& b) { return a.filename() < b.filename(); });
  return items;
}

/// A program's file or folder, or a project's folder; empty if none has the name.
inline std::filesystem::path item_named(const std::string& folders, const std::string& name) {
  for (const auto& item : items_in(folders))
    if (item.filename() == name) return item;
  return {};
}
