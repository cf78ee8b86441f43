// Tests `grader ask` on the solutions of all labs: there are enough different questions, the two derivations
// never differ, and one student's sheet is worthless to another. Each lab's program runs once for all draws
// of questions.
#include <gmock/gmock.h>
#include <sys/resource.h>

#include <list>
#include <set>

#include "ask/quiz.hpp"
#include "build/toolchain.hpp"
#include "catalog/catalog.hpp"
#include "grader_runner.hpp"
#include "workspace/workspace.hpp"

namespace ask_test {
namespace {

using namespace grader;
using grader::testing::User;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const Kit& kit() {
  static const Kit kit{KIT_SOURCE_DIR};
  return kit;
}

const Catalog& catalog() {
  static const Catalog catalog = Catalog::load(kit());
  return catalog;
}

const Lab& lab_of(const std::string& id) {
  std::optional<int> none;
  return catalog().find(id, none);
}

/// The solution of a lab, whose program runs once.
class Asked {
 public:
  explicit Asked(const Lab& lab) : submission_(read_submission(kit(), lab, 1, Origin::solution)) {
    setenv("GRADER_CACHE", grader::testing::shared_cache().c_str(), 1);
    toolchain_ = Toolchain::detect(kit());
    program_.emplace(kit(), toolchain_, submission_, "", folder_.path());
    program_->counts();  // makes the last build that most questions need
  }
  AskedProgram& program() { return *program_; }
  std::uint64_t seed(std::size_t student) const {
    return seed_of("student " + std::to_string(student), submission_);
  }

 private:
  grader::testing::TemporaryFolder folder_;
  Submission submission_;
  Toolchain toolchain_;
  std::optional<AskedProgram> program_;
};

double processor_s() {
  double sum = 0;
  for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage = {};
    getrusage(who, &usage);
    for (const timeval& part : {usage.ru_utime, usage.ru_stime})
      sum += static_cast<double>(part.tv_sec) + 1e-6 * static_cast<double>(part.tv_usec);
  }
  return sum;
}

std::set<std::string> names_of_kinds(bool changes) {
  std::set<std::string> out;
  for (const QuestionKind& kind : question_kinds())
    if (kind.changes == changes) out.insert(kind.name);
  return out;
}

constexpr std::size_t sheet = 5;

TEST(Ask, DrawsTwoHundredQuestionsOfAllLabsWithoutContradiction) {
  constexpr std::size_t of_lab = 17;
  std::size_t different = 0;
  double drawing_s = 0;
  std::set<std::string> missing = names_of_kinds(false);
  std::list<Asked> all;
  for (const Lab& lab : catalog().labs()) {
    SCOPED_TRACE(lab.id);
    Asked& asked = all.emplace_back(lab);
    const double begin = processor_s();
    const DrawnQuestions drawn = draw_questions(asked.program(), asked.seed(1), of_lab, 0);
    drawing_s += processor_s() - begin;
    EXPECT_THAT(drawn.contradictions, IsEmpty());
    EXPECT_GE(drawn.questions.size(), sheet);
    std::set<std::string> kinds, texts;
    for (const Question& question : drawn.questions) {
      kinds.insert(question.kind);
      texts.insert(question.text);
    }
    EXPECT_GE(kinds.size(), sheet) << "a sheet has five kinds of questions";
    EXPECT_EQ(texts.size(), drawn.questions.size());
    different += texts.size();
    for (const std::string& kind : kinds) missing.erase(kind);
  }
  // The questions depend on the sources' text, so those of one student may lack a kind.
  for (unsigned student = 2; student < 6 && !missing.empty(); ++student)
    for (Asked& asked : all)
      for (const Question& question :
           draw_questions(asked.program(), asked.seed(student), of_lab, 0).questions)
        missing.erase(question.kind);
  EXPECT_THAT(missing, IsEmpty()) << "a kind that asks in no lab";
  EXPECT_GE(different, 200u);
  EXPECT_LT(drawing_s, 40)
      << "of processor time; twenty questions of each lab took 29 s on two busy hyperthreads";
}

TEST(Ask, HasQuestionsAboutChangedPrograms) {
  Asked asked(lab_of("lab2.1"));
  std::set<std::string> missing = names_of_kinds(true);
  for (unsigned student = 2; student < 6 && !missing.empty(); ++student) {
    const DrawnQuestions drawn = draw_questions(asked.program(), asked.seed(student), 25, 25);
    EXPECT_THAT(drawn.contradictions, IsEmpty());
    for (const Question& question : drawn.questions) missing.erase(question.kind);
  }
  EXPECT_THAT(missing, IsEmpty());
}

TEST(Ask, ASheetIsWorthNothingToAnotherStudent) {
  constexpr std::size_t students = 60;
  Asked asked(lab_of("lab1.2"));
  std::vector<std::vector<Question>> sheets;
  for (std::size_t i = 0; i < students; ++i) {
    sheets.push_back(draw_questions(asked.program(), asked.seed(i), sheet, 0).questions);
    ASSERT_EQ(sheets.back().size(), sheet);
  }
  std::size_t right = 0, same = 0, answers = 0;
  for (const auto& mine : sheets)
    for (const auto& other : sheets) {
      if (&mine == &other) continue;
      for (std::size_t q = 0; q < sheet; ++q, ++answers) {
        right += mine[q].right == other[q].right;
        for (const Question& one : mine) same += one.text == other[q].text;
      }
    }
  // Guessing gives a quarter. The 300 right choices are random, so the share differs from it by at most 2.5
  // %.
  EXPECT_LT(static_cast<double>(right) / static_cast<double>(answers), 0.30);
  EXPECT_LT(static_cast<double>(same) / static_cast<double>(answers), 0.5)
      << "the questions that another student has, too";
}

TEST(Ask, RecordsOnlyTheQuestionsThatAreDrawnForTheStudent) {
  const User user;
  const auto answered = [&](std::vector<std::string> more) {
    std::vector<std::string> command = {"ask", "lab0", "--solution", "--answers", "1,1,1,1,1"};
    command.insert(command.end(), more.begin(), more.end());
    return user.grader(command).out;
  };
  const std::string practice = "not recorded";
  EXPECT_THAT(answered({}), ::testing::Not(HasSubstr(practice)));
  EXPECT_THAT(answered({"--seed", "3"}), HasSubstr(practice));
  EXPECT_THAT(answered({"--case", "handout"}), HasSubstr(practice));
}

}  // namespace
}  // namespace ask_test
