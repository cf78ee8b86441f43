#include "base/mathml.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace grader {
namespace {

using ::testing::HasSubstr;

TEST(MathML, NumbersLettersAndScripts) {
  EXPECT_EQ(mathml("n^2 + 24", false), "<math><msup><mi>n</mi><mn>2</mn></msup><mo>+</mo><mn>24</mn></math>");
  EXPECT_EQ(mathml("P_{ij}", false), "<math><msub><mi>P</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub></math>");
  EXPECT_EQ(mathml("x_1^2", false), "<math><msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup></math>");
  EXPECT_EQ(mathml("a < b", false), "<math><mi>a</mi><mo>&lt;</mo><mi>b</mi></math>");
}

TEST(MathML, LimitsAreBelowASumOfABlockAndBesideItInALine) {
  EXPECT_THAT(mathml("\\sum_k x", true), HasSubstr("<munder><mo>∑</mo><mi>k</mi></munder>"));
  EXPECT_THAT(mathml("\\sum_k x", false), HasSubstr("<msub><mo>∑</mo><mi>k</mi></msub>"));
  EXPECT_THAT(mathml("\\sum_{k=0}^{n-1} x", true), HasSubstr("<munderover><mo>∑</mo>"));
}

TEST(MathML, FractionsRootsAndFunctions) {
  EXPECT_EQ(mathml("\\frac{a}{\\sqrt{2}}", false),
            "<math><mfrac><mrow><mi>a</mi></mrow><mrow><msqrt><mrow><mn>2</mn></mrow></msqrt></mrow></"
            "mfrac></math>");
  EXPECT_EQ(mathml("\\cos x", false), "<math><mi>cos</mi><mo>&#x2061;</mo><mi>x</mi></math>");
  EXPECT_EQ(mathml("\\log_2 n", false), "<math><msub><mi>log</mi><mn>2</mn></msub><mi>n</mi></math>");
  EXPECT_EQ(mathml("\\mathrm{phiMag}_k", false),
            "<math><msub><mi mathvariant=\"normal\">phiMag</mi><mi>k</mi></msub></math>");
}

TEST(MathML, OnlyBracketsOfLeftAndRightGrow) {
  EXPECT_EQ(mathml("(x)", false),
            "<math><mo stretchy=\"false\">(</mo><mi>x</mi><mo stretchy=\"false\">)</mo></math>");
  EXPECT_EQ(mathml("\\left( x \\right.", false), "<math><mrow><mo>(</mo><mi>x</mi></mrow></math>");
}

TEST(MathML, LinesBelowEachOther) {
  EXPECT_EQ(mathml("\\begin{aligned} a &= 1 \\\\ b &= 2 \\end{aligned}", true),
            "<math display=\"block\"><mtable class=\"aligned\" displaystyle=\"true\">"
            "<mtr><mtd><mi>a</mi></mtd><mtd><mo>=</mo><mn>1</mn></mtd></mtr>"
            "<mtr><mtd><mi>b</mi></mtd><mtd><mo>=</mo><mn>2</mn></mtd></mtr></mtable></math>");
}

TEST(MathML, CasesFollowABrace) {
  EXPECT_EQ(mathml("x \\mapsto \\begin{cases} 1 & \\text{if} \\\\ \\tfrac{1}{2} \\end{cases}", true),
            "<math display=\"block\"><mi>x</mi><mo>↦</mo><mrow><mo>{</mo><mtable class=\"cases\" "
            "columnalign=\"left\">"
            "<mtr><mtd><mn>1</mn></mtd><mtd><mtext>if</mtext></mtd></mtr>"
            "<mtr><mtd><mstyle "
            "displaystyle=\"false\"><mfrac><mrow><mn>1</mn></mrow><mrow><mn>2</mn></mrow></mfrac></mstyle>"
            "</mtd></mtr></mtable></mrow></math>");
}

TEST(MathML, ReportsUnknownCommands) {
  const auto refuses = [](const char* tex, const char* said) {
    try {
      mathml(tex, true);
      ADD_FAILURE() << tex << " was taken";
    } catch (const FormulaError& error) {
      EXPECT_THAT(error.what(), HasSubstr(said));
    }
  };
  refuses("\\frobnicate x", "\\frobnicate");
  refuses("{a", "'}' is missing");
  refuses("a}", "nothing opened");
  refuses("x^2^3", "two scripts");
  refuses("\\left( x", "\\right is missing");
  refuses("\\begin{aligned} a", "\\end{aligned} is missing");
  refuses("", "empty");
}

}  // namespace
}  // namespace grader
