// Every archive may be hostile, so a declared name, size or content counts only after the code here has
// checked it.
#include "course/archive.hpp"

#include <fmt/format.h>
#if GRADER_READS_ARCHIVES
#include <archive.h>
#include <archive_entry.h>
#endif

#include <algorithm>
#include <memory>

#include "base/columns.hpp"
#include "base/files.hpp"
#include "course/file_name.hpp"
#include "workspace/lab_files.hpp"

namespace grader {
#if GRADER_READS_ARCHIVES
namespace {

/// The most entries that an archive may have, files and folders included: a hostile list of entries could be
/// endless.
constexpr int most_entries = 5000;
/// The most bytes that skipped entries, such as a hidden folder, may have: a compressed tar has to unpack
/// them anyway.
constexpr std::uintmax_t most_passed_over = std::uintmax_t{1} << 30;

struct Close {
  void operator()(archive* open) const { archive_read_free(open); }
};

class Reader {
 public:
  Reader(const fs::path& file, Unread* unread) : Reader(shown(file), unread) {
    if (archive_read_open_filename(open_.get(), file.c_str(), 64 << 10) != ARCHIVE_OK) fail_damaged();
  }
  Reader(const SubmissionFile& file, Unread* unread) : Reader(printable(file.name.string()), unread) {
    if (archive_read_open_memory(open_.get(), file.text.data(), file.text.size()) != ARCHIVE_OK)
      fail_damaged();
  }

  std::vector<SubmissionFile> read() {
    archive_entry* entry = nullptr;
    for (int count = 0;; ++count) {
      const int status = archive_read_next_header(open_.get(), &entry);
      if (status == ARCHIVE_EOF) break;
      if (status != ARCHIVE_OK && status != ARCHIVE_WARN) fail_damaged();
      if (count == most_entries)
        fail(fmt::format("{} lists more than {} files and folders.", name_, most_entries));
      if (archive_entry_is_encrypted(entry) != 0) fail(fmt::format("{} is encrypted.", name_));
      const bool is_link =
          archive_entry_filetype(entry) == AE_IFLNK || archive_entry_hardlink(entry) != nullptr;
      if (is_link) name_link(entry);
      if (is_link || archive_entry_filetype(entry) != AE_IFREG || !take(entry)) pass_over(entry);
    }
    std::sort(files_.begin(), files_.end(),
              [](const SubmissionFile& a, const SubmissionFile& b) { return a.name < b.name; });
    return std::move(files_);
  }

 private:
  Reader(std::string name, Unread* unread)
      : name_(std::move(name)), unread_(unread), open_(archive_read_new()) {
    archive_read_support_filter_gzip(open_.get());
    archive_read_support_filter_bzip2(open_.get());
    archive_read_support_filter_xz(open_.get());
    archive_read_support_filter_zstd(open_.get());
    archive_read_support_format_zip(open_.get());
    archive_read_support_format_tar(open_.get());
    archive_read_support_format_gnutar(open_.get());
  }

  [[noreturn]] static void fail(const std::string& sentence) {
    throw Error(ErrorKind::usage, sentence, "ask for it again, as a zip or tar.gz file of the sources alone");
  }

  [[noreturn]] void fail_damaged() const {
    const char* const why = archive_error_string(open_.get());
    fail(fmt::format("{} can't be read as an archive: {}.", name_,
                     why == nullptr ? "it is damaged" : printable(why)));
  }

  void name_link(archive_entry* entry) {
    const char* const raw = archive_entry_pathname(entry);
    if (unread_ != nullptr && raw != nullptr)
      unread_->notes.push_back(
          fmt::format("{} in {} is a link, and links are not followed.", printable(raw), name_));
  }

  /// libarchive skips to the next entry by itself, but unpacks this one first.
  void pass_over(archive_entry* entry) {
    passed_over_ += static_cast<std::uintmax_t>(std::max<la_int64_t>(0, archive_entry_size(entry)));
    char text[64 << 10];
    while (archive_entry_size_is_set(entry) == 0 && passed_over_ <= most_passed_over) {
      const la_ssize_t got = archive_read_data(open_.get(), text, sizeof text);
      if (got < 0) fail_damaged();
      if (got == 0) break;
      passed_over_ += static_cast<std::uintmax_t>(got);
    }
    if (passed_over_ > most_passed_over)
      fail(fmt::format("{} holds more than {} MiB that are no part of a hand-in, such as hidden files.",
                       name_, most_passed_over >> 20));
  }

