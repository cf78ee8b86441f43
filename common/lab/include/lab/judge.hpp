/// @file
/// A lab's judge: a third function of its oracle, which decides what no rule of the grader covers.
///
///     oracle judge --facts FILE        prints one line of JSON, the judgement
///
/// The file has one fact in each line: its name, a blank, its value. The grader calls the judge in a sandbox,
/// and only for runs that reached their end. Host code only; the grader includes this header, too.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "exit.hpp"

namespace lab {

/// The macros of a program, given with -D.
using Macros = std::map<std::string, std::string>;

/// A number that was measured on this machine, in a table or by a counter.
struct MeasuredNumber {
  double value = 0;
  std::string unit;  ///< "s", "B", "B/s", or "1" for a count or a share
};

/// One launch of a kernel.
struct KernelLaunch {
  std::string kernel;  ///< demangled, without parameters
  std::size_t grid[3] = {1, 1, 1};
  std::size_t block[3] = {1, 1, 1};

  std::size_t threads() const { return grid[0] * grid[1] * grid[2] * block[0] * block[1] * block[2]; }
};

/// The facts on a run that the grader gives to a judge.
struct JudgeRequest {
  std::string lab, case_id;
  std::string backend;                 ///< "emu" or "gpu"
  std::string options;                 ///< " --level 2": follows the lab's name in commands of the advice
  std::vector<std::string> arguments;  ///< the case's arguments
  std::vector<std::string> inputs;     ///< the input files, in the order of lab.toml
  std::string expected;                ///< the file that the oracle wrote; empty: the case has none
  std::string got;           ///< the file that the program wrote; may be hostile; empty: it writes none
  std::string printed_file;  ///< the program's standard output, at most 1 MiB
  bool no_kernel = false;    ///< a profile proves that no kernel ran
  std::vector<KernelLaunch> launches;  ///< in launch order, at most 1000; empty: unknown, or no kernel ran

  /// No value unless the judge wanted the measurements.
  std::optional<std::vector<MeasuredNumber>>
      measured;                ///< numbers of the student's tables, and the counters of this case
  std::vector<double> chosen;  ///< values of the tables' axes, which are not measured
  /// Kernel times in seconds: first of the case's own program, then with each of the wanted macros. 0: not
  /// measured.
  std::optional<std::vector<double>> times;

  /// The launch with the most threads. Null if the launches are unknown, or no kernel ran.
  const KernelLaunch* largest_launch() const {
    const auto most = std::max_element(launches.begin(), launches.end(), [](const auto& a, const auto& b) {
      return a.threads() < b.threads();
    });
    return most == launches.end() ? nullptr : &*most;
  }

  std::string printed() const {
    std::ostringstream text;
    text << std::ifstream(printed_file, std::ios::binary).rdbuf();
    return text.str();
  }
};

/// Further facts that a judge wants before it decides. Only a grading makes the runs that they take; in all
/// other commands the case then counts as right.
struct JudgeWants {
  bool measured = false;
  std::vector<Macros> times;  ///< wants kernel times of the case's program, once with each of these macros

  bool any() const { return measured || !times.empty(); }
};

/// The judge's decision on a run.
struct Judgement {
  enum class Verdict { passed, wrong_answer, requirement_failed, unsupported };

  Verdict verdict = Verdict::passed;
  std::string says;     ///< the reason for any other verdict than `passed`, as sentences for the student
  std::string next;     ///< advice without a full stop; may be empty
  std::string pattern;  ///< "one-block-only": how an output is wrong; letters, digits and -

  /// One wrong place of a wrong answer.
  struct Place {
    std::vector<std::size_t> index;
    std::string expected, got;
  };
  std::size_t wrong = 0, total = 0;  ///< elements, or what `extent` counts
  std::string extent;                ///< a sentence on these numbers; empty: "3 of 8 elements are wrong."
  std::vector<Place> first;          ///< at most 8

  JudgeWants wants;  ///< the facts that the judge wants; if there are any, all other members are ignored

  static Judgement passed() { return {}; }
  /// The output is right, but a requirement of the case does not hold.
  static Judgement failed(std::string why, std::string next_step) {
    return of(Verdict::requirement_failed, std::move(why), std::move(next_step));
  }
  /// The case can't be judged on this machine. It costs no points.
  static Judgement unsupported(std::string why) { return of(Verdict::unsupported, std::move(why), {}); }
  static Judgement wanting(JudgeWants facts) {
    Judgement judgement;
    judgement.wants = std::move(facts);
    return judgement;
  }

 private:
  static Judgement of(Verdict verdict, std::string why, std::string next_step) {
    Judgement judgement;
    judgement.verdict = verdict;
    judgement.says = std::move(why);
    judgement.next = std::move(next_step);
    return judgement;
  }
};

inline const char* to_string(Judgement::Verdict verdict) {
  switch (verdict) {
    case Judgement::Verdict::passed:
      return "passed";
    case Judgement::Verdict::wrong_answer:
      return "wrong_answer";
    case Judgement::Verdict::requirement_failed:
      return "requirement_failed";
    case Judgement::Verdict::unsupported:
      break;
  }
  return "unsupported";
}

namespace detail {

inline std::string quoted_json(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    char escape[8];
    std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(static_cast<unsigned char>(c)));
    if (static_cast<unsigned char>(c) < 0x20)
      out += escape;
    else
      (out += c == '"' || c == '\\' ? "\\" : "") += c;
  }
  return out + "\"";
}

