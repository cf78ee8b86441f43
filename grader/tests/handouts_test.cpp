// Runs every command of every handout as it is printed, for a student who has filled in all blanks. Each
// command must exist, exit as expected, and print the output that the handout shows. Each lab has one folder,
// in which its commands run in order. Then the test runs the commands of other pages and of hints that no
// handout has.
//
// Commands are the lines of ```console blocks that begin with "$ ", and `grader …` between backticks. The text after
// a command in its block is its expected output. If the last command of a block is ./PROGRAM, the next block without
// a language is its expected output, too. "…" matches any text. Without a GPU, emucc replaces nvcc, as the handouts
// say. Omitted commands have a reason in `left_out`, and commands that would take minutes in emulation run with
// smaller sizes (`smaller`).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <regex>
#include <set>

#include "base/columns.hpp"
#include "catalog/catalog.hpp"
#include "grader_runner.hpp"

namespace grader {
namespace {

struct Command {
  std::size_t line = 0;  ///< line number in the handout, from 1
  std::string text;
  std::vector<std::string> shown;  ///< the output that the handout shows
};

struct Reason {
  const char* pattern;
  const char* why;
};

/// Commands that are not run, with the reason.
const Reason left_out[] = {
    {"^grader watch ", "it goes on until it is interrupted"},
    {"^grader submit ", "it hands in to a server of a class, as serve_class_test.cpp does"},
    {"^grader (resources|gold|table|watch)$", "a name in a sentence, without a lab"},
    {" NAME\\b", "NAME stands for any table"},
    {"^grader hint lab\\S+$", "once is enough: the other handouts have it too"},
    {"^grader table .*(--search|--peer|--id (blocks|precision|expert|before))",
     "it compiles a program for each row; tables_test.cpp measures such tables"},
    {"^grader (gold lab3\\.2 --case full|resources)", "minutes"},
    {"-i data/scan\\.bin", "309 billion pairs"},
};

/// Commands that need a GPU.
const char* const needs_gpu = R"(--backend gpu|^nsys |^ncu |cuda-gdb|CUDA_INJECTION64_PATH|nvidia-smi)";

/// Replacements for emulation, in commands and in their output.
const std::pair<const char*, const char*> smaller[] = {
    {"./matrixmul 4096", "./matrixmul 704"},
    {"4096 x 4096", "704 x 704"},
    {"17 of 4096 rows", "… of 704 rows"},
    {"./reduction_largearray\n", "./reduction_largearray 100000\n"},
    {"Processing 16000000", "Processing 100000"},
    {"--scan 64^3x2048", "--scan 12^3x300"},
    {"Computing 490 of 262144", "Computing … of 1728"},
    {"Largest error: 1.5e-07", "Largest error: …"},
    {"run lab2.2 -- 1000000", "run lab2.2 -- 10000"},
};

/// Commands that are meant to fail.
const char* const fails = R"(^g\+\+ -x c\+\+ )";

bool has(const std::string& text, const std::string& pattern) {
  return std::regex_search(text, std::regex(pattern));
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// The commands of the console blocks, in their order.
std::vector<Command> commands_in(const std::vector<std::string>& page) {
  std::vector<Command> commands;
  enum { prose, console, output, other } at = prose;
  std::string fence;      // with its indentation
  bool may_show = false;  // whether a block without a language is the last command's output
  for (std::size_t i = 0; i < page.size(); ++i) {
    const std::size_t begin = page[i].find_first_not_of(' ');
    const bool is_fence = begin != std::string::npos && page[i].compare(begin, 3, "```") == 0;
    if (at == prose) {
      if (!is_fence) continue;
      fence = page[i].substr(0, begin);
      const std::string language = page[i].substr(begin + 3);
      at = language == "console" ? console : language.empty() && may_show ? output : other;
      if (language.empty()) may_show = false;
      continue;
    }
    if (is_fence) {
      at = prose;
      continue;
    }
    if (at == other) continue;
    std::string line = page[i].substr(std::min(fence.size(), page[i].size()));
    if (at == console && line.starts_with("$ ")) {
      Command command{i + 1, line.substr(2), {}};
      while (command.text.ends_with("\\") && i + 1 < page.size())
        command.text = command.text.substr(0, command.text.size() - 1) + page[++i];
      may_show = command.text.starts_with("./");
      commands.push_back(std::move(command));
    } else if (!commands.empty()) {
      commands.back().shown.push_back(std::move(line));
    }
  }
  return commands;
}

/// The commands between backticks, without duplicates.
std::vector<Command> spans_in(const std::vector<std::string>& page) {
  static const std::regex span("`(grader [^`]*)`");
  std::vector<Command> commands;
  bool fenced = false;
  for (std::size_t i = 0; i < page.size(); ++i) {
    if (page[i].find("```") != std::string::npos) fenced = !fenced;
    if (fenced) continue;
    const std::string two = page[i] + (i + 1 < page.size() ? " " + page[i + 1] : "");
    for (std::sregex_iterator at(two.begin(), two.end(), span), end; at != end; ++at) {
      if (static_cast<std::size_t>(at->position()) > page[i].size()) continue;  // it begins on the next line
      const std::string text = (*at)[1];
      const bool known = std::any_of(commands.begin(), commands.end(),
                                     [&](const Command& command) { return command.text == text; });
      if (!known) commands.push_back({i + 1, text, {}});
    }
  }
  return commands;
}

/// Whether a printed line is the handout's line, in which "…" matches any text.
bool fits(const std::string& shown, const std::string& printed) {
  std::size_t at = 0;
  const std::string any = "…";
  std::vector<std::string> pieces(1);
  for (std::size_t i = 0; i < shown.size();) {
    if (shown.compare(i, any.size(), any) == 0) {
      pieces.emplace_back();
      i += any.size();
    } else {
      pieces.back() += shown[i++];
    }
  }
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const std::size_t found = printed.find(pieces[i], at);
    if (found == std::string::npos || (i == 0 && found != 0)) return false;
    at = found + pieces[i].size();
  }
  return pieces.back().empty() || printed.ends_with(pieces.back());
}

/// The first line of the handout that the output lacks, or has before the previous line. Empty if there is
/// none.
std::string first_not_printed(const std::vector<std::string>& shown, const std::string& printed) {
  const std::vector<std::string> lines = lines_of(printed);
  auto from = lines.begin();
  for (const std::string& line : shown) {
    if (line.empty() || line == "…") continue;
    const auto found =
        std::find_if(from, lines.end(), [&](const std::string& one) { return fits(line, one); });
    if (found == lines.end()) return line;
    from = found + 1;
  }
  return "";
}

/// A shell in a student's folder of a lab in which all blanks are filled in.
class Shell {
 public:
  explicit Shell(const std::string& lab) : folder_(work_ / "work" / lab / "level1") {
    const fs::path programs = fs::path(GRADER_BINARY).parent_path();
    environment_ = {{"CUDA_LAB_KIT", KIT_SOURCE_DIR},
                    {"KIT", KIT_SOURCE_DIR},
                    {"GRADER_WORKSPACE", (work_ / "work").string()},
                    {"GRADER_HOME", (work_ / "state").string()},
                    {"GRADER_CACHE", testing::shared_cache().string()},
                    {"NO_COLOR", "1"},
                    {"PATH", programs.string() + ":" + std::getenv("PATH")}};
    fs::create_directories(work_ / "work");
    solve(lab);
  }

