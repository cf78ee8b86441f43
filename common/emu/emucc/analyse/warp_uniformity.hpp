/// @file
/// Which expressions of threadIdx have the same value in all lanes of a warp:
/// `threadIdx.x / 32 == 0`, `threadIdx.x < 64`.
///
/// Said for blocks whose rows are whole warps, and for blocks of one row. In others the threads that have a
/// row of 32 in common are no warp; there the runtime finds that the lanes disagree, and stops the kernel.
#pragma once
#include <optional>

#include "analyse/uniformity.hpp"

namespace emucc {

/// Is [begin, end), which follows from threadIdx and uniform values, the same in all lanes of a warp?
bool is_warp_uniform(const Syntax& syntax, const Uniformity& facts, const KnownNames& names,
                     std::size_t begin, std::size_t end);

/// The value of an integer expression of threadIdx.x and constants in the thread with that number, where rows of a
/// block are whole warps or it has one row.
std::optional<long long> value_of_thread(const Syntax& syntax, const Uniformity& facts,
                                         const KnownNames& names, std::size_t begin, std::size_t end,
                                         unsigned thread);

/// The value of an integer expression of literals and known constants.
std::optional<long long> constant_value(const Syntax& syntax, const KnownNames& names, std::size_t begin,
                                        std::size_t end);

}  // namespace emucc
