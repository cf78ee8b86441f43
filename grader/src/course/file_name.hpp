/// @file
/// Undoes the changes that browsers, platforms and operating systems make to the names of students' files.
#pragma once
#include <string>

namespace grader {

/// A file's original name, and the number of the copy.
struct PlainName {
  std::string name;        ///< "matrixmul.cu"
  unsigned long copy = 0;  ///< 0: not a copy; capitals and ".txt" don't count
};

/// Browsers and Canvas number copies: "matrixmul (1).cu" and "matrixmul-1.cu" are copies of matrixmul.cu.
/// "Matrixmul.cu" and "matrixmul.cu.txt" are matrixmul.cu as well. The name is returned in small letters.
PlainName plain_name(const std::string& name);

/// Whether a name, in any of these changed forms, is the name of a source.
bool is_named_as_source(const std::string& name);

/// The extension of an archive that can be read (zip, tar, compressed tar), in small letters. Empty for any
/// other name.
std::string archive_end(const std::string& name);
/// The extension of an archive that can't be read, such as ".rar". Empty for any other name.
std::string unreadable_archive_end(const std::string& name);

}  // namespace grader
