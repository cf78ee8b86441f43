/// @file
/// The grader's failures. Each has one sentence about what happened, and the next command to type.
///
/// Every failure that is not a student's verdict is thrown as an Error. Only `cli` catches it, prints it, and turns
/// its kind into the exit code. A mistake of a student's program is never an Error: it is a Verdict (model.hpp).
#pragma once
#include <filesystem>
#include <stdexcept>
#include <string>

namespace grader {

/// The kind of an error, which depends on who must act. The values are the grader's exit codes.
enum class ErrorKind {
  usage = 2,        ///< the command line or a file that the user wrote is wrong
  environment = 3,  ///< the machine lacks something: a compiler, memory, disk space, permission
  fault = 4,        ///< the grader or the kit itself is broken; never costs the student points
};

/// A failure and its remedy.
class Error : public std::runtime_error {
 public:
  /// @param what_happened one sentence with its full stop: what happened and what was expected
  /// @param next_step     the remedy, preferably a command to type; may be empty
  Error(ErrorKind kind, const std::string& what_happened, std::string next_step = {})
      : std::runtime_error(what_happened), kind_(kind), next_step_(std::move(next_step)) {}

  ErrorKind kind() const noexcept { return kind_; }
  const std::string& next_step() const noexcept { return next_step_; }

 private:
  ErrorKind kind_;
  std::string next_step_;
};

/// A place in a text file that a user wrote. Lines and columns count from 1, and 0 means unknown.
struct SourcePos {
  std::filesystem::path file;
  unsigned line = 0;
  unsigned column = 0;
};

/// "FILE:LINE:COLUMN: MESSAGE", the line itself and a caret under the column, as compilers print them.
/// The function reads the line from the file. If that fails, it returns only the first line of the message.
std::string describe_at(const SourcePos& at, const std::string& message);

}  // namespace grader
