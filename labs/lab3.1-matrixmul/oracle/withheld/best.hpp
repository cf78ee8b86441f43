/// @file
/// Combinations that are known to be good on some GPU. Students' kits don't have this file.
#pragma once
#include <lab/judge.hpp>

namespace lab {

inline const std::vector<Macros> good_combinations = {
    {{"BLOCK_SIZE", "32"}, {"UNROLL", "16"}, {"WORK_SIZE", "4"}, {"SPILL", "0"}, {"PREFETCH", "1"}},
    {{"BLOCK_SIZE", "32"}, {"UNROLL", "4"}, {"WORK_SIZE", "4"}, {"SPILL", "0"}, {"PREFETCH", "1"}},
    {{"BLOCK_SIZE", "32"}, {"UNROLL", "16"}, {"WORK_SIZE", "4"}, {"SPILL", "0"}, {"PREFETCH", "0"}},
    {{"BLOCK_SIZE", "16"}, {"UNROLL", "16"}, {"WORK_SIZE", "4"}, {"SPILL", "0"}, {"PREFETCH", "1"}},
};

}  // namespace lab
