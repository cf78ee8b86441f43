#include "targets.hpp"

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <lab/frames.hpp>
#include <lab/npy.hpp>
#include <lab/parameter_file.hpp>
#include <nlohmann/json.hpp>

#include "build/object_file.hpp"
#include "catalog/catalog.hpp"
#include "check/findings.hpp"
#include "check/program_record.hpp"
#include "check/tracing.hpp"
#include "course/archive.hpp"
#include "course/class_file.hpp"
#include "lower/translator.hpp"
#include "matrices.hpp"
#include "model/json.hpp"
#include "mri.hpp"
#include "report/report_trace.hpp"
#include "run/channel.hpp"
#include "run/counting.hpp"
#include "run/ncu.hpp"
#include "run/run.hpp"
#include "storm_rules.hpp"
#include "verify/array.hpp"
#include "verify/raw_file.hpp"
#include "workspace/included.hpp"
#include "workspace/skeleton.hpp"
#include "workspace/source_scan.hpp"

namespace grader::fuzz {
namespace {

/// A file with these bytes, which is removed with the object. It is in memory if possible, since a disk would
/// slow the test.
class File {
 public:
  explicit File(std::string_view bytes, const std::string& name = "input") {
    static const fs::path folder = [] {
      std::string pattern =
          fs::is_directory("/dev/shm") ? "/dev/shm/kit-fuzz-XXXXXX" : "/tmp/kit-fuzz-XXXXXX";
      if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
      static const struct Remove {
        fs::path folder;
        ~Remove() {
          std::error_code ignored;
          fs::remove_all(folder, ignored);
        }
      } at_end{pattern};
      return fs::path(pattern);
    }();
    path_ = folder / name;
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

void lab_toml(std::string_view bytes) {
  parse_lab(File(bytes, "lab.toml").path());
}

void class_toml(std::string_view bytes) {
  const ClassFile course = read_class_file(File(bytes, "class.toml").path());
  for (const auto& [id, student] : course.students) share_left(course, id, "2030-02-01T00:00:00Z");
}

void roster(std::string_view bytes) {
  read_class_file(File(bytes, "students.csv").path());
}

void archive(std::string_view bytes) {
  read_archive(File(bytes, "input.zip").path());  // the type depends on the content, not on the name
}

void npy(std::string_view bytes) {
  const File file(bytes, "x.npy");
  const Array array = Array::read(file.path(), lab::NpyLinks::refuse);
  for (std::size_t i = 0; i < std::min<std::size_t>(array.size(), 8); ++i) {
    (void)array.text(i);
    (void)array.coordinates(i);
  }
}

void raw_array(std::string_view bytes) {
  FileLayout layout;
  layout.header = 4;
  layout.arrays = {"real", "imaginary"};
  read_raw(File(bytes).path(), layout, lab::NpyLinks::refuse);
}

void storms(std::string_view bytes) {
  lab::read_storms(File(bytes).path());
}

/// Compares the careful reader and the fast one: both must read the same numbers from every file that the
/// careful one accepts.
void matrices(std::string_view bytes) {
  const auto fast = [&](std::size_t count, std::vector<int>& to) {
    const char *at = bytes.data(), *const end = at + bytes.size();
    for (int word = 0; word < 2; ++word)  // reads the count and the first separator
      at = lab::detail::word_end(lab::detail::skip_space(at, end), end);
    return lab::parse_matrices(at, end, 4, count, to.data(), {4, 1});
  };
  (void)lab::count_separators(bytes.data(), bytes.data() + bytes.size());
  std::vector<int> some(4 * 64);
  fast(64, some);  // must survive any text
  const std::vector<int> right = lab::read_matrices(File(bytes).path(), 2);
  std::vector<int> got(right.size());
  if (!fast(right.size() / 4, got) || got != right) std::abort();
}

void scan(std::string_view bytes) {
  lab::read_scan(File(bytes).path());
}

void frames(std::string_view bytes) {
  lab::read_frames(File(bytes).path());
}

void parameters(std::string_view bytes) {
  lab::Presets presets = {{"N", "8192"}, {"BLOCK_SIZE", "64"}};
  lab::read_parameter_file(File(bytes).path(), presets);
}

void profile(std::string_view bytes) {
  const ChannelContent content = read_channel(bytes, "");
  const Profile read = read_profile(content.profile);
  (void)implausible(read, 1);
  (void)measured_seconds(read, {Measure::Kind::kernel});
  (void)read_channel(bytes, "0123456789abcdef0123456789abcdef");
}

void reports(std::string_view bytes) {
  const std::string text(bytes);
  read_counts(text);
  Submission submission;
  submission.files = {{"tiled.cu", "int a;\n  tile = 1; \r\n"}};
  read_findings(text, submission.files);
}

void trace(std::string_view bytes) {
  const std::vector<SubmissionFile> files = {{"matrixmul_kernel.cu", "int a;\n  tile = 1; \r\n"}};
  if (const auto read = read_trace(std::string(bytes), {files, {{"P", {"<f4", {8, 8}, {}}}}, "P"})) {
    (void)trace_text(*read, {});
    (void)to_json(*read).dump();
  }
  const fs::path record = File(bytes).path();
  try {
    const ProgramTrace read = read_program_record(record, {{"P", {"", {8, 8}, {}}}});
    (void)trace_text(read.trace, {});
    (void)to_json(read.trace).dump();
  } catch (const Error&) {  // a refusal is allowed
  }
}

void ncu(std::string_view bytes) {
  parse_ncu(std::string(bytes));
}

void skeleton(std::string_view bytes) {
  const std::string text(bytes);
  find_todos("a.cu", text);
  source_lines(text);
  scan_text(text);
  parse_skeleton("a.cu", text);
}

void object(std::string_view bytes) {
  forbidden_in_object(bytes);
}

void translator(std::string_view bytes) {
  emucc::TranslateOptions options;
  options.load = [](const std::string&) { return std::nullopt; };  // a line marker may name any file
  options.dump = "tree";  // reads every function, even if no pass needs it
  emucc::translate(bytes, options);
}

struct ProgramEnds {};
thread_local bool in_target = false;

}  // namespace

const std::vector<Target>& targets() {
  static const std::vector<Target> all = {{"archive", archive},
                                          {"class_toml", class_toml},
                                          {"frames", frames},
                                          {"lab_toml", lab_toml},
                                          {"matrices", matrices},
                                          {"ncu", ncu},
                                          {"npy", npy},
                                          {"object", object},
                                          {"parameters", parameters},
                                          {"profile", profile},
                                          {"raw_array", raw_array},
                                          {"reports", reports},
                                          {"roster", roster},
                                          {"scan", scan},
                                          {"skeleton", skeleton},
                                          {"storms", storms},
                                          {"trace", trace},
                                          {"translator", translator}};
  return all;
}

void run(const Target& target, std::string_view bytes) {
  in_target = true;
  try {
    target.read(bytes);
  } catch (const ProgramEnds&) {
  } catch (const Error&) {
  } catch (const lab::NpyError&) {
  } catch (...) {
    in_target = false;
    throw;  // no caller expects this exception
  }
  in_target = false;
}

}  // namespace grader::fuzz

extern "C" {
[[noreturn]] void __real_exit(int code);
/// Replaces exit(), by the linker's option --wrap=exit. Labs refuse a file with lab::stop(), which ends the
/// program.
[[noreturn]] void __wrap_exit(int code) {
  if (grader::fuzz::in_target) throw grader::fuzz::ProgramEnds();
  __real_exit(code);
}
}