  /// Fills in the blanks of another lab, too.
  void solve(const std::string& lab) {
    const fs::path folder = work_ / "work" / lab / "level1";
    if (fs::exists(folder)) return;
    const std::string start = "grader start " + lab;
    const ProcessResult made =
        run_in("/", start + " && " + start + " --solution --to '" + folder.string() + "'");
    EXPECT_EQ(made.code, 0) << made.out << made.err;
  }

  ProcessResult run(const std::string& command) const { return run_in(folder_, command); }

 private:
  ProcessResult run_in(const fs::path& folder, const std::string& command) const {
    ProcessRequest request;
    request.argv = {"bash", "-c", command};
    request.cwd = folder;
    request.environment = environment_;
    request.limits.wall_s = 280;
    request.limits.output = 16 << 20;
    return run_process(request);
  }

  testing::TemporaryFolder work_;
  fs::path folder_;
  std::map<std::string, std::string> environment_;
};

/// Runs one command, or reports why it can't run.
void follow(const Shell& shell, const std::string& handout, Command command) {
  const bool gpu = testing::gpu_here();
  const auto note = [&](const std::string& why) {
    std::printf("left out: %s:%zu: %s (%s)\n", handout.c_str(), command.line, command.text.c_str(),
                why.c_str());
  };
  for (const Reason& reason : left_out)
    if (has(command.text, reason.pattern)) return note(reason.why);
  if (!gpu && has(command.text, needs_gpu)) return note("it needs a GPU");
  if (!gpu) {
    if (has(command.text, "^nvcc .*-cubin")) {
      if (find_program("nvcc").empty()) return note("it needs nvcc");
    } else if (command.text.starts_with("nvcc ")) {
      command.text = "emucc " + command.text.substr(5);
    }
    for (const auto& [from, to] : smaller) {
      command.text = replace_all(command.text + "\n", from, to);
      command.text.pop_back();
      for (std::string& line : command.shown) line = replace_all(line, from, to);
    }
  }
  const ProcessResult result = shell.run(command.text);
  const std::string place = handout + ":" + std::to_string(command.line) + ": " + command.text + "\n";
  const std::string printed = result.out + result.err;
  ASSERT_EQ(result.end, ProcessResult::End::exited) << place << printed << result.error;
  if (has(command.text, fails)) {
    EXPECT_NE(result.code, 0) << place << "should not compile";
  } else if (has(command.text,
                 "^grader lab.* --level |^grader lab[0-9]\\.[0-9]\\.[0-9]|^grader hunt --(answer|check)")) {
    EXPECT_LE(result.code, 1) << place << printed;  // blanks may be blank, and the drawn mistake is there
  } else {
    EXPECT_EQ(result.code, 0) << place << printed;
  }
  EXPECT_EQ(first_not_printed(command.shown, result.out), "") << place << "printed:\n" << printed;
}

/// The folders of all labs. They are searched for, so that a new lab's handout is tested from its first
/// commit.
std::vector<std::string> every_lab() {
  std::vector<std::string> names;
  const Kit kit{KIT_SOURCE_DIR};
  for (const Lab& lab : Catalog::load(kit).labs()) names.push_back(lab.folder_name());
  return names;
}

struct HandoutsTest : ::testing::TestWithParam<std::string> {};

TEST_P(HandoutsTest, CommandsWorkAsPrinted) {
  const std::string &name = GetParam(), handout = "labs/" + name + "/README.md";
  const std::vector<std::string> page = lines_of(testing::read_file(fs::path(KIT_SOURCE_DIR) / handout));
  const Shell shell(name.substr(0, name.find('-')));
  std::vector<Command> commands = commands_in(page);
  EXPECT_GE(commands.size(), 2u);
  for (Command& span : spans_in(page)) commands.push_back(std::move(span));
  std::stable_partition(commands.begin(), commands.end(), [](const Command& command) {
    return !command.text.starts_with("grader reset ");  // it comes last, since it removes the answers
  });
  for (const Command& command : commands) follow(shell, handout, command);
  std::printf("%s: %zu commands\n", handout.c_str(), commands.size());
}

INSTANTIATE_TEST_SUITE_P(Labs, HandoutsTest, ::testing::ValuesIn(every_lab()), [](const auto& each) {
  std::string name = each.param;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(c) == 0; }, '_');
  return name;
});

