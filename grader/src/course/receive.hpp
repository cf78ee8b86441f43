/// @file
/// Receives hand-ins where no platform does. Each becomes a numbered folder, DIR/ada/2, which find_hand_ins() finds like
/// any other; a hidden file in it keeps the receipt.
///
/// A hand-in is on disk as a whole, or not at all: its files are written to a hidden folder, and the folder is renamed.
/// Hand-ins that arrive together share one sync, between writing and renaming: after a power cut the repair renames what
/// its receipt proves to be whole. A replaced hand-in stays under a hidden name: `grader class` does not see it, and its
/// receipt stays valid.
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
  int number = 0;                   ///< the folder's
  std::string received_at;          ///< UTC, by this machine's clock; the files' time of change
  std::string sha256;               ///< of the lines "SHA256  NAME" of its files, as sha256sum prints them
  std::vector<ReceivedFile> files;  ///< by name
  std::int64_t queued_ns = 0;  ///< when it, or the first that it replaces, was queued: nanoseconds since 1970
  bool replaced = false;       ///< by a newer one, before it was graded
  bool taken_back = false;     ///< by its student, before it was graded
};

/// [{"name", "sha256", "bytes"}] of a receipt's files.
nlohmann::json files_json(const Receipt& receipt);

/// The names of the files with blanks of a lab's level.
std::vector<std::string> answers_to_hand_in(const LevelForm& form);
/// The names that a hand-in may have: the answers', and nickname.txt.
std::vector<std::string> names_to_hand_in(const LevelForm& form);

/// Accepts only files that are texts under these names. @throws Error (usage) with the first obstacle
void need_acceptable(const LevelForm& form, const std::vector<SubmissionFile>& files);

struct NewHandIn {
  std::string student;
  std::vector<SubmissionFile> files;
  int replaces = 0;  ///< the number of a hand-in that this one replaces, or 0
};

/// A receipt, or why the hand-in can't be stored: an Error (environment). Nothing of it is then left.
struct Received {
  Receipt receipt;
  std::exception_ptr failure;
};

/// Stores hand-ins of different students; on return they are on disk, and survive a power cut. Not for two threads at
/// once. @param folder  of the class
std::vector<Received> receive(const fs::path& folder, std::vector<NewHandIn> all);

/// Takes a hand-in back: it stays under a hidden name, as a replaced one does. @throws Error (environment)
void take_back(const fs::path& folder, const std::string& student, int number);
/// Whether a student's folder holds nothing but hand-ins that were taken back or replaced.
bool all_taken_back(const fs::path& own);

/// The hand-ins that a student may still make in this hour.
struct Quota {
  int per_hour = 0, left = 0;
  std::string next_at;  ///< UTC, when one more is allowed; empty where some are left
};
/// None where the class has no quota. All hand-ins count, also those replaced or taken back.
std::optional<Quota> quota_left(const ClassFile& course, const fs::path& folder, const std::string& student);

/// The receipts of a student, the oldest first, replaced ones and those taken back included.
std::vector<Receipt> receipts_of(const fs::path& folder, const std::string& student);
/// The receipt in a hand-in's folder; an empty one (number 0) for a folder that came in another way.
Receipt receipt_in(const fs::path& attempt);

/// Ends what a killed server had begun: hand-ins that were completely written are kept, any others are removed.
void repair_received(const fs::path& folder);

}  // namespace grader