template <class Items, class Write>
std::string list_json(const Items& items, const Write& write) {
  std::string text = "[";
  for (const auto& item : items) text += (text.size() > 1 ? "," : "") + write(item);
  return text + "]";
}

inline std::string macros_json(const Macros& macros) {
  std::string text = "{";
  for (const auto& [name, value] : macros)
    text += (text.size() > 1 ? "," : "") + quoted_json(name) + ":" + quoted_json(value);
  return text + "}";
}

inline std::string place_json(const Judgement::Place& place) {
  return "{\"index\":" + list_json(place.index, [](std::size_t i) { return std::to_string(i); }) +
         ",\"expected\":" + quoted_json(place.expected) + ",\"got\":" + quoted_json(place.got) + "}";
}

inline std::string number_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

/// Reads a launch: the three sizes of the grid, the three sizes of the block, and the kernel's name.
inline void add_launch(std::vector<KernelLaunch>& launches, const std::string& text) {
  KernelLaunch launch;
  std::istringstream in(text);
  for (std::size_t* sizes : {launch.grid, launch.block})
    for (int i = 0; i < 3; ++i) in >> sizes[i];
  if (in && std::getline(in >> std::ws, launch.kernel)) launches.push_back(std::move(launch));
}

}  // namespace detail

/// The line that a judge prints. Empty members are omitted.
inline std::string to_json(const Judgement& judgement) {
  using detail::list_json;
  if (judgement.wants.any())
    return std::string(R"({"kind":"judgement","format":1,"wants":{"measured":)") +
           (judgement.wants.measured ? "true" : "false") +
           ",\"times\":" + list_json(judgement.wants.times, detail::macros_json) + "}}";
  std::string text =
      std::string(R"({"kind":"judgement","format":1,"verdict":")") + to_string(judgement.verdict) + '"';
  const std::pair<const char*, const std::string*> members[] = {{"says", &judgement.says},
                                                                {"next", &judgement.next},
                                                                {"pattern", &judgement.pattern},
                                                                {"extent", &judgement.extent}};
  for (const auto& [name, value] : members)
    if (!value->empty()) text += std::string(",\"") + name + "\":" + detail::quoted_json(*value);
  if (judgement.total > 0)
    text += ",\"wrong\":" + std::to_string(judgement.wrong) +
            ",\"total\":" + std::to_string(judgement.total) +
            ",\"first\":" + list_json(judgement.first, detail::place_json);
  return text + "}";
}

/// The text of the file with the facts.
inline std::string facts_text(const JudgeRequest& request) {
  std::string text = "format 1\n";
  const auto add = [&](const std::string& name, const std::string& value) {
    if (!value.empty()) text += name + " " + value + "\n";
  };
  add("lab", request.lab);
  add("case", request.case_id);
  add("backend", request.backend);
  add("options", request.options);
  for (const std::string& argument : request.arguments) add("argument", argument);
  for (const std::string& input : request.inputs) add("input", input);
  add("expected", request.expected);
  add("got", request.got);
  add("printed", request.printed_file);
  if (request.no_kernel) add("kernels", "none");
  for (const KernelLaunch& launch : request.launches) {
    std::string sizes;
    for (const std::size_t* three : {launch.grid, launch.block})
      for (int i = 0; i < 3; ++i) sizes += std::to_string(three[i]) + " ";
    add("launch", sizes + launch.kernel);
  }
  if (request.measured) {
    add("supplied", "measured");
    for (const MeasuredNumber& one : *request.measured)
      add("measured", detail::number_text(one.value) + " " + one.unit);
    for (const double value : request.chosen) add("chosen", detail::number_text(value));
  }
  if (request.times) {
    add("supplied", "times");
    for (const double seconds : *request.times) add("time", detail::number_text(seconds));
  }
  return text;
}

/// Reads the text of such a file. Unknown names are ignored.
inline JudgeRequest read_facts(const std::string& text) {
  JudgeRequest request;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t blank = std::min(line.find(' '), line.size());
    const std::string name = line.substr(0, blank), value = line.substr(std::min(blank + 1, line.size()));
    const std::pair<const char*, std::string*> texts[] = {{"lab", &request.lab},
                                                          {"case", &request.case_id},
                                                          {"backend", &request.backend},
                                                          {"options", &request.options},
                                                          {"got", &request.got},
                                                          {"expected", &request.expected},
                                                          {"printed", &request.printed_file}};
    for (const auto& [known, target] : texts)
      if (name == known) *target = value;
    const double number = std::strtod(value.c_str(), nullptr);
    if (name == "argument") request.arguments.push_back(value);
    if (name == "input") request.inputs.push_back(value);
    if (name == "kernels") request.no_kernel = value == "none";
    if (name == "launch") detail::add_launch(request.launches, value);
    if (name == "supplied" && value == "measured") request.measured.emplace();
    if (name == "supplied" && value == "times") request.times.emplace();
    if (name == "measured" && request.measured)
      request.measured->push_back({number, value.substr(std::min(value.find(' '), value.size() - 1) + 1)});
    if (name == "chosen") request.chosen.push_back(number);
    if (name == "time" && request.times) request.times->push_back(number);
  }
  return request;
}

}  // namespace lab
