// Puts the student's blanks into the kit's files.
#include "course/assemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "base/columns.hpp"
#include "course/file_name.hpp"
#include "workspace/lab_files.hpp"

namespace grader {
namespace {

/// The rank of a file's place; the smallest is best. The level's folder is best, then the lab's, then any
/// other. Of two places of a kind, the one in fewer folders is better.
int rank(const fs::path& name, const Lab& lab, int level) {
  int depth = 0;
  bool in_lab = false, in_level = false;
  for (const fs::path& part : name.parent_path()) {
    in_level |= in_lab && part == fmt::format("level{}", level);
    in_lab |= part.string().rfind(lab.id, 0) == 0;
    ++depth;
  }
  return depth - (in_level ? 2000 : in_lab ? 1000 : 0);
}

const SubmissionFile* find(const std::vector<SubmissionFile>& files, const fs::path& name, const Lab& lab,
                           int level, std::vector<std::string>& notes) {
  const std::string wanted = name.filename().string();
  std::vector<const SubmissionFile*> found;
  for (const SubmissionFile& file : files) {
    const std::string own = file.name.filename().string();
    if (own == wanted || plain_name(own).name == lower(wanted)) found.push_back(&file);
  }
  if (found.empty()) return nullptr;
  std::stable_sort(found.begin(), found.end(), [&](const SubmissionFile* a, const SubmissionFile* b) {
    const auto order = [&](const fs::path& one) {
      const std::string own = one.filename().string();
      // If two folders have the same depth, the one with more files is the student's work: a build folder has
      // only a few copies.
      const auto beside = std::count_if(files.begin(), files.end(), [&](const SubmissionFile& file) {
        return file.name.parent_path() == one.parent_path();
      });
      return std::tuple(own != wanted, -static_cast<long>(plain_name(own).copy), rank(one, lab, level),
                        -beside);
    };
    return order(a->name) < order(b->name);
  });
  if (found.front()->name.filename() != wanted)
    notes.push_back(fmt::format("{} was handed in as {}.", wanted, printable(found.front()->name.string())));
  for (std::size_t i = 1; i < found.size(); ++i)
    if (found[i]->text != found.front()->text)
      notes.push_back(fmt::format(
          "{} was handed in several times, and they differ: {} was graded, {} was not.", name.string(),
          printable(found.front()->name.string()), printable(found[i]->name.string())));
  return found.front();
}

std::string trimmed(const std::string& line) {
  const std::size_t end = line.find_last_not_of(" \t\r");
  return end == std::string::npos ? "" : line.substr(0, end + 1);
}

/// The first given line that the student changed, as its number in the student's file; 0 if none was changed.
unsigned changed_line(const Skeleton::Given& kit, const Skeleton::Given& own) {
  const std::size_t both = std::min(kit.lines.size(), own.lines.size());
  for (std::size_t i = 0; i < both; ++i)
    if (trimmed(kit.lines[i]) != trimmed(own.lines[i])) return own.begin + static_cast<unsigned>(i);
  return kit.lines.size() == own.lines.size() ? 0 : own.begin + static_cast<unsigned>(both);
}

void append(std::string& text, const std::vector<std::string>& lines) {
  for (const std::string& line : lines) text += line + "\n";
}

/// The kit's file with the student's blanks. No value if the marks in `own` differ from the kit's.
std::optional<std::string> filled(const LevelForm::File& kit, const Skeleton& own,
                                  std::vector<std::string>& notes) {
  const Skeleton& skeleton = kit.skeleton;
  const auto same = [](const Blank& a, const Blank& b) { return a.parts == b.parts; };
  if (!std::equal(skeleton.blanks.begin(), skeleton.blanks.end(), own.blanks.begin(), own.blanks.end(), same))
    return std::nullopt;
  std::string text;
  for (std::size_t i = 0; i < skeleton.given.size(); ++i) {
    append(text, skeleton.given[i].lines);
    if (const unsigned line = changed_line(skeleton.given[i], own.given[i]); line != 0)
      notes.push_back(
          fmt::format("{}:{} differs from the lab's file outside of the blanks; the lab's own line was "
                      "graded.",
                      kit.file.name.string(), line));
    if (i == skeleton.blanks.size()) break;
    const Blank& blank = skeleton.blanks[i];
    text += kit.lines[blank.begin - 1] + "\n";
    append(text, own.blanks[i].lines);
    text += kit.lines[blank.end - 1] + "\n";
  }
  return text;
}

/// Whether a file has a blank that counts at this level. Files without one belong to another level.
bool is_asked_for(const Skeleton& skeleton, const Lab& lab, int level) {
  return std::any_of(skeleton.blanks.begin(), skeleton.blanks.end(),
                     [&](const Blank& blank) { return lab.counts_at(level, blank.parts); });
}

}  // namespace

LevelForm read_form(const Kit& kit, const Lab& lab, int level) {
  LevelForm form{&lab, level, {}};
  for (LabFile& file : level_files(kit, lab, level)) {
    LevelForm::File& one = form.files.emplace_back();
    if (is_source(file.name)) one.skeleton = parse_skeleton(file.name, file.text);
    one.lines = split_lines(file.text);
    one.file = {file.name, std::move(file.text)};
  }
  return form;
}

Assembled assemble(const LevelForm& form, const std::vector<SubmissionFile>& handed_in,
                   const fs::path& folder) {
  Assembled out;
  out.submission.lab = form.lab;
  out.submission.level = form.level;
  out.submission.origin = Origin::folder;
  out.submission.folder = folder;
  for (const LevelForm::File& kit : form.files) {
    const fs::path& name = kit.file.name;
    out.submission.files.push_back(kit.file);
    if (kit.skeleton.blanks.empty()) continue;
    const SubmissionFile* const own = find(handed_in, name, *form.lab, form.level, out.notes);
    if (own == nullptr) {
      if (is_asked_for(kit.skeleton, *form.lab, form.level)) {
        out.notes.push_back(fmt::format("{} was not handed in.", name.string()));
        out.lacks_files = true;
      }
      continue;
    }
    std::optional<std::string> text;
    try {
      text = filled(kit, parse_skeleton(name, own->text), out.notes);
    } catch (const Error&) {
      // a damaged mark
    }
    if (!text)
      out.notes.push_back(
          fmt::format("The marks of the blanks in {} were changed: the file was graded as it was handed "
                      "in. Look at it by hand.",
                      name.string()));
    out.submission.files.back().text = text ? *text : own->text;
  }
  summarise(out.submission);
  return out;
}

}  // namespace grader
