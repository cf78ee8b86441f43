// One pass over the levels proves them, and another pass merges them. The proof never relies on the merge:
// after carry_solution(), callers prove the levels again.
#include "author/release.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/files.hpp"
#include "catalog/committed.hpp"
#include "process/process.hpp"

namespace grader {
namespace {

constexpr std::uintmax_t largest_source = 4 << 20;
constexpr int committed_versions_to_try = 50;

std::optional<std::string> text_of(const std::vector<LabFile>& files, const fs::path& name) {
  const auto found =
      std::find_if(files.begin(), files.end(), [&](const LabFile& file) { return file.name == name; });
  if (found == files.end()) return {};
  return found->text;
}

std::string names_of(const std::vector<LabFile>& files) {
  std::string names;
  for (const LabFile& file : files) names += (names.empty() ? "" : ", ") + file.name.string();
  return names;
}

class Proof {
 public:
  Proof(const Kit& kit, const Lab& lab)
      : kit_(kit), lab_(lab), all_(solution_files(kit, lab)), own_(sources_in(solution_folder(kit, lab))) {}

  std::vector<SkeletonProblem> run() {
    for (const LabFile& file : all_) prove_clean(file);
    for (int level = 1; level <= lab_.levels; ++level) prove_level(level);
    for (const LabFile& file : own_) {
      if (!blank_somewhere_.contains(file.name))
        say(file.origin, 0,
            fmt::format("it is blank at no level; it belongs in {}", shown(given_folder(kit_, lab_))));
    }
    find_strange_levels();
    return std::move(problems_);
  }

 private:
  void say(const fs::path& file, unsigned line, const std::string& what) {
    problems_.push_back({file, line, what});
  }

  /// Proves that the solution is an ordinary program, without LAB_TODO or marks of blanks.
  void prove_clean(const LabFile& file) {
    for (const Todo& todo : find_todos(file.origin, file.text))
      say(file.origin, todo.line, fmt::format("LAB_TODO({}) is in the solution", todo.part));
    const Skeleton skeleton = parse_skeleton(file.origin, file.text);
    for (const Blank& blank : skeleton.blanks)
      say(file.origin, blank.begin, fmt::format("the mark of {} is in the solution", blank.name));
  }

  void prove_level(int level) {
    const fs::path folder = level_folder(kit_, lab_, level);
    const std::vector<std::string> complete = lab_.level(level).complete;
    std::set<int> blank;
    const std::vector<LabFile> skeletons = sources_in(folder);
    for (const LabFile& file : skeletons) {
      const auto solution = text_of(own_, file.name);
      if (!solution) {
        say(file.origin, 0,
            fmt::format("{} has no such file; it has {}", shown(solution_folder(kit_, lab_)),
                        names_of(own_)));
        continue;
      }
      if (std::find(complete.begin(), complete.end(), file.name.string()) != complete.end())
        say(lab_.folder / "lab.toml", 0,
            fmt::format("{} is `complete` at level {}, but it has blanks there", file.name.string(), level));
      blank_somewhere_.insert(file.name);
      for (SkeletonProblem& problem : prove(file.origin, file.text, *solution))
        problems_.push_back(std::move(problem));
      for (const Blank& one : parse_skeleton(file.origin, file.text).blanks) {
        for (const int part : one.parts) {
          blank.insert(part);
          prove_part(file.origin, one, part, level);
        }
      }
    }
    for (const std::string& name : complete) {
      if (!text_of(own_, name))
        say(lab_.folder / "lab.toml", 0,
            fmt::format("{} is `complete` at level {}, but it is not a file of {}", name, level,
                        shown(solution_folder(kit_, lab_))));
    }
    if (skeletons.empty()) {
      say(folder, 0, fmt::format("level {} has no blanks: it would hand out nothing to do", level));
      return;
    }
    for (const Part& part : lab_.parts) {
      if (part.counts_at(level) && !blank.contains(part.id))
        say(lab_.folder / "lab.toml", 0,
            fmt::format("part {} (\"{}\") counts at level {}, but nothing is blank for it there", part.id,
                        part.title, level));
    }
  }

