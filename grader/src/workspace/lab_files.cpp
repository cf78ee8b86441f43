// Programs are assembled in memory. workspace.cpp and release.cpp write them to folders.
#include "workspace/lab_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/files.hpp"
#include "workspace/skeleton.hpp"

namespace grader {
namespace {

constexpr std::uintmax_t largest_source = 4 << 20;

bool is_present(const fs::path& file) {
  std::error_code ignored;
  return fs::exists(fs::symlink_status(file, ignored));
}

bool has_solutions(const Kit& kit, const Lab& lab) {
  std::error_code ignored;
  return fs::is_directory(solution_folder(kit, lab), ignored);
}

void sort_by_name(std::vector<LabFile>& files) {
  std::sort(files.begin(), files.end(), [](const LabFile& a, const LabFile& b) { return a.name < b.name; });
}

bool has_program(const std::vector<LabFile>& files) {
  return std::any_of(files.begin(), files.end(),
                     [](const LabFile& file) { return is_program_source(file.name); });
}

/// Adds the level: "grader lab2.1" becomes "grader lab2.1.2", unless a level or the rest of another lab's
/// number follows.
std::string with_level_named(std::string text, const Lab& lab, int level) {
  const std::string command = "grader " + lab.id, named = fmt::format("{}.{}", command, level);
  for (std::size_t at = text.find(command); level > 1 && at != std::string::npos;
       at = text.find(command, at + 1)) {
    const std::size_t end = at + command.size();
    const bool longer = end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) != 0 ||
                                              (text[end] == '.' && end + 1 < text.size() &&
                                               std::isdigit(static_cast<unsigned char>(text[end + 1])) != 0));
    if (!longer) text.replace(at, command.size(), named);
  }
  return text;
}

}  // namespace

bool is_program_source(const fs::path& file) {
  return file.extension() == ".cu" || file.extension() == ".cpp";
}

bool is_source(const fs::path& file) {
  static const std::set<std::string> included = {".cuh", ".h", ".hpp", ".inl"};
  return is_program_source(file) || included.contains(file.extension().string());
}

bool is_companion(const fs::path& file) {
  return file.extension() == ".txt" || file.filename() == "profile_config";
}

fs::path shared_folder(const Kit& kit, const Lab& lab) {
  return kit.labs() / lab.folder_name() / "shared";
}

fs::path given_folder(const Kit& kit, const Lab& lab) {
  return kit.labs() / lab.folder_name() / "given";
}

fs::path level_folder(const Kit& kit, const Lab& lab, int level) {
  return kit.labs() / lab.folder_name() / fmt::format("level{}", level);
}

fs::path solution_folder(const Kit& kit, const Lab& lab) {
  return kit.solutions() / lab.folder_name();
}

std::vector<LabFile> sources_in(const fs::path& folder) {
  std::vector<LabFile> files;
  std::error_code failed;
  if (!fs::is_directory(folder, failed)) return files;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    const bool handed_out = is_source(at->path()) || is_companion(at->path());
    if (handed_out && !is_hidden(at->path()) && at->is_regular_file())
      files.push_back({at->path().filename(), at->path(), read_file(at->path(), largest_source)});
  }
  if (failed)
    throw Error(ErrorKind::usage, fmt::format("{} can't be read: {}.", shown(folder), failed.message()));
  sort_by_name(files);
  return files;
}

std::vector<LabFile> given_files(const Kit& kit, const Lab& lab) {
  std::vector<LabFile> files = sources_in(shared_folder(kit, lab));
  for (LabFile& file : sources_in(given_folder(kit, lab))) files.push_back(std::move(file));
  return files;
}

std::vector<LabFile> solution_files(const Kit& kit, const Lab& lab) {
  const fs::path folder = solution_folder(kit, lab);
  if (!has_solutions(kit, lab))
    throw Error(ErrorKind::usage,
                fmt::format("{} does not exist; expected the solution of {}.", shown(folder), lab.id),
                "Solutions are the instructor's part of the kit; without them, work on the levels.");
  std::vector<LabFile> files = sources_in(folder);
  for (LabFile& file : given_files(kit, lab)) files.push_back(std::move(file));
  if (!has_program(files))
    throw Error(ErrorKind::usage, fmt::format("{} holds no .cu or .cpp file; expected the solution of {}.",
                                              shown(folder), lab.id));
  sort_by_name(files);
  const auto twice = std::adjacent_find(files.begin(), files.end(),
                                        [](const LabFile& a, const LabFile& b) { return a.name == b.name; });
  if (twice != files.end())
    throw Error(
        ErrorKind::usage,
        fmt::format("{} is in {} too; expected it in one of them.", shown(twice->origin),
                    shown(twice[1].origin.parent_path())),
        "Keep it in shared/ when the oracle includes it, in given/ when it is blank at no level, else in "
        "solutions/.");
  return files;
}

std::optional<int> level_with(const Kit& kit, const Lab& lab, int level, const fs::path& name) {
  std::vector<int> order;
  for (int one = level; one <= lab.levels; ++one) order.push_back(one);
  for (int one = level - 1; one >= 1; --one) order.push_back(one);
  for (const int one : order) {
    if (is_present(level_folder(kit, lab, one) / name)) return one;
  }
  return {};
}

std::vector<LabFile> level_files(const Kit& kit, const Lab& lab, int level) {
  std::vector<LabFile> files = given_files(kit, lab);
  if (!has_solutions(kit, lab)) {
    for (LabFile& file : sources_in(level_folder(kit, lab, level))) files.push_back(std::move(file));
  } else {
    const std::vector<std::string>& complete = lab.level(level).complete;
    for (LabFile& file : sources_in(solution_folder(kit, lab))) {
      const bool whole = std::find(complete.begin(), complete.end(), file.name.string()) != complete.end();
      if (!whole || is_present(level_folder(kit, lab, level) / file.name)) {
        const std::optional<int> from = level_with(kit, lab, level, file.name);
        if (!from)
          throw Error(ErrorKind::usage,
                      fmt::format("{} is blank at no level of {}, so no level could be given it.",
                                  shown(file.origin), lab.id),
                      fmt::format("Move it to {}.", shown(given_folder(kit, lab))));
        file.origin = level_folder(kit, lab, *from) / file.name;
        file.text = read_file(file.origin, largest_source);
      }
      files.push_back(std::move(file));
    }
  }
  if (!has_program(files))
    throw Error(ErrorKind::environment,
                fmt::format("The skeleton of {} level {} is missing: {} holds no .cu or .cpp file.", lab.id,
                            level, shown(level_folder(kit, lab, level))),
                fmt::format("Copy labs/{} from a fresh copy of the kit.", lab.folder_name()));
  for (LabFile& file : files) file.text = with_level_named(std::move(file.text), lab, level);
  sort_by_name(files);
  return files;
}

std::set<int> parts_left_blank(const Kit& kit, const Lab& lab, int level) {
  std::set<int> parts;
  const bool asks_for_all = std::all_of(lab.parts.begin(), lab.parts.end(),
                                        [&](const Part& part) { return part.counts_at(level); });
  if (asks_for_all) return parts;
  for (const LabFile& file : level_files(kit, lab, level))
    for (const Blank& blank : parse_skeleton(file.name, file.text).blanks)
      parts.insert(blank.parts.begin(), blank.parts.end());
  for (const Part& part : lab.parts)
    if (part.counts_at(level)) parts.erase(part.id);
  return parts;
}

}  // namespace grader
