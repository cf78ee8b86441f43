// parameters.h: the parameters of computeQ.cu, the subject of this lab. No other source includes them, so
// other values need a new build of computeQ.cu alone.
#ifndef PARAMETERS_H
#define PARAMETERS_H

#include <lab/todo.hpp>

// The six parameters, and the values that are tried.
struct Combination {
  int block_size;     // 32, 64, … 1024     threads of a block
  int unroll;         // 0, 2, 4, 8, 16     samples in one round of the loop over them; 0: as it is written
  bool registers;     // false, true        are a voxel's place and sums in registers, or in global memory?
  bool constant;      // false, true        are the samples read from constant memory, or from global memory?
  bool conditionals;  // false, true        are conditions evaluated before the loop, or at each sample?
  int trig;           // 0, 1, 2            cosf and sinf; sincosf; __cosf and __sinf within one cycle
};

// The combination that was chosen. explanation.cpp says why.
// ---- part 6: a combination near the best (six values) -----------------------------------------------------
// Find values for which Q of 10,000 samples on 128³ voxels is computed nearly as fast as with the best
// combination. The tables of the handout show what each of them does alone. Delete the function when you have
// chosen, and explain your choice in explanation.cpp.
constexpr Combination combination = {32, 0, false, false, false, 0};
inline void chooseCombination() {
  LAB_TODO(6);
}
// ---- end of part 6 ----------------------------------------------------------------------------------------

// Values given when compiling, as in nvcc -DUNROLL=4 -DTRIG=1, are a trial: they replace the combination
// above, and need no explanation.
#if defined(BLOCK_SIZE) || defined(UNROLL) || defined(REGISTERS) || defined(CONSTANT) || \
    defined(CONDITIONALS) || defined(TRIG)
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
#ifndef REGISTERS
#define REGISTERS combination.registers
#endif
#ifndef CONSTANT
#define CONSTANT combination.constant
#endif
#ifndef CONDITIONALS
#define CONDITIONALS combination.conditionals
#endif
#ifndef TRIG
#define TRIG combination.trig
#endif
constexpr int block_size = BLOCK_SIZE, unroll = UNROLL, trig = TRIG;
constexpr bool registers = REGISTERS, constant = CONSTANT, conditionals = CONDITIONALS;

// Samples that one launch takes, of 16 bytes each; constant memory has 64 KiB for the whole program.
constexpr int K_TILE = 1024;

static_assert(block_size >= 1 && block_size <= 1024, "BLOCK_SIZE must be from 1 to 1024");
static_assert(unroll >= 0, "UNROLL must be 0 or more");
static_assert(trig >= 0 && trig <= 2, "TRIG must be 0, 1 or 2");

#endif
