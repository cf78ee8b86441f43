/// @file
/// Undoes the changes that browsers, platforms and operating systems make to the names of students' files.
#pragma once
#include <string>

namespace grader {

/// A file's original name, and the number of the copy.
struct PlainName {
  std::string name;        ///< "matrixmul.cu"
  unsigned long copy = 0;  ///< 0: the name differs from the plain one at most in capitals and ".txt"
};

/// Browsers and Canvas number copies: "matrixmul (1).cu" and "matrixmul-1.cu" are copies of matrixmul.cu.
/// "Matrixmul.cu" and "matrixmul.cu.txt" are matrixmul.cu as well. The returned name is in small letters.
PlainName plain_name(const std::string& name);

/// Whether a name is a source's, in any of these changed forms.
bool is_named_as_source(const std::string& name);

/// The extension of a readable archive (zip, tar, compressed tar) in small letters. Empty for any other name.
std::string archive_end(const std::string& name);
/// The same for archives that can't be read, such as ".rar".
std::string unreadable_archive_end(const std::string& name);

}  // namespace grader
