/// @file
/// A source as tokens that a disguise does not change: all names chosen by the author are one token, and so are
/// numbers, literals and arithmetic types; comments, white space, braces and qualifiers give none.
///
///     const int row = blockIdx.y * blockDim.y + threadIdx.y;   // mine
///     unsigned zeile=blockIdx.y*blockDim.y
///                    +threadIdx.y;
///
/// give the same tokens. Words of the language and of CUDA are unchanged.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace grader {

struct Token {
  std::uint64_t word = 0;  ///< hash of its text
  unsigned line = 0;       ///< counts from 1
};

/// In linear time. @param most number of tokens; the rest is left out
std::vector<Token> tokens_of(const std::string& text, std::size_t most = SIZE_MAX);

}  // namespace grader
