// Finds the compilers and the GPU. This is quick, since a program's version is cached by its path, size and
// date.
#include "build/toolchain.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <charconv>
#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "model/json.hpp"

namespace grader {
namespace {

using nlohmann::json;

std::string trimmed(std::string text) {
  const char* blanks = " \t\r\n";
  text.erase(0, std::min(text.find_first_not_of(blanks), text.size()));
  text.erase(text.find_last_not_of(blanks) + 1);
  return text;
}

bool is_program(const fs::path& file) {
  std::error_code ignored;
  return fs::is_regular_file(file, ignored) && access(file.c_str(), X_OK) == 0;
}

fs::path first_program(const std::vector<fs::path>& candidates) {
  for (const fs::path& candidate : candidates)
    if (!candidate.empty() && is_program(candidate)) return candidate;
  return {};
}

fs::path first_file(const std::vector<fs::path>& candidates) {
  std::error_code ignored;
  for (const fs::path& candidate : candidates)
    if (fs::exists(candidate, ignored)) return fs::canonical(candidate, ignored);
  return {};
}

fs::path below_variable(const char* variable, const char* file) {
  const char* value = std::getenv(variable);
  return value && *value ? fs::path(value) / file : fs::path();
}

fs::path named_by(const char* variable) {
  const char* value = std::getenv(variable);
  if (!value || !*value) return {};
  return fs::path(value).is_absolute() ? fs::path(value) : find_program(value);
}

/// A file's path, size and date of change, which identify its state without reading it.
std::string fingerprint(const fs::path& file) {
  struct stat status {};
  if (stat(file.c_str(), &status) != 0) return file.string() + "|missing";
  return fmt::format("{}|{}|{}.{}", file.string(), status.st_size, status.st_mtim.tv_sec,
                     status.st_mtim.tv_nsec);
}

/// The versions of programs by fingerprint, in a file of the state folder. If the file is lost, only time is
/// lost: a damaged file counts as empty, and a failed write is ignored.
class AnswerCache {
 public:
  explicit AnswerCache(fs::path file) : file_(std::move(file)) {
    std::error_code ignored;
    if (!fs::exists(file_, ignored)) return;
    try {
      answers_ = json_or_null(read_file(file_, 1 << 20));
    } catch (const Error&) {
    }
    if (!answers_.is_object()) answers_ = json::object();
  }

  template <typename Ask>
  std::string get(const std::string& key, Ask ask) {
    const auto known = answers_.find(key);
    if (known != answers_.end() && known->is_string()) return known->get<std::string>();
    const std::string answer = ask();
    if (!answer.empty()) {
      if (answers_.size() > 100) answers_.clear();
      answers_[key] = answer;
      changed_ = true;
    }
    return answer;
  }

  void save() const {
    if (!changed_) return;
    try {
      write_file(file_, json_text(answers_, 1));
    } catch (const Error&) {
    }
  }

