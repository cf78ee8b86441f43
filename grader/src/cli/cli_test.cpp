// Tests the command line as a user types it, on a kit of one lab: help, mistakes, JSON answers, completion.
#include "cli/cli.hpp"

#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/columns.hpp"
#include "base/files.hpp"
#include "base/terminal.hpp"
#include "catalog/test_kit.hpp"
#include "cli/commands.hpp"
#include "course/secret.hpp"
#include "process/process.hpp"
#include "records/records.hpp"

namespace grader {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

struct Answer {
  int code = -1;
  std::string out, err;
};

class CliTest : public testing::Test {
 protected:
  CliTest() { setenv("CUDA_LAB_KIT", kit.path.c_str(), 1); }
  ~CliTest() override {
    unsetenv("CUDA_LAB_KIT");
    unsetenv("GRADER_WORKSPACE");
  }

  static Answer type(std::vector<std::string> words) {
    words.insert(words.begin(), "grader");
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const int code = cli_main(static_cast<int>(argv.size()), argv.data());
    const std::string err = testing::internal::GetCapturedStderr();
    return {code, testing::internal::GetCapturedStdout(), err};
  }

  TestKit kit;
};

TEST_F(CliTest, AloneItSaysWhatToType) {
  const Answer answer = type({});
  EXPECT_EQ(answer.code, 0);
  EXPECT_THAT(answer.out, HasSubstr("grader list"));
}

TEST_F(CliTest, NoHelpIsWiderThanATerminal) {
  std::vector<std::string> names = {""};
  for (const Command& command : all_commands()) names.push_back(command.name);
  for (const std::string& name : names) {
    const Answer answer = name.empty() ? type({"--help"}) : type({name, "--help"});
    EXPECT_EQ(answer.code, 0) << name;
    EXPECT_THAT(answer.out, HasSubstr("Usage:")) << name;
    for (const std::string& line : split_lines(answer.out)) EXPECT_LE(display_width(line), 80) << line;
  }
}

TEST_F(CliTest, HelpNamesEveryCommand) {
  const std::string help = type({"--help"}).out;
  for (const char* group : {"As a student:", "As an instructor:", "Tools:"})
    EXPECT_THAT(help, HasSubstr(group));
  for (const Command& command : all_commands()) {
    EXPECT_THAT(help, HasSubstr("  " + command.name + " "));
    EXPECT_THAT(help, HasSubstr(command.summary));
  }
}

TEST_F(CliTest, EveryCommandIsDeclaredInFull) {
  for (const Command& command : all_commands()) {
    SCOPED_TRACE(command.name);
    EXPECT_FALSE(command.summary.empty());
    EXPECT_TRUE(command.run);
    const std::string help = type({command.name, "--help"}).out;
    std::set<std::string> names = {"-h", "--help"};
    for (const Option& option : command.options) {
      SCOPED_TRACE(option.names);
      for (const std::string& name : option.all_names()) EXPECT_TRUE(names.insert(name).second) << name;
      EXPECT_FALSE(option.help.empty());
      EXPECT_NE(option.help.back(), '.');
      EXPECT_EQ(option.type.empty(), option.is_flag());
      EXPECT_THAT(help, HasSubstr("  " + option.names));
    }
    for (const Option& option : command.options)
      for (const std::string& other : option.excludes) EXPECT_TRUE(names.count(other)) << other;
  }
}

TEST_F(CliTest, HelpBeforeOrBehindACommand) {
  EXPECT_EQ(type({"--help", "list"}).out, type({"list", "--help"}).out);
  EXPECT_EQ(type({"list", "-h"}).out, type({"list", "--help"}).out);
  EXPECT_THAT(type({"--version"}).out, HasSubstr("grader "));
}

TEST_F(CliTest, TheWorkspaceOfThisRun) {
  const Answer behind = type({"list", "--workspace", "mine"});
  EXPECT_EQ(behind.code, 0);
  EXPECT_EQ(getenv("GRADER_WORKSPACE"), (fs::current_path() / "mine").string());
  const Answer before = type({"--workspace", "/other", "list"});
  EXPECT_EQ(before.code, 0);
  EXPECT_STREQ(getenv("GRADER_WORKSPACE"), "/other");
  const Answer of_an_instructor = type({"inventory", "--workspace", "/other"});
  EXPECT_EQ(of_an_instructor.code, 2);
  EXPECT_THAT(of_an_instructor.err, HasSubstr("grader inventory has no option --workspace."));
}

TEST_F(CliTest, RunsShareNothing) {
  EXPECT_EQ(type({"list", "--names"}).out, "lab1.1\n");
  EXPECT_THAT(type({"list"}).out, HasSubstr("Scale a vector"));
}

TEST_F(CliTest, MistypedCommandsAndLabs) {
  const Answer command = type({"lsit"});
  EXPECT_EQ(command.code, 2);
  EXPECT_THAT(command.err, HasSubstr("Did you mean \"list\"?"));
  const Answer lab = type({"lab1.2"});
  EXPECT_EQ(lab.code, 2);
  EXPECT_THAT(lab.err, HasSubstr("lab1.1"));
  EXPECT_EQ(type({"zzzzzzzz"}).code, 2);
}

TEST_F(CliTest, MistypedOptions) {
  const Answer answer = type({"list", "--jsno"});
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.err, HasSubstr("Did you mean --json?"));
  EXPECT_EQ(type({"hint"}).code, 2) << "the lab is missing";
  EXPECT_THAT(type({"lab1.1", "--solutoin"}).err, HasSubstr("Did you mean --solution?"));
  EXPECT_EQ(type({"table", "lab1.1", "--samples", "0"}).code, 2);
  EXPECT_EQ(type({"grade", "lab1.1", "--backend", "tpu"}).code, 2);
}

