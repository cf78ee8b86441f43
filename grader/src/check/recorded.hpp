/// @file
/// What the readers of recordings (recording.hpp, tracing.hpp) share: which arrays a case's files tell of, and bytes as numbers.
/// What a program left is read with distrust: what does not fit throws a json::exception or a std::logic_error.
#pragma once
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <set>

#include "run/run.hpp"

namespace grader {

inline constexpr std::size_t most_name = 100;  ///< characters of a name that a program tells

/// An array that the case's files tell of.
struct KnownArray {
  std::string dtype;  ///< "<f4"
  std::vector<std::size_t> shape;
  std::set<std::string> on_device =
      {};  ///< arrays there of just this size: padded ones are laid out otherwise
};
using KnownArrays = std::map<std::string, KnownArray>;

/// The inputs and the output of a case, by the names of lab.toml.
KnownArrays known_arrays(const Lab& lab, const CaseData& data);
/// @param arrays with `name` and `bytes` of each
void find_on_device(KnownArrays& known, const nlohmann::json& arrays);

/// Of an element. An unknown dtype is taken for one of 4 bytes.
std::size_t bytes_of(const std::string& dtype);
/// The dtype of an array by its type in C++: "float[16][16]", "float4". Empty: another.
std::string dtype_of_type(const std::string& type);
/// Bytes of one element of such a type; 0: it is not known.
std::size_t bytes_of_type(const std::string& type);

std::vector<unsigned char> bytes_in(const std::string& hex);
/// The number of `size` bytes at a place: "1.5", "nan".
/// @param dtype where it is empty, or of another size: no float of use is as small as the words of small whole numbers are
std::string number_text(const std::vector<unsigned char>& bytes, std::size_t at, std::size_t size,
                        std::string dtype);
/// One number, or a vector's or structure's: "(1, 2, 3, 4)"; "?" of no bytes.
std::string value_text(const std::string& hex, const std::string& dtype);
/// Whether these are the words that fresh memory holds (ARCHITECTURE.md, "Profile").
bool is_fresh(const std::string& hex, bool shared);

/// A name that a program told: cut, and printable.
std::string text_in(const nlohmann::json& from, const char* name);
std::vector<unsigned> numbers_in(const nlohmann::json& from, const char* name);
/// The one of these files that is meant, else the last part of the name.
std::string file_in(const nlohmann::json& from, const std::vector<SubmissionFile>& files);

/// The indices of an element by its position in memory, and the number of elements.
std::vector<std::size_t> indices_of(std::size_t flat, const std::vector<std::size_t>& shape);
std::size_t size_of(const std::vector<std::size_t>& shape);

}  // namespace grader