  /// @return false if the entry is skipped, because it does not belong to the hand-in
  bool take(archive_entry* entry) {
    const char* const raw = archive_entry_pathname(entry);
    if (raw == nullptr) fail(fmt::format("{} has a file without a readable name.", name_));
    const fs::path name = fs::path(raw).lexically_normal();
    if (name.is_absolute() || name.empty() || *name.begin() == "..")
      fail(fmt::format("{} has a file whose name leads out of it: {}.", name_, printable(raw)));
    if (std::any_of(name.begin(), name.end(), [](const fs::path& part) { return is_hidden(part); }))
      return false;
    if (*name.begin() == "__MACOSX") return false;  // added by macOS: attributes, not files
    if (const std::string own = name.filename().string();
        !is_named_as_source(own) && !is_companion(name) && archive_end(own).empty()) {
      if (unread_ != nullptr) unread_->others.push_back(name.string());
      return false;
    }
    if (files_.size() == submission_limits.files)
      fail(fmt::format("{} holds more than {} files.", name_, submission_limits.files));
    files_.push_back({name, contents(name)});
    return true;
  }

  std::string contents(const fs::path& name) {
    std::string text(64 << 10, '\0');
    std::size_t size = 0;
    for (;;) {
      if (size == text.size()) text.resize(2 * size);
      const la_ssize_t got = archive_read_data(open_.get(), text.data() + size, text.size() - size);
      if (got < 0) fail_damaged();
      if (got == 0) break;
      size += static_cast<std::size_t>(got);
      bytes_ += static_cast<std::size_t>(got);
      if (size > submission_limits.file_bytes)
        fail(fmt::format("{} in {} is larger than {} MiB.", printable(name.string()), name_,
                         submission_limits.file_bytes >> 20));
      if (bytes_ > submission_limits.bytes)
        fail(fmt::format("{} holds more than {} MiB.", name_, submission_limits.bytes >> 20));
    }
    text.resize(size);
    return text;
  }

  std::string name_;  ///< for messages
  Unread* unread_;
  std::unique_ptr<archive, Close> open_;
  std::vector<SubmissionFile> files_;
  std::uintmax_t bytes_ = 0, passed_over_ = 0;
};

struct CloseWriter {
  void operator()(archive* open) const { archive_write_free(open); }
};
struct FreeEntry {
  void operator()(archive_entry* entry) const { archive_entry_free(entry); }
};

constexpr std::uintmax_t largest_packed = 256 << 20;
constexpr std::time_t packed_at = 1'262'304'000;  // 2010: zip has no times before 1980

}  // namespace

std::vector<SubmissionFile> read_archive(const fs::path& file, Unread* unread) {
  return Reader(file, unread).read();
}

std::vector<SubmissionFile> read_archive(const SubmissionFile& archive, Unread* unread) {
  return Reader(archive, unread).read();
}

void write_zip(const fs::path& folder, const fs::path& to) {
  const fs::path draft = to.string() + ".new";
  const std::unique_ptr<archive, CloseWriter> out(archive_write_new());
  const auto need = [&](la_ssize_t status) {
    if (status >= ARCHIVE_OK) return;
    std::error_code ignored;
    const std::string why = printable(archive_error_string(out.get()));
    fs::remove(draft, ignored);
    throw Error(ErrorKind::environment, fmt::format("{} can't be written: {}.", shown(to), why));
  };
  need(archive_write_set_format_zip(out.get()));
  need(archive_write_open_filename(out.get(), draft.c_str()));
  for (const fs::path& file : list_files(folder)) {
    std::error_code failed;
    const fs::file_status status = fs::symlink_status(file, failed);
    if (!fs::is_regular_file(status)) continue;
    const std::string text = read_file(file, largest_packed);
    const std::unique_ptr<archive_entry, FreeEntry> entry(archive_entry_new());
    archive_entry_set_pathname(entry.get(), file.lexically_relative(folder).c_str());
    archive_entry_set_filetype(entry.get(), AE_IFREG);
    archive_entry_set_perm(entry.get(), static_cast<unsigned>(status.permissions() & fs::perms::mask));
    archive_entry_set_size(entry.get(), static_cast<la_int64_t>(text.size()));
    archive_entry_set_mtime(entry.get(), packed_at, 0);
    need(archive_write_header(out.get(), entry.get()));
    need(archive_write_data(out.get(), text.data(), text.size()));
  }
  need(archive_write_close(out.get()));
  std::error_code failed;
  fs::rename(draft, to, failed);
  if (failed)
    throw Error(ErrorKind::environment, fmt::format("{} can't be written: {}.", shown(to), failed.message()));
}

#else

std::vector<SubmissionFile> read_archive(const fs::path& file, Unread*) {
  throw Error(ErrorKind::usage,
              fmt::format("{} is an archive, and this portable grader reads none.", shown(file)),
              "unpack it into a folder of its name");
}

std::vector<SubmissionFile> read_archive(const SubmissionFile& archive, Unread* unread) {
  return read_archive(archive.name, unread);
}

void write_zip(const fs::path&, const fs::path& to) {
  throw Error(ErrorKind::usage, fmt::format("This portable grader writes no archive such as {}.", shown(to)),
              "run the same command with a grader that bootstrap built");
}

#endif
}  // namespace grader
