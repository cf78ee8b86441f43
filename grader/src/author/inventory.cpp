// Each check of a lab reports missing files and marks those that it knows. Files that no check knows are
// stray.
#include "author/inventory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "author/release.hpp"
#include "author/wrong.hpp"
#include "base/files.hpp"
#include "check/still_origin.hpp"
#include "workspace/lab_files.hpp"

namespace grader {
namespace {

class Inventory {
 public:
  Inventory(const Kit& kit, const Catalog& catalog) : kit_(kit), catalog_(catalog) {}

  std::vector<std::string> problems() {
    for (const Lab& lab : catalog_.labs()) check(lab);
    for (const BrokenLab& lab : catalog_.broken()) say(lab.folder / "lab.toml", lab.error.what());
    find_strays();
    std::sort(problems_.begin(), problems_.end(), natural_less);
    return std::move(problems_);
  }

 private:
  void say(const fs::path& path, const std::string& problem) {
    problems_.push_back(fmt::format("{}: {}", path.lexically_relative(kit_.root).string(), problem));
  }

  /// Turns an error of a called module into a problem, so that one broken lab does not hide the problems of
  /// the next.
  template <typename Check>
  void guarded(const fs::path& path, Check check) {
    try {
      check();
    } catch (const Error& error) {
      say(path, error.what());
    }
  }

  void require(const fs::path& file, const std::string& what) {
    known_.insert(file);
    std::error_code failed;
    if (!fs::is_regular_file(file, failed) || fs::file_size(file, failed) == 0)
      say(file, "missing or empty; expected " + what);
  }

  void check(const Lab& lab) {
    require(lab.folder / "README.md", "the handout");
    require(lab.folder / "lab.toml", "the lab's metadata");
    check_metadata(lab);
    check_linked(lab);
    check_answers(lab);
    check_oracle(lab);
    for (const fs::path& file : list_files(lab.folder / "tests"))
      if (file.filename().string().ends_with("_test.cpp")) known_.insert(file);
    check_gold(lab);
    guarded(kit_.solutions() / lab.folder_name(), [&] { check_solution(lab); });
    guarded(lab.folder / still_file, [&] { check_still(lab); });
    guarded(kit_.solutions() / lab.folder_name() / "wrong.toml", [&] { check_wrong(lab); });
  }

  void check_metadata(const Lab& lab) {
    const fs::path file = lab.folder / "lab.toml";
    for (const Part& part : lab.parts) {
      if (part.hints.empty()) say(file, fmt::format("part {} has no hints", part.id));
    }
    for (const Case& c : lab.cases) {
      if (c.runs_on(Backend::emu) && c.verify != Verify::none && !c.checked && c.unchecked.empty())
        say(file, fmt::format("case \"{}\" may be right by luck; expected checked = […], arguments at which "
                              "the checker judges it too, or unchecked = \"why not\"",
                              c.id));
    }
    for (const std::string& needed : lab.prerequisites) {
      const bool exists = std::any_of(catalog_.labs().begin(), catalog_.labs().end(),
                                      [&](const Lab& other) { return other.id == needed; });
      if (!exists || needed == lab.id)
        say(file, fmt::format("prerequisite \"{}\" is not another lab of the kit", needed));
    }
    for (const Peer& peer : lab.peers) {
      if (!peer.source.empty()) require(lab.folder / "peer" / peer.source, "the source of peer " + peer.name);
      const bool exists = std::any_of(catalog_.labs().begin(), catalog_.labs().end(),
                                      [&](const Lab& other) { return other.id == peer.lab; });
      if (peer.source.empty() && !exists)
        say(file, fmt::format("peer \"{}\" is the solution of \"{}\", which is not a lab of the kit",
                              peer.name, peer.lab));
    }
  }

  /// Checks the files that the handout shows or links, which are its figures and peers.
  void check_linked(const Lab& lab) {
    std::error_code failed;
    const fs::path handout = lab.folder / "README.md";
    if (!fs::is_regular_file(handout, failed)) return;
    const std::string text = read_file(handout, 1 << 20);
    constexpr std::string_view link = "](";
    for (std::size_t at = text.find(link); at != std::string::npos; at = text.find(link, at + 1)) {
      const std::size_t begin = at + link.size();
      const std::string target = text.substr(begin, text.find_first_of(") \n", begin) - begin);
      const fs::path file = (lab.folder / target).lexically_normal();
      const std::string folder = file.parent_path().filename().string();
      if (file.parent_path().parent_path() == lab.folder && (folder == "figures" || folder == "peer"))
        require(file, "what the handout links to");
    }
  }

