/// @file
/// Combinations that are known to be good on some GPU. Students' kits don't have this file.
#pragma once
#include <lab/judge.hpp>

namespace lab {

inline Macros combination(const char* block, const char* unroll) {
  return {{"BLOCK_SIZE", block}, {"UNROLL", unroll},    {"REGISTERS", "1"},
          {"CONSTANT", "0"},     {"CONDITIONALS", "1"}, {"TRIG", "2"}};
}

inline const std::vector<Macros> good_combinations = {combination("1024", "16"), combination("128", "16"),
                                                      combination("256", "8")};

}  // namespace lab
