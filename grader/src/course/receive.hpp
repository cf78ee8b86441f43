/// @file
/// Receives hand-ins where no platform does. Each becomes a numbered folder, DIR/ada/2, which find_hand_ins() finds like
/// any other; a hidden file in it keeps the receipt.
///
/// A hand-in is on disk as a whole, or not at all: its files are written to a hidden folder and synced, and the folder is
/// renamed. A replaced hand-in stays under a hidden name: `grader class` does not see it, and its receipt stays valid.
#pragma once
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "course/assemble.hpp"

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
};

/// [{"name", "sha256", "bytes"}] of a receipt's files.
nlohmann::json files_json(const Receipt& receipt);

/// The names of the files with blanks of a lab's level.
std::vector<std::string> answers_to_hand_in(const LevelForm& form);
/// The names that a hand-in may have: the answers', and nickname.txt.
std::vector<std::string> names_to_hand_in(const LevelForm& form);

/// Accepts only files that are texts under these names. @throws Error (usage) with the first obstacle
void need_acceptable(const LevelForm& form, const std::vector<SubmissionFile>& files);

/// Stores a hand-in; on return it is on disk, and survives a power cut. Not for two threads at once.
/// @param folder  of the class
/// @param replaces  the number of a hand-in that this one replaces, or 0
/// @throws Error (environment) when it can't be stored: nothing of it is then left
Receipt receive(const fs::path& folder, const std::string& student, std::vector<SubmissionFile> files,
                int replaces = 0);

/// The receipts of a student, the oldest first, replaced ones included.
std::vector<Receipt> receipts_of(const fs::path& folder, const std::string& student);
/// The receipt in a hand-in's folder; an empty one (number 0) for a folder that came in another way.
Receipt receipt_in(const fs::path& attempt);

/// Ends what a killed server had begun: a hand-in that was completely written is kept, any other is removed.
void repair_received(const fs::path& folder);

}  // namespace grader
