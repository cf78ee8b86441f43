// minmatrix_layout.h: the place of number p of matrix k in the array, for the readers.
//
//   file          k = 0: A B C D …    k = 1: J K L M …    k = 2: S T U V …
//   kept          A B C D …  J K L M …  S T U V …         number p of matrix k: element k * numbers + p
//   transposed    A J S  B K T  C L U  D M V  …           all first numbers side by side, then all second ones …
//
// With m matrices a transposed array is a row of `numbers` plain arrays of m numbers, and the minimum of each of
// them is one element of the result. So a kernel that knows nothing about matrices is enough.
#ifndef MINMATRIX_LAYOUT_H
#define MINMATRIX_LAYOUT_H

#include <lab/todo.hpp>

#include "matrices.hpp"
#include "minmatrix.h"

// Number p of matrix k is element k * matrix + p * position of the array.
//   m         how many matrices
//   numbers   of a matrix: n * n
inline lab::Strides stridesOf(Layout layout, int m, int numbers) {
  lab::Strides strides{static_cast<std::size_t>(numbers),
                       1};  // kept: a matrix is `numbers` elements in a row
  if (layout == Layout::transposed) {
    // ---- part 1: the strides of the transposed array (two lines) -----------------------------------------
    // The strides of the transposed array.
    (void)m;  // until it is used: no warning
    LAB_TODO(1);
    // ---- end of part 1 -----------------------------------------------------------------------------------
  }
  return strides;
}

#endif
