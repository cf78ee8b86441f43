#include "serve/versions.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/files.hpp"
#include "base/removal.hpp"

namespace grader {
namespace {

fs::path folder_of(const Kit& kit, const Lab& lab, int level) {
  return kit.state() / "serve" / "versions" / fmt::format("{}.{}", lab.id, level);
}

}  // namespace

void keep_version(const Kit& kit, const Submission& submission) {
  const fs::path folder = folder_of(kit, *submission.lab, submission.level) / submission.sha256;
  if (!fs::exists(folder)) {
    const fs::path unfinished = folder.string() + ".new";
    remove_tree(unfinished);
    for (const SubmissionFile& file : submission.files) {
      fs::create_directories((unfinished / file.name).parent_path());
      write_file(unfinished / file.name, file.text);
    }
    fs::rename(unfinished, folder);
  }
  fs::last_write_time(folder, fs::file_time_type::clock::now());
  const std::vector<Version> all = kept_versions(kit, *submission.lab, submission.level);
  for (std::size_t i = most_versions; i < all.size(); ++i) remove_tree(all[i].folder);
}

std::vector<Version> kept_versions(const Kit& kit, const Lab& lab, int level) {
  std::vector<Version> out;
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_of(kit, lab, level), none))
    if (entry.path().extension().empty())
      out.push_back({entry.path().filename().string(), entry.path(), entry.last_write_time()});
  std::sort(out.begin(), out.end(), [](const Version& a, const Version& b) { return a.kept_at > b.kept_at; });
  return out;
}

}  // namespace grader
