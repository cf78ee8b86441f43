// Splits a report into records, and each record into its headline and the other lines. Addresses are left
// out, because they vary from run to run.
#include "check/sanitizer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/columns.hpp"
#include "base/regex.hpp"

namespace grader {
namespace {

constexpr const char* prefix = "========= ";
constexpr std::size_t longest_line = 4000;  // a regular expression needs stack in proportion

/// The lines of one record without their prefix; the first is its headline.
using RecordLines = std::vector<std::string>;

/// The records of a report. The program's own lines are dropped, since they have no prefix.
std::vector<RecordLines> records_of(const std::string& report) {
  std::vector<RecordLines> records;
  for (const std::string& line : split_lines(report)) {
    if (line.rfind(prefix, 0) != 0 || line.size() > longest_line) continue;
    const std::string text = line.substr(std::string_view(prefix).size());
    const std::size_t begin = text.find_first_not_of(' ');
    if (begin == std::string::npos) continue;
    if (begin == 0) {
      records.push_back({text});
    } else if (!records.empty()) {
      records.back().push_back(text.substr(begin));
    }
  }
  return records;
}

bool begins(const std::string& text, std::string_view with) {
  return text.compare(0, with.size(), with) == 0;
}

/// Whether a headline says nothing about the program: it is a title, a total, or a remark on the report
/// itself.
bool says_nothing(const std::string& headline) {
  return headline == "COMPUTE-SANITIZER" || headline.find(" SUMMARY:") != std::string::npos ||
         begins(headline, "Target application returned an error") ||
         begins(headline, "This tool is deprecated");
}

/// A place in the source: "scale(float *, int)+0x70 in /home/me/scale.cu:25" or "0x70 in
/// scale.cu:25:scale(float *, int)".
struct Place {
  std::string kernel, file;
  unsigned line = 0;
};

std::string without_parameters(const std::string& function) {
  std::string name = function.substr(0, function.find('('));
  if (begins(name, "void ")) name.erase(0, 5);
  return name;
}

Place place_of(const std::string& text) {
  static const Regex newer(R"(^(.+)\+0x[0-9a-fA-F]+(?: in (.*):([0-9]+))?$)");
  static const Regex older(R"(^0x[0-9a-fA-F]+ in (?:(.*?):([0-9]+):)?(.+)$)");
  Place place;
  if (const auto in_older = older.match(text)) {
    place.kernel = without_parameters((*in_older)[3]);
    place.file = (*in_older)[1];
    if (in_older->has(2)) place.line = static_cast<unsigned>(std::stoul((*in_older)[2]));
  } else if (const auto in_newer = newer.match(text)) {
    place.kernel = without_parameters((*in_newer)[1]);
    place.file = (*in_newer)[2];
    if (in_newer->has(3)) place.line = static_cast<unsigned>(std::stoul((*in_newer)[3]));
  }
  // Only the base name is reliable, since the folder in which the program was compiled no longer exists.
  place.file = fs::path(place.file).filename().string();
  return place;
}

/// The rest of the first line in a record that begins with `beginning`.
std::string line_with(const RecordLines& record, std::string_view beginning) {
  for (const std::string& line : record)
    if (begins(line, beginning)) return line.substr(beginning.size());
  return {};
}

/// " by thread (4,17,0) of block (3,0,0)", if the record names the thread.
std::string thread_of(const RecordLines& record) {
  static const Regex words(R"(^(\([0-9, ]+\)) in block (\([0-9, ]+\)).*$)");
  const auto found = words.match(line_with(record, "by thread "));
  if (!found) return {};
  return fmt::format(" by thread {} of block {}", (*found)[1], (*found)[2]);
}

Finding at_place(const char* rule, const RecordLines& record, const std::string& what) {
  const Place place = place_of(line_with(record, "at "));
  Finding finding;
  finding.rule = rule;
  finding.kernel = place.kernel;
  finding.parties = {{what + thread_of(record), place.file, place.line, 0, 0, "", 0}};
  return finding;
}

/// Reads "Invalid __global__ write of size 4 bytes".
Finding invalid_access(const RecordLines& record) {
  static const Regex words(R"(^Invalid __(\w+)__ (\w+) of size ([0-9,]+).*$)");
  static const Regex nearest(
      R"(^and is ([0-9,.]+) bytes (before|after) the nearest allocation at \S+ of size ([0-9,.]+) bytes.*$)");
  std::string space = "global", kind = "access", size = "some";
  if (const auto found = words.match(record[0])) {
    space = (*found)[1];
    kind = (*found)[2];
    size = (*found)[3];
  }
  const auto has = [&](const char* piece) {
    return std::any_of(record.begin() + 1, record.end(),
                       [&](const std::string& line) { return line.find(piece) != std::string::npos; });
  };
  if (has("is misaligned")) {
    Finding finding = at_place("misaligned", record, kind);
    finding.headline = fmt::format("a thread's {} of {} bytes in {} memory is misaligned", kind, size, space);
    finding.hint = "vector types like float4 need addresses that are multiples of their size";
    return finding;
  }
  Finding finding = at_place("out-of-bounds", record, kind);
  finding.headline =
      fmt::format("a thread's {} of {} bytes in {} memory is out of bounds", kind, size, space);
  for (const std::string& line : record) {
    if (const auto found = nearest.match(line))
      finding.notes.push_back(fmt::format("{} bytes {} the nearest allocation, which has {} bytes",
                                          (*found)[1], (*found)[2], (*found)[3]));
  }
  finding.hint = "does the grid have more threads than the array has elements? Guard the access with an if";
  return finding;
}

/// Reads "Error: Race reported between Write access at f(int *)+0x90 in a.cu:13", which is followed by one or
/// more lines "and Read access at … [8 hazards]".
std::vector<Finding> races(const RecordLines& record) {
  static const Regex first(R"(^(\w+): Race reported between (\w+) access at (.*)$)");
  static const Regex second(R"(^and (\w+) access at (.*?)(?: \[([0-9]+) hazards?\])?$)");
  const auto head = first.match(record[0]);
  if (!head) return {};
  const bool error = (*head)[1] != "Info";
  const std::string one = (*head)[2];
  const Place from = place_of((*head)[3]);
  std::vector<Finding> out;
  for (const std::string& line : record) {
    const auto found = second.match(line);
    if (!found) continue;
    const Place to = place_of((*found)[2]);
    const auto party = [](std::string kind, const Place& at) {
      std::transform(kind.begin(), kind.end(), kind.begin(), [](unsigned char c) { return std::tolower(c); });
      return FindingParty{kind, at.file, at.line, 0, 0, "", 0};
    };
    Finding finding;
    finding.rule = "race";
    finding.error = error;
    finding.kernel = from.kernel;
    finding.headline = "threads of a block touch the same shared memory with no barrier between them";
    finding.parties = {party(one, from), party((*found)[1], to)};
    finding.hint = "a __syncthreads() belongs between the two lines, where all threads of the block reach it";
    if (found->has(3)) finding.count = std::stoull((*found)[3]);
    out.push_back(std::move(finding));
  }
  return out;
}

/// Reads "Barrier error detected. Divergent thread(s) in block."
Finding barrier(const RecordLines& record) {
  Finding finding = at_place("barrier", record, "waits");
  const std::size_t dot = record[0].find(". ");
  std::string detail = dot == std::string::npos ? "" : record[0].substr(dot + 2);
  if (!detail.empty() && detail.back() == '.') detail.pop_back();
  finding.headline = "a barrier that not all threads reach" + (detail.empty() ? "" : " (" + detail + ")");
  finding.hint = "put the barrier where all threads reach it: not in an if, and not after a return";
  return finding;
}

/// Reads "Program hit cudaErrorX (error 1) due to "invalid argument" on CUDA API call to cudaMemcpy."
Finding api_error(const RecordLines& record) {
  static const Regex words(
      R"x(^Program hit (\S+) \(error [0-9]+\) due to "(.*)" on CUDA API call to (\w+)\.?$)x");
  Finding finding;
  finding.rule = "call";
  finding.headline = record[0];
  if (const auto found = words.match(record[0])) {
    const std::string call = (*found)[3];
    finding.rule = begins(call, "cudaMemcpy") ? "copy" : begins(call, "cudaLaunch") ? "launch" : "call";
    finding.headline = fmt::format("{} failed: {} ({})", call, (*found)[2], (*found)[1]);
  }
  return finding;
}

/// The functions on the host's stack, from the CUDA call outwards. CUDA's internal frames, which have no name
/// or are called "libcudart_static_…", are left out. The lines look like "Host Frame:cudaMalloc [0x86d38]" or
/// "Host Frame: main in a.cu:7 [0x1c]".
std::vector<std::string> host_frames(const RecordLines& record) {
  static const Regex words(R"(^Host Frame: ?([^\[ (][^\[( ]*).*$)");
  std::vector<std::string> names;
  for (const std::string& line : record) {
    const auto found = words.match(line);
    if (found && !begins((*found)[1], "libcudart_static_")) names.push_back((*found)[1]);
  }
  return names;
}

/// Whether one of the addresses is in the leaked range: "Leaked 4,096 bytes at 0x7f3c7ec00200".
bool is_around(const std::string& headline, const std::vector<std::uint64_t>& addresses) {
  static const Regex words(R"(^Leaked ([0-9,.]+) bytes at 0x([0-9a-fA-F]+).*$)");
  const auto found = words.match(headline);
  if (!found) return false;
  std::string digits = (*found)[1];
  digits.erase(std::remove_if(digits.begin(), digits.end(), [](char c) { return c == ',' || c == '.'; }),
               digits.end());
  const std::uint64_t bytes = std::stoull(digits), begin = std::stoull((*found)[2], nullptr, 16);
  return std::any_of(addresses.begin(), addresses.end(),
                     [&](std::uint64_t address) { return address >= begin && address - begin < bytes; });
}

/// Reads a leak. A program need not free memory that CUDA allocated for itself, such as that of a module that
/// the first launch loads. Such memory is recognised by its outermost CUDA call, whose name does not contain
/// "alloc". If the program's first cudaMalloc loads the module, the name does not show this. Then the kit's
/// own variables are recognised by their addresses.
std::vector<Finding> leak(const RecordLines& record, const std::vector<std::uint64_t>& own) {
  if (is_around(record[0], own)) return {};
  const std::vector<std::string> frames = host_frames(record);
  const auto allocates = [](const std::string& call) {
    return call.find("alloc") != std::string::npos || call.find("Alloc") != std::string::npos;
  };
  if (!frames.empty() && !allocates(frames[0])) return {};
  Finding finding;
  finding.rule = "leak";
  finding.error = false;
  finding.headline = record[0].substr(0, record[0].find(" at 0x")) + ": never freed";
  if (frames.size() > 1) finding.notes.push_back(fmt::format("allocated by {} in {}", frames[0], frames[1]));
  finding.hint = "call cudaFree for each cudaMalloc, before main returns";
  return {finding};
}

std::vector<Finding> read_record(const RecordLines& record, const std::vector<std::uint64_t>& own) {
  const std::string& headline = record[0];
  if (headline.find("Race reported between") != std::string::npos) return races(record);
  if (begins(headline, "Invalid __")) return {invalid_access(record)};
  if (begins(headline, "Uninitialized")) {
    Finding finding = at_place("uninitialised", record, "read");
    finding.headline = "a thread reads global memory that nothing has written to";
    finding.hint = "does a copy, a cudaMemset or a kernel write all of it, with the size in bytes?";
    return {finding};
  }
  if (begins(headline, "Barrier error")) return {barrier(record)};
  if (begins(headline, "Program hit")) return {api_error(record)};
  if (begins(headline, "Leaked ")) return leak(record, own);
  Finding finding = at_place("other", record, "");
  if (finding.parties[0].line == 0) finding.parties.clear();
  finding.headline = headline;
  return {finding};
}

/// Drops calls that failed because a kernel was stopped, since they follow from another finding.
void drop_consequences(std::vector<Finding>& findings) {
  const auto is_call = [](const Finding& finding) {
    return finding.rule == "call" || finding.rule == "copy" || finding.rule == "launch";
  };
  const bool cause = std::any_of(findings.begin(), findings.end(),
                                 [&](const Finding& finding) { return finding.error && !is_call(finding); });
  if (cause) findings.erase(std::remove_if(findings.begin(), findings.end(), is_call), findings.end());
}

}  // namespace

std::vector<std::string> sanitizer_command(const Toolchain& toolchain, const SanitizerTool& tool,
                                           const std::string& report) {
  if (toolchain.sanitizer.empty())
    throw Error(
        ErrorKind::environment,
        "There is no compute-sanitizer here, neither in PATH nor beside nvcc, and a check on a GPU runs it.",
        "install the whole CUDA toolkit, or leave --backend out: the emulation's checker needs no GPU");
  std::vector<std::string> command = {
      toolchain.sanitizer.string(), "--tool", tool.name, "--log-file", report, "--print-limit", "100"};
  if (*tool.options != 0) command.emplace_back(tool.options);
  return command;
}

std::vector<std::uint64_t> own_memory(const std::string& errors) {
  constexpr std::string_view words = "own memory of the kit at 0x";
  std::vector<std::uint64_t> addresses;
  for (const std::string& line : split_lines(errors))
    if (begins(line, words)) addresses.push_back(std::strtoull(line.c_str() + words.size(), nullptr, 16));
  return addresses;
}

std::vector<Finding> parse_sanitizer(const std::string& report, const std::vector<std::uint64_t>& own) {
  std::vector<Finding> all;
  for (const RecordLines& record : records_of(report)) {
    if (says_nothing(record[0])) continue;
    for (Finding& finding : read_record(record, own)) {
      const auto known = std::find_if(all.begin(), all.end(),
                                      [&](const Finding& other) { return same_finding(other, finding); });
      if (known == all.end()) {
        all.push_back(std::move(finding));
      } else {
        known->count += finding.count;
      }
    }
  }
  drop_consequences(all);
  return all;
}

std::optional<std::vector<Finding>> read_sanitizer_report(const std::optional<std::string>& report,
                                                          const Submission& submission,
                                                          const std::vector<std::uint64_t>& own) {
  if (!report) return std::nullopt;
  for (const RecordLines& record : records_of(*report)) {
    const bool complaint =
        begins(record[0], "Error: ") && record[0].find("Race reported") == std::string::npos;
    if (complaint || begins(record[0], "Internal Sanitizer Error"))
      throw Error(ErrorKind::environment,
                  fmt::format("compute-sanitizer does not work here: {}", printable(record[0])),
                  "leave --backend out: the emulation's checker needs no GPU");
  }
  std::vector<Finding> findings = parse_sanitizer(*report, own);
  fit_to_sources(findings, submission.files);
  return findings;
}

}  // namespace grader
