/// @file
/// What browsers, platforms and operating systems make of the names of students' files.
#pragma once
#include <string>

namespace grader {

/// A file's name, and the name that it was copied from.
struct PlainName {
  std::string name;        ///< "matrixmul.cu"
  unsigned long copy = 0;  ///< 0: the name is plain as it is, but for capitals and ".txt"
};

/// "matrixmul (1).cu" and "matrixmul-1.cu" are copies of matrixmul.cu, which a browser and Canvas number; "Matrixmul.cu" and
/// "matrixmul.cu.txt" are matrixmul.cu as well. The name is in small letters.
PlainName plain_name(const std::string& name);

/// Whether a name is one of a source, however it was changed.
bool is_named_as_source(const std::string& name);

/// The end of an archive's name, in small letters: zip, tar and compressed tar, which can be read. Empty for any other name.
std::string archive_end(const std::string& name);
/// The same of archives that can't be read, such as ".rar".
std::string unreadable_archive_end(const std::string& name);

}  // namespace grader
