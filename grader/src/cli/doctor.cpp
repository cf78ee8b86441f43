// Only reads, except for a probe file that it writes to the state folder.
#include "cli/doctor.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "base/files.hpp"
#include "process/sandbox.hpp"
#include "records/records.hpp"

namespace grader {
namespace {

using State = DoctorItem::State;

constexpr std::uintmax_t GiB = std::uintmax_t{1} << 30;

/// A tool that was found or, if it is missing, what this means and how to get it.
DoctorItem tool(const std::string& name, const std::string& found, State lack, const std::string& meaning,
                const std::string& mend) {
  if (found.empty()) return {lack, name, "", meaning, mend};
  return {State::good, name, found, "", ""};
}

std::string with_path(const std::string& version, const fs::path& path) {
  if (path.empty()) return {};
  return version.empty() ? path.string() : fmt::format("{} ({})", version, path.string());
}

DoctorItem gpu_item(const Toolchain& toolchain) {
  std::string found;
  for (const Gpu& gpu : toolchain.gpus)
    found += fmt::format("{}{}, compute capability {}.{}, driver {}", found.empty() ? "" : "; ", gpu.name,
                         gpu.compute_major, gpu.compute_minor, gpu.driver);
  if (!found.empty()) return {State::good, "GPU", found, "", ""};
  if (!toolchain.gpu_problem.empty())
    return {State::warning, "GPU", toolchain.gpu_problem, "the GPU can't be used; labs run in emulation",
            "see that nvidia-smi lists the GPU: install the driver (sudo apt install nvidia-driver), restart "
            "the machine"};
  return {State::warning, "GPU", "", "labs run in emulation, which shows right and wrong but no speed",
          "nothing needs fixing; with an NVIDIA GPU: sudo apt install nvidia-driver"};
}

/// The user under which programs run, and the system calls that they can't make.
DoctorItem rights_item() {
  const SandboxStatus& status = sandbox_status();
  const bool root = geteuid() == 0;
  std::string found = !root                     ? "as you"
                      : status.as_ordinary_user ? fmt::format("as user {}, never as root", ordinary_user)
                                                : "as root";
  found += status.filters ? ", with a filter for system calls" : ", without a filter for system calls";
  if (status.filters && (!root || status.as_ordinary_user)) return {State::good, "rights", found, "", ""};
  return {State::warning, "rights", found,
          status.filters ? "programs run as root where they can't be run as another user"
                         : "programs can make every system call: the kernel has no filter for them",
          status.filters ? "run the grader as an ordinary user" : "use a kernel with seccomp"};
}

DoctorItem sandbox_item() {
  const SandboxStatus& status = sandbox_status();
  const std::string found = status.version.empty() ? "" : status.version;
  if (status.works && status.reason.empty()) return {State::good, "sandbox", found, "", ""};
  return {status.works ? State::warning : State::missing, "sandbox", found, status.reason, status.mend};
}

/// Control groups are optional. The grader also watches memory and processes itself, but control groups react
/// sooner.
DoctorItem cgroup_item() {
  std::error_code ignored;
  const bool unified = fs::exists("/sys/fs/cgroup/cgroup.controllers", ignored);
  return {State::good, "cgroups",
          unified ? "version 2" : "version 1 or none: limits are watched by the grader itself", "", ""};
}

DoctorItem folder_item(const std::string& name, const fs::path& folder, const std::string& setting) {
  const std::string mend =
      fmt::format("free some disk space, or point {} to a folder that you may write", setting);
  try {
    const fs::path probe = folder / fmt::format(".doctor-{}", getpid());
    write_file(probe, "x");
    fs::remove(probe);
    const fs::space_info space = fs::space(folder);
    const std::string found =
        fmt::format("{}, {:.1f} GiB free", shown(folder), static_cast<double>(space.available) / GiB);
    if (space.available < GiB)
      return {State::warning, name, found, "builds and large cases may not fit", mend};
    return {State::good, name, found, "", ""};
  } catch (const std::exception& error) {
    return {State::missing, name, shown(folder),
            fmt::format("nothing can be built or recorded: {}", error.what()), mend};
  }
}

DoctorItem records_item(const Kit& kit) {
  const fs::path file = kit.state() / "records.sqlite";
  std::error_code ignored;
  if (!fs::exists(file, ignored)) return {State::good, "records", "none yet", "", ""};
  try {
    const std::size_t some = Records(file).list({.limit = 1}).size();
    return {State::good, "records", fmt::format("{}{}", shown(file), some ? "" : ", empty"), "", ""};
  } catch (const Error& error) {
    return {State::missing, "records", shown(file), error.what(), error.next_step()};
  }
}

}  // namespace

std::vector<DoctorItem> doctor(const Kit& kit, const Toolchain& toolchain) {
  std::vector<DoctorItem> items;
  items.push_back(tool("C++ compiler", with_path(toolchain.host_version, toolchain.host_compiler),
                       State::missing, "nothing can be compiled: emucc, nvcc and the oracles all need it",
                       "sudo apt install g++"));
  items.push_back(tool("emucc", with_path(toolchain.emucc_version, toolchain.emucc), State::missing,
                       "labs can't run in emulation", "./bootstrap"));
  items.push_back(tool("nvcc", with_path(toolchain.nvcc_version, toolchain.nvcc), State::warning,
                       "labs can't be compiled for a GPU; emulation needs no CUDA toolkit",
                       "only with a GPU: sudo apt install nvidia-cuda-toolkit, or install CUDA from NVIDIA "
                       "and add its bin to PATH"));
  items.push_back(gpu_item(toolchain));
  items.push_back(tool("profile library", toolchain.profile_library.string(), State::warning,
                       "on a GPU, times come from the program's own timers, and allocations are not checked",
                       "build the kit where the CUDA toolkit with CUPTI is installed: ./bootstrap"));
  items.push_back(sandbox_item());
  items.push_back(rights_item());
  items.push_back(cgroup_item());
  items.push_back(tool("gnuplot", find_program("gnuplot").string(), State::warning,
                       "tables can't be drawn as SVG", "sudo apt install gnuplot-nox"));
  items.push_back(tool("lab headers", toolchain.include_folder.string(), State::missing, "no lab compiles",
                       "git checkout common/lab"));
  items.push_back(folder_item("state folder", kit.state(), "GRADER_HOME"));
  if (kit.cache() != kit.state() / "cache")
    items.push_back(folder_item("cache", kit.cache(), Kit::cache_setting()));
  items.push_back(records_item(kit));
  return items;
}

}  // namespace grader
