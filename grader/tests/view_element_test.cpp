// Tests `grader view --element` with the real program: how an element of lab2.1's product got its value when
// a barrier was missing, as an approved text (approved/element.txt) and as JSON, and requests that fail.
#include <gmock/gmock.h>

#include "approved.hpp"
#include "author/wrong.hpp"
#include "catalog/catalog.hpp"
#include "grader_runner.hpp"

namespace grader {
namespace {

using ::testing::HasSubstr;
using testing::Ran;

/// The files of the planted mistake. They are written only once, so that the program is compiled only once.
class ViewElement : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    user = std::make_unique<testing::User>();
    const Kit kit{KIT_SOURCE_DIR};
    const Catalog catalog = Catalog::load(kit);
    std::optional<int> level;
    const Lab& lab = catalog.find("lab2.1", level);
    const std::vector<WrongSolution> all = read_wrong(kit, lab);
    const auto planted = std::find_if(
        all.begin(), all.end(), [](const WrongSolution& wrong) { return wrong.name == "no-barrier-after"; });
    ASSERT_NE(planted, all.end());
    for (const SubmissionFile& file :
         apply_wrong(read_submission(kit, lab, 1, Origin::solution, ""), *planted).files)
      testing::write_file(user->folder() / "wrong" / file.name, file.text);
  }
  static void TearDownTestSuite() { user.reset(); }

  /// Runs the command for the case of whole tiles, whose inputs are fixed.
  static Ran view(const std::string& element, std::vector<std::string> more = {}) {
    std::vector<std::string> words = {"view",   "lab2.1", "--element", element,
                                      "--from", "wrong",  "--case",    "n128"};
    words.insert(words.end(), more.begin(), more.end());
    return user->grader(words);
  }

  static std::unique_ptr<testing::User> user;
};
std::unique_ptr<testing::User> ViewElement::user;

TEST_F(ViewElement, ReadsAsItWasRead) {
  const Ran ran = view("P[2][3]");
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  testing::expect_approved("element", ran.out);
}

/// The elements of the second tile came too early, so both factors are from the second tile.
TEST_F(ViewElement, GivesMachinesTheSame) {
  const Ran ran = view("P[2][3]", {"--format", "json"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const auto parsed = ran.json();
  EXPECT_EQ(parsed["kind"], "element");
  EXPECT_EQ(parsed["right"], false);
  EXPECT_EQ(parsed["shape"], nlohmann::json({32, 32}));
  ASSERT_EQ(parsed["writes"].size(), 1u);
  const auto& write = parsed["writes"][0];
  EXPECT_EQ(write["thread"], nlohmann::json({3, 2, 0}));
  EXPECT_EQ(write["file"], "matrixmul_kernel.cu");
  EXPECT_EQ(write["left_out"], 0);
  EXPECT_EQ(parsed["terms"]["missing"], nlohmann::json({0, 1, 2}));
  EXPECT_EQ(parsed["terms"]["repeated"], nlohmann::json({16, 17}));
  EXPECT_EQ(parsed["terms"]["foreign"].size(), 1u);
  double sum = 0, factor = 0;
  for (const auto& read : write["reads"]) {
    if (read["element"]["array"] == "tile_M") factor = std::stod(read["value"].get<std::string>());
    if (read["element"]["array"] == "tile_N") sum += factor * std::stod(read["value"].get<std::string>());
  }
  EXPECT_EQ(sum, std::stod(write["value"].get<std::string>()))
      << "the products of what was read make the value";
}

/// The kernel is right, but only a part of its result is copied back.
TEST_F(ViewElement, SaysWhereOnlyTheResultIsWrong) {
  user->write_solution("lab1.1-matrixmul", "half", "cudaMemcpy(P, d_P, bytes,",
                       "cudaMemcpy(P, d_P, bytes / 2,");
  const std::vector<std::string> words = {"view", "lab1.1", "--from", "half", "--case", "n8", "--element"};
  const auto view = [&](const std::string& element, std::vector<std::string> more) {
    std::vector<std::string> all = words;
    all.push_back(element);
    all.insert(all.end(), more.begin(), more.end());
    return user->grader(all);
  };
  EXPECT_THAT(view("P[7][7]", {}).out, HasSubstr(", as it should be; but the result has "));
  const auto last = view("P[7][7]", {"--format", "json"}).json(),
             first = view("P[0][0]", {"--format", "json"}).json();
  EXPECT_EQ(last["right"], true);
  EXPECT_NE(last["in_result"], last["expected"]);
  EXPECT_EQ(first["right"], true);
  EXPECT_FALSE(first.contains("in_result"));
}

/// In lab4.2, the host computes the result, which has type float, from whole numbers of the device.
TEST_F(ViewElement, HoldsNothingAgainstARightResult) {
  const Ran ran = user->grader(
      {"view", "lab4.2", "--solution", "--case", "bb-n40", "--element", "result[0][0]", "--format", "json"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_FALSE(ran.json().contains("right")) << ran.out;
}

TEST_F(ViewElement, AnInputCameByACopy) {
  const Ran ran = view("M[0][1]");
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("Written once, by a copy that the host requested"));
}

/// The matrices of lab3.1 are padded on the device, so an element's place does not follow from the shape in
/// the case.
TEST_F(ViewElement, APaddedArrayIsNotTakenForTheCases) {
  const Ran ran = user->grader({"view", "lab3.1", "--element", "P[1][2]", "--solution"});
  EXPECT_EQ(ran.exit_code, 2) << ran.out;
  EXPECT_THAT(replace_all(ran.err, "\n", " "), HasSubstr("so where P[1][2] lies is not known"));
  const Ran by_position = user->grader({"view", "lab3.1", "--element", "P[2]", "--solution"});
  EXPECT_EQ(by_position.exit_code, 0) << by_position.err;
  EXPECT_THAT(by_position.out, ::testing::Not(HasSubstr("should be")));
}

TEST_F(ViewElement, RefusesOtherRequests) {
  const auto refused = [&](const Ran& ran) {
    EXPECT_EQ(ran.exit_code, 2) << ran.out << ran.err;
    return replace_all(ran.err, "\n", " ");
  };
  EXPECT_THAT(refused(view("P[2]3")), HasSubstr("\"P[2]3\" is no element of an array."));
  EXPECT_THAT(refused(view("P")), HasSubstr("is no element of an array."));
  EXPECT_THAT(refused(view("Q[2]")),
              HasSubstr("There is no array Q on the device; there are d_M, d_N, d_P."));
  EXPECT_THAT(refused(view("Q[2][3]")),
              HasSubstr("The shape of Q is not known; lab2.1 tells those of M, N, P."));
  EXPECT_THAT(refused(view("P[32][0]")), HasSubstr("P[32][0] is outside P, whose shape is (32, 32)."));
  EXPECT_THAT(refused(view("P[1][2][3]")), HasSubstr("has 3 indices, but P has 2"));
  EXPECT_THAT(refused(view("d_P[1024]")), HasSubstr("is outside d_P, which has 1024 elements"));
  EXPECT_THAT(refused(view("P[2][3]", {"--backend", "gpu"})), HasSubstr("Only emulation records"));
  EXPECT_THAT(refused(user->grader({"view", "lab2.1", "--element", "P[0]", "--case", "n17"})),
              HasSubstr("lab2.1 has no case \"n17\" to view"));
}

}  // namespace
}  // namespace grader
