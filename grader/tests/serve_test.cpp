// Tests the workbench's API with the real server: labs, files, saves that lose no text, and the events of
// gradings.
#include <gmock/gmock.h>

#include "workbench.hpp"

namespace grader::testing {
namespace {

using ::testing::HasSubstr;

/// The path of the student's file in a workbench. The first save creates it.
fs::path on_disk(const Serving& serving) {
  return serving.work() / "lab9.1/level1/double.cu";
}

TEST(Serve, DescribesTheLabs) {
  const Serving serving;
  EXPECT_EQ(serving.get("/api/1")["version"], 1);
  EXPECT_EQ(serving.get("/api/1/labs")["labs"][0]["id"], "lab9.1");
  const auto lab = serving.get("/api/1/labs/lab9.1/1");
  EXPECT_EQ(lab["files"][0]["name"], "double.cu");
  EXPECT_EQ(lab["files"][0]["blanks"][0]["parts"], nlohmann::json({1}));
  EXPECT_TRUE(lab["grading"].is_null());
  EXPECT_FALSE(fs::exists(on_disk(serving))) << "reading made the folder";
}

TEST(Serve, SavesAFileAndSaysWhichVersionItIs) {
  const Serving serving;
  const auto before = serving.get(small_file);
  std::string body;
  ASSERT_EQ(serving.save(small_file, "int x;\n", before["sha256"], &body), 200);
  EXPECT_EQ(read_file(on_disk(serving)), "int x;\n");
  EXPECT_EQ(nlohmann::json::parse(body)["sha256"], serving.get(small_file)["sha256"]);
}

TEST(Serve, RefusesToReplaceAVersionThatThePageHasNotSeen) {
  const Serving serving;
  const auto before = serving.get(small_file);
  ASSERT_EQ(serving.save(small_file, "int x;\n", before["sha256"]), 200);
  write_file(on_disk(serving), "int by_vim;\n");
  std::string body;
  EXPECT_EQ(serving.save(small_file, "int y;\n", before["sha256"], &body), 412);
  EXPECT_EQ(nlohmann::json::parse(body)["text"], "int by_vim;\n");
  EXPECT_EQ(read_file(on_disk(serving)), "int by_vim;\n");
  EXPECT_EQ(serving.save(small_file, "int y;\n", nlohmann::json::parse(body)["sha256"]), 200);
}

TEST(Serve, OfTwoSavesOfTheSameVersionTakesOne) {
  const Serving serving;
  const std::string base = serving.get(small_file)["sha256"];
  std::vector<std::thread> pages;
  std::atomic<int> taken = 0, refused = 0;
  for (int i = 0; i < 8; ++i)
    pages.emplace_back([&, i] {
      const int status = serving.save(small_file, "int x" + std::to_string(i) + ";\n", base);
      ++(status == 200 ? taken : refused);
    });
  for (std::thread& page : pages) page.join();
  EXPECT_EQ(taken, 1);
  EXPECT_EQ(refused, 7);
}

TEST(Serve, ReportsAFileThatAnEditorSaved) {
  const Serving serving;
  ASSERT_EQ(serving.save(small_file, "int x;\n", serving.get(small_file)["sha256"]), 200);
  const auto events = serving.events(
      small_level,
      [&] {  // saves as Vim does: renames a new file to the old name
        write_file(on_disk(serving).string() + ".new", "int by_vim;\n");
        fs::rename(on_disk(serving).string() + ".new", on_disk(serving));
      },
      [&, seen = 0](const nlohmann::json& event) mutable {
        return event["data"].value("name", "") == "double.cu" && ++seen == 2;
      });
  EXPECT_EQ(events.back()["data"]["sha256"], serving.get(small_file)["sha256"]);
}

TEST(Serve, StreamsAGradingThatIsTheSameAsInATerminal) {
  const Serving serving;
  ASSERT_EQ(serving.save(small_file, small_program("if (i < n) y[i] = i < 7 ? 2 * x[i] : 0;"),
                         serving.get(small_file)["sha256"]),
            200);
  std::vector<std::string> kinds;
  nlohmann::json grading;
  serving.events(
      small_level, [&] { serving.client().Post("/api/1/labs/lab9.1/1/jobs/grade", "", "text/plain"); },
      [&](const nlohmann::json& event) {
        if (event["event"] != "job") return false;
        const auto& line = event["data"]["line"];
        kinds.push_back(line.value("kind", "error"));
        if (kinds.back() == "grading") grading = line;
        return kinds.back() == "end";
      });
  EXPECT_EQ(kinds.front(), "begin");
  EXPECT_GE(std::count(kinds.begin(), kinds.end(), "case"), 2);
  EXPECT_EQ(grading["words"], "wrong answer");
  EXPECT_EQ(serving.get("/api/1/labs/lab9.1/1")["grading"]["points"], grading["points"]);

  User user(serving.kit());
  user.set("GRADER_WORKSPACE", serving.work());
  const auto in_terminal = user.grader({"lab9.1", "--json"}).json();
  for (const char* key : {"verdict", "points", "max_points", "sources_sha256"})
    EXPECT_EQ(grading[key], in_terminal[key]) << key;
  for (const auto& one : grading["cases"])
    if (one["visibility"] == "hidden") {
      EXPECT_EQ(one["message"], "") << "a hidden case has details";
    }
}

TEST(Serve, NamesTheLineOfACompilersError) {
  const Serving serving;
  ASSERT_EQ(serving.save(small_file, small_program("y[i] = nonsense;"), serving.get(small_file)["sha256"]),
            200);
  nlohmann::json grading;
  serving.events(
      small_level, [&] { serving.client().Post("/api/1/labs/lab9.1/1/jobs/grade", "", "text/plain"); },
      [&](const nlohmann::json& event) {
        if (event["event"] == "job" && event["data"]["line"]["kind"] == "grading")
          grading = event["data"]["line"];
        return event["event"] == "job" && event["data"]["line"]["kind"] == "end";
      });
  ASSERT_FALSE(grading["places"].empty()) << grading.dump(1);
  EXPECT_EQ(grading["places"][0]["file"], "double.cu");
  EXPECT_EQ(grading["places"][0]["line"], 11);
  EXPECT_EQ(grading["places"][0]["severity"], "error");
  EXPECT_THAT(grading["places"][0]["message"].get<std::string>(), HasSubstr("nonsense"));
}

TEST(Serve, CancelsAGradingAndRecordsNothing) {
  const Serving serving;
  ASSERT_EQ(serving.save(small_file, small_program("if (i < n) y[i] = 2 * x[i];", "sleep(50);"),
                         serving.get(small_file)["sha256"]),
            200);
  nlohmann::json end;
  const auto begin = std::chrono::steady_clock::now();
  serving.events(
      small_level, [&] { serving.client().Post("/api/1/labs/lab9.1/1/jobs/grade", "", "text/plain"); },
      [&](const nlohmann::json& event) {
        if (event["event"] != "job") return false;
        const auto& line = event["data"]["line"];
        if (line["kind"] == "step" && line["what"] != "compiling lab9.1")
          serving.client().Delete("/api/1/job");
        if (line["kind"] == "end") end = line;
        return line["kind"] == "end";
      });
  EXPECT_EQ(end["cancelled"], true);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(40));
  EXPECT_TRUE(serving.get("/api/1/labs/lab9.1/1")["grading"].is_null());
}

TEST(Serve, GivesOneHintMoreEachTime) {
  const Serving serving;
  for (const std::size_t number : {1, 2}) {
    const auto answer = serving.client().Post("/api/1/labs/lab9.1/1/hints/1", "", "text/plain");
    ASSERT_TRUE(answer);
    EXPECT_EQ(nlohmann::json::parse(answer->body)["hints"].size(), number);
  }
}

}  // namespace
}  // namespace grader::testing
