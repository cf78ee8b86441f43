// Shows the most instructive block. Each stretch between two barriers lists the lines with their accesses to
// each array, the number of threads, and the cost. Waiting threads, returned threads and unordered accesses
// follow. Each block of the grid gets a line, and so does each launch if there are several.
#include "report/report_trace.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <map>
#include <set>

#include "base/columns.hpp"

namespace grader {
namespace {

constexpr std::size_t most_phases = 12, most_launches = 8, most_blocks = 16;  // the numbers that are shown

std::string at_point(const std::vector<unsigned>& at) {
  return fmt::format("({})", fmt::join(at, ","));
}

std::string thread_text(const TracedLaunch& launch, std::uint32_t thread) {
  const auto [x, y, z] = launch.thread(thread);
  return at_point({x, y, z});
}

std::string array_name(const TracedArray& array) {
  return !array.name.empty() ? array.name : !array.on_device.empty() ? array.on_device : "an array";
}

/// The name of an element, with its indices in the array's shape. The position may be outside of the array.
std::string element_name(const TracedArray& array, std::int64_t position) {
  std::string text = array_name(array);
  if (position < 0) return text + fmt::format("[{}]", position);
  auto flat = static_cast<std::size_t>(position);
  std::vector<std::size_t> indices(array.shape.size());
  for (std::size_t i = array.shape.size(); i-- > 0; flat /= array.shape[i])
    indices[i] = i == 0 ? flat : flat % array.shape[i];
  for (const std::size_t index : indices) text += fmt::format("[{}]", index);
  return text;
}

std::string place_text(const TracedPlace& place) {
  return place.file.empty() ? "a place that is not known" : fmt::format("{}:{}", place.file, place.line);
}

/// The accesses of a line to an array between two barriers.
struct Doing {
  std::uint32_t place = 0, array = 0;
  TracedStep::Does does = TracedStep::Does::read;
  std::size_t threads = 0, lanes = 0, steps = 0, sectors = 0, wavefronts = 0, least = 0, fresh = 0;
  std::vector<std::int64_t> outside;
};

std::vector<Doing> doings_of(const TracedPhase& phase, const Trace& trace) {
  std::vector<Doing> rows;
  std::vector<std::set<std::uint32_t>> threads;
  for (const TracedStep& step : phase.steps) {
    if (!step.accesses()) continue;
    auto row = std::find_if(rows.begin(), rows.end(), [&](const Doing& one) {
      return trace.places[one.place] == trace.places[step.place] && one.array == step.array &&
             one.does == step.does;
    });
    if (row == rows.end()) {
      row = rows.insert(rows.end(), Doing{});
      row->place = step.place;
      row->array = step.array;
      row->does = step.does;
      threads.emplace_back();
    }
    const TracedArray& array = trace.arrays[step.array];
    const AccessCost cost = cost_of(step, array);
    ++row->steps;
    row->lanes += static_cast<std::size_t>(std::popcount(step.lanes));
    row->sectors += cost.sectors;
    row->wavefronts += cost.wavefronts;
    row->least += cost.least;
    for (std::uint32_t rest = step.lanes; rest != 0; rest &= rest - 1)
      threads[static_cast<std::size_t>(row - rows.begin())].insert(
          step.warp * 32 + static_cast<std::uint32_t>(std::countr_zero(rest)));
    for (const std::uint32_t value : step.values) row->fresh += value == 0 ? 1 : 0;
    const auto element = static_cast<std::int64_t>(array.element);
    for (const std::int64_t where : step.where)
      if (where < 0 || static_cast<std::size_t>(where) >= array.bytes)
        row->outside.push_back(where < 0 ? -((element - 1 - where) / element) : where / element);
  }
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].threads = threads[i].size();
  return rows;
}

std::string per(std::size_t sum, std::size_t count) {
  return sum % count == 0 ? fmt::format("{}", sum / count)
                          : fmt::format("{:.1f}", static_cast<double>(sum) / static_cast<double>(count));
}

std::string cost_text(const Doing& row, const TracedArray& array) {
  if (!array.shared)
    return fmt::format(
        "{} sector{}{}", per(row.sectors, row.steps), row.sectors == row.steps ? "" : "s",
        row.sectors > row.least ? fmt::format(" ({} would do)", per(row.least, row.steps)) : "");
  return fmt::format("{} turn{}{}", per(row.wavefronts, row.steps), row.wavefronts == row.steps ? "" : "s",
                     row.wavefronts > row.least ? " (bank conflicts)" : "");
}

const char* doing_verb(TracedStep::Does does) {
  return does == TracedStep::Does::read ? "reads" : does == TracedStep::Does::write ? "writes" : "updates";
}

/// The unusual properties of a row, for the text below the table.
std::string remarks(const Doing& row, const Trace& trace, const Style& style) {
  const TracedArray& array = trace.arrays[row.array];
  const std::string line = fmt::format("  Line {}: ", trace.places[row.place].line);
  std::string out;
  if (row.fresh > 0 && row.does == TracedStep::Does::read)
    out += wrap(line + fmt::format("{} of {} found unwritten memory.", how_many(row.fresh, "read"),
                                   array_name(array)),
                style.width, 4) +
           "\n";
  if (!row.outside.empty())
    out += wrap(line + fmt::format("{} outside of {}, which has {}: {}.",
                                   how_many(row.outside.size(), "access", "accesses"), array_name(array),
                                   how_many(array.bytes / array.element, "element"),
                                   element_name(array, row.outside.front())),
                style.width, 4) +
           "\n";
  return out;
}

std::string rows_text(const TracedPhase& phase, const Trace& trace, const Style& style) {
  Columns table(
      {Align::right, Align::left, Align::left, Align::right, Align::right, Align::right, Align::left});
  const std::vector<Doing> rows = doings_of(phase, trace);
  if (rows.empty()) return "  Nothing is read or written.\n";
  table.add({"line", "does", "array", "threads", "requests", "lanes", "each takes"});
  std::string below;
  for (const Doing& row : rows) {
    table.add({fmt::format("{}", trace.places[row.place].line), doing_verb(row.does),
               array_name(trace.arrays[row.array]), fmt::format("{}", row.threads),
               fmt::format("{}", row.steps), per(row.lanes, row.steps),
               cost_text(row, trace.arrays[row.array])});
    below += remarks(row, trace, style);
  }
  return table.text(2, style.width) + below;
}

std::size_t size_of_ranges(const ThreadRanges& ranges) {
  std::size_t count = 0;
  for (const auto& [first, last] : ranges) count += last - first + 1;
  return count;
}

std::string end_text(const TracedPhase& phase, const TracedLaunch& launch, const Trace& trace) {
  std::size_t waiting = 0;
  std::vector<std::string> groups;
  for (const TracedWait& wait : phase.waiting) {
    waiting += size_of_ranges(wait.threads);
    groups.push_back(
        fmt::format("{} at {}", size_of_ranges(wait.threads), place_text(trace.places[wait.place])));
  }
  std::string who = groups.size() == 1
                        ? fmt::format("{} of {} threads wait at {}", waiting, launch.threads(),
                                      place_text(trace.places[phase.waiting[0].place]))
                        : fmt::format("of {} threads wait {}", launch.threads(), fmt::join(groups, ", "));
  if (waiting < launch.threads()) who += fmt::format("; {} have returned", launch.threads() - waiting);
  if (phase.end == "barrier") return fmt::format("Barrier: {}.", who);
  if (phase.end == "cluster") return fmt::format("Barrier of the cluster: {}.", who);
  if (phase.end == "grid") return fmt::format("Barrier of the grid: {}.", who);
  if (phase.end == "deadlock") return fmt::format("Deadlock, since no other thread comes: {}.", who);
  if (phase.end == "stopped") return "Here the kernel was stopped.";
  if (phase.end == "cut") return "The recording of this block ends here: the block does too much.";
  return "The block's end: all threads have returned.";
}

std::string clash_text(const std::vector<TracedClash>& clashes, const TracedLaunch& launch,
                       const Trace& trace, const Style& style) {
  std::map<std::uint32_t, std::vector<const TracedClash*>> by_array;
  for (const TracedClash& clash : clashes) by_array[clash.array].push_back(&clash);
  std::string out;
  for (const auto& [number, all] : by_array) {
    const TracedArray& array = trace.arrays[number];
    const TracedClash& first = *all.front();
    out += style.bad(wrap(
               fmt::format("  ! {} of {} {} written by one thread and touched by another between these two "
                           "barriers: thread {} writes {} at line {}, thread {} {} it at line {}.",
                           how_many(all.size(), "element"), array_name(array), all.size() == 1 ? "is" : "are",
                           thread_text(launch, first.writer),
                           element_name(array, static_cast<std::int64_t>(first.element)),
                           trace.places[first.writer_place].line, thread_text(launch, first.other),
                           first.other_writes ? "writes" : "reads", trace.places[first.other_place].line),
               style.width, 4)) +
           "\n";
  }
  return out;
}

std::string finding_text(const Finding& finding, const Style& style) {
  std::string out =
      hanging(style.bad(finding.rule + ":") + " ", printable(finding.headline), style.width) + "\n";
  for (const FindingParty& party : finding.parties)
    out += cut_to(printable(fmt::format("  {}  {}:{}  {}", party.what, party.file, party.line, party.text)),
                  style.width) +
           "\n";
  if (!finding.hint.empty()) out += hanging("  Hint: ", printable(finding.hint), style.width) + "\n";
  return out;
}

/// How instructive a block is: races, threads that wait forever, wrong elements.
int interest(const TracedBlock& block, const TracedLaunch& launch, const Trace& trace) {
  int out = 0;
  for (const TracedPhase& phase : block.phases) {
    if (phase.end == "deadlock" || phase.end == "stopped") out = std::max(out, 4);
    std::size_t waiting = 0;
    for (const TracedWait& wait : phase.waiting) waiting += size_of_ranges(wait.threads);
    if ((phase.end == "barrier" && waiting < launch.threads()) || phase.waiting.size() > 1)
      out = std::max(out, 3);
    for (const Doing& row : doings_of(phase, trace))
      if (!row.outside.empty() || (row.fresh > 0 && row.does == TracedStep::Does::read))
        out = std::max(out, 2);
    if (!clashes_in(phase, trace).empty()) out = std::max(out, 2);
    for (const TracedStep& step : phase.steps) {
      if (!step.accesses() || step.does == TracedStep::Does::read) continue;
      const TracedArray& array = trace.arrays[step.array];
      for (const std::int64_t where : step.where)
        if (std::binary_search(array.wrong.begin(), array.wrong.end(),
                               static_cast<std::size_t>(std::max<std::int64_t>(where, 0)) / array.element))
          out = std::max(out, 1);
    }
  }
  return out;
}

std::size_t requests_of(const TracedBlock& block) {
  std::size_t count = 0;
  for (const TracedPhase& phase : block.phases)
    count += static_cast<std::size_t>(std::count_if(phase.steps.begin(), phase.steps.end(),
                                                    [](const TracedStep& step) { return step.accesses(); }));
  return count;
}

/// A line for each launch, if there are several; the page shows all launches in full.
std::string launches_text(const Trace& trace, const TracedLaunch* selected, const Style& style) {
  if (trace.launches.size() < 2) return "";
  Columns table({Align::right, Align::left, Align::left, Align::left, Align::right, Align::right});
  table.add({"launch", "kernel", "grid", "block", "recorded", "requests"});
  for (std::size_t i = 0; i < std::min(trace.launches.size(), most_launches); ++i) {
    const TracedLaunch& launch = trace.launches[i];
    std::size_t requests = 0;
    for (const TracedBlock& block : launch.blocks) requests += requests_of(block);
    table.add({fmt::format("{}", launch.number),
               printable(launch.kernel) + (&launch == selected ? " (see below)" : ""),
               at_point(launch.grid_dim), at_point(launch.block_dim),
               fmt::format("{} of {}", launch.blocks.size(), launch.blocks_in_all()),
               fmt::format("{}", requests)});
  }
  std::string out = "\n" + table.text(2, style.width);
  if (trace.launches.size() > most_launches)
    out += fmt::format("  … and {} more\n",
                       how_many(trace.launches.size() - most_launches, "launch", "launches"));
  return out;
}

/// A block's reads or writes of global arrays: "128 of keys, 64 of counts".
std::string elements_text(const TracedBlock& block, const Trace& trace, bool reads) {
  std::map<std::uint32_t, std::set<std::int64_t>> touched;
  for (const TracedPhase& phase : block.phases)
    for (const TracedStep& step : phase.steps) {
      if (!step.accesses() || (step.does == TracedStep::Does::read) != reads ||
          trace.arrays[step.array].shared)
        continue;
      const auto element = static_cast<std::int64_t>(trace.arrays[step.array].element);
      for (const std::int64_t where : step.where)
        for (std::int64_t at = where; at < where + std::max<std::int64_t>(step.bytes, 1); at += element)
          touched[step.array].insert(at / element);
    }
  std::string out;
  for (const auto& [array, elements] : touched)
    out +=
        fmt::format("{}{} of {}", out.empty() ? "" : ", ", elements.size(), array_name(trace.arrays[array]));
  return out.empty() ? "nothing" : out;
}

/// The grid, block by block, in the order in which the blocks ran.
std::string grid_text(const TracedLaunch& launch, const Trace& trace, const Style& style) {
  if (launch.blocks.size() < 2) return "";
  Columns table({Align::left, Align::right, Align::right, Align::left, Align::left});
  table.add({"block", "barriers", "requests", "elements read", "written"});
  for (std::size_t i = 0; i < std::min(launch.blocks.size(), most_blocks); ++i) {
    const TracedBlock& block = launch.blocks[i];
    table.add({at_point(block.block) + (block.cut ? " …" : ""),
               fmt::format("{}", std::max<std::size_t>(block.phases.size(), 1) - 1),
               fmt::format("{}", requests_of(block)), elements_text(block, trace, true),
               elements_text(block, trace, false)});
  }
  std::string out = "\nBlock by block, in the device's memory\n" + table.text(2, style.width);
  if (launch.blocks.size() > most_blocks)
    out += fmt::format("  … and {} more\n", how_many(launch.blocks.size() - most_blocks, "block"));
  return out;
}

/// A message as a sentence of its own. In other places, it may follow a colon.
std::string sentence_of(std::string message) {
  if (!message.empty()) message[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(message[0])));
  return message;
}