TEST_F(CliTest, RefusesToViewOtherFiles) {
  const Answer on_gpu = type({"view", "lab1.1", "--backend", "gpu"});
  EXPECT_EQ(on_gpu.code, 2);
  EXPECT_THAT(on_gpu.err, HasSubstr("Only emulation records the steps of a kernel"));
  EXPECT_THAT(type({"view", "lab1.1", "--args", "8"}).err, HasSubstr("in one of the lab's cases"));
  EXPECT_THAT(type({"view", "lab1.2"}).err, HasSubstr("lab1.1"));
  EXPECT_THAT(type({"view", "gone.frames", "--kernel"}).err,
              HasSubstr("Only a lab has kernels to step through"));
  const Answer dump = type({"view", "gone.frames"});
  EXPECT_EQ(dump.code, 2);
  EXPECT_THAT(dump.err, HasSubstr("Dump gone.frames can't be opened: No such file"));
  EXPECT_EQ(type({"view", "gone.frames", "--every", "0"}).code, 2);
}

TEST_F(CliTest, LevelsThatAreNotThere) {
  EXPECT_EQ(type({"lab1.1", "--level", "7"}).code, 2);
  EXPECT_EQ(type({"lab1.1.7"}).code, 2);
  const Answer two = type({"lab1.1.2", "--level", "1"});
  EXPECT_EQ(two.code, 2);
  EXPECT_THAT(two.err, HasSubstr("level 2"));
}

TEST_F(CliTest, ErrorsAreJsonOnRequest) {
  const Answer answer = type({"lab7", "--json"});
  EXPECT_EQ(answer.code, 2);
  const auto json = nlohmann::json::parse(answer.out);
  EXPECT_FALSE(json["error"].get<std::string>().empty());
  EXPECT_TRUE(json.contains("next"));
  const auto usage = nlohmann::json::parse(type({"list", "--json", "--nonsense"}).out);
  EXPECT_EQ(usage["kind"], "usage");
}

TEST_F(CliTest, ListShowsLabsAndMakesNoRecords) {
  const Answer answer = type({"list"});
  EXPECT_EQ(answer.code, 0);
  EXPECT_THAT(answer.out, HasSubstr("lab1.1  Scale a vector"));
  EXPECT_THAT(answer.out, Not(HasSubstr("\x1b"))) << "no colour where there is no terminal";
  EXPECT_FALSE(fs::exists(kit.kit.state() / "records.sqlite"));
  EXPECT_EQ(type({"list", "--names"}).out, "lab1.1\n");
  const auto json = nlohmann::json::parse(type({"list", "--json"}).out);
  EXPECT_EQ(json["labs"][0]["id"], "lab1.1");
  EXPECT_EQ(json["labs"][0]["levels"].size(), 2u);
}

