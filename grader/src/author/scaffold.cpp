// The whole lab is made in memory, and then written to hidden folders, which are renamed at the end.
#include "author/scaffold.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "author/release.hpp"
#include "author/scaffold_texts.hpp"
#include "base/columns.hpp"
#include "base/files.hpp"
#include "process/process.hpp"
#include "workspace/lab_files.hpp"

namespace grader {
namespace {

constexpr int most_new_levels = 9;

std::string filled_in(std::string text, const std::string& id, const std::string& name, int levels) {
  text = replace_all(text, "@LEVELS@", std::to_string(levels));
  text = replace_all(text, "@FOLDER@", id + "-" + name);
  return replace_all(replace_all(text, "@ID@", id), "@NAME@", name);
}

void refuse_what_is_taken(const Kit& kit, const Catalog& catalog, const std::string& id,
                          const std::string& folder) {
  for (const Lab& lab : catalog.labs()) {
    if (lab.id == id)
      throw Error(ErrorKind::usage, fmt::format("There is a {} already: {}.", id, shown(lab.folder)),
                  "grader list");
  }
  for (const fs::path& parent : {kit.labs(), kit.solutions(), kit.gold()}) {
    std::error_code failed;
    if (fs::exists(fs::symlink_status(parent / folder, failed)))
      throw Error(ErrorKind::usage,
                  fmt::format("{} exists already; expected nothing of this name.", shown(parent / folder)),
                  "Choose another id or name, or delete it.");
  }
}

/// A hidden folder that is renamed when it is complete, and removed otherwise.
class Draft {
 public:
  Draft(const fs::path& parent, const std::string& name)
      : final_(parent / name), draft_(parent / fmt::format(".{}.{}", name, ::getpid())) {}
  ~Draft() {
    std::error_code ignored;
    fs::remove_all(draft_, ignored);
    if (!kept_ && renamed_) fs::remove_all(final_, ignored);
  }
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;

  void write(const fs::path& name, const std::string& text) {
    write_file(draft_ / name, text);
    files_.push_back(final_ / name);
  }
  void publish() {
    std::error_code failed;
    fs::rename(draft_, final_, failed);  // fails if another grader created the folder first
    if (failed)
      throw Error(ErrorKind::environment,
                  fmt::format("{} can't be written: {}.", shown(final_), failed.message()));
    renamed_ = true;
  }
  void keep() { kept_ = true; }
  const std::vector<fs::path>& files() const { return files_; }

 private:
  fs::path final_, draft_;
  std::vector<fs::path> files_;
  bool renamed_ = false, kept_ = false;
};

}  // namespace

NewLab new_lab(const Kit& kit, const Catalog& catalog, const std::string& id, const std::string& name,
               int levels) {
  if (!is_lab_id(id))
    throw Error(ErrorKind::usage,
                fmt::format("\"{}\" is not a lab id; expected one like \"lab2\" or \"lab2.1\".", id));
  if (!is_lab_name(name))
    throw Error(
        ErrorKind::usage,
        fmt::format("\"{}\" is not a lab name; expected letters, digits, _ and -, the first a small letter.",
                    name));
  if (levels < 1 || levels > most_new_levels)
    throw Error(ErrorKind::usage, fmt::format("A lab has 1 to {} levels, not {}.", most_new_levels, levels));
  const std::string folder = id + "-" + name;
  refuse_what_is_taken(kit, catalog, id, folder);

  const auto text = [&](const char* pattern) { return filled_in(pattern, id, name, levels); };
  const fs::path source = name + ".cu";
  const std::string program = text(scaffold::program);
  const auto with = [&](const char* lines) { return replace_all(program, "@ANSWER@", lines); };

  Draft solution(kit.solutions(), folder), students(kit.labs(), folder);
  solution.write(source, with(scaffold::answer));
  solution.write("wrong.toml", text(scaffold::wrong));
  solution.write(answers_file, text(scaffold::answers));
  students.write("README.md", text(scaffold::handout));
  students.write("lab.toml", text(scaffold::metadata));
  students.write("oracle/oracle.cpp", text(scaffold::oracle));
  for (int level = 1; level <= levels; ++level)
    students.write(fmt::format("level{}", level) / source,
                   with(level == 1 ? scaffold::blank_of_level_1 : scaffold::blank_of_other_levels));
  if (interrupted()) throw Error(ErrorKind::environment, "Interrupted; nothing was written.");
  solution.publish();
  students.publish();
  solution.keep();
  students.keep();

  const Catalog with_it = Catalog::load(kit);
  for (const Lab& lab : with_it.labs())
    if (lab.id == id) remember_proved(kit, lab);

  NewLab made;
  made.files = solution.files();
  made.files.insert(made.files.end(), students.files().begin(), students.files().end());
  std::sort(made.files.begin(), made.files.end());
  made.next_steps = text(scaffold::next_steps);
  return made;
}

}  // namespace grader
