// Tests that copies are found in every disguise that keeps the tokens, and that no pair is found in classes
// of independent authors.
#include "similarity/similarity.hpp"

#include <gmock/gmock.h>

#include <functional>
#include <random>
#include <set>

namespace grader {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

std::vector<std::uint64_t> words(const std::string& text) {
  std::vector<std::uint64_t> out;
  for (const Token& token : tokens_of(text)) out.push_back(token.word);
  return out;
}

TEST(Tokens, AreTheSameInDisguise) {
  const auto plain =
      words("const int row = blockIdx.y * blockDim.y + threadIdx.y;\nsum += M[row * n + k] * 1.5f;");
  EXPECT_EQ(words("unsigned int zeile=blockIdx.y*blockDim.y /* mine */ +\n threadIdx.y; // so\n{ s2 += "
                  "A[zeile*N+i]*2.f; }"),
            plain);
  EXPECT_NE(words("const int row = blockIdx.x * blockDim.y + threadIdx.y;\nsum += M[row * n + k] * 1.5f;"),
            plain);
  EXPECT_NE(words("const int row = blockIdx.y * blockDim.y - threadIdx.y;\nsum += M[row * n + k] * 1.5f;"),
            plain);
  EXPECT_EQ(words("f(\"a // b\", 'x');"), words("g(\"\", '\\'');"));
}

TEST(Tokens, KnowTheirLines) {
  const std::vector<Token> tokens = tokens_of("a\n/* b\n c */ d\n\"e\\\nf\" g");
  ASSERT_THAT(tokens, SizeIs(4));
  EXPECT_EQ(tokens[1].line, 3u);
  EXPECT_EQ(tokens[2].line, 4u);
  EXPECT_EQ(tokens[3].line, 5u);
  EXPECT_THAT(tokens_of("a b c d", 2), SizeIs(2));
  EXPECT_THAT(tokens_of(""), IsEmpty());
}

TEST(Winnowing, KeepsTheSmallestOfEachWindowTheRightmostOfEquals) {
  // The example of the paper has hashes of 5-grams and windows of 4.
  const std::vector<Fingerprint> kept =
      winnow({77, 74, 42, 17, 98, 50, 17, 98, 8, 88, 67, 39, 77, 74, 42, 17, 98}, 4);
  std::vector<std::pair<std::uint64_t, std::size_t>> pairs;
  for (const Fingerprint& one : kept) pairs.emplace_back(one.hash, one.at);
  EXPECT_THAT(pairs, ElementsAre(std::pair(17, 3), std::pair(17, 6), std::pair(8, 8), std::pair(39, 11),
                                 std::pair(17, 15)));
  EXPECT_THAT(winnow({9, 5, 7}, 4), ElementsAre(Fingerprint{5, 1}));
  EXPECT_THAT(winnow({}, 4), IsEmpty());
}

TEST(Winnowing, FindsEveryPassageOfTheGuaranteedLengthAndNoneShorterThanAGram) {
  const Winnowing rules;
  std::mt19937 random(1);
  const auto text = [&](std::size_t n) {
    std::vector<Token> out(n);
    for (Token& one : out) one.word = random();
    return out;
  };
  const auto common = [&](std::size_t length) {
    std::vector<Token> a = text(100), b = text(80);
    const std::vector<Token> both = text(length);
    a.insert(a.begin() + random() % 100, both.begin(), both.end());
    b.insert(b.begin() + random() % 80, both.begin(), both.end());
    std::set<std::uint64_t> of_a;
    for (const Fingerprint& one : winnow(grams(a, rules.gram), rules.window)) of_a.insert(one.hash);
    for (const Fingerprint& one : winnow(grams(b, rules.gram), rules.window))
      if (of_a.count(one.hash) != 0) return true;
    return false;
  };
  for (int i = 0; i < 500; ++i) {
    EXPECT_TRUE(common(rules.shortest_found()));
    EXPECT_FALSE(common(rules.gram - 1));
  }
}

// ---- classes ---------------------------------------------------------------------------------------------------------

/// An independent author, who makes each choice of style by chance, and more often chooses the usual ways.
class Author {
 public:
  explicit Author(unsigned seed) : random_(seed) {}