 private:
  fs::path file_;
  json answers_ = json::object();
  bool changed_ = false;
};

ProcessResult ask(std::vector<std::string> argv) {
  ProcessRequest request;
  request.argv = std::move(argv);
  request.limits.wall_s = 20;
  return run_own_process(request);
}

std::string version_of(AnswerCache& cache, const fs::path& program) {
  if (program.empty()) return {};
  std::error_code ignored;
  return cache.get(fingerprint(fs::canonical(program, ignored)) + "|" + program.string(), [&] {
    const std::string said = ask({program, "--version"}).out;
    // nvcc's version is in its fourth line: "Cuda compilation tools, release 13.0, V13.0.48".
    const std::size_t release = said.find("release ");
    if (release != std::string::npos && said.find("nvcc") != std::string::npos)
      return trimmed(said.substr(release + 8, said.find('\n', release) - release - 8));
    return trimmed(said.substr(0, said.find('\n')));
  });
}

/// A fingerprint that changes at each boot and with each driver, since the output of nvidia-smi may then
/// change, too.
std::string driver_fingerprint() {
  std::string text;
  for (const char* file : {"/proc/sys/kernel/random/boot_id", "/proc/driver/nvidia/version"}) {
    // Files of /proc have size 0, so read_file() would read nothing.
    if (FILE* stream = std::fopen(file, "re")) {
      char buffer[512];
      text.append(buffer, std::fread(buffer, 1, sizeof buffer, stream));
      std::fclose(stream);
    }
  }
  std::error_code failed;
  int devices = 0;
  for (fs::directory_iterator entry("/dev", failed), end; !failed && entry != end; entry.increment(failed))
    devices += entry->path().filename().string().rfind("nvidia", 0) == 0;
  return text + fmt::format("|{} devices", devices);
}

void find_gpus(AnswerCache& cache, Toolchain& found) {
  const fs::path smi = first_program({find_program("nvidia-smi"), "/usr/local/nvidia/bin/nvidia-smi",
                                      "/usr/lib/wsl/lib/nvidia-smi", "/usr/bin/nvidia-smi"});
  if (smi.empty()) return;
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
  if (visible && (!*visible || std::string(visible) == "-1")) {
    found.gpu_problem = "CUDA_VISIBLE_DEVICES hides every GPU";
    return;
  }
  std::string problem;
  const std::string csv =
      cache.get(fingerprint(smi) + "|" + driver_fingerprint() + "|uuid", [&]() -> std::string {
        const ProcessResult said =
            ask({smi, "--query-gpu=name,driver_version,compute_cap,uuid", "--format=csv,noheader"});
        if (said.ok() && !parse_gpus(said.out).empty()) return said.out;
        const std::string words = trimmed(said.out.empty() ? said.err : said.out);
        problem = "nvidia-smi " + (said.ok() || words.empty() ? describe_end(said)
                                                              : "says: " + words.substr(0, words.find('\n')));
        return {};
      });
  found.gpus = parse_gpus(csv);
  if (visible != nullptr && !found.gpus.empty()) {
    found.gpus = visible_gpus(found.gpus, visible);
    if (found.gpus.empty())
      problem = fmt::format("CUDA_VISIBLE_DEVICES={} names no GPU of this machine", visible);
  }
  found.gpu_problem = problem;
}

}  // namespace

std::vector<Gpu> parse_gpus(const std::string& csv) {
  std::vector<Gpu> gpus;
  for (std::size_t begin = 0; begin < csv.size();) {
    const std::size_t end = std::min(csv.find('\n', begin), csv.size());
    std::string line = csv.substr(begin, end - begin);
    begin = end + 1;
    Gpu gpu;
    if (const std::size_t id = line.rfind(", GPU-"); id != std::string::npos) {
      gpu.uuid = trimmed(line.substr(id + 2));
      line.resize(id);
    }
    const std::size_t last = line.rfind(',');
    if (last == std::string::npos || last == 0) continue;
    const std::size_t middle = line.rfind(',', last - 1);
    if (middle == std::string::npos) continue;
    gpu.name = trimmed(line.substr(0, middle));
    gpu.driver = trimmed(line.substr(middle + 1, last - middle - 1));
    const std::string capability = trimmed(line.substr(last + 1));
    const char* stop = capability.data() + capability.size();
    const auto [point, bad_major] = std::from_chars(capability.data(), stop, gpu.compute_major);
    if (gpu.name.empty() || bad_major != std::errc() || point == stop || *point != '.') continue;
    const auto [rest, bad_minor] = std::from_chars(point + 1, stop, gpu.compute_minor);
    if (bad_minor == std::errc() && rest == stop) gpus.push_back(gpu);
  }
  return gpus;
}

std::vector<Gpu> visible_gpus(const std::vector<Gpu>& gpus, const std::string& words) {
  std::vector<Gpu> out;
  for (std::size_t begin = 0; begin <= words.size();) {
    const std::size_t end = std::min(words.find(',', begin), words.size());
    const std::string word = trimmed(words.substr(begin, end - begin));
    begin = end + 1;
    std::size_t number = gpus.size();
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    const bool is_number = error == std::errc() && stop == word.data() + word.size();
    const auto named = std::find_if(gpus.begin(), gpus.end(), [&](const Gpu& gpu) {
      return word.size() > 4 && gpu.uuid.starts_with(word);
    });
    if (is_number && number < gpus.size()) {
      out.push_back(gpus[number]);
    } else if (!is_number && named != gpus.end()) {
      out.push_back(*named);
    } else if (word.starts_with("MIG-") &&
               !gpus.empty()) {  // a slice of a GPU (MIG), which nvidia-smi lists separately
      out.push_back(gpus.front());
      out.back().uuid = word;
    } else {
      break;
    }
  }
  return out;
}

Toolchain Toolchain::detect(const Kit& kit) {
  Toolchain found;
  AnswerCache cache(kit.state() / "cache" / "versions.json");
  const fs::path own = own_program().parent_path();
  found.emucc = first_program({own / "emucc", own.parent_path() / "bin" / "emucc", find_program("emucc")});
  found.nvcc = first_program({find_program("nvcc"), below_variable("CUDA_HOME", "bin/nvcc"),
                              below_variable("CUDA_PATH", "bin/nvcc"), "/usr/local/cuda/bin/nvcc"});
  found.sanitizer =
      first_program({find_program("compute-sanitizer"), found.nvcc.parent_path() / "compute-sanitizer",
                     found.nvcc.parent_path().parent_path() / "compute-sanitizer/compute-sanitizer",
                     "/usr/local/cuda/bin/compute-sanitizer"});
  found.host_compiler =
      first_program({named_by("CXX"), find_program("c++"), find_program("g++"), find_program("clang++")});
  const char* library = "libcuda_lab_profile.so";
  found.profile_library = first_file({own / library, own.parent_path() / "lib" / library});
  found.include_folder = first_file({kit.common() / "lab" / "include", own.parent_path() / "include"});

  found.emucc_version = version_of(cache, found.emucc);
  found.nvcc_version = version_of(cache, found.nvcc);
  found.host_version = version_of(cache, found.host_compiler);
  find_gpus(cache, found);
  cache.save();
  return found;
}

/// The name of the device if nvidia-smi reports no UUID.
static const char* const unnamed_device = "0";

std::vector<std::string> Toolchain::devices() const {
  std::vector<std::string> out;
  for (const Gpu& gpu : gpus)
    if (!gpu.uuid.empty() && gpu.name == gpus.front().name) out.push_back(gpu.uuid);
  return out.empty() ? std::vector<std::string>{unnamed_device} : out;
}

bool Toolchain::names_device() const {
  const std::vector<std::string> all = devices();
  return all.size() > 1 || (all.front() != unnamed_device && std::getenv("CUDA_VISIBLE_DEVICES") != nullptr);
}

std::string Toolchain::device(Backend backend) const {
  return backend == Backend::gpu && !gpus.empty() ? gpus.front().name : "emulation";
}

Backend Toolchain::choose(std::optional<Backend> wanted, std::string& note) const {
  const std::string no_gpu =
      gpu_problem.empty() ? "this machine has no NVIDIA GPU (nvidia-smi is not installed)" : gpu_problem;
  const bool gpu_works = !nvcc.empty() && !gpus.empty();
  if (wanted == Backend::gpu && gpus.empty())
    throw Error(ErrorKind::environment, fmt::format("The gpu backend can't work here: {}.", no_gpu),
                "leave --backend out to run in emulation; grader doctor shows what was looked for");
  if (wanted == Backend::gpu && nvcc.empty())
    throw Error(ErrorKind::environment,
                fmt::format("There is a GPU ({}), but no nvcc to compile for it: not in PATH, $CUDA_HOME/bin "
                            "or /usr/local/cuda/bin.",
                            gpus.front().name),
                "sudo apt install nvidia-cuda-toolkit, or install the CUDA toolkit from NVIDIA");
  if (wanted != Backend::emu && gpu_works) {
    note = fmt::format("running on the GPU ({})", gpus.front().name);
    return Backend::gpu;
  }
  if (emucc.empty())
    throw Error(ErrorKind::environment,
                "There is no emucc, neither beside the grader nor in PATH, so nothing can run in emulation.",
                "./bootstrap build");
  if (host_compiler.empty())
    throw Error(ErrorKind::environment,
                "There is no C++ compiler, which emucc needs: neither c++, g++ nor clang++ is in PATH.",
                "sudo apt install g++");
  if (wanted == Backend::emu) {
    note = "running in emulation, as asked";
  } else if (gpus.empty()) {
    note = fmt::format("running in emulation: {}", no_gpu);
  } else {
    note = fmt::format("running in emulation: there is a GPU ({}), but no nvcc", gpus.front().name);
  }
  return Backend::emu;
}

}  // namespace grader
