// Lists all names first, then decides which files to read: if there is a source beside an archive, the
// archive is skipped.
#include "course/hand_in_files.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/columns.hpp"
#include "base/files.hpp"
#include "course/archive.hpp"
#include "course/file_name.hpp"
#include "workspace/lab_files.hpp"

namespace grader {
namespace {

const char* const ask_again = "ask for it again, as a zip or tar.gz file of the sources alone";
constexpr int most_entries = 5000;

[[noreturn]] void fail(const std::string& sentence) {
  throw Error(ErrorKind::usage, sentence, ask_again);
}

/// A file of the attempt that has not been read yet.
struct Part {
  fs::path name;            ///< the student's name for the file
  fs::path path;            ///< location on disk
  std::uint64_t newer = 0;  ///< PlatformName::newer
};

/// Why a file can't be read; empty if it can.
std::string obstacle(const fs::path& path) {
  std::error_code failed;
  const fs::file_status status = fs::symlink_status(path, failed);
  if (fs::is_symlink(status)) {
    const fs::path to = fs::read_symlink(path, failed);
    return fmt::format("{} is a link to {}, and links are not followed.", shown(path),
                       printable(to.string()));
  }
  if (!fs::exists(status)) return fmt::format("{} can't be read: {}.", shown(path), failed.message());
  if (!fs::is_regular_file(status) && !fs::is_directory(status))
    return fmt::format("{} is a pipe or a device; expected a file.", shown(path));
  return "";
}

/// Whether a file is read: a source, or a companion that is not too large.
bool is_wanted(const Part& part) {
  if (is_named_as_source(part.name.filename().string())) return true;
  std::error_code failed;
  return is_companion(part.name) && fs::file_size(part.path, failed) <= submission_limits.file_bytes;
}

class PartReader {
 public:
  explicit PartReader(const HandIn& hand_in) {
    for (const fs::path& path : hand_in.paths) {
      std::error_code failed;
      if (fs::is_directory(fs::symlink_status(path, failed))) {
        list(path);
      } else {
        const auto name = platform_name(path, false);
        if (!name)
          parts_.push_back({path.filename(), path});
        else if (!name->file.empty())  // a receipt is not the student's file
          parts_.push_back({name->file, path, name->newer});
      }
    }
    leave_links();
    leave_older();
    shown_ = shown(hand_in.paths.front());
  }

  HandedInFiles read() {
    std::vector<const Part*> archives;
    std::vector<std::string> archive_names, unreadable;
    bool has_source = false;
    for (const Part& part : parts_) {
      const std::string name = part.name.filename().string();
      has_source |= is_named_as_source(name);
      if (!archive_end(name).empty()) {
        archives.push_back(&part);
        archive_names.push_back(part.name.string());
      } else if (!unreadable_archive_end(name).empty()) {
        unreadable.push_back(part.name.string());
      } else if (!is_wanted(part)) {
        out_.others.push_back(part.name.string());
      }
    }
    if (has_source) {
      for (const Part& part : parts_)
        if (is_wanted(part)) take(part);
      unreadable.insert(unreadable.begin(), archive_names.begin(), archive_names.end());
      if (!unreadable.empty())
        out_.notes.push_back(fmt::format("Not read, since sources lie beside: {}.", list_of(unreadable)));
    } else if (archives.size() == 1) {
      const Part& only = *archives.front();
      out_.files = read_archive(only.path, &out_);
      look_into(only.name.string());
      if (!unreadable.empty()) out_.notes.push_back(fmt::format("Not read: {}.", list_of(unreadable)));
    } else if (!archives.empty()) {
      give_up(fmt::format("{} holds several archives and no source: {}.", shown_, list_of(archive_names)));
    } else if (!unreadable.empty()) {
      give_up(fmt::format("The grader does not read archives of such a kind: {}.", list_of(unreadable)));
    } else {
      give_up(out_.notes.empty() || !out_.others.empty() ? nothing_in(shown_) : "");
    }
    std::sort(out_.files.begin(), out_.files.end(),
              [](const SubmissionFile& a, const SubmissionFile& b) { return a.name < b.name; });
    return std::move(out_);
  }

 private:
  std::string nothing_in(const std::string& what) const {
    return fmt::format("{} holds no source (.cu, .cpp, .h){}{}.", what, out_.others.empty() ? "" : ", but ",
                       list_of(out_.others));
  }

