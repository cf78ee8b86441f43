/// @file
/// Finds expressions of threadIdx that are uniform for each warp: `threadIdx.x / 32 == 0`, `threadIdx.x < 64`.
///
/// The results are valid for blocks whose rows are whole warps, and for blocks of one row. In other blocks,
/// 32 adjacent threads of a row aren't one warp: there the runtime notices that the lanes differ, and stops
/// the kernel.
#pragma once
#include <optional>

#include "facts/uniformity.hpp"

namespace emucc {

/// Returns true if [begin, end), which follows from threadIdx and uniform values, is uniform for each warp.
bool is_warp_uniform(const Syntax& syntax, const Uniformity& facts, const KnownNames& names,
                     std::size_t begin, std::size_t end);

/// Returns the value that an integer expression of threadIdx.x and constants has in thread `thread`. The rows
/// of a block must be whole warps, or the block must have only one row.
std::optional<long long> value_of_thread(const Syntax& syntax, const Uniformity& facts,
                                         const KnownNames& names, std::size_t begin, std::size_t end,
                                         unsigned thread);

/// Returns the value of an integer expression of literals and known constants.
std::optional<long long> constant_value(const Syntax& syntax, const KnownNames& names, std::size_t begin,
                                        std::size_t end);

}  // namespace emucc
