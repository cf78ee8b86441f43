// End-to-end tests. emucc builds each program of programs/ (a file NAME.cu, or a folder of several files), of
// the core and of the extras. The program must then print the text of its .expected file. nvcc builds the
// same programs for a GPU. A first line `// emucc: flags` gives flags.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "test_folders.hpp"

namespace {

namespace fs = std::filesystem;

const fs::path emucc = fs::path(KIT_BINARY_DIR) / "bin" / "emucc";

std::string read(const fs::path& path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

struct Finished {
  int status = -1;
  std::string output;
};

/// Runs a command line in the shell. Returns its output together with its messages.
Finished shell(const std::string& command) {
  Finished run;
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return run;
  std::array<char, 4096> buffer;
  while (const std::size_t n = fread(buffer.data(), 1, buffer.size(), pipe))
    run.output.append(buffer.data(), n);
  const int status = pclose(pipe);
  run.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return run;
}

std::string quoted(const fs::path& path) {
  return "'" + path.string() + "'";
}

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (fs::temp_directory_path() / "emucc-programs-XXXXXX").string();
    if (mkdtemp(pattern.data()) != nullptr) path = pattern;
  }
  ~TemporaryFolder() { fs::remove_all(path); }
  fs::path path;
};

/// A program's source: a file, or a folder of several files.
fs::path source_of(const std::string& program) {
  const fs::path folder = item_named(KIT_EMU_PROGRAMS, program);
  return folder.empty() ? item_named(KIT_EMU_PROGRAMS, program + ".cu") : folder;
}

std::vector<std::string> all_programs() {
  std::vector<std::string> names;
  for (const fs::path& item : items_in(KIT_EMU_PROGRAMS)) {
    if (fs::is_directory(item))
      names.push_back(item.filename());
    else if (item.extension() == ".cu")
      names.push_back(item.stem());
  }
  return names;
}

/// The command with which emucc builds a program of one or several files, with additional `flags`.
std::string build_command(const std::string& program, const fs::path& folder, const std::string& flags) {
  const std::string warnings = " -Xcompiler -Wall,-Wextra,-Werror " + flags;
  const fs::path file = source_of(program);
  if (fs::is_directory(file)) {
    // As in a Makefile, every file is compiled to an object, and then the objects are linked.
    std::string sources, objects;
    for (const auto& item : fs::directory_iterator(file)) {
      const auto ending = item.path().extension();
      if (ending != ".cu" && ending != ".cpp") continue;
      sources += " " + quoted(item.path());
      objects += " " + item.path().stem().string() + ".o";
    }
    return "cd " + quoted(folder) + " && " + quoted(emucc) + " -dc" + warnings + sources + " && " +
           quoted(emucc) + objects + " -o program";
  }
  const std::string source = read(file);
  const std::string mark = "// emucc:";
  const std::string own =
      source.rfind(mark, 0) == 0 ? source.substr(mark.size(), source.find('\n') - mark.size()) : "";
  return quoted(emucc) + own + warnings + " " + quoted(file) + " -o " + quoted(folder / "program");
}

void prints_what_is_expected(const std::string& program, const std::string& flags) {
  const TemporaryFolder folder;
  // If a split kernel does not compile, the test must fail, although users would not notice this.
  const std::string build = "export CUEMU_FISSION=strict; " + build_command(program, folder.path, flags);
  const Finished built = shell(build);
  ASSERT_EQ(built.status, 0) << build << "\n" << built.output;
  // Packages outside the kit do the computations of cuBLAS and cuFFT, and may be missing.
  if (built.output.find("that is not installed here") != std::string::npos) GTEST_SKIP() << built.output;
  EXPECT_EQ(built.output, "");
  // Compares only the program's output, not the emulation's message about a stopped kernel.
  const Finished ran = shell("{ timeout 60 " + quoted(folder.path / "program") + " 2> " +
                             quoted(folder.path / "messages") + "; }");
  EXPECT_EQ(ran.status, 0) << read(folder.path / "messages");
  fs::path expected = source_of(program);
  if (fs::is_directory(expected))
    expected /= "expected";
  else
    expected.replace_extension(".expected");
  EXPECT_EQ(ran.output, read(expected));
}

class Program : public testing::TestWithParam<std::string> {};

TEST_P(Program, PrintsWhatIsExpected) {
  prints_what_is_expected(GetParam(), "");
}

INSTANTIATE_TEST_SUITE_P(Programs, Program, testing::ValuesIn(all_programs()),
                         [](const auto& each) { return each.param; });

/// Returns the programs whose threads meet at barriers or in warp functions. emucc may split these.
std::vector<std::string> meeting_programs() {
  std::vector<std::string> names;
  for (const std::string& name : all_programs()) {
    const std::string source = read(source_of(name));
    for (const char* word : {"__syncthreads()", "__syncwarp()", "_sync(", ".sync()"}) {
      if (source.find(word) == std::string::npos) continue;
      names.push_back(name);
      break;
    }
  }
  return names;
}

class ThreadByThread : public testing::TestWithParam<std::string> {};

TEST_P(ThreadByThread, PrintsTheSame) {
  prints_what_is_expected(GetParam(), "--no-fission");
}

INSTANTIATE_TEST_SUITE_P(Programs, ThreadByThread, testing::ValuesIn(meeting_programs()),
                         [](const auto& each) { return each.param; });

}  // namespace