TEST_F(CliTest, ResultsOfNothing) {
  EXPECT_THAT(type({"results"}).out, HasSubstr("Nothing is recorded yet"));
  EXPECT_EQ(nlohmann::json::parse(type({"results", "--json"}).out)["results"].size(), 0u);
  EXPECT_EQ(type({"results", "--id", "5"}).code, 2);
}

TEST_F(CliTest, ResultsAreRequestedInOneWay) {
  EXPECT_THAT(type({"results", "--student", "ada"}).out, HasSubstr("Nothing is recorded of ada."));
  EXPECT_EQ(type({"results", "--best", "--history"}).code, 2);
  EXPECT_THAT(type({"results", "--format", "csv"}).out,
              StartsWith("id,started_at,lab,level,course,student,"));
  EXPECT_EQ(type({"results", "--format", "xls"}).code, 2);
}

TEST_F(CliTest, RecordsAreProvedBackedUpAndMerged) {
  EXPECT_EQ(type({"records", "check"}).code, 2) << "there are none";
  kit.write("notes.sqlite", "my notes");
  const std::string notes = (kit.path / "notes.sqlite").string(), copy = (kit.path / "copy.sqlite").string();
  EXPECT_THAT(type({"records", "merge", notes}).err, HasSubstr("is not a records file"));
  EXPECT_EQ(kit.read("notes.sqlite"), "my notes");
  Grading grading;
  grading.lab = "lab1.1";
  Records(kit.kit.state() / "records.sqlite").add(grading);
  write_private_file(kit.kit.state() / class_secret_file, "drawn from");
  write_private_file(kit.kit.state() / nickname_secret_file, "names from");
  EXPECT_THAT(type({"records", "backup", copy}).err,
              AllOf(HasSubstr("copy.sqlite.class.secret"), HasSubstr("copy.sqlite.nicknames.secret")));
  EXPECT_EQ(read_file(copy + ".class.secret", 100), "drawn from");
  EXPECT_EQ(read_file(copy + ".nicknames.secret", 100), "names from");
  for (const char* const secret : {".class.secret", ".nicknames.secret"})
    EXPECT_EQ(fs::status(copy + secret).permissions(), fs::perms(0600));
  EXPECT_THAT(type({"records", "backup", copy}).err, HasSubstr("overwrites nothing"));
  EXPECT_EQ(type({"records", "backup"}).code, 2);
  EXPECT_EQ(type({"records", "merge"}).code, 2);
  EXPECT_EQ(type({"records", "vacuum"}).code, 2);
  // Where the message wraps depends on the length of the file's name.
  std::string merged = type({"records", "merge", copy}).out;
  std::replace(merged.begin(), merged.end(), '\n', ' ');
  EXPECT_THAT(merged, HasSubstr("0 gradings are new, 1 were here already"));
  EXPECT_THAT(type({"records", "check", copy}).out, HasSubstr("1 gradings"));
}

TEST_F(CliTest, ReleaseProves) {
  EXPECT_THAT(type({"release", "--check"}).out,
              HasSubstr("Proved: every level of 1 lab is the solution with blanks."));
  kit.write("labs/lab1.1-scale/level1/scale.cu", std::string("// more\n") + TestKit::level1);
  const Answer answer = type({"release", "--check"});
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(answer.out, HasSubstr("scale.cu"));
  EXPECT_THAT(answer.out, HasSubstr("1 place is not as it must be."));
  EXPECT_THAT(answer.out, HasSubstr("the solution, "));
}

