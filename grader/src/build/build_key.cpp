#include "build/build_key.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <mutex>

#include "base/files.hpp"
#include "build/compiler.hpp"

namespace grader {
namespace {

constexpr std::size_t most_headers = 2000;

/// Adds the compiler that emucc and nvcc call for host code: g++, or the compiler that a variable names.
void add_host_compiler(Key& key, const Toolchain& toolchain) {
  key.add_compiler(toolchain.host_compiler, toolchain.host_version);
  key.add_compiler(find_program("g++"), "");
  for (const char* name : compiler_variables) {
    const char* value = std::getenv(name);
    key.add(value ? value : "");
  }
}

void add_emulation(Key& key, const Toolchain& toolchain) {
  key.add_compiler(toolchain.emucc, toolchain.emucc_version);
  for (const fs::path& folder : emucc_folders(toolchain.emucc)) {
    for (const fs::path& file : files_below(folder)) {
      const bool library =
          folder.filename() == "lib" && file.filename().string().find("cuemu") == std::string::npos;
      if (!library) key.add_state(file);
    }
  }
}

}  // namespace

void Key::add(const std::string& piece) {
  hash_.update(fmt::format("{}:", piece.size())).update(piece);
}

void Key::add_state(const fs::path& file) {
  struct stat status {};
  if (stat(file.c_str(), &status) != 0) return add(file.string() + "|missing");
  add(fmt::format("{}|{}|{}.{}", file.string(), status.st_size, status.st_mtim.tv_sec,
                  status.st_mtim.tv_nsec));
}

void Key::add_compiler(const fs::path& compiler, const std::string& version) {
  std::error_code failed;
  const fs::path real = fs::canonical(compiler, failed);
  add_state(failed ? compiler : real);
  add(version);
}

void Key::add_contents(const fs::path& folder) {
  // The key of every program includes the kit's headers, so they are read again only if they changed.
  static std::mutex mutex;
  static std::map<std::string, std::string> known;
  const std::vector<fs::path> files = files_below(folder);
  Key state("state");
  for (const fs::path& file : files) state.add_state(file);
  const std::string digest_of_state = state.digest();
  const std::lock_guard<std::mutex> lock(mutex);
  std::string& digest = known[digest_of_state];
  if (digest.empty()) {
    Key contents("contents");
    for (const fs::path& file : files) {
      contents.add(fs::relative(file, folder).string());
      contents.add(read_file(file, 16 << 20));
    }
    digest = contents.digest();
  }
  add(digest);
}

std::vector<fs::path> files_below(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code failed;
  fs::recursive_directory_iterator at(folder, failed), end;
  for (; !failed && at != end && files.size() < most_headers; at.increment(failed)) {
    std::error_code gone;
    if (at->is_regular_file(gone)) files.push_back(at->path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string environment_digest(const Toolchain& toolchain, Backend backend) {
  Key key("environment 1");
  key.add_contents(toolchain.include_folder);
  if (backend == Backend::emu)
    add_emulation(key, toolchain);
  else
    key.add_compiler(toolchain.nvcc, toolchain.nvcc_version);
  add_host_compiler(key, toolchain);
  return key.digest();
}

}  // namespace grader
