/// @file
/// Receives hand-ins without a platform. Each becomes a numbered folder, such as DIR/ada/2, which
/// find_hand_ins() finds. A hidden file in the folder contains the receipt.
///
/// A hand-in is on disk completely or not at all: its files are written to a hidden folder, and then the
/// folder is renamed. Hand-ins that arrive together share one sync between writing and renaming. After a
/// power cut, repair_received() renames each folder whose files match their receipt. A replaced hand-in
/// remains under a hidden name: `grader class` ignores it, and its receipt stays valid.
#pragma once
#include <cstdint>
#include <exception>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "course/assemble.hpp"
#include "course/class_file.hpp"

namespace grader {

struct ReceivedFile {
  std::string name, sha256;
  std::size_t bytes = 0;
};

struct Receipt {
  int number = 0;                   ///< number of the folder
  std::string received_at;          ///< UTC, by this machine's clock; also the files' time of last change
  std::string sha256;               ///< hash of the lines "SHA256  NAME" that sha256sum prints
  std::vector<ReceivedFile> files;  ///< sorted by name
  std::int64_t queued_ns = 0;  ///< when it, or the first hand-in that it replaces, was queued: ns since 1970
  bool replaced = false;       ///< a newer one replaced it before it was graded
  bool taken_back = false;     ///< the student took it back before it was graded
};

/// The files of a receipt as [{"name", "sha256", "bytes"}].
nlohmann::json files_json(const Receipt& receipt);

/// The names of the files with blanks at a level.
std::vector<std::string> answers_to_hand_in(const LevelForm& form);
/// The file names that a hand-in may contain: those of the answers, and nickname.txt.
std::vector<std::string> names_to_hand_in(const LevelForm& form);

/// Checks that all files are texts with these names. @throws Error (usage) with the first obstacle
void need_acceptable(const LevelForm& form, const std::vector<SubmissionFile>& files);

struct NewHandIn {
  std::string student;
  std::vector<SubmissionFile> files;
  int replaces = 0;  ///< the number of a hand-in that this one replaces, or 0
};

/// A receipt, or the Error (environment) because of which a hand-in was not stored. In that case none of its
/// files remain.
struct Received {
  Receipt receipt;
  std::exception_ptr failure;
};

/// Stores hand-ins of different students. On return they are on disk and survive a power cut. Two threads
/// must not call it at the same time. @param folder the class's folder
std::vector<Received> receive(const fs::path& folder, std::vector<NewHandIn> all);

/// Takes a hand-in back. It remains under a hidden name, as a replaced one does. @throws Error (environment)
void take_back(const fs::path& folder, const std::string& student, int number);
/// Whether all hand-ins in a student's folder were taken back or replaced.
bool all_taken_back(const fs::path& own);

/// The number of hand-ins that a student may still make in this hour.
struct Quota {
  int per_hour = 0, left = 0;
  std::string next_at;  ///< UTC, when one more is allowed; empty if some are left
};
/// No value if the class has no quota. All hand-ins count, also those that were replaced or taken back.
std::optional<Quota> quota_left(const ClassFile& course, const fs::path& folder, const std::string& student);

/// The receipts of a student, the oldest first, with those of hand-ins that were replaced or taken back.
std::vector<Receipt> receipts_of(const fs::path& folder, const std::string& student);
/// The receipt in a hand-in's folder. It is empty (number 0) if the folder was not stored by receive().
Receipt receipt_in(const fs::path& attempt);

/// Repairs the folder after a server was killed: complete new hand-ins are stored, and incomplete ones are
/// removed.
void repair_received(const fs::path& folder);

}  // namespace grader