  void prove_part(const fs::path& file, const Blank& blank, int id, int level) {
    const auto part =
        std::find_if(lab_.parts.begin(), lab_.parts.end(), [id](const Part& one) { return one.id == id; });
    if (part == lab_.parts.end()) {
      say(file, blank.begin, fmt::format("lab.toml declares no part {}", id));
    } else if (!part->counts_at(level)) {
      say(file, blank.begin,
          fmt::format("part {} is blank at level {}, where lab.toml does not count it", id, level));
    }
  }

  /// Finds folders of levels that the lab does not have, such as level9/ in a lab with three levels.
  void find_strange_levels() {
    std::error_code failed;
    for (fs::directory_iterator at(lab_.folder, failed), end; !failed && at != end; at.increment(failed)) {
      const std::string name = at->path().filename().string();
      if (!name.starts_with("level") || !at->is_directory()) continue;
      bool known = false;
      for (int level = 1; level <= lab_.levels; ++level)
        known = known || name == fmt::format("level{}", level);
      if (!known) say(at->path(), 0, fmt::format("lab.toml says levels = {}", lab_.levels));
    }
  }

  const Kit& kit_;
  const Lab& lab_;
  const std::vector<LabFile> all_, own_;
  std::set<fs::path> blank_somewhere_;
  std::vector<SkeletonProblem> problems_;
};

/// The folder in which remember_proved() keeps a lab's solution.
fs::path proved_folder(const Kit& kit, const Lab& lab) {
  return kit.state() / "proved" / lab.folder_name();
}

/// The solution against which the levels were last proved; no value if they never were.
std::optional<std::string> proved_before(const Kit& kit, const Lab& lab, const fs::path& name) {
  const fs::path file = proved_folder(kit, lab) / name;
  std::error_code failed;
  if (!fs::is_regular_file(file, failed)) return {};
  return read_file(file, largest_source);
}

/// The skeleton, merged with the newest solution against which it can be proved.
std::optional<Carried> merged(const Kit& kit, const Lab& lab, const LabFile& skeleton,
                              const LabFile& solution) {
  std::vector<std::string> bases = committed_versions(kit, solution.origin, committed_versions_to_try);
  if (auto proved = proved_before(kit, lab, solution.name)) bases.insert(bases.begin(), std::move(*proved));
  for (const std::string& base : bases) {
    if (base == solution.text) continue;
    if (auto carried = carry(skeleton.origin, skeleton.text, base, solution.text)) return carried;
  }
  return {};
}

}  // namespace

std::vector<SkeletonProblem> prove_levels(const Kit& kit, const Lab& lab) {
  return Proof(kit, lab).run();
}

void remember_proved(const Kit& kit, const Lab& lab) {
  for (const LabFile& file : sources_in(solution_folder(kit, lab)))
    if (proved_before(kit, lab, file.name) != file.text)
      write_file(proved_folder(kit, lab) / file.name, file.text);
}

std::vector<ReleasedFile> carry_solution(const Kit& kit, const Lab& lab) {
  std::vector<ReleasedFile> done;
  for (const LabFile& solution : sources_in(solution_folder(kit, lab))) {
    for (int level = 1; level <= lab.levels; ++level) {
      const fs::path file = level_folder(kit, lab, level) / solution.name;
      std::error_code failed;
      if (!fs::is_regular_file(file, failed)) continue;
      if (interrupted())
        throw Error(ErrorKind::environment,
                    fmt::format("Interrupted; some levels of {} are not merged yet.", lab.id),
                    fmt::format("grader release {}", lab.id));
      const LabFile skeleton{solution.name, file, read_file(file, largest_source)};
      if (prove(file, skeleton.text, solution.text).empty()) continue;
      const std::optional<Carried> carried = merged(kit, lab, skeleton, solution);
      if (!carried) continue;  // no earlier solution fits, so the proof reports the problem
      ReleasedFile released{file, carried->text != skeleton.text, carried->conflicts, carried->notes};
      if (released.changed) write_file(file, carried->text);
      done.push_back(std::move(released));
    }
  }
  return done;
}

}  // namespace grader
