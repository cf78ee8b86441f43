/// @file
/// Reads a source as tokens that a disguise does not change. All names that the author chose are the same
/// token, and so are all numbers, all literals and all arithmetic types. Comments, white space, braces and
/// qualifiers are not tokens.
///
///     const int row = blockIdx.y * blockDim.y + threadIdx.y;   // mine
///     unsigned zeile=blockIdx.y*blockDim.y
///                    +threadIdx.y;
///
/// give the same tokens. Words of the language and of CUDA stay as they are.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace grader {

struct Token {
  std::uint64_t word = 0;  ///< hash of its text
  unsigned line = 0;       ///< counts from 1
};

/// Reads the tokens in linear time. @param most the largest number of tokens; the rest is left out
std::vector<Token> tokens_of(const std::string& text, std::size_t most = SIZE_MAX);

}  // namespace grader
