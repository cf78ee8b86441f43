// tracing.cpp reads the lines of the record that are the trace. The functions here read the other lines. The
// program may be killed while it writes a line, so a line that is not JSON is skipped.
#include "check/program_record.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/columns.hpp"
#include "base/files.hpp"
#include "check/findings.hpp"
#include "check/tracing.hpp"
#include "model/json.hpp"

namespace grader {
namespace {

using nlohmann::json;

constexpr const char* record_beginning = "{\"kind\":\"program\"";
constexpr std::size_t most_lines = std::size_t{64} << 20;  ///< bytes; the rest is skipped
constexpr std::size_t most_launches = 1000, most_sources = 100;

/// The folder that contains all files. Names relative to it are short, and reveal nothing about the user's
/// other folders.
fs::path common_folder(const std::vector<SubmissionFile>& files) {
  if (files.empty()) return {};
  fs::path folder = files.front().name.parent_path();
  for (const SubmissionFile& file : files)
    while (!folder.empty() && folder != folder.parent_path() &&
           file.name.lexically_relative(folder).string().starts_with(".."))
      folder = folder.parent_path();
  return folder;
}

class Lines {
 public:
  void read(json line) {
    const std::string kind = line.value("kind", "");
    if (kind == "program") {
      name = text_in(line, "program");
      if (line.contains("arguments"))
        for (const json& word : line.at("arguments")) arguments.push_back(printable(word.get<std::string>()));
    } else if (kind == "source" && files.size() < most_sources) {
      files.push_back({fs::path(line.at("file").get<std::string>()).lexically_normal(), line.at("text")});
    } else if (kind == "findings") {
      findings = line.at("report");
    } else if (kind == "end") {
      end.emplace();
      end->end = ProcessResult::End::exited;
      end->code = line.at("status").get<int>();
    } else if (kind == "signal") {
      end.emplace();
      end->end = ProcessResult::End::signalled;
      end->code = line.at("signal").get<int>();
    } else if (kind != "launch" || records.launches.size() < most_launches) {
      records.add(std::move(line));
    }
  }

  /// Replaces the names of files by their paths below the common folder.
  void shorten() {
    const fs::path folder = common_folder(files);
    for (SubmissionFile& file : files) file.name = file.name.lexically_relative(folder);
    const auto shorten_in = [&](json& of) {
      const fs::path recorded = fs::path(of.value("file", "")).lexically_normal();
      const fs::path shorter = recorded.lexically_relative(folder);
      if (!shorter.empty() && !shorter.string().starts_with("..")) of["file"] = shorter.string();
    };
    for (json& place : records.places) shorten_in(place);
    if (!findings.is_object() || !findings.contains("findings")) return;
    for (json& finding : findings["findings"])
      for (json& party : finding["parties"]) shorten_in(party);
  }

  std::string name;
  std::vector<std::string> arguments;
  TraceRecords records;
  json findings;
  std::vector<SubmissionFile> files;
  std::optional<ProcessResult> end;
};

/// @throws Error (usage) when the input does not begin like a record
Lines read_lines(std::istream& in, const std::string& what) {
  Lines lines;
  std::size_t bytes = 0;
  bool is_first = true;
  for (std::string text; std::getline(in, text); is_first = false) {
    if (is_first && !text.starts_with(record_beginning)) break;
    bytes += text.size();
    if (bytes > most_lines) continue;
    try {
      lines.read(json_of_whole_numbers(text));
    } catch (const std::exception&) {  // a truncated or invalid line is skipped
    }
  }
  if (is_first || lines.name.empty())
    throw Error(ErrorKind::usage, fmt::format("{} is no record of a program.", what),
                "Build the program with emucc --record, and run it.");
  return lines;
}

/// Why the array can't have this shape; empty if it can.
std::string misfit(const std::string& name, const KnownArray& known, const std::vector<json>& arrays) {
  const std::string shape = fmt::format("{}", fmt::join(known.shape, " × "));
  for (const json& array : arrays) {
    if (array.value("shared", false) || (text_in(array, "name") != name && text_in(array, "array") != name))
      continue;
    const auto bytes = array.at("bytes").get<std::size_t>();
    if (bytes % size_of(known.shape) == 0) return "";
    return fmt::format("{} has {} bytes, too many or too few for {} elements: its shape is left as it was.",
                       name, bytes, shape);
  }
  return fmt::format("No kernel touches an array {}, so nothing has the shape {}.", name, shape);
}

}  // namespace

bool is_program_record(const fs::path& file) {
  std::string begin(std::char_traits<char>::length(record_beginning), '\0');
  std::ifstream in(file, std::ios::binary);
  return fs::is_regular_file(file) && in.read(begin.data(), static_cast<std::streamsize>(begin.size())) &&
         begin == record_beginning;
}

ProgramTrace read_program_record(const fs::path& record, const KnownArrays& shapes) {
  std::ifstream file;
  if (record != "-") file.open(record, std::ios::binary);
  Lines lines = read_lines(record == "-" ? std::cin : file, record == "-" ? "Standard input" : shown(record));
  lines.shorten();
  const std::uint64_t count = lines.records.launches_in_all;
  if (lines.records.launches.empty())
    throw Error(
        ErrorKind::usage,
        count == 0 ? fmt::format("{} launched no kernel, so there is nothing to see and no page.", lines.name)
                   : fmt::format("{} launched {}, and none was to be recorded.", lines.name,
                                 how_many(count, "kernel")),
        count == 0 ? "" : "Name an earlier one: CUEMU_RECORD=from=1");
  TraceContext context{lines.files, shapes, "", {}};
  if (auto findings = read_findings(lines.findings.dump(), lines.files)) context.findings = *findings;
  std::optional<Trace> trace = read_trace(lines.records, context);
  if (!trace)
    throw Error(ErrorKind::usage, fmt::format("The record of {} is damaged.", lines.name), "Run it again.");
  ProgramTrace out{std::move(*trace), lines.name, {}};
  out.trace.program = out.trace.title = lines.name;
  out.trace.args = lines.arguments;
  out.trace.judged = false;
  if (!lines.end)
    out.trace.end = "ended suddenly, without giving a reason";
  else if (lines.end->end != ProcessResult::End::exited || lines.end->code != 0)
    out.trace.end = describe_end(*lines.end);
  for (const auto& [name, known] : shapes)
    if (std::string sentence = misfit(name, known, lines.records.arrays); !sentence.empty())
      out.remarks.push_back(std::move(sentence));
  return out;
}

std::pair<std::string, KnownArray> parse_shape(const std::string& text) {
  const auto wrong = [&]() -> Error {
    return {ErrorKind::usage, fmt::format("\"{}\" is no array with its shape.", text),
            "Write it as A=64x64."};
  };
  const std::size_t equals = text.find('=');
  if (equals == 0 || equals == text.npos) throw wrong();
  KnownArray known;
  std::istringstream extents(text.substr(equals + 1));
  for (std::string extent; std::getline(extents, extent, 'x');) {
    constexpr std::size_t most_digits = 9;
    if (extent.empty() || extent.size() > most_digits ||
        extent.find_first_not_of("0123456789") != extent.npos || std::stoul(extent) == 0)
      throw wrong();
    known.shape.push_back(std::stoul(extent));
  }
  if (known.shape.empty() || known.shape.size() > 4 || text.back() == 'x') throw wrong();
  return {text.substr(0, equals), known};
}

}  // namespace grader
