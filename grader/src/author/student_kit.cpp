// The kit is made in a folder beside its destination, which is then renamed. The last step reads the written
// files, as a student could, and searches them for the solutions.
#include "author/student_kit.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <set>

#include "author/release.hpp"
#include "base/files.hpp"
#include "base/regex.hpp"
#include "workspace/lab_files.hpp"

namespace grader {
namespace {

constexpr std::uintmax_t largest_file = 256 << 20;

/// The parts of a kit that students get unchanged. An installed kit has programs instead of their sources.
const std::vector<std::string> shared_sources = {"bootstrap", "CMakeLists.txt", "CMakePresets.json",
                                                 "LICENSE",   "cmake",          "common",
                                                 "grader",    ".devcontainer"};
/// The parts of these folders that students don't get: reports and beginners' programs with planted mistakes,
/// and attacks.
const std::vector<std::string> not_shared = {"grader/tests", "grader/bench", "grader/fuzz"};
const std::vector<std::string> shared_installed = {"bin", "lib", "include", "share"};
const std::vector<std::string> shared_guides = {
    "docs/student.md",   "docs/checker.md",         "docs/counters.md",   "docs/explain.md",
    "docs/emulation.md", "docs/techniques.md",      "docs/techniques.cu", "docs/cluster.md",
    "docs/serve.md",     "docs/report-template.txt"};

/// A [[case]] of a TOML file, with the comments directly above it.
struct Block {
  bool is_case = false;
  std::string id, text;
};

/// The file, split before each top-level header. The text between headers is unchanged. A [[case.file]]
/// belongs to its case.
std::vector<Block> blocks_of(const std::string& toml) {
  static const Regex header(R"(\[\[?([A-Za-z_.]+)\]\]?.*)"), id(R"re(id *= *"([^"]*)".*)re");
  std::vector<Block> blocks(1);
  std::string comments;  // they may belong to the next header
  std::size_t begin = 0;
  while (begin < toml.size()) {
    const std::size_t end = std::min(toml.find('\n', begin), toml.size() - 1) + 1;
    const std::string line = toml.substr(begin, end - begin),
                      bare = line.substr(0, line.find_last_not_of("\r\n") + 1);
    begin = end;
    if (bare.starts_with('#')) {
      comments += line;
      continue;
    }
    const auto head = header.match(bare);
    if (head && (*head)[1].find('.') == std::string::npos) {
      blocks.push_back({(*head)[1] == "case", "", comments + line});
    } else {
      blocks.back().text += comments + line;
      if (const auto name = id.match(bare); name && blocks.back().is_case && blocks.back().id.empty())
        blocks.back().id = (*name)[1];
    }
    comments.clear();
  }
  blocks.back().text += comments;
  return blocks;
}

std::string without_cases(const std::string& toml, const std::set<std::string>& ids) {
  std::string text;
  for (const Block& block : blocks_of(toml))
    if (!block.is_case || !ids.contains(block.id)) text += block.text;
  return text;
}

/// The folder of a lab's oracle that students don't get. It holds the data with which the judge compares,
/// such as the best parameters.
constexpr const char* withheld_folder = "/oracle/withheld/";

/// The cases withheld from students.
std::set<std::string> withheld(const Lab& lab) {
  std::set<std::string> ids;
  for (const Case& c : lab.cases)
    if (c.visibility != Visibility::visible) ids.insert(c.id);
  return ids;
}

class Writer {
 public:
  Writer(const Kit& kit, const Catalog& catalog, const ChosenLevels& levels, fs::path to, KitFor whom)
      : kit_(kit), catalog_(catalog), levels_(levels), to_(std::move(to)), whom_(whom) {}

  StudentKit run() {
    const bool from_source = fs::exists(kit_.root / "CMakeLists.txt");
    for (const auto& [id, chosen] : levels_) refuse_answers(lab(id), chosen);
    for (const std::string& name : from_source ? shared_sources : shared_installed) copy(name);
    for (const std::string& name : shared_guides) copy(name);
    copy("hunts");
    for (const auto& [id, chosen] : levels_) write_lab(lab(id), chosen);
    write(fs::path("README.md"), readme());
    look_for_solutions();
    return std::move(made_);
  }

 private:
  const Lab& lab(const std::string& id) const {
    std::optional<int> none;
    return catalog_.find(id, none);
  }

  void write(const fs::path& name, const std::string& text) {
    write_file(to_ / name, text);
    ++made_.files;
  }

  void copy(const fs::path& name) {
    const fs::path from = kit_.root / name;
    std::error_code failed;
    if (fs::is_regular_file(from, failed)) {
      copy_file(from, name);
    } else {
      for (const fs::path& file : list_files(from)) {
        const fs::path own = file.lexically_relative(kit_.root);
        if (whom_ != KitFor::grading && own.string().find(withheld_folder) != std::string::npos) continue;
        if (std::none_of(not_shared.begin(), not_shared.end(),
                         [&](const std::string& folder) { return own.string().starts_with(folder + "/"); }))
          copy_file(file, own);
      }
    }
  }

  void copy_file(const fs::path& from, const fs::path& name) {
    write(name, read_file(from, largest_file));
    std::error_code ignored;
    fs::permissions(to_ / name, fs::status(from, ignored).permissions(), ignored);
  }

  /// Refuses two levels in one kit if one of them gives a whole file that the other leaves blank.
  void refuse_answers(const Lab& lab, const std::vector<int>& chosen) const {
    if (const auto problems = prove_levels(kit_, lab); !problems.empty())
      throw Error(ErrorKind::usage,
                  fmt::format("The levels of {} are not proved: {}.", lab.id, problems.front().what),
                  fmt::format("grader release {} --check", lab.id));
    for (const int level : chosen) {
      for (const std::string& name : lab.level(level).complete) {
        for (const int other : chosen) {
          if (fs::exists(level_folder(kit_, lab, other) / name))
            throw Error(
                ErrorKind::usage,
                fmt::format(
                    "Level {} of {} hands out {} whole, and level {} asks for it: students would have "
                    "the answers.",
                    level, lab.id, name, other),
                fmt::format("Choose one of them: --levels {}={}", lab.id, other));
        }
      }
    }
  }

  void write_lab(const Lab& lab, const std::vector<int>& chosen) {
    const fs::path folder = fs::path("labs") / lab.folder_name();
    for (const char* part : {"README.md", "figures", "oracle", "peer", "shared", "given"})
      copy(folder / part);

    const std::set<std::string> without = whom_ == KitFor::grading ? std::set<std::string>() : withheld(lab);
    write(folder / "lab.toml", without_cases(read_file(lab.folder / "lab.toml", largest_file), without));
    const Lab there = parse_lab(to_ / folder / "lab.toml");
    if (there.cases.size() + without.size() != lab.cases.size())
      throw Error(ErrorKind::fault,
                  fmt::format("The cases of {} could not be taken apart.", shown(lab.folder / "lab.toml")));
    if (!without.empty())
      made_.notes.push_back(fmt::format("{}: {} of {} cases are left out ({}).", lab.id, without.size(),
                                        lab.cases.size(), fmt::join(without, ", ")));

    const std::set<fs::path> given = names(given_files(kit_, lab));
    for (const int level : chosen) {
      for (const LabFile& file : level_files(kit_, lab, level))
        if (!given.contains(file.name))
          write(folder / fmt::format("level{}", level) / file.name, read_file(file.origin, largest_file));
    }
    write_gold(lab, without);
  }

  void write_gold(const Lab& lab, const std::set<std::string>& without) {
    const fs::path folder = fs::path("gold") / lab.folder_name();
    const fs::path manifest = kit_.root / folder / "manifest.toml";
    std::error_code failed;
    if (!fs::exists(manifest, failed)) return;
    for (const fs::path& file : list_files(kit_.root / folder)) {
      const fs::path name = file.lexically_relative(kit_.root / folder);
      if (name == "manifest.toml" || without.contains(name.begin()->string())) continue;
      copy_file(file, folder / name);
    }
    write(folder / "manifest.toml", without_cases(read_file(manifest, largest_file), without));
  }

  static std::set<fs::path> names(const std::vector<LabFile>& files) {
    std::set<fs::path> out;
    for (const LabFile& file : files) out.insert(file.name);
    return out;
  }

  std::string readme() const {
    std::string text =
        "# CUDA labs\n\nEach lab is a small CUDA program with blanks. You fill them in; `grader` builds what "
        "you wrote, "
        "runs it, on a GPU\nor without one, and explains what is wrong.\n\n"
        "    ./bootstrap grader list     # the first time: installs what is missing and builds the grader\n"
        "    source build/env.sh         # puts grader on the PATH\n"
        "    grader lab0                 # makes your folder work/lab0/level1, and grades it\n\n"
        "docs/student.md says the rest.\n\n| lab | about |\n|---|---|\n";
    for (const auto& [id, chosen] : levels_) {
      const Lab& one = lab(id);
      text += fmt::format("| [{}](labs/{}/README.md) | {} |\n", one.id, one.folder_name(), one.title);
    }
    if (!fs::exists(kit_.root / "CMakeLists.txt")) {
      const std::size_t begin = text.find("    ./bootstrap"), end = text.find("    grader lab0");
      text.replace(begin, end - begin, "    source env.sh               # puts grader on the PATH\n");
    }
    return text;
  }

  /// Checks, independently of the rules above, that no file of the kit equals a file of solutions/, except
  /// for given files.
  void look_for_solutions() const {
    for (const auto& [id, chosen] : levels_) {
      const Lab& one = lab(id);
      std::set<std::string> allowed;
      for (const int level : chosen)
        for (const std::string& name : one.level(level).complete) allowed.insert(name);
      std::map<std::string, fs::path> secret;
      for (const LabFile& file : sources_in(solution_folder(kit_, one)))
        if (!allowed.contains(file.name.string())) secret[file.text] = file.origin;
      const fs::path answers = solution_folder(kit_, one) / answers_file;
      std::error_code ignored;
      if (fs::exists(answers, ignored)) secret[read_file(answers, largest_file)] = answers;
      for (const fs::path& file : list_files(to_ / "labs")) {
        const auto found = secret.find(read_file(file, largest_file));
        if (found != secret.end())
          throw Error(ErrorKind::fault,
                      fmt::format("{} would hand out {}.", shown(file), shown(found->second)));
      }
    }
  }

  const Kit& kit_;
  const Catalog& catalog_;
  const ChosenLevels& levels_;
  const fs::path to_;
  const KitFor whom_;
  StudentKit made_;
};

}  // namespace

ChosenLevels choose_levels(const Catalog& catalog, const std::vector<std::string>& words) {
  static const Regex form(R"((?:([A-Za-z0-9_.-]+)=)?(\d(?:,\d)*))");
  ChosenLevels levels;
  const auto add = [&](const Lab& lab, const std::string& list) {
    std::vector<int>& chosen = levels[lab.id];
    chosen.clear();
    for (const char c : list)
      if (c != ',' && c - '0' <= lab.levels && c != '0') chosen.push_back(c - '0');
  };
  for (const bool named : {false, true}) {  // choices that name a lab take precedence
    for (const std::string& word : words.empty() ? std::vector<std::string>{"1"} : words) {
      const auto match = form.match(word);
      if (!match)
        throw Error(ErrorKind::usage,
                    fmt::format("\"{}\" chooses no levels; expected \"1\" or \"lab3.1=1,2\".", word));
      if (match->has(1) != named) continue;
      if (!named) {
        for (const Lab& lab : catalog.labs()) add(lab, (*match)[2]);
        continue;
      }
      std::optional<int> level;
      const Lab& lab = catalog.find((*match)[1], level);
      add(lab, (*match)[2]);
      if (levels[lab.id].empty())
        throw Error(ErrorKind::usage,
                    fmt::format("{} has levels 1 to {}, not {}.", lab.id, lab.levels, (*match)[2]));
    }
  }
  std::erase_if(levels, [](const auto& one) { return one.second.empty(); });
  if (levels.empty()) throw Error(ErrorKind::usage, "No lab has such a level.", "grader list");
  return levels;
}

StudentKit write_student_kit(const Kit& kit, const Catalog& catalog, const ChosenLevels& levels,
                             const fs::path& to, KitFor whom) {
  const fs::path target = fs::absolute(to).lexically_normal();
  std::error_code failed;
  if (fs::exists(fs::symlink_status(target, failed)))
    throw Error(ErrorKind::usage,
                fmt::format("{} exists already; expected the name of a new folder.", shown(target)));
  const fs::path draft = target.parent_path() / fmt::format(".{}.{}", target.filename().string(), ::getpid());
  try {
    StudentKit made = Writer(kit, catalog, levels, draft, whom).run();
    fs::rename(draft, target, failed);
    if (failed)
      throw Error(ErrorKind::environment,
                  fmt::format("{} can't be written: {}.", shown(target), failed.message()));
    return made;
  } catch (...) {
    fs::remove_all(draft, failed);
    throw;
  }
}

}  // namespace grader
