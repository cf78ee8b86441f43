/// @file
/// Helpers for tests: hand-ins in platforms' formats, and archives with any kind of entry.
#pragma once
#include <archive.h>
#include <archive_entry.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <utime.h>

#include "base/test_folder.hpp"
#include "course/hand_in_files.hpp"

namespace grader::class_testing {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// The message of the Error that `work` throws. Empty if it throws none.
template <class Work>
std::string error_of(Work work) {
  try {
    work();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

struct Entry {
  std::string name, text;
  unsigned type = AE_IFREG;
  std::int64_t size = -1;  ///< declared size; negative: the real size
};

inline void write_archive(const fs::path& file, const std::vector<Entry>& entries, bool zip) {
  archive* const out = archive_write_new();
  if (zip) {
    archive_write_set_format_zip(out);
  } else {
    archive_write_set_format_pax_restricted(out);
    archive_write_add_filter_gzip(out);
  }
  ASSERT_EQ(archive_write_open_filename(out, file.c_str()), ARCHIVE_OK);
  for (const Entry& one : entries) {
    archive_entry* const entry = archive_entry_new();
    archive_entry_set_pathname(entry, one.name.c_str());
    archive_entry_set_filetype(entry, one.type);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_size(entry, one.size < 0 ? static_cast<la_int64_t>(one.text.size()) : one.size);
    if (one.type == AE_IFLNK) archive_entry_set_symlink(entry, "/etc/passwd");
    archive_write_header(out, entry);
    archive_write_data(out, one.text.data(), one.text.size());
    archive_entry_free(entry);
  }
  archive_write_close(out);
  archive_write_free(out);
}

inline void set_time(const fs::path& file, std::time_t time) {
  const utimbuf both{time, time};
  ASSERT_EQ(utime(file.c_str(), &both), 0);
}

/// The bytes of such an archive.
inline std::string archive_of(const std::vector<Entry>& entries, bool zip = true) {
  const TestFolder folder;
  write_archive(folder.path / "a", entries, zip);
  return folder.read("a");
}

}  // namespace grader::class_testing
