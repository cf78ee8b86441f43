#include "pairs.hpp"

#include <sys/wait.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

namespace cuemu::check::tests {

namespace fs = std::filesystem;

namespace {

constexpr int findings_status = 42;  ///< of programs with findings

bool begins(const std::string& line, const std::string& mark) {
  return line.rfind(mark, 0) == 0;
}

std::vector<std::string> lines_of(const fs::path& path) {
  std::ifstream in(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// Reads the labels at the end of a line: `// @write @again` gives the line two names.
void add_labels(const std::string& line, int number, std::map<std::string, int>& labels) {
  const std::size_t comment = line.rfind("// @");
  if (comment == line.npos) return;
  std::istringstream words(line.substr(comment + 3));
  for (std::string word; words >> word;) labels[word] = number;
}

/// Replaces the labels in an expectation such as "race @write,@read tile" by line numbers, the smallest
/// first.
std::string resolved(const std::string& text, const std::map<std::string, int>& labels,
                     const std::string& where) {
  std::istringstream words(text);
  std::string rule, places, array;
  if (!(words >> rule >> places >> array))
    throw std::runtime_error(where + ": an exact expectation is `RULE LINE,LINE ARRAY`, not '" + text + "'");
  std::vector<int> numbers;
  std::istringstream list(places != "-" ? places : "");
  for (std::string place; std::getline(list, place, ',');) {
    const auto known = labels.find(place);
    if (known == labels.end()) throw std::runtime_error(where + ": no line ends with `// " + place + "`");
    numbers.push_back(known->second);
  }
  std::sort(numbers.begin(), numbers.end());
  std::string result = rule + " ";
  for (std::size_t i = 0; i < numbers.size(); ++i) result += (i > 0 ? "," : "") + std::to_string(numbers[i]);
  return result + (numbers.empty() ? "- " : " ") + array;
}

PairFile read_file(const fs::path& path) {
  PairFile file;
  file.path = path;
  file.group = path.parent_path().filename();
  file.rule = path.stem();
  const std::vector<std::string> lines = lines_of(path);
  file.flags = flags_in(path);
  const std::string mark = "// pair: ";
  for (std::size_t at = 0; at < lines.size();) {
    if (!begins(lines[at], mark)) {
      ++at;
      continue;
    }
    Pair pair;
    pair.name = lines[at].substr(mark.size());
    const std::string where = path.string() + ":" + std::to_string(at + 1);
    std::size_t end = at + 1;
    std::map<std::string, int> labels;
    for (; end < lines.size() && !begins(lines[end], mark); ++end)
      add_labels(lines[end], static_cast<int>(end) + 1, labels);
    for (++at; at < end && begins(lines[at], "// "); ++at) {
      const std::string& line = lines[at];
      if (begins(line, "// exact: "))
        pair.expected.push_back({Expectation::Kind::exact, resolved(line.substr(10), labels, where)});
      else if (begins(line, "// first: "))
        pair.expected.push_back({Expectation::Kind::first, resolved(line.substr(10), labels, where)});
      else if (begins(line, "// contains: "))
        pair.expected.push_back({Expectation::Kind::contains, line.substr(13)});
      else if (begins(line, "// lacks: "))
        pair.expected.push_back({Expectation::Kind::lacks, line.substr(10)});
      else if (begins(line, "// hint: "))
        pair.expected.push_back({Expectation::Kind::hint, line.substr(9)});
      else if (begins(line, "// missing: "))
        pair.expected.push_back({Expectation::Kind::missing, line.substr(12)});
      else if (begins(line, "// error: "))
        pair.expected.push_back({Expectation::Kind::error, line.substr(10)});
      else if (line == "// g++ only")
        pair.gcc_only = true;
    }
    at = end;
    if (pair.expected.empty()) throw std::runtime_error(where + ": the pair has no expectations");
    file.pairs.push_back(std::move(pair));
  }
  if (file.pairs.empty()) throw std::runtime_error(path.string() + " has no `// pair: NAME`");
  return file;
}

/// Joins a text's lines with single blanks between words, since the report wraps its lines.
std::string unwrapped(const std::string& text) {
  std::istringstream words(text);
  std::string result;
  for (std::string word; words >> word;) result += (result.empty() ? "" : " ") + word;
  return result;
}

}  // namespace

std::vector<PairFile> read_pairs(const fs::path& folder) {
  std::vector<fs::path> paths;
  for (const auto& item : fs::recursive_directory_iterator(folder))
    if (item.path().extension() == ".cu") paths.push_back(item.path());
  std::sort(paths.begin(), paths.end());
  std::vector<PairFile> files;
  for (const fs::path& path : paths) files.push_back(read_file(path));
  return files;
}

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (fs::temp_directory_path() / "emucc-check-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder can be made");
  path = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path, ignored);
}

std::string read_text(const fs::path& path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

int shell(const std::string& command) {
  const int status = std::system(command.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string flags_in(const fs::path& source) {
  const std::string text = read_text(source);
  const std::string mark = "// emucc:";
  return text.rfind(mark, 0) == 0 ? text.substr(mark.size(), text.find('\n') - mark.size()) : "";
}

std::string build_checked(const fs::path& emucc, const std::string& sources, const std::string& flags,
                          const fs::path& program, const Compiler& compiler) {
  const std::string messages = program.string() + ".messages";
  const std::string command = compiler.environment() + emucc.string() + " --check" + compiler.flags() + " " +
                              flags + " " + sources + " -o " + program.string() + " > " + messages + " 2>&1";
  const bool failed = shell(command) != 0;
  const std::string text = read_text(messages);
  // True if the compiler warned about flags, which are emucc's own.
  bool of_flags = false;
  for (const char* const speaker : {"clang: warning", "g++: warning", "cc1plus: warning"})
    of_flags = of_flags || text.find(speaker) != text.npos;
  return failed || of_flags ? command + "\n" + text : "";
}

Outcome run_checked(const fs::path& program, const std::string& arguments, const std::string& settings,
                    int patience) {
  return run_checked_command(program.string() + " " + arguments, settings, patience);
}

Outcome run_checked_command(const std::string& command, const std::string& settings, int patience) {
  const TemporaryFolder folder;
  const std::string at = folder.path.string();
  Outcome outcome;
  // The limit of wall-clock time is ten times as long, since programs wait for processors on a busy machine.
  outcome.status = shell("ulimit -t " + std::to_string(patience) + "; NO_COLOR=1 CUEMU_CHECK=" + settings +
                         ",json=" + at + "/report,error-exitcode=" + std::to_string(findings_status) +
                         " timeout " + std::to_string(10 * patience) + " env " + command + " > " + at +
                         "/output 2> " + at + "/messages");
  outcome.messages = read_text(folder.path / "messages");
  const auto report = nlohmann::json::parse(read_text(folder.path / "report"), nullptr, false);
  if (report.is_discarded()) return outcome;
  outcome.reported = true;
  outcome.not_checked = report.value("not_checked", outcome.not_checked);
  for (const auto& finding : report["findings"]) {
    std::vector<int> lines;
    std::string detail = finding["kernel"].get<std::string>() + ": " + finding["headline"].get<std::string>();
    for (const auto& party : finding["parties"]) {
      lines.push_back(party["line"]);
      detail += "; " + party["what"].get<std::string>() + " in line " + std::to_string(lines.back());
    }
    outcome.details.push_back(detail + "; " + std::to_string(finding["count"].get<std::uint64_t>()) +
                              " times");
    std::sort(lines.begin(), lines.end());
    std::string text = finding["rule"].get<std::string>() + " ";
    for (std::size_t i = 0; i < lines.size(); ++i) text += (i > 0 ? "," : "") + std::to_string(lines[i]);
    outcome.hints.push_back(finding["hint"]);
    outcome.missing.push_back(finding["missing"]);
    const std::string array = finding["array"];
    outcome.findings.push_back(text + (lines.empty() ? "- " : " ") + (array.empty() ? "-" : array));
  }
  if (!outcome.findings.empty()) outcome.first = outcome.findings.front();
  std::sort(outcome.findings.begin(), outcome.findings.end());
  std::sort(outcome.details.begin(), outcome.details.end());
  return outcome;
}

std::string difference(const Pair& pair, const Outcome& wrong) {
  if (!wrong.reported) return "no report was written\n" + wrong.messages;
  std::vector<std::string> exact;
  std::string result;
  bool fails = false;
  for (const Expectation& expectation : pair.expected) {
    if (expectation.kind == Expectation::Kind::exact) {
      exact.push_back(expectation.text);
      continue;
    }
    if (expectation.kind == Expectation::Kind::first) {
      if (wrong.first != expectation.text) result += "'" + expectation.text + "' is not told first\n";
      continue;
    }
    if (expectation.kind == Expectation::Kind::lacks) {
      if (unwrapped(wrong.messages).find(unwrapped(expectation.text)) != std::string::npos)
        result += "the messages have '" + expectation.text + "'\n";
      continue;
    }
    if (expectation.kind == Expectation::Kind::hint) {
      if (std::none_of(wrong.hints.begin(), wrong.hints.end(),
                       [&](const std::string& hint) { return hint.find(expectation.text) != hint.npos; }))
        result += "no hint has the words '" + expectation.text + "'\n";
      continue;
    }
    if (expectation.kind == Expectation::Kind::missing) {
      if (std::find(wrong.missing.begin(), wrong.missing.end(), expectation.text) == wrong.missing.end())
        result += "nothing lacks '" + expectation.text + "'\n";
      continue;
    }
    if (unwrapped(wrong.messages).find(unwrapped(expectation.text)) == std::string::npos)
      result += "the messages lack '" + expectation.text + "'\n";
    fails = fails || expectation.kind == Expectation::Kind::error;
  }
  std::sort(exact.begin(), exact.end());
  if (!exact.empty() && exact != wrong.findings) {
    result += "expected:\n";
    for (const std::string& finding : exact) result += "  " + finding + "\n";
    result += "found:\n";
    for (const std::string& finding : wrong.findings) result += "  " + finding + "\n";
  }
  if (wrong.findings.empty()) result += "nothing was found\n";
  if (fails && (wrong.status == 0 || wrong.status == findings_status))
    result += "the program should have failed by itself\n";
  return result.empty() ? result : result + wrong.messages;
}

std::string difference(const Outcome& right) {
  if (!right.reported) return "no report was written\n" + right.messages;
  if (right.findings.empty() && right.status == 0) return "";
  return "the right one has findings, or failed (" + std::to_string(right.status) + ")\n" + right.messages;
}

}  // namespace cuemu::check::tests
