// Tests that the JSON of a class matches docs/class.schema.json key by key, and that `grader course` can make
// the marks of several labs from it.
#include "report/class_json.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "base/columns.hpp"
#include "base/error.hpp"
#include "base/files.hpp"
#include "base/test_folder.hpp"
#include "report/course_marks.hpp"

namespace grader {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// The part of JSON Schema that the schema uses. An unknown keyword is a problem, too.
class Schema {
 public:
  explicit Schema(json root) : root_(std::move(root)) {}

  std::vector<std::string> problems(const json& value) {
    problems_.clear();
    look(root_, value, "$");
    return problems_;
  }

 private:
  void look(const json& schema, const json& value, const std::string& at) {
    static const std::vector<std::string> words = {
        "$schema",    "title",    "description",          "$defs", "$ref",    "type",   "const", "enum",
        "properties", "required", "additionalProperties", "items", "minimum", "maximum"};
    for (const auto& [word, unused] : schema.items())
      if (std::find(words.begin(), words.end(), word) == words.end())
        problems_.push_back("unknown word " + word);
    if (schema.contains("$ref")) {
      const std::string name = schema["$ref"];
      return look(root_.at(json::json_pointer(name.substr(1))), value, at);
    }
    if (schema.contains("const") && value != schema["const"]) problems_.push_back(at + " is " + value.dump());
    if (schema.contains("enum") &&
        std::find(schema["enum"].begin(), schema["enum"].end(), value) == schema["enum"].end())
      problems_.push_back(at + " is " + value.dump());
    if (schema.contains("type")) {
      const std::string type = schema["type"];
      const bool fits = type == "object"    ? value.is_object()
                        : type == "array"   ? value.is_array()
                        : type == "string"  ? value.is_string()
                        : type == "integer" ? value.is_number_integer()
                        : type == "number"  ? value.is_number()
                                            : value.is_boolean();
      if (!fits) return problems_.push_back(at + " is no " + type);
    }
    if (schema.contains("minimum") && value < schema["minimum"]) problems_.push_back(at + " is too small");
    if (schema.contains("maximum") && value > schema["maximum"]) problems_.push_back(at + " is too large");
    if (value.is_array() && schema.contains("items"))
      for (std::size_t i = 0; i < value.size(); ++i)
        look(schema["items"], value[i], at + "[" + std::to_string(i) + "]");
    if (!value.is_object()) return;
    for (const json& key : schema.value("required", json::array()))
      if (!value.contains(key.get<std::string>()))
        problems_.push_back(at + " lacks " + key.get<std::string>());
    for (const auto& [key, one] : value.items())
      if (schema.contains("properties") && schema["properties"].contains(key))
        look(schema["properties"][key], one, at + "." + key);
      else if (const json others = schema.value("additionalProperties", json(true)); others.is_object())
        look(others, one, at + "." + key);
      else if (!others.get<bool>())
        problems_.push_back(at + " has " + key);
  }

