// The new level is made in memory. It is written only after a check that it has blanks.
#include "author/level_maker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/files.hpp"
#include "base/regex.hpp"
#include "workspace/alignment.hpp"
#include "workspace/skeleton.hpp"

namespace grader {
namespace {

constexpr int most_levels = 9;

const Part& part_of(const Lab& lab, int id) {
  for (const Part& part : lab.parts)
    if (part.id == id) return part;
  throw Error(ErrorKind::usage,
              fmt::format("{} has parts 1 to {}, not part {}.", lab.id, lab.parts.size(), id));
}

/// A title that can follow a colon: "Scale one element" becomes "scale one element", and "CUDA streams" is
/// unchanged.
std::string as_title(std::string text) {
  if (text.size() > 1 && std::isupper(static_cast<unsigned char>(text[0])) != 0 &&
      std::isupper(static_cast<unsigned char>(text[1])) == 0)
    text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  return text;
}

/// Lines of a file of the solution that will be a blank, and the parts that they answer.
struct Cut {
  unsigned first, last;
  std::set<int> parts;
};

/// Merges cuts that overlap or touch.
std::vector<Cut> joined(std::vector<Cut> cuts, const SolutionLines& solution) {
  std::sort(cuts.begin(), cuts.end(), [](const Cut& a, const Cut& b) { return a.first < b.first; });
  std::vector<Cut> out;
  for (Cut& cut : cuts) {
    const auto only_blanks_between = [&](const Cut& before) {
      for (unsigned line = before.last + 1; line < cut.first; ++line)
        if (!solution.text[line - 1].empty()) return false;
      return true;
    };
    if (!out.empty() && (cut.first <= out.back().last || only_blanks_between(out.back()))) {
      out.back().last = std::max(out.back().last, cut.last);
      out.back().parts.insert(cut.parts.begin(), cut.parts.end());
    } else {
      out.push_back(std::move(cut));
    }
  }
  return out;
}

std::string cut_out(const Lab& lab, const LabFile& solution, std::vector<Cut> cuts) {
  std::string text = solution.text;
  const std::vector<Cut> all = joined(std::move(cuts), SolutionLines(solution.text));
  // Cuts from the last to the first, so that the line numbers of the remaining cuts stay valid.
  for (auto cut = all.rbegin(); cut != all.rend(); ++cut) {
    std::string title;
    for (const int part : cut->parts)
      title += (title.empty() ? "" : "; ") + as_title(part_of(lab, part).title);
    text = with_blank(solution.origin, text, cut->first, cut->last, {cut->parts.begin(), cut->parts.end()},
                      title);
  }
  return text;
}

/// The blanks of all levels, as lines of the solution.
std::vector<Cut> cuts_of_levels(const Kit& kit, const Lab& lab, const LabFile& solution) {
  std::vector<Cut> cuts;
  const SolutionLines lines(solution.text);
  for (int level = 1; level <= lab.levels; ++level) {
    const fs::path file = level_folder(kit, lab, level) / solution.name;
    std::error_code failed;
    if (!fs::is_regular_file(file, failed)) continue;
    const Skeleton skeleton = parse_skeleton(file, read_file(file, 4 << 20));
    const auto ranges = align(skeleton, lines);
    if (!ranges)
      throw Error(ErrorKind::usage, fmt::format("{} is not the solution with blanks.", shown(file)),
                  fmt::format("grader release {} brings it up to the solution; or name the blanks: --blank "
                              "FILE:FIRST-LAST:PART",
                              lab.id));
    for (std::size_t k = 0; k < skeleton.blanks.size(); ++k) {
      const auto first = static_cast<unsigned>((*ranges)[k].end + 1),
                 last = static_cast<unsigned>((*ranges)[k + 1].begin);
      if (first <= last)
        cuts.push_back({first, last, {skeleton.blanks[k].parts.begin(), skeleton.blanks[k].parts.end()}});
    }
  }
  return cuts;
}

/// Raises `levels = N` in lab.toml.
void raise_levels(const Lab& lab, int level) {
  if (level <= lab.levels) return;
  const fs::path file = lab.folder / "lab.toml";
  std::string text = read_file(file, 4 << 20);
  static const Regex form(R"((levels *= *)\d+([^\n]*))");  // the line may end with "\r"
  std::size_t begin = 0;
  std::optional<RegexMatch> found;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if ((found = form.match(text.substr(begin, end - begin)))) break;
    begin = end + 1;
  }
  if (found) {
    text.replace(begin, (*found)[0].size(), fmt::format("{}{}{}", (*found)[1], level, (*found)[2]));
  } else {
    const std::size_t title = text.find("\ntitle");
    text.insert(text.find('\n', title + 1) + 1, fmt::format("levels = {}\n", level));
  }
  write_file(file, text);
}

/// The files that new_level() writes: their texts, by file name.
std::map<fs::path, std::string> files_of_level(const Kit& kit, const Lab& lab, int level,
                                               std::optional<int> from,
                                               const std::vector<BlankRequest>& blanks) {
  std::map<fs::path, std::string> files;
  if (from) {
    for (const LabFile& file : sources_in(level_folder(kit, lab, *from))) files[file.name] = file.text;
    if (files.empty())
      throw Error(ErrorKind::usage,
                  fmt::format("{} holds no skeleton.", shown(level_folder(kit, lab, *from))));
  } else {
    std::map<std::string, std::vector<Cut>> cuts;
    const std::vector<LabFile> solution = solution_files(kit, lab);
    for (const BlankRequest& blank : blanks) {
      part_of(lab, blank.part);
      cuts[blank.file].push_back({blank.first, blank.last, {blank.part}});
    }
    for (const LabFile& file : solution) {
      const auto asked = cuts.find(file.name.string());
      std::vector<Cut> here = !blanks.empty() ? (asked == cuts.end() ? std::vector<Cut>{} : asked->second)
                                              : cuts_of_levels(kit, lab, file);
      cuts.erase(file.name.string());
      if (!here.empty()) files[file.name] = cut_out(lab, file, std::move(here));
    }
    if (!blanks.empty() && !cuts.empty())
      throw Error(ErrorKind::usage,
                  fmt::format("The solution of {} has no file {}.", lab.id, cuts.begin()->first));
    if (files.empty())
      throw Error(ErrorKind::usage, fmt::format("No level of {} has blanks to learn from.", lab.id),
                  fmt::format("grader new-level {} {} --blank FILE:FIRST-LAST:PART", lab.id, level));
  }
  return files;
}

}  // namespace

