// matrixmul_gold.cpp: checks the GPU's product. Plain C++ for the CPU; there is nothing to do here.
//
//   n <= 512   every element is computed again (lab/product_gold.hpp) and compared; the numbers must be equal.
//   n >  512   that would take minutes at 4096. Freivalds' method checks the product (lab/product.hpp): for
//              a random vector r, P·r and M·(N·r) must agree, which takes n² multiplications instead of n³.
//              Three rounds let a wrong row pass with a probability of about 1 in 10^10. The CPU's time for
//              the whole product is estimated: some rows of P are computed again, compared and timed.
//
// The comparison is exact: the inputs are small multiples of 1/2, whose products and sums are exact in float
// and in double.
#include <lab/product_gold.hpp>

#include "matrixmul.h"

bool checkProduct(const Real* P, const Real* M, const Real* N, int n) {
  return lab::check_with_gold("lab1.1-matrixmul", P, M, N, n);
}