  const json root_;
  std::vector<std::string> problems_;
};

GradedAttempt attempt(const std::string& student, double points) {
  GradedAttempt out;
  out.hand_in.student = student;
  out.hand_in.received_at = "2030-01-02T03:04:05Z";
  out.notes = {"a note"};
  Grading& g = out.grading;
  g.lab = "lab1.1";
  g.verdict = points == 10 ? Verdict::passed : Verdict::wrong_answer;
  g.points = points;
  g.max_points = 10;
  g.todo = {{1, "x.cu", 3}};
  g.parts = {{.id = 1, .title = "p", .points = points, .max_points = 10}};
  CaseResult one;
  one.id = "n8";
  one.verdict = g.verdict;
  one.times[Measure{Measure::Kind::kernel}] = 1e-3;
  one.counts = KernelCounts{4, 2, 1};
  one.mismatch =
      Mismatch{.wrong = 1, .total = 2, .first = {{{0, 1}, "1", "2"}}, .pattern = "zeros", .explanation = "e"};
  Finding finding;
  finding.rule = "race";
  finding.parties = {FindingParty{}};
  one.findings = {finding};
  g.cases = {one};
  return out;
}

/// The JSON of a class in a lab, with all optional parts.
json made(const std::string& lab_id, const std::vector<GradedAttempt>& attempts,
          const ClassFile& course = {}) {
  Lab lab;
  lab.id = lab_id;
  lab.cases.emplace_back().id = "n8";
  ClassSimilarity similarity;
  similarity.answers = {{"a", "ada", {{"k.cu", 3, "x\ny\n"}}}, {"b", "bob", {{"k.cu", 3, "x\ny\n"}}}};
  SimilarPair pair;
  pair.b = 1;
  pair.passages = {{.first_a = 1, .last_a = 2, .first_b = 1, .last_b = 2, .tokens = 40}};
  similarity.found = {{pair}, 2};
  const Leaderboard board =
      leaderboard(lab, course, attempts, {{"ada", "A"}, {"bob", "B"}}, &attempts.front().grading);
  std::vector<Mark> all = marks(course, attempts);
  all.front().answers = {2, 5};
  all.front().answer_points = 0.4;
  return class_json({.lab = lab,
                     .attempts = attempts,
                     .marks = all,
                     .made_at = "2030-01-03T00:00:00Z",
                     .reference = &attempts.front().grading,
                     .similarity = &similarity,
                     .board = &board},
                    1);
}

Schema schema() {
  return Schema(json::parse(read_file(fs::path(KIT_SOURCE_DIR) / "docs/class.schema.json", 1 << 20)));
}

TEST(ClassJson, IsWhatTheSchemaSays) {
  const json out = made("lab1.1", {attempt("ada", 10), attempt("bob", 4)});
  EXPECT_EQ(out["leaderboard"]["placings"].size(), 1u);
  EXPECT_TRUE(out["students"][0]["answers"]["passed_without_knowing"]);
  EXPECT_FALSE(out["students"][1].contains("answers"));
  EXPECT_EQ(out["students"][0]["answer_points"], 0.4);
  EXPECT_THAT(schema().problems(out), IsEmpty());
  json bare = out;
  for (const char* key : {"made_at", "reference", "similarity", "leaderboard"}) bare.erase(key);
  EXPECT_THAT(schema().problems(bare), IsEmpty());
}

TEST(ClassJson, TheSchemaRefusesWhatIsNot) {
  json out = made("lab1.1", {attempt("ada", 10)});
  out["students"][0].erase("mark");
  out["attempts"][0]["grading"]["verdict"] = "maybe";
  out["extra"] = 1;
  EXPECT_THAT(
      schema().problems(out),
      testing::UnorderedElementsAre(HasSubstr("lacks mark"), HasSubstr("maybe"), HasSubstr("has extra")));
}

struct CourseMarksTest : testing::Test {
  TestFolder folder;

  CourseMarks read() const { return read_course_marks({folder.path / "b.json", folder.path / "a.json"}); }
  CourseMarksTest() {
    ClassFile course;
    course.students["ada"] = {.id = "ada", .name = "Ada_L & Co", .group = "g1"};
    course.students["eve"] = {.id = "eve", .name = "=1+1"};
    folder.write("a.json", made("lab2.1", {attempt("ada", 10), attempt("bob", 4)}, course).dump());
    folder.write("b.json", made("lab10.1", {attempt("bob", 10)}).dump());
  }
};

TEST_F(CourseMarksTest, PutsAllLabsAndStudentsBesideEachOther) {
  const CourseMarks marks = read();
  EXPECT_EQ(
      course_marks_csv(marks),
      "Student,Name,Group,lab2.1,lab10.1,Sum\r\nof at most,,,10,10,20\r\nada,Ada_L & Co,g1,10.4,,10.4\r\n"
      "bob,,,4,10.4,14.4\r\neve,'=1+1,,,,0\r\n");
  const std::string latex = course_marks_latex(marks);
  EXPECT_THAT(latex, HasSubstr("\\begin{longtable}{lllrrr}"));
  EXPECT_THAT(latex, HasSubstr("ada & Ada\\_L \\& Co & g1 & 10.4 &  & 10.4 \\\\\n"));
  const std::string text = course_marks_text(marks, Style{});
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(display_width(line), 80) << line;
  EXPECT_THAT(text, HasSubstr("bob"));
  EXPECT_EQ(course_marks_json(marks)["students"][1]["marks"]["lab10.1"], 10.4);
}

TEST_F(CourseMarksTest, OtherFilesAreRefused) {
  const auto said = [&](const std::string& text) -> std::string {
    folder.write("x.json", text);
    try {
      read_course_marks({folder.path / "x.json"});
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_THAT(said(""), HasSubstr("x.json can't be read as a report of a class"));
  EXPECT_THAT(said("{\"kind\": \"table\"}"), HasSubstr("x.json is no report of a class."));
  EXPECT_THAT(said("[1]"), HasSubstr("x.json"));
  EXPECT_THAT(said("{\"kind\":\"class\",\"format\":1,\"lab\":\"lab1.1\",\"students\":[{}]}"),
              HasSubstr("x.json"));
  EXPECT_THROW(read_course_marks({folder.path / "a.json", folder.path / "a.json"}), Error);
  EXPECT_THROW(read_course_marks({folder.path / "none.json"}), Error);
}

}  // namespace
}  // namespace grader
