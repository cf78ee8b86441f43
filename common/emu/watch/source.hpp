// Places in the user's source: from code addresses to file and line, by the program's debug information, and
// the text of those lines.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "busy.hpp"
#include "cuemu/thread.hpp"

namespace cuemu {

/// A line of the user's source. An empty file: none is known.
struct Line {
  std::string file;
  int line = 0;
  int column =
      0;  ///< from 1, as the compiler has it (expression.hpp); 0: not known. Does not tell lines apart.
  bool known() const { return !file.empty(); }
  bool operator==(const Line& other) const { return file == other.file && line == other.line; }
  bool operator<(const Line& other) const {
    return file != other.file ? file < other.file : line < other.line;
  }
};

/// The line of the user's that the call before or the instruction at `address` belongs to:
/// code of the emulation's headers that was inlined counts as the line that calls it.
/// Unknown for code that is not the user's.
/// @param address where a call returns to
Line line_of(const void* address);

/// The line of a call that the compiler told: none where it told no file.
inline Line line_of(const SourceLine& where) {
  return where.file != nullptr ? Line{where.file, where.line} : Line{};
}

/// Is the code at `address` itself the user's, not that of a function that was inlined there?
bool is_direct(const void* address);
/// A variable of the program, or its virtual table of a class, that has a symbol.
struct Variable {
  std::string name;  ///< empty: none is known
  std::uintptr_t begin = 0, end = 0;
};
/// The one that an address lies in.
const Variable& variable_at(const void* address);
/// Is this in an instance of a variable template? Those of `__device__` variables are known to the runtime
/// only where host code names them.
bool in_variable_template(const void* address);

/// The first of these addresses (a call stack, innermost first) that is the user's.
Line line_of(const std::vector<void*>& stack);

/// The first address of a call stack that is the user's code; null where there is none.
const void* users_address(const std::vector<void*>& stack);

/// Where a kernel was launched, from the stack at its launch, whose first line of the user's is the kernel's.
Line launch_line_of(const std::vector<void*>& stack);

/// The calling thread's stack, innermost first.
std::vector<void*> call_stack();

/// The lines of a file; none where it can't be read.
const std::vector<std::string>& source_lines(const std::string& file);

/// The calling thread's stack under a number, and the user's line of such a number.
std::uint32_t remember_place();
Line line_of_place(std::uint32_t place);

/// The text of a line; empty where the file can't be read.
const std::string& raw_text(const Line& line);

/// The same without the blanks around it.
std::string text_of(const Line& line);

/// The line from a call on whose function's name begins like this:
/// the one at the line's column. Empty where there is none.
std::string text_of_call(const Line& line, const std::string& function);

/// An `extern __shared__` array, as its declaration has it.
struct DynamicArray {
  std::string name;
  std::size_t element = 0;  ///< bytes of each; 0: not known
};
/// The one that the file declares; empty where there is none or more.
/// @param code of a function that was compiled with it
DynamicArray dynamic_array_of(const std::string& file, const void* code);

/// A path as short as it is clear: without the present folder.
std::string short_path(const std::string& path);

}  // namespace cuemu