BlankRequest parse_blank_request(const std::string& text) {
  static const Regex form(R"(([^:]+):(\d{1,6})(?:-(\d{1,6}))?:(\d{1,3}))");
  const auto match = form.match(text);
  if (!match)
    throw Error(ErrorKind::usage, fmt::format("\"{}\" is not a blank; expected FILE:FIRST-LAST:PART.", text),
                "such as --blank kernel.cu:12-20:2");
  BlankRequest request;
  request.file = (*match)[1];
  request.first = static_cast<unsigned>(std::stoul((*match)[2]));
  request.last = match->has(3) ? static_cast<unsigned>(std::stoul((*match)[3])) : request.first;
  request.part = std::stoi((*match)[4]);
  return request;
}

NewLevel new_level(const Kit& kit, const Lab& lab, int level, std::optional<int> from,
                   const std::vector<BlankRequest>& blanks, LevelThere there) {
  const fs::path folder = level_folder(kit, lab, level);
  std::error_code failed;
  if (level < 1 || level > std::min(lab.levels + 1, most_levels))
    throw Error(ErrorKind::usage, fmt::format("{} has {} level{}; the next one is {}, not {}.", lab.id,
                                              lab.levels, lab.levels == 1 ? "" : "s", lab.levels + 1, level));
  const bool exists = fs::exists(folder, failed);
  if (exists && there == LevelThere::refused)
    throw Error(ErrorKind::usage, fmt::format("{} exists already.", shown(folder)),
                "Edit it, or add --replace, which keeps a copy.");
  if (from && !blanks.empty())
    throw Error(ErrorKind::usage, "--from copies a level's blanks; --blank makes new ones of the solution.",
                "Give one of them.");

  const auto files = files_of_level(kit, lab, level, from, blanks);
  NewLevel made;
  if (exists) {
    made.backup = make_unique_folder(kit.state() / "backups", fmt::format("{}-level{}", lab.id, level)) /
                  folder.filename();
    copy_folder(folder, made.backup);
    fs::remove_all(folder, failed);
  }
  for (const auto& [name, text] : files) {
    write_file(folder / name, text);
    made.files.push_back(folder / name);
  }
  raise_levels(lab, level);
  return made;
}

}  // namespace grader