// -- Other pages, and hints --------------------------------------------------------------------------------------------

/// Pages for students, whose commands are run. The commands of other pages need a class or a cluster. For
/// these and for commands with placeholders, the test only looks up the verb and the options.
const char* const for_students =
    R"(^README\.md|^docs/(student|checker|counters|emulation|manual|techniques|record)\.md|hint)";
const char* const stands_for_others =
    R"( [A-Z]{2,}[0-9]?\b| -( |$)|~/| FILE|^grader (check|profile|resources|run|view)$)";

/// Commands of pages that are not run, since they need files that this test does not make.
const Reason left_out_of_pages[] = {
    {"^grader (watch|serve|prepare)", "it goes on, or takes minutes"},
    {"balls\\.frames|--beside before", "its file or folder is the student's own"},
    {" --last ", "it needs a table that was measured"},
};

struct PageCommand {
  std::string page;
  Command command;
};

/// The code lines without a language in a page: indented lines, and lines between fences.
std::vector<Command> code_lines_in(const std::vector<std::string>& page) {
  std::vector<Command> commands;
  for (std::size_t i = 0; i < page.size(); ++i) {
    std::string text(trimmed(page[i]));
    if (text.starts_with("$ ")) text = text.substr(2);
    if (!text.starts_with("grader ") || (!page[i].starts_with("    ") && !page[i].starts_with("$ ")))
      continue;
    commands.push_back({i + 1, std::string(trimmed(text.substr(0, text.find(" # ")))), {}});
  }
  return commands;
}

/// The pages of the repository, except for those in folders that a build or a clone makes.
std::vector<std::string> every_page(const fs::path& root) {
  std::vector<std::string> pages;
  const auto add = [&](const fs::path& file) {
    if (file.extension() == ".md") pages.push_back(file.lexically_relative(root).string());
  };
  for (const auto& file : fs::directory_iterator(root)) add(file.path());
  for (const char* const folder : {"common", "docs", "grader", "hunts", "solutions"})
    for (const auto& file : fs::recursive_directory_iterator(root / folder)) add(file.path());
  std::sort(pages.begin(), pages.end());
  return pages;
}

