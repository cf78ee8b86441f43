#include "similarity/nearest.hpp"

#include <gtest/gtest.h>

namespace grader {
namespace nearest_test {

Answer answer(const std::string& owner, const std::string& text) {
  return {owner, owner, {{"k.cu", 1, text}}};
}

TEST(Nearest, RanksShortAnswersThroughADisguise) {
  const std::vector<Answer> answers = {answer("ada", "if (i < n) y[i] = 2 * x[i];"),
                                       answer("bob", "for (int k = 0; k < n; ++k) y[k] += x[k] + x[k];"),
                                       answer("cleo", "if (me < size)  // mine\n  out[me] = 2 * in[me];"),
                                       answer("dan", "")};
  const Nearest found = nearest_pairs(answers, {}, 2);
  ASSERT_EQ(found.pairs.size(), 2u);
  EXPECT_EQ(found.pairs[0].a, 0u);
  EXPECT_EQ(found.pairs[0].b, 2u);
  EXPECT_EQ(found.pairs[0].shared, 1);
  EXPECT_LT(found.pairs[1].shared, 0.8);
  EXPECT_EQ(found.median, found.pairs[1].shared);
}

TEST(Nearest, NeitherOwnAttemptsNorTheSkeletonCount) {
  const std::string given = "cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice);";
  const std::vector<Answer> answers = {answer("ada", given), answer("bob", given),
                                       answer("cleo", "while (true) n = f(n) % 3;"),
                                       answer("cleo", "while (true) n = f(n) % 3;")};
  EXPECT_TRUE(nearest_pairs(answers, {{given}, {}}, 10).pairs.empty());
}

}  // namespace nearest_test
}  // namespace grader
