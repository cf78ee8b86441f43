#include "analyse/aligned_types.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace emucc {
namespace {

bool drop_end(std::string_view& word, std::string_view end) {
  if (word.size() < end.size() || word.substr(word.size() - end.size()) != end) return false;
  word.remove_suffix(end.size());
  return true;
}

/// float2, uchar4, double4_16a; of three elements none needs more than its elements.
bool is_vector_type(std::string_view word) {
  static constexpr std::array<std::string_view, 16> elements = {
      "char",     "uchar",     "short", "ushort", "int",           "uint",        "long", "ulong",
      "longlong", "ulonglong", "float", "double", "__nv_bfloat16", "nv_bfloat16", "half", "__half"};
  if (!drop_end(word, "_16a")) drop_end(word, "_32a");
  if (!drop_end(word, "2") && !drop_end(word, "4")) return false;
  return std::find(elements.begin(), elements.end(), word) != elements.end();
}

bool is_aligned_type(std::string_view word) {
  static constexpr std::array<std::string_view, 9> others = {
      "alignas", "__align__",      "aligned",         "__aligned__", "aligned_storage_t",
      "complex", "cuFloatComplex", "cuDoubleComplex", "cuComplex"};
  return is_vector_type(word) || std::find(others.begin(), others.end(), word) != others.end();
}

}  // namespace

bool names_aligned_type(const TokenStream& stream) {
  return std::any_of(stream.tokens.begin(), stream.tokens.end(), [&](const Token& token) {
    return token.kind == TokenKind::identifier && is_aligned_type(stream.spelling(token));
  });
}

}  // namespace emucc
