#include "serve/student_files.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "base/sha256.hpp"
#include "workspace/skeleton.hpp"
#include "workspace/workspace.hpp"

namespace grader {

std::vector<SubmissionFile> StudentFiles::all() const {
  std::vector<SubmissionFile> files = read_submission(kit_, lab_, level_, Origin::student).files;
  std::erase_if(files, [](const SubmissionFile& file) {
    return file.text.size() > largest_shown || first_line_not_utf8(file.text) > 0;
  });
  return files;
}

std::optional<SubmissionFile> StudentFiles::find(const std::string& name) const {
  for (SubmissionFile& file : all())
    if (file.name.generic_string() == name) return std::move(file);
  return std::nullopt;
}

std::optional<std::string> StudentFiles::save(const std::string& name, const std::string& text,
                                              const std::string& base) const {
  const FileLock lock(kit_.state() / "serve.lock");  // so that two pages save one after the other
  const std::optional<SubmissionFile> there = find(name);
  if (!there)
    throw Error(ErrorKind::usage, fmt::format("{} has no file \"{}\".", lab_.id, name),
                "Load the page again: it lists the files.");
  if (sha256_hex(there->text) != base) return there->text;
  if (there->text == text) return std::nullopt;
  open_workspace(kit_, lab_, level_);
  write_file(folder() / there->name, text);
  return std::nullopt;
}

std::string StudentFiles::stamp() const {
  std::string out;
  for (const fs::path& file : list_files(folder())) {
    struct stat status {};
    if (::stat(file.c_str(), &status) == 0)
      out += fmt::format("{} {} {} {}.{}\n", file.string(), status.st_ino, status.st_size,
                         status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
  }
  return out;
}

nlohmann::json file_json(const SubmissionFile& file) {
  nlohmann::json out = {
      {"name", file.name.generic_string()}, {"sha256", sha256_hex(file.text)}, {"text", file.text}};
  nlohmann::json& blanks = out["blanks"] = nlohmann::json::array();
  try {
    for (const Blank& blank : parse_skeleton(file.name, file.text).blanks)
      blanks.push_back({{"name", blank.name},
                        {"title", blank.title},
                        {"parts", blank.parts},
                        {"begin", blank.begin},
                        {"end", blank.end}});
  } catch (const Error& e) {
    out["note"] = e.what();
  }
  return out;
}

}  // namespace grader
