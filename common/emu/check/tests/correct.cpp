#include "correct.hpp"

#include <algorithm>

#include "test_folders.hpp"

namespace cuemu::check::tests {

namespace fs = std::filesystem;

namespace {

const fs::path emucc = fs::path(KIT_BINARY_DIR) / "bin" / "emucc";
/// The groups of rules except leaks, since programs leave their memory to the end of the process.
const char* const groups = "races,memory,barriers,api";
constexpr int patience = 300;  ///< processor seconds

std::string quoted(const std::string& text) {
  return "'" + text + "'";
}

fs::path suppressions_of(const CorrectProgram& program) {
  if (fs::is_directory(program.path)) return program.path / "suppressed";
  return fs::path(program.path).replace_extension("suppressed");
}

std::string check_groups(const CorrectProgram& program) {
  const fs::path suppressions = suppressions_of(program);
  return groups + (fs::exists(suppressions) ? ",suppress=" + suppressions.string() : std::string());
}

std::string judged(const Outcome& outcome) {
  if (!outcome.reported) return "no report was written\n" + outcome.messages;
  return outcome.findings.empty() ? "" : outcome.messages;
}

/// Returns the false alarm for a project that is built by its Makefile, with emucc as nvcc.
std::string project_alarm(const CorrectProgram& program, const Compiler& compiler) {
  const TemporaryFolder folder;
  const fs::path copy = folder.path / program.name;
  fs::copy(program.path, copy, fs::copy_options::recursive);
  const std::string flags = "--check" + compiler.flags();
  // CMake accepts only the compiler's name, without flags.
  const bool by_cmake = fs::exists(copy / "CMakeLists.txt");
  const std::string nvcc = quoted(emucc.string() + (by_cmake ? "" : " " + flags));
  std::string make = compiler.environment() + (by_cmake ? "CUDAFLAGS=" + quoted(flags) + " " : "") +
                     "MAKEFLAGS= make -s -C " + quoted(copy.string()) +
                     " CUDA_PATH=" + quoted((fs::path(KIT_BINARY_DIR) / "cuda").string()) + " NVCC=" + nvcc;
  // Some Makefiles call nvcc through CC. In all others, CC is a plain C compiler.
  const fs::path makefile = copy / (fs::exists(copy / "Makefile") ? "Makefile" : "makefile");
  std::string rules = read_text(makefile);
  rules.erase(std::remove(rules.begin(), rules.end(), ' '), rules.end());
  for (const char* const by_cc : {"\nCC=nvcc", "\nCC:=nvcc", "\nCC?=nvcc"})
    if (("\n" + rules).find(by_cc) != std::string::npos) make += " CC=" + nvcc;
  return judged(run_checked_command(make + " run", check_groups(program), patience));
}

std::string program_alarm(const CorrectProgram& program, const Compiler& compiler) {
  const TemporaryFolder folder;
  const fs::path binary = folder.path / "program";
  std::string flags = flags_in(program.path), files = quoted(program.path.string());
  if (fs::is_directory(program.path)) {
    flags = " -rdc=true";
    files.clear();
    for (const auto& item : fs::directory_iterator(program.path))
      if (item.path().extension() == ".cu" || item.path().extension() == ".cpp")
        files += " " + quoted(item.path().string());
  }
  const std::string failure = build_checked(emucc, files, flags, binary, compiler);
  if (!failure.empty()) return failure;
  return judged(run_checked(binary, "", check_groups(program), patience));
}

}  // namespace

std::vector<CorrectProgram> correct_programs() {
  std::vector<CorrectProgram> found;
  for (const fs::path& item : items_in(KIT_EMU_PROGRAMS))
    if (fs::is_directory(item) || item.extension() == ".cu") found.push_back({item.stem(), item, false});
  for (const fs::path& item : items_in(KIT_EMU_PROJECTS))
    if (fs::is_directory(item)) found.push_back({item.filename(), item, true});
  std::sort(found.begin(), found.end(), [](const CorrectProgram& a, const CorrectProgram& b) {
    return a.is_project != b.is_project ? b.is_project : a.name < b.name;
  });
  return found;
}

std::string false_alarm(const CorrectProgram& program, const Compiler& compiler) {
  return program.is_project ? project_alarm(program, compiler) : program_alarm(program, compiler);
}

}  // namespace cuemu::check::tests
