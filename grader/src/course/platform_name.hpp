/// @file
/// The names that learning platforms give to downloaded files, according to their sources and documentation:
///
///     Canvas      lovelaceada_LATE_12345_67890_kernel.cu          name, its user's number, the attachment's number, the file
///                 LATE_anon_a1B2c_67890_kernel.cu                 grading without names
///                 lovelaceada_12345_text.html                     a text or a link (_link.html) instead of files
///     Moodle      Ada Lovelace_123_assignsubmission_file_/        in folders; 123 is the participant's number
///                 Ada Lovelace_123_assignsubmission_file_kernel.cu   without folders
///                 Participant_123_assignsubmission_file_/         grading without names
///     Blackboard  Lab 2.1_alovelace_attempt_2030-01-31-10-11-12_kernel.cu   and a receipt, ….txt
///     Gradescope  submission_123456/                              its list names the owner (platform_list.hpp)
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/filesystem.hpp"

namespace grader {

enum class Platform { none, canvas, moodle, blackboard, gradescope };
/// The platform's name, such as "Canvas". Empty for Platform::none.
std::string to_string(Platform platform);

/// A person who handed something in, as the platform identifies that person.
struct Person {
  std::string name;                      ///< for readers; several persons may have the same
  std::string number;                    ///< the platform's number; may be empty
  std::vector<std::string> logins = {};  ///< user name, e-mail address, the school's number
};

/// The facts that a platform's file name contains.
struct PlatformName {
  Platform platform = Platform::none;
  Person person;
  std::string file;         ///< the student's name of a single file; empty for a folder or a receipt
  std::uint64_t newer = 0;  ///< Canvas: of two files, the newer has the greater number
  std::string attempt;      ///< distinguishes and sorts the attempts of one student
  std::string local_time;   ///< the platform's local time, "2030-01-31T10:11:12"; may be empty
  bool is_late = false;     ///< whether the platform marked it late
};

/// Reads a file's name. No value if no platform makes such names.
std::optional<PlatformName> platform_name(const fs::path& path, bool is_folder);

}  // namespace grader