  std::string one_of(const std::vector<std::string>& ways) {
    // Half of all authors choose the first way, half of the others the second way, and so on.
    std::size_t way = 0;
    while (way + 1 < ways.size() && random_() % 2 != 0) ++way;
    return ways[way];
  }
  bool tosses() { return random_() % 2 != 0; }

  /// lab1.1's kernel: two blanks of a few lines.
  std::string kernel() {
    const std::string x = "blockIdx.x * blockDim.x + threadIdx.x;\n",
                      y = "blockIdx.y * blockDim.y + threadIdx.y;\n";
    std::string out = tosses() ? "int row = " + y + "int col = " + x : "int col = " + x + "int row = " + y;
    out += one_of(
        {"for (int k = 0; k < n; ++k) ", "for (int k = 0; k < n; k++) ", "for (int k = 0; k != n; ++k) "});
    out +=
        one_of({"sum += M[row * n + k] * N[k * n + col];\n", "sum = sum + M[row * n + k] * N[k * n + col];\n",
                "{ Real a = M[row * n + k]; Real b = N[k * n + col]; sum += a * b; }\n",
                "sum += N[k * n + col] * M[row * n + k];\n", "sum += M[n * row + k] * N[n * k + col];\n"});
    return out;
  }

  /// The host's part: allocations, copies, a launch.
  std::string host() {
    std::string out;
    const bool together = tosses(), checked = tosses();
    const std::string wait = one_of({"CUDA_CHECK(cudaDeviceSynchronize());\n", "cudaDeviceSynchronize();\n",
                                     "CUDA_CHECK(cudaEventSynchronize(e));\n"});
    const auto call = [&](const std::string& text) {
      return checked ? "CUDA_CHECK(" + text + ");\n" : text + ";\n";
    };
    const std::string allocate_m = call("cudaMalloc(&d_M, bytes)"),
                      allocate_n = call(one_of(
                          {"cudaMalloc(&d_N, bytes)", "cudaMalloc((void**)&d_N, n * n * sizeof(Real))"}));
    const std::string copy_m = call("cudaMemcpy(d_M, M, bytes, cudaMemcpyHostToDevice)");
    const std::string copy_n = call("cudaMemcpy(d_N, N, bytes, cudaMemcpyHostToDevice)");
    out += together ? allocate_m + allocate_n + "copy_in.start();\n" + copy_m + copy_n
                    : allocate_m + "copy_in.start();\n" + copy_m + allocate_n + copy_n;
    out += (tosses() ? wait : "") + "copy_in.stop();\n";
    out += "computation.start();\nmatrixMul<<<grid, block>>>(d_P, d_M, d_N, n);\n";
    out += one_of({"CUDA_CHECK_LAUNCH();\n", "CUDA_CHECK(cudaGetLastError());\n", ""}) + wait +
           "computation.stop();\n";
    return out;
  }

