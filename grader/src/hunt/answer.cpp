#include "hunt/answer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/columns.hpp"
#include "base/regex.hpp"

namespace grader {
namespace {

/// Those lines of the finding's parties that are in the program itself.
std::vector<unsigned> lines_of(const Planted& planted, const Trial& trial) {
  std::vector<unsigned> out;
  for (const Finding& finding : trial.findings)
    for (const FindingParty& party : finding.parties)
      if (party.file == planted.program->file() && party.line > 0) out.push_back(party.line);
  return out;
}

/// One access of one thread to the clue's element.
struct Touch {
  ThreadName who;
  std::size_t launch = 0, phase = 0, meetings = 0;  ///< meetings: earlier ones of its warp in the phase
  TracedStep::Does does = TracedStep::Does::read;
  unsigned line = 0;
};

std::array<unsigned, 3> padded(const std::vector<unsigned>& numbers) {
  std::array<unsigned, 3> out{};
  std::copy_n(numbers.begin(), std::min<std::size_t>(3, numbers.size()), out.begin());
  return out;
}

/// All accesses to the elements of an array, by element.
std::map<std::int64_t, std::vector<Touch>> touches_of(const Trace& trace, const std::string& array) {
  std::map<std::int64_t, std::vector<Touch>> out;
  for (std::size_t l = 0; l < trace.launches.size(); ++l)
    for (const TracedBlock& block : trace.launches[l].blocks)
      for (std::size_t p = 0; p < block.phases.size(); ++p) {
        std::map<std::uint32_t, std::size_t> meetings;
        for (const TracedStep& step : block.phases[p].steps) {
          if (!step.accesses()) {
            ++meetings[step.warp];
            continue;
          }
          const TracedArray& of = trace.arrays[step.array];
          if (of.name != array && of.on_device != array) continue;
          step.each_lane([&](std::uint32_t thread, std::size_t, std::int64_t offset) {
            const auto element = static_cast<std::int64_t>(of.element);
            // Rounds down, so that an element before the array has a negative number.
            const std::int64_t at = (offset - (offset < 0 ? element - 1 : 0)) / element;
            out[at].push_back({{padded(block.block), trace.launches[l].thread(thread)},
                               l,
                               p,
                               meetings[step.warp],
                               step.does,
                               trace.places[step.place].line});
          });
        }
      }
  return out;
}

bool same_warp(const Touch& a, const Touch& b, const std::vector<unsigned>& extents) {
  const auto warp = [&](const Touch& one) {
    return (one.who.thread[0] + extents[0] * (one.who.thread[1] + extents[1] * one.who.thread[2])) / 32;
  };
  return warp(a) == warp(b);
}

/// Whether two accesses to one element race: no barrier orders them, and at least one is a write.
bool race(const Touch& a, const Touch& b, const Trace& trace) {
  using Does = TracedStep::Does;
  if (a.launch != b.launch || a.who == b.who) return false;
  if (a.does == Does::read && b.does == Does::read) return false;
  if (a.does == Does::atomic && b.does == Does::atomic) return false;
  if (a.who.block != b.who.block) return true;
  if (a.phase != b.phase) return false;
  return a.meetings == b.meetings || !same_warp(a, b, trace.launches[a.launch].block_dim);
}

/// The thread of a party, if the party is a thread.
std::optional<ThreadName> thread_of(const FindingParty& party) {
  if (!party.thread || !party.block) return {};
  return ThreadName{*party.block, *party.thread};
}

/// The finding's array in the trace; null if the trace does not contain it.
const TracedArray* array_of(const Finding& finding, const Trace& trace) {
  const auto found = std::find_if(trace.arrays.begin(), trace.arrays.end(), [&](const TracedArray& one) {
    return one.name == finding.array || one.on_device == finding.array;
  });
  return finding.array.empty() || found == trace.arrays.end() ? nullptr : &*found;
}

std::string tuple_text(const std::array<unsigned, 3>& of) {
  return fmt::format("({},{},{})", of[0], of[1], of[2]);
}

std::string pair_text(const ThreadName& a, const ThreadName& b, bool with_blocks) {
  const auto text = [&](const ThreadName& one) {
    return (with_blocks ? tuple_text(one.block) + ":" : std::string()) + tuple_text(one.thread);
  };
  return text(a) + " " + text(b);
}

/// "tile[3][1]"
std::string element_text(const Finding& finding) {
  std::string out = finding.array;
  for (const std::int64_t index : finding.indices) out += fmt::format("[{}]", index);
  return out;
}

Clue clue_of_race(const Finding& finding, const Trace& trace) {
  Clue clue;
  if (!finding.element || array_of(finding, trace) == nullptr || finding.parties.size() != 2) return clue;
  const auto a = thread_of(finding.parties[0]), b = thread_of(finding.parties[1]);
  if (!a || !b) return clue;
  const auto touches = touches_of(trace, finding.array);
  const auto here = touches.find(*finding.element);
  if (here == touches.end()) return clue;
  clue.blocks_differ = a->block != b->block;
  clue.block = a->block;
  for (const Touch& one : here->second)
    for (const Touch& other : here->second)
      if (race(one, other, trace) && (one.who.block != other.who.block) == clue.blocks_differ &&
          (clue.blocks_differ || one.who.block == clue.block))
        clue.pairs.emplace(one.who, other.who);
  if (!clue.pairs.contains({*a, *b})) return {};
  clue.about = Clue::About::threads;
  clue.answer = pair_text(*a, *b, clue.blocks_differ);
  clue.example = clue.blocks_differ ? "0:3 1:17, or (0,1):(3,2) (1,0):(4,0) in two dimensions"
                                    : "3 17, or (3,2) (4,0) in two dimensions";
  clue.question =
      clue.blocks_differ
          ? fmt::format(
                "Two threads of different blocks touch {} with no order between them. Which two, with "
                "their blocks?",
                element_text(finding))
          : fmt::format("Two threads of block {} touch {} with no order between them. Which two?",
                        tuple_text(clue.block), element_text(finding));
  return clue;
}

Clue clue_of_element(const Finding& finding, const Trace& trace) {
  Clue clue;
  const TracedArray* const array = array_of(finding, trace);
  if (!finding.element || array == nullptr || finding.parties.empty()) return clue;
  const FindingParty& party = finding.parties.back();
  const auto who = thread_of(party);
  if (!who) return clue;
  const auto touches = touches_of(trace, finding.array);
  bool written = false;
  const auto here = touches.find(*finding.element);
  if (here == touches.end()) return clue;
  const auto is_its = [&](const Touch& touch) { return touch.who == *who && touch.line == party.line; };
  const auto its = std::find_if(here->second.begin(), here->second.end(), is_its);
  if (its == here->second.end()) return clue;
  for (const Touch& touch : here->second)
    written |=
        touch.does == TracedStep::Does::write && touch.launch == its->launch && touch.who.block == who->block;
  const auto count = static_cast<std::int64_t>(array->bytes / array->element);
  const bool outside = *finding.element < 0 || *finding.element >= count;
  if (outside != (finding.rule == "out-of-bounds") || (!outside && written)) return clue;
  clue.about = Clue::About::element;
  clue.element = *finding.element;
  clue.answer = std::to_string(clue.element);
  clue.example = "17";
  const std::string by =
      fmt::format("Thread {} of block {}", tuple_text(who->thread), tuple_text(who->block));
  clue.question = outside ? fmt::format(
                                "{} touches an element that {} does not have: it has {} elements. At "
                                "which index, from 0?",
                                by, finding.array, count)
                          : fmt::format(
                                "{} reads an element of {} that was never written. At which index, "
                                "from 0, row by row?",
                                by, finding.array);
  return clue;
}

/// Reads "17" or "(3,2)" as coordinates.
std::optional<std::array<unsigned, 3>> coordinates_in(const std::string& text) {
  static const Regex numbers(R"(\(?(\d{1,9})(?:,(\d{1,9}))?(?:,(\d{1,9}))?\)?)");
  const auto match = numbers.match(text);
  if (!match) return {};
  std::array<unsigned, 3> out{};
  for (std::size_t i = 0; i < 3; ++i)
    if (match->has(i + 1)) out[i] = static_cast<unsigned>(std::stoul((*match)[i + 1]));
  return out;
}

Error no_answer(const std::string& text, const std::string& example) {
  return {ErrorKind::usage, fmt::format("\"{}\" is no answer to this question.", printable(text)),
          "Answer in this form: " + example};
}

std::vector<ThreadName> threads_in(const Clue& clue, const std::string& text) {
  static const Regex two(
      R"(\s*(?:([\d(),]+):)?(\(.*?\)|\d+)(?:\s+|\s*,\s*)(?:([\d(),]+):)?(\(.*?\)|\d+)\s*)");
  const auto match = two.match(text);
  if (!match) throw no_answer(text, clue.example);
  std::vector<ThreadName> out;
  for (const std::size_t group : {1, 3}) {
    const auto thread = coordinates_in((*match)[group + 1]);
    const auto block = match->has(group) ? coordinates_in((*match)[group]) : clue.block;
    if (!thread || !block || (clue.blocks_differ && !match->has(group))) throw no_answer(text, clue.example);
    out.push_back({*block, *thread});
  }
  return out;
}

/// The first and the last line of the function that contains a line: from the last line before it that begins
/// in the first column, to the closing "}".
std::pair<unsigned, unsigned> function_around(const std::vector<std::string>& lines, unsigned line) {
  unsigned first = line, last = line;
  const auto begins = [&](unsigned number) {
    const std::string& text = lines[number - 1];
    return !text.empty() && text[0] != ' ' && text[0] != '}' && text[0] != '/' && text[0] != '#';
  };
  while (first > 1 && !begins(first)) --first;
  while (last < lines.size() && !lines[last - 1].starts_with("}") && !(last > first && begins(last + 1)))
    ++last;
  return {first, last};
}

}  // namespace

Answered judge_line(const Planted& planted, const Trial& trial, unsigned line) {
  const std::vector<unsigned> parties = lines_of(planted, trial);
  const bool is_party = std::count(parties.begin(), parties.end(), line) != 0;
  for (const ChangedLines& changed : planted.changed) {
    if (line >= changed.first && line <= changed.last) return Answered::right;
    if (!changed.gap || parties.empty()) continue;
    // If the mistake removed code, the accesses and all lines between them are as right an answer as the gap.
    const auto [least, most] = std::minmax_element(parties.begin(), parties.end());
    const bool between = *least <= changed.first && changed.last <= *most;
    if (is_party || (between && line >= *least && line <= *most)) return Answered::right;
  }
  return is_party ? Answered::shows : Answered::wrong;
}

std::string lines_text(const Planted& planted) {
  const ChangedLines& changed = planted.changed.front();
  if (changed.gap) return fmt::format("between line {} and line {}", changed.first, changed.last);
  return changed.first == changed.last ? fmt::format("line {}", changed.first)
                                       : fmt::format("lines {} to {}", changed.first, changed.last);
}

Clue clue_of(const Planted& planted, const Trial& trial) {
  if (trial.findings.empty() || !trial.trace) return {};
  const Finding& finding = trial.findings.front();
  if (std::any_of(finding.parties.begin(), finding.parties.end(),
                  [&](const FindingParty& party) { return party.file != planted.program->file(); }))
    return {};
  if (finding.rule == "race") return clue_of_race(finding, *trial.trace);
  if (finding.rule == "out-of-bounds" || finding.rule == "uninitialised")
    return clue_of_element(finding, *trial.trace);
  return {};
}

Answered judge_clue(const Clue& clue, const std::string& text) {
  if (clue.about == Clue::About::element) {
    static const Regex number(R"(\s*(-?\d{1,12})\s*)");
    const auto match = number.match(text);
    if (!match) throw no_answer(text, clue.example);
    return std::stoll((*match)[1]) == clue.element ? Answered::right : Answered::wrong;
  }
  const std::vector<ThreadName> threads = threads_in(clue, text);
  return clue.pairs.contains({threads[0], threads[1]}) ? Answered::right : Answered::wrong;
}

bool is_mended(const Trial& trial) {
  return trial.compiles && trial.right && trial.findings.empty();
}

std::vector<std::string> hints_of(const HuntKind& kind, const Planted& planted, const Trial& trial,
                                  const std::string& finding) {
  const std::vector<std::string> lines = split_lines(planted.wrong);
  const auto [first, last] = function_around(lines, planted.changed.front().first);
  return {kind.hint, fmt::format("It is in lines {} to {}.", first, last),
          trial.findings.empty() ? fmt::format("The checker finds nothing: each access is allowed, and the "
                                               "result is wrong. The mistake: {}.",
                                               kind.title)
                                 : finding};
}

}  // namespace grader