std::string result_text(const Trace& trace, const Style& style) {
  for (const TracedArray& array : trace.arrays)
    if (!array.wrong.empty())
      return style.bad(fmt::format("{} of {} elements of {} are wrong, {} first.", array.wrong.size(),
                                   array.expected.size(), array_name(array),
                                   element_name(array, static_cast<std::int64_t>(array.wrong[0])))) +
             "\n";
  if (trace.verdict && *trace.verdict != Verdict::passed && *trace.verdict != Verdict::finding)
    return style.bad(wrap(printable(sentence_of(trace.message)), style.width)) + "\n";
  if (!trace.end.empty()) return style.bad("The program " + trace.end + ".") + "\n";
  if (!trace.judged)
    return trace.findings.empty()
               ? style.good("The checker found no mistake.") + "\n"
               : style.bad(fmt::format("The checker found {}.", how_many(trace.findings.size(), "mistake"))) +
                     "\n";
  if (!trace.right) return style.bad("The result is wrong.") + "\n";
  const bool luck = std::any_of(trace.findings.begin(), trace.findings.end(),
                                [](const Finding& finding) { return finding.error; });
  return (luck ? style.bad("The result is right, but only by luck.") : style.good("The result is right.")) +
         "\n";
}

}  // namespace

std::string trace_text(const Trace& trace, const Style& terminal) {
  Style style = terminal;
  style.width = std::clamp(style.width, 40, 100);
  const TracedLaunch* launch = nullptr;
  const TracedBlock* block = nullptr;
  int most = -1;
  // The first finding is the cause.
  const std::string cause =
      trace.findings.empty() || !trace.findings[0].error ? "" : trace.findings[0].kernel;
  constexpr int above_all = 10;
  for (const TracedLaunch& one : trace.launches)
    for (const TracedBlock& its : one.blocks)
      if (const int worth = interest(its, one, trace) + (one.kernel == cause ? above_all : 0); worth > most) {
        most = worth;
        launch = &one;
        block = &its;
      }
  std::string out = style.strong(trace.program.empty() ? fmt::format("{}, case {}", trace.lab, trace.case_id)
                                                       : printable(trace.program)) +
                    printable(trace.args.empty() ? "" : fmt::format(" ({})", fmt::join(trace.args, " "))) +
                    (trace.solution ? ", the solution" : "") + "\n" + result_text(trace, style);
  for (const Finding& finding : trace.findings) out += "\n" + finding_text(finding, style);
  if (block == nullptr) return out + "\nNo block began.\n";
  out += launches_text(trace, launch, style);
  out += "\n" +
         style.strong(fmt::format("{}<<<{}, {}>>>", printable(launch->kernel), at_point(launch->grid_dim),
                                  at_point(launch->block_dim))) +
         fmt::format(", launch {} of {}\nBlock {}: {} in {}\n", launch->number, trace.launches_in_all,
                     at_point(block->block), how_many(launch->threads(), "thread"),
                     how_many((launch->threads() + 31) / 32, "warp"));
  for (std::size_t i = 0; i < block->phases.size(); ++i) {
    if (i == most_phases) {
      out += fmt::format("\n… and {} more\n", how_many(block->phases.size() - i, "stretch", "stretches"));
      break;
    }
    const TracedPhase& phase = block->phases[i];
    out += fmt::format("\n{}. {}\n", i + 1,
                       i == 0 ? (block->phases.size() == 1 ? "From beginning to end" : "From the beginning")
                              : fmt::format("After barrier {}", i)) +
           rows_text(phase, trace, style) + clash_text(clashes_in(phase, trace), *launch, trace, style) +
           wrap("  " + end_text(phase, *launch, trace), style.width, 4) + "\n";
  }
  out += grid_text(*launch, trace, style) + "\n";
  for (const std::string& sentence : left_out_of(trace)) out += wrap(sentence, style.width) + "\n";
  return out +
         wrap(
             "Requests are of warps, lanes on average; a request of global memory takes sectors of 32 bytes, "
             "one of shared "
             "memory turns of "
             "the 32 banks.",
             style.width) +
         "\n";
}

}  // namespace grader