  /// A longer answer: a tiled product with many choices of style.
  std::string tiled() {
    std::string out = one_of(
        {"int tx = threadIdx.x, ty = threadIdx.y;\n", "int tx = threadIdx.x;\nint ty = threadIdx.y;\n", ""});
    const std::string tx = out.empty() ? "threadIdx.x" : "tx", ty = out.empty() ? "threadIdx.y" : "ty";
    out += "int row = " +
           one_of({"blockIdx.y * B + " + ty, "blockIdx.y * blockDim.y + " + ty, ty + " + B * blockIdx.y"}) +
           ";\n";
    out += "int col = " +
           one_of({"blockIdx.x * B + " + tx, "blockIdx.x * blockDim.x + " + tx, tx + " + B * blockIdx.x"}) +
           ";\n";
    out += one_of({"Real sum = 0;\n", "Real sum = 0.0f;\nint first = 0;\n", "Real sum(0);\n"});
    out += one_of({"for (int t = 0; t < (n + B - 1) / B; ++t) {\n",
                   "int tiles = (n + B - 1) / B;\nfor (int t = 0; t < tiles; ++t) {\n",
                   "for (int t = 0; t < n; t += B) {\n", "int t = 0;\nwhile (t < n) {\n"});
    out += one_of({"sM[" + ty + "][" + tx + "] = row < n && t * B + " + tx + " < n ? M[row * n + t * B + " +
                       tx + "] : 0;\n",
                   "if (row < n && t * B + " + tx + " < n) sM[" + ty + "][" + tx +
                       "] = M[row * n + t * B + " + tx + "];\nelse sM[" + ty + "][" + tx + "] = 0;\n",
                   "int c = t * B + " + tx + ";\nsM[" + ty + "][" + tx + "] = 0;\nif (c < n && row < n) sM[" +
                       ty + "][" + tx + "] = M[c + row * n];\n"});
    out += one_of({"sN[" + ty + "][" + tx + "] = col < n && t * B + " + ty + " < n ? N[(t * B + " + ty +
                       ") * n + col] : 0;\n",
                   "if (col < n && t * B + " + ty + " < n) sN[" + ty + "][" + tx + "] = N[(t * B + " + ty +
                       ") * n + col];\nelse sN[" + ty + "][" + tx + "] = 0;\n",
                   "int r = t * B + " + ty + ";\nsN[" + ty + "][" + tx + "] = 0;\nif (r < n && col < n) sN[" +
                       ty + "][" + tx + "] = N[col + r * n];\n"});
    out += "__syncthreads();\n";
    out +=
        one_of({"for (int k = 0; k < B; ++k) sum += sM[" + ty + "][k] * sN[k][" + tx + "];\n",
                "#pragma unroll\nfor (int k = 0; k < B; k++) sum += sM[" + ty + "][k] * sN[k][" + tx + "];\n",
                "for (int k = 0; k < B; ++k) {\nReal a = sM[" + ty + "][k];\nReal b = sN[k][" + tx +
                    "];\nsum += a * b;\n}\n"});
    out += "__syncthreads();\n" + one_of({"}\n", "t = t + 1;\n}\n"});
    out += one_of({"if (row < n && col < n) P[row * n + col] = sum;\n",
                   "if (row >= n || col >= n) return;\nP[row * n + col] = sum;\n",
                   "const bool inside = row < n && col < n;\nif (inside) P[col + row * n] = sum;\n"});
    return out;
  }

