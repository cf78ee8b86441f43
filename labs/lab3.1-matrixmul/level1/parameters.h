// parameters.h: the parameters of matrixmul_kernel.cu, the subject of this lab. No other source includes
// them; matrixmul.h explains each.
#ifndef PARAMETERS_H
#define PARAMETERS_H

#include <lab/todo.hpp>

#include "matrixmul.h"

// The combination that was chosen: block_size, unroll, work_size, spill, prefetch. explanation.cpp says why.
// ---- part 5: a combination near the best (five values) ----------------------------------------------------
// Find values for which the product of 4096 × 4096 matrices is nearly as fast as with the best of all 192
// combinations. The tables of the handout show what each of them does alone. Delete the function when you
// have chosen, and explain your choice in explanation.cpp.
constexpr Combination combination = {16, 0, 1, false, false};
inline void chooseCombination() {
  LAB_TODO(5);
}
// ---- end of part 5 ----------------------------------------------------------------------------------------

// Values given when compiling, as in nvcc -DUNROLL=4 -DWORK_SIZE=2, are a trial: they replace the combination
// above, and need no explanation.
#if defined(BLOCK_SIZE) || defined(UNROLL) || defined(WORK_SIZE) || defined(SPILL) || defined(PREFETCH)
#define TRIAL 1
#else
#define TRIAL 0
#endif
#ifndef BLOCK_SIZE
#define BLOCK_SIZE combination.block_size
#endif
#ifndef UNROLL
#define UNROLL combination.unroll
#endif
#ifndef WORK_SIZE
#define WORK_SIZE combination.work_size
#endif
#ifndef SPILL
#define SPILL combination.spill
#endif
#ifndef PREFETCH
#define PREFETCH combination.prefetch
#endif
constexpr int block_size = BLOCK_SIZE, unroll = UNROLL, work_size = WORK_SIZE;
constexpr bool spill = SPILL, prefetch = PREFETCH;

static_assert(block_size >= 1 && block_size * block_size <= 1024,
              "BLOCK_SIZE must be from 1 to 32: a block has at most 1024 threads");
static_assert(unroll >= 0 && work_size >= 1, "UNROLL must be 0 or more, and WORK_SIZE 1 or more");
static_assert(block_size * block_size * ((1 + work_size) * sizeof(Real) + spill * sizeof(int)) <= 48 * 1024,
              "the tiles of this BLOCK_SIZE and WORK_SIZE do not fit in a block's 48 KiB of shared memory");

#endif