  /// Checks that the answers to the handout's questions exist, which are for instructors.
  void check_answers(const Lab& lab) {
    std::error_code failed;
    const fs::path handout = lab.folder / "README.md",
                   answers = kit_.solutions() / lab.folder_name() / answers_file;
    if (!fs::is_regular_file(handout, failed)) return;
    if (read_file(handout, 1 << 20).find("\n## Questions") != std::string::npos) {
      require(answers, "the answers to the handout's questions");
    } else {
      known_.insert(answers);
    }
  }

  /// Checks that the handout's still image belongs to the current solution, and has a description in words.
  void check_still(const Lab& lab) {
    const fs::path still = lab.folder / still_file;
    std::error_code failed;
    const bool declared = lab.view && !lab.view->panels.empty();
    if (!declared || !fs::is_regular_file(lab.folder / "README.md", failed)) return;
    require(still, fmt::format("the still that lab.toml declares ({})", still_command(lab)));
    if (read_file(lab.folder / "README.md", 1 << 20)
            .find(fmt::format("![{}]({})", lab.view->story, still_file)) == std::string::npos)
      say(lab.folder / "README.md",
          fmt::format("does not show the still; expected ![{}]({})", lab.view->story, still_file));
    if (fs::is_regular_file(still, failed) &&
        read_file(still, 4 << 20).find(still_origin(read_submission(kit_, lab, 1, Origin::solution, ""))) ==
            std::string::npos)
      say(still, "out of date; make it anew: " + still_command(lab));
  }

  void check_oracle(const Lab& lab) {
    bool has_program = false;
    for (const fs::path& file : list_files(lab.folder / "oracle")) {
      if (is_source(file) && file.extension() != ".cu" && file.extension() != ".cuh") known_.insert(file);
      has_program = has_program || file.extension() == ".cpp";
    }
    if (!has_program)
      say(lab.folder / "oracle", "no .cpp file; expected the program that knows what is right");
  }

  void check_gold(const Lab& lab) {
    const fs::path folder = kit_.gold() / lab.folder_name();
    const std::string make = fmt::format("(grader gold {})", lab.id);
    bool has_gold = false;
    for (const Case& c : lab.cases) {
      if (c.verify != Verify::gold) continue;
      has_gold = true;
      for (const std::string& input : lab.inputs)
        require(folder / c.id / data_file(input), "a stored input " + make);
      require(folder / c.id / lab.output.file(), "the stored output " + make);
    }
    if (has_gold) require(folder / "manifest.toml", "the checksums of the stored arrays " + make);
  }

  void check_solution(const Lab& lab) {
    for (const LabFile& file : solution_files(kit_, lab)) known_.insert(file.origin);
    for (int level = 1; level <= lab.levels; ++level) {
      for (const LabFile& file : sources_in(level_folder(kit_, lab, level))) known_.insert(file.origin);
    }
    for (const SkeletonProblem& problem : prove_levels(kit_, lab)) {
      known_.insert(problem.file);
      say(problem.file,
          problem.line == 0 ? problem.what : fmt::format("line {}: {}", problem.line, problem.what));
    }
  }

  void check_wrong(const Lab& lab) {
    const fs::path file = kit_.solutions() / lab.folder_name() / "wrong.toml";
    known_.insert(file);
    const std::vector<WrongSolution> list = read_wrong(kit_, lab);
    if (list.empty()) say(file, "lists nothing; expected at least one [[wrong]]");
    const Submission solution = read_submission(kit_, lab, 1, Origin::solution);
    for (const WrongSolution& wrong : list) guarded(file, [&] { apply_wrong(solution, wrong); });
  }

  void find_strays() {
    std::set<std::string> names, broken;
    for (const Lab& lab : catalog_.labs()) names.insert(lab.folder_name());
    for (const BrokenLab& lab : catalog_.broken()) broken.insert(lab.folder.filename());
    for (const fs::path& top : {kit_.labs(), kit_.solutions(), kit_.gold()}) {
      std::set<std::string> strange;
      for (const fs::path& file : list_files(top)) {
        const std::string folder = file.lexically_relative(top).begin()->string();
        const bool inside = file.parent_path() != top;
        if (broken.contains(folder)) continue;  // its lab could not be read
        if (inside && !names.contains(folder)) {
          strange.insert(folder);  // reported once, not for each of its files
        } else if (!known_.contains(file)) {
          say(file, "stray: it belongs to no lab");
        }
      }
      for (const std::string& folder : strange)
        say(top / folder, "undeclared: no lab.toml declares a lab of this name");
    }
  }

  const Kit& kit_;
  const Catalog& catalog_;
  std::set<fs::path> known_;
  std::vector<std::string> problems_;
};

}  // namespace

std::vector<std::string> inventory_problems(const Kit& kit, const Catalog& catalog) {
  return Inventory(kit, catalog).problems();
}

}  // namespace grader
