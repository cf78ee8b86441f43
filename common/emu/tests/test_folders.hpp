// Finds the conformance programs and projects of the core and of the extras in this build. CMake passes their
// folders, separated by colons.
#pragma once
#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

/// Returns all items in the folders, sorted by name.
inline std::vector<std::filesystem::path> items_in(const std::string& folders) {
  std::vector<std::filesystem::path> items;
  std::istringstream list(folders);
  for (std::string folder; std::getline(list, folder, ':');)
    for (const auto& item : std::filesystem::directory_iterator(folder)) items.push_back(item.path());
  std::sort(items.begin(), items.end(),
            [](const auto& a, const auto& b) { return a.filename() < b.filename(); });
  return items;
}

/// Returns a program's file or folder, or a project's folder; empty if there is no item with this name.
inline std::filesystem::path item_named(const std::string& folders, const std::string& name) {
  for (const auto& item : items_in(folders))
    if (item.filename() == name) return item;
  return {};
}
