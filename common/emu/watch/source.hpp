// Locations in the user's source. Maps code addresses to file and line by the program's debug information, and reads
// the text of source lines.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "busy.hpp"
#include "cuemu/thread.hpp"

namespace cuemu {

/// A line of the user's source. Empty file: unknown.
struct Line {
  std::string file;
  int line = 0;
  int column =
      0;  ///< from 1, as the compiler gives it (expression.hpp); 0: unknown. Not part of comparisons.
  std::string function =
      {};  ///< function name without scope; for a constructor, the class's name; empty: unknown. Not compared.
  bool known() const { return !file.empty(); }
  bool operator==(const Line& other) const { return file == other.file && line == other.line; }
  bool operator<(const Line& other) const {
    return file != other.file ? file < other.file : line < other.line;
  }
};

/// Returns the user's line of the call before `address`. Inlined code of the emulation's headers has the line of the
/// user's call. Code that is not the user's has an unknown line.
/// @param address a return address
Line line_of(const void* address);

/// Returns the line of a call, from the compiler's location; unknown if the location has no file.
inline Line line_of(const SourceLine& where) {
  return where.file != nullptr ? Line{where.file, where.line} : Line{};
}

/// Returns whether the code at `address` itself is the user's, and not an inlined function of another file.
bool is_direct(const void* address);
/// A variable that has a symbol: one of the program's variables, or the table of virtual functions of a class.
struct Variable {
  std::string name;  ///< empty: unknown
  std::uintptr_t begin = 0, end = 0;
};
/// Returns the variable that holds an address.
const Variable& variable_at(const void* address);
/// Returns whether the address is in an instance of a variable template. The runtime knows instances of `__device__`
/// variables only if host code names them.
bool in_variable_template(const void* address);

/// Returns the user's innermost line of a call stack (addresses, innermost first).
Line line_of(const std::vector<void*>& stack);

/// Returns the user's lines of a call stack, innermost first, through inlined calls.
std::vector<Line> users_lines(const std::vector<void*>& stack);

/// Returns the user's innermost code address of a call stack; null: none.
const void* users_address(const std::vector<void*>& stack);

/// Returns the line of a kernel's launch, from the call stack of the launch. The user's innermost line on that stack
/// belongs to the kernel's host function.
Line launch_line_of(const std::vector<void*>& stack);

/// Returns the calling thread's call stack, innermost first.
std::vector<void*> call_stack();

/// Returns the lines of a file; none if it can't be read.
const std::vector<std::string>& source_lines(const std::string& file);

/// remember_place() stores the calling thread's call stack and returns the number of the stored stack. line_of_place()
/// returns the user's line of a stored stack.
std::uint32_t remember_place();
Line line_of_place(std::uint32_t place);

/// Returns the text of a line; empty if the file can't be read.
const std::string& raw_text(const Line& line);

/// Returns the text of a line without surrounding blanks.
std::string text_of(const Line& line);

/// Returns the line's text from the call at its column, if the called function's name begins with `function`; else
/// empty.
std::string text_of_call(const Line& line, const std::string& function);

/// An `extern __shared__` array, as declared.
struct DynamicArray {
  std::string name;
  std::size_t element = 0;  ///< bytes of an element; 0: unknown
};
/// Returns the names of all such arrays that a file declares.
const std::vector<std::string>& dynamic_arrays_in(const std::string& file);
/// Returns the only such array that the file declares; empty if there is none, or several.
/// @param code an address in a function compiled from this file
DynamicArray dynamic_array_of(const std::string& file, const void* code);

/// Returns the path, made relative to the current folder if it lies within that folder.
std::string short_path(const std::string& path);

}  // namespace cuemu