TEST_F(CliTest, StartMakesTheStudentsFolderAndDiffShowsIt) {
  const Answer made = type({"start", "lab1.1.2"});
  EXPECT_EQ(made.code, 0) << made.err;
  EXPECT_THAT(made.out, HasSubstr("scale.cu  2 blanks"));
  EXPECT_THAT(type({"start", "lab1.1.2"}).out, HasSubstr("Already there:"));
  EXPECT_THAT(type({"diff", "lab1.1.2"}).out, HasSubstr("is the skeleton as it was handed out"));
  kit.write("work/lab1.1/level2/scale.h", "// mine\n");
  const Answer changed = type({"diff", "lab1.1.2"});
  EXPECT_THAT(changed.out, HasSubstr("+// mine"));
  EXPECT_THAT(changed.err, HasSubstr("also changed outside the blanks: scale.h"));
  kit.write("work/lab1.1/level2/scale.h", "// \x1b[2J \xc2\x9b\x31m \xe2\x80\xae mine\n");
  EXPECT_THAT(type({"diff", "lab1.1.2"}).out, HasSubstr("+// ?[2J ?1m ? mine"));
  EXPECT_EQ(type({"start", "lab1.1", "--solution", "--to", (kit.path / "s").string()}).code, 0);
  EXPECT_EQ(kit.read("s/scale.cu"), TestKit::solution);
}

TEST_F(CliTest, HintsCount) {
  const std::string first = type({"hint", "lab1.1"}).out, second = type({"hint", "lab1.1"}).out;
  EXPECT_THAT(first, HasSubstr("1/2  first"));
  EXPECT_THAT(first, Not(HasSubstr("second")));
  EXPECT_THAT(second, HasSubstr("2/2  second"));
}

TEST_F(CliTest, AKitThatIsNotThere) {
  setenv("CUDA_LAB_KIT", "/nowhere", 1);
  EXPECT_EQ(type({"list"}).code, 2);
  EXPECT_EQ(type({"--help"}).code, 0) << "help needs no kit";
}

/// Runs a shell on a script. @return its standard output; fails the test when the shell fails
std::string shell(const std::string& program, const std::string& script) {
  ProcessRequest request;
  request.argv = {program, "-c", script};
  const ProcessResult result = run_process(request);
  EXPECT_TRUE(result.ok()) << result.err;
  return result.out;
}

/// bash's completions of the last word of a line.
std::string offered(const fs::path& script, const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += " '" + word + "'";
  return shell("bash", "grader() { echo lab1.1; }; . '" + script.string() + "'; COMP_WORDS=(" + line +
                           "); COMP_CWORD=" + std::to_string(words.size() - 1) +
                           "; _grader; echo \"${COMPREPLY[@]}\"");
}

TEST_F(CliTest, BashCompletion) {
  if (find_program("bash").empty()) GTEST_SKIP() << "bash is not installed";
  kit.write("grader.bash", type({"completion", "bash"}).out);
  const fs::path script = kit.path / "grader.bash";
  EXPECT_EQ(offered(script, {"grader", "doc"}), "doctor\n");
  EXPECT_EQ(offered(script, {"grader", "la"}), "lab1.1\n");
  EXPECT_EQ(offered(script, {"grader", "hint", "l"}), "lab1.1\n");
  EXPECT_EQ(offered(script, {"grader", "lab1.1", "--sol"}), "--solution\n");
  EXPECT_EQ(offered(script, {"grader", "table", "lab1.1", "--format", ""}), "text md csv latex json svg\n");
  EXPECT_EQ(offered(script, {"grader", "grade", "lab1.1", "--backend", "g"}), "gpu\n");
  EXPECT_EQ(offered(script, {"grader", "completion", ""}), "bash zsh\n");
  EXPECT_EQ(offered(script, {"grader", "mistakes", ""}), "lab1.1\n");
}

TEST_F(CliTest, ZshCompletionIsAScriptThatZshReads) {
  const std::string script = type({"completion", "zsh"}).out;
  EXPECT_THAT(script, HasSubstr("#compdef grader"));
  EXPECT_THAT(script, HasSubstr("'(-l --level)'{-l,--level}'[level, 1 is the most guided]:N: '"));
  EXPECT_THAT(script, HasSubstr("(text md csv latex json svg)"));
  if (find_program("zsh").empty()) GTEST_SKIP() << "zsh is not installed";
  kit.write("_grader", script);
  shell("zsh", "zsh -n '" + (kit.path / "_grader").string() + "'");
}

}  // namespace
}  // namespace grader