  /// Refuses the hand-in, with `sentence` and the list of the files that were skipped.
  [[noreturn]] void give_up(const std::string& sentence) const {
    std::string all;
    for (const std::string& note : out_.notes) all += note + " ";
    fail(std::string(trimmed(all + sentence)));
  }

  void list(const fs::path& folder) {
    std::error_code failed;
    fs::recursive_directory_iterator at(folder, failed);
    for (int count = 0; !failed && at != fs::recursive_directory_iterator(); at.increment(failed)) {
      if (++count > most_entries)
        fail(fmt::format("{} holds more than {} files and folders.", shown(folder), most_entries));
      const bool is_link = fs::is_symlink(at->symlink_status(failed));
      if (is_hidden(at->path()) || at->path().filename() == "__MACOSX")
        at.disable_recursion_pending();
      else if (is_link || !fs::is_directory(at->symlink_status(failed)))
        parts_.push_back({at->path().lexically_relative(folder), at->path()});
    }
    if (failed) fail(fmt::format("{} can't be read: {}.", shown(folder), failed.message()));
  }

  void leave_links() {
    std::erase_if(parts_, [&](const Part& part) {
      const std::string why = obstacle(part.path);
      if (!why.empty()) out_.notes.push_back(why);
      return !why.empty();
    });
  }

  /// Leaves out older files. Canvas numbers a file that is handed in again: "kernel.cu", then "kernel-1.cu".
  void leave_older() {
    std::stable_sort(parts_.begin(), parts_.end(),
                     [](const Part& a, const Part& b) { return a.newer < b.newer; });
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const auto newer =
          std::find_if(parts_.begin() + static_cast<std::ptrdiff_t>(i), parts_.end(), [&](const Part& one) {
            return one.newer > parts_[i].newer && parts_[i].newer != 0 &&
                   plain_name(one.name.string()).name == lower(parts_[i].name.string());
          });
      if (newer == parts_.end()) continue;
      out_.notes.push_back(fmt::format("{} was handed in after {}, which was not read.",
                                       printable(newer->name.string()), printable(parts_[i].name.string())));
      parts_.erase(parts_.begin() + static_cast<std::ptrdiff_t>(i--));
    }
  }

  void take(const Part& part) {
    if (out_.files.size() == submission_limits.files)
      fail(fmt::format("{} holds more than {} files.", shown_, submission_limits.files));
    out_.files.push_back({part.name, read_file(part.path, submission_limits.file_bytes)});
    bytes_ += out_.files.back().text.size();
    if (bytes_ > submission_limits.bytes)
      fail(fmt::format("{} holds more than {} MiB.", shown_, submission_limits.bytes >> 20));
  }

  /// Reads an archive's content. If it holds only another archive, reads that one.
  void look_into(const std::string& archive) {
    std::vector<const SubmissionFile*> archives;
    if (has_source(archives)) return;
    if (archives.size() > 1) {
      std::vector<std::string> names;
      for (const SubmissionFile* const one : archives) names.push_back(one->name.string());
      give_up(
          fmt::format("{} holds several archives and no source: {}.", printable(archive), list_of(names)));
    }
    if (!archives.empty()) {
      const SubmissionFile inner = *archives.front();
      out_.notes.push_back(fmt::format("The files were read from {} in {}.", printable(inner.name.string()),
                                       printable(archive)));
      out_.files = read_archive(inner, &out_);
      if (has_source(archives)) return;
    }
    give_up(nothing_in(printable(archive)));
  }

  bool has_source(std::vector<const SubmissionFile*>& archives) const {
    archives.clear();
    bool found = false;
    for (const SubmissionFile& file : out_.files) {
      const std::string name = file.name.filename().string();
      found |= is_named_as_source(name);
      if (!archive_end(name).empty()) archives.push_back(&file);
    }
    return found;
  }

  std::vector<Part> parts_;
  std::string shown_;
  HandedInFiles out_;
  std::uintmax_t bytes_ = 0;
};

}  // namespace

std::string list_of(const std::vector<std::string>& names, std::size_t most) {
  std::string out;
  for (std::size_t i = 0; i < std::min(most, names.size()); ++i)
    out += (i == 0 ? "" : ", ") + printable(names[i]);
  return names.size() <= most ? out : fmt::format("{} and {} more", out, names.size() - most);
}

HandedInFiles read_hand_in(const HandIn& hand_in) {
  return PartReader(hand_in).read();
}

}  // namespace grader
