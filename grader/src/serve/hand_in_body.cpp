#include "serve/hand_in_body.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/columns.hpp"
#include "course/archive.hpp"
#include "course/receive.hpp"
#include "model/json.hpp"

namespace grader {
namespace {

using Json = nlohmann::json;

/// Keeps the files in folders of this name, if there are any.
void narrow(std::vector<SubmissionFile>& files, const std::string& folder,
            std::vector<std::string>& ignored) {
  const auto is_there = [&](const SubmissionFile& file) {
    const fs::path parent = file.name.parent_path();
    return std::find(parent.begin(), parent.end(), folder) != parent.end();
  };
  if (std::none_of(files.begin(), files.end(), is_there)) return;
  for (const SubmissionFile& file : files)
    if (!is_there(file)) ignored.push_back(printable(file.name.string()));
  std::erase_if(files, [&](const SubmissionFile& file) { return !is_there(file); });
}

}  // namespace

bool is_zip(const std::string& body) {
  return body.starts_with("PK\x03\x04");
}

std::vector<SubmissionFile> files_in_zip(const std::string& body, const LevelForm& form,
                                         std::vector<std::string>& ignored) {
  Unread unread;
  std::vector<SubmissionFile> out;
  const std::vector<std::string> names = names_to_hand_in(form);
  for (SubmissionFile& file : read_archive(SubmissionFile{"hand-in.zip", body}, &unread)) {
    if (std::find(names.begin(), names.end(), file.name.filename().string()) == names.end())
      ignored.push_back(printable(file.name.string()));
    else
      out.push_back(std::move(file));
  }
  for (const std::string& name : unread.others) ignored.push_back(printable(name));
  narrow(out, form.lab->id, ignored);
  narrow(out, fmt::format("level{}", form.level), ignored);
  for (SubmissionFile& file : out) file.name = file.name.filename();
  return out;
}

std::vector<SubmissionFile> files_in_json(const std::string& body) {
  const Json json = json_or_null(body);
  std::vector<SubmissionFile> out;
  const auto text = [](const Json& one, const char* key) {
    return one.is_object() && one.contains(key) && one[key].is_string();
  };
  if (json.is_object() && json.contains("files") && json["files"].is_array())
    for (const Json& one : json["files"]) {
      if (!text(one, "name") || !text(one, "text")) return {};
      out.push_back({one["name"].get<std::string>(), one["text"].get<std::string>()});
    }
  return out;
}

}  // namespace grader
