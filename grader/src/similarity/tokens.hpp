/// @file
/// A source as tokens that a disguise does not change: names that the author chose are all one token, and so are numbers,
/// literals and arithmetic types; comments, white space, braces and qualifiers are none.
///
///     const int row = blockIdx.y * blockDim.y + threadIdx.y;   // mine
///     unsigned zeile=blockIdx.y*blockDim.y
///                    +threadIdx.y;
///
/// are the same tokens. Words of the language and of CUDA stay what they are.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace grader {

struct Token {
  std::uint64_t word = 0;  ///< a hash of what it stands for
  unsigned line = 0;       ///< counts from 1
};

/// In linear time. @param most so many tokens at most: the rest is left out
std::vector<Token> tokens_of(const std::string& text, std::size_t most = SIZE_MAX);

}  // namespace grader
