// Compares the #include lines of each file with lists of headers.
#include "workspace/allowed.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "workspace/source_scan.hpp"

namespace grader {
namespace {

/// Headers of C and of the system. (Headers of C++ have no dot in their names.)
constexpr std::string_view of_the_system[] = {
    "assert.h",       "ctype.h",  "errno.h",    "fenv.h",    "float.h",    "getopt.h",   "inttypes.h",
    "limits.h",       "locale.h", "malloc.h",   "math.h",    "memory.h",   "pthread.h",  "sched.h",
    "setjmp.h",       "signal.h", "stdalign.h", "stdarg.h",  "stdbool.h",  "stddef.h",   "stdint.h",
    "stdio.h",        "stdlib.h", "string.h",   "strings.h", "sys/stat.h", "sys/time.h", "sys/types.h",
    "sys/resource.h", "time.h",   "uchar.h",    "unistd.h",  "wchar.h",    "wctype.h"};

/// Headers of CUDA C++ without libraries: the runtime, types, and device functions.
constexpr std::string_view of_cuda[] = {"builtin_types.h",
                                        "cuda.h",
                                        "cuda_device_runtime_api.h",
                                        "cuda_runtime.h",
                                        "cuda_runtime_api.h",
                                        "device_functions.h",
                                        "device_launch_parameters.h",
                                        "device_types.h",
                                        "driver_types.h",
                                        "host_defines.h",
                                        "math_constants.h",
                                        "math_functions.h",
                                        "sm_30_intrinsics.h",
                                        "vector_functions.h",
                                        "vector_types.h"};

/// Headers of the C++ library that need no compiler option.
constexpr std::string_view of_cpp[] = {"algorithm",
                                       "any",
                                       "array",
                                       "atomic",
                                       "barrier",
                                       "bit",
                                       "bitset",
                                       "cassert",
                                       "ccomplex",
                                       "cctype",
                                       "cerrno",
                                       "cfenv",
                                       "cfloat",
                                       "charconv",
                                       "chrono",
                                       "cinttypes",
                                       "climits",
                                       "clocale",
                                       "cmath",
                                       "codecvt",
                                       "compare",
                                       "complex",
                                       "concepts",
                                       "condition_variable",
                                       "csetjmp",
                                       "csignal",
                                       "cstdarg",
                                       "cstddef",
                                       "cstdint",
                                       "cstdio",
                                       "cstdlib",
                                       "cstring",
                                       "ctime",
                                       "cuchar",
                                       "cwchar",
                                       "cwctype",
                                       "deque",
                                       "exception",
                                       "execution",
                                       "expected",
                                       "filesystem",
                                       "format",
                                       "forward_list",
                                       "fstream",
                                       "functional",
                                       "future",
                                       "initializer_list",
                                       "iomanip",
                                       "ios",
                                       "iosfwd",
                                       "iostream",
                                       "istream",
                                       "iterator",
                                       "latch",
                                       "limits",
                                       "list",
                                       "locale",
                                       "map",
                                       "memory",
                                       "memory_resource",
                                       "mutex",
                                       "new",
                                       "numbers",
                                       "numeric",
                                       "optional",
                                       "ostream",
                                       "queue",
                                       "random",
                                       "ranges",
                                       "ratio",
                                       "regex",
                                       "scoped_allocator",
                                       "semaphore",
                                       "set",
                                       "shared_mutex",
                                       "source_location",
                                       "span",
                                       "sstream",
                                       "stack",
                                       "stdexcept",
                                       "stop_token",
                                       "streambuf",
                                       "string",
                                       "string_view",
                                       "strstream",
                                       "syncstream",
                                       "system_error",
                                       "thread",
                                       "tuple",
                                       "type_traits",
                                       "typeindex",
                                       "typeinfo",
                                       "unordered_map",
                                       "unordered_set",
                                       "utility",
                                       "valarray",
                                       "variant",
                                       "vector",
                                       "version"};

template <std::size_t n>
bool is_in(const std::string& name, const std::string_view (&list)[n]) {
  return std::find(list, list + n, name) != list + n;
}

bool is_of_the_language(const std::string& name) {
  const bool plain = name.find_first_of("./") == std::string::npos;
  return plain || is_in(name, of_the_system) || is_in(name, of_cuda);
}

bool is_of_the_kit(const std::string& name) {
  return name.starts_with("lab/") && name.find("..") == std::string::npos;
}

/// The file of the submission that an include names, relative to the folder of the file that includes it.
/// Null if there is none.
const SubmissionFile* own_file(const std::string& name, const SubmissionFile& from,
                               const Submission& submission) {
  const fs::path beside = (from.name.parent_path() / name).lexically_normal();
  const auto found = std::find_if(submission.files.begin(), submission.files.end(),
                                  [&](const SubmissionFile& file) { return file.name == beside; });
  return found == submission.files.end() ? nullptr : &*found;
}

std::string_view without_blanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

/// The file that an #include line names.
struct Include {
  std::string name;         ///< between its brackets or quotes
  bool written_out = true;  ///< false: it names a macro, which may expand to any file
};
std::optional<Include> included_by(std::string_view line) {
  line = without_blanks(line);
  const bool digraph = line.starts_with("%:");
  if (!digraph && !line.starts_with('#')) return std::nullopt;
  line = without_blanks(line.substr(digraph ? 2 : 1));
  bool is_include = false;
  for (const std::string_view word : {"include_next", "include", "import"}) {
    if (is_include || !line.starts_with(word)) continue;
    is_include = true;
    line = without_blanks(line.substr(word.size()));
  }
  if (!is_include || line.empty()) return std::nullopt;
  if (line[0] != '<' && line[0] != '"')
    return Include{std::string(line.substr(0, line.find_first_of(" \t\r"))), false};
  const std::size_t end = line.find(line[0] == '<' ? '>' : '"', 1);
  return Include{std::string(line.substr(1, end == std::string_view::npos ? end : end - 1))};
}

/// The text with blanks in place of its comments.
std::string without_comments(std::string text) {
  const std::vector<TextKind> kinds = classify(text);
  for (std::size_t i = 0; i < text.size(); ++i)
    if ((kinds[i] == TextKind::comment_start || kinds[i] == TextKind::comment) && text[i] != '\n')
      text[i] = ' ';
  return text;
}

}  // namespace

std::vector<std::string> allowed_headers(const std::vector<std::string>& of_lab) {
  std::vector<std::string> all;
  all.insert(all.end(), std::begin(of_cpp), std::end(of_cpp));
  all.insert(all.end(), std::begin(of_the_system), std::end(of_the_system));
  all.insert(all.end(), std::begin(of_cuda), std::end(of_cuda));
  all.insert(all.end(), of_lab.begin(), of_lab.end());
  return all;
}

std::string forbidden_include(const Submission& submission, const std::vector<std::string>& allowed) {
  // Starts with the sources, and adds the files that they include, whatever their extension.
  std::vector<const SubmissionFile*> files;
  for (const SubmissionFile& file : submission.files)
    if (is_source(file.name)) files.push_back(&file);
  for (std::size_t i = 0; i < files.size(); ++i) {
    const SubmissionFile& file = *files[i];
    const std::string code = without_comments(file.text);
    const std::vector<TextKind> kinds = classify(code);
    unsigned number = 0;
    for (const SourceLine& line : source_lines(code)) {
      ++number;
      const std::size_t first = line.text.find_first_not_of(" \t");
      if (first == std::string::npos || kinds[line.begin + first] == TextKind::string) continue;
      const auto include = included_by(line.text);
      if (!include) continue;
      const std::string& name = include->name;
      if (!include->written_out)
        return fmt::format("{}:{} includes {}, a macro: write the name of the header out.",
                           file.name.string(), number, name);
      if (is_of_the_language(name) || is_of_the_kit(name) ||
          std::find(allowed.begin(), allowed.end(), name) != allowed.end())
        continue;
      if (const SubmissionFile* own = own_file(name, file, submission)) {
        if (std::find(files.begin(), files.end(), own) == files.end()) files.push_back(own);
        continue;
      }
      return fmt::format(
          "{}:{} includes <{}>, which {} does not allow: a kernel of your own must do the work. Allowed "
          "headers: those of the standard library, of the kit and of CUDA's runtime{}{}.",
          file.name.string(), number, name, submission.lab->id, allowed.empty() ? "" : ", and ",
          fmt::join(allowed, ", "));
    }
  }
  return {};
}

}  // namespace grader
