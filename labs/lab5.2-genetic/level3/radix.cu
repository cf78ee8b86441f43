// radix.cu: selection by CUB, the library that comes with CUDA: a radix sort, which compares nothing. It
// distributes the keys by some of their bits, then by the next bits; each pass reads and writes all keys
// once.
//
// Bits that are zero in all keys need no pass. The number of a set has 16 bits; its score is below `points` times the largest
// squared distance, 3, in units of 2^-24.
//
// CUB reports the size of the memory that it needs when it is called without memory, and sorts from one array
// into another.
//
// Run it:  grader lab5.2 --level 3
//          genetic 4096 16 10 --sort radix
#include <lab/check.hpp>
#include <lab/todo.hpp>

#include <cub/device/device_radix_sort.cuh>

#include <utility>

#include "genetic.h"

// The number of bits of a key that may be other than zero.
static int bitsOfKeys(int points) {
  int bits = 16;
  for (double most = 3.0 * points * 16777216.0; most >= 1; most /= 2) ++bits;
  return bits;
}

std::size_t radixBytes(int sets) {
  std::size_t bytes = 0;
  // ---- part 9: how much room does CUB need? -------------------------------------------------------------------------
  // cub::DeviceRadixSort::SortKeys() returns this size in its second argument if the first one is null. Then
  // come the keys, the array for the result, the number of keys, and the range of bits.
  (void)sets, (void)bytes, (void)bitsOfKeys;  // until they are used: no warning
  LAB_TODO(9);
  // ---- end of part 9 ------------------------------------------------------------------------------------------------
  return bytes;
}

void sortRadix(Population& population, cudaStream_t stream) {
  // ---- part 9: the sort ---------------------------------------------------------------------------------------------
  // From population.keys to population.spare, with population.radix_room, in the stream; as few bits as these keys have. All later
  // phases expect the sorted keys in population.keys.
  (void)population, (void)stream, (void)bitsOfKeys;  // until they are used: no warning
  LAB_TODO(9);
  // ---- end of part 9 ------------------------------------------------------------------------------------------------
}
