/// @file
/// The names that learning platforms give to what they hand out. They follow from the platforms' sources and documentation:
///
///     Canvas      lovelaceada_LATE_12345_67890_kernel.cu          name, its user's number, the attachment's number, the file
///                 LATE_anon_a1B2c_67890_kernel.cu                 grading without names
///                 lovelaceada_12345_text.html                     a text or a link (_link.html) instead of files
///     Moodle      Ada Lovelace_123_assignsubmission_file_/        in folders; 123 is the participant's number
///                 Ada Lovelace_123_assignsubmission_file_kernel.cu   without folders
///                 Participant_123_assignsubmission_file_/         grading without names
///     Blackboard  Lab 2.1_alovelace_attempt_2030-01-31-10-11-12_kernel.cu   and a receipt, ….txt
///     Gradescope  submission_123456/                              whose it is says its list (platform_list.hpp)
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/filesystem.hpp"

namespace grader {

enum class Platform { none, canvas, moodle, blackboard, gradescope };
/// "Canvas"; empty for none.
std::string to_string(Platform platform);

/// Who handed something in, as far as a platform says.
struct Person {
  std::string name;                      ///< as people read it; may be another's, too
  std::string number;                    ///< the platform's own, or empty
  std::vector<std::string> logins = {};  ///< user's name, e-mail address, the school's number
};

/// What a platform's name says.
struct PlatformName {
  Platform platform = Platform::none;
  Person person;
  std::string file;         ///< what the student called a loose file; empty: a folder, or a receipt
  std::uint64_t newer = 0;  ///< Canvas: the greater of two is the newer file
  std::string attempt;      ///< what sets attempts of one student apart, in the order in which they came
  std::string local_time;   ///< "2030-01-31T10:11:12", where the platform is; or empty
  bool is_late = false;     ///< the platform marks it so
};

/// Nothing where no platform names anything so.
/// @param is_folder whether it is one
std::optional<PlatformName> platform_name(const fs::path& path, bool is_folder);

}  // namespace grader