/// Every command of the pages and hints that no handout has, without duplicates.
std::vector<PageCommand> other_commands() {
  std::set<std::string> known;
  const fs::path root = KIT_SOURCE_DIR;
  const auto in = [&](const fs::path& file) { return lines_of(testing::read_file(root / file)); };
  for (const std::string& name : every_lab()) {
    const std::vector<std::string> page = in("labs/" + name + "/README.md");
    for (const auto& list : {commands_in(page), spans_in(page)})
      for (const Command& command : list) known.insert(command.text);
  }
  std::vector<PageCommand> all;
  const auto add = [&](const std::string& page, const std::vector<Command>& list) {
    for (const Command& command : list)
      if (command.text.starts_with("grader ") && known.insert(command.text).second)
        all.push_back({page, command});
  };
  for (const std::string& page : every_page(root)) {
    add(page, code_lines_in(in(page)));
    add(page, spans_in(in(page)));
  }
  const Catalog catalog = Catalog::load(Kit{root});
  for (const Lab& lab : catalog.labs())
    for (const Part& part : lab.parts)
      for (const std::string& hint : part.hints) add("hint of " + lab.id, spans_in({hint}));
  return all;
}

/// Expects that a command exists, and has the options that the page gives it.
void expect_known(const Shell& shell, const std::string& place, const std::string& text) {
  static std::map<std::string, std::string> helps;
  std::string verb = text.substr(7, text.find(' ', 7) - 7);
  if (verb.starts_with("lab") || verb == "LAB") verb = "grade";
  std::string& help = helps[verb];
  if (help.empty()) {
    const ProcessResult result = shell.run("grader " + verb + " --help");
    EXPECT_EQ(result.code, 0) << place << result.out << result.err;
    help = result.out;
  }
  static const std::regex option(" (--?[a-z][a-z-]*)");
  const std::string own = text.substr(0, text.find(" -- "));  // the program's options come after it
  for (std::sregex_iterator at(own.begin(), own.end(), option), end; at != end; ++at)
    EXPECT_TRUE(has(help, "(^|[ ,])" + (*at)[1].str() + "([ ,=]|$)")) << place << text << "\n" << help;
}

TEST(Pages, CommandsWorkAsPrinted) {
  Shell shell("lab1.1");
  std::map<std::string, std::pair<int, int>> seen;  // by page: how many commands are run, and looked up
  for (const auto& [page, command] : other_commands()) {
    const std::string place = page + ":" + std::to_string(command.line) + ": ";
    const bool is_left_out =
        std::any_of(std::begin(left_out_of_pages), std::end(left_out_of_pages),
                    [&](const Reason& reason) { return has(command.text, reason.pattern); });
    if (!has(page, for_students) || has(command.text, stands_for_others) || is_left_out) {
      ++seen[page].second;
      expect_known(shell, place, command.text);
      continue;
    }
    ++seen[page].first;
    static const std::regex lab("lab[0-9](\\.[0-9])?");
    for (std::sregex_iterator at(command.text.begin(), command.text.end(), lab), end; at != end; ++at)
      shell.solve(at->str());
    follow(shell, page, command);
  }
  for (const auto& [page, counts] : seen)
    std::printf("%s: %d commands run, %d looked up\n", page.c_str(), counts.first, counts.second);
}

/// Does what docs/student.md describes: stops in one thread of a kernel, and reads variables of this thread.
TEST(Makefile, ADebuggerStopsInAThreadOfAKernel) {
  if (find_program("gdb").empty() || find_program("make").empty()) GTEST_SKIP() << "needs gdb and make";
  const Shell shell("lab1.1");
  const ProcessResult made = shell.run("grader makefile lab1.1 && make emu-debug");
  ASSERT_EQ(made.code, 0) << made.out << made.err;
  const ProcessResult seen = shell.run(
      "line=$(grep -n 'sum += M' matrixmul_kernel.cu | cut -d: -f1) && CUEMU_FILL=nan gdb -batch -ex 'handle "
      "SIG40 nostop "
      "noprint' "
      "-ex \"break matrixmul_kernel.cu:$line if threadIdx.x == 2 && threadIdx.y == 1\" -ex run -ex 'print "
      "row' -ex "
      "'print col' -ex 'print P[row * n + col]' -ex kill --args ./matrixmul-emu-debug 8");
  if (seen.err.find("ptrace") != std::string::npos) GTEST_SKIP() << "no process may be traced here";
  EXPECT_NE(seen.out.find("$1 = 1\n$2 = 2\n$3 = nan(0x7fdead)"), std::string::npos) << seen.out << seen.err;
}

TEST(Handouts, AreAllFollowed) {
  std::size_t labs = 0;
  for (const auto& lab : fs::directory_iterator(fs::path(KIT_SOURCE_DIR) / "labs"))
    labs += lab.is_directory();
  EXPECT_EQ(labs, every_lab().size()) << "a lab's folder that the catalog does not know";
}

}  // namespace
}  // namespace grader
