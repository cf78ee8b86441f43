/// @file
/// What the readers of recordings (recording.hpp, tracing.hpp) share: the arrays known from a case's files,
/// and the conversion of bytes to numbers. A program's data are not trusted: invalid data cause a
/// json::exception or a std::logic_error.
#pragma once
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <set>

#include "run/run.hpp"

namespace grader {

inline constexpr std::size_t most_name = 100;  ///< most characters of a name from a program

/// An array that a case's files contain.
struct KnownArray {
  std::string dtype;  ///< "<f4"
  std::vector<std::size_t> shape;
  std::set<std::string> on_device =
      {};  ///< device arrays of exactly this size; a padded array has another layout
};
using KnownArrays = std::map<std::string, KnownArray>;

/// A case's inputs and output, by their names in lab.toml.
KnownArrays known_arrays(const Lab& lab, const CaseData& data);
/// Finds the device arrays of the known arrays. @param arrays a list of objects with `name` and `bytes`
void find_on_device(KnownArrays& known, const nlohmann::json& arrays);

/// The number of bytes of an element; 4 for an unknown dtype.
std::size_t bytes_of(const std::string& dtype);
/// The dtype of an array with this C++ type, such as "float[16][16]" or "float4"; empty if unknown.
std::string dtype_of_type(const std::string& type);
/// The bytes of one element of an array with such a C++ type; 0 if unknown.
std::size_t bytes_of_type(const std::string& type);

std::vector<unsigned char> bytes_in(const std::string& hex);
/// The text of a number of `size` bytes at an offset: "1.5", "nan".
/// @param dtype if it is empty or has another size, the type is guessed, since the bits of a small integer
///   would be an implausibly small float
std::string number_text(const std::vector<unsigned char>& bytes, std::size_t at, std::size_t size,
                        std::string dtype);
/// The text of a number, or of a vector or structure: "(1, 2, 3, 4)". "?" if there are no bytes.
std::string value_text(const std::string& hex, const std::string& dtype);
/// Whether all bytes are the marks of fresh memory (ARCHITECTURE.md, "Profile").
bool is_fresh(const std::string& hex, bool shared);

/// A name from a program, truncated and made printable.
std::string text_in(const nlohmann::json& from, const char* name);
std::vector<unsigned> numbers_in(const nlohmann::json& from, const char* name);
/// The name of the matching file in `files`, or else the last component of the name.
std::string file_in(const nlohmann::json& from, const std::vector<SubmissionFile>& files);

/// The indices of an element, from its position in memory.
std::vector<std::size_t> indices_of(std::size_t flat, const std::vector<std::size_t>& shape);
std::size_t size_of(const std::vector<std::size_t>& shape);

}  // namespace grader