 private:
  std::mt19937 random_;
};

using Writes = std::function<std::vector<AnswerText>(Author&)>;

std::vector<AnswerText> short_lab(Author& author) {
  return {{"matrixmul.cu", 40, author.host()}, {"matrixmul_kernel.cu", 34, author.kernel()}};
}
std::vector<AnswerText> long_lab(Author& author) {
  return {{"matrixmul.cu", 40, author.host()}, {"matrixmul_kernel.cu", 34, author.tiled()}};
}

std::vector<Answer> class_of(std::size_t n, unsigned seed, const Writes& writes) {
  std::vector<Answer> out;
  for (std::size_t i = 0; i < n; ++i) {
    Author author(seed * 1000 + static_cast<unsigned>(i));
    const std::string name = "s" + std::to_string(1000 + i);
    out.push_back({name, name, writes(author)});
  }
  return out;
}

/// What a copier changes: names, comments, line breaks, types.
std::string disguised(std::string text) {
  const auto replace = [&](const std::string& from, const std::string& to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
      text.replace(at, from.size(), to);
  };
  replace("row", "zeile");
  replace("sum", "total");
  replace("int ", "unsigned ");
  replace(" = ", "=\n");
  replace(";", ";  // my own idea\n");
  return "/* written by me alone */\n" + text;
}

/// Moves the last part of a text to its beginning, as if functions were reordered.
std::string turned(const std::string& text) {
  const std::size_t middle = text.find(";\n", text.size() / 2) + 2;
  return text.substr(middle) + text.substr(0, middle);
}

/// An answer that few students would write.
std::vector<AnswerText> unusual() {
  return {{"matrixmul_kernel.cu", 34,
           "const int me = threadIdx.y * blockDim.x + threadIdx.x;\n"
           "for (int tile = gridDim.x - 1; tile >= 0; --tile) {\n"
           "  const int from = tile * B;\n"
           "  if (from + threadIdx.x >= n) { left[me] = 0; } else { left[me] = M[from + threadIdx.x + n * "
           "line]; }\n"
           "  if (from + threadIdx.y < n) right[me] = N[column + (from + threadIdx.y) * n];\n"
           "  else right[me] = 0;\n"
           "  __syncthreads();\n"
           "  int k = B;\n"
           "  do { --k; partial += left[threadIdx.y * B + k] * right[k * B + threadIdx.x]; } while (k > 0);\n"
           "  __syncthreads();\n"
           "}\n"
           "if (line < n) { if (column < n) P[line * n + column] = partial; }\n"}};
}

/// Each pair as "s1002-s1007".
std::vector<std::string> pairs_of(const std::vector<Answer>& answers, const KnownTexts& known = {}) {
  std::vector<std::string> out;
  for (const SimilarPair& pair : find_similar(answers, known).pairs)
    out.push_back(answers[pair.a].owner + "-" + answers[pair.b].owner);
  return out;
}

TEST(Similarity, IndependentAnswersMakeNoPair) {
  std::size_t listed = 0, by_a_looser_rule = 0, classes = 0;
  SimilarityRules loose;
  loose.by_chance = 0.5;
  for (const Writes& writes : {Writes(short_lab), Writes(long_lab)})
    for (const auto& [n, times] : {std::pair(2, 12), {5, 12}, {12, 12}, {40, 8}, {120, 2}})
      for (int seed = 1; seed <= times; ++seed, ++classes) {
        const std::vector<Answer> answers =
            class_of(static_cast<std::size_t>(n), static_cast<unsigned>(seed), writes);
        for (const SimilarPair& pair : find_similar(answers, {}, loose).pairs) {
          listed += pair.expected <= SimilarityRules().by_chance;
          ++by_a_looser_rule;
        }
      }
  // Tests a looser rule: the number of pairs must be as promised, so the result above does not depend on the
  // drawn classes.
  EXPECT_LE(static_cast<double>(by_a_looser_rule), 0.5 * static_cast<double>(classes));
  EXPECT_LE(listed, 1u) << "in " << classes << " classes";
}

TEST(Similarity, ACopyIsFoundInEveryDisguise) {
  for (const std::size_t n : {12, 40, 120}) {
    std::vector<Answer> answers = class_of(n, 3, long_lab);
    answers[2].texts = unusual();
    answers[7].texts = unusual();
    answers[7].texts[0].text = disguised(turned(answers[7].texts[0].text));
    const Similarity found = find_similar(answers, {});
    ASSERT_EQ(found.pairs.size(), 1u) << n;
    const SimilarPair& pair = found.pairs[0];
    EXPECT_EQ(pair.a, 2u);
    EXPECT_EQ(pair.b, 7u);
    EXPECT_GT(pair.share_a, 0.8);
    EXPECT_LE(pair.expected, 0.01);
    ASSERT_FALSE(pair.passages.empty());
    for (const Passage& passage : pair.passages) EXPECT_LE(passage.last_a, 13u);
  }
}

TEST(Similarity, APassageInsideOfOwnWorkIsFoundWithItsLines) {
  std::vector<Answer> answers = class_of(30, 5, long_lab);
  const std::string copied = unusual()[0].text;
  answers[4].texts[0].text = "int a = 0;\n" + answers[4].texts[0].text + copied;
  answers[20].texts[1].text = copied + answers[20].texts[1].text;
  const Similarity found = find_similar(answers, {});
  ASSERT_EQ(found.pairs.size(), 1u);
  const Passage& passage = found.pairs[0].passages.front();
  EXPECT_EQ(passage.text_a, 0u);
  EXPECT_EQ(passage.text_b, 1u);
  EXPECT_EQ(passage.first_b, 1u);
  EXPECT_EQ(passage.last_b, 12u);
  EXPECT_EQ(passage.last_a - passage.first_a, 11u);
}

TEST(Similarity, ATextPassedOnToSeveralIsNotCommon) {
  std::vector<Answer> answers = class_of(60, 6, long_lab);
  for (const std::size_t i : {3, 11, 30, 42}) answers[i].texts = unusual();
  EXPECT_THAT(pairs_of(answers), SizeIs(6));  // each pair of four owners
}

TEST(Similarity, GivenOrCommonTextMakesNoPair) {
  std::vector<Answer> answers = class_of(30, 7, short_lab);
  for (const std::size_t i : {1, 2}) answers[i].texts = unusual();
  EXPECT_THAT(pairs_of(answers), SizeIs(1));
  KnownTexts known;
  known.given = {unusual()[0].text};
  EXPECT_THAT(pairs_of(answers, known), IsEmpty());
  for (std::size_t i = 0; i < 10; ++i) answers[i].texts = unusual();  // a third of the class
  EXPECT_THAT(pairs_of(answers), IsEmpty());
}

TEST(Similarity, TwoWhoWroteWhatTheSolutionSaysAreNoPair) {
  std::vector<Answer> answers = class_of(20, 8, short_lab);
  for (const std::size_t i : {1, 2}) answers[i].texts = unusual();
  EXPECT_THAT(pairs_of(answers), SizeIs(1));
  KnownTexts known;
  known.solution = {unusual()[0].text};
  EXPECT_THAT(pairs_of(answers, known), IsEmpty());
}

TEST(Similarity, AttemptsOfOneOwnerAreNoPair) {
  std::vector<Answer> answers = class_of(20, 9, long_lab);
  for (int i = 0; i < 6; ++i) answers.push_back({"eve", "eve, attempt " + std::to_string(i), unusual()});
  EXPECT_THAT(pairs_of(answers), IsEmpty());
  answers[4].texts = unusual();
  const Similarity found = find_similar(answers, {});
  ASSERT_EQ(found.pairs.size(), 1u);  // contains only one of eve's six attempts
  EXPECT_EQ(answers[found.pairs[0].a].owner, "eve");
  EXPECT_EQ(found.pairs[0].b, 4u);
}

TEST(Similarity, IsTheSameInEveryOrderAndRun) {
  std::vector<Answer> answers = class_of(40, 10, long_lab);
  for (const std::size_t i : {3, 11, 30}) answers[i].texts = unusual();
  const auto names = [](const std::vector<Answer>& of, const Similarity& found) {
    std::vector<std::tuple<std::string, std::string, std::size_t>> out;
    for (const SimilarPair& pair : found.pairs)
      out.emplace_back(of[pair.a].owner, of[pair.b].owner, pair.tokens);
    std::sort(out.begin(), out.end());
    return out;
  };
  const auto first = names(answers, find_similar(answers, {}));
  EXPECT_THAT(first, SizeIs(3));
  std::reverse(answers.begin(), answers.end());
  EXPECT_EQ(names(answers, find_similar(answers, {})), first);
}

TEST(Similarity, NothingAndRubbishAreNothing) {
  EXPECT_THAT(find_similar({}, {}).pairs, IsEmpty());
  EXPECT_THAT(find_similar({{"a", "a", {}}, {"b", "b", {{"x.cu", 1, ""}}}}, {}).pairs, IsEmpty());
  std::string endless;  // ten million runs that are all equal
  for (int i = 0; i < 100'000; ++i) endless += "f ( ";
  const std::vector<Answer> answers = {{"a", "a", {{"x.cu", 1, endless}}},
                                       {"b", "b", {{"x.cu", 1, endless}}}};
  find_similar(answers, {});
}

}  // namespace
}  // namespace grader
